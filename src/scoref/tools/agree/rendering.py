"""Agreement as tables, as JSON, and as CSV rows."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from scoref.figures import UNDEFINED, figure, percent
from scoref.metrics import METRICS, leading_metric
from scoref.render.objects import score_object
from scoref.render.report import (
    Column,
    Remarks,
    Report,
    Rows,
    Signatures,
    Table,
    columns,
)

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping, Sequence

    from scoref.metrics.base import AnyScore
    from scoref.statistics.bootstrap import Interval
    from scoref.tools.agree.results import Agreement, SeveralKeys


_FEW_DOCUMENTS = 5


class AgreeView(NamedTuple):
    """What a report of agreement shows."""

    precision: int = 2
    per_document: bool = False
    matrices: bool = False

    def alpha(self, value: float | None) -> str:
        """Write α, with one decimal more than percentages."""
        return UNDEFINED if value is None else f"{value:.{self.precision + 1}f}"

    def figure(self, metric: str, value: float | None) -> str:
        """Write F₁."""
        return UNDEFINED if value is None else figure(metric, value, self.precision)

    def percent(self, value: float) -> str:
        """Write a share."""
        return percent(value, self.precision)


USUAL = AgreeView()


def agreement_report(agreement: Agreement, view: AgreeView = USUAL) -> Report:
    """Report all figures."""
    return Report(
        name="agree",
        parts=lambda: [
            *agreement_tables(agreement, view),
            Signatures([agreement.signature]),
            Remarks(_remarks(agreement)),
        ],
        objects=lambda: [agreement_object(agreement)],
        rows=lambda: Rows(HEAD, agreement_rows(agreement)),
        notes=[note.message for note in agreement.notes],
    )


def agreement_tables(
    agreement: Agreement, view: AgreeView, *, has_disputes: bool = True
) -> Iterator[Table]:
    """Return the tables of a report, the most important first."""
    yield _alpha_table(agreement, view)
    yield _mean_table(agreement, view)
    if agreement.response is not None:
        yield _key_table(agreement, agreement.response, view)
        yield _link_table(agreement, agreement.response, view)
    yield _annotator_table(agreement, view)
    shown = agreement.metrics if view.matrices else [leading_metric(agreement.metrics)]
    for metric in shown:
        yield _matrix(agreement, metric, view)
    if agreement.classes:
        yield _class_table(agreement, view)
    yield _document_table(agreement, view)
    if agreement.disputed and has_disputes:
        yield _dispute_table(agreement, view)


def _alpha_table(agreement: Agreement, view: AgreeView) -> Table:
    names = agreement.distances
    people = f"{len(agreement.per_annotator)} annotators"
    rows = [[people, *(view.alpha(agreement.alpha[name]) for name in names)]]
    if agreement.confidence:
        intervals = agreement.confidence.alpha
        rows += _interval_rows(agreement, intervals, names, view.alpha)
    mentions = agreement.mentions
    if mentions.by_one or mentions.by_some:
        both = [view.alpha(mentions.alpha[name]) for name in names]
        rows.append(["marked mentions only", *both])
    return Table(columns("α", *names), rows)


def _mean_table(agreement: Agreement, view: AgreeView) -> Table:
    names = agreement.metrics
    figures = [view.figure(name, agreement.mean[name]) for name in names]
    rows = [["mean", view.percent(agreement.mentions.f1), *figures]]
    if agreement.confidence:
        intervals = agreement.confidence.mean
        ends = _interval_rows(agreement, intervals, names, view.percent)
        rows += [[label, "", *cells] for label, *cells in ends]
    return Table(columns("F₁", "Mentions", *_labels(names)), rows)


def _interval_rows(
    agreement: Agreement,
    intervals: Mapping[str, Interval],
    names: Sequence[str],
    write: Callable[[float], str],
) -> list[list[str]]:
    """Return a row with the lower ends of intervals, and one with the upper ends."""
    if agreement.confidence is None or not intervals:
        return []
    level = f"{agreement.confidence.level:g} %"
    return [
        [f"{level} {label}", *(write(intervals[name][end]) for name in names)]
        for end, label in enumerate(("from", "to"))
    ]


def _annotator_table(agreement: Agreement, view: AgreeView) -> Table:
    """Return a row for each annotator, the lowest F₁ first."""
    metric = leading_metric(agreement.metrics)
    names = sorted(
        agreement.annotators,
        key=lambda name: agreement.per_annotator.get(name, {}).get(metric, -1.0),
    )
    distance = agreement.distances[0]
    rows = []
    for name in names:
        annotator, f1 = agreement.annotators[name], agreement.per_annotator.get(name)
        rows.append(
            [
                name,
                f"{annotator.documents:,}",
                f"{annotator.mentions:,}",
                *_figures(f1 or {}, agreement, view),
                view.alpha(annotator.alpha_without[distance]),
            ]
        )
    header = ["Documents", "Marked", *_labels(agreement.metrics), "α without"]
    return Table(
        columns("F₁", *header), rows, "Annotators with the others, lowest first"
    )


def _matrix(agreement: Agreement, metric: str, view: AgreeView) -> Table:
    """Return a table with a row and a column for each annotator."""
    rows = []
    for number, name in enumerate(agreement.names):
        cells = []
        for other in agreement.names:
            low, high = sorted((name, other))
            pair = agreement.pairs.get((low, high))
            f1 = None if pair is None else pair.scores[metric].f1
            cells.append("" if f1 is None else view.figure(metric, f1))
        rows.append([f"{number + 1} {name}", *cells])
    numbers = [str(number + 1) for number in range(len(agreement.names))]
    label = METRICS[metric].label
    return Table(columns(label, *numbers), rows, f"{label} F₁ of each pair")


def _class_table(agreement: Agreement, view: AgreeView) -> Table:
    rows = [
        [
            name,
            f"{one.mentions:,}",
            *(view.alpha(one.alpha[distance]) for distance in agreement.distances),
            *_figures(one.mean, agreement, view),
        ]
        for name, one in agreement.classes.items()
    ]
    header = ["Marked", *agreement.distances, *_labels(agreement.metrics)]
    return Table(columns(agreement.by or "", *header), rows, f"By {agreement.by}")


def _document_table(agreement: Agreement, view: AgreeView) -> Table:
    """Return a row for each document, the lowest α first and undefined ones last."""
    first, metric = agreement.distances[0], leading_metric(agreement.metrics)
    documents = sorted(
        agreement.per_document.items(),
        key=lambda item: (
            item[1].alpha[first] is None,
            item[1].alpha[first] or 0.0,
            item[0],
        ),
    )
    rows = [
        [
            name,
            str(document.annotators),
            f"{document.mentions:,}",
            *(view.alpha(document.alpha[one]) for one in agreement.distances),
            view.figure(metric, document.mean.get(metric)),
        ]
        for name, document in documents[: None if view.per_document else _FEW_DOCUMENTS]
    ]
    header = ["Annotators", "Marked", *agreement.distances, METRICS[metric].label]
    return Table(columns("α", *header), rows, "Documents, most disputed first")


def _dispute_table(agreement: Agreement, view: AgreeView) -> Table:
    rows = []
    for dispute in agreement.disputed:
        head = [
            dispute.document,
            UNDEFINED if dispute.sentence is None else str(dispute.sentence),
            dispute.mention,
            view.alpha(dispute.disagreement),
        ]
        readings = [
            f"{', '.join(reading.annotators)}: {reading.says}"
            for reading in dispute.readings
        ]
        has_line = dispute.place.rpartition(":")[2].isdigit()
        place = [dispute.place] if has_line else []
        for text in (*readings, *place):
            rows.append([*head, text])
            head = [""] * len(head)
    header = [
        Column("Document", "name"),
        Column("Sentence"),
        Column("Mention", "name"),
        Column(agreement.distances[0]),
        Column("Readings", "text"),
    ]
    return Table(header, rows, "Mentions, most disputed first")


def _key_table(agreement: Agreement, several: SeveralKeys, view: AgreeView) -> Table:
    """Return a row of the response for each key, and rows to compare it with."""
    metrics = agreement.metrics
    rows = []
    for name, key in several.per_key.items():
        f1 = {metric: key.scores[metric].f1 for metric in metrics}
        rows.append([name, *_figures(f1, agreement, view)])
    rows.append(["mean", *_figures(several.mean, agreement, view)])
    if agreement.confidence:
        intervals = agreement.confidence.response
        rows += _interval_rows(agreement, intervals, metrics, view.percent)
    rows.append(["best", *_figures(several.best, agreement, view)])
    rows.append(["annotators: mean", *_figures(agreement.mean, agreement, view)])
    ceilings = list(several.ceiling.values())
    if ceilings:
        best = {
            metric: sum(ceiling.best[metric] for ceiling in ceilings) / len(ceilings)
            for metric in metrics
        }
        rows.append(["annotators: mean of best", *_figures(best, agreement, view)])
    return Table(columns("F₁ with", *_labels(metrics)), rows, "Response")


def _link_table(agreement: Agreement, several: SeveralKeys, view: AgreeView) -> Table:
    counts, shares = several.counts, several.supported._asdict()
    intervals = agreement.confidence.supported if agreement.confidence else {}
    both = counts.spurious_supported + counts.missing_supported
    rows = []
    for name, label, errors, supported in (
        ("spurious", "spurious links", counts.spurious, counts.spurious_supported),
        ("missing", "missing links", counts.missing, counts.missing_supported),
        ("all", "both", counts.spurious + counts.missing, both),
    ):
        share = shares[name]
        text = UNDEFINED if share is None else view.percent(share)
        if name in intervals:
            text += f" [{', '.join(map(view.percent, intervals[name]))}]"
        rows.append([label, str(errors), str(supported), text])
    header = ["Against the majority", "Errors", "Some agree", "Share"]
    title = "Errors in which some annotator agrees with the response"
    return Table(columns(*header), rows, title)


def _figures(
    f1: Mapping[str, float], agreement: Agreement, view: AgreeView
) -> list[str]:
    return [view.figure(metric, f1.get(metric)) for metric in agreement.metrics]


def _labels(metrics: Sequence[str]) -> list[str]:
    return [METRICS[name].label for name in metrics]


def _remarks(agreement: Agreement) -> list[str]:
    lines = []
    distance = agreement.distances[0]
    if agreement.outlier is not None:
        without = agreement.annotators[agreement.outlier].alpha_without[distance]
        lines.append(
            f"Without {agreement.outlier}, the others agree best: α ({distance}) is "
            f"{without:.3f} instead of {agreement.alpha[distance]:.3f}."
        )
    if agreement.response is not None:
        several = agreement.response
        any_key, all_keys = (
            UNDEFINED if share is None else percent(share)
            for share in (several.lenient_precision, several.strict_recall)
        )
        lines.append(
            f"Links of the response that are in at least one key: {any_key} %. "
            f"Links in all keys that the response also has: {all_keys} %."
        )
        undecided = several.counts.undecided
        left_out = ""
        if undecided:
            links = "link was" if undecided == 1 else "links were"
            left_out = (
                f"{undecided:,} {links} left out because the keys are split evenly. "
            )
        lines.append(f"{left_out}Averages are over links, so large entities dominate.")
    return lines


HEAD = (
    *("figure", "first", "second", "measure", "value", "low", "high"),
    *("documents", "mentions", "signature"),
)


def agreement_object(agreement: Agreement) -> dict[str, object]:
    """Return the fields of agreement in JSON output."""
    fields: dict[str, object] = {
        "signature": agreement.signature,
        "annotators": {
            name: {**annotator._asdict(), "f1": agreement.per_annotator.get(name, {})}
            for name, annotator in agreement.annotators.items()
        },
        "alpha": agreement.alpha,
        "observed": agreement.observed,
        "expected": agreement.expected,
        "mean": agreement.mean,
        "mentions": agreement.mentions._asdict(),
        "outlier": agreement.outlier,
        "pairs": [
            {
                "first": first,
                "second": second,
                "documents": pair.documents,
                "mentions": pair.mentions,
                "scores": _score_objects(pair.scores),
            }
            for (first, second), pair in agreement.pairs.items()
        ],
        "per_document": {
            name: document._asdict()
            for name, document in agreement.per_document.items()
        },
        "disputed": [
            dispute._asdict()
            | {"readings": [reading._asdict() for reading in dispute.readings]}
            for dispute in agreement.disputed
        ],
    }
    if agreement.by is not None:
        fields["by"] = agreement.by
        fields["classes"] = {
            name: one._asdict() for name, one in agreement.classes.items()
        }
    if agreement.response is not None:
        fields["response"] = _response_object(agreement.response)
    if agreement.confidence is not None:
        fields["confidence"] = agreement.confidence
    fields["notes"] = agreement.notes
    return fields


def _response_object(several: SeveralKeys) -> dict[str, object]:
    return {
        "per_key": {
            name: {
                "documents": key.documents,
                "scores": _score_objects(key.scores),
            }
            for name, key in several.per_key.items()
        },
        "mean": several.mean,
        "best": several.best,
        "spread": {name: ends._asdict() for name, ends in several.spread.items()},
        "ceiling": {name: one._asdict() for name, one in several.ceiling.items()},
        "supported": several.supported._asdict(),
        "lenient_precision": several.lenient_precision,
        "strict_recall": several.strict_recall,
        "counts": several.counts._asdict(),
        "per_document": {
            name: counts._asdict() for name, counts in several.per_document.items()
        },
    }


def _score_objects(scores: Mapping[str, AnyScore]) -> dict[str, object]:
    return {
        name: score_object(score, METRICS.get(name)) for name, score in scores.items()
    }


def agreement_rows(agreement: Agreement) -> Iterator[list[object]]:
    """Return a row for each figure, with the annotators, pair or document it is of."""
    ends = agreement.confidence
    nothing: Mapping[str, Interval] = {}
    for kind, figures in (
        ("alpha", agreement.alpha),
        ("observed", agreement.observed),
        ("expected", agreement.expected),
    ):
        known = ends.alpha if ends and kind == "alpha" else nothing
        yield from _figure_rows(agreement, [kind, "", ""], figures, known)
    known = ends.mean if ends else nothing
    yield from _figure_rows(agreement, ["mean", "", ""], agreement.mean, known)
    counts: Sequence[int | None]
    for name, f1 in agreement.per_annotator.items():
        annotator = agreement.annotators[name]
        known = ends.per_annotator.get(name, nothing) if ends else nothing
        counts = [annotator.documents, annotator.mentions]
        yield from _figure_rows(agreement, ["annotator", name, ""], f1, known, counts)
    for (first, second), pair in agreement.pairs.items():
        scores = {"mentions": pair.mentions} | {
            name: score.f1 for name, score in pair.scores.items()
        }
        counts = [pair.documents, None]
        yield from _figure_rows(
            agreement, ["pair", first, second], scores, nothing, counts
        )
    for name, document in agreement.per_document.items():
        counts = [None, document.mentions]
        place = ["document", name, ""]
        both = {**document.alpha, **document.mean}
        yield from _figure_rows(agreement, place, both, nothing, counts)
    for name, one in agreement.classes.items():
        both = {**one.alpha, **one.mean}
        counts = [None, one.mentions]
        yield from _figure_rows(agreement, ["class", name, ""], both, nothing, counts)
    if agreement.response is not None:
        yield from _response_rows(agreement, agreement.response)


def _response_rows(
    agreement: Agreement, several: SeveralKeys
) -> Iterator[list[object]]:
    ends = agreement.confidence
    for name, key in several.per_key.items():
        f1 = {metric: score.f1 for metric, score in key.scores.items()}
        yield from _figure_rows(
            agreement, ["key", name, ""], f1, {}, [key.documents, None]
        )
    known = ends.response if ends else {}
    yield from _figure_rows(agreement, ["response", "mean", ""], several.mean, known)
    yield from _figure_rows(agreement, ["response", "best", ""], several.best, {})
    known = ends.supported if ends else {}
    shares = several.supported._asdict()
    yield from _figure_rows(agreement, ["supported", "", ""], shares, known)


def _figure_rows(
    agreement: Agreement,
    place: Sequence[object],
    figures: Mapping[str, float | None],
    intervals: Mapping[str, Interval],
    counts: Sequence[int | None] = (None, None),
) -> Iterator[list[object]]:
    for name, value in figures.items():
        low, high = intervals.get(name, (None, None))
        yield [*place, name, value, low, high, *counts, agreement.signature]
