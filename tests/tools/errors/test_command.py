"""`scoref errors`: kinds, classes and lists of errors, in every output."""

from __future__ import annotations

import csv
import io
import json
import re
import shutil
import subprocess
import sys
from pathlib import Path

import click
import pytest

import scoref
from scoref.tools.errors.command import command
from scoref.tools.errors.kinds import BY, KINDS
from support.commands import run
from support.json_output import result_of, results_of
from support.paths import EXAMPLES, ROOT

pytestmark = pytest.mark.usefixtures("wide")

FILES = [str(EXAMPLES / f"{side}.conll") for side in ("key", "response")]
COREFUD = [str(EXAMPLES / f"corefud-{side}.conllu") for side in ("key", "response")]
UNIVERSAL = [str(EXAMPLES / f"ua-{side}.ua") for side in ("key", "response")]
MANY = [str(EXAMPLES / f"many-{side}.conll") for side in ("key", "a", "b")]
MEANING = "In brackets: CoNLL points gained if only this error were fixed."
RULE = (
    "Span errors: the mentions share at least 50 % of their words "
    "(--span-errors share:0.5)."
)
SIGNATURE = scoref.score(*FILES).signature


def stdout(*arguments: str) -> str:
    return run("errors", *arguments, code=0).stdout


def usage(*arguments: str) -> str:
    result = run("errors", *arguments, code=2)
    assert result.stdout == ""
    return result.stderr.splitlines()[0]


def test_options_name_every_kind_and_class() -> None:
    choices = {
        option.name: list(option.type.choices)
        for option in command.params
        if isinstance(option.type, click.Choice)
    }
    assert choices["kinds"] == [kind.name for kind in KINDS]
    assert choices["by"] == list(BY)


def test_text_has_a_row_for_each_kind_with_what_it_costs() -> None:
    assert stdout(*FILES) == (
        "The response misses mentions: 2 of its 4 errors are mentions or entities that "
        "were not found.\n\n"
        " Gain  Errors  Look here first\n"
        "+5.46       1  Non-pronoun mentions missing from entities that "
        "were found\n"
        "+4.53       1  Entities that were not found\n"
        "+1.72       1  Conflated entities (merged with another entity)\n"
        "+1.62       1  Non-pronoun mentions with wrong boundaries\n\n"
        "                    Errors   Share    Gain  CoNLL so far\n"
        "as scored                                          81.71\n"
        "span error               1   25.00   +1.62         83.33\n"
        "conflated entities       1   25.00   +1.72         90.94\n"
        "wrong link               0    0.00    0.00         90.94\n"
        "extra mention            0    0.00    0.00         90.94\n"
        "extra entity             0    0.00    0.00         90.94\n"
        "missing mention          1   25.00   +5.46         96.29\n"
        "missing entity           1   25.00   +4.53        100.00\n"
        "divided entity           0    0.00    0.00        100.00\n"
        "all                      4  100.00  +18.29        100.00\n"
        f"\n{SIGNATURE}\n\n"
        "Gain: CoNLL points if only this kind were fixed. "
        f"So far: CoNLL after fixing this kind and all above it.\n{RULE}\n"
    )


def test_gains_are_those_of_files_that_were_repaired(tmp_path: Path) -> None:
    repaired = tmp_path / "repaired.conll"
    text = Path(FILES[1]).read_text(encoding="utf-8")
    text = text.replace("London\t-", "London\t(20)")
    repaired.write_text(text, encoding="utf-8")
    (row,) = [line for line in stdout(*FILES).splitlines() if "missing entity" in line]
    gain = scoref.score(FILES[0], repaired).conll - scoref.score(*FILES).conll
    assert row.split()[4] == f"{100 * gain:+.2f}"


def test_type_is_a_former_name_of_kind() -> None:
    assert stdout(*FILES, "--by", "type") == stdout(*FILES, "--by", "kind")
    assert stdout(*FILES, "--by", "kind") == stdout(*FILES)
    assert "|type" not in run("errors", "-h").stdout


def test_mention_class_is_a_former_name_of_mention_type() -> None:
    files = *COREFUD, "--by"
    assert stdout(*files, "mention-class") == stdout(*files, "mention-type")
    assert "mention-class" not in run("errors", "-h").stdout
    assert "mention-class" not in usage(*COREFUD, "--by", "mention")


def test_the_list_has_a_line_for_each_error() -> None:
    key, response = FILES
    program = '"the first program for it"'
    conflated = f'{program} of entity 4 was merged with entity 3 ("his engine")'
    span = f'"the first program" instead of {program}: 2 words too few on the right'
    missing = '"there" of entity 0 ("The old harbour") was not found'
    lines = [
        f'{key}:8: missing entity (+4.53): "London" of entity 2 was not found',
        f"{response}:20: span error (+1.62): {span}",
        f"{response}:20: conflated entities (+1.72): {conflated}",
        f"{key}:44: missing mention (+5.46): {missing}",
    ]
    end = ["", SIGNATURE, "", MEANING, RULE]
    in_text = stdout(*FILES, "--list", "--sort", "document").splitlines()
    assert in_text == [*lines, *end]
    by_cost = [lines[3], lines[0], lines[2], lines[1]]
    assert stdout(*FILES, "--list").splitlines() == [*by_cost, *end]


def test_programs_get_errors_in_the_order_of_the_text_unless_they_ask() -> None:
    def kinds(*more: str) -> list[str]:
        result = result_of(stdout(*FILES, "--output", "json", *more))
        return [error["kind"] for error in result["errors"]]

    in_text = ["missing-entity", "span", "conflated-entity", "missing-mention"]
    assert kinds() == in_text
    assert kinds("--sort", "cost") == [in_text[place] for place in (3, 0, 2, 1)]


def test_tables_of_kinds_are_not_sorted() -> None:
    assert "--sort needs --list, --output csv or" in usage(*FILES, "--sort", "cost")


def test_csv_has_a_row_for_each_error() -> None:
    rows = list(csv.DictReader(io.StringIO(stdout(*FILES, "--output", "csv"))))
    gains = scoref.find_errors(*FILES).error_gains
    assert [row["kind"] for row in rows] == [
        *("missing-entity", "span", "conflated-entity", "missing-mention")
    ]
    assert rows[1] == {
        "response": FILES[1],
        "document": "(news/0001); part 000",
        "sentence": "2",
        "key_line": "20",
        "response_line": "20",
        "kind": "span",
        "key_words": "the first program for it",
        "response_words": "the first program",
        "key_entity": "4",
        "response_entity": "9",
        "detail": '"the first program" instead of "the first program for it": 2 words '
        "too few on the right",
        "mention_class": "other",
        "distance": "",
        "entity_size": "1",
        "genre": "news",
        "antecedent": "",
        "linked_to": "his engine",
        **{f"gain_{name}": repr(float(gains[name][1])) for name in gains},
    }
    assert (rows[0]["response_line"], rows[0]["response_entity"]) == ("", "")


def test_json_has_kinds_and_errors_at_full_precision() -> None:
    result = result_of(stdout(*FILES, "--output", "json"))
    kinds = result["kinds"]
    assert result["conll"] == scoref.score(*FILES).conll
    assert [row["kind"] for row in kinds] == [kind.name for kind in KINDS]
    assert kinds[-1]["conll_so_far"] == pytest.approx(1)
    for row in kinds:
        assert row["gain"] == pytest.approx(row["conll"] - result["conll"])
    assert len(result["errors"]) == sum(row["count"] for row in kinds) == 4
    assert result["signature"] == SIGNATURE


def test_several_systems_have_a_column_each() -> None:
    text = stdout(MANY[0], f"ours={MANY[1]}", f"theirs={MANY[2]}")
    lines = text.partition("All systems\n\n")[2].splitlines()
    assert lines[0].split() == ["Errors", "(gain)", "ours", "theirs"]
    assert lines[3].split() == ["wrong", "link", "10", "(+4.56)", "19", "(+9.10)"]
    assert lines[9].split() == ["all", "48", "(+13.62)", "68", "(+21.60)"]
    scores = [scoref.score(MANY[0], path).conll for path in MANY[1:]]
    assert lines[10].split() == ["CoNLL", *(f"{100 * score:.2f}" for score in scores)]
    results = results_of(stdout(*MANY, "--output", "json"))
    assert [result["response"] for result in results] == MANY[1:]


@pytest.mark.parametrize("output", ["text", "markdown", "latex", "csv", "json"])
@pytest.mark.parametrize("by", [by for by in BY if by != "class"])
def test_every_class_is_shown_in_every_output(by: str, output: str) -> None:
    text = stdout(*COREFUD, "--by", by, "--output", output)
    if by == "kind":
        assert text == stdout(*COREFUD, "--output", output)
        return
    (result,) = results_of(stdout(*COREFUD, "--by", by, "--output", "json"))
    assert result["by"] == by
    assert result["classes"]
    if output == "csv":
        *_, last = csv.reader(text.splitlines())
        assert by == "document" or last[-1] in result["classes"]
        return
    for name in result["classes"]:
        written = name.replace("_", r"\_") if output == "latex" else name
        assert written in text


@pytest.mark.parametrize("files", [FILES, COREFUD, UNIVERSAL], ids=["2012", "ud", "ua"])
@pytest.mark.parametrize("by", [by for by in BY if by != "class"])
def test_every_format_has_classes(by: str, files: list[str]) -> None:
    (result,) = results_of(stdout(*files, "--by", by, "--output", "json"))
    count = len(result["errors"])
    assert count == sum(kind["count"] for kind in result["kinds"]) > 0
    if by == "kind":
        assert "classes" not in result
        return
    (row,) = (
        line.split()
        for line in stdout(*files, "--by", by).splitlines()
        if line.split()[:1] == ["all"]
    )
    assert len(result["classes"]) > 0
    assert int(row[-1]) == sum(map(int, row[1:-1])) == count


def test_classes_are_those_of_a_table(tmp_path: Path) -> None:
    table = tmp_path / "classes.tsv"
    table.write_text(
        "document\tstart\tend\tclass\n"
        "news/0001_0\t6\t6\tcity\n"
        "news/0001_0\t3\t5\tlost\n"
        "elsewhere\t0\t0\tperson\n"
    )
    arguments = [*FILES, "--by", "class", "--classes", str(table)]
    (result,) = results_of(stdout(*arguments, "--output", "json"))
    assert result["by"] == "class"
    used = {
        name: {kind: count for kind, count in row.items() if count}
        for name, row in result["classes"].items()
    }
    assert sum(sum(row.values()) for row in used.values()) == len(result["errors"]) == 4
    words = {"city": 0, "_": 0}
    for error in result["errors"]:
        words["city" if "London" in error["detail"] else "_"] += 1
    assert {name: sum(row.values()) for name, row in used.items()} == words
    output = run("errors", *arguments, code=0)
    assert "1 row fits no mention of either side" in " ".join(output.stderr.split())
    assert output.stdout.count("city") == 1


@pytest.mark.parametrize(
    ("options", "message"),
    [
        (["--by", "class"], "--by class needs a table of classes"),
        (["--classes", "examples/classes.tsv"], "--classes needs --by class"),
    ],
)
def test_classes_and_their_table_belong_together(
    options: list[str], message: str
) -> None:
    assert message in run("errors", *FILES, *options, code=2).stderr


def test_kinds_are_counted_by_class() -> None:
    lines = stdout(*FILES, "--by", "entity-size").splitlines()
    assert lines[0].split() == ["entity-size", "1", "2-10", "all"]
    assert lines[1].split() == ["span", "error", "1", "0", "1"]
    assert lines[9].split() == ["all", "3", "1", "4"]


def test_documents_are_rows() -> None:
    lines = stdout(*FILES, "--by", "document", "--kind", "span").splitlines()
    assert lines[0].split() == ["document", "span", "error", "all"]
    assert lines[1].split()[-2:] == ["1", "1"]
    assert lines[3].split() == ["all", "1", "1"]


def test_csv_has_the_class_of_each_error() -> None:
    text = stdout(*COREFUD, "--by", "mention-type", "--output", "csv")
    rows = list(csv.DictReader(io.StringIO(text)))
    assert [row["mention-type"] for row in rows] == [
        "common",
        "common",
        "zero",
        "zero",
    ]


def test_kinds_can_be_chosen() -> None:
    lines = stdout(*FILES, "--kind", "span", "--kind", "wrong-link").splitlines()
    assert [line.split()[0] for line in lines[1:4]] == ["as", "span", "wrong"]
    assert stdout(*FILES, "--kind", "span", "--list").count("span error (") == 1
    chosen = result_of(stdout(*FILES, "--kind", "span", "--output", "json"))
    assert [error["kind"] for error in chosen["errors"]] == ["span"]


def test_scoring_options_apply() -> None:
    assert "missing entity           0" in stdout(*FILES, "--singletons", "drop")


def test_identical_files_have_no_errors() -> None:
    lines = stdout(FILES[0], FILES[0]).splitlines()
    assert lines[-5].split() == ["all", "0", "–", "0.00", "100.00"]
    assert stdout(FILES[0], FILES[0], "--list") == f"No errors.\n\n{SIGNATURE}\n"


def test_words_cannot_write_to_the_terminal(tmp_path: Path) -> None:
    key = tmp_path / "key.jsonl"
    hostile = "a\x1b[31m", "b\u202e", "\u0645\u06cc\u200c\u0631\u0648\u062f"
    record = {"doc_key": "d\x07", "clusters": [[[0, 2]]], "sentences": [hostile]}
    key.write_text(json.dumps(record), encoding="utf-8")
    response = tmp_path / "response.jsonl"
    record["clusters"] = []
    response.write_text(json.dumps(record), encoding="utf-8")
    text = stdout(str(key), str(response), "--list")
    assert "a\\x1b[31m b\\u202e \u0645\u06cc\u200c" in text
    assert "\x1b" not in text
    assert "\x07" not in stdout(str(key), str(response), "--by", "document")
    result = result_of(stdout(str(key), str(response), "--output", "json"))
    assert result["errors"][0]["key_words"] == [" ".join(hostile)]


def test_one_file_of_json_lines_may_hold_both_sides(tmp_path: Path) -> None:
    path = tmp_path / "both.jsonl"
    record = {
        "doc_key": "d",
        "clusters": [[[0, 0], [2, 3]]],
        "predicted_clusters": [[[0, 0], [2, 2]]],
    }
    path.write_text(json.dumps(record), encoding="utf-8")
    assert stdout(str(path), "--list").splitlines()[0] == (
        f"{path}:1: span error (+75.00): [2, 2] instead of [2, 3]: "
        "1 word too few on the right"
    )


def test_notes_are_shown() -> None:
    note = "warning: Gains start from a CoNLL score of 78.97"
    assert note in run("errors", *UNIVERSAL).stderr
    result = run("errors", *UNIVERSAL, "--output", "csv")
    assert note in result.stderr
    assert note not in result.stdout


def test_bad_usage_is_refused() -> None:
    assert "'span-error' is not one of" in usage(*FILES, "--kind", "span-error")
    assert "unknown option" in usage(*FILES, "--metrics", "muc")
    assert "cannot be combined" in usage(*FILES, "--list", "--by", "document")
    assert "the key is a folder. Give a folder of responses" in usage(str(EXAMPLES))
    assert "can be read only once" in usage("-", "-")
    assert "two systems have the same name" in usage(FILES[0], FILES[1], FILES[1])


def test_bad_input_has_no_traceback(tmp_path: Path) -> None:
    empty = tmp_path / "empty.conll"
    empty.write_text("", encoding="utf-8")
    for files in (
        (FILES[0], str(empty)),
        (FILES[0], "nowhere"),
        (FILES[0], COREFUD[1]),
    ):
        result = run("errors", *files, code=1)
        assert result.stdout == ""
        assert result.stderr.startswith("error: ")


PAGE = (EXAMPLES.parent / "docs" / "errors.md").read_text(encoding="utf-8")
SESSIONS = re.findall(r"```text\n\$ scoref errors (.*)\n([^`]*)```", PAGE)


@pytest.mark.parametrize(("arguments", "shown"), SESSIONS, ids=lambda text: text[:40])
def test_the_page_shows_what_is_printed(
    arguments: str, shown: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(EXAMPLES.parent)
    monkeypatch.delenv("COLUMNS")
    result = run("errors", *arguments.split(), code=0)
    assert result.stdout + result.stderr == shown


def test_the_page_has_examples() -> None:
    assert len(SESSIONS) == 4


def test_help_does_not_wait_for_numbers() -> None:
    code = (
        "import sys; import scoref.tools.errors.command; "
        "import scoref.tools.report.command; "
        "print('numpy' in sys.modules)"
    )
    done = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, check=True
    )
    assert done.stdout == "False\n"


ERRORS = {
    "no response": ("key.conll", 1, "no response was given"),
    "another split": ("key.conll many-a.conll", 1, "is not in many-a.conll"),
    "half of the documents": ("many-key.conll half.conll", 1, "is not in half.conll"),
    "an empty response": ("key.conll empty.conll", 1, "this file has no document"),
    "a README": ("key.conll README.md", 1, "Is it CoNLL-2012?"),
    "a table of GAP": ("gap-key.tsv gap-response.tsv", 1, "this is GAP"),
    "no such file": ("key.conll nowhere.conll", 1, "nowhere.conll: cannot be read"),
    "a response twice": (
        "key.conll response.conll response.conll",
        2,
        "two systems have the same name, 'response.conll'",
    ),
    "an unknown kind": ("key.conll response.conll --kind span-error", 2, "'span-erro"),
    "a list of counts": (
        "key.conll response.conll --list --by document",
        2,
        "--list cannot be combined with --by",
    ),
    "an order without a list": (
        "key.conll response.conll --sort cost",
        2,
        "--sort needs --list, --output csv or --output json",
    ),
    "a share in percent": (
        "key.conll response.conll --span-errors share:50",
        2,
        "unknown rule for span errors 'share:50'",
    ),
    "heads without parses": (
        "key.conll response.conll --span-errors head",
        1,
        "there is no parse in column 6",
    ),
    "metrics": ("key.conll response.conll --metrics muc", 2, "unknown option"),
    "an empty other key": (
        "key.conll response.conll --other-key empty.conll",
        1,
        "this file has no document",
    ),
}
WARNINGS = {
    "the wrong order": ("response.conll key.conll", "swapped?"),
    "the key twice": ("key.conll key.conll", "was given as the key and as the respon"),
    "a copy of the key": ("many-key.conll copy.conll", "Is it a response?"),
    "an other key of other texts": (
        "key.conll response.conll --other-key many-a.conll",
        "many-a.conll has 0 of the key's 2 documents",
    ),
    "half of another key": (
        "many-key.conll many-a.conll --other-key half.conll",
        "half.conll has 12 of the key's 24 documents",
    ),
    "the key as another key": (
        "key.conll response.conll --other-key key.conll",
        "key.conll was given both as the key and as another key",
    ),
    "the response as another key": (
        "key.conll response.conll --other-key ben=response.conll",
        "response.conll was given both as the response and as another key",
    ),
}


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    for name in ("key", "response", "many-key", "many-a"):
        shutil.copy(EXAMPLES / f"{name}.conll", tmp_path)
    for name in ("gap-key", "gap-response"):
        shutil.copy(EXAMPLES / f"{name}.tsv", tmp_path)
    shutil.copy(ROOT / "README.md", tmp_path)
    shutil.copy(EXAMPLES / "many-key.conll", tmp_path / "copy.conll")
    documents = (EXAMPLES / "many-a.conll").read_text().split("#begin")
    (tmp_path / "half.conll").write_text("#begin".join(documents[:13]))
    (tmp_path / "empty.conll").touch()
    return tmp_path


@pytest.mark.parametrize("case", ERRORS)
@pytest.mark.usefixtures("folder")
def test_a_wrong_call_is_an_error(case: str) -> None:
    call, code, message = ERRORS[case]
    result = run("errors", *call.split(), code=code)
    assert not result.stdout
    assert message in " ".join(result.stderr.split())


def test_datasets_under_different_conventions_are_a_warning(tmp_path: Path) -> None:
    for side, name in (("key", "many-key.conll"), ("response", "many-a.conll")):
        (tmp_path / side).mkdir()
        shutil.copy(EXAMPLES / name, tmp_path / side / "one.conll")
        shutil.copy(EXAMPLES / f"corefud-{side}.conllu", tmp_path / side / "two.conllu")
    result = run("errors", tmp_path / "key", tmp_path / "response", code=0)
    message = " ".join(result.stderr.split())
    assert "two was not scored like" in message
    assert "match is head, not exact" in message


@pytest.mark.parametrize("case", WARNINGS)
@pytest.mark.usefixtures("folder")
def test_a_doubtful_call_gets_a_warning(case: str) -> None:
    call, message = WARNINGS[case]
    result = run("errors", *call.split(), code=0)
    assert "warning: " in result.stderr
    assert message in " ".join(result.stderr.split())
