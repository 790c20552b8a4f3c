"""How many instructions four runs take, which does not depend on how busy a machine is.

    make instructions            compares with benchmarks/instructions.json
    make instructions UPDATE=1   writes them anew

A run that takes over 5 % more than its count is a failure. The counts depend on Python,
NumPy and the processor, whose kernels for arrays differ. Where these are others, or
valgrind is missing, nothing is compared, and a line says so.
"""

from __future__ import annotations

import argparse
import json
import os
import platform
import re
import shutil
import subprocess
import sys
import tempfile
from importlib.metadata import version
from pathlib import Path

from corpora import Shape, write_corefud, write_pair

COUNTS = Path(__file__).with_suffix(".json")
EXAMPLES = Path(__file__).parent.parent / "examples"
TOLERANCE = 0.05
COLLECTED = re.compile(r"Collected : (\d+)")
SMALL = Shape(documents=20, mentions=150, entities=40, slot=6)


def machine() -> dict[str, str]:
    """Return what the counts depend on."""
    model = re.compile(r"^model name\s*: (.+)$", re.MULTILINE)
    described = Path("/proc/cpuinfo")
    text = described.read_text(encoding="utf-8") if described.exists() else ""
    processor = model.search(text)
    return {
        "python": platform.python_version(),
        "numpy": version("numpy"),
        "processor": processor[1] if processor else platform.processor(),
    }


def runs(folder: Path) -> dict[str, list[str]]:
    """Return the arguments of each run, and write its files."""
    small, corefud = [], []
    for side, damage in (("key", 0.0), ("response", 0.2)):
        small.append(str(EXAMPLES / f"{side}.conll"))
        path = folder / f"{side}.conllu"
        corefud.append(write_corefud(path, 10, 150, damage=damage))
    return {
        "--help": ["--help"],
        "two documents": small,
        "CoNLL-2012, 20 documents": list(map(str, write_pair(folder, SMALL))),
        "CorefUD, 10 documents": corefud,
    }


def count(arguments: list[str]) -> int:
    """Return how many instructions a run takes."""
    scoref = [sys.executable, "-m", "scoref", *arguments]
    environment = {**os.environ, "PYTHONHASHSEED": "0", "OPENBLAS_NUM_THREADS": "1"}
    environment.pop("PYTHONDONTWRITEBYTECODE", None)
    # The first run writes the bytecode.
    subprocess.run(scoref, check=True, env=environment, capture_output=True)
    valgrind = ["valgrind", "--tool=callgrind", "--callgrind-out-file=/dev/null"]
    done = subprocess.run(
        [*valgrind, *scoref], check=True, env=environment, capture_output=True
    )
    collected = COLLECTED.search(done.stderr.decode("utf-8", "replace"))
    if collected is None:
        raise SystemExit("valgrind printed no count")
    return int(collected[1])


def main() -> int:
    """Count, and compare or write the counts."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--update", action="store_true", help="Write the counts anew.")
    is_update = parser.parse_args().update
    if shutil.which("valgrind") is None:
        print("instructions: skipped, because valgrind is not installed")
        return int(is_update)
    known = {} if is_update else json.loads(COUNTS.read_text(encoding="utf-8"))
    here = machine()
    if not is_update and known["machine"] != here:
        print(f"instructions: skipped. Counted on {known['machine']}, this is {here}")
        return 0
    with tempfile.TemporaryDirectory() as folder:
        counts = {name: count(given) for name, given in runs(Path(folder)).items()}
    if is_update:
        written = json.dumps({"machine": here, "counts": counts}, indent=2)
        COUNTS.write_text(written + "\n", encoding="utf-8")
    return report(counts, counts if is_update else known["counts"])


def report(counts: dict[str, int], known: dict[str, int]) -> int:
    """Print each count and its change; return 1 if one grew too much."""
    most = {name: (1 + TOLERANCE) * number for name, number in known.items()}
    slower = [name for name, number in counts.items() if number > most[name]]
    for name, number in counts.items():
        change = number / known[name] - 1
        mark = "  too many" if name in slower else ""
        print(f"{name:<26} {number / 1e6:8.1f} million {change:+7.1%}{mark}")
    if slower:
        print("Make these runs faster, or accept it with `make instructions UPDATE=1`.")
    return int(bool(slower))


if __name__ == "__main__":
    sys.exit(main())
