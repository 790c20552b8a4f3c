"""Deliberate faults, one at a time: does the suite catch each of them?

    make mutants

Each is put into a copy of the sources, and the tests that stand for its module are run
there. A fault that they do not notice is one that anybody could make.
"""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
import tempfile
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import NamedTuple

ROOT = Path(__file__).parent.parent
COPIED = ("src", "tests", "docs", "examples", "pyproject.toml", "README.md")


class Mutant(NamedTuple):
    """A fault: what is written in place of what, and who should notice."""

    file: str
    old: str
    new: str
    tests: str


METRICS = "metrics conformance/test_conformance_reference.py"
MATCHING = "matching conformance/test_conformance_reference.py"
CONLL = "formats/test_conll2012.py formats/test_brackets.py"
MUTANTS = (
    # metrics: signs, denominators, sides
    Mutant("metrics/muc.py", "table.key_plural - 1, 0", "table.key_plural, 0", METRICS),
    Mutant("metrics/muc.py", "table.key_total - table.key_entities", "table.key_total", METRICS),
    Mutant("metrics/muc.py", "(*_recall(table), *_recall(table.swapped))", "(*_recall(table.swapped), *_recall(table))", METRICS),
    Mutant("metrics/b_cubed.py", "found * (table.key_mates", "found + (table.key_mates", METRICS),
    Mutant("metrics/b_cubed.py", "size = table.key_size.astype", "size = (table.key_size + 1).astype", METRICS),
    Mutant("metrics/ceaf.py", "return 2 * _overlap(table)", "return _overlap(table)", METRICS),
    Mutant("metrics/ceaf.py", "columns(total, table.key_total, total, table.swapped.key_total)", "columns(total, table.swapped.key_total, total, table.key_total)", METRICS),
    Mutant("metrics/ceaf.py", "min(_FINEST, _BITS - 1", "min(1, _BITS - 1", METRICS),
    Mutant("metrics/ceaf.py", "order = np.lexsort((response, key))", "order = np.arange(len(key))[::-1]", "metrics scoring"),
    Mutant("metrics/lea.py", "table.response_size[table.cell_response] == 1\n        alone = is", "table.response_size[table.cell_response] >= 1\n        alone = is", METRICS),
    Mutant("metrics/lea.py", "size = np.where(size > 1, size, 0)", "size = np.where(size > 2, size, 0)", METRICS),
    Mutant("metrics/blanc.py", "whole[..., 1:2] if rule", "whole[..., 1:3] if rule", METRICS),
    Mutant("metrics/blanc.py", "- together[1] +", "+ together[1] +", METRICS),
    # matching: ties, filters, phases
    Mutant("matching/spans.py", "side.where(size[side.entity] > 1)", "side.where(size[side.entity] > 0)", MATCHING),
    Mutant("matching/spans.py", "np.bincount(side.entity[once],", "np.bincount(side.entity,", MATCHING),
    Mutant("matching/duplicates.py", "kept = ~again | ~np.isin", "kept = last_listed(side) | ~np.isin", MATCHING),
    Mutant("matching/spans.py", "length, widest = int(end.max()) + 1", "length, widest = int(end.max())", MATCHING),
    Mutant("matching/spans.py", "* np.int64(widest) + extent", "* np.int64(widest)", MATCHING),
    Mutant("matching/words.py", "kept &= size[entity] > 1", "kept &= size[entity] > 2", MATCHING),
    Mutant("matching/words.py", "free[0][pairs.key] = free[1][pairs.response] = False", "free[0][pairs.key] = False", MATCHING),
    # readers: which bracket closes, which token, which line
    Mutant("formats/brackets.py", "waiting[label].pop()", "waiting[label].pop(0)", CONLL),
    Mutant("formats/brackets.py", "token[row[opened]],", "token[row[opened]] + 1,", CONLL),
    Mutant("formats/brackets.py", "rows[row[closed]] + 1,", "rows[row[closed]],", CONLL),
    Mutant("formats/json_lines.py", 'if role == "response" and (is_shared or _has_response(data)):', "if is_shared or _has_response(data):", "formats/test_json_lines.py"),
    Mutant("contingency/tabulation.py", "last_listed(key), last_listed(response)", "last_listed(response), last_listed(key)", METRICS),
)  # fmt: skip


def tried(tests: str, mutant: Mutant | None = None) -> str | None:
    """Run tests on a copy of the sources; name the first one that fails, if any does."""
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        for each in COPIED:
            copy = shutil.copytree if (ROOT / each).is_dir() else shutil.copy
            copy(ROOT / each, folder / each)
        if mutant is not None:
            infect(folder / "src" / "scoref" / mutant.file, mutant)
        paths = [str(Path("tests") / each) for each in tests.split()]
        done = subprocess.run(
            [sys.executable, "-m", "pytest", "-x", "-q", "-n", "0", *paths],
            cwd=folder,
            env={**os.environ, "PYTHONPATH": str(folder / "src")},
            capture_output=True,
            text=True,
            check=False,
        )
    failed = re.search(r"^(?:FAILED|ERROR) (.*?)(?: - |$)", done.stdout, re.MULTILINE)
    if done.returncode not in {0, 1} or (done.returncode == 1) != bool(failed):
        raise SystemExit(f"the tests did not run:\n{done.stdout[-2000:]}{done.stderr}")
    return failed[1] if failed else None


def infect(file: Path, mutant: Mutant) -> None:
    """Write the fault into a file."""
    text = file.read_text(encoding="utf-8")
    if mutant.old not in text:
        raise SystemExit(f"{mutant.file} has changed: no '{mutant.old}' in it")
    file.write_text(text.replace(mutant.old, mutant.new), encoding="utf-8")


def main() -> None:
    """Try all of them, and name those that nobody noticed."""
    alive = 0
    with ThreadPoolExecutor(os.cpu_count()) as pool:
        # Sound sources must pass, or every fault would look caught.
        selections = sorted({mutant.tests for mutant in MUTANTS})
        for tests, failed in zip(selections, pool.map(tried, selections), strict=True):
            if failed:
                raise SystemExit(f"without any fault, {failed} fails")
            print(f"{'sound':<9} {tests}", flush=True)
        found = pool.map(lambda mutant: tried(mutant.tests, mutant), MUTANTS)
        for mutant, failed in zip(MUTANTS, found, strict=True):
            alive += failed is None
            word = "caught" if failed else "SURVIVES"
            print(f"{word:<9} {mutant.file}: {mutant.new!r} {failed or ''}", flush=True)
    sys.exit(alive > 0)


if __name__ == "__main__":
    main()
