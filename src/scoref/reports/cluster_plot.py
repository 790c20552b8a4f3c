"""A picture of two clusterings: how large clusters are, and how well they are found.

Clusters are sorted into classes by their size, each twice as wide as the one before.
All of it follows from the profile, so that a saved one can be drawn as well.
"""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING, NamedTuple

from scoref.reports._drawing import (
    GREY,
    Words,
    canvases,
    finish,
    rendered,
    settings,
)
from scoref.reports.plots import BLUE, VERMILION, check_plot
from scoref.writing import write_whole

if TYPE_CHECKING:
    import os
    from collections.abc import Mapping

    from matplotlib.axes import Axes

    from scoref.contingency.profile import Profile, Sizes
    from scoref.tables.results import TableResult

_ROW_HEIGHT = 0.42
_BAR = 0.36
_MOST_CLASSES = 64


class _Class(NamedTuple):
    """The clusters of some sizes: how many, and the mean of their mentions' scores."""

    label: str
    key: int
    response: int
    recall: float | None
    precision: float | None


def plot_clusters(path: str | os.PathLike[str], result: TableResult) -> None:
    """Draw clusters by their size: how many there are, and how well they are found.

    Args:
        path: where to write; its suffix says what: ``.svg``, ``.png`` or ``.html``.
        result: of `scoref.score_table`, or of a saved profile.
    """
    kind = check_plot(path)
    rows = classes(result.profile)
    words = _words(result)
    with settings():
        figure, (count, share) = canvases(len(rows) * _ROW_HEIGHT, 2)
        _draw_counts(count, rows)
        _draw_shares(share, rows)
        finish(count, words, "clusters")
        share.set_xlabel("B³ in percent")
        data = rendered(figure, kind, words, [_hover(row) for row in rows])
    write_whole(path, data)


def classes(profile: Profile) -> list[_Class]:
    """Sort clusters by size; B³'s recall is the key's, its precision the response's."""
    key, response = _counted(profile.key), _counted(profile.response)
    right = [0.0] * _MOST_CLASSES, [0.0] * _MOST_CLASSES
    for cell, times in profile.cells.items():
        for side, size in zip(right, (cell.a, cell.b), strict=True):
            side[_class_of(size)] += times * cell.n * cell.n / size
    every = _mentions(profile.key), _mentions(profile.response)
    last = max([*key, *response], default=0)
    return [
        _Class(
            _label(number),
            key[number],
            response[number],
            *(
                found[number] / mentions[number] if mentions[number] else None
                for found, mentions in zip(right, every, strict=True)
            ),
        )
        for number in range(last + 1)
    ]


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


def _counted(sizes: Mapping[Sizes, int]) -> Counter[int]:
    found: Counter[int] = Counter()
    for kind, times in sizes.items():
        found[_class_of(kind.size)] += times
    return found


def _mentions(sizes: Mapping[Sizes, int]) -> Counter[int]:
    found: Counter[int] = Counter()
    for kind, times in sizes.items():
        found[_class_of(kind.size)] += times * kind.size
    return found


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


def _words(result: TableResult) -> Words:
    counts, mentions = result.clusters, result.mentions
    subtitle = (
        f"{counts['key']:,} clusters of {mentions['key']:,} mentions in the key, "
        f"{counts['response']:,} of {mentions['response']:,} in the response"
    )
    return Words("Clusters by size", subtitle, (result.signature,))
