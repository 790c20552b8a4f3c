"""Folders of datasets in Python; tests/cli/test_folders.py has the command."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

import scoref
from scoref import OptionError
from scoref.scoring.datasets import DEFAULT, score_folders

if TYPE_CHECKING:
    from pathlib import Path


def conll(*cells: str) -> str:
    rows = (f"d\t0\t{row}\tw{row}\t{cell}\n" for row, cell in enumerate(cells))
    return f"#begin document (d); part 000\n{''.join(rows)}\n#end document\n"


KEYS = {"a.conll": conll("(1)", "(1)", "(2)", "(2)"), "b.conll": conll("(1)", "(1)")}


@pytest.fixture
def folders(tmp_path: Path) -> tuple[Path, Path]:
    for folder in ("key", "ours"):
        (tmp_path / folder).mkdir()
        for name, text in KEYS.items():
            (tmp_path / folder / name).write_text(text)
    return tmp_path / "key", tmp_path / "ours"


def test_the_macro_average_is_over_datasets(folders: tuple[Path, Path]) -> None:
    key, ours = folders
    (ours / "a.conll").write_text(conll("(1)", "(1)", "(1)", "(1)"))
    results = score_folders(key, {"ours": ours}, folder="datasets")
    figures = [results.f1("ours", name, DEFAULT, "muc") for name in ("a", "b")]
    assert figures == [
        scoref.score(key / name, ours / name).scores["muc"].f1 for name in KEYS
    ]
    assert results.macro("ours", DEFAULT, "muc") == sum(map(float, figures)) / 2  # type: ignore[arg-type]
    assert results.signature(DEFAULT).endswith("|datasets:macro")


@pytest.mark.parametrize("jobs", [1, 2])
def test_a_dataset_that_cannot_be_read_counts_as_zero(
    folders: tuple[Path, Path], jobs: int
) -> None:
    key, ours = folders
    (ours / "a.conll").write_text(conll("(1", "-"))
    results = score_folders(key, [ours], folder="datasets", jobs=jobs)
    assert results.datasets == ("a", "b")
    assert not results.is_scored(str(ours), "a", DEFAULT)
    assert results.macro(str(ours), DEFAULT, "muc") == pytest.approx(0.5)
    (failure,) = results.failures
    assert (failure.dataset, failure.is_missing) == ("a", False)
    assert "a.conll" in failure.message


def test_options_that_suit_no_file_are_refused(folders: tuple[Path, Path]) -> None:
    key, ours = folders
    with pytest.raises(OptionError, match="needs heads"):
        score_folders(key, [ours], folder="datasets", match="head")
    with pytest.raises(OptionError, match="is not a folder"):
        score_folders(key / "a.conll", [ours])
    with pytest.raises(OptionError, match="column 'heads'"):
        score_folders(key, [ours], columns="heads")


def test_a_folder_of_documents_is_one_corpus(folders: tuple[Path, Path]) -> None:
    results = score_folders(folders[0], [folders[1]])
    assert results.datasets == ("corpus",)
    assert "datasets:macro" not in results.signature(DEFAULT)
