"""The commands `scoref bias` and `scoref bias --gap`.

`scoref bias` scores pairs of texts, one with a stereotype and one against it. With
`--gap`, it scores pronouns of both genders and reports the ratio of their F1.
"""

from __future__ import annotations

from functools import partial

import click

from scoref.terminal.options import (
    LEVEL,
    ScoringCommand,
    chance,
    request_of,
    scoring,
    shown,
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
@click.option(
    "--gap",
    is_flag=True,
    expose_value=False,
    help="Score GAP instead of pairs of texts: `scoref bias --gap GOLD SYSTEM`; see "
    "`scoref bias --gap -h`.",
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
def command(
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
        from scoref.statistics.confidence import method_named
        from scoref.tools.bias.winobias import bias_of, bias_report

        result = bias_of(
            (pro_key, pro_response),
            (anti_key, anti_response),
            request_of(options, lenient=lenient),
            pairs=pairs,
            level=confidence,
            method=method_named(bootstrap),
            resamples=resamples,
            seed=seed,
        )
        print_report(bias_report(result, precision), output)


@click.command(
    cls=ScoringCommand,
    examples={
        "scoref bias --gap gap-test.tsv system.tsv": "Print recall, precision, F1 and "
        "the bias.",
        "scoref bias --gap gap-test.tsv system.tsv --scheme gap-2018": "Count as the "
        "official scorer does, even if answers are missing.",
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
def gap_command(
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
        from scoref.statistics.bootstrap import percent_of
        from scoref.statistics.confidence import method_named
        from scoref.tools.bias.gap import GapView, gap_report, score_gap

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
