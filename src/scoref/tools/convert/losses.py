"""Steps that find, count and leave out what a format cannot hold.

A step looks for one kind of thing that some format cannot hold. It returns the content
without it, the number of cases, and the place of the first. Content that has passed all
steps of a format can be written in it and read back unchanged.

Some steps are about the text: words, sentences, documents and names. The others are
about mentions and entities. If a mention is cut, the piece with the head is kept. If no
head is known, the longest piece is kept, and the first of several equally long ones.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from scoref.errors import ScorefError, place_of
from scoref.formats import brat, conll2012_writer
from scoref.formats.corefud_writer import can_hold_name, misplaced_piece
from scoref.formats.tokens import runs_of
from scoref.matching.ragged import Ragged
from scoref.model import Texts
from scoref.tools.convert.content import NOBODY

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence

    from numpy.typing import NDArray

    from scoref.model import Ints
    from scoref.tools.convert.content import Content

    Mask = NDArray[np.bool_]


Found = tuple["Content", int, str]
"""What is left, how many there were, and where the first one is."""

LEFT_OUT = "left out"


@dataclass(frozen=True, slots=True)
class Loss:
    """Something that the target cannot hold.

    ``place`` is where the first one is, and ``outcome`` what becomes of them.
    """

    kind: str
    count: int
    what: str
    outcome: str
    place: str

    def __str__(self) -> str:
        return f"{self.what}: {self.count}, first at {self.place}; {self.outcome}"


class LossError(ScorefError):
    """The target cannot hold all that there is, and nobody said that this is fine."""

    def __init__(self, source: str, target: str, losses: Sequence[Loss]) -> None:
        super().__init__(
            f"{source}: {target} cannot hold all of this",
            hint="--lossy writes the rest",
        )
        self.source = source
        self.target = target
        self.losses = tuple(losses)

    def lines(self) -> list[str]:
        """List what would be lost."""
        problem, *hint = super().lines()
        return [problem, *(f"    {loss}" for loss in self.losses), *hint]


class Step(NamedTuple):
    """One kind of thing: what it is called, what becomes of it, and how to find it.

    ``find`` gives the content without it, how many there were, and where the first
    one is.
    """

    kind: str
    what: str
    outcome: str
    find: Callable[[Content], Found]

    def take(self, content: Content) -> tuple[Content, list[Loss]]:
        """Leave out what there is of this kind."""
        left, count, place = self.find(content)
        loss = Loss(self.kind, count, self.what, self.outcome, place)
        return left, [loss] if count else []


def at_token(content: Content, row: int) -> str:
    """Say where a token is."""
    line = int(content.text.line[row])
    return _at(content, line, int(content.text.document[row]))


def at_mention(content: Content, row: int) -> str:
    """Say where a mention is."""
    document = int(content.mention_document[row])
    return _at(content, int(content.mention_line[row]), document)


def found_mentions(content: Content, rows: Ints, left: Content) -> Found:
    """Say how many mentions there are of a kind, and where the first one is."""
    return left, len(rows), at_mention(content, int(rows[0])) if len(rows) else ""


def _at(content: Content, line: int, document: int) -> str:
    if line:
        return place_of(content.source, line)
    return f"{content.source}, document '{content.documents[document]}'"


_UNWRITABLE = re.compile(r"[\s\0]+")


def _empty_nodes(content: Content) -> Found:
    rows = np.flatnonzero(content.text.is_empty)
    if not len(rows):
        return content, 0, ""
    left = content.keep_tokens(~content.text.is_empty)
    return left, len(rows), at_token(content, int(rows[0]))


def _wordless_documents(content: Content) -> Found:
    return _documents(content, np.diff(content.text.first) > 0)


def _mentionless_documents(content: Content) -> Found:
    has_some = np.zeros(len(content.documents), dtype=np.bool_)
    has_some[content.entity_document] = True
    return _documents(content, has_some)


def _documents(content: Content, kept: Mask) -> Found:
    if kept.all():
        return content, 0, ""
    first = int(np.argmin(kept))
    place = f"{content.source}, document '{content.documents[first]}'"
    return content.keep_documents(kept), int((~kept).sum()), place


def _sentences(content: Content) -> Found:
    text = content.text
    whole = text._replace(sentence=text.document)
    rows = np.flatnonzero(text.is_start & ~whole.is_start)
    left = content._replace(text=whole)
    return left, len(rows), at_token(content, int(rows[0])) if len(rows) else ""


def _words(content: Content) -> Found:
    """Keep the texts of mentions, and nothing else."""
    if not content.has_words:
        return content, 0, ""
    words = content.text.word.strings()
    texts = (" ".join(words[token] for token in each) for each in content.lists())
    left = content._replace(has_words=False, mention_text=tuple(texts))
    return left, len(words), at_token(content, 0) if words else ""


def spelling(can_hold: Callable[[str], bool]) -> Step:
    """Make a step for words that a format cannot write."""

    def find(content: Content) -> Found:
        words = content.text.word.strings() if content.has_words else []
        is_empty = content.text.is_empty.tolist()
        rows = [
            row
            for row, word in enumerate(words)
            if not is_empty[row] and not can_hold(word)
        ]
        if not rows:
            return content, 0, ""
        for row in rows:
            words[row] = _UNWRITABLE.sub("_", words[row]) or "_"
        left = content._replace(text=content.text._replace(word=Texts.of(words)))
        return left, len(rows), at_token(content, rows[0])

    outcome = "white space in them becomes '_'"
    return Step("spellings", "words that cannot be written", outcome, find)


def naming(can_hold: Callable[[str], bool]) -> Step:
    """Make a step for names of documents that a format cannot write."""

    def find(content: Content) -> Found:
        rows = [row for row, name in enumerate(content.documents) if not can_hold(name)]
        if not rows:
            return content, 0, ""
        names, taken = list(content.documents), set(content.documents)
        for row in rows:
            name = bare = _UNWRITABLE.sub("_", names[row])
            number = 1
            while name in taken:
                number += 1
                name = f"{bare}-{number}"
            names[row] = name
            taken.add(name)
        place = f"document {content.documents[rows[0]]!r}"
        return content._replace(documents=tuple(names)), len(rows), place

    outcome = "white space in them becomes '_'"
    return Step("document-names", "names of documents", outcome, find)


EMPTY_NODES = Step("empty-nodes", "empty nodes", LEFT_OUT, _empty_nodes)

WORDLESS = Step("documents", "documents without words", LEFT_OUT, _wordless_documents)

MENTIONLESS = Step(
    "documents", "documents without mentions", LEFT_OUT, _mentionless_documents
)

SENTENCES = Step("sentences", "sentence boundaries", LEFT_OUT, _sentences)

WORDS = Step("words", "words", "left out but for the texts of mentions", _words)

_GAP = "written as the piece that has the head, or as the longest"


def _nothing(content: Content) -> Ragged:
    start = np.zeros(len(content.mention_entity) + 1, dtype=np.int64)
    return Ragged(start, np.zeros(0, dtype=np.int64))


def _non_referring(content: Content) -> Found:
    refers = content.is_referring[content.mention_entity]
    return found_mentions(
        content, np.flatnonzero(~refers), content.keep_mentions(refers)
    )


def _bridges(content: Content) -> Found:
    nothing = content.anaphor[:0]
    left = content._replace(anaphor=nothing, antecedent=nothing, relation=())
    return found_mentions(content, content.anaphor, left)


def _plurals(content: Content) -> Found:
    """Count pairs of a plural and an element, at the plural's first mention."""
    nothing = content.plural[:0]
    left = content._replace(plural=nothing, element=nothing)
    if not len(content.plural):
        return content, 0, ""
    first = int(np.searchsorted(content.mention_entity, content.plural[0]))
    return left, len(content.plural), at_mention(content, first)


def _zeros(content: Content) -> Found:
    is_zero = ~content.has_any(~content.text.is_empty)
    return found_mentions(
        content, np.flatnonzero(is_zero), content.keep_mentions(~is_zero)
    )


def _mixed(content: Content) -> Found:
    """Take empty nodes out of mentions that have more than one of them."""
    is_empty = content.text.is_empty
    is_mixed = content.has_any(is_empty) & (content.members.length > 1)
    if not is_mixed.any():
        return content, 0, ""
    members = content.lists()
    for row in np.flatnonzero(is_mixed).tolist():
        words = [token for token in members[row] if not is_empty[token]]
        members[row] = words or members[row][:1]
    gone = is_mixed & (content.head != NOBODY)
    gone &= is_empty[content.head]
    left = content.with_members(members)
    left = left._replace(head=np.where(gone, NOBODY, content.head))
    return found_mentions(content, np.flatnonzero(is_mixed), left)


def _across_sentences(content: Content) -> Found:
    """Cut mentions to the sentence of the head, or to the one with most words."""
    sentence: Ints = np.cumsum(content.text.is_start)
    crosses = sentence[content.mention_first] != sentence[content.mention_last]
    rows = np.flatnonzero(crosses)
    return found_mentions(content, rows, _cut(content, rows, _by_sentence(sentence)))


def _by_sentence(sentence: Ints) -> Callable[[list[int]], list[list[int]]]:
    def pieces(tokens: list[int]) -> list[list[int]]:
        found: dict[int, list[int]] = {}
        for token in tokens:
            found.setdefault(int(sentence[token]), []).append(token)
        return list(found.values())

    return pieces


def _by_run(tokens: list[int]) -> list[list[int]]:
    return [list(range(first, last + 1)) for first, last in runs_of(tokens)]


def _cut(
    content: Content, rows: Ints, pieces: Callable[[list[int]], list[list[int]]]
) -> Content:
    """Leave one piece of some mentions: that of the head, or the longest."""
    if not len(rows):
        return content
    members, heads = content.lists(), content.head.tolist()
    for row in rows.tolist():
        found = pieces(members[row])
        members[row] = next(
            (piece for piece in found if heads[row] in piece), max(found, key=len)
        )
    return content.with_members(members)


def _gaps(content: Content) -> Found:
    rows = np.flatnonzero(_has_gap(content))
    return found_mentions(content, rows, _cut(content, rows, _by_run))


def _has_gap(content: Content) -> Mask:
    length = content.mention_last - content.mention_first + 1
    has_gap: Mask = length != content.members.length
    return has_gap


def _tangled(content: Content) -> Found:
    """Close the gaps of mentions whose pieces brackets would give to others."""
    sentence, members = np.cumsum(content.text.is_start), content.lists()
    found: set[int] = set()
    for entity in np.unique(content.mention_entity[_has_gap(content)]).tolist():
        first, last = np.searchsorted(content.mention_entity, [entity, entity + 1])
        here = slice(int(first), int(last))
        while (token := misplaced_piece(members[here])) is not None:
            # All gaps of the sentence: without any, brackets never fail.
            tangled = [
                row
                for row in range(here.start, here.stop)
                if sentence[members[row][0]] == sentence[token]
                and len(runs_of(members[row])) > 1
            ]
            found.update(tangled)
            for row in tangled:
                members[row] = members[row][:1]
    rows = np.array(sorted(found), dtype=np.int64)
    return found_mentions(content, rows, _cut(content, rows, _by_run))


def _crossing(content: Content) -> Found:
    columns = content.mention_entity, content.mention_first, content.mention_last
    spans = zip(*(column.tolist() for column in columns), strict=True)
    rows = conll2012_writer.crossing_mentions(
        [conll2012_writer.Span(*span) for span in spans]
    )
    kept = np.ones(len(content.mention_entity), dtype=np.bool_)
    kept[rows] = False
    return found_mentions(content, np.array(rows), content.keep_mentions(kept))


def _heads(content: Content) -> Found:
    is_said = (content.head != NOBODY) & (content.head != content.mention_first)
    left = content._replace(head=np.full_like(content.head, NOBODY))
    return found_mentions(content, np.flatnonzero(is_said), left)


def _minimums(content: Content) -> Found:
    is_said = (content.minimum.length > 0) & (content.members.length > 1)
    left = content._replace(minimum=_nothing(content))
    return found_mentions(content, np.flatnonzero(is_said), left)


def _minimums_as_heads(content: Content) -> Found:
    """Let a minimum of one word be the head; without one it is the first word."""
    heads, lost = content.head.tolist(), []
    for row, tokens in enumerate(content.lists()):
        minimum = content.minimum.tuple(row)
        inside = [token for token in minimum if token in tokens]
        if heads[row] == NOBODY:
            heads[row] = inside[0] if inside else tokens[0]
        if len(tokens) > 1 and minimum and minimum != (heads[row],):
            lost.append(row)
    head = np.array(heads, dtype=np.int64)
    left = content._replace(head=head, minimum=_nothing(content))
    return found_mentions(content, np.array(lost), left)


def _heads_as_minimums(content: Content) -> Found:
    """Let the head of several words be their minimum; nothing is lost."""
    is_head = (content.head != NOBODY) & (content.members.length > 1)
    is_head &= content.minimum.length == 0
    length = content.minimum.length + is_head
    start = np.concatenate(([0], np.cumsum(length)))
    value = np.empty(start[-1], dtype=np.int64)
    value[np.repeat(~is_head, length)] = content.minimum.value
    value[start[:-1][is_head]] = content.head[is_head]
    unknown = np.full_like(content.head, NOBODY)
    left = content._replace(head=unknown, minimum=Ragged(start, value))
    return left, 0, ""


def _types(content: Content, kept: Iterable[bool]) -> Found:
    both = list(zip(content.entity_type, kept, strict=True))
    types = tuple(kind if is_kept else "" for kind, is_kept in both)
    is_lost = [bool(kind) and not is_kept for kind, is_kept in both]
    lost = np.array(is_lost, dtype=np.bool_)
    if not lost.any():
        return content, 0, ""
    first = int(np.argmax(lost[content.mention_entity]))
    left = content._replace(entity_type=types)
    return left, int(lost.sum()), at_mention(content, first)


def _all_types(content: Content) -> Found:
    return _types(content, (False for _ in content.entity_type))


def _odd_types(can_hold: Callable[[str], bool]) -> Callable[[Content], Found]:
    def find(content: Content) -> Found:
        return _types(content, map(can_hold, content.entity_type))

    return find


NON_REFERRING = Step(
    "non-referring", "mentions that do not refer", LEFT_OUT, _non_referring
)

BRIDGES = Step("bridges", "bridges", LEFT_OUT, _bridges)

PLURALS = Step("split-antecedents", "elements of split antecedents", LEFT_OUT, _plurals)

ZEROS = Step("zeros", "mentions that are empty nodes", LEFT_OUT, _zeros)

MIXED = Step(
    "empty-nodes-in-mentions",
    "mentions with empty nodes among others",
    "written without these",
    _mixed,
)

ACROSS_SENTENCES = Step(
    "across-sentences",
    "mentions beyond a sentence",
    "cut to the sentence of the head, or with most words",
    _across_sentences,
)

GAPS = Step("discontinuous", "discontinuous mentions", _GAP, _gaps)

TANGLED = Step("tangled", "discontinuous mentions that brackets mix up", _GAP, _tangled)

CROSSING = Step(
    "crossing", "mentions that cross another of their entity", LEFT_OUT, _crossing
)

HEADS = Step("heads", "heads that are not the first word", LEFT_OUT, _heads)

MINIMUMS = Step("minimums", "minimum spans", LEFT_OUT, _minimums)

MINIMUMS_AS_HEADS = Step(
    "minimums",
    "minimum spans that are not one word of the mention",
    "the first word of each becomes the head",
    _minimums_as_heads,
)

HEADS_AS_MINIMUMS = Step("heads", "heads", "written as minimums", _heads_as_minimums)

TYPES = Step("types", "entities with a type", "written without it", _all_types)

COREFUD_TYPES, BRAT_TYPES = (
    Step("types", "types that cannot be written", LEFT_OUT, _odd_types(can_hold))
    for can_hold in (can_hold_name, brat.can_hold_type)
)
