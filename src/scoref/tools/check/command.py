"""The command `scoref check`, and problems as a report or as GitHub annotations."""

from __future__ import annotations

import os
from collections import Counter
from contextlib import nullcontext
from types import MappingProxyType
from typing import IO, TYPE_CHECKING, Any, NamedTuple

import click

from scoref.errors import FormatError
from scoref.fingerprint import label_of, name_of
from scoref.formats.folders import (
    folder_kind,
    is_corpus,
    is_folder,
    read_folder,
    special_files,
)
from scoref.printable import counted, printable
from scoref.render import OUTPUTS
from scoref.render.report import Column, Line, Listing, Remarks, Report, Table, Unscored
from scoref.rules import RULES, SEVERITIES
from scoref.terminal.help import Command
from scoref.terminal.options import of_files, of_folders
from scoref.terminal.printing import print_notes, print_report, tell
from scoref.terminal.running import OUTPUT, refusing
from scoref.terminal.systems import Attempts, expanded, paired

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from scoref.fingerprint import Fingerprint
    from scoref.tools.check.problems import Problem


_STANDARD = "-"

_SIDES = 2


class ProblemsFound(click.ClickException):
    """Ends the command with exit code 1, after the problems were reported."""

    exit_code = 1

    def show(self, file: IO[Any] | None = None) -> None:
        """Print nothing more."""


def _list_rules(context: click.Context, _: click.Parameter, value: bool) -> None:
    """List all rules and exit."""
    if value:
        print_report(rules_report(), "text")
        context.exit()


def rules_report() -> Report:
    """List all rules."""
    from scoref.tools.check.crac.rules import OFFICIAL_RULES

    names = [Column("", "name"), Column("", "name"), Column("", "text")]
    official = [rule.rule for rule in OFFICIAL_RULES.values()]
    rules = [*RULES.values(), *official]
    rows = [
        [rule.name, rule.severity, rule.meaning + (" (--fix)" if rule.has_fix else "")]
        for rule in rules
    ]
    objects = [
        {
            "rule": rule.name,
            "severity": rule.severity,
            "meaning": rule.meaning,
            "can_fix": rule.has_fix,
        }
        for rule in rules
    ]
    return Report(
        name="rules", parts=lambda: [Table(names, rows)], objects=lambda: objects
    )


@click.command(
    cls=Command,
    examples={
        "scoref check a.conll b.conll": "Find problems in two files.",
        "scoref check --key key.conll response.conll": "Also check that the "
        "response matches the key.",
        "scoref check key.conll --expect litbank-fold-0-test": "Check that a file is "
        "a known key.",
        "scoref check response.conll --fix mended.conll": "Write a repaired copy.",
        "scoref check --profile crac response.conllu": "Find what the official "
        "CorefUD validator rejects.",
    },
)
@click.argument("files", metavar="FILE...", nargs=-1, required=True)
@click.option(
    "--key",
    "key_file",
    metavar="FILE",
    help="Key, or folder of keys, that each FILE is a response to.",
)
@click.option(
    "--expect",
    metavar="NAME",
    help="Check that the FILEs together, or the key, are a known key: its "
    "name or the beginning of its fingerprint; see `scoref data`.",
)
@click.option(
    "--profile",
    type=click.Choice(("crac",)),
    help="Apply the rules of the official CorefUD validator (udvalidate --level 2 "
    "--coref). The exit code is 1 exactly if it rejects a FILE.",
)
@of_files
@of_folders
@click.option(
    "--select", metavar="RULES", help="Check only these rules, separated by commas."
)
@click.option("--ignore", metavar="RULES", help="Do not check these rules.")
@click.option("--strict", is_flag=True, help="Treat warnings as errors.")
@click.option(
    "--fix",
    type=OUTPUT,
    metavar="OUT",
    help="Write a repaired copy of FILE to OUT; - is standard output. Only "
    "problems with one right solution are repaired.",
)
@click.option("--force", is_flag=True, help="Let --fix replace an existing file.")
@click.option(
    "--output",
    type=click.Choice((*OUTPUTS, "github")),
    default="text",
    show_default=True,
    help="Output format; github prints annotations for a GitHub workflow.",
)
@click.option(
    "--max",
    "most",
    type=click.IntRange(0),
    default=20,
    show_default=True,
    metavar="N",
    help="Number of problems to show per rule; 0 shows all. JSON always has all.",
)
@click.option(
    "--rules",
    is_flag=True,
    is_eager=True,
    expose_value=False,
    callback=_list_rules,
    help="List all rules and exit.",
)
def command(
    files: tuple[str, ...],
    *,
    key_file: str | None,
    expect: str | None,
    profile: str | None,
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
    """Find all problems in coreference files at once.

    Each FILE is checked by itself; with --key, scoref also checks that it matches the
    key. If FILE is a folder, all its files are checked. With a folder of keys, files of
    the same dataset are paired.

    Formats are detected; `scoref formats` lists them. Files may be compressed (.gz,
    .xz, .bz2, .zst, .zip), and "-" is standard input.

    Exit codes: 0 no errors (there may be warnings), 1 errors (with --strict also
    warnings), 2 bad usage.
    """
    if (*files, key_file).count(_STANDARD) > 1:
        raise click.UsageError("only one of the files can be standard input")
    if profile is not None and (key_file is not None or expect is not None):
        raise click.UsageError(
            f"--profile {profile} checks each file on its own. Leave out --key and "
            "--expect"
        )
    attempts = Attempts()
    aim = Aim(format, select, ignore, profile)
    with refusing():
        if fix is None:
            pairs = _pair_files(files, key_file, attempts, folder)
            checked = _check_files(pairs, aim, expect, attempts)
            checked = checked._replace(notes=_hints(files, key_file))
            repairs = ""
        else:
            _refuse_output(fix, files, key_file or expect, force=force)
            checked, repairs = _fix_file(files[0], fix, aim)
        attempts.settle()
        is_stdout_taken = fix == _STANDARD
        if output != "github":
            report = problems_report(
                checked, output, most=most, failures=attempts.losses
            )
            print_report(report, output, err=is_stdout_taken)
        elif checked.problems:
            tell(workflow_commands(checked.problems, most), err=is_stdout_taken)
        if repairs:
            tell(repairs, err=is_stdout_taken or output != "text")
    attempts.finish()
    failing = ("error", "warning") if strict else ("error",)
    if any(problem.severity in failing for problem in checked.problems):
        raise ProblemsFound("problems were found")


class Aim(NamedTuple):
    """What files are checked for: their format, and rules by name or by profile."""

    format: str | None
    select: str | None
    ignore: str | None
    profile: str | None


class CheckedFiles(NamedTuple):
    """Problems, the number of files, and the fingerprints of keys to report."""

    problems: Sequence[Problem]
    files: int = 1
    keys: Mapping[str, Fingerprint] = MappingProxyType({})
    notes: Sequence[str] = ()


def _pair_files(
    files: tuple[str, ...], key: str | None, attempts: Attempts, folder: str | None
) -> list[tuple[str, str | None]]:
    """List the files to check together: a key and a response, or one file alone.

    If the key is a folder, it decides what the files of all folders are.
    """
    requested = folder
    if key is not None and is_folder(key):
        folder = folder_kind(key, folder)
    elif folder and not any(map(is_folder, files)):
        raise click.UsageError(f"--folder {folder} is for folders, and there is none")
    paths = [path for path in (*files, key) if path is not None]
    corpora = [path for path in paths if _is_corpus(path, folder)]
    if corpora:
        print_notes(message for path in corpora for message in special_files(path))
        return _pair_documents(files, key, attempts, folder)
    if key is not None and folder == "datasets" and is_folder(key):
        from scoref.terminal.systems import by_name

        return [
            (str(dataset.key), str(path))
            for dataset in paired(key, by_name(files), attempts, requested)
            for path in dataset.responses.values()
        ]
    responses = [path for _, path in expanded(((path, path) for path in files), folder)]
    return [(path, None) if key is None else (key, path) for path in responses]


def _is_corpus(path: str, folder: str | None) -> bool:
    return is_folder(path) and is_corpus(path, folder)


def _pair_documents(
    files: tuple[str, ...], key: str | None, attempts: Attempts, folder: str | None
) -> list[tuple[str, str | None]]:
    """Pair the documents of folders by name, and check all others alone."""
    keys = _files_by_name(key, folder) if key is not None else {}
    if key is None or not _is_corpus(key, folder):
        paths = [*keys.values()]
        for path in files:
            paths += _files_by_name(path, folder).values()
        return [(path, None) for path in paths]
    pairs: list[tuple[str, str | None]] = []
    for path in files:
        responses = _files_by_name(path, folder)
        pairs += [(keys[name], responses[name]) for name in keys if name in responses]
        if not _is_corpus(path, folder):
            pairs.append((path, None))
            continue
        for name in sorted({*keys} ^ {*responses}):
            where, lacking = (key, path) if name in keys else (path, key)
            message = f"{where}: document '{name}' is not in {lacking}"
            attempts.fail(Unscored(name, path, message))
    return pairs


def _files_by_name(path: str, folder: str | None) -> dict[str, str]:
    """Return the files of a folder by document; a single file is its own name."""
    if not _is_corpus(path, folder):
        return {path: path}
    return {document.name: document.source for document in read_folder(path).documents}


def _hints(files: tuple[str, ...], key: str | None) -> list[str]:
    """Mention --key to users who give two files and may mean a key and a response."""
    if key is not None or len(files) != _SIDES:
        return []
    first, second = files
    again = f"scoref check --key {first} {second}"
    belong = "To check whether they belong together, run"
    return [f"Each file was checked on its own. {belong} `{again}`."]


def _check_files(
    pairs: list[tuple[str, str | None]],
    aim: Aim,
    expect: str | None,
    attempts: Attempts,
) -> CheckedFiles:
    """Check all files and pairs, and whether the keys are the expected one."""
    from scoref.tools.check.check import check_expected, choose_rules, examine
    from scoref.tools.check.pairs import refuse_unknown_key

    if expect is not None:
        refuse_unknown_key(expect)
    rules, examinations = choose_rules(aim.select, aim.ignore), []
    paths: set[str] = set()
    for pair in pairs:
        with attempts.trying(pair[1] or pair[0]) if len(pairs) > 1 else nullcontext():
            examination = examine(
                *pair, format=aim.format, rules=rules, profile=aim.profile
            )
            examinations.append(examination)
            paths.update(path for path in pair if path is not None)
    problems = dict.fromkeys(
        problem for file in examinations for problem in file.problems
    )
    if expect is not None:
        problems |= dict.fromkeys(check_expected(examinations, expect))
    keys = {file.source: file.key.fingerprint for file in examinations if file.key}
    return CheckedFiles(list(problems), len(paths), keys)


def _refuse_output(
    out: str, files: tuple[str, ...], other: str | None, *, force: bool
) -> None:
    """Refuse --fix for several files, and an output file that exists."""
    file = files[0]
    if len(files) > 1 or other is not None or is_folder(file):
        raise click.UsageError(
            "--fix repairs a single file. Leave out other files, folders, "
            "--key and --expect"
        )
    if out != _STANDARD and os.path.exists(out) and not force:
        raise click.UsageError(f"{out} already exists. Add --force to replace it")


def _fix_file(file: str, out: str, aim: Aim) -> tuple[CheckedFiles, str]:
    """Write a repaired copy; return the problems that are left and the repairs."""
    from scoref.formats import input_files
    from scoref.tools.check.check import check_data, choose_rules
    from scoref.tools.check.repairs import BEYOND_REPAIR, repair
    from scoref.writing import packed, write_output

    rules = choose_rules(aim.select, aim.ignore)
    data, source = input_files.read_bytes(file), input_files.name_of(file)
    repaired = repair(
        data, source=source, format=aim.format, rules=rules, profile=aim.profile
    )
    shown = "<stdout>" if out == _STANDARD else out
    # A repair may move lines, so places are those of the copy if there is one.
    place = source if repaired.data == data else shown
    left = check_data(
        repaired.data, source=place, format=aim.format, profile=aim.profile
    )
    if any(problem.rule in BEYOND_REPAIR for problem in left):
        return CheckedFiles([problem._replace(source=source) for problem in left]), ""
    write_output(out, packed(out, repaired.data))
    kept = [problem for problem in left if problem.rule in rules]
    return CheckedFiles(kept), repairs_line(repaired.counts, kept, printable(shown))


def repairs_line(counts: Mapping[str, int], left: Sequence[Problem], out: str) -> str:
    """Say how many problems were repaired, and how many have to be repaired by hand."""
    by_hand = ""
    if left:
        problems = " and".join(_by_severity(left).rsplit(",", 1))
        by_hand = f" {problems} cannot be repaired automatically."
    if not counts:
        why = by_hand or " No problem was found."
        return f"Nothing was repaired, so {out} is the same as the input.{why}"
    rules = ", ".join(f"{rule} {count}" for rule, count in counts.items())
    repaired = counted(sum(counts.values()), "problem")
    return f"{out}: {repaired} repaired ({rules}).{by_hand}"


def problems_report(
    checked: CheckedFiles,
    output: str = "text",
    *,
    most: int = 20,
    failures: Sequence[Unscored] = (),
) -> Report:
    """Report problems: ``most`` of each rule for people, and all for programs."""
    shown, left_out = _first_of_each_rule(checked.problems, most)
    remarks = [f"… and {count} more of {rule}" for rule, count in left_out.items()]
    for file, fingerprint in checked.keys.items():
        if len(checked.keys) == 1 or name_of(fingerprint):
            remarks.append(_key_line(file, fingerprint))
    remarks.append(summary(checked.problems, checked.files))

    def parts() -> list[Listing | Table | Remarks]:
        if output == "text":
            lines = [line for problem in shown for line in _lines(problem)]
            return [Listing([*lines, *map(Line, remarks)])]
        return [*([_table(shown)] if shown else []), Remarks(remarks)]

    return Report(
        name="check",
        parts=parts,
        objects=lambda: map(_object, checked.problems),
        notes=checked.notes,
        failures=failures,
        more={
            "keys": [
                {"file": file, **fingerprint.as_object(name_of(fingerprint) or "")}
                for file, fingerprint in checked.keys.items()
            ]
        },
    )


def _key_line(file: str, fingerprint: Fingerprint) -> str:
    """Name a known key; show the fingerprint of any other."""
    if name_of(fingerprint):
        return f"{file}: known key {label_of(fingerprint)} (see `scoref data`)"
    return f"{file}: fingerprint {label_of(fingerprint)} (see `scoref data`)"


def summary(problems: Sequence[Problem], files: int) -> str:
    """Count problems by severity, and those that can be repaired."""
    file_count = "1 file" if files == 1 else f"{files} files"
    if not problems:
        return f"no problems in {file_count}"
    fixable = sum(problem.can_fix for problem in problems)
    repair = f"; {fixable} can be repaired with --fix OUT" if fixable else ""
    return f"{_by_severity(problems)} in {file_count}{repair}"


def _by_severity(problems: Sequence[Problem]) -> str:
    """Count problems by severity, as in "1 error, 2 warnings"."""
    counts = Counter(problem.severity for problem in problems)
    parts = [
        counted(counts[severity], severity)
        for severity in SEVERITIES
        if counts[severity]
    ]
    return ", ".join(parts)


def _first_of_each_rule(
    problems: Sequence[Problem], most: int
) -> tuple[list[Problem], dict[str, int]]:
    """Keep the first problems of each rule, and count the others."""
    seen: Counter[str] = Counter()
    shown = []
    for problem in problems:
        seen[problem.rule] += 1
        if not most or seen[problem.rule] <= most:
            shown.append(problem)
    left_out = {rule: count - most for rule, count in seen.items() if count > most > 0}
    return shown, left_out


def _lines(problem: Problem) -> Iterator[Line]:
    """Say where the problem is, show the line, and say what to do."""
    place = printable(_place(problem))
    start, style = len(place) + 2, problem.severity
    text = f"{place}: {style}[{problem.rule}]: {problem.message}"
    yield Line(text, style=style, start=start, end=start + len(style))
    # The line is shown as in error messages.
    error = FormatError("", source="", text=problem.text, span=problem.mark)
    for line in str(error).split("\n")[1:]:
        yield Line(line, is_laid_out=True)
    if problem.beside:
        yield Line("    " + problem.beside.replace("\t", " "))
    if problem.hint:
        yield Line(f"  hint: {problem.hint}")


def _table(problems: Sequence[Problem]) -> Table:
    columns = [
        Column("place", "name"),
        Column("severity", "name"),
        Column("rule", "name"),
        Column("message", "text"),
        Column("hint", "text"),
    ]
    rows = [
        [
            _place(problem),
            problem.severity,
            problem.rule,
            problem.message,
            problem.hint or "",
        ]
        for problem in problems
    ]
    return Table(columns, rows)


def _place(problem: Problem) -> str:
    places = (problem.source, problem.line, problem.column)
    return ":".join(str(place) for place in places if place is not None)


def _object(problem: Problem) -> dict[str, object]:
    start, end = problem.mark or (0, 0)
    column = problem.column
    return {
        "file": problem.source,
        "line": problem.line,
        "column": column,
        "end_column": None if column is None else column + max(0, end - start),
        "severity": problem.severity,
        "rule": problem.rule,
        "message": problem.message,
        "hint": problem.hint,
        "text": problem.text,
        "beside": problem.beside,
        "can_fix": problem.can_fix,
        "official": problem.official,
    }


_GITHUB_LEVELS = {"error": "error", "warning": "warning", "note": "notice"}


def workflow_commands(problems: Sequence[Problem], most: int = 20) -> str:
    """Write problems as workflow commands, which GitHub shows next to the lines."""
    return "\n".join(map(_workflow_command, _first_of_each_rule(problems, most)[0]))


def _workflow_command(problem: Problem) -> str:
    properties = {
        "file": problem.source,
        "line": problem.line,
        "col": problem.column,
        "title": problem.rule,
    }
    fields = [
        (name, _escape(printable(str(value))).replace(":", "%3A").replace(",", "%2C"))
        for name, value in properties.items()
        if value is not None
    ]
    place = ",".join(f"{name}={value}" for name, value in fields)
    parts = map(printable, filter(None, (problem.message, problem.hint)))
    message = _escape("\n".join(parts))
    return f"::{_GITHUB_LEVELS[problem.severity]} {place}::{message}"


def _escape(text: str) -> str:
    return text.replace("%", "%25").replace("\r", "%0D").replace("\n", "%0A")
