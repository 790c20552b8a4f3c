"""Fill in the expected figures of the conformance suite: python tests/write_cases.py.

A new case needs a name, purpose, level, page, key, response and the names of its
conventions with their source. The figures are computed as exact fractions from
scoref's counts. `tests/tools/conformance/test_suite.py` compares them with slow
implementations that do not import scoref.
"""

from __future__ import annotations

import json
import sys
from typing import TYPE_CHECKING

from support.conformance_figures import figures_of_case
from support.paths import ROOT

if TYPE_CHECKING:
    from pathlib import Path

CASES = ROOT / "conformance" / "cases"


def text_of(value: object, indent: int = 0) -> str:
    """Write JSON with one line for each entity, line of a file and metric."""
    flat = json.dumps(value, ensure_ascii=False)
    if not isinstance(value, dict | list) or not value or len(flat) + indent <= 96:
        return flat
    inner = " " * (indent + 2)
    if isinstance(value, dict):
        items = [
            f"{inner}{json.dumps(name)}: {text_of(item, indent + 2)}"
            for name, item in value.items()
        ]
        opening, closing = "{", "}"
    else:
        items = [f"{inner}{text_of(item, indent + 2)}" for item in value]
        opening, closing = "[", "]"
    return f"{opening}\n" + ",\n".join(items) + f"\n{' ' * indent}{closing}"


def fill(path: Path) -> None:
    """Write the figures of each convention that a case names."""
    case = json.loads(path.read_text(encoding="utf-8"))
    for convention, answer in case["expected"].items():
        answer["scores"] = figures_of_case(case, convention)
    path.write_text(f"{text_of(case)}\n", encoding="utf-8")


if __name__ == "__main__":
    for path in sorted(CASES.glob("*/*.json")):
        fill(path)
    sys.stdout.write(f"{len([*CASES.glob('*/*.json')])} cases\n")
