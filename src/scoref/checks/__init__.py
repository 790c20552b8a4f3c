"""Everything that is wrong with coreference files, at once.

    from scoref.checks import check, repair

    for problem in check("response.conll"):
        print(problem.line, problem.column, problem.rule, problem.message)
    repair(data, source="response.conll").data     # what has one right answer

Readers know what can be wrong with a file; here they are asked for all of it, and what
they give is looked at once more. Names are loaded when they are first used.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from scoref.checks.checking import check, check_both, check_data
    from scoref.checks.problems import Problem
    from scoref.checks.repairing import Repaired, repair
    from scoref.rules import RULES, Rule

__all__ = [
    "RULES",
    "Problem",
    "Repaired",
    "Rule",
    "check",
    "check_both",
    "check_data",
    "repair",
]

_HOME = {
    "RULES": "scoref.rules",
    "Problem": "scoref.checks.problems",
    "Repaired": "scoref.checks.repairing",
    "Rule": "scoref.rules",
    "check": "scoref.checks.checking",
    "check_both": "scoref.checks.checking",
    "check_data": "scoref.checks.checking",
    "repair": "scoref.checks.repairing",
}


def __getattr__(name: str) -> object:
    if name not in _HOME:
        raise AttributeError(f"module 'scoref.checks' has no attribute '{name}'")
    return getattr(import_module(_HOME[name]), name)


def __dir__() -> list[str]:
    return __all__
