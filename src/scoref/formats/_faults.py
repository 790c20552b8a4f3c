"""What is wrong with a file: raised at once, or leniently passed over and told."""

from __future__ import annotations

from collections import defaultdict
from contextlib import contextmanager
from contextvars import ContextVar
from typing import TYPE_CHECKING

from scoref.model import Note

if TYPE_CHECKING:
    from collections.abc import Iterator

    from scoref.errors import FormatError

_HEARD: ContextVar[list[FormatError] | None] = ContextVar("heard", default=None)


@contextmanager
def listening() -> Iterator[list[FormatError]]:
    """List all that lenient readers pass over or note meanwhile, one by one."""
    heard: list[FormatError] = []
    before = _HEARD.set(heard)
    try:
        yield heard
    finally:
        _HEARD.reset(before)


class Faults:
    """The faults of one file, by kind."""

    def __init__(self, source: str, *, lenient: bool) -> None:
        self.source = source
        self._lenient = lenient
        self._passed_over: dict[str, list[FormatError]] = defaultdict(list)
        self._heard = _HEARD.get()

    def found(self, kind: str, error: FormatError) -> None:
        """Raise an error, or remember it if the reading is lenient."""
        if not self._lenient:
            raise error
        self._passed_over[kind].append(error)
        self._tell(error)

    def noted(
        self, kind: str, count: int, first: FormatError, expected: str = ""
    ) -> Note:
        """Note what is no error, however strict the reading is: what, and where."""
        self._tell(first)
        place = f"{first.source}:{first.line}"
        return Note(kind, count, f"{first.problem}, first at {place}{expected}")

    def notes(self) -> list[Note]:
        """Tell what was passed over: how often, and where first."""
        return [_note(*found) for found in self._passed_over.items()]

    def _tell(self, error: FormatError) -> None:
        if self._heard is not None:
            self._heard.append(error)


def _note(kind: str, errors: list[FormatError]) -> Note:
    place = f"{errors[0].source}:{errors[0].line}"
    what = kind.replace("-", " ")
    message = f"{what}: {len(errors)} passed over, first at {place}"
    return Note(kind, len(errors), message)
