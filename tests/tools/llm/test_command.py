"""`scoref llm`: what it prints, writes and refuses."""

from __future__ import annotations

import csv
import io
import json
from pathlib import Path

import pytest

import scoref
from scoref.tools.llm.command import _NOTATIONS
from scoref.tools.llm.notations import NOTATIONS
from scoref.tools.llm.placing import Counts
from support.commands import run
from support.json_output import result_of
from support.llm_answers import LONG, Document, Mention, as_json, marked, write_key
from support.paths import EXAMPLES

pytestmark = pytest.mark.usefixtures("wide")

KEY = str(EXAMPLES / "key.conll")
ANSWERS = str(EXAMPLES / "llm-answers.jsonl")
FILES = KEY, ANSWERS
SOME = "--metrics", "muc,conll"
SIGNATURE = (
    scoref.score(KEY, KEY)
    .signature.replace("conll-2012", "conll-2012+markdown")
    .replace("|singletons:", "|unplaced:count|singletons:")
)


OTHER = Document(
    ["The", "old", "harbour", "closed", ";", "nobody", "missed", "it", "."], []
)
DOCUMENTS = {
    "a": LONG,
    "b": OTHER._replace(mentions=[Mention(0, 2, "1"), Mention(7, 7, "1")]),
}


def refusal(*arguments: object, code: int = 1) -> str:
    """Return the error of a call, which prints no report."""
    result = run("llm", *arguments, code=code)
    assert result.stdout == ""
    return result.stderr


def warnings(*arguments: object) -> str:
    """Return the warnings of a call, which has at least one."""
    lines = run("llm", *arguments, code=0).stderr.splitlines()
    messages = [line for line in lines if line.startswith("warning")]
    assert messages, lines
    return "\n".join(messages)


@pytest.fixture
def key(tmp_path: Path) -> Path:
    return write_key(tmp_path, DOCUMENTS)


@pytest.fixture
def one(tmp_path: Path) -> Path:
    (tmp_path / "one").mkdir()
    return write_key(tmp_path / "one", {"a": LONG})


def write(folder: Path, text: object, name: str = "output.json") -> Path:
    path = folder / name
    path.write_text(text if isinstance(text, str) else json.dumps(text))
    return path


def test_text_has_scores_and_a_table_of_words() -> None:
    scores, signature, words, legend = run("llm", *FILES, *SOME).stdout.split("\n\n")
    assert scores == (
        "       Recall  Precision     F₁\n"
        "MUC     87.50     100.00  93.33\n"
        "CoNLL                     94.86"
    )
    assert signature == SIGNATURE
    assert legend.startswith("Words of the key: same, changed or lost")
    assert [" ".join(line.split()) for line in words.splitlines()] == [
        "markdown Words Same Changed Lost Added Mentions Kept Moved Unplaced Broken",
        "(news/0001); part 000 23 21 2 0 12 10 10 0 0 0",
        "(news/0002); part 000 17 16 0 1 0 4 4 0 0 1",
        "all 40 37 2 1 12 14 14 0 0 1",
    ]


def test_breaks_are_shown_with_the_words_around_them() -> None:
    lines = run("llm", *FILES, *SOME, "--show-breaks").stdout.splitlines()
    start = lines.index(f"(news/0001); part 000 ({KEY}:15): changed")
    assert lines[start : start + 3] == [
        f"(news/0001); part 000 ({KEY}:15): changed",
        "    key     showed her his «engine» , and she",
        "    output  showed her his «machine» , and she",
    ]
    assert lines[-2:] == [
        f"(news/0002); part 000 ({KEY}): '[' is opened here but never closed",
        "    output  ), [who](#2) had worked «[» there",
    ]


def test_json_has_the_same() -> None:
    fields = result_of(run("llm", *FILES, "--output", "json", "--show-breaks").stdout)
    assert fields["signature"] == SIGNATURE
    assert fields["notation"] == "markdown"
    counts = Counts(17, 16, 0, 1, 0, 4, 4, 0, 0, 1)
    assert fields["answers"]["(news/0002); part 000"] == {
        "status": "scored",
        **counts._asdict(),
    }
    assert fields["words"]["words"] == 40
    assert [place["kind"] for place in fields["breaks"]["(news/0002); part 000"]] == [
        *("lost", "bracket"),
    ]
    assert "breaks" not in result_of(run("llm", *FILES, "--output", "json").stdout)


def test_csv_has_the_scores_and_notes_go_elsewhere(tmp_path: Path) -> None:
    output = tmp_path / "output.txt"
    output.write_text("No.\n[The old harbour](#1) closed\n")
    result = run("llm", KEY, output, "--output", "csv", "--notation", "markdown", *SOME)
    rows = list(csv.DictReader(io.StringIO(result.stdout)))
    assert [row["metric"] for row in rows] == ["muc", "conll"]
    assert "warning: 1 answer is not about the text of the document" in result.stderr


@pytest.mark.parametrize(
    ("output", "expected"),
    [
        ("markdown", "| all | 40 | 37 | 2 | 1 | 12 | 14 | 14 | 0 | 0 | 1 |"),
        ("latex", r"all & 40 & 37 & 2 & 1 & 12 & 14 & 14 & 0 & 0 & 1 \\"),
    ],
)
def test_tables_come_in_other_markup(output: str, expected: str) -> None:
    assert expected in run("llm", *FILES, "--output", output).stdout.splitlines()


def test_systems_have_names_and_a_table_each() -> None:
    crac = str(EXAMPLES / "llm-crac.txt")
    key = str(EXAMPLES / "corefud-key.conllu")
    lines = run("llm", key, f"one={crac}", f"two={crac}", *SOME).stdout.splitlines()
    assert [line.split()[0] for line in lines[:3]] == ["F₁", "one", "two"]
    assert lines.count("one") == lines.count("two") == 1


def test_a_system_in_another_notation_has_its_own_signature(tmp_path: Path) -> None:
    listed = tmp_path / "listed.jsonl"
    listed.write_text('{"clusters": [["Ada"]]}\n{"clusters": [["it"]]}\n')
    lines = run(
        "llm", KEY, f"one={ANSWERS}", f"two={listed}", *SOME
    ).stdout.splitlines()
    assert SIGNATURE.replace("markdown", "markdown+json") in lines
    assert f"one: {SIGNATURE}" in lines
    assert f"two: {SIGNATURE.replace('markdown', 'json')}" in lines


def test_an_output_may_come_through_a_pipe() -> None:
    text = "[Ada Lovelace](#1) met\n[The old harbour](#1) closed\n"
    result = run("llm", KEY, "-", *SOME, stdin=text)
    assert result.exit_code == 0
    assert "all                       40" in result.stdout


def test_a_response_is_written_in_the_format_of_the_key(tmp_path: Path) -> None:
    response = tmp_path / "response.conll"
    result = run("llm", *FILES, *SOME, "--write-response", response)
    assert result.exit_code == 0
    assert f"{100 * scoref.score(KEY, response).conll:.2f}" == "94.86"


def test_texts_for_models_are_written(tmp_path: Path) -> None:
    plain, example = tmp_path / "input.txt", tmp_path / "example.txt"
    result = run("llm", KEY, "--write-input", plain, "--write-example", example)
    assert (result.exit_code, result.output) == (0, "")
    assert plain.read_text().splitlines()[1].startswith("The old harbour closed ;")
    assert example.read_text().startswith("Ada|[e1 Lovelace|e1] met Charles|[e2 ")
    assert "100.00" in run("llm", KEY, example, *SOME).stdout


def test_a_text_for_models_may_go_through_a_pipe(tmp_path: Path) -> None:
    example = tmp_path / "example.txt"
    run("llm", KEY, "--write-example", example)
    result = run("llm", KEY, "--write-example", "-")
    assert (result.exit_code, result.stdout) == (0, example.read_text())
    on_terminal = refusal(*FILES, "--write-response", "-", code=2)
    assert "report is written to standard output" in on_terminal


def test_what_is_read_is_not_overwritten(tmp_path: Path) -> None:
    key, answers = tmp_path / "key.conll", tmp_path / "answers.jsonl"
    key.write_bytes(Path(KEY).read_bytes())
    answers.write_bytes(Path(ANSWERS).read_bytes())
    for target in (key, f"{tmp_path}/./answers.jsonl"):
        files = key, f"ours={answers}", "--write-response", target
        assert "would be overwritten" in refusal(*files, code=2)
    for option in ("--write-input", "--write-example"):
        message = refusal(key, option, key, code=2)
        assert "would be overwritten" in message
    one = tmp_path / "text"
    both = "--write-input", one, "--write-example", one
    assert "would be overwritten" in refusal(key, *both, code=2)
    assert key.read_bytes() == Path(KEY).read_bytes()
    assert answers.read_bytes() == Path(ANSWERS).read_bytes()


def test_bad_usage_is_an_error(tmp_path: Path) -> None:
    file = tmp_path / "file"
    assert "missing argument 'OUTPUT...'" in refusal(KEY, code=2)
    assert "Leave out OUTPUT" in refusal(*FILES, "--write-input", file, code=2)
    two = f"a={ANSWERS}", f"b={ANSWERS}"
    assert "needs exactly one OUTPUT" in refusal(
        KEY, *two, "--write-response", file, code=2
    )
    assert "can be read only once" in refusal("-", "-", code=2)
    assert "two systems have the same name" in refusal(*FILES, ANSWERS, code=2)
    assert "needs heads" in refusal(*FILES, "--match", "head", code=2)


def test_bad_input_is_an_error(tmp_path: Path) -> None:
    assert "this is a folder" in refusal(tmp_path, KEY)
    assert "this is an annotated file" in refusal(KEY, KEY)
    script = tmp_path / "lines.txt"
    script.write_text("x\n" * 47)
    assert "there are 47 lines of text, but" in refusal(KEY, script)
    (tmp_path / "folder").mkdir()
    assert "no answer is for a document" in refusal(KEY, tmp_path / "folder")
    assert "cannot be read" in refusal(KEY, tmp_path / "nothing")
    target = tmp_path / "nowhere" / "response.conll"
    assert "cannot be written" in refusal(*FILES, "--write-response", target)


def test_files_that_hold_no_text_are_called_what_they_are(tmp_path: Path) -> None:
    empty, wide = tmp_path / "empty", tmp_path / "wide"
    empty.write_bytes(b"")
    assert "there are 0 lines of text, but" in refusal(KEY, empty)
    wide.write_text("[Ada](#1)", encoding="utf-16")
    assert "this file is UTF-16" in refusal(KEY, wide)


def test_the_command_knows_every_notation() -> None:
    assert tuple(NOTATIONS) == _NOTATIONS


def test_key_and_answers_are_swapped() -> None:
    assert "llm-answers.jsonl: these are answers" in refusal(ANSWERS, KEY)


@pytest.mark.parametrize("name", ["key.conll", "response.conll", "corefud-key.conllu"])
def test_a_file_with_annotations_is_not_an_answer(name: str) -> None:
    message = refusal(KEY, EXAMPLES / name)
    assert "an annotated file" in message
    assert f"hint: Score it with: scoref {KEY} {EXAMPLES / name}" in message


def test_the_key_is_given_as_the_answers(one: Path) -> None:
    assert "was given as both the key and the answers" in warnings(one, one)


def test_the_text_without_marks_is_given_as_the_answers(tmp_path: Path) -> None:
    text = tmp_path / "input.txt"
    run("llm", KEY, "--write-input", text, code=0)
    assert "no answer uses a notation" in refusal(KEY, text)


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
def test_nothing_is_understood(tmp_path: Path, one: Path, text: str) -> None:
    refusal(one, write(tmp_path, text))


@pytest.mark.parametrize("notation", ["xml", "json", "list"])
def test_the_notation_is_another_one(notation: str) -> None:
    message = refusal(KEY, ANSWERS, "--notation", notation)
    assert f"no answer uses the notation {notation}" in message
    assert "The notation may be markdown" in message


def test_one_of_the_answers_is_not_understood(tmp_path: Path, key: Path) -> None:
    lines = [
        {"doc_key": "a", "output": " ".join(marked(LONG, "markdown"))},
        {"doc_key": "b", "output": " ".join(OTHER.words)},
    ]
    output = write(tmp_path, "\n".join(map(json.dumps, lines)), "output.jsonl")
    message = warnings(key, output)
    assert "1 answer is without mentions in the notation markdown" in message
    assert "scored as empty: 'b'" in message


def test_answers_are_about_each_other_s_documents(tmp_path: Path, key: Path) -> None:
    lines = {
        "a": " ".join(marked(DOCUMENTS["b"], "markdown")),
        "b": " ".join(marked(LONG, "markdown")),
    }
    message = warnings(key, write(tmp_path, lines))
    assert "2 answers are not about the text of the document" in message


def test_an_answer_is_missing_or_unknown(tmp_path: Path, key: Path) -> None:
    answer = json.loads(as_json(LONG))
    assert "no answer for 'b'" in refusal(key, write(tmp_path, {"a": answer}))
    more = {"a": answer, "b": [], "c": []}
    assert "'c' is not a document of" in refusal(key, write(tmp_path, more))


def test_the_ids_of_a_batch_are_not_names_of_documents(
    tmp_path: Path, one: Path
) -> None:
    body = {"choices": [{"message": {"content": as_json(LONG)}}]}
    record = {"custom_id": "request-1", "response": {"body": body}}
    message = refusal(one, write(tmp_path, record))
    assert "no answer is for a document" in message
    assert "answers are for 'request-1'" in message


def test_the_field_of_the_answer_has_an_unknown_name(tmp_path: Path, one: Path) -> None:
    message = refusal(one, write(tmp_path, {"doc_key": "a", "reply": as_json(LONG)}))
    assert (
        "this object contains no answer. Its fields are 'doc_key', 'reply'"
    ) in message


def test_predicted_clusters_are_null(tmp_path: Path, one: Path) -> None:
    record = {"doc_key": "a", "clusters": [[[0, 1]]], "predicted_clusters": None}
    message = refusal(one, write(tmp_path, record))
    assert "'predicted_clusters' is null or missing" in message


def test_offsets_are_those_of_characters(tmp_path: Path, one: Path) -> None:
    mentions = [("Ada Lovelace", 0, 12), ("her", 56, 59)]
    objects = [{"text": text, "start": a, "end": b} for text, a, b in mentions]
    message = warnings(one, write(tmp_path, [objects]))
    assert "The offsets of 2 mentions do not fit the words" in message
    pairs = [[[0, 12], [56, 59], [17, 31], [42, 44]]]
    assert "3 mentions are not in the text" in warnings(one, write(tmp_path, pairs))


def test_a_folder_holds_a_file_of_all_answers(tmp_path: Path, key: Path) -> None:
    folder = tmp_path / "answers"
    folder.mkdir()
    write(folder, {"a": [], "b": []}, "answers.json")
    assert "answers are for 'answers.json'" in refusal(key, folder)


def test_a_value_is_unknown() -> None:
    assert "'drop' is not one of" in refusal(KEY, ANSWERS, "--unplaced", "drop", code=2)


def test_a_response_is_written_without_invented_mentions(
    tmp_path: Path, one: Path
) -> None:
    output = write(tmp_path, [["Ada Lovelace", "her", "zebra"]])
    target = tmp_path / "response.jsonl"
    result = run("llm", one, output, "--write-response", target)
    assert "lacks 1 mention that the text does not contain" in result.stderr
