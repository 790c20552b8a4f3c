"""Agreement as tables, as JSON, as rows for programs, and as an HTML page.

The page shows all texts side by side. The first annotator takes the place of the key,
and the other annotators take the place of systems; their differences from the first
annotator are marked in the texts.
"""

from __future__ import annotations

import dataclasses
from typing import TYPE_CHECKING, NamedTuple

from scoref.errors import OptionError
from scoref.figures import UNDEFINED, figure, percent
from scoref.metrics import METRICS, leading_metric
from scoref.render.report import (
    Column,
    Remarks,
    Report,
    Rows,
    Signatures,
    Table,
    columns,
)
from scoref.render.scores import score_object
from scoref.scoring.annotators import in_one_text
from scoref.tools.errors.analysis import analyse
from scoref.tools.report.data import report_of
from scoref.tools.report.page import render_page

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from scoref.statistics.bootstrap import Interval
    from scoref.tools.agree.results import Agreement, SeveralKeys
    from scoref.tools.errors.findings import Analysis


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
    shown = found.metrics if view.matrices else [leading_metric(found.metrics)]
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
    assert callable(written)
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
    metric = leading_metric(found.metrics)
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
    metric = leading_metric(found.metrics)
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


HEAD = (
    *("figure", "first", "second", "measure", "value", "low", "high"),
    *("documents", "mentions", "signature"),
)


def agreement_object(found: Agreement) -> dict[str, object]:
    """Give agreement as JSON knows it."""
    written: dict[str, object] = {
        "signature": found.signature,
        "annotators": {
            name: {**each._asdict(), "f1": found.per_annotator.get(name, {})}
            for name, each in found.annotators.items()
        },
        "alpha": found.alpha,
        "observed": found.observed,
        "expected": found.expected,
        "mean": found.mean,
        "mentions": found.mentions._asdict(),
        "outlier": found.outlier,
        "pairs": [
            {
                "first": first,
                "second": second,
                "documents": each.documents,
                "mentions": each.mentions,
                "scores": {
                    name: score_object(score, METRICS.get(name))
                    for name, score in each.scores.items()
                },
            }
            for (first, second), each in found.pairs.items()
        ],
        "per_document": {
            name: each._asdict() for name, each in found.per_document.items()
        },
        "disputed": [
            {**each._asdict(), "readings": [one._asdict() for one in each.readings]}
            for each in found.disputed
        ],
    }
    if found.by is not None:
        written["by"] = found.by
        written["classes"] = {
            name: each._asdict() for name, each in found.classes.items()
        }
    if found.response is not None:
        written["response"] = _response_object(found.response)
    if found.confidence is not None:
        written["confidence"] = found.confidence
    written["notes"] = found.notes
    return written


def _response_object(several: SeveralKeys) -> dict[str, object]:
    return {
        "per_key": {
            name: {
                "documents": each.documents,
                "scores": {
                    metric: score_object(score, METRICS.get(metric))
                    for metric, score in each.scores.items()
                },
            }
            for name, each in several.per_key.items()
        },
        "mean": several.mean,
        "best": several.best,
        "spread": {name: each._asdict() for name, each in several.spread.items()},
        "ceiling": {name: each._asdict() for name, each in several.ceiling.items()},
        "supported": several.supported._asdict(),
        "lenient_precision": several.lenient_precision,
        "strict_recall": several.strict_recall,
        "counts": several.counts._asdict(),
        "per_document": {
            name: each._asdict() for name, each in several.per_document.items()
        },
    }


def agreement_rows(found: Agreement) -> Iterator[list[object]]:
    """Give each figure a row, with what it is about."""
    ends = found.confidence
    nothing: Mapping[str, Interval] = {}
    for kind, figures in (
        ("alpha", found.alpha),
        ("observed", found.observed),
        ("expected", found.expected),
    ):
        known = ends.alpha if ends and kind == "alpha" else nothing
        yield from _figures(found, [kind, "", ""], figures, known)
    known = ends.mean if ends else nothing
    yield from _figures(found, ["mean", "", ""], found.mean, known)
    counts: Sequence[int | None]
    for name, f1 in found.per_annotator.items():
        each = found.annotators[name]
        known = ends.per_annotator.get(name, nothing) if ends else nothing
        counts = [each.documents, each.mentions]
        yield from _figures(found, ["annotator", name, ""], f1, known, counts)
    for (first, second), pair in found.pairs.items():
        scores = {"mentions": pair.mentions} | {
            name: score.f1 for name, score in pair.scores.items()
        }
        counts = [pair.documents, None]
        yield from _figures(found, ["pair", first, second], scores, nothing, counts)
    for name, document in found.per_document.items():
        counts = [None, document.mentions]
        place = ["document", name, ""]
        both = {**document.alpha, **document.mean}
        yield from _figures(found, place, both, nothing, counts)
    for name, each_class in found.classes.items():
        both = {**each_class.alpha, **each_class.mean}
        counts = [None, each_class.mentions]
        yield from _figures(found, ["class", name, ""], both, nothing, counts)
    if found.response is not None:
        yield from _response_rows(found, found.response)


def _response_rows(found: Agreement, several: SeveralKeys) -> Iterator[list[object]]:
    ends = found.confidence
    for name, key in several.per_key.items():
        f1 = {metric: score.f1 for metric, score in key.scores.items()}
        yield from _figures(found, ["key", name, ""], f1, {}, [key.documents, None])
    known = ends.response if ends else {}
    yield from _figures(found, ["response", "mean", ""], several.mean, known)
    yield from _figures(found, ["response", "best", ""], several.best, {})
    known = ends.supported if ends else {}
    shares = several.supported._asdict()
    yield from _figures(found, ["supported", "", ""], shares, known)


def _figures(
    found: Agreement,
    place: Sequence[object],
    figures: Mapping[str, float | None],
    intervals: Mapping[str, Interval],
    counts: Sequence[int | None] = (None, None),
) -> Iterator[list[object]]:
    for name, value in figures.items():
        low, high = intervals.get(name, (None, None))
        yield [*place, name, value, low, high, *counts, found.signature]


def agreement_page(found: Agreement, view: AgreeView | None = None) -> str:
    """Write a page for a browser."""
    first, *others = found.names
    data = report_of(dict(_analyses(found)))
    tables = [_plain(each) for each in agreement_tables(found, view or AgreeView())]
    report = {
        **data.report,
        "title": "Agreement of annotators",
        "key": f"{first}, who stands for the key here",
        "annotator": first,
        "agreement": tables,
        "kinds": [_about(each, first) for each in data.report["kinds"]],  # type: ignore[attr-defined] # a list
    }
    assert others
    return render_page(report, data.texts)


def _analyses(found: Agreement) -> Iterator[tuple[str, Analysis]]:
    """Let the first annotator be the key of each other one."""
    people = found.annotated
    if len(people.corpora) != len(people.names):
        raise OptionError("--report is for files, not for folders of datasets")
    scheme = next(iter(people.results.values())).scheme
    if people.corpora[0].words is None:
        scheme = dataclasses.replace(scheme, missing="empty")
    pairs = zip(people.names[1:], people.corpora[1:], strict=True)
    for name, corpus in pairs:
        sides = in_one_text(people.corpora[0], corpus, scheme)
        yield name, analyse(sides.key, sides.response, sides.scheme, found.metrics)


def _about(kind: Mapping[str, str], first: str) -> dict[str, str]:
    """Say of a kind of error what it means where somebody stands for the key."""
    return {**kind, "meaning": kind["meaning"].replace("the key", first)}


def _plain(table: Table) -> dict[str, object]:
    return {
        "title": table.title,
        "header": [column.label for column in table.columns],
        "rows": [
            [cell if isinstance(cell, str) else cell.text for cell in row]
            for row in table.rows
        ],
    }
