"""The command `scoref check`: everything that is wrong with a file, at once."""

from __future__ import annotations

import os
from contextlib import nullcontext
from typing import IO, TYPE_CHECKING, Any, NamedTuple

import click

from scoref.formats import folder_kind, is_corpus, read_folder, special_files
from scoref.printable import printable
from scoref.render import OUTPUTS
from scoref.render.report import Unscored
from scoref.terminal.folders import Attempts, expanded, paired
from scoref.terminal.help import Command
from scoref.terminal.options import of_files, of_folders
from scoref.terminal.printing import print_notes, print_report, tell
from scoref.terminal.running import OUTPUT, refusing

if TYPE_CHECKING:
    from scoref.tools.check.rendering import CheckedFiles

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
        "scoref check a.conll b.conll": "Find everything that is wrong with files.",
        "scoref check --key key.conll response.conll": "And whether the two belong "
        "together.",
        "scoref check key.conll --expect litbank-fold-0-test": "See that it is the key "
        "of that name.",
        "scoref check response.conll --fix mended.conll": "Mend what can be mended.",
    },
)
@click.argument("files", metavar="FILE...", nargs=-1, required=True)
@click.option(
    "--key",
    "key_file",
    metavar="FILE",
    help="The key that each FILE is a response to, or a folder of keys.",
)
@click.option(
    "--expect",
    metavar="NAME",
    help="See that FILEs, taken for one, or the key are the known key of that name, or "
    "have the fingerprint that begins so: `scoref data` lists names.",
)
@of_files
@of_folders
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
    expect: str | None,
    format: str | None,  # noqa: A002 - the name that users type
    folder: str | None,
    select: str | None,
    ignore: str | None,
    strict: bool,
    fix: str | None,
    force: bool,
    output: str,
    most: int,
) -> None:
    """Find everything that is wrong with coreference files, at once.

    Each FILE is checked by itself; with --key it is seen whether it belongs to that
    key, too. A folder stands for its files, and with a folder of keys those files are
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

        if fix is None:
            asked = _Asked(format, select, ignore, expect)
            pairs = _pairs(files, key_file, attempts, folder)
            found = _checked(pairs, asked, attempts)
            found = found._replace(notes=_hints(files, key_file))
            done = ""
        else:
            _refuse_output(fix, files, key_file or expect, force=force)
            found, done = _fixed(files[0], fix, format, (select, ignore))
        attempts.settle()
        is_taken, problems = fix == _STANDARD, found.problems
        if output != "github":
            report = problems_report(found, output, most=most, failures=attempts.losses)
            print_report(report, output, err=is_taken)
        elif problems:
            tell(workflow_commands(problems, most), err=is_taken)
        if done:
            tell(done, err=is_taken or output != "text")
    attempts.finish()
    counted = ("error", "warning") if strict else ("error",)
    if any(problem.severity in counted for problem in problems):
        raise ProblemsFound("problems were found")


class _Asked(NamedTuple):
    """What to look for, and in files of which format."""

    format: str | None
    select: str | None
    ignore: str | None
    expect: str | None


def _pairs(
    files: tuple[str, ...], key: str | None, attempts: Attempts, folder: str | None
) -> list[tuple[str, str | None]]:
    """Say which files are checked together: a key and a response, or one alone.

    If the key is a folder, it decides what the files of all folders are.
    """
    if key is not None and os.path.isdir(key):  # noqa: PTH112 - 5 ms
        asked, folder = folder, folder_kind(key, folder)
    elif folder and not any(map(os.path.isdir, files)):
        raise click.UsageError(f"--folder {folder} is for folders, and there is none")
    else:
        asked = folder
    paths = [path for path in (*files, key) if path is not None]
    corpora = [path for path in paths if _is_corpus(path, folder)]
    if corpora:
        print_notes(message for path in corpora for message in special_files(path))
        return _documents(files, key, attempts, folder)
    if key is not None and folder == "datasets" and os.path.isdir(key):  # noqa: PTH112
        from scoref.terminal.systems import by_name  # noqa: PLC0415 - NumPy

        datasets = paired(key, by_name(files), attempts, asked)
        return [
            (str(each.key), str(path))
            for each in datasets
            for path in each.responses.values()
        ]
    found = [path for _, path in expanded(((path, path) for path in files), folder)]
    return [(path, None) if key is None else (key, path) for path in found]


def _is_corpus(path: str, folder: str | None) -> bool:
    return os.path.isdir(path) and is_corpus(path, folder)  # noqa: PTH112


def _hints(files: tuple[str, ...], key: str | None) -> list[str]:
    """Tell who gives two files that they are not taken for key and response."""
    if key is not None or len(files) != _SIDES:
        return []
    first, second = files
    again = f"`scoref check --key {first} {second}`"
    belong = "also sees whether the two belong together"
    return [f"each was checked by itself: {again} {belong}"]


def _documents(
    files: tuple[str, ...], key: str | None, attempts: Attempts, folder: str | None
) -> list[tuple[str, str | None]]:
    """Pair the documents of folders by their names; check all others alone."""
    keys = _files_by_name(key, folder) if key is not None else {}
    if key is None or not _is_corpus(key, folder):
        others = (_files_by_name(path, folder).values() for path in files)
        every = [*keys.values(), *(file for each in others for file in each)]
        return [(file, None) for file in every]
    found: list[tuple[str, str | None]] = []
    for path in files:
        responses = _files_by_name(path, folder)
        found += [(keys[name], responses[name]) for name in keys if name in responses]
        for name in {*keys} ^ {*responses} if _is_corpus(path, folder) else ():
            where, lacking = (key, path) if name in keys else (path, key)
            message = f"{where}: document '{name}' is not in {lacking}"
            attempts.fail(Unscored(name, path, message))
        found += [] if _is_corpus(path, folder) else [(path, None)]
    return found


def _files_by_name(path: str, folder: str | None) -> dict[str, str]:
    """List the documents of a folder; a file is called as it is."""
    if not _is_corpus(path, folder):
        return {path: path}
    return {each.name: each.source for each in read_folder(path).documents}


def _checked(
    pairs: list[tuple[str, str | None]], asked: _Asked, attempts: Attempts
) -> CheckedFiles:
    """Check all of them, and count the files."""
    from scoref.tools.check.checking import (  # noqa: PLC0415 - NumPy
        check_expected,
        chosen,
        examine,
    )
    from scoref.tools.check.identity import see_expected  # noqa: PLC0415
    from scoref.tools.check.rendering import CheckedFiles  # noqa: PLC0415

    if asked.expect is not None:
        see_expected(asked.expect)
    rules, done = chosen(asked.select, asked.ignore), []
    seen: dict[str, None] = {}
    for pair in pairs:
        with attempts.trying(pair[1] or pair[0]) if len(pairs) > 1 else nullcontext():
            done.append(examine(*pair, format=asked.format, rules=rules))
            seen |= dict.fromkeys(path for path in pair if path is not None)
    problems = dict.fromkeys(problem for each in done for problem in each.problems)
    if asked.expect is not None:
        problems |= dict.fromkeys(check_expected(done, asked.expect))
    keys = {each.source: each.key.fingerprint for each in done if each.key}
    return CheckedFiles(list(problems), len(seen), keys)


def _refuse_output(
    out: str, files: tuple[str, ...], beside: str | None, *, force: bool
) -> None:
    """See that a repaired file has a place of its own."""
    file = files[0]
    if len(files) > 1 or beside is not None or os.path.isdir(file):  # noqa: PTH112
        raise click.UsageError(
            "--fix repairs one file: leave out others, --key, --expect and folders"
        )
    is_there = os.path.exists(out)  # noqa: PTH110 - pathlib takes 5 ms to load
    if out != _STANDARD and is_there and not force:
        raise click.UsageError(f"{out} exists: add --force to replace it")


def _fixed(
    file: str, out: str, format_name: str | None, names: tuple[str | None, str | None]
) -> tuple[CheckedFiles, str]:
    """Write a repaired copy, and give what is left and what was done."""
    from scoref import formats  # noqa: PLC0415 - NumPy
    from scoref.tools.check.checking import check_data, chosen  # noqa: PLC0415
    from scoref.tools.check.rendering import (  # noqa: PLC0415
        CheckedFiles,
        render_repairs,
    )
    from scoref.tools.check.repairing import BEYOND_REPAIR, repair  # noqa: PLC0415
    from scoref.writing import packed, write_output  # noqa: PLC0415

    rules = chosen(*names)
    data, source = formats.read_bytes(file), formats.name_of(file)
    repaired = repair(data, source=source, format=format_name, rules=rules)
    shown = "<stdout>" if out == _STANDARD else out
    left = check_data(repaired.data, source=shown, format=format_name)
    if any(problem.rule in BEYOND_REPAIR for problem in left):
        return CheckedFiles([each._replace(source=source) for each in left]), ""
    write_output(out, packed(out, repaired.data))
    kept = [problem for problem in left if problem.rule in rules]
    return CheckedFiles(kept), render_repairs(repaired.counts, printable(shown))
