"""Reports and plots of a multiverse: who wins in which settings, by convention.

Systems have letters. The second table has their order in each setting, the best one
first. A question mark says that this system is ahead in fewer draws than requested.

In the plot, each setting is a column. Its upper part has a dot for each system: its F1
less the mean of all systems. Its lower part has a dot for each of the setting's
choices. Settings are sorted by the lead of the system that is first in the reference
setting.
"""

from __future__ import annotations

from math import isinf
from string import ascii_lowercase
from typing import TYPE_CHECKING

import numpy as np

from scoref.errors import OptionError
from scoref.figures import UNDEFINED, figure, percent
from scoref.metrics import METRICS
from scoref.render.plots import (
    COLOURS,
    GREY,
    WIDTH,
    Captions,
    canvas,
    check_plot,
    finish,
    render_figure,
    settings,
    short_names,
    signature_lines,
)
from scoref.render.report import (
    Column,
    Remarks,
    Report,
    Rows,
    Signatures,
    Table,
    columns,
)
from scoref.statistics.bootstrap import TIE
from scoref.tools.multiverse.command import METRIC, OF_ONE_METRIC, label
from scoref.writing import write_whole

if TYPE_CHECKING:
    import os
    from collections.abc import Iterator, Mapping, Sequence

    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

    from scoref.metrics.base import Floats
    from scoref.render.report import Object
    from scoref.tools.multiverse.results import Chances, Multiverse, Setting

    PlotRows = dict[tuple[str, str], int]


_TIE, _UNSURE = "=", "?"

_SHOWN = 5  # systems of an order

_MANY = 10_000_000  # documents: nobody has so many

_HEADER = (
    *("metric", "system", "f1", "rank", "wins", "won_resamples", "tau", "signature"),
)


def multiverse_report(found: Multiverse, precision: int = 2) -> Report:
    """Report systems, winners, pairs and what each choice does."""
    return Report(
        name="multiverse",
        parts=lambda: [
            _systems(found, precision),
            _winners(found),
            _pairs(found),
            _choices(found),
            Signatures([found.signature, found.drawing]),
            Remarks(list(_remarks(found))),
        ],
        objects=lambda: [_object(found)],
        rows=lambda: _rows(found),
        notes=[note.message for note in found.notes],
    )


def letters(systems: Sequence[str]) -> dict[str, str]:
    """Call systems by letters; by numbers where these do not do."""
    if len(systems) <= len(ascii_lowercase):
        return dict(zip(systems, ascii_lowercase, strict=False))
    return {name: str(number) for number, name in enumerate(systems, 1)}


def _systems(found: Multiverse, precision: int) -> Table:
    short = letters(found.systems)
    metric = METRICS[found.reference.metric].label
    rows = [
        [
            f"{short[row.system]} {row.system}",
            figure(found.reference.metric, row.f1, precision),
            _share(row.won),
            _share(row.won_resamples),
            f"{row.mean_rank:.2f}",
            str(row.best_rank)
            if row.best_rank == row.worst_rank
            else f"{row.best_rank}-{row.worst_rank}",
        ]
        for row in found.by_system()
    ]
    labels = (f"{metric} F1", "settings won", "draws won", "mean rank", "ranks")
    return Table(columns("System", *labels), rows)


def _winners(found: Multiverse) -> Table:
    """Give each set of choices a row and each metric a column, with the order."""
    short = letters(found.systems)
    variants = list(dict.fromkeys(variant_of(each, found) for each in found.settings))
    axes = [name for name in found.axes if name not in OF_ONE_METRIC]
    rows: dict[tuple[str, ...], dict[str, str]] = {}
    for setting in found.settings:
        choices = tuple(setting.choices[name] for name in axes)
        row = rows.setdefault(choices, {})
        row[variant_of(setting, found)] = _order(setting, short, found.plan.level)
    named = [Column(label(name), "name") for name in axes] or [Column("", "name")]
    cells = [
        [*(choices or ("",)), *(row.get(each, "") for each in variants)]
        for choices, row in rows.items()
    ]
    return Table([*named, *map(Column, variants)], cells)


def variant_of(setting: Setting, found: Multiverse) -> str:
    """Name a metric, and the rule that it follows if it is another than usual."""
    metric = METRICS[setting.metric].label
    rules = [
        setting.choices[name]
        for name in OF_ONE_METRIC
        if name in setting.choices and setting.choices[name] != found.axes[name][0]
    ]
    return f"{metric} ({rules[0]})" if rules else metric


def _order(setting: Setting, short: Mapping[str, str], level: float) -> str:
    """Write letters in their order, the first ones only if there are many."""
    chances, winner = setting.chances, setting.winner
    is_sure = not chances or (winner and 100 * chances.won[winner] >= level)
    written, before = "", None
    for system in sorted(setting.f1, key=lambda name: -setting.f1[name])[:_SHOWN]:
        is_tied = before is not None and before - setting.f1[system] <= TIE
        written += (_TIE if is_tied else "") + short[system]
        before = setting.f1[system]
    return written + ("" if is_sure else _UNSURE)


def _pairs(found: Multiverse) -> Table:
    short = letters(found.systems)
    rows = [
        [
            f"{short[row.first]} - {short[row.second]}",
            f"{_share(row.ahead)} : {_share(row.behind)}",
            _share(row.resamples),
            _share(row.all_resamples),
            _documents(row.needed),
            _range(row.needed_least, row.needed_most),
        ]
        for row in found.by_pair()
    ]
    labels = ("settings ahead", "draws ahead", "of all", "documents", "in all settings")
    return Table(columns("Pair", *labels), rows)


def _choices(found: Multiverse) -> Table:
    rows = [
        [
            label(row.name),
            ", ".join(row.values),
            UNDEFINED if row.tau is None else f"{row.tau:.3f}",
            _share(row.other_winner),
        ]
        for row in found.by_choice()
    ]
    names = [Column("Choice", "name"), Column("between", "text")]
    return Table([*names, Column("Kendall's τ"), Column("other winner")], rows)


def _remarks(found: Multiverse) -> Iterator[str]:
    count = len(found.settings)
    tau = UNDEFINED if found.tau is None else f"{found.tau:.3f}"
    yield (
        f"the order of systems is the same in {_share(found.same_order)} of {count} "
        f"settings, in {_share(found.same_order_resamples)} of draws of the usual "
        f"setting and in {_share(found.same_order_all_resamples)} of draws of all; "
        f"Kendall's τ between two settings is {tau} on average"
    )
    plan = found.plan
    yield (
        f"letters: the order, the best one first; {_TIE}: a tie; {_UNSURE}: the first "
        f"one is ahead in fewer than {plan.level:g} % of draws; "
        f"documents: so many tell the two apart with a chance of {plan.power:g} % "
        f"(there are {found.documents})"
    )


def _share(value: float | None) -> str:
    return UNDEFINED if value is None else f"{percent(value, 0)} %"


def _documents(value: float | None) -> str:
    if value is None:
        return UNDEFINED
    return "∞" if value > _MANY else str(int(value))


def _range(least: float | None, most: float | None) -> str:
    low, high = _documents(least), _documents(most)
    return low if low == high else f"{low}-{high}"


def _rows(found: Multiverse) -> Rows:
    """Give each system in each setting a row."""
    axes = list(found.axes)
    rows = (
        [
            *(setting.choices.get(name) for name in axes),
            setting.metric,
            system,
            f1,
            1 + sum(other > f1 for other in setting.f1.values()),
            setting.winner == system,
            setting.chances and setting.chances.won[system],
            tau,
            found.signature,
        ]
        for setting, tau in zip(found.settings, found.tau_with_reference, strict=True)
        for system, f1 in setting.f1.items()
    )
    return Rows([*map(label, axes), *_HEADER], rows)


def _object(found: Multiverse) -> Object:
    return {
        "signature": found.signature,
        "multiverse": found.drawing,
        "documents": found.documents,
        "metrics": list(found.metrics),
        "axes": {label(name): list(each) for name, each in found.axes.items()},
        "tau": found.tau,
        "same_order": found.same_order,
        "same_order_resamples": found.same_order_resamples,
        "same_order_all_resamples": found.same_order_all_resamples,
        "systems": [row._asdict() for row in found.by_system()],
        "pairs": [_finite(row._asdict()) for row in found.by_pair()],
        "choices": [
            row._asdict() | {"name": label(row.name)} for row in found.by_choice()
        ],
        "settings": [
            _setting_object(setting, tau)
            for setting, tau in zip(
                found.settings, found.tau_with_reference, strict=True
            )
        ],
        "notes": found.notes,
    }


def _finite(fields: dict[str, object]) -> Object:
    """Say null of what infinitely many documents would not tell apart."""
    return {
        name: None if isinstance(value, float) and isinf(value) else value
        for name, value in fields.items()
    }


def _setting_object(setting: Setting, tau: float | None) -> Object:
    return {
        "choices": {label(name): each for name, each in setting.choices.items()},
        "metric": setting.metric,
        "f1": setting.f1,
        "winner": setting.winner,
        "tau": tau,
        "same_order_resamples": setting.chances and setting.chances.same,
        "won_resamples": setting.chances and setting.chances.won,
        "pairs": _pair_objects(setting.chances),
    }


def _pair_objects(chances: Chances | None) -> list[Object]:
    if chances is None:
        return []
    return [
        _finite(
            {"first": one, "second": other, "ahead": share}
            | {"needed": chances.needed[one, other]}
        )
        for (one, other), share in chances.ahead.items()
    ]


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
    order, rows = _plot_order(found), _plot_rows(found)
    words = _words(found)
    with settings():
        figure, below = canvas(_ROW * len(rows))
        above = _axes_above(figure, len(rows))
        _draw_leads(above, found, order)
        _draw_choices(below, found, order, rows)
        finish(above, words._replace(footer=()), "")
        finish(below, Captions("", "", words.footer), "settings")
        hovers = [_hover(found, *row) for row in rows]
        data = render_figure(figure, kind, words, hovers)
    write_whole(path, data)


def _words(found: Multiverse) -> Captions:
    tau = "" if found.tau is None else f"; Kendall's τ {found.tau:.3f}"
    return Captions(
        f"{len(found.systems)} systems in {len(found.settings)} settings",
        f"the usual order in {100 * found.same_order:.0f} % of settings{tau}",
        tuple(signature_lines({"": f"{found.signature}|{found.drawing}"})),
    )


def _plot_order(found: Multiverse) -> list[int]:
    """Sort settings by the lead of the reference's first over the best other."""
    first = max(found.reference.f1, key=found.reference.f1.__getitem__)
    column = found.systems.index(first)
    others = np.delete(found.f1, column, axis=1).max(axis=1)
    lead = found.f1[:, column] - others
    return [int(each) for each in np.argsort(-lead, kind="stable")]


def _plot_rows(found: Multiverse) -> PlotRows:
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
    names = short_names(list(found.systems), _NAME_LENGTH)
    for column, name in enumerate(names):
        axes.scatter(
            place, leads[:, column], s=_size(found), color=COLOURS[column], label=name
        )
    axes.set_ylabel("F1 less the mean of systems")
    axes.set_xlim(-1, len(order))
    axes.legend(loc="upper left", bbox_to_anchor=(1, 1), frameon=False, fontsize=8)


def _draw_choices(
    axes: Axes, found: Multiverse, order: list[int], rows: PlotRows
) -> None:
    dots = [
        (place, rows[choice])
        for place, number in enumerate(order)
        for choice in _plot_choices(found.settings[number]).items()
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


def _plot_choices(setting: Setting) -> Mapping[str, str]:
    return {METRIC: setting.metric, **setting.choices}


def _borders(rows: PlotRows) -> list[int]:
    """Find where a choice's first value stands."""
    names = [name for name, _ in rows]
    return [row for row in range(1, len(names)) if names[row] != names[row - 1]]


def _label(name: str, value: str) -> str:
    return METRICS[value].label if name == METRIC else f"{label(name)}: {value}"


def _hover(found: Multiverse, name: str, value: str) -> str:
    """Say how often each system wins with a choice."""
    chosen = [each for each in found.settings if _plot_choices(each).get(name) == value]
    counts = [
        f"{system} {sum(each.winner == system for each in chosen)}"
        for system in found.systems
    ]
    return f"{_label(name, value)}: {len(chosen)} settings, won by {', '.join(counts)}"
