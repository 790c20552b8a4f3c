"""The command `scoref compare`: is the difference between systems real?"""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from scoref.formats import is_datasets
from scoref.terminal.options import ScoringCommand, chance, scoring, shown, wanted_of
from scoref.terminal.printing import print_failures, print_report
from scoref.terminal.running import OUTPUT, MissingParts, refusing

if TYPE_CHECKING:
    from scoref.render.report import Loss
    from scoref.scoring.datasets import DatasetResults
    from scoref.scoring.evaluate import Wanted
    from scoref.scoring.results import Result

    Systems = dict[str, Result | dict[str, Result]]


@click.command(
    cls=ScoringCommand,
    examples={
        "scoref compare key.conll ours=a.conll theirs=b.conll": "Is ours better?",
        "scoref compare gold/ ours/ theirs/ --metrics conll": "And on all datasets?",
    },
)
@click.argument("key")
@click.argument("responses", metavar="RESPONSE RESPONSE...", nargs=-1, required=True)
@scoring
@click.option(
    "--confidence",
    type=click.FloatRange(0, 100, min_open=True, max_open=True),
    default=95.0,
    metavar="[LEVEL]",
    show_default=True,
    help="Level of the differences' intervals; what is significant is its complement.",
)
@chance
@shown
@click.option(
    "--plot",
    type=OUTPUT,
    metavar="FILE",
    help="Draw the first two systems' difference by document: .svg, .png or .html.",
)
def command(  # noqa: PLR0913 - the options
    key: str,
    responses: tuple[str, ...],
    *,
    lenient: bool,
    confidence: float,
    bootstrap: str,
    resamples: int,
    seed: int,
    output: str,
    precision: int,
    plot: str | None,
    **options: str | None,
) -> None:
    """Compare systems: each RESPONSE against the KEY, and with each other.

    For each pair and metric: the difference of F1 with its interval, p-values by
    approximate randomisation and by the paired bootstrap, Holm's correction over all
    pairs and metrics, and how many documents were won and lost.

    KEY and RESPONSE may be folders with a file for each dataset; the macro average over
    datasets is compared then. NAME=RESPONSE gives a system a name.
    """
    with refusing():
        from scoref.statistics.compare import compare  # noqa: PLC0415
        from scoref.statistics.confidence import method_named  # noqa: PLC0415
        from scoref.tools.compare.rendering import (  # noqa: PLC0415 - NumPy
            comparison_report,
        )

        if plot:
            from scoref.render.plots import check_plot  # noqa: PLC0415

            check_plot(plot)
        systems, losses = _scored(key, responses, wanted_of(options, lenient=lenient))
        comparison = compare(
            systems,
            level=confidence,
            method=method_named(bootstrap),
            resamples=resamples,
            seed=seed,
        )
        if plot:
            _plot(plot, systems)
        print_report(comparison_report(comparison, precision, losses), output)
        print_failures(loss.message for loss in losses)
        if losses:
            raise MissingParts("not all datasets could be compared; see above")


def _scored(
    key: str, responses: tuple[str, ...], wanted: Wanted
) -> tuple[Systems, list[Loss]]:
    """Score systems, and tell what could not be scored."""
    from scoref.terminal.systems import by_name, score_named  # noqa: PLC0415 - NumPy

    names = by_name(responses)
    if not is_datasets(key):
        scored = score_named(key, responses, wanted)
        return {each.response: each for each in scored}, []
    from scoref.scoring.datasets import score_datasets  # noqa: PLC0415

    return _compared(score_datasets(key, dict(names), wanted))


def _compared(found: DatasetResults) -> tuple[Systems, list[Loss]]:
    """Keep the datasets that all systems have; tell why others are left out."""
    from scoref.render.report import Loss  # noqa: PLC0415 - folders are rare

    left_out = {failure.dataset for failure in found.failures}
    kept = [name for name in found.datasets if name not in left_out]
    losses = [
        Loss(failure.dataset, failure.system, failure.message)
        for failure in found.failures
    ]
    if not kept:
        print_failures(loss.message for loss in losses)
        raise MissingParts("no dataset could be compared; see above")
    if left_out:
        counts = f"{len(left_out)} of {len(found.datasets)} datasets"
        names = ", ".join(name for name in found.datasets if name in left_out)
        message = f"{counts} left out for all systems: {names}"
        losses.append(Loss(None, None, message))
    systems: Systems = {
        system: {name: found.results[system, name, found.columns[0]] for name in kept}
        for system in found.systems
    }
    return systems, losses


def _plot(path: str, systems: Systems) -> None:
    from scoref.errors import OptionError  # noqa: PLC0415
    from scoref.metrics import leading  # noqa: PLC0415
    from scoref.render.plots import plot_differences  # noqa: PLC0415
    from scoref.scoring.results import Result  # noqa: PLC0415

    first, second = list(systems.items())[:2]
    results = first[1], second[1]
    if not isinstance(results[0], Result) or not isinstance(results[1], Result):
        raise OptionError("--plot is for files, not for folders")
    metric = leading(results[0].metrics)
    plot_differences(path, (first[0], results[0]), (second[0], results[1]), metric)
