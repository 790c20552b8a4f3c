"""The command `scoref conformance`: test a scorer against the conformance suite."""

from __future__ import annotations

import click

from scoref.render import OUTPUTS
from scoref.terminal.help import Command
from scoref.terminal.printing import print_report
from scoref.terminal.running import OUTPUT, BelowThreshold, refusing
from scoref.tools.conformance.suite import LEVELS


@click.command(
    cls=Command,
    context_settings={"ignore_unknown_options": True},
    examples={
        "scoref conformance python examples/conformance/scoref_scorer.py": (
            "Test scoref itself."
        ),
        "scoref conformance --level must python my_scorer.py": (
            "Run only the cases on which all tools agree."
        ),
        "scoref conformance --case vilain-1": "Show a case.",
    },
)
@click.argument("scorer", metavar="COMMAND...", nargs=-1)
@click.option(
    "--level",
    "levels",
    type=click.Choice([*LEVELS]),
    multiple=True,
    help="Run only cases of this level. May be repeated.",
)
@click.option(
    "--case",
    "cases",
    metavar="NAME",
    multiple=True,
    help="Run only this case. Without COMMAND, show it. May be repeated.",
)
@click.option(
    "--timeout",
    type=click.FloatRange(min=0, min_open=True, max=86_400),
    metavar="SECONDS",
    default=10.0,
    show_default=True,
    help="Time limit for each case.",
)
@click.option(
    "--badge", type=OUTPUT, metavar="FILE", help="Write an SVG badge with the result."
)
@click.option(
    "--output",
    type=click.Choice(OUTPUTS),
    default="text",
    show_default=True,
    help="Output format.",
)
def command(
    scorer: tuple[str, ...],
    *,
    levels: tuple[str, ...],
    cases: tuple[str, ...],
    timeout: float,
    badge: str | None,
    output: str,
) -> None:
    """Test a scorer against the conformance suite.

    scoref starts COMMAND once and sends it one JSON line per case: "case",
    "convention", "metrics", "key", "response", and "files" if reading files is part of
    the question. The scorer answers each with a line: "case", and "scores" or
    "refused". Options of scoref may come before or after COMMAND. Everything after
    "--" belongs to COMMAND. Without COMMAND, --case shows a case.

    The exit code is 3 if a case of the level "must" is not equal.
    """
    with refusing():
        from scoref.errors import OptionError
        from scoref.printable import counted
        from scoref.tools.conformance.rendering import badge_of, conformance_report
        from scoref.tools.conformance.scorers import run_suite
        from scoref.tools.conformance.suite import case_texts, load_questions
        from scoref.writing import write_output

        if not scorer and not cases:
            raise OptionError(
                "give the COMMAND that starts your scorer, such as "
                "scoref conformance python my_scorer.py"
            )
        if not scorer:
            click.echo("".join(case_texts(cases).values()), nl=False)
            return
        if scorer[0].startswith("-"):
            raise OptionError(f"there is no option {scorer[0]}")
        outcomes = run_suite(scorer, load_questions(levels, cases), timeout)
        if badge:
            write_output(badge, badge_of(outcomes).encode())
        print_report(conformance_report(outcomes, scorer), output)
        failures = [
            outcome
            for outcome in outcomes
            if outcome.question.level == "must" and outcome.status != "equal"
        ]
        if failures:
            raise BelowThreshold(
                f"not equal: {counted(len(failures), 'case')} that every scorer must "
                f"get right (first: {failures[0].question.case})"
            )
