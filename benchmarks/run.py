"""How fast scoref is, as ratios measured in one run.

    make bench

The yardstick is `python -c "import numpy"`, a whole process. For the comparison
in memory, install the peer first: `.venv/bin/pip install coreference-eval`.
"""

from __future__ import annotations

import importlib.util
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from typing import TYPE_CHECKING

from corpora import SHAPES, sides, write_pair

if TYPE_CHECKING:
    from collections.abc import Callable

REPEATS = 5
SCOREF = [sys.executable, "-c", "from scoref.cli import main; main()"]


def best(action: Callable[[], object], repeats: int = REPEATS) -> float:
    """Time an action a few times and take the fastest."""
    times = []
    for _ in range(repeats):
        start = time.perf_counter()
        action()
        times.append(time.perf_counter() - start)
    return min(times)


def process(*command: str) -> None:
    """Run a command and throw its output away."""
    subprocess.run(command, check=True, stdout=subprocess.DEVNULL)


def peak_megabytes(*command: str) -> float:
    """Run a command in a process of its own and ask for its memory."""
    program = (
        "import resource, subprocess, sys\n"
        "subprocess.run(sys.argv[1:], check=True, stdout=subprocess.DEVNULL)\n"
        "print(resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss)\n"
    )
    done = subprocess.run(
        [sys.executable, "-c", program, *command], check=True, capture_output=True
    )
    unit = 1 if sys.platform == "darwin" else 1024
    return int(done.stdout) * unit / 1e6


def whole_processes(folder: Path) -> None:
    """Measure the command on files, all metrics."""
    yardstick = best(lambda: process(sys.executable, "-c", "import numpy"))
    print(f"import numpy, a whole process: {yardstick:.3f} s\n")
    print(f"{'scoref KEY RESPONSE':<26} {'s':>7} {'× numpy':>9} {'peak MB':>9}")
    seconds = {}
    for name, shape in SHAPES.items():
        place = folder / name
        place.mkdir()
        command = [*SCOREF, *map(str, write_pair(place, shape))]
        seconds[name] = best(lambda command=command: process(*command))  # type: ignore[misc]
        print(
            f"{name:<26} {seconds[name]:>7.2f} {seconds[name] / yardstick:>9.1f} "
            f"{peak_megabytes(*command):>9.0f}"
        )
    *_, small, large = seconds.values()
    print(f"ten times the book takes {large / small:.1f} × the time\n")


def where_the_time_goes(folder: Path) -> None:
    """Measure the stages of one run, and how far reading is from its limit."""
    from scoref.contingency.tabulation import tabulate
    from scoref.formats import reading  # what is measured
    from scoref.matching.spans import match_mentions
    from scoref.metrics import metrics_of
    from scoref.schemes import resolve

    scheme = resolve(None)
    print(f"{'milliseconds':<26} {'limit':>7} {'read':>7} {'match':>7} ", end="")
    print(f"{'table':>7} {'metrics':>8} {'read ÷ limit':>13}")
    for name in SHAPES:
        paths = folder / name / "key.conll", folder / name / "response.conll"

        def limit(paths: tuple[Path, Path] = paths) -> None:
            for path in paths:
                path.read_bytes().split(b"\n")

        def read(paths: tuple[Path, Path] = paths) -> None:
            for path in paths:
                reading.read(path, role="key")

        key, response = (reading.read(path, role="key") for path in paths)
        matched = match_mentions(key, response, scheme)
        table = tabulate(matched, scheme)
        stages = [
            best(limit),
            best(read),
            best(lambda k=key, r=response: match_mentions(k, r, scheme)),  # type: ignore[misc]
            best(lambda m=matched: tabulate(m, scheme)),  # type: ignore[misc]
            sum(
                best(lambda metric=metric, t=table: metric.count(t))  # type: ignore[misc]
                for metric in metrics_of(scheme).values()
            ),
        ]
        columns = " ".join(f"{1000 * stage:>7.1f}" for stage in stages)
        print(f"{name:<26} {columns} {stages[1] / stages[0]:>14.1f}")
    print()


def in_memory() -> None:
    """Measure the evaluator against the one that neural systems carry."""
    if importlib.util.find_spec("corefeval") is None:
        print("coreference-eval is not installed: no comparison in memory")
        return
    from corefeval import Document, Scorer  # an optional peer

    import scoref

    keys, responses = sides(SHAPES["200 documents"])
    pairs = list(zip(keys, responses, strict=True))
    spans = [
        tuple([[(m, m) for m in group] for group in side] for side in pair)
        for pair in pairs
    ]

    def ours() -> None:
        evaluator = scoref.Evaluator(metrics="muc,bcub,ceafe,lea,conll")
        for key, response in spans:
            evaluator.update(key=key, response=response)
        _ = evaluator.compute().scores

    def theirs() -> None:
        scorer = Scorer()
        for key, response in spans:
            scorer.update(Document(predicted=response, truth=key))
        scorer.detailed_score("", "", verbose=False)

    mine, peer = best(ours), best(theirs)
    print("200 documents in memory, MUC, B³, CEAFe and LEA:")
    print(f"  scoref.Evaluator       {1000 * mine:7.1f} ms")
    print(f"  coreference-eval       {1000 * peer:7.1f} ms   {peer / mine:.1f} ×")


def main() -> None:
    """Print everything."""
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        whole_processes(folder)
        where_the_time_goes(folder)
    in_memory()


if __name__ == "__main__":
    main()
