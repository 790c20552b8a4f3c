"""The drop-in against what the Universal Anaphora scorer is written to print."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from scoref.dropins.ua import run
from support import corefud
from support.universal_anaphora import documents, text_of, universal

if TYPE_CHECKING:
    from pathlib import Path

Capture = pytest.CaptureFixture[str]

WORDS = "w w w w w w w *"
KEY = documents(
    WORDS, e1="1-2*1 4", e2="5 7.1", p="6 of e1 e2", x="3 pseudo", bridges="6>4"
)
RESPONSE = documents(
    WORDS, e1="1 4", e2="5 7.1", p="6 7 of e1 e2", x="3 pseudo", bridges="6>1"
)
CONLL = "#begin document (d); part 000\n{}\n#end document\n"
ROW = "d 0 {} w X * - - - - {}\n"

WHOLE = """\
The scorer is evaluating coreferential mentions, singletons, split-antecedents, \
non-referring mentions, bridging relations using exact match evaluation setting.
The following metrics will be evaluated: muc, bcub, ceafe, ceafm, blanc, lea, mention, \
mor, non-referring, bridging

muc
Recall: 25.00  Precision: 16.67  F1: 20.00
bcub
Recall: 56.41  Precision: 39.67  F1: 46.58
ceafe
Recall: 73.33  Precision: 73.33  F1: 73.33
ceafm
Recall: 75.00  Precision: 62.50  F1: 68.18
blanc
Recall: 37.50  Precision: 24.43  F1: 29.39
lea
Recall: 40.00  Precision: 25.00  F1: 30.77
mention
Recall: 75.00  Precision: 60.00  F1: 66.67
mor
Recall: 80.00  Precision: 80.00  F1: 80.00
============================================
Non-referring markable identification scores:
Recall: 100.00  Precision: 100.00  F1: 100.00
============================================
Bridging anaphora recognition scores:
Recall: 100.00  Precision: 100.00  F1: 100.00
Full bridging scores (Markable Level):
Recall: 0.00  Precision: 0.00  F1: 0.00
Full bridging scores (Entity Level):
Recall: 0.00  Precision: 0.00  F1: 0.00
CoNLL score: 46.64
"""
BRIDGING = """\
The scorer is evaluating , bridging relations using exact match evaluation setting.
The following metrics will be evaluated: bridging

============================================
Bridging anaphora recognition scores:
Recall: 100.00  Precision: 100.00  F1: 100.00
Full bridging scores (Markable Level):
Recall: 0.00  Precision: 0.00  F1: 0.00
Full bridging scores (Entity Level):
Recall: 0.00  Precision: 0.00  F1: 0.00
"""
PLURALS = """\
The scorer is evaluating only split-antecedents using exact match evaluation setting.
The following metrics will be evaluated: muc, bcub, ceafe

muc
Recall: 50.00  Precision: 50.00  F1: 50.00
bcub
Recall: 62.50  Precision: 62.50  F1: 62.50
ceafe
Recall: 75.00  Precision: 75.00  F1: 75.00
CoNLL score: 62.50
"""
DEIXIS = """\
The scorer is evaluating discourse deixis using exact match evaluation setting.
The following metrics will be evaluated: muc, bridging, non-referring

muc
Recall: 0.00  Precision: 0.00  F1: 0.00
============================================
Bridging anaphora recognition scores:
Recall: 0.00  Precision: 0.00  F1: 0.00
Full bridging scores (Markable Level):
Recall: 0.00  Precision: 0.00  F1: 0.00
Full bridging scores (Entity Level):
Recall: 0.00  Precision: 0.00  F1: 0.00
============================================
Non-referring markable identification scores:
Recall: 0.00  Precision: 0.00  F1: 0.00
"""


def _written(folder: Path, key: str, response: str, suffix: str = "ua") -> list[str]:
    paths = folder / f"key.{suffix}", folder / f"response.{suffix}"
    for path, text in zip(paths, (key, response), strict=True):
        path.write_text(text, encoding="utf-8")
    return [str(path) for path in paths]


@pytest.fixture
def files(tmp_path: Path) -> list[str]:
    return _written(tmp_path, text_of(KEY), text_of(RESPONSE))


@pytest.fixture
def corefud_files(tmp_path: Path) -> list[str]:
    key = corefud.corefud("w w w w", e1="1 2", e2="3")
    response = corefud.corefud("w w w w", e1="1 2 3")
    return _written(tmp_path, key, response, "conllu")


@pytest.fixture
def conll_files(tmp_path: Path) -> list[str]:
    def text(*cells: str) -> str:
        rows = [ROW.format(number, cell) for number, cell in enumerate(cells)]
        return CONLL.format("".join(rows))

    sides = text("(1)", "(1)", "(2)"), text("(1)", "(1)", "(1)")
    return _written(tmp_path, *sides, suffix="conll")


@pytest.mark.parametrize(
    ("options", "expected"),
    [
        (["-m", "all", "-s", "-l"], WHOLE),
        (["-t", "codicrac22br"], BRIDGING),
        (["--only-split-antecedent"], PLURALS),
        (["-d", "-m", "muc", "bridging", "non-referring"], DEIXIS),
    ],
    ids=["all", "bridging", "split antecedents", "discourse deixis"],
)
def test_the_output_is_that_of_the_official_script(
    options: list[str], expected: str, files: list[str], capsys: Capture
) -> None:
    assert run([*files, *options]) == 0
    assert capsys.readouterr().out == expected


def test_without_options_it_is_the_conll_score_without_singletons_and_plurals(
    files: list[str], capsys: Capture
) -> None:
    assert run(files) == 0
    lines = capsys.readouterr().out.splitlines()
    assert lines[0] == (
        "The scorer is evaluating coreferential mentions using exact match evaluation "
        "setting."
    )
    assert lines[3::2] == ["muc", "bcub", "ceafe", "CoNLL score: 32.50"]


def test_discourse_deixis_is_read_from_its_own_column(
    tmp_path: Path, capsys: Capture
) -> None:
    sides = text_of(KEY, deixis=True), text_of(RESPONSE, deixis=True)
    files = _written(tmp_path, *sides)
    assert run([*files, "-t", "codicrac22dd"]) == 0
    captured = capsys.readouterr()
    assert captured.out.splitlines()[-1] == "CoNLL score: 46.64"
    assert captured.err == ""
    assert run([*files, "-d"]) == 0
    captured = capsys.readouterr()
    assert captured.out.splitlines()[-1] == "CoNLL score: 46.64"
    assert (
        captured.err == "warning: singletons and split antecedents are kept for this\n"
    )


@pytest.mark.parametrize(
    ("options", "what"),
    [
        (["-s"], "coreferential mentions, singletons"),
        (["-s", "-l"], "coreferential mentions, singletons, split-antecedents"),
        (["-z"], "coreferential mentions, zeros (using linear match method)"),
        (["-m", "mor"], ""),
        (["-m", "non-referring"], "non-referring mentions"),
        (["-m", "bridging"], ", bridging relations"),
        (
            ["-m", "non-referring", "bridging"],
            "non-referring mentionsbridging relations",
        ),
        (
            ["-m", "lea", "bridging"],
            "coreferential mentions, bridging relations",
        ),
    ],
)
def test_q27_the_first_line_has_the_official_commas(
    options: list[str], what: str, files: list[str], capsys: Capture
) -> None:
    assert run([*files, *options]) == 0
    assert capsys.readouterr().out.splitlines()[0] == (
        f"The scorer is evaluating {what} using exact match evaluation setting."
    )


@pytest.mark.parametrize("match", ["exact", "partial-corefud", "partial-craft"])
def test_the_first_line_names_the_match_as_the_engine_does(
    match: str, files: list[str], capsys: Capture
) -> None:
    assert run([*files, "-a", match]) == 0
    first = capsys.readouterr().out.splitlines()[0]
    assert first.endswith(f" using {match} match evaluation setting.")


def test_q27_three_lines_that_could_be_averaged_are_averaged(
    files: list[str], capsys: Capture
) -> None:
    assert run([*files, "-s", "-l", "-m", "muc", "muc", "bcub"]) == 0
    assert capsys.readouterr().out.endswith("CoNLL score: 28.86\n")
    assert run([*files, "-m", "muc", "bcub", "ceafe", "ceafe"]) == 0
    assert "CoNLL" not in capsys.readouterr().out


def test_conll_replaces_other_names_and_all_beats_conll(
    files: list[str], capsys: Capture
) -> None:
    assert run([*files, "-m", "lea", "conll"]) == 0
    assert capsys.readouterr().out.splitlines()[1].endswith(": muc, bcub, ceafe")
    assert run([*files, "-m", "conll", "all"]) == 0
    second = capsys.readouterr().out.splitlines()[1]
    assert second.endswith("lea, mention, mor, non-referring, bridging")


def test_q30_asked_for_discourse_deixis_and_plurals_it_is_discourse_deixis(
    files: list[str], capsys: Capture
) -> None:
    assert run([*files, "-d", "--only-split-antecedent", "-s", "-l"]) == 0
    captured = capsys.readouterr()
    assert captured.out.startswith("The scorer is evaluating discourse deixis using")
    first = captured.err.splitlines()[0]
    assert first == "warning: discourse deixis is evaluated, not split antecedents only"


@pytest.mark.parametrize("match", ["exact", "partial-corefud", "partial-craft"])
def test_mention_detection_goes_by_exact_words(
    match: str, files: list[str], capsys: Capture
) -> None:
    assert run([*files, "-s", "-m", "mention", "-a", match]) == 0
    last = capsys.readouterr().out.splitlines()[-1]
    assert last == "Recall: 75.00  Precision: 60.00  F1: 66.67"


@pytest.mark.parametrize(
    ("task", "last"),
    [
        ("crac18", "CoNLL score: 40.33"),
        ("craft19", "CoNLL score: 79.30"),
        ("codicrac22ar", "CoNLL score: 46.64"),
        ("codicrac22br", "Recall: 0.00  Precision: 0.00  F1: 0.00"),
        ("codicrac22dd", "CoNLL score: 0.00"),
    ],
)
def test_every_shared_task_of_universal_anaphora_has_its_options(
    task: str, last: str, files: list[str], capsys: Capture
) -> None:
    assert run([*files, "-t", task]) == 0
    assert capsys.readouterr().out.splitlines()[-1] == last


@pytest.mark.parametrize(
    ("task", "first"),
    [
        (
            "crac22",
            "coreferential mentions, singletons, zeros (using linear match method) \
using partial-corefud",
        ),
        (
            "crac23",
            "coreferential mentions, zeros (using linear match method) using head",
        ),
        (
            "crac24",
            "coreferential mentions, zeros (using dependent match method) using head",
        ),
    ],
)
def test_every_shared_task_of_corefud_has_its_options(
    task: str, first: str, corefud_files: list[str], capsys: Capture
) -> None:
    assert run([*corefud_files, "-t", task]) == 0
    lines = capsys.readouterr().out.splitlines()
    assert lines[0] == f"The scorer is evaluating {first} match evaluation setting."
    assert lines[1].endswith(": muc, bcub, ceafe, mor, zero")
    assert lines[4] == "Recall: 100.00  Precision: 50.00  F1: 66.67"


def test_conll_2012_is_scored_with_its_format_or_its_shared_task(
    conll_files: list[str], capsys: Capture
) -> None:
    assert run([*conll_files, "-t", "conll12"]) == 0
    by_task = capsys.readouterr().out
    assert run([*conll_files, "-f", "conll"]) == 0
    assert capsys.readouterr().out == by_task
    assert by_task.splitlines()[4] == "Recall: 100.00  Precision: 50.00  F1: 66.67"
    assert run([*conll_files, "-f", "conll", "-s", "-m", "all"]) == 0
    assert capsys.readouterr().out.splitlines()[1].endswith("blanc, lea, mention")


@pytest.mark.parametrize(
    ("options", "problems"),
    [
        (["-a", "head"], ["--match head is for the format corefud only"]),
        (["-m", "zero"], ["metric zero is for the format corefud only"]),
        (
            ["-z", "--zero-match-method", "dependent"],
            ["--zero-match-method dependent is for the format corefud only"],
        ),
        (
            ["--np-only", "--remove-nested-mentions"],
            [
                "--np-only is for the format conll only",
                "--remove-nested-mentions is for the format conll only",
            ],
        ),
        (
            ["-f", "corefud", "-l", "-d", "-a", "partial-craft", "-m", "bridging"],
            [
                "--keep-split-antecedents is for the format ua only",
                "--evaluate-discourse-deixis is for the format ua only",
                "--match partial-craft is for the format ua only",
                "metric bridging is for the format ua only",
            ],
        ),
        (
            ["-f", "conll", "--only-split-antecedent", "--allow-boundary-crossing"],
            [
                "--only-split-antecedent is for the format ua only",
                "--allow-boundary-crossing is for the format ua only",
            ],
        ),
        (
            ["-f", "corefud", "-m", "mention", "non-referring"],
            [
                "metric non-referring is for the format ua only",
                "metric mention is not for the format corefud; mor is",
            ],
        ),
    ],
)
def test_options_that_do_not_go_together_are_listed_one_a_line(
    options: list[str], problems: list[str], files: list[str], capsys: Capture
) -> None:
    assert run([*files, *options]) == 1
    captured = capsys.readouterr()
    assert captured.out == ""
    assert captured.err.splitlines() == [f"error: {problems[0]}", *problems[1:]]


def test_a_file_that_cannot_be_read_is_refused_without_a_traceback(
    files: list[str], capsys: Capture
) -> None:
    assert run([files[0], "nowhere.ua"]) == 1
    captured = capsys.readouterr()
    assert captured.out == ""
    assert captured.err.startswith("error: nowhere.ua: cannot be read")


def test_an_unknown_shared_task_is_bad_usage(files: list[str], capsys: Capture) -> None:
    with pytest.raises(SystemExit) as left:
        run([*files, "-t", "crac19"])
    assert left.value.code == 2
    captured = capsys.readouterr()
    assert captured.out == ""
    assert "invalid choice: 'crac19'" in captured.err


def test_brackets_that_cross_need_no_option(tmp_path: Path, capsys: Capture) -> None:
    text = universal("w w w w", e1="1-3", e2="2-4")
    files = _written(tmp_path, text, text)
    for options in ([], ["--allow-boundary-crossing"]):
        assert run([*files, "-s", "-m", "ceafm", *options]) == 0
        last = capsys.readouterr().out.splitlines()[-1]
        assert last == "Recall: 100.00  Precision: 100.00  F1: 100.00"
