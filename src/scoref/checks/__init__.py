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
    from scoref.checks.rules import RULES, Rule

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
    "RULES": "rules",
    "Problem": "problems",
    "Repaired": "repairing",
    "Rule": "rules",
    "check": "checking",
    "check_both": "checking",
    "check_data": "checking",
    "repair": "repairing",
}


def __getattr__(name: str) -> object:
    if name not in _HOME:
        raise AttributeError(f"module 'scoref.checks' has no attribute '{name}'")
    return getattr(import_module(f"scoref.checks.{_HOME[name]}"), name)


def __dir__() -> list[str]:
    return __all__
