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
from scoref.formats.inputs import needed_files
from scoref.markup import escaped
from scoref.scoring.evaluate import read_pairs, sides_of
from scoref.scoring.request import Request
from scoref.tools.errors.analysis import analyse
from scoref.tools.errors.kinds import KINDS
from scoref.tools.report.documents import texts_of
from scoref.tools.report.page import asset
from scoref.tools.report.page.contract import read_text
from scoref.tools.report.page.looks import HUES, Looks, label_of, looks_of, sign_of

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from scoref.formats.inputs import File
    from scoref.tools.report.page.contract import PageSide, PageText

    Signs = Mapping[tuple[int, int], str]


WORDS = 2000
"""Number of words that a notebook shows unless the user chooses sentences."""

_STYLE = """\
.scoref.shown { font: 1rem/1.5 Charter, "Noto Serif", Georgia, serif; }
.scoref.shown { max-width: 46rem; }
.scoref.shown .caption { font: 0.85em system-ui, sans-serif; opacity: 0.8; }
.scoref.shown .cell { margin: 0 0 0.4em; }
.scoref.shown .m { cursor: inherit; }"""


class Names(NamedTuple):
    """The names of the document and of both files."""

    document: str
    key: str
    response: str


@dataclass(frozen=True, slots=True, repr=False)
class DocumentView:
    """A document as a notebook shows it, and the names of all documents.

    ``sentences`` has the first sentence that is shown, and the one after the last.
    """

    names: Names
    _text: Mapping[str, Any]
    sentences: tuple[int, int]
    documents: tuple[str, ...]

    def __repr__(self) -> str:
        return f"<{self.names.document}: {len(self._text['words'])} words>"

    def _repr_html_(self) -> str:
        document, key, response = self.names
        first, last = self.sentences
        count = len(self._text["sentences"])
        part = (
            f", sentences {first + 1} to {last} of {count}"
            if last - first < count
            else ""
        )
        caption = f"{document}{part}: {key} above the words, {response} below"
        return draw_document(self._text, self.sentences, caption)


def show(
    key: File,
    response: File | None = None,
    *,
    document: str | int = 0,
    sentences: tuple[int, int] | None = None,
    format: str | None = None,
    scheme: str | None = None,
    lenient: bool = False,
    **choices: str,
) -> DocumentView:
    """Show a document of two files, with the mentions of both marked.

    Args:
        key: the gold annotation: a file in any form that `scoref.score` takes.
        response: the output of the system. A file of JSON lines may hold both.
        document: name of the document, a part of a name that no other document has, or
            its number, counted from 0.
        sentences: first sentence to show, counted from 0, and the one after the last;
            by default, as many as have `WORDS` words.
        format: format of the files; detected by default.
        scheme: name of a scheme.
        lenient: skip what cannot be read.
        choices: conventions, such as ``match="head"``.
    """
    wanted = Request(
        format=format,
        scheme=scheme,
        lenient=lenient,
        with_tokens=True,
        changes=choices,
    )
    files = needed_files("show", *sides_of(key, response))
    analysis = analyse(*next(read_pairs(files[0], files[1:], wanted)))
    names = analysis.documents
    name = _find_document(document, names)
    (text,) = texts_of({"": analysis}, [name], [True])
    if text is None:
        raise OptionError(f"'{name}' has no words to show")
    if not sentences:
        starts: Any = text["sentences"]
        sentences = 0, max(1, sum(start < WORDS for start in starts))
    result = analysis.result
    return DocumentView(
        Names(name, result.key, result.response), text, sentences, names
    )


def draw_document(
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


def _find_document(document: str | int, names: Sequence[str]) -> str:
    """Find a document by its name, a part of its name, or its number."""
    if isinstance(document, str):
        near = [name for name in names if document in name]
        if document not in names and len(near) != 1:
            raise unknown("document", document, near or names)
        return document if document in names else near[0]
    if not 0 <= document < len(names):
        raise OptionError(
            f"there is no document {document}. "
            f"Documents are numbered from 0 to {len(names) - 1}"
        )
    return names[document]


def _signs(text: Mapping[str, Any]) -> tuple[dict[tuple[int, int], str], list[int]]:
    """Return the signs of errors by their mentions, and the kinds of errors."""
    by_mention: dict[tuple[int, int], dict[str, None]] = {}
    kinds = set()
    for error in text["systems"][0]["errors"]:
        kinds.add(error["kind"])
        sign = sign_of(KINDS[error["kind"]].name)
        for side, field in enumerate(("key_mentions", "response_mentions")):
            for mention in error[field]:
                by_mention.setdefault((side, mention), {})[sign] = None
    signs = {mention: " ".join(names) for mention, names in by_mention.items()}
    return signs, sorted(kinds)


MOST_LANES = 12

_JOINER = "\u2060"  # keeps a line from breaking between a label and its word

_NONE_BEFORE = re.compile(
    r"[.,;:!?…)\]}»”’%。、，．！？；：」』）】》]|(?:'s|’s|n't|n’t)$"
)

_NONE_AFTER = re.compile(r"[(\[{«“‘¿¡「『（【《]$")

# Characters that turn the direction of the following words, unless they are isolated.
_TURNING = re.compile("[\u202a-\u202e\u2066-\u2069]")

# Han, Hiragana, Katakana, Thai and their punctuation.
_DENSE = (
    "\u0e01-\u0e5b\u3005-\u3007\u3041-\u30ff\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff"
)

_DENSE += "。、，！？；：「」『』（）"

_DENSE_END, _DENSE_START = re.compile(f"[{_DENSE}]$"), re.compile(f"[{_DENSE}]")


def space_between(word: str, following: str) -> str:
    """Return the space between two words, which depends on their characters.

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
        marks = self._marks_by_row(shown)
        return "\n".join(self._row(*row, marks[row]) for row in shown)

    def _marks_by_row(
        self, rows: list[tuple[int, int]]
    ) -> dict[tuple[int, int], list[Mark]]:
        """Return the marks of each of some consecutive rows."""
        starts = [start for start, _ in rows]
        marks: dict[tuple[int, int], list[Mark]] = {row: [] for row in rows}
        for side, data in enumerate(self._sides):
            for mention, (_, *pieces) in enumerate(data.mentions):
                for mark in marks_of(side, mention, pieces):
                    first = max(bisect_right(starts, mark.start) - 1, 0)
                    for row in rows[first : bisect_right(starts, mark.end)]:
                        part = clip(mark, *row)
                        marks[row] += [part] if part else []
        return marks

    def _row(self, start: int, end: int, marks: list[Mark]) -> str:
        of_sides = lanes(marks, 0), lanes(marks, 1)
        above, below = (
            min(max(lane.values(), default=-1), MOST_LANES) + 1 for lane in of_sides
        )
        inner = "".join(_Row(self, of_sides).content(start, end, nest(marks)))
        style = f"--above: {above}; --below: {below};"
        return f'<p class="cell both" dir="auto" style="{style}">{inner}</p>'

    def word(self, token: int) -> str:
        """Write a word; an empty node is a sign, with its form if it has one."""
        word = self._text.words[token]
        if token not in self._empty:
            text = escaped(word)
            return f"<bdi>{text}</bdi>" if _TURNING.search(word) else text
        form = f"<i>{escaped(word)}</i>" if word not in {"", "_"} else ""
        return f'<span class="zero">∅{form}</span>'

    def space(self, token: int) -> str:
        """Return the space before a word."""
        return space_between(*self._text.words[token - 1 : token + 1])

    def classes(self, mark: Mark) -> str:
        """Return the classes of a mark in the style sheet."""
        entity = self._sides[mark.side].mentions[mark.mention][0]
        look = self._looks[mark.side].look[entity]
        kind = "h-one" if look < 0 else f"h{look % HUES} s{look // HUES}"
        flags = ["gap"] if mark.is_gap else []
        flags += ["opens"] if mark.opens and not mark.is_gap else []
        flags += ["closes"] if mark.closes and not mark.is_gap else []
        return " ".join(["m", "kr"[mark.side], kind, *flags])

    def tag(self, mark: Mark) -> str:
        """Write the label of the entity and the signs of errors before a mention."""
        if not mark.opens or mark.is_gap:
            return ""
        sign = self._signs.get((mark.side, mark.mention), "")
        if not sign and mark.side and self._is_repeated(mark.mention):
            return ""
        error = ""
        if sign:
            # Screen readers read the names of the errors.
            names = escaped(", ".join(map(label_of, sign.split(" "))))
            attributes = f'class="sign" role="img" aria-label="{names}"'
            error = f"<b {attributes}>{escaped(sign)}</b>"
        label = escaped(self._label(mark.side, mark.mention))
        return f'<span class="tag">{label}{error}{_JOINER}</span>'

    def _label(self, side: int, mention: int) -> str:
        return self._looks[side].label[self._sides[side].mentions[mention][0]]

    def _is_repeated(self, mention: int) -> bool:
        """Return whether the key's line above has the same words and the same label."""
        partner = self._partner[mention]
        if partner < 0:
            return False
        key, response = self._sides
        is_same = key.mentions[partner][1:] == response.mentions[mention][1:]
        return is_same and self._label(0, partner) == self._label(1, mention)


class _Row(NamedTuple):
    """A sentence that is drawn, and the lanes of its mentions on both sides."""

    painter: Painter
    lanes: tuple[dict[int, int], dict[int, int]]

    def content(self, start: int, end: int, boxes: Iterable[Box]) -> Iterable[str]:
        """Write words, and boxes with the words inside them."""
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
    """A piece of a mention, or a gap between two pieces.

    ``reach`` is the length of the whole mention; ``opens`` and ``closes`` are true if
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
    """A mark, or a part of one that another mark divides, and the boxes inside it."""

    mark: Mark
    inner: list[Box]


def marks_of(side: int, mention: int, pieces: Sequence[int]) -> list[Mark]:
    """Make marks for a mention's pieces and for the gaps between them."""
    reach = pieces[-1] - pieces[0]
    marks: list[Mark] = []
    for place in range(0, len(pieces), 2):
        start, end = pieces[place], pieces[place + 1]
        before = pieces[place - 1] if place else start
        piece = Mark(
            side,
            mention,
            start,
            end,
            is_gap=False,
            reach=reach,
            opens=not place,
            closes=place == len(pieces) - 2,
        )
        if start > before + 1:
            gap = piece._replace(
                start=before + 1,
                end=start - 1,
                is_gap=True,
                opens=False,
                closes=False,
            )
            marks.append(gap)
        marks.append(piece)
    return marks


def clip(mark: Mark, start: int, end: int) -> Mark | None:
    """Return the part of a mark within some tokens."""
    if mark.end < start or mark.start > end:
        return None
    return mark._replace(
        start=max(mark.start, start),
        end=min(mark.end, end),
        opens=mark.opens and mark.start >= start,
        closes=mark.closes and mark.end <= end,
    )


def nest(marks: Iterable[Mark]) -> list[Box]:
    """Put marks into each other; if two cross, the later one is divided."""
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
        boxes.append(Box(outer, nest(inner)))
    return boxes


def lanes(marks: Iterable[Mark], side: int) -> dict[int, int]:
    """Return the lane of each mention of a side; inner ones are nearer to the words."""
    hulls: dict[int, tuple[int, int]] = {}
    for mark in marks:
        if mark.side == side:
            start, end = hulls.get(mark.mention, (mark.start, mark.end))
            hulls[mark.mention] = min(start, mark.start), max(end, mark.end)

    def size_first(item: tuple[int, tuple[int, int]]) -> tuple[int, int, int]:
        mention, (start, end) = item
        return end - start, start, -mention

    lane_of: dict[int, int] = {}
    for mention, (start, end) in sorted(hulls.items(), key=size_first):
        below = (
            lane
            for other, lane in lane_of.items()
            if hulls[other][0] <= end and start <= hulls[other][1]
        )
        lane_of[mention] = max(below, default=-1) + 1
    return lane_of


def _outer_first(mark: Mark) -> tuple[int, ...]:
    return mark.start, -mark.end, mark.side, -mark.reach, mark.mention
