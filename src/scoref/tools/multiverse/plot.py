"""A picture of all settings: how far each system is ahead, and the choices behind it.

Above, a column for each setting has a dot for each system: its F1 less the mean of all
systems. Below, the same column has a dot for each of the setting's choices. Settings
are sorted by the lead of the system that is first in the reference setting.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from scoref.errors import OptionError
from scoref.metrics import METRICS
from scoref.render._drawing import (
    COLOURS,
    GREY,
    WIDTH,
    Captions,
    canvas,
    finish,
    rendered,
    settings,
    shortened,
)
from scoref.render.plots import check_plot, signature_lines
from scoref.tools.multiverse.options import METRIC, label
from scoref.writing import write_whole

if TYPE_CHECKING:
    import os
    from collections.abc import Mapping

    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

    from scoref.metrics.base import Floats
    from scoref.tools.multiverse.results import Multiverse, Setting

    Rows = dict[tuple[str, str], int]

_ROW, _ABOVE, _GAP = 0.17, 2.2, 0.15  # inches
_NAME_LENGTH = 24


def plot_multiverse(path: str | os.PathLike[str], found: Multiverse) -> None:
    """Draw every setting, and the choices behind it.

    Args:
        path: where to write; its suffix says what: ``.svg``, ``.png`` or ``.html``.
        found: what `scoref.multiverse` gave.
    """
    kind = check_plot(path)
    if len(found.systems) > len(COLOURS):
        raise OptionError(f"a plot of settings has room for {len(COLOURS)} systems")
    order, rows = _order(found), _rows(found)
    words = _words(found)
    with settings():
        figure, below = canvas(_ROW * len(rows))
        above = _axes_above(figure, len(rows))
        _draw_leads(above, found, order)
        _draw_choices(below, found, order, rows)
        finish(above, words._replace(footer=()), "")
        finish(below, Captions("", "", words.footer), "settings")
        hovers = [_hover(found, *row) for row in rows]
        data = rendered(figure, kind, words, hovers)
    write_whole(path, data)


def _words(found: Multiverse) -> Captions:
    tau = "" if found.tau is None else f"; Kendall's τ {found.tau:.3f}"
    return Captions(
        f"{len(found.systems)} systems in {len(found.settings)} settings",
        f"the usual order in {100 * found.same_order:.0f} % of settings{tau}",
        tuple(signature_lines({"": f"{found.signature}|{found.drawing}"})),
    )


def _order(found: Multiverse) -> list[int]:
    """Sort settings by the lead of the reference's first over the best other."""
    first = max(found.reference.f1, key=found.reference.f1.__getitem__)
    column = found.systems.index(first)
    others = np.delete(found.f1, column, axis=1).max(axis=1)
    lead = found.f1[:, column] - others
    return [int(each) for each in np.argsort(-lead, kind="stable")]


def _rows(found: Multiverse) -> Rows:
    """Give each value of each choice a row, metrics first."""
    listed = [(METRIC, each) for each in found.metrics]
    listed += [(name, each) for name, values in found.axes.items() for each in values]
    return {each: row for row, each in enumerate(listed)}


def _axes_above(figure: Figure, rows: int) -> Axes:
    """Put axes above the first ones, whose height is the unit."""
    height = _ROW * rows
    axes = figure.add_axes((0, 1 + _GAP / height, 1, _ABOVE / height))
    axes.spines[["top", "left", "right", "bottom"]].set_visible(False)
    axes.tick_params(axis="both", length=0, labelbottom=False)
    axes.grid(axis="y")
    return axes


def _size(found: Multiverse) -> float:
    """Let dots touch at most, in points² of their area."""
    wide = WIDTH * 72 / max(1, len(found.settings))
    return float(np.clip(wide, 1.0, 5.0) ** 2)


def _draw_leads(axes: Axes, found: Multiverse, order: list[int]) -> None:
    leads: Floats = 100 * (found.f1 - found.f1.mean(axis=1, keepdims=True))[order]
    place = np.arange(len(order))
    axes.axhline(0, color=GREY, linewidth=0.8)
    names = shortened(list(found.systems), _NAME_LENGTH)
    for column, name in enumerate(names):
        axes.scatter(
            place, leads[:, column], s=_size(found), color=COLOURS[column], label=name
        )
    axes.set_ylabel("F1 less the mean of systems")
    axes.set_xlim(-1, len(order))
    axes.legend(loc="upper left", bbox_to_anchor=(1, 1), frameon=False, fontsize=8)


def _draw_choices(axes: Axes, found: Multiverse, order: list[int], rows: Rows) -> None:
    dots = [
        (place, rows[choice])
        for place, number in enumerate(order)
        for choice in _choices(found.settings[number]).items()
    ]
    across, down = zip(*dots, strict=True)
    axes.scatter(across, down, s=_size(found), color=GREY, linewidths=0)
    axes.set_yticks(range(len(rows)), [_label(*row) for row in rows], fontsize=7)
    axes.set_ylim(len(rows) - 0.5, -0.5)
    axes.set_xlim(-1, len(order))
    axes.set_xticks([])
    axes.grid(axis="y")
    for row in _borders(rows):
        axes.axhline(row - 0.5, color=GREY, linewidth=0.6)


def _choices(setting: Setting) -> Mapping[str, str]:
    return {METRIC: setting.metric, **setting.choices}


def _borders(rows: Rows) -> list[int]:
    """Find where a choice's first value stands."""
    names = [name for name, _ in rows]
    return [row for row in range(1, len(names)) if names[row] != names[row - 1]]


def _label(name: str, value: str) -> str:
    return METRICS[value].label if name == METRIC else f"{label(name)}: {value}"


def _hover(found: Multiverse, name: str, value: str) -> str:
    """Say how often each system wins with a choice."""
    chosen = [each for each in found.settings if _choices(each).get(name) == value]
    counts = [
        f"{system} {sum(each.winner == system for each in chosen)}"
        for system in found.systems
    ]
    return f"{_label(name, value)}: {len(chosen)} settings, won by {', '.join(counts)}"
