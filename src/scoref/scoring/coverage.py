"""Which mentions the indices of two partitions cover: only those on both sides."""

from __future__ import annotations

from typing import TYPE_CHECKING

from scoref.metrics import METRICS, scale_of
from scoref.model import Note
from scoref.notes import WARNING
from scoref.scheme import TABLE

if TYPE_CHECKING:
    from collections.abc import Iterable


def coverage_notes(
    common: int, total: int, metrics: Iterable[str], form: str
) -> list[Note]:
    """Warn if indices such as ARI leave mentions out, which other metrics count.

    Args:
        common: how many mentions both sides have.
        total: how many either side has.
        metrics: the metrics that are scored.
        form: the format; tables of records have options that texts lack.
    """
    labels = [METRICS[name].label for name in metrics if scale_of(name) != "percent"]
    if not labels or common == total:
        return []
    is_records = form == TABLE
    named = f"{', '.join(labels[:-1])} and {labels[-1]}" if labels[1:] else labels[0]
    things = "records" if is_records else "mentions"
    if not common:
        if not is_records:  # texts have a note about everything that is 0/0
            return []
        are = "are" if labels[1:] else "is"
        message = (
            f"{WARNING}{named} {are} undefined, because key and response have no "
            "record in common. --undefined (undefined in Python) decides what is shown."
        )
        return [Note("undefined", len(labels), message)]
    cover = "cover" if labels[1:] else "covers"
    message = (
        f"{WARNING}{named} {cover} only {common:,} of {total:,} {things}, those that "
        f"both sides have. The other {total - common:,} do not lower "
        f"{'these figures' if labels[1:] else 'this figure'}."
    )
    if is_records:
        message += " With --universe union, each of them is a singleton."
    return [Note("coverage", common, message)]
