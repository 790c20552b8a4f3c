"""How fast scoref is, as ratios measured in one run.

    make bench
    .venv/bin/python benchmarks/run.py [conll] [corefud] [ua] [KEY RESPONSE]

Without a word, CoNLL-2012 is measured. `corefud` takes two files of your own. Times
are compared with `python -c "import numpy"`, a whole process. For the comparison in
memory, install the peer first: `.venv/bin/pip install coreference-eval`.
"""

from __future__ import annotations

import importlib.util
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from typing import TYPE_CHECKING

from corpora import (
    PLURALS,
    SHAPES,
    UA_WORDS,
    plurals,
    repeat,
    sides,
    ua_corpus,
    write_corefud,
    write_pair,
)

if TYPE_CHECKING:
    from collections.abc import Callable

SUITES = ("conll", "corefud", "ua")
REPEATS = 5
TIMES = 100
TURNS = 9
FORMATS = ("Universal Anaphora", "CorefUD")
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


def measure_conll(folder: Path, yardstick: float) -> None:
    """Measure the command on CoNLL-2012, all metrics."""
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


def read_against_the_limit(path: str) -> float:
    """Compare reading with reading the bytes and splitting them into lines."""
    from scoref.formats import reading  # what is measured

    limit = best(lambda: Path(path).read_bytes().split(b"\n"), 3)
    return best(lambda: reading.read(path, role="key"), 3) / limit


def print_line(name: str, yardstick: float, *command: str, repeats: int = 5) -> float:
    """Print one line."""
    seconds = best(lambda: process(*SCOREF, *command), repeats)
    peak = peak_megabytes(*SCOREF, *command)
    print(f"{name:<34} {seconds:>7.2f} {seconds / yardstick:>9.1f} {peak:>9.0f}")
    return seconds


def measure_corefud(folder: Path, yardstick: float, paths: list[str]) -> None:
    """Measure a corpus, the same a hundred times over, and one long document."""
    files = paths or [
        write_corefud(folder / "key.conllu", 46, 220, damage=0.0),
        write_corefud(folder / "response.conllu", 46, 220, damage=0.2),
    ]
    print(
        f"{'scoref KEY RESPONSE (CorefUD)':<34} {'s':>7} {'× numpy':>9} {'peak MB':>9}"
    )
    small = print_line("all metrics", yardstick, *files)
    copies = [
        repeat(path, TIMES, folder / f"{number}.conllu")
        for number, path in enumerate(files)
    ]
    large = print_line(f"{TIMES} times over", yardstick, *copies, repeats=1)
    print(f"  which takes {large / small:.0f} × the time")
    book = [
        write_corefud(folder / "book.key.conllu", 1, 50_000, damage=0.0),
        write_corefud(folder / "book.response.conllu", 1, 50_000, damage=0.2),
    ]
    for match in ("head", "partial"):
        label = f"one document, 50,000 mentions, {match}"
        print_line(label, yardstick, *book, "--match", match, repeats=1)
    print(f"\nread ÷ limit: {read_against_the_limit(files[0]):.1f}", end="")
    print(f", {TIMES} times over {read_against_the_limit(copies[0]):.1f}\n")


def time_by_turns(*actions: Callable[[], object]) -> list[float]:
    """Time actions by turns, so that a busy machine is busy for all of them."""
    times = [[best(action, 1) for action in actions] for _ in range(TURNS)]
    return [min(column) for column in zip(*times, strict=True)]


def compare_ua_with_corefud() -> None:
    """Print how long both formats take to be read."""
    from scoref.formats import corefud, universal_anaphora  # what is measured

    print(f"{f'read {UA_WORDS:,} words':<34} {'s':>7} {'µs/line':>9} {'MB':>9}")
    for name, has_mentions in (("with mentions", True), ("without", False)):
        ua = ua_corpus(is_ua=True, has_mentions=has_mentions)
        ud = ua_corpus(is_ua=False, has_mentions=has_mentions)
        times = time_by_turns(
            lambda data=ua: universal_anaphora.read(data, source="x.ua"),  # type: ignore[misc]
            lambda data=ud: corefud.read(data, source="x.conllu"),  # type: ignore[misc]
        )
        for format_, seconds, data in zip(FORMATS, times, (ua, ud), strict=True):
            label, micro = f"{format_}, {name}", 1e6 * seconds / UA_WORDS
            print(f"{label:<34} {seconds:>7.3f} {micro:>9.2f} {len(data) / 1e6:>9.1f}")
        print(f"  which is {times[0] / times[1]:.2f} × the time of CorefUD")


def score_plurals(folder: Path) -> None:
    """Print how long a document of many plurals takes to be scored."""
    paths = []
    for name, damage in (("key", 0.0), ("response", 0.2)):
        path = folder / f"{name}.ua"
        path.write_text("\n".join(plurals(damage=damage)) + "\n", encoding="utf-8")
        paths.append(str(path))
    print(f"\n{f'score {PLURALS:,} plurals a side':<34} {'s':>7} {'peak MB':>9}")
    command = [*SCOREF, *paths, "--scheme", "codi-crac-2022-ar"]
    for name, options in (
        ("all metrics", ()),
        ("of plurals alone", ("--evaluate", "split-antecedents")),
        ("without plurals", ("--split-antecedents", "drop")),
    ):
        seconds = best(lambda options=options: process(*command, *options), 3)  # type: ignore[misc]
        print(f"{name:<34} {seconds:>7.2f} {peak_megabytes(*command, *options):>9.0f}")


def main() -> None:
    """Print what was asked for."""
    suites = [word for word in sys.argv[1:] if word in SUITES]
    paths = [word for word in sys.argv[1:] if word not in SUITES]
    yardstick = best(lambda: process(sys.executable, "-c", "import numpy"))
    print(f"import numpy, a whole process: {yardstick:.3f} s\n")
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        for suite in suites or (["corefud"] if paths else ["conll"]):
            if suite == "conll":
                measure_conll(folder, yardstick)
                where_the_time_goes(folder)
                in_memory()
            elif suite == "corefud":
                measure_corefud(folder, yardstick, paths)
            else:
                compare_ua_with_corefud()
                score_plurals(folder)


if __name__ == "__main__":
    main()
