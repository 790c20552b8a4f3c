"""Reports and plots of a multiverse: who wins in which settings, by convention.

Systems have letters. The second table has their order in each setting, the best one
first. A question mark says that this system is ahead in fewer draws than requested.

In the plot, each setting is a column. Its upper part has a dot for each system: its F₁
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
    file_names,
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
from scoref.tools.compare.multiverse_command import (
    METRIC,
    OF_ONE_METRIC,
    convention_label,
)
from scoref.writing import write_whole

if TYPE_CHECKING:
    import os
    from collections.abc import Iterator, Mapping, Sequence

    from matplotlib.axes import Axes

    from scoref.metrics.base import Floats
    from scoref.render.report import Object
    from scoref.tools.compare.multiverse_results import Multiverse, Setting


_TIE, _UNSURE = "=", "?"

_SHOWN = 5  # systems of an order

_MANY = 10_000_000  # documents: shown as ∞

_HEADER = (
    *("metric", "system", "f1", "rank", "wins", "won_resamples", "tau", "signature"),
)


def multiverse_report(multiverse: Multiverse, precision: int = 2) -> Report:
    """Report systems, winners, pairs and the effects of choices."""
    return Report(
        name="multiverse",
        parts=lambda: [
            _system_table(multiverse, precision),
            _order_table(multiverse),
            _pair_table(multiverse),
            _choice_table(multiverse),
            Signatures([multiverse.signature, multiverse.drawing]),
            Remarks(list(_remarks(multiverse))),
        ],
        objects=lambda: [_object(multiverse)],
        rows=lambda: _rows(multiverse),
        notes=[note.message for note in multiverse.notes],
    )


def letters(systems: Sequence[str]) -> dict[str, str]:
    """Name systems by letters, or by numbers if there are too many."""
    if len(systems) <= len(ascii_lowercase):
        return dict(zip(systems, ascii_lowercase, strict=False))
    return {name: str(number) for number, name in enumerate(systems, 1)}


def _system_table(multiverse: Multiverse, precision: int) -> Table:
    short = letters(multiverse.systems)
    metric = METRICS[multiverse.reference.metric].label
    rows = [
        [
            f"{short[row.system]} {row.system}",
            figure(multiverse.reference.metric, row.f1, precision),
            _share(row.won),
            _share(row.won_resamples),
            f"{row.mean_rank:.2f}",
            str(row.best_rank)
            if row.best_rank == row.worst_rank
            else f"{row.best_rank}-{row.worst_rank}",
        ]
        for row in multiverse.by_system()
    ]
    labels = (f"{metric} F₁", "settings won", "resamples won", "mean rank", "ranks")
    return Table(columns("System", *labels), rows)


def _order_table(multiverse: Multiverse) -> Table:
    """Return the order of systems, by set of choices and by metric."""
    short = letters(multiverse.systems)
    variants = list(
        dict.fromkeys(
            variant_of(setting, multiverse) for setting in multiverse.settings
        )
    )
    axes = [name for name in multiverse.axes if name not in OF_ONE_METRIC]
    rows: dict[tuple[str, ...], dict[str, str]] = {}
    for setting in multiverse.settings:
        choices = tuple(setting.choices[name] for name in axes)
        row = rows.setdefault(choices, {})
        row[variant_of(setting, multiverse)] = _order(
            setting, short, multiverse._plan.level
        )
    names = [convention_label(name) for name in axes] or [""]
    cells = [
        [*(choices or ("",)), *(row.get(variant, "") for variant in variants)]
        for choices, row in rows.items()
    ]
    header = [*(Column(name, "name") for name in names), *map(Column, variants)]
    return Table(header, cells)


def variant_of(setting: Setting, multiverse: Multiverse) -> str:
    """Return the label of a metric, with its rule if that is not the usual one."""
    metric = METRICS[setting.metric].label
    rules = [
        setting.choices[name]
        for name in OF_ONE_METRIC
        if name in setting.choices and setting.choices[name] != multiverse.axes[name][0]
    ]
    return f"{metric} ({rules[0]})" if rules else metric


def _order(setting: Setting, short: Mapping[str, str], level: float) -> str:
    """Write the letters of the first systems in their order."""
    chances, winner = setting.chances, setting.winner
    is_sure = not chances or (winner and 100 * chances.won[winner] >= level)
    order, before = "", None
    for system in sorted(setting.f1, key=lambda name: -setting.f1[name])[:_SHOWN]:
        is_tied = before is not None and before - setting.f1[system] <= TIE
        order += (_TIE if is_tied else "") + short[system]
        before = setting.f1[system]
    return order + ("" if is_sure else _UNSURE)


def _pair_table(multiverse: Multiverse) -> Table:
    short = letters(multiverse.systems)
    rows = []
    for row in multiverse.by_pair():
        least, most = _documents(row.needed_least), _documents(row.needed_most)
        rows.append(
            [
                f"{short[row.first]} - {short[row.second]}",
                f"{_share(row.ahead)} : {_share(row.behind)}",
                _share(row.resamples),
                _share(row.all_resamples),
                _documents(row.needed),
                least if least == most else f"{least}-{most}",
            ]
        )
    labels = (
        *("settings ahead", "resamples ahead", "all resamples"),
        *("documents", "range"),
    )
    return Table(columns("Pair", *labels), rows)


def _choice_table(multiverse: Multiverse) -> Table:
    rows = [
        [
            convention_label(row.name),
            ", ".join(row.values),
            UNDEFINED if row.tau is None else f"{row.tau:.3f}",
            _share(row.other_winner),
        ]
        for row in multiverse.by_choice()
    ]
    names = [Column("Choice", "name"), Column("values", "text")]
    return Table([*names, Column("Kendall's τ"), Column("other winner")], rows)


def _remarks(multiverse: Multiverse) -> Iterator[str]:
    count = len(multiverse.settings)
    tau = UNDEFINED if multiverse.tau is None else f"{multiverse.tau:.3f}"
    usual = _share(multiverse.same_order_resamples)
    everywhere = _share(multiverse.same_order_all_resamples)
    yield (
        f"The order of systems is the same in {_share(multiverse.same_order)} of "
        f"{count} settings. It is the same in {usual} of the usual setting's resamples "
        f"and in {everywhere} of all resamples. The mean Kendall's τ between two "
        f"settings is {tau}."
    )
    plan = multiverse._plan
    yield (
        f"Letters: the order of systems, best first. {_TIE}: a tie. {_UNSURE}: the "
        f"first system is ahead in fewer than {plan.level:g} % of resamples."
    )
    yield (
        "Documents: how many documents would show the difference with a "
        f"probability of {plan.power:g} %, in the usual setting and over all settings. "
        f"There are {multiverse.documents:,}."
    )


def _share(value: float | None) -> str:
    return UNDEFINED if value is None else f"{percent(value, 0)} %"


def _documents(value: float | None) -> str:
    if value is None:
        return UNDEFINED
    return "∞" if value > _MANY else str(int(value))


def _rows(multiverse: Multiverse) -> Rows:
    """Return a row for each system in each setting."""
    axes = list(multiverse.axes)
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
            multiverse.signature,
        ]
        for setting, tau in zip(
            multiverse.settings, multiverse.tau_with_reference, strict=True
        )
        for system, f1 in setting.f1.items()
    )
    return Rows([*map(convention_label, axes), *_HEADER], rows)


def _object(multiverse: Multiverse) -> Object:
    return {
        "signature": multiverse.signature,
        "multiverse": multiverse.drawing,
        "documents": multiverse.documents,
        "metrics": list(multiverse.metrics),
        "axes": {
            convention_label(name): list(values)
            for name, values in multiverse.axes.items()
        },
        "tau": multiverse.tau,
        "same_order": multiverse.same_order,
        "same_order_resamples": multiverse.same_order_resamples,
        "same_order_all_resamples": multiverse.same_order_all_resamples,
        "systems": [row._asdict() for row in multiverse.by_system()],
        "pairs": [_finite(row._asdict()) for row in multiverse.by_pair()],
        "choices": [
            row._asdict() | {"name": convention_label(row.name)}
            for row in multiverse.by_choice()
        ],
        "settings": [
            _setting_object(setting, tau)
            for setting, tau in zip(
                multiverse.settings, multiverse.tau_with_reference, strict=True
            )
        ],
        "notes": multiverse.notes,
    }


def _finite(fields: dict[str, object]) -> Object:
    """Replace infinity by None, which JSON can express."""
    return {
        name: None if isinstance(value, float) and isinf(value) else value
        for name, value in fields.items()
    }


def _setting_object(setting: Setting, tau: float | None) -> Object:
    chances = setting.chances
    pairs = (
        [(pair, share, chances.needed[pair]) for pair, share in chances.ahead.items()]
        if chances
        else []
    )
    return {
        "choices": {
            convention_label(name): value for name, value in setting.choices.items()
        },
        "metric": setting.metric,
        "f1": setting.f1,
        "winner": setting.winner,
        "tau": tau,
        "same_order_resamples": chances and chances.same,
        "won_resamples": chances and chances.won,
        "pairs": [
            _finite({"first": one, "second": other, "ahead": share, "needed": needed})
            for (one, other), share, needed in pairs
        ],
    }


_ROW, _ABOVE, _GAP = 0.17, 2.2, 0.15  # inches

_NAME_LENGTH = 24


def plot_multiverse(path: str | os.PathLike[str], multiverse: Multiverse) -> None:
    """Draw every setting, and its choices.

    Args:
        path: the file to write: ``.svg``, ``.png`` or ``.html``.
        multiverse: the result of `scoref.multiverse`.
    """
    kind = check_plot(path)
    if len(multiverse.systems) > len(COLOURS):
        raise OptionError(f"a plot of settings shows at most {len(COLOURS)} systems")
    # Settings are sorted by the lead of the reference's first system.
    first = max(multiverse.reference.f1, key=multiverse.reference.f1.__getitem__)
    column = multiverse.systems.index(first)
    lead = multiverse.f1[:, column] - np.delete(multiverse.f1, column, axis=1).max(
        axis=1
    )
    order = np.argsort(-lead, kind="stable").tolist()
    # Each value of each choice has a row.
    values = {METRIC: multiverse.metrics, **multiverse.axes}
    rows = [(name, value) for name in values for value in values[name]]
    tau = "" if multiverse.tau is None else f"; Kendall's τ {multiverse.tau:.3f}"
    captions = Captions(
        f"{len(multiverse.systems)} systems in {len(multiverse.settings)} settings",
        f"the usual order in {100 * multiverse.same_order:.0f} % of settings{tau}",
        tuple(signature_lines({"": f"{multiverse.signature}|{multiverse.drawing}"})),
    )
    with settings():
        figure, below = canvas(_ROW * len(rows))
        height = _ROW * len(rows)  # of the first axes, and the unit of the others
        above = figure.add_axes((0, 1 + _GAP / height, 1, _ABOVE / height))
        _draw_leads(above, multiverse, order)
        _draw_choices(below, multiverse, order, rows)
        finish(above, captions._replace(footer=()), "")
        finish(below, Captions("", "", captions.footer), "settings")
        hovers = [_hover(multiverse, *row) for row in rows]
        data = render_figure(figure, kind, captions, hovers)
    write_whole(path, data)


def _dot_size(multiverse: Multiverse) -> float:
    """Return the area of a dot in points², so that dots do not overlap."""
    wide = WIDTH * 72 / max(1, len(multiverse.settings))
    return float(np.clip(wide, 1.0, 5.0) ** 2)


def _draw_leads(axes: Axes, multiverse: Multiverse, order: list[int]) -> None:
    """Draw a dot for each system in each setting: its F₁ less the mean."""
    axes.spines[["top", "left", "right", "bottom"]].set_visible(False)
    axes.tick_params(axis="both", length=0, labelbottom=False)
    axes.grid(axis="y")
    leads: Floats = (
        100 * (multiverse.f1 - multiverse.f1.mean(axis=1, keepdims=True))[order]
    )
    place, size = np.arange(len(order)), _dot_size(multiverse)
    names = short_names(file_names(multiverse.systems), _NAME_LENGTH)
    axes.axhline(0, color=GREY, linewidth=0.8)
    for column, name in enumerate(names):
        axes.scatter(place, leads[:, column], s=size, color=COLOURS[column], label=name)
    axes.set_ylabel("F₁ minus the mean of all systems")
    axes.set_xlim(-1, len(order))
    axes.legend(loc="upper left", bbox_to_anchor=(1, 1), frameon=False, fontsize=8)


def _draw_choices(
    axes: Axes, multiverse: Multiverse, order: list[int], rows: list[tuple[str, str]]
) -> None:
    """Draw a dot for each choice of each setting, and a line between conventions."""
    numbers = {row: number for number, row in enumerate(rows)}
    dots = [
        (place, numbers[choice])
        for place, setting in enumerate(order)
        for choice in _all_choices(multiverse.settings[setting]).items()
    ]
    across, down = zip(*dots, strict=True)
    axes.scatter(across, down, s=_dot_size(multiverse), color=GREY, linewidths=0)
    axes.set_yticks(range(len(rows)), [_row_label(*row) for row in rows], fontsize=7)
    axes.set_ylim(len(rows) - 0.5, -0.5)
    axes.set_xlim(-1, len(order))
    axes.set_xticks([])
    axes.grid(axis="y")
    for number in range(1, len(rows)):
        if rows[number][0] != rows[number - 1][0]:
            axes.axhline(number - 0.5, color=GREY, linewidth=0.6)


def _all_choices(setting: Setting) -> dict[str, str]:
    return {METRIC: setting.metric, **setting.choices}


def _row_label(name: str, value: str) -> str:
    if name == METRIC:
        return METRICS[value].label
    return f"{convention_label(name)}: {value}"


def _hover(multiverse: Multiverse, name: str, value: str) -> str:
    """Say how often each system wins with a choice."""
    chosen = [
        setting
        for setting in multiverse.settings
        if _all_choices(setting).get(name) == value
    ]
    counts = [
        f"{system} {sum(setting.winner == system for setting in chosen)}"
        for system in multiverse.systems
    ]
    label = _row_label(name, value)
    return f"{label}: {len(chosen)} settings, won by {', '.join(counts)}"
