"""Which conventions fit which format: the rest is refused, not passed over.

A scheme is a list of choices, and some have no meaning for some files: CoNLL-2012 has
no heads, CorefUD no column of discourse deixis. Whoever asks for such a thing hears why
it cannot be done. Choices that were left open become what suits the format, so that
the signature says what was done.
"""

from __future__ import annotations

import dataclasses
from typing import TYPE_CHECKING

from scoref.errors import AlignmentError, OptionError
from scoref.formats import CONLL_2012, COREFUD, UNIVERSAL_ANAPHORA

if TYPE_CHECKING:
    from scoref.model import Corpus
    from scoref.scheme import Scheme, SplitAntecedents

    Unfit = dict[tuple[str, str | None], str]


def fitted(scheme: Scheme, key: Corpus, response: Corpus) -> Scheme:
    """See that a scheme fits the formats, and say only what could be done."""
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
    _refuse(scheme, _NOT_COREFUD, "CorefUD")
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
    _refuse(scheme, _NOT_UNIVERSAL, "Universal Anaphora")
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
    _refuse(scheme, _NOT_SPANS, key.format)
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


_OF_TABLES: Unfit = {
    ("group", None): "is for tables",
    ("row_order", None): "is for tables",
    ("universe", None): "is for tables",
    ("undefined", None): "is for tables",
}
_NOT_COREFUD: Unfit = _OF_TABLES | {
    ("duplicates", "reference"): "is for CoNLL-2012",
    ("duplicates", "coval"): "is for formats of spans",
    ("duplicates", "ua"): "is for Universal Anaphora",
    ("match", "craft"): "is for Universal Anaphora",
    ("match", "min"): "is for CoNLL-2012 with parses; partial goes by heads",
    ("match", "mina"): "is for CoNLL-2012 with parses; partial goes by heads",
    ("evaluate", "discourse-deixis"): "is for Universal Anaphora",
    ("phrases", "np"): "is for CoNLL-2012 with parses",
    ("phrases", "no-vp"): "is for CoNLL-2012 with parses",
    ("nested", "drop"): "is for formats of spans",
    ("nested", "outermost"): "is for formats of spans",
}
_NOT_UNIVERSAL: Unfit = _OF_TABLES | {
    ("duplicates", "reference"): "is for CoNLL-2012",
    ("duplicates", "coval"): "is for formats of spans",
    ("match", "head"): "needs heads, which only CorefUD has; partial goes by Min",
    ("match", "mina"): "is for CoNLL-2012 with parses; partial goes by Min",
    ("zeros", "dependent"): "needs dependencies, which only CorefUD has",
    ("anaphors", None): "is for CorefUD",
    ("phrases", "np"): "is for CoNLL-2012 with parses",
    ("phrases", "no-vp"): "is for CoNLL-2012 with parses",
    ("nested", "drop"): "is for formats of spans",
    ("nested", "outermost"): "is for formats of spans",
}
_NOT_SPANS: Unfit = _OF_TABLES | {
    ("match", "partial"): "needs heads (CorefUD) or Min (Universal Anaphora)",
    ("match", "head"): "needs heads, which only CorefUD has",
    ("match", "craft"): "is for Universal Anaphora",
    ("duplicates", "corefud"): "is for CorefUD",
    ("duplicates", "ua"): "is for Universal Anaphora",
    ("zeros", None): "is for CorefUD and Universal Anaphora",
    ("alignment", None): "is for CorefUD and Universal Anaphora",
    ("split_antecedents", "keep"): "is for CorefUD and Universal Anaphora",
    ("evaluate", "split-antecedents"): "is for CorefUD and Universal Anaphora",
    ("evaluate", "discourse-deixis"): "is for Universal Anaphora",
    ("anaphors", None): "is for CorefUD",
}
"""What a format has no use for: a value of a choice, or any (None)."""


def _refuse(scheme: Scheme, unfit: Unfit, format_name: str) -> None:
    for (name, value), why in unfit.items():
        found = getattr(scheme, name)
        if found is not None and value in {found, None}:
            option = f"{name.replace('_', '-')} '{found}'"
            raise OptionError(f"{option} {why}; these files are {format_name}")
