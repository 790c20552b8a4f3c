"""Mentions as they are scored: their matches, their heads, and classes of errors.

Each mention is listed once. If a side lists a mention in two entities, the first entity
keeps it; if mentions are sets of words, the last one does, as in the official scorers.
The scheme's one-to-one matches are used unchanged.

An error about several mentions has the class of the first one, because the wrong link
was made, or the right one missed, there. The key's mention decides, or the response's
if the key has none. The distance of an error is that of a link to the previous mention
of the entity: in the response for conflated entities, wrong links and extra mentions,
otherwise in the key.

In CorefUD files without heads, the official scorer uses the first word of a mention as
its head. Scores follow it. Errors use the dependency trees instead, because otherwise
"the map" would be a pronoun, and a wrong span for "the map".
"""

from __future__ import annotations

import dataclasses
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from scoref.contingency.memberships import Listings as CellMentions
from scoref.errors import OptionError, unknown
from scoref.matching import Places
from scoref.matching.duplicates import first_listed, last_listed
from scoref.matching.ragged import Ragged
from scoref.model import SENTENCE_BITS, Note
from scoref.scoring.slices import classes_of, in_order
from scoref.tools.errors.kinds import BY, KINDS

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from scoref.matching import Matched
    from scoref.matching import Side as Listings
    from scoref.model import Corpus, Ints, WordSets
    from scoref.scheme import Scheme
    from scoref.tools.errors.findings import AnalysedSide, Analysis, Errors


class Mentions(NamedTuple):
    """One side, in the order of the text.

    ``words`` are numbered alike on both sides; None where mentions are spans, from
    ``first`` to ``last``. ``head`` is one of them; None where the format has no heads.
    ``partner`` is a place in the other side, or -1.
    """

    row: Ints
    document: Ints
    entity: Ints
    first: Ints
    last: Ints
    words: Ragged | None
    head: Ints | None
    partner: Ints

    @property
    def length(self) -> Ints:
        """Count the words of each mention."""
        return self.last - self.first + 1 if self.words is None else self.words.length

    def take(self, order: Ints) -> Mentions:
        """Keep some mentions, in another order."""
        return Mentions(
            row=self.row[order],
            document=self.document[order],
            entity=self.entity[order],
            first=self.first[order],
            last=self.last[order],
            words=None if self.words is None else self.words.take(order),
            head=None if self.head is None else self.head[order],
            partner=self.partner[order],
        )


class Matching(NamedTuple):
    """Both sides, and the unit of each document: itself, or its topic."""

    documents: tuple[str, ...]
    unit: Ints
    key: Mentions
    response: Mentions
    notes: tuple[Note, ...] = ()


def mentions_of(corpora: tuple[Corpus, Corpus], matched: Matched) -> Matching:
    """List the mentions of two corpora that were matched, each once."""
    words, sides = matched.words, (matched.key, matched.response)
    if words is not None:  # numbered alike on both sides
        corpora = words.key.corpus, words.response.corpus
    listed = first_listed if words is None else last_listed
    kept = [np.flatnonzero(listed(side)) for side in sides]
    documents, unit, *of_rows = matched.places or _own_places(matched)
    has_gaps = any(corpus.pieces is not None for corpus in corpora)
    both = [
        _mentions(*side, has_gaps=has_gaps)
        for side in zip(corpora, sides, kept, matched.partners, of_rows, strict=True)
    ]
    (of_key, key), (of_response, response) = both
    count = matched.mention_count
    key = key._replace(partner=_places(of_response, count)[key.partner])
    response = response._replace(partner=_places(of_key, count)[response.partner])
    notes = _repeated(sides, (key, response), "first" if words is None else "last")
    return Matching(documents, unit, key, response, notes)


def _own_places(matched: Matched) -> Places:
    """Say where mentions are if each document is a unit: where their entities are."""
    sides = matched.key, matched.response
    of_rows = [np.zeros(int(side.row.max(initial=-1)) + 1, np.int64) for side in sides]
    for side, document in zip(sides, of_rows, strict=True):
        document[side.row] = side.document
    unit = np.arange(len(matched.documents))
    return Places(matched.documents, unit, of_rows[0], of_rows[1])


def _mentions(
    corpus: Corpus,
    side: Listings,
    kept: Ints,
    partner: Ints,
    document: Ints,
    *,
    has_gaps: bool,
) -> tuple[Ints, Mentions]:
    """Sort the mentions of one side by the text; partners go by their numbers.

    ``has_gaps`` lists the tokens of spans, because a side has discontinuous mentions.
    """
    row = side.row[kept]
    found = Mentions(
        row=row,
        document=document[row],
        entity=_first_rows(corpus, side)[row],
        first=corpus.mention_start[row],
        last=corpus.mention_end[row],
        words=None,
        head=None,
        partner=partner[kept],
    )
    if corpus.words is not None:
        words = Ragged(corpus.words.start, corpus.words.member).take(row)
        head = None if corpus.words.by_document else corpus.words.head[row]
        found = _with_words(found, words, head)
    elif has_gaps:
        tokens = Ragged(*corpus.token_sets()).take(row)
        code = found.document[tokens.owner()] << SENTENCE_BITS | tokens.value
        found = _with_words(found, Ragged(tokens.start, code), None)
    order = np.lexsort((found.length, found.last, found.first, found.document))
    return side.mention[kept[order]], found.take(order)


def _first_rows(corpus: Corpus, side: Listings) -> Ints:
    """Call the entity of each mention by its first row in the corpus.

    It has several where it was joined with those of other documents.
    """
    own = corpus.mention_entity
    if corpus.words is not None:
        return own
    first = np.full(len(side.entity_document), len(corpus.entity_label))
    np.minimum.at(first, side.entity, own[side.row])
    found = own.copy()
    found[side.row] = first[side.entity]
    return found


def _with_words(mentions: Mentions, words: Ragged, head: Ints | None) -> Mentions:
    return mentions._replace(
        first=words.value[words.start[:-1]],
        last=words.value[words.start[1:] - 1],
        words=words,
        head=head,
    )


def _places(name: Ints, count: int) -> Ints:
    """Say where each mention stands, by what it is called; -1: nowhere."""
    place = np.full(count + 1, -1, dtype=np.int64)
    place[name] = np.arange(len(name))
    return place


def _repeated(
    listings: tuple[Listings, Listings], sides: tuple[Mentions, Mentions], keeper: str
) -> tuple[Note, ...]:
    """Say how many listings were left aside, because a mention stands here once."""
    notes = []
    for role, listed, mentions in zip(
        ("key", "response"), listings, sides, strict=True
    ):
        if count := len(listed.mention) - len(mentions.row):
            are = "listing" if count == 1 else "listings"
            message = (
                f"{count} {are} of repeated mentions of the {role} left aside: the "
                f"{keeper} entity that lists a mention keeps it here"
            )
            notes.append(Note(f"repeated-in-{role}", count, message))
    return tuple(notes)


_OF_SLICES = {"mention-class": "mention-type"}

_DISTANCES = ("0", "1", "2", "3-5", "6-")

FIRST = "first"

DISTANCES = (*_DISTANCES, FIRST)

_OF_RESPONSE = [place for place, kind in enumerate(KINDS) if kind.is_extra]


class Classes(NamedTuple):
    """Names of classes, and which one each error is of."""

    names: tuple[str, ...]
    of_error: Ints

    def counts(self, errors: Errors) -> Ints:
        """Count errors: a row for each class, a column for each kind."""
        return errors.counts(self.of_error, len(self.names))


def classify(analysis: Analysis, by: str) -> Classes:
    """Sort the errors of a response into classes."""
    if by not in BY:
        raise unknown("class of errors", by, BY)
    if by == "type":
        return Classes(("all",), np.zeros(len(analysis.errors.kind), dtype=np.int64))
    if by == "document":
        return Classes(analysis.documents, analysis.errors.document)
    if by == "distance":
        return _by_distance(analysis)
    kind = _OF_SLICES.get(by, by)
    sides = zip(analysis.corpora, (analysis.key, analysis.response), strict=True)
    labels = [_labels(kind, corpus, side) for corpus, side in sides]
    names = tuple(in_order({*labels[0], *labels[1]}, kind))
    number = {name: place for place, name in enumerate(names)}
    codes = [np.array([number[each] for each in side], np.int64) for side in labels]
    is_key = np.diff(analysis.errors.key_mentions.start) > 0
    return Classes(names, _of_first(analysis, codes, is_key))


def _labels(kind: str, corpus: Corpus, side: AnalysedSide) -> list[str]:
    nothing = np.zeros(0, dtype=np.int64)
    nobody = np.zeros(0, dtype=np.bool_)
    listings = CellMentions(
        corpus, side.row, side.entity, side.document, nothing, nobody, nobody
    )
    return classes_of(kind, listings, np.bincount(side.entity))


def mention_classes(corpus: Corpus, side: AnalysedSide) -> list[str] | None:
    """Name the class of each mention; None where the format has no parts of speech."""
    if not has_classes(corpus):
        return None
    return _labels(_OF_SLICES["mention-class"], corpus, side)


def has_classes(corpus: Corpus) -> bool:
    """Tell whether the format has parts of speech."""
    return corpus.words is not None and not corpus.words.by_document


def _of_first(analysis: Analysis, codes: list[Ints], is_key: NDArray[np.bool_]) -> Ints:
    """Give each error the code of its first mention, in the key or in the response."""
    errors = analysis.errors
    sets = errors.key_mentions, errors.response_mentions
    ours, theirs = (_firsts(each, code) for each, code in zip(sets, codes, strict=True))
    return np.where(is_key, ours, theirs)


def _firsts(mentions: WordSets, code: Ints) -> Ints:
    """Give each row what its first mention has; empty rows get anything."""
    first = np.append(mentions.member, -1)[mentions.start[:-1]]
    found: Ints = np.append(code, 0)[first]
    return found


def _by_distance(analysis: Analysis) -> Classes:
    distance = distances_of(analysis)
    place = np.searchsorted([1, 2, 3, 6], distance, side="right")
    return Classes(DISTANCES, np.where(distance < 0, len(_DISTANCES), place))


def distances_of(analysis: Analysis) -> Ints:
    """Count the sentences that each link goes back; -1 if the mention is the first."""
    sides = zip(analysis.corpora, (analysis.key, analysis.response), strict=True)
    codes = [_sentences_back(corpus, side) for corpus, side in sides]
    is_key = ~np.isin(analysis.errors.kind, _OF_RESPONSE)
    return _of_first(analysis, codes, is_key)


def _sentences_back(corpus: Corpus, side: AnalysedSide) -> Ints:
    """Count the sentences back to the mention before in the entity; -1: none."""
    sentence = sentences_of(corpus, side.row)
    order = np.lexsort((np.arange(len(sentence)), side.entity))
    is_first = np.diff(side.entity[order], prepend=-1) != 0
    distance = np.maximum(np.diff(sentence[order], prepend=0), 0)
    found = np.empty_like(distance)
    found[order] = np.where(is_first, -1, distance)
    return found


def sentences_of(corpus: Corpus, rows: Ints) -> Ints:
    """Give the sentence of each mention's first word, numbered through the corpus."""
    if corpus.tokens is not None:
        sets = corpus.tokens.of_mentions(corpus)
        return corpus.tokens.sentence[sets.member[sets.start[rows]]]
    if not has_sentences(corpus):
        raise OptionError(
            f"{corpus.source} does not say where sentences begin, so there is no "
            "distance"
        )
    assert corpus.words is not None
    found: Ints = corpus.words.member[corpus.words.start[rows]] >> SENTENCE_BITS
    return found


def has_sentences(corpus: Corpus) -> bool:
    """Tell whether it is known in which sentence a mention is."""
    if corpus.tokens is not None:
        return True
    return corpus.words is not None and not corpus.words.by_document


def with_heads(
    sides: tuple[Corpus, Corpus], scheme: Scheme
) -> tuple[tuple[Corpus, Corpus], Scheme]:
    """Give mentions their heads, and say how to match them.

    Where only one side has heads, mentions match by their words.
    """
    key, response = map(with_tree_heads, sides)
    if scheme.match == "head" and names_heads(key) != names_heads(response):
        scheme = dataclasses.replace(scheme, match="exact")
    return (key, response), scheme


def names_heads(side: Corpus) -> bool:
    """Tell whether heads are known, or not needed since mentions have one word each."""
    words = side.words
    return words is None or words.names_heads or not (words.length > 1).any()


def with_tree_heads(side: Corpus) -> Corpus:
    """Take heads from the trees, if the file names none and has trees."""
    words = side.words
    if words is None or words.tree_head is None or words.tree_upos is None:
        return side
    # What is a zero is up to the official scorer.
    head = np.where(words.is_zero, words.head, words.tree_head)
    upos = np.where(words.is_zero, words.head_upos, words.tree_upos)
    found = words._replace(head=head, head_upos=upos, names_heads=True)
    return dataclasses.replace(side, words=found)
