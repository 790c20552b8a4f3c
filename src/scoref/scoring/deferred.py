"""Fields that are computed when they are first read.

A caller that scores many small documents in a loop often reads one figure of each. So
the metrics of a small table are counted on demand. A large table is counted at once,
because it should not stay in memory.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Generic, TypeVar, cast

from scoref.metrics import ByMetric

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from scoref.contingency import Contingency
    from scoref.metrics.base import Floats

Value = TypeVar("Value")


class Deferred(Generic[Value]):
    """A field of a dataclass that may be set to a function that returns its value.

    The function is called when the field is first read. Until then, ``vars`` has the
    function under the field's name with an underscore before it.
    """

    def __init__(self, *default: Value) -> None:
        self._default = default

    def __set_name__(self, owner: type, name: str) -> None:
        self._name = f"_{name}"
        self._public = name

    def __get__(self, record: object, owner: type | None = None) -> Value:
        if record is None:  # `dataclass` asks for the default
            if self._default:
                return self._default[0]
            raise AttributeError(self._public)
        fields = vars(record)
        if callable(fields[self._name]):
            fields[self._name] = fields[self._name]()
        return cast("Value", fields[self._name])

    def __set__(self, record: object, value: Value | Callable[[], Value]) -> None:
        vars(record)[self._name] = value


def deferred(*default: Value) -> Value:
    """Declare a field that `later` may fill; it has the type of its value.

    >>> from dataclasses import dataclass
    >>> @dataclass
    ... class Square:
    ...     area: int = deferred(0)
    >>> Square(later(lambda: 3 * 3)).area
    9
    """
    return cast("Value", Deferred(*default))


def later(compute: Callable[[], Value]) -> Value:
    """Return a function in the place of the value that it computes."""
    return cast("Value", compute)


class CountsOnDemand:
    """Counts of a table by metric, each computed when it is first needed."""

    def __init__(
        self,
        counters: Mapping[str, Callable[[Contingency], Floats]],
        table: Contingency,
    ) -> None:
        self._counters = counters
        self._table = table
        self._counts: dict[str, Floats] = {}

    def __getitem__(self, name: str) -> Floats:
        if name not in self._counts:
            self._counts[name] = self._counters[name](self._table)
        return self._counts[name]

    def __call__(self) -> ByMetric[Floats]:
        """Return the counts of all metrics."""
        return ByMetric((name, self[name]) for name in self._counters)
