"""Compare rows of `scoref explain` with the tools that they imitate.

    python benchmarks/practices.py TOOLS PYTHON [CASES]

TOOLS and PYTHON are those of `benchmarks/conformance.py`: clones of coval and evaluate,
and a Python with the packages. Each tool scores generated files, by its program in
`examples/conformance`. The exit code is 1 if a figure differs by more than 0.000001.
"""

from __future__ import annotations

import json
import random
import subprocess
import sys
import warnings
from pathlib import Path
from typing import Any

import scoref

PROGRAMS = Path(__file__).parents[1] / "examples" / "conformance"
TOOLS, PYTHON = Path(sys.argv[1]).resolve(), sys.argv[2]
CASES = int(sys.argv[3]) if len(sys.argv) > 3 else 800
TOLERANCE = 1e-6

ROWS = {
    "coval": ("coval", ["coval"], "coval", "files"),
    "coval-no-singletons": ("coval", ["coval"], "coval-no-singletons", "files"),
    "hf-coval": ("evaluate", ["evaluate", "coval"], "coval", "files"),
    "maverick": ("maverick", ["maverick-coref"], "common", "twice"),
    "e2e-coref": ("coreference_eval", [], "common", "twice"),
    "stanza": ("stanza", [], "common", "once"),
    "added-singletons": ("scorch", [], "common", "once"),
    "metric4coref": ("metric4coref", [], "common", "once"),
}
"""For each row: program, clones, convention, and the kind of input."""


def entities(drawn: random.Random, *, twice: bool) -> list[list[tuple[int, int]]]:
    """Draw entities; some mentions are listed twice if that is wanted."""
    sides: list[list[tuple[int, int]]] = [[] for _ in range(drawn.randint(2, 6))]
    for token in range(drawn.randint(4, 12)):
        if drawn.randrange(5):
            drawn.choice(sides).append((token, token + drawn.choice([0, 0, 1])))
            if twice and not drawn.randrange(5):
                mention = drawn.choice([m for side in sides for m in side])
                target = drawn.choice(sides)
                if mention not in target:
                    target.append(mention)
    whole = [sorted(side) for side in sides if side]
    return sorted([*whole, [(20, 20), (21, 21)]])


def conll(documents: list[list[list[tuple[int, int]]]]) -> list[str]:
    """Write documents as lines of a CoNLL-2012 file."""
    lines = []
    for number, side in enumerate(documents):
        cells: list[list[str]] = [[] for _ in range(24)]
        for label, entity in enumerate(side):
            for start, end in entity:
                single = start == end
                cells[start].append(f"({label})" if single else f"({label}")
                if not single:
                    cells[end].append(f"{label})")
        rows = [f"d{number} 0 {i} w {'|'.join(c) or '-'}" for i, c in enumerate(cells)]
        lines += [f"#begin document (d{number}); part 000", *rows, "", "#end document"]
    return lines


def request_of(drawn: random.Random, kind: str, convention: str) -> dict[str, Any]:
    """Draw a case."""
    request: dict[str, Any] = {"case": "x", "convention": convention}
    request["metrics"] = ["muc", "bcub", "ceafe", "ceafm", "lea"]
    for side in ("key", "response"):
        request[side] = entities(drawn, twice=kind == "twice")
    if kind == "files":
        count = drawn.randint(1, 3)
        request["files"] = {"format": "conll-2012"} | {
            side: conll([entities(drawn, twice=True) for _ in range(count)])
            for side in ("key", "response")
        }
    return request


def row_of(request: dict[str, Any], row: str) -> dict[str, Any]:
    """Return the scores of the row of `scoref explain`."""
    sides = [request["key"], request["response"]]
    if files := request.get("files"):
        sides = ["\n".join([*files[side], ""]).encode() for side in ("key", "response")]
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        form = "conll-2012" if files else None
        return dict(scoref.explain(*sides, format=form).row(row).scores)


def compare(row: str) -> int:
    """Return in how many cases a row differs from its tool."""
    program, clones, convention, kind = ROWS[row]
    drawn = random.Random(7)  # noqa: S311 - made-up entities
    requests = [request_of(drawn, kind, convention) for _ in range(CASES)]
    done = subprocess.run(
        [
            *(PYTHON, str(PROGRAMS / f"{program}_scorer.py")),
            *(str(TOOLS / name) for name in clones),
        ],
        input="".join(f"{json.dumps(request)}\n" for request in requests),
        capture_output=True,
        text=True,
        check=True,
    )
    wrong = figures = 0
    for request, line in zip(requests, done.stdout.splitlines(), strict=True):
        scores = row_of(request, row)
        answer = json.loads(line)["scores"]
        pairs = [
            (answer[metric][name], getattr(scores[metric], name))
            for metric in answer.keys() & scores.keys()
            for name in ("recall", "precision", "f1")
        ]
        figures += len(pairs)
        wrong += any(abs(one - other) > TOLERANCE for one, other in pairs)
    print(
        f"{row:22} {CASES} cases, {figures} figures: {wrong} cases differ", flush=True
    )
    return wrong


if __name__ == "__main__":
    sys.exit(sum(map(compare, ROWS)) > 0)
