"""Dataclasses and named tuples without compiled source code."""

from __future__ import annotations

import collections
import copy
import dataclasses
import inspect
import os
import pickle
import subprocess
import sys
import typing
from dataclasses import field

import pytest

from scoref.classes import NamedTuple, dataclass
from support.paths import EXAMPLES


class Point(NamedTuple):
    """A point in a plane."""

    x: int
    y: int = 2

    @property
    def total(self) -> int:
        return self.x + self.y


StandardPoint = collections.namedtuple("StandardPoint", ["x", "y"], defaults=[2])  # noqa: PYI024 - the other one


@dataclass(frozen=True)
class Record:
    """A record that does not change."""

    name: str
    tags: dict[str, int] = field(default_factory=dict)
    note: str = field(default="", compare=False, repr=False)
    _cache: list[int] = field(default_factory=list, init=False, compare=False)

    def __post_init__(self) -> None:
        self._cache.append(len(self.name))


@dataclasses.dataclass(frozen=True)
class StandardRecord:
    """The same, by the standard library."""

    name: str
    tags: dict[str, int] = field(default_factory=dict)
    note: str = field(default="", compare=False, repr=False)
    _cache: list[int] = field(default_factory=list, init=False, compare=False)

    def __post_init__(self) -> None:
        self._cache.append(len(self.name))


@dataclass(frozen=True, kw_only=True)
class Longer(Record):
    """A record with another field, which has to be named."""

    size: int


def unpickled(value: object) -> object:
    return pickle.loads(pickle.dumps(value))  # noqa: S301 - our own bytes


CALLS: list[tuple[tuple[object, ...], dict[str, object]]] = [
    ((1,), {}),
    ((1, 3), {}),
    ((), {"x": 1}),
    ((), {"y": 5, "x": 4}),
    ((1,), {"y": 3}),
    ((), {}),
    ((1, 2, 3), {}),
    ((1,), {"x": 1}),
    ((1,), {"z": 1}),
    ((), {"y": 1, "z": 2}),
]


@pytest.mark.parametrize(("given", "named"), CALLS)
def test_a_named_tuple_takes_what_the_standard_one_takes(
    given: tuple[int, ...], named: dict[str, int]
) -> None:
    try:
        expected = StandardPoint(*given, **named)
    except TypeError:
        with pytest.raises(TypeError, match=r"^Point\(\) has "):
            Point(*given, **named)
        return
    point = Point(*given, **named)
    assert [*point] == [*expected]
    assert (point.x, point.y) == (expected.x, expected.y)
    assert point._asdict() == expected._asdict()
    assert [*point._replace(x=7)] == [*expected._replace(x=7)]
    assert repr(point) == repr(expected).replace("StandardPoint", "Point")
    assert str(inspect.signature(Point)) == "(x: 'int', y: 'int' = 2)"


def test_a_named_tuple_is_a_tuple_with_methods() -> None:
    point = Point(1)
    assert isinstance(point, tuple)
    assert point.total == sum(point) == 3
    assert Point._fields == StandardPoint._fields
    assert Point._make([5, 6]) == (5, 6)
    assert type(copy.copy(point)) is type(unpickled(point)) is Point
    match point:
        case Point(x, y):
            assert (x, y) == point
    with pytest.raises(AttributeError):
        point.x = 3  # type: ignore[misc]
    with pytest.raises(AttributeError):
        point.z = 3  # type: ignore[attr-defined]
    with pytest.raises(TypeError):
        point._replace(z=1)  # type: ignore[call-arg]


RECORDS: list[tuple[tuple[object, ...], dict[str, object]]] = [
    (("a",), {}),
    ((), {"name": "a", "note": "b"}),
    (("a", {"t": 1}), {"note": "b"}),
    ((), {}),
    (("a",), {"name": "b"}),
    (("a",), {"_cache": []}),
    (("a", {}, "", []), {}),
]


@pytest.mark.parametrize(("given", "named"), RECORDS)
def test_a_dataclass_takes_what_the_standard_one_takes(
    given: tuple[typing.Any, ...], named: dict[str, typing.Any]
) -> None:
    try:
        expected = StandardRecord(*given, **named)
    except TypeError:
        with pytest.raises(TypeError, match=r"^Record\(\) has "):
            Record(*given, **named)
        return
    record = Record(*given, **named)
    assert dataclasses.asdict(record) == dataclasses.asdict(expected)
    assert repr(record) == repr(expected).replace("StandardRecord", "Record")
    assert "_cache=[3]" in repr(dataclasses.replace(record, name="xyz"))
    assert record == Record(*given, **{**named, "note": "not compared"}) or given[2:]


def test_a_frozen_dataclass_does_not_change_and_can_be_copied() -> None:
    record = Record("a")
    with pytest.raises(dataclasses.FrozenInstanceError):
        record.name = "b"  # type: ignore[misc]
    with pytest.raises(dataclasses.FrozenInstanceError):
        del record.name
    assert copy.deepcopy(record) == unpickled(record) == record
    assert hash(Topic("a")) == hash(Topic("a"))
    assert {Topic("a"), Topic("a")} == {Topic("a")}


@dataclass(frozen=True)
class Topic:
    """A record that can be in a set."""

    name: str


@dataclass()
class Counter:
    """A record that changes."""

    count: int = 0


def test_a_dataclass_that_changes_has_no_hash() -> None:
    counter = Counter()
    counter.count += 1
    assert counter == Counter(1)
    assert counter != Counter()
    with pytest.raises(TypeError):
        hash(counter)


def test_a_derived_dataclass_has_the_fields_of_both() -> None:
    assert Longer("a", size=2) == Longer(name="a", size=2)
    assert Longer("a", size=2) != Longer("a", size=3)
    assert Longer("a", size=2) != Record("a")
    with pytest.raises(TypeError, match="missing arguments: size"):
        Longer("a")  # type: ignore[call-arg]
    with pytest.raises(TypeError, match="positional"):
        Longer("a", {}, "", 2)  # type: ignore[call-arg]
    names = inspect.signature(Longer).parameters
    assert [*names] == ["name", "tags", "note", "size"]


SCRIPT = """
import collections, dataclasses, sys
made = []
make = collections.namedtuple
def namedtuple(name, *arguments, **options):
    made.append(name)
    return make(name, *arguments, **options)
process = dataclasses._process_class
def record(cls, init, *options):
    made.extend([cls.__name__] if init else [])
    return process(cls, init, *options)
collections.namedtuple, dataclasses._process_class = namedtuple, record
import click, numpy  # have some of their own
made.clear()
from scoref._entry_points import scoref
try:
    scoref()
finally:
    print(*made, file=sys.stderr)
"""


@pytest.mark.skipif(sys.version_info >= (3, 13), reason="dataclasses changed inside")
def test_scoring_two_small_files_compiles_no_class() -> None:
    files = [str(EXAMPLES / f"{side}.conll") for side in ("key", "response")]
    done = subprocess.run(
        [sys.executable, "-c", SCRIPT, *files],
        env={**os.environ, "PYTHONWARNINGS": "ignore"},
        capture_output=True,
        text=True,
        check=True,
    )
    assert "CoNLL" in done.stdout
    assert done.stderr.split() == []
