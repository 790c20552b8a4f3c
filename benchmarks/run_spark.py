"""scoref on Spark and a hand-written Spark job, on the same tables, in one run.

    .venv/bin/python benchmarks/run_spark.py
    .venv/bin/python benchmarks/run_spark.py --rows 3000000 30000000 --rounds 3

Both run in local mode, in processes of their own, with the partitions that scoref
chooses. Times are CPU seconds of Python and Java together, and the median of the
rounds; both take turns. `spark_job.py` is the hand-written job, which computes three
metrics; scoref computes all of its metrics for tables but CEAF. It needs Linux.
"""

from __future__ import annotations

import argparse
import ctypes
import os
import resource
import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path

import run_tables

from scoref.records.file_types import Files
from scoref.records.sources import recognise
from scoref.records.spark_engine import partitions_for, rows_of_files

JOB = [sys.executable, str(Path(__file__).with_name("spark_job.py"))]
BECOME_REAPER = 36  # PR_SET_CHILD_SUBREAPER


def take(command: list[str]) -> tuple[float, float]:
    """Return CPU seconds of a process and what it started, and seconds by the clock."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    start = time.perf_counter()
    done = subprocess.run(command, check=False, capture_output=True, text=True)
    elapsed = time.perf_counter() - start
    if done.returncode:
        raise SystemExit(f"{' '.join(command)}: {done.stderr.strip()[-500:]}")
    while True:  # Java ends after Python, and is a child of this process then
        try:
            os.wait()
        except ChildProcessError:
            break
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    cpu = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
    return cpu, elapsed


def partitions(files: list[str]) -> int:
    """Return how many partitions scoref chooses for these files."""
    tables = [recognise(path, "key") for path in files]
    rows = sum(rows_of_files(table) for table in tables if isinstance(table, Files))
    return partitions_for(rows, os.cpu_count() or 1)


def compare(name: str, files: list[str], ours: list[str], rounds: int) -> None:
    """Print one line: both times, and their ratio with its spread."""
    job = [*JOB, str(partitions(files)), *files]
    engine = ["--engine", "spark", "--no-ceaf"]
    pairs = [
        (take([*run_tables.TABLE, *files, *ours, *engine]), take(job))
        for _ in range(rounds)
    ]
    own, theirs = (statistics.median(pair[i][0] for pair in pairs) for i in (0, 1))
    ratios = sorted(pair[0][0] / pair[1][0] for pair in pairs)
    spread = f"{ratios[0]:.2f} to {ratios[-1]:.2f}"
    ratio = statistics.median(ratios)
    clock = statistics.median(pair[0][1] for pair in pairs)
    print(
        f"{name:<34} {own:>8.1f} {theirs:>8.1f} {ratio:>6.2f} ({spread}) {clock:>8.1f}",
        flush=True,
    )


def main() -> None:
    """Print a line for each table."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--rows", type=int, nargs="+", default=[3 * 10**6])
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--two", action="store_true", help="also join two files")
    options = parser.parse_args()
    ctypes.CDLL(None).prctl(BECOME_REAPER, 1, 0, 0, 0)
    print(f"{'CPU s':<34} {'scoref':>8} {'job':>8} {'ratio':>6} {'clock s':>22}")
    for rows in options.rows:
        with tempfile.TemporaryDirectory() as place:
            folder = Path(place)
            run_tables.write(folder, rows)
            one = [str(folder / "both.parquet")]
            compare(f"{rows:,} rows", one, [*run_tables.BOTH], options.rounds)
            if options.two:
                both = [str(folder / f"{side}.parquet") for side in ("key", "response")]
                compare(f"{rows:,} rows, two files", both, [], options.rounds)


if __name__ == "__main__":
    main()
