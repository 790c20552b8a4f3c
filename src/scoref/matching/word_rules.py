"""Rules for matching sets of words: zeros, CRAFT, the official alignment, and heads.

Zeros match by their dependencies, not by their place in the sentence. With D the
dependencies of an empty node, as pairs of parent and relation, and P its parents alone,
two zeros of the same sentence score

    10 · F(D, D′) + F(P, P′)

where F is the F₁ of two sets. A zero without dependencies scores nothing.

`craft_matches` is the partial match of the CRAFT shared task of 2019. A response
mention matches a key mention if one of its runs of consecutive words lies inside the
first run of the key's. Response mentions choose in the order of the text, each the
first key mention that it matches, and have no second choice.

`targets` says to which mention of the other side each mention leads. The official
CorefUD scorer keeps its matches in one dictionary for both directions: if m was matched
with another mention m′, m leads to m′ and m′ to m. Equal mentions of both sides share
an entry, so an unmatched mention may lead to the other side's match, and a match may be
overwritten (``alignment:official``). A true one-to-one alignment has two dictionaries,
and an unmatched mention leads nowhere (``alignment:one-to-one``).

`head_notes` warns if one side has no heads, or if all its heads are first words.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from scoref.classes import NamedTuple
from scoref.errors import TooLargeError
from scoref.matching.ragged import Ragged, count_shared
from scoref.model import SENTENCE_BITS, WORD_BITS, Note
from scoref.model.arrays import is_new, ranges, runs
from scoref.notes import WARNING

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from numpy.typing import NDArray

    from scoref.matching.words import WordMatches
    from scoref.model import Corpus, Ints, Words
    from scoref.scheme import Alignment, Scheme

    Dependencies = Mapping[int, frozenset[tuple[str, str]]]
    Heads = tuple[Ints, NDArray[np.bool_], Dependencies]
    Floats = NDArray[np.float64]
    Known = dict[tuple[int, object], int]


_WITH_RELATION = 10


class _Zeros(NamedTuple):
    """The zeros of one side: rows, and numbers of their dependencies and parents."""

    row: Ints
    dependencies: Ragged
    parents: Ragged

    @classmethod
    def of(cls, heads: Heads, known: Known) -> _Zeros:
        """Number dependencies and parents per sentence, alike on both sides."""
        rows = np.flatnonzero(heads[1])
        dependencies = [
            (head >> SENTENCE_BITS, heads[2][head]) for head in heads[0][rows].tolist()
        ]
        parents = [
            (sentence, {parent for parent, _ in pairs})
            for sentence, pairs in dependencies
        ]
        return cls(rows, _numbers(dependencies, known), _numbers(parents, known))


def dependency_scores(key: Heads, response: Heads) -> tuple[Ints, Ints, Floats]:
    """Score pairs of zeros of one sentence, without the pairs that score 0.

    >>> subject, object_ = (frozenset({("4", name)}) for name in ("nsubj", "obj"))
    >>> rows = np.arange(2), np.ones(2, dtype=np.bool_)
    >>> sides = (*rows, {0: subject, 1: object_}), (*rows, {0: subject, 1: subject})
    >>> [column.tolist() for column in dependency_scores(*sides)]
    [[0, 0, 1, 1], [0, 1, 0, 1], [11.0, 11.0, 1.0, 1.0]]
    """
    known: Known = {}
    ours, theirs = _Zeros.of(key, known), _Zeros.of(response, known)
    width = np.int64(max(1, len(theirs.row)))
    # Zeros with a common dependency have its parent in common.
    try:
        pairs, score = _f1(ours.parents, theirs.parents, width)
    except TooLargeError as error:
        raise TooLargeError(
            f"{len(ours.row):,} zeros of the key and {len(theirs.row):,} of the "
            "response share parents in too many ways to be compared\n"
            "  hint: Use --zeros linear (zeros=linear in Python) to match zeros by "
            "place."
        ) from error
    some, relation_score = _f1(ours.dependencies, theirs.dependencies, width)
    with_relation = np.zeros(len(pairs))
    with_relation[np.searchsorted(pairs, some)] = _WITH_RELATION * relation_score
    score = with_relation + score
    return ours.row[pairs // width], theirs.row[pairs % width], score


def _numbers(rows: Iterable[tuple[int, Iterable[object]]], known: Known) -> Ragged:
    numbers = [
        [known.setdefault((sentence, value), len(known)) for value in values]
        for sentence, values in rows
    ]
    start = np.cumsum([0, *map(len, numbers)])
    flat = [number for row in numbers for number in row]
    return Ragged(start, np.array(flat, np.int64))


def _f1(one: Ragged, other: Ragged, width: np.int64) -> tuple[Ints, Floats]:
    """Return the codes of pairs of sets that share something, and their F₁."""
    ours, theirs, common = count_shared(one, other)
    recall, precision = common / one.length[ours], common / other.length[theirs]
    return ours * width + theirs, 2 * precision * recall / (precision + recall)


_NEXT = 1 << WORD_BITS


class _Runs(NamedTuple):
    """Runs of consecutive words, and the mention of each."""

    owner: Ints
    first: Ints
    last: Ints

    @classmethod
    def of(cls, words: Ragged) -> _Runs:
        value, owner = words.value, words.owner()
        # Words of a run differ by one step, so their distance from the row is constant.
        first, length = runs(value - _NEXT * np.arange(len(value)), owner)
        return cls(owner[first], value[first], value[first + length - 1])


def craft_matches(
    key: Ragged,
    response: Ragged,
    common: tuple[Ints, Ints, Ints],
    order: tuple[Ints, Ints],
) -> tuple[Ints, Ints]:
    """Match mentions by the rule of CRAFT, among the pairs that share words.

    Args:
        key: words of the key's mentions.
        response: words of the response's mentions.
        common: pairs of rows that share words, and the number of these words.
        order: for each side, the place of each row in the text; -1: do not match it.
    """
    ours, theirs, _ = common
    kept = (order[0][ours] >= 0) & (order[1][theirs] >= 0)
    ours, theirs = ours[kept], theirs[kept]
    kept = _is_inside(key, response, ours, theirs)
    ours, theirs = ours[kept], theirs[kept]
    turn = np.lexsort((order[0][ours], theirs, order[1][theirs]))
    ours, theirs = ours[turn], theirs[turn]
    is_choice = is_new(theirs)
    ours, theirs = ours[is_choice], theirs[is_choice]
    # The first response mention that chooses a key mention gets it.
    _, first = np.unique(ours, return_index=True)
    return ours[first], theirs[first]


def _is_inside(
    key: Ragged, response: Ragged, ours: Ints, theirs: Ints
) -> NDArray[np.bool_]:
    """Mark the pairs in which a run of the response is inside the key's first run."""
    inner, outer = _Runs.of(response), _Runs.of(key)
    first_run = np.searchsorted(outer.owner, ours)
    low, high = outer.first[first_run], outer.last[first_run]
    start = np.searchsorted(inner.owner, theirs)
    count = np.searchsorted(inner.owner, theirs, side="right") - start
    pair, run = np.repeat(np.arange(len(ours)), count), ranges(start, count)
    is_run_inside = (inner.first[run] >= low[pair]) & (inner.last[run] <= high[pair])
    is_inside = np.zeros(len(ours), dtype=np.bool_)
    is_inside[pair[is_run_inside]] = True
    return is_inside


class Targets(NamedTuple):
    """The counterpart of each mention on the other side, by number; -1: none."""

    key: Ints
    response: Ints


def targets(words: WordMatches, count: int, alignment: Alignment) -> Targets:
    """Return the counterparts of mentions; ``count`` is the number of both sides."""
    key, response = words.numbers
    if alignment == "one-to-one":
        # A mention that was dropped before matching may be part of a plural.
        to_response, to_key = np.arange(count), np.arange(count)
        to_response[words.key.number] = -1
        to_key[words.response.number] = -1
        to_response[key], to_key[response] = response, key
        return Targets(to_response, to_key)
    both = np.arange(count)
    moved = key != response
    both[key[moved]] = response[moved]
    both[response[moved]] = key[moved]
    return Targets(both, both)


_UNLIKELY = 5
"""All heads are first words: the least number that would be expected not to be."""


def head_notes(key: Corpus, response: Corpus, scheme: Scheme) -> list[Note]:
    """Warn of a side without heads, and of one whose heads are all first words.

    The official scorer uses first words as heads if a file has no heads. Many systems
    write 1 for every head. A partial match uses the key's heads only.
    """
    sides = {"key": key, "response": response}
    if scheme.match == "partial":
        del sides["response"]
    elif scheme.match != "head":
        return []
    for role, side in sides.items():
        words = side.words
        count = 0 if words is None else int((words.length > 1).sum())
        # If both sides lack heads, one note is enough.
        if words is None or words.names_heads or not count:
            continue
        of = f"each of {count:,} mentions" if count > 1 else "1 mention"
        message = (
            f"{WARNING}{side.source} has no heads. The first word of {of} was used, as "
            "in the official scorer. Use --match exact to avoid this."
        )
        kind = "no-heads" if role == "key" else "no-heads-in-response"
        return [Note(kind, count, message)]
    if key.words is None or response.words is None:
        return []
    notes = [_first_word_note("key", key.words, response.words)]
    if "response" in sides:
        notes.append(_first_word_note("response", response.words, key.words))
    return [note for note in notes if note]


def _first_word_note(role: str, ours: Words, theirs: Words) -> Note | None:
    """Warn if all heads of one side are first words, and many of the other are not."""
    is_first, other = _is_head_first(ours), _is_head_first(theirs)
    share = float(other.mean()) if len(other) else 1.0
    count = len(is_first)
    if not is_first.all() or count * (1 - share) < _UNLIKELY:
        return None
    others = "key" if role == "response" else "response"
    message = (
        f"{WARNING}All heads of the {role} are 1: the first word is the head of each "
        f"of its {count:,} mentions of several words, but only of {share:.0%} of the "
        f"{others}'s. Mentions with different heads do not match, so the figures are "
        "too low. Set the heads from the trees (corefud.MoveHead of Udapi does this), "
        "or use --match exact."
    )
    kind = "first-word-heads"
    return Note(kind if role == "response" else f"{kind}-in-key", count, message)


def _is_head_first(words: Words) -> NDArray[np.bool_]:
    """Mark the mentions of several words whose first word is the head."""
    rows = np.flatnonzero(words.length > 1)
    is_first: NDArray[np.bool_] = words.head[rows] == words.member[words.start[rows]]
    return is_first
