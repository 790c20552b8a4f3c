"""Counts of files: figures by hand, and by counting one by one."""

from __future__ import annotations

import pytest
from hypothesis import given

from scoref import FormatError
from scoref.formats.reading import read_data
from scoref.tools.convert.conversion import fit
from scoref.tools.convert.sources import SourceContent
from scoref.tools.convert.targets import TARGETS
from scoref.tools.stats.census import COUNTS, RATES, Census, CensusRow, count
from support.corefud import Mention, annotated, corefud
from support.paths import EXAMPLES
from support.random_texts import Document, Kind, content_of, texts, texts_in
from support.universal_anaphora import universal


def census_of(data: str | bytes) -> Census:
    content = data.encode() if isinstance(data, str) else data
    return count(
        read_data(content, source="x", role="key", layer="types", with_tokens=True)
    )


def total_of(data: str | bytes) -> CensusRow:
    return census_of(data).total()


def test_the_example_of_conll_2012_by_hand() -> None:
    total = total_of((EXAMPLES / "key.conll").read_bytes())
    assert total.counts == {
        "documents": 2,
        "sentences": 3,
        "words": 40,
        "empty_nodes": None,
        "mentions": 15,
        "words_in_mentions": 25,
        "spans": 15,
        "duplicates": 0,
        "nested": 2,  # his, in "his engine", and it, in "the first program for it"
        "discontinuous": None,
        "zeros": None,
        "non_referring": None,
        "entities": 7,
        "singletons": 2,
        "split_antecedents": None,
        "bridges": None,
    }
    assert total.sizes == {1: 2, 2: 2, 3: 3}
    assert total.types is None
    assert total.rates == {
        "mentions_per_100_words": 37.5,
        "words_per_mention": 25 / 15,
        "mentions_per_entity": 15 / 7,
        "largest_entity": 3,
        "singletons_per_entity": 2 / 7,
        "singletons_per_mention": 2 / 15,
    }


def test_the_example_of_corefud_by_hand() -> None:
    total = total_of((EXAMPLES / "corefud-key.conllu").read_bytes())
    assert {name: total.counts[name] for name in COUNTS} == {
        "documents": 2,
        "sentences": 6,
        "words": 51,
        "empty_nodes": 4,
        "mentions": 19,
        "spans": 19,
        "duplicates": 0,
        "nested": 2,
        "discontinuous": 1,
        "zeros": 4,
        "non_referring": None,
        "entities": 9,
        "singletons": 2,
        "split_antecedents": 0,
        "bridges": 0,
    }
    assert total.types == {"person": 4, "object": 3, "place": 2}
    assert total.counts["words_in_mentions"] == 26  # zeros have none


def test_the_example_of_universal_anaphora_by_hand() -> None:
    total = total_of((EXAMPLES / "ua-key.ua").read_bytes())
    wanted = (
        "mentions",
        "non_referring",
        "entities",
        "singletons",
        "split_antecedents",
        "bridges",
    )
    assert [total.counts[name] for name in wanted] == [9, 1, 6, 3, 1, 1]


def test_documents_have_rows_of_their_own() -> None:
    census = census_of((EXAMPLES / "corefud-key.conllu").read_bytes())
    by_document = census.by_document()
    assert list(by_document) == ["es-1", "es-2"]
    assert by_document["es-1"].counts["words"] == 25
    assert by_document["es-2"].sizes == {2: 3, 3: 1}
    total = census.total().counts
    for name in ("words", "mentions", "nested", "zeros", "singletons"):
        parts = [row.counts[name] for row in by_document.values()]
        assert sum(part or 0 for part in parts) == total[name]


def test_a_missing_word_makes_a_gap_and_a_missing_empty_node_does_not() -> None:
    text = corefud("w 1.1/_ w w w", e1="1,2 1,3 1-4 1.1,3")
    assert total_of(text).counts["discontinuous"] == 1


def test_a_gap_of_universal_anaphora() -> None:
    text = universal("a b * | c d", e1="1-4 1,4 2-3")
    assert total_of(text).counts["discontinuous"] == 1


def test_duplicates_are_mentions_less_spans() -> None:
    line = '{"doc_key": "d", "clusters": [[[0, 1], [0, 1], [2, 2]], [[0, 1], [1, 1]]]}'
    counts = total_of(line).counts
    wanted = "mentions", "spans", "duplicates", "nested", "words", "sentences"
    assert [counts[name] for name in wanted] == [5, 3, 2, 1, None, None]


def test_entities_that_do_not_refer_are_not_singletons() -> None:
    text = universal("a b c", e1="1 2", e2="3").replace("=e2|", "=e2-Pseudo|")
    total = total_of(text)
    assert total.counts["singletons"] == 0
    assert total.counts["non_referring"] == 1
    assert total.sizes == {2: 1}


def test_bridges_of_corefud_are_counted_where_they_stand() -> None:
    text = corefud("w w", "@e w", e1="1", e2="2", e3="2:1")
    text = text.replace("Entity=(e3", "Bridge=e1<e3:x,e2<e3|Entity=(e3")
    census = census_of(text)
    assert [row.counts["bridges"] for row in census.by_document().values()] == [0, 2]


def test_rates_without_counts_are_none() -> None:
    total = total_of('{"doc_key": "d", "tokens": [], "clusters": []}')
    assert set(total.rates.values()) == {None}
    assert list(total.rates) == list(RATES)


def test_a_document_that_could_not_be_read_is_not_counted() -> None:
    broken = b"#begin document d\n1\t(0\n#end document\n"
    corpus = read_data(broken, source="x", role="key", reading="reference")
    with pytest.raises(FormatError):
        count(corpus)


def slow_counts(documents: list[Document]) -> dict[str, int]:
    """Count one by one."""
    counts = dict.fromkeys([*COUNTS, "words_in_mentions"], 0)
    for document in documents:
        tokens = document.tokens
        mentions = [mention for entity in document.entities for mention in entity]
        spans = {mention.tokens for mention in mentions}
        counts["documents"] += 1
        counts["sentences"] += len(document.sentences)
        counts["words"] += sum(not token.is_empty for token in tokens)
        counts["empty_nodes"] += sum(token.is_empty for token in tokens)
        counts["mentions"] += len(mentions)
        counts["spans"] += len(spans)
        counts["duplicates"] += len(mentions) - len(spans)
        counts["entities"] += len(document.entities)
        counts["singletons"] += sum(len(entity) == 1 for entity in document.entities)
        counts["zeros"] += sum(tokens[mention.head].is_empty for mention in mentions)
        for mention in mentions:
            words = [word for word in mention.tokens if not tokens[word].is_empty]
            counts["words_in_mentions"] += len(words)
            between = range(words[0], words[-1]) if words else ()
            lacking = {word for word in between if not tokens[word].is_empty}
            counts["discontinuous"] += bool(lacking - set(words))
        for span in spans:
            counts["nested"] += any(
                other[0] <= span[0] <= span[-1] <= other[-1]
                and (other[0], other[-1]) != (span[0], span[-1])
                for other in spans
            )
    return counts


@given(documents=texts(Kind(across=False)))
def test_counts_are_those_of_counting_one_by_one(documents: list[Document]) -> None:
    target = TARGETS["corefud"]
    content, _ = fit(content_of(documents), target)
    if not content.documents:
        return
    named = target.relabel(content)
    data = target.write(named, SourceContent(named, "json-lines", b"", ()))[""]
    corpus = read_data(data, source="x", role="key", format="corefud", with_tokens=True)
    counts = {name: value or 0 for name, value in count(corpus).total().counts.items()}
    assert counts == slow_counts(texts_in(corpus))


@pytest.mark.parametrize(
    ("mention", "gaps"), [("2-3", 0), ("1,3", 1), ("2,4", 1), ("2,5", 1), ("2-5", 0)]
)
def test_only_the_first_word_of_the_next_sentence_follows_the_last_word(
    mention: str, gaps: int
) -> None:
    text = universal("a b | c d | e f", e1=f"{mention} 6")
    assert total_of(text).counts["discontinuous"] == gaps


@pytest.mark.parametrize(
    ("words", "gaps"),
    [
        (((1, 2), (2, 1)), 0),
        (((1, 2), (2, 1), (2, 2), (3, 1)), 0),
        (((1, 1), (2, 1)), 1),
        (((1, 2), (2, 2)), 1),
        (((1, 2), (3, 1)), 1),
    ],
)
def test_a_mention_of_corefud_may_go_on_in_the_next_sentence(
    words: tuple[tuple[int, int], ...], gaps: int
) -> None:
    text = annotated("a b", "c d", "e f", e1="3:2")
    text.entities["e2"] = [Mention(tuple((*word, 0) for word in words), 1)]
    assert total_of(text.text()).counts["discontinuous"] == gaps
