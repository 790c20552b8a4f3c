"""The commands `scoref bias` and `scoref bias --gap`.

`scoref bias` scores pairs of texts, one with a stereotype and one against it. With
`--gap`, it scores pronouns of both genders and reports the ratio of their F₁.
"""

from __future__ import annotations

from functools import partial

import click

from scoref.terminal.help import Option
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
        "scoref bias pro.key.conll pro.conll anti.key.conll anti.conll": "Score "
        "both halves of WinoBias, and test whether they differ.",
    },
)
@click.argument("pro_key")
@click.argument("pro_response")
@click.argument("anti_key")
@click.argument("anti_response")
@click.option(
    "--pair-pattern",
    "pairs",
    cls=Option,
    former=("--pairs",),
    metavar="PATTERN",
    default=r"//(\d+)",
    show_default=True,
    help="Regular expression for document names. Its first group is the "
    "same for both documents of a pair.",
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
    help="Confidence level of the intervals, as a percentage or a fraction.",
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
    """Score pairs of texts: one agrees with a gender stereotype, one contradicts it.

    Both halves are scored by every metric. Their average shows how good a system is,
    and their difference how much it relies on the stereotype. Documents are paired by
    name. With --gap, scoref scores GAP instead.
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
        "scoref bias --gap gap-test.tsv system.tsv": "Print recall, precision, F₁ and "
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
    help="Read and count as the official scorer does. By default, answers "
    "that are missing, repeated, unknown or neither TRUE nor FALSE are "
    "errors.",
)
@click.option(
    "--confidence",
    type=LEVEL,
    metavar="[LEVEL]",
    help="Show a confidence interval of the bias, by bootstrapping over "
    "examples. LEVEL is a percentage or a fraction; 95 if omitted.",
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

    GOLD is GAP's own file. SYSTEM has lines of ID, A-coref and B-coref. The bias is the
    F₁ of feminine pronouns divided by the F₁ of masculine pronouns.
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
