"""The command `scoref check`: everything that is wrong with a file, at once."""

from __future__ import annotations

import os
from contextlib import nullcontext
from typing import IO, TYPE_CHECKING, Any, NamedTuple

import click

from scoref.formats import is_corpus, is_datasets, read_folder
from scoref.printable import printable
from scoref.render import OUTPUTS
from scoref.render.report import Unscored
from scoref.terminal.folders import Attempts, expanded, paired
from scoref.terminal.help import Command
from scoref.terminal.options import of_files
from scoref.terminal.printing import print_report, tell
from scoref.terminal.running import OUTPUT, refusing

if TYPE_CHECKING:
    from scoref.tools.check.problems import Problem

_STANDARD = "-"
_SIDES = 2


class ProblemsFound(click.ClickException):
    """What ends the command with exit code 1; it was said before."""

    exit_code = 1

    def show(self, file: IO[Any] | None = None) -> None:
        """Say nothing more."""


def _list_rules(context: click.Context, _: click.Parameter, value: bool) -> None:
    if value:
        from scoref.tools.check.rendering import (  # noqa: PLC0415 - if wanted
            rules_report,
        )

        print_report(rules_report(), "text")
        context.exit()


@click.command(
    cls=Command,
    examples={
        "scoref check response.conll": "Find everything that is wrong with a file.",
        "scoref check key.conll response.conll": "And whether the two belong together.",
        "scoref check --key key.conll a.conll b.conll": "The same of two responses.",
        "scoref check response.conll --fix mended.conll": "Mend what can be mended.",
    },
)
@click.argument("files", metavar="FILE [FILE2]...", nargs=-1, required=True)
@click.option(
    "--key",
    "key_file",
    metavar="FILE",
    help="The key that each FILE is a response to, or a folder of keys.",
)
@of_files
@click.option("--select", metavar="RULES", help="Look for these only, with commas.")
@click.option("--ignore", metavar="RULES", help="Do not look for these.")
@click.option("--strict", is_flag=True, help="Warnings count as errors do.")
@click.option(
    "--fix",
    type=OUTPUT,
    metavar="OUT",
    help='Write a copy of FILE to OUT with all repaired that has one right answer; "-" '
    "is standard output.",
)
@click.option("--force", is_flag=True, help="Let --fix replace a file that exists.")
@click.option(
    "--output",
    type=click.Choice((*OUTPUTS, "github")),
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
    files: tuple[str, ...],
    *,
    key_file: str | None,
    format: str | None,  # noqa: A002 - the name that users type
    select: str | None,
    ignore: str | None,
    strict: bool,
    fix: str | None,
    force: bool,
    output: str,
    most: int,
) -> None:
    """Find everything that is wrong with coreference files, at once.

    Of two FILEs the first is the key and the second a response, and it is seen whether
    they belong together, too; --key says so of one or more. Otherwise each FILE is
    checked by itself. A folder stands for its files, and of two folders those are
    paired that are for the same dataset.

    Files are CoNLL-2012, CorefUD, Universal Anaphora or JSON lines, plain or compressed
    (.gz, .xz); "-" is standard input.

    Exit codes: 0 nothing that keeps a file from being scored, 1 problems, 2 bad usage.
    """
    if (*files, key_file).count(_STANDARD) > 1:
        raise click.UsageError("standard input can be one of the files only")
    attempts = Attempts()
    with refusing():
        from scoref.tools.check.rendering import (  # noqa: PLC0415 - NumPy
            problems_report,
            workflow_commands,
        )

        count = 1
        if fix is None:
            pairs = _pairs(files, key_file, attempts)
            rules = _Rules(format, select, ignore)
            problems, count = _checked(pairs, rules, attempts)
            done = ""
        else:
            _refuse_output(fix, files, key_file, force=force)
            problems, done = _fixed(files[0], fix, format, (select, ignore))
        attempts.settle()
        is_taken = fix == _STANDARD
        if output != "github":
            report = problems_report(
                *(problems, output), most=most, files=count, failures=attempts.losses
            )
            print_report(report, output, err=is_taken)
        elif problems:
            tell(workflow_commands(problems, most), err=is_taken)
        if done:
            tell(done, err=is_taken or output != "text")
    attempts.finish()
    counted = ("error", "warning") if strict else ("error",)
    if any(problem.severity in counted for problem in problems):
        raise ProblemsFound("problems were found")


class _Rules(NamedTuple):
    """What to look for, and in files of which format."""

    format: str | None
    select: str | None
    ignore: str | None


def _pairs(
    files: tuple[str, ...], key: str | None, attempts: Attempts
) -> list[tuple[str, str | None]]:
    """Say which files are checked together: a key and a response, or one alone."""
    is_pair = len(files) == _SIDES and is_datasets(files[0]) == is_datasets(files[1])
    if key is None and is_pair:
        key, files = files[0], files[1:]
    if any(is_corpus(path) for path in (*files, key) if path is not None):
        return _documents(files, key, attempts)
    if key is not None and is_datasets(key):
        from scoref.terminal.systems import by_name  # noqa: PLC0415 - NumPy

        datasets = paired(key, by_name(files), attempts)
        return [
            (str(each.key), str(path))
            for each in datasets
            for path in each.responses.values()
        ]
    found = [path for _, path in expanded((path, path) for path in files)]
    return [(path, None) if key is None else (key, path) for path in found]


def _documents(
    files: tuple[str, ...], key: str | None, attempts: Attempts
) -> list[tuple[str, str | None]]:
    """Pair the documents of folders by their names; check all others alone."""
    keys = _files_by_name(key) if key is not None else {}
    if key is None or not is_corpus(key):
        every = [*keys.values(), *(f for path in files for f in _files_of(path))]
        return [(file, None) for file in every]
    found: list[tuple[str, str | None]] = []
    for path in files:
        responses = _files_by_name(path)
        found += [(keys[name], responses[name]) for name in keys if name in responses]
        for name in {*keys} ^ {*responses} if is_corpus(path) else ():
            where, lacking = (key, path) if name in keys else (path, key)
            message = f"{where}: document '{name}' is not in {lacking}"
            attempts.fail(Unscored(name, path, message))
        found += [] if is_corpus(path) else [(path, None)]
    return found


def _files_of(path: str) -> list[str]:
    return list(_files_by_name(path).values())


def _files_by_name(path: str) -> dict[str, str]:
    """List the documents of a folder; a file is called as it is."""
    if not is_corpus(path):
        return {path: path}
    return {each.name: each.source for each in read_folder(path).documents}


def _checked(
    pairs: list[tuple[str, str | None]], rules: _Rules, attempts: Attempts
) -> tuple[list[Problem], int]:
    """Check all of them, and count the files."""
    from scoref.tools.check.checking import check  # noqa: PLC0415 - NumPy

    problems: dict[Problem, None] = {}
    seen: dict[str, None] = {}
    for pair in pairs:
        with attempts.trying(pair[1] or pair[0]) if len(pairs) > 1 else nullcontext():
            found = check(
                *pair, format=rules.format, select=rules.select, ignore=rules.ignore
            )
            problems |= dict.fromkeys(found)
            seen |= dict.fromkeys(path for path in pair if path is not None)
    return list(problems), len(seen)


def _refuse_output(
    out: str, files: tuple[str, ...], key: str | None, *, force: bool
) -> None:
    """See that a repaired file has a place of its own."""
    file = files[0]
    if len(files) > 1 or key is not None or is_datasets(file):
        raise click.UsageError(
            "--fix repairs one file: leave out FILE2, --key and folders"
        )
    is_there = os.path.exists(out)  # noqa: PTH110 - pathlib takes 5 ms to load
    if out != _STANDARD and is_there and not force:
        raise click.UsageError(f"{out} exists: add --force to replace it")


def _fixed(
    file: str, out: str, format_name: str | None, names: tuple[str | None, str | None]
) -> tuple[list[Problem], str]:
    """Write a repaired copy, and give what is left and what was done."""
    from scoref import formats  # noqa: PLC0415 - NumPy
    from scoref.tools.check.checking import check_data, chosen  # noqa: PLC0415
    from scoref.tools.check.rendering import render_repairs  # noqa: PLC0415
    from scoref.tools.check.repairing import BEYOND_REPAIR, repair  # noqa: PLC0415
    from scoref.writing import packed, write_output  # noqa: PLC0415

    rules = chosen(*names)
    data, source = formats.read_bytes(file), formats.name_of(file)
    repaired = repair(data, source=source, format=format_name, rules=rules)
    shown = "<stdout>" if out == _STANDARD else out
    left = check_data(repaired.data, source=shown, format=format_name)
    if any(problem.rule in BEYOND_REPAIR for problem in left):
        return [problem._replace(source=source) for problem in left], ""
    write_output(out, packed(out, repaired.data))
    kept = [problem for problem in left if problem.rule in rules]
    return kept, render_repairs(repaired.counts, printable(shown))
