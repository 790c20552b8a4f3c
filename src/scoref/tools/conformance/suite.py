"""The cases of the conformance suite: what they contain, and where they are.

A wheel has them in `scoref/conformance`, a clone of the project in `conformance`. They
are plain data with a schema, a licence and a version of their own. Expected figures
are exact: a numerator and a denominator as text, such as "4/6".
"""

from __future__ import annotations

import json
import math
from fractions import Fraction
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from scoref.errors import ScorefError, unknown

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

LEVELS = {
    "must": "every scorer must",
    "conventions": "choices on which tools differ",
    "reading": "what files mean",
    "quirks": "official quirks",
}
"""The levels, from the obvious to the odd."""


class Question(NamedTuple):
    """A case under one convention: what a scorer is asked, and the right answer."""

    case: str
    level: str
    purpose: str
    page: str
    convention: str
    source: str
    request: Mapping[str, object]
    expected: Mapping[str, Mapping[str, Fraction]]


def home() -> Path:
    """Return the folder of the suite, in an installed package or in a clone."""
    package = Path(__file__).parents[2]
    for folder in (package / "conformance", package.parents[1] / "conformance"):
        if (folder / "suite.json").is_file():
            return folder
    raise ScorefError("this copy of scoref was installed without the conformance suite")


def version() -> str:
    """Return the version of the suite."""
    described = json.loads((home() / "suite.json").read_text(encoding="utf-8"))
    return str(described["version"])


def case_texts(names: Sequence[str] = ()) -> dict[str, str]:
    """Return the JSON of each case, or of some of them, by level and name."""
    paths = (home() / "cases").glob("*/*.json")
    every = sorted(paths, key=lambda path: (_rank(path.parent.name), path.name))
    for name in names:
        if name not in {path.stem for path in every}:
            raise unknown("case", name, [path.stem for path in every])
    return {
        path.stem: path.read_text(encoding="utf-8")
        for path in every
        if not names or path.stem in names
    }


def load_cases() -> list[dict[str, object]]:
    """Read the cases, in the order of levels and names."""
    return [json.loads(text) for text in case_texts().values()]


def _rank(level: str) -> int:
    return [*LEVELS].index(level)


def load_questions(
    levels: Sequence[str] = (), cases: Sequence[str] = ()
) -> list[Question]:
    """Return every case under each of its conventions, or only some of them."""
    every = [
        question
        for case in load_cases()
        for question in _questions(case)
        if not levels or question.level in levels
    ]
    names = {question.case for question in every}
    for name in cases:
        if name not in names:
            raise unknown("case", name, names)
    return [question for question in every if not cases or question.case in cases]


def _questions(case: Mapping[str, object]) -> Iterator[Question]:
    expected = case["expected"]
    assert isinstance(expected, dict)
    for convention, answer in expected.items():
        request = {
            "case": case["case"],
            "convention": convention,
            "key": case["key"],
            "response": case["response"],
            "metrics": [*answer["scores"]],
        }
        if "files" in case:
            request["files"] = case["files"]
        yield Question(
            case=str(case["case"]),
            level=str(case["level"]),
            purpose=str(case["purpose"]),
            page=str(case["page"]),
            convention=convention,
            source=answer["source"],
            request=request,
            expected={
                metric: {name: parse_figure(text) for name, text in figures.items()}
                for metric, figures in answer["scores"].items()
            },
        )


def parse_figure(figure: object) -> Fraction:
    """Read a fraction or a decimal; 0/0 counts as 0.

    >>> parse_figure("4/6")
    Fraction(2, 3)
    >>> parse_figure("0/0")
    Fraction(0, 1)
    >>> parse_figure(0.25)
    Fraction(1, 4)
    """
    if isinstance(figure, bool) or not isinstance(figure, str | int | float):
        raise ValueError(f"{figure!r} is not a number")  # noqa: TRY004 - as for "x"
    if not isinstance(figure, str):
        if isinstance(figure, float) and not math.isfinite(figure):
            raise ValueError(f"{figure} is not a finite number")
        return Fraction(figure)
    above, slash, below = figure.partition("/")
    if slash and not Fraction(below):
        if Fraction(above):
            raise ValueError(f"{figure!r} divides by zero")
        return Fraction(0)
    return Fraction(above) / Fraction(below) if slash else Fraction(above)
