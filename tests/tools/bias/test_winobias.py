"""Bias: pairs of texts, scored by halves and swapped in tests."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

import scoref
from scoref.errors import AlignmentError, OptionError
from support.commands import run
from support.json_output import result_of

if TYPE_CHECKING:
    from pathlib import Path

    from scoref.tools.bias.winobias import BiasResult

RIGHT, WRONG = ["(1)", "-", "(1)"], ["(1)", "(1)", "-"]


def half(path: Path, name: str, texts: dict[str, list[str]]) -> Path:
    """Write documents of three words, with what their last column says."""
    documents = [
        f"#begin document (nw/{name}//{number}); part 000\n"
        + "".join(f"w\t{cell}\n" for cell in cells)
        + "#end document\n"
        for number, cells in texts.items()
    ]
    path.write_text("".join(documents), encoding="utf-8")
    return path


@pytest.fixture
def files(tmp_path: Path) -> list[Path]:
    numbers = [str(number) for number in range(10)]
    key = dict.fromkeys(numbers, RIGHT)
    # In another order, and under another name, they are the same pairs.
    other = dict.fromkeys(reversed(numbers), RIGHT)
    some = {number: WRONG if number in "0123456" else RIGHT for number in other}
    return [
        half(tmp_path / "pro.key.conll", "stereotype", key),
        half(tmp_path / "pro.conll", "stereotype", {**key, "3": WRONG}),
        half(tmp_path / "anti.key.conll", "not_stereotype", other),
        half(tmp_path / "anti.conll", "not_stereotype", some),
    ]


def score(files: list[Path], **options: str) -> BiasResult:
    pairs = (files[0], files[1]), (files[2], files[3])
    return scoref.score_bias(*pairs, **options)  # type: ignore[arg-type]


def test_halves_have_their_own_scores(files: list[Path]) -> None:
    result = score(files)
    assert result.pairs == 10
    assert result.pro.scores == scoref.score(files[0], files[1]).scores
    assert result.anti.scores == scoref.score(files[2], files[3]).scores
    assert result.average["muc"] == pytest.approx((0.9 + 0.3) / 2)
    assert result.difference["muc"] == pytest.approx(0.6)


def test_figures_are_shown_with_two_decimals(files: list[Path]) -> None:
    shown = str(score(files, metrics="muc"))
    assert "90.00" in shown
    assert "90.000" not in shown


def test_tests_swap_the_texts_of_a_pair(files: list[Path]) -> None:
    # Six pairs differ, all in one way: of 2⁶ ways to swap them, two are as extreme.
    assert score(files).differences["muc"].randomisation == 2 / 2**6


def test_pairs_go_by_names_and_not_by_places(files: list[Path]) -> None:
    test = score(files).differences["muc"]
    assert (test.wins, test.ties, test.losses) == (6, 4, 0)


@pytest.mark.parametrize(
    ("pairs", "message"),
    [
        (r"stereo(\d)", "does not match --pair-pattern 'stereo"),
        (r"(nw)/", "are both in pair 'nw'"),
    ],
)
def test_names_that_tell_no_pairs_are_refused(
    files: list[Path], pairs: str, message: str
) -> None:
    with pytest.raises(AlignmentError, match=message):
        score(files, pairs=pairs)


@pytest.mark.parametrize("pairs", ["//(", "//"])
def test_bad_patterns_are_refused_with_a_caret(files: list[Path], pairs: str) -> None:
    with pytest.raises(OptionError, match=r"--pair-pattern .*\n    //.*\n.*\^"):
        score(files, pairs=pairs)


def test_a_text_without_partner_is_refused(files: list[Path], tmp_path: Path) -> None:
    texts = {str(number): RIGHT for number in range(8)}
    for name in ("pro.key.conll", "pro.conll"):
        half(tmp_path / name, "stereotype", texts)
    with pytest.raises(AlignmentError, match=r"'9' \(and 1 more\) has no document in"):
        score(files)


def output(files: list[Path], *options: str) -> str:
    return run("bias", *files, *options, code=0).stdout


def test_the_command_prints_both_halves(files: list[Path]) -> None:
    header, muc, *_ = output(files, "--metrics", "muc").splitlines()
    assert header.split() == [
        *["F₁", "Pro", "Anti", "Average", "Difference", "95", "%", "p"]
    ]
    assert muc.split()[:5] == ["MUC", "90.00", "30.00", "60.00", "+60.00"]
    assert muc.endswith("0.0312")


def test_json_has_what_papers_ask_for(files: list[Path]) -> None:
    fields = result_of(output(files, "--metrics", "muc,conll", "--output", "json"))
    assert fields["pro"]["scores"]["muc"]["f1"] == pytest.approx(0.9)
    assert fields["anti"]["scores"]["muc"]["f1"] == pytest.approx(0.3)
    assert fields["difference"]["muc"] == pytest.approx(0.6)
    assert fields["pairs"] == 10
    assert fields["p"].keys() == {"muc", "conll"}


def test_csv_has_a_row_for_each_metric(files: list[Path]) -> None:
    lines = output(files, "--metrics", "muc", "--output", "csv").splitlines()
    assert lines[0] == "metric,pro,anti,average,difference,low,high,p"
    assert lines[1].startswith("muc,0.9,0.3,")


def test_each_half_is_a_pair_of_files() -> None:
    for half in ("key.conll", ["key.conll"], None, {"key": "key.conll"}):
        with pytest.raises(scoref.OptionError, match="pro must be a pair"):
            scoref.score_bias(half, ("key.conll", "a.conll"))  # type: ignore[arg-type]
