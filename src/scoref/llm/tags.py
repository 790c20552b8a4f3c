"""Tags as in XML: `<m id="1">Ada</m>`, or `<e1>Ada</e1>` without an attribute.

The entity is what an attribute says: one about clusters, chains or entities, else `ref`
or `id`, else the first one. Without attributes it is the tag's own name, if there is a
number in it. Other tags, such as `<answer>`, mark nothing and are no text. A closing
tag closes the last one of its name, so that `<e1>`, `<e2>`, `</e1>`, `</e2>` may cross.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from scoref.llm.marks import Fault, Marks

if TYPE_CHECKING:
    from scoref.llm.marks import Marked

_TAG = re.compile(r"<(/?)([^\W_][\w.:-]*)((?:\s[^<>]*?)?)(/?)>")
_ATTRIBUTE = re.compile(r"""([\w:-]+)\s*=\s*("[^"]*"|'[^']*'|[^\s"'>]+)""")
_TELLING = ("cluster", "chain", "coref", "entity", "eid", "ref", "id")


def read_tags(text: str) -> Marked:
    """Find mentions, and what is broken.

    >>> read_tags('<m id="1"><m id="2">his</m> dog</m>').mentions
    [Mention(start=10, end=31, label='1'), Mention(start=20, end=23, label='2')]
    """
    marks = Marks()
    for tag in _TAG.finditer(text):
        name = tag[2].lower()
        if tag[4]:
            marks.markup.append(tag.span())
        elif tag[1]:
            _close(marks, name, tag.span())
        else:
            marks.open(*tag.span(), _label(name, tag[3]), name)
    left = [opened for opened in marks.stack if opened.label]
    marks.markup += [(opened.start, opened.end) for opened in marks.stack]
    marks.stack[:] = left
    return marks.done()


def _close(marks: Marks, name: str, place: tuple[int, int]) -> None:
    """Close the last tag of a name, wherever it stands: tags may cross."""
    row = len(marks.stack) - 1
    while row >= 0 and marks.stack[row].kind != name:
        row -= 1
    if row < 0:
        marks.markup.append(place)
        if _label(name, ""):
            marks.faults.append(Fault(*place, "is closed here but never opened"))
        return
    marks.stack.append(marks.stack.pop(row))
    if marks.stack[-1].label:
        marks.close(*place)
    else:
        opened = marks.stack.pop()
        marks.markup += [(opened.start, opened.end), place]


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
