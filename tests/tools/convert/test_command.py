"""`scoref convert`: files in, files out, or an error and nothing at all."""

from __future__ import annotations

import gzip
import subprocess
import sys
from pathlib import Path

import pytest

import scoref
from scoref.tools.convert.command import command
from scoref.tools.convert.sources import NAMES
from scoref.tools.convert.targets import TARGETS
from support.commands import run
from support.paths import EXAMPLES
from support.wrong_calls import outcome

KEY, RESPONSE = str(EXAMPLES / "key.conll"), str(EXAMPLES / "response.conll")
COREFUD = str(EXAMPLES / "corefud-key.conllu")
SCOREF = [sys.executable, "-c", "from scoref.cli import main; main()", "convert"]


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    return tmp_path


def usage_error(*arguments: object) -> str:
    before = sorted(Path().rglob("*"))
    result = run("convert", *arguments, code=2)
    assert sorted(Path().rglob("*")) == before
    return result.stderr.splitlines()[-1]


@pytest.mark.parametrize(
    "name", ["k.conllu", "k.ua", "k.jsonl", "k.conll", "k.v4_gold_conll", "folder/"]
)
def test_a_file_goes_there_and_back(name: str) -> None:
    run("convert", KEY, name, code=0)
    run("convert", name, "back.conll", "--lossy", code=0)
    assert Path("back.conll").read_bytes() == Path(KEY).read_bytes()


def test_losses_are_an_error_and_nothing_is_written() -> None:
    result = run("convert", COREFUD, "k.jsonl", code=1)
    assert result.stdout == ""
    assert (
        "discontinuous mentions: 1 written as the part with the head" in result.stderr
    )
    assert list(Path().iterdir()) == []


@pytest.mark.usefixtures("wide")
def test_with_lossy_they_are_warnings() -> None:
    result = run("convert", COREFUD, "k.jsonl", "--lossy", code=0)
    assert result.stdout == ""
    notes = [line for line in result.stderr.splitlines() if line[0] != " "]
    assert [": ".join(line.split(": ")[:2]) for line in notes] == [
        "warning: Mentions that are empty nodes",
        "warning: Empty nodes",
        "warning: Discontinuous mentions",
        "warning: Heads that are not the first word",
        "warning: Entities with a type",
        "note: 9 of 9 entities were relabelled; scores are unaffected.",
    ]
    assert Path("k.jsonl").exists()


def test_pipes_work_on_both_ends() -> None:
    line = '{"doc_key": "d", "tokens": ["a"], "clusters": [[[0, 0]]]}'
    done = subprocess.run(
        [*SCOREF, "-", "-", "--to", "conll-2012"],
        input=line,
        capture_output=True,
        check=True,
        text=True,
    )
    assert done.stdout.splitlines()[1] == "d\t0\t0\ta\t(0)"
    assert done.stderr == ""


def test_standard_output_needs_a_format() -> None:
    assert "Choose one with --to" in usage_error(KEY, "-")
    assert "'-' is not possible. Give a folder" in usage_error(KEY, "-", "--to", "brat")


def test_standard_input_can_be_read_once_only() -> None:
    assert "can be read only once" in usage_error("-", "k.conll", "--base", "-")


def test_what_a_file_is_to_be_must_be_clear() -> None:
    assert "cannot tell the format of 'k.txt'" in usage_error(KEY, "k.txt")
    run("convert", KEY, "k.txt", "--to", "csv", "--lossy", code=0)
    assert Path("k.txt").read_text(encoding="utf-8").startswith("document,entity,")


def test_nothing_is_overwritten_unless_forced() -> None:
    Path("k.jsonl").write_text("mine")
    assert "'k.jsonl' already exists. Add --force to replace it" in usage_error(
        KEY, "k.jsonl"
    )
    assert Path("k.jsonl").read_text(encoding="utf-8") == "mine"
    run("convert", KEY, "k.jsonl", "--force", code=0)
    assert "doc_key" in Path("k.jsonl").read_text(encoding="utf-8")


def test_swapped_arguments_destroy_nothing() -> None:
    data = Path(KEY).read_bytes()
    Path("key.conll").write_bytes(data)
    run("convert", "key.conll", "k.jsonl", code=0)
    assert "already exists" in usage_error("k.jsonl", "key.conll")
    assert Path("key.conll").read_bytes() == data


def test_a_folder_must_be_new_or_empty() -> None:
    Path("full").mkdir()
    Path("full", "x.ann").write_text("")
    assert "'full' is not empty" in usage_error(KEY, "full")
    assert "'full' is a folder, but JSON lines is a file" in usage_error(
        KEY, "full", "--to", "json-lines"
    )
    Path("file").write_text("")
    assert "'file' is a file" in usage_error(KEY, "file", "--to", "brat")
    Path("empty").mkdir()
    run("convert", KEY, "empty", code=0)
    files = sorted(str(path) for path in Path("empty").rglob("*.*"))
    assert files == [
        f"empty/news/000{number}_0.{suffix}"
        for number in (1, 2)
        for suffix in ("ann", "txt")
    ]


def test_one_document_may_be_two_files() -> None:
    Path("one.jsonl").write_text('{"doc_key": "d", "tokens": ["a"], "clusters": []}')
    run("convert", "one.jsonl", "d.ann", code=0)
    assert Path("d.txt").read_text(encoding="utf-8") == "a\n"
    assert "already exists" in usage_error("one.jsonl", "d.ann")
    result = run("convert", "one.jsonl", "e.ann", code=1)
    assert "names of documents: 1 changed to 'e'" in result.stderr
    assert not Path("e.ann").exists()
    run("convert", "one.jsonl", "e.ann", "--lossy", code=0)
    run("convert", "e.ann", "e.jsonl", code=0)
    assert '"doc_key":"e"' in Path("e.jsonl").read_text(encoding="utf-8")
    assert "there are 2. Give a folder" in usage_error(KEY, "k.ann")


def test_annotations_without_a_text_are_refused() -> None:
    Path("d.ann").write_text("")
    result = run("convert", "d.ann", "k.jsonl", code=1)
    assert "the text of these annotations is missing" in result.stderr
    result = run("convert", "none.ann", "k.jsonl", code=1)
    assert "none.ann: cannot be read" in result.stderr
    Path("nothing").mkdir()
    result = run("convert", "nothing", "k.jsonl")
    assert "there is no file to score in this folder" in result.stderr


def test_packed_files_are_read_and_written() -> None:
    run("convert", KEY, "k.jsonl.gz", code=0)
    assert gzip.decompress(Path("k.jsonl.gz").read_bytes()).startswith(b'{"doc_key"')
    run("convert", "k.jsonl.gz", "k.conll.xz", code=0)
    run("convert", "k.conll.xz", "back.conll", code=0)
    assert Path("back.conll").read_bytes() == Path(KEY).read_bytes()


def test_the_response_of_json_lines_with_both_sides() -> None:
    Path("both.jsonl").write_text(
        '{"doc_key": "d", "tokens": ["a", "b"], "clusters": [[[0, 0]]],'
        ' "predicted_clusters": [[[1, 1]]]}'
    )
    key = run("convert", "both.jsonl", "k.conll")
    response = run("convert", "both.jsonl", "r.conll", "--side", "response")
    assert (key.exit_code, response.exit_code) == (0, 0)
    assert "note: The file also contains a response" in key.stderr
    assert response.stderr == ""
    assert "\ta\t(0)" in Path("k.conll").read_text(encoding="utf-8")
    assert "\tb\t(0)" in Path("r.conll").read_text(encoding="utf-8")


def test_a_base_and_tokens_can_be_given() -> None:
    Path("d.txt").write_text("a-b")
    Path("d.ann").write_text("T1\tMention 0 3\ta-b\n")
    run("convert", "d.ann", "one.jsonl", "--tokens", "words", code=0)
    assert '["a","-","b"]' in Path("one.jsonl").read_text(encoding="utf-8")
    Path("bare.jsonl").write_text('{"doc_key": "d", "clusters": [[[2, 2]]]}')
    run("convert", "bare.jsonl", "k.conll", code=1)
    run("convert", "bare.jsonl", "k.conll", "--base", "one.jsonl", code=0)


@pytest.mark.parametrize("name", ["missing.conll", "empty.conll", "noise.conll"])
def test_a_wrong_file_is_bad_input(name: str) -> None:
    Path("empty.conll").write_text("")
    Path("noise.conll").write_text("this is no file of ours\n")
    result = run("convert", name, "k.jsonl", code=1)
    assert f"error: {name}" in result.stderr
    assert not Path("k.jsonl").exists()


def test_a_place_that_cannot_be_written_is_an_error() -> None:
    result = run("convert", KEY, "no/such/folder/k.jsonl", code=1)
    assert "cannot be written: no such file or directory" in result.stderr
    result = run("convert", KEY, "no/such/folder/", code=0)
    assert Path("no/such/folder/news").is_dir()


def test_a_folder_that_fails_half_way_is_removed() -> None:
    name = "x" * 300
    lines = [
        f'{{"doc_key": "{letter}", "tokens": ["a"], "clusters": []}}' for letter in "ab"
    ]
    long = f'{{"doc_key": "{name}", "tokens": ["a"], "clusters": []}}'
    Path("k.jsonl").write_text("\n".join([*lines, long]))
    result = run("convert", "k.jsonl", "out/", code=1)
    assert "cannot be written: file name too long" in result.stderr
    assert list(Path().iterdir()) == [Path("k.jsonl")]


def test_devices_are_written_to_and_stay() -> None:
    run("convert", KEY, "/dev/null", "--to", "json-lines", code=0)
    assert not Path("/dev/null").is_file()


def test_the_options_know_every_format() -> None:
    choices = {
        option.name: sorted(option.type.choices)  # type: ignore[attr-defined]
        for option in command.params
        if option.name in {"to", "from_"}
    }
    assert choices == {"to": sorted(TARGETS), "from_": sorted(NAMES)}


def test_help_loads_no_numerical_library() -> None:
    code = (
        "import sys; from scoref.tools.convert.command import command\n"
        "command(['-h'], standalone_mode=False)\n"
        "assert 'numpy' not in sys.modules"
    )
    subprocess.run([sys.executable, "-c", code], check=True, capture_output=True)


def test_a_file_without_a_response_has_no_side_response(tmp_path: Path) -> None:
    record = '{"doc_key": "a", "sentences": [["x"]], "clusters": [[[0, 0]]]}'
    (tmp_path / "key.jsonl").write_text(record)
    target = tmp_path / "out.conll"
    call = ["convert", tmp_path / "key.jsonl", target, "--side", "response"]
    result = run(*call, code=1)
    assert "document 'a' has no 'predicted_clusters'" in result.stderr
    assert not target.exists()


@pytest.mark.parametrize(
    ("call", "code", "message"),
    [
        ("key.conll", 2, "missing argument"),
        ("key.conll response.conll", 2, "already exists"),
        ("key.conll key.conll --force", 2, "would be overwritten"),
        ("key.conll out.xyz", 2, "Choose one with --to"),
        ("key.conll out.jsonl --from corefud", 1, "key.conll:2:"),
        ("key.conll out.jsonl --side response", 0, "warning: key.conll: conll-2012"),
        ("key.conll out.jsonl --disputes d.csv", 2, "--merge majority"),
        ("key.conll response.conll out.jsonl", 2, "--merge majority"),
        ("key.conll out.jsonl --merge majority", 2, "at least two files"),
        ("key.conll key.conll out.jsonl --merge majority", 2, "is given twice"),
        (
            "agree-ada.conll key.conll o.jsonl --merge majority",
            1,
            "have no document in common",
        ),
        ("table-key.tsv out.jsonl", 1, "table-key.tsv:1:"),
        ("plain.txt out.jsonl", 1, "plain.txt:1:"),
        ("nothing.conll out.jsonl", 1, "this file has no document"),
    ],
)
def test_a_wrong_call_is_not_silent(
    call: str, code: int, message: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    result = outcome(f"convert {call}", tmp_path, monkeypatch)
    assert result.startswith(f"{code}: ")
    assert message in result


@pytest.mark.parametrize(
    ("to", "ending"), [("webanno", ".tsv"), ("cas-json", ".json"), ("brat", ".ann")]
)
def test_a_folder_of_documents_has_the_same_scores(to: str, ending: str) -> None:
    for name, file in {"k": KEY, "r": RESPONSE}.items():
        run("convert", file, name, "--to", to, code=0)
    files = sorted(str(path) for path in Path("k").rglob(f"*{ending}"))
    assert files == [f"k/news/000{number}_0{ending}" for number in (1, 2)]
    before, after = scoref.score(KEY, RESPONSE), scoref.score("k", "r")
    assert after.scores == before.scores


@pytest.mark.parametrize(
    ("to", "ending"), [("webanno", ".tsv"), ("cas-json", ".json.gz")]
)
def test_one_document_may_be_a_file_which_names_it(to: str, ending: str) -> None:
    line = '{"doc_key": "d", "tokens": ["a", "b"], "clusters": [[[0, 0], [1, 1]]]}'
    Path("one.jsonl").write_text(line)
    assert run("convert", "one.jsonl", f"d{ending}", "--to", to, code=0).stderr == ""
    done = run("convert", "one.jsonl", f"k{ending}", "--to", to, code=0)
    warning = "Names of documents: 1 changed to 'k' (a folder keeps them) (first: "
    assert " ".join(done.stderr.split()) == f"warning: {warning}document 'd')."
    run("score", "one.jsonl", f"d{ending}", code=0)
    assert "already exists" in usage_error("one.jsonl", f"d{ending}", "--to", to)
    assert "holds one document, but there are 2. Give a folder" in usage_error(
        KEY, f"several{ending}", "--to", to
    )
    assert "standard output holds one document" in usage_error(KEY, "-", "--to", to)
    Path("file").write_text("")
    assert "'file' is a file, but" in usage_error(KEY, "file", "--to", to)
