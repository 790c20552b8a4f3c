"""A folder of documents is one corpus; a folder of datasets stays what it is."""

from __future__ import annotations

import gzip
from typing import TYPE_CHECKING

import pytest

import scoref
from scoref import FormatError
from scoref.errors import place_of
from scoref.formats import folders, reading
from support.commands import run
from support.span_lists import read_file, spans_of, words_of, written

if TYPE_CHECKING:
    from pathlib import Path

ANN = "T1\tMention 0 3\tMia\nT2\tMention 10 13\tshe\n*\tCoreference T1 T2\n"
TEXT = "Mia knows she sleeps\n"
HEADER = "COREF\tstart_token\tend_token\tprop\tcat\ttext\n"
WEBANNO = (
    "#FORMAT=WebAnno TSV 3.3\n"
    "#T_CH=x.CoreferenceLink|referenceType|referenceRelation\n\n\n#Text=Mia\n"
    "1-1\t0-3\tMia\tCM[1]\tcoref->1-1\t\n"
)


def test_a_document_is_called_by_its_path_without_the_ending(tmp_path: Path) -> None:
    written(tmp_path, b__ann=ANN, b__txt=TEXT)
    written(tmp_path / "sub", a__ann="", a__txt="Nobody\n")
    assert folders.is_corpus(tmp_path)
    corpus = read_file(tmp_path)
    assert spans_of(corpus) == {"b": [[(0, 0), (2, 2)]], "sub/a": []}
    assert words_of(corpus) == [*TEXT.split(), "Nobody"]
    assert corpus.notes == ()


def test_other_files_are_passed_over_and_counted(tmp_path: Path) -> None:
    written(tmp_path, a__ann=ANN, a__txt=TEXT, annotation__conf="x", README="x")
    (note,) = read_file(tmp_path).notes
    assert note.message == (
        f"{tmp_path}: 2 other files were skipped (no ending: 1, .conf: 1)."
    )


def test_two_formats_in_one_folder_are_refused(tmp_path: Path) -> None:
    written(tmp_path, a__ann=ANN, a__txt=TEXT, b__tsv=WEBANNO)
    with pytest.raises(FormatError, match="there are two formats in this folder"):
        read_file(tmp_path)
    written(tmp_path / "two", a__ann=ANN, a__txt=TEXT, b__conllu="1\tx\n")
    with pytest.raises(FormatError, match="there are two formats in this folder"):
        read_file(tmp_path / "two")


def test_a_text_must_lie_beside_annotations(tmp_path: Path) -> None:
    written(tmp_path, a__ann=ANN)
    with pytest.raises(
        FormatError, match="the text of these annotations is missing"
    ) as error:
        read_file(tmp_path)
    assert error.value.source == str(tmp_path / "a.ann")


def test_files_that_end_alike_but_are_something_else_are_refused(
    tmp_path: Path,
) -> None:
    written(tmp_path, a__tsv=WEBANNO, b__tsv="id\tvalue\n1\t2\n")
    with pytest.raises(FormatError, match="this is not webanno, as the other files"):
        read_file(tmp_path)


def test_packed_files_are_documents_as_well(tmp_path: Path) -> None:
    (tmp_path / "a.ann.gz").write_bytes(gzip.compress(ANN.encode()))
    (tmp_path / "a.txt.gz").write_bytes(gzip.compress(TEXT.encode()))
    assert spans_of(read_file(tmp_path)) == {"a": [[(0, 0), (2, 2)]]}


def test_two_files_for_one_document_are_refused(tmp_path: Path) -> None:
    written(tmp_path, a__ann=ANN, a__txt=TEXT)
    (tmp_path / "a.ann.gz").write_bytes(gzip.compress(ANN.encode()))
    with pytest.raises(FormatError, match="are both document 'a'"):
        read_file(tmp_path)


def test_standard_input_has_nothing_beside_it() -> None:
    with pytest.raises(
        FormatError, match="the text of these annotations is missing"
    ) as error:
        reading.read_data(ANN.encode(), source="<stdin>", role="key")
    assert error.value.hint.startswith("Give the path of the file")


def test_datasets_stay_datasets(tmp_path: Path) -> None:
    name = "xx_a-corefud-dev.conllu"
    (tmp_path / name).write_text("1\tx\n")
    written(tmp_path, notes__tsv="a\tb\n")
    assert not folders.is_corpus(tmp_path)
    assert folders.is_datasets(tmp_path)
    assert not folders.is_corpus(tmp_path / name)


def test_lines_of_many_files_are_found_again(tmp_path: Path) -> None:
    written(tmp_path, a__entities=HEADER + "0\t0\t0\tPROP\tPER\tMia\n")
    written(tmp_path, b__entities=HEADER + "0\tx\t0\tPROP\tPER\tMia\n")
    with pytest.raises(FormatError) as error:
        read_file(tmp_path)
    assert (error.value.source, error.value.line) == (str(tmp_path / "b.entities"), 2)
    written(tmp_path, b__entities=HEADER + "0\t1\t1\tPROP\tPER\tMia\n")
    corpus = read_file(tmp_path)
    places = [place_of(corpus.source, line) for line in corpus.mention_line.tolist()]
    assert places == [f"{tmp_path / name}.entities:2" for name in "ab"]


def test_notes_of_several_files_are_one(tmp_path: Path) -> None:
    row = HEADER + "0\t0\t0\tPROP\tPER\tMia\n"
    written(tmp_path, a__entities=row, b__entities=row)
    (note,) = read_file(tmp_path).notes
    assert (note.kind, note.count) == ("no-tokens", 2)
    assert "The same applies to 1 more file" in note.message


def test_key_and_response_may_differ_in_format(tmp_path: Path) -> None:
    key = written(tmp_path / "key", one__ann=ANN, one__txt=TEXT)
    response = tmp_path / "response.conll"
    rows = ["(0)", "-", "(0)", "-"]
    lines = [f"one 0 {n} {w} {rows[n]}\n" for n, w in enumerate(TEXT.split())]
    response.write_text(f"#begin document (one);\n{''.join(lines)}#end document\n")
    assert scoref.score(key, response).conll == 1
    assert run(key, response, "--score-only", code=0).stdout == "100.00\n"


def test_a_format_that_the_folder_is_not_in_is_refused(tmp_path: Path) -> None:
    written(tmp_path, a__ann=ANN, a__txt=TEXT)
    with pytest.raises(FormatError, match="are brat, not webanno"):
        read_file(tmp_path, format="webanno")
    assert read_file(tmp_path, format="brat").format == "brat"


@pytest.mark.parametrize("count", [1, 2])
def test_documents_of_a_folder_have_their_topics(tmp_path: Path, count: int) -> None:
    lines = ['"topic": "36"', '"topic": "37", "subtopic": "x"']
    for number, (name, fields) in enumerate(zip("ab", lines, strict=True)):
        text = f'"doc_key": "{name}", "clusters": [[[0, 0], [1, 1]]]'
        topic = f", {fields}" if number < count else ""
        (tmp_path / f"{name}.json").write_text(f"{{{text}{topic}}}")
    options = {"format": "json-lines", "with_tokens": False}
    corpus = reading.read(str(tmp_path), role="key", **options)  # type: ignore[arg-type]
    assert corpus.document_topic == (("36", None), (None, ("37", "x"))[count - 1])
