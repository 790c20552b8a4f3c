"""JSON lines of the neural systems: what is read, and what is refused.

JSON lines, written: what a program reads is what was there.
"""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

import pytest

import scoref
from scoref import FormatError, Note
from scoref.formats import json_lines, reading
from scoref.formats.json_lines import write
from scoref.formats.reading import read_data
from support.corpus_values import mentions_by_document, tokens_by_document
from support.paths import EXAMPLES

if TYPE_CHECKING:
    from pathlib import Path

    from scoref.formats.catalogue import Role
    from scoref.model import Corpus


def _lines(*records: object) -> bytes:
    return "".join(json.dumps(record) + "\n" for record in records).encode()


def _read(data: bytes, role: Role = "key", *, lenient: bool = False) -> Corpus:
    return json_lines.read(data, source="x.jsonl", role=role, lenient=lenient)


ONE = {"doc_key": "d", "clusters": [[[0, 1], [4, 4]], [[2, 2]]]}

BOTH = {**ONE, "predicted_clusters": [[[0, 1]], [[4, 4]]]}


def test_clusters_are_entities_and_offsets_are_mentions() -> None:
    expected = {"d": {"0": [(0, 1), (4, 4)], "1": [(2, 2)]}}
    assert mentions_by_document(_read(_lines(ONE))) == expected


def test_predicted_clusters_are_the_response() -> None:
    corpus = _read(_lines(BOTH), "response")
    assert mentions_by_document(corpus) == {"d": {"0": [(0, 1)], "1": [(4, 4)]}}


def test_predicted_clusters_are_never_the_key() -> None:
    expected = {"d": {"0": [(0, 1), (4, 4)], "1": [(2, 2)]}}
    assert mentions_by_document(_read(_lines(BOTH), "key")) == expected


def test_clusters_are_the_response_where_nothing_is_predicted() -> None:
    expected = {"d": {"0": [(0, 1), (4, 4)], "1": [(2, 2)]}}
    assert mentions_by_document(_read(_lines(ONE), "response")) == expected


def test_an_empty_prediction_is_a_response_without_entities() -> None:
    corpus = _read(_lines({**ONE, "predicted_clusters": []}), "response")
    assert mentions_by_document(corpus) == {"d": {}}


OTHER = {"doc_key": "e", "clusters": [[[0, 1], [4, 4]]]}


@pytest.mark.parametrize(
    ("record", "problem"),
    [
        (OTHER, "document 'e' has no 'predicted_clusters'"),
        (
            {**OTHER, "predicted_clusters": None},
            "'predicted_clusters' of document 'e' is null",
        ),
    ],
)
@pytest.mark.parametrize("is_first", [True, False])
def test_a_document_without_predictions_never_has_its_key_as_response(
    record: object, problem: str, *, is_first: bool
) -> None:
    data = _lines(record, BOTH) if is_first else _lines(BOTH, record)
    with pytest.raises(FormatError) as caught:
        _read(data, "response")
    assert (caught.value.problem, caught.value.line) == (problem, 1 if is_first else 2)
    assert mentions_by_document(_read(data))["e"] == {"0": [(0, 1), (4, 4)]}
    lenient = _read(data, "response", lenient=True)
    assert mentions_by_document(lenient)["e"] == {}
    assert [note.kind for note in lenient.notes] == ["documents-without-clusters"]


def test_predictions_that_are_null_everywhere_are_not_the_key() -> None:
    data = _lines({**ONE, "predicted_clusters": None})
    with pytest.raises(FormatError, match="'predicted_clusters' of document 'd' is"):
        _read(data, "response")


def test_a_word_that_is_called_like_the_field_is_not_the_field(tmp_path: Path) -> None:
    record = {**ONE, "sentences": [["predicted_clusters", *"abcd"]]}
    expected = {"d": {"0": [(0, 1), (4, 4)], "1": [(2, 2)]}}
    assert mentions_by_document(_read(_lines(record), "response")) == expected
    path = tmp_path / "key.jsonl"
    path.write_bytes(_lines(record))
    with pytest.raises(FormatError, match="document 'd' has no 'predicted_clusters'"):
        scoref.score(path)


@pytest.mark.parametrize("style", [None, 2])
@pytest.mark.parametrize("field", ["clusters", "predicted_clusters", "sentences"])
def test_a_field_that_appears_twice_is_refused(field: str, style: int | None) -> None:
    record = {**BOTH, "sentences": [["clusters", *"abcd"]]}
    text = json.dumps(record, indent=style)
    twice = text[: text.rindex("}")] + f', "{field}": {json.dumps(record[field])}}}'
    assert _read(text.encode(), "response").notes == ()
    with pytest.raises(FormatError) as caught:
        _read(twice.encode(), "response")
    assert str(caught.value) == (
        f"x.jsonl:1: the field '{field}' appears twice\n"
        "  hint: Keep one of them. JSON readers use only the last one."
    )


def test_two_clusters_of_the_same_label_are_refused() -> None:
    line = b'{"doc_key": "d", "clusters": {"a": [[0, 0]], "a": [[1, 1]]}}'
    with pytest.raises(FormatError, match="the field 'a' appears twice in 'clusters'"):
        _read(line)


def test_one_file_may_hold_both_sides(tmp_path: Path) -> None:
    path = tmp_path / "both.jsonl"
    path.write_bytes(_lines(BOTH))
    result = scoref.score(path)
    assert result.counts["muc"].tolist() == [[0, 1, 0, 0]]
    assert result.format == "json-lines"


def test_one_file_without_predictions_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "key.jsonl"
    path.write_bytes(_lines(ONE))
    with pytest.raises(FormatError) as caught:
        scoref.score(path)
    assert (caught.value.problem, caught.value.source) == (
        "no response was given, and this file has no 'predicted_clusters'",
        str(path),
    )
    assert caught.value.hint.endswith(
        "The fields of this file are 'doc_key', 'clusters'."
    )


@pytest.mark.parametrize(
    ("length", "tokens"),
    [
        ({"sentences": [["a", "b", "c"], ["d", "e"]]}, 5),
        ({"tokens": ["a", "b", "c", "d", "e", "f"]}, 6),
    ],
)
def test_sentences_or_tokens_say_how_long_a_document_is(
    length: dict[str, object], tokens: int
) -> None:
    assert tokens_by_document(_read(_lines({**ONE, **length}))) == {"d": tokens}


def test_without_them_nobody_knows_the_length() -> None:
    other = {"doc_key": "e", "clusters": [], "tokens": ["a"]}
    assert _read(_lines(ONE, other)).document_tokens is None


def test_other_fields_are_not_looked_at() -> None:
    record = {**ONE, "speakers": [["x"]], "pronouns": None, "part": {"a": [1]}}
    assert _read(_lines(record)).documents == (("d", ("d",)),)


def test_a_document_key_may_be_a_number() -> None:
    assert _read(_lines({**ONE, "doc_key": 7})).documents == (("7", ("7",)),)


def test_blank_lines_crlf_and_a_byte_order_mark_are_passed_over() -> None:
    data = b"\xef\xbb\xbf\n" + _lines(ONE).replace(b"\n", b"\r\n") + b"  \n"
    assert _read(data).documents == (("d", ("d",)),)


@pytest.mark.parametrize("start", [b"", b"\xef\xbb\xbf", b"\n\n  "])
def test_json_is_told_from_conll_by_its_first_character(start: bytes) -> None:
    corpus = reading.read_data(start + _lines(ONE), source="x", role="key")
    assert corpus.format == "json-lines"


@pytest.mark.parametrize(
    ("mention", "document"),
    [
        ([-1, 0], "a document of 5 tokens"),
        ([3, 2], "a document of 5 tokens"),
        ([4, 5], "a document of 5 tokens"),
    ],
)
def test_offsets_outside_the_document_are_refused(
    mention: list[int], document: str
) -> None:
    record = {"doc_key": "d", "clusters": [[mention]], "tokens": ["w"] * 5}
    with pytest.raises(FormatError) as caught:
        _read(_lines(ONE, {**record, "doc_key": "e"}))
    start, end = mention
    assert str(caught.value) == (
        f"x.jsonl:2: [{start}, {end}] is not a mention in {document}\n"
        "  hint: Offsets are counted from 0. The last token is part of "
        "the mention."
    )


def test_leniently_such_offsets_are_passed_over_and_noted() -> None:
    record = {"doc_key": "d", "clusters": [[[-1, 0], [1, 1]], [[9, 8]]]}
    corpus = _read(_lines(record), lenient=True)
    assert mentions_by_document(corpus) == {"d": {"0": [(1, 1)], "1": []}}
    message = "warning: Skipped: unreadable mentions (2, first at x.jsonl:1)."
    assert corpus.notes == (Note("unreadable-mentions", 2, message),)


def test_a_repeated_document_is_refused() -> None:
    with pytest.raises(FormatError) as caught:
        _read(_lines(ONE, ONE))
    assert str(caught.value) == (
        "x.jsonl:2: document 'd' appears twice (first: line 1)\n"
        "  hint: Give each document of a file its own 'doc_key'."
    )


@pytest.mark.parametrize(
    ("role", "wanted"), [("key", "clusters"), ("response", "predicted_clusters")]
)
def test_a_document_without_clusters_is_refused(role: Role, wanted: str) -> None:
    with pytest.raises(FormatError) as caught:
        _read(_lines({"doc_key": "d"}), role)
    assert str(caught.value) == (
        f"x.jsonl:1: document 'd' has no '{wanted}'\n"
        "  hint: Use an empty list for no entities."
    )


@pytest.mark.parametrize("data", [b"", b"\n \n"])
def test_a_file_without_documents_is_refused(data: bytes) -> None:
    with pytest.raises(FormatError) as caught:
        _read(data)
    assert str(caught.value) == (
        "x.jsonl: this file has no document\n"
        '  hint: Expected a line {"doc_key": ..., "clusters": ...} for each.'
    )


@pytest.mark.parametrize(
    "line",
    [
        b'{"doc_key": "d", "clusters": [[[0, 1]]',
        b'{"clusters": []}',
        b'{"doc_key": "d", "clusters": [[[0]]]}',
        b'{"doc_key": "d", "clusters": [[["0", "1"]]]}',
        b'{"doc_key": "d", "clusters": [[[0.5, 1]]]}',
        b'{"doc_key": "d", "clusters": {"E": [0, 1]}}',
        b"[]",
        b"7",
        b"\xff\xfe",
        b'{"doc_key": "\xff", "clusters": []}',
    ],
)
def test_a_line_that_is_no_document_is_refused(line: bytes) -> None:
    with pytest.raises(FormatError) as caught:
        _read(_lines(ONE) + line)
    error = caught.value
    assert error.problem.startswith("this is not a document in JSON: ")
    assert (error.source, error.line) == ("x.jsonl", 2)
    assert error.text == line.decode("utf-8", "replace")
    hint, _, seen = error.hint.partition(" Found ")
    assert (
        hint == 'Expected {"doc_key": "...", "clusters": [[[start, end], ...], ...]}.'
    )
    assert bool(seen) == (line == b'{"clusters": []}')


@pytest.mark.parametrize(
    ("line", "seen"),
    [
        (b'{"text": "Ada", "clusters": []}', "the fields 'text', 'clusters'."),
        (b"{}", ""),
    ],
)
def test_the_fields_of_another_format_are_named(line: bytes, seen: str) -> None:
    with pytest.raises(FormatError) as caught:
        _read(line)
    assert caught.value.hint.partition(" Found ")[2] == seen


def test_offsets_too_large_to_count_with_are_refused() -> None:
    with pytest.raises(FormatError):
        _read(_lines({"doc_key": "d", "clusters": [[[0, 2**70]]]}))


def test_a_line_nested_too_deeply_is_refused() -> None:
    # Since Python 3.14 the limit is the stack's.
    depth = 2_000_000
    deep = b'{"doc_key": "d", "clusters": [], "x": ' + b"[" * depth + b"]" * depth
    with pytest.raises(FormatError):
        _read(deep + b"}")


@pytest.mark.parametrize(
    "fields",
    [
        b'"clusters": {"E1": [[0, 0]], "E2": [[1, 2]]}',
        b'"clusters": [[[0, 0]], [[1, 2]]], "cluster_ids": ["E1", "E2"]',
    ],
)
def test_clusters_may_have_labels(fields: bytes) -> None:
    corpus = _read(b'{"doc_key": "d", ' + fields + b"}")
    assert corpus.has_labels
    assert corpus.entity_label == ("E1", "E2")


def test_labels_of_the_response_are_its_own() -> None:
    line = (
        b'{"doc_key": "d", "clusters": [[[0, 0]]], "cluster_ids": ["K"], '
        b'"predicted_clusters": [[[0, 0]]], "predicted_cluster_ids": [7]}'
    )
    assert _read(line, "key").entity_label == ("K",)
    assert _read(line, "response").entity_label == ("7",)


@pytest.mark.parametrize(
    "ids", [b'["a"]', b'["a", "a"]', b'["a", [1]]', b'["a", "b", "c"]', b'"ab"', b"3"]
)
def test_ids_that_do_not_tell_clusters_apart_are_no_labels(ids: bytes) -> None:
    line = b'{"doc_key": "d", "clusters": [[[0, 0]], [[1, 2]]], "cluster_ids": '
    corpus = _read(line + ids + b"}")
    assert not corpus.has_labels
    assert corpus.entity_label == ("0", "1")


@pytest.mark.parametrize(
    ("fields", "topic"),
    [
        (b'"topic": "36", "subtopic": "36ecb"', ("36", "36ecb")),
        (b'"topic_id": 36, "subtopic_id": 1', ("36", "1")),
        (b'"topic": "36"', ("36", None)),
        (b'"subtopic_id": "x"', ("x", "x")),
        (b'"topic": {"name": "36"}', None),
        (b'"topic": null', None),
    ],
)
def test_documents_may_have_topics(
    fields: bytes, topic: tuple[str, str | None] | None
) -> None:
    line = b'{"doc_key": "d", "clusters": [], ' + fields + b"}"
    assert _read(line).document_topic == (None if topic is None else (topic,))


def written(data: bytes, *, with_tokens: bool = True) -> list[dict[str, object]]:
    corpus = read_data(data, source="x", role="key", with_tokens=with_tokens)
    return [json.loads(line) for line in write(corpus).splitlines()]


def test_sentences_and_clusters_are_those_of_the_file() -> None:
    data = (
        b"#begin document (a); part 000\n"
        b"a\t0\t0\tAda\t(7)\na\t0\t1\tleft\t-\n\na\t0\t0\tShe\t(7)\n#end document\n"
        b"#begin document b\nb\t0\t0\tthe\t(x\nb\t0\t1\thouse\tx)\n#end document\n"
    )
    assert written(data) == [
        {
            "doc_key": "a_0",
            "sentences": [["Ada", "left"], ["She"]],
            "clusters": [[[0, 0], [2, 2]]],
        },
        {"doc_key": "b", "sentences": [["the", "house"]], "clusters": [[[0, 1]]]},
    ]


def test_order_and_repetition_stay() -> None:
    line = {
        "doc_key": "d",
        "sentences": [["a", "b", "c"], ["(", '"']],
        "clusters": [[[3, 4], [0, 1], [0, 1]], [[0, 1]], [[2, 2]]],
    }
    assert written(json.dumps(line).encode()) == [line]


def test_without_words_there_are_no_sentences() -> None:
    line = {"doc_key": "d", "clusters": [[[5, 9]], [[2, 2], [0, 1]]]}
    assert written(json.dumps(line).encode()) == [line]


def test_empty_documents_and_sentences_are_no_trouble() -> None:
    line = {"doc_key": "d", "sentences": [[], ["a"], []], "clusters": []}
    empty = {"doc_key": "e", "sentences": [], "clusters": []}
    data = "\n".join(map(json.dumps, (line, empty))).encode()
    assert written(data) == [{**line, "sentences": [["a"]]}, empty]


def test_zeros_and_gaps_are_refused() -> None:
    data = (EXAMPLES / "corefud-key.conllu").read_bytes()
    with pytest.raises(FormatError, match="empty nodes"):
        written(data)
    gap = b"\n".join(line for line in data.split(b"\n") if b".1\t_" not in line)
    with pytest.raises(FormatError, match="cannot write a mention with a gap"):
        written(gap)


def test_words_are_needed_to_count_them() -> None:
    data = (EXAMPLES / "ua-key.ua").read_bytes()
    with pytest.raises(
        FormatError,
        match="this corpus has no tokens, but its mentions consist of words",
    ):
        written(data, with_tokens=False)
