"""What is wrong with a file: raised at once, or leniently passed over and told."""

from __future__ import annotations

from collections import defaultdict
from contextlib import contextmanager
from contextvars import ContextVar
from typing import TYPE_CHECKING, NamedTuple

from scoref.model import Note

if TYPE_CHECKING:
    from collections.abc import Iterator

    from scoref.errors import FormatError


class Fault(NamedTuple):
    """Something that was passed over, and what would have been raised."""

    kind: str
    error: FormatError


_HEARD: ContextVar[list[Fault] | None] = ContextVar("heard", default=None)


@contextmanager
def listening() -> Iterator[list[Fault]]:
    """List all that lenient readers pass over meanwhile, fault by fault."""
    heard: list[Fault] = []
    before = _HEARD.set(heard)
    try:
        yield heard
    finally:
        _HEARD.reset(before)


class Faults:
    """The faults of one file, by kind."""

    def __init__(self, *, lenient: bool) -> None:
        self._lenient = lenient
        self._passed_over: dict[str, list[FormatError]] = defaultdict(list)
        self._heard = _HEARD.get()

    def found(self, kind: str, error: FormatError) -> None:
        """Raise an error, or remember it if the reading is lenient."""
        if not self._lenient:
            raise error
        self._passed_over[kind].append(error)
        if self._heard is not None:
            self._heard.append(Fault(kind, error))

    def notes(self) -> list[Note]:
        """Tell what was passed over: how often, and where first."""
        return [_note(*found) for found in self._passed_over.items()]


def _note(kind: str, errors: list[FormatError]) -> Note:
    place = f"{errors[0].source}:{errors[0].line}"
    what = kind.replace("-", " ")
    message = f"{what}: {len(errors)} passed over, first at {place}"
    return Note(kind, len(errors), message)
