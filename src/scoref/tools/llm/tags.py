"""Tags as in XML: `<m id="1">Ada</m>`, or `<e1>Ada</e1>` without an attribute.

The entity is what an attribute says: one about clusters, chains or entities, else `ref`
or `id`, else the first one. Without attributes it is the tag's own name, if there is a
number in it. Other tags, such as `<answer>`, mark nothing and are no text. A closing
tag closes the last one of its name, so that `<e1>`, `<e2>`, `</e1>`, `</e2>` may cross.
"""

from __future__ import annotations

import re
from collections import defaultdict
from typing import TYPE_CHECKING

from scoref.tools.llm.marks import Fault, Marks, Opening

if TYPE_CHECKING:
    from scoref.tools.llm.marks import Marked

_TAG = re.compile(r"<(/?)([^\W_][\w.:-]*)((?:\s[^<>]*?)?)(/?)>")
_ATTRIBUTE = re.compile(r"""([\w:-]+)\s*=\s*("[^"]*"|'[^']*'|[^\s"'>]+)""")
_TELLING = ("cluster", "chain", "coref", "entity", "eid", "ref", "id")


def read_tags(text: str) -> Marked:
    """Find mentions, and what is broken.

    >>> read_tags('<m id="1"><m id="2">his</m> dog</m>').mentions
    [Mention(start=10, end=31, label='1'), Mention(start=20, end=23, label='2')]
    """
    marks = Marks()
    opened: dict[str, list[Opening]] = defaultdict(list)
    for tag in _TAG.finditer(text):
        name = tag[2].lower()
        if tag[4]:
            marks.markup.append(tag.span())
        elif tag[1]:
            _close(marks, opened[name], name, tag.span())
        else:
            opened[name].append(Opening(*tag.span(), _label(name, tag[3])))
    for left in (each for stack in opened.values() for each in stack):
        marks.markup.append((left.start, left.end))
        marks.stack += [left] if left.label else []
    return marks.done()


def _close(
    marks: Marks, opened: list[Opening], name: str, place: tuple[int, int]
) -> None:
    """Close the last tag of a name, wherever it stands: tags may cross."""
    if not opened:
        marks.markup.append(place)
        if _label(name, ""):
            marks.faults.append(Fault(*place, "is closed here but never opened"))
        return
    last = opened.pop()
    if last.label:
        marks.stack.append(last)
        marks.close(*place)
    else:
        marks.markup += [(last.start, last.end), place]


def _label(name: str, attributes: str) -> str:
    found = {
        each[1].lower(): each[2].strip("\"'# ")
        for each in _ATTRIBUTE.finditer(attributes)
    }
    for telling in _TELLING:
        for attribute, value in found.items():
            if telling in attribute:
                return value
    if found:
        return next(iter(found.values()))
    return name if any(map(str.isdigit, name)) else ""
