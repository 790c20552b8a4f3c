"""A multiverse as a report: who wins where, and how much of that is convention.

Systems have letters. The second table has their order in each setting, the best one
first; with a question mark, that one is ahead in fewer draws than asked for.
"""

from __future__ import annotations

from math import isinf
from string import ascii_lowercase
from typing import TYPE_CHECKING

from scoref.figures import UNDEFINED, figure, percent
from scoref.metrics import METRICS
from scoref.render.report import (
    Column,
    Remarks,
    Report,
    Rows,
    Signatures,
    Table,
    columns,
)
from scoref.statistics.cuts import TIE
from scoref.tools.multiverse.options import OF_ONE_METRIC, label

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from scoref.render.report import Object
    from scoref.tools.multiverse.results import Chances, Multiverse, Setting

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
