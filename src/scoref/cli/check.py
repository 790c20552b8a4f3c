"""The command `scoref check`: everything that is wrong with a file, at once."""

from __future__ import annotations

import os
import re
import sys
from typing import IO, TYPE_CHECKING, Any

import click

from scoref.cli._help import Command
from scoref.cli._options import FORMATS
from scoref.cli._running import refusing

if TYPE_CHECKING:
    from scoref.checks.problems import Problem

_STANDARD = "-"
_NOTHING_TO_REPAIR = frozenset(("unreadable-file", "no-document"))
_COLOURS = {"error": "red", "warning": "yellow", "note": "cyan"}
_SEVERITY = re.compile(r"^(\S.*?: )(error|warning|note)(?=\[)", re.MULTILINE)


class ProblemsFound(click.ClickException):
    """What ends the command with exit code 1; it was said before."""

    exit_code = 1

    def show(self, file: IO[Any] | None = None) -> None:
        """Say nothing more."""


def _list_rules(context: click.Context, _: click.Parameter, value: bool) -> None:
    if value:
        from scoref.reports.problems import render_rules  # noqa: PLC0415 - if wanted

        click.echo(render_rules())
        context.exit()


@click.command(
    cls=Command,
    examples={
        "scoref check response.conll": "Find everything that is wrong with a file.",
        "scoref check key.conll response.conll": "And whether the two belong together.",
        "scoref check response.conll --fix mended.conll": "Mend what can be mended.",
    },
)
@click.argument("file")
@click.argument("other", metavar="[FILE2]", required=False)
@click.option(
    "--format", type=click.Choice(FORMATS), help="Of the files.  [default: detected]"
)
@click.option("--select", metavar="RULES", help="Look for these only, with commas.")
@click.option("--ignore", metavar="RULES", help="Do not look for these.")
@click.option("--strict", is_flag=True, help="Warnings count as errors do.")
@click.option(
    "--fix",
    metavar="OUT",
    help='Write a copy of FILE to OUT with all repaired that has one right answer; "-" '
    "is standard output.",
)
@click.option("--force", is_flag=True, help="Let --fix replace a file that exists.")
@click.option(
    "--output",
    type=click.Choice(("text", "json", "github")),
    default="text",
    show_default=True,
    help="For people, for programs, or as annotations of a GitHub workflow.",
)
@click.option(
    "--max",
    "most",
    type=click.IntRange(0),
    default=20,
    show_default=True,
    metavar="N",
    help="How many problems of a rule to show; 0 shows all, and JSON has all.",
)
@click.option(
    "--rules",
    is_flag=True,
    is_eager=True,
    expose_value=False,
    callback=_list_rules,
    help="List all rules, and leave.",
)
def command(  # noqa: PLR0913 - the options
    file: str,
    other: str | None,
    *,
    format: str | None,  # noqa: A002 - the name that users type
    select: str | None,
    ignore: str | None,
    strict: bool,
    fix: str | None,
    force: bool,
    output: str,
    most: int,
) -> None:
    """Find everything that is wrong with a coreference file, at once.

    With FILE2, the response to the key FILE, see whether the two belong together, too.
    Files are CoNLL-2012, CorefUD, Universal Anaphora or JSON lines, plain or compressed
    (.gz, .xz); "-" is standard input.

    Exit codes: 0 nothing that keeps a file from being scored, 1 problems, 2 bad usage.
    """
    if file == other == _STANDARD:
        raise click.UsageError("standard input can be one of the files only")
    with refusing():
        from scoref.checks.checking import check  # noqa: PLC0415 - NumPy
        from scoref.reports.problems import render_problems  # noqa: PLC0415

        if fix is None:
            problems = check(file, other, format=format, select=select, ignore=ignore)
            done = ""
        else:
            _refuse_output(fix, file, other, force=force)
            problems, done = _fixed(file, fix, format, (select, ignore))
        report = render_problems(problems, output, most=most, files=2 if other else 1)
        is_taken = fix == _STANDARD
        if report:
            shown = _coloured(report) if output == "text" else report
            click.echo(shown, err=is_taken)
        if done:
            click.echo(done, err=is_taken or output != "text")
    counted = ("error", "warning") if strict else ("error",)
    if any(problem.severity in counted for problem in problems):
        sys.stdout.flush()
        raise ProblemsFound("problems were found")


def _refuse_output(out: str, file: str, other: str | None, *, force: bool) -> None:
    """See that a repaired file has a place of its own."""
    if other is not None:
        raise click.UsageError("--fix repairs one file: leave out FILE2")
    if out == _STANDARD or not os.path.exists(out):  # noqa: PTH110 - pathlib takes 5 ms
        return
    if file != _STANDARD and os.path.exists(file) and os.path.samefile(out, file):  # noqa: PTH110, PTH121
        raise click.UsageError(f"--fix never writes over its input: {out}")
    if not force:
        raise click.UsageError(f"{out} exists: add --force to replace it")


def _fixed(
    file: str, out: str, format_name: str | None, names: tuple[str | None, str | None]
) -> tuple[list[Problem], str]:
    """Write a repaired copy, and give what is left and what was done."""
    from scoref import formats  # noqa: PLC0415 - NumPy
    from scoref.checks.checking import check_data  # noqa: PLC0415
    from scoref.checks.repairing import repair  # noqa: PLC0415
    from scoref.checks.rules import chosen  # noqa: PLC0415
    from scoref.reports.problems import render_repairs  # noqa: PLC0415

    rules = chosen(*names)
    data, source = formats.read_bytes(file), formats.name_of(file)
    repaired = repair(data, source=source, format=format_name, rules=rules)
    shown = "<stdout>" if out == _STANDARD else out
    left = check_data(repaired.data, source=shown, format=format_name)
    if any(problem.rule in _NOTHING_TO_REPAIR for problem in left):
        return [problem._replace(source=source) for problem in left], ""
    _write(out, repaired.data)
    kept = [problem for problem in left if problem.rule in rules]
    return kept, render_repairs(repaired.counts, shown)


def _write(path: str, data: bytes) -> None:
    """Write a file whole or not at all, compressed if its name says so."""
    from scoref.writing import packed, write_whole  # noqa: PLC0415 - at the end

    if path == _STANDARD:
        sys.stdout.buffer.write(data)
    else:
        write_whole(path, packed(path, data))


def _coloured(report: str) -> str:
    """Make severities stand out; `click.echo` drops colours where nobody sees them."""

    def styled(found: re.Match[str]) -> str:
        return f"{found[1]}{click.style(found[2], fg=_COLOURS[found[2]], bold=True)}"

    return _SEVERITY.sub(styled, report)
