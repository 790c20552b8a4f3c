"""The command `scoref check`, and problems as a report or as GitHub annotations."""

from __future__ import annotations

import os
from collections import Counter
from contextlib import nullcontext
from types import MappingProxyType
from typing import IO, TYPE_CHECKING, Any, NamedTuple

import click

from scoref.errors import FormatError
from scoref.figures import counted
from scoref.fingerprint import label_of, name_of
from scoref.formats.folders import folder_kind, is_corpus, read_folder, special_files
from scoref.printable import printable
from scoref.render import OUTPUTS
from scoref.render.report import Column, Line, Listing, Remarks, Report, Table, Unscored
from scoref.rules import RULES, SEVERITIES
from scoref.terminal.folders import Attempts, expanded, paired
from scoref.terminal.help import Command
from scoref.terminal.options import of_files, of_folders
from scoref.terminal.printing import print_notes, print_report, tell
from scoref.terminal.running import OUTPUT, refusing

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence

    from scoref.fingerprint import Fingerprint
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
def command(
    files: tuple[str, ...],
    *,
    key_file: str | None,
    expect: str | None,
    format: str | None,
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
    if key is not None and os.path.isdir(key):
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
    if key is not None and folder == "datasets" and os.path.isdir(key):
        from scoref.terminal.systems import by_name

        datasets = paired(key, by_name(files), attempts, asked)
        return [
            (str(each.key), str(path))
            for each in datasets
            for path in each.responses.values()
        ]
    found = [path for _, path in expanded(((path, path) for path in files), folder)]
    return [(path, None) if key is None else (key, path) for path in found]


def _is_corpus(path: str, folder: str | None) -> bool:
    return os.path.isdir(path) and is_corpus(path, folder)


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
    from scoref.tools.check.check import (
        check_expected,
        chosen,
        examine,
    )
    from scoref.tools.check.pairs import see_expected

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
    if len(files) > 1 or beside is not None or os.path.isdir(file):
        raise click.UsageError(
            "--fix repairs one file: leave out others, --key, --expect and folders"
        )
    is_there = os.path.exists(out)
    if out != _STANDARD and is_there and not force:
        raise click.UsageError(f"{out} exists: add --force to replace it")


def _fixed(
    file: str, out: str, format_name: str | None, names: tuple[str | None, str | None]
) -> tuple[CheckedFiles, str]:
    """Write a repaired copy, and give what is left and what was done."""
    from scoref.formats import input_files
    from scoref.tools.check.check import check_data, chosen
    from scoref.tools.check.repairs import BEYOND_REPAIR, repair
    from scoref.writing import packed, write_output

    rules = chosen(*names)
    data, source = input_files.read_bytes(file), input_files.name_of(file)
    repaired = repair(data, source=source, format=format_name, rules=rules)
    shown = "<stdout>" if out == _STANDARD else out
    left = check_data(repaired.data, source=shown, format=format_name)
    if any(problem.rule in BEYOND_REPAIR for problem in left):
        return CheckedFiles([each._replace(source=source) for each in left]), ""
    write_output(out, packed(out, repaired.data))
    kept = [problem for problem in left if problem.rule in rules]
    return CheckedFiles(kept), render_repairs(repaired.counts, printable(shown))


_COMMANDS = {"error": "error", "warning": "warning", "note": "notice"}


class CheckedFiles(NamedTuple):
    """What was found in how many files, and the fingerprints of those to be told."""

    problems: Sequence[Problem]
    files: int = 1
    keys: Mapping[str, Fingerprint] = MappingProxyType({})
    notes: Sequence[str] = ()


def problems_report(
    found: CheckedFiles,
    output: str = "text",
    *,
    most: int = 20,
    failures: Sequence[Unscored] = (),
) -> Report:
    """Report problems; ``most`` of each rule, but all of them for programs."""
    problems = found.problems
    shown, left_out = _first(problems, most)
    remarks = [f"… and {count} more of {rule}" for rule, count in left_out.items()]
    remarks += _identities(found.keys)
    remarks.append(summary(problems, found.files))
    return Report(
        name="check",
        parts=lambda: (
            [_listing(shown, remarks)]
            if output == "text"
            else [*([_table(shown)] if shown else []), Remarks(remarks)]
        ),
        objects=lambda: map(_object, problems),
        notes=found.notes,
        failures=failures,
        more={
            "keys": [
                {"file": file, **each.as_object(name_of(each) or "")}
                for file, each in found.keys.items()
            ]
        },
    )


def _identities(keys: Mapping[str, Fingerprint]) -> Iterator[str]:
    """Name the keys that are known; of one file, what it is in any case."""
    for file, fingerprint in keys.items():
        if len(keys) == 1 or name_of(fingerprint):
            yield f"{file}: key {label_of(fingerprint)}"


def workflow_commands(problems: Sequence[Problem], most: int = 20) -> str:
    """Write problems as commands of a workflow, which GitHub shows beside the lines."""
    return "\n".join(map(_command, _first(problems, most)[0]))


def rules_report() -> Report:
    """List all rules."""
    rules = [
        {
            "rule": rule.name,
            "severity": rule.severity,
            "meaning": rule.meaning,
            "can_fix": rule.has_fix,
        }
        for rule in RULES.values()
    ]
    names = [Column("", "name"), Column("", "name"), Column("", "text")]
    rows = [
        [each.name, each.severity, each.meaning + (" (--fix)" if each.has_fix else "")]
        for each in RULES.values()
    ]
    return Report(
        name="rules", parts=lambda: [Table(names, rows)], objects=lambda: rules
    )


def summary(problems: Iterable[Problem], files: int) -> str:
    """Count problems by severity, and those that can be repaired."""
    listed = list(problems)
    of_files = "1 file" if files == 1 else f"{files} files"
    if not listed:
        return f"no problems in {of_files}"
    counts = Counter(problem.severity for problem in listed)
    parts = [
        counted(counts[severity], severity)
        for severity in SEVERITIES
        if counts[severity]
    ]
    fixable = sum(problem.can_fix for problem in listed)
    repair = f"; {fixable} can be repaired with --fix OUT" if fixable else ""
    return f"{', '.join(parts)} in {of_files}{repair}"


def render_repairs(counts: Mapping[str, int], out: str) -> str:
    """Say what was repaired."""
    if not counts:
        return f"{out}: nothing to repair; this is a copy"
    rules = ", ".join(f"{rule} {count}" for rule, count in counts.items())
    return f"{out}: {counted(sum(counts.values()), 'problem')} repaired ({rules})"


def _first(
    problems: Sequence[Problem], most: int
) -> tuple[list[Problem], dict[str, int]]:
    """Keep the first problems of each rule in each file, and count the others."""
    seen: Counter[str] = Counter()
    shown = []
    for problem in problems:
        seen[problem.rule] += 1
        if not most or seen[problem.rule] <= most:
            shown.append(problem)
    left_out = {rule: count - most for rule, count in seen.items() if count > most > 0}
    return shown, left_out


def _listing(problems: Sequence[Problem], remarks: Iterable[str]) -> Listing:
    lines = [line for problem in problems for line in _lines(problem)]
    return Listing([*lines, *map(Line, remarks)])


def _lines(problem: Problem) -> Iterator[Line]:
    """Say where what is wrong, show the line, and say what to do."""
    place = printable(_place(problem))
    start, style = len(place) + 2, problem.severity
    text = f"{place}: {style}[{problem.rule}]: {problem.message}"
    yield Line(text, style=style, start=start, end=start + len(style))
    for line in _pointer(problem):
        yield Line(line, is_laid_out=True)
    if problem.beside:
        yield Line(f"    {_flat(problem.beside)}")
    if problem.hint:
        yield Line(f"  fix: {problem.hint}")


def _table(problems: Sequence[Problem]) -> Table:
    labels = [
        Column("place", "name"),
        Column("severity", "name"),
        Column("rule", "name"),
    ]
    rows = [
        [_place(each), each.severity, each.rule, each.message, each.hint or ""]
        for each in problems
    ]
    return Table([*labels, Column("message", "text"), Column("fix", "text")], rows)


def _place(problem: Problem) -> str:
    places = (problem.source, problem.line, problem.column)
    return ":".join(str(place) for place in places if place is not None)


def _pointer(problem: Problem) -> list[str]:
    """Lay out the line as errors show theirs."""
    error = FormatError("", source="", text=problem.text, span=problem.mark)
    return str(error).split("\n")[1:]


def _flat(text: str) -> str:
    return text.replace("\t", " ")


def _object(problem: Problem) -> dict[str, object]:
    written = problem._asdict()
    del written["mark"]
    written["file"] = written.pop("source")
    start, end = problem.mark or (0, 0)
    column = problem.column
    written["end_column"] = None if column is None else column + max(0, end - start)
    first = ("file", "line", "column", "end_column", "severity", "rule", "message")
    return {name: written[name] for name in (*first, "hint", "text", "beside")} | {
        "can_fix": problem.can_fix
    }


def _command(problem: Problem) -> str:
    """Write a workflow command, which GitHub shows beside the line."""
    properties = {
        "file": problem.source,
        "line": problem.line,
        "col": problem.column,
        "title": problem.rule,
    }
    written = ",".join(
        f"{name}={_property(printable(str(value)))}"
        for name, value in properties.items()
        if value is not None
    )
    parts = map(printable, filter(None, (problem.message, problem.hint)))
    message = "\n".join(parts)
    return f"::{_COMMANDS[problem.severity]} {written}::{_data(message)}"


def _data(text: str) -> str:
    return text.replace("%", "%25").replace("\r", "%0D").replace("\n", "%0A")


def _property(text: str) -> str:
    return _data(text).replace(":", "%3A").replace(",", "%2C")
