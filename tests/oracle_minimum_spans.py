"""coval's minimum spans, noun phrases and nested mentions, slowly and word for word.

From the rules in docs/minimum-spans.md: one object for a mention, lists, and a look at
all pairs. Files must be CoNLL-2012 with twelve columns, without a fault.
"""

from __future__ import annotations

Figures = dict[str, tuple[float, float]]
Rows = list[list[str]]
Tree = tuple[str, "list[Tree]"] | tuple[str, list[str], int]

NOMINAL, VERBAL = ("NP", "NM", "QP", "NX"), ("VP",)
