"""Formats in JSON: what each holds, with the traps of each."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

import pytest

from scoref import FormatError, score
from scoref.formats.catalogue import JSON_RECORDS
from scoref.formats.reading import detect, read_data
from scoref.rules import MISSING_CLUSTERS, REPEATED_FIELD
from scoref.tools.check.check import check_data
from support.json_documents import (
    CORENLP,
    EVERY,
    LINKED,
    MIA,
    RECORDS,
    SCORCH,
    SHE,
    TEXT,
    WORDS,
    Record,
    damaged,
    region,
    relation,
    task,
)

if TYPE_CHECKING:
    from pathlib import Path

    from scoref.formats.catalogue import Role
    from scoref.model import Corpus

every_format = pytest.mark.parametrize("name", EVERY)
every_text = pytest.mark.parametrize("name", RECORDS)


def read(
    *records: object,
    role: Role = "key",
    **options: Any,  # noqa: ANN401 - those of `read_data`
) -> Corpus:
    data = "".join(json.dumps(record) + "\n" for record in records).encode()
    return read_data(data, source="d.json", role=role, **options)


def entities(corpus: Corpus) -> list[list[str]]:
    """Give the texts of mentions, by entity."""
    assert corpus.tokens is not None
    words = corpus.tokens.word.strings()
    first = corpus.tokens.first[corpus.entity_document[corpus.mention_entity]]
    found: list[list[str]] = [[] for _ in corpus.entity_label]
    for row, entity in enumerate(corpus.mention_entity.tolist()):
        start = int(first[row] + corpus.mention_start[row])
        end = int(first[row] + corpus.mention_end[row])
        found[entity].append(" ".join(words[start : end + 1]))
    return found


def problem(*records: object) -> tuple[str, str]:
    with pytest.raises(FormatError) as caught:
        read(*records)
    assert caught.value.line == len(records)
    return caught.value.problem, caught.value.hint


# All of them


def test_there_is_an_example_of_every_format() -> None:
    assert {record.name for record in JSON_RECORDS} == {*EVERY}


@every_format
def test_a_file_is_known_by_its_fields(name: str) -> None:
    line = json.dumps(EVERY[name]).encode()
    pretty = json.dumps(EVERY[name], indent=2).encode()
    for data in (line, pretty, b"[" + line + b"]", b"\xef\xbb\xbf\n" + pretty):
        assert detect(data) == name


@every_format
def test_lines_and_arrays_and_objects_over_lines_are_the_same(name: str) -> None:
    record, other = EVERY[name], {**EVERY[name]}
    if name in {"preco", "maven-ere"}:
        other["id"] = "another"
    if name == "scorch":
        other["name"] = "another"
    lines = read(record, other)
    pretty = "\n".join(json.dumps(each, indent=1) for each in (record, other))
    for data in (
        json.dumps([record, other]),
        pretty,
        json.dumps([record, other], indent=1),
    ):
        found = read_data(data.encode(), source="d.json", role="key")
        assert found.documents == lines.documents
        assert found.mention_start.tolist() == lines.mention_start.tolist()
        assert found.mention_end.tolist() == lines.mention_end.tolist()


@every_text
def test_mentions_are_what_the_text_says(name: str) -> None:
    found = read(RECORDS[name])
    assert found.format == name
    assert entities(found) == [["Mia", "She"]]


@every_text
def test_formats_are_scored_against_each_other(name: str, tmp_path: Path) -> None:
    key, response = tmp_path / "d.conll", tmp_path / "response.json"
    rows = "".join(f"d\t0\t0\t{word}\t-\n" for word in WORDS)
    rows = rows.replace("Mia\t-", "Mia\t(1)").replace("She\t-", "She\t(1)")
    key.write_text(f"#begin document (d); part 000\n{rows}\n#end document\n")
    response.write_text(json.dumps(RECORDS[name]))
    for sides in ((key, response), (response, key)):
        assert score(*sides, metrics="conll").conll == 1


@every_text
def test_ends_that_are_confused_change_the_figure_or_are_refused(name: str) -> None:
    text = json.dumps(RECORDS[name])
    moved = text.replace("[0, 3]", "[0, 2]").replace('"end": 3', '"end": 2')
    moved = moved.replace("[0, 0]", "[0, 1]").replace("[0, 0, 1]", "[0, 0, 2]")
    moved = moved.replace("[0, 0, 0]", "[0, 0, 1]").replace("[0, 1]", "[0, 2]", 1)
    moved = moved.replace('"endIndex": 2', '"endIndex": 3')
    assert moved != text
    try:
        found = entities(read(json.loads(moved)))
    except FormatError as error:
        found = [[error.problem.rpartition("not ")[2]]]
    assert found in (
        [["'Mia'"]],
        [["Mi", "She"]],
        [["Mia slept", "She"]],
    )


# What is refused


_AMBIGUOUS = (
    "these clusters may count words or characters: there is a 'text', but neither "
    "'tokens', 'sentences' nor 'clusters_strings'"
)
_COREF_DATA = (
    "this is coref-data JSON, from the Hugging Face Hub, which is not supported yet"
)
COREF_DATA: Record = {
    "id": "d",
    "sentences": [
        {"id": 0, "speaker": None, "tokens": [{"id": 1, "text": word}]}
        for word in WORDS
    ],
    "coref_chains": [[[0, 0, 0], [3, 0, 0]]],
    "genre": "nw",
}
_UNKNOWN = "the fields are 'text', 'entities', 'a'; none of the known formats has these"
_HEADS = "there are only heads of mentions here, in groups 'coref_head_clusters_1', …"


@pytest.mark.parametrize(
    ("record", "problem", "hint"),
    [
        (
            {"text": TEXT, "entities": [], "a": 1},
            _UNKNOWN,
            "'doc_key' and 'clusters' (json-lines)",
        ),
        (
            {"doc_key": "d", "text": TEXT, "clusters": [[[0, 3]]]},
            _AMBIGUOUS,
            "--format fastcoref",
        ),
        (
            {"document": TEXT},
            "this is AllenNLP's input, which has no clusters",
            "allennlp predict",
        ),
        (
            {"text": TEXT, "tokens": [], "spans": {"coref_head_clusters_1": []}},
            _HEADS,
            "coref_clusters_1",
        ),
        (
            {"text": TEXT, "tokens": [], "spans": {"sc": []}},
            "this is spaCy's JSON without coreference",
            "coref_clusters_1",
        ),
        (
            {"text": TEXT, "label": [], "annotator": 1, "annotation_id": 2},
            "this is Label Studio's JSON-MIN, which has no relations",
            "as JSON",
        ),
        (COREF_DATA, _COREF_DATA, "write JSON lines"),
        ({"doc_key": "d", **COREF_DATA}, _COREF_DATA, "write JSON lines"),
        ({"rows": [{"row": COREF_DATA}]}, _COREF_DATA, "write JSON lines"),
        (
            {"doc_name": "d", "sentences": [WORDS], "coref_chains": []},
            _COREF_DATA,
            "write JSON lines",
        ),
        (
            {"tokens": WORDS, "clusters": []},
            "these documents have no name",
            "doc_key",
        ),
    ],
)
def test_other_json_is_refused_by_its_fields(
    record: Record, problem: str, hint: str
) -> None:
    for data in (record, [record]):
        with pytest.raises(FormatError) as caught:
            read_data(json.dumps(data).encode(), source="x", role="key")
        assert caught.value.problem == problem
        assert hint in caught.value.hint


def test_what_offsets_count_can_be_said() -> None:
    record = {"doc_key": "d", "text": TEXT, "clusters": [[[0, 3]]]}
    assert entities(read(record, format="fastcoref")) == [["Mia"]]
    assert read(record, format="json-lines").mention_end.tolist() == [3]


@every_format
def test_a_file_that_is_cut_off_is_refused(name: str) -> None:
    for data in (
        json.dumps(EVERY[name]).encode(),
        json.dumps([EVERY[name]] * 2, indent=1).encode(),
        json.dumps(EVERY[name], indent=1).encode(),
    ):
        for end in range(2, len(data), 7):
            with pytest.raises(FormatError) as caught:
                read_data(data[:end], source="x", role="key")
            assert caught.value.line


@every_format
def test_damaged_records_are_refused_or_read_and_nothing_else(name: str) -> None:
    lines = set()
    for record in damaged(EVERY[name]):
        try:
            read(record, format=name)
        except FormatError as error:
            lines.add(error.line)
    assert lines <= {1, None}
    assert 1 in lines


# Names


@pytest.mark.parametrize("name", ["fastcoref", "allennlp", "maverick", "spacy"])
def test_documents_without_names_have_numbers(name: str) -> None:
    record = RECORDS[name]
    assert [each.name for each in read(record, record).documents] == ["1", "2"]
    assert [each.aliases for each in read(record).documents] == [()]
    for field in ("doc_key", "doc_id", "id", "name"):
        assert read({**record, field: "x"}).documents[0].aliases == ("x",)


@pytest.mark.parametrize("name", ["corenlp", "rucoco"])
def test_the_one_document_of_a_file_is_called_like_the_file(name: str) -> None:
    assert read(RECORDS[name]).documents[0].short == "d"


def test_corenlp_names_its_document_with_or_without_the_ending() -> None:
    found = read({**CORENLP, "docId": "wsj_1.txt"}).documents[0]
    assert found == ("wsj_1.txt", ("wsj_1", "wsj_1.txt"))


def test_scorch_counts_parts_as_conll_2012_does() -> None:
    found = read({**SCORCH, "name": "bc/x-001"}).documents[0]
    assert found.name == "bc/x-001"
    assert {"bc/x-001", "bc/x_1"} <= {*found.aliases}


@pytest.mark.parametrize("name", ["fastcoref", "preco"])
def test_a_name_that_comes_twice_is_refused(name: str) -> None:
    record = {**RECORDS[name], "id": "d"}
    found, _ = problem(record, record)
    assert found == "document 'd' comes a second time (first in line 1)"
    assert len(read(record, record, reading="lenient").documents) == 1


# fastcoref


def test_fastcoref_counts_words_if_the_text_is_a_list_of_them() -> None:
    record = {
        "text": WORDS,
        "clusters": [[[0, 1], [3, 4]]],
        "clusters_strings": [[["Mia"], ["She"]]],
    }
    assert entities(read(record)) == [["Mia", "She"]]


def test_fastcoref_may_have_lost_a_mention() -> None:
    record = {
        "text": TEXT,
        "clusters": [[[0, 3], None, [11, 14]], [None]],
        "clusters_strings": [["Mia", None, "She"], [None]],
    }
    found = read(record)
    assert entities(found) == [["Mia", "She"]]
    assert [(note.kind, note.count) for note in found.notes] == [("null-mentions", 2)]


def test_strings_tell_that_characters_are_counted_whatever_the_name() -> None:
    record = {"doc_key": "d", **RECORDS["fastcoref"]}
    assert read(record).format == "fastcoref"
    assert read(record).documents[0].aliases == ("d",)
    assert read({**record, "tokens": WORDS, "clusters": []}).format == "json-lines"


@pytest.mark.parametrize(
    ("text", "spans", "hint"),
    [
        ("😀 Mia slept. She", [[3, 6], [14, 17]], "UTF-16 units"),
        ("é Mia slept. She", [[3, 6], [14, 17]], "bytes"),
        ("Mia slept. She", [[0, 2], [11, 13]], "the last character seems to be part"),
        ("Mia slept. She", [[1, 4], [12, 15]], "counted from 1"),
        ("Mia slept. Her", [[0, 3], [11, 14]], "the text must be the one"),
    ],
)
def test_strings_that_differ_tell_how_offsets_are_counted(
    text: str, spans: list[list[int]], hint: str
) -> None:
    record = {"text": text, "clusters": [spans], "clusters_strings": [["Mia", "She"]]}
    found, why = problem(record)
    assert found.startswith("clusters[0][")
    assert hint in why


def test_a_mention_beyond_the_text_is_refused_or_passed_over() -> None:
    record = {"text": "Mia slept.", "clusters": [[[0, 3], [4, 11]], [[3, 4]], [[5, 5]]]}
    found, hint = problem(record)
    assert (
        found == "clusters[0][1]: [4, 11] is no mention in a document of 10 characters"
    )
    assert hint == "characters are counted from 0; the last one is before the end"
    lenient = read(record, reading="lenient")
    assert entities(lenient) == [["Mia"], [], []]
    assert [(note.kind, note.count) for note in lenient.notes] == [
        ("unreadable-mentions", 3)
    ]


def test_places_in_an_array_are_named() -> None:
    records = [RECORDS["fastcoref"], {"text": "Mia", "clusters": [[[0, 4]]]}]
    found, _ = problem(records)
    assert (
        found
        == "[1].clusters[0][0]: [0, 4] is no mention in a document of 3 characters"
    )
    found, _ = problem([RECORDS["fastcoref"], {"text": "Mia", "clusters": [[0]]}])
    assert "at `[1].clusters[0][0]`" in found


# AllenNLP


def test_blank_words_do_not_count() -> None:
    record = {"document": ["Mia", "\n\n", "slept", ""], "clusters": [[[0, 1], [2, 3]]]}
    found = read(record)
    assert entities(found) == [["Mia", "slept"]]
    assert found.document_tokens is not None
    assert found.document_tokens.tolist() == [2]
    only_blanks, _ = problem({"document": ["a", " "], "clusters": [[[1, 1]]]})
    assert only_blanks == "clusters[0][0]: [1, 1] is nothing but blanks"


def test_a_document_of_words_may_be_json_lines() -> None:
    record = {"doc_key": "d", **RECORDS["allennlp"]}
    found = read(record, with_tokens=True)
    assert found.format == "json-lines"
    assert entities(found) == [["Mia", "She"]]


# Maverick and xCoRe


def test_texts_of_words_tell_how_these_are_counted() -> None:
    record = {**RECORDS["maverick"], "clusters_token_offsets": [[[0, 1], [3, 4]]]}
    found, hint = problem(record)
    assert found == (
        "clusters_token_offsets[0][0]: [0, 1] is 'Mia slept' in the text, not 'Mia'"
    )
    assert (
        hint == "ends seem to lie behind mentions; the last word must be part of them"
    )


@pytest.mark.parametrize("tokens", [[["Mia"], ["She", "woke"]], [[["Mia"]], [["She"]]]])
def test_entities_across_documents_have_one_label(tokens: list[object]) -> None:
    offsets = [[[1, 0, 0]], [[0, 0, 0], [1, 0, 0]]]
    found = read({"tokens": tokens, "clusters_token_offsets": offsets})
    assert [each.name for each in found.documents] == ["0", "1"]
    assert entities(found) == [["Mia"], ["She"], ["She"]]
    assert found.entity_label == ("1", "0", "1")
    assert found.has_labels


def test_a_document_that_is_not_there_is_refused() -> None:
    record = {"tokens": [["Mia"]], "clusters_token_offsets": [[[1, 0, 0]]]}
    found, _ = problem(record)
    assert found == "clusters_token_offsets[0]: there is no document 1 among 1"


# CoreNLP


def test_corenlp_without_chains_is_no_response_without_mentions() -> None:
    found, hint = problem({"sentences": CORENLP["sentences"]})
    assert found == "there is no coreference in this file"
    assert "coref" in hint


def test_corenlp_has_the_words_of_the_text() -> None:
    tokens = [
        {"word": "-LRB-", "originalText": "("},
        {"word": "Mia", "originalText": ""},
        {"word": "-RRB-", "originalText": ")"},
    ]
    mentions = [
        {"sentNum": 1, "startIndex": 1, "endIndex": 4, "text": "-LRB- Mia -RRB-"}
    ]
    found = read({"sentences": [{"tokens": tokens}], "corefs": {"1": mentions}})
    assert entities(found) == [["( Mia )"]]


def test_corenlp_counts_by_sentence() -> None:
    mention = {"sentNum": 1, "startIndex": 3, "endIndex": 5}
    found, _ = problem({**CORENLP, "corefs": {"4": [mention]}})
    assert found == "corefs.4[0]: [0, 2, 4] is no mention in a document of 6 words"


# spaCy


def test_spacy_may_have_heads_only() -> None:
    found = read(RECORDS["spacy"])
    assert [note.kind for note in found.notes] == ["heads-only"]
    spans = {"coref_clusters_0": [{"start": 0, "end": 9}]}
    longer = read({**RECORDS["spacy"], "spans": spans})
    assert entities(longer) == [["Mia slept"]]
    assert longer.notes == ()


# scorch


def test_graphs_are_what_links_join() -> None:
    graph = {"type": "graph", "mentions": [1, [2, 3], "c"], "links": [["c", 1]]}
    clusters = {"type": "clusters", "clusters": {"a": [1.0, "c"], "b": [[2, 3]]}}
    mentions = [sorted(read(each).mention_start.tolist()) for each in (graph, clusters)]
    assert mentions[0] == mentions[1]
    assert len({*mentions[0]}) == 3
    assert [len(read(each).entity_label) for each in (graph, clusters)] == [2, 2]


def test_values_are_compared_with_values_only(tmp_path: Path) -> None:
    key, response = tmp_path / "key.json", tmp_path / "response.json"
    key.write_text(json.dumps({**SCORCH, "name": "d"}))
    response.write_text(json.dumps(RECORDS["maverick"]))
    with pytest.raises(FormatError, match="are values, which are in no text"):
        score(key, response)
    graph = {"name": "d", "type": "graph", "mentions": ["0.0-0"], "links": []}
    response.write_text(json.dumps(graph))
    assert score(key, response).scores["mentions"].precision == 1


# Label Studio


def test_relations_join_but_for_bridges() -> None:
    third = region("c", 15, 21, "dreamt")
    found = read(
        task(MIA, SHE, third, relation("b", "a", "coref"), relation("c", "b", "Bridge"))
    )
    assert entities(found) == [["Mia", "She"], ["dreamt"]]
    assert [note.message for note in found.notes] == [
        "relations that join mentions: coref (1)",
        "relations 'Bridge', not read: 1",
    ]


def test_the_text_is_what_regions_are_of() -> None:
    data = {"title": "Sleep", "story": TEXT}
    named = [{**each, "to_name": "story"} for each in (MIA, SHE)]
    assert entities(read({**task(*named), "data": data})) == [["Mia"], ["She"]]
    found, _ = problem({**task(MIA), "data": data})
    assert found == "data: there is no text 'text', only 'title', 'story'"


def test_cancelled_annotations_do_not_count_and_several_are_refused() -> None:
    answers = [
        {"result": [MIA], "was_cancelled": True, "completed_by": 1},
        {"result": [SHE], "completed_by": {"id": 2, "email": "b@example.org"}},
        {"result": [MIA, SHE], "completed_by": 3},
    ]
    assert entities(read(task(annotations=answers[:2]))) == [["She"]]
    found, hint = problem(task(annotations=answers))
    assert found == "annotations: this task has 2 annotations, by '2', '3'"
    assert "--annotator" in hint


def test_annotators_and_relations_can_be_chosen(tmp_path: Path) -> None:
    answers = [
        {"result": [MIA, SHE, relation("b", "a", "coref")], "completed_by": 1},
        {"result": [MIA, SHE, relation("b", "a", "ana")], "completed_by": 2},
    ]
    path = tmp_path / "export.json"
    path.write_text(json.dumps([task(annotations=answers)]))
    assert score(path, path, annotator="2").scores["muc"].recall == 1
    without = score(path, path, annotator="2", relations="coref")
    assert not without.scores["muc"].is_defined
    with pytest.raises(
        FormatError, match="there is nothing by '3' in this file"
    ) as error:
        score(path, path, annotator="3")
    assert error.value.hint == "there is something by '1', '2'"


def test_tasks_that_nobody_annotated_are_left_out() -> None:
    found = read(LINKED, task(annotations=[]))
    assert len(found.documents) == 1
    assert [note.message for note in found.notes] == [
        "relations that join mentions: coref (1)",
        "tasks without an annotation, not read: 1",
    ]


PREDICTED = {**LINKED, "predictions": [{"result": [MIA, SHE], "model_version": "m"}]}


def test_predictions_are_the_response_if_a_file_has_any(tmp_path: Path) -> None:
    path = tmp_path / "export.json"
    path.write_text(json.dumps([PREDICTED]))
    assert score(path).scores["muc"].recall == 0
    assert score(path, path).scores["muc"].recall == 0
    assert entities(read(PREDICTED)) == [["Mia", "She"]]
    only = read({**PREDICTED, "annotations": []}, role="response")
    assert entities(only) == [["Mia"], ["She"]]
    imported = {"data": {"text": TEXT}, "predictions": PREDICTED["predictions"]}
    assert entities(read(imported, role="response")) == [["Mia"], ["She"]]


def test_annotations_are_the_response_if_there_are_no_predictions() -> None:
    answers: list[object] = [[], None]
    for nothing in answers:
        record = {**LINKED, "predictions": nothing}
        assert entities(read(record, role="response")) == [["Mia", "She"]]


@pytest.mark.parametrize("nothing", [{}, {"predictions": []}, {"predictions": None}])
def test_a_task_without_predictions_is_refused_if_others_have_some(
    nothing: Record,
) -> None:
    with pytest.raises(FormatError) as caught:
        read(PREDICTED, {**LINKED, **nothing}, role="response")
    assert caught.value.problem == "document '2' has no 'predictions'"
    assert caught.value.line == 2
    assert caught.value.rule == MISSING_CLUSTERS
    found = read(PREDICTED, {**LINKED, **nothing}, role="response", reading="lenient")
    assert entities(found) == [["Mia"], ["She"]]
    assert len(found.documents) == 2


def test_an_annotator_of_the_key_does_not_choose_predictions(tmp_path: Path) -> None:
    answers = [
        {"result": [MIA, SHE, relation("b", "a", "coref")], "completed_by": 1},
        {"result": [MIA], "completed_by": 2},
    ]
    path = tmp_path / "export.json"
    path.write_text(json.dumps([{**PREDICTED, "annotations": answers}]))
    assert score(path, annotator="1").scores["mentions"].f1 == 1
    assert score(path, annotator="2").scores["mentions"].recall == 1
    assert score(path, annotator="2").scores["mentions"].precision == 1 / 2


@every_text
def test_a_response_in_a_field_that_a_format_does_not_have_is_refused(
    name: str,
) -> None:
    record = {**RECORDS[name], "predicted_clusters": []}
    if name == "label-studio":
        return
    assert entities(read(record, format=name)) == [["Mia", "She"]]
    with pytest.raises(FormatError, match="the field 'predicted_clusters', which"):
        read(record, role="response", format=name)


def test_ids_are_the_response_of_maven_ere_if_a_file_has_any() -> None:
    key = RECORDS["maven-ere"]
    both = {**key, "coreference": [["m"], ["n"]]}
    assert len(read(both).entity_label) == 1
    assert len(read(both, role="response").entity_label) == 2
    with pytest.raises(FormatError, match="document 'e' has no 'coreference'"):
        read(both, {**key, "id": "e"}, role="response")


TWICE = {
    "fastcoref": '"clusters": [], ',
    "allennlp": '"clusters": [], ',
    "corenlp": '"corefs": {}, ',
    "maverick": '"clusters_token_offsets": [], ',
    "xcore": '"clusters_token_offsets": [[[0, 0, 0]]], ',
    "preco": '"mention_clusters": [], ',
    "spacy": '"spans": {"coref_clusters_1": []}, ',
    "maven-ere": '"events": [], ',
    "label-studio": '"annotations": [], ',
    "rucoco": '"entities": [], ',
    "scorch": '"clusters": {}, ',
}


@every_format
def test_a_field_that_appears_twice_is_refused(name: str) -> None:
    whole = json.dumps(EVERY[name])
    twice = ("{" + TWICE[name] + whole[1:]).encode()
    field = TWICE[name].split('"')[1]
    for data in (twice, b"[" + twice + b"]"):
        with pytest.raises(FormatError, match=f"field '{field}' appears twice") as one:
            read_data(data, source="d.json", role="key")
        assert one.value.rule == REPEATED_FIELD
        assert [each.rule for each in check_data(data, source="d.json")] == [
            "repeated-field"
        ]


@pytest.mark.parametrize(
    ("name", "old", "new", "field"),
    [
        ("corenlp", '"7": [', '"7": [], "7": [', "'7' appears twice in 'corefs'"),
        (
            "spacy",
            '"coref_clusters_1"',
            '"coref_clusters_1": [], "coref_clusters_1"',
            "'coref_clusters_1' appears twice in 'spans'",
        ),
        ("scorch", '"a": [', '"a": [], "a": [', "'a' appears twice in 'clusters'"),
        (
            "label-studio",
            '"start": 0',
            '"start": 1, "start": 0',
            "'start' appears twice in 'annotations'",
        ),
    ],
)
def test_an_entity_that_appears_twice_is_refused(
    name: str, old: str, new: str, field: str
) -> None:
    data = json.dumps(EVERY[name]).replace(old, new).encode()
    with pytest.raises(FormatError, match=f"the field {field}"):
        read_data(data, source="d.json", role="key")


def test_regions_of_elements_are_refused() -> None:
    value = {"start": "0", "end": "0", "startOffset": 0, "endOffset": 3}
    found, _ = problem(task({**MIA, "type": "paragraphlabels", "value": value}))
    assert found == (
        "annotations[0].result[0].value: this region is counted in paragraphs or "
        "elements, not in a text"
    )


def test_a_region_that_is_not_there_is_refused() -> None:
    found, _ = problem(task(MIA, relation("a", "z", "coref")))
    assert found == "annotations[0].result[1]: there is no region 'z' in this task"


def test_a_region_says_what_its_text_is() -> None:
    found, _ = problem(task(MIA, region("b", 10, 13, "She")))
    assert found == "annotations[0].result[1]: [10, 13] is 'Sh' in the text, not 'She'"


# RuCoCo


def test_entities_that_include_others_are_noted() -> None:
    found = read({**RECORDS["rucoco"], "includes": [[1, 2], []]})
    assert [(note.kind, note.count) for note in found.notes] == [("plurals", 1)]


# Singletons


def test_singletons_that_a_system_never_writes_are_a_warning(tmp_path: Path) -> None:
    key, response = tmp_path / "key.jsonl", tmp_path / "response.jsonl"
    clusters = [[[0, 0], [3, 3]], [[1, 1]]]
    key.write_text(json.dumps({"doc_key": "d", "tokens": WORDS, "clusters": clusters}))
    response.write_text(json.dumps(RECORDS["fastcoref"]))
    notes = {note.kind: note.message for note in score(key, response).notes}
    assert notes["no-singletons"] == (
        "warning: the response has no singletons, but the key has 1 (33% of its "
        "mentions). This lowers recall. Use --singletons drop (singletons=drop) to "
        "leave them out."
    )
    kinds = [note.kind for note in score(key, response, singletons="drop").notes]
    assert "no-singletons" not in kinds
