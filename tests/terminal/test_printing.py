"""What a terminal gets: colours where they are welcome, and nothing else than text.

Every command prints in every encoding.
"""

from __future__ import annotations

import io
import json
import os
import pty
import subprocess
import sys
from importlib import import_module
from typing import TYPE_CHECKING

import pytest

from scoref.cli import COMMANDS, VARIANTS
from scoref.terminal.printing import prepare_streams, readable
from support.commands import other_calls
from support.paths import EXAMPLES

if TYPE_CHECKING:
    from pathlib import Path


KEY, RESPONSE = (str(EXAMPLES / f"{side}.conll") for side in ("key", "response"))

ESCAPE = b"\x1b["

COMMANDS_printing = {
    "score": [KEY, RESPONSE],
    "several": [KEY, RESPONSE, KEY],
    "compare": ["compare", KEY, RESPONSE, KEY],
    "check": ["check", "--key", KEY, RESPONSE],
    "errors": ["errors", KEY, RESPONSE],
    "help": ["-h"],
    "table": ["table", "table.csv"],
}

every_command = pytest.mark.parametrize(
    "arguments", COMMANDS_printing.values(), ids=COMMANDS_printing
)


def seen(arguments: list[str], folder: Path, **environment: str) -> bytes:
    """Give what a command writes to a terminal, on both of its streams."""
    (folder / "table.csv").write_text("id,gold,predicted\na,1,1\nb,1,2\n")
    ours, theirs = pty.openpty()
    usual = {name: text for name, text in os.environ.items() if name != "NO_COLOR"}
    child = subprocess.Popen(
        [sys.executable, "-m", "scoref", *arguments],
        stdin=theirs,
        stdout=theirs,
        stderr=theirs,
        cwd=folder,
        env=usual | {"TERM": "xterm"} | environment,
    )
    os.close(theirs)
    written = b"".join(iter(lambda: _read(ours), b""))
    os.close(ours)
    assert child.wait() in {0, 1}, written
    return written


def _read(terminal: int) -> bytes:
    try:
        return os.read(terminal, 1 << 16)
    except OSError:  # how Linux says that the other end is closed
        return b""


def test_a_header_stands_out_on_a_terminal(tmp_path: Path) -> None:
    assert ESCAPE in seen(COMMANDS_printing["score"], tmp_path)


def test_an_empty_wish_is_none(tmp_path: Path) -> None:
    assert ESCAPE in seen(COMMANDS_printing["score"], tmp_path, NO_COLOR="")


@every_command
def test_nobody_gets_colours_who_wants_none(
    arguments: list[str], tmp_path: Path
) -> None:
    assert ESCAPE not in seen(arguments, tmp_path, NO_COLOR="1")


@every_command
def test_a_dumb_terminal_gets_plain_lines(arguments: list[str], tmp_path: Path) -> None:
    written = seen(arguments, tmp_path, TERM="dumb").replace(b"\r\n", b"\n")
    assert ESCAPE not in written
    assert b"\r" not in written


def test_without_sequences_blanks_wipe_out_how_far_it_is(tmp_path: Path) -> None:
    written = seen(COMMANDS_printing["several"], tmp_path, NO_COLOR="1")
    assert b"100%  scoring" in written
    assert b"\r" + b" " * 79 + b"\r" in written


ENCODINGS = ("cp1252", "cp437", "cp932", "gbk", "koi8-r", "ascii")

OUTPUTS = ("text", "json", "csv", "markdown", "latex")

MODULES = {
    "scoref": "scoref.cli",
    "scoref-conll": "scoref.dropins.conll",
    "scoref-corefud": "scoref.dropins.corefud",
    "scoref-ua": "scoref.dropins.ua",
}

CALLS = {
    "agree": "agree agree-ada.conll agree-ben.conll agree-eva.conll",
    "bias": "bias key.conll response.conll key.conll response.conll",
    "check": "check key.conll response.conll",
    "compare": "compare many-key.conll many-a.conll many-b.conll --resamples 100",
    "completion": "completion fish",
    "convert": "convert key.conll -",
    "curve": "curve curve-key.csv curve-pairs.csv",
    "data": "data key.conll",
    "docs": "docs metrics",
    "errors": "errors key.conll response.conll",
    "estimate": "estimate estimate-sample.csv estimate-predicted.csv",
    "explain": "explain explain-key.conll explain-response.conll",
    "formats": "formats",
    "gap": "bias --gap gap-key.tsv gap-response.tsv",
    "help": "help score",
    "leaderboard": "leaderboard --help",
    "llm": "llm key.conll llm-crac.txt",
    "metrics": "metrics",
    "multiverse": "compare --multiverse many-key.conll many-a.conll many-b.conll",
    "published": "published",
    "report": "report --help",
    "schemes": "schemes",
    "score": "score key.conll response.conll --per-document",
    "stats": "stats key.conll",
    "table": "table table-key.tsv table-response.tsv",
}
CALLS |= {
    name: " ".join(call) for name, call in other_calls(CALLS, "key.conll").items()
}

DROPINS = (
    "scoref-conll all key.conll response.conll",
    "scoref-corefud corefud-key.conllu corefud-response.conllu",
    "scoref-ua ua-key.ua ua-response.ua",
    "scoref-ua --help",
)


class Streams:
    """Standard output and standard error with an encoding, in memory."""

    def __init__(self, patch: pytest.MonkeyPatch, encoding: str) -> None:
        self.encoding = encoding
        self._patch = patch

    def run(self, call: str) -> tuple[int, str, str]:
        """Run a command, and decode what it printed."""
        name, *arguments = call.split()
        streams = [
            io.TextIOWrapper(io.BytesIO(), encoding=self.encoding, errors=errors)
            for errors in ("strict", "backslashreplace")
        ]
        self._patch.setattr(sys, "stdout", streams[0])
        self._patch.setattr(sys, "stderr", streams[1])
        self._patch.setattr(sys, "argv", [name, *arguments])
        with pytest.raises(SystemExit) as left:
            import_module(MODULES[name]).main()
        code = left.value.code
        assert isinstance(code, int)
        texts = []
        for stream in streams:
            stream.flush()
            assert isinstance(stream.buffer, io.BytesIO)
            texts.append(stream.buffer.getvalue().decode(self.encoding))
        return code, texts[0], texts[1]


@pytest.fixture(params=ENCODINGS)
def streams(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> Streams:
    monkeypatch.chdir(EXAMPLES)
    monkeypatch.setenv("PYTHONIOENCODING", request.param)
    return Streams(monkeypatch, request.param)


def test_no_command_is_forgotten() -> None:
    assert set(CALLS) == {*COMMANDS, *VARIANTS.values()}


def test_every_command_prints_in_every_encoding(streams: Streams) -> None:
    for call in CALLS.values():
        code, out, err = streams.run(f"scoref {call}")
        assert code in {0, 1, 2}, (call, err)
        assert "Traceback" not in err
        assert out or err


def test_every_help_text_is_printed(streams: Streams) -> None:
    for call in (
        "--help",
        "--signature-help",
        *(f"{name} --help" for name in COMMANDS),
    ):
        code, out, err = streams.run(f"scoref {call}")
        assert (code, err) == (0, ""), call
        assert out


@pytest.mark.parametrize("call", DROPINS)
def test_drop_ins_print_in_every_encoding(streams: Streams, call: str) -> None:
    code, out, err = streams.run(call)
    assert (code, err) == (0, "")
    assert out


@pytest.mark.parametrize("output", OUTPUTS)
@pytest.mark.parametrize("name", ["agree", "compare", "explain", "score", "errors"])
def test_every_output_is_printed(streams: Streams, name: str, output: str) -> None:
    code, out, err = streams.run(f"scoref {CALLS[name]} --output {output}")
    assert code == 0, err
    assert out
    if output == "json":
        json.loads(out)


def test_signs_that_an_encoding_lacks_are_spelled(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.chdir(EXAMPLES)
    monkeypatch.setenv("PYTHONIOENCODING", "ascii")
    streams = Streams(monkeypatch, "ascii")
    _, out, _ = streams.run(f"scoref {CALLS['score']}")
    assert " B3 " in out
    _, out, _ = streams.run(f"scoref {CALLS['agree']}")
    # The columns are as wide as what is printed.
    assert "alpha          masi  jaccard  nominal\n3 annotators  0.216" in out
    assert "CoNLL F1 of each pair" in out
    _, out, _ = streams.run(f"scoref {CALLS['explain']}")
    assert "delta" in out


def test_json_has_the_same_values_in_ascii(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    key = tmp_path / "Δ中😀.conll"
    key.write_bytes((EXAMPLES / "key.conll").read_bytes())
    monkeypatch.setenv("PYTHONIOENCODING", "ascii")
    call = f"scoref {key} {key} --output json"
    _, ascii_out, _ = Streams(monkeypatch, "ascii").run(call)
    _, out, _ = Streams(monkeypatch, "utf-8").run(call)
    assert ascii_out.isascii()
    assert not out.isascii()
    assert json.loads(ascii_out) == json.loads(out)


def test_a_name_that_cannot_be_printed_is_escaped_in_messages(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setenv("PYTHONIOENCODING", "ascii")
    streams = Streams(monkeypatch, "ascii")
    code, _, err = streams.run("scoref 中.conll 中.conll")
    assert code == 1
    assert err.startswith(r"error: \u4e2d.conll: ")
    code, _, err = streams.run("scoref key.conll --no-such-option-中")
    assert code == 2
    assert r"\u4e2d" in err


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("B³, F₁, α and Δ", "B3, F1, alpha and delta"),
        ("10³ and 10⁻¹⁵", "10^3 and 10^-15"),
        ("a – b … c → d", "a - b ... c -> d"),
        ("≥ ≤ × ± ≠ −1", ">= <= * +- != -1"),
        ("│─┼█", "|-+#"),
        ("中\udc80", r"\u4e2d\udc80"),
    ],
)
def test_substitutes_are_readable(text: str, expected: str) -> None:
    assert readable(text, "ascii") == expected


def prepared(monkeypatch: pytest.MonkeyPatch, encoding: str) -> str:
    """Return the encoding that standard output gets."""
    stream = io.TextIOWrapper(io.BytesIO(), encoding=encoding)
    monkeypatch.setattr(sys, "stdout", stream)
    prepare_streams()
    return stream.encoding


def test_a_code_page_that_nobody_chose_becomes_utf_8(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.delenv("PYTHONIOENCODING", raising=False)
    monkeypatch.setattr(sys, "platform", "win32")
    assert prepared(monkeypatch, "cp1252") == "utf-8"
    monkeypatch.setenv("PYTHONIOENCODING", ":replace")  # only what errors become
    assert prepared(monkeypatch, "cp1252") == "utf-8"


@pytest.mark.parametrize(
    ("variable", "value"),
    [("PYTHONIOENCODING", "cp1252"), ("PYTHONLEGACYWINDOWSSTDIO", "1")],
)
def test_a_chosen_encoding_stays(
    monkeypatch: pytest.MonkeyPatch, variable: str, value: str
) -> None:
    monkeypatch.delenv("PYTHONIOENCODING", raising=False)
    monkeypatch.setattr(sys, "platform", "win32")
    monkeypatch.setenv(variable, value)
    assert prepared(monkeypatch, "cp1252") == "cp1252"


def test_a_locale_is_a_choice_unless_it_is_c(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("PYTHONIOENCODING", raising=False)
    monkeypatch.setattr(sys, "platform", "linux")
    monkeypatch.setattr("locale.setlocale", lambda _: "ru_RU.KOI8-R")
    assert prepared(monkeypatch, "koi8-r") == "koi8-r"
    monkeypatch.setattr("locale.setlocale", lambda _: "C")
    assert prepared(monkeypatch, "ascii") == "utf-8"


def test_a_terminal_keeps_its_encoding(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("PYTHONIOENCODING", raising=False)
    monkeypatch.setattr(sys, "platform", "win32")

    class Terminal(io.BytesIO):
        def isatty(self) -> bool:
            return True

    stream = io.TextIOWrapper(Terminal(), encoding="cp437")
    monkeypatch.setattr(sys, "stdout", stream)
    prepare_streams()
    assert stream.encoding == "cp437"
    stream.write("B³")
    stream.flush()
    assert stream.buffer.getvalue() == b"B3"


@pytest.mark.parametrize(
    ("settings", "expected"),
    [
        ({"PYTHONIOENCODING": "cp1252"}, "B³".encode("cp1252")),
        ({"PYTHONIOENCODING": "cp437"}, b"B3"),
        ({"PYTHONIOENCODING": "ascii:strict"}, b"B3"),
        ({"PYTHONIOENCODING": "ascii:replace"}, b"B3"),
        (
            {"LC_ALL": "C", "PYTHONUTF8": "0", "PYTHONCOERCECLOCALE": "0"},
            "B³".encode(),
        ),
        ({"LC_ALL": "C"}, "B³".encode()),
    ],
)
def test_a_process_prints_as_its_settings_say(
    settings: dict[str, str], expected: bytes
) -> None:
    done = subprocess.run(
        [sys.executable, "-m", "scoref", "key.conll", "response.conll"],
        cwd=EXAMPLES,
        env={"PATH": os.environ["PATH"]} | settings,
        capture_output=True,
        check=True,
    )
    assert expected in done.stdout
    assert done.stderr == b""
