"""Options that several commands share."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, TypeVar

import click

from scoref.errors import OptionError
from scoref.render import OUTPUTS
from scoref.scheme import CONVENTIONS, option_names
from scoref.terminal.gates import GATES
from scoref.terminal.help import Command as HelpfulCommand
from scoref.terminal.help import (
    ConventionOption,
    NameOf,
    explain_conventions,
    several_of,
    turning_on,
)
from scoref.terminal.printing import SHORT, tell

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from scoref.conventions import Convention
    from scoref.scoring.request import Request

    Command = TypeVar("Command", bound=Callable[..., object])

USUAL = {"--confidence": "95", "--fail-if-worse": "0"}
"""The values of options that may be given without a number."""


def of_files(command: Command) -> Command:
    """Add --format."""
    option = click.option(
        "--format",
        type=NameOf("scoref.formats.catalogue", "FORMATS", "all_formats"),
        metavar="NAME",
        help="Input format; see `scoref formats`.  [default: detected]",
    )
    return option(command)


def of_folders(command: Command) -> Command:
    """Add --folder, for commands that do not score."""
    about = CONVENTIONS["folder"]
    option = click.option(
        "--folder", type=click.Choice(about.values), help=about.option
    )
    return option(command)


def scoring(command: Command) -> Command:
    """Add the options of a scoring: metrics, a scheme, and each convention."""
    lenient = click.option(
        "--lenient",
        is_flag=True,
        help="Skip what cannot be read or paired, and report what was skipped.",
    )
    command = lenient(of_files(command))
    for each in reversed([CONVENTIONS[name] for name in option_names()]):
        command = click.option(
            f"--{each.label}",
            cls=ConventionOption,
            type=_type_of(each),
            help=each.option,
        )(command)
    scheme = click.option(
        "--scheme",
        metavar="NAME",
        type=NameOf("scoref.schemes", "SCHEMES"),
        help="Named set of conventions; see `scoref schemes`. The options "
        "below override single ones.",
    )
    metrics = click.option(
        "--metrics",
        "-m",
        metavar="LIST",
        shell_complete=several_of("scoref.metrics", "all_metrics"),
        help="Metrics to compute, separated by commas, or all; see `scoref "
        "metrics`.  [default: MUC, B³, CEAF, BLANC, LEA, CoNLL, and others that the "
        "format has]",
    )
    explained = click.option(
        "--help-conventions",
        is_flag=True,
        is_eager=True,
        expose_value=False,
        callback=_explain,
        help="Explain each convention and exit.",
    )
    return metrics(scheme(explained(command)))


def scoring_without(*names: str) -> Callable[[Command], Command]:
    """Add the options of a scoring, except for some."""

    def added(command: Command) -> Command:
        command = scoring(command)
        params = vars(command)["__click_params__"]
        params[:] = [each for each in params if each.name not in names]
        return command

    return added


def _explain(context: click.Context, _: click.Parameter, value: bool) -> None:
    if value:
        tell(explain_conventions(context))
        context.exit()


def request_of(options: Mapping[str, Any], *, lenient: bool) -> Request:
    """Make a request of the options that `scoring` adds to a command."""
    from scoref.scoring.request import Request

    names = ("format", "scheme", "metrics", *option_names())
    return Request.of(lenient=lenient, **{name: options[name] for name in names})


seeded = click.option(
    "--seed",
    type=click.IntRange(0),
    default=2014,
    show_default=True,
    metavar="N",
    help="Random seed. The same seed gives the same digits.",
)


class LevelType(click.types.FloatParamType):
    """A confidence level in percent, or as a fraction up to 1.

    The value stays as it was typed: the function that gets it turns it into percent.
    """

    name = "level"

    def convert(
        self,
        value: Any,
        param: click.Parameter | None,
        ctx: click.Context | None,
    ) -> float:
        """Refuse what is not a level."""
        from scoref.statistics.bootstrap import percent_of

        level = super().convert(value, param, ctx)
        try:
            percent_of(level)
        except OptionError as error:
            hint = error.hint[:1].upper() + error.hint[1:].rstrip(".")
            self.fail(f"{error.problem}. {hint}.", param, ctx)
        return level


LEVEL = LevelType()


def chance(command: Command) -> Command:
    """Add the options of intervals and tests."""
    added = (
        click.option(
            "--bootstrap",
            type=click.Choice(("expanded", "bca", "percentile")),
            default="expanded",
            show_default=True,
            help="Bootstrap method.",
        ),
        click.option(
            "--resamples",
            type=click.IntRange(1, 1_000_000),
            default=10_000,
            show_default=True,
            metavar="N",
            help="Number of bootstrap samples.",
        ),
        seeded,
    )
    for option in reversed(added):
        command = option(command)
    return command


def one_number(command: Command) -> Command:
    """Add --score-only and --fail-under."""
    score_only = click.option(
        "--score-only",
        is_flag=True,
        help="Print a single number: CoNLL F₁ in percent, or the F₁ of the "
        "metric requested.",
    )
    fail_under = click.option(
        "--fail-under",
        type=GATES,
        metavar="SCORE|METRIC=SCORE,…",
        help="Exit with code 3 if the score that --score-only prints is lower, or one "
        "of several, such as bcub=60,links.precision=90. SCORE is a percentage, or a "
        "fraction up to 1.",
    )
    return score_only(fail_under(command))


short = click.option(
    "--short",
    is_flag=True,
    expose_value=False,
    callback=turning_on(SHORT),
    help="Omit default choices from the signature below tables. JSON and CSV always "
    "have the full signature.",
)


def shown(
    command: Command, *, decimals: int = 2, has_signature: bool = True
) -> Command:
    """Add --output and --precision, and --short for a signature."""
    output = click.option(
        "--output",
        type=click.Choice(OUTPUTS),
        default="text",
        show_default=True,
        help="Output format. JSON and CSV have fractions at full precision.",
    )
    precision = click.option(
        "--precision",
        "-w",
        type=click.IntRange(0, 15),
        default=decimals,
        show_default=True,
        metavar="N",
        help="Decimal places of percentages in tables.",
    )
    command = short(command) if has_signature else command
    return output(precision(command))


wide = click.option(
    "--wide",
    is_flag=True,
    help="One row per system: recall, precision and F₁ of MUC, B³ and CEAFe (or of "
    "--metrics), and the CoNLL score.",
)


class ScoringCommand(HelpfulCommand):
    """A command whose `--confidence` may be given without a number."""

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        """Add the usual numbers to options without one."""
        return super().parse_args(ctx, with_numbers(args))


def with_numbers(arguments: list[str]) -> list[str]:
    """Add the usual number to options that are given without one.

    >>> with_numbers(["--confidence", "key.conll"])
    ['--confidence', '95', 'key.conll']
    """
    written = []
    for place, argument in enumerate(arguments):
        written.append(argument)
        if argument in USUAL:
            following = arguments[place + 1 : place + 2]
            if not following or not _is_number(following[0]):
                written.append(USUAL[argument])
    return written


def _is_number(text: str) -> bool:
    try:
        float(text)
    except ValueError:
        return False
    return True


def _type_of(convention: Convention) -> click.ParamType[Any] | None:
    if convention.parameters:
        return _ChoiceWithParameter(convention)
    return click.Choice(convention.values) if convention.values else None


class _ChoiceWithParameter(click.Choice[Any]):
    """A choice of which some values may have a parameter, such as ``overlap:0.5``."""

    def __init__(self, convention: Convention) -> None:
        super().__init__(convention.values)
        self._convention = convention

    def convert(
        self, value: object, param: click.Parameter | None, ctx: click.Context | None
    ) -> object:
        """Accept a value with a right parameter, and leave the rest to click."""
        name, colon, _ = str(value).partition(":")
        if not colon or name not in self._convention.parameters:
            return super().convert(value, param, ctx)
        try:
            self._convention.refuse_unknown(str(value))
        except OptionError as error:
            self.fail(str(error), param, ctx)
        return value
