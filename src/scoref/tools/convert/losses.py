"""Steps that find, count and leave out what a format cannot hold.

A step is about one kind of thing that some format cannot hold. Its function returns the
content without it, the number of cases, and the place of the first. Content that has
passed all steps of a format can be written in it and read back unchanged.

Steps about the text (words, sentences, documents, names) come first, then steps about
mentions and entities. If a mention is cut, the piece with the head is kept. If no head
is known, the longest piece is kept, and the first of several equally long ones.
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
from scoref.model.arrays import bounds
from scoref.notes import WARNING
from scoref.tools.convert.content import NONE

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence

    from scoref.model.arrays import Ints, Mask
    from scoref.tools.convert.content import Content


LEFT_OUT = "left out"

DOCUMENT_NAMES = "document-names"
"""The kind of loss if a document gets another name."""


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
        return f"{self.what}: {self.count:,} {self.outcome} (first: {self.place})"

    def warning(self) -> str:
        """Return the loss as a warning."""
        text = str(self)
        return f"{WARNING}{text[0].upper()}{text[1:]}."


class LossError(ScorefError):
    """The target cannot hold everything, and losses were not allowed."""

    def __init__(self, source: str, target: str, losses: Sequence[Loss]) -> None:
        super().__init__(
            f"{source}: {target} cannot represent everything in this file",
            hint="Add --lossy to write the rest.",
        )
        self.source = source
        self.target = target
        self.losses = tuple(losses)

    def lines(self) -> list[str]:
        """List what would be lost."""
        problem, *hint = super().lines()
        return [problem, *(f"    {loss}" for loss in self.losses), *hint]


Remainder = tuple["Content", int, str]
"""The content that is left, how many things were left out, and where the first is."""


class Step(NamedTuple):
    """One kind of loss: its name, what becomes of it, and a function that drops it."""

    kind: str
    what: str
    outcome: str
    drop: Callable[[Content], Remainder]

    def apply(self, content: Content) -> tuple[Content, list[Loss]]:
        """Leave out everything of this kind, and report it as a loss."""
        left, count, place = self.drop(content)
        loss = Loss(self.kind, count, self.what, self.outcome, place)
        return left, [loss] if count else []


def at_token(content: Content, row: int) -> str:
    """Say where a token is."""
    line = int(content.text.line[row])
    return _place(content, line, int(content.text.document[row]))


def at_mention(content: Content, row: int) -> str:
    """Say where a mention is."""
    document = int(content.mention_document[row])
    return _place(content, int(content.mention_line[row]), document)


def _place(content: Content, line: int, document: int) -> str:
    if line:
        return place_of(content.source, line)
    return f"{content.source}, document '{content.documents[document]}'"


def _of_tokens(content: Content, rows: Ints, left: Content) -> Remainder:
    """Count tokens that were changed or left out, and say where the first is."""
    return left, len(rows), at_token(content, int(rows[0])) if len(rows) else ""


def _of_mentions(content: Content, rows: Ints, left: Content) -> Remainder:
    """Count mentions that were changed or left out, and say where the first is."""
    return left, len(rows), at_mention(content, int(rows[0])) if len(rows) else ""


def drop_empty_nodes(content: Content) -> Remainder:
    """Leave out empty nodes."""
    is_empty = content.text.is_empty
    if not is_empty.any():
        return content, 0, ""
    return _of_tokens(content, np.flatnonzero(is_empty), content.keep_tokens(~is_empty))


EMPTY_NODES = Step("empty-nodes", "empty nodes", LEFT_OUT, drop_empty_nodes)


def drop_wordless_documents(content: Content) -> Remainder:
    """Leave out documents without words."""
    return _keep_documents(content, np.diff(content.text.first) > 0)


WORDLESS = Step(
    "documents", "documents without words", LEFT_OUT, drop_wordless_documents
)


def drop_mentionless_documents(content: Content) -> Remainder:
    """Leave out documents without mentions."""
    has_some = np.zeros(len(content.documents), dtype=np.bool_)
    has_some[content.entity_document] = True
    return _keep_documents(content, has_some)


MENTIONLESS = Step(
    "documents", "documents without mentions", LEFT_OUT, drop_mentionless_documents
)


def _keep_documents(content: Content, kept: Mask) -> Remainder:
    if kept.all():
        return content, 0, ""
    first = int(np.argmin(kept))
    place = f"{content.source}, document '{content.documents[first]}'"
    return content.keep_documents(kept), int((~kept).sum()), place


def drop_sentences(content: Content) -> Remainder:
    """Make each document one sentence."""
    text = content.text
    whole = text._replace(sentence=text.document)
    rows = np.flatnonzero(text.is_start & ~whole.is_start)
    return _of_tokens(content, rows, content._replace(text=whole))


SENTENCES = Step("sentences", "sentence boundaries", LEFT_OUT, drop_sentences)


def drop_words(content: Content) -> Remainder:
    """Keep the texts of mentions and no other words."""
    if not content.has_words:
        return content, 0, ""
    words = content.text.word.strings()
    texts = (" ".join(words[token] for token in tokens) for tokens in content.lists())
    left = content._replace(has_words=False, mention_text=tuple(texts))
    return left, len(words), at_token(content, 0) if words else ""


WORDS = Step("words", "words", "left out, except in the texts of mentions", drop_words)

_UNWRITABLE = re.compile(r"[\s\0]+")


def spelling_step(can_hold: Callable[[str], bool]) -> Step:
    """Make a step for words that a format cannot write."""

    def respell(content: Content) -> Remainder:
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

    outcome = "written with '_' instead of white space"
    return Step("spellings", "words that cannot be written", outcome, respell)


def name_step(can_hold: Callable[[str], bool]) -> Step:
    """Make a step for names of documents that a format cannot write."""

    def rename(content: Content) -> Remainder:
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

    outcome = "written with '_' instead of white space"
    return Step(DOCUMENT_NAMES, "names of documents", outcome, rename)


def drop_non_referring(content: Content) -> Remainder:
    """Leave out mentions that do not refer."""
    refers = content.is_referring[content.mention_entity]
    left = content.keep_mentions(refers)
    return _of_mentions(content, np.flatnonzero(~refers), left)


NON_REFERRING = Step(
    "non-referring", "mentions that do not refer", LEFT_OUT, drop_non_referring
)


def drop_bridges(content: Content) -> Remainder:
    """Leave out bridges."""
    nothing = content.anaphor[:0]
    left = content._replace(anaphor=nothing, antecedent=nothing, relation=())
    return _of_mentions(content, content.anaphor, left)


BRIDGES = Step("bridges", "bridges", LEFT_OUT, drop_bridges)


def drop_plurals(content: Content) -> Remainder:
    """Leave out split antecedents, and count pairs of a plural and an element."""
    if not len(content.plural):
        return content, 0, ""
    nothing = content.plural[:0]
    left = content._replace(plural=nothing, element=nothing)
    first_mention = int(np.searchsorted(content.mention_entity, content.plural[0]))
    return left, len(content.plural), at_mention(content, first_mention)


PLURALS = Step(
    "split-antecedents", "elements of split antecedents", LEFT_OUT, drop_plurals
)


def drop_zeros(content: Content) -> Remainder:
    """Leave out mentions that consist of empty nodes."""
    is_zero = ~content.has_any(~content.text.is_empty)
    left = content.keep_mentions(~is_zero)
    return _of_mentions(content, np.flatnonzero(is_zero), left)


ZEROS = Step("zeros", "mentions that are empty nodes", LEFT_OUT, drop_zeros)


def drop_nodes_in_mentions(content: Content) -> Remainder:
    """Remove empty nodes from mentions of several tokens; a zero keeps one node."""
    is_empty = content.text.is_empty
    is_mixed = content.has_any(is_empty) & (content.members.length > 1)
    if not is_mixed.any():
        return content, 0, ""
    members = content.lists()
    for row in np.flatnonzero(is_mixed).tolist():
        words = [token for token in members[row] if not is_empty[token]]
        members[row] = words or members[row][:1]
    is_head_gone = is_mixed & (content.head != NONE)
    is_head_gone &= is_empty[content.head]
    left = content.with_members(members)
    left = left._replace(head=np.where(is_head_gone, NONE, content.head))
    return _of_mentions(content, np.flatnonzero(is_mixed), left)


MIXED = Step(
    "empty-nodes-in-mentions",
    "mentions with empty nodes and words",
    "written without the empty nodes",
    drop_nodes_in_mentions,
)


def cut_at_sentences(content: Content) -> Remainder:
    """Cut mentions to the sentence of the head, or to the one with most words."""
    sentence: Ints = np.cumsum(content.text.is_start)

    def pieces(tokens: list[int]) -> list[list[int]]:
        by_sentence: dict[int, list[int]] = {}
        for token in tokens:
            by_sentence.setdefault(int(sentence[token]), []).append(token)
        return list(by_sentence.values())

    crosses = sentence[content.mention_first] != sentence[content.mention_last]
    rows = np.flatnonzero(crosses)
    return _of_mentions(content, rows, _keep_piece(content, rows, pieces))


ACROSS_SENTENCES = Step(
    "across-sentences",
    "mentions that extend over several sentences",
    "cut to the sentence with the head, or with the most words",
    cut_at_sentences,
)


def _keep_piece(
    content: Content, rows: Ints, pieces_of: Callable[[list[int]], list[list[int]]]
) -> Content:
    """Keep one piece of some mentions: that of the head, or the longest."""
    if not len(rows):
        return content
    members, heads = content.lists(), content.head.tolist()
    for row in rows.tolist():
        pieces = pieces_of(members[row])
        longest = max(pieces, key=len)
        members[row] = next((one for one in pieces if heads[row] in one), longest)
    return content.with_members(members)


_GAP = "written as the part with the head, or as the longest part"


def cut_at_gaps(content: Content) -> Remainder:
    """Cut mentions with gaps to one piece."""
    rows = np.flatnonzero(_has_gap(content))
    return _of_mentions(content, rows, _keep_piece(content, rows, _pieces_without_gaps))


GAPS = Step("discontinuous", "discontinuous mentions", _GAP, cut_at_gaps)


def _has_gap(content: Content) -> Mask:
    length = content.mention_last - content.mention_first + 1
    has_gap: Mask = length != content.members.length
    return has_gap


def _pieces_without_gaps(tokens: list[int]) -> list[list[int]]:
    return [list(range(first, last + 1)) for first, last in runs_of(tokens)]


def cut_tangled_mentions(content: Content) -> Remainder:
    """Cut mentions whose pieces would be assigned to other mentions in CorefUD."""
    sentence, members = np.cumsum(content.text.is_start), content.lists()
    tangled_rows: set[int] = set()
    for entity in np.unique(content.mention_entity[_has_gap(content)]).tolist():
        first, last = np.searchsorted(content.mention_entity, [entity, entity + 1])
        rows = range(int(first), int(last))
        while (token := misplaced_piece(members[rows.start : rows.stop])) is not None:
            # All gaps of the sentence are closed: without gaps, brackets never fail.
            tangled = [
                row
                for row in rows
                if sentence[members[row][0]] == sentence[token]
                and len(runs_of(members[row])) > 1
            ]
            tangled_rows.update(tangled)
            for row in tangled:
                members[row] = members[row][:1]
    cut_rows = np.array(sorted(tangled_rows), dtype=np.int64)
    left = _keep_piece(content, cut_rows, _pieces_without_gaps)
    return _of_mentions(content, cut_rows, left)


TANGLED = Step(
    "tangled",
    "discontinuous mentions that brackets cannot represent",
    _GAP,
    cut_tangled_mentions,
)


def drop_crossing(content: Content) -> Remainder:
    """Leave out mentions that cross another one of their entity."""
    columns = content.mention_entity, content.mention_first, content.mention_last
    spans = zip(*(column.tolist() for column in columns), strict=True)
    rows = conll2012_writer.crossing_mentions(
        [conll2012_writer.Span(*span) for span in spans]
    )
    kept = np.ones(len(content.mention_entity), dtype=np.bool_)
    kept[rows] = False
    return _of_mentions(content, np.array(rows), content.keep_mentions(kept))


CROSSING = Step(
    "crossing",
    "mentions that cross another mention of their entity",
    LEFT_OUT,
    drop_crossing,
)


def drop_heads(content: Content) -> Remainder:
    """Leave out heads, and count those that are not the first word."""
    is_said = (content.head != NONE) & (content.head != content.mention_first)
    left = content._replace(head=np.full_like(content.head, NONE))
    return _of_mentions(content, np.flatnonzero(is_said), left)


HEADS = Step("heads", "heads that are not the first word", LEFT_OUT, drop_heads)


def drop_minimums(content: Content) -> Remainder:
    """Leave out minimum spans, and count those of mentions of several words."""
    is_said = (content.minimum.length > 0) & (content.members.length > 1)
    left = content._replace(minimum=_no_minimums(content))
    return _of_mentions(content, np.flatnonzero(is_said), left)


MINIMUMS = Step("minimums", "minimum spans", LEFT_OUT, drop_minimums)


def _no_minimums(content: Content) -> Ragged:
    start = np.zeros(len(content.mention_entity) + 1, dtype=np.int64)
    return Ragged(start, np.zeros(0, dtype=np.int64))


def turn_minimums_into_heads(content: Content) -> Remainder:
    """Use a minimum of one word as the head; without one, use the first word."""
    heads, lost = content.head.tolist(), []
    for row, tokens in enumerate(content.lists()):
        minimum = content.minimum.tuple(row)
        inside = [token for token in minimum if token in tokens]
        if heads[row] == NONE:
            heads[row] = inside[0] if inside else tokens[0]
        if len(tokens) > 1 and minimum and minimum != (heads[row],):
            lost.append(row)
    head = np.array(heads, dtype=np.int64)
    left = content._replace(head=head, minimum=_no_minimums(content))
    return _of_mentions(content, np.array(lost), left)


MINIMUMS_AS_HEADS = Step(
    "minimums",
    "minimum spans that are not one word of the mention",
    "replaced by their first word as the head",
    turn_minimums_into_heads,
)


def turn_heads_into_minimums(content: Content) -> Remainder:
    """Use the head of a mention of several words as its minimum; nothing is lost."""
    is_head = (content.head != NONE) & (content.members.length > 1)
    is_head &= content.minimum.length == 0
    length = content.minimum.length + is_head
    start = bounds(length)
    value = np.empty(start[-1], dtype=np.int64)
    value[np.repeat(~is_head, length)] = content.minimum.value
    value[start[:-1][is_head]] = content.head[is_head]
    unknown = np.full_like(content.head, NONE)
    left = content._replace(head=unknown, minimum=Ragged(start, value))
    return left, 0, ""


HEADS_AS_MINIMUMS = Step(
    "heads", "heads", "written as minimums", turn_heads_into_minimums
)


def _keep_types(content: Content, kept: Iterable[bool]) -> Remainder:
    """Leave out the types of some entities."""
    both = list(zip(content.entity_type, kept, strict=True))
    types = tuple(kind if is_kept else "" for kind, is_kept in both)
    is_lost = [bool(kind) and not is_kept for kind, is_kept in both]
    lost = np.array(is_lost, dtype=np.bool_)
    if not lost.any():
        return content, 0, ""
    first = int(np.argmax(lost[content.mention_entity]))
    left = content._replace(entity_type=types)
    return left, int(lost.sum()), at_mention(content, first)


TYPES = Step(
    "types",
    "entities with a type",
    "written without it",
    lambda content: _keep_types(content, (False for _ in content.entity_type)),
)

COREFUD_TYPES = Step(
    "types",
    "types that cannot be written",
    LEFT_OUT,
    lambda content: _keep_types(content, map(can_hold_name, content.entity_type)),
)

BRAT_TYPES = Step(
    "types",
    "types that cannot be written",
    LEFT_OUT,
    lambda content: _keep_types(content, map(brat.can_hold_type, content.entity_type)),
)
