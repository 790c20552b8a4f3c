"""Files of folders of datasets: pairing, names, and messages about failures."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from scoref import AlignmentError, FormatError, OptionError
from scoref.scoring.dataset_files import (
    CORPUS,
    describe_failure,
    describe_without_key,
    files_by_dataset,
    named_files,
    pair_files,
    systems_in,
)

if TYPE_CHECKING:
    from pathlib import Path

DATASETS = ("cs_pdt-corefud-dev", "en_gum-corefud-dev")


def folder_of(path: Path, *files: str) -> Path:
    path.mkdir()
    for file in files:
        (path / file).write_text("#begin document (x)\n#end document\n")
    return path


def test_files_are_paired_by_the_names_of_their_datasets(tmp_path: Path) -> None:
    key = folder_of(tmp_path / "key", *(f"{name}.gold.conllu" for name in DATASETS))
    ours = folder_of(tmp_path / "ours", f"{DATASETS[0]}.conllu", "other.conllu")
    pairing = pair_files(key, {"ours": ours})
    assert [dataset.name for dataset in pairing.datasets] == ["cs_pdt", "en_gum"]
    assert pairing.datasets[0].responses == {"ours": ours / f"{DATASETS[0]}.conllu"}
    (failure,) = pairing.failures
    assert (failure.system, failure.dataset) == ("ours", "en_gum")
    assert failure.is_missing
    (stray,) = pairing.strays
    assert "other.conllu was not scored, because" in stray


def test_two_files_of_one_dataset_are_a_failure(tmp_path: Path) -> None:
    key = folder_of(tmp_path / "key", "a.conll")
    ours = folder_of(tmp_path / "ours", "a.conll", "a.system.conll")
    (failure,) = pair_files(key, {"ours": ours}).failures
    assert not failure.is_missing
    assert "are both for 'a'. Keep one file for each dataset" in failure.message
    with pytest.raises(FormatError, match="are both for 'a'"):
        files_by_dataset(ours)


def test_a_folder_of_documents_is_one_dataset(tmp_path: Path) -> None:
    folder = folder_of(tmp_path / "key", "a.conll", "b.conll")
    assert named_files(folder) == {CORPUS: folder}
    assert [*named_files(folder, "datasets")] == ["a", "b"]
    with pytest.raises(FormatError, match="no file to score"):
        named_files(folder_of(tmp_path / "empty"))


def test_a_failure_can_be_described_without_the_key() -> None:
    in_key = FormatError("bad 'secret'", source="keys/a.conll", line=3)
    assert "secret" in describe_failure(in_key, "r.conll")
    message = describe_without_key(in_key, "r.conll", "keys")
    assert message.startswith("the key cannot be read (a.conll, line 3)")
    own = FormatError("bad row", source="r.conll", line=3)
    assert describe_without_key(own, "r.conll", "keys") == str(own)
    unlike = AlignmentError("'secret' differs", source="r.conll")
    assert describe_without_key(unlike, "r.conll", "k").endswith("not fit the key")
    option = OptionError("keys has no heads")
    assert describe_without_key(option, "r", "keys") == "the key has no heads"
    assert "RuntimeError" in describe_without_key(RuntimeError("secret"), "r", "k")
    assert "secret" not in describe_without_key(RuntimeError("secret"), "r", "k")
    assert "not enough memory" in describe_failure(MemoryError(), "r")


def test_subfolders_are_systems_if_they_have_files_of_one_name(tmp_path: Path) -> None:
    key = folder_of(tmp_path / "key", "a.conll", "b.conll")
    systems = tmp_path / "systems"
    systems.mkdir()
    one = folder_of(systems / "one", "c.conll")
    other = folder_of(systems / "other", "d.conll")
    assert systems_in(systems, key) == {}
    (other / "c.conll").write_text("#begin document (x)\n#end document\n")
    assert systems_in(systems, key) == {"one": one, "other": other}
    (one / "a.conll").write_text("#begin document (x)\n#end document\n")
    (other / "a.conll").write_text("#begin document (x)\n#end document\n")
    assert systems_in(systems, key) == {"one": one, "other": other}
