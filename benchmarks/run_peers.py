"""scoref and the scorers that people use, on the same files, in the same run.

    .venv/bin/python benchmarks/run_peers.py --peers FOLDER [--python PYTHON]
        [--conll KEY RESPONSE] [--corefud KEY RESPONSE] [--times 30] [--rows 1000000]
        [--rounds 5] [--only NAME] [--readme]

FOLDER holds checkouts by these names, of which those that are missing are left out:
`perl` (conll/reference-coreference-scorers), `coval` (ns-moosavi/coval),
`corefud-scorer` (ufal/corefud-scorer), `ua-scorer` (juntaoy/universal-anaphora-scorer)
and `scorch` (LoicGrobol/scorch). PYTHON is the interpreter that runs the peers; it
needs NumPy, SciPy, udapi, docopt, tqdm, er-evaluation and pandas. Without files,
made-up corpora are scored.

Times are CPU seconds of whole processes. In each round, scoref and the peers take
turns. The table shows the medians, and the ratio with its lowest and highest value.
Where a figure is not the peer's, to the digits that it prints, the line says which. The
row about Python is the best time of `loop.py`, in one process. The last line compares
two documents with an import of NumPy. The repeated corpus of `--times` has one round,
because the CorefUD scorer takes minutes. `--readme` writes all but the last line to
README.md. It needs `--times`, and the texts of LitBank and GUM for the other two.
"""

from __future__ import annotations

import argparse
import json
import os
import re
import statistics
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import IO, TYPE_CHECKING, NamedTuple

import loop
import run_tables
from corpora import SHAPES, repeat, sides, write_corefud, write_pair
from instructions import machine

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping

    Figures = Mapping[str, float]

SCOREF = [sys.executable, "-m", "scoref"]
MACRO = ["--average", "macro"]
SINGLETONS = ["--singletons", "keep"]
README = Path(__file__).parents[1] / "README.md"
EXAMPLES = README.parent / "examples"
MARKS = "<!-- measured by benchmarks/run_peers.py -->", "<!-- end of measured -->"
README_ROWS = 8
PERCENT = 0.0101  # the Perl scorer cuts its percentages off, others round them
FIGURE = r"F1:\s*([\d.]+)"
PERL_METRIC = re.compile(
    rf"METRIC (\w+):.*?^(?:Coreference|BLANC): Recall.*?{FIGURE}",
    re.DOTALL | re.MULTILINE,
)
SCORCH_METRIC = re.compile(r"^(\S+):\t.*?F₁=([\d.]+)", re.MULTILINE)
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
SCORCH_MAIN = """
import sys
sys.path.insert(0, sys.argv.pop(1))
from scorch.main import main_entry_point
main_entry_point()
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
    is_long: bool = False


class Row(NamedTuple):
    """A row of the table: seconds of both, and the ratio of each round."""

    name: str
    own: list[float]
    theirs: list[float]
    agrees: bool = True

    @property
    def ratios(self) -> list[float]:
        """The ratios of the rounds, sorted."""
        return sorted(b / a for a, b in zip(self.own, self.theirs, strict=True))

    def cells(self) -> list[str]:
        """Return what the table shows."""
        ratio = f"{statistics.median(self.ratios):.3g}"
        if len(self.ratios) > 1:
            ratio += f" ({self.ratios[0]:.3g}–{self.ratios[-1]:.3g})"
        return [
            self.name,
            f"{statistics.median(self.own):.3g}",
            f"{statistics.median(self.theirs):.3g}",
            ratio,
        ]


class PeerError(Exception):
    """A peer that cannot score the files."""


def run(command: list[str]) -> Used:
    """Run a process to its end."""
    with tempfile.TemporaryFile() as out, tempfile.TemporaryFile() as errors:
        process = subprocess.Popen(command, stdout=out, stderr=errors)
        _, status, used = os.wait4(process.pid, 0)
        process.returncode = os.waitstatus_to_exitcode(status)
        said, wrong = (_text(each) for each in (out, errors))
    if process.returncode:
        raise PeerError(f"{' '.join(command)}: {wrong.strip()[-300:]}")
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


def scorch_figures(said: str) -> Figures:
    """Read what scorch prints, by our names of metrics."""
    names = {"MUC": "muc", "B³": "bcub", "CEAF_m": "ceafm", "CEAF_e": "ceafe"}
    printed = dict(SCORCH_METRIC.findall(said))
    return {ours: 100 * float(printed[theirs]) for theirs, ours in names.items()}


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


UNIVERSAL = Peer(
    "UA scorer",
    "ua-scorer",
    lambda home, python, files: [python, str(home / "ua-scorer.py"), *files],
    printed_figures,
)
SCORCH = Peer(
    "scorch",
    "scorch",
    lambda home, python, files: [
        *(python, "-c", SCORCH_MAIN, str(home), *files),
    ],
    scorch_figures,
)


def write_scorch(folder: Path) -> list[str]:
    """Write a folder for each side, with a JSON file for each document."""
    folders = []
    for side, documents in zip(
        ("key", "response"), sides(SHAPES["200 documents"]), strict=True
    ):
        folders.append(str(folder / side))
        (folder / side).mkdir()
        for number, entities in enumerate(documents):
            clusters = {
                str(entity): [f"m{mention}" for mention in mentions]
                for entity, mentions in enumerate(entities)
            }
            name = f"d{number}"
            record = {"name": name, "type": "clusters", "clusters": clusters}
            path = folder / side / f"{name}.json"
            path.write_text(json.dumps(record), encoding="utf-8")
    return folders


def convert(paths: list[str], folder: Path, ending: str) -> list[str]:
    """Convert files, and return the new paths."""
    new = []
    for side, path in zip(("key", "response"), paths, strict=True):
        new.append(str(folder / f"{side}{ending}"))
        run([*SCOREF, "convert", path, new[-1], "--lossy"])
    return new


def cases(given: argparse.Namespace, folder: Path) -> Iterator[Case]:
    """Yield what is scored, one after the other."""
    both = given.conll or [*map(str, write_pair(folder, SHAPES["200 documents"]))]
    name = "LitBank, 40 openings" if given.conll else "CoNLL-2012, 200 documents"
    yield Case(name, both, [], [PERL, COVAL])
    both = given.corefud or [
        write_corefud(folder / "key.conllu", 46, 220, damage=0.0),
        write_corefud(folder / "response.conllu", 46, 220, damage=0.2),
    ]
    name = "GUM, 46 documents" if given.corefud else "CorefUD, 46 documents"
    yield Case(name, both, SINGLETONS, [COREFUD])
    if given.times:
        more = [
            repeat(path, given.times, folder / f"{number}.conllu")
            for number, path in enumerate(both)
        ]
        repeated = f"{name}, {given.times} times"
        yield Case(repeated, more, SINGLETONS, [COREFUD], is_long=True)
    plain = [
        write_corefud(folder / f"{side}.conllu", 46, 220, damage=damage)
        for side, damage in (("key", 0.0), ("response", 0.2))
    ]
    universal = convert(plain, folder, ".ua")
    yield Case("Universal Anaphora, 46 documents", universal, [], [UNIVERSAL])
    yield Case("JSON, 200 documents", write_scorch(folder), MACRO, [SCORCH])
    run_tables.write(folder, given.rows)
    yield Case(
        f"{given.rows:,} records in Parquet",
        [str(folder / "both.parquet")],
        [*run_tables.BOTH, "--metrics", "pairwise,cluster,bcub-entity"],
        [ENTITY_RESOLUTION],
    )


def ours(case: Case) -> Used:
    """Score files by scoref."""
    table = [] if len(case.files) > 1 else ["table"]
    return run([*SCOREF, *table, *case.files, *case.ours, "--output", "json"])


def measure(case: Case, given: argparse.Namespace) -> Iterator[Row]:
    """Score files by scoref and its peers in turn, and print a line for each."""
    peers = []
    for peer in case.peers:
        if is_there(peer, given.peers, given.python):
            peers.append(peer)
        else:
            print(f"  {peer.name} is not there: left out")
    own: list[Used] = []
    theirs: dict[str, list[Used]] = {peer.name: [] for peer in peers}
    for _ in range(1 if case.is_long else given.rounds):
        own.append(ours(case))
        for peer in list(peers):
            command = peer.command(given.peers / peer.home, given.python, case.files)
            try:
                theirs[peer.name].append(run(command))
            except PeerError as error:
                print(f"  {peer.name} failed: {error}")
                peers.remove(peer)
    for peer in peers:
        row = Row(
            f"{case.name}: {peer.name}",
            [used.seconds for used in own],
            [used.seconds for used in theirs[peer.name]],
        )
        figures = peer.figures(theirs[peer.name][-1].said)
        known = our_figures(own[-1].said)
        wrong = differing(figures, known)
        same = f"{len(figures.keys() & known.keys())} figures agree"
        same = f"differ: {wrong}" if wrong else same
        print(line(row.cells(), same), flush=True)
        yield row._replace(agrees=not wrong)


def measure_loop(given: argparse.Namespace) -> Iterator[Row]:
    """Score 350 documents in Python, by scoref and by coval's functions."""
    coval = loop.coval_scorer(given.peers)
    if coval is None:
        print("  coval is not there: left out")
        return
    scorers = {
        "own": lambda documents: loop.result_of(documents).conll,
        "coval": coval,
    }
    case = loop.cases()[-1]
    rounds = [loop.best_times(scorers, case, 5) for _ in range(given.rounds)]
    times = [[1e-6 * best[name] for best in rounds] for name in scorers]
    own, theirs = times
    row = Row("Python, 350 documents in memory: coval's functions", own, theirs)
    wrong = abs(coval(case.documents) - loop.result_of(case.documents).conll)
    agrees = wrong < loop.AGREES
    same = "CoNLL agrees" if agrees else f"CoNLL differs by {wrong}"
    print(line(row.cells(), same), flush=True)
    yield row._replace(agrees=agrees)


def measure_start(given: argparse.Namespace) -> None:
    """Score two documents, and only load NumPy."""
    commands = (
        [*SCOREF, str(EXAMPLES / "key.conll"), str(EXAMPLES / "response.conll")],
        [sys.executable, "-c", "import numpy"],
    )
    rounds = [[run(each).seconds for each in commands] for _ in range(given.rounds)]
    own, theirs = (list(times) for times in zip(*rounds, strict=True))
    row = Row("Two documents: only `import numpy`", own, theirs)
    print(line(row.cells()), flush=True)


def is_there(peer: Peer, folder: Path, python: str) -> bool:
    """Tell whether a peer can be run."""
    if (folder / peer.home).is_dir():
        return True
    found = f"import sys, importlib.util as u; sys.exit(not u.find_spec('{peer.home}'))"
    return not subprocess.run([python, "-c", found], check=False).returncode


def differing(theirs: Figures, own: Figures) -> str:
    """Name the figures that are not the same."""
    return ", ".join(
        f"{name} {theirs[name]:.2f} for {own[name]:.2f}"
        for name in theirs
        if name in own and abs(theirs[name] - own[name]) > PERCENT
    )


def line(cells: list[str], said: str = "") -> str:
    """Lay out a line."""
    name, own, theirs, ratio = cells
    return f"{name:<54} {own:>8} {theirs:>8}  {ratio:<20} {said}".rstrip()


def write_readme(rows: list[Row], rounds: int) -> None:
    """Write the table between the marks in README.md."""
    model = machine()["processor"]
    cores = os.cpu_count()
    counted = f"{rounds} rounds, one for the repeated corpus"
    table = [
        f"Median CPU seconds of {counted} ({cores} cores, {model}):",
        "",
        "| data: other scorer | scoref | other | ratio |",
        "|---|--:|--:|--:|",
        *(f"| {' | '.join(row.cells())}{'' if row.agrees else ' *'} |" for row in rows),
    ]
    if not all(row.agrees for row in rows):
        table += ["", "\\* prints [other scores](docs/six-tools.md)"]
    text = README.read_text(encoding="utf-8")
    before, _, rest = text.partition(MARKS[0])
    after = rest.partition(MARKS[1])[2]
    block = "\n".join([MARKS[0], "", *table, "", MARKS[1]])
    README.write_text(before + block + after, encoding="utf-8")


def main() -> None:
    """Print a block for each case."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--peers", type=Path, required=True, metavar="FOLDER")
    parser.add_argument("--python", default=sys.executable)
    parser.add_argument("--conll", nargs=2, metavar=("KEY", "RESPONSE"))
    parser.add_argument("--corefud", nargs=2, metavar=("KEY", "RESPONSE"))
    parser.add_argument("--times", type=int, default=0)
    parser.add_argument("--rows", type=int, default=10**6)
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--only", default="", help="cases with this in their names")
    parser.add_argument("--readme", action="store_true")
    given = parser.parse_args()
    has_all = given.conll and given.corefud and given.times
    if given.readme and (given.only or not has_all):
        needs = "--conll, --corefud and --times, but not --only"
        parser.error(f"--readme needs every row: {needs}")
    print(line(["CPU s", "scoref", "other", "ratio (range)"]))
    rows: list[Row] = []
    with tempfile.TemporaryDirectory() as place:
        for case in cases(given, Path(place)):
            if given.only in case.name:
                rows += measure(case, given)
    if given.only in "Python":
        rows += measure_loop(given)
    if given.only in "Two documents":
        measure_start(given)
    if given.readme and len(rows) < README_ROWS:
        sys.exit(f"README.md is unchanged: {len(rows)} rows instead of {README_ROWS}")
    if given.readme:
        write_readme(rows, given.rounds)


if __name__ == "__main__":
    main()
