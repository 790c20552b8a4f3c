"""Problems as a report, and as GitHub's annotations."""

from __future__ import annotations

from collections import Counter
from types import MappingProxyType
from typing import TYPE_CHECKING, NamedTuple

from scoref.errors import FormatError
from scoref.figures import counted
from scoref.printable import printable
from scoref.render.report import Column, Line, Listing, Remarks, Report, Table
from scoref.rules import RULES, SEVERITIES
from scoref.scoring.registry import label_of, name_of

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence

    from scoref.fingerprint import Fingerprint
    from scoref.render.report import Unscored
    from scoref.tools.check.problems import Problem

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
