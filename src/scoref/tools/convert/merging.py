"""A key by majority from the files of several annotators, and what remains disputed.

`scoref.scoring.majority` says what the majority is. A curator's decisions are applied
to it, if there are any. The text of a document is that of the first annotator who has
it. A mention is copied from the first annotator who marked it.
"""

from __future__ import annotations

import dataclasses
import os
from collections import Counter
from functools import reduce
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from scoref.errors import AlignmentError, OptionError, place_of, unknown
from scoref.formats.catalogue import MENTION_TABLE
from scoref.formats.input_files import MemoryFile
from scoref.matching.ragged import Ragged, join_rows
from scoref.model import Note, WordSets
from scoref.model.arrays import bounds, inverse
from scoref.notes import WARNING
from scoref.printable import counted
from scoref.render.report import Remarks, Report, Rows
from scoref.scoring.majority import (
    first_rows,
    has_singletons,
    majority_of,
    unite_for_key,
)
from scoref.tools.convert.content import Content
from scoref.tools.convert.sources import SourceCorpus, source_of

if TYPE_CHECKING:
    from collections.abc import Sequence

    from scoref.formats.inputs import Path
    from scoref.model import Corpus, Words
    from scoref.model.arrays import Ints
    from scoref.scoring.annotators import Annotated
    from scoref.scoring.majority import Vote
    from scoref.tools.convert.sources import SourceContent


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
    """The merged content, the disputes, and notes about what was left out."""

    source: SourceContent
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
    annotated = unite_for_key([(corpus.source, corpus) for corpus in corpora])
    if len(annotated.documents) and annotated.has.sum(axis=1).max() < _FEWEST:
        raise AlignmentError(
            f"this file and {corpora[0].source} have no document in common",
            source=corpora[1].source,
            hint="Give the files of annotators of the same texts. Documents are "
            "paired by name.",
        )
    majority = majority_of(annotated)
    return _merged(sources, annotated, majority.entity, majority.disputed)


def merge_decided(sources: Sequence[SourceCorpus], path: Path) -> Merged:
    """Merge the files of annotators as a curator decided.

    Raises:
        FormatError: the decisions are damaged, or were made about other annotations.
    """
    from scoref.tools.agree.adjudication import Adjudication
    from scoref.tools.agree.decisions import adjudicate, match_inputs, read_decisions

    decisions = read_decisions(path)
    order = match_inputs(decisions, [source.corpus for source in sources])
    sources = [sources[place] for place in order]
    names = [annotator.name for annotator in decisions.annotators]
    corpora = [source.corpus for source in sources]
    adjudication = Adjudication([*zip(names, corpora, strict=True)])
    outcome = adjudicate(adjudication, decisions)
    left = [
        vote._replace(is_followed=_is_followed(vote, outcome.entity))
        for vote in adjudication.majority.disputed
        if not outcome.is_decided[[vote.first, max(vote.second, vote.first)]].any()
    ]
    merged = _merged(sources, adjudication.annotated, outcome.entity, left)
    return merged._replace(notes=(*outcome.notes(), *merged.notes))


def _is_followed(vote: Vote, entity: Ints) -> bool:
    """Return whether the key has what a vote is about."""
    if vote.second < 0:
        return bool(entity[vote.first] >= 0)
    return bool(entity[vote.first] == entity[vote.second])


def _merged(
    sources: Sequence[SourceCorpus],
    annotated: Annotated,
    entity: Ints,
    disputed: Sequence[Vote],
) -> Merged:
    """Put the mentions that have an entity into the text, and describe the disputes."""
    entity, notes = _drop_new_singletons(annotated, entity)
    mentions = _AllMentions.of(annotated)
    place = mentions.place()
    votes = sorted(
        disputed,
        key=lambda vote: (annotated.unit_document[vote.first], place[vote.first]),
    )
    texts = _DisputeTexts(annotated)
    disputes = tuple(texts.dispute(vote) for vote in votes)
    return Merged(
        _merged_content(sources, annotated, entity, mentions),
        disputes,
        (
            *annotated.notes,
            *_dispute_notes(disputes),
            *notes,
            *_relation_notes(annotated.corpora),
        ),
    )


def _merged_content(
    sources: Sequence[SourceCorpus],
    annotated: Annotated,
    key_entity: Ints,
    mentions: _AllMentions,
) -> SourceContent:
    """Put the mentions that have an entity into the texts of the annotators."""
    owner = annotated.has.argmax(axis=1)  # the first annotator who has a document
    owners = np.unique(owner).tolist() or [0]
    parts = []
    for number in owners:
        corpus, data = sources[number]
        is_here = owner[annotated.unit_document] == number
        entity = np.where(is_here, key_entity, -1)
        merged = _merged_corpus(annotated, entity, mentions, number)
        # The lines of a table are those of one annotator.
        is_table = corpus.format == MENTION_TABLE
        part = source_of(SourceCorpus(merged, b"" if is_table else data))
        is_own = owner[annotated.rows[number]] == number
        parts.append(part._replace(content=part.content.keep_documents(is_own)))
    first = parts[0]
    if len(parts) == 1:
        return first
    return first._replace(
        content=Content.joined([part.content for part in parts]),
        data=b"",  # one file does not have all of the text
        losses=tuple(loss for part in parts for loss in part.losses),
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


def _drop_new_singletons(annotated: Annotated, entity: Ints) -> tuple[Ints, list[Note]]:
    """Leave out entities of one mention if no annotator has any."""
    if has_singletons(annotated):
        return entity, []
    _, number, size = np.unique(entity, return_inverse=True, return_counts=True)
    is_singleton = (entity >= 0) & (size[number] == 1)
    count = int(is_singleton.sum())
    if not count:
        return entity, []
    message = (
        f"scoref left out {counted(count, 'mention')} that would be alone in an "
        "entity, because no annotator has entities with one mention."
    )
    left = np.where(is_singleton, -1, entity)
    return left, [Note("lone-mentions", count, message)]


def _dispute_notes(disputes: Sequence[Dispute]) -> list[Note]:
    """Count the disputes of each kind."""
    kinds = Counter(
        (dispute.kind, "links" if dispute.second else "mentions")
        for dispute in disputes
    )
    notes = []
    for (kind, what), count in sorted(kinds.items()):
        verb = "is" if count == 1 else "are"
        message = f"There {verb} {counted(count, kind)} about {what}."
        notes.append(Note(f"{kind}-{what}", count, message))
    return notes


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
        here = ("together", "kept") if vote.is_followed else ("apart", "left out")
        return Dispute(
            vote.kind,
            annotated.documents[document],
            place_of(corpus.source, line),
            self._text(vote.first),
            self._text(vote.second) if vote.second >= 0 else "",
            vote.votes,
            vote.of,
            here[vote.second < 0],
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

    ``row`` is the first mention of each unit. Words are counted from the start of their
    document.
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
        first = first_rows(marks.unit, len(annotated.unit_document))
        words = None
        if corpora[0].words is not None:
            words = _join_words([*map(_words_by_document, corpora)])
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


def _words_by_document(corpus: Corpus) -> Words:
    """Count the words of mentions from the start of their documents."""
    words = corpus.words
    assert words is not None
    code = words.document_codes(len(corpus.documents))
    return _move_words(words, -code[corpus.mention_document])


def _move_words(words: Words, by: Ints) -> Words:
    """Add a number to all words of a mention."""
    minimum = words.minimum
    if minimum is not None:
        member = minimum.member + np.repeat(by, np.diff(minimum.start))
        minimum = WordSets(minimum.start, member)
    return words._replace(
        member=words.member + np.repeat(by, words.length),
        head=words.head + by,
        minimum=minimum,
    )


def _join_words(parts: Sequence[Words]) -> Words:
    """Concatenate the words of mentions, without their dependencies."""
    members = [Ragged(words.start, words.member) for words in parts]
    minimums = [Ragged(*words.minimum) for words in parts if words.minimum is not None]
    start, member = reduce(join_rows, members)
    return parts[0]._replace(
        start=start,
        member=member,
        head=np.concatenate([words.head for words in parts]),
        is_zero=np.concatenate([words.is_zero for words in parts]),
        head_upos=np.concatenate([words.head_upos for words in parts]),
        dependencies={},
        relations=(),
        minimum=WordSets(*reduce(join_rows, minimums)) if minimums else None,
    )


def _merged_corpus(
    annotated: Annotated, key_entity: Ints, mentions: _AllMentions, number: int
) -> Corpus:
    """Put the kept mentions into the text of an annotator."""
    units = np.flatnonzero(key_entity >= 0)
    # Entities are sorted by document and by their first mention.
    document = annotated.unit_document[units]
    units = units[np.lexsort((mentions.place()[units], document))]
    _, first, entity = np.unique(
        key_entity[units], return_index=True, return_inverse=True
    )
    entity = inverse(np.argsort(first))[entity]
    order = np.argsort(entity, kind="stable")
    units, entity = units[order], entity[order]
    row = mentions.row[units]
    _, first = np.unique(entity, return_index=True)
    base = annotated.corpora[number]
    row_of = np.zeros(len(annotated.documents), dtype=np.int64)
    row_of[annotated.rows[number]] = np.arange(len(base.documents))
    words = None
    if mentions.words is not None and base.words is not None:
        code = base.words.document_codes(len(base.documents))
        document = row_of[annotated.unit_document[units]]
        words = _move_words(_take_words(mentions.words, row), code[document])
    return dataclasses.replace(
        base,
        entity_document=row_of[annotated.unit_document[units[first]]],
        entity_label=tuple(map(str, range(len(first)))),
        entity_type=_majority_types(annotated, units, entity),
        mention_entity=entity,
        mention_start=mentions.start[row],
        mention_end=mentions.end[row],
        mention_line=mentions.line[row],
        mention_order=None,
        pieces=mentions.pieces and mentions.pieces.take(row),
        words=words,
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
