"""The list of rules: everything that can be wrong with a file, by name.

An **error** stops scoring. A **warning** is about something that is scored, but that
another scorer rejects or reads differently, or that is probably a mistake. A **note**
is for information only.
"""

from __future__ import annotations

from typing import Literal, NamedTuple

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


# Any file
UNREADABLE_FILE = Rule(
    "unreadable-file", "error", "the file is of no format that is known"
)
NO_DOCUMENT = Rule(
    "no-document", "error", "the file holds no document, sentence or word"
)
NOT_ANNOTATED = Rule(
    "not-annotated", "error", "nothing says that the text is annotated"
)
GAVE_UP = Rule("gave-up", "error", "too many lines are unreadable to check the rest")
NOT_UTF8 = Rule("not-utf8", "warning", "bytes that are no text in UTF-8")
BYTE_ORDER_MARK = Rule(
    "byte-order-mark",
    "warning",
    "a mark before the first character",
    fix="dropped",
)
WINDOWS_LINE_ENDS = Rule(
    "windows-line-ends",
    "warning",
    "lines that end in CR LF",
    fix="LF alone",
)
CR_LINE_ENDS = Rule(
    "cr-line-ends",
    "warning",
    "lines that end in CR alone",
    fix="LF alone",
)
MIXED_LINE_ENDS = Rule(
    "mixed-line-ends", "error", "lines of which some end in CR, others in LF"
)
TRAILING_BLANKS = Rule(
    "trailing-blanks", "warning", "blanks at the end of a line", fix="dropped"
)
# Lines and columns
UNREADABLE_LINE = Rule(
    "unreadable-line", "error", "a line that is no word, comment or blank"
)
MISSING_COLUMNS = Rule("missing-columns", "error", "a line that lacks columns")
MIXED_SEPARATORS = Rule(
    "mixed-separators", "error", "tabs in some lines, blanks in others"
)
UNREADABLE_CELL = Rule(
    "unreadable-cell", "error", "an annotation that is not made of brackets"
)
NOT_JSON = Rule("not-json", "error", "a line that is no document in JSON")
REPEATED_FIELD = Rule(
    "repeated-field", "error", "a field that appears twice in one JSON object"
)
FLOAT_OFFSET = Rule(
    "float-offset",
    "error",
    "offsets such as 3.0 that are no integers",
    fix="written as integers",
)
# Headers and documents
MISSING_HEADER = Rule(
    "missing-header",
    "error",
    "entities without a line '# global.Entity'",
    fix="added, if the fields of all brackets show what it must be",
)
BAD_HEADER = Rule("bad-header", "error", "a header that does not say what is needed")
DIFFERENT_HEADERS = Rule(
    "different-headers", "warning", "headers that are not the same"
)
MISSING_BEGIN = Rule("missing-begin", "warning", "rows, but no line '#begin document'")
MISSING_END = Rule(
    "missing-end",
    "warning",
    "a document without a line '#end document'",
    fix="added before the next document",
)
MISSING_NEWDOC = Rule(
    "missing-newdoc", "warning", "words before the first line '# newdoc'"
)
BLANK_LINES = Rule(
    "blank-lines",
    "warning",
    "a blank line first, or none behind the last sentence",
    fix="dropped or added",
)
ROW_OUTSIDE_DOCUMENT = Rule(
    "row-outside-document", "error", "a row before or behind the documents"
)
REPEATED_DOCUMENT = Rule(
    "repeated-document", "error", "a second document of the same name"
)
EMPTY_DOCUMENT = Rule("empty-document", "warning", "a document without words")
MISSING_CLUSTERS = Rule(
    "missing-clusters", "error", "a document without its list of entities"
)
TOKENS_DISAGREE = Rule(
    "tokens-disagree", "warning", "'tokens' and 'sentences' differ in length"
)
NO_MENTIONS = Rule("no-mentions", "warning", "a file without any mention")
DOCUMENT_WITHOUT_MENTIONS = Rule(
    "document-without-mentions", "note", "documents without any mention"
)
# Brackets
UNOPENED_BRACKET = Rule(
    "unopened-bracket", "error", "a mention that ends but never starts"
)
UNCLOSED_BRACKET = Rule(
    "unclosed-bracket", "error", "a mention that starts but never ends"
)
NAMELESS_BRACKET = Rule(
    "nameless-bracket", "error", "a bracket without the id of its entity"
)
LOST_PIECE = Rule(
    "lost-piece", "error", "a piece of a mention without an earlier piece"
)
SENTENCE_BRACKET = Rule(
    "sentence-bracket", "error", "a bracket closed in another sentence"
)
RUN_ON_MENTION = Rule(
    "run-on-mention", "warning", "one word in two brackets: read to sentence end"
)
REFERENCE_READING = Rule(
    "reference-reading", "warning", "the reference scorer reads it otherwise"
)
# Mentions
IMPOSSIBLE_SPAN = Rule("impossible-span", "error", "a mention outside its document")
UNREADABLE_HEAD = Rule("unreadable-head", "error", "a head that is no number")
HEAD_OUT_OF_RANGE = Rule(
    "head-out-of-range", "error", "a head beyond the words of its mention"
)
MISSING_HEADS = Rule(
    "missing-heads", "warning", "no heads: head match takes the first words"
)
IGNORED_HEAD = Rule(
    "ignored-head", "warning", "a head other than 1 in a mention of one word"
)
MINIMUM_OUT_OF_RANGE = Rule(
    "minimum-out-of-range", "error", "a Min beyond the words of its document"
)
BROKEN_ZERO = Rule("broken-zero", "error", "a zero as a part of a longer mention")
ZERO_WITHOUT_DEPS = Rule(
    "zero-without-deps", "warning", "a zero without what it depends on"
)
DUPLICATE_MENTION = Rule(
    "duplicate-mention",
    "warning",
    "a mention listed twice in one entity",
    fix="the second is dropped; not in Universal Anaphora, where it has a name",
)
MENTION_IN_TWO_ENTITIES = Rule(
    "mention-in-two-entities", "warning", "a mention in two entities"
)
CROSSING_MENTIONS = Rule(
    "crossing-mentions", "warning", "mentions of one entity that cross"
)
TOO_MANY_OVERLAPS = Rule(
    "too-many-overlaps", "note", "too many overlap to check whether they cross"
)
SENTENCE_CROSSING = Rule(
    "sentence-crossing", "warning", "a mention over the end of a sentence"
)
EXCLUSIVE_ENDS = Rule(
    "exclusive-ends", "warning", "no mention of one token: are ends exclusive?"
)
# Entities
EMPTY_ENTITY = Rule(
    "empty-entity", "warning", "an entity without a mention", fix="dropped"
)
ONLY_SINGLETONS = Rule(
    "only-singletons", "warning", "no entity of more than one mention"
)
CHANGED_ENTITY = Rule(
    "changed-entity", "warning", "parts of a mention in different entities"
)
UNKNOWN_ENTITY = Rule(
    "unknown-entity", "warning", "a split antecedent of an unknown entity"
)
UNKNOWN_ANCHOR = Rule(
    "unknown-anchor", "warning", "a bridge to or from an unknown mention"
)
UNEXPECTED_KEY = Rule("unexpected-key", "error", "not the key that --expect names")
# Two files
DIFFERENT_FORMATS = Rule(
    "different-formats", "error", "two formats that cannot be compared"
)
MISSING_DOCUMENT = Rule(
    "missing-document", "error", "a document that only one file has"
)
DIFFERENT_TEXT = Rule("different-text", "error", "another text than in the first file")
DIFFERENT_WORDS = Rule(
    "different-words", "warning", "as many words as in the first file, but others"
)
NAME_BY_ALIAS = Rule("name-by-alias", "warning", "the same document under two names")
NO_COMMON_MENTIONS = Rule(
    "no-common-mentions", "warning", "no mention that both files have"
)
OTHER_WORDS = Rule(
    "other-words", "note", "the text of the first file, cut into other words"
)
SWAPPED_FILES = Rule(
    "swapped-files", "warning", "a response given as the key, and a key as the response"
)
SAME_AS_KEY = Rule("same-as-key", "warning", "two files of the same content")
SINGLETONS_ON_ONE_SIDE = Rule(
    "singletons-on-one-side", "note", "only one of two files has singletons"
)

RULES = {
    rule.name: rule for rule in tuple(globals().values()) if isinstance(rule, Rule)
}
"""Every rule by its name, in the order in which they are listed."""
