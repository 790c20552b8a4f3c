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
from itertools import accumulate, chain, pairwise
from operator import itemgetter
from typing import TYPE_CHECKING, NamedTuple

from scoref.errors import unknown
from scoref.tools.llm.json_clusters import Clusters, Place, find_clusters

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    Reader = Callable[[str], "Marked"]
    Finder = Callable[[str], Clusters | None]


class Mention(NamedTuple):
    """The first character of a mention, the one after its last, and its entity."""

    start: int
    end: int
    label: str


class Fault(NamedTuple):
    """A bracket without a partner, or a tag that cannot be read, and its place."""

    start: int
    end: int
    problem: str


class Marked(NamedTuple):
    """The mentions of an answer, the places of markup in order, and faults."""

    mentions: list[Mention]
    markup: list[tuple[int, int]]
    faults: list[Fault]


class Opening(NamedTuple):
    """An open bracket; its label may come with the closing one."""

    start: int
    end: int
    label: str
    kind: str = ""


@dataclass(slots=True)
class Marks:
    """Mentions that are read from brackets; the last one opened is closed first."""

    mentions: list[Mention] = field(default_factory=list)
    markup: list[tuple[int, int]] = field(default_factory=list)
    faults: list[Fault] = field(default_factory=list)
    stack: list[Opening] = field(default_factory=list)

    def open(self, start: int, end: int, label: str = "", kind: str = "") -> None:
        """Open a bracket."""
        self.stack.append(Opening(start, end, label, kind))

    def close(self, start: int, end: int, label: str = "") -> None:
        """Close the last bracket, which makes a mention."""
        if not self.stack:
            self.faults.append(Fault(start, end, "is closed here but never opened"))
            self.markup.append((start, end))
            return
        opened = self.stack.pop()
        self.markup += [(opened.start, opened.end), (start, end)]
        self.mentions.append(Mention(opened.end, start, label or opened.label))

    def finish(self) -> Marked:
        """Return all mentions; brackets that are still open are faults and text."""
        for opened in self.stack:
            problem = "is opened here but never closed"
            self.faults.append(Fault(opened.start, opened.end, problem))
        self.markup.sort()
        self.faults.sort()
        self.mentions.sort(key=_text_order)
        return Marked(self.mentions, self.markup, self.faults)


def _text_order(mention: Mention) -> tuple[int, int]:
    """Sort by the first character, longer mentions first."""
    return mention.start, -mention.end


_TAG = re.compile(r"<(/?)([^\W_][\w.:-]*)((?:\s[^<>]*?)?)(/?)>")


_ATTRIBUTE = re.compile(r"""([\w:-]+)\s*=\s*("[^"]*"|'[^']*'|[^\s"'>]+)""")


_ENTITY_ATTRIBUTES = ("cluster", "chain", "coref", "entity", "eid", "ref", "id")


def read_tags(text: str) -> Marked:
    """Read mentions that are tagged as in XML.

    >>> read_tags('<m id="1"><m id="2">his</m> dog</m>').mentions
    [Mention(start=10, end=31, label='1'), Mention(start=20, end=23, label='2')]
    """
    marks = Marks()
    opened: dict[str, list[Opening]] = defaultdict(list)
    for tag in _TAG.finditer(text):
        name = tag[2].lower()
        if tag[4]:
            marks.markup.append(tag.span())
        elif not tag[1]:
            label = _label_of_tag(name, tag[3])
            opened[name].append(Opening(*tag.span(), label))
        elif opened[name]:
            # Tags may cross: the last tag of this name is closed, wherever it is.
            last = opened[name].pop()
            if last.label:
                marks.stack.append(last)
                marks.close(*tag.span())
            else:
                marks.markup += [(last.start, last.end), tag.span()]
        else:
            marks.markup.append(tag.span())
            if _label_of_tag(name, ""):
                problem = "is closed here but never opened"
                marks.faults.append(Fault(*tag.span(), problem))
    for left in chain.from_iterable(opened.values()):
        marks.markup.append((left.start, left.end))
        marks.stack += [left] if left.label else []
    return marks.finish()


def _label_of_tag(name: str, attributes: str) -> str:
    """Return the entity of a tag; empty if it does not mark a mention."""
    values = {
        match[1].lower(): match[2].strip("\"'# ")
        for match in _ATTRIBUTE.finditer(attributes)
    }
    for entity_attribute in _ENTITY_ATTRIBUTES:
        for attribute, value in values.items():
            if entity_attribute in attribute:
                return value
    if values:
        return next(iter(values.values()))
    return name if any(map(str.isdigit, name)) else ""


_TAGS = re.compile(r"\|(?=[^\s|]*[\[\]])([\w\[\],.#-]*[\w\]])")


_WORD_TAG = re.compile(r"(\[?)([^\[\]]+)(\]?)")


class _WordTag(NamedTuple):
    opens: bool
    closes: bool
    label: str
    place: tuple[int, int]


def read_tagged_words(text: str) -> Marked:
    """Read mentions of the CRAC shared task, whose words have tags.

    >>> read_tagged_words("Ada|[e1 Lovelace|e1] wrote|e2]").mentions
    [Mention(start=0, end=16, label='e1')]
    """
    marked = Marked([], [], [])
    opened: dict[str, list[tuple[int, _WordTag]]] = {}
    bar = start = 0
    for match in _TAGS.finditer(text):
        start, end = _tagged_word(text, match.start(), (bar, start))
        bar = match.start()
        marked.markup.append(match.span())
        # On one word, `[e1,e1]` starts a mention of e1 and ends an earlier one.
        tags = [
            (tag.opens or not opened.get(tag.label), tag)
            for tag in _split_tags(match, marked.faults)
        ]
        for _, tag in sorted(tags, key=itemgetter(0)):
            if tag.opens:
                opened.setdefault(tag.label, []).append((start, tag))
            if tag.closes and opened.get(tag.label):
                first, _ = opened[tag.label].pop()
                marked.mentions.append(Mention(first, end, tag.label))
            elif tag.closes:
                problem = f"closes {tag.label}, which was never opened"
                marked.faults.append(Fault(*tag.place, problem))
    for label, left in opened.items():
        problem = f"opens {label}, which is never closed"
        marked.faults.extend(Fault(*tag.place, problem) for _, tag in left)
    marked.faults.sort()
    marked.mentions.sort(key=_text_order)
    return marked


def _tagged_word(text: str, bar: int, before: tuple[int, int]) -> tuple[int, int]:
    """Find the word that tags belong to; blanks may separate it from the bar.

    ``before`` is the previous bar, and where its word starts, so that a word with many
    bars is searched once.
    """
    end = bar
    while end and text[end - 1].isspace():
        end -= 1
    start = end
    while start > before[0] and not text[start - 1].isspace():
        start -= 1
    is_same = start == before[0] > 0 and not text[start - 1].isspace()
    return (before[1] if is_same else start), end


def _split_tags(match: re.Match[str], faults: list[Fault]) -> Iterator[_WordTag]:
    """Read the tags of a word, and add unreadable ones to the faults."""
    place = match.start(1)
    for text in match[1].split(","):
        span = place, place + len(text)
        place += len(text) + 1
        tag = _WORD_TAG.fullmatch(text)
        if tag and (tag[1] or tag[3]):
            yield _WordTag(bool(tag[1]), bool(tag[3]), tag[2], span)
        elif text:
            faults.append(Fault(*span, "is not a tag"))


_NUMBER = r"[^\W\d]{0,20}\d+"


# All blanks at once: a pattern that could start at each of them takes quadratic time.
_BLANKS = r"(?<!\s)\s*+"


def _label_last(opening: str, closing: str, plain: str) -> Reader:
    """Make a reader of brackets with a label at the end; others are text."""
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
        return marks.finish()

    return read


def _label_first(opening: str, closing: str, plain: str) -> Reader:
    """Make a reader of brackets with a label at the start; others are text."""
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
        return marks.finish()

    return read


_BAR = re.compile(
    rf"(?P<opening>\[|<m>)|{_BLANKS}\|\s*+#?(?P<label>[^\[\]|<>]*+)(?:\]|</m>)|\]|</m>"
)


def read_bars(text: str) -> Marked:
    """Read `[she | 1]`, and `[she | Ada]` where `[Ada]` without a bar is the entity."""
    marks = Marks()
    for match in _BAR.finditer(text):
        label = (match["label"] or "").rstrip()
        if match["opening"]:
            marks.open(*match.span())
        elif marks.stack or label:
            marks.close(*match.span(), label)
    marked = marks.finish()
    names = _EntityNames(
        {mention.label for mention in marked.mentions}, text, marked.markup
    )
    mentions, plain = [], set()
    for mention in marked.mentions:
        label = mention.label or names.of(mention)
        if label:
            mentions.append(mention._replace(label=label))
        else:
            plain |= {mention.start, mention.end}
    markup = [place for place in marked.markup if plain.isdisjoint(place)]
    return Marked(mentions, markup, marked.faults)


class _EntityNames:
    """The names of entities, and the mentions whose own words are one of them.

    Mentions may be nested thousands deep. Therefore words are compared only if they
    have as many letters as some name, and only once for mentions of the same letters.
    """

    def __init__(
        self, names: set[str], text: str, markup: list[tuple[int, int]]
    ) -> None:
        self._names = names - {""}
        self._lengths = {len("".join(name.split())) for name in self._names}
        self._text, self._markup = text, markup
        self._words_of: dict[tuple[int, int], str] = {}
        self._letters: list[int] = []
        if self._names:
            # The letters before each place that are neither blanks nor markup.
            is_letter = bytearray(not character.isspace() for character in text)
            for start, end in markup:
                is_letter[start:end] = bytes(end - start)
            self._letters = [0, *accumulate(is_letter)]

    def of(self, mention: Mention) -> str:
        """Return a mention's words if they are a name, without the brackets inside."""
        if not self._names:
            return ""
        letters = self._letters[mention.start], self._letters[mention.end]
        if letters[1] - letters[0] not in self._lengths:
            return ""
        if letters not in self._words_of:
            self._words_of[letters] = self._words(mention)
        words = self._words_of[letters]
        return words if words in self._names else ""

    def _words(self, mention: Mention) -> str:
        parts, place = [], mention.start
        first = bisect_left(self._markup, (mention.start, 0))
        last = bisect_left(self._markup, (mention.end, 0))
        for start, end in self._markup[first:last]:
            parts.append(self._text[place:start])
            place = end
        parts.append(self._text[place : mention.end])
        return " ".join("".join(parts).split())


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

    def is_one_mention(self) -> bool:
        """Say whether this is one mention of the entity of its heading."""
        return self.label is None and self.has_mark and len(self.mentions) == 1


def find_lists(answer: str) -> Clusters | None:
    """Read the lists of an answer; None if there are none.

    >>> find_lists('1. Ada: "Ada", "she"').clusters
    [['Ada', 'she']]
    """
    lines = [line for line in map(_read_line, answer.splitlines()) if line]
    headings = [row for row, line in enumerate(lines) if not line.mentions]
    borders = [*headings, len(lines)]
    entities = [line.mentions for line in lines[: borders[0]] if _is_entity(line)]
    groups = [lines[a:b] for a, b in pairwise(borders)]
    has_several = sum(len(group) > 1 for group in groups) > 1
    for heading, *items in groups:
        is_entity = has_several or any(map(str.isdigit, heading.label or ""))
        if is_entity and all(item.is_one_mention() for item in items):
            entities.append([mention for item in items for mention in item.mentions])
        else:
            entities += [item.mentions for item in items if _is_entity(item)]
    clusters = [list[Place](mentions) for mentions in entities if mentions]
    return Clusters(clusters) if clusters else None


def _read_line(text: str) -> _Line | None:
    """Read a line; None if it is not a part of a list."""
    is_heading = text.lstrip().startswith("#")
    text = _EMPHASIS.sub("", text.strip())
    mark = _MARK.match(text)
    rest = text[mark.end() :] if mark else text
    label_match = _LABEL.match(rest)
    label = label_match[1].strip() if label_match else None
    if label is None and not mark:
        is_heading |= bool(_KIND.match(text)) and any(map(str.isdigit, text))
        return _Line(text, [], is_quoted=False, has_mark=False) if is_heading else None
    rest = rest[label_match.end() :].strip() if label_match else rest.strip()
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
    """Say whether a line lists an entity, and is not just a line with a colon."""
    label = line.label or ""
    return line.is_quoted or line.has_mark or bool(_KIND.match(label))


class Notation(NamedTuple):
    """A way to mark mentions in the text (``read``), or to list them (``find``)."""

    name: str
    example: str
    read: Reader | None
    find: Finder = find_clusters


JSON = "json"


NOTATIONS = {
    notation.name: notation
    for notation in (
        Notation("crac", "Ada|[e1 Lovelace|e1]", read_tagged_words),
        Notation(
            "markdown",
            "[Ada Lovelace](#1)",
            _label_last(
                r"\[",
                # After a blank, it needs '#' to differ from words in brackets.
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
        Notation("bar", "[Ada Lovelace | 1]", read_bars),
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
"""All notations; of those that fit equally well, the first is used."""


def notation_of(name: str) -> Notation:
    """Return the notation of a name."""
    try:
        return NOTATIONS[name]
    except KeyError:
        raise unknown("notation", name, NOTATIONS) from None


_SAMPLE = 200_000


def detect(answers: Sequence[str]) -> Notation | None:
    """Choose the notation in which answers have most mentions; None if none fits.

    A text may have lines that look like a list, so marks in the text have precedence.

    >>> detect(["[Ada](#1) met [the man with [a hat](#3)](#2)."]).name
    'markdown'
    """
    marks = {
        name: sum(len(notation.read(text[:_SAMPLE]).mentions) for text in answers)
        for name, notation in NOTATIONS.items()
        if notation.read is not None
    }
    lists: dict[str, float] = {}
    for name, notation in NOTATIONS.items():
        if notation.read is None:
            clusters = list(filter(None, map(notation.find, answers)))
            count = sum(
                len(entity) for answer in clusters for entity in answer.clusters
            )
            # An empty list fits as well, if nothing fits better.
            lists[name] = count or (0.5 if clusters else 0)
    has_marks = any(marks.values())
    if has_marks and lists["list"] > lists[JSON]:
        del lists["list"]
    counts = {**marks, **lists}
    best = max(counts, key=counts.__getitem__)
    return NOTATIONS[best] if counts[best] else None
