"""One matching: what it says of rows, and that whoever needs it asks once.

Exact match: the same document, first token and last token.

Gold mentions and MAVEN-ERE's rules: what is dropped, added, refused and averaged.

Entities of one mention, kept or dropped.

Mentions that are the same by more than their spans.

Offsets that are counted in two ways, and mentions that have nothing in common.
"""

from __future__ import annotations

import json
from importlib import import_module
from typing import TYPE_CHECKING, Any

import pytest

import scoref
from scoref.errors import AlignmentError, DuplicateError
from scoref.formats.builder import CorpusBuilder
from scoref.formats.entities import EntityPairs
from scoref.formats.reading import read_data
from scoref.matching.spans import match_mentions, with_gold_mentions
from scoref.metrics import available, choose_metrics
from scoref.model import DocumentName
from scoref.scheme import Scheme
from scoref.schemes import resolve
from scoref.scoring.pipeline import score_corpora
from scoref.scoring.slices import slice_corpora
from scoref.tools.errors.analysis import analyse
from support.bad_files import jsonl
from support.corefud import corefud, read, scheme_with
from support.universal_anaphora import read as read_universal
from support.universal_anaphora import universal

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping
    from pathlib import Path

    from scoref.matching import Matched
    from scoref.model import Corpus


EIGHT = "w w w w w w w w"


def spans() -> tuple[Corpus, Corpus]:
    key, response = [["a", "b"], ["c", "d"]], [["a", "c"], ["d", "e"]]
    return EntityPairs.of(key, response).build()


def sets_of_words() -> tuple[Corpus, Corpus]:
    """Give the same: only the words of the first mention differ."""
    key, response = {"e1": "1-2 3", "e2": "4 5"}, {"e1": "1 4", "e2": "5 6"}
    return read(corefud(EIGHT, **key)), read(corefud(EIGHT, **response))


def matched_with(matched: Matched) -> list[list[int]]:
    """Give the row on the other side with which each row was matched."""
    others = [side.mention.tolist() for side in (matched.response, matched.key)]
    return [
        [other.index(number) if number >= 0 else -1 for number in column.tolist()]
        for other, column in zip(others, matched.partners, strict=True)
    ]


@pytest.mark.parametrize("corpora", [spans, sets_of_words])
def test_rows_have_partners_and_lead_to_entities_whatever_mentions_are(
    corpora: Callable[[], tuple[Corpus, Corpus]],
) -> None:
    scheme = Scheme() if corpora is spans else scheme_with({})
    matched = match_mentions(*corpora(), scheme)
    assert matched_with(matched) == [[0, -1, 1, 2], [0, 2, 3, -1]]
    assert matched.from_key.tolist() == [0, -1, 0, 1]
    assert matched.from_response.tolist() == [0, 1, 1, -1]


def test_the_last_entity_that_lists_a_mention_owns_it() -> None:
    key, response = [["a", "b"], ["b", "c"]], [["a"], ["b"]]
    corpora = EntityPairs.of(key, response).build()
    matched = match_mentions(*corpora, Scheme(duplicates="coval"))
    assert matched.from_response.tolist() == [0, 1]
    assert matched.from_key.tolist() == [0, 1, 1, -1]
    assert matched_with(matched)[0] == [0, 1, 1, -1]


def test_without_a_listing_there_is_no_partner() -> None:
    corpora = EntityPairs.of([["a", "b"]], [["a"], ["b", "c"]]).build()
    matched = match_mentions(*corpora, Scheme(singletons="drop"))
    assert matched_with(matched) == [[-1, 0], [1, -1]]


def times_matched(monkeypatch: pytest.MonkeyPatch) -> list[Scheme]:
    """Write down every scheme by which the pipeline matches."""
    schemes: list[Scheme] = []

    def match(key: Corpus, response: Corpus, scheme: Scheme) -> Matched:
        schemes.append(scheme)
        return match_mentions(key, response, scheme)

    for name in ("scoref.scoring.pipeline", "scoref.tools.errors.analysis"):
        monkeypatch.setattr(import_module(name), "match_mentions", match)
    return schemes


@pytest.mark.parametrize("corpora", [spans, sets_of_words])
def test_slices_and_errors_match_once(
    corpora: Callable[[], tuple[Corpus, Corpus]], monkeypatch: pytest.MonkeyPatch
) -> None:
    key, response = corpora()
    scheme = Scheme() if corpora is spans else scheme_with({})
    schemes = times_matched(monkeypatch)
    metrics = available(key, scheme)
    slice_corpora(key, response, scheme, metrics, "entity-size")
    assert len(schemes) == 1
    analyse(key, response, scheme)
    assert len(schemes) == 2


def test_slices_by_distance_match_once(monkeypatch: pytest.MonkeyPatch) -> None:
    schemes = times_matched(monkeypatch)
    found = slice_corpora(*sets_of_words(), scheme_with({}), ("zero",), "distance")
    assert len(found) > len(schemes) == 1


def test_errors_match_again_where_plurals_are_scored(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    corpus = read_universal(universal(EIGHT, e1="1 3", e2="2 4"))
    schemes = times_matched(monkeypatch)
    analyse(corpus, corpus, resolve("codi-crac-2022-ar"))
    assert [scheme.split_antecedents for scheme in schemes] == ["keep", "drop"]


Spans = list[tuple[int, int]]


def _common(folder: Path, key: Spans, response: Spans) -> float:
    """Count the mentions that both sides have."""
    paths = folder / "key.jsonl", folder / "response.jsonl"
    for path, spans in zip(paths, (key, response), strict=True):
        record = {"doc_key": "d", "clusters": [spans]}
        path.write_text(json.dumps(record), encoding="utf-8")
    counts: list[float] = scoref.score(*paths).counts["mentions"][0].tolist()
    return counts[0]


@pytest.mark.parametrize(
    ("key", "response", "common"),
    [
        ([(0, 0)], [(0, 0)], 1),
        ([(0, 1)], [(0, 0)], 0),
        ([(0, 1)], [(1, 1)], 0),
        ([(0, 2), (1, 1)], [(1, 1), (0, 2)], 2),
        ([(0, 9)], [(1, 9), (0, 8), (0, 10)], 0),
        ([(0, 10**6), (10**6, 10**6)], [(10**6, 10**6)], 1),
    ],
)
def test_mentions_match_if_both_ends_do(
    tmp_path: Path, key: Spans, response: Spans, common: int
) -> None:
    assert _common(tmp_path, key, response) == common


def test_the_same_span_of_another_document_does_not_match() -> None:
    key = {"a": [[(0, 1)]], "b": [[(2, 3)]]}
    response = {"a": [[(2, 3)]], "b": [[(0, 1)]]}
    result = scoref.score(key, response, metrics="mentions")
    assert result.counts["mentions"].tolist() == [[0, 1, 0, 1], [0, 1, 0, 1]]


def test_spans_with_huge_offsets_are_not_confused(tmp_path: Path) -> None:
    assert _common(tmp_path, [(0, 2**40)], [(2**40, 2**40)]) == 0


# BLANC and the mean of four, in percent, as MAVEN-ERE's evaluate.py has them.
@pytest.mark.parametrize(
    ("key", "response", "blanc", "four"),
    [
        ("abc", "abc", 50, 87.5),
        ("a b", "", 50, 62.5),
        ("ab", "a", 0, 27.78),
        ("abc d e", "ab cd", 60, 67.19),
        ("abc d e", "abx cd yz", 60, 67.19),
    ],
)
def test_worked_examples(key: str, response: str, blanc: float, four: float) -> None:
    sides = [[[*entity] for entity in side.split()] for side in (key, response)]
    scores = scoref.score(*sides, scheme="maven-ere").scores
    assert [*scores] == ["muc", "bcub", "ceafe", "blanc", "conll-blanc"]
    assert 100 * scores["blanc"].f1 == pytest.approx(blanc)
    assert 100 * scores["conll-blanc"].f1 == pytest.approx(four, abs=0.005)


def test_what_is_dropped_and_added_is_told() -> None:
    result = scoref.score([["a", "b"], ["c"]], [["a", "x", "y"]], scheme="maven-ere")
    assert [(note.kind, note.count) for note in result.notes] == [
        ("dropped-mentions", 2),
        ("added-singletons", 2),
    ]
    assert "|mentions:gold|" in result.signature


def test_documents_that_the_response_lacks_are_singletons() -> None:
    key = {"d1": [["a", "b"]], "d2": [["a"], ["b"]]}
    given = scoref.score(key, {"d1": [["a", "b"]]}, scheme="maven-ere")
    whole = scoref.score(
        key, {"d1": [["a", "b"]], "d2": [["a"], ["b"]]}, scheme="maven-ere"
    )
    assert given.scores == whole.scores
    assert given.documents == ("d1", "d2")


def test_a_mention_that_is_listed_again_is_refused() -> None:
    with pytest.raises(DuplicateError):
        scoref.score([["a", "b"]], [["a"], ["a", "b"]], scheme="maven-ere")


def test_errors_are_found_among_gold_mentions() -> None:
    found = scoref.find_errors([["a", "b", "c"]], [["a", "b", "x"]], scheme="maven-ere")
    assert {name for name, cost in found.costs.items() if cost.errors} == {
        "divided-entity"
    }
    assert found.gains.cumulative[-1] == 1


def test_a_gold_mention_that_is_missing_is_added_with_both_ends() -> None:
    key, response = (
        read_data(jsonl(*clusters), source="x", role="key", format="json-lines")
        for clusters in ([[[0, 2], [4, 5]]], [[[4, 5], [7, 7]]])
    )
    both = with_gold_mentions(key, response, resolve("maven-ere"))
    spans = zip(both.mention_start.tolist(), both.mention_end.tolist(), strict=True)
    assert sorted(spans) == [(0, 2), (4, 5)]


def test_slices_have_them_too() -> None:
    found = scoref.score_slices(
        [["a", "b"], ["c"]], [["a", "b"]], "entity-size", scheme="maven-ere"
    )
    assert {name: each.scores["bcub"].f1 for name, each in found.items()} == {
        "1": 1,
        "2-10": 1,
    }


def event(label: str, *mentions: tuple[str, int, str]) -> dict[str, object]:
    return {
        "id": label,
        "mention": [
            {"id": name, "sent_id": 0, "offset": [at, at + 1], "trigger_word": word}
            for name, at, word in mentions
        ],
    }


WORDS = ["Mia", "fell", "and", "the", "fall", "hurt"]

KEY = {
    "id": "d1",
    "tokens": [WORDS],
    "events": [
        event("E1", ("m1", 1, "fell"), ("m2", 4, "fall")),
        event("E2", ("m3", 5, "hurt")),
    ],
}

WITHOUT_WORDS = {
    "id": "d1",
    "tokens": [],
    "events": [event("E1", ("m1", 0, ""), ("m2", 0, "")), event("E2", ("m3", 0, ""))],
}

RESPONSE = {"id": "d1", "coreference": [["m2", "m3", "m9"]]}


def written(path: Path, *records: Mapping[str, object]) -> Path:
    path.write_text("\n".join(map(json.dumps, records)), encoding="utf-8")
    return path


@pytest.mark.parametrize("key", [KEY, WITHOUT_WORDS], ids=["words", "ids"])
def test_a_response_may_name_mentions_by_their_ids(
    key: Mapping[str, object], tmp_path: Path
) -> None:
    paths = written(tmp_path / "k.jsonl", key), written(tmp_path / "r.jsonl", RESPONSE)
    result = scoref.score(*paths)
    expected = scoref.score(
        [["m1", "m2"], ["m3"]], [["m2", "m3", "m9"]], scheme="maven-ere"
    )
    assert result.scores == expected.scores
    kinds = {note.kind: note.count for note in result.notes}
    assert kinds == {"unknown-ids": 1, "dropped-mentions": 1, "added-singletons": 1}


def test_a_key_without_ids_cannot_be_named(tmp_path: Path) -> None:
    other = {"doc_key": "d1", "clusters": [[[0, 1]]]}
    paths = (
        written(tmp_path / "k.jsonl", other),
        written(tmp_path / "r.jsonl", RESPONSE),
    )
    with pytest.raises(AlignmentError, match="refers to mentions by id"):
        scoref.score(*paths)


def test_errors_quote_the_keys_words(tmp_path: Path) -> None:
    paths = written(tmp_path / "k.jsonl", KEY), written(tmp_path / "r.jsonl", RESPONSE)
    found = scoref.find_errors(*paths)
    assert found._corpora[0].tokens is not None


def test_singletons_are_kept_unless_they_are_to_be_dropped() -> None:
    result = scoref.score([["a", "b"], ["c"]], [["a", "b"], ["x"]], metrics="ceafe")
    assert result.counts["ceafe"].tolist() == [[1, 2, 1, 2]]


def test_singletons_are_dropped_on_both_sides() -> None:
    sides = [["a", "b"], ["c"]], [["a", "b"], ["x"]]
    result = scoref.score(*sides, metrics="ceafe", singletons="drop")
    assert result.counts["ceafe"].tolist() == [[1, 1, 1, 1]]


def test_a_mention_of_a_dropped_singleton_is_missing_on_its_side() -> None:
    sides = [["a", "b"]], [["a"], ["b"]]
    result = scoref.score(*sides, metrics="mentions", singletons="drop")
    assert result.counts["mentions"].tolist() == [[0, 2, 0, 0]]


def test_one_mention_listed_twice_is_still_a_singleton() -> None:
    sides = [["a", "a"], ["b", "c"]], [["b", "c"]]
    result = scoref.score(*sides, metrics="bcub", singletons="drop")
    assert result.counts["bcub"].tolist() == [[2, 2, 2, 2]]


def test_a_rest_of_one_mention_after_duplicates_are_settled_is_a_singleton() -> None:
    sides = [["a", "b"]], [["a", "b"], ["a", "x"]]
    result = scoref.score(*sides, metrics="muc", singletons="drop")
    assert result.counts["muc"].tolist() == [[1, 1, 1, 1]]


def test_a_corpus_of_singletons_alone_is_left_empty() -> None:
    result = scoref.score([["a"]], [["a"]], metrics="bcub", singletons="drop")
    assert result.counts["bcub"].tolist() == [[0, 0, 0, 0]]


Row = tuple[str, int, int, str, str]

GOLD = [
    ("d1", 0, 0, "K1", "PER"),
    ("d1", 5, 6, "K1", "PER"),
    ("d2", 3, 3, "K1", "PER"),
    ("d2", 8, 9, "NIL1", "ORG"),
    ("d3", 1, 2, "NIL1", "ORG"),
]

SYSTEM = [
    ("d1", 0, 0, "K1", "PER"),
    ("d1", 5, 6, "K2", "PER"),
    ("d2", 3, 3, "K1", "ORG"),
    ("d2", 8, 9, "NIL7", "ORG"),
    ("d3", 1, 2, "NIL7", "ORG"),
    ("d3", 4, 4, "NIL8", "PER"),
]


def corpus(rows: list[Row], **columns: bool) -> Corpus:
    """Write down mentions with their types and ids."""
    builder = CorpusBuilder("x.tsv", "neleval", mention_type=[], mention_kbid=[])
    documents: dict[str, int] = {}
    entities: dict[tuple[str, str], int] = {}
    for name, start, end, label, kind in rows:
        if name not in documents:
            documents[name] = builder.add_document(DocumentName.plain(name), line=0)
        if (name, label) not in entities:
            entities[name, label] = builder.add_entity(label, documents[name])
        builder.mentions += [entities[name, label], start, end, 0]
        assert builder.mention_type is not None
        assert builder.mention_kbid is not None
        builder.mention_type.append(kind)
        builder.mention_kbid.append(label)
    if not columns.get("typed", True):
        builder.mention_type = None
    return builder.build(has_tokens=False)


def score(**options: Any) -> scoref.Result:
    scheme = resolve(None, scope="corpus", **options)
    metrics = choose_metrics("mentions,muc,bcub,ceafm,ceafe,pairwise")
    return score_corpora(corpus(GOLD), corpus(SYSTEM), scheme, metrics)


# Recall and precision as neleval 3.1.1 has them: numerator, denominator.
@pytest.mark.parametrize(
    ("identity", "metric", "recall", "precision"),
    [
        ("span", "mentions", (5, 5), (5, 6)),  # strong_mention_match
        ("span", "bcub", (11 / 3, 5), (5, 6)),  # b_cubed
        ("span", "ceafm", (4, 5), (4, 6)),  # mention_ceaf
        ("span", "ceafe", (1.8, 2), (1.8, 4)),  # entity_ceaf
        ("span", "muc", (2, 3), (2, 2)),  # muc
        ("span", "pairwise", (2, 4), (2, 2)),  # pairwise
        ("span+type", "mentions", (4, 5), (4, 6)),  # strong_typed_mention_match
        ("span+type", "ceafm", (3, 5), (3, 6)),  # typed_mention_ceaf
        ("span+kbid", "mentions", (4, 5), (4, 6)),  # strong_all_match
        ("span+kbid", "bcub", (10 / 3, 5), (4, 6)),  # b_cubed_plus
        ("span+kbid", "ceafm", (4, 5), (4, 6)),  # mention_ceaf_plus
        ("span+type+kbid", "mentions", (3, 5), (3, 6)),  # strong_typed_all_match
    ],
)
def test_measures_of_neleval_are_metrics_on_other_mentions(
    identity: str,
    metric: str,
    recall: tuple[float, float],
    precision: tuple[float, float],
) -> None:
    counts = score(identity=identity).counts[metric].sum(axis=0)
    found = counts[0] / counts[1], counts[2] / counts[3]
    assert found == pytest.approx((recall[0] / recall[1], precision[0] / precision[1]))


def test_the_signature_has_it_unless_spans_are_all() -> None:
    assert "|identity:span+type|" in score(identity="span+type").signature
    assert "identity" not in score(identity="span").signature
    assert score(identity="span").scores == score().scores


def test_files_without_types_are_refused() -> None:
    sides = corpus(GOLD), corpus(SYSTEM, typed=False)
    scheme = resolve(None, identity="span+type")
    with pytest.raises(scoref.OptionError, match="needs 'type', which "):
        score_corpora(*sides, scheme, choose_metrics(None))


def test_entities_in_python_have_neither() -> None:
    with pytest.raises(
        scoref.OptionError, match="needs 'kbid', which key does not have"
    ):
        scoref.score([["a"]], [["a"]], identity="span+kbid")


SPANS = [[[0, 1], [3, 3]], [[5, 5], [7, 9], [12, 12]], [[14, 14], [20, 22], [30, 30]]]


def moved(start: int, end: int) -> list[list[list[int]]]:
    return [[[a + start, b + end] for a, b in entity] for entity in SPANS]


def notes(folder: Path, key: object, response: object) -> dict[str, str]:
    paths = folder / "key.jsonl", folder / "response.jsonl"
    for path, clusters in zip(paths, (key, response), strict=True):
        path.write_text(json.dumps({"doc_key": "d", "clusters": clusters}))
    return {note.kind: note.message for note in scoref.score(*paths).notes}


@pytest.mark.parametrize(
    ("key", "response", "question"),
    [
        (moved(0, 0), moved(0, 1), "Are ends exclusive in the response?"),
        (moved(0, 1), moved(0, 0), "Are ends exclusive in the key?"),
        (moved(0, 0), moved(1, 1), "Are tokens counted from 1 in the response?"),
        (moved(1, 1), moved(0, 0), "Are tokens counted from 1 in the key?"),
        (
            *(moved(0, 0), moved(1, 2)),
            "Are tokens counted from 1, and ends exclusive, in the response?",
        ),
        (
            *(moved(1, 2), moved(0, 0)),
            "Are tokens counted from 1, and ends exclusive, in the key?",
        ),
        (
            *(moved(0, 1), moved(1, 1)),
            "Are tokens counted from 1 in the response, and ends exclusive in the key?",
        ),
        (
            *(moved(1, 1), moved(0, 1)),
            "Are tokens counted from 1 in the key, and ends exclusive in the response?",
        ),
    ],
)
def test_scoring_asks_how_offsets_are_counted(
    key: object, response: object, question: str, tmp_path: Path
) -> None:
    found = notes(tmp_path, key, response)
    assert found["shifted-offsets"].endswith(question)
    assert [kind for kind in found if found[kind].startswith("warning")] == [
        "shifted-offsets"
    ]


def test_some_mentions_may_match_all_the_same(tmp_path: Path) -> None:
    # [3, 3] is [3, 4] in the response, which the key has, too.
    key = [*SPANS, [[3, 4], [40, 41]]]
    response = [[[a, b + 1] for a, b in entity] for entity in key]
    assert notes(tmp_path, key, response)["shifted-offsets"] == (
        "warning: Only 1 of 10 response mentions match the key, so the figures are too "
        "low. With 1 less at the end, 10 would match. Are ends exclusive in the "
        "response?"
    )


def test_moved_mentions_that_overlap_are_still_moved(tmp_path: Path) -> None:
    paths = tmp_path / "key.jsonl", tmp_path / "response.jsonl"
    for path, clusters in zip(paths, (moved(0, 0), moved(0, 1)), strict=True):
        path.write_text(json.dumps({"doc_key": "d", "clusters": clusters}))
    result = scoref.score(*paths, match="overlap")
    assert result.scores["mentions"].f1 > 0.5
    found = {note.kind: note.message for note in result.notes}
    assert found["shifted-offsets"] == (
        "warning: None of the 8 response mentions are exactly as in the key, so the "
        "figures are too low. With 1 less at the end, 8 would match. Are ends "
        "exclusive in the response?"
    )
    same = scoref.score(paths[0], paths[0], match="overlap")
    assert all(note.kind != "shifted-offsets" for note in same.notes)
    # A response with shorter mentions is what such a match is for.
    (note,) = (
        note.message
        for note in scoref.score(*reversed(paths), match="overlap").notes
        if note.kind == "shifted-offsets"
    )
    assert note.startswith(
        "None of the 8 response mentions are exactly as in the key. If"
    )


@pytest.mark.parametrize("response", [SPANS, SPANS[:1], moved(100, 103)])
def test_nothing_is_asked_where_no_shift_helps(
    response: object, tmp_path: Path
) -> None:
    assert "shifted-offsets" not in notes(tmp_path, SPANS, response)


def test_numbers_that_are_no_offsets_are_not_moved() -> None:
    result = scoref.score([["a", "c", "e"]], [["b", "d", "f"]])
    assert [note.kind for note in result.notes] == ["no-common-mentions"]


def test_no_mention_in_common_is_noted(tmp_path: Path) -> None:
    found = notes(tmp_path, SPANS, moved(100, 103))
    assert found["no-common-mentions"] == (
        "warning: None of the 8 response mentions is one of the 8 key mentions, so "
        "the scores of entities are 0. Is it the response to this key?"
    )
    assert "no-common-mentions" not in notes(tmp_path, SPANS, SPANS[:1])
    assert "no-common-mentions" not in notes(tmp_path, SPANS, [])


def of_documents(folder: Path, *responses: object) -> dict[str, str]:
    """Give the notes on as many documents, all of which have the same key."""
    paths = folder / "key.jsonl", folder / "response.jsonl"
    sides: tuple[list[object], ...] = ([SPANS] * len(responses), list(responses))
    for path, documents in zip(paths, sides, strict=True):
        lines = [
            json.dumps({"doc_key": f"d{number}", "clusters": clusters})
            for number, clusters in enumerate(documents)
        ]
        path.write_text("\n".join(lines))
    return {note.kind: note.message for note in scoref.score(*paths).notes}


def test_some_documents_may_be_shifted(tmp_path: Path) -> None:
    found = of_documents(tmp_path, SPANS, moved(1, 1), SPANS, moved(1, 1), SPANS)
    assert found["shifted-offsets"] == (
        "warning: None of the 16 response mentions in 2 of 5 documents (first: 'd1') "
        "match the key, so the figures are too low. With 1 less, 16 would match. Are "
        "tokens counted from 1 in the response?"
    )
    found = of_documents(tmp_path, SPANS, SPANS, moved(1, 2))
    assert found["shifted-offsets"].partition(" in ")[2].startswith("1 of 3 documents")
    assert "ends exclusive, in the response?" in found["shifted-offsets"]


def test_documents_of_few_mentions_may_be_shifted_by_chance(tmp_path: Path) -> None:
    wrong = [[[0, 2], [3, 4]]]
    assert "shifted-offsets" not in of_documents(tmp_path, SPANS, wrong, SPANS)


def test_names_and_offsets_have_nothing_in_common_and_are_not_shifted() -> None:
    key = [[f"a{row}", f"b{row}"] for row in range(12)]
    response = [[(row, row), (row + 50, row + 50)] for row in range(12)]
    notes = scoref.score(key, response).notes
    assert {note.kind for note in notes} == {"other-kinds-of-mentions"}


def test_mentions_with_gaps_match_by_their_own_pieces(tmp_path: Path) -> None:
    second = {"key": "6 7;10 11\td f", "response": "2 3\tb"}
    for name, mention in second.items():
        folder = tmp_path / name
        folder.mkdir()
        (folder / "d.txt").write_text("a b c d e f\n")
        lines = ["T1\tx 0 1;4 5\ta c", f"T2\tx {mention}", "*\tCoref T1 T2", ""]
        (folder / "d.ann").write_text("\n".join(lines))
    result = scoref.score(tmp_path / "key", tmp_path / "response", metrics="mentions")
    assert result.counts["mentions"].tolist() == [[1, 2, 1, 2]]
