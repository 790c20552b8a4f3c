"""Words with tags behind a bar: the plain text of the CRAC shared task's LLM track.

    Los|[e1 jugadores de el Espanyol|[e2],e1] aseguraron hoy que ##|[e1] prefieren

`[e1` opens a mention of entity e1 at this word, `e1]` closes one, `[e1]` is this word;
several are separated by commas. A closing tag closes what its entity opened last. In
the shared task's files a word has no blanks, an empty node is `##` and its form, and a
document is a line.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, NamedTuple

from scoref.tools.llm.marks import Fault, Marked, Mention

if TYPE_CHECKING:
    from collections.abc import Iterator

_TAGGED = re.compile(r"\|(?=[^\s|]*[\[\]])([\w\[\],.#-]*[\w\]])")
_TAG = re.compile(r"(\[?)([^\[\]]+)(\]?)")


class _Tag(NamedTuple):
    opens: bool
    closes: bool
    label: str
    place: tuple[int, int]


def read_tagged_words(text: str) -> Marked:
    """Find mentions, and what is broken.

    >>> read_tagged_words("Ada|[e1 Lovelace|e1] wrote|e2]").mentions
    [Mention(start=0, end=16, label='e1')]
    """
    found = Marked([], [], [])
    opened: dict[str, list[tuple[int, _Tag]]] = {}
    bar = start = 0
    for match in _TAGGED.finditer(text):
        start, end = _word(text, match.start(), (bar, start))
        bar = match.start()
        found.markup.append(match.span())
        # On one word, `[e1,e1]` starts a mention of e1 and ends an earlier one.
        tags = [
            (tag.opens or not opened.get(tag.label), tag)
            for tag in _tags(match, found.faults)
        ]
        for _, tag in sorted(tags, key=lambda each: each[0]):
            if tag.opens:
                opened.setdefault(tag.label, []).append((start, tag))
            if tag.closes and opened.get(tag.label):
                first, _ = opened[tag.label].pop()
                found.mentions.append(Mention(first, end, tag.label))
            elif tag.closes:
                problem = f"closes {tag.label}, which was never opened"
                found.faults.append(Fault(*tag.place, problem))
    for label, left in opened.items():
        problem = f"opens {label}, which is never closed"
        found.faults.extend(Fault(*tag.place, problem) for _, tag in left)
    found.faults.sort()
    found.mentions.sort(key=lambda each: (each.start, -each.end))
    return found


def _word(text: str, bar: int, before: tuple[int, int]) -> tuple[int, int]:
    """Find the word that tags belong to: a blank may have come between.

    ``before`` is the bar before this one, and where its word starts: a word with many
    bars is looked through once.
    """
    end = bar
    while end and text[end - 1].isspace():
        end -= 1
    start = end
    while start > before[0] and not text[start - 1].isspace():
        start -= 1
    is_same = start == before[0] > 0 and not text[start - 1].isspace()
    return (before[1] if is_same else start), end


def _tags(match: re.Match[str], faults: list[Fault]) -> Iterator[_Tag]:
    place = match.start(1)
    for text in match[1].split(","):
        span = place, place + len(text)
        place += len(text) + 1
        tag = _TAG.fullmatch(text)
        if tag and (tag[1] or tag[3]):
            yield _Tag(bool(tag[1]), bool(tag[3]), tag[2], span)
        elif text:
            faults.append(Fault(*span, "is no tag"))
