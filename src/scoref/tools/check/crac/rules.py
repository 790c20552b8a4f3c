"""The rules of the official validator, under their official names.

``udvalidate --level 2 --coref`` applies the rules of the levels 1, 2 and 6. `VERSION`
of udtools was compared with these rules. `INACTIVE` lists rules that never apply
because of a fault in the validator, and `NOT_COVERED` those that no file can break.
"""

from __future__ import annotations

from typing import NamedTuple

from scoref.rules import Rule, Severity

VERSION = "0.2.8"


class OfficialRule(NamedTuple):
    """A rule of the validator: its level, what it finds, and what to do about it."""

    rule: Rule
    level: int
    remedy: str


CRASH = "validator-stops"
"""The name for files on which the validator ends with a Python error."""

_LEVEL_1 = {
    CRASH: (
        "a file that makes the validator stop with a Python error",
        "Repair this first. The validator does not check the rest of the file.",
    ),
    "unicode-normalization": (
        "characters that are not in Unicode's normal form NFC",
        "Normalise the text to NFC, in the key as well.",
    ),
    "misplaced-comment": (
        "a comment inside a sentence",
        "Move it before the first word.",
    ),
    "pseudo-empty-line": (
        "a line of spaces or tabs that looks blank",
        "Remove the spaces.",
    ),
    "empty-sentence": (
        "a blank line without a sentence before it",
        "Leave exactly one blank line after each sentence.",
    ),
    "invalid-line": (
        "a line that does not start with a digit or '#'",
        "Words start with their number, comments with '#'.",
    ),
    "missing-empty-line": (
        "a last sentence without a blank line after it",
        "Add a blank line at the end of the file.",
    ),
    "number-of-columns": (
        "a line that does not have ten columns",
        "Separate ten columns by single tabs.",
    ),
    "invalid-whitespace-mwt": (
        "a space in a multiword token",
        "A multiword token is written without spaces.",
    ),
    "invalid-whitespace": (
        "a space in a column that cannot have any",
        "Only FORM, LEMMA and MISC may have spaces.",
    ),
    "empty-column": ("an empty column", "Write _ instead."),
    "leading-whitespace": ("a column that starts with a space", "Remove the space."),
    "trailing-whitespace": ("a column that ends in a space", "Remove the space."),
    "repeated-whitespace": ("two spaces in a row", "Leave one of them."),
    "invalid-word-id": (
        "an ID that is not a number, a range or an empty node",
        "Expected an ID such as 3, 3-4 or 3.1.",
    ),
    "misplaced-word-interval": (
        "a multiword token after its first word",
        "Move the line before its first word.",
    ),
    "misplaced-empty-node": (
        "an empty node in the wrong place or with the wrong ID",
        (
            "The first empty node after word 3 is 3.1, the next 3.2. Empty nodes come "
            "before the multiword token that follows."
        ),
    ),
    "word-id-sequence": (
        "words that are not numbered 1, 2, 3 and so on",
        "Number the words of each sentence from 1.",
    ),
    "reversed-word-interval": (
        "a multiword token that ends before it starts",
        "Write the smaller ID first.",
    ),
    "word-interval-out": (
        "a multiword token beyond the last word",
        "The range must be words of the sentence.",
    ),
    "overlapping-word-intervals": (
        "a word in two multiword tokens",
        "A word can be part of one multiword token.",
    ),
    "non-unix-newline": (
        "lines that end in CR LF or CR",
        "Write LF at the end of each line.",
    ),
}

_LEVEL_2 = {
    "mwt-nonempty-field": (
        "a multiword token with more than a form and MISC",
        "Write _ in the other columns.",
    ),
    "empty-node-nonempty-field": (
        "an empty node with HEAD or DEPREL",
        "Write _ in both columns. The parent of an empty node is in DEPS.",
    ),
    "unknown-upos": (
        "a part of speech that is not one of the 17 of UD",
        "Use a tag such as NOUN. Only empty nodes may have _.",
    ),
    "unsorted-features": (
        "features that are not sorted by name",
        "Sort the features.",
    ),
    "invalid-feature": (
        "a feature that is not Name=Value",
        "Write each feature as Name=Value with capital first letters.",
    ),
    "repeated-feature-value": ("a feature with a value twice", "Leave one of them."),
    "unsorted-feature-values": (
        "a feature whose values are not sorted",
        "Sort the values.",
    ),
    "repeated-feature": ("a feature that is listed twice", "Leave one of them."),
    "empty-string-in-xpos": ("an empty XPOS", "Write _ instead."),
    "invalid-deprel": (
        "a DEPREL that is not written in small letters",
        "Write a relation such as nsubj or nsubj:pass.",
    ),
    "unknown-udeprel": (
        "a DEPREL that is not a relation of UD",
        "Use one of the 37 relations of UD.",
    ),
    "unsorted-deps": ("DEPS that are not sorted by head", "Sort them by head."),
    "unsorted-deps-2": (
        "DEPS of one head that are not sorted by relation",
        "Sort them by relation.",
    ),
    "repeated-deps": ("a relation that DEPS lists twice", "Leave one of them."),
    "deps-self-loop": (
        "a node that is its own head in DEPS",
        "Name another node, or 0.",
    ),
    "invalid-edeprel": (
        "a relation in DEPS that is not well-formed",
        "Write a relation such as 3:nmod:of.",
    ),
    "unknown-eudeprel": (
        "a relation in DEPS that is not a relation of UD",
        "Start with one of the 37 relations of UD, or ref.",
    ),
    "empty-misc": ("an empty attribute in MISC", "Remove the extra bar."),
    "empty-misc-key": ("a value without a name in MISC", "Write Name=Value."),
    "misc-extra-space": (
        "a space around a name or a value in MISC",
        "Remove the space.",
    ),
    "misc-attr-typo": (
        "a well-known name in MISC, written differently",
        "Use its usual spelling.",
    ),
    "repeated-misc": ("an attribute twice in MISC", "Leave one of them."),
    "invalid-head": ("a HEAD that is not a number", "Write the ID of a word, or 0."),
    "unknown-head": (
        "a HEAD that is not a word of the sentence",
        "Write the ID of a word of the sentence, or 0.",
    ),
    "invalid-deps": (
        "DEPS that cannot be read",
        "Write DEPS as 2:nsubj|4:nsubj, or _.",
    ),
    "invalid-ehead": (
        "a head in DEPS that is not an ID",
        "Write the ID of a word or an empty node, or 0.",
    ),
    "unknown-ehead": (
        "a head in DEPS that is not a node of the sentence",
        "Write the ID of a word or an empty node of the sentence, or 0.",
    ),
    "head-self-loop": ("a word that is its own HEAD", "Name another word, or 0."),
    "multiple-roots": (
        "a sentence with two roots",
        "Exactly one word has the HEAD 0.",
    ),
    "non-tree": (
        "words that are not connected to a root",
        "Each word must lead to the root by its HEAD.",
    ),
    "edeps-only-sometimes": (
        "DEPS in some sentences only",
        "Fill DEPS in all sentences or in none. Empty nodes count as DEPS.",
    ),
    "unconnected-egraph": (
        "nodes that DEPS do not connect to a root",
        "Each word and empty node must lead to 0 by DEPS.",
    ),
    "invalid-sent-id": (
        "a malformed sent_id",
        "Write '# sent_id = name' without spaces in the name.",
    ),
    "missing-sent-id": (
        "a sentence without sent_id",
        "Add '# sent_id = name' before the sentence.",
    ),
    "multiple-sent-id": ("a sentence with two sent_id", "Leave one of them."),
    "non-unique-sent-id": (
        "a sent_id that occurs twice",
        "Give each sentence its own sent_id.",
    ),
    "slash-in-sent-id": (
        "a sent_id with two slashes",
        (
            "Use other characters. Unless the language is 'ud', the validator rejects "
            "a single slash as well."
        ),
    ),
    "invalid-parallel-id": (
        "a malformed parallel_id",
        "Write '# parallel_id = corpus/sentence'.",
    ),
    "multiple-parallel-id": ("a sentence with two parallel_id", "Leave one of them."),
    "non-unique-parallel-id": (
        "a parallel_id that occurs twice",
        "Add alt1, alt2 or part1, part2.",
    ),
    "parallel-id-alt": (
        "alternatives of a parallel_id out of order",
        "Number them alt1, alt2 and so on.",
    ),
    "parallel-id-part": (
        "parts of a parallel_id out of order",
        "Number them part1, part2 and so on.",
    ),
    "multiple-newdoc": (
        "a sentence with two '# newdoc'",
        "Leave one of them.",
    ),
    "multiple-newpar": (
        "a sentence with two '# newpar'",
        "Leave one of them.",
    ),
    "spaceafter-newdocpar": (
        "SpaceAfter=No at the end of a document or paragraph",
        "Remove it from the last word before this line.",
    ),
    "missing-text": (
        "a sentence without its text",
        "Add '# text = ...' before the sentence.",
    ),
    "multiple-text": ("a sentence with two texts", "Leave one of them."),
    "empty-text": ("a text without characters", "Write the text of the sentence."),
    "text-trailing-whitespace": (
        "a text that ends in a space",
        "Remove the space.",
    ),
    "nospaceafter-yes": (
        "NoSpaceAfter=Yes in MISC",
        "Write SpaceAfter=No.",
    ),
    "spaceafter-value": (
        "SpaceAfter with another value than No",
        "Write SpaceAfter=No, or SpacesAfter for other values.",
    ),
    "spaceafter-empty-node": (
        "SpaceAfter=No on an empty node",
        "Remove it.",
    ),
    "spaceafter-mwt-node": (
        "SpaceAfter=No on a word of a multiword token",
        "Write it on the line of the multiword token.",
    ),
    "text-form-mismatch": (
        "a word that differs from the text of the sentence",
        "Make the words and '# text' equal.",
    ),
    "missing-spaceafter": (
        "a word that the text joins to the next one, without SpaceAfter=No",
        "Add SpaceAfter=No to MISC.",
    ),
    "text-extra-chars": (
        "a text that goes on after the last word",
        "Make the words and '# text' equal.",
    ),
}

_LEVEL_6 = {
    "global-entity-mismatch": (
        "a header that differs from the first one",
        "Make all headers of the file equal.",
    ),
    "spurious-global-entity": (
        "a header that does not start with eid-etype-head",
        "Write '# global.Entity = eid-etype-head-other'.",
    ),
    "entity-mwt": (
        "entities on the line of a multiword token, which are lost",
        "Move them to one of its words.",
    ),
    "multiple-entity-statements": (
        "two 'Entity=' on one word, of which one is lost",
        "Write all brackets of a word in one 'Entity='.",
    ),
    "multiple-bridge-statements": (
        "two 'Bridge=' on one word",
        "Separate the relations of a word by commas.",
    ),
    "multiple-splitante-statements": (
        "two 'SplitAnte=' on one word",
        "Separate the antecedents of a word by commas.",
    ),
    "bridge-without-entity": (
        "'Bridge=' without 'Entity='",
        "Move it to the first word of the mention.",
    ),
    "splitante-without-entity": (
        "'SplitAnte=' without 'Entity='",
        "Move it to the first word of the mention.",
    ),
    "entity-without-global-entity": (
        "entities before the header",
        "Write '# global.Entity = eid-etype-head-other' at the start of the file.",
    ),
    "spurious-entity-statement": (
        "brackets that are malformed or in the wrong order",
        (
            "Close mentions before you open others. Mentions of this word alone come "
            "first or last."
        ),
    ),
    "too-many-entity-attributes": (
        "a bracket with more fields than the header",
        (
            "An opening bracket has the fields of the header, a closing bracket only "
            "the entity's id."
        ),
    ),
    "spurious-entity-id": (
        "an entity id with impossible parts, such as [1/1]",
        (
            "Write [1/2] and [2/2] for a mention in two parts, and nothing for a "
            "mention in one."
        ),
    ),
    "misplaced-mention-part": (
        "a part of a mention without the part before it",
        "Write the parts of a mention in order.",
    ),
    "mention-attribute-mismatch": (
        "parts of one mention with different fields",
        "Repeat the fields of the first part.",
    ),
    "entity-across-newdoc": (
        "an entity id that an earlier document has",
        "Give entities of different documents different ids.",
    ),
    "spurious-entity-type": (
        "an entity type that CorefUD does not have",
        (
            "Use person, place, organization, animal, plant, object, substance, time, "
            "number, abstract, event or other, or leave the field empty."
        ),
    ),
    "spurious-mention-head": (
        "a head that is not a number from 1",
        "Write the number of the head among the words of the mention.",
    ),
    "entity-type-mismatch": (
        "an entity whose mentions have different types",
        "Give all mentions of the entity the type of the first one.",
    ),
    "entity-identity-mismatch": (
        "an entity whose mentions have different identities",
        "Give all mentions of the entity the identity of the first one.",
    ),
    "ill-nested-entities": (
        "a mention that is closed but was never opened",
        "Open it on an earlier word of the sentence.",
    ),
    "ill-nested-entities-warning": (
        "a mention that is closed before one inside it",
        "Close the inner mention first, unless the two really cross.",
    ),
    "mention-head-out-of-range": (
        "a head outside its mention",
        "Write the number of a word in the mention, counted from 1.",
    ),
    "same-span-entity-mentions": (
        "two mentions with the same words",
        "Keep one of them.",
    ),
    "crossing-mentions-same-entity": (
        "crossing mentions of one entity",
        "Let one contain the other, or separate them.",
    ),
    "spurious-bridge-statement": (
        "a malformed 'Bridge='",
        "Write 'Bridge=e1<e2:part', several separated by commas.",
    ),
    "spurious-bridge-relation": (
        "an entity that is bridged to itself",
        "Name two entities.",
    ),
    "misplaced-bridge-statement": (
        "a bridge on a word where its mention does not start",
        "Move it to the first word of the mention.",
    ),
    "repeated-bridge-relation": ("a bridge that is listed twice", "Leave one of them."),
    "bridge-relation-mismatch": (
        "a bridge with two different relations",
        "Use the same relation.",
    ),
    "spurious-splitante-statement": (
        "a malformed 'SplitAnte='",
        "Write 'SplitAnte=e1<e3,e2<e3'.",
    ),
    "spurious-splitante-relation": (
        "an entity that is part of itself",
        "Name two entities.",
    ),
    "misplaced-splitante-statement": (
        "split antecedents on a word where their mention does not start",
        "Move them to the first word of the mention.",
    ),
    "repeated-splitante-relation": (
        "a split antecedent that is listed twice",
        "Leave one of them.",
    ),
    "only-one-split-antecedent": (
        "a split antecedent with one part",
        "List two entities at least, as in 'SplitAnte=e1<e3,e2<e3'.",
    ),
    "split-antecedent-mismatch": (
        "an entity with split antecedents on two mentions",
        "Write 'SplitAnte=' on one mention of the entity only.",
    ),
    "cross-sentence-mention": (
        "a mention that is still open at the end of the sentence",
        "Close it in the sentence in which it starts.",
    ),
}

_FIXES = {
    "pseudo-empty-line": "the spaces are removed",
    "empty-sentence": "the extra blank line is removed",
    "missing-empty-line": "added",
    "non-unix-newline": "replaced by LF",
    "spurious-entity-id": "[1/1] is removed",
    "repeated-splitante-relation": "the second one is removed",
}

_WARNINGS = (
    *("empty-misc", "empty-misc-key", "misc-extra-space", "misc-attr-typo"),
    "ill-nested-entities-warning",
)
"""Rules that do not change the validator's verdict."""

INACTIVE = (
    *("spurious-bridge-relation", "misplaced-bridge-statement"),
    *("repeated-bridge-relation", "bridge-relation-mismatch"),
)
"""Rules that the validator has, but that it never reports because of a fault in it."""


def _severity(name: str) -> Severity:
    if name in INACTIVE:
        return "note"
    return "warning" if name in _WARNINGS else "error"


OFFICIAL_RULES = {
    name: OfficialRule(
        Rule(name, _severity(name), meaning, _FIXES.get(name, "")), level, remedy
    )
    for level, rules in ((1, _LEVEL_1), (2, _LEVEL_2), (6, _LEVEL_6))
    for name, (meaning, remedy) in rules.items()
}
"""Every official rule by its name, in the order of the levels."""

NOT_COVERED = (
    *("extra-empty-line", "invalid-word-interval", "invalid-feature-value"),
    "internal-error",
)
"""Official names that the validator cannot report for a file."""

OWN_NAMES = {
    "invalid-line": ("unreadable-line", "byte-order-mark"),
    "number-of-columns": ("missing-columns",),
    "pseudo-empty-line": ("trailing-blanks",),
    "missing-empty-line": ("blank-lines",),
    "empty-sentence": ("blank-lines", "empty-document"),
    "non-unix-newline": ("windows-line-ends", "cr-line-ends", "mixed-line-ends"),
    "spurious-global-entity": ("bad-header", "different-headers", "missing-heads"),
    "too-many-entity-attributes": ("different-headers",),
    "global-entity-mismatch": ("different-headers",),
    "entity-without-global-entity": ("missing-header",),
    "spurious-entity-statement": ("unreadable-cell", "nameless-bracket"),
    "ill-nested-entities": ("unopened-bracket", "sentence-bracket"),
    "cross-sentence-mention": ("unclosed-bracket", "sentence-bracket", "lost-piece"),
    "misplaced-mention-part": ("lost-piece",),
    "spurious-mention-head": ("unreadable-head", "missing-heads"),
    "mention-head-out-of-range": ("head-out-of-range", "ignored-head"),
    "same-span-entity-mentions": (
        *("duplicate-mention", "mention-in-two-entities", "run-on-mention"),
    ),
    "crossing-mentions-same-entity": ("crossing-mentions",),
    "spurious-splitante-relation": ("unknown-entity",),
    "misplaced-splitante-statement": ("unknown-entity",),
    "only-one-split-antecedent": ("unknown-entity",),
    CRASH: ("not-utf8",),
}
"""The rules of scoref that find the same faults. Only one of the two is reported."""
