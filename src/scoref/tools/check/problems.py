"""A problem, its place in the file, and the lines that it is shown in."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from scoref.formats.input_files import Lines, shown, without_bom

if TYPE_CHECKING:
    from scoref.rules import Rule, Severity

    Span = tuple[int, int]

_WIDTH = 160


class Problem(NamedTuple):
    """Something that is wrong with a file, or looks so.

    Lines and columns are counted from 1, columns in characters; both are None where the
    whole file is meant. ``text`` is the line, or as much of it as can be shown, and
    ``mark`` says which of its characters are to blame. ``beside`` is a line of
    another file to look at.
    """

    rule: str
    severity: Severity
    source: str
    line: int | None
    column: int | None
    message: str
    text: str = ""
    hint: str = ""
    mark: Span | None = None
    beside: str = ""
    can_fix: bool = False


def beside(problem: Problem) -> Problem:
    """Make a warning of what is wrong with a layer that scoring reads if asked to."""
    if problem.severity != "error":
        return problem
    reads = "only --evaluate discourse-deixis reads this column"
    hint = f"{problem.hint}; {reads}" if problem.hint else reads
    return problem._replace(severity="warning", hint=hint)


class FileListing:
    """The lines of a file, and problems that are shown in them."""

    def __init__(self, source: str, data: bytes) -> None:
        self.source = source
        self.lines = Lines.of(without_bom(data))
        self._last = 0, ""

    def text(self, line: int) -> str:
        """Give a line, counted from 1; nothing if there is no such line."""
        if self._last[0] != line:
            is_there = 0 < line <= len(self.lines)
            self._last = line, shown(self.lines[line - 1]) if is_there else ""
        return self._last[1]

    def problem(
        self,
        rule: Rule,
        message: str,
        line: int | None = None,
        span: Span | None = None,
        *,
        hint: str = "",
        beside: str = "",
        can_fix: bool = False,
    ) -> Problem:
        """Make a problem of a rule; ``span`` are the characters of the line."""
        text, mark = ("", None) if line is None else excerpt(self.text(line), span)
        return Problem(
            rule=rule.name,
            severity=rule.severity,
            source=self.source,
            line=line,
            column=None if line is None else (span or (0, 0))[0] + 1,
            message=message,
            text=text,
            hint=hint,
            mark=mark,
            beside=beside,
            can_fix=can_fix,
        )


def excerpt(text: str, span: Span | None = None) -> tuple[str, Span | None]:
    """Cut what can be shown out of a line, with the place in sight.

    >>> excerpt("(0)|1)", (4, 6))
    ('(0)|1)', (4, 6))
    """
    start, end = span or (0, 0)
    cut = max(0, min(start - _WIDTH // 2, len(text) - _WIDTH))
    piece = text[cut : cut + _WIDTH]
    if cut:
        piece = "…" + piece[1:]
    if cut + _WIDTH < len(text):
        piece = piece[:-1] + "…"
    return piece, span and (start - cut, min(end - cut, len(piece)))
