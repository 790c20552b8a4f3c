"""Agreement for programs: an object with all of it, and a row for each figure."""

from __future__ import annotations

from typing import TYPE_CHECKING

from scoref.metrics import METRICS
from scoref.render.scores import score_object

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from scoref.statistics.cuts import Interval
    from scoref.tools.agree.results import Agreement, SeveralKeys

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
