"""Conventions that have a meaning whatever the format is."""

from __future__ import annotations

from typing import TYPE_CHECKING

from scoref.tools.explain.averages import rounded, shortened
from scoref.tools.explain.convention import ANY, Practice, by
from scoref.tools.explain.sides import Figures
from scoref.tools.explain.tools import means

if TYPE_CHECKING:
    from scoref.tools.explain.sides import Sides


def _rounded(sides: Sides) -> Figures:
    return Figures(shortened(sides.usual.scores, rounded))


def _swapped(sides: Sides) -> Figures:
    return Figures.of(sides.swapped())


ROUNDED = Practice(
    "rounded",
    "rounded, then averaged",
    "whoever averages printed figures by hand",
    {ANY: "figures are rounded to two decimals, and averaged afterwards"},
    _rounded,
)
MACRO = Practice(
    "macro",
    "mean over documents",
    "neleval's macro average",
    {ANY: "documents count alike, however long they are"},
    by(average="macro"),
)
SWAPPED = Practice(
    "swapped",
    "key and response swapped",
    "a script that takes them in the other order, such as ariecattan/coref before 2022",
    {ANY: "key and response change places, and so do recall and precision"},
    _swapped,
)
BLANC_OF_BOTH = Practice(
    "blanc-corefud",
    "CorefUD's BLANC",
    "the CorefUD and the Universal Anaphora scorer",
    {ANY: "BLANC looks for kinds of links on both sides, not in the key alone"},
    by(blanc="corefud"),
)
BLANC_OF_KEY = Practice(
    "blanc-reference",
    "reference scorer's BLANC",
    "the Perl reference scorer 8.01",
    {ANY: "BLANC looks for kinds of links in the key alone"},
    by(blanc="reference"),
)
LEA = Practice(
    "lea-no-singletons",
    "LEA without self-links",
    "evaluators from the e2e-coref line",
    {ANY: "LEA leaves singletons out"},
    by(lea="no-singletons"),
)
MEANS = Practice(
    "macro-ratios",
    "F1 of mean R and mean P",
    "stanza's way to average, in its training log",
    {ANY: "recall and precision are means over documents, and F1 is that of the means"},
    means,
)
DUPLICATES = (
    Practice(
        "duplicates-first",
        "first entity keeps it",
        "scorch",
        {ANY: "a mention listed twice stays in the first entity, on both sides"},
        by(duplicates="first"),
    ),
    Practice(
        "duplicates-last",
        "last entity keeps it",
        "no tool that we know of",
        {ANY: "a mention listed twice stays in the last entity, on both sides"},
        by(duplicates="last"),
    ),
)
"""What matters only where a mention is listed twice."""
