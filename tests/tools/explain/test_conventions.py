"""Conventions by format: which ones apply, and the schemes that they stand for."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

import scoref
from scoref.tools.explain.conventions import COREFUD as UD
from scoref.tools.explain.conventions import (
    DUPLICATES,
    REFERENCE,
    SPANS,
    STRICT,
    Practice,
)
from scoref.tools.explain.conventions import UNIVERSAL_ANAPHORA as UA
from scoref.tools.explain.explanation import Explanation, explain
from support.paths import EXAMPLES

if TYPE_CHECKING:
    from pathlib import Path

COREFUD = EXAMPLES / "corefud-key.conllu", EXAMPLES / "corefud-response.conllu"
DIALOGUE = EXAMPLES / "ua-key.ua", EXAMPLES / "ua-response.ua"
ROWS = "a\t(0)\nb\t(0)\nc\t-\n#end document\n"


def names(explanation: Explanation) -> list[str]:
    return [row.name for row in explanation.rows]


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
    explanation = explain(*files)
    assert not {"e2e-coref", "coval", "printed", "hf-coval"} & {*names(explanation)}
    assert "tools that read only spans" in explanation.notes[-1].message
    assert {*names(explanation)} >= {"macro", "macro-ratios", "rounded", "swapped"}


def test_causes_that_do_not_apply_are_not_told() -> None:
    explanation = explain(*COREFUD)
    head, singletons = (
        explanation.row("exact").cause,
        explanation.row("head-singletons").cause,
    )
    assert head == "mentions match by all their words"
    assert singletons == "singletons count"
    both = explanation.row("exact-singletons").cause
    assert both is not None
    assert set(both.split("; ")) == {head, singletons}
    assert explanation.row("one-to-one").cause is None


def test_the_perl_script_reads_some_lines_otherwise(tmp_path: Path) -> None:
    comment = "#begin document x\n# checked by two annotators\n"
    key = write(tmp_path / "key.conll", comment + ROWS)
    response = write(tmp_path / "response.conll", "#begin document x\n" + ROWS)
    explanation = explain(key, response)
    assert explanation.reference.scores["mentions"].f1 == 0.5
    strict = explanation.row("strict")
    assert strict.scores["mentions"].f1 == 1
    assert strict.cause is not None
    assert "read differently from the Perl script" in strict.cause
    # The others build on it, and have nothing to add.
    assert explanation.row("coval").cause == strict.cause


def test_where_the_perl_script_stops_the_others_are_still_compared(
    tmp_path: Path,
) -> None:
    text = "#begin document x\nd 0 0 2) (0)\nd 0 1 b (0)\n#end document\n"
    key = write(tmp_path / "key.conll", text)
    explanation = explain(key, key)
    assert names(explanation)[0] == "strict"
    assert "reference" not in names(explanation)
    assert any(
        note.message.startswith("Omitted: reference scorer cannot score these files")
        for note in explanation.notes
    )


def test_json_lines_have_one_reading(tmp_path: Path) -> None:
    line = '{"doc_key": "d", "clusters": [[[0, 0], [1, 1]]], "predicted_clusters": []}'
    both = write(tmp_path / "both.jsonl", line)
    explanation = explain(both)
    assert "strict" not in names(explanation)
    assert explanation.reference.scores["muc"].f1 == 0
    assert explanation.notes[0].kind == "no-mentions"


def test_a_missing_document_is_refused_or_ignored_as_asked(tmp_path: Path) -> None:
    line = '{"doc_key": "%s", "clusters": [[[0, 0], [1, 1]]]}\n'
    key = write(tmp_path / "key.jsonl", line % "a")
    response = write(tmp_path / "response.jsonl", line % "a" + line % "b")
    with pytest.raises(scoref.AlignmentError):
        explain(key, response)
    explanation = explain(key, response, missing="empty")
    # The Perl script goes by the key's documents.
    assert explanation.reference.scores["muc"].precision == 1
    assert explanation.row("macro").scores["muc"].precision == 0.5


def test_lenient_reading_is_noted(tmp_path: Path) -> None:
    text = "#begin document x\na\t(0)\nb\t(0)|1)\n#end document\n"
    broken = write(tmp_path / "broken.conll", text)
    with pytest.raises(scoref.FormatError):
        explain(broken, broken)
    explanation = explain(broken, broken, lenient=True)
    assert explanation.row("strict").scores["muc"].f1 == 1


@pytest.mark.parametrize(
    "conventions", [(REFERENCE, STRICT, *DUPLICATES, *SPANS), UD, UA]
)
def test_names_are_unique_and_bases_come_first(
    conventions: tuple[Practice, ...],
) -> None:
    names = [convention.name for convention in conventions]
    assert len({*names}) == len(names)
    for place, convention in enumerate(conventions):
        assert convention.base is None or convention.base in names[:place]


def test_a_cause_of_one_metric_comes_before_that_of_all() -> None:
    (stanza,) = (convention for convention in SPANS if convention.name == "stanza")
    assert stanza.cause("lea") == "LEA ignores singletons"
    assert stanza.cause("muc") == stanza.causes[""]
    (e2e,) = (convention for convention in SPANS if convention.name == "e2e-coref")
    assert e2e.cause("muc") == ""
