"""The formats that can be written: what each cannot hold, and how it is written.

A new target is a `Target` in `TARGETS`. Its steps say what it cannot hold, in the order
in which it is left out.
"""

from __future__ import annotations

import os
from typing import TYPE_CHECKING, NamedTuple

from scoref.errors import OptionError, unknown
from scoref.formats import base_text, brat, conll2012_writer, webanno
from scoref.formats.catalogue import (
    BRAT,
    CAS_JSON,
    CONLL_2012,
    COREFUD,
    JSON_LINES,
    UNIVERSAL_ANAPHORA,
    WEBANNO,
)
from scoref.tools.convert import writing
from scoref.tools.convert.losses import (
    ACROSS_SENTENCES,
    BRAT_TYPES,
    BRIDGES,
    COREFUD_TYPES,
    CROSSING,
    DOCUMENT_NAMES,
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
    name_step,
    spelling_step,
)

if TYPE_CHECKING:
    from collections.abc import Callable

    from scoref.tools.convert.content import Content
    from scoref.tools.convert.losses import Step
    from scoref.tools.convert.sources import SourceContent

    Files = dict[str, bytes]


class Target(NamedTuple):
    """A format that can be written.

    ``relabel`` gives entities labels that the format allows, and ``write`` returns
    files by name. ``keeps_across`` says whether labels can join entities of several
    documents. ``never_holds`` has the kinds of losses that everyone expects of the
    format, so that they are reported but need no consent. ``ending`` is that of the
    file of each document; without one, all documents are in one file.
    """

    name: str
    label: str
    suffixes: tuple[str, ...]
    needs_words: bool
    steps: tuple[Step, ...]
    relabel: Callable[[Content], Content]
    write: Callable[[Content, SourceContent], Files]
    keeps_across: bool = True
    never_holds: tuple[str, ...] = ()
    ending: str = ""


# Only CorefUD and Universal Anaphora can hold these.
_BEYOND_WORDS = (NON_REFERRING, BRIDGES, ZEROS, MIXED, EMPTY_NODES)
_TREELESS = (HEADS, MINIMUMS, PLURALS)
_CONLLU = (
    spelling_step(base_text.can_hold_word),
    name_step(base_text.can_hold_name),
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
                spelling_step(conll2012_writer.can_hold_word),
                name_step(conll2012_writer.can_hold_name),
                *_BEYOND_WORDS,
                GAPS,
                CROSSING,
                *_TREELESS,
                TYPES,
            ),
            relabel=writing.conll2012_labels,
            write=writing.write_conll2012,
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
            relabel=writing.corefud_labels,
            write=writing.write_corefud,
            keeps_across=False,
        ),
        Target(
            UNIVERSAL_ANAPHORA,
            "Universal Anaphora",
            (".ua", ".conllua"),
            needs_words=True,
            steps=(*_CONLLU, MIXED, HEADS_AS_MINIMUMS, TYPES),
            relabel=writing.ua_labels,
            write=writing.write_universal_anaphora,
        ),
        Target(
            JSON_LINES,
            "JSON lines",
            (".jsonl", ".jsonlines", ".json"),
            needs_words=False,
            steps=(*_BEYOND_WORDS, GAPS, *_TREELESS, TYPES),
            relabel=writing.json_labels,
            write=writing.write_json_lines,
        ),
        Target(
            BRAT,
            "brat",
            (".ann",),
            needs_words=True,
            steps=(
                spelling_step(brat.can_hold_word),
                *_BEYOND_WORDS,
                *_TREELESS,
                BRAT_TYPES,
            ),
            relabel=writing.numeric_labels,
            write=writing.write_brat,
            keeps_across=False,
            ending=".ann",
        ),
        Target(
            WEBANNO,
            "WebAnno TSV",
            (),
            needs_words=True,
            steps=(
                spelling_step(webanno.can_hold_word),
                *_BEYOND_WORDS,
                WORDLESS,
                GAPS,
                *_TREELESS,
                TYPES,
            ),
            relabel=writing.numeric_labels,
            write=writing.write_webanno,
            keeps_across=False,
            never_holds=(DOCUMENT_NAMES,),
            ending=".tsv",
        ),
        Target(
            CAS_JSON,
            "UIMA CAS",
            (),
            needs_words=True,
            steps=(
                spelling_step(brat.can_hold_word),
                *_BEYOND_WORDS,
                WORDLESS,
                GAPS,
                *_TREELESS,
                TYPES,
            ),
            relabel=writing.numeric_labels,
            write=writing.write_cas_json,
            keeps_across=False,
            never_holds=(DOCUMENT_NAMES,),
            ending=".json",
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
                relabel=writing.text_labels,
                write=write_table,
                never_holds=(SENTENCES.kind, WORDS.kind),
            )
            for name, write_table in (
                ("tsv", writing.write_tsv),
                ("csv", writing.write_csv),
            )
        ),
    )
}
"""The formats that can be written, by the names that users type."""


def target_of(name: str) -> Target:
    """Return the format of a name."""
    if name not in TARGETS:
        raise unknown("format", name, TARGETS)
    return TARGETS[name]


def target_of_path(path: str) -> Target:
    """Return the format of a file's suffix; a folder is for brat."""
    suffixes = {
        suffix: target for target in TARGETS.values() for suffix in target.suffixes
    }
    for suffix, target in suffixes.items():
        if path.lower().endswith(suffix):
            return target
    if path.endswith("/") or os.path.isdir(path):
        return TARGETS[BRAT]
    raise OptionError(
        f"cannot tell the format of '{path}'. Choose one with --to, or "
        f"use one of these suffixes: {', '.join(suffixes)}"
    )
