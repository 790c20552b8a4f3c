"""Natural but wrong ways to call `scoref llm`: each gets an error or a warning."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

import pytest
from click.testing import CliRunner, Result

from scoref.tools.llm.command import command
from support.llm_answers import LONG, Document, Mention, as_json, marked, write_key
from support.paths import EXAMPLES

if TYPE_CHECKING:
    from pathlib import Path

pytestmark = pytest.mark.usefixtures("wide")

KEY, ANSWERS = str(EXAMPLES / "key.conll"), str(EXAMPLES / "llm-answers.jsonl")
OTHER = Document(
    ["The", "old", "harbour", "closed", ";", "nobody", "missed", "it", "."], []
)
DOCUMENTS = {
    "a": LONG,
    "b": OTHER._replace(mentions=[Mention(0, 2, "1"), Mention(7, 7, "1")]),
}


def run(*arguments: str) -> Result:
    return CliRunner().invoke(command, arguments)


def refused(*arguments: str, code: int = 1) -> str:
    result = run(*arguments)
    assert (result.exit_code, result.stdout) == (code, ""), result.output
    return result.stderr


def warned(*arguments: str) -> str:
    result = run(*arguments)
    assert result.exit_code == 0, result.output
    warnings = [
        line for line in result.stderr.splitlines() if line.startswith("warning")
    ]
    assert warnings, result.stderr
    return "\n".join(warnings)


@pytest.fixture
def key(tmp_path: Path) -> str:
    return str(write_key(tmp_path, DOCUMENTS))


@pytest.fixture
def one(tmp_path: Path) -> str:
    (tmp_path / "one").mkdir()
    return str(write_key(tmp_path / "one", {"a": LONG}))


def written(folder: Path, text: object, name: str = "output.json") -> str:
    path = folder / name
    path.write_text(text if isinstance(text, str) else json.dumps(text))
    return str(path)


def test_key_and_answers_are_swapped() -> None:
    assert "llm-answers.jsonl:1: " in refused(ANSWERS, KEY)


@pytest.mark.parametrize("name", ["key.conll", "response.conll", "corefud-key.conllu"])
def test_a_file_with_annotations_is_not_an_answer(name: str) -> None:
    said = refused(KEY, str(EXAMPLES / name))
    assert "a file with annotations" in said
    assert f"hint: scoref {KEY} {EXAMPLES / name} scores it" in said


def test_the_key_is_given_as_the_answers(one: str) -> None:
    assert "was given as the key and as the answers" in warned(one, one)


def test_the_text_without_marks_is_given_as_the_answers(tmp_path: Path) -> None:
    text = str(tmp_path / "input.txt")
    assert run(KEY, "--write-input", text).exit_code == 0
    assert "no answer marks or lists mentions" in refused(KEY, text)


@pytest.mark.parametrize(
    "text",
    [
        "",
        "I am sorry, but I cannot do this.",
        'I can do this:\n1. Summarise, translate\n2. Explain: "a", "b"',
        '{"a": "I do not know"}',
        '{"error": {"message": "no quota"}}',
        '{"doc_key": "a", "output": null}',
        '{"doc_key": "a", "output": {"note": "nothing found"}}',
    ],
)
def test_nothing_is_understood(tmp_path: Path, one: str, text: str) -> None:
    refused(one, written(tmp_path, text))


@pytest.mark.parametrize("notation", ["xml", "json", "list"])
def test_the_notation_is_another_one(notation: str) -> None:
    said = refused(KEY, ANSWERS, "--notation", notation)
    assert f"no answer is written in the notation {notation}" in said
    assert "the notation may be markdown" in said


def test_one_of_the_answers_is_not_understood(tmp_path: Path, key: str) -> None:
    lines = [
        {"doc_key": "a", "output": " ".join(marked(LONG, "markdown"))},
        {"doc_key": "b", "output": " ".join(OTHER.words)},
    ]
    output = written(tmp_path, "\n".join(map(json.dumps, lines)), "output.jsonl")
    said = warned(key, output)
    assert "1 answer is without a mention in the notation markdown" in said
    assert "scored as empty: 'b'" in said


def test_answers_are_about_each_other_s_documents(tmp_path: Path, key: str) -> None:
    lines = {
        "a": " ".join(marked(DOCUMENTS["b"], "markdown")),
        "b": " ".join(marked(LONG, "markdown")),
    }
    said = warned(key, written(tmp_path, lines))
    assert "2 answers are refused, or about another text" in said


def test_an_answer_is_missing_or_unknown(tmp_path: Path, key: str) -> None:
    answer = json.loads(as_json(LONG))
    assert "no answer about 'b'" in refused(key, written(tmp_path, {"a": answer}))
    more = {"a": answer, "b": [], "c": []}
    assert "'c' is not a document of" in refused(key, written(tmp_path, more))


def test_the_ids_of_a_batch_are_not_names_of_documents(
    tmp_path: Path, one: str
) -> None:
    body = {"choices": [{"message": {"content": as_json(LONG)}}]}
    record = {"custom_id": "request-1", "response": {"body": body}}
    said = refused(one, written(tmp_path, record))
    assert "no answer is about a document" in said
    assert "answers are 'request-1'" in said


def test_the_field_of_the_answer_has_an_unknown_name(tmp_path: Path, one: str) -> None:
    said = refused(one, written(tmp_path, {"doc_key": "a", "reply": as_json(LONG)}))
    assert (
        "there is no answer in this object; its fields are 'doc_key', 'reply'" in said
    )


def test_predicted_clusters_are_null(tmp_path: Path, one: str) -> None:
    record = {"doc_key": "a", "clusters": [[[0, 1]]], "predicted_clusters": None}
    said = refused(one, written(tmp_path, record))
    assert "'predicted_clusters' is null or missing" in said


def test_offsets_are_those_of_characters(tmp_path: Path, one: str) -> None:
    mentions = [("Ada Lovelace", 0, 12), ("her", 56, 59)]
    objects = [{"text": text, "start": a, "end": b} for text, a, b in mentions]
    said = warned(one, written(tmp_path, [objects]))
    assert "the offsets of 2 mentions are not those of the words" in said
    pairs = [[[0, 12], [56, 59], [17, 31], [42, 44]]]
    assert "3 mentions are not in the text" in warned(one, written(tmp_path, pairs))


def test_a_folder_holds_a_file_of_all_answers(tmp_path: Path, key: str) -> None:
    folder = tmp_path / "answers"
    folder.mkdir()
    written(folder, {"a": [], "b": []}, "answers.json")
    assert "answers are 'answers.json'" in refused(key, str(folder))


def test_a_value_is_unknown() -> None:
    assert "'drop' is not one of" in refused(KEY, ANSWERS, "--unplaced", "drop", code=2)


def test_a_response_is_written_without_invented_mentions(
    tmp_path: Path, one: str
) -> None:
    output = written(tmp_path, [["Ada Lovelace", "her", "zebra"]])
    target = str(tmp_path / "response.jsonl")
    result = run(one, output, "--write-response", target)
    assert "1 mention is not in the text and therefore not in" in result.stderr
