"""Conventions of those who score spans: CoNLL-2012, JSON lines, Python values."""

from __future__ import annotations

from typing import TYPE_CHECKING

from scoref.metrics import conll
from scoref.tools.explain import tools
from scoref.tools.explain.averages import cut, shortened
from scoref.tools.explain.convention import ANY, NOT_A_NUMBER, Practice, usual
from scoref.tools.explain.everywhere import BLANC_OF_BOTH, LEA, MACRO, ROUNDED, SWAPPED
from scoref.tools.explain.sides import Figures

if TYPE_CHECKING:
    from scoref.tools.explain.sides import Sides

_NOT_PRINTED = ("lea", conll.NAME)  # by the Perl script


def _reference(sides: Sides) -> Figures:
    return Figures.of(sides.as_the_reference)


def _printed(sides: Sides) -> Figures:
    scores = sides.as_the_reference.scores
    printed = {name: scores[name] for name in scores if name not in _NOT_PRINTED}
    return Figures(shortened(printed, cut))


REFERENCE = Practice(
    "reference",
    "reference scorer",
    "the Perl reference scorer 8.01; LEA is coval's",
    {},
    _reference,
)
STRICT = Practice(
    "strict",
    "scoref",
    "scoref by default",
    {ANY: "lines, labels or names of documents are not read as the Perl script does"},
    usual,
)
SPANS = (
    Practice(
        "printed",
        "reference scorer, as printed",
        "the Perl reference scorer's output",
        {ANY: "percentages are cut after two decimals, not rounded"},
        _printed,
        base=REFERENCE.name,
    ),
    ROUNDED,
    Practice(
        "coval",
        "coval",
        "coval, and what is built on it",
        {ANY: "a mention listed twice stays wherever it is"},
        tools.coval,
    ),
    Practice(
        "coval-no-singletons",
        "coval, remove_singletons",
        "coval with remove_singletons; papers that leave singletons out",
        {ANY: "singletons are left out of both sides"},
        tools.coval_without_singletons,
        base="coval",
    ),
    Practice(
        "maverick",
        "maverick, fast-coref",
        "maverick, BookCoref, xCoRe and shtoshni/fast-coref: e2e-coref's evaluator "
        "with singletons",
        {"lea": "LEA leaves singletons out"},
        tools.e2e_with_singletons,
        base="coval",
    ),
    Practice(
        "e2e-coref",
        "e2e-coref",
        "e2e-coref and its descendants: s2e-coref, fastcoref, AllenNLP, "
        "coreference-eval and many others",
        {
            "bcub": "B³ leaves singletons out",
            "ceafe": "CEAFe drops the response's singletons and keeps the key's",
        },
        tools.e2e,
        base="maverick",
    ),
    Practice(
        "hf-coval",
        'evaluate.load("coval")',
        "Hugging Face evaluate's coval, given all lines in one call",
        {
            ANY: "all documents are one, and entities with equal labels in different "
            "documents are merged"
        },
        tools.coval_on_one_document,
        base="coval",
    ),
    Practice(
        "one-document",
        "all documents as one",
        "whoever joins documents and keeps their entities apart; neleval by default",
        {ANY: "pairs of mentions in different documents count"},
        tools.one_document,
    ),
    MACRO,
    Practice(
        "stanza",
        "stanza",
        "stanza's 3-score average, of spans",
        {
            "lea": "LEA leaves singletons out",
            ANY: "recall and precision are means over documents, and F1 is that of the "
            "means",
            NOT_A_NUMBER: "a document without key entities makes the mean 0/0",
        },
        tools.stanza,
        takes_duplicates=False,
    ),
    Practice(
        "added-singletons",
        "missing mentions added",
        "scorch on a single document",
        {ANY: "what only the response has is added to the key as singletons"},
        tools.added_singletons,
        takes_duplicates=False,
    ),
    Practice(
        "scorch",
        "scorch on a folder",
        "scorch on a folder with a file for each document",
        {ANY: "documents are averaged by their size"},
        tools.scorch,
        base="added-singletons",
        takes_duplicates=False,
    ),
    Practice(
        "metric4coref",
        "metric4coref",
        "metric4coref",
        {
            "muc": "its MUC is pairwise F1",
            "bcub": "its B³ looks at common mentions only",
            "ceafe": "its CEAF is CEAFm",
        },
        tools.metric4coref,
        takes_duplicates=False,
    ),
    LEA,
    BLANC_OF_BOTH,
    SWAPPED,
)
