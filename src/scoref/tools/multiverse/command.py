"""The command `scoref multiverse`: who wins under which conventions?"""

from __future__ import annotations

import click

from scoref.formats import is_datasets
from scoref.terminal.options import (
    LEVEL,
    ScoringCommand,
    scoring,
    seeded,
    shown,
    wanted_of,
)
from scoref.terminal.printing import print_report, progress
from scoref.terminal.running import OUTPUT, refusing
from scoref.tools.multiverse.options import AXES, RESAMPLES, label


@click.command(
    cls=ScoringCommand,
    examples={
        "scoref multiverse key.conll a=a.conll b=b.conll c=c.conll": "Who wins under "
        "which conventions?",
        "scoref multiverse key.conllu a.conllu b.conllu --vary match": "Vary one "
        "of them only.",
    },
)
@click.argument("key")
@click.argument("responses", metavar="RESPONSE RESPONSE...", nargs=-1, required=True)
@click.option(
    "--vary",
    metavar="LIST",
    help="Conventions to vary, with commas.  [default: those of "
    f"{', '.join(map(label, AXES))} that files allow and that move a figure]",
)
@scoring
@click.option(
    "--resamples",
    type=click.IntRange(2, 1_000_000),
    default=RESAMPLES,
    show_default=True,
    metavar="N",
    help="Number of bootstrap samples in each setting.",
)
@seeded
@click.option(
    "--level",
    type=LEVEL,
    default=95.0,
    show_default=True,
    metavar="LEVEL",
    help="Confidence level of the test that the number of documents is for, in percent "
    "or as a fraction up to 1.",
)
@click.option(
    "--power",
    type=LEVEL,
    default=80.0,
    show_default=True,
    metavar="POWER",
    help="How often that many documents show the difference, in percent or as a "
    "fraction up to 1.",
)
@shown
@click.option(
    "--plot",
    type=OUTPUT,
    metavar="FILE",
    help="Draw every setting, and the choices behind it: .svg, .png or .html.",
)
def command(  # noqa: PLR0913 - the options
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
    """Put systems into an order under every set of conventions, and see if it stays.

    Each RESPONSE is scored against the KEY under all combinations of the conventions
    that files allow, by every metric. The report says who wins where, how often the
    order of systems is the same over settings and over draws of documents, which choice
    upsets it most, and how many documents would tell two systems apart.

    A convention that is given, such as --singletons keep, is not varied. NAME=RESPONSE
    gives a system a name.
    """
    with refusing():
        from scoref.statistics.sample_size import Plan  # noqa: PLC0415 - NumPy
        from scoref.terminal.systems import by_name  # noqa: PLC0415
        from scoref.tools.multiverse.drawing import Redrawing  # noqa: PLC0415
        from scoref.tools.multiverse.exploring import (  # noqa: PLC0415
            asked_of,
            explore,
            pairs_of,
        )
        from scoref.tools.multiverse.rendering import (  # noqa: PLC0415
            multiverse_report,
        )

        if plot:
            from scoref.render.plots import check_plot  # noqa: PLC0415 - an extra

            check_plot(plot)
        wanted = wanted_of(options, lenient=lenient)
        if is_datasets(key, wanted.folder):
            raise click.UsageError("multiverse is for files, not for folders of them")
        asked = asked_of(vary, wanted)
        pairs = pairs_of(key, by_name(responses), wanted)
        chance = Redrawing(resamples, seed, Plan.of(level, power))
        with progress() as show:
            found = explore(
                *(pairs, asked, chance),
                lambda share: show("scoring", share) if show else None,
            )
        if plot:
            from scoref.tools.multiverse.plot import plot_multiverse  # noqa: PLC0415

            plot_multiverse(plot, found)
        print_report(multiverse_report(found, precision), output)
