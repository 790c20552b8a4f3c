"""Errors from their definition: sets, all pairs, a response that is really repaired.

A mention is a place in the text, such as (document, first, last), and must sort as the
text does. Both sides are entities by name, each a set of mentions; no mention is in two
entities of a side.
"""

from __future__ import annotations

from fractions import Fraction
from itertools import product
from typing import TYPE_CHECKING, NamedTuple

from support.oracle_metrics import bcub, ceafe, muc

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Iterable

Mention = tuple[int, ...]
Entities = dict[str, set[Mention]]
Error = tuple[str, frozenset[Mention], frozenset[Mention]]
Unit = tuple[str, Mention]

STEPS = (
    "span",
    "conflated-entity",
    "wrong-link",
    "extra-mention",
    "extra-entity",
    "missing-mention",
    "missing-entity",
    "divided-entity",
)


class Case(NamedTuple):
    """Two sides, who was matched with whom, and the words of every mention."""

    key: Entities
    response: Entities
    matched: dict[Mention, Mention]
    words: Callable[[str, Mention], frozenset[int]]
    can_pair: Callable[[Mention, Mention], bool] = lambda _, __: True
    floor: Fraction = Fraction(1, 2)  # of their words, where there are no heads


def equal_spans(key: Entities, response: Entities) -> Case:
    """Match spans that are the same."""
    both = set().union(*key.values()) & set().union(*response.values())

    def words(_: str, mention: Mention) -> frozenset[int]:
        document, first, last = mention
        return frozenset(1000 * document + word for word in range(first, last + 1))

    return Case(key, response, {each: each for each in both}, words)


class Found(NamedTuple):
    """What is wrong, and where most of each entity is."""

    case: Case
    pairs: dict[Mention, Mention]
    cells: dict[tuple[str, str], set[Mention]]
    kind: dict[tuple[str, str], str]
    home: dict[str, str]

    def errors(self) -> list[Error]:
        """List every error."""
        counterpart = self.case.matched | self.pairs
        found: list[Error] = [
            ("span", frozenset({one}), frozenset({other}))
            for one, other in self.pairs.items()
        ]
        for cell, kind in self.kind.items():
            if kind:
                ours = frozenset(self.cells[cell])
                theirs = frozenset(counterpart[each] for each in ours)
                found.append((kind, ours, theirs))
        nobody: frozenset[Mention] = frozenset()
        for kind, group in self.extra():
            found.append((kind, nobody, group))
        for kind, group in self.missing():
            found.append((kind, group, nobody))
        return found

    def extra(self) -> list[tuple[str, frozenset[Mention]]]:
        taken = {*self.case.matched.values(), *self.pairs.values()}
        known = {response for _, response in self.cells}
        return _left(self.case.response, taken, known, "extra")

    def missing(self) -> list[tuple[str, frozenset[Mention]]]:
        taken = {*self.case.matched, *self.pairs}
        return _left(self.case.key, taken, set(self.home), "missing")


def find(case: Case) -> Found:
    """Find span errors, then what is wrong with each cell."""
    pairs = _overlapping(case)
    counterpart = case.matched | pairs
    owner = {each: name for name, some in case.response.items() for each in some}
    cells: dict[tuple[str, str], set[Mention]] = {}
    for name, mentions in case.key.items():
        for mention in mentions & counterpart.keys():
            cell = name, owner[counterpart[mention]]
            cells.setdefault(cell, set()).add(mention)
    main = _mains(cells)
    kind = {}
    for cell in cells:
        is_main = main["key", cell[0]] == cell, main["response", cell[1]] == cell
        kind[cell] = {
            (True, True): "",
            (True, False): "conflated-entity",
            (False, True): "divided-entity",
            (False, False): "wrong-link",
        }[is_main]
    home = {name: main["key", name][1] for name, _ in cells}
    return Found(case, pairs, cells, kind, home)


def _overlapping(case: Case) -> dict[Mention, Mention]:
    free_key = set().union(*case.key.values()) - case.matched.keys()
    free_response = set().union(*case.response.values()) - set(case.matched.values())
    ranked = []
    for one, other in product(free_key, free_response):
        ours, theirs = case.words("key", one), case.words("response", other)
        if ours & theirs and case.can_pair(one, other):
            dice = Fraction(2 * len(ours & theirs), len(ours) + len(theirs))
            if dice >= case.floor:
                ranked.append((-dice, one, other))
    pairs: dict[Mention, Mention] = {}
    for _, one, other in sorted(ranked):
        if one not in pairs and other not in pairs.values():
            pairs[one] = other
    return pairs


def _mains(
    cells: dict[tuple[str, str], set[Mention]],
) -> dict[tuple[str, str], tuple[str, str]]:
    """Choose main cells: those that are largest on both sides first."""
    in_order = sorted(cells, key=lambda cell: min(cells[cell]))
    main: dict[tuple[str, str], tuple[str, str]] = {}

    def is_largest(cell: tuple[str, str], side: int) -> bool:
        sizes = [len(cells[each]) for each in cells if each[side] == cell[side]]
        return len(cells[cell]) == max(sizes)

    for cell in in_order:
        ends = ("key", cell[0]), ("response", cell[1])
        if is_largest(cell, 0) and is_largest(cell, 1) and not main.keys() & ends:
            main[ends[0]] = main[ends[1]] = cell
    for side, role in enumerate(("key", "response")):
        for cell in in_order:
            if is_largest(cell, side):
                main.setdefault((role, cell[side]), cell)
    return main


def _left(
    entities: Entities, taken: set[Mention], known: set[str], what: str
) -> list[tuple[str, frozenset[Mention]]]:
    found = []
    for name, mentions in entities.items():
        left = mentions - taken
        if name in known:
            found += [(f"{what}-mention", frozenset({each})) for each in left]
        elif left:
            found.append((f"{what}-entity", frozenset(left)))
    return found


def repaired(found: Found, kinds: Collection[str]) -> list[set[Unit]]:
    """Repair some kinds of errors, one after the other."""
    case = found.case
    value = _values(found, kinds)
    state: dict[str, set[Unit]] = {
        name: {("response", each) for each in mentions}
        for name, mentions in case.response.items()
    }
    _repair_cells(found, kinds, state)
    for kind, group in found.extra():
        if kind in kinds:
            _take_out(state, {("response", each) for each in group})
    for kind, group in found.missing():
        if kind in kinds:
            units: set[Unit] = {("key", each) for each in group}
            value.update({each: each for each in units})
            (name,) = {n for n, some in case.key.items() if group <= some}
            _home(found, state, name).update(units)
    if "divided-entity" in kinds:
        _move(found, state, "divided-entity")
    return [{value[each] for each in units} for units in state.values() if units]


def _values(found: Found, kinds: Collection[str]) -> dict[Unit, Unit]:
    """Say which mentions of the response are which of the key."""
    counterpart = dict(found.case.matched)
    if "span" in kinds:
        counterpart |= found.pairs
    everybody = set().union(*found.case.response.values())
    value: dict[Unit, Unit] = {
        ("response", each): ("response", each) for each in everybody
    }
    for one, other in counterpart.items():
        value["response", other] = "key", one
    return value


def _repair_cells(
    found: Found, kinds: Collection[str], state: dict[str, set[Unit]]
) -> None:
    for cell, kind in found.kind.items():
        if kind == "conflated-entity" and kind in kinds:
            units = _units(found, cell)
            _take_out(state, units)
            state[f"new {cell[0]}"] = units
    if "wrong-link" in kinds:
        _move(found, state, "wrong-link")


def _units(found: Found, cell: tuple[str, str]) -> set[Unit]:
    counterpart = found.case.matched | found.pairs
    return {("response", counterpart[each]) for each in found.cells[cell]}


def _move(found: Found, state: dict[str, set[Unit]], kind: str) -> None:
    for cell, what in found.kind.items():
        if what == kind:
            units = _units(found, cell)
            _take_out(state, units)
            _home(found, state, cell[0]).update(units)


def _take_out(state: dict[str, set[Unit]], units: set[Unit]) -> None:
    for some in state.values():
        some.difference_update(units)


def _home(found: Found, state: dict[str, set[Unit]], name: str) -> set[Unit]:
    """Find where most of a key entity is now; a new entity, if it is nowhere."""
    if name not in found.home:
        return state.setdefault(f"new {name}", set())
    units = _units(found, (name, found.home[name]))
    return next(some for some in state.values() if units <= some)


def conll(key: Entities, response: Iterable[set[Unit]]) -> float:
    """Score a repaired response."""
    numbers: dict[Unit, int] = {}
    sides = [
        [
            frozenset(numbers.setdefault(each, len(numbers)) for each in entity)
            for entity in side
        ]
        for side in ([{("key", m) for m in some} for some in key.values()], response)
    ]
    f1s = []
    for metric in (muc, bcub, ceafe):
        counts = metric([e for e in sides[0] if e], [e for e in sides[1] if e])
        recall, precision = _ratio(*counts[:2]), _ratio(*counts[2:])
        f1s.append(_ratio(2 * recall * precision, recall + precision))
    return float(sum(f1s) / 3)


def _ratio(top: Fraction, bottom: Fraction) -> Fraction:
    return top / bottom if bottom else Fraction(0)
