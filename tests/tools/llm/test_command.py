"""`scoref llm`: what it prints, writes and refuses."""

from __future__ import annotations

import csv
import io
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

import scoref
from scoref.tools.llm.command import _NOTATIONS, command
from scoref.tools.llm.notations import NOTATIONS
from scoref.tools.llm.placing import Counts
from support.json_output import result_of
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


def run(*arguments: str, stdin: str | None = None) -> Result:
    return CliRunner().invoke(command, arguments, input=stdin)


def refused(*arguments: str, code: int = 1) -> str:
    result = run(*arguments)
    assert result.exit_code == code, result.output
    assert result.stdout == ""
    return result.stderr


def test_text_has_scores_and_a_table_of_words() -> None:
    scores, signature, words = run(*FILES, *SOME).stdout.split("\n\n")
    assert scores == (
        "       Recall  Precision     F1\n"
        "MUC     87.50     100.00  93.33\n"
        "CoNLL                     94.86"
    )
    assert signature == SIGNATURE
    assert [" ".join(line.split()) for line in words.splitlines()] == [
        "markdown Words Same Changed Lost Added Mentions Kept Moved Unplaced Broken",
        "(news/0001); part 000 23 21 2 0 12 10 10 0 0 0",
        "(news/0002); part 000 17 16 0 1 0 4 4 0 0 1",
        "all 40 37 2 1 12 14 14 0 0 1",
    ]


def test_breaks_are_shown_with_the_words_around_them() -> None:
    lines = run(*FILES, *SOME, "--show-breaks").stdout.splitlines()
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
    found = result_of(run(*FILES, "--output", "json", "--show-breaks").stdout)
    assert found["signature"] == SIGNATURE
    assert found["notation"] == "markdown"
    counts = Counts(17, 16, 0, 1, 0, 4, 4, 0, 0, 1)
    assert found["answers"]["(news/0002); part 000"] == {
        "status": "scored",
        **counts._asdict(),
    }
    assert found["words"]["words"] == 40
    assert [each["kind"] for each in found["breaks"]["(news/0002); part 000"]] == [
        *("lost", "bracket"),
    ]
    assert "breaks" not in result_of(run(*FILES, "--output", "json").stdout)


def test_csv_has_the_scores_and_notes_go_elsewhere(tmp_path: Path) -> None:
    output = tmp_path / "output.txt"
    output.write_text("No.\n[The old harbour](#1) closed\n")
    result = run(KEY, str(output), "--output", "csv", "--notation", "markdown", *SOME)
    rows = list(csv.DictReader(io.StringIO(result.stdout)))
    assert [row["metric"] for row in rows] == ["muc", "conll"]
    assert "warning: 1 answer is refused, or about another text" in result.stderr


@pytest.mark.parametrize(
    ("output", "expected"),
    [
        ("markdown", "| all | 40 | 37 | 2 | 1 | 12 | 14 | 14 | 0 | 0 | 1 |"),
        ("latex", r"all & 40 & 37 & 2 & 1 & 12 & 14 & 14 & 0 & 0 & 1 \\"),
    ],
)
def test_tables_come_in_other_markup(output: str, expected: str) -> None:
    assert expected in run(*FILES, "--output", output).stdout.splitlines()


def test_systems_have_names_and_a_table_each() -> None:
    crac = str(EXAMPLES / "llm-crac.txt")
    key = str(EXAMPLES / "corefud-key.conllu")
    lines = run(key, f"one={crac}", f"two={crac}", *SOME).stdout.splitlines()
    assert [line.split()[0] for line in lines[:3]] == ["F1", "one", "two"]
    assert lines.count("one") == lines.count("two") == 1


def test_a_system_in_another_notation_has_its_own_signature(tmp_path: Path) -> None:
    listed = tmp_path / "listed.jsonl"
    listed.write_text('{"clusters": [["Ada"]]}\n{"clusters": [["it"]]}\n')
    lines = run(KEY, f"one={ANSWERS}", f"two={listed}", *SOME).stdout.splitlines()
    assert SIGNATURE.replace("markdown", "markdown+json") in lines
    assert f"one: {SIGNATURE}" in lines
    assert f"two: {SIGNATURE.replace('markdown', 'json')}" in lines


def test_an_output_may_come_through_a_pipe() -> None:
    text = "[Ada Lovelace](#1) met\n[The old harbour](#1) closed\n"
    result = run(KEY, "-", *SOME, stdin=text)
    assert result.exit_code == 0
    assert "all                       40" in result.stdout


def test_a_response_is_written_in_the_format_of_the_key(tmp_path: Path) -> None:
    response = tmp_path / "response.conll"
    result = run(*FILES, *SOME, "--write-response", str(response))
    assert result.exit_code == 0
    assert f"{100 * scoref.score(KEY, response).conll:.2f}" == "94.86"


def test_texts_for_models_are_written(tmp_path: Path) -> None:
    plain, marked = tmp_path / "input.txt", tmp_path / "example.txt"
    result = run(KEY, "--write-input", str(plain), "--write-example", str(marked))
    assert (result.exit_code, result.output) == (0, "")
    assert plain.read_text().splitlines()[1].startswith("The old harbour closed ;")
    assert marked.read_text().startswith("Ada|[e1 Lovelace|e1] met Charles|[e2 ")
    assert "100.00" in run(KEY, str(marked), *SOME).stdout


def test_a_text_for_models_may_go_through_a_pipe(tmp_path: Path) -> None:
    marked = tmp_path / "example.txt"
    run(KEY, "--write-example", str(marked))
    result = run(KEY, "--write-example", "-")
    assert (result.exit_code, result.stdout) == (0, marked.read_text())
    on_terminal = refused(*FILES, "--write-response", "-", code=2)
    assert "standard output has the report" in on_terminal


def test_what_is_read_is_not_overwritten(tmp_path: Path) -> None:
    key, answers = tmp_path / "key.conll", tmp_path / "answers.jsonl"
    key.write_bytes(Path(KEY).read_bytes())
    answers.write_bytes(Path(ANSWERS).read_bytes())
    for target in (str(key), f"{tmp_path}/./answers.jsonl"):
        files = str(key), f"ours={answers}", "--write-response", target
        assert "would be overwritten" in refused(*files, code=2)
    for option in ("--write-input", "--write-example"):
        said = refused(str(key), option, str(key), code=2)
        assert "would be overwritten" in said
    one = str(tmp_path / "text")
    both = "--write-input", one, "--write-example", one
    assert "would be overwritten" in refused(str(key), *both, code=2)
    assert key.read_bytes() == Path(KEY).read_bytes()
    assert answers.read_bytes() == Path(ANSWERS).read_bytes()


def test_bad_usage_is_said(tmp_path: Path) -> None:
    file = str(tmp_path / "file")
    assert "Missing argument 'OUTPUT...'" in refused(KEY, code=2)
    assert "needs no OUTPUT" in refused(*FILES, "--write-input", file, code=2)
    two = f"a={ANSWERS}", f"b={ANSWERS}"
    assert "for one OUTPUT" in refused(KEY, *two, "--write-response", file, code=2)
    assert "can be read once only" in refused("-", "-", code=2)
    assert "two systems are called" in refused(*FILES, ANSWERS, code=2)
    assert "needs heads" in refused(*FILES, "--match", "head", code=2)


def test_bad_input_is_said(tmp_path: Path) -> None:
    assert "this is a folder" in refused(str(tmp_path), KEY)
    assert "this is a file with annotations" in refused(KEY, KEY)
    script = tmp_path / "lines.txt"
    script.write_text("x\n" * 47)
    assert "there are 47 lines of text, but 2" in refused(KEY, str(script))
    (tmp_path / "folder").mkdir()
    assert "no answer is about a document" in refused(KEY, str(tmp_path / "folder"))
    assert "cannot be read" in refused(KEY, str(tmp_path / "nothing"))
    target = str(tmp_path / "nowhere" / "response.conll")
    assert "cannot be written" in refused(*FILES, "--write-response", target)


def test_files_that_hold_no_text_are_called_what_they_are(tmp_path: Path) -> None:
    empty, wide = tmp_path / "empty", tmp_path / "wide"
    empty.write_bytes(b"")
    assert "there are 0 lines of text, but 2 documents" in refused(KEY, str(empty))
    wide.write_text("[Ada](#1)", encoding="utf-16")
    assert "this is UTF-16" in refused(KEY, str(wide))


def test_the_command_knows_every_notation() -> None:
    assert tuple(NOTATIONS) == _NOTATIONS
