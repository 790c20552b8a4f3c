"""What is said beside an estimate: what was promised, and what to be wary of."""

from __future__ import annotations

from typing import TYPE_CHECKING

from scoref._version import __version__
from scoref.model import Note
from scoref.statistics.additive import FIGURES
from scoref.statistics.cluster_terms import TERMS
from scoref.tables.notes import about_side
from scoref.tools.estimate.weights import BY_SIZE, UNIFORM

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from scoref.statistics.ratios import Estimated
    from scoref.tables.asking import Ask
    from scoref.tables.sample_counts import Sampled
    from scoref.tools.estimate.estimating import Choices, EstimationSample

FEW_CLUSTERS, FEW_EFFECTIVE = 30, 15
_LARGE = 0.2  # of a denominator
_SHOWN = 4
_SPOKEN = {"f1": "F1"}


def named(numbers: object) -> str:
    """Say where weights or times come from."""
    return numbers if isinstance(numbers, str) else "given"


def signature_of(choices: Choices, **more: str) -> str:
    """Write every choice that moves a figure, and the promise, in one line."""
    fields = {
        "scoref": __version__,
        "format": "table",
        "estimator": choices.estimator,
        **more,
        "weights": named(choices.weights),
        "times": "" if choices.times is None else named(choices.times),
        "design": "block" if choices.block else "",
        "missing": "drop" if choices.is_incumbent else choices.missing,
        "level": f"{choices.level:.15g}",
        "interval": "none"
        if choices.block or choices.is_incumbent
        else "korn-graubard",
    }
    return "|".join(f"{name}:{value}" for name, value in fields.items() if value)


def promise_of(choices: Choices) -> str:
    """Say what the user promised by giving these weights."""
    if choices.block:
        return "every cluster of the block is there, and complete"
    return (
        f"clusters are complete, and were drawn {drawn_by(choices)}, whatever was "
        "predicted; the prediction is whole"
    )


def drawn_by(choices: Choices) -> str:
    """Say how clusters were drawn."""
    if choices.weights == UNIFORM:
        return "each with the same chance"
    if choices.weights == BY_SIZE:
        return "by size"
    if isinstance(choices.weights, str):
        return f"with the chances that '{choices.weights}' has"
    return "with the chances that were given"


def notes_on(
    kept: EstimationSample,
    found: Mapping[str, Estimated],
    counted: Sampled,
    choices: Choices,
    ask: Ask,
) -> Iterator[Note]:
    """Say what the data show to be wary of."""
    yield from about_side("sample", counted.key, ask)
    yield from about_side("prediction", counted.response, ask)
    if kept.missing:
        yield _on_missing(kept, choices)
    if choices.block:
        text = "figures are of this block only: one draw has no error, and no interval"
        yield Note("block", 1, text)
        return
    if len(kept.names) < FEW_CLUSTERS:
        text = f"{len(kept.names)} clusters are few: label {FEW_CLUSTERS} or more"
        yield Note("few-clusters", len(kept.names), text)
    if not choices.is_incumbent:
        yield from _on_large(kept, found)
        yield from _on_effective(found)
        yield from _on_unknown(found)


def _on_missing(kept: EstimationSample, choices: Choices) -> Note:
    is_alone = choices.missing == "alone" and not choices.is_incumbent
    fate = "count as predicted singletons" if is_alone else "were left out"
    which = "record is" if kept.missing == 1 else "records are"
    text = f"{kept.missing:,} labelled {which} not in the prediction and {fate}"
    return Note("missing", kept.missing, text)


def _on_large(kept: EstimationSample, found: Mapping[str, Estimated]) -> Iterator[Note]:
    """Name clusters that have a large part of a denominator."""
    large: dict[str, list[str]] = {}
    for name in found:
        terms = TERMS[name](kept.cells) * (kept.times * kept.weights)[:, None]
        for figure, column in (("recall", 1), ("precision", 3)):
            total = terms[:, column].sum()
            place = int(terms[:, column].argmax())
            share = terms[place, column] / total if total else 0
            if share > _LARGE:
                text = f"{100 * share:.0f} % of {name} {figure}"
                large.setdefault(kept.names[place], []).append(text)
    for cluster, shares in large.items():
        text = f"cluster '{cluster}' alone has {_listed(shares)}"
        yield Note("one-cluster", len(shares), text)


def _on_effective(found: Mapping[str, Estimated]) -> Iterator[Note]:
    few = [
        f"{name} {_SPOKEN.get(figure, figure)} rests on {count:.1f} clusters"
        for name, each in found.items()
        for figure in FIGURES
        if (count := each.effective[figure]) is not None and count < FEW_EFFECTIVE
    ]
    if few:
        yield Note("few-effective", len(few), _listed(few))


def _on_unknown(found: Mapping[str, Estimated]) -> Iterator[Note]:
    unknown = [
        f"{name} {_SPOKEN.get(figure, figure)}"
        for name, each in found.items()
        for figure in FIGURES
        if each.errors[figure] is None
    ]
    if unknown:
        text = (
            f"no error can be told of {_listed(unknown)}: there is one draw, or "
            "nothing is left without one of them"
        )
        yield Note("no-error", len(unknown), text)


def _listed(texts: list[str]) -> str:
    more = f" and {len(texts) - _SHOWN} more" if len(texts) > _SHOWN else ""
    return ", ".join(texts[:_SHOWN]) + more
