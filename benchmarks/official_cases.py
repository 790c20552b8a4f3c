"""Run the official tools on the cases of the conformance suite, and compare.

    python benchmarks/official_cases.py TOOLS

TOOLS is a folder with clones of the official scorers: `perl`
(reference-coreference-scorers), `coval` and `corefud` (corefud-scorer, which needs
udapi). scikit-learn is imported. Each figure must agree with what the tool computes or
prints; the Perl script truncates after two decimals.
"""

from __future__ import annotations

import json
import math
import re
import subprocess
import sys
import tempfile
from fractions import Fraction
from pathlib import Path
from typing import Any

# ruff: noqa: E501, FBT003, PLR2004, S607

CASES = Path(__file__).parents[1] / "conformance" / "cases"
_SINGLETONS = {"corefud-head-singletons", "corefud-exact-singletons"}


def value(text: str) -> float:
    """Return a figure of a case; 0/0 is 0."""
    above, _, below = text.partition("/")
    return (
        0.0
        if below == "0"
        else float(Fraction(text))
        if "." not in above
        else float(text)
    )


def conll_lines(entities: list[Any], size: int) -> list[str]:
    """Write entities as a CoNLL-2012 file."""
    cells: list[list[str]] = [[] for _ in range(size)]
    for number, entity in enumerate(entities):
        for start, end in entity:
            if start == end:
                cells[start].append(f"({number})")
            else:
                cells[start].append(f"({number}")
                cells[end].append(f"{number})")
    rows = [f"d 0 {i} w {'|'.join(cell) or '-'}" for i, cell in enumerate(cells)]
    return ["#begin document (d);", *rows, "#end document"]


def files_of(case: dict[str, Any], folder: Path) -> list[str]:
    """Write the files of a case."""
    ends = [
        end
        for side in ("key", "response")
        for entity in case[side] or ()
        for _, end in entity
    ]
    paths = []
    for side in ("key", "response"):
        lines = (
            case["files"][side]
            if "files" in case
            else conll_lines(case[side], max(ends, default=0) + 2)
        )
        path = folder / side
        path.write_text("".join(f"{line}\n" for line in lines), encoding="utf-8")
        paths.append(str(path))
    return paths


def perl_figures(paths: list[str], tools: Path) -> dict[str, list[float]]:
    """Run the reference scorer."""
    figures = {}
    for metric in ("muc", "bcub", "ceafm", "ceafe", "blanc"):
        text = subprocess.run(
            ["perl", tools / "perl" / "scorer.pl", metric, *paths, "none"],
            capture_output=True,
            text=True,
            check=False,
        ).stdout
        name = "BLANC" if metric == "blanc" else "Coreference"
        for title, key in ((name, metric), ("Identification of Mentions", "mentions")):
            if match := re.search(
                rf"{title}: Recall: \([^)]*\) ([\d.]+)%.*Precision: \([^)]*\) ([\d.]+)%.*F1: ([\d.]+)%",
                text,
            ):
                figures[key] = [float(figure) / 100 for figure in match.groups()]
    return figures


def coval_figures(
    paths: list[str], tools: Path, *, drop: bool
) -> dict[str, list[float]]:
    """Call coval."""
    sys.path.insert(0, str(tools / "coval"))
    from coval.conll import reader  # type: ignore[import-not-found]
    from coval.eval import evaluator  # type: ignore[import-not-found]

    documents = reader.get_coref_infos(*paths, False, False, not drop, False)
    functions = {
        "mentions": evaluator.mentions,
        "muc": evaluator.muc,
        "bcub": evaluator.b_cubed,
        "ceafe": evaluator.ceafe,
        "lea": evaluator.lea,
    }
    return {
        name: [*evaluator.evaluate_documents(documents, function, beta=1)]
        for name, function in functions.items()
    }


def corefud_figures(
    paths: list[str], tools: Path, convention: str
) -> dict[str, list[float]]:
    """Run the CorefUD scorer."""
    match = convention.split("-")[1]
    options = ["-s"] if convention in _SINGLETONS else []
    run = subprocess.run(
        [
            sys.executable,
            tools / "corefud" / "corefud-scorer.py",
            *paths,
            "-m",
            "all",
            "-a",
            match,
            *options,
        ],
        capture_output=True,
        text=True,
        check=False,
    )
    figures: dict[str, list[float]] = {}
    name = ""
    for line in run.stdout.splitlines():
        numbers = re.findall(r"(?:Recall|Precision|F1):\s*([\d.]+)", line)
        if len(numbers) == 3:
            figures[name] = [float(number) / 100 for number in numbers]
        name = line.strip()
    if not figures:
        print(run.stdout[-300:], run.stderr[-300:])
    return figures


def sklearn_figures(case: dict[str, Any]) -> dict[str, list[float]]:
    """Call scikit-learn."""
    from sklearn import metrics

    labels = [
        {tuple(m): i for i, e in enumerate(case[side]) for m in e}
        for side in ("key", "response")
    ]
    key, response = ([side[m] for m in sorted(labels[0])] for side in labels)
    names = {
        "rand": "rand_score",
        "ari": "adjusted_rand_score",
        "fowlkes-mallows": "fowlkes_mallows_score",
        "nmi": "normalized_mutual_info_score",
    }
    figures = {
        name: [getattr(metrics, function)(key, response)]
        for name, function in names.items()
    }
    return {**figures, "v-measure": [metrics.v_measure_score(key, response)]}


def main() -> None:
    """Compare every figure."""
    tools = Path(sys.argv[1])
    compared = wrong = 0
    for path in sorted(CASES.glob("*/*.json")):
        case = json.loads(path.read_text(encoding="utf-8"))
        for convention, answer in case["expected"].items():
            with tempfile.TemporaryDirectory() as folder:
                if convention == "scikit-learn":
                    figures, cut = sklearn_figures(case), 1e-9
                elif convention.startswith("corefud"):
                    figures, cut = (
                        corefud_figures(
                            files_of(case, Path(folder)), tools, convention
                        ),
                        5.1e-5,
                    )
                elif convention in {"common", "reference"}:
                    figures, cut = (
                        perl_figures(files_of(case, Path(folder)), tools),
                        1.01e-4,
                    )
                    if convention == "common":
                        figures["lea"] = coval_figures(
                            files_of(case, Path(folder)), tools, drop=False
                        )["lea"]
                elif convention.startswith("coval"):
                    figures, cut = (
                        coval_figures(
                            files_of(case, Path(folder)),
                            tools,
                            drop=convention != "coval",
                        ),
                        1e-9,
                    )
                else:
                    continue
            for metric, expected in answer["scores"].items():
                if metric not in figures:
                    continue
                given = [
                    value(expected[n])
                    for n in ("recall", "precision", "f1")
                    if n in expected
                ] or [value(expected["value"])]
                got = (
                    figures[metric][: len(given)]
                    if "f1" in expected
                    else figures[metric][-1:]
                )
                compared += len(given)
                for one, other in zip(given, got, strict=True):
                    if not math.isclose(one, other, abs_tol=cut):
                        wrong += 1
                        print(case["case"], convention, metric, given, got)
                        break
    print(f"{compared} figures compared, {wrong} metrics differ")


main()
