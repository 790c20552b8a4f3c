"""The notations in which answers mark mentions, and the detection of the one that fits.

Mentions may be nested. Most notations name the entity at one end of a mention, so the
last bracket opened is the first to be closed. A bracket that does not mark a mention,
such as that of `[sic]`, stays in the text. Broken brackets are recorded as faults.

Tags as in XML: `<m id="1">Ada</m>`, or `<e1>Ada</e1>` without an attribute. The entity
is the value of an attribute: one about clusters, chains or entities, else `ref` or
`id`, else the first one. Without attributes it is the tag's name, if that contains a
number. Other tags, such as `<answer>`, mark nothing and are not text. A closing tag
closes the last one of its name, so `<e1>`, `<e2>`, `</e1>`, `</e2>` may cross.

Words with tags after a bar, the plain text of the CRAC shared task's LLM track:

    Los|[e1 jugadores de el Espanyol|[e2],e1] aseguraron hoy que ##|[e1] prefieren

`[e1` opens a mention of entity e1 at this word, `e1]` closes one, and `[e1]` marks this
word alone; commas separate several tags. A closing tag closes the mention that its
entity opened last. In the shared task's files a word has no blanks, an empty node is
`##` and its form, and a document is a line.

Lists of entities line by line, which models write without being asked:

    1. Ada: "Ada", "she"            Cluster 1:
    2. Charles: "Charles", "he"     - Ada
                                    - she

A line with a number, a bullet or a label lists the mentions of an entity. Mentions are
quoted, or separated by commas. Mentions that are alone on their lines under a heading
such as `Cluster 1:` are one entity.
"""

from __future__ import annotations

import re
from bisect import bisect_left
from collections import defaultdict
from dataclasses import dataclass, field
from itertools import accumulate, pairwise
from typing import TYPE_CHECKING, NamedTuple

from scoref.errors import unknown
from scoref.tools.llm.listed_mentions import Clusters, find_clusters

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    Reader = Callable[[str], "Marked"]
    Finder = Callable[[str], Clusters | None]


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


_TAGGED = re.compile(r"\|(?=[^\s|]*[\[\]])([\w\[\],.#-]*[\w\]])")

_WORD_TAG = re.compile(r"(\[?)([^\[\]]+)(\]?)")


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
        tag = _WORD_TAG.fullmatch(text)
        if tag and (tag[1] or tag[3]):
            yield _Tag(bool(tag[1]), bool(tag[3]), tag[2], span)
        elif text:
            faults.append(Fault(*span, "is no tag"))


JSON = "json"

_SAMPLE = 200_000

_NUMBER = r"[^\W\d]{0,20}\d+"

# All blanks there are: a pattern that could start at each of them takes quadratic time.
_BLANKS = r"(?<!\s)\s*+"


def _label_last(opening: str, closing: str, plain: str) -> Reader:
    """Read brackets whose label stands at the end; without one they are text."""
    pattern = re.compile(f"(?P<opening>{opening})|(?P<closing>{closing})|{plain}")

    def read(text: str) -> Marked:
        marks = Marks()
        for match in pattern.finditer(text):
            if match["opening"]:
                marks.open(*match.span())
            elif match["closing"]:
                marks.close(*match.span(), match["label"])
            elif marks.stack:
                marks.stack.pop()
        return marks.done()

    return read


def _label_first(opening: str, closing: str, plain: str) -> Reader:
    """Read brackets whose label stands at the beginning; without one they are text."""
    pattern = re.compile(f"(?P<opening>{opening})|(?P<closing>{closing})|{plain}")

    def read(text: str) -> Marked:
        marks = Marks()
        for match in pattern.finditer(text):
            if match["opening"]:
                marks.open(*match.span(), match["label"])
            elif not match["closing"]:
                marks.open(*match.span(), kind="plain")
            elif marks.stack and marks.stack[-1].kind == "plain":
                marks.stack.pop()
            else:
                marks.close(*match.span())
        return marks.done()

    return read


_BAR = re.compile(
    rf"(?P<opening>\[|<m>)|{_BLANKS}\|\s*+#?(?P<label>[^\[\]|<>]*+)(?:\]|</m>)|\]|</m>"
)


def _read_bars(text: str) -> Marked:
    """Read `[she | 1]`, and `[she | Ada]` where `[Ada]` without a bar is the entity."""
    marks = Marks()
    for match in _BAR.finditer(text):
        label = (match["label"] or "").rstrip()
        if match["opening"]:
            marks.open(*match.span())
        elif marks.stack or label:
            marks.close(*match.span(), label)
    found = marks.done()
    names = _Names({mention.label for mention in found.mentions}, text, found.markup)
    mentions, plain = [], set()
    for mention in found.mentions:
        own = mention.label or names.of(mention)
        if own:
            mentions.append(mention._replace(label=own))
        else:
            plain |= {mention.start, mention.end}
    markup = [each for each in found.markup if not plain & {each[1], each[0]}]
    return Marked(mentions, markup, found.faults)


class _Names:
    """The names of entities, and the mentions whose own words are one of them.

    Mentions may be nested thousands deep: the words of those are put together that have
    as many letters as some name, and of those with the same letters once.
    """

    def __init__(
        self, names: set[str], text: str, markup: list[tuple[int, int]]
    ) -> None:
        self._names = names - {""}
        self._lengths = {len("".join(name.split())) for name in self._names}
        self._text, self._markup = text, markup
        self._known: dict[tuple[int, int], str] = {}
        self._letters = self._counted() if self._names else []

    def of(self, mention: Mention) -> str:
        """Give a mention's words if they are a name, without the brackets inside."""
        if not self._names:
            return ""
        letters = self._letters[mention.start], self._letters[mention.end]
        if letters[1] - letters[0] not in self._lengths:
            return ""
        if letters not in self._known:
            self._known[letters] = self._words(mention)
        own = self._known[letters]
        return own if own in self._names else ""

    def _counted(self) -> list[int]:
        """Count the letters before each place that are neither blanks nor markup."""
        is_letter = bytearray(not each.isspace() for each in self._text)
        for start, end in self._markup:
            is_letter[start:end] = bytes(end - start)
        return [0, *accumulate(is_letter)]

    def _words(self, mention: Mention) -> str:
        parts, place = [], mention.start
        first = bisect_left(self._markup, (mention.start, 0))
        for start, end in self._markup[
            first : bisect_left(self._markup, (mention.end, 0))
        ]:
            parts.append(self._text[place:start])
            place = end
        parts.append(self._text[place : mention.end])
        return " ".join("".join(parts).split())


class Notation(NamedTuple):
    """A way to mark mentions in the text (``read``), or to list them (``find``)."""

    name: str
    example: str
    read: Reader | None
    find: Finder = find_clusters


NOTATIONS = {
    notation.name: notation
    for notation in (
        Notation("crac", "Ada|[e1 Lovelace|e1]", read_tagged_words),
        Notation(
            "markdown",
            "[Ada Lovelace](#1)",
            _label_last(
                r"\[",
                # Behind a blank, only a number sign tells it from words in brackets.
                r"\](?:[^\S\n]*+\(\s*+#|\(\s*+)(?P<label>[^\s()\[\]]++)[^()\[\]]*+\)",
                r"\]",
            ),
        ),
        Notation("xml", '<m id="1">Ada Lovelace</m>', read_tags),
        Notation(
            "subscript",
            "[Ada Lovelace]_1",
            _label_last(
                r"\[",
                r"\](?:[_^]?\{|[_^]|<sub>)\s*#?(?P<label>[^\W\d]*\d+|\w+)"
                r"(?:\s*\}|</sub>)?",
                r"\]",
            ),
        ),
        Notation(
            "colon",
            "[Ada Lovelace: 1]",
            _label_last(r"\[", rf"{_BLANKS}:\s*+#?(?P<label>{_NUMBER})\s*+\]", r"\]"),
        ),
        Notation("bar", "[Ada Lovelace | 1]", _read_bars),
        Notation(
            "prefix",
            "[1 Ada Lovelace]",
            _label_first(
                rf"\[\s*#?(?P<label>{_NUMBER})(?:\s*[:|]|(?=\s))", r"\]", r"\["
            ),
        ),
        Notation(
            "parentheses",
            "((1: Ada Lovelace))",
            _label_first(r"\(\(\s*#?(?P<label>\w+)\s*:", r"\)\)", r"\(\("),
        ),
        Notation(JSON, '[["Ada Lovelace", "she"], ["him"]]', None),
        Notation("list", '1. Ada: "Ada Lovelace", "she"', None, find_lists),
    )
}
"""Every notation; of those that fit equally well, the first is taken."""


def notation_of(name: str) -> Notation:
    """Find a notation by its name."""
    try:
        return NOTATIONS[name]
    except KeyError:
        raise unknown("notation", name, NOTATIONS) from None


def detect(answers: Sequence[str]) -> Notation | None:
    """Choose the notation in which answers have most mentions; None: none fits.

    A text may have lines that look like a list, so that marks in the text come first.

    >>> detect(["[Ada](#1) met [the man with [a hat](#3)](#2)."]).name
    'markdown'
    """
    marks = {
        name: sum(len(notation.read(text[:_SAMPLE]).mentions) for text in answers)
        for name, notation in NOTATIONS.items()
        if notation.read is not None
    }
    lists = {
        name: _count_listed(notation.find, answers)
        for name, notation in NOTATIONS.items()
        if notation.read is None
    }
    has_marks = any(marks.values())
    if has_marks and lists["list"] > lists[JSON]:
        del lists["list"]
    counts = {**marks, **lists}
    best = max(counts, key=counts.__getitem__)
    return NOTATIONS[best] if counts[best] else None


def _count_listed(find: Finder, answers: Sequence[str]) -> float:
    """Count the mentions of lists; one that is empty fits as well."""
    found = [each for each in map(find, answers) if each]
    return sum(len(entity) for each in found for entity in each.clusters) or (
        0.5 if found else 0
    )
