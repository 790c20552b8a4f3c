"""Shell completion and the layout of help.

Completion loads the lists of possible values only when a shell asks for them, because
loading may be slow. Help shows options in groups, conventions in one place, and the
examples last.
"""

from __future__ import annotations

import sys
from importlib import import_module
from typing import TYPE_CHECKING, Any

import click

from scoref._version import __version__
from scoref.errors import unknown
from scoref.render import OUTPUTS, WIDTH
from scoref.terminal.printing import QUIET, tell, width_for
from scoref.terminal.running import alike

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence

    from click.shell_completion import CompletionItem

    Complete = Callable[
        [click.Context, click.Parameter, str], list[CompletionItem[str]]
    ]


_FILES = ("FILE", "FOLDER", "PATH")


def files(
    context: click.Context, parameter: click.Parameter, incomplete: str
) -> list[CompletionItem[str]]:
    """Let the shell complete a file."""
    return click.Path().shell_complete(context, parameter, incomplete)


def commands_and_files(commands: Mapping[str, str]) -> Complete:
    """Complete a file, or a command if no option comes before it."""

    def complete(
        context: click.Context, parameter: click.Parameter, incomplete: str
    ) -> list[CompletionItem[str]]:
        completions = files(context, parameter, incomplete)
        if _is_first(context):
            completions += items(commands, incomplete, commands)
        return completions

    return complete


def with_files(command: click.Command) -> click.Command:
    """Complete arguments, and options for files, as files."""
    from copy import copy  # a shell asks

    command = copy(command)
    command.params = [copy(parameter) for parameter in command.params]
    for parameter in command.params:
        is_argument = isinstance(parameter, click.Argument)
        if isinstance(parameter.type, click.types.StringParamType) and (
            is_argument or parameter.metavar in _FILES
        ):
            parameter.type = click.Path()
    return command


class NameOf(click.ParamType):  # type: ignore[type-arg] # click 8.1 takes none
    """A word of a list that a module has, such as the name of a format.

    Args:
        module: the module.
        name: the name of the list.
        longer: the name of a list with the words of plugins as well, if there is one.
    """

    name = "choice"

    def __init__(self, module: str, name: str, longer: str = "") -> None:
        self._home = module, name
        self._whole = module, longer or name

    @property
    def choices(self) -> Iterable[str]:
        """The words, without those of plugins."""
        return _words_of(*self._home)

    def convert(
        self,
        value: str,
        param: click.Parameter | None,
        ctx: click.Context | None,
    ) -> str:
        """Refuse a word that is not in the list."""
        if value in self.choices:
            return value
        words = [*_words_of(*self._whole)]
        if value in words:
            return value
        name = param.name if param else "name"
        if name == "format" and value in OUTPUTS:
            raise click.UsageError(
                f"--format is the format of the input files. Use --output {value}", ctx
            )
        kind = "format" if name == "from_" else str(name)
        raise click.UsageError(str(unknown(kind, value, words)), ctx)

    def shell_complete(
        self,
        ctx: click.Context,  # noqa: ARG002 - as click has it
        param: click.Parameter,  # noqa: ARG002
        incomplete: str,
    ) -> list[CompletionItem[str]]:
        """Complete a word of the list."""
        return items(_words_of(*self._whole), incomplete)


def one_of(module: str, name: str) -> Complete:
    """Complete a word of a list in a module, or of a function that returns one."""
    return lambda _context, _parameter, incomplete: items(
        _words_of(module, name), incomplete
    )


def several_of(module: str, *names: str) -> Complete:
    """Complete the last of several words between commas."""

    def complete(
        _context: click.Context, _parameter: click.Parameter, incomplete: str
    ) -> list[CompletionItem[str]]:
        before, comma, _ = incomplete.rpartition(",")
        given = before.split(",")
        return items(
            [
                f"{before}{comma}{word}"
                for name in names
                for word in _words_of(module, name)
                if word not in given
            ],
            incomplete,
        )

    return complete


def _words_of(module: str, name: str) -> Iterable[str]:
    value = getattr(import_module(module), name)
    words: Iterable[str] = value() if callable(value) else value
    return words


def items(
    words: Iterable[str], incomplete: str, texts: Mapping[str, str] | None = None
) -> list[CompletionItem[str]]:
    """Return the words that can complete a line, some with a text."""
    from click.shell_completion import CompletionItem  # a shell asks

    texts = texts or {}
    return [
        CompletionItem(word, help=texts.get(word))
        for word in words
        if word.startswith(incomplete)
    ]


def _is_first(context: click.Context) -> bool:
    """Tell whether no option was given yet."""
    given = click.core.ParameterSource.COMMANDLINE
    names = (parameter.name or "" for parameter in context.command.params)
    return not any(context.get_parameter_source(name) is given for name in names)


GROUPS: Mapping[str, tuple[str, ...]] = {
    "Input": (
        *("format", "folder", "lenient", "side", "from_", "base", "tokens", "notation"),
        *("mention", "key_cluster", "response_cluster", "group", "header", "table"),
        *("baseline", "key_file", "expect", "from_profiles", "pairs", "response"),
        *("key_mention", "response_mention", "missing_values", "key_pairs"),
        *("response_pairs", "left", "right", "label", "score", "distance", "match"),
        *("key_left", "key_right", "key_label", "key_score", "response_left"),
        *("response_right", "response_label", "response_score", "threshold"),
        *("two_sources", "records", "other_keys"),
    ),
    "Computation": (
        *("metrics", "got", "window", "universe", "undefined", "no_ceaf", "columns"),
        *("duplicates", "missing", "select", "ignore", "strict", "profile"),
        *("distances", "average", "merge", "decisions", "span_errors", "unplaced"),
        *("gap", "multiverse"),
        *("weights", "times", "estimator", "block", "best", "at"),
        *("levels", "cases", "timeout"),
    ),
    "Conventions": ("scheme", "vary"),
    "Intervals and tests": (
        *(
            "confidence",
            "bootstrap",
            "resamples",
            "seed",
            "unit",
            "level",
            "power",
            "plan",
        ),
        "compare",
    ),
    "Output": (
        *(
            "per_document",
            "per_entity",
            "wide",
            "trivial",
            "per_group",
            "summary",
            "name",
            "diff",
            "by",
            "classes",
            "kinds",
            "is_list",
            "sort",
            "documents",
        ),
        *("no_text", "no_names"),
        "fingerprint",
        *("beside", "show_breaks", "score_only", "most", "output", "precision"),
        *("matrices", "disputed", "points", "beta"),
        "short",
    ),
    "Output files": (
        *("path", "save", "junit", "plot", "report", "to", "lossy", "fix", "force"),
        *("is_opened", "save_profile"),
        *("write_response", "write_input", "write_example", "init", "title"),
        *("disputes", "adjudicate", "badge"),
    ),
    "Execution": (
        *("fail_under", "fail_if", "max_cluster", "fail_if_worse"),
        *("significant", "metric", "update"),
        *("jobs", "engine", "memory", "remote"),
    ),
}
"""Options by group; those without a group come last."""

REST = "Options"

CONVENTIONS = "Conventions"

Record = tuple[str, str]


VERSION = f"scoref {__version__}"

HELP = ("-h", "--help")
"""The names of the option that shows help."""

_NARROWEST = 50


class Option(click.Option):
    """An option that also has former names, which work but are not listed.

    Args:
        former: the names, such as ``--level``.
    """

    def __init__(
        self,
        *arguments: Any,
        former: Sequence[str] = (),
        **options: Any,
    ) -> None:
        super().__init__(*arguments, **options)
        self.former = former

    def add_to_parser(self, parser: Any, ctx: click.Context) -> None:
        """Let the parser take the former names, too."""
        listed = self.opts
        self.opts = [*listed, *self.former]
        super().add_to_parser(parser, ctx)
        self.opts = listed


class ConventionOption(click.Option):
    """An option that is a convention, explained on a page of its own."""


def turning_on(key: str) -> Callable[[click.Context, click.Parameter, bool], None]:
    """Return the callback of a flag that only sets ``key`` in the context."""

    def turn_on(context: click.Context, _: click.Parameter, value: bool) -> None:
        if value:
            context.meta[key] = True

    return turn_on


def _show_version(context: click.Context, _: click.Parameter, value: bool) -> None:
    if value:
        tell(VERSION)
        context.exit()


def _show_help(context: click.Context, _: click.Parameter, value: object) -> None:
    if value and not context.resilient_parsing:
        tell(context.get_help())
        context.exit()


def help_width() -> int:
    """Return the width that click gives help; click loads modules for archives."""
    return max(min(width_for(sys.stdout), WIDTH) - 2, _NARROWEST)


def _common_options() -> list[click.Parameter]:
    return [
        Option(
            ("--quiet", "-q"),
            is_flag=True,
            expose_value=False,
            callback=turning_on(QUIET),
            help="Print no notes; warnings and errors remain.",
        ),
        Option(
            ("--version", "-V"),
            is_flag=True,
            is_eager=True,
            expose_value=False,
            callback=_show_version,
            help="Show the version and exit.",
        ),
        Option(
            HELP,
            is_flag=True,
            is_eager=True,
            expose_value=False,
            callback=_show_help,
            help="Show this message and exit.",
        ),
    ]


class Command(click.Command):
    """A command with -q, -V and -h, whose help has groups and examples.

    Args:
        examples: lines to type, each with what it is for.
    """

    def __init__(
        self,
        *arguments: Any,
        examples: Mapping[str, str] | None = None,
        **options: Any,
    ) -> None:
        self.examples = examples or {}
        options["add_help_option"] = False  # -h and --help are common options
        super().__init__(*arguments, **options)
        own = {option.name for option in self.params}
        self.params += [each for each in _common_options() if each.name not in own]

    def make_context(
        self,
        info_name: str | None,
        args: list[str],
        parent: click.Context | None = None,
        **extra: Any,
    ) -> click.Context:
        """Parse the options; errors look like those of scoref."""
        extra.setdefault("terminal_width", help_width())
        with alike(parsing=info_name or "scoref"):
            return super().make_context(info_name, args, parent, **extra)

    def invoke(self, ctx: click.Context) -> Any:
        """Run the command that was chosen; errors look like those of scoref."""
        with alike():
            return click.Command.invoke(ctx.command, ctx)

    def format_options(
        self, ctx: click.Context, formatter: click.HelpFormatter
    ) -> None:
        """List options by group."""
        for title, options in self.grouped(ctx).items():
            named = [each for each in options if isinstance(each, ConventionOption)]
            shown = [each for each in options if each not in named]
            with formatter.section(title):
                formatter.write_dl(list(_records(ctx, shown)))
                if named:
                    _list_conventions(formatter, named)

    def format_epilog(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """Show the examples."""
        super().format_epilog(ctx, formatter)
        if not self.examples:
            return
        with formatter.section("Examples"):
            for line, text in self.examples.items():
                formatter.write_text(text)
                formatter.write(f"    {line}\n")

    def grouped(self, ctx: click.Context) -> dict[str, list[click.Option]]:
        """Return options by group, in the order in which they are shown."""
        groups: dict[str, list[click.Option]] = {title: [] for title in (*GROUPS, REST)}
        for option in self.get_params(ctx):
            if isinstance(option, click.Option):
                groups[_group_of(option)].append(option)
        return {title: options for title, options in groups.items() if options}


def explain_conventions(context: click.Context) -> str:
    """Write the page about conventions, which the help of commands leaves out."""
    formatter = context.make_formatter()
    formatter.write_text(
        "Conventions are choices that change scores. Defaults depend on the format of "
        "the files. The signature below every report shows what was chosen."
    )
    with formatter.section(CONVENTIONS):
        formatter.write_dl(list(_records(context, _conventions(context))))
    formatter.write_paragraph()
    formatter.write_text(
        "`scoref schemes` lists named sets of conventions. `scoref docs conventions` "
        "explains which scorer uses which value, and why."
    )
    return formatter.getvalue().rstrip("\n")


def _conventions(context: click.Context) -> list[click.Option]:
    options = (each for each in context.command.params if each.name)
    return [
        each
        for each in options
        if isinstance(each, click.Option) and _group_of(each) == CONVENTIONS
    ]


def _group_of(option: click.Option) -> str:
    if isinstance(option, ConventionOption):
        return CONVENTIONS
    groups = (title for title, names in GROUPS.items() if option.name in names)
    return next(groups, REST)


def _list_conventions(
    formatter: click.HelpFormatter, options: Sequence[click.Option]
) -> None:
    """List the names of conventions; another page explains them."""
    from textwrap import wrap

    names = ", ".join(option.opts[0] for option in options)
    indent = formatter.current_indent
    # A name that is broken at its hyphen cannot be searched for.
    for line in wrap(names, formatter.width - indent, break_on_hyphens=False):
        formatter.write(f"{' ' * indent}{line}\n")
    formatter.write_text("`scoref --help-conventions` explains them.")


def _records(context: click.Context, options: list[click.Option]) -> Iterator[Record]:
    for option in options:
        record = option.get_help_record(context)
        if record:
            yield record
