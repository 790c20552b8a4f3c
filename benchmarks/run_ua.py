"""How fast Universal Anaphora is read and scored, as ratios measured in one run.

    .venv/bin/python benchmarks/run_ua.py

The same words and mentions are written in Universal Anaphora and in CorefUD, and both
files are read by turns, in one process. Then a document of a thousand plurals a side
is scored.
"""

from __future__ import annotations

import tempfile
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np
from run import SCOREF, best, peak_megabytes, process

from scoref.formats import corefud, universal_anaphora

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

WORDS, DOCUMENTS, SENTENCE = 200_000, 50, 20
EVERY = 5
PLURALS, ELEMENTS = 1_000, 2
TURNS = 9
FORMATS = ("Universal Anaphora", "CorefUD")
COLUMNS = (
    "ID FORM LEMMA UPOS XPOS FEATS HEAD DEPREL DEPS MISC "
    "IDENTITY BRIDGING DISCOURSE_DEIXIS REFERENCE NOM_SEM"
)


def word(number: int, cell: str) -> str:
    """Write a word of Universal Anaphora."""
    text = "word\tword\tNOUN\tNN\t_\t0\troot\t0:root\t_"
    return f"{number}\t{text}\t{cell or '_'}\t_\t_\t_\t_"


def word_of_corefud(number: int, cell: str) -> str:
    """Write a word of CorefUD."""
    misc = f"Entity={cell}" if cell else "_"
    return f"{number}\tword\tword\tNOUN\tNN\t_\t0\troot\t0:root\t{misc}"


def markable(number: int, entity: int, place: int) -> str:
    """Open a markable of Universal Anaphora."""
    return f"(EntityID=e{entity}|MarkableID=markable_{number}|Min={place}"


def corpus(*, is_ua: bool, has_mentions: bool) -> bytes:
    """Write mentions of one and two words, one on every fifth word."""
    rng = np.random.default_rng(7)
    count = WORDS // DOCUMENTS
    lines = [f"# global.columns = {COLUMNS}"] * is_ua
    for document in range(DOCUMENTS):
        lines.append(f"# newdoc id = d{document}")
        lines += ["# global.Entity = eid-etype-head-other"] * (not is_ua)
        cells = [""] * count
        entities = rng.integers(count // EVERY // 4, size=count // EVERY).tolist()
        for number, entity in enumerate(entities if has_mentions else []):
            place, is_long = number * EVERY, number % 2
            opening = f"(e{entity}-x-1-"
            if is_ua:
                opening = markable(number, entity, place + 1)
            cells[place] = opening + ")" * (not is_long)
            if is_long:
                cells[place + 1] = ")" if is_ua else f"e{entity})"
        for place, cell in enumerate(cells):
            if place % SENTENCE == 0:
                lines += [""] * (place > 0)
                lines.append(f"# sent_id = d{document}-{place // SENTENCE}")
            write = word if is_ua else word_of_corefud
            lines.append(write(place % SENTENCE + 1, cell))
        lines.append("")
    return ("\n".join(lines) + "\n").encode()


def by_turns(*actions: Callable[[], object]) -> list[float]:
    """Time actions by turns, so that a busy machine is busy for all of them."""
    times = [[best(action, 1) for action in actions] for _ in range(TURNS)]
    return [min(column) for column in zip(*times, strict=True)]


def compare_readers() -> None:
    """Print how long both formats take to be read."""
    print(f"{f'read {WORDS:,} words':<34} {'s':>7} {'µs/line':>9} {'MB':>9}")
    for name, has_mentions in (("with mentions", True), ("without", False)):
        ua = corpus(is_ua=True, has_mentions=has_mentions)
        ud = corpus(is_ua=False, has_mentions=has_mentions)
        times = by_turns(
            lambda data=ua: universal_anaphora.read(data, source="x.ua"),  # type: ignore[misc]
            lambda data=ud: corefud.read(data, source="x.conllu"),  # type: ignore[misc]
        )
        for format_, seconds, data in zip(FORMATS, times, (ua, ud), strict=True):
            label, micro = f"{format_}, {name}", 1e6 * seconds / WORDS
            print(f"{label:<34} {seconds:>7.3f} {micro:>9.2f} {len(data) / 1e6:>9.1f}")
        print(f"  which is {times[0] / times[1]:.2f} × the time of CorefUD")


def plurals(*, damage: float) -> Iterable[str]:
    """Write a document of plurals; in a damaged one some have other elements."""
    rng = np.random.default_rng(12345)
    count = PLURALS * ELEMENTS
    yield f"# global.columns = {COLUMNS}"
    yield "# newdoc id = d"
    for row in range(count):
        plural = row // ELEMENTS
        if rng.random() < damage:
            plural = int(rng.integers(PLURALS))
        opening = markable(row, row, row + 1)
        yield word(row + 1, f"{opening}|ElementOf=p{plural})")
    for row in range(2 * PLURALS):
        place = count + row + 1
        name = f"EntityID=p{row % PLURALS}|MarkableID=plural_{row}"
        yield word(place, f"({name}|Min={place})")
    yield ""


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
    """Print everything."""
    compare_readers()
    with tempfile.TemporaryDirectory() as name:
        score_plurals(Path(name))


if __name__ == "__main__":
    main()
