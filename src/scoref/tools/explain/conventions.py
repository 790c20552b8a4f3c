"""The conventions that `scoref explain` compares: their names, users and causes.

A cause is a phrase that says why a figure differs from that of the convention's
``base``. Some causes concern one metric; those without a metric's name apply to all.
Some conventions apply to every format. Others belong to tools that score spans
(CoNLL-2012, JSON lines, Python values), or to tools that score sets of words (CorefUD
and Universal Anaphora).
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from scoref.metrics import conll
from scoref.tools.explain import tools
from scoref.tools.explain.tools import (
    Figures,
    Sides,
    cut_figure,
    round_figure,
    shorten_scores,
)

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    Scoring = Callable[[Sides], Figures]


ANY, NOT_A_NUMBER = "", "nan"
"""Keys of causes: for every metric, and for a metric whose figure is NaN."""


class Practice(NamedTuple):
    """How a tool, or a person, computes figures from two files."""

    name: str
    label: str
    users: str
    causes: Mapping[str, str]
    score: Scoring
    base: str | None = None  # None: the files, read and scored as usual
    takes_duplicates: bool = True  # False: figures differ if there are duplicates
    case: str | None = None  # a case of the conformance suite that shows the cause

    def cause(self, metric: str) -> str:
        """Return why a metric differs from that of the base."""
        return self.causes.get(metric) or self.causes.get(ANY, "")


def score_with(**changes: str) -> Scoring:
    """Return a function that scores with some conventions of the scheme changed."""
    return lambda sides: Figures.of(sides.score(**changes))


def score_as_usual(sides: Sides) -> Figures:
    """Score by the scheme as it is."""
    return Figures.of(sides.usual)


ROUNDED = Practice(
    "rounded",
    "rounded, then averaged",
    "anyone who averages printed figures by hand",
    {ANY: "figures are rounded to two decimals before they are averaged"},
    lambda sides: Figures(shorten_scores(sides.usual.scores, round_figure)),
    case="bagga-baldwin-1",
)

MACRO = Practice(
    "macro",
    "mean over documents",
    "neleval's macro average",
    {ANY: "all documents have the same weight"},
    score_with(average="macro"),
    case="conll-two-documents",
)

SWAPPED = Practice(
    "swapped",
    "key and response swapped",
    "scripts that expect the other order, such as ariecattan/coref before 2022",
    {ANY: "key and response are swapped, and so are recall and precision"},
    lambda sides: Figures.of(sides.score_swapped()),
    case="vilain-1",
)

BLANC_OF_BOTH = Practice(
    "blanc-corefud",
    "CorefUD's BLANC",
    "the CorefUD and the Universal Anaphora scorer",
    {ANY: "BLANC uses the kinds of links of both sides, not only of the key"},
    score_with(blanc="corefud"),
    case="blanc-key-one-kind",
)

BLANC_OF_KEY = Practice(
    "blanc-reference",
    "reference scorer's BLANC",
    "the Perl reference scorer 8.01",
    {ANY: "BLANC uses only the kinds of links of the key"},
    score_with(blanc="reference"),
)

LEA = Practice(
    "lea-no-singletons",
    "LEA without self-links",
    "evaluators derived from e2e-coref",
    {ANY: "LEA ignores singletons"},
    score_with(lea="no-singletons"),
    case="lea-only-singletons",
)

MEANS = Practice(
    "macro-ratios",
    "F₁ of mean R and mean P",
    "the average in stanza's training log",
    {ANY: "recall and precision are means over documents; F₁ comes from the means"},
    tools.means,
    case="conll-two-documents",
)

DUPLICATES = (
    Practice(
        "duplicates-first",
        "first entity keeps it",
        "scorch",
        {ANY: "a mention listed twice stays in the first entity, on both sides"},
        score_with(duplicates="first"),
        case="duplicate-in-key",
    ),
    Practice(
        "duplicates-last",
        "last entity keeps it",
        "no known tool",
        {ANY: "a mention listed twice stays in the last entity, on both sides"},
        score_with(duplicates="last"),
        case="duplicate-in-response",
    ),
)
"""Conventions that only differ if a mention is listed twice."""


def _score_as_printed(sides: Sides) -> Figures:
    """Cut the figures that the Perl script prints, which are not all of ours."""
    scores = sides.reference.scores
    printed = {name: scores[name] for name in scores if name not in {"lea", conll.NAME}}
    return Figures(shorten_scores(printed, cut_figure))


REFERENCE = Practice(
    "reference",
    "reference scorer",
    "the Perl reference scorer 8.01; LEA is coval's",
    {},
    lambda sides: Figures.of(sides.reference),
)

STRICT = Practice(
    "strict",
    "scoref",
    "scoref by default",
    {ANY: "lines, labels or document names are read differently from the Perl script"},
    score_as_usual,
)

SPANS = (
    Practice(
        "printed",
        "reference scorer, as printed",
        "the Perl reference scorer's output",
        {ANY: "percentages are cut after two decimals, not rounded"},
        _score_as_printed,
        base=REFERENCE.name,
        case="bagga-baldwin-1",
    ),
    ROUNDED,
    Practice(
        "coval",
        "coval",
        "coval and tools built on it",
        {ANY: "a mention listed twice stays in both entities"},
        tools.coval,
        case="duplicate-entity",
    ),
    Practice(
        "coval-no-singletons",
        "coval, remove_singletons",
        "coval with remove_singletons; papers that ignore singletons",
        {ANY: "singletons are removed from both sides"},
        tools.coval_without_singletons,
        base="coval",
        case="singletons-correct",
    ),
    Practice(
        "maverick",
        "maverick, fast-coref",
        "maverick, BookCoref, xCoRe and shtoshni/fast-coref: e2e-coref's evaluator "
        "with singletons",
        {"lea": "LEA ignores singletons"},
        tools.e2e_with_singletons,
        base="coval",
        case="lea-only-singletons",
    ),
    Practice(
        "e2e-coref",
        "e2e-coref",
        "e2e-coref and its descendants: s2e-coref, fastcoref, AllenNLP, "
        "coreference-eval and many others",
        {
            "bcub": "B³ ignores singletons",
            "ceafe": "CEAFe ignores singletons of the response but not of the key",
        },
        tools.e2e,
        base="maverick",
        case="all-singletons-response",
    ),
    Practice(
        "hf-coval",
        'evaluate.load("coval")',
        "Hugging Face evaluate's coval, given all lines in one call",
        {
            ANY: "all documents count as one, and entities with the same label are "
            "merged across documents"
        },
        tools.coval_on_one_document,
        base="coval",
        case="conll-same-label-in-two-documents",
    ),
    Practice(
        "one-document",
        "all documents as one",
        "anyone who joins documents without merging entities; neleval by default",
        {ANY: "pairs of mentions in different documents also count"},
        tools.one_document,
        case="conll-two-documents",
    ),
    MACRO,
    Practice(
        "stanza",
        "stanza",
        "stanza's average of three scores, on spans",
        {
            "lea": "LEA ignores singletons",
            ANY: "recall and precision are means over documents; F₁ comes from the "
            "means",
            NOT_A_NUMBER: "a document without key entities makes the mean 0/0",
        },
        tools.stanza,
        takes_duplicates=False,
        case="conll-two-documents",
    ),
    Practice(
        "added-singletons",
        "missing mentions added",
        "scorch on a single document",
        {ANY: "mentions found only in the response are added to the key as singletons"},
        tools.added_singletons,
        takes_duplicates=False,
        case="invented-mention",
    ),
    Practice(
        "scorch",
        "scorch on a folder",
        "scorch on a folder with a file for each document",
        {ANY: "the mean over documents is weighted by their size"},
        tools.scorch,
        base="added-singletons",
        takes_duplicates=False,
        case="conll-two-documents",
    ),
    Practice(
        "metric4coref",
        "metric4coref",
        "metric4coref",
        {
            "muc": "its MUC is pairwise F₁",
            "bcub": "its B³ uses only mentions found on both sides",
            "ceafe": "its CEAF is CEAFm",
        },
        tools.metric4coref,
        takes_duplicates=False,
        case="missing-mention",
    ),
    LEA,
    BLANC_OF_BOTH,
    SWAPPED,
)


def _column(
    name: str,
    label: str,
    cause: str,
    users: str,
    *,
    base: str | None = None,
    case: str | None = None,
    **changes: str,
) -> Practice:
    scoring = score_with(**changes)
    return Practice(name, label, users, {ANY: cause}, scoring, base, case=case)


_SINGLETONS = "singletons count"

_PLACE = "zeros match by position"

_TABLES = "CRAC's tables"

_OPTIONS = "the CorefUD scorer with options"

COREFUD = (
    Practice(
        "head",
        "head match, no singletons",
        "the CorefUD scorer 1.2; primary score of CRAC 2024, 2025 and 2026",
        {},
        score_as_usual,
    ),
    _column(
        "partial",
        "partial match",
        "mentions match if they have the head and no extra words",
        _TABLES,
        match="partial",
        case="corefud-partial-match",
    ),
    _column(
        "exact",
        "exact match",
        "mentions match by all their words",
        _TABLES,
        match="exact",
        case="corefud-head-match",
    ),
    _column(
        "head-singletons",
        "head match, singletons",
        _SINGLETONS,
        _TABLES,
        singletons="keep",
        case="corefud-singletons",
    ),
    _column(
        "partial-singletons",
        "partial match, singletons",
        _SINGLETONS,
        _OPTIONS,
        base="partial",
        match="partial",
        singletons="keep",
        case="corefud-singletons",
    ),
    _column(
        "exact-singletons",
        "exact match, singletons",
        _SINGLETONS,
        f"{_OPTIONS}; tools that only read spans",
        base="exact",
        match="exact",
        singletons="keep",
        case="corefud-singletons",
    ),
    _column(
        "crac-2023",
        "CRAC 2023",
        _PLACE,
        "CRAC 2023",
        zeros="linear",
        case="corefud-zero-moved",
    ),
    _column(
        "crac-2022",
        "CRAC 2022",
        _PLACE,
        "CRAC 2022",
        base="partial",
        match="partial",
        zeros="linear",
        case="corefud-zero-moved",
    ),
    _column(
        "no-zeros",
        "no zeros",
        "zeros are removed",
        "some papers",
        zeros="drop",
        case="corefud-zero",
    ),
    _column(
        "one-to-one",
        "true one-to-one alignment",
        "no match is overwritten by another match",
        "scoref's crac-corrected",
        alignment="one-to-one",
    ),
    _column(
        "split-antecedents",
        "split antecedents",
        "entities that refer to several others are scored as such",
        _OPTIONS,
        split_antecedents="keep",
    ),
    ROUNDED,
    MACRO,
    MEANS,
    BLANC_OF_KEY,
    SWAPPED,
)

_UA_OPTIONS = "the Universal Anaphora scorer with options"

UNIVERSAL_ANAPHORA = (
    Practice(
        "exact",
        "exact match",
        "the Universal Anaphora scorer 2.0 as in CODI-CRAC 2022",
        {},
        score_as_usual,
    ),
    _column(
        "partial",
        "partial match",
        "mentions match by their minimum span (Min), not by all their words",
        _UA_OPTIONS,
        match="partial",
        case="ua-minimum-span",
    ),
    _column(
        "craft",
        "CRAFT's match",
        "mentions match if their words lie within the key mention's first span",
        "CRAFT 2019",
        match="craft",
        case="ua-minimum-span",
    ),
    _column(
        "no-singletons",
        "no singletons",
        "singletons are removed from both sides",
        _UA_OPTIONS,
        singletons="drop",
        case="ua-singletons",
    ),
    _column(
        "crac-2018",
        "no split antecedents",
        "entities that refer to several others are scored like any other",
        "CRAC 2018",
        split_antecedents="drop",
        case="ua-split-antecedent-missing",
    ),
    _column(
        "zeros",
        "zeros match by position",
        "zeros count",
        _UA_OPTIONS,
        zeros="linear",
    ),
    _column(
        "one-to-one",
        "true one-to-one alignment",
        "no match is overwritten by another match",
        "scoref's alignment:one-to-one",
        alignment="one-to-one",
    ),
    ROUNDED,
    MACRO,
    MEANS,
    LEA,
    BLANC_OF_KEY,
    SWAPPED,
)
