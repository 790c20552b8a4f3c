"""Problems as text: for people, for programs, and for GitHub's annotations."""

from __future__ import annotations

import json
from collections import Counter
from typing import TYPE_CHECKING

from scoref.errors import FormatError
from scoref.printable import printable, printable_json
from scoref.rules import RULES, SEVERITIES

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from scoref.tools.check.problems import Problem

OUTPUTS = ("text", "json", "github")
_COMMANDS = {"error": "error", "warning": "warning", "note": "notice"}


def render_problems(
    problems: Sequence[Problem], output: str, *, most: int = 20, files: int = 1
) -> str:
    """Write problems; ``most`` of each rule, but all of them for programs."""
    if output == "json":
        objects = [_object(problem) for problem in problems]
        return printable_json(json.dumps(objects, ensure_ascii=False, indent=2))
    shown, left_out = _first(problems, most)
    if output == "github":
        return "\n".join(map(_command, shown))
    parts = ["\n".join(_text(problem)) for problem in shown]
    parts += [f"… and {count} more of {rule}" for rule, count in left_out.items()]
    return "\n".join([*parts, summary(problems, files)])


def render_rules() -> str:
    """List all rules."""
    width = max(map(len, RULES))
    return "\n".join(
        f"{rule.name.ljust(width)}  {rule.severity.ljust(7)}  {rule.meaning}"
        + (" (--fix)" if rule.has_fix else "")
        for rule in RULES.values()
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


def counted(count: int, what: str) -> str:
    """Count things.

    >>> counted(1, "error"), counted(2, "error")
    ('1 error', '2 errors')
    """
    return f"{count} {what}" if count == 1 else f"{count} {what}s"


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


def _text(problem: Problem) -> list[str]:
    lines = [
        f"{_place(problem)}: {problem.severity}[{problem.rule}]: {problem.message}",
        *_pointer(problem),
    ]
    if problem.beside:
        lines.append(f"    {_flat(problem.beside)}")
    if problem.hint:
        lines.append(f"  fix: {problem.hint}")
    return list(map(printable, lines))


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
