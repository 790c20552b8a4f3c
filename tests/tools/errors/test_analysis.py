"""Errors, gains and repairs are those of the definitions, for any two partitions."""

from __future__ import annotations

from collections import Counter
from fractions import Fraction
from random import Random
from typing import TYPE_CHECKING

import numpy as np
import pytest
from hypothesis import given

from scoref.errors import OptionError
from scoref.tools.errors.kinds import KINDS
from support import oracle_errors, random_corefud, random_ua, universal_anaphora
from support.error_analyses import analysis_of_texts, example
from support.oracle_errors import STEPS, Case, equal_spans
from support.random_entities import partitions, text_of

if TYPE_CHECKING:
    from scoref.model import Corpus, WordSets
    from scoref.tools.errors.findings import AnalysedSide, Analysis
    from support.oracle_errors import Entities, Error, Mention


def errors_of(
    analysis: Analysis, mentions: tuple[list[Mention], list[Mention]]
) -> Counter[Error]:
    """Give errors as the oracle does; ``mentions`` are what each side's are called."""
    errors = analysis.errors

    def members(sets: WordSets, row: int, names: list[Mention]) -> frozenset[Mention]:
        mentions = sets.member[sets.start[row] : sets.start[row + 1]].tolist()
        return frozenset(names[mention] for mention in mentions)

    return Counter(
        (
            KINDS[kind].name,
            members(errors.key_mentions, row, mentions[0]),
            members(errors.response_mentions, row, mentions[1]),
        )
        for row, kind in enumerate(errors.kind.tolist())
    )


def check(
    analysis: Analysis, case: Case, names: tuple[list[Mention], list[Mention]]
) -> None:
    """Compare an analysis with the definitions."""
    expected = oracle_errors.find(case)
    assert errors_of(analysis, names) == Counter(expected.errors())
    gains = analysis.gains
    before = oracle_errors.conll(case.key, oracle_errors.repaired(expected, ()))
    assert gains.before == pytest.approx(before)
    alone = [
        oracle_errors.conll(case.key, oracle_errors.repaired(expected, {kind}))
        for kind in STEPS
    ]
    assert gains.alone.tolist() == pytest.approx(alone)
    cumulative = [
        oracle_errors.conll(case.key, oracle_errors.repaired(expected, STEPS[:end]))
        for end in range(1, len(STEPS) + 1)
    ]
    assert gains.cumulative.tolist() == pytest.approx(cumulative)
    whole = oracle_errors.repaired(expected, STEPS)
    key = {
        frozenset(("key", mention) for mention in entity)
        for entity in case.key.values()
    }
    assert {frozenset(entity) for entity in whole} == key


def span_names(analysis: Analysis) -> tuple[list[Mention], list[Mention]]:
    names = []
    for corpus, side in zip(
        analysis._corpora, (analysis.key, analysis.response), strict=True
    ):
        columns = (
            side.document,
            corpus.mention_start[side.row],
            corpus.mention_end[side.row],
        )
        names.append(list(zip(*(column.tolist() for column in columns), strict=True)))
    return names[0], names[1]


def test_the_steps_are_the_kinds() -> None:
    assert tuple(kind.name for kind in KINDS) == STEPS


@given(key=partitions(), response=partitions())
def test_errors_of_spans_are_those_of_the_definitions(
    key: Entities, response: Entities
) -> None:
    analysis = analysis_of_texts(text_of(key), text_of(response), "json-lines")
    check(analysis, equal_spans(key, response), span_names(analysis))


def words_case(analysis: Analysis) -> tuple[Case, tuple[list[Mention], list[Mention]]]:
    """Take the matches as given, and call mentions by their places."""
    sides = analysis.key, analysis.response
    corpora = analysis._corpora
    names: list[list[Mention]] = [
        [(place,) for place in range(len(side.row))] for side in sides
    ]
    entities: list[Entities] = [{}, {}]
    for number, side in enumerate(sides):
        for place, entity in enumerate(side.entity.tolist()):
            entities[number].setdefault(str(entity), set()).add((place,))
    matched: dict[Mention, Mention] = {
        (place,): (partner,)
        for place, partner in enumerate(analysis.key.partner.tolist())
        if partner >= 0
    }

    def rows(role: str, mention: Mention) -> tuple[Corpus, int]:
        number = 0 if role == "key" else 1
        return corpora[number], int(sides[number].row[mention[0]])

    def words(role: str, mention: Mention) -> frozenset[int]:
        corpus, row = rows(role, mention)
        assert corpus.words is not None
        start, end = corpus.words.start[row], corpus.words.start[row + 1]
        return frozenset(corpus.words.member[start:end].tolist())

    def can_pair(one: Mention, other: Mention) -> bool:
        heads = []
        for role, mention in (("key", one), ("response", other)):
            corpus, row = rows(role, mention)
            assert corpus.words is not None
            if analysis._span_rule.name != "head":
                return True
            heads.append(int(corpus.words.head[row]))
        return heads[0] in words("response", other) and heads[1] in words("key", one)

    has_heads = analysis._span_rule.name == "head"
    floor = Fraction(0) if has_heads else Fraction(1, 2)
    case = Case(entities[0], entities[1], matched, words, can_pair, floor)
    return case, (names[0], names[1])


@pytest.mark.parametrize(
    "choice",
    [
        {},
        {"match": "exact", "singletons": "keep"},
        {"match": "partial", "zeros": "linear"},
        {"alignment": "one-to-one", "singletons": "keep"},
    ],
    ids=str,
)
def test_errors_of_corefud_are_those_of_the_definitions(choice: dict[str, str]) -> None:
    for seed in range(30):
        pair = random_corefud.random_pair(Random(seed))  # noqa: S311 - no secret is made
        texts = [side.text() for side in pair]
        analysis = analysis_of_texts(texts[0], texts[1], "corefud", None, **choice)
        check(analysis, *words_case(analysis))


@pytest.mark.parametrize("match", ["exact", "partial", "craft"])
def test_errors_of_universal_anaphora_are_those_of_the_definitions(match: str) -> None:
    for seed in range(30):
        key, response = random_ua.random_pair(Random(seed))  # noqa: S311
        # Words are compared by their numbers, which go by the order of documents.
        names = [document.name for document in key]
        response.sort(key=lambda document: names.index(document.name))
        texts = [universal_anaphora.text_of(side) for side in (key, response)]
        analysis = analysis_of_texts(
            texts[0], texts[1], "universal-anaphora", match=match
        )
        check(analysis, *words_case(analysis))


def in_text_order(side: AnalysedSide) -> bool:
    return bool((np.diff(side.document) >= 0).all())


def test_mentions_stand_in_the_order_of_documents() -> None:
    for seed in range(10):
        pair = random_ua.random_pair(Random(seed))  # noqa: S311
        texts = [universal_anaphora.text_of(side) for side in pair]
        analysis = analysis_of_texts(texts[0], texts[1], "universal-anaphora")
        assert in_text_order(analysis.key)
        assert in_text_order(analysis.response)


def test_plurals_are_left_aside_and_that_is_noted() -> None:
    analysis = example("ua-")
    (note,) = [note for note in analysis.notes if note.kind == "other-score"]
    assert (note.count, "ignores plurals" in note.message) == (1, True)
    assert not example("ua-", split_antecedents="drop").notes


def test_plurals_alone_are_refused() -> None:
    with pytest.raises(OptionError, match="split antecedents alone"):
        example("ua-", evaluate="split-antecedents")
