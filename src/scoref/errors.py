"""The exceptions that scoref raises for invalid input.

    ScorefError
    ├── FormatError                a file does not follow its format; has file and line
    │   ├── AlignmentError         key and response do not belong together
    │   ├── DuplicateError         a mention is listed twice and the scheme forbids it
    │   └── UnreadableFileError    the system cannot read a file; also an OSError
    │       └── MissingFileError   there is no such file; also a FileNotFoundError
    ├── TooLargeError              the input is too large; says which part
    └── OptionError                an unknown option, metric, scheme or format

Each message says where the problem is, what was found and what to do. Any other
exception is a bug in scoref and keeps its traceback. All of them can be pickled, so
that they can be raised in one process and caught in another.
"""

from __future__ import annotations

from errno import ENOENT
from typing import TYPE_CHECKING, Literal

from scoref.classes import NamedTuple
from scoref.printable import printable, printable_in_place

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence

    from scoref.rules import Rule

_SHOWN_WIDTH = 76


class ScorefError(Exception):
    """The base class of every error that scoref raises on purpose."""

    def __init__(self, problem: str, *, hint: str = "") -> None:
        super().__init__(problem)
        self.problem = problem
        self.hint = hint

    def lines(self) -> list[str]:
        """Lay the message out."""
        return [self.problem, *([f"  hint: {self.hint}"] if self.hint else [])]

    def __str__(self) -> str:
        return "\n".join(map(printable, self.lines()))

    def __reduce__(self) -> tuple[object, ...]:
        """Pickle the attributes, because most constructors need keywords."""
        return _restore, (type(self), self.args, self.__dict__)


def _restore(
    kind: type[ScorefError], args: tuple[object, ...], attributes: dict[str, object]
) -> ScorefError:
    """Make an error again that was pickled."""
    error = kind.__new__(kind)
    error.args = args
    for name, value in attributes.items():
        setattr(error, name, value)
    return error


class Blamed(NamedTuple):
    """The part of a line that is to blame, if its name but not its place is known."""

    what: Literal[
        "opening", "closing", "bracket", "markable", "document", "offsets", "text"
    ]
    name: str


class JoinedSource(str):
    """A folder whose files were read as one text; it finds the file of a line."""

    __slots__ = ("place",)
    place: Callable[[int], tuple[str, int]]

    @classmethod
    def of(cls, source: str, place: Callable[[int], tuple[str, int]]) -> JoinedSource:
        """Name a folder; ``place`` finds the file and the line there."""
        folder = cls(source)
        folder.place = place
        return folder

    def __reduce__(self) -> tuple[object, ...]:
        """Pickle the name alone."""
        return str, (str(self),)


def place_of(source: str, line: int | None) -> str:
    """Write a file and a line of it, or the file alone.

    >>> place_of("key.conll", 3), place_of("key.conll", 0)
    ('key.conll:3', 'key.conll')
    """
    if not line:
        return source
    if isinstance(source, JoinedSource):
        source, line = source.place(line)
    return f"{source}:{line}"


class WithoutKey(NamedTuple):
    """What is wrong with a response, in words that reveal nothing of the key.

    ``place`` is a file and a line of the response.
    """

    problem: str
    place: str = ""


class FormatError(ScorefError):
    """A place in a file that cannot be read.

    Programs should use the rule and the place. The phrase and the hint are for people.

    Args:
        problem: what is wrong, in a phrase.
        rule: the rule that it breaks; None if the content is not the problem.
        source: the file's name.
        line: its line, counted from 1; None if the whole file is meant.
        text: the line itself.
        span: the characters of ``text`` that are wrong.
        blamed: the wrong text, if its position in the line is not known.
        hint: what to do about it.
        beside: other lines to compare with.
        is_final: whether nothing can be read without this line.
        without_key: the message for people who must not see the key.
    """

    def __init__(
        self,
        problem: str,
        *,
        rule: Rule | None = None,
        source: str,
        line: int | None = None,
        text: str = "",
        span: tuple[int, int] | None = None,
        blamed: Blamed | None = None,
        hint: str = "",
        beside: Sequence[str] = (),
        is_final: bool = False,
        without_key: WithoutKey | None = None,
    ) -> None:
        super().__init__(problem, hint=hint)
        if isinstance(source, JoinedSource) and line:
            source, line = source.place(line)
        self.rule = rule
        self.source = source
        self.line = line
        self.text = text
        self.span = span
        self.blamed = blamed
        self.beside = tuple(beside)
        self.is_final = is_final
        self.without_key = without_key

    def lines(self) -> list[str]:
        """Lay the message out: the place first, then what is there."""
        place = self.source if self.line is None else f"{self.source}:{self.line}"
        problem, *hint = super().lines()
        shown = [*self.beside, *_pointer(self.text, self.span)]
        return [f"{place}: {problem}", *(f"    {line}" for line in shown), *hint]


class AlignmentError(FormatError):
    """Two readable files that are not the key and the response of one text."""


class DuplicateError(FormatError):
    """A mention that is in two entities, or twice in one."""


class UnreadableFileError(FormatError, OSError):
    """A file or folder that the system does not let us read.

    ``errno``, ``strerror`` and ``filename`` are those of the system's error.
    """

    @classmethod
    def of(cls, error: Exception, source: str, hint: str = "") -> UnreadableFileError:
        """Name the file that an OSError is about; a ValueError is about its path."""
        why = getattr(error, "strerror", None) or str(error)
        kind = MissingFileError if isinstance(error, FileNotFoundError) else cls
        unreadable = kind(f"cannot be read: {why.lower()}", source=source, hint=hint)
        unreadable.errno = getattr(error, "errno", None)
        unreadable.strerror, unreadable.filename = why, source
        return unreadable

    def __reduce__(self) -> tuple[object, ...]:
        """Pickle the attributes of the system's error as well."""
        names = "errno", "strerror", "filename"
        system = {name: getattr(self, name) for name in names}
        return _restore, (type(self), self.args, {**self.__dict__, **system})


class MissingFileError(UnreadableFileError, FileNotFoundError):
    """A file or folder that does not exist."""

    def __init__(self, problem: str, *, source: str, hint: str = "") -> None:
        super().__init__(problem, source=source, hint=hint)
        self.errno, self.strerror, self.filename = ENOENT, problem, source


class TooLargeError(ScorefError):
    """More of something than there is time and memory for."""


class OptionError(ScorefError, ValueError):
    """A name that scoref does not know, with the most similar name that it knows.

    If a part of the input is wrong, ``span`` is that part of ``text``.
    """

    def __init__(
        self,
        problem: str,
        *,
        hint: str = "",
        text: str = "",
        span: tuple[int, int] | None = None,
    ) -> None:
        super().__init__(problem, hint=hint)
        self.text = text
        self.span = span

    def lines(self) -> list[str]:
        """Lay the message out, with what was typed below it."""
        problem, *hint = super().lines()
        shown = (f"    {line}" for line in _pointer(self.text, self.span))
        return [problem, *shown, *hint]


_LISTS = {
    "metric": "metrics",
    "format": "formats",
    "scheme": "schemes",
    "page": "docs",
    "key": "data",
    "published table": "published",
    "rule": "check --rules",
    "command": "-h",
}
"""The command that lists all names of a kind."""

_FEW = 8
"""As many names are listed in a message; of more, the closest ones."""


def unknown(kind: str, found: object, known: Iterable[str]) -> OptionError:
    """Return the error for an unknown name, with the closest ones that are known.

    >>> str(unknown("metric", "ceaf", ["muc", "ceafe", "ceafm"]))
    "unknown metric 'ceaf'. Did you mean ceafe or ceafm? See `scoref metrics`."
    """
    names = list(known)
    meant = did_you_mean(str(found), names)
    parts = [f"unknown {kind} '{found}'"]
    if meant:
        parts.append(meant)
    if kind in _LISTS:
        parts.append(f"See `scoref {_LISTS[kind]}`.")
    elif len(names) <= _FEW:
        parts.append(f"Known: {', '.join(names)}")
    elif not meant:
        parts.append(f"Known: {', '.join(names[:_FEW])} and {len(names) - _FEW} more")
    return OptionError(". ".join(parts).replace("?. ", "? "))


def did_you_mean(word: str, known: Iterable[str], cutoff: float = 0.6) -> str:
    """Ask for the few names that are closest to a word; empty if there is none.

    >>> did_you_mean("--metrisc", ["--match", "--metrics"])
    'Did you mean --metrics?'
    """
    from difflib import SequenceMatcher  # loaded only if something is wrong

    ratios = {name: SequenceMatcher(None, name, word).ratio() for name in known}
    least = max(cutoff, max(ratios.values(), default=0) - 0.1)
    by_ratio = sorted(ratios, key=lambda name: (-ratios[name], name))
    near = [name for name in by_ratio[:3] if ratios[name] >= least]
    listed = " or ".join([", ".join(near[:-1]), *near[-1:]] if near[1:] else near)
    return f"Did you mean {listed}?" if near else ""


def missing_extra(problem: str, extra: str) -> OptionError:
    """Say what needs an optional library, and how to install it.

    >>> print(missing_extra("plots need matplotlib", "plot"))
    plots need matplotlib
      hint: Run pip install '.[plot]' in a clone of scoref.
    """
    hint = f"Run pip install '.[{extra}]' in a clone of scoref."
    return OptionError(problem, hint=hint)


def quoted(names: Sequence[str], most: int = 3) -> str:
    """Quote some names, and count the others.

    >>> quoted(["a", "b"]), quoted(["a", "b", "c", "d"])
    ("'a', 'b'", "'a', 'b', 'c' and 1 more")
    """
    more = f" and {len(names) - most} more" if len(names) > most else ""
    return ", ".join(f"'{name}'" for name in names[:most]) + more


def _pointer(text: str, span: tuple[int, int] | None) -> list[str]:
    """Return the line with a marker under the place."""
    if not text:
        return []
    shown = printable_in_place(text)
    if span is None:
        return [_clip(shown, 0)[0]]
    start, end = span
    shown, cut = _clip(shown, start)
    width = max(1, min(end - cut, len(shown)) - (start - cut))
    return [shown, f"{' ' * (start - cut)}{'^' * width}"]


def _clip(text: str, start: int) -> tuple[str, int]:
    """Shorten a long line so that the place stays visible."""
    if len(text) <= _SHOWN_WIDTH:
        return text, 0
    cut = max(0, min(start - _SHOWN_WIDTH // 2, len(text) - _SHOWN_WIDTH))
    head = "…" if cut else ""
    return head + text[cut + len(head) : cut + _SHOWN_WIDTH], cut
