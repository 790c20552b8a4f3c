"""Which conventions fit which format: the rest is refused, not passed over.

A scheme is a list of choices, and some have no meaning for some files: CoNLL-2012 has
no heads, CorefUD no column of discourse deixis. Whoever asks for such a thing hears why
it cannot be done; the convention's own record says it. Choices that were left open
become what suits the format, so that the signature says what was done.
"""

from __future__ import annotations

import dataclasses
from typing import TYPE_CHECKING

from scoref.errors import AlignmentError, OptionError
from scoref.formats import CONLL_2012, COREFUD, UNIVERSAL_ANAPHORA
from scoref.scheme import CONVENTIONS, as_typed

if TYPE_CHECKING:
    from scoref.conventions import Kind
    from scoref.model import Corpus
    from scoref.scheme import Scheme, SplitAntecedents


def fitted(scheme: Scheme, key: Corpus, response: Corpus) -> Scheme:
    """See that a scheme fits the formats, and say only what could be done."""
    if scheme.words is None:
        scheme = dataclasses.replace(scheme, borders=None)
    kinds = [side.format if side.words else "spans" for side in (key, response)]
    if kinds[0] != kinds[1]:
        raise AlignmentError(
            f"this is {response.format}, but {key.source} is {key.format}",
            source=response.source,
            hint="key and response must both be CorefUD, both Universal Anaphora, or "
            "neither",
        )
    if kinds[0] == COREFUD:
        return _for_corefud(scheme)
    if kinds[0] == UNIVERSAL_ANAPHORA:
        return _for_universal_anaphora(scheme)
    return _for_spans(scheme, key, response)


def _for_corefud(scheme: Scheme) -> Scheme:
    refuse_unfit(scheme, "corefud", "CorefUD")
    return dataclasses.replace(
        scheme,
        zeros=scheme.zeros or "dependent",
        split_antecedents=_plurals(scheme, "drop"),
        evaluate=None if scheme.evaluate == "identity" else scheme.evaluate,
        alignment=scheme.alignment or "official",
        anaphors=scheme.anaphors or "zeros",
        missing=None,
        phrases=None,
        nested=None,
    )


def _for_universal_anaphora(scheme: Scheme) -> Scheme:
    refuse_unfit(scheme, "universal-anaphora", "Universal Anaphora")
    return dataclasses.replace(
        scheme,
        match="partial" if scheme.match == "min" else scheme.match,
        zeros=scheme.zeros or "drop",
        split_antecedents=_plurals(scheme, "keep"),
        evaluate=scheme.evaluate or "identity",
        alignment=scheme.alignment or "official",
        phrases=None,
        nested=None,
    )


def _plurals(scheme: Scheme, usual: SplitAntecedents) -> SplitAntecedents:
    """Keep plurals where they are all that is looked at."""
    if scheme.evaluate == "split-antecedents":
        return "keep"
    return scheme.split_antecedents or usual


def _for_spans(scheme: Scheme, key: Corpus, response: Corpus) -> Scheme:
    refuse_unfit(scheme, "spans", key.format)
    reading = scheme.reading
    if reading == "reference" and CONLL_2012 not in {key.format, response.format}:
        reading = "strict"
    return dataclasses.replace(
        scheme,
        reading=reading,
        split_antecedents=None,
        evaluate=None,
        phrases=None if scheme.phrases == "all" else scheme.phrases,
        nested=None if scheme.nested == "keep" else scheme.nested,
    )


_FIRST: dict[Kind, tuple[str, ...]] = {
    "corefud": ("duplicates",),
    "universal-anaphora": ("duplicates", "match", "zeros", "anaphors"),
    "spans": ("match", "duplicates", "zeros", "alignment"),
}
"""What is refused first if several things are wrong: it tells best whose they are."""


def refuse_unfit(scheme: Scheme, kind: Kind, format_name: str) -> None:
    """Refuse what files of a kind have no use for."""
    of_tables = [each.name for each in CONVENTIONS.values() if each.files == "tables"]
    for name in dict.fromkeys((*of_tables, *_FIRST[kind], *CONVENTIONS)):
        found = getattr(scheme, name)
        if why := CONVENTIONS[name].why_unfit(found, kind):
            choice = as_typed(name, found)
            raise OptionError(f"{choice} {why}; these files are {format_name}")
