"""The formats that can be written: what each cannot hold, and how it is written.

``steps`` lists what is lost: each step is something that the format cannot hold, in the
order in which it is left out.
"""

from __future__ import annotations

import os
from typing import TYPE_CHECKING, NamedTuple

from scoref.errors import OptionError, unknown
from scoref.formats import base_text, brat, conll2012_writer
from scoref.formats.catalogue import (
    BRAT,
    CONLL_2012,
    COREFUD,
    JSON_LINES,
    UNIVERSAL_ANAPHORA,
)
from scoref.tools.convert import writing
from scoref.tools.convert import writing as convert_writing
from scoref.tools.convert.losses import (
    ACROSS_SENTENCES,
    BRAT_TYPES,
    BRIDGES,
    COREFUD_TYPES,
    CROSSING,
    EMPTY_NODES,
    GAPS,
    HEADS,
    HEADS_AS_MINIMUMS,
    MENTIONLESS,
    MINIMUMS,
    MINIMUMS_AS_HEADS,
    MIXED,
    NON_REFERRING,
    PLURALS,
    SENTENCES,
    TANGLED,
    TYPES,
    WORDLESS,
    WORDS,
    ZEROS,
    naming,
    spelling,
)

if TYPE_CHECKING:
    from collections.abc import Callable

    from scoref.tools.convert.content import Content
    from scoref.tools.convert.losses import Step
    from scoref.tools.convert.sources import SourceContent

    Files = dict[str, bytes]


class Target(NamedTuple):
    """A format to be written."""

    name: str
    label: str
    suffixes: tuple[str, ...]
    needs_words: bool
    steps: tuple[Step, ...]
    named: Callable[[Content], Content]
    write: Callable[[Content, SourceContent], Files]
    keeps_across: bool = True  # whether names join entities of several documents


# No format but CorefUD and Universal Anaphora holds any of these.
_BEYOND_WORDS = (NON_REFERRING, BRIDGES, ZEROS, MIXED, EMPTY_NODES)
_TREELESS = (HEADS, MINIMUMS, PLURALS)
_CONLLU = (
    spelling(base_text.can_hold_word),
    naming(base_text.can_hold_name),
    WORDLESS,
)

TARGETS = {
    target.name: target
    for target in (
        Target(
            CONLL_2012,
            "CoNLL-2012",
            (".conll", "_conll"),
            needs_words=True,
            steps=(
                spelling(conll2012_writer.can_hold_word),
                naming(conll2012_writer.can_hold_name),
                *_BEYOND_WORDS,
                GAPS,
                CROSSING,
                *_TREELESS,
                TYPES,
            ),
            named=convert_writing.known_numeric_labels,
            write=writing.conll_2012,
        ),
        Target(
            COREFUD,
            "CorefUD",
            (".conllu",),
            needs_words=True,
            steps=(
                *_CONLLU,
                NON_REFERRING,
                BRIDGES,
                ACROSS_SENTENCES,
                TANGLED,
                MINIMUMS_AS_HEADS,
                COREFUD_TYPES,
            ),
            named=convert_writing.corefud_labels,
            write=writing.corefud,
            keeps_across=False,
        ),
        Target(
            UNIVERSAL_ANAPHORA,
            "Universal Anaphora",
            (".ua", ".conllua"),
            needs_words=True,
            steps=(*_CONLLU, MIXED, HEADS_AS_MINIMUMS, TYPES),
            named=convert_writing.ua_labels,
            write=writing.universal_anaphora,
        ),
        Target(
            JSON_LINES,
            "JSON lines",
            (".jsonl", ".jsonlines", ".json"),
            needs_words=False,
            steps=(*_BEYOND_WORDS, GAPS, *_TREELESS, TYPES),
            named=convert_writing.json_labels,
            write=writing.json_lines_files,
        ),
        Target(
            BRAT,
            "brat",
            (".ann",),
            needs_words=True,
            steps=(
                spelling(brat.can_hold_word),
                *_BEYOND_WORDS,
                *_TREELESS,
                BRAT_TYPES,
            ),
            named=convert_writing.numeric_labels,
            write=writing.brat_files,
            keeps_across=False,
        ),
        *(
            Target(
                name,
                "a table of mentions",
                (f".{name}",),
                needs_words=False,
                steps=(
                    *_BEYOND_WORDS,
                    *_TREELESS,
                    TYPES,
                    MENTIONLESS,
                    SENTENCES,
                    WORDS,
                ),
                named=convert_writing.text_labels,
                write=writing.TABLES[name],
            )
            for name in writing.TABLES
        ),
    )
}
"""What can be written, by the names that users type."""


def target_of(name: str) -> Target:
    """Find a format by its name."""
    if name not in TARGETS:
        raise unknown("format", name, TARGETS)
    return TARGETS[name]


def target_of_path(path: str) -> Target:
    """See from its name what a file is to be; a folder is for brat."""
    suffixes = {
        suffix: target for target in TARGETS.values() for suffix in target.suffixes
    }
    for suffix, target in suffixes.items():
        if path.lower().endswith(suffix):
            return target
    if path.endswith("/") or os.path.isdir(path):
        return TARGETS[BRAT]
    raise OptionError(
        f"what is '{path}' to be? Say it with --to, or by its suffix: "
        f"{', '.join(suffixes)}"
    )
