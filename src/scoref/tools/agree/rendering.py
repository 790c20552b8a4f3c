"""Agreement as text: α, F1 between people, who stands out, and what is disputed."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from scoref.figures import UNDEFINED, figure, percent
from scoref.metrics import METRICS, leading
from scoref.render.report import (
    Column,
    Remarks,
    Report,
    Rows,
    Signatures,
    Table,
    columns,
)
from scoref.tools.agree.written import HEAD, agreement_object, agreement_rows

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from scoref.statistics.cuts import Interval
    from scoref.tools.agree.results import Agreement, SeveralKeys

_MORE = 1  # decimals that α has beyond those of percentages
_FEW_DOCUMENTS = 5


class AgreeView(NamedTuple):
    """What of agreement is shown."""

    precision: int = 2
    per_document: bool = False
    matrices: bool = False


USUAL = AgreeView()


def agreement_report(found: Agreement, view: AgreeView = USUAL) -> Report:
    """Report all figures."""
    return Report(
        name="agree",
        parts=lambda: [
            *agreement_tables(found, view),
            Signatures([found.signature]),
            Remarks(_remarks(found)),
        ],
        objects=lambda: [agreement_object(found)],
        rows=lambda: Rows(HEAD, agreement_rows(found)),
        notes=[note.message for note in found.notes],
    )


def agreement_tables(found: Agreement, view: AgreeView) -> Iterator[Table]:
    """Choose what is shown, the most important first."""
    yield _alphas(found, view)
    yield _means(found, view)
    if found.response is not None:
        yield _keys(found, found.response, view)
        yield _links(found, found.response, view)
    yield _people(found, view)
    shown = found.metrics if view.matrices else [leading(found.metrics)]
    for metric in shown:
        yield _matrix(found, metric, view)
    if found.classes:
        yield _classes(found, view)
    yield _documents(found, view)
    if found.disputed:
        yield _disputed(found, view)


def _alphas(found: Agreement, view: AgreeView) -> Table:
    people = f"{len(found.names)} people"
    rows = [[people, *(_alpha(found.alpha[name], view) for name in found.distances)]]
    intervals = found.confidence.alpha if found.confidence else {}
    rows += _bounds(found, intervals, found.distances, lambda each: _alpha(each, view))
    if found.mentions.by_one or found.mentions.by_some:
        both = [_alpha(found.mentions.alpha[name], view) for name in found.distances]
        rows.append(["where both marked", *both])
    return Table(columns("α", *found.distances), rows)


def _means(found: Agreement, view: AgreeView) -> Table:
    figures = [_figure(name, found.mean[name], view) for name in found.metrics]
    mentions = percent(found.mentions.f1, view.precision)
    rows = [["mean", mentions, *figures]]
    if found.confidence:
        bounds = _bounds(
            found,
            found.confidence.mean,
            found.metrics,
            lambda each: percent(each, view.precision),
        )
        rows += [[name, "", *cells] for name, *cells in bounds]
    return Table(columns("F1", "Mentions", *_labels(found.metrics)), rows)


def _bounds(
    found: Agreement,
    intervals: Mapping[str, Interval],
    names: Sequence[str],
    written: object,
) -> list[list[str]]:
    """Give the ends of intervals a row each."""
    if found.confidence is None or not intervals:
        return []
    assert callable(written)  # noqa: S101
    level = f"{found.confidence.level:g} %"
    return [
        [
            f"{level} {label}",
            *(written(getattr(intervals[name], end)) for name in names),
        ]
        for label, end in (("from", "low"), ("to", "high"))
    ]


def _people(found: Agreement, view: AgreeView) -> Table:
    """Give each annotator a row, the lowest first."""
    metric = leading(found.metrics)
    names = sorted(
        found.annotators,
        key=lambda name: found.per_annotator.get(name, {}).get(metric, -1.0),
    )
    distance = found.distances[0]
    rows = []
    for name in names:
        each, f1 = found.annotators[name], found.per_annotator.get(name, {})
        figures = [_figure(each, f1.get(each), view) for each in found.metrics]
        without = _alpha(each.alpha_without[distance], view)
        counts = [str(each.documents), str(each.mentions)]
        rows.append([name, *counts, *figures, without])
    header = ["Texts", "Mentions", *_labels(found.metrics), "α without"]
    return Table(columns("with others", *header), rows, "Annotators, the lowest first")


def _matrix(found: Agreement, metric: str, view: AgreeView) -> Table:
    """Give each annotator a row and a column."""
    rows = []
    for number, name in enumerate(found.names):
        cells = []
        for other in found.names:
            low, high = sorted((name, other))
            pair = found.pairs.get((low, high))
            cells.append(
                "" if pair is None else _figure(metric, pair.scores[metric].f1, view)
            )
        rows.append([f"{number + 1} {name}", *cells])
    numbers = [str(number + 1) for number in range(len(found.names))]
    label = METRICS[metric].label
    return Table(columns(label, *numbers), rows, f"{label} F1 of each two")


def _documents(found: Agreement, view: AgreeView) -> Table:
    """Give documents rows, those of the lowest α first."""
    distance = found.distances[0]
    listed = sorted(
        found.per_document.items(),
        key=lambda each: (
            each[1].alpha[distance] is None,
            each[1].alpha[distance] or 0.0,
            each[0],
        ),
    )
    metric = leading(found.metrics)
    rows = [
        [
            name,
            str(each.annotators),
            str(each.mentions),
            *(_alpha(each.alpha[one], view) for one in found.distances),
            _figure(metric, each.mean.get(metric), view),
        ]
        for name, each in (listed if view.per_document else listed[:_FEW_DOCUMENTS])
    ]
    title = "Documents, the most disputed first"
    header = ["α", "Annotators", "Mentions", *found.distances, METRICS[metric].label]
    return Table(columns(*header), rows, title)


def _classes(found: Agreement, view: AgreeView) -> Table:
    rows = [
        [
            name,
            str(each.mentions),
            *(_alpha(each.alpha[one], view) for one in found.distances),
            *(_figure(metric, each.mean.get(metric), view) for metric in found.metrics),
        ]
        for name, each in found.classes.items()
    ]
    header = ["Mentions", *found.distances, *_labels(found.metrics)]
    return Table(columns(found.by or "", *header), rows, f"By {found.by}")


def _disputed(found: Agreement, view: AgreeView) -> Table:
    rows = [
        [
            each.document if number == 0 else "",
            each.mention if number == 0 else "",
            _alpha(each.disagreement, view) if number == 0 else "",
            f"{', '.join(reading.annotators)}: {reading.says}",
        ]
        for each in found.disputed
        for number, reading in enumerate(each.readings)
    ]
    header = [
        Column("Document", "name"),
        Column("Mention", "name"),
        Column(found.distances[0]),
        Column("Readings", "text"),
    ]
    return Table(header, rows, "Mentions, the most disputed first")


def _keys(found: Agreement, several: SeveralKeys, view: AgreeView) -> Table:
    """Give the response a row for each key, and others to compare it with."""

    def row(name: str, figures: Mapping[str, float]) -> list[str]:
        return [
            name,
            *(_figure(each, figures.get(each), view) for each in found.metrics),
        ]

    rows = [
        row(name, {metric: each.scores[metric].f1 for metric in found.metrics})
        for name, each in several.per_key.items()
    ]
    rows.append(row("mean", several.mean))
    intervals = found.confidence.response if found.confidence else {}
    rows += _bounds(
        found, intervals, found.metrics, lambda each: percent(each, view.precision)
    )
    rows.append(row("best", several.best))
    rows.append(row("people: mean", found.mean))
    ceilings = list(several.ceiling.values())
    if ceilings:
        best = {
            metric: sum(each.best[metric] for each in ceilings) / len(ceilings)
            for metric in found.metrics
        }
        rows.append(row("people: best, mean", best))
    return Table(columns("F1 with", *_labels(found.metrics)), rows, "The response")


def _links(found: Agreement, several: SeveralKeys, view: AgreeView) -> Table:
    counts, shares = several.counts, several.supported
    spread = found.confidence.supported if found.confidence else {}

    def row(name: str, label: str, errors: int, supported: int) -> list[str]:
        share = getattr(shares, name)
        ends = [percent(end, view.precision) for end in spread.get(name, ())]
        text = UNDEFINED if share is None else percent(share, view.precision)
        between = f" [{', '.join(ends)}]" if ends else ""
        return [label, str(errors), str(supported), f"{text}{between}"]

    both = counts.spurious_supported + counts.missing_supported
    rows = [
        row("spurious", "spurious links", counts.spurious, counts.spurious_supported),
        row("missing", "missing links", counts.missing, counts.missing_supported),
        row("all", "both", counts.spurious + counts.missing, both),
    ]
    header = ["Against the majority", "Errors", "Some agree", "Share"]
    title = "Errors that some annotator would have made"
    return Table(columns(*header), rows, title)


def _remarks(found: Agreement) -> list[str]:
    lines = []
    distance = found.distances[0]
    if found.outlier is not None:
        without = found.annotators[found.outlier].alpha_without[distance]
        lines.append(
            f"the others agree best without {found.outlier}: α ({distance}) "
            f"{without:.3f} instead of {found.alpha[distance]:.3f}"
        )
    if found.response is not None:
        several = found.response
        shares = [several.lenient_precision, several.strict_recall]
        written = [UNDEFINED if each is None else percent(each) for each in shares]
        lines.append(
            f"links of the response that any key has: {written[0]} %; links that all "
            f"keys have and the response, too: {written[1]} %"
        )
        lines.append(
            f"{several.counts.undecided} links are left out: as many keys have them as "
            "have not; means over links, so that large entities rule"
        )
    return lines


def _labels(metrics: Sequence[str]) -> list[str]:
    return [METRICS[name].label for name in metrics]


def _figure(metric: str, value: float | None, view: AgreeView) -> str:
    return UNDEFINED if value is None else figure(metric, value, view.precision)


def _alpha(value: float | None, view: AgreeView) -> str:
    return UNDEFINED if value is None else f"{value:.{view.precision + _MORE}f}"
