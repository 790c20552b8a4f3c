"""What can be wrong with a file, by name: the one list of rules.

An **error** is what scoring refuses. A **warning** is what it takes, but another scorer
refuses or reads otherwise, or what is hardly meant. A **note** is good to know.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Literal, NamedTuple

from scoref.errors import unknown

if TYPE_CHECKING:
    from collections.abc import Iterable

Severity = Literal["error", "warning", "note"]
SEVERITIES: tuple[Severity, ...] = ("error", "warning", "note")


class Rule(NamedTuple):
    """A kind of problem, and what a repair does where there is one right answer."""

    name: str
    severity: Severity
    meaning: str
    fix: str = ""

    @property
    def has_fix(self) -> bool:
        """Tell whether there is one right answer."""
        return bool(self.fix)


_ALL = (
    # Any file
    Rule("unreadable-file", "error", "the file is of no format that is known"),
    Rule("no-document", "error", "the file holds no document, sentence or word"),
    Rule("not-annotated", "error", "nothing says that the text is annotated"),
    Rule("gave-up", "note", "too many lines are unreadable to check the rest"),
    Rule("not-utf8", "warning", "bytes that are no text in UTF-8"),
    Rule(
        "byte-order-mark",
        "warning",
        "a mark before the first character",
        fix="dropped",
    ),
    Rule(
        "windows-line-ends",
        "warning",
        "lines that end in CR LF",
        fix="LF alone",
    ),
    Rule("trailing-blanks", "warning", "blanks at the end of a line", fix="dropped"),
    # Lines and columns
    Rule("unreadable-line", "error", "a line that is no word, comment or blank"),
    Rule("missing-columns", "error", "a line that lacks columns"),
    Rule("mixed-separators", "error", "tabs in some lines, blanks in others"),
    Rule("unreadable-cell", "error", "an annotation that is not made of brackets"),
    Rule("not-json", "error", "a line that is no document in JSON"),
    Rule(
        "float-offset",
        "error",
        "offsets such as 3.0 that are no integers",
        fix="written as integers",
    ),
    # Headers and documents
    Rule(
        "missing-header",
        "error",
        "entities without a line '# global.Entity'",
        fix="added, if the fields of all brackets show what it must be",
    ),
    Rule("bad-header", "error", "a header that does not say what is needed"),
    Rule("different-headers", "warning", "headers that are not the same"),
    Rule("missing-begin", "warning", "rows, but no line '#begin document'"),
    Rule(
        "missing-end",
        "warning",
        "a document without a line '#end document'",
        fix="added before the next document",
    ),
    Rule("missing-newdoc", "warning", "words before the first line '# newdoc'"),
    Rule(
        "blank-lines",
        "warning",
        "a blank line first, or none behind the last sentence",
        fix="dropped or added",
    ),
    Rule("row-outside-document", "error", "a row before or behind the documents"),
    Rule("repeated-document", "error", "a second document of the same name"),
    Rule("empty-document", "warning", "a document without words"),
    Rule("missing-clusters", "error", "a document without its list of entities"),
    Rule("tokens-disagree", "warning", "'tokens' and 'sentences' differ in length"),
    Rule("no-mentions", "warning", "a file without any mention"),
    Rule("document-without-mentions", "note", "documents without any mention"),
    # Brackets
    Rule("unopened-bracket", "error", "a mention that ends but never starts"),
    Rule("unclosed-bracket", "error", "a mention that starts but never ends"),
    Rule("nameless-bracket", "error", "a bracket without the id of its entity"),
    Rule("lost-piece", "error", "a piece of a mention without an earlier piece"),
    Rule("sentence-bracket", "error", "a bracket closed in another sentence"),
    Rule("run-on-mention", "warning", "one word in two brackets: read to sentence end"),
    Rule("reference-reading", "warning", "the reference scorer reads it otherwise"),
    # Mentions
    Rule("impossible-span", "error", "a mention outside its document"),
    Rule("unreadable-head", "error", "a head that is no number"),
    Rule("head-out-of-range", "error", "a head beyond the words of its mention"),
    Rule("missing-heads", "warning", "no heads: head match takes the first words"),
    Rule("ignored-head", "warning", "a head other than 1 in a mention of one word"),
    Rule("minimum-out-of-range", "error", "a Min beyond the words of its document"),
    Rule("broken-zero", "error", "a zero as a part of a longer mention"),
    Rule("zero-without-deps", "warning", "a zero without what it depends on"),
    Rule(
        "duplicate-mention",
        "warning",
        "a mention listed twice in one entity",
        fix="the second is dropped; not in Universal Anaphora, where it has a name",
    ),
    Rule("mention-in-two-entities", "warning", "a mention in two entities"),
    Rule("crossing-mentions", "warning", "mentions of one entity that cross"),
    Rule("sentence-crossing", "warning", "a mention over the end of a sentence"),
    Rule("exclusive-ends", "warning", "no mention of one token: are ends exclusive?"),
    # Entities
    Rule("empty-entity", "warning", "an entity without a mention", fix="dropped"),
    Rule("only-singletons", "warning", "no entity of more than one mention"),
    Rule("changed-entity", "warning", "parts of a mention in different entities"),
    Rule("unknown-entity", "warning", "a split antecedent of an unknown entity"),
    Rule("unknown-anchor", "warning", "a bridge to or from an unknown mention"),
    # Two files
    Rule("different-formats", "error", "two formats that cannot be compared"),
    Rule("missing-document", "error", "a document that only one file has"),
    Rule("different-text", "error", "another text than in the first file"),
    Rule(
        "different-words", "warning", "as many words as in the first file, but others"
    ),
    Rule("name-by-alias", "warning", "the same document under two names"),
    Rule("no-common-mentions", "warning", "no mention that both files have"),
    Rule("singletons-on-one-side", "note", "only one of two files has singletons"),
)

RULES = {rule.name: rule for rule in _ALL}
"""Every rule by its name, in the order in which they are listed."""


def chosen(
    select: str | Iterable[str] | None = None, ignore: str | Iterable[str] | None = None
) -> frozenset[str]:
    """Choose rules by name: those selected, or all, without those ignored.

    >>> sorted(chosen("missing-end,missing-begin", ["missing-begin"]))
    ['missing-end']
    """
    selected, ignored = _names(select), _names(ignore)
    for name in (*selected, *ignored):
        if name not in RULES:
            raise unknown("rule", name, RULES)
    return frozenset(selected or RULES) - frozenset(ignored)


def _names(names: str | Iterable[str] | None) -> list[str]:
    listed = names.split(",") if isinstance(names, str) else names or ()
    return [name.strip() for name in listed if name.strip()]
