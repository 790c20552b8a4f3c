"""The command `scoref gap`: pronouns of both genders, and the ratio of their F1."""

from __future__ import annotations

from functools import partial

import click

from scoref.terminal.options import LEVEL, ScoringCommand, chance, shown
from scoref.terminal.printing import print_report
from scoref.terminal.running import refusing


@click.command(
    cls=ScoringCommand,
    examples={
        "scoref gap gap-test.tsv system.tsv": "Recall, precision, F1 and the bias.",
        "scoref gap gap-test.tsv system.tsv --scheme gap-2018": "As the official scorer"
        " counts, whatever is missing.",
    },
)
@click.argument("gold")
@click.argument("system")
@click.option(
    "--scheme",
    type=click.Choice(["gap-2018"]),
    help="Read and count as the official scorer does. Otherwise answers that are "
    "missing, repeated, unknown or neither TRUE nor FALSE are refused.",
)
@click.option(
    "--confidence",
    type=LEVEL,
    metavar="[LEVEL]",
    help="An interval of the bias, by the bootstrap over examples. LEVEL is in percent "
    "or a fraction up to 1; 95 if it is left out.",
)
@chance
@partial(shown, decimals=1)
def command(  # noqa: PLR0913 - the options
    gold: str,
    system: str,
    *,
    scheme: str | None,
    confidence: float | None,
    bootstrap: str,
    resamples: int,
    seed: int,
    output: str,
    precision: int,
) -> None:
    """Score SYSTEM on GAP: ambiguous pronouns, half of them feminine.

    GOLD is GAP's own file, and SYSTEM has lines of ID, A-coref and B-coref. The bias is
    the F1 of feminine pronouns by that of masculine ones.
    """
    with refusing():
        from scoref.statistics.confidence import method_named  # noqa: PLC0415 - NumPy
        from scoref.statistics.levels import percent_of  # noqa: PLC0415
        from scoref.tools.gap.rendering import GapView, gap_report  # noqa: PLC0415
        from scoref.tools.gap.scoring import score_gap  # noqa: PLC0415

        result = score_gap(gold, system, scheme=scheme)
        view = GapView(precision)
        if confidence is not None:
            interval = result.interval(
                level=confidence,
                method=method_named(bootstrap),
                resamples=resamples,
                seed=seed,
            )
            level = percent_of(confidence)
            signature = (
                f"confidence:{level:.15g}|bootstrap:{bootstrap}|resamples:"
                f"{resamples}|seed:{seed}|unit:examples"
            )
            view = view._replace(interval=interval, level=level, chance=signature)
        print_report(gap_report(result, view), output)
