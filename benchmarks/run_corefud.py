"""How fast CorefUD is scored, as ratios measured in one run.

    .venv/bin/python benchmarks/run_corefud.py [KEY.conllu RESPONSE.conllu]

Without files, a made-up corpus of sixty thousand lines is scored. Then the same
hundred times over, and one document of 50,000 mentions, head and partial match.
"""

from __future__ import annotations

import sys
import tempfile
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np
from run import SCOREF, best, peak_megabytes, process

if TYPE_CHECKING:
    from collections.abc import Iterable

SENTENCE = 20
TIMES = 100


def sentences(
    document: str, mentions: int, rng: np.random.Generator, *, damage: float
) -> Iterable[str]:
    """Write a document of nested mentions; a damaged one differs in spans and links."""
    plan = np.random.default_rng(7)  # the same text on both sides
    entities = max(1, mentions // 4)
    yield f"# newdoc id = {document}"
    yield "# global.Entity = eid-etype-head-other"
    for number in range(mentions // 4):
        cells: list[list[str]] = [[] for _ in range(SENTENCE)]
        for place in range(4):
            start = 5 * place
            length = int(plan.integers(1, 4))
            head = int(plan.integers(1, length + 1))
            entity = int(plan.integers(entities))
            if rng.random() < damage:
                entity = int(rng.integers(entities))
            if rng.random() < damage:
                length = max(length, head) + 1
            if length == 1:
                cells[start].append(f"(e{entity}-x-1-)")
            else:
                cells[start].append(f"(e{entity}-x-{head}-")
                cells[start + length - 1].insert(0, f"e{entity})")
        yield f"# sent_id = {document}-{number}"
        for word, cell in enumerate(cells, start=1):
            misc = f"Entity={''.join(cell)}" if cell else "_"
            yield f"{word}\tword\tword\tNOUN\tNN\t_\t0\troot\t0:root\t{misc}"
        yield ""


def write(path: Path, documents: int, mentions: int, *, damage: float) -> str:
    """Write a file."""
    rng = np.random.default_rng(12345)
    lines = [
        line
        for document in range(documents)
        for line in sentences(f"d{document}", mentions, rng, damage=damage)
    ]
    path.write_text("\n".join(lines) + "\n", encoding="utf-8")
    return str(path)


def repeated(path: str, out: Path) -> str:
    """Write a file many times over, with other names for its documents."""
    text = Path(path).read_text(encoding="utf-8").rstrip("\n")
    with out.open("w", encoding="utf-8") as file:
        for time in range(TIMES):
            copy = text.replace("# newdoc id = ", f"# newdoc id = {time}_")
            file.write(copy.replace("# sent_id = ", f"# sent_id = {time}_") + "\n\n")
    return str(out)


def read_against_the_limit(path: str) -> float:
    """Compare reading with reading the bytes and splitting them into lines."""
    from scoref.formats import reading  # what is measured

    limit = best(lambda: Path(path).read_bytes().split(b"\n"), 3)
    return best(lambda: reading.read(path, role="key"), 3) / limit


def report(name: str, yardstick: float, *command: str, repeats: int = 5) -> float:
    """Print one line."""
    seconds = best(lambda: process(*SCOREF, *command), repeats)
    peak = peak_megabytes(*SCOREF, *command)
    print(f"{name:<34} {seconds:>7.2f} {seconds / yardstick:>9.1f} {peak:>9.0f}")
    return seconds


def main() -> None:
    """Print everything."""
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        given = sys.argv[1:] or [
            write(folder / "key.conllu", 46, 220, damage=0.0),
            write(folder / "response.conllu", 46, 220, damage=0.2),
        ]
        yardstick = best(lambda: process(sys.executable, "-c", "import numpy"))
        print(f"import numpy, a whole process: {yardstick:.3f} s\n")
        print(f"{'scoref KEY RESPONSE':<34} {'s':>7} {'× numpy':>9} {'peak MB':>9}")
        small = report("all metrics", yardstick, *given)
        both = [repeated(path, folder / f"{i}.conllu") for i, path in enumerate(given)]
        large = report(f"{TIMES} times over", yardstick, *both, repeats=1)
        print(f"  which takes {large / small:.0f} × the time")
        book = [
            write(folder / "book.key.conllu", 1, 50_000, damage=0.0),
            write(folder / "book.response.conllu", 1, 50_000, damage=0.2),
        ]
        for match in ("head", "partial"):
            label = f"one document, 50,000 mentions, {match}"
            report(label, yardstick, *book, "--match", match, repeats=1)
        print(f"\nread ÷ limit: {read_against_the_limit(given[0]):.1f}", end="")
        print(f", {TIMES} times over {read_against_the_limit(both[0]):.1f}")


if __name__ == "__main__":
    main()
