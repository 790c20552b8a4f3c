"""scoref and the scorers that people use, on the same files, in the same run.

    .venv/bin/python benchmarks/run_peers.py --peers FOLDER [--python PYTHON]
        [--conll KEY RESPONSE] [--corefud KEY RESPONSE] [--times 30] [--rows 1000000]

FOLDER holds checkouts by these names, of which those that are missing are left out:
`perl` (conll/reference-coreference-scorers), `coval` (ns-moosavi/coval) and
`corefud-scorer` (ufal/corefud-scorer). er-evaluation is a package of PYTHON, the
interpreter that runs the peers; it needs NumPy, SciPy, udapi and er-evaluation.
Without files, made-up corpora are scored.

Times are those of whole processes on the processor; of scoref the best of three. Where
a figure is not the peer's, to the digits that it prints, the line says which.
"""

from __future__ import annotations

import argparse
import json
import os
import re
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import IO, TYPE_CHECKING, NamedTuple

import run_tables
from corpora import SHAPES, repeat, write_corefud, write_pair

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping

    Figures = Mapping[str, float]

SCOREF = [sys.executable, "-m", "scoref"]
SINGLETONS = ["--singletons", "keep"]
TIMES = 3
PERCENT = 0.0101  # the Perl scorer cuts its percentages off, others round them
FIGURE = r"F1:\s*([\d.]+)"
PERL_METRIC = re.compile(
    rf"METRIC (\w+):.*?^(?:Coreference|BLANC): Recall.*?{FIGURE}",
    re.DOTALL | re.MULTILINE,
)
PRINTED = re.compile(rf"^(\w+)\s+Recall.*?{FIGURE}", re.MULTILINE)
ER_EVALUATION = """
import json, sys
import pandas
from er_evaluation import metrics
table = pandas.read_parquet(sys.argv[1]).set_index("mention")
sides = table["response"], table["key"]
functions = {
    "pairwise": metrics.pairwise_f,
    "cluster": metrics.cluster_f,
    "bcub-entity": metrics.b_cubed_f,
}
found = {name: 100 * function(*sides) for name, function in functions.items()}
print(json.dumps(found))
"""


class Used(NamedTuple):
    """What a process took, and what it printed."""

    seconds: float
    megabytes: float
    said: str


class Peer(NamedTuple):
    """How a scorer is called for some files, and what it prints."""

    name: str
    home: str  # its folder, or its package
    command: Callable[[Path, str, list[str]], list[str]]
    figures: Callable[[str], Figures]


class Case(NamedTuple):
    """Files, scoref's options for them, and who else can score them."""

    name: str
    files: list[str]
    ours: list[str]
    peers: list[Peer]


def run(command: list[str]) -> Used:
    """Run a process to its end."""
    with tempfile.TemporaryFile() as out, tempfile.TemporaryFile() as errors:
        process = subprocess.Popen(command, stdout=out, stderr=errors)
        _, status, used = os.wait4(process.pid, 0)
        process.returncode = os.waitstatus_to_exitcode(status)
        said, wrong = (_text(each) for each in (out, errors))
    if process.returncode:
        raise SystemExit(f"{' '.join(command)}: {wrong.strip()[-500:]}")
    seconds = used.ru_utime + used.ru_stime
    return Used(seconds, used.ru_maxrss * run_tables.UNIT / 1e6, said)


def _text(file: IO[bytes]) -> str:
    file.seek(0)
    return file.read().decode("utf-8", "replace")


def perl_figures(said: str) -> Figures:
    """Read what the Perl scorer prints."""
    return {name: float(value) for name, value in PERL_METRIC.findall(said)}


def printed_figures(said: str) -> Figures:
    """Read what coval and the CorefUD scorer print."""
    return {name: float(value) for name, value in PRINTED.findall(said)}


def our_figures(said: str) -> Figures:
    """Read our JSON."""
    (result,) = json.loads(said)["results"]
    return {name: 100 * score["f1"] for name, score in result["scores"].items()}


PERL = Peer(
    "Perl scorer",
    "perl",
    lambda home, _, files: ["perl", str(home / "scorer.pl"), "all", *files, "none"],
    perl_figures,
)
COVAL = Peer(
    "coval",
    "coval",
    lambda home, python, files: [python, str(home / "scorer.py"), *files],
    printed_figures,
)
COREFUD = Peer(
    "CorefUD scorer",
    "corefud-scorer",
    lambda home, python, files: [
        *(python, str(home / "corefud-scorer.py"), *files),
        *("-s", "-m", "all"),
    ],
    printed_figures,
)
ENTITY_RESOLUTION = Peer(
    "er-evaluation",
    "er_evaluation",
    lambda _, python, files: [python, "-c", ER_EVALUATION, *files],
    json.loads,
)


def cases(given: argparse.Namespace, folder: Path) -> Iterator[Case]:
    """Give what is scored, one after the other."""
    both = given.conll or [*map(str, write_pair(folder, SHAPES["200 documents"]))]
    yield Case("CoNLL-2012", both, [], [PERL, COVAL])
    both = given.corefud or [
        write_corefud(folder / "key.conllu", 46, 220, damage=0.0),
        write_corefud(folder / "response.conllu", 46, 220, damage=0.2),
    ]
    yield Case("CorefUD", both, SINGLETONS, [COREFUD])
    if given.times:
        more = [
            repeat(path, given.times, folder / f"{number}.conllu")
            for number, path in enumerate(both)
        ]
        name = f"CorefUD, {given.times} times over"
        yield Case(name, more, SINGLETONS, [COREFUD])
    run_tables.write(folder, given.rows)
    yield Case(
        f"table, {given.rows:,} records",
        [str(folder / "both.parquet")],
        [*run_tables.BOTH, "--metrics", "pairwise,cluster,bcub-entity"],
        [ENTITY_RESOLUTION],
    )


def ours(case: Case) -> Used:
    """Score files by scoref, and take the best of several runs."""
    table = [] if len(case.files) > 1 else ["table"]
    command = [*SCOREF, *table, *case.files, *case.ours, "--output", "json"]
    return min(run(command) for _ in range(TIMES))


def is_there(peer: Peer, folder: Path, python: str) -> bool:
    """Tell whether a peer can be run."""
    if (folder / peer.home).is_dir():
        return True
    found = f"import sys, importlib.util as u; sys.exit(not u.find_spec('{peer.home}'))"
    return not subprocess.run([python, "-c", found], check=False).returncode


def differing(theirs: Figures, own: Figures) -> str:
    """Name the figures that are not the same."""
    common = [name for name in theirs if name in own]
    wrong = [name for name in common if abs(theirs[name] - own[name]) > PERCENT]
    if wrong:
        return "differ: " + ", ".join(
            f"{name} {theirs[name]:.2f} for {own[name]:.2f}" for name in wrong
        )
    return f"{len(common)} figures agree"


def row(name: str, used: Used, times: str, said: str) -> str:
    """Lay out a line."""
    figures = f"{used.seconds:>9.2f} {used.megabytes:>8.0f} {times:>9}"
    return f"  {name:<18} {figures}  {said}".rstrip()


def main() -> None:
    """Print a block for each case."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--peers", type=Path, required=True, metavar="FOLDER")
    parser.add_argument("--python", default=sys.executable)
    parser.add_argument("--conll", nargs=2, metavar=("KEY", "RESPONSE"))
    parser.add_argument("--corefud", nargs=2, metavar=("KEY", "RESPONSE"))
    parser.add_argument("--times", type=int, default=0)
    parser.add_argument("--rows", type=int, default=10**6)
    given = parser.parse_args()
    print(f"{'':<20} {'CPU s':>9} {'peak MB':>8} {'× scoref':>9}")
    with tempfile.TemporaryDirectory() as place:
        for case in cases(given, Path(place)):
            print(case.name)
            own = ours(case)
            print(row("scoref", own, "", ""), flush=True)
            for peer in case.peers:
                if not is_there(peer, given.peers, given.python):
                    print(f"  {peer.name} is not there: left out")
                    continue
                home = given.peers / peer.home
                used = run(peer.command(home, given.python, case.files))
                same = differing(peer.figures(used.said), our_figures(own.said))
                times = f"{used.seconds / own.seconds:.1f}"
                print(row(peer.name, used, times, same), flush=True)


if __name__ == "__main__":
    main()
