"""What pairs put together: mentions that belong to one entity."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable


class Groups:
    """Names, each a group of its own until pairs join it to others.

    >>> groups = Groups("abcd")
    >>> groups.join("d", "b")
    >>> groups.lists()
    [['a'], ['b', 'd'], ['c']]
    """

    def __init__(self, names: Iterable[str]) -> None:
        self._leader = {name: name for name in names}

    def join(self, one: str, other: str) -> None:
        """Make one group of those of two names."""
        self._leader[self._found(other)] = self._found(one)

    def lists(self) -> list[list[str]]:
        """List the groups, in the order of their first names."""
        groups: dict[str, list[str]] = {}
        for name in self._leader:
            groups.setdefault(self._found(name), []).append(name)
        return list(groups.values())

    def _found(self, name: str) -> str:
        leader = self._leader
        while leader[name] != name:
            leader[name] = leader[leader[name]]
            name = leader[name]
        return name
