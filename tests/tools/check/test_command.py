"""`scoref check`: what it prints, how it ends, and what it writes."""

from __future__ import annotations

import gzip
import json
import lzma
import os
import re
import subprocess
import sys
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from scoref import fingerprint as scoref_fingerprint
from scoref.fingerprint import KnownKey
from scoref.formats import reading
from scoref.formats.fingerprints import fingerprint
from scoref.rules import RULES
from scoref.tools.check.check import check_data
from scoref.tools.check.crac.rules import OFFICIAL_RULES
from support.bad_files import CONLL, COREFUD, JSON, conll, corefud, jsonl
from support.commands import run
from support.json_output import results_of
from support.paths import EXAMPLES, ROOT
from support.span_lists import written
from support.wrong_calls import outcome

pytestmark = pytest.mark.usefixtures("wide")

if TYPE_CHECKING:
    from collections.abc import Callable

WARNED = conll("(0)|(0)", "(0)")
WRONG = conll("(0)|(0)", "(0)|2)", end=False)
NOT_ROOT = pytest.mark.skipif(
    hasattr(os, "geteuid") and os.geteuid() == 0, reason="root may write anywhere"
)


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    Path("good.conll").write_bytes(CONLL)
    Path("warned.conll").write_bytes(WARNED)
    Path("wrong.conll").write_bytes(WRONG)
    return tmp_path


def usage_error(*arguments: object) -> str:
    result = run("check", *arguments, code=2)
    assert result.stdout == ""
    return result.stderr.splitlines()[-1]


def test_a_good_file_is_said_to_be_good() -> None:
    result = run("check", "good.conll")
    assert result.exit_code == 0
    assert result.output == (
        "good.conll: fingerprint 0fef3b9b20 (see `scoref data`)\n"
        "no problems in 1 file\n"
    )


def test_problems_are_shown_as_a_compiler_shows_them() -> None:
    result = run("check", "wrong.conll", "--ignore", "duplicate-mention")
    assert result.exit_code == 1
    assert result.stdout == (
        "wrong.conll:1:1: warning[missing-end]: this document has no "
        "'#end document' line\n"
        "    #begin document (d); part 000\n"
        "  hint: Add one. Without it, the reference scorer continues "
        "into the next document.\n"
        "wrong.conll:3:14: error[unopened-bracket]: entity 2 is closed "
        "here but was never opened\n"
        "    d 0 1 w1 (0)|2)\n"
        "                 ^^\n"
        "  hint: Expected '(2' on an earlier token.\n"
        "1 error, 1 warning in 1 file; 1 can be repaired with --fix OUT\n"
    )
    assert result.stderr == ""


@pytest.mark.parametrize(
    ("arguments", "code", "message"),
    [
        (["good.conll"], 0, "no problems in 1 file"),
        (["good.conll", "--strict"], 0, "no problems in 1 file"),
        (["warned.conll"], 0, "1 warning in 1 file"),
        (["warned.conll", "--strict"], 1, "1 warning in 1 file"),
        (
            ["warned.conll", "--strict", "--ignore", "duplicate-mention"],
            0,
            "no problems in 1 file",
        ),
        (["wrong.conll"], 1, "1 error, 2 warnings in 1 file"),
        (["wrong.conll", "--select", "missing-end"], 0, "1 warning in 1 file"),
        (["good.conll", "wrong.conll"], 1, "1 error, 2 warnings in 2 files"),
        (["nobody.conll"], 1, "error: nobody.conll: cannot be read"),
        ([], 2, "error: missing argument 'FILE...'"),
        (["good.conll", "--select", "missing-ends"], 2, "missing-ends"),
        (["good.conll", "--format", "conll"], 2, "Did you mean conll-2012"),
        (["good.conll", "--max", "-1"], 2, "-1 is not in the range"),
    ],
)
def test_the_exit_code_says_what_was_found(
    arguments: list[str], code: int, message: str
) -> None:
    result = run("check", *arguments, code=code)
    # Problems are listed before they are counted; hints follow an error.
    line = (result.stdout.splitlines() or [""])[-1] or result.stderr.splitlines()[0]
    assert message in line


def test_files_are_checked_each_by_itself() -> None:
    Path("other.conll").write_bytes(conll("(0)", "(0)", "(0)", name="other"))
    result = run("check", "good.conll", "other.conll", "wrong.conll")
    assert result.exit_code == 1
    assert "missing-document" not in result.stdout
    assert result.stdout.splitlines()[-1].startswith("1 error, 2 warnings in 3 files")
    assert result.stderr == ""


def test_a_hint_for_two_files_names_the_option_for_a_key() -> None:
    Path("other.conll").write_bytes(CONLL.replace(b"w2", b"x"))
    result = run("check", "good.conll", "other.conll")
    assert (result.exit_code, result.stdout) == (0, "no problems in 2 files\n")
    assert "`scoref check --key good.conll other.conll`." in result.stderr
    output = run("check", "good.conll", "other.conll", "--output", "json").stdout
    assert "--key good.conll other.conll" in json.loads(output)["notes"][0]


def test_a_response_is_compared_with_its_key() -> None:
    Path("other.conll").write_bytes(CONLL.replace(b"w2", b"x"))
    result = run("check", "--key", "good.conll", "other.conll")
    assert result.exit_code == 0
    assert result.stdout == (
        "other.conll:4:7: warning[different-words]: this word is 'x', "
        "but 'w2' in good.conll:4\n"
        "    d 0 2 x -\n"
        "          ^\n"
        "    good.conll:4: d 0 2 w2 -\n"
        "  hint: Both files must have the same words, one for one.\n"
        "good.conll: fingerprint 0fef3b9b20 (see `scoref data`)\n"
        "1 warning in 2 files\n"
    )


def test_a_file_that_is_not_there_is_an_error_without_a_traceback() -> None:
    result = run("check", "nobody.conll")
    assert result.stdout == ""
    assert result.stderr.startswith("error: nobody.conll: cannot be read")


@pytest.mark.parametrize(
    "pack", [bytes, gzip.compress, lzma.compress], ids=["plain", "gzip", "xz"]
)
def test_files_may_be_compressed_or_standard_input(
    pack: Callable[[bytes], bytes],
) -> None:
    Path("packed").write_bytes(pack(WRONG))
    expected = run("check", "wrong.conll").stdout
    assert run("check", "packed").stdout.replace("packed:", "wrong.conll:") == expected
    piped = run("check", "-", stdin=pack(WRONG))
    assert piped.stdout.replace("<stdin>:", "wrong.conll:") == expected


def test_standard_input_cannot_be_both_files() -> None:
    assert "only one of the files" in usage_error("-", "-")


def test_json_has_all_problems_in_order() -> None:
    Path("many.conll").write_bytes(conll(*["x"] * 30))
    result = run("check", "many.conll", "--output", "json", "--max", "1")
    assert result.exit_code == 1
    written = results_of(result.stdout)
    assert len(written) == 30
    assert written[0] == {
        "file": "many.conll",
        "line": 2,
        "column": 10,
        "end_column": 11,
        "severity": "error",
        "rule": "unreadable-cell",
        "message": "'x' is not a coreference annotation",
        "hint": "The last column must be '-' or brackets such as '(3', '3)' or "
        "'(3)|4)'.",
        "text": "d\t0\t0\tw0\tx",
        "beside": "",
        "can_fix": False,
        "official": "",
    }
    assert results_of(run("check", "good.conll", "--output", "json").stdout) == []


def test_github_gets_workflow_commands() -> None:
    Path("100%, a:b.conll").write_bytes(WRONG)
    result = run(
        "check", "100%, a:b.conll", "--output", "github", "--select", "unopened-bracket"
    )
    assert result.stdout == (
        "::error file=100%25%2C a%3Ab.conll,line=3,col=14,title=unopened-bracket::"
        "entity 2 is closed here but was never opened%0A"
        "Expected '(2' on an earlier token.\n"
    )
    assert run("check", "good.conll", "--output", "github").stdout == ""


def test_github_gets_warnings_and_notices_without_a_line() -> None:
    Path("other.conll").write_bytes(CONLL.replace(b"-", b"(2)"))
    output = run(
        "check", "--key", "good.conll", "other.conll", "--output", "github"
    ).stdout
    assert output.startswith("::notice file=other.conll,title=singletons-on-one-side::")
    warned = run("check", "warned.conll", "--output", "github").stdout
    assert warned.startswith("::warning file=warned.conll,line=2,col=14,")


def test_of_each_rule_only_some_are_shown() -> None:
    Path("many.conll").write_bytes(conll(*["x"] * 30, "(0)|(0)", "(0)"))
    counted = {
        most: run("check", "many.conll", "--max", str(most)).stdout
        for most in (0, 1, 3, 20, 30)
    }
    for most, shown in ((0, 30), (1, 1), (3, 3), (20, 20), (30, 30)):
        assert counted[most].count("error[unreadable-cell]") == shown
    assert "\n… and 29 more of unreadable-cell\n" in counted[1]
    assert "\n… and 27 more of unreadable-cell\n" in counted[3]
    assert "… and" not in counted[0] + counted[30]
    assert counted[3].splitlines()[-1].startswith("30 errors, 1 warning in 1 file")
    assert run("check", "many.conll").stdout == counted[20]


def test_rules_are_listed_whatever_else_is_asked() -> None:
    result = run("check", "--rules")
    assert result.exit_code == 0
    lines = result.stdout.splitlines()
    rules = [*RULES.values(), *(rule.rule for rule in OFFICIAL_RULES.values())]
    assert [line.split()[0] for line in lines] == [rule.name for rule in rules]
    assert [line.endswith("(--fix)") for line in lines] == [
        rule.has_fix for rule in rules
    ]


def test_help_and_rules_load_no_numerical_library() -> None:
    code = (
        "import sys\nfrom scoref.tools.check.command import command\n"
        "for option in ('--help', '--rules'):\n"
        "    command([option], standalone_mode=False)\n"
        "print(*sys.modules, file=sys.stderr)"
    )
    done = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, check=True, text=True
    )
    assert not {*done.stderr.split()} & {"numpy", "scipy", "msgspec"}


def test_fix_writes_a_new_file_and_shows_what_is_left() -> None:
    result = run("check", "wrong.conll", "--fix", "out.conll")
    assert result.exit_code == 1
    expected = conll("(0)", "(0)|2)", end=False) + b"#end document\n"
    assert Path("out.conll").read_bytes() == expected
    assert Path("wrong.conll").read_bytes() == WRONG
    lines = result.stdout.splitlines()
    assert lines[0].startswith("out.conll:3:14: error[unopened-bracket]")
    assert lines[-2:] == [
        "1 error in 1 file",
        (
            "out.conll: 2 problems repaired (missing-end 1, duplicate-mention 1). "
            "1 error cannot be repaired automatically."
        ),
    ]
    assert not [*Path().glob("*.part")]


def test_a_file_that_is_good_after_repair_ends_with_0() -> None:
    result = run("check", "warned.conll", "--fix", "out.conll", "--strict")
    assert (result.exit_code, result.stdout) == (
        0,
        "no problems in 1 file\nout.conll: 1 problem repaired (duplicate-mention 1).\n",
    )


UNREPAIRED = "Nothing was repaired, so out.conll is the same as the input."


def test_nothing_to_repair_gives_a_copy() -> None:
    result = run("check", "good.conll", "--fix", "out.conll")
    assert result.stdout.endswith(f"{UNREPAIRED} No problem was found.\n")
    assert Path("out.conll").read_bytes() == CONLL


def test_errors_that_cannot_be_repaired_are_counted_and_shown_in_the_input() -> None:
    Path("unopened.conll").write_bytes(conll("(0)", "(0)|2)"))
    result = run("check", "unopened.conll", "--fix", "out.conll", code=1)
    lines = result.stdout.splitlines()
    assert lines[0].startswith("unopened.conll:3:14: error[unopened-bracket]")
    assert lines[-2:] == [
        "1 error in 1 file",
        f"{UNREPAIRED} 1 error cannot be repaired automatically.",
    ]
    assert Path("out.conll").read_bytes() == Path("unopened.conll").read_bytes()


def test_fix_repairs_chosen_rules_only() -> None:
    run("check", "wrong.conll", "--fix", "out.conll", "--select", "missing-end")
    assert Path("out.conll").read_bytes() == WRONG + b"#end document\n"


def test_fix_never_writes_over_its_input() -> None:
    for out in ("wrong.conll", "./wrong.conll", str(Path("wrong.conll").absolute())):
        assert "would be overwritten" in usage_error(
            "wrong.conll", "--fix", out, "--force"
        )
    assert Path("wrong.conll").read_bytes() == WRONG


def test_fix_replaces_a_file_only_by_force() -> None:
    assert "--force" in usage_error("wrong.conll", "--fix", "good.conll")
    assert Path("good.conll").read_bytes() == CONLL
    assert run("check", "warned.conll", "--fix", "good.conll", "--force").exit_code == 0
    assert Path("good.conll").read_bytes() == conll("(0)", "(0)")


def test_fix_is_for_one_file() -> None:
    assert "Leave out other files" in usage_error(
        "wrong.conll", "good.conll", "--fix", "out"
    )
    assert "--expect" in usage_error(
        "wrong.conll", "--expect", "litbank", "--fix", "out"
    )


def test_fix_to_standard_output_leaves_the_report_to_standard_error() -> None:
    result = run("check", "-", "--fix", "-", stdin=WARNED)
    assert result.stdout_bytes == conll("(0)", "(0)")
    assert "1 problem repaired" in result.stderr


def test_fix_packs_what_is_called_so() -> None:
    for name, unpack in (("o.gz", gzip.decompress), ("o.xz", lzma.decompress)):
        run("check", "warned.conll", "--fix", name)
        assert unpack(Path(name).read_bytes()) == conll("(0)", "(0)")


def test_fix_writes_nothing_if_there_is_nothing_to_read() -> None:
    Path("empty").write_bytes(b"")
    result = run("check", "empty", "--fix", "out")
    assert result.exit_code == 1
    assert result.stdout.startswith("empty: error[no-document]")
    assert not Path("out").exists()


def test_fix_into_a_folder_that_is_not_there_is_an_error() -> None:
    result = run("check", "warned.conll", "--fix", "nowhere/out.conll")
    assert result.exit_code == 1
    assert result.stderr.startswith("error: nowhere/out.conll: cannot be written")


@NOT_ROOT
def test_fix_into_a_folder_without_permission_is_an_error(folder: Path) -> None:
    locked = folder / "locked"
    locked.mkdir(mode=0o500)
    result = run("check", "warned.conll", "--fix", str(locked / "out.conll"))
    assert result.exit_code == 1
    assert "cannot be written: permission denied" in result.stderr


def test_json_beside_fix_stays_json() -> None:
    result = run("check", "wrong.conll", "--fix", "out.conll", "--output", "json")
    assert [problem["rule"] for problem in results_of(result.stdout)] == [
        "unopened-bracket"
    ]
    assert "2 problems repaired" in result.stderr


@pytest.mark.parametrize(
    ("name", "data"),
    [
        ("x.conllu", corefud("1=(e1-x-1)(e1-x-1)", "2=(e1-x-1)")),
        ("x.jsonl", jsonl([[0, 0], [1, 1], [0, 0]])),
    ],
)
def test_other_formats_are_repaired_too(name: str, data: bytes) -> None:
    Path(name).write_bytes(data)
    result = run("check", name, "--fix", "out")
    assert result.exit_code == 0
    assert check_data(Path("out").read_bytes(), source="out") == []


def test_a_format_may_be_given() -> None:
    Path("x").write_bytes(JSON)
    assert run("check", "x", "--format", "json-lines").exit_code == 0
    refused = run("check", "x", "--format", "conll-2012", code=1)
    assert "x:1:" in refused.stdout


KNOWN = KnownKey(
    name="toy",
    version="1",
    source="nowhere",
    documents=2,
    mentions=4,
    entities=2,
    key="45a3",
    text="b1",
    annotation="c9",
)


def register_key(monkeypatch: pytest.MonkeyPatch, *, has_parts: bool) -> bytes:
    """Register a key of two documents, and return it."""
    data = conll("(0)", "(0)", name="(one); part 000") + conll(
        "(0)", "-", "(0)", name="(two); part 000"
    )
    corpus = reading.read_data(data, source="x", role="key", with_tokens=True)
    whole = fingerprint(corpus)
    digits = [
        ((document.text or b"").hex()[:16], document.annotation.hex()[:16])
        for document in whole.documents
    ]
    toy = KNOWN._replace(
        key=whole.key,
        text=whole.text,
        annotation=whole.annotation,
        parts=tuple(digits) if has_parts else (),
    )
    monkeypatch.setattr(scoref_fingerprint, "known_keys", lambda: (toy,))
    return data


@pytest.mark.parametrize("has_parts", [True, False])
def test_a_key_may_be_expected_by_its_name(
    has_parts: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    data = register_key(monkeypatch, has_parts=has_parts)
    Path("key.conll").write_bytes(data)
    result = run("check", "key.conll", "--expect", "toy")
    assert result.exit_code == 0
    assert "key.conll: known key toy@" in result.stdout
    Path("key.conll").write_bytes(data.replace(b"w2\t(0)", b"w2\t(1)"))
    result = run("check", "key.conll", "--expect", "toy")
    assert result.exit_code == 1
    place, what = (
        (":6:17", "document '(two); part 000' has the text of a document of toy, but")
        if has_parts
        else ("", "this is not toy: it has the same texts but other entities")
    )
    start = f"key.conll{place}: error[unexpected-key]: {what}"
    assert result.stdout.startswith(start)


def test_documents_that_differ_from_a_known_key_are_reported(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    register_key(monkeypatch, has_parts=True)
    Path("key.conll").write_bytes(
        conll("(0)", "-", "-", "(0)", name="(three); part 000")
    )
    output = run("check", "key.conll", "--expect", "toy").stdout
    assert "document '(three); part 000' is not a document of toy" in output
    assert "2 of 2 documents of toy are missing" in output


def test_a_key_in_several_files_is_one(monkeypatch: pytest.MonkeyPatch) -> None:
    data = register_key(monkeypatch, has_parts=True)
    first, end, second = data.partition(b"#end document\n")
    Path("1.conll").write_bytes(first + end)
    Path("2.conll").write_bytes(second)
    assert run("check", "1.conll", "2.conll", "--expect", "toy").exit_code == 0
    half = run("check", "1.conll", "--expect", "toy", code=1).stdout
    assert "1 of 2 documents of toy is missing" in half
    more = run("check", "1.conll", "2.conll", "good.conll", "--expect", "toy", code=1)
    assert "is not a document of toy" in more.stdout


def test_a_repeated_document_is_not_the_one_that_is_missing(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    data = register_key(monkeypatch, has_parts=True)
    first, end, _ = data.partition(b"#end document\n")
    Path("1.conll").write_bytes(first + end)
    Path("2.conll").write_bytes(first + end)
    result = run("check", "1.conll", "2.conll", "--expect", "toy")
    assert result.exit_code == 1
    assert "this is not toy" in result.stdout


@pytest.mark.parametrize("expected", ["0fef3b9b20", "x@0fef3b9b20"])
def test_a_key_may_be_expected_by_its_digits(expected: str) -> None:
    assert run("check", "good.conll", "--expect", expected).exit_code == 0
    pair = "--key", "good.conll", "warned.conll"
    assert "unexpected-key" not in run("check", *pair, "--expect", expected).stdout
    result = run("check", "warned.conll", "--expect", expected)
    assert result.exit_code == 1
    assert f", not {expected}" in result.stdout


def test_a_file_that_cannot_be_read_is_not_what_was_expected() -> None:
    Path("empty.conll").write_bytes(b"")
    for name in ("wrong.conll", "empty.conll"):
        result = run("check", name, "--expect", "litbank", "--select", "missing-newdoc")
        assert result.exit_code == 1
        assert f"{name}: error[unexpected-key]: this is not litbank" in result.stdout


def test_a_name_that_no_key_has_is_bad_usage() -> None:
    assert "Did you mean litbank" in usage_error("good.conll", "--expect", "litbnk")


def test_programs_get_the_fingerprints() -> None:
    written = json.loads(
        run("check", "good.conll", "wrong.conll", "--output", "json").stdout
    )
    (key,) = written["keys"]
    assert (key["file"], key["name"], key["key"][:10]) == (
        *("good.conll", ""),
        "0fef3b9b20",
    )


def test_the_examples_are_fine() -> None:
    pairs = [
        ("key.conll", "response.conll"),
        ("many-key.conll", "many-a.conll"),
        ("corefud-key.conllu", "corefud-response.conllu"),
        ("ua-key.ua", "ua-response.ua"),
    ]
    for key, response in pairs:
        files = str(EXAMPLES / key), str(EXAMPLES / response)
        result = run("check", "--key", *files, "--strict")
        assert result.exit_code == 0, result.stdout
        assert not re.search("error|warning", result.stdout)
        assert f"{key}: fingerprint " in result.stdout


def test_the_command_is_found_by_its_name() -> None:
    Path("x.conllu").write_bytes(COREFUD)
    program = "from scoref.cli import main; main()"
    arguments = [sys.executable, "-c", program, "check", "wrong.conll"]
    done = subprocess.run(arguments, capture_output=True, check=False, text=True)
    assert done.returncode == 1
    assert "error[unopened-bracket]" in done.stdout
    assert done.stderr == ""


def test_a_closed_pipe_is_no_traceback() -> None:
    Path("many.conll").write_bytes(conll(*["x"] * 5000))
    program = "from scoref.cli import main; main()"
    arguments = [sys.executable, "-c", program, "check", "many.conll", "--max", "0"]
    with subprocess.Popen(
        arguments, stdout=subprocess.PIPE, stderr=subprocess.PIPE
    ) as process:
        assert process.stdout is not None
        assert process.stderr is not None
        process.stdout.readline()
        process.stdout.close()
        assert b"Traceback" not in process.stderr.read()


ANN = "T1\tMention 0 3\tMia\nT2\tMention 10 13\tshe\n*\tCoreference T1 T2\n"
TEXT = "Mia knows she sleeps\n"


def test_every_file_of_a_folder_is_checked(tmp_path: Path) -> None:
    folder = tmp_path / "brat"
    written(folder, a__ann=ANN, a__txt=TEXT, b__ann=ANN + "T3\tx\n", b__txt=TEXT)
    output = run("check", "brat", code=1).stdout
    assert "brat/b.ann:4:1: error[unreadable-line]" in output
    assert "this is not a text-bound annotation" in output
    assert "1 error in 2 files" in output


def test_documents_of_two_folders_are_paired_by_their_names(tmp_path: Path) -> None:
    key = written(tmp_path / "key", a__ann=ANN, a__txt=TEXT, b__ann=ANN, b__txt=TEXT)
    response = written(tmp_path / "response", a__ann=ANN, a__txt="Bea knows she left\n")
    message = " ".join(run("check", "--key", key, response, code=1).stderr.split())
    assert f"{key}: document 'b' is not in {response}" in message


def test_a_folder_next_to_a_file_is_checked_alone(tmp_path: Path) -> None:
    folder = written(tmp_path / "folder", a__ann=ANN, a__txt=TEXT)
    assert "in 2 files" in run("check", "good.conll", folder).stdout


@pytest.mark.parametrize(
    ("call", "code", "message"),
    [
        ("", 2, "missing argument"),
        ("nosuch.conll", 1, "cannot be read"),
        ("plain.txt", 1, "error[unreadable-file]"),
        ("nothing.conll", 1, "error[no-document]"),
        ("empty", 1, "there is no file to score"),
        ("paper.pdf", 1, "this is a binary file"),
        ("table-key.tsv", 1, "error[unreadable-file]"),
        ("gap-key.tsv", 1, "error[unreadable-file]"),
        ("key.conll --format corefud", 1, "error[unreadable-line]"),
        ("--key key.conll many-a.conll", 1, "error[missing-document]"),
        ("response.conll key.conll", 0, "Each file was checked on its own"),
        ("--key response.conll key.conll", 0, "singletons-on-one-side"),
        ("key.conll --expect many-key.conll", 2, "unknown key"),
    ],
)
def test_a_wrong_call_is_not_silent(
    call: str, code: int, message: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    result = outcome(f"check {call}", tmp_path, monkeypatch)
    assert result.startswith(f"{code}: ")
    assert message in result


SESSION = re.compile(r"```text\n(\$ .*?)```", re.DOTALL)


@pytest.mark.skipif(sys.platform == "win32", reason="the examples are for a shell")
def test_the_sessions_of_the_page_show_what_the_command_prints(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv("COLUMNS")
    page = (ROOT / "docs" / "check.md").read_text(encoding="utf-8")
    (tmp_path / "examples").symlink_to(ROOT / "examples")
    program = tmp_path / "scoref"
    code = "from scoref.cli import main; main()"
    program.write_text(f'#!/bin/sh\nexec "{sys.executable}" -c "{code}" "$@"\n')
    program.chmod(0o755)
    path = os.pathsep.join([str(tmp_path), os.environ["PATH"]])
    sessions = SESSION.findall(page)
    assert len(sessions) == 5
    for session in sessions:
        commands = re.findall(r"^\$ (.*)", session, re.MULTILINE)
        done = subprocess.run(
            ["/bin/sh", "-c", "\n".join(commands)],
            capture_output=True,
            check=False,
            cwd=tmp_path,
            encoding="utf-8",
            env={**os.environ, "PATH": path, "PYTHONUTF8": "1"},
        )
        expected = re.sub(r"^\$ .*\n", "", session, flags=re.MULTILINE)
        assert done.stdout == expected
