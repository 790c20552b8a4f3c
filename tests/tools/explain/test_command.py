"""`scoref explain`: exit codes, pipes, folders, and natural but wrong calls."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
import threading
from pathlib import Path

import pytest

import scoref
from support.commands import run
from support.paths import EXAMPLES
from support.wrong_files import write_wrong_files

pytestmark = pytest.mark.usefixtures("wide")

FILES = str(EXAMPLES / "explain-key.conll"), str(EXAMPLES / "explain-response.conll")
ANSWER = (
    "59.62 is the CoNLL score of 'e2e-coref'. The reference is 74.41. Cause: B³ "
    "ignores singletons; CEAFe ignores singletons of the response but not of the key."
)
ONCE = "note: Omitted: the reference scorer, which needs to read the input"


def usage(*arguments: str) -> str:
    result = run("explain", *arguments, code=2)
    assert result.stdout == ""
    return result.stderr.splitlines()[-1]


def test_a_figure_of_nobody_leaves_with_3_and_neighbours() -> None:
    result = run("explain", *FILES, "--got", "61.99")
    assert result.exit_code == 3
    assert result.stderr.splitlines()[-1] == "error: no convention gives 61.99"
    assert result.stdout.splitlines()[:2] == [
        "No convention gives 61.99. The nearest CoNLL scores and other figures are:",
        "  62.12 (+0.13): B³ F₁ of 'evaluate.load(\"coval\")'",
    ]
    result = run("explain", *FILES, "--got", "muc=61.99")
    assert "61.99. The nearest figures are:" in result.stdout


def test_a_bad_figure_is_refused_before_files_are_read() -> None:
    assert "is not a figure" in usage("nowhere.conll", "nowhere.conll", "--got", "abc")


def test_standard_input_can_be_read_once_only() -> None:
    assert "can be read only once" in usage("-", "-")
    text = Path(FILES[1]).read_text(encoding="utf-8")
    piped = run("explain", FILES[0], "-", "--got", "59.62", stdin=text)
    assert piped.exit_code == 0
    assert piped.stdout.splitlines()[0] == ANSWER
    assert ONCE in piped.stderr
    assert ONCE not in run("explain", *FILES).stderr


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="there are no named pipes here")
def test_a_pipe_is_not_read_again_as_if_it_were_empty(tmp_path: Path) -> None:
    pipe = tmp_path / "response"
    os.mkfifo(pipe)
    data = Path(FILES[1]).read_bytes()
    writer = threading.Thread(target=pipe.write_bytes, args=(data,), daemon=True)
    writer.start()
    piped = run("explain", FILES[0], str(pipe), "--got", "59.62")
    writer.join()
    assert piped.stdout.splitlines()[0] == ANSWER
    assert ONCE in piped.stderr


def test_two_files_for_one_dataset_lose_no_other_dataset() -> None:
    result = run("explain", str(EXAMPLES), str(EXAMPLES))
    assert result.exit_code == 1
    assert "are both for 'corefud'" in result.stderr
    assert "\nmany-a\n" in result.stdout


def test_datasets_may_have_different_metrics(tmp_path: Path) -> None:
    for side, name in (("key", "many-key.conll"), ("response", "many-a.conll")):
        (tmp_path / side).mkdir()
        shutil.copy(EXAMPLES / name, tmp_path / side / "one.conll")
        shutil.copy(EXAMPLES / f"corefud-{side}.conllu", tmp_path / side / "two.conllu")
    result = run("explain", tmp_path / "key", tmp_path / "response", code=0)
    assert {"one", "two"} <= {*result.stdout.splitlines()}


@pytest.mark.parametrize("block", range(4))
def test_the_page_shows_what_the_command_prints(
    block: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(EXAMPLES.parent)
    monkeypatch.delenv("COLUMNS")
    page = Path("docs", "explain.md").read_text(encoding="utf-8")
    session = re.findall(r"```text\n\$ scoref explain (.*?)```", page, re.DOTALL)[block]
    arguments, _, expected = session.partition("\n")
    result = run("explain", *arguments.split())
    printed = result.stdout + result.stderr
    expected = re.sub(r"scoref:[\d.]+", f"scoref:{scoref.__version__}", expected)
    assert printed.startswith(expected.removesuffix("…\n"))


def test_explain_is_the_first_word_of_the_command() -> None:
    program = [sys.executable, "-c", "from scoref.cli import main; main()"]
    done = subprocess.run(
        [*program, "explain", *FILES, "--got", "61.99"],
        capture_output=True,
        check=False,
        encoding="utf-8",
    )
    assert done.returncode == 3
    assert done.stderr.splitlines()[-1] == "error: no convention gives 61.99"


def test_help_loads_no_numerical_library() -> None:
    code = (
        "import sys\nfrom scoref.tools.explain.command import command\n"
        "command(['--help'], standalone_mode=False)\n"
        "print(*sys.modules, file=sys.stderr)"
    )
    done = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, check=True, text=True
    )
    assert not {"numpy", "scipy", "msgspec"} & set(done.stderr.split())


GOT = "key.conll a.conll --got"
ERRORS = {
    "no such file": ("key.conll no.conll", 1, "no.conll: cannot be read"),
    "an unknown format": ("key.conll a.conll --format xml", 2, "unknown format 'xml'"),
    "one file": ("key.conll", 1, "no response was given"),
    "an empty file": ("key.conll empty.conll", 1, "this file has no document"),
    "half of the documents": ("key.conll half.conll", 1, "is not in half.conll"),
    "another language": ("key.conll corefud-response.conllu", 1, "'es-1', 'es-2'"),
    "a table of records": ("key.conll table-response.tsv", 1, "table-response.tsv:1"),
    "an error page": ("key.conll page.conll", 1, "this is a web page in HTML"),
    "two responses": ("key.conll a.conll b.conll", 2, "unexpected extra argument"),
    "a convention": ("key.conll a.conll --singletons drop", 2, "unknown option"),
    "metrics": ("key.conll a.conll --metrics muc", 2, "unknown option '--metrics'"),
    "a decimal comma": (f"{GOT} 86,38", 2, "'86,38' is not a figure"),
    "a negative figure": (f"{GOT} -5", 2, "'-5' is not a figure"),
    "a word": (f"{GOT} good", 2, "'good' is not a figure"),
    "not a number": (f"{GOT} nan", 2, "'nan' is not a figure"),
    "a misspelt metric": (f"{GOT} mucc=71", 2, "Did you mean muc?"),
    "a misspelt part": (f"{GOT} muc/rec=71", 2, "'muc/rec=71' is not a figure"),
    "a metric without a figure": (f"{GOT} muc=", 2, "'muc=' is not a figure"),
    "too few digits": (f"{GOT} 1", 2, "has too few digits"),
    "a figure without a point": (f"{GOT} 8638", 3, "no convention gives 8638"),
    "the figure of another response": (f"{GOT} 12.34", 3, "no convention gives 12.34"),
    "standard input twice": ("- -", 2, "standard input (-) can be read only once"),
}
REMARKS = {
    "the key twice": ("key.conll key.conll", "Was the key given twice?"),
    "the wrong order": ("a.conll key.conll", "as the response. Are they swapped?"),
    "a response without mentions": (
        "key.conll no-mentions.conll",
        "warning: The response has no mentions",
    ),
    "a response without links": (
        "key.conll gold-mentions.jsonl",
        "warning: all 301 entities of the response are singletons",
    ),
    "exclusive ends": (
        "key.conll exclusive.jsonl",
        "Are ends exclusive in the response?",
    ),
    "a format without labels": ("key.conll a.jsonl", "a.jsonl has no entity labels."),
    "missing documents": (
        "key.conll half.conll --missing empty",
        "12 documents are not in half.conll",
    ),
}


@pytest.fixture
def files(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    write_wrong_files(tmp_path)


@pytest.mark.parametrize(
    ("call", "code", "message"), ERRORS.values(), ids=ERRORS.keys()
)
@pytest.mark.usefixtures("files")
def test_a_wrong_call_is_an_error(call: str, code: int, message: str) -> None:
    result = run("explain", *call.split(), code=code)
    assert message in " ".join(result.stderr.split())
    assert code == 3 or not result.stdout


@pytest.mark.parametrize(("call", "message"), REMARKS.values(), ids=REMARKS.keys())
@pytest.mark.usefixtures("files")
def test_a_doubtful_call_gets_a_remark(call: str, message: str) -> None:
    result = run("explain", *call.split(), code=0)
    assert message in " ".join(result.stderr.split())


def test_the_table_of_averages_has_each_convention_once(tmp_path: Path) -> None:
    folders = tmp_path / "key", tmp_path / "response"
    for folder, file in zip(folders, FILES, strict=True):
        folder.mkdir()
        for name in ("a", "b"):
            (folder / f"{name}.conll").write_bytes(Path(file).read_bytes())
    lines = run("explain", *folders).stdout.splitlines()
    for name in ("reference scorer ", "scoref ", "e2e-coref "):
        assert sum(line.startswith(name) for line in lines) == 3, name
