"""How fast tables are scored, and how the time grows, measured in one run.

    .venv/bin/python benchmarks/run_tables.py
    .venv/bin/python benchmarks/run_tables.py --rows 1000000 10000000 100000000
    .venv/bin/python benchmarks/run_tables.py --sql 5 --rows 10000000  # DuckDB by hand

scoref is timed as a whole process that reads Parquet; the peers, each in a process of
its own, only from when their data are in memory. Install them first:
`.venv/bin/pip install scikit-learn er-evaluation neleval`. Each runs up to the size
that it manages in minutes.
"""

from __future__ import annotations

import argparse
import itertools
import subprocess
import sys
import tempfile
import time
from importlib import import_module
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from scoref.model import Ints

SEED = 2014
NOISE = 0.1  # of the mentions are in a wrong cluster
BLOCK = 8  # clusters that look alike: nine of ten errors stay among them
EXPONENT = 2.0
LARGEST = 10_000
CHUNK = 5_000_000
MEMORY = "2GB"
UNIT = 1 if sys.platform == "darwin" else 1024

RAW = """
import sys, duckdb
database = duckdb.connect()
database.execute("SET preserve_insertion_order = false")
read = "read_parquet(?)"
if sys.argv[1].endswith(".csv"):
    read = "read_csv(?, header = true, all_varchar = true)"
(figures,) = database.execute(f'''
    WITH cells AS MATERIALIZED (
        SELECT key, response, count(*) AS n FROM {read} GROUP BY ALL),
    keys AS (SELECT key, sum(n) AS a FROM cells GROUP BY key),
    responses AS (SELECT response, sum(n) AS b FROM cells GROUP BY response)
    SELECT sum(n * (n - 1) / 2), (SELECT sum(a * (a - 1) / 2) FROM keys),
           (SELECT sum(b * (b - 1) / 2) FROM responses), sum(n * n / a),
           sum(n * n / b), sum(n), count(CASE WHEN n = a AND n = b THEN 1 END),
           (SELECT count(*) FROM keys), (SELECT count(*) FROM responses)
    FROM cells JOIN keys USING (key) JOIN responses USING (response)
''', [sys.argv[1]]).fetchall()
print(figures)
"""  # by hand: pairwise, B³ and exact clusters, without a check for repeated records

TABLE = [sys.executable, "-m", "scoref", "table"]
COLUMNS = ("--mention", "mention", "--key-cluster", "key")
BOTH = (*COLUMNS, "--response-cluster", "response")


class Run(NamedTuple):
    """Seconds by the clock and of all cores, and megabytes, of a process."""

    seconds: float
    cpu: float
    megabytes: float


def sizes(rows: int, rng: np.random.Generator) -> Ints:
    """Draw cluster sizes by Zipf's law until there are enough mentions."""
    drawn = np.minimum(rng.zipf(EXPONENT, size=rows), LARGEST)
    needed = int(np.searchsorted(np.cumsum(drawn), rows)) + 1
    found = drawn[:needed]
    found[-1] -= int(found.sum()) - rows
    return found


def clusterings(rows: int) -> tuple[Ints, Ints]:
    """Make a key and a response that errs: near by as a rule, anywhere at times."""
    rng = np.random.default_rng(SEED)
    of_key = sizes(rows, rng)
    key = np.repeat(np.arange(len(of_key)), of_key)
    response = key.copy()
    wrong = np.flatnonzero(rng.random(rows) < NOISE)
    near = key[wrong] // BLOCK * BLOCK + rng.integers(0, BLOCK, len(wrong))
    far = rng.integers(0, len(of_key), len(wrong))
    response[wrong] = np.where(rng.random(len(wrong)) < 1 - NOISE, near, far)
    order = rng.permutation(rows)
    return key[order], response[order]


def write(folder: Path, rows: int) -> None:
    """Write one file with both columns, and two with ids as text in another order."""
    pa, pq = import_module("pyarrow"), import_module("pyarrow.parquet")
    key, response = clusterings(rows)
    both = pa.table({"mention": np.arange(rows), "key": key, "response": response})
    pq.write_table(both, folder / "both.parquet")
    del both
    order = np.random.default_rng(SEED + 1).permutation(rows)
    sides = {"key": (np.arange(rows), key), "response": (order, response[order])}
    for side, (mention, cluster) in sides.items():
        schema = pa.schema([("mention", pa.string()), ("cluster", pa.string())])
        with pq.ParquetWriter(folder / f"{side}.parquet", schema) as writer:
            for start in range(0, rows, CHUNK):
                chunk = slice(start, start + CHUNK)
                columns = [
                    pa.array(each[chunk]).cast(pa.string())
                    for each in (mention, cluster)
                ]
                writer.write_table(pa.table(columns, schema=schema))


def write_csv(folder: Path) -> None:
    """Write the file with both columns as CSV, plain and with quoted fields."""
    duckdb = import_module("duckdb")
    rows = f"FROM '{folder / 'both.parquet'}'"
    for name, options in (("plain", ""), ("quoted", ", FORCE_QUOTE *")):
        path = folder / f"{name}.csv"
        duckdb.sql(f"COPY ({rows}) TO '{path}' (FORMAT csv, HEADER{options})")


def compare_with_sql(folder: Path, rounds: int) -> None:
    """Print CPU seconds of scoref and of DuckDB's raw query, and their ratio."""
    write_csv(folder)
    shared = ("--metrics", "pairwise,cluster,bcub-entity")
    for name in ("both.parquet", "plain.csv", "quoted.csv"):
        path = str(folder / name)
        own, all_metrics, raw = (
            [run.cpu for run in runs]
            for runs in zip(
                *(
                    (
                        measured(*TABLE, path, *BOTH, *shared),
                        measured(*TABLE, path, *BOTH, "--no-ceaf"),
                        measured(sys.executable, "-c", RAW, path),
                    )
                    for _ in range(rounds)
                ),
                strict=True,
            )
        )
        for what, times in (("the same metrics", own), ("all but CEAF", all_metrics)):
            ratio = min(times) / min(raw)
            figures = f"{min(times):>8.2f} {min(raw):>8.2f} {ratio:>8.2f} ×"
            print(f"{name + ', ' + what:<32} {figures}", flush=True)


def measured(*command: str) -> Run:
    """Run a command in a process of its own; ask for its time and its memory."""
    program = (
        "import resource, subprocess, sys, time\n"
        "start = time.perf_counter()\n"
        "subprocess.run(sys.argv[1:], check=True, stdout=subprocess.DEVNULL)\n"
        "used = resource.getrusage(resource.RUSAGE_CHILDREN)\n"
        "cpu = used.ru_utime + used.ru_stime\n"
        "print(time.perf_counter() - start, cpu, used.ru_maxrss)\n"
    )
    done = subprocess.run(
        [sys.executable, "-c", program, *command], check=True, capture_output=True
    )
    seconds, cpu, peak = map(float, done.stdout.split())
    return Run(seconds, cpu, peak * UNIT / 1e6)


def ours(folder: Path) -> Iterator[tuple[str, Run]]:
    """Time the command."""
    one = [*TABLE, str(folder / "both.parquet"), *BOTH, "--memory", MEMORY]
    files = [str(folder / f"{side}.parquet") for side in ("key", "response")]
    two = [*TABLE, *files, "--memory", MEMORY, "--no-ceaf"]
    shared = ("--metrics", "pairwise,cluster,bcub-entity")
    yield "scoref, er-evaluation's figures", measured(*one, *shared)
    yield "scoref, all but CEAF", measured(*one, "--no-ceaf")
    yield "scoref, with CEAF", measured(*one)
    yield "scoref, two files, text ids", measured(*two)


def is_installed(module: str) -> bool:
    """Tell whether a peer is there."""
    return find_spec(module.partition(".")[0]) is not None


def peers(folder: Path, rows: int) -> Iterator[tuple[str, Run]]:
    """Time what others have, where it is installed."""
    for name, peer in PEERS.items():
        if not is_installed(peer.module) or rows > peer.most_rows:
            continue
        done = subprocess.run(
            [sys.executable, __file__, "--peer", name, str(folder)],
            check=True,
            capture_output=True,
            text=True,
        )
        yield name, Run(*map(float, done.stdout.split()))


def run_peer(name: str, folder: str) -> None:
    """Be the process of a peer: print its seconds and its peak."""
    import resource  # not everywhere

    table = import_module("pyarrow.parquet").read_table(Path(folder, "both.parquet"))
    key, response = (table[side].to_numpy() for side in ("key", "response"))
    peer = PEERS[name]
    import_module(peer.module)
    start, cpu = time.perf_counter(), time.process_time()
    peer.run(key, response)
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * UNIT / 1e6
    print(time.perf_counter() - start, time.process_time() - cpu, peak)


def scikit_learn(key: Ints, response: Ints) -> None:
    """Compute the indices that scikit-learn has."""
    metrics = import_module("sklearn.metrics")
    metrics.adjusted_rand_score(key, response)
    metrics.homogeneity_completeness_v_measure(key, response)
    metrics.fowlkes_mallows_score(key, response)


def er_evaluation(key: Ints, response: Ints) -> None:
    """Compute the metrics that er-evaluation has."""
    theirs, pandas = import_module("er_evaluation.metrics"), import_module("pandas")
    prediction, reference = pandas.Series(response), pandas.Series(key)
    names = [
        *(f"pairwise_{figure}" for figure in ("precision", "recall", "f")),
        *(f"cluster_{figure}" for figure in ("precision", "recall", "f")),
        *(f"b_cubed_{figure}" for figure in ("precision", "recall", "f")),
    ]
    for name in names:
        getattr(theirs, name)(prediction, reference)


def neleval(key: Ints, response: Ints) -> None:
    """Compute what neleval has for the same table, from sets of mentions."""
    theirs = import_module("neleval.coref_metrics")
    entities: list[dict[int, set[int]]] = [{}, {}]
    for side, clusters in zip(entities, (key, response), strict=True):
        for mention, cluster in enumerate(clusters.tolist()):
            side.setdefault(cluster, set()).add(mention)
    for name in ("pairwise", "muc", "b_cubed"):
        getattr(theirs, name)(*entities)


class Peer(NamedTuple):
    """What is timed, and up to which size."""

    module: str
    run: Callable[[Ints, Ints], None]
    most_rows: int


PEERS = {
    "scikit-learn: ARI, V, FMI": Peer("sklearn.metrics", scikit_learn, 10**7),
    "er-evaluation: nine figures": Peer("er_evaluation.metrics", er_evaluation, 10**7),
    "neleval: pairwise, MUC, B³": Peer("neleval.coref_metrics", neleval, 10**4),
}


def main() -> None:
    """Print a table for each size; growth is that of CPU seconds."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--rows", type=int, nargs="+", default=[10**4, 10**6, 10**7])
    parser.add_argument("--peer", nargs=2, metavar=("NAME", "FOLDER"))
    parser.add_argument("--sql", type=int, metavar="ROUNDS", help="only raw SQL")
    options = parser.parse_args()
    if options.peer:
        run_peer(*options.peer)
        return
    if options.sql:
        for rows in options.rows:
            head = f"{'CPU s':>8} {'raw SQL':>8} {'ratio':>8}"
            print(f"\n{f'{rows:,} mentions':<32} {head}")
            with tempfile.TemporaryDirectory() as place:
                write(Path(place), rows)
                compare_with_sql(Path(place), options.sql)
        return
    for name, peer in PEERS.items():
        if not is_installed(peer.module):
            print(f"{name.partition(':')[0]} is not installed: left out")
    before: dict[str, float] = {}
    for rows in options.rows:
        head = f"{'s':>8} {'CPU s':>8} {'peak MB':>9} {'growth':>8}"
        print(f"\n{f'{rows:,} mentions':<32} {head}")
        with tempfile.TemporaryDirectory() as place:
            folder = Path(place)
            write(folder, rows)
            for name, run in itertools.chain(ours(folder), peers(folder, rows)):
                grown = f"{run.cpu / before[name]:.1f} ×" if name in before else ""
                before[name] = run.cpu
                figures = f"{run.seconds:>8.2f} {run.cpu:>8.2f} {run.megabytes:>9.0f}"
                print(f"{name:<32} {figures} {grown:>8}", flush=True)


if __name__ == "__main__":
    main()
