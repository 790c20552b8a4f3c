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
UNREADABLE_FILE = Rule("unreadable-file", "error", "the format of the file is unknown")
NO_DOCUMENT = Rule("no-document", "error", "the file has no document, sentence or word")
NOT_ANNOTATED = Rule("not-annotated", "error", "the file has no coreference annotation")
GAVE_UP = Rule("gave-up", "error", "too many unreadable lines to check the rest")
NOT_UTF8 = Rule("not-utf8", "warning", "bytes that are not UTF-8")
BYTE_ORDER_MARK = Rule(
    "byte-order-mark",
    "warning",
    "a byte order mark at the start of the file",
    fix="removed",
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
MIXED_LINE_ENDS = Rule("mixed-line-ends", "error", "some lines end in CR, others in LF")
TRAILING_BLANKS = Rule(
    "trailing-blanks", "warning", "spaces at the end of a line", fix="removed"
)
# Lines and columns
UNREADABLE_LINE = Rule(
    "unreadable-line", "error", "a line that is not a word, a comment or empty"
)
MISSING_COLUMNS = Rule("missing-columns", "error", "a line that lacks columns")
MIXED_SEPARATORS = Rule(
    "mixed-separators",
    "error",
    "columns separated by tabs in some lines and by spaces in others",
)
UNREADABLE_CELL = Rule(
    "unreadable-cell", "error", "an annotation that does not consist of brackets"
)
NOT_JSON = Rule("not-json", "error", "a line that is not a JSON document")
REPEATED_FIELD = Rule(
    "repeated-field", "error", "a field that appears twice in one JSON object"
)
FLOAT_OFFSET = Rule(
    "float-offset",
    "error",
    "offsets such as 3.0 that are not integers",
    fix="written as integers",
)
# Headers and documents
MISSING_HEADER = Rule(
    "missing-header",
    "error",
    "entities without a '# global.Entity' line",
    fix="added if the fields of the brackets determine it",
)
BAD_HEADER = Rule("bad-header", "error", "a header that lacks required fields")
DIFFERENT_HEADERS = Rule(
    "different-headers", "warning", "different headers in one file"
)
MISSING_BEGIN = Rule(
    "missing-begin", "warning", "rows without a '#begin document' line"
)
MISSING_END = Rule(
    "missing-end",
    "warning",
    "a document without an '#end document' line",
    fix="added before the next document",
)
MISSING_NEWDOC = Rule(
    "missing-newdoc", "warning", "words before the first '# newdoc' line"
)
BLANK_LINES = Rule(
    "blank-lines",
    "warning",
    "an empty line at the start, or none after the last sentence",
    fix="removed or added",
)
ROW_OUTSIDE_DOCUMENT = Rule(
    "row-outside-document", "error", "a row outside any document"
)
REPEATED_DOCUMENT = Rule(
    "repeated-document", "error", "two documents with the same name"
)
EMPTY_DOCUMENT = Rule("empty-document", "warning", "a document without words")
MISSING_CLUSTERS = Rule(
    "missing-clusters", "error", "a document without its list of entities"
)
TOKENS_DISAGREE = Rule(
    "tokens-disagree", "warning", "'tokens' and 'sentences' have different lengths"
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
NAMELESS_BRACKET = Rule("nameless-bracket", "error", "a bracket without an entity id")
LOST_PIECE = Rule("lost-piece", "error", "a part of a mention without an earlier part")
SENTENCE_BRACKET = Rule(
    "sentence-bracket", "error", "a bracket closed in another sentence"
)
RUN_ON_MENTION = Rule(
    "run-on-mention",
    "warning",
    "two brackets on one word: the mention is read to the end of the sentence",
)
REFERENCE_READING = Rule(
    "reference-reading", "warning", "the reference scorer reads this differently"
)
# Mentions
IMPOSSIBLE_SPAN = Rule("impossible-span", "error", "a mention outside its document")
UNREADABLE_HEAD = Rule("unreadable-head", "error", "a head that is not a number")
HEAD_OUT_OF_RANGE = Rule("head-out-of-range", "error", "a head outside its mention")
MISSING_HEADS = Rule(
    "missing-heads", "warning", "no heads, so head matching uses the first words"
)
IGNORED_HEAD = Rule(
    "ignored-head", "warning", "a head other than 1 in a mention of one word"
)
MINIMUM_OUT_OF_RANGE = Rule(
    "minimum-out-of-range", "error", "a Min outside its document"
)
BROKEN_ZERO = Rule("broken-zero", "error", "a zero inside a longer mention")
ZERO_WITHOUT_DEPS = Rule("zero-without-deps", "warning", "a zero without dependencies")
DUPLICATE_MENTION = Rule(
    "duplicate-mention",
    "warning",
    "a mention listed twice in one entity",
    fix="the second one is removed, except in Universal Anaphora, where it has an id",
)
MENTION_IN_TWO_ENTITIES = Rule(
    "mention-in-two-entities", "warning", "a mention in two entities"
)
CROSSING_MENTIONS = Rule(
    "crossing-mentions", "warning", "crossing mentions of one entity"
)
TOO_MANY_OVERLAPS = Rule(
    "too-many-overlaps",
    "note",
    "too many overlapping mentions to check whether they cross",
)
SENTENCE_CROSSING = Rule(
    "sentence-crossing", "warning", "a mention that continues in the next sentence"
)
EXCLUSIVE_ENDS = Rule(
    "exclusive-ends", "warning", "no mention has one token, so ends may be exclusive"
)
# Entities
EMPTY_ENTITY = Rule(
    "empty-entity", "warning", "an entity without a mention", fix="removed"
)
ONLY_SINGLETONS = Rule(
    "only-singletons", "warning", "no entity with more than one mention"
)
CHANGED_ENTITY = Rule(
    "changed-entity", "warning", "parts of one mention in different entities"
)
UNKNOWN_ENTITY = Rule(
    "unknown-entity", "warning", "a split antecedent with an unknown entity"
)
UNKNOWN_ANCHOR = Rule(
    "unknown-anchor", "warning", "a bridging relation with an unknown mention"
)
UNEXPECTED_KEY = Rule("unexpected-key", "error", "not the key given with --expect")
# Two files
DIFFERENT_FORMATS = Rule(
    "different-formats", "error", "two formats that cannot be compared"
)
MISSING_DOCUMENT = Rule(
    "missing-document", "error", "a document that is in only one file"
)
DIFFERENT_TEXT = Rule(
    "different-text", "error", "a text that differs from the first file"
)
DIFFERENT_WORDS = Rule(
    "different-words",
    "warning",
    "as many words as in the first file, but different ones",
)
NAME_BY_ALIAS = Rule("name-by-alias", "warning", "the same document under two names")
NO_COMMON_MENTIONS = Rule("no-common-mentions", "warning", "no mentions in common")
OTHER_WORDS = Rule(
    "other-words", "note", "the text of the first file with other word boundaries"
)
SWAPPED_FILES = Rule("swapped-files", "warning", "key and response seem to be swapped")
SAME_AS_KEY = Rule("same-as-key", "warning", "two files with the same content")
SINGLETONS_ON_ONE_SIDE = Rule(
    "singletons-on-one-side", "note", "only one of the two files has singletons"
)

RULES = {
    rule.name: rule for rule in tuple(globals().values()) if isinstance(rule, Rule)
}
"""Every rule by its name, in the order in which they are listed."""
