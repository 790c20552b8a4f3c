"""What brackets in an answer come to: mentions by their places, and what is broken."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import NamedTuple


class Mention(NamedTuple):
    """A stretch of an answer, from a character to the one behind it, and its entity."""

    start: int
    end: int
    label: str


class Fault(NamedTuple):
    """A bracket that has no partner, or a tag that nobody can read, and its place."""

    start: int
    end: int
    problem: str


class Marked(NamedTuple):
    """An answer's mentions; ``markup`` is what is no text, as places in order."""

    mentions: list[Mention]
    markup: list[tuple[int, int]]
    faults: list[Fault]


class Opening(NamedTuple):
    """A bracket that is open; the label may come with its partner."""

    start: int
    end: int
    label: str
    kind: str = ""


@dataclass(slots=True)
class Marks:
    """Brackets on their way to mentions: a stack, the last opened closes first."""

    mentions: list[Mention] = field(default_factory=list)
    markup: list[tuple[int, int]] = field(default_factory=list)
    faults: list[Fault] = field(default_factory=list)
    stack: list[Opening] = field(default_factory=list)

    def open(self, start: int, end: int, label: str = "", kind: str = "") -> None:
        """Remember a bracket that opens."""
        self.stack.append(Opening(start, end, label, kind))

    def close(self, start: int, end: int, label: str = "") -> None:
        """Close the last bracket, and have a mention."""
        if not self.stack:
            self.faults.append(Fault(start, end, "is closed here but never opened"))
            self.markup.append((start, end))
            return
        opened = self.stack.pop()
        self.markup += [(opened.start, opened.end), (start, end)]
        self.mentions.append(Mention(opened.end, start, label or opened.label))

    def done(self) -> Marked:
        """Give what was found; what is still open is broken, and stays in the text."""
        for opened in self.stack:
            problem = "is opened here but never closed"
            self.faults.append(Fault(opened.start, opened.end, problem))
        self.markup.sort()
        self.faults.sort()
        self.mentions.sort(key=lambda each: (each.start, -each.end))
        return Marked(self.mentions, self.markup, self.faults)
