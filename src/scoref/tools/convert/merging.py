"""A key by majority from the files of several annotators, and what is left to settle.

A mention is kept if more than half of those who have its document marked it. Majorities
are not transitive: three votes of five may join a with b, and b with c, and only two
a with c. Entities therefore grow step by step, starting with the strongest agreement:
two are joined as long as the mean vote over all links between them is above one half.
A mention or link with even votes is a tie. A link is a conflict if the resulting key
contradicts the majority.

The text is that of the first file, which must have all documents. A mention is copied
from the first annotator who marked it.
"""

from __future__ import annotations

import dataclasses
import heapq
import os
from collections import Counter
from functools import reduce
from typing import TYPE_CHECKING, Literal, NamedTuple

import numpy as np

from scoref.errors import AlignmentError, OptionError, place_of, quoted, unknown
from scoref.formats.catalogue import MENTION_TABLE
from scoref.matching.ragged import Ragged, join_rows
from scoref.model import SENTENCE_BITS, Note, WordSets
from scoref.render.report import Remarks, Report, Rows
from scoref.schemes import resolve
from scoref.scoring.annotator_votes import atoms_of, links_of, unite
from scoref.tools.convert.sources import Read

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from numpy.typing import NDArray

    from scoref.model import Corpus, Ints, Words
    from scoref.scoring.annotator_votes import Atoms, Links
    from scoref.scoring.annotators import Annotated
    from scoref.tools.convert.conversion import Where

    Mask = NDArray[np.bool_]


Kind = Literal["tie", "conflict"]


class Vote(NamedTuple):
    """A mention, or a link of two, that is not settled: who is for it, and of how many.

    ``second`` is -1 for a mention. ``is_followed`` tells whether it is in the key.
    """

    kind: Kind
    first: int
    second: int
    votes: int
    of: int
    is_followed: bool


class Majority(NamedTuple):
    """The entity of each mention, -1: left out; and what is to be adjudicated."""

    entity: Ints
    unsettled: tuple[Vote, ...]


def majority_of(annotated: Annotated) -> Majority:
    """Put together what most put together."""
    marked = np.bincount(annotated.marks.unit, minlength=len(annotated.unit_document))
    voters = annotated.has.sum(axis=1)[annotated.unit_document]
    kept = 2 * marked > voters
    atoms = atoms_of(annotated)
    links = links_of(annotated, atoms, None)
    is_kept = np.zeros(len(atoms.size), dtype=np.bool_)
    is_kept[atoms.of_unit[kept]] = True  # all or none of its mentions are
    joined = _joined(annotated, atoms, links, is_kept)
    entity = np.where(kept, joined[atoms.of_unit], -1)
    first = _first_units(atoms)
    ties = [
        Vote("tie", unit, -1, int(marked[unit]), int(voters[unit]), is_followed=False)
        for unit in np.flatnonzero(2 * marked == voters).tolist()
    ]
    between = _unsettled(annotated, atoms, links, joined, is_kept)
    named = [
        each._replace(first=int(first[each.first]), second=int(first[each.second]))
        for each in between
    ]
    return Majority(entity, (*ties, *named))


def _first_units(atoms: Atoms) -> Ints:
    first = np.full(len(atoms.size), len(atoms.of_unit), dtype=np.int64)
    np.minimum.at(first, atoms.of_unit, np.arange(len(atoms.of_unit)))
    return first


def _joined(annotated: Annotated, atoms: Atoms, links: Links, is_kept: Mask) -> Ints:
    """Number entities, each by one of its atoms."""
    voters = annotated.has.sum(axis=1)
    rows = np.flatnonzero(
        (links.first != links.second) & is_kept[links.first] & is_kept[links.second]
    )
    growing = _Growing(atoms.size.tolist(), voters[atoms.document].tolist())
    columns = (links.first, links.second, links.votes * links.times)
    for first, second, votes in zip(
        *(each[rows].tolist() for each in columns), strict=True
    ):
        growing.link(first, second, votes)
    growing.grow()
    return np.array([growing.root(atom) for atom in range(len(atoms.size))], np.int64)


class _Growing:
    """Entities that are joined two by two; each is known by its first atom."""

    def __init__(self, size: list[int], voters: list[int]) -> None:
        self._size, self._voters = size, voters
        self._parent = list(range(len(size)))
        self._votes: dict[int, dict[int, int]] = {}
        self._heap: list[tuple[float, int, int]] = []

    def link(self, first: int, second: int, votes: int) -> None:
        """Count the votes for links between two."""
        for one, other in ((first, second), (second, first)):
            of_one = self._votes.setdefault(one, {})
            of_one[other] = of_one.get(other, 0) + votes

    def grow(self) -> None:
        """Join two as long as they are mostly put together, the most agreed first."""
        for first, others in self._votes.items():
            for second in others:
                if first < second:
                    self._offer(first, second)
        while self._heap:
            share, first, second = heapq.heappop(self._heap)
            # What was joined meanwhile has another share, or none.
            if -share == self._share(first, second):
                self._join(first, second)

    def root(self, atom: int) -> int:
        """Find the entity of an atom."""
        while self._parent[atom] != atom:
            atom = self._parent[atom]
        return atom

    def _share(self, first: int, second: int) -> float:
        """Give the mean vote over all links between two; 0 if one is no more."""
        votes = self._votes.get(first, {}).get(second, 0)
        links = self._size[first] * self._size[second]
        return votes / (links * self._voters[first])

    def _offer(self, first: int, second: int) -> None:
        share = self._share(first, second)
        if share > 1 / 2:
            heapq.heappush(self._heap, (-share, first, second))

    def _join(self, first: int, second: int) -> None:
        self._parent[second] = first
        self._size[first] += self._size[second]
        others = self._votes.pop(second)
        self._votes[first].pop(second)
        for other, votes in others.items():
            if other != first:
                self._votes[other].pop(second)
                self.link(first, other, votes)
        # Its size has changed, so that all shares have.
        for other in self._votes[first]:
            self._offer(*sorted((first, other)))


def _unsettled(
    annotated: Annotated,
    atoms: Atoms,
    links: Links,
    joined: Ints,
    is_kept: Mask,
) -> Iterable[Vote]:
    """List links with even votes, and those that go against a majority."""
    voters = annotated.has.sum(axis=1)
    known = is_kept[links.first] & is_kept[links.second] & (links.first != links.second)
    of, together = voters[links.document], joined[links.first] == joined[links.second]
    is_tie = 2 * links.votes == of
    against = np.where(together, 2 * links.votes < of, 2 * links.votes > of)
    for row in np.flatnonzero(known & (is_tie | against)).tolist():
        yield Vote(
            "tie" if is_tie[row] else "conflict",
            int(links.first[row]),
            int(links.second[row]),
            int(links.votes[row]),
            int(of[row]),
            is_followed=bool(together[row]),
        )
    yield from _never_linked(atoms, links, joined, is_kept, voters)


def _never_linked(
    atoms: Atoms, links: Links, joined: Ints, is_kept: Mask, voters: Ints
) -> Iterable[Vote]:
    """List what is in one entity, though nobody put it together."""
    known = set(zip(links.first.tolist(), links.second.tolist(), strict=True))
    members: dict[int, list[int]] = {}
    for atom in np.flatnonzero(is_kept).tolist():
        members.setdefault(int(joined[atom]), []).append(atom)
    for each in members.values():
        for place, first in enumerate(each):
            for second in each[place + 1 :]:
                if (first, second) not in known:
                    of = int(voters[atoms.document[first]])
                    yield Vote("conflict", first, second, 0, of, is_followed=True)


WAYS = ("majority",)

_SHOWN = 60

_FEWEST = 2


class Dispute(NamedTuple):
    """A mention, or two, on which there is a tie, or a conflict of majorities."""

    kind: str
    document: str
    place: str
    first: str
    second: str  # empty for a mention
    votes: int
    of: int
    here: str

    def __str__(self) -> str:
        """Say what it is about, and what the key has."""
        what = f"{self.first} and {self.second}" if self.second else self.first
        voted = f"{self.votes} of {self.of} " + (
            "put them together" if self.second else "marked it"
        )
        return f"{self.place}: {self.kind}: {what}: {voted}, here {self.here}"


def disputes_report(disputes: Sequence[Dispute]) -> Report:
    """Report disputes one by one."""
    return Report(
        name="disputes",
        parts=lambda: [Remarks([str(each) for each in disputes])],
        objects=lambda: [each._asdict() for each in disputes],
        rows=lambda: Rows(Dispute._fields, disputes),
    )


class Merged(NamedTuple):
    """What annotators have in common, as if it had been read, and their disputes."""

    read: Read
    disputes: tuple[Dispute, ...]
    notes: tuple[Note, ...]


def merge(reads: Sequence[Read], how: str) -> Merged:
    """Make one of files of the same texts."""
    if how not in WAYS:
        raise unknown("way to merge", how, WAYS)
    if len(reads) < _FEWEST:
        raise OptionError("a majority needs two files at least, and better three")
    corpora = [each.corpus for each in reads]
    annotated = unite(
        [(corpus.source, corpus) for corpus in corpora],
        resolve(
            None,
            format=corpora[0].format,
            match="exact",
            singletons="keep",
            duplicates="error",
        ),
        ("mentions",),
    )
    _refuse_more_documents(corpora, annotated)
    found = majority_of(annotated)
    found, dropped = _without_singletons(annotated, found)
    flat = _Flat.of(annotated)
    disputes = _disputes(annotated, found, flat.place())
    corpus = _corpus(annotated, found, flat)
    notes = (*annotated.notes, *_noted(disputes), *dropped, *_left_aside(corpora))
    # The lines of a table are those of one annotator.
    data = b"" if corpus.format == MENTION_TABLE else reads[0].data
    return Merged(Read(corpus, data), tuple(disputes), notes)


def refuse_same_files(sources: Sequence[Where]) -> None:
    """Refuse a file that is given twice: it would have two votes."""
    seen: set[str] = set()
    for source in sources:
        if isinstance(source, bytes):
            continue
        path = os.path.realpath(source)
        if path in seen:
            raise OptionError(f"'{os.fspath(source)}' is given twice; it has one vote")
        seen.add(path)


def _disputes(annotated: Annotated, found: Majority, place: Ints) -> list[Dispute]:
    """Put into words what is to be settled, in the order of the text."""
    texts = _Texts(annotated)
    votes = sorted(
        found.unsettled,
        key=lambda vote: (annotated.unit_document[vote.first], place[vote.first]),
    )
    return [texts.dispute(vote) for vote in votes]


def _refuse_more_documents(corpora: Sequence[Corpus], annotated: Annotated) -> None:
    lacked = np.flatnonzero(~annotated.has[:, 0]).tolist()
    if not lacked:
        return
    number = int(np.argmax(annotated.has[lacked[0]]))
    names = quoted([annotated.documents[row] for row in lacked])
    raise AlignmentError(
        f"the first file lacks what others have: {names}, the first of them in "
        f"{corpora[number].source}",
        source=corpora[0].source,
        hint="give a file with all documents first: its text is the merged one's",
    )


def _without_singletons(
    annotated: Annotated, found: Majority
) -> tuple[Majority, list[Note]]:
    """Leave out entities of one mention where no annotator has any."""
    marks = annotated.marks
    if (np.bincount(marks.entity)[marks.entity] == 1).any():
        return found, []
    entity = found.entity
    size = np.bincount(entity[entity >= 0], minlength=len(entity) + 1)
    is_alone = (entity >= 0) & (size[entity] == 1)
    count = int(is_alone.sum())
    if not count:
        return found, []
    mentions = "mention" if count == 1 else "mentions"
    message = (
        f"{count} {mentions} left out that a majority marked, but put with nothing by "
        "majority: nobody has entities of one mention"
    )
    left = found._replace(entity=np.where(is_alone, -1, entity))
    return left, [Note("lone-mentions", count, message)]


def _noted(disputes: Sequence[Dispute]) -> list[Note]:
    kinds = Counter(
        (each.kind, "links" if each.second else "mentions") for each in disputes
    )
    return [
        Note(f"{kind}-{what}", count, f"{what} with a {kind}: {count}")
        for (kind, what), count in sorted(kinds.items())
    ]


def _left_aside(corpora: Sequence[Corpus]) -> list[Note]:
    """Say that plurals and bridges are nobody's majority."""
    count = sum(
        len(each.anaphora.plural) + len(each.anaphora.anaphor)
        for each in corpora
        if each.anaphora is not None
    )
    if not count:
        return []
    message = f"plurals and bridges are not voted on: {count} left out"
    return [Note("not-merged", count, message)]


class _Texts:
    """What mentions look like, as the first one who marked them has them."""

    def __init__(self, annotated: Annotated) -> None:
        self._annotated = annotated
        marks = annotated.marks
        _, first = np.unique(marks.unit, return_index=True)
        self._corpus, self._row = marks.corpus[first], marks.row[first]
        self._tokens: dict[int, WordSets] = {}

    def dispute(self, vote: Vote) -> Dispute:
        """Say what a vote is about, and where it stands."""
        annotated = self._annotated
        document = int(annotated.unit_document[vote.first])
        corpus, row = self._of(vote.first)
        line = int(corpus.mention_line[row])
        here = "together" if vote.is_followed else "apart"
        return Dispute(
            vote.kind,
            annotated.documents[document],
            place_of(corpus.source, line),
            self._text(vote.first),
            self._text(vote.second) if vote.second >= 0 else "",
            vote.votes,
            vote.of,
            here if vote.second >= 0 else "left out",
        )

    def _of(self, unit: int) -> tuple[Corpus, int]:
        number = int(self._corpus[unit])
        return self._annotated.corpora[number], int(self._row[unit])

    def _text(self, unit: int) -> str:
        corpus, row = self._of(unit)
        if corpus.tokens is None:
            return corpus.place(row)
        number = int(self._corpus[unit])
        if number not in self._tokens:
            self._tokens[number] = corpus.tokens.of_mentions(corpus)
        sets = self._tokens[number]
        rows = sets.member[sets.start[row] : sets.start[row + 1]].tolist()
        text = " ".join(corpus.tokens.word.text(each) for each in rows)
        return f'"{text if len(text) <= _SHOWN else text[: _SHOWN - 1] + "…"}"'


class _Flat(NamedTuple):
    """The mentions of all corpora, one corpus behind the other; by unit, the first.

    Words are those of the first corpus, whose documents the others have some of.
    """

    row: Ints
    start: Ints
    end: Ints
    line: Ints
    words: Words | None
    pieces: WordSets | None  # tokens of mentions, if some have gaps

    @classmethod
    def of(cls, annotated: Annotated) -> _Flat:
        corpora, marks = annotated.corpora, annotated.marks
        before = np.cumsum([0, *(len(each.mention_entity) for each in corpora)])
        first = np.full(len(annotated.unit_document), len(marks.unit), dtype=np.int64)
        np.minimum.at(first, marks.unit, np.arange(len(marks.unit)))
        words = None
        if corpora[0].words is not None:
            words = _all_words([_moved(each, corpora[0]) for each in corpora])
        pieces = None
        if any(each.pieces is not None for each in corpora):
            pieces = reduce(WordSets.joined, (each.token_sets() for each in corpora))
        return cls(
            before[marks.corpus[first]] + marks.row[first],
            np.concatenate([each.mention_start for each in corpora]),
            np.concatenate([each.mention_end for each in corpora]),
            np.concatenate([each.mention_line for each in corpora]),
            words,
            pieces,
        )

    def place(self) -> Ints:
        """Say where each unit begins in its document."""
        if self.words is None:
            return self.start[self.row]
        return self.words.member[self.words.start[self.row]]


def _moved(corpus: Corpus, base: Corpus) -> Words:
    """Number words as the first file does, which may have more documents."""
    words, known = corpus.words, base.words
    assert words is not None
    assert known is not None
    names = {each.name: row for row, each in enumerate(base.documents)}
    there = np.array([names[each.name] for each in corpus.documents], dtype=np.int64)
    here = np.arange(len(there))
    if not words.by_document:
        here = _first_sentences(words)[here]
        there = _first_sentences(known)[there]
    document = corpus.mention_document
    shift = (there - here)[document] << np.int64(SENTENCE_BITS)
    head = words.head + shift
    moved = zip(words.head.tolist(), head.tolist(), strict=True)
    minimum = words.minimum
    if minimum is not None:
        member = minimum.member + np.repeat(shift, np.diff(minimum.start))
        minimum = WordSets(minimum.start, member)
    return words._replace(
        member=words.member + np.repeat(shift, words.length),
        head=head,
        dependencies={
            new: words.dependencies[old]
            for old, new in moved
            if old in words.dependencies
        },
        minimum=minimum,
    )


def _first_sentences(words: Words) -> Ints:
    return np.searchsorted(
        words.sentences.document, np.arange(words.sentences.document.max(initial=0) + 1)
    )


def _all_words(every: Sequence[Words]) -> Words:
    members = [Ragged(each.start, each.member) for each in every]
    minimums = [Ragged(*each.minimum) for each in every if each.minimum is not None]
    start, member = reduce(join_rows, members)
    return every[0]._replace(
        start=start,
        member=member,
        head=np.concatenate([each.head for each in every]),
        is_zero=np.concatenate([each.is_zero for each in every]),
        head_upos=np.concatenate([each.head_upos for each in every]),
        dependencies={
            k: v for each in reversed(every) for k, v in each.dependencies.items()
        },
        relations=(),
        minimum=WordSets(*reduce(join_rows, minimums)) if minimums else None,
    )


def _corpus(annotated: Annotated, found: Majority, flat: _Flat) -> Corpus:
    """Put the kept mentions into the first annotator's text."""
    units = np.flatnonzero(found.entity >= 0)
    # Entities are sorted by document and by their first mention.
    document = annotated.unit_document[units]
    units = units[np.lexsort((flat.place()[units], document))]
    _, first, entity = np.unique(
        found.entity[units], return_index=True, return_inverse=True
    )
    rank = np.argsort(np.argsort(first))
    entity = rank[entity]
    order = np.argsort(entity, kind="stable")
    units, entity = units[order], entity[order]
    row = flat.row[units]
    _, first = np.unique(entity, return_index=True)
    base = annotated.corpora[0]
    return dataclasses.replace(
        base,
        entity_document=annotated.unit_document[units[first]],
        entity_label=tuple(map(str, range(len(first)))),
        entity_type=_types(annotated, units, entity),
        mention_entity=entity,
        mention_start=flat.start[row],
        mention_end=flat.end[row],
        mention_line=flat.line[row],
        mention_order=None,
        pieces=flat.pieces and flat.pieces.take(row),
        words=None if flat.words is None else _words_of(flat.words, row),
        mention_type=None,
        mention_kbid=None,
        anaphora=None,
        notes=(),
    )


def _words_of(words: Words, row: Ints) -> Words:
    members = Ragged(words.start, words.member).take(row)
    minimum = words.minimum and WordSets(*Ragged(*words.minimum).take(row))
    return words._replace(
        start=members.start,
        member=members.value,
        head=words.head[row],
        is_zero=words.is_zero[row],
        head_upos=words.head_upos[row],
        minimum=minimum,
    )


def _types(annotated: Annotated, units: Ints, entity: Ints) -> tuple[str, ...] | None:
    """Give each entity the type that most marks of its mentions have."""
    if any(each.entity_type is None for each in annotated.corpora):
        return None
    of_unit = dict(zip(units.tolist(), entity.tolist(), strict=True))
    counts = [Counter[str]() for _ in range(int(entity.max(initial=-1)) + 1)]
    marks = annotated.marks
    columns = marks.unit.tolist(), marks.corpus.tolist(), marks.row.tolist()
    for unit, number, row in zip(*columns, strict=True):
        if unit in of_unit:
            corpus = annotated.corpora[number]
            types = corpus.entity_type or ()
            counts[of_unit[unit]][types[int(corpus.mention_entity[row])]] += 1
    return tuple(each.most_common(1)[0][0] for each in counts)
