"""Which brackets to take out so that an entity lists a mention once.

Brackets of one entity at one token are alike, so that it does not matter which of them
go: one that opens the mention and one that closes it, or one that does both. In CorefUD
brackets have fields, and go only if those that open there have the same.
"""

from __future__ import annotations

import re
from collections import defaultdict
from typing import TYPE_CHECKING, NamedTuple

from scoref.formats import CONLL_2012, COREFUD, JSON_LINES

if TYPE_CHECKING:
    from scoref.tools.check.views import View

_BRACKET = re.compile(r"\([^()|]+\)?|[^()|]+\)")
_ENTITY = re.compile(r"(?<=[\t|]Entity=)[^|\t]*(?=[^\t]*$)")


class Removal(NamedTuple):
    """A bracket that goes, and its line, counted from 1."""

    line: int
    bracket: str


def removal(view: View, mention: int) -> list[Removal] | None:
    """Find the brackets of a mention that is listed twice; None if they differ."""
    if view.format == JSON_LINES:
        return []
    if view.format not in {CONLL_2012, COREFUD} or view.ends is None:
        return None
    assert view.layout is not None  # noqa: S101 - ends are rows of it
    first, last = (int(view.layout.line[int(rows[mention])]) for rows in view.ends)
    label = view.label(mention)
    starting = _brackets(view, first)[label]
    if first == last and len(starting.whole) > 1:
        return [Removal(first, starting.whole[-1])] if starting.is_uniform else None
    if first == last and starting.whole and view.format == CONLL_2012:
        return [Removal(first, starting.whole[-1])]
    if len(starting.opening) != 1 or not _brackets(view, last)[label].is_closed:
        return None
    return [Removal(first, *starting.opening), Removal(last, f"{label})")]


class LineBrackets:
    """The brackets of one entity in a line: whole ones, and different opening ones."""

    def __init__(self) -> None:
        self.whole: list[str] = []
        self.is_uniform = True
        self.opening: set[str] = set()
        self.is_closed = False

    def add(self, bracket: str) -> None:
        """Add a bracket that starts a mention."""
        if bracket.endswith(")"):
            self.is_uniform &= bracket == (self.whole or [bracket])[0]
            self.whole.append(bracket)
        else:
            self.opening.add(bracket)


def without(text: str, bracket: str, format_name: str) -> str:
    """Take a bracket out of the annotation of a line.

    >>> without("w (0)|(1)|(0)", "(0)", "conll-2012")
    'w (0)|(1)'
    """
    start, end = _annotation(text, format_name)
    found = [
        each.span()
        for each in _BRACKET.finditer(text, start, end)
        if each[0] == bracket
    ]
    if not found:
        return text
    at, to = found[-1]
    left = text[start:at].rstrip("|")
    right = text[to:end].lstrip("|")
    bar = "|" if left and right and "|" in text[start:end] else ""
    return f"{text[:start]}{left}{bar}{right}{text[end:]}"


def _brackets(view: View, line: int) -> defaultdict[str, LineBrackets]:
    """Sort the brackets of a line by entity, once for all that are asked for."""
    if line not in view.brackets:
        text = view.listing.text(line)
        found = view.brackets[line] = defaultdict(LineBrackets)
        for bracket in _BRACKET.findall(text, *_annotation(text, view.format)):
            if not bracket.startswith("("):
                found[bracket[:-1]].is_closed = True
            elif (label := _label(bracket, view)) is not None:
                found[label].add(bracket)
    return view.brackets[line]


def _annotation(text: str, format_name: str) -> tuple[int, int]:
    """Find the part of a line that has the brackets."""
    if format_name == COREFUD:
        found = list(_ENTITY.finditer(text))
        return found[-1].span() if found else (0, 0)
    stripped = text.rstrip()
    tab = stripped.rfind("\t")
    if tab >= 0:
        return tab + 1, len(stripped)
    return len(stripped) - len(stripped.split()[-1]), len(stripped)


def _label(bracket: str, view: View) -> str | None:
    """Give the entity of a bracket that opens; in CorefUD it is one of the fields."""
    name = bracket[1:].removesuffix(")")
    if view.format == CONLL_2012:
        return name
    fields = name.split("-")
    return fields[view.entity_field] if view.entity_field < len(fields) else None
