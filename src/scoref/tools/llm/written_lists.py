r"""Answers that list entities line by line, as models write them without being asked.

    1. Ada: "Ada", "she"            Cluster 1:
    2. Charles: "Charles", "he"     - Ada
                                    - she

A line with a number, a bullet or a label lists the mentions of an entity. Mentions are
quoted, or separated by commas. Mentions that stand alone on lines under a heading such
as `Cluster 1:` are one entity.
"""

from __future__ import annotations

import re
from itertools import pairwise
from typing import NamedTuple

from scoref.tools.llm.clusters import Clusters

_EMPHASIS = re.compile(r"\*\*|__|^#+\s*")
_MARK = re.compile(r"(?:\(?\d{1,4}[.):]|[-*•+–])\s+")
_LABEL = re.compile(r"([^:=\"“«`\[\]{}]{0,80}?)\s*(?::|=|->|→)(?:\s+|$|(?=[\[\"“«`]))")
_KIND = re.compile(
    r"(?:coref\w*\s+)?(?:entity|cluster|chain|group|set|character|person)\b",
    re.IGNORECASE,
)
_QUOTED = re.compile(
    r'"([^"]+)"|“([^”]+)”|«([^»]+)»|`([^`]+)`|‘([^’]+)’(?!\w)'
    r"|(?<!\w)'((?:[^']|(?<=\w)'(?=\w))+)'(?!\w)"
)
_SEPARATORS = re.compile(r"(?:[\s,;|/&.\[\]{}]|\band\b|\([^()]*\))*")
_BRACKETS = "[](){} \t"


class _Line(NamedTuple):
    """A line of a list: its label, and the mentions that it has."""

    label: str | None
    mentions: list[str]
    is_quoted: bool
    has_mark: bool


def find_lists(answer: str) -> Clusters | None:
    """Read the lists of an answer; None if there are none.

    >>> find_lists('1. Ada: "Ada", "she"').clusters
    [['Ada', 'she']]
    """
    lines = [line for line in map(_line, answer.splitlines()) if line]
    entities: list[list[str]] = []
    headings = [row for row, line in enumerate(lines) if not line.mentions]
    borders = [*headings, len(lines)]
    entities += [line.mentions for line in lines[: borders[0]] if _is_entity(line)]
    groups = [lines[a:b] for a, b in pairwise(borders)]
    several = sum(len(group) > 1 for group in groups) > 1
    for heading, *items in groups:
        label = heading.label or ""
        is_entity = several or any(map(str.isdigit, label))
        if is_entity and all(_is_alone(item) for item in items):
            entities += [[each for item in items for each in item.mentions]]
        else:
            entities += [item.mentions for item in items if _is_entity(item)]
    found = [entity for entity in entities if entity]
    return Clusters(list(map(list, found))) if found else None


def _line(text: str) -> _Line | None:
    """Read a line; None if it is not a part of a list."""
    is_heading = text.lstrip().startswith("#")
    text = _EMPHASIS.sub("", text.strip())
    mark = _MARK.match(text)
    rest = text[mark.end() :] if mark else text
    named = _LABEL.match(rest)
    label = named[1].strip() if named else None
    if label is None and not mark:
        is_heading |= bool(_KIND.match(text)) and any(map(str.isdigit, text))
        return _Line(text, [], is_quoted=False, has_mark=False) if is_heading else None
    rest = (rest[named.end() :] if named else rest).strip()
    quoted = [next(filter(None, match.groups())) for match in _QUOTED.finditer(rest)]
    if quoted and _SEPARATORS.fullmatch(_QUOTED.sub(" ", rest)):
        return _Line(label, quoted, is_quoted=True, has_mark=bool(mark))
    if not rest:
        is_heading = bool(label) and (bool(mark) or len(label or "") > 1)
        return _Line(label, [], is_quoted=False, has_mark=False) if is_heading else None
    parts = [part.strip(_BRACKETS) for part in re.split(r"[,;]", rest)]
    mentions = [part for part in parts if part]
    if not mentions:
        return None
    return _Line(label, mentions, is_quoted=False, has_mark=bool(mark))


def _is_entity(line: _Line) -> bool:
    """Tell whether a line lists an entity, and is not just a line with a colon."""
    label = line.label or ""
    return line.is_quoted or line.has_mark or bool(_KIND.match(label))


def _is_alone(line: _Line) -> bool:
    """Tell whether a line is one mention of the entity of its heading."""
    return line.label is None and line.has_mark and len(line.mentions) == 1
