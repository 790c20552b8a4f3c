"""Everything that is wrong with coreference files, at once.

    import scoref

    for problem in scoref.check("response.conll"):
        print(problem.line, problem.column, problem.rule, problem.message)

Readers know what can be wrong with a file; here they are asked for all of it, and what
they give is looked at once more. `repair` mends what has one right answer.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from scoref.lazy import names

if TYPE_CHECKING:
    from scoref.tools.check.checking import check, check_both, check_data
    from scoref.tools.check.problems import Problem
    from scoref.tools.check.repairing import Repaired, repair

__all__ = ["Problem", "Repaired", "check", "check_both", "check_data", "repair"]

__getattr__, __dir__ = names(
    __name__,
    {
        "Problem": "problems",
        "Repaired": "repairing",
        "check": "checking",
        "check_both": "checking",
        "check_data": "checking",
        "repair": "repairing",
    },
)
