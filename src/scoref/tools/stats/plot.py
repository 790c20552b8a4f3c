"""A picture of entities by size: what share of them has how many mentions."""

from __future__ import annotations

from typing import TYPE_CHECKING

from scoref.errors import OptionError
from scoref.render._drawing import (
    COLOURS,
    Captions,
    canvas,
    finish,
    rendered,
    settings,
    shortened,
)
from scoref.render.plots import check_plot
from scoref.tools.stats.rendering import by_size
from scoref.writing import write_whole

if TYPE_CHECKING:
    import os
    from collections.abc import Mapping, Sequence

    from matplotlib.axes import Axes

    from scoref.tools.stats.census import Census

_BAR, _GAP = 0.22, 0.18  # in inches


def plot_sizes(path: str | os.PathLike[str], files: Mapping[str, Census]) -> None:
    """Draw entities by size, a bar for each file.

    Args:
        path: where to write; its suffix says what: ``.svg``, ``.png`` or ``.html``.
        files: what was counted, by what to call it.
    """
    kind = check_plot(path)
    if len(files) > len(COLOURS):
        raise OptionError(f"a plot of sizes has room for {len(COLOURS)} files")
    counts = [list(by_size(each.total()).values()) for each in files.values()]
    if not any(map(sum, counts)):
        raise OptionError("there is no entity to be plotted")
    labels = list(by_size(next(iter(files.values())).total()))
    names = shortened(list(files))
    words = _words(names, counts)
    with settings():
        figure, axes = canvas(len(labels) * (_BAR * len(files) + _GAP))
        _draw(axes, labels, names, counts)
        finish(axes, words, "percent of entities")
        hovers = [_hover(row, labels, names, counts) for row in range(len(labels))]
        data = rendered(figure, kind, words, hovers)
    write_whole(path, data)


def _words(names: Sequence[str], counts: Sequence[Sequence[int]]) -> Captions:
    both = zip(names, counts, strict=True)
    parts = [f"{sum(count)} entities in {name}" for name, count in both]
    return Captions("Entities by their number of mentions", "; ".join(parts), ())


def _draw(
    axes: Axes,
    labels: Sequence[str],
    names: Sequence[str],
    counts: Sequence[Sequence[int]],
) -> None:
    height = 0.8 / len(names)
    for number, (name, count) in enumerate(zip(names, counts, strict=True)):
        whole = sum(count) or 1
        places = [row - 0.4 + (number + 0.5) * height for row in range(len(labels))]
        shares = [100 * each / whole for each in count]
        axes.barh(places, shares, 0.9 * height, color=COLOURS[number], label=name)
        for place, share, each in zip(places, shares, count, strict=True):
            axes.annotate(
                str(each),
                (share, place),
                xytext=(4, 0),
                textcoords="offset points",
                verticalalignment="center_baseline",
                fontsize=7,
            )
    axes.set_yticks(range(len(labels)), labels)
    axes.set_ylim(len(labels) - 0.5, -0.5)
    if len(names) > 1:
        axes.legend(loc="best", frameon=False, fontsize=8)


def _hover(
    row: int,
    labels: Sequence[str],
    names: Sequence[str],
    counts: Sequence[Sequence[int]],
) -> str:
    parts = [
        f"{name}: {count[row]} of {sum(count)}"
        for name, count in zip(names, counts, strict=True)
    ]
    return f"{labels[row]} mentions: {'; '.join(parts)}"
