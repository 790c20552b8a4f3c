"""`scoref report`: one file, written whole or not at all."""

from __future__ import annotations

import os
import re
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

import scoref
from scoref.tools.report.command import command
from support.paths import EXAMPLES

FILES = [str(EXAMPLES / f"{side}.conll") for side in ("key", "response")]
MANY = [str(EXAMPLES / f"many-{side}.conll") for side in ("key", "a", "b")]
QUICK = "--resamples", "20"


def run(*arguments: str) -> Result:
    return CliRunner().invoke(command, [*arguments, *QUICK])


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


def test_the_size_is_told(tmp_path: Path) -> None:
    result = run(*FILES, "-o", str(tmp_path / "page.html"))
    assert re.fullmatch(r".*page\.html: \d+\.\d MB\n", result.stderr)


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
    assert "no document 'nowhere'" in result.stderr
    assert "needs a name" in run(*FILES, "--documents", ",").stderr


def test_what_is_too_large_is_told(
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
    assert "note: the text of 1 document is left out" in result.stderr
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


def test_a_bad_place_is_told_before_anything_is_read(tmp_path: Path) -> None:
    result = run("nowhere", "nowhere", "-o", str(tmp_path / "none" / "page.html"))
    assert result.exit_code == 1
    assert "there is no such folder" in result.stderr
    result = run("nowhere", "nowhere", "-o", str(tmp_path))
    assert "is a directory" in result.stderr


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


def test_python_writes_the_same_page(tmp_path: Path) -> None:
    names = {"ours": MANY[1], "base": MANY[2]}
    words = [f"{name}={path}" for name, path in names.items()]
    CliRunner().invoke(command, [MANY[0], *words, "-o", str(tmp_path / "a.html")])
    place = tmp_path / "b.html"
    assert scoref.report(MANY[0], names, place) == str(place)
    assert place.read_bytes() == (tmp_path / "a.html").read_bytes()


def test_python_takes_one_response_or_several(tmp_path: Path) -> None:
    place = tmp_path / "page.html"
    scoref.report(MANY[0], MANY[1], place, documents=["chat/*"])
    page = place.read_text(encoding="utf-8")
    assert 0 < texts_in(page) < 24
    scoref.report(Path(MANY[0]), [Path(MANY[1]), MANY[2]], place, metrics="lea")
    assert "many-b.conll" in place.read_text(encoding="utf-8")


def test_python_writes_folders_and_names_what_is_missing(tmp_path: Path) -> None:
    for folder, names in {"gold": ("a", "b"), "ours": ("a",)}.items():
        (tmp_path / folder).mkdir()
        for name in names:
            (tmp_path / folder / f"{name}.conll").write_bytes(
                Path(FILES[0]).read_bytes()
            )
    gold, ours, place = (tmp_path / name for name in ("gold", "ours", "page.html"))
    with pytest.raises(scoref.FormatError, match="1 file is left out"):
        scoref.report(gold, ours, place)
    assert (tmp_path / "page-datasets" / "a.html").exists()
    with pytest.raises(scoref.OptionError, match="other keys are for files"):
        scoref.report(
            tmp_path / "gold", tmp_path / "ours", place, other_keys={"x": "y"}
        )


def test_python_refuses_a_place_that_is_none(tmp_path: Path) -> None:
    with pytest.raises(scoref.FormatError, match="no such folder"):
        scoref.report(FILES[0], FILES[1], tmp_path / "nowhere" / "page.html")
