"""Project exports of INCEpTION and WebAnno, in a zip or unpacked."""

from __future__ import annotations

import io
import json
import zipfile
from typing import TYPE_CHECKING

import pytest

import scoref
from scoref import FormatError
from scoref.formats.reading import read
from scoref.tools.agree.adjudication_page import adjudication_page
from support.cas_files import ADA, EVA, cas_of, project_files, write_zip, xmi, xmi_zip
from support.span_lists import spans_of

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

FORMS = ["xmi", "json", "bare"]


@pytest.mark.parametrize("form", FORMS)
@pytest.mark.parametrize("prefix", ["", "my-project/"])
def test_agreement_finds_annotators_and_documents(
    form: str, prefix: str, tmp_path: Path
) -> None:
    project = write_zip(tmp_path / "project.zip", project_files(form, prefix))
    agreement = scoref.agree(project)
    assert agreement.names == ("ada", "eva")
    assert set(agreement.per_document) == {"one.txt", "two.txt"}
    assert agreement.mean["muc"] == pytest.approx(0.8)
    (note,) = (note.message for note in agreement.notes)
    assert note == "eva: 1 of 2 documents is missing ('two.txt')."


@pytest.mark.parametrize("form", FORMS)
def test_a_user_and_the_curation_are_corpora(form: str, tmp_path: Path) -> None:
    project = write_zip(tmp_path / "project.zip", project_files(form))
    ada = read(f"{project}:ada", role="key")
    assert [name.name for name in ada.documents] == ["one.txt", "two.txt"]
    key, response = f"{project}:curation", f"{project}:eva"
    result = scoref.score(key, response)
    assert result.documents == ("one.txt",)
    assert result.scores["muc"].f1 == pytest.approx(0.8)


def test_an_annotator_may_be_called_curation(tmp_path: Path) -> None:
    files = {
        name.replace("/eva.", "/curation."): data
        for name, data in project_files("json").items()
    }
    project = write_zip(tmp_path / "project.zip", files)
    agreement = scoref.agree(project)
    assert agreement.names == ("ada", "curation")
    assert agreement.mean["muc"] == pytest.approx(0.8)
    theirs = read(f"{project}:annotation/curation", role="key")
    assert len(spans_of(theirs)["one.txt"]) == len(EVA)
    curated = read(f"{project}:curation", role="key")
    assert len(spans_of(curated)["one.txt"]) == len(ADA)
    assert spans_of(read(f"{project}:annotation/ada", role="key")) == spans_of(
        read(f"{project}:ada", role="key")
    )
    with pytest.raises(FormatError, match="no annotator 'bo'") as error:
        read(f"{project}:annotation/bo", role="key")
    assert f"{project}:annotation/curation, {project}:curation" in error.value.hint


def test_an_unpacked_project_is_read_as_well(tmp_path: Path) -> None:
    project = write_zip(tmp_path / "project.zip", project_files())
    folder = tmp_path / "project"
    with zipfile.ZipFile(project) as archive:
        archive.extractall(folder)
    for user in ("ada", "eva", "curation"):
        packed = read(f"{project}:{user}", role="key")
        unpacked = read(f"{folder}:{user}", role="key")
        assert spans_of(packed) == spans_of(unpacked)
    assert scoref.agree(str(folder)).names == ("ada", "eva")


def test_without_a_user_the_annotators_are_listed(tmp_path: Path) -> None:
    project = write_zip(tmp_path / "project.zip", project_files())
    with pytest.raises(FormatError, match="several annotators: 'ada', 'eva'") as error:
        read(project, role="key")
    assert f"{project}:ada, {project}:eva, {project}:curation" in error.value.hint


@pytest.mark.parametrize("user", ["bob", "INITIAL_CAS", "CURATION_USER"])
def test_an_unknown_user_is_an_error(user: str, tmp_path: Path) -> None:
    project = write_zip(tmp_path / "project.zip", project_files())
    with pytest.raises(FormatError, match=f"no annotator '{user}', only 'ada', 'eva'"):
        read(f"{project}:{user}", role="key")


def test_a_project_without_curated_documents_says_so(tmp_path: Path) -> None:
    files = {"annotation/one/ada.xmi": xmi(cas_of(ADA))}
    project = write_zip(tmp_path / "project.zip", files)
    with pytest.raises(FormatError, match="has no curated documents"):
        read(f"{project}:curation", role="key")


def test_an_untouched_document_is_missing_even_if_it_was_exported(
    tmp_path: Path,
) -> None:
    files = project_files()
    files["annotation/two.txt/eva.zip"] = xmi_zip(cas_of([]))
    project = write_zip(tmp_path / "project.zip", files)
    eva = read(f"{project}:eva", role="key")
    assert [name.name for name in eva.documents] == ["one.txt"]


def test_serialised_annotations_alone_are_refused(tmp_path: Path) -> None:
    files = {"exportedproject.json": b"{}", "annotation_ser/one/ada.ser": b"\xac\xed"}
    project = write_zip(tmp_path / "project.zip", files)
    with pytest.raises(FormatError, match="no annotations that scoref can read") as e:
        read(project, role="key")
    assert "secondary format" in e.value.hint


def test_webanno_tsv_in_a_project_is_read(tmp_path: Path) -> None:
    tsv = (
        b"#FORMAT=WebAnno TSV 3.3\n#T_CH=x.CoreferenceLink|referenceType|"
        b"referenceRelation\n\n#Text=Mia\n1-1\t0-3\tMia\tCM[1]\tcoref->1-1\t\n"
    )
    files = {"annotation/one/ada.tsv": tsv, "annotation/one/INITIAL_CAS.tsv": tsv}
    project = write_zip(tmp_path / "project.zip", files)
    assert spans_of(read(f"{project}:ada", role="key")) == {"one": [[(0, 0)]]}


def _zip_of(*members: tuple[zipfile.ZipInfo | str, bytes]) -> bytes:
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, data in members:
            archive.writestr(name, data)
    return packed.getvalue()


def _with_link() -> bytes:
    link = zipfile.ZipInfo("ada.xmi")
    link.external_attr = 0o120777 << 16
    return _zip_of((link, b"/etc/passwd"))


@pytest.mark.parametrize(
    ("inner", "problem"),
    [
        (_with_link, "is a link"),
        (lambda: _zip_of(("../ada.xmi", b"")), "outside its folder"),
        (lambda: _zip_of(*((f"{n}.xmi", b"") for n in range(101))), "101 files"),
        (lambda: _zip_of(("a.xmi", b""), ("b.xmi", b"")), "expected one document"),
        (lambda: _zip_of(("TypeSystem.xml", b"")), "in this zip, found none"),
        (lambda: _zip_of(("a.xmi", _zip_of(("b.xmi", b"x")))), "is compressed"),
        (lambda: b"PK\3\4 damaged", "cannot be unpacked"),
    ],
)
def test_hostile_zips_in_a_project_are_refused(
    inner: Callable[[], bytes], problem: str, tmp_path: Path
) -> None:
    files = {"annotation/one/ada.zip": inner()}
    project = write_zip(tmp_path / "project.zip", files)
    with pytest.raises(FormatError, match=problem):
        read(f"{project}:ada", role="key")


def test_a_zip_that_unpacks_to_too_much_is_refused(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("scoref.formats.archives._MOST_BYTES", 100_000)
    monkeypatch.setattr("scoref.formats.archives._MOST_TIMES", 1)
    files = {"annotation/one/ada.zip": _zip_of(("a.xmi", b" " * 1_000_000))}
    project = write_zip(tmp_path / "project.zip", files)
    with pytest.raises(FormatError, match="more than 100,000 bytes"):
        read(f"{project}:ada", role="key")
    small = _zip_of(("a.xmi", b" " * 60_000))
    files = {f"annotation/{name}/ada.zip": small for name in ("one", "two")}
    project = write_zip(tmp_path / "two.zip", files)
    with pytest.raises(FormatError, match="more than 100,000 bytes"):
        read(f"{project}:ada", role="key")


def test_two_formats_in_one_project_are_refused(tmp_path: Path) -> None:
    files = {
        **project_files("bare"),
        "annotation/two.txt/ada.json": project_files("json")[
            "annotation/two.txt/ada.json"
        ],
    }
    del files["annotation/two.txt/ada.xmi"]
    project = write_zip(tmp_path / "project.zip", files)
    with pytest.raises(FormatError, match="this is cas-json, not cas-xmi"):
        read(f"{project}:ada", role="key")


def test_the_documents_of_a_project_are_shared_out(tmp_path: Path) -> None:
    people = ("ada", "ben", "eva", "ian", "joe")
    states, files = [], {}
    for number in range(5):
        name = f"annotation/{number}.txt"
        files[f"{name}/INITIAL_CAS.zip"] = xmi_zip(cas_of([]))
        for place, chains in enumerate((ADA, EVA)):
            user = people[(number + place) % 5]
            files[f"{name}/{user}.zip"] = xmi_zip(cas_of(chains))
            states.append({"name": f"{number}.txt", "user": user, "state": "FINISHED"})
    header = {"annotation_documents": states}
    files["exportedproject.json"] = json.dumps(header).encode()
    project = write_zip(tmp_path / "project.zip", files)
    agreement = scoref.agree(project)
    assert agreement.names == people
    assert {it.annotators for it in agreement.per_document.values()} == {2}
    assert agreement.notes[0].message == (
        "ada: 3 of 5 documents are missing ('1.txt', '2.txt', '3.txt')."
    )
    assert len(agreement.notes) == 5
    page = adjudication_page(agreement)
    assert page.count('id="text-') == 5
    made = scoref.convert(project, "json-lines", merge="majority")
    records = [json.loads(line) for line in made.data.splitlines()]
    assert sorted(record["doc_key"] for record in records) == [
        f"{number}.txt" for number in range(5)
    ]
    clusters = {json.dumps(record["clusters"]) for record in records}
    assert len(clusters) == 1  # the same two readings of the same text
    assert sum("3 of 5 documents are" in note.message for note in made.notes) == 5
