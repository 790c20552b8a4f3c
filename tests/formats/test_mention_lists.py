"""Lists of mentions of uCDCR, WEC and ECB+: places, chains, topics and responses."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

import pytest

from scoref import AlignmentError, FormatError, check, score
from scoref.topics import Topic
from support.json_documents import LISTED, UCDCR, Record, problem_of, read_records

if TYPE_CHECKING:
    from pathlib import Path


def listed(chain: str | int, sentence: int, *tokens: int, **more: object) -> Record:
    places = {"coref_chain": chain, "sent_id": sentence, "tokens_number": [*tokens]}
    return {**LISTED, **places, **more}


def test_mentions_of_ucdcr_are_words_of_their_documents(tmp_path: Path) -> None:
    gap = {"tokens_number_context": [0, 1, 5], "coref_chain": "HUM2"}
    corpus = read_records([UCDCR, {**UCDCR, **gap}, {**UCDCR, "doc_id": "11"}])
    assert [name.name for name in corpus.documents] == ["12/12ecb/10", "12/12ecb/11"]
    assert corpus.mention_start.tolist() == [23, 20, 23]
    assert corpus.mention_end.tolist() == [23, 25, 23]
    assert corpus.entity_label == ("HUM1", "HUM2", "HUM1")
    assert corpus.document_topic == (Topic("12", "12ecb"),) * 2
    key, table = tmp_path / "key.json", tmp_path / "response.tsv"
    key.write_text(json.dumps([UCDCR, {**UCDCR, **gap}]))
    table.write_text(
        "document\tentity\tstart\tend\tpieces\n"
        "12/12ecb/10\ta\t23\t23\t\n12/12ecb/10\tb\t20\t25\t20-21,25\n"
    )
    assert score(key, table).scores["mentions"].f1 == 1


def test_mentions_of_other_lists_are_words_of_sentences(tmp_path: Path) -> None:
    key, response = tmp_path / "key.json", tmp_path / "response.json"
    key.write_text(json.dumps([listed("a", 0, 1), listed("a", 1, 1, 2)], indent=4))
    response.write_text(json.dumps([listed("a", 1, 1), listed("a", 1, 1, 2)]))
    assert score(key, response).scores["mentions"].recall == 1 / 2
    conll = tmp_path / "key.conll"
    conll.write_text("#begin document (36_1ecb);\n36_1ecb\t0\t0\tMia\t(1)\n\n")
    with pytest.raises(AlignmentError, match="values without a text"):
        score(conll, response)


def test_chains_cross_documents(tmp_path: Path) -> None:
    path, apart = tmp_path / "key.json", tmp_path / "response.json"
    path.write_text(json.dumps([listed(1, 0, 1), listed(1, 0, 1, doc_id="b")]))
    apart.write_text(json.dumps([listed(1, 0, 1), listed(2, 0, 1, doc_id="b")]))
    assert score(path, apart, scope="corpus").scores["muc"].recall == 0
    assert not score(path, apart).scores["muc"].is_defined


def test_the_response_is_the_predicted_chain_if_there_are_any(tmp_path: Path) -> None:
    path = tmp_path / "both.json"
    key = [listed("a", 0, 1), listed("a", 0, 2)]
    predicted = [
        {**mention, "predicted_coref_chain": chain}
        for mention, chain in zip(key, ("x", "y"), strict=True)
    ]
    path.write_text(json.dumps(predicted))
    assert score(path).scores["muc"].recall == 0
    assert read_records(key, role="response").entity_label == ("a",)
    assert read_records(predicted, role="response").entity_label == ("x", "y")


def test_a_mention_without_a_chain_is_refused() -> None:
    with pytest.raises(FormatError) as caught:
        read_records([listed("a", 0, 1), listed("UNK", 0, 2)])
    assert caught.value.problem == "[1]: this mention has no 'coref_chain'"
    kept = read_records([listed("a", 0, 1), listed("UNK", 0, 2)], reading="lenient")
    assert len(kept.mention_start) == 1
    assert "Skipped: without a chain" in kept.notes[0].message


def test_check_points_at_the_mention_that_lacks_a_chain(tmp_path: Path) -> None:
    path = tmp_path / "mentions.json"
    path.write_text(json.dumps([listed("a", 0, 1), listed("UNK", 0, 2)]))
    (problem,) = (p for p in check(path) if p.rule == "missing-clusters")
    start, end = problem.mark or (0, 0)
    assert '"UNK"' in problem.text[start:end]
    assert '"a"' not in problem.text[start:end]


@pytest.mark.parametrize(
    ("record", "problem"),
    [
        (listed("a", 0), "[] are not words of a sentence"),
        (listed("a", 0, -1), "[-1] are not words of a sentence"),
        (
            {**UCDCR, "tokens_number_context": [3, 6]},
            "[3, 6] are not words of the context (20, 25)",
        ),
        (
            {**UCDCR, "tokens_number_context": None},
            "[] are not words of the context (20, 25)",
        ),
    ],
)
def test_words_that_cannot_be_a_mention_are_refused(
    record: Record, problem: str
) -> None:
    assert problem_of(record)[0] == problem
