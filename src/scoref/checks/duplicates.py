"""Which brackets to take out so that an entity lists a mention once.

Brackets of one entity at one token are alike, so that it does not matter which of them
go: one that opens the mention and one that closes it, or one that does both. In CorefUD
brackets have fields, and go only if those that open there have the same.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, NamedTuple

from scoref.formats import CONLL_2012, COREFUD, JSON_LINES

if TYPE_CHECKING:
    from scoref.checks.views import View

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
    starting = [each for each in _brackets(view, first) if _opens(each, view, label)]
    whole = [each for each in starting if each.endswith(")")]
    if first == last and len(whole) > 1:
        return [Removal(first, whole[-1])] if len(set(whole)) == 1 else None
    if first == last and whole and view.format == CONLL_2012:
        return [Removal(first, whole[-1])]
    opening = [each for each in starting if not each.endswith(")")]
    closing = f"{label})"
    if len(set(opening)) != 1 or closing not in _brackets(view, last):
        return None
    return [Removal(first, opening[-1]), Removal(last, closing)]


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


def _brackets(view: View, line: int) -> list[str]:
    text = view.listing.text(line)
    start, end = _annotation(text, view.format)
    return [each[0] for each in _BRACKET.finditer(text, start, end)]


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


def _opens(bracket: str, view: View, label: str) -> bool:
    """Tell whether a bracket opens a mention of an entity, and not a piece of one."""
    if not bracket.startswith("("):
        return False
    name = bracket[1:].removesuffix(")")
    if view.format == CONLL_2012:
        return name == label
    fields = name.split("-")
    return view.entity_field < len(fields) and fields[view.entity_field] == label
