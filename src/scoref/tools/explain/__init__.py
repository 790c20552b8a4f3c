"""Why tools disagree about the same two files.

    import scoref

    explanation = scoref.explain("key.conll", "response.conll")
    for row in explanation.rows:
        row.label, row.scores["conll"].f1, row.cause
    explanation.find("59.62").matches    # which convention gives that figure

A convention is a value: a name, its users, the cause of the difference in a phrase, and
a way to compute it from what scoref has, which is a changed scheme, entities grouped in
another way, or other averages of the same counts. No metric is written twice.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from scoref.lazy import names

if TYPE_CHECKING:
    from scoref.tools.explain.convention import Practice
    from scoref.tools.explain.datasets import across
    from scoref.tools.explain.explanation import Explanation, PracticeRow, explain
    from scoref.tools.explain.figures import Figure, Finding, Match

__all__ = [
    "Explanation",
    "Figure",
    "Finding",
    "Match",
    "Practice",
    "PracticeRow",
    "across",
    "explain",
]

__getattr__, __dir__ = names(
    __name__,
    {
        "Practice": "convention",
        "Explanation": "explanation",
        "Figure": "figures",
        "Finding": "figures",
        "Match": "figures",
        "PracticeRow": "explanation",
        "across": "datasets",
        "explain": "explanation",
    },
)
