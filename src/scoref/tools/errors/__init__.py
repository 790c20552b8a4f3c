"""What is wrong with a response: every error by its kind, and what each kind costs.

The response is turned into the key step by step, and each step is an error, counted
once. No parses are needed: what decides is which mentions were matched and which
entities share them.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from scoref.lazy import names

if TYPE_CHECKING:
    from scoref.tools.errors.analysis import analyse, find_errors
    from scoref.tools.errors.costs import ErrorGains
    from scoref.tools.errors.details import Details
    from scoref.tools.errors.findings import AnalysedSide, Analysis, Cost, Errors, Gains
    from scoref.tools.errors.kinds import KINDS, Kind
    from scoref.tools.errors.pairs import TwoSystems, compare_errors

__all__ = [
    "KINDS",
    "AnalysedSide",
    "Analysis",
    "Cost",
    "Details",
    "ErrorGains",
    "Errors",
    "Gains",
    "Kind",
    "TwoSystems",
    "analyse",
    "compare_errors",
    "find_errors",
]

__getattr__, __dir__ = names(
    __name__,
    {
        "KINDS": "kinds",
        "Analysis": "findings",
        "Cost": "findings",
        "Details": "details",
        "ErrorGains": "costs",
        "Errors": "findings",
        "Gains": "findings",
        "Kind": "kinds",
        "AnalysedSide": "findings",
        "TwoSystems": "pairs",
        "compare_errors": "pairs",
        "analyse": "analysis",
        "find_errors": "analysis",
    },
)
