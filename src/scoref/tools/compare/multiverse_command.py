"""The command `scoref compare --multiverse`: who wins under which conventions.

The choices that can be varied are listed here, so that the command's help does not need
NumPy.
"""

from __future__ import annotations

import click

from scoref.errors import unknown
from scoref.formats.folders import is_datasets
from scoref.scheme import CONVENTIONS, choices
from scoref.terminal.help import Option
from scoref.terminal.options import (
    LEVEL,
    ScoringCommand,
    request_of,
    scoring,
    seeded,
    shown,
)
from scoref.terminal.printing import print_report, progress
from scoref.terminal.running import OUTPUT, refusing

AXES = (
    *("match", "singletons", "zeros", "split_antecedents", "duplicates", "alignment"),
    *("average", "blanc", "lea"),
)
"""The conventions that are varied by default."""

KNOWN = (*AXES, "phrases", "nested", "missing")
"""The conventions that can be varied, since no file has to be read again for them."""

OF_ONE_METRIC = {"blanc": "blanc", "lea": "lea"}
"""Conventions that concern a single metric, and that metric."""

METRIC = "metric"
"""The name of the choice of a metric, among those of conventions."""

RESAMPLES, MOST = 1000, 1000
"""The number of bootstrap samples, and of combinations that are scored at most."""


def parse_axes(text: str | None) -> tuple[str, ...]:
    """Split a list of conventions, and check their names.

    >>> parse_axes("match, split-antecedents")
    ('match', 'split_antecedents')
    """
    if text is None:
        return AXES
    names = [name.strip().replace("-", "_") for name in text.split(",")]
    for name in names:
        if name not in KNOWN:
            raise unknown("convention to vary", name, map(convention_label, KNOWN))
    return tuple(name for name in KNOWN if name in names)


def convention_label(name: str) -> str:
    """Return the name of a convention as in signatures; other names stay."""
    return CONVENTIONS[name].label if name in CONVENTIONS else name


def values_of(name: str) -> tuple[str, ...]:
    """List the values of a convention, without ``error``, which gives no figure."""
    return tuple(value for value in choices(name) if value != "error")


@click.command(
    cls=ScoringCommand,
    examples={
        "scoref compare --multiverse key.conll a=a.conll b=b.conll c=c.conll": ""
        "Which system wins under which conventions?",
        "scoref compare --multiverse key.conllu a.conllu b.conllu --vary match": ""
        "Vary only one convention.",
    },
)
@click.argument("key")
@click.argument("responses", metavar="RESPONSE RESPONSE...", nargs=-1, required=True)
@click.option(
    "--vary",
    metavar="LIST",
    help="Conventions to vary, separated by commas.  [default: those of "
    f"{', '.join(map(convention_label, AXES))} that the files allow and that change a "
    "score]",
)
@scoring
@click.option(
    "--resamples",
    type=click.IntRange(2, 1_000_000),
    default=RESAMPLES,
    show_default=True,
    metavar="N",
    help="Number of bootstrap samples per setting.",
)
@seeded
@click.option(
    "--confidence",
    "level",
    cls=Option,
    former=("--level",),
    type=LEVEL,
    default=95.0,
    show_default=True,
    metavar="[LEVEL]",
    help="Confidence level of the test for which the number of documents is "
    "computed, as a percentage or a fraction.",
)
@click.option(
    "--power",
    type=LEVEL,
    default=80.0,
    show_default=True,
    metavar="POWER",
    help="Power of that test: how often it should detect the difference, as "
    "a percentage or a fraction.",
)
@shown
@click.option(
    "--plot",
    type=OUTPUT,
    metavar="FILE",
    help="Plot the score in each setting, and its choices, to a .svg, .png "
    "or .html file.",
)
def command(
    key: str,
    responses: tuple[str, ...],
    *,
    vary: str | None,
    lenient: bool,
    resamples: int,
    seed: int,
    level: float,
    power: float,
    output: str,
    precision: int,
    plot: str | None,
    **options: str | None,
) -> None:
    """Rank systems under every combination of conventions, and see if the order holds.

    Each RESPONSE is scored against the KEY under all combinations of conventions that
    the files allow, by every metric. The report shows which system wins where, how
    stable the order is across settings and samples of documents, which convention
    changes it most, and how many documents are needed to tell two systems apart.

    A convention given as an option, such as --singletons keep, is not varied.
    NAME=RESPONSE gives a system a name.
    """
    with refusing():
        from scoref.terminal.systems import by_name
        from scoref.tools.compare.multiverse import (
            Exploration,
            Resampling,
            explore,
            read_systems,
        )
        from scoref.tools.compare.multiverse_rendering import multiverse_report
        from scoref.tools.compare.multiverse_results import Plan

        if plot:  # refuse a file that cannot be drawn before anything is scored
            from scoref.render.plots import check_plot

            check_plot(plot)
        wanted = request_of(options, lenient=lenient)
        if is_datasets(key, wanted.folder):
            raise click.UsageError("compare --multiverse needs files, not folders.")
        exploration = Exploration.of(vary, wanted)
        pairs = read_systems(key, by_name(responses), wanted)
        resampling = Resampling(resamples, seed, Plan.of(level, power))
        with progress() as show:
            multiverse = explore(
                *(pairs, exploration, resampling),
                lambda share: show("scoring", share) if show else None,
            )
        if plot:
            from scoref.tools.compare.multiverse_rendering import plot_multiverse

            plot_multiverse(plot, multiverse)
        print_report(multiverse_report(multiverse, precision), output)
