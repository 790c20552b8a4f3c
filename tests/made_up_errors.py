"""The errors of made-up texts in columns, as the browser of errors reads them."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Sequence

    from made_up_texts import Json

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
        name: []
        for name in ("kind", "class", "distance", "size", "words", "antecedent")
    }
    columns |= {name: [] for name in ("entity", "more", "others")}
    columns["count"] = [len(_errors(text, place)) for text in texts]
    for text in texts:
        for error in _errors(text, place):
            for name, value in _row(text or {}, place, error, said).items():
                columns[name].append(value)
    gains = [7 * row % 31 - 1 for row in range(len(columns["kind"]))]
    columns["gains"] = {"conll": {"digits": 4, "values": gains}}
    return columns


def _errors(text: Json | None, place: int) -> list[Json]:
    found: list[Json] = text["systems"][place]["errors"] if text else []
    return found


def _row(text: Json, place: int, error: Json, said: dict[str, int]) -> Json:
    key, response = text["key"], text["systems"][place]
    ours, theirs = error["key_mentions"], error["response_mentions"]
    side, mention = (key, ours[0]) if ours else (response, theirs[0])
    entity = side["mentions"][mention][0]
    rows = [row for row, each in enumerate(side["mentions"]) if each[0] == entity]
    before = [row for row in rows if row < mention]
    wrong = {row for each in _errors(text, 1 - place) for row in each["key_mentions"]}

    def words(row: int) -> int:
        _, start, end, *_ = side["mentions"][row]
        return said.setdefault(" ".join(text["words"][start : end + 1]), len(said))

    return {
        "kind": error["kind"],
        "class": CLASSES.index(side["classes"][mention]),
        "distance": 1 if before else len(DISTANCES) - 1,
        "size": sum(len(rows) >= bound for bound in _BOUNDS),
        "words": words(mention),
        "antecedent": words(before[-1]) if ours and before else -1,
        "entity": words(before[-1]) if theirs and before else -1,
        "more": max(len(ours), len(theirs)) - 1,
        "others": 1 << (1 - place) if ours and ours[0] in wrong else 0,
    }
