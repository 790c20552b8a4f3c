"""GAP: decisions counted by gender, and what is strange refused or counted."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

import scoref
from scoref.errors import AlignmentError, FormatError, OptionError
from support.commands import run
from support.json_output import result_of

if TYPE_CHECKING:
    from pathlib import Path

HEADER = "ID\tText\tPronoun\tA-coref\tB-coref\tURL"
# Of the masculine ones, A and B; of the feminine ones, A, B, and nobody.
GOLD = [
    ("m1", "He", True, False),
    ("m2", "his", False, True),
    ("f1", "she", True, False),
    ("f2", "Her", False, True),
    ("f3", "hers", False, False),
]
ANSWERS = [
    "m1\tTRUE\tFALSE",
    "m2\ttrue\tfalse",
    "f1\tTrue\tFalse",
    "f2\tFALSE\tFALSE",
    "f3\tFALSE\tTRUE",
]


@pytest.fixture
def gold(tmp_path: Path) -> Path:
    rows = [f"{n}\tSome text\t{p}\t{a}\t{b}\thttp://x" for n, p, a, b in GOLD]
    return write_lines(tmp_path / "gold.tsv", [HEADER, *rows])


def write_lines(path: Path, lines: list[str]) -> Path:
    path.write_text("".join(f"{line}\n" for line in lines), encoding="utf-8")
    return path


@pytest.fixture
def system(tmp_path: Path) -> Path:
    return write_lines(tmp_path / "system.tsv", ANSWERS)


def test_two_decisions_are_counted_for_each_example(gold: Path, system: Path) -> None:
    scores = scoref.score_gap(gold, system).scores
    assert scores["masculine"] == (0.5, 0.5, 0.5, 1, 1, 1, 1)
    assert scores["feminine"] == (0.5, 0.5, 0.5, 1, 1, 1, 3)
    assert scores["overall"] == (0.5, 0.5, 0.5, 2, 2, 2, 4)


def test_the_bias_is_a_ratio_of_f1(gold: Path, tmp_path: Path) -> None:
    answers = [*ANSWERS[:3], "f2\tFALSE\tTRUE", "f3\tFALSE\tFALSE"]
    result = scoref.score_gap(gold, write_lines(tmp_path / "s.tsv", answers))
    assert result.bias == 2
    nobody = [f"{name}\tFALSE\tFALSE" for name, *_ in GOLD]
    assert scoref.score_gap(gold, write_lines(tmp_path / "s.tsv", nobody)).bias is None


STRANGE = {
    "a second answer": ([*ANSWERS, "m1\tTRUE\tTRUE"], 6, "'m1' has two answers"),
    "an unknown example": ([*ANSWERS, "x1\tTRUE\tTRUE"], 6, "no example 'x1'"),
    "an odd label": (["m1\tTRUE\tyes", *ANSWERS[1:]], 1, "'yes' is neither"),
    "a blank behind": (["m1\tTRUE \tTRUE", *ANSWERS[1:]], 1, "'TRUE ' is neither"),
    "a header": (["ID\tA-coref\tB-coref", *ANSWERS], 1, "no example 'ID'"),
    "two columns": (["m1\tTRUE", *ANSWERS[1:]], 1, "expected 3 columns, found 2"),
}


@pytest.mark.parametrize("name", STRANGE)
def test_what_is_strange_is_refused_by_line(
    name: str, gold: Path, tmp_path: Path
) -> None:
    lines, line, problem = STRANGE[name]
    with pytest.raises(FormatError, match=problem) as caught:
        scoref.score_gap(gold, write_lines(tmp_path / "s.tsv", lines))
    assert caught.value.line == line


def test_missing_answers_are_refused(gold: Path, tmp_path: Path) -> None:
    path = write_lines(tmp_path / "s.tsv", ANSWERS[1:3])
    with pytest.raises(AlignmentError, match=r"'m1' \(and 2 more\) has no answer"):
        scoref.score_gap(gold, path)


def test_officially_a_missing_answer_is_two_false_negatives(
    gold: Path, tmp_path: Path
) -> None:
    path = write_lines(tmp_path / "s.tsv", ANSWERS[:4])  # f3 is nobody
    result = scoref.score_gap(gold, path, scheme="gap-2018")
    assert result.scores["feminine"][3:] == (1, 0, 3, 2)
    (note,) = result.notes
    assert (note.kind, note.count) == ("missing-answers", 1)


def test_officially_an_odd_label_is_a_false_negative_whatever_is_true(
    gold: Path, tmp_path: Path
) -> None:
    lines = ["m1\tTRUE\tno", *ANSWERS[1:], "m2\tFALSE\tTRUE", "x\tTRUE\tTRUE"]
    result = scoref.score_gap(
        gold, write_lines(tmp_path / "s.tsv", lines), scheme="gap-2018"
    )
    assert result.scores["masculine"][3:] == (1, 1, 2, 0)
    assert [(note.kind, note.count) for note in result.notes] == [
        ("odd-answers", 1),
        ("repeated-answers", 1),
        ("unknown-examples", 1),
    ]


@pytest.mark.parametrize(
    ("row", "problem"),
    [
        ("m9\tx\tthey\tTRUE\tFALSE\tu", "'they' is not a GAP pronoun"),
        ("m9\tx\the\tmaybe\tFALSE\tu", "'maybe' is neither"),
        ("m1\tx\the\tTRUE\tFALSE\tu", "'m1' is listed twice"),
        ("m9\tx\the", "'' is neither"),
    ],
)
def test_a_bad_key_is_refused(row: str, problem: str, gold: Path, system: Path) -> None:
    gold.write_text(gold.read_text(encoding="utf-8") + f"{row}\n", encoding="utf-8")
    with pytest.raises(FormatError, match=problem) as caught:
        scoref.score_gap(gold, system)
    assert caught.value.line == 7


def test_a_key_without_a_header_is_refused(system: Path) -> None:
    with pytest.raises(FormatError, match="column 'ID' is missing"):
        scoref.score_gap(system, system)


def test_an_empty_key_is_refused(tmp_path: Path, system: Path) -> None:
    with pytest.raises(FormatError, match="no example"):
        scoref.score_gap(write_lines(tmp_path / "g.tsv", [HEADER]), system)


def test_the_interval_holds_the_bias(gold: Path, system: Path) -> None:
    result = scoref.score_gap(gold, system)
    interval = result.interval(resamples=200)
    assert result.bias is not None
    assert interval.low <= result.bias <= interval.high
    assert interval == result.interval(resamples=200)
    with pytest.raises(OptionError, match="between 0 and 100"):
        result.interval(level=100)


def test_schemes_have_names(gold: Path, system: Path) -> None:
    with pytest.raises(OptionError, match="Did you mean gap-2018"):
        scoref.score_gap(gold, system, scheme="gap-2019")


def output(*arguments: object) -> str:
    return run("gap", *arguments, code=0).stdout


def test_the_command_prints_a_table(gold: Path, system: Path) -> None:
    assert output(gold, system).splitlines()[:5] == [
        "           Recall  Precision    F₁  TP  FP  FN  TN",
        "Overall      50.0       50.0  50.0   2   2   2   4",
        "Masculine    50.0       50.0  50.0   1   1   1   1",
        "Feminine     50.0       50.0  50.0   1   1   1   3",
        "Bias                          1.00",
    ]
    assert "Bias                          1.00 [" in output(
        gold, system, "--confidence"
    )


def test_json_has_fractions(gold: Path, system: Path) -> None:
    fields = result_of(output(gold, system, "--output", "json"))
    assert [*fields] == ["scores", "bias", "notes", "signature"]
    assert fields["scores"]["overall"] == {
        "recall": 0.5,
        "precision": 0.5,
        "f1": 0.5,
        "tp": 2,
        "fp": 2,
        "fn": 2,
        "tn": 4,
    }
    arguments = ("--output", "json", "--confidence", "90", "--scheme", "gap-2018")
    fields = result_of(output(gold, system, *arguments))
    assert fields["confidence"]["bias"].keys() == {"low", "high"}
    assert fields["signature"].endswith("|format:gap|scheme:gap-2018")


def test_csv_has_a_row_for_each_part(gold: Path, system: Path) -> None:
    lines = output(gold, system, "--output", "csv").splitlines()
    assert lines[0] == "pronouns,recall,precision,f1,tp,fp,fn,tn"
    assert lines[1] == "overall,0.5,0.5,0.5,2,2,2,4"


def test_bad_input_has_exit_code_1(gold: Path, tmp_path: Path) -> None:
    path = write_lines(tmp_path / "s.tsv", ANSWERS[1:])
    assert "error: " in run("gap", gold, path, code=1).stderr


def test_the_file_in_which_answers_are_missing_is_named(
    gold: Path, tmp_path: Path
) -> None:
    system = write_lines(tmp_path / "system.tsv", ANSWERS[2:])
    with pytest.raises(AlignmentError) as refused:
        scoref.score_gap(gold, system)
    assert "system.tsv" in str(refused.value)
    assert "gold.tsv" not in str(refused.value)
