"""Documents in a notebook: the text with its mentions, as HTML without a script.

    scoref.show("key.conll", "response.conll")                     # the first document
    scoref.show("key.conll", "response.conll", document="news/2")  # another one

The mentions of the key are above the words, those of the response below, as on the
report page when it shows both sides in one text. This file computes which mentions are
nested and how far from the words each one is drawn. The page's script does the same for
the part on the screen.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from dataclasses import dataclass
from itertools import pairwise
from typing import TYPE_CHECKING, Any, NamedTuple

from scoref.errors import OptionError, unknown
from scoref.markup import escaped
from scoref.scoring.evaluate import read_pairs
from scoref.scoring.request import Request
from scoref.tools.errors.analysis import analyse
from scoref.tools.errors.kinds import KINDS
from scoref.tools.report.documents import texts_of
from scoref.tools.report.page import asset
from scoref.tools.report.page.contract import read_text
from scoref.tools.report.page.looks import HUES, Looks, label_of, looks_of, sign_of

if TYPE_CHECKING:
    import os
    from collections.abc import Iterable, Mapping, Sequence

    from scoref.tools.report.page.contract import PageSide, PageText

    Path = str | os.PathLike[str]
    Signs = Mapping[tuple[int, int], str]


WORDS = 2000
"""What a notebook shows of a text unless it is told which sentences to show."""

_STYLE = """\
.scoref.shown { font: 1rem/1.5 Charter, "Noto Serif", Georgia, serif; }
.scoref.shown { max-width: 46rem; }
.scoref.shown .caption { font: 0.85em system-ui, sans-serif; opacity: 0.8; }
.scoref.shown .cell { margin: 0 0 0.4em; }
.scoref.shown .m { cursor: inherit; }"""


class Names(NamedTuple):
    """Who is shown."""

    document: str
    key: str
    response: str


@dataclass(frozen=True, slots=True, repr=False)
class Shown:
    """A document that shows itself in a notebook, and what others there are.

    ``sentences`` are the first one that is shown and the one behind the last.
    """

    names: Names
    text: Mapping[str, Any]
    sentences: tuple[int, int]
    documents: tuple[str, ...]

    def __repr__(self) -> str:
        return f"<{self.names.document}: {len(self.text['words'])} words>"

    def _repr_html_(self) -> str:
        return drawn(self.text, self.sentences, self._caption())

    def _caption(self) -> str:
        document, key, response = self.names
        first, last = self.sentences
        count = len(self.text["sentences"])
        part = (
            f", sentences {first + 1} to {last} of {count}"
            if last - first < count
            else ""
        )
        return f"{document}{part}: {key} above the words, {response} below"


def show(
    key: Path,
    response: Path | None = None,
    *,
    document: str | int = 0,
    sentences: tuple[int, int] | None = None,
    format: str | None = None,
    scheme: str | None = None,
    lenient: bool = False,
    **choices: str,
) -> Shown:
    """Show a document of two files, with the mentions of both marked.

    Args:
        key: what the annotators said.
        response: what the system said; a file of JSON lines may hold both.
        document: its name, a part of it that no other has, or its number from 0 on.
        sentences: the first one to show, from 0 on, and the one behind the last; if not
            given, as many as have `WORDS` words.
        format: the files' format; detected if not given.
        scheme: a set-up by name.
        lenient: pass over what cannot be read.
        choices: single choices of the scheme, such as ``match="head"``.
    """
    wanted = Request(
        format=format,
        scheme=scheme,
        lenient=lenient,
        with_tokens=True,
        changes=choices,
    )
    files = [] if response is None else [response]
    analysis = analyse(*next(read_pairs(key, files, wanted)))
    names = analysis.documents
    name = _chosen(document, names)
    text = texts_of({"": analysis}, names, [each == name for each in names])[
        names.index(name)
    ]
    if text is None:
        raise OptionError(f"'{name}' has no words to show")
    result = analysis.result
    shown = sentences or (0, _enough(text))
    return Shown(Names(name, result.key, result.response), text, shown, names)


def drawn(
    text: Mapping[str, object], sentences: tuple[int, int], caption: str = ""
) -> str:
    """Draw sentences of a text of a report as a piece of HTML, for its first system."""
    signs, kinds = _signs(text)
    painter = Painter(read_text(text), 0, signs)
    legend = "  ".join(
        f'<b class="sign">{escaped(sign_of(KINDS[kind].name))}</b> {KINDS[kind].label}'
        for kind in kinds
    )
    parts = [
        f"<style>{asset('mentions.css')}\n{_STYLE}</style>",
        f'<p class="caption">{escaped(caption)}</p>' if caption else "",
        painter.sentences(*sentences),
        f'<p class="caption">{legend}</p>' if legend else "",
    ]
    return f'<div class="scoref shown">{"".join(parts)}</div>'


def _chosen(document: str | int, names: Sequence[str]) -> str:
    if isinstance(document, str):
        near = [name for name in names if document in name]
        if document not in names and len(near) != 1:
            raise unknown("document", document, near or names)
        return document if document in names else near[0]
    if not 0 <= document < len(names):
        raise OptionError(f"there are {len(names)} documents, from 0 on; no {document}")
    return names[document]


def _enough(text: Mapping[str, Any]) -> int:
    """Count the sentences that have not too many words."""
    starts: list[int] = text["sentences"]
    return max(1, sum(start < WORDS for start in starts))


def _signs(text: Mapping[str, Any]) -> tuple[dict[tuple[int, int], str], list[int]]:
    """Put the sign of each error at its first mention on each side."""
    found: dict[tuple[int, int], dict[str, None]] = {}
    kinds = set()
    for error in text["systems"][0]["errors"]:
        kinds.add(error["kind"])
        sign = sign_of(KINDS[error["kind"]].name)
        for side, field in enumerate(("key_mentions", "response_mentions")):
            data = text["systems"][0] if side else text["key"]
            places = {mention: data["mentions"][mention][1] for mention in error[field]}
            if places:
                first = min(places, key=lambda mention: (places[mention], mention))
                found.setdefault((side, first), {})[sign] = None
    signs = {place: " ".join(each) for place, each in found.items()}
    return signs, sorted(kinds)


MOST_LANES = 12

_JOINER = "\u2060"  # keeps a line from breaking between a label and its word

_NONE_BEFORE = re.compile(
    r"[.,;:!?…)\]}»”’%。、，．！？；：」』）】》]|(?:'s|’s|n't|n’t)$"
)

_NONE_AFTER = re.compile(r"[(\[{«“‘¿¡「『（【《]$")

# What turns the direction of the words behind, too, if nothing keeps it to its own.
_TURNING = re.compile("[\u202a-\u202e\u2066-\u2069]")

# Han, Hiragana, Katakana, Thai and their punctuation.
_DENSE = (
    "\u0e01-\u0e5b\u3005-\u3007\u3041-\u30ff\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff"
)

_DENSE += "。、，！？；：「」『』（）"

_DENSE_END, _DENSE_START = re.compile(f"[{_DENSE}]$"), re.compile(f"[{_DENSE}]")


def space_between(word: str, following: str) -> str:
    """Give what stands between two words: a matter of looks.

    >>> space_between("Ada", "met"), space_between("Ada", "'s")
    (' ', '')
    """
    if _NONE_BEFORE.match(following) or _NONE_AFTER.search(word):
        return ""
    is_dense = _DENSE_END.search(word) and _DENSE_START.match(following)
    return "" if is_dense else " "


class Painter:
    """One text with its key and one response.

    ``signs`` are the signs of errors, by side and mention.
    """

    def __init__(self, text: PageText, system: int, signs: Signs) -> None:
        self._text = text
        key, systems = looks_of(text)
        self._looks: tuple[Looks, Looks] = key, systems[system]
        self._sides: tuple[PageSide, PageSide] = text.key, text.systems[system]
        self._partner = text.systems[system].partner
        self._signs = signs
        self._empty = set(text.empty)

    def sentences(self, first: int, last: int) -> str:
        """Draw some sentences, one below the other."""
        bounds = [*self._text.sentences, len(self._text.words)]
        rows = [(start, end - 1) for start, end in pairwise(bounds) if end > start]
        shown = rows[first:last]
        marks = self._by_row(shown)
        return "\n".join(self._row(*row, marks[row]) for row in shown)

    def _by_row(self, rows: list[tuple[int, int]]) -> dict[tuple[int, int], list[Mark]]:
        """Sort the marks of some rows, which follow each other."""
        starts = [start for start, _ in rows]
        found: dict[tuple[int, int], list[Mark]] = {row: [] for row in rows}
        for side, data in enumerate(self._sides):
            for mention, (_, *pieces) in enumerate(data.mentions):
                for mark in marks_of(side, mention, pieces):
                    first = max(bisect_right(starts, mark.start) - 1, 0)
                    for row in rows[first : bisect_right(starts, mark.end)]:
                        part = clipped(mark, *row)
                        found[row] += [part] if part else []
        return found

    def _row(self, start: int, end: int, marks: list[Mark]) -> str:
        found = lanes(marks, 0), lanes(marks, 1)
        above, below = (
            min(max(each.values(), default=-1), MOST_LANES) + 1 for each in found
        )
        inner = "".join(_Row(self, found).content(start, end, nested(marks)))
        style = f"--above: {above}; --below: {below};"
        return f'<p class="cell both" dir="auto" style="{style}">{inner}</p>'

    def word(self, token: int) -> str:
        """Write a word; an empty node by its sign, and its form if it has one."""
        word = self._text.words[token]
        if token not in self._empty:
            text = escaped(word)
            return f"<bdi>{text}</bdi>" if _TURNING.search(word) else text
        form = f"<i>{escaped(word)}</i>" if word not in {"", "_"} else ""
        return f'<span class="zero">∅{form}</span>'

    def space(self, token: int) -> str:
        """Give what stands before a word."""
        return space_between(*self._text.words[token - 1 : token + 1])

    def classes(self, mark: Mark) -> str:
        """Say how a mark looks."""
        entity = self._sides[mark.side].mentions[mark.mention][0]
        look = self._looks[mark.side].look[entity]
        kind = "h-one" if look < 0 else f"h{look % HUES} s{look // HUES}"
        gap, ends = ("gap", []) if mark.is_gap else ("", [mark.opens, mark.closes])
        flags = [
            name for name, on in zip(("opens", "closes"), ends, strict=False) if on
        ]
        return " ".join(["m", "kr"[mark.side], kind, *([gap] if gap else flags)])

    def tag(self, mark: Mark) -> str:
        """Write an entity's label where a mention begins, and the signs of errors."""
        if not mark.opens or mark.is_gap:
            return ""
        sign = self._signs.get((mark.side, mark.mention), "")
        if not sign and mark.side and self._is_repeated(mark.mention):
            return ""
        error = _signed(sign) if sign else ""
        label = escaped(self._label(mark.side, mark.mention))
        return f'<span class="tag">{label}{error}{_JOINER}</span>'

    def _label(self, side: int, mention: int) -> str:
        return self._looks[side].label[self._sides[side].mentions[mention][0]]

    def _is_repeated(self, mention: int) -> bool:
        """Tell whether the key's line above has the same words and the same label."""
        partner = self._partner[mention]
        if partner < 0:
            return False
        key, response = self._sides
        is_same = key.mentions[partner][1:] == response.mentions[mention][1:]
        return is_same and self._label(0, partner) == self._label(1, mention)


def _signed(sign: str) -> str:
    """Write signs that are read out by the names of their errors."""
    label = escaped(", ".join(map(label_of, sign.split(" "))))
    return f'<b class="sign" role="img" aria-label="{label}">{escaped(sign)}</b>'


class _Row(NamedTuple):
    """One sentence being drawn, and the lanes of its mentions on both sides."""

    painter: Painter
    lanes: tuple[dict[int, int], dict[int, int]]

    def content(self, start: int, end: int, boxes: Iterable[Box]) -> Iterable[str]:
        """Write words, and boxes with their words where there are any."""
        token = start
        for box in boxes:
            yield from self._words(token, box.mark.start - 1, start)
            if box.mark.start > start:
                yield self.painter.space(box.mark.start)
            yield from self._box(box)
            token = box.mark.end + 1
        yield from self._words(token, end, start)

    def _words(self, first: int, last: int, start: int) -> Iterable[str]:
        for token in range(first, last + 1):
            if token > start:
                yield self.painter.space(token)
            yield self.painter.word(token)

    def _box(self, box: Box) -> Iterable[str]:
        mark = box.mark
        lane = min(self.lanes[mark.side].get(mark.mention, 0), MOST_LANES)
        yield f'<span class="{self.painter.classes(mark)}" style="--lane: {lane};">'
        yield self.painter.tag(mark)
        yield from self.content(mark.start, mark.end, box.inner)
        yield "</span>"


class Mark(NamedTuple):
    """A stretch of a mention; where a mention has a hole, the hole is one as well.

    ``reach`` is how far the whole mention goes, ``opens`` and ``closes`` tell whether
    it begins and ends here.
    """

    side: int  # 0 is the key
    mention: int
    start: int
    end: int
    is_gap: bool
    reach: int
    opens: bool
    closes: bool


class Box(NamedTuple):
    """A mark, or a part of one that another mark cuts in two, and what lies in it."""

    mark: Mark
    inner: list[Box]


def marks_of(side: int, mention: int, pieces: Sequence[int]) -> list[Mark]:
    """Cut a mention's pieces and the holes between them into marks."""
    reach = pieces[-1] - pieces[0]
    marks: list[Mark] = []
    for place in range(0, len(pieces), 2):
        start, end = pieces[place], pieces[place + 1]
        before = pieces[place - 1] if place else start
        if start > before + 1:
            gap = Mark(side, mention, before + 1, start - 1, True, reach, False, False)  # noqa: FBT003 - in order
            marks.append(gap)
        closes = place == len(pieces) - 2
        marks.append(Mark(side, mention, start, end, False, reach, not place, closes))  # noqa: FBT003 - in order
    return marks


def clipped(mark: Mark, start: int, end: int) -> Mark | None:
    """Keep what lies within some tokens."""
    if mark.end < start or mark.start > end:
        return None
    return mark._replace(
        start=max(mark.start, start),
        end=min(mark.end, end),
        opens=mark.opens and mark.start >= start,
        closes=mark.closes and mark.end <= end,
    )


def nested(marks: Iterable[Mark]) -> list[Box]:
    """Put marks into each other; where two cross, the later one is cut in two."""
    waiting = sorted(marks, key=_outer_first)
    boxes = []
    while waiting:
        outer, *rest = waiting
        waiting, inner = [], []
        for mark in rest:
            if mark.start > outer.end:
                waiting.append(mark)
            elif mark.end <= outer.end:
                inner.append(mark)
            else:
                inner.append(mark._replace(end=outer.end, closes=False))
                waiting.append(mark._replace(start=outer.end + 1, opens=False))
        waiting.sort(key=_outer_first)
        boxes.append(Box(outer, nested(inner)))
    return boxes


def lanes(marks: Iterable[Mark], side: int) -> dict[int, int]:
    """Give every mention of a side a lane; inner ones are nearer to the words."""
    hulls: dict[int, tuple[int, int]] = {}
    for mark in marks:
        if mark.side == side:
            start, end = hulls.get(mark.mention, (mark.start, mark.end))
            hulls[mark.mention] = min(start, mark.start), max(end, mark.end)
    found: dict[int, int] = {}
    order = sorted(
        hulls.items(), key=lambda each: (each[1][1] - each[1][0], each[1][0], -each[0])
    )
    for mention, (start, end) in order:
        below = (
            lane
            for other, lane in found.items()
            if hulls[other][0] <= end and start <= hulls[other][1]
        )
        found[mention] = max(below, default=-1) + 1
    return found


def _outer_first(mark: Mark) -> tuple[int, ...]:
    return mark.start, -mark.end, mark.side, -mark.reach, mark.mention
