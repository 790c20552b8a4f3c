"""The errors of made-up texts in columns, as the browser of errors reads them."""

from __future__ import annotations

from bisect import bisect_left
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from support.page_texts import Json

CLASSES = ("pronoun", "name")
DISTANCES = ("0", "1", "2", "3-5", "6-", "first")
_BOUNDS = (2, 3, 6, 11)


def columns_of(texts: Sequence[Json | None], systems: int) -> Json:
    """List the errors of each system, each by the words of its first mention."""
    said: dict[str, int] = {}
    return {
        "systems": [_system(texts, place, said) for place in range(systems)],
        "classes": list(CLASSES),
        "distances": list(DISTANCES),
        "texts": list(said),
    }


def _system(texts: Sequence[Json | None], place: int, said: dict[str, int]) -> Json:
    columns: Json = {
        name: [] for name in ("kind", "class", "distance", "size", "words", "entity")
    }
    columns |= {name: [] for name in ("company", "amount", "more", "others")}
    columns["count"] = [len(_errors(text, place)) for text in texts]
    for text in texts:
        for row in _Rows(text, place, said).rows() if text else ():
            for name, value in row.items():
                columns[name].append(value)
    gains = [7 * row % 31 - 1 for row in range(len(columns["kind"]))]
    columns["gains"] = {"conll": {"digits": 4, "values": gains}}
    return columns


def _errors(text: Json | None, place: int) -> list[Json]:
    found: list[Json] = text["systems"][place]["errors"] if text else []
    return found


class _Rows:
    """The errors of one system in one text."""

    def __init__(self, text: Json, place: int, said: dict[str, int]) -> None:
        self._text, self._place, self._said = text, place, said
        self._sides = text["key"], text["systems"][place]
        others = _errors(text, 1 - place)
        self._wrong = {row for each in others for row in each["key_mentions"]}
        self._chains: list[dict[int, list[int]]] = [{}, {}]
        for side, chains in zip(self._sides, self._chains, strict=True):
            for row, (entity, *_) in enumerate(side["mentions"]):
                chains.setdefault(entity, []).append(row)

    def rows(self) -> Iterator[Json]:
        return map(self._row, _errors(self._text, self._place))

    def _row(self, error: Json) -> Json:
        ours, theirs = error["key_mentions"], error["response_mentions"]
        number, mention = (0, ours[0]) if ours else (1, theirs[0])
        side = self._sides[number]
        chain = self._chains[number][side["mentions"][mention][0]]
        rank = bisect_left(chain, mention)
        before = self._words(side, chain[rank - 1]) if rank else -1
        return {
            "kind": error["kind"],
            "class": CLASSES.index(side["classes"][mention]),
            "distance": 1 if rank else len(DISTANCES) - 1,
            "size": sum(len(chain) >= bound for bound in _BOUNDS),
            "words": self._words(side, mention),
            "entity": before if ours else -1,
            "company": before if theirs else -1,
            "amount": -1,
            "more": max(len(ours), len(theirs)) - 1,
            "others": self._others(ours),
        }

    def _others(self, ours: list[int]) -> int:
        return 1 << (1 - self._place) if ours and ours[0] in self._wrong else 0

    def _words(self, side: Json, row: int) -> int:
        _, start, end, *_ = side["mentions"][row]
        words = " ".join(self._text["words"][start : end + 1])
        return self._said.setdefault(words, len(self._said))
