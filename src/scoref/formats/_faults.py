"""What is wrong with a file: raised at once, or leniently passed over and told."""

from __future__ import annotations

from collections import defaultdict
from typing import TYPE_CHECKING

from scoref.model import Note

if TYPE_CHECKING:
    from scoref.errors import FormatError


class Faults:
    """The faults of one file, by kind."""

    def __init__(self, *, lenient: bool) -> None:
        self._lenient = lenient
        self._passed_over: dict[str, list[FormatError]] = defaultdict(list)

    def found(self, kind: str, error: FormatError) -> None:
        """Raise an error, or remember it if the reading is lenient."""
        if not self._lenient:
            raise error
        self._passed_over[kind].append(error)

    def notes(self) -> list[Note]:
        """Tell what was passed over: how often, and where first."""
        return [_note(*found) for found in self._passed_over.items()]


def _note(kind: str, errors: list[FormatError]) -> Note:
    place = f"{errors[0].source}:{errors[0].line}"
    what = kind.replace("-", " ")
    message = f"{what}: {len(errors)} passed over, first at {place}"
    return Note(kind, len(errors), message)
