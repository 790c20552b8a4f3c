"""How long pairs of records take as key and response, measured in one run.

    .venv/bin/python benchmarks/run_pairs.py
    .venv/bin/python benchmarks/run_pairs.py --pairs 1000000 10000000

The data are synthetic: every record of the key is linked to a near one, and the
prediction has nine of ten links of the key, and as many others with lower scores.
scoref is timed as a whole process that reads Parquet.
"""

from __future__ import annotations

import argparse
import resource
import subprocess
import sys
import tempfile
import time
from importlib import import_module
from pathlib import Path

import numpy as np

SEED = 2035
KEPT = 0.9  # of the links of the key
NEAR = 4  # a link connects records whose numbers differ by less
UNIT = 1 if sys.platform == "darwin" else 1024


def write(path: Path, columns: dict[str, object]) -> None:
    """Write a Parquet file; ids are texts."""
    arrow = import_module("pyarrow")
    import_module("pyarrow.parquet").write_table(arrow.table(columns), path)


def make(folder: Path, count: int) -> list[str]:
    """Write a key and a response with so many pairs each."""
    arrow, compute = import_module("pyarrow"), import_module("pyarrow.compute")
    chance = np.random.default_rng(SEED)
    left = chance.integers(0, 2 * count, count)
    right = left + chance.integers(1, NEAR, count)
    is_kept = chance.random(count) < KEPT
    other = np.where(is_kept, right, left + chance.integers(1, 100 * NEAR, count))
    score = np.where(is_kept, 0.5, 0.3) + chance.random(count) / 2
    texts = [
        compute.binary_join_element_wise("r", arrow.array(ids).cast("string"), "")
        for ids in (left, right, other)
    ]
    paths = [folder / "gold.parquet", folder / "found.parquet"]
    write(paths[0], {"id_l": texts[0], "id_r": texts[1]})
    found = {"unique_id_l": texts[0], "unique_id_r": texts[2]}
    write(paths[1], {**found, "match_probability": arrow.array(score)})
    return [str(path) for path in paths]


def main() -> None:
    """Print seconds and megabytes for each size."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--pairs", type=int, nargs="+", default=[1_000_000, 10_000_000])
    parser.add_argument("--engine", default="duckdb")
    arguments = parser.parse_args()
    print(f"{'pairs':>12} {'metrics':<24} {'s':>7} {'CPU s':>7} {'MB':>7}")
    for count in arguments.pairs:
        with tempfile.TemporaryDirectory() as name:
            files = make(Path(name), count)
            for metrics in ("links", "links,pairwise,bcub"):
                command = [sys.executable, "-m", "scoref", "table", *files]
                command += ["--threshold", "0.5", "--metrics", metrics]
                command += ["--engine", arguments.engine, "--output", "csv"]
                before = resource.getrusage(resource.RUSAGE_CHILDREN)
                start = time.perf_counter()
                subprocess.run(command, check=True, capture_output=True)
                seconds = time.perf_counter() - start
                after = resource.getrusage(resource.RUSAGE_CHILDREN)
                cpu = (
                    after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
                )
                peak = after.ru_maxrss * UNIT / 1e6
                figures = f"{seconds:>7.1f} {cpu:>7.1f} {peak:>7.0f}"
                print(f"{count:>12,} {metrics:<24} {figures}")


if __name__ == "__main__":
    main()
