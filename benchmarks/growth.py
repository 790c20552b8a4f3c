"""How time and memory grow with the input: N, 2 N and 4 N of every awkward shape.

    .venv/bin/python benchmarks/growth.py [-n 2000] [WORD ...]

Words choose among the lines, for instance ``check nested``. Times are the processor's,
and the exponents those of the last doubling, start-up left out: 1 is linear, 2
quadratic; ``·`` is too little to tell. An exit code other than 0 is a refusal, and
stands behind the line with its words.
"""

from __future__ import annotations

import argparse
import math
import os
import resource
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from shapes import ANSWERS, FORMATS, SHAPES, TEXTS, Drawn, plurals, strangers, zeros

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator

    Write = Callable[[Path, int], tuple[Path, Path]]

BIN = Path(sys.executable).parent
MEMORY, SECONDS = 4 << 30, 60
QUICK, LITTLE = 0.15, 100
CONVERT = ["scoref", "convert", "--lossy", "--force"]
COMMANDS = {
    "score": ["scoref", "{key}", "{response}"],
    "partial": ["scoref", "{key}", "{response}", "--match", "partial"],
    "variants": ["scoref", "{key}", "{response}", "--metrics", "bcub-sys,ceafe-sys"],
    "check": ["scoref", "check", "{key}"],
    "pair": ["scoref", "check", "--key", "{key}", "{response}"],
    "errors": ["scoref", "errors", "{key}", "{response}"],
    "explain": ["scoref", "explain", "{key}", "{response}"],
    "compare": ["scoref", "compare", "{key}", "a={key}", "b={response}"],
    "stats": ["scoref", "stats", "{key}"],
    "report": ["scoref", "report", "{key}", "{response}", "-o", "{out}.html"],
    "to-conll": [*CONVERT, "{key}", "{out}.conll"],
    "to-jsonl": [*CONVERT, "{key}", "{out}.jsonl"],
    "to-conllu": [*CONVERT, "{key}", "{out}.conllu"],
    "to-ua": [*CONVERT, "{key}", "{out}.ua"],
    "scoref-conll": ["scoref-conll", "all", "{key}", "{response}"],
    "scoref-corefud": ["scoref-corefud", "{key}", "{response}"],
    "scoref-ua": ["scoref-ua", "{key}", "{response}"],
}
MERGE = [*CONVERT, "--merge", "majority", "{key}", "{response}", "{out}.jsonl"]
SEVERAL = {
    "agree": ["scoref", "agree", "{key}", "{response}"],
    "merge": MERGE,
}
"""Commands for files of several annotators."""

EVALUATOR = [
    "python",
    "-c",
    (
        "import json, scoref, sys\n"
        "evaluator = scoref.Evaluator()\n"
        "for number, line in enumerate(open(sys.argv[1])):\n"
        "    entities = json.loads(line)['clusters']\n"
        "    evaluator.update(key=entities, response=entities, document=str(number))\n"
        "evaluator.compute()\n"
    ),
    "{key}",
]
ONLY_FOR = {
    "partial": ("conllu", "ua"),
    "scoref-conll": ("conll",),
    "scoref-corefud": ("conllu",),
    "scoref-ua": ("ua",),
}
"""Commands that take some formats only; all others take each of them."""


FEW = Drawn(3, [(0, 0, 1), (1, 1, 1), (2, 2, 1)])


class Run(NamedTuple):
    """What one process took, and what it said if it refused."""

    seconds: float
    megabytes: float
    refusal: str


class Line(NamedTuple):
    """What is measured: a name, a command, its files, and by how much they are more."""

    name: str
    command: list[str]
    write: Write
    times: int = 1


def run(command: list[str]) -> Run:
    """Run a command with bounds on time and memory."""
    with tempfile.TemporaryFile() as errors:
        process = subprocess.Popen(
            [str(BIN / command[0]), *command[1:]],
            stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL,
            stderr=errors,
            preexec_fn=_bounded,  # noqa: PLW1509 - there are no threads
        )
        _, status, used = os.wait4(process.pid, 0)
        process.returncode = code = os.waitstatus_to_exitcode(status)
        errors.seek(0)
        said = errors.read().decode("utf-8", "replace").strip().splitlines()
    seconds = used.ru_utime + used.ru_stime
    # Of a traceback the last line tells most, of an error the first.
    words = said[-1 if any("Traceback" in line for line in said) else 0] if said else ""
    return Run(seconds, used.ru_maxrss / 1024, f"{code}: {words[:90]}" if code else "")


def _bounded() -> None:
    resource.setrlimit(resource.RLIMIT_AS, (MEMORY, MEMORY))
    resource.setrlimit(resource.RLIMIT_CPU, (SECONDS, SECONDS))


def drawn(
    draw: Callable[[int], tuple[Drawn, Drawn]],
    suffix: str,
    write: Callable[[Drawn], Iterable[str]],
) -> Write:
    """Write both sides of what is drawn."""

    def written(folder: Path, size: int) -> tuple[Path, Path]:
        paths = folder / f"key.{suffix}", folder / f"response.{suffix}"
        for path, side in zip(paths, draw(size), strict=True):
            path.write_text("\n".join(write(side)) + "\n", encoding="utf-8")
        return paths

    return written


def answered(
    answer: Callable[[int], str],
    draw: Callable[[int], tuple[Drawn, Drawn]] = lambda _: (FEW, FEW),
) -> Write:
    """Write a key, of a few words if nothing else is drawn, and a model's answer."""

    def written(folder: Path, size: int) -> tuple[Path, Path]:
        key, response = folder / "key.conll", folder / "answer.txt"
        lines = FORMATS["conll"](draw(size)[0])
        key.write_text("\n".join(lines) + "\n", encoding="utf-8")
        response.write_text(answer(size), encoding="utf-8")
        return key, response

    return written


def brat(folder: Path, size: int) -> tuple[Path, Path]:
    """Write two folders of short documents."""
    paths = folder / "key", folder / "response"
    for path in paths:
        path.mkdir(exist_ok=True)
        for number in range(size):
            (path / f"{number}.txt").write_text("Ada said she\n")
            (path / f"{number}.ann").write_text(
                "T1\tM 0 3\tAda\nT2\tM 9 12\tshe\n*\tCoreference T1 T2\n"
            )
    return paths


def typed(text: Callable[[int], str]) -> Write:
    """Write the same text on both sides."""

    def written(folder: Path, size: int) -> tuple[Path, Path]:
        paths = folder / "key.conll", folder / "response.conll"
        for path in paths:
            path.write_text(text(size), encoding="utf-8")
        return paths

    return written


def lines() -> Iterator[Line]:
    """List all that is measured."""
    for name, command in COMMANDS.items():
        for suffix in ONLY_FOR.get(name, FORMATS):
            for shape, draw in SHAPES.items():
                write = drawn(draw, suffix, FORMATS[suffix])
                yield Line(f"{name} {suffix} {shape}", command, write)
            yield from _others(name, command, suffix)
    for shape, times in (("documents", 2), ("chain", 2), ("wrong", 1)):
        write = drawn(SHAPES[shape], "jsonl", FORMATS["jsonl"])
        for name, command in SEVERAL.items():
            yield Line(f"{name} jsonl {shape}", command, write, times)
    write = drawn(SHAPES["documents"], "jsonl", FORMATS["jsonl"])
    yield Line("evaluator jsonl documents", EVALUATOR, write, times=5)
    yield Line("score brat folder", COMMANDS["score"], brat, times=2)
    command = ["scoref", "llm", "{key}", "{response}"]
    for shape, answer in ANSWERS.items():
        yield Line(f"llm text {shape}", command, answered(answer), times=10)
    write = answered(strangers, SHAPES["wrong"])
    yield Line("llm text strangers", command, write, times=10)


def _others(name: str, command: list[str], suffix: str) -> Iterator[Line]:
    """List shapes that only one format has."""
    if suffix == "conllu":
        for shape, written in (("zeros", zeros), ("plurals", plurals)):
            write = drawn(SHAPES["wrong"], suffix, written)
            yield Line(f"{name} {suffix} {shape}", command, write)
    if suffix == "conll":
        for shape, text in TEXTS.items():
            yield Line(f"{name} {suffix} {shape}", command, typed(text), times=50)


def measured(line: Line, size: int, folder: Path) -> Run:
    """Write files of a size and run a command on them."""
    key, response = line.write(folder, size)
    places = {"key": key, "response": response, "out": folder / "out"}
    return run([part.format(**places) for part in line.command])


def laid_out(name: str, runs: list[Run], start: Run) -> str:
    """Lay out what was measured."""
    seconds = " ".join(f"{each.seconds:>6.2f}" for each in runs)
    by_time = exponent([each.seconds - start.seconds for each in runs], QUICK)
    by_memory = exponent([each.megabytes - start.megabytes for each in runs], LITTLE)
    peak, said = runs[-1].megabytes, runs[-1].refusal
    row = f"{name:<38} {seconds:<20} {by_time:>5} {peak:>6.0f} {by_memory:>5}  {said}"
    return row.rstrip()


def exponent(values: list[float], least: float) -> str:
    """Tell the power by which the last doubling grew."""
    if len(values) == 1 or values[-1] < least or values[-2] <= 0:
        return "·"
    return f"{math.log2(values[-1] / values[-2]):.1f}"


def main() -> None:
    """Print a line for each command, format and shape."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("-n", type=int, default=2000, help="the smallest size")
    parser.add_argument("words", nargs="*")
    given = parser.parse_args()
    print(f"{'command, format, shape':<38} {'N, 2 N, 4 N':<20}   exp     MB   exp")
    for line in lines():
        if not set(given.words) <= set(line.name.split()):
            continue
        with tempfile.TemporaryDirectory() as folder:
            place = Path(folder)
            start = measured(line, 2, place)
            runs: list[Run] = []
            for times in (1, 2, 4):
                if not runs or runs[-1].seconds < SECONDS / 4:
                    size = given.n * times * line.times
                    runs.append(measured(line, size, place))
        print(laid_out(line.name, runs, start), flush=True)


if __name__ == "__main__":
    main()
