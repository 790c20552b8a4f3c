"""Two systems by their errors, as a table and as JSON knows them."""

from __future__ import annotations

from typing import TYPE_CHECKING

from scoref.render.report import Table, columns
from scoref.tools.errors.kinds import KINDS
from scoref.tools.errors.pairs import ALL

if TYPE_CHECKING:
    from collections.abc import Sequence

    from scoref.tools.errors.pairs import KindOfTwo, TwoSystems

MEANING_OF_TWO = (
    "only, both, neither: mentions that are in such an error of one system, of both, "
    "of neither; errors: how many more the first one has; p: of that difference, by "
    "swapping documents, after Holm's correction"
)


def table_of_two(pair: TwoSystems, shown: Sequence[int]) -> Table:
    """Give each kind that is shown a row, and all of them one if they are all shown."""
    labels = {KINDS[kind].name: KINDS[kind].label for kind in shown}
    if len(labels) == len(KINDS):
        labels[ALL] = ALL
    rows = [
        [labels[row.kind], *map(str, row[1:5]), _more(row), _p(row)]
        for row in pair.kinds
        if row.kind in labels
    ]
    names = ["", f"Only {pair.first}", f"Only {pair.second}", "Both", "Neither"]
    return Table(
        columns(*names, "Errors", "p"), rows, f"{pair.first} and {pair.second}"
    )


def _more(row: KindOfTwo) -> str:
    return f"{row.difference:+d}" if row.difference else "0"


def _p(row: KindOfTwo) -> str:
    return "" if row.adjusted is None else f"{row.adjusted:.4f}"


def object_of_two(pair: TwoSystems) -> dict[str, object]:
    """Give the second of two systems, as the first one sees it."""
    rows = [row._asdict() for row in pair.kinds]
    return {"response": pair.second, "kinds": rows}
