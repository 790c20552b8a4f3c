"""Errors one by one, as people and programs read them: in words, as cells, as objects.

What each costs, and what else there is to say of it, stands beside the words.
"""

from __future__ import annotations

import math
from functools import cached_property
from typing import TYPE_CHECKING

import numpy as np

from scoref.figures import signed
from scoref.metrics import leading
from scoref.tools.errors.wording import Wording

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from scoref.metrics.base import Floats
    from scoref.tools.errors.details import Details
    from scoref.tools.errors.findings import Analysis
    from scoref.tools.errors.texts import MentionTexts
    from scoref.tools.errors.wording import Worded

    Cell = str | int | float | None

_BETWEEN = " | "
COLUMNS = (
    *("document", "sentence", "key_line", "response_line", "kind"),
    *("key_words", "response_words", "key_entity", "response_entity", "detail"),
    *("mention_class", "distance", "entity_size", "genre", "antecedent", "linked_to"),
)
"""What every error has; gains come behind, a column for each metric."""


class ErrorRows:
    """The errors of one system that are shown, in the order in which they are."""

    def __init__(self, analysis: Analysis, kinds: Sequence[int], sort: str) -> None:
        self._analysis = analysis
        self._wording = Wording(analysis)
        shown = np.flatnonzero(np.isin(analysis.errors.kind, kinds))
        if sort == "cost":
            shown = shown[np.argsort(-self.gain[shown], kind="stable")]
        self._shown: list[int] = shown.tolist()

    def __iter__(self) -> Iterator[tuple[int, Worded]]:
        """Put each error into words."""
        return ((error, self._wording.worded(error)) for error in self._shown)

    @cached_property
    def gain(self) -> Floats:
        """What each error costs, of the score that matters most."""
        gains = self._analysis.error_gains
        return gains[leading(gains.metrics)]

    def signed(self, error: int, precision: int) -> str:
        """Write a gain in points, with so many more decimals as all of them need."""
        most = 100 * float(np.abs(self.gain).max(initial=0))
        more = max(0, -math.floor(math.log10(most))) if most else 0
        return signed(self.gain[error], precision + more)

    def cells(self, error: int, worded: Worded) -> list[Cell]:
        """Give one as a row, its mentions in one cell."""
        values = self.written(error, worded)
        gains = self._gains(error)
        return [_cell(values[name]) for name in COLUMNS] + [*gains.values()]

    def written(self, error: int, worded: Worded) -> dict[str, object]:
        """Give one as JSON knows it."""
        return {
            **worded._asdict(),
            "kind": worded.name,
            **self._details(error),
            "gains": self._gains(error),
        }

    def _gains(self, error: int) -> dict[str, float]:
        gains = self._analysis.error_gains
        return {name: float(gains[name][error]) for name in gains}

    @cached_property
    def _found(self) -> Details:
        return self._analysis.details

    def _details(self, error: int) -> dict[str, object]:
        found = self._found
        document = int(self._analysis.errors.document[error])
        of_class = found.mention_class
        return {
            "mention_class": of_class and of_class.names[int(of_class.of_error[error])],
            "distance": _known(found.distance, error),
            "entity_size": int(found.entity_size[error]),
            "genre": found.genre and found.genre[document],
            "antecedent": _words(self._wording.key, found.antecedent[error]),
            "linked_to": _words(self._wording.response, found.linked_to[error]),
        }


def gain_columns(analysis: Analysis) -> list[str]:
    """Name the columns of gains."""
    return [f"gain_{name}" for name in analysis.error_gains]


def _known(
    column: np.ndarray[tuple[int], np.dtype[np.int64]] | None, error: int
) -> int | None:
    return None if column is None or column[error] < 0 else int(column[error])


def _words(side: MentionTexts, mention: int) -> str | None:
    return None if mention < 0 else side.text(int(mention))


def _cell(value: object) -> Cell:
    if isinstance(value, tuple):
        return _BETWEEN.join(value)
    return value  # type: ignore[return-value]  # texts and numbers
