"""Can anything be significant at all? How many swaps that takes, and notes if not.

Of B random swaps the smallest p is 1 / (B + 1), and of n documents it is 2 / 2ⁿ, since
swapping all of them makes the same difference. Holm's correction multiplies the
smallest by the number of tests, and nothing is significant if it is too large then.
"""

from __future__ import annotations

from math import ceil
from typing import TYPE_CHECKING, NamedTuple

from scoref.model import Note
from scoref.statistics.draws import is_exact

if TYPE_CHECKING:
    from scoref.statistics.strata import Strata

MOST_SWAPS = 200_000
"""More are tried only if they are asked for: with so many tests it takes minutes."""

_ROUNDING = 1e-6
_SURE = 64  # documents have so many ways to be swapped that p can be anything


class Design(NamedTuple):
    """What is asked: so many tests at a level, of so many documents."""

    tests: int
    level: float
    documents: int

    @property
    def allowed(self) -> float:
        """Give the highest p that is significant."""
        return (100 - self.level) / 100

    @property
    def ways(self) -> int:
        """Count the ways to swap documents; beyond some number it does not matter."""
        return 1 << min(self.documents, _SURE)

    @property
    def needed(self) -> int:
        """Count the swaps without which nothing can be significant."""
        return ceil(self.tests / self.allowed - _ROUNDING)

    def swaps(self, resamples: int) -> int:
        """Raise the number of swaps until something can be significant."""
        if not self.is_possible or not resamples < self.needed <= MOST_SWAPS:
            return resamples
        return resamples * -(-self.needed // resamples)

    @property
    def is_possible(self) -> bool:
        """Tell whether any number of swaps would do."""
        return self.tests * 2 <= (self.allowed + _ROUNDING) * self.ways

    def notes(self, resamples: int) -> tuple[Note, ...]:
        """Say that more was tried than was asked for, or that nothing will do."""
        swaps = self.swaps(resamples)
        limit = f"p ≤ {self.allowed:.2g}"
        tests = f"{self.tests} tests" if self.tests > 1 else "1 test"
        if not self.is_possible:
            return (Note("no-significance", self.tests, self._too_few(limit, tests)),)
        is_tried = is_exact(self.documents, swaps) or swaps >= self.needed
        if not is_tried:
            message = (
                f"nothing can be significant here: {tests} at {limit} need "
                f"{self.needed} swaps (--resamples {self.needed}), or ask for fewer "
                "metrics or systems"
            )
            return (Note("no-significance", self.tests, message),)
        if swaps == resamples:
            return ()
        message = (
            f"{swaps} swaps were tried, not {resamples}: with {tests} nothing could be "
            f"significant otherwise ({limit} after Holm's correction)"
        )
        return (Note("more-swaps", swaps, message),)

    def _too_few(self, limit: str, tests: str) -> str:
        least = min(1.0, 2 / self.ways * self.tests)
        documents = (
            "1 document" if self.documents == 1 else f"{self.documents} documents"
        )
        return (
            f"nothing can be significant here: {documents} can be swapped in "
            f"{self.ways} ways, so that p is {least:.2g} at least after the correction "
            f"for {tests}, and {limit} is asked for"
        )


def lone_documents(system: Strata) -> tuple[Note, ...]:
    """Say that datasets of one document do not vary, where others do."""
    alone = system.sizes.count(1)
    if alone == 0 or len(system.sizes) == 1:
        return ()
    have = "has" if alone == 1 else "have"
    message = (
        f"{alone} of {len(system.sizes)} datasets {have} one document only: drawn "
        "again it is the same, so that it adds no variance, and intervals and the "
        "bootstrap's p-values are too small"
    )
    return (Note("lone-documents", alone, message),)
