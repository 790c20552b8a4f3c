"""A problem, its place in the file, and the line that shows it."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from scoref.formats.input_files import Lines, shown, without_bom

if TYPE_CHECKING:
    from scoref.rules import Rule, Severity

    Span = tuple[int, int]


class Problem(NamedTuple):
    """Something that is wrong with a file, or probably wrong.

    Lines and columns are counted from 1, columns in characters. Both are None if the
    problem concerns the whole file. ``text`` is the line, or as much of it as can be
    shown, and ``mark`` says which of its characters are wrong. ``beside`` is a line
    of another file to compare with. ``official`` is the name that CorefUD's official
    validator gives to the problem, if it has one.
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
    official: str = ""


def as_warning(problem: Problem) -> Problem:
    """Turn an error into a warning, for a layer that scoring reads only on request."""
    if problem.severity != "error":
        return problem
    reads = "Only --evaluate discourse-deixis reads this column."
    hint = f"{problem.hint.removesuffix('.')}. {reads}" if problem.hint else reads
    return problem._replace(severity="warning", hint=hint)


class FileListing:
    """The lines of a file, and a function that makes problems with an excerpt."""

    def __init__(self, source: str, data: bytes) -> None:
        self.source = source
        self.lines = Lines.of(without_bom(data))
        self._last = 0, ""

    def text(self, line: int) -> str:
        """Return a line, counted from 1; it is empty if the file does not have it."""
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
        """Make a problem; ``span`` says which characters of the line are to blame."""
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


_WIDTH = 160


def excerpt(text: str, span: Span | None = None) -> tuple[str, Span | None]:
    """Shorten a long line to the part around a span, and move the span accordingly.

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
