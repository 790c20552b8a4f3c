"""The command `scoref bias`: pairs of texts, with a stereotype and against it."""

from __future__ import annotations

import click

from scoref.terminal.options import (
    LEVEL,
    ScoringCommand,
    chance,
    scoring,
    shown,
    wanted_of,
)
from scoref.terminal.printing import print_report
from scoref.terminal.running import refusing


@click.command(
    cls=ScoringCommand,
    examples={
        "scoref bias pro.key.conll pro.conll anti.key.conll anti.conll": "Scores of "
        "both halves of WinoBias, and whether they differ.",
    },
)
@click.argument("pro_key")
@click.argument("pro_response")
@click.argument("anti_key")
@click.argument("anti_response")
@click.option(
    "--pairs",
    metavar="PATTERN",
    default=r"//(\d+)",
    show_default=True,
    help="A regular expression, whose first group the names of a pair share.",
)
@scoring
@click.option(
    "--confidence",
    type=LEVEL,
    default=95.0,
    metavar="[LEVEL]",
    show_default=True,
    help="Level of the differences' intervals, in percent or as a fraction up to 1.",
)
@chance
@shown
def command(  # noqa: PLR0913 - the options
    pro_key: str,
    pro_response: str,
    anti_key: str,
    anti_response: str,
    *,
    pairs: str,
    lenient: bool,
    confidence: float,
    bootstrap: str,
    resamples: int,
    seed: int,
    output: str,
    precision: int,
    **options: str | None,
) -> None:
    """Score pairs of texts, of which one goes with a stereotype and one against it.

    Both halves are scored by every metric; the average says how good a system is, the
    difference how much it leans on the stereotype. Names of documents tell pairs.
    """
    with refusing():
        from scoref.statistics.confidence import method_named  # noqa: PLC0415 - NumPy
        from scoref.tools.bias.halves import bias_of  # noqa: PLC0415
        from scoref.tools.bias.rendering import bias_report  # noqa: PLC0415

        result = bias_of(
            (pro_key, pro_response),
            (anti_key, anti_response),
            wanted_of(options, lenient=lenient),
            pairs=pairs,
            level=confidence,
            method=method_named(bootstrap),
            resamples=resamples,
            seed=seed,
        )
        print_report(bias_report(result, precision), output)
