"""The list of rules: everything that can be wrong with a file, by name.

An **error** stops scoring. A **warning** is about something that is scored, but that
another scorer rejects or reads differently, or that is probably a mistake. A **note**
is for information only.
"""

from __future__ import annotations

from typing import Literal

from scoref.classes import NamedTuple

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
        """Return whether there is one right answer."""
        return bool(self.fix)


# Any file
UNREADABLE_FILE = Rule("unreadable-file", "error", "a file in no known format")
NO_DOCUMENT = Rule(
    "no-document", "error", "a file without documents, sentences or words"
)
NOT_ANNOTATED = Rule("not-annotated", "error", "a text without any sign of annotation")
GAVE_UP = Rule("gave-up", "error", "too many unreadable lines to check the rest")
NOT_UTF8 = Rule("not-utf8", "warning", "bytes that are not valid UTF-8")
BYTE_ORDER_MARK = Rule(
    "byte-order-mark",
    "warning",
    "a byte order mark before the first character",
    fix="removed",
)
WINDOWS_LINE_ENDS = Rule(
    "windows-line-ends",
    "warning",
    "lines that end in CR LF",
    fix="replaced by LF",
)
CR_LINE_ENDS = Rule(
    "cr-line-ends",
    "warning",
    "lines that end in CR alone",
    fix="replaced by LF",
)
MIXED_LINE_ENDS = Rule(
    "mixed-line-ends", "error", "lines that end in CR and lines that end in LF"
)
TRAILING_BLANKS = Rule(
    "trailing-blanks", "warning", "spaces or tabs at the end of a line", fix="removed"
)
# Lines and columns
UNREADABLE_LINE = Rule(
    "unreadable-line", "error", "a line that is not a word, a comment or blank"
)
MISSING_COLUMNS = Rule("missing-columns", "error", "a line with too few columns")
MIXED_SEPARATORS = Rule(
    "mixed-separators", "error", "tabs in some lines and spaces in others"
)
UNREADABLE_CELL = Rule(
    "unreadable-cell", "error", "an annotation that does not consist of brackets"
)
NOT_JSON = Rule("not-json", "error", "a line that is not a document in JSON")
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
    "entities, but no line '# global.Entity'",
    fix="added if the fields of all brackets determine it",
)
BAD_HEADER = Rule("bad-header", "error", "a header that is incomplete or inconsistent")
DIFFERENT_HEADERS = Rule(
    "different-headers", "warning", "headers that differ within a file"
)
MISSING_BEGIN = Rule("missing-begin", "warning", "words, but no line '#begin document'")
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
    "a blank first line, or no blank line at the end",
    fix="removed or added",
)
ROW_OUTSIDE_DOCUMENT = Rule(
    "row-outside-document", "error", "a word outside a document"
)
REPEATED_DOCUMENT = Rule(
    "repeated-document", "error", "a second document with the same name"
)
EMPTY_DOCUMENT = Rule("empty-document", "warning", "a document without words")
MISSING_CLUSTERS = Rule(
    "missing-clusters",
    "error",
    "a document without a list of entities, or a mention without its entity",
)
TOKENS_DISAGREE = Rule(
    "tokens-disagree", "warning", "'tokens' and 'sentences' of different lengths"
)
NO_MENTIONS = Rule("no-mentions", "warning", "a file without mentions")
DOCUMENT_WITHOUT_MENTIONS = Rule(
    "document-without-mentions", "note", "documents without mentions"
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
    "lost-piece", "error", "a piece of a mention without the piece before it"
)
SENTENCE_BRACKET = Rule(
    "sentence-bracket", "error", "a bracket that is closed in another sentence"
)
RUN_ON_MENTION = Rule(
    "run-on-mention",
    "warning",
    "a one-word mention that is read to the end of the sentence",
)
REFERENCE_READING = Rule(
    "reference-reading", "warning", "a file that the reference scorer reads differently"
)
# Mentions
IMPOSSIBLE_SPAN = Rule("impossible-span", "error", "a mention outside its document")
UNREADABLE_HEAD = Rule("unreadable-head", "error", "a head that is not a number")
HEAD_OUT_OF_RANGE = Rule("head-out-of-range", "error", "a head outside its mention")
MISSING_HEADS = Rule(
    "missing-heads", "warning", "no heads, so head matching uses first words"
)
IGNORED_HEAD = Rule(
    "ignored-head", "warning", "a head other than 1 in a mention of one word"
)
MINIMUM_OUT_OF_RANGE = Rule(
    "minimum-out-of-range", "error", "a Min outside its document"
)
BROKEN_ZERO = Rule("broken-zero", "error", "a zero that is part of a longer mention")
ZERO_WITHOUT_DEPS = Rule(
    "zero-without-deps", "warning", "a zero without a dependency in DEPS"
)
DUPLICATE_MENTION = Rule(
    "duplicate-mention",
    "warning",
    "a mention listed twice in one entity",
    fix="the second one is removed, except in Universal Anaphora",
)
MENTION_IN_TWO_ENTITIES = Rule(
    "mention-in-two-entities", "warning", "a mention in two entities"
)
CROSSING_MENTIONS = Rule(
    "crossing-mentions", "warning", "crossing mentions of one entity"
)
TOO_MANY_OVERLAPS = Rule(
    "too-many-overlaps", "note", "too many overlapping mentions to check for crossing"
)
SENTENCE_CROSSING = Rule(
    "sentence-crossing", "warning", "a mention that crosses the end of a sentence"
)
EXCLUSIVE_ENDS = Rule(
    "exclusive-ends", "warning", "no one-token mentions; ends may be exclusive"
)
# Entities
EMPTY_ENTITY = Rule(
    "empty-entity", "warning", "an entity without mentions", fix="removed"
)
ONLY_SINGLETONS = Rule(
    "only-singletons", "warning", "no entity with more than one mention"
)
CHANGED_ENTITY = Rule(
    "changed-entity", "warning", "a mention whose parts are in different entities"
)
UNKNOWN_ENTITY = Rule(
    "unknown-entity", "warning", "a split antecedent that names an unknown entity"
)
UNKNOWN_ANCHOR = Rule(
    "unknown-anchor", "warning", "a bridge to or from an unknown mention"
)
UNEXPECTED_KEY = Rule(
    "unexpected-key", "error", "a file that is not the key named by --expect"
)
# Two files
DIFFERENT_FORMATS = Rule(
    "different-formats", "error", "two files whose formats cannot be compared"
)
MISSING_DOCUMENT = Rule(
    "missing-document", "error", "a document in only one of the files"
)
DIFFERENT_TEXT = Rule("different-text", "error", "a text that differs from the key's")
DIFFERENT_WORDS = Rule(
    "different-words",
    "warning",
    "the same number of words as in the key, but other words",
)
NAME_BY_ALIAS = Rule(
    "name-by-alias", "warning", "a document that has another name in the key"
)
NO_COMMON_MENTIONS = Rule(
    "no-common-mentions", "warning", "two files without a common mention"
)
OTHER_WORDS = Rule(
    "other-words", "note", "the key's text, split into words differently"
)
SWAPPED_FILES = Rule(
    "swapped-files", "warning", "a key and a response in the wrong order"
)
SAME_AS_KEY = Rule("same-as-key", "warning", "a file with the same content as the key")
SINGLETONS_ON_ONE_SIDE = Rule(
    "singletons-on-one-side", "note", "singletons in only one of two files"
)

RULES = {
    rule.name: rule for rule in tuple(globals().values()) if isinstance(rule, Rule)
}
"""Every rule by its name, in the order in which they are listed."""
