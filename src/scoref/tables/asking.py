"""What is asked of an engine, and what it hands back."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Literal

from scoref.errors import AlignmentError, DuplicateError
from scoref.tables.columns import Wanted

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from scoref.contingency.profile import Profile
    from scoref.tables.alignment import Shared
    from scoref.tables.queries import Universe

Duplicates = Literal["error", "first", "last"]


@dataclass(frozen=True, slots=True)
class Ask:
    """What to count, and how to read it."""

    wanted: Wanted = field(default_factory=Wanted)
    universe: Universe = "both"
    duplicates: Duplicates = "error"
    ceaf: bool = True
    header: bool | None = None
    table: str | None = None
    memory: str | None = None
    progress: Callable[[str, float], None] | None = None

    @property
    def grouped(self) -> bool:
        """Tell whether there are groups."""
        return self.wanted.group is not None


@dataclass(frozen=True, slots=True)
class Side:
    """What one side listed, and what of it was passed over."""

    source: str
    rows: int = 0
    unnamed: int = 0
    unclustered: int = 0
    twice: int = 0

    @property
    def kept(self) -> int:
        """Count the rows that say which cluster a mention is in."""
        return self.rows - self.unnamed - self.unclustered


@dataclass(frozen=True, slots=True)
class Overlap:
    """How many mentions one side has, and both have."""

    key_only: int
    response_only: int
    common: int

    def check(self, ask: Ask, key: Side, response: Side) -> None:
        """Refuse sides that have nothing to do with each other."""
        if self.common or ask.universe == "union":
            return
        if self.key_only and self.response_only:
            raise AlignmentError(
                f"key and response have no mention in common: "
                f"{self.key_only} are only in the key, {self.response_only} only in "
                "the response",
                source=f"{key.source}, {response.source}",
                hint="ids are compared as text: name the columns if these are others",
            )


@dataclass(frozen=True, slots=True)
class Counted:
    """What an engine hands back; blocks are sorted, and '' if there are no groups."""

    blocks: Sequence[str]
    profiles: Sequence[Profile]
    shared: Shared | None
    key: Side
    response: Side
    overlap: Overlap


def duplicate(side: Side, count: int, example: object) -> DuplicateError:
    """Say that mentions stand twice."""
    listed = "mention is" if count == 1 else "mentions are"
    return DuplicateError(
        f"{count} {listed} listed more than once, among them '{example}'",
        source=side.source,
        hint="duplicates: first or last keeps one of them",
    )
