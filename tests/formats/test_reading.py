"""Folders of CoNLL, CoNLL-U and JSON lines: documents of one corpus, or datasets."""

from __future__ import annotations

import gzip
from typing import TYPE_CHECKING

import pytest

import scoref
from scoref import FormatError, OptionError
from scoref.formats import folders
from scoref.formats.reading import read_data

if TYPE_CHECKING:
    from pathlib import Path


CONLL = "#begin document ({name}); part {part}\n{rows}\n#end document\n"

CONLLU = "# newdoc id = {name}\n# global.Entity = eid-etype-head-other\n{rows}\n"

JSONL = '{{"doc_key": "{name}", "tokens": ["a", "b", "c"], "clusters": {clusters}}}\n'

DATASET = "en_gum-corefud-dev"


def conll(name: str, *cells: str, part: str = "000") -> str:
    rows = (f"{name}\t0\t{row}\tw{row}\t{cell}\n" for row, cell in enumerate(cells))
    return CONLL.format(name=name, part=part, rows="".join(rows))


def conllu(name: str, *entities: str) -> str:
    cells = (f"Entity=({each}-x-1-)" if each else "_" for each in entities)
    rows = (
        f"{row}\tw\t_\tX\t_\t_\t0\troot\t_\t{cell}\n"
        for row, cell in enumerate(cells, 1)
    )
    return CONLLU.format(name=name, rows="".join(rows))


KEY = {"a": conll("a", "(1)", "(1)", "(2)"), "b": conll("b", "(1)", "(1)", "(1)")}

RESPONSE = {"a": conll("a", "(1)", "(1)", "(1)"), "b": conll("b", "(1)", "(1)", "-")}


def folder_of(path: Path, files: dict[str, str], ending: str = ".conll") -> Path:
    for name, text in files.items():
        file = path / f"{name}{ending}"
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(text)
    return path


def file_of(path: Path, files: dict[str, str]) -> Path:
    path.write_text("".join(files.values()))
    return path


def test_one_document_files_are_one_corpus(tmp_path: Path) -> None:
    key, response = folder_of(tmp_path / "k", KEY), folder_of(tmp_path / "r", RESPONSE)
    files = file_of(tmp_path / "k.conll", KEY), file_of(tmp_path / "r.conll", RESPONSE)
    one, other = scoref.score(key, response), scoref.score(*files)
    assert one.scores == other.scores
    assert one.per_document == other.per_document
    assert one.signature == f"{other.signature}|folder:documents"
    assert "folder" in [note.kind for note in one.notes]
    assert "folder" not in [note.kind for note in scoref.score(*files).notes]
    asked = scoref.score(key, response, folder="documents")
    assert "folder" not in [note.kind for note in asked.notes]


@pytest.mark.parametrize("sides", ["file-folder", "folder-file"])
def test_a_folder_goes_with_a_file(tmp_path: Path, sides: str) -> None:
    key, response = folder_of(tmp_path / "k", KEY), folder_of(tmp_path / "r", RESPONSE)
    files = file_of(tmp_path / "k.conll", KEY), file_of(tmp_path / "r.conll", RESPONSE)
    pair = (files[0], response) if sides == "file-folder" else (key, files[1])
    assert scoref.score(*pair).scores == scoref.score(*files).scores


def test_corefud_is_read_as_one_text(tmp_path: Path) -> None:
    files = {"x": conllu("x", "e1", "e1", "e2"), "y": conllu("y", "e1", "e1", "e1")}
    others = {"x": conllu("x", "e1", "e1", "e1"), "y": conllu("y", "e1", "", "e1")}
    folders = [
        folder_of(tmp_path / name, each, ".conllu")
        for name, each in (("k", files), ("r", others))
    ]
    whole = [
        file_of(tmp_path / f"{name}.conllu", each)
        for name, each in (("k", files), ("r", others))
    ]
    assert scoref.score(*folders).per_document == scoref.score(*whole).per_document


def test_json_lines_are_one_corpus(tmp_path: Path) -> None:
    lines = {
        name: JSONL.format(name=name, clusters="[[[0, 0], [1, 1]]]") for name in "ab"
    }
    key = folder_of(tmp_path / "k", lines, ".jsonl")
    result = scoref.score(key, file_of(tmp_path / "r.jsonl", lines))
    assert (result.documents, result.conll) == (("a", "b"), 1.0)


def test_every_file_needs_predictions_if_one_has_them(tmp_path: Path) -> None:
    lines = {
        name: JSONL.format(name=name, clusters="[[[0, 0], [2, 2]]]") for name in "ab"
    }
    key = folder_of(tmp_path / "k", lines, ".jsonl")
    predicted = lines["a"].replace("}", ', "predicted_clusters": []}')
    response = folder_of(tmp_path / "r", {**lines, "a": predicted}, ".jsonl")
    with pytest.raises(FormatError, match=r"b\.jsonl:1: .*has no 'predicted_clusters'"):
        scoref.score(key, response)
    assert scoref.score(response, key).conll == 1


def test_subfolders_packed_files_and_parts_belong_to_the_corpus(tmp_path: Path) -> None:
    parts = conll("nw/c", "(1)", "(1)") + conll("nw/c", "(1)", "(1)", part="001")
    folder_of(tmp_path / "k", {"bc/a": KEY["a"], "nw/c": parts}, ".v4_gold_conll")
    (tmp_path / "k/bc/b.conll.gz").write_bytes(gzip.compress(KEY["b"].encode()))
    (tmp_path / "k/README.txt").write_text("not a document\n")
    (tmp_path / "k/config.json").write_text('{"a": 1}\n')
    assert folders.folder_kind(tmp_path / "k") == "documents"
    result = scoref.score(tmp_path / "k", tmp_path / "k")
    assert len(result.documents) == 4
    assert any("2 other files" in note.message for note in result.notes)


def test_names_that_repeat_are_told_apart_by_their_files(tmp_path: Path) -> None:
    key = {name: conll("x", "(1)", "(1)", "(2)") for name in "ab"}
    response = {"b": conll("x", "(1)", "(1)", "(2)"), "a": conll("x", "(1)", "-", "-")}
    folders = folder_of(tmp_path / "k", key), folder_of(tmp_path / "r", response)
    result = scoref.score(*folders)
    assert result.documents == ("(a/x); part 000", "(b/x); part 000")
    assert result.per_document["(b/x); part 000"]["conll"].f1 == 1.0
    assert result.per_document["(a/x); part 000"]["conll"].f1 < 1.0
    (tmp_path / "r/b.conll").unlink()
    with pytest.raises(FormatError, match=r"\(b/x\); part 000' is not in"):
        scoref.score(*folders)


def test_files_pair_documents_that_one_side_does_not_name(tmp_path: Path) -> None:
    response = {name: conll("doc", "(1)", "(1)", "(1)") for name in "ab"}
    folders = folder_of(tmp_path / "k", KEY), folder_of(tmp_path / "r", response)
    assert scoref.score(*folders).per_document["(b); part 000"]["conll"].f1 == 1.0


def test_documents_of_conllu_without_names_are_called_by_their_files(
    tmp_path: Path,
) -> None:
    files = {name: conllu(name, "e1", "e1").split("\n", 1)[1] for name in "ab"}
    folder = folder_of(tmp_path / "k", files, ".conllu")
    assert scoref.score(folder, folder).documents == ("a", "b")


def test_a_missing_file_is_a_missing_document(tmp_path: Path) -> None:
    folders = folder_of(tmp_path / "k", KEY), folder_of(tmp_path / "r", RESPONSE)
    (tmp_path / "r/b.conll").unlink()
    with pytest.raises(FormatError, match=r"k/b\.conll:1: document '\(b\)"):
        scoref.score(*folders)
    assert scoref.score(*folders, missing="empty").documents[1] == "(b); part 000"


def test_an_error_names_the_file_and_its_line(tmp_path: Path) -> None:
    broken = {"a": KEY["a"], "b": conll("b", "(1)", "(1", "-")}
    folders = folder_of(tmp_path / "k", KEY), folder_of(tmp_path / "r", broken)
    with pytest.raises(FormatError) as error:
        scoref.score(*folders)
    assert (error.value.source, error.value.line) == (str(tmp_path / "r/b.conll"), 3)


def test_an_empty_file_is_an_error(tmp_path: Path) -> None:
    folders = folder_of(tmp_path / "k", KEY), folder_of(tmp_path / "r", RESPONSE)
    (tmp_path / "r/b.conll").write_text("\n")
    with pytest.raises(FormatError, match=r"r/b\.conll: this file is empty"):
        scoref.score(*folders)


@pytest.mark.parametrize(
    ("files", "kind"),
    [
        ({"a": KEY["a"], "b": KEY["b"]}, "documents"),
        ({"a": KEY["a"]}, "documents"),
        ({"a": KEY["a"] + KEY["b"]}, "datasets"),
        ({"a": KEY["a"] + KEY["b"], "c": conll("c", "(1)")}, "datasets"),
        ({DATASET: KEY["a"], "ca_ancora-corefud-dev": KEY["b"]}, "datasets"),
        ({f"{DATASET}.gold": KEY["a"]}, "datasets"),
        ({"105_persuasion_brat": KEY["a"]}, "documents"),
    ],
)
def test_files_are_datasets_by_their_names_or_documents(
    tmp_path: Path, files: dict[str, str], kind: str
) -> None:
    folder = folder_of(tmp_path / "k", files)
    assert folders.folder_kind(folder) == kind
    assert folders.folder_kind(folder, "datasets") == "datasets"
    assert folders.folder_kind(folder, "documents") == "documents"


def test_the_response_does_not_decide(tmp_path: Path) -> None:
    key = folder_of(tmp_path / "k", KEY)
    response = folder_of(tmp_path / "r", {DATASET: "".join(RESPONSE.values())})
    assert "|folder:documents" in scoref.score(key, response).signature


def test_documents_may_be_in_several_files_of_a_response(tmp_path: Path) -> None:
    texts = {**KEY, "c": conll("c", "(1)", "(1)")}
    key = file_of(tmp_path / "k.conll", texts)
    files = {"one": texts["a"] + texts["b"], "two": texts["c"]}
    response = folder_of(tmp_path / "r", files)
    with pytest.raises(FormatError, match="the key is a file") as caught:
        scoref.score(key, response)
    assert "--folder documents" in caught.value.hint
    result = scoref.score(key, response, folder="documents")
    assert result.conll == 1
    assert result.signature.endswith("|folder:documents")


def test_score_folders_goes_by_the_same_rule(tmp_path: Path) -> None:
    key, response = folder_of(tmp_path / "k", KEY), folder_of(tmp_path / "r", RESPONSE)
    found = scoref.score_folders(key, {"r": response})
    expected = scoref.score(key, response).conll
    assert found.macro("r", "default", "conll") == expected
    assert found.signature("default").endswith("|folder:documents")
    found = scoref.score_folders(key, {"r": response}, folder="datasets")
    assert found.datasets == ("a", "b")
    assert found.signature("default").endswith("|folder:datasets|datasets:macro")


def test_a_choice_without_a_meaning_is_refused(tmp_path: Path) -> None:
    file = file_of(tmp_path / "k.conll", KEY)
    with pytest.raises(OptionError, match="is for folders"):
        scoref.score(file, file, folder="documents")
    with pytest.raises(OptionError, match="is for paths"):
        scoref.score([["a"]], [["a"]], folder="documents")
    datasets = folder_of(tmp_path / "k", {DATASET: KEY["a"]})
    with pytest.raises(FormatError, match="folder of datasets"):
        scoref.score(datasets, datasets)
    documents = folder_of(tmp_path / "d", KEY)
    with pytest.raises(FormatError, match="because --folder datasets"):
        scoref.score(documents, documents, folder="datasets")


@pytest.mark.parametrize(
    ("data", "format", "looks"),
    [
        ('{"doc_key": "d", "clusters": []}\n', "conll-2012", "json-lines"),
        ("#begin document (d);\nw\t(0)\n#end document\n", "json-lines", "conll-2012"),
        ("#begin document (d);\nw\t(0)\n#end document\n", "corefud", "conll-2012"),
        ("1\tAda\t_\tEntity=(e1-person)\n", "json-lines", ""),
        ('{"text": "Ada", "clusters": [0]}\n', "maverick", ""),
    ],
)
def test_an_error_says_if_the_file_looks_like_another_format(
    data: str, format: str, looks: str
) -> None:
    with pytest.raises(FormatError) as caught:
        read_data(data.encode(), source="x", role="key", format=format)
    if looks:
        hint = f"This file looks like {looks}. Omit --format (format in Python)."
        assert caught.value.hint == hint
    else:
        assert "looks like" not in caught.value.hint
