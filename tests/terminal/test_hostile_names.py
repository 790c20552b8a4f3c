"""Names, tokens and answers that would steer a terminal reach none, in any command."""

from __future__ import annotations

import csv
import gc
import io
import json
import os
import subprocess
import sys
from contextlib import suppress
from importlib import import_module
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

import pytest

from scoref.cli import COMMANDS
from support.commands import other_calls
from support.json_output import result_of

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

FORGED = "::error::forged"
HOSTILE = f"a\x1b]0;title\x07\x1b[2J\n{FORGED}\u202eb\x9b31m\u2028\u2066\x7f\r"
IN_A_FILE_NAME = HOSTILE.replace("/", "")
IN_A_CELL = "a\x1b]0;title\x07\x1b[2J\u202eb\u2066\x7f"
WORDS = ["Ada", HOSTILE, "saw", "her", "\u202eback", "x"]
SUITES = {
    "scoref": "scoref.cli",
    "scoref-conll": "scoref.dropins.conll",
    "scoref-corefud": "scoref.dropins.corefud",
    "scoref-ua": "scoref.dropins.ua",
}


def document(name: str, *clusters: object, **more: object) -> str:
    record = {"doc_key": name, "sentences": [WORDS], "clusters": list(clusters)}
    return json.dumps(record | more) + "\n"


def conll(name: str, *cells: str) -> str:
    rows = [f"{name}\t0\t{row}\t{IN_A_CELL}\t{cell}" for row, cell in enumerate(cells)]
    return "\n".join([f"#begin document ({name})", *rows, "", "#end document", ""])


def corefud(name: str, *cells: str) -> str:
    rows = [
        f"{row}\t{IN_A_CELL}\t_\t_\t_\t_\t{row - 1}\t_\t_\t{cell}"
        for row, cell in enumerate(cells, start=1)
    ]
    header = [f"# newdoc id = {name}", "# global.Entity = eid-etype-head"]
    return "\n".join([*header, f"# sent_id = {name}", *rows, "", ""])


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    key = [[0, 0], [3, 3]], [[1, 1], [4, 5]]
    files = {
        "key.jsonl": document(HOSTILE, *key),
        f"{IN_A_FILE_NAME}.jsonl": document(HOSTILE, [[0, 0], [1, 1]], [[3, 3]]),
        "other.jsonl": document(f"{HOSTILE}2", *key),
        "bad.jsonl": document(HOSTILE, [[HOSTILE, 1]]),
        "both.jsonl": document(HOSTILE, *key, predicted_clusters=[[[0, 0], [4, 4]]]),
        "key.conll": conll(IN_A_CELL, "(0)", "(1)", "(0)", "(1)"),
        "bad.conll": conll(IN_A_CELL, "(0)", f"(1{IN_A_CELL}", "1)", "(1)"),
        "key.conllu": corefud(IN_A_CELL, "Entity=(e1-x-1)", "Entity=(e1-x-1)"),
        "bad.conllu": corefud(IN_A_CELL, f"Entity=(e{IN_A_CELL}", "Entity=e1)"),
        "other.conllu": corefud(f"{IN_A_CELL}2", "Entity=(e1-x-1)", "_"),
        "key.tsv": f"mention\tcluster\n{IN_A_CELL}\t1\n{IN_A_CELL}\t2\n",
        "group.tsv": f"mention\tgold\tguess\tgroup\na\t1\t1\t{IN_A_CELL}\n",
        "answer.txt": f"[Ada](#1) {IN_A_CELL} \x1b[2J saw [her](#{IN_A_CELL} x\n",
        "answer.jsonl": json.dumps({"doc_key": HOSTILE, "output": HOSTILE}) + "\n",
        "unknown.jsonl": json.dumps({"doc_key": "z\x1b\n", "output": "x"}) + "\n",
    }
    for name, text in files.items():
        Path(name).write_text(text, encoding="utf-8", newline="")
    for side in ("gold", "system"):
        Path(side).mkdir()
        Path(side, f"xx{IN_A_FILE_NAME}.jsonl").write_text(files["key.jsonl"])
    Path("gold", f"yy{IN_A_FILE_NAME}.jsonl").write_text(files["key.jsonl"])
    Path("system", f"zz{IN_A_FILE_NAME}.jsonl").write_text(files["key.jsonl"])
    return tmp_path


RESPONSE = f"{IN_A_FILE_NAME}.jsonl"
TWO = ("key.jsonl", RESPONSE)
CALLS = [
    *((*TWO, *more) for more in ([], ["--per-document"], ["--by", "document"])),
    *((*TWO, "--window", window, "--per-document") for window in ("2", "bookcoref")),
    (*TWO, "--fail-under", "100"),
    (*TWO, "--beside", "litbank"),
    (*TWO, "--beside", HOSTILE),
    ("gold", "system", "--beside", "crac-2024"),
    (*TWO, "key.jsonl", f"{HOSTILE}=both.jsonl", "--confidence"),
    (*TWO, "--metrics", HOSTILE),
    (*TWO, f"--{HOSTILE}"),
    (*TWO, "--match", HOSTILE),
    (HOSTILE, HOSTILE),
    ("both.jsonl",),
    ("gold", "system"),
    ("key.jsonl", "other.jsonl"),
    ("key.jsonl", "other.jsonl", "--lenient"),
    ("key.jsonl", "bad.jsonl"),
    ("key.conll", "bad.conll"),
    ("key.conll", "bad.conll", "--lenient"),
    ("key.conllu", "bad.conllu"),
    ("key.conllu", "other.conllu"),
    ("agree", *TWO),
    ("agree", *TWO, "both.jsonl", "--response", "key.jsonl", "--confidence"),
    ("agree", "key.jsonl", "other.jsonl"),
    ("agree", "key.conll", "bad.conll"),
    ("agree", f"{HOSTILE}=key.jsonl", f"{HOSTILE}=both.jsonl"),
    ("agree", *TWO, "--distances", HOSTILE),
    ("check", *TWO),
    ("check", "--key", *TWO),
    ("check", "key.jsonl", "--expect", "litbank"),
    ("check", "key.jsonl", "--expect", HOSTILE),
    *(("check", f"bad.{kind}") for kind in ("jsonl", "conll", "conllu")),
    *(
        ("check", f"bad.{kind}", "--output", "github")
        for kind in ("jsonl", "conll", "conllu")
    ),
    ("check", "--key", "key.jsonl", "other.jsonl"),
    ("check", "--key", "key.conllu", "other.conllu"),
    ("bias", *TWO, *TWO, "--pairs", "(.*)"),
    ("bias", *TWO, *TWO, "--pairs", HOSTILE),
    ("check", "key.conll", "--fix", HOSTILE),
    ("check", "key.conll", "--select", HOSTILE),
    ("compare", *TWO, "both.jsonl"),
    ("compare", "key.jsonl", f"{HOSTILE}=both.jsonl", f"{HOSTILE}=key.jsonl"),
    ("completion", HOSTILE),
    ("conformance", HOSTILE),
    ("convert", "key.jsonl", "out.conll"),
    ("convert", "key.jsonl", "out.conll", "--lossy"),
    ("convert", "key.jsonl", RESPONSE),
    ("convert", "bad.conll", "out.jsonl"),
    *(
        ("errors", *TWO, *more)
        for more in (
            [],
            ["--list"],
            ["--list", "--sort", "document"],
            ["--span-errors", "share:0.6"],
            ["--by", "document"],
        )
    ),
    ("errors", *TWO, "both.jsonl", "--list"),
    ("explain", *TWO),
    ("explain", *TWO, "--got", HOSTILE),
    ("curve", "key.jsonl", RESPONSE),
    ("curve", "key.jsonl", HOSTILE),
    ("data", RESPONSE),
    ("data", HOSTILE),
    ("docs", HOSTILE),
    ("estimate", "key.jsonl", RESPONSE, "--weights", HOSTILE),
    ("leaderboard", HOSTILE, HOSTILE, "out"),
    ("formats", HOSTILE),
    ("gap", "key.jsonl", RESPONSE),
    ("gap", HOSTILE, RESPONSE),
    ("help", HOSTILE),
    ("llm", "key.jsonl", "answer.txt", "--show-breaks"),
    ("llm", "key.jsonl", "answer.jsonl", "--show-breaks"),
    ("llm", "key.jsonl", "unknown.jsonl"),
    ("llm", "key.jsonl", "answer.txt", f"{HOSTILE}=answer.jsonl", "--show-breaks"),
    ("metrics", HOSTILE),
    ("multiverse", *TWO, "both.jsonl", "--resamples", "5"),
    (
        "multiverse",
        "key.jsonl",
        f"{HOSTILE}=both.jsonl",
        "key.jsonl",
        "--vary",
        HOSTILE,
    ),
    ("published", HOSTILE),
    ("report", *TWO, "-o", f"{HOSTILE}.html"),
    ("report", *TWO, "--documents", HOSTILE),
    ("report", *TWO, "--no-text", "--no-names"),
    ("schemes", HOSTILE),
    ("score", *TWO, "--per-document"),
    ("stats", *TWO, "--per-document"),
    ("stats", "bad.conll", "--lenient"),
    ("table", "key.tsv", "key.tsv"),
    ("estimate", "key.tsv", HOSTILE, "--weights", "uniform"),
    ("estimate", "key.tsv", "key.tsv", "--weights", HOSTILE),
    ("curve", "key.tsv", HOSTILE),
    ("curve", "key.tsv", "key.tsv", "--best", HOSTILE),
    ("table", "key.tsv", HOSTILE),
    (
        *("table", "group.tsv", "--key-cluster", "gold", "--response-cluster"),
        *("guess", "--mention", "mention", "--group", "group", "--per-group"),
    ),
    ("table", "key.tsv", "key.tsv", "--key-cluster", HOSTILE),
    ("table", "key.tsv", "key.tsv", "--memory", HOSTILE),
]
CALLS += [
    tuple(call)
    for file in (RESPONSE, HOSTILE)
    for call in other_calls({call[0] for call in CALLS}, file).values()
]
DROP_INS = [
    ("scoref-conll", "all", HOSTILE, HOSTILE),
    ("scoref-conll", "muc", "key.conll", "bad.conll"),
    ("scoref-corefud", "key.conllu", "bad.conllu"),
    ("scoref-corefud", "key.conllu", HOSTILE, f"--{HOSTILE}"),
    ("scoref-corefud", "key.conllu", "key.conllu", "-m", HOSTILE),
    ("scoref-ua", "key.conllu", "bad.conllu", "-f", "corefud"),
    ("scoref-ua", HOSTILE, HOSTILE, HOSTILE),
]


def shown(arguments: tuple[str, ...]) -> str:
    """Name a call by its words, whatever is hostile in them left out."""
    names = (each.replace(HOSTILE, "HOSTILE") for each in arguments)
    return " ".join(names)


def started(suite: str, *arguments: str) -> list[str]:
    code = f"import sys; from {SUITES[suite]} import main; sys.argv[0] = {suite!r}"
    return [sys.executable, "-c", f"{code}; main()", *arguments]


class Done(NamedTuple):
    """What a command printed."""

    stdout: bytes
    stderr: bytes


@pytest.fixture
def run(monkeypatch: pytest.MonkeyPatch) -> Iterator[Callable[..., Done]]:
    """Run commands in this process: there are many of them."""

    def run(suite: str, *arguments: str) -> Done:
        out, err = io.BytesIO(), io.BytesIO()
        streams = [io.TextIOWrapper(each, encoding="utf-8") for each in (out, err)]
        monkeypatch.setattr(sys, "argv", [suite, *arguments])
        monkeypatch.setattr(sys, "stdout", streams[0])
        monkeypatch.setattr(sys, "stderr", streams[1])
        with suppress(SystemExit):
            import_module(SUITES[suite]).main()
        for stream in streams:
            stream.flush()
        return Done(out.getvalue(), err.getvalue())

    yield run
    gc.enable()


def refuse_steering(text: str) -> None:
    for line in text.split("\n"):
        assert line.replace("\t", "").isprintable(), ascii(line)


def refuse_forging(text: str) -> None:
    assert not [line for line in text.split("\n") if line.startswith(FORGED)]


@pytest.mark.parametrize("output", ["text", "json", "markdown", "latex"])
@pytest.mark.parametrize("arguments", CALLS, ids=shown)
def test_nothing_steers_a_terminal(
    arguments: tuple[str, ...], output: str, run: Callable[..., Done]
) -> None:
    if output != "text":
        if "--output" in arguments or output not in outputs_of(arguments):
            pytest.skip("there is no such output")
        arguments = (*arguments, "--output", output)
    done = run("scoref", *arguments)
    refuse_steering((done.stdout + done.stderr).decode())
    refuse_forging((done.stdout + done.stderr).decode())


def outputs_of(arguments: tuple[str, ...]) -> tuple[str, ...]:
    return {
        "docs": ("json",),
        **dict.fromkeys(("completion", "convert", "help", "leaderboard", "report"), ()),
    }.get(arguments[0], ("json", "markdown", "latex"))


def test_every_command_is_called() -> None:
    assert {call[0] for call in CALLS} >= set(COMMANDS)


@pytest.mark.parametrize("arguments", DROP_INS, ids=shown)
def test_messages_of_the_drop_ins_steer_no_terminal(
    arguments: tuple[str, ...], run: Callable[..., Done]
) -> None:
    done = run(*arguments)
    refuse_steering(done.stderr.decode())
    refuse_forging(done.stderr.decode())


def test_data_are_kept_for_programs(run: Callable[..., Done]) -> None:
    text = run("scoref", *TWO, "--per-document", "--output", "json").stdout
    (name,) = result_of(text.decode())["per_document"]
    assert name == HOSTILE
    written = run("scoref", *TWO, "--per-document", "--output", "csv").stdout
    rows = list(csv.DictReader(io.StringIO(written.decode(), newline="")))
    assert {(row["response"], row["document"]) for row in rows} == {(RESPONSE, HOSTILE)}


@pytest.mark.skipif(sys.platform == "win32", reason="there are no terminals to open")
@pytest.mark.parametrize(
    "arguments",
    [
        ("scoref", *TWO, "--per-document", "--output", "csv"),
        ("scoref", "errors", *TWO, "--output", "csv"),
        ("scoref", "stats", *TWO, "--output", "csv"),
        ("scoref", "convert", "key.conll", "-", "--to", "conll-2012"),
        ("scoref", "check", "key.conll", "--fix", "-"),
        ("scoref", "llm", "key.conll", "--write-input", "-"),
        ("scoref-conll", "muc", "key.conll", "key.conll"),
    ],
    ids=shown,
)
def test_data_are_made_printable_for_a_terminal(arguments: tuple[str, ...]) -> None:
    import pty  # not everywhere

    ours, theirs = pty.openpty()
    with subprocess.Popen(
        started(*arguments), stdout=theirs, stderr=subprocess.DEVNULL
    ) as process:
        os.close(theirs)
        shown = read_all(ours)
    assert process.returncode == 0
    assert shown
    refuse_steering(shown.decode().replace("\r\n", "\n"))


def read_all(terminal: int) -> bytes:
    """Read what a terminal gets until nobody writes to it any more."""
    found = b""
    try:
        while piece := os.read(terminal, 1 << 16):
            found += piece
    except OSError:  # how Linux says so
        pass
    os.close(terminal)
    return found
