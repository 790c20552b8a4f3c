"""What a file is decides which conventions have a meaning."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

import scoref
from scoref.tools.explain.explanation import Explanation, explain
from support.paths import EXAMPLES

if TYPE_CHECKING:
    from pathlib import Path

COREFUD = EXAMPLES / "corefud-key.conllu", EXAMPLES / "corefud-response.conllu"
DIALOGUE = EXAMPLES / "ua-key.ua", EXAMPLES / "ua-response.ua"
ROWS = "a\t(0)\nb\t(0)\nc\t-\n#end document\n"


def names(found: Explanation) -> list[str]:
    return [row.name for row in found.rows]


def write(path: Path, text: str) -> Path:
    path.write_text(text, encoding="utf-8")
    return path


@pytest.mark.parametrize(
    ("convention", "changes"),
    [
        ("head", {}),
        ("partial", {"match": "partial"}),
        ("exact", {"match": "exact"}),
        ("head-singletons", {"singletons": "keep"}),
        ("partial-singletons", {"match": "partial", "singletons": "keep"}),
        ("exact-singletons", {"match": "exact", "singletons": "keep"}),
        ("crac-2022", {"scheme": "crac-2022"}),
        ("crac-2023", {"scheme": "crac-2023"}),
        ("no-zeros", {"zeros": "drop"}),
        ("one-to-one", {"scheme": "crac-corrected"}),
        ("split-antecedents", {"split_antecedents": "keep"}),
        ("blanc-reference", {"blanc": "reference"}),
        ("macro", {"average": "macro"}),
    ],
)
def test_corefud_has_the_shared_tasks_columns(
    convention: str, changes: dict[str, str]
) -> None:
    row = explain(*COREFUD).row(convention)
    result = scoref.score(*COREFUD, **changes)  # type: ignore[arg-type] # by name
    assert row.scores == result.scores
    assert row.signature == result.signature


@pytest.mark.parametrize(
    ("convention", "changes"),
    [
        ("exact", {}),
        ("partial", {"match": "partial"}),
        ("craft", {"match": "craft"}),
        ("no-singletons", {"singletons": "drop"}),
        ("crac-2018", {"scheme": "crac-2018"}),
        ("zeros", {"zeros": "linear"}),
    ],
)
def test_universal_anaphora_has_its_own(
    convention: str, changes: dict[str, str]
) -> None:
    row = explain(*DIALOGUE).row(convention)
    assert row.scores == scoref.score(*DIALOGUE, **changes).scores  # type: ignore[arg-type] # by name


@pytest.mark.parametrize("files", [COREFUD, DIALOGUE])
def test_what_has_no_meaning_for_a_format_is_left_out_and_told(
    files: tuple[Path, Path],
) -> None:
    found = explain(*files)
    assert not {"e2e-coref", "coval", "printed", "hf-coval"} & {*names(found)}
    assert "tools that know spans only" in found.notes[-1].message
    assert {*names(found)} >= {"macro", "macro-ratios", "rounded", "swapped"}


def test_causes_that_do_not_apply_are_not_told() -> None:
    found = explain(*COREFUD)
    head, singletons = found.row("exact").cause, found.row("head-singletons").cause
    assert head == "mentions match by all their words"
    assert singletons == "singletons count"
    both = found.row("exact-singletons").cause
    assert both is not None
    assert set(both.split("; ")) == {head, singletons}
    assert found.row("one-to-one").cause is None


def test_the_perl_script_reads_some_lines_otherwise(tmp_path: Path) -> None:
    comment = "#begin document x\n# checked by two annotators\n"
    key = write(tmp_path / "key.conll", comment + ROWS)
    response = write(tmp_path / "response.conll", "#begin document x\n" + ROWS)
    found = explain(key, response)
    assert found.reference.scores["mentions"].f1 == 0.5
    strict = found.row("strict")
    assert strict.scores["mentions"].f1 == 1
    assert strict.cause is not None
    assert "not read as the Perl script does" in strict.cause
    # The others build on it, and have nothing to add.
    assert found.row("coval").cause == strict.cause


def test_where_the_perl_script_stops_the_others_are_still_compared(
    tmp_path: Path,
) -> None:
    text = "#begin document x\nd 0 0 2) (0)\nd 0 1 b (0)\n#end document\n"
    key = write(tmp_path / "key.conll", text)
    found = explain(key, key)
    assert names(found)[0] == "strict"
    assert "reference" not in names(found)
    assert any(
        note.message.startswith("reference scorer cannot score these files")
        for note in found.notes
    )


def test_json_lines_have_one_reading(tmp_path: Path) -> None:
    line = '{"doc_key": "d", "clusters": [[[0, 0], [1, 1]]], "predicted_clusters": []}'
    both = write(tmp_path / "both.jsonl", line)
    found = explain(both)
    assert "strict" not in names(found)
    assert found.reference.scores["muc"].f1 == 0
    assert found.notes[0].kind == "no-mentions"


def test_a_missing_document_is_refused_or_ignored_as_asked(tmp_path: Path) -> None:
    line = '{"doc_key": "%s", "clusters": [[[0, 0], [1, 1]]]}\n'
    key = write(tmp_path / "key.jsonl", line % "a")
    response = write(tmp_path / "response.jsonl", line % "a" + line % "b")
    with pytest.raises(scoref.AlignmentError):
        explain(key, response)
    found = explain(key, response, missing="empty")
    # The Perl script goes by the key's documents.
    assert found.reference.scores["muc"].precision == 1
    assert found.row("macro").scores["muc"].precision == 0.5


def test_lenient_reading_is_noted(tmp_path: Path) -> None:
    text = "#begin document x\na\t(0)\nb\t(0)|1)\n#end document\n"
    broken = write(tmp_path / "broken.conll", text)
    with pytest.raises(scoref.FormatError):
        explain(broken, broken)
    found = explain(broken, broken, lenient=True)
    assert found.row("strict").scores["muc"].f1 == 1
