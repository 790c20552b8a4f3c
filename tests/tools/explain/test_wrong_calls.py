"""Natural but wrong ways to call `scoref explain`: each gets an error or a warning."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from click.testing import CliRunner

from scoref.tools.explain.command import command
from support.wrong_files import write_wrong_files

if TYPE_CHECKING:
    from pathlib import Path

GOT = "key.conll a.conll --got"
ERRORS = {
    "one file": ("key.conll", 1, "this file holds no response"),
    "an empty file": ("key.conll empty.conll", 1, "there is no document in this file"),
    "half of the documents": ("key.conll half.conll", 1, "is not in half.conll"),
    "another language": ("key.conll corefud-response.conllu", 1, "'es-1', 'es-2'"),
    "a table of records": ("key.conll table-response.tsv", 1, "table-response.tsv:1"),
    "an error page": ("key.conll page.conll", 1, "this is a web page in HTML"),
    "two responses": ("key.conll a.conll b.conll", 2, "unexpected extra argument"),
    "a convention": ("key.conll a.conll --singletons drop", 2, "No such option"),
    "metrics": ("key.conll a.conll --metrics muc", 2, "No such option '--metrics'"),
    "a decimal comma": (f"{GOT} 86,38", 2, "'86,38' is no figure"),
    "a negative figure": (f"{GOT} -5", 2, "'-5' is no figure"),
    "a word": (f"{GOT} good", 2, "'good' is no figure"),
    "not a number": (f"{GOT} nan", 2, "'nan' is no figure"),
    "a misspelt metric": (f"{GOT} mucc=71", 2, "did you mean 'muc'?"),
    "a misspelt part": (f"{GOT} muc/rec=71", 2, "'muc/rec=71' is no figure"),
    "a metric without a figure": (f"{GOT} muc=", 2, "'muc=' is no figure"),
    "too few digits": (f"{GOT} 1", 2, "too few digits to tell conventions apart"),
    "a figure without a point": (f"{GOT} 8638", 3, "no convention gives 8638"),
    "the figure of another response": (f"{GOT} 12.34", 3, "no convention gives 12.34"),
    "standard input twice": ("- -", 2, "standard input can be read once only"),
}
REMARKS = {
    "the key twice": ("key.conll key.conll", "Was the key given twice?"),
    "the wrong order": ("a.conll key.conll", "as the response: swapped?"),
    "a response without mentions": (
        "key.conll no-mentions.conll",
        "warning: the response has no mention at all",
    ),
    "a response without links": (
        "key.conll gold-mentions.jsonl",
        "warning: all 301 entities of the response are singletons",
    ),
    "exclusive ends": (
        "key.conll exclusive.jsonl",
        "are ends exclusive in the response?",
    ),
    "a format without labels": ("key.conll a.jsonl", "depends on entity labels, which"),
    "missing documents": (
        "key.conll half.conll --missing empty",
        "12 documents in the key only, empty in the response",
    ),
}


@pytest.fixture(autouse=True)
def place(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    write_wrong_files(tmp_path)


@pytest.mark.parametrize(
    ("call", "code", "message"), ERRORS.values(), ids=ERRORS.keys()
)
def test_a_wrong_call_is_an_error(call: str, code: int, message: str) -> None:
    done = CliRunner().invoke(command, call.split())
    assert done.exit_code == code, done.output
    assert message in " ".join(done.stderr.split())


@pytest.mark.parametrize(("call", "message"), REMARKS.values(), ids=REMARKS.keys())
def test_a_doubtful_call_gets_a_remark(call: str, message: str) -> None:
    done = CliRunner().invoke(command, call.split())
    assert done.exit_code == 0, done.output
    assert message in " ".join(done.stderr.split())
