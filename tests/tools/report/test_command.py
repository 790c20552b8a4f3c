"""`scoref report`: one file, written whole or not at all."""

from __future__ import annotations

import os
import re
import shutil
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from support import commands
from support.paths import EXAMPLES, ROOT

if TYPE_CHECKING:
    from click.testing import Result

FILES = [str(EXAMPLES / f"{side}.conll") for side in ("key", "response")]
MANY = [str(EXAMPLES / f"many-{side}.conll") for side in ("key", "a", "b")]
QUICK = "--resamples", "20"


def run(*arguments: str) -> Result:
    return commands.run("report", *arguments, *QUICK)


def written(path: Path, *arguments: str) -> str:
    result = run(*arguments, "-o", str(path))
    assert result.exit_code == 0, result.output
    assert result.stdout == ""
    return path.read_text(encoding="utf-8")


def texts_in(page: str) -> int:
    return len(re.findall(r'id="text-\d+"', page))


@pytest.mark.parametrize(
    "names",
    [
        ("key.conll", "response.conll"),
        ("corefud-key.conllu", "corefud-response.conllu"),
        ("ua-key.ua", "ua-response.ua"),
    ],
    ids=["conll-2012", "corefud", "universal-anaphora"],
)
def test_every_format_makes_a_page(tmp_path: Path, names: tuple[str, str]) -> None:
    files = [str(EXAMPLES / name) for name in names]
    page = written(tmp_path / "page.html", *files)
    assert page.lower().startswith("<!doctype html>")
    assert names[0] in page
    assert texts_in(page) >= 1


def test_systems_stand_side_by_side(tmp_path: Path) -> None:
    page = written(
        tmp_path / "page.html", MANY[0], f"ours={MANY[1]}", f"base={MANY[2]}"
    )
    assert "ours" in page
    assert "base" in page
    assert texts_in(page) == 24


def test_a_page_that_is_there_is_replaced(tmp_path: Path) -> None:
    path = tmp_path / "page.html"
    path.write_text("old", encoding="utf-8")
    assert "old" not in written(path, *FILES)[:100]
    assert [each.name for each in tmp_path.iterdir()] == ["page.html"]


def test_the_size_is_printed(tmp_path: Path) -> None:
    result = run(*FILES, "-o", str(tmp_path / "page.html"))
    assert re.fullmatch(
        r"Wrote .*page\.html \(\d+\.\d MB\)\. Open it in a browser\.\n", result.stderr
    )


def test_a_page_can_go_to_standard_output() -> None:
    result = run(*FILES, "-o", "-")
    assert result.stdout.lower().startswith("<!doctype html>")
    assert result.stderr == ""


def test_documents_can_be_chosen(tmp_path: Path) -> None:
    path = tmp_path / "page.html"
    assert (
        texts_in(written(path, MANY[0], MANY[1], "--documents", "chat/dog,chat/f*"))
        == 2
    )
    result = run(*FILES, "-o", str(path), "--documents", "nowhere")
    assert result.exit_code == 2
    assert "no document matches 'nowhere'" in result.stderr
    assert "needs at least one name" in run(*FILES, "--documents", ",").stderr


def test_texts_that_are_left_out_are_noted(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    from scoref.tools.report import (  # as the command does
        data as report_data,
    )

    monkeypatch.setattr(
        report_data.ReportChoice, "__new__", _small(report_data.ReportChoice.__new__)
    )
    path = tmp_path / "page.html"
    result = run(*FILES, "-o", str(path))
    assert result.exit_code == 0, result.output
    assert "note: The text of 1 of 2 documents is not shown" in result.stderr
    assert "--documents" in result.stderr
    assert texts_in(path.read_text(encoding="utf-8")) == 1


def _small(made: object) -> object:
    def new(cls: type, *values: object, **named: object) -> object:
        return made(cls, *values, **{**named, "most_tokens": 30})  # type: ignore[operator]

    return new


def test_nothing_is_left_behind_where_it_cannot_be_written(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fail(*_: object) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(os, "replace", fail)
    path = tmp_path / "page.html"
    path.write_text("old", encoding="utf-8")
    result = run(*FILES, "-o", str(path))
    assert result.exit_code == 1
    assert result.stderr.startswith(
        f"error: {path}: cannot be written: no space left on device\n"
    )
    assert path.read_text(encoding="utf-8") == "old"
    assert list(tmp_path.iterdir()) == [path]


def test_a_bad_place_is_refused_before_anything_is_read(tmp_path: Path) -> None:
    result = run("nowhere", "nowhere", "-o", str(tmp_path / "none" / "page.html"))
    assert result.exit_code == 1
    assert "the folder does not exist" in result.stderr
    result = run("nowhere", "nowhere", "-o", str(tmp_path))
    assert "this is a folder" in result.stderr


def test_a_pipe_is_written_to_and_not_replaced(tmp_path: Path) -> None:
    result = run(*FILES, "-o", os.devnull)
    assert result.exit_code == 0
    assert not Path(os.devnull).is_file()
    real = tmp_path / "real.html"
    real.write_text("", encoding="utf-8")
    link = tmp_path / "link.html"
    link.symlink_to(real)
    written(link, *FILES)
    assert link.is_symlink()
    assert real.read_text(encoding="utf-8")


def test_bad_input_writes_nothing(tmp_path: Path) -> None:
    path = tmp_path / "page.html"
    for files in ((FILES[0], "nowhere"), (FILES[0], str(EXAMPLES / "ua-key.ua"))):
        result = run(*files, "-o", str(path))
        assert result.exit_code == 1
        assert result.stderr.startswith("error: ")
        assert not path.exists()
    assert run(str(EXAMPLES), str(EXAMPLES), "-o", str(path)).exit_code == 1


def test_names_that_are_no_text_do_no_harm(tmp_path: Path) -> None:
    odd = tmp_path / os.fsdecode(b"r\xff.conll")
    odd.write_bytes(Path(FILES[1]).read_bytes())
    written(tmp_path / "page.html", FILES[0], str(odd))


ERRORS = {
    "no response": ("key.conll -o x.html", 1, "no response was given"),
    "a folder": ("key.conll response.conll -o folder", 1, "this is a folder"),
    "no such folder": (
        "key.conll response.conll -o no/x.html",
        1,
        "the folder does not exist",
    ),
    "over the key": (
        "key.conll response.conll -o key.conll",
        2,
        "is an input of the same command",
    ),
    "over the response": (
        "key.conll response.conll -o response.conll",
        2,
        "is an input of the same command",
    ),
    "over another file": (
        "key.conll response.conll -o LICENSE",
        1,
        "this file exists and is not an HTML page",
    ),
    "another kind of file": (
        "key.conll response.conll -o report.pdf",
        2,
        "cannot write report.pdf: the report is an HTML page",
    ),
    "the page as a response": (
        "key.conll response.conll x.html",
        1,
        "x.html: cannot be read",
    ),
    "an unknown document": (
        "key.conll response.conll -o x.html --documents nope",
        2,
        "no document matches 'nope'",
    ),
    "no document": (
        "key.conll response.conll -o x.html --documents ,",
        2,
        "--documents needs at least one name",
    ),
    "texts without names": (
        "key.conll response.conll -o x.html --no-names",
        2,
        "--no-names needs --no-text",
    ),
    "documents without texts": (
        "key.conll response.conll -o x.html --no-text --documents *",
        2,
        "--documents cannot be combined with",
    ),
    "a README": ("key.conll README.md -o x.html", 1, "Is it CoNLL-2012?"),
    "an empty response": (
        "key.conll empty.conll -o x.html",
        1,
        "this file has no document",
    ),
    "another split": ("key.conll many-key.conll -o x.html", 1, "is not in many-key"),
    "an unknown metric": (
        "key.conll response.conll -o x.html --metrics ceaf",
        2,
        "unknown metric 'ceaf'",
    ),
    "no place": ("key.conll response.conll -o", 2, "requires an argument"),
}
WARNINGS = {
    "the wrong order": ("response.conll key.conll", "swapped?"),
    "the key twice": ("key.conll key.conll", "was given as the key and as the respon"),
    "the key among systems": (
        "key.conll response.conll gold=key.conll",
        "gold: key.conll was given as the key and as the response",
    ),
    "an other key of other texts": (
        "key.conll response.conll --other-key many-key.conll",
        "has 0 of the key's 2 documents",
    ),
}


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    for name in ("key", "response", "many-key"):
        shutil.copy(EXAMPLES / f"{name}.conll", tmp_path)
    shutil.copy(ROOT / "README.md", tmp_path)
    shutil.copy(ROOT / "LICENSE", tmp_path)
    (tmp_path / "empty.conll").touch()
    (tmp_path / "folder").mkdir()
    return tmp_path


@pytest.mark.parametrize("case", ERRORS)
def test_a_wrong_call_is_an_error(folder: Path, case: str) -> None:
    before = {path: path.is_dir() or path.read_bytes() for path in folder.iterdir()}
    call, code, message = ERRORS[case]
    result = commands.run("report", *call.split(), code=code)
    assert message in " ".join(result.stderr.split())
    after = {path: path.is_dir() or path.read_bytes() for path in folder.iterdir()}
    assert after == before


@pytest.mark.parametrize("case", WARNINGS)
@pytest.mark.usefixtures("folder")
def test_a_doubtful_call_gets_a_warning(case: str) -> None:
    call, message = WARNINGS[case]
    result = commands.run("report", *call.split(), "-o", "x.html", code=0)
    assert "warning: " in result.stderr
    assert message in " ".join(result.stderr.split())


def test_the_page_is_opened_in_a_browser(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    opened: list[str] = []

    def open_page(url: str) -> bool:
        opened.append(url)
        return True

    monkeypatch.setattr("webbrowser.open", open_page)
    path = tmp_path / "page.html"
    result = run(*FILES, "-o", str(path), "--open")
    assert result.exit_code == 0
    assert opened == [path.as_uri()]
    assert str(path) in result.stderr


def test_a_machine_without_a_browser_gets_a_note(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("webbrowser.open", lambda _: False)
    path = tmp_path / "page.html"
    result = run(*FILES, "-o", str(path), "--open")
    assert result.exit_code == 0
    assert "note: No browser was found." in result.stderr
    result = run(*FILES, "-o", "-", "--open")
    assert result.exit_code == 2


def test_pages_name_no_folders(tmp_path: Path) -> None:
    for number in ("1", "2"):
        (tmp_path / number).mkdir()
        shutil.copy(FILES[1], tmp_path / number / "response.conll")
    shutil.copy(FILES[0], tmp_path / "key.conll")
    files = [tmp_path / "key.conll"]
    files += [tmp_path / number / "response.conll" for number in ("1", "2")]
    for options in ((), ("--no-text", "--no-names")):
        page = written(tmp_path / "page.html", *map(str, files), *options)
        assert str(tmp_path) not in page
        assert "2/response.conll" in page
