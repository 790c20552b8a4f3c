"""A picture of two clusterings: how large clusters are, and how well they are found.

Clusters are sorted into classes by their size, each twice as wide as the one before.
All of it follows from the table, so that a saved one can be drawn as well.
"""

from __future__ import annotations

from collections import defaultdict
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from scoref.contingency.partition import partition
from scoref.render._drawing import GREY, Captions, canvases, finish, rendered, settings
from scoref.render.plots import BLUE, VERMILION, check_plot
from scoref.writing import write_whole

if TYPE_CHECKING:
    import os

    from matplotlib.axes import Axes

    from scoref.contingency import Contingency
    from scoref.scoring.results import Result

_ROW_HEIGHT = 0.42
_BAR = 0.36


class _Class(NamedTuple):
    """The clusters of some sizes: how many, and the mean of their mentions' scores."""

    label: str
    key: int
    response: int
    recall: float | None
    precision: float | None


def plot_clusters(path: str | os.PathLike[str], result: Result) -> None:
    """Draw clusters by their size: how many there are, and how well they are found.

    Args:
        path: where to write; its suffix says what: ``.svg``, ``.png`` or ``.html``.
        result: of `scoref.score_table`, or of a saved profile.
    """
    kind = check_plot(path)
    assert result.table is not None  # noqa: S101 - that of a table is kept
    rows = classes(result.table)
    words = _words(result)
    with settings():
        figure, (count, share) = canvases(len(rows) * _ROW_HEIGHT, 2)
        _draw_counts(count, rows)
        _draw_shares(share, rows)
        finish(count, words, "clusters")
        share.set_xlabel("B³ in percent")
        data = rendered(figure, kind, words, [_hover(row) for row in rows])
    write_whole(path, data)


def classes(table: Contingency) -> list[_Class]:
    """Sort clusters by size; B³'s recall is the key's, its precision the response's."""
    table = partition(table)
    key, response = _counted(table), _counted(table.swapped)
    last = max([*key, *response], default=0)
    return [
        _Class(
            _label(number),
            key[number].clusters,
            response[number].clusters,
            key[number].share,
            response[number].share,
        )
        for number in range(last + 1)
    ]


class _Counted(NamedTuple):
    """The clusters of one side and some sizes, and the share of B³ that they have."""

    clusters: int = 0
    share: float | None = None


def _counted(table: Contingency) -> defaultdict[int, _Counted]:
    """Count the key's clusters by class, and what is found of their mentions."""
    size, times = table.key_size, np.broadcast_to(table.key_times, table.key_size.shape)
    found = np.square(table.overlap) * np.broadcast_to(
        table.cell_times, table.overlap.shape
    )
    right = np.bincount(table.cell_key, found, len(size)) / size
    class_of = np.array([_class_of(each) for each in size.tolist()], dtype=np.int64)
    classes: defaultdict[int, _Counted] = defaultdict(_Counted)
    for number in np.unique(class_of).tolist():
        rows = class_of == number
        share = right[rows].sum() / (size[rows] * times[rows]).sum()
        classes[number] = _Counted(int(times[rows].sum()), float(share))
    return classes


def _class_of(size: int) -> int:
    """Number the classes: 1, 2, 3 to 4, 5 to 8 and so on.

    >>> [_class_of(size) for size in (1, 2, 3, 4, 5, 8, 9)]
    [0, 1, 2, 2, 3, 3, 4]
    """
    return (size - 1).bit_length()


def _label(number: int) -> str:
    """Name a class.

    >>> [_label(number) for number in range(4)]
    ['1', '2', '3–4', '5–8']
    """
    first, last = 2**number // 2 + 1, 2**number
    return f"{last:,}" if number < 2 else f"{first:,}–{last:,}"  # noqa: PLR2004


def _draw_counts(axes: Axes, rows: list[_Class]) -> None:
    """Draw how many clusters there are of each size, on both sides."""
    for offset, colour, name in ((-0.5, BLUE, "key"), (0.5, VERMILION, "response")):
        places = [place + offset * _BAR for place in range(len(rows))]
        values = [row.key if name == "key" else row.response for row in rows]
        axes.barh(places, values, _BAR, color=colour, label=name, zorder=3)
    axes.set_xscale("symlog", linthresh=1)
    axes.set_xlim(0, None)
    axes.xaxis.set_major_formatter(lambda value, _: f"{value:,.0f}")
    axes.set_yticks(range(len(rows)), [row.label for row in rows])
    axes.set_ylim(len(rows) - 0.5, -0.5)
    axes.set_ylabel("mentions in a cluster")


def _draw_shares(axes: Axes, rows: list[_Class]) -> None:
    """Draw B³ by size: recall of the key's clusters, precision of the response's."""
    sides = (("recall, key", "o", BLUE, 0), ("precision, response", "D", VERMILION, 1))
    for label, mark, colour, side in sides:
        found = [(row.recall, row.precision)[side] for row in rows]
        places = [place for place, value in enumerate(found) if value is not None]
        values = [100 * value for value in found if value is not None]
        axes.plot(
            values, places, mark, color=colour, markersize=6, label=label, clip_on=False
        )
    axes.set_xlim(0, 100)
    axes.set_yticks(range(len(rows)), [""] * len(rows))
    axes.set_ylim(len(rows) - 0.5, -0.5)
    axes.legend(
        loc="lower left",
        bbox_to_anchor=(0, 1),
        ncols=2,
        frameon=False,
        fontsize=8,
        labelcolor=GREY,
        handletextpad=0.2,
        borderaxespad=2.9,  # beside the title
    )


def _hover(row: _Class) -> str:
    figures = [
        f"{name} {100 * value:.2f}"
        for name, value in (("recall", row.recall), ("precision", row.precision))
        if value is not None
    ]
    counts = f"{row.key:,} in the key, {row.response:,} in the response"
    return "; ".join([f"{row.label} mentions: {counts}", *figures])


def _words(result: Result) -> Captions:
    counts, mentions = result.clusters, result.mentions
    subtitle = (
        f"{counts['key']:,} clusters of {mentions['key']:,} mentions in the key, "
        f"{counts['response']:,} of {mentions['response']:,} in the response"
    )
    return Captions("Clusters by size", subtitle, (result.signature,))
