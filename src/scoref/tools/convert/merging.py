"""A key by majority from the files of several annotators, and what remains disputed.

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
from itertools import combinations
from typing import TYPE_CHECKING, Literal, NamedTuple

import numpy as np

from scoref.errors import AlignmentError, OptionError, place_of, quoted, unknown
from scoref.formats.catalogue import MENTION_TABLE
from scoref.formats.input_files import MemoryFile
from scoref.matching.ragged import Ragged, join_rows
from scoref.model import SENTENCE_BITS, Note, WordSets
from scoref.model.arrays import bounds, inverse
from scoref.notes import WARNING
from scoref.printable import counted
from scoref.render.report import Remarks, Report, Rows
from scoref.schemes import resolve
from scoref.scoring.annotators import atoms_of, links_of, unite
from scoref.tools.convert.sources import SourceCorpus

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from scoref.formats.inputs import Path
    from scoref.model import Corpus, Words
    from scoref.model.arrays import Ints, Mask
    from scoref.scoring.annotators import Annotated, Atoms, Links


class Dispute(NamedTuple):
    """A tie or a conflict about a mention or a link, in words."""

    kind: str
    document: str
    place: str
    first: str
    second: str  # empty for a mention
    votes: int
    of: int
    here: str

    def __str__(self) -> str:
        """Say what the dispute is about, and what the key has."""
        what = f"{self.first} and {self.second}" if self.second else self.first
        action = "linked them" if self.second else "marked it"
        votes = f"{self.votes} of {self.of} annotators {action}"
        return f"{self.place}: {self.kind}: {what}: {votes}. In the key: {self.here}."


def disputes_report(disputes: Sequence[Dispute]) -> Report:
    """Report disputes one by one."""
    return Report(
        name="disputes",
        parts=lambda: [Remarks([str(dispute) for dispute in disputes])],
        objects=lambda: [dispute._asdict() for dispute in disputes],
        rows=lambda: Rows(Dispute._fields, disputes),
    )


class Merged(NamedTuple):
    """The merged corpus, the disputes, and notes about what was left out."""

    source: SourceCorpus
    disputes: tuple[Dispute, ...]
    notes: tuple[Note, ...]


WAYS = ("majority",)


_FEWEST = 2


def merge(sources: Sequence[SourceCorpus], how: str) -> Merged:
    """Merge the files of several annotators, who had the same texts."""
    if how not in WAYS:
        raise unknown("merge method", how, WAYS)
    if len(sources) < _FEWEST:
        raise OptionError("a majority needs at least two files, preferably three")
    corpora = [source.corpus for source in sources]
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
    majority, notes = _drop_new_singletons(annotated, majority_of(annotated))
    mentions = _AllMentions.of(annotated)
    place = mentions.place()
    votes = sorted(
        majority.disputed,
        key=lambda vote: (annotated.unit_document[vote.first], place[vote.first]),
    )
    texts = _DisputeTexts(annotated)
    disputes = tuple(texts.dispute(vote) for vote in votes)
    corpus = _merged_corpus(annotated, majority, mentions)
    # The lines of a table are those of one annotator.
    data = b"" if corpus.format == MENTION_TABLE else sources[0].data
    return Merged(
        SourceCorpus(corpus, data),
        disputes,
        (
            *annotated.notes,
            *_dispute_notes(disputes),
            *notes,
            *_relation_notes(corpora),
        ),
    )


def refuse_same_files(sources: Sequence[Path]) -> None:
    """Refuse a file that is given twice: it would have two votes."""
    seen: set[str] = set()
    for source in sources:
        if isinstance(source, MemoryFile):
            continue
        path = os.path.realpath(source)
        if path in seen:
            raise OptionError(f"'{os.fspath(source)}' is given twice. Give it once")
        seen.add(path)


def _refuse_more_documents(corpora: Sequence[Corpus], annotated: Annotated) -> None:
    """Refuse documents that the first file does not have."""
    missing = np.flatnonzero(~annotated.has[:, 0]).tolist()
    if not missing:
        return
    number = int(np.argmax(annotated.has[missing[0]]))
    names = quoted([annotated.documents[row] for row in missing])
    raise AlignmentError(
        f"the first file lacks {names}, which {corpora[number].source} has",
        source=corpora[0].source,
        hint="Give a file with all documents first. Its text becomes the merged text.",
    )


class Vote(NamedTuple):
    """A disputed mention, or link of two mentions: votes for it, and of how many.

    ``second`` is -1 for a mention. ``is_followed`` says whether it is in the key.
    """

    kind: Literal["tie", "conflict"]
    first: int
    second: int
    votes: int
    of: int
    is_followed: bool


class Majority(NamedTuple):
    """The entity of each mention (-1 if it is left out), and the disputed votes."""

    entity: Ints
    disputed: tuple[Vote, ...]


def majority_of(annotated: Annotated) -> Majority:
    """Join the mentions that most annotators put together."""
    marked = np.bincount(annotated.marks.unit, minlength=len(annotated.unit_document))
    voters = annotated.has.sum(axis=1)[annotated.unit_document]
    kept = 2 * marked > voters
    atoms = atoms_of(annotated)
    links = links_of(annotated, atoms, None)
    is_kept = np.zeros(len(atoms.size), dtype=np.bool_)
    is_kept[atoms.of_unit[kept]] = True  # an atom is kept or left out as a whole
    atom_entity = _join_atoms(annotated, atoms, links, is_kept)
    entity = np.where(kept, atom_entity[atoms.of_unit], -1)
    ties = [
        Vote("tie", unit, -1, int(marked[unit]), int(voters[unit]), is_followed=False)
        for unit in np.flatnonzero(2 * marked == voters).tolist()
    ]
    # A link of two atoms is reported as a link of their first mentions.
    first = _first_rows(atoms.of_unit, len(atoms.size))
    disputed_links = [
        vote._replace(first=int(first[vote.first]), second=int(first[vote.second]))
        for vote in _disputed_links(annotated, atoms, links, atom_entity, is_kept)
    ]
    return Majority(entity, (*ties, *disputed_links))


def _first_rows(group: Ints, groups: int) -> Ints:
    """Return the first row of each group."""
    first = np.full(groups, len(group), dtype=np.int64)
    np.minimum.at(first, group, np.arange(len(group)))
    return first


def _join_atoms(
    annotated: Annotated, atoms: Atoms, links: Links, is_kept: Mask
) -> Ints:
    """Return the entity of each atom, which is numbered by one of its atoms."""
    voters = annotated.has.sum(axis=1)
    rows = np.flatnonzero(
        (links.first != links.second) & is_kept[links.first] & is_kept[links.second]
    )
    entities = _GrowingEntities(atoms.size.tolist(), voters[atoms.document].tolist())
    columns = (links.first, links.second, links.votes * links.times)
    for first, second, votes in zip(
        *(column[rows].tolist() for column in columns), strict=True
    ):
        entities.link(first, second, votes)
    entities.grow()
    return np.array([entities.root(atom) for atom in range(len(atoms.size))], np.int64)


class _GrowingEntities:
    """Entities that are joined two by two; each is numbered by its first atom."""

    def __init__(self, size: list[int], voters: list[int]) -> None:
        self._size, self._voters = size, voters
        self._parent = list(range(len(size)))
        self._votes: dict[int, dict[int, int]] = {}
        self._heap: list[tuple[float, int, int]] = []

    def link(self, first: int, second: int, votes: int) -> None:
        """Count votes for links between two entities."""
        for one, other in ((first, second), (second, first)):
            votes_of_one = self._votes.setdefault(one, {})
            votes_of_one[other] = votes_of_one.get(other, 0) + votes

    def grow(self) -> None:
        """Join two entities as long as a majority does, best agreement first."""
        for first, others in self._votes.items():
            for second in others:
                if first < second:
                    self._offer(first, second)
        while self._heap:
            share, first, second = heapq.heappop(self._heap)
            # Entities that were joined in the meantime have another share, or none.
            if -share == self._share(first, second):
                self._join(first, second)

    def root(self, atom: int) -> int:
        """Find the entity of an atom."""
        while self._parent[atom] != atom:
            atom = self._parent[atom]
        return atom

    def _share(self, first: int, second: int) -> float:
        """Return the mean vote over all links between two; 0 if one is gone."""
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
        # The size of the entity has changed, so all its shares have.
        for other in self._votes[first]:
            self._offer(*sorted((first, other)))


def _disputed_links(
    annotated: Annotated,
    atoms: Atoms,
    links: Links,
    atom_entity: Ints,
    is_kept: Mask,
) -> Iterable[Vote]:
    """List links with even votes, and links that contradict a majority."""
    voters = annotated.has.sum(axis=1)
    is_link = is_kept[links.first] & is_kept[links.second]
    is_link &= links.first != links.second
    of = voters[links.document]
    together = atom_entity[links.first] == atom_entity[links.second]
    is_tie = 2 * links.votes == of
    against = np.where(together, 2 * links.votes < of, 2 * links.votes > of)
    for row in np.flatnonzero(is_link & (is_tie | against)).tolist():
        yield Vote(
            "tie" if is_tie[row] else "conflict",
            int(links.first[row]),
            int(links.second[row]),
            int(links.votes[row]),
            int(of[row]),
            is_followed=bool(together[row]),
        )
    # No annotator has a link between some atoms of one entity.
    known = set(zip(links.first.tolist(), links.second.tolist(), strict=True))
    members: dict[int, list[int]] = {}
    for atom in np.flatnonzero(is_kept).tolist():
        members.setdefault(int(atom_entity[atom]), []).append(atom)
    for entity_atoms in members.values():
        for first, second in combinations(entity_atoms, 2):
            if (first, second) not in known:
                count = int(voters[atoms.document[first]])
                yield Vote("conflict", first, second, 0, count, is_followed=True)


def _drop_new_singletons(
    annotated: Annotated, majority: Majority
) -> tuple[Majority, list[Note]]:
    """Leave out entities of one mention if no annotator has any."""
    marks = annotated.marks
    if (np.bincount(marks.entity)[marks.entity] == 1).any():
        return majority, []
    entity = majority.entity
    size = np.bincount(entity[entity >= 0], minlength=len(entity) + 1)
    is_singleton = (entity >= 0) & (size[entity] == 1)
    count = int(is_singleton.sum())
    if not count:
        return majority, []
    message = (
        f"scoref left out {counted(count, 'mention')} that a majority marked but did "
        "not link, because no annotator has entities with one mention."
    )
    left = majority._replace(entity=np.where(is_singleton, -1, entity))
    return left, [Note("lone-mentions", count, message)]


def _dispute_notes(disputes: Sequence[Dispute]) -> list[Note]:
    """Count the disputes of each kind."""
    kinds = Counter(
        (dispute.kind, "links" if dispute.second else "mentions")
        for dispute in disputes
    )
    return [
        Note(f"{kind}-{what}", count, f"There are {kind}s about {count:,} {what}.")
        for (kind, what), count in sorted(kinds.items())
    ]


def _relation_notes(corpora: Sequence[Corpus]) -> list[Note]:
    """Report that plurals and bridges are left out."""
    count = sum(
        len(corpus.anaphora.plural) + len(corpus.anaphora.anaphor)
        for corpus in corpora
        if corpus.anaphora is not None
    )
    if not count:
        return []
    message = (
        f"{WARNING}Split antecedents and bridges are not merged: {count:,} left out."
    )
    return [Note("not-merged", count, message)]


_MOST_CHARACTERS = 60


class _DisputeTexts:
    """The texts of mentions, each from the first annotator who marked it."""

    def __init__(self, annotated: Annotated) -> None:
        self._annotated = annotated
        marks = annotated.marks
        _, first = np.unique(marks.unit, return_index=True)
        self._corpus, self._row = marks.corpus[first], marks.row[first]
        self._tokens: dict[int, WordSets] = {}

    def dispute(self, vote: Vote) -> Dispute:
        """Say what a vote is about, and where."""
        annotated = self._annotated
        document = int(annotated.unit_document[vote.first])
        corpus = annotated.corpora[int(self._corpus[vote.first])]
        line = int(corpus.mention_line[int(self._row[vote.first])])
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

    def _text(self, unit: int) -> str:
        number, row = int(self._corpus[unit]), int(self._row[unit])
        corpus = self._annotated.corpora[number]
        if corpus.tokens is None:
            return corpus.place(row)
        if number not in self._tokens:
            self._tokens[number] = corpus.tokens.of_mentions(corpus)
        sets = self._tokens[number]
        tokens = sets.member[sets.start[row] : sets.start[row + 1]].tolist()
        text = " ".join(corpus.tokens.word.text(token) for token in tokens)
        if len(text) > _MOST_CHARACTERS:
            text = text[: _MOST_CHARACTERS - 1] + "…"
        return f'"{text}"'


class _AllMentions(NamedTuple):
    """The mentions of all corpora, one corpus after the other.

    ``row`` is the first mention of each unit. Words have the codes of the first corpus,
    which has all documents.
    """

    row: Ints
    start: Ints
    end: Ints
    line: Ints
    words: Words | None
    pieces: WordSets | None  # tokens of mentions, if some have gaps

    @classmethod
    def of(cls, annotated: Annotated) -> _AllMentions:
        """Concatenate the mentions of all annotators."""
        corpora, marks = annotated.corpora, annotated.marks
        count = np.array([len(corpus.mention_entity) for corpus in corpora])
        first = _first_rows(marks.unit, len(annotated.unit_document))
        words = None
        if corpora[0].words is not None:
            words = _join_words(
                [_renumber_words(corpus, corpora[0]) for corpus in corpora]
            )
        pieces = None
        if any(corpus.pieces is not None for corpus in corpora):
            sets = (corpus.token_sets() for corpus in corpora)
            pieces = reduce(WordSets.joined, sets)
        return cls(
            bounds(count)[marks.corpus[first]] + marks.row[first],
            np.concatenate([corpus.mention_start for corpus in corpora]),
            np.concatenate([corpus.mention_end for corpus in corpora]),
            np.concatenate([corpus.mention_line for corpus in corpora]),
            words,
            pieces,
        )

    def place(self) -> Ints:
        """Return where each unit starts in its document."""
        if self.words is None:
            return self.start[self.row]
        return self.words.member[self.words.start[self.row]]


def _renumber_words(corpus: Corpus, base: Corpus) -> Words:
    """Number words as in the first file, which may have more documents."""
    words, base_words = corpus.words, base.words
    assert words is not None
    assert base_words is not None
    row_of = {document.name: row for row, document in enumerate(base.documents)}
    rows = [row_of[document.name] for document in corpus.documents]
    there = np.array(rows, dtype=np.int64)
    here = np.arange(len(there))
    if not words.by_document:
        here = _first_sentences(words)[here]
        there = _first_sentences(base_words)[there]
    shift = (there - here)[corpus.mention_document] << np.int64(SENTENCE_BITS)
    head = words.head + shift
    heads = zip(words.head.tolist(), head.tolist(), strict=True)
    minimum = words.minimum
    if minimum is not None:
        member = minimum.member + np.repeat(shift, np.diff(minimum.start))
        minimum = WordSets(minimum.start, member)
    return words._replace(
        member=words.member + np.repeat(shift, words.length),
        head=head,
        dependencies={
            new: words.dependencies[old]
            for old, new in heads
            if old in words.dependencies
        },
        minimum=minimum,
    )


def _first_sentences(words: Words) -> Ints:
    """Return the first sentence of each document."""
    document = words.sentences.document
    return np.searchsorted(document, np.arange(document.max(initial=0) + 1))


def _join_words(parts: Sequence[Words]) -> Words:
    """Concatenate the words of mentions; the first corpus decides dependencies."""
    members = [Ragged(words.start, words.member) for words in parts]
    minimums = [Ragged(*words.minimum) for words in parts if words.minimum is not None]
    start, member = reduce(join_rows, members)
    return parts[0]._replace(
        start=start,
        member=member,
        head=np.concatenate([words.head for words in parts]),
        is_zero=np.concatenate([words.is_zero for words in parts]),
        head_upos=np.concatenate([words.head_upos for words in parts]),
        dependencies={
            node: heads
            for words in reversed(parts)
            for node, heads in words.dependencies.items()
        },
        relations=(),
        minimum=WordSets(*reduce(join_rows, minimums)) if minimums else None,
    )


def _merged_corpus(
    annotated: Annotated, majority: Majority, mentions: _AllMentions
) -> Corpus:
    """Put the kept mentions into the first annotator's text."""
    units = np.flatnonzero(majority.entity >= 0)
    # Entities are sorted by document and by their first mention.
    document = annotated.unit_document[units]
    units = units[np.lexsort((mentions.place()[units], document))]
    _, first, entity = np.unique(
        majority.entity[units], return_index=True, return_inverse=True
    )
    entity = inverse(np.argsort(first))[entity]
    order = np.argsort(entity, kind="stable")
    units, entity = units[order], entity[order]
    row = mentions.row[units]
    _, first = np.unique(entity, return_index=True)
    base = annotated.corpora[0]
    return dataclasses.replace(
        base,
        entity_document=annotated.unit_document[units[first]],
        entity_label=tuple(map(str, range(len(first)))),
        entity_type=_majority_types(annotated, units, entity),
        mention_entity=entity,
        mention_start=mentions.start[row],
        mention_end=mentions.end[row],
        mention_line=mentions.line[row],
        mention_order=None,
        pieces=mentions.pieces and mentions.pieces.take(row),
        words=None if mentions.words is None else _take_words(mentions.words, row),
        mention_type=None,
        mention_kbid=None,
        anaphora=None,
        notes=(),
    )


def _take_words(words: Words, row: Ints) -> Words:
    """Keep the words of some mentions, in a new order."""
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


def _majority_types(
    annotated: Annotated, units: Ints, entity: Ints
) -> tuple[str, ...] | None:
    """Return the type that most marks of an entity's mentions have."""
    if any(corpus.entity_type is None for corpus in annotated.corpora):
        return None
    entity_of = dict(zip(units.tolist(), entity.tolist(), strict=True))
    counts = [Counter[str]() for _ in range(int(entity.max(initial=-1)) + 1)]
    marks = annotated.marks
    columns = marks.unit.tolist(), marks.corpus.tolist(), marks.row.tolist()
    for unit, number, row in zip(*columns, strict=True):
        if unit in entity_of:
            corpus = annotated.corpora[number]
            types = corpus.entity_type or ()
            counts[entity_of[unit]][types[int(corpus.mention_entity[row])]] += 1
    return tuple(count.most_common(1)[0][0] for count in counts)
