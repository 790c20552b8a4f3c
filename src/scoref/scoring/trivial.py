"""Trivial systems, which show what a score is worth.

Four of them link the mentions of the key without reading the text closely:

    all singletons    every mention is an entity of its own
    one entity        all mentions of a document are one entity
    same string       mentions with the same words are one entity
    same head word    mentions with the same head are one entity

``best possible`` links the mentions of the response as the key links them. The key does
not say where to put mentions that it lacks. No way is the best for all metrics: MUC
prefers each alone, CEAFe prefers them together. So several ways are scored, and each
metric takes the best one. The response itself is one of them, so it is never better.

A trivial system is a corpus with the columns of the key or of the response, and with
new entities. It is scored like a response. With a scope wider than the document,
entities with the same label are one, so labels are numbers for the whole corpus.
"""

from __future__ import annotations

import dataclasses
from typing import TYPE_CHECKING

import numpy as np

from scoref.errors import FormatError
from scoref.matching.duplicates import is_first_of
from scoref.matching.spans import match_mentions, with_gold_mentions
from scoref.metrics import is_distance
from scoref.model import Note, WordSets
from scoref.scoring.format_defaults import fit_scheme
from scoref.scoring.pipeline import score_corpora

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from scoref.matching import Matched, Side
    from scoref.metrics.base import Floats
    from scoref.model import Corpus, Ints, Tokens, Words
    from scoref.scheme import Scheme
    from scoref.scoring.results import Result


ALL_SINGLETONS, ONE_ENTITY = "all singletons", "one entity"
SAME_STRING, SAME_HEAD = "same string", "same head word"
BEST = "best possible"


def score_trivial(
    result: Result, key: Corpus, response: Corpus, scheme: Scheme
) -> dict[str, Result]:
    """Score the trivial systems as the response was scored, by their names."""
    fitted = fit_scheme(scheme, key, response)
    response = with_gold_mentions(key, response, fitted)
    rows = _distinct_rows(match_mentions(key, response, fitted).key)
    groups = {
        ALL_SINGLETONS: np.arange(len(rows)),
        ONE_ENTITY: np.zeros(len(rows), dtype=np.int64),
        **_groups_by_words(key, rows),
    }
    systems = {}
    for name, group in groups.items():
        system = score_corpora(key, _regroup(key, rows, group), scheme, result.metrics)
        systems[name] = dataclasses.replace(
            result,
            response=name,
            documents=system.documents,
            counts=system.counts,
            _blocks=None,
            notes=(),
        )
    if not _has_plurals(key, fitted):
        systems[BEST] = _best_possible(result, key, response, scheme)
    return systems


def trivial_notes(result: Result) -> list[Note]:
    """Note which trivial systems are missing, and why."""
    trivial, notes = result.trivial, []
    if trivial and SAME_STRING not in trivial:
        message = f"'{SAME_STRING}' and '{SAME_HEAD}' are not shown, because the key "
        notes.append(Note("trivial-without-words", 2, message + "has no words."))
    if trivial and BEST not in trivial:
        message = f"'{BEST}' is not shown, because the key has split antecedents. Use "
        message += (
            "--split-antecedents drop (split_antecedents=drop) to leave them out."
        )
        notes.append(Note("trivial-with-plurals", 1, message))
    return notes


def _has_plurals(key: Corpus, scheme: Scheme) -> bool:
    """Tell whether entities that stand for several others are scored."""
    is_kept = scheme.split_antecedents == "keep"
    return is_kept and key.anaphora is not None and len(key.anaphora.plural) > 0


def _distinct_rows(side: Side) -> Ints:
    """Return the rows of the mentions that are scored, each mention once."""
    return side.row[is_first_of(side.mention)]


def _groups_by_words(key: Corpus, rows: Ints) -> dict[str, Ints]:
    """Group mentions by their words and by their heads, if the key has words."""
    tokens = key.with_tokens().tokens
    if tokens is None:
        return {}
    placed = np.flatnonzero(~key.is_unplaced[rows])
    start, member = tokens.of_mentions(key)
    heads = _heads(key, tokens, member[start[1:] - 1], rows)
    # Empty nodes without a form have no words, and are not linked.
    forms = [word.casefold() for word in tokens.forms("")]
    strings, head_words = [""] * len(rows), [""] * len(rows)
    for place in placed.tolist():
        row = rows[place]
        words = member[start[row] : start[row + 1]].tolist()
        # Words may be cut in two, where the response cuts them.
        strings[place] = "".join(forms[word] for word in words)
        head_words[place] = forms[heads[row]]
    if rows.size and not any(strings):
        return {}  # the words are blank
    return {SAME_STRING: _number(strings), SAME_HEAD: _number(head_words)}


def _number(texts: Iterable[str]) -> Ints:
    """Number equal texts alike; an empty text has a number of its own."""
    known: dict[str | int, int] = {}
    numbers = [
        known.setdefault(text or place, len(known)) for place, text in enumerate(texts)
    ]
    return np.array(numbers, dtype=np.int64)


def _heads(key: Corpus, tokens: Tokens, last: Ints, rows: Ints) -> Ints:
    """Return the token that is the head of each mention.

    It is CorefUD's head, or the head in the key's trees or parses. Otherwise it is the
    last word, as in most noun phrases of English.
    """
    words = key.words
    if words is not None and not words.by_document:
        if words.names_heads:
            return tokens.rows(words.head)
        if words.tree_head is not None:
            return tokens.rows(np.where(words.is_zero, words.head, words.tree_head))
    if key.words is None and key.parses is not None:
        return _parsed_heads(key, tokens, last, rows)
    return last


def _parsed_heads(key: Corpus, tokens: Tokens, last: Ints, rows: Ints) -> Ints:
    from scoref.matching.parse_trees import Trees, head_word  # few keys have parses

    trees, heads = Trees(key, wanted_for="--trivial"), last.copy()
    for row in rows.tolist():
        document = int(key.mention_document[row])
        span = int(key.mention_start[row]), int(key.mention_end[row])
        try:
            word = head_word(trees, document, *span)
        except FormatError:  # the parse is damaged or missing
            continue
        if word is not None:
            heads[row] = tokens.first[document] + word
    return heads


def _best_possible(
    result: Result, key: Corpus, response: Corpus, scheme: Scheme
) -> Result:
    """Link the response's mentions as in the key, and take each metric's best score."""
    # Singletons of the response may belong to larger entities of the key.
    with_singletons = dataclasses.replace(scheme, singletons="keep")
    fitted = fit_scheme(with_singletons, key, response)
    matched = match_mentions(key, response, fitted)
    listed = np.flatnonzero(is_first_of(matched.response.mention))
    systems = [result]
    for group in _ways_to_link(matched, listed):
        linked = _regroup(response, matched.response.row[listed], group)
        systems.append(score_corpora(key, linked, scheme, result.metrics))

    counts = {metric: _best_counts(systems, metric) for metric in result.counts}
    return dataclasses.replace(
        result, response=BEST, counts=counts, _blocks=None, notes=()
    )


def _best_counts(systems: Iterable[Result], metric: str) -> Floats:
    """Return the counts of the system with the best score."""

    def quality(system: Result) -> tuple[bool, float]:
        score = system.score_by(metric)
        return score.is_defined, -score.f1 if is_distance(metric) else score.f1

    return max(systems, key=quality).counts[metric]


def _ways_to_link(matched: Matched, rows: Ints) -> Iterator[Ints]:
    """Return a group for each of these rows of the response, in several ways.

    Mentions that are in one key entity are in one group. Two kinds of mentions may be
    elsewhere: those that the key lacks, and those whose entity has no other mention in
    the response. They are alone, all in one group, or in the largest group of their
    document (or topic).
    """
    entity = matched.from_response[rows]
    unit = matched.response.document[rows]
    is_lacking = entity < 0
    size = np.bincount(entity[~is_lacking], minlength=len(matched.key.entity_document))
    is_alone = np.append((size == 1) & (matched.key.size > 1), False)[entity]
    linked = np.where(is_lacking, len(size) + np.arange(len(entity)), entity)
    yield linked
    together = len(size) + len(entity)
    by_size = np.argsort(size, kind="stable")
    largest = np.full(int(unit.max(initial=-1)) + 1, together)
    found = by_size[size[by_size] > 0]
    largest[matched.key.entity_document[found]] = found  # the last one stays
    for is_moved in (is_lacking, is_alone, is_lacking | is_alone):
        if is_moved.any():
            yield np.where(is_moved, together, linked)
            yield np.where(is_moved, largest[unit], linked)


def _regroup(corpus: Corpus, rows: Ints, group: Ints) -> Corpus:
    """Keep some mentions, and make an entity of each group in a document."""
    width = np.int64(group.max(initial=0) + 1)
    code = corpus.mention_document[rows] * width + group
    distinct, entity = np.unique(code, return_inverse=True)
    order = np.argsort(entity, kind="stable")
    rows, entity = rows[order], entity[order]

    def take(texts: tuple[str, ...] | None) -> tuple[str, ...] | None:
        return None if texts is None else tuple(texts[row] for row in rows.tolist())

    mention_order, unplaced = corpus.mention_order, corpus.mention_unplaced
    return dataclasses.replace(
        corpus,
        entity_document=distinct // width,
        entity_label=tuple(map(str, (distinct % width).tolist())),
        entity_type=None,
        has_labels=True,
        mention_entity=entity,
        mention_start=corpus.mention_start[rows],
        mention_end=corpus.mention_end[rows],
        mention_line=corpus.mention_line[rows],
        mention_order=None if mention_order is None else mention_order[rows],
        mention_type=take(corpus.mention_type),
        mention_kbid=take(corpus.mention_kbid),
        mention_ids=None,
        mention_unplaced=None if unplaced is None else unplaced[rows],
        pieces=corpus.pieces and corpus.pieces.take(rows),
        words=corpus.words and _words_of(corpus.words, rows),
        anaphora=None,
        notes=(),
        tokens=None,
        later=None,
    )


def _words_of(words: Words, rows: Ints) -> Words:
    """Keep the words of some mentions."""
    start, member = WordSets(words.start, words.member).take(rows)
    return words._replace(
        start=start,
        member=member,
        head=words.head[rows],
        is_zero=words.is_zero[rows],
        head_upos=words.head_upos[rows],
        relations=(),
        minimum=words.minimum and words.minimum.take(rows),
        tree_head=None if words.tree_head is None else words.tree_head[rows],
        tree_upos=None if words.tree_upos is None else words.tree_upos[rows],
    )
