"""The drop-in against what the CorefUD scorer prints."""

from pathlib import Path

import pytest

from scoref.dropins.corefud import run
from support.paths import ROOT

GOLDEN = ROOT / "tests" / "golden" / "corefud"
Capture = pytest.CaptureFixture[str]

HEADER = "# newdoc id = d\n# global.Entity = eid-etype-head-other\n# sent_id = 1\n"
KEY = HEADER + "".join(
    f"{row}\tw\t_\tX\t_\t_\t0\troot\t_\t{misc}\n"
    for row, misc in enumerate(
        ["Entity=(e1-x-1-)", "Entity=(e1-x-1-)", "Entity=(e2-x-1-)", "_"], start=1
    )
)
RESPONSE = KEY.replace("e2", "e1")


@pytest.fixture
def files(tmp_path: Path) -> list[str]:
    paths = tmp_path / "key.conllu", tmp_path / "response.conllu"
    for path, text in zip(paths, (KEY, RESPONSE), strict=True):
        path.write_text(text + "\n")
    return [str(path) for path in paths]


def test_all_metrics_are_printed_in_the_official_order(
    files: list[str], capsys: Capture
) -> None:
    assert run(files) == 0
    assert (
        capsys.readouterr().out
        == """\
The scorer is evaluating coreferential mentions, zeros (using dependent match method) \
using head match evaluation setting.
The following metrics will be evaluated: muc, bcub, ceafe, ceafm, blanc, lea, mor, zero

muc
Recall: 100.00  Precision: 50.00  F1: 66.67
bcub
Recall: 100.00  Precision: 44.44  F1: 61.54
ceafe
Recall: 80.00  Precision: 80.00  F1: 80.00
ceafm
Recall: 100.00  Precision: 66.67  F1: 80.00
blanc
Recall: 100.00  Precision: 33.33  F1: 50.00
lea
Recall: 100.00  Precision: 33.33  F1: 50.00
mor
Recall: 100.00  Precision: 66.67  F1: 80.00
zero
Recall: 0.00  Precision: 0.00  F1: 0.00
CoNLL score: 69.40
"""
    )


@pytest.mark.parametrize(
    ("options", "line"),
    [
        (["-s"], "coreferential mentions, singletons, zeros (using dependent match "),
        (["-z", "linear"], "mentions, zeros (using linear match method) using head"),
        (["-a", "partial"], "using partial-corefud match evaluation setting."),
        (["-x", "-a", "head"], "using exact match evaluation setting."),
        (["-m", "mor"], "The scorer is evaluating  using head match evaluation"),
    ],
)
def test_the_first_line_tells_the_setting(
    options: list[str], line: str, files: list[str], capsys: Capture
) -> None:
    assert run([*files, *options]) == 0
    assert line in capsys.readouterr().out.splitlines()[0]


def test_metrics_come_in_the_order_of_the_request_and_as_often(
    files: list[str], capsys: Capture
) -> None:
    # Three lines that could be averaged are averaged, whichever they are.
    assert run(["-m", "muc", "muc", "bcub", "--", *files]) == 0
    lines = capsys.readouterr().out.splitlines()
    assert lines[1].endswith(": muc, muc, bcub")
    assert lines[3::2] == ["muc", "muc", "bcub", "CoNLL score: 64.96"]


def test_without_the_three_there_is_no_average(
    files: list[str], capsys: Capture
) -> None:
    assert run([*files, "-m", "muc", "bcub", "ceafe", "ceafe"]) == 0
    assert "CoNLL" not in capsys.readouterr().out


def test_all_beats_other_names(files: list[str], capsys: Capture) -> None:
    assert run([*files, "-m", "lea", "all"]) == 0
    assert ": muc, bcub, ceafe, ceafm" in capsys.readouterr().out


def test_a_file_that_cannot_be_read_is_refused_without_a_traceback(
    files: list[str], capsys: Capture
) -> None:
    assert run([files[0], "nowhere.conllu"]) == 1
    captured = capsys.readouterr()
    assert captured.out == ""
    assert captured.err.startswith("error: nowhere.conllu: cannot be read")


def test_an_unknown_metric_is_bad_usage(files: list[str], capsys: Capture) -> None:
    with pytest.raises(SystemExit) as left:
        run([*files, "-m", "b3"])
    assert left.value.code == 2
    captured = capsys.readouterr()
    assert captured.out == ""
    assert "argument -m/--metrics: invalid choice: 'b3'" in captured.err


def _singles(entities: str) -> str:
    """Write a sentence of one-word mentions, each with its entity; - is none."""
    rows = [
        f"{row}\tw\t_\tX\t_\t_\t0\troot\t_\t"
        + ("_" if entity == "-" else f"Entity=(e{entity}-x-1-)")
        for row, entity in enumerate(entities, start=1)
    ]
    return HEADER + "\n".join(rows) + "\n\n"


def test_a_sum_that_ends_on_a_half_is_rounded_as_in_the_official_order(
    files: list[str], capsys: Capture
) -> None:
    # B³'s recall is (5/4 + 1/1 + 3/3) / 8 = 40.625 %; thirds one by one are more.
    for path, entities in zip(files, ("11112333", "112-3456"), strict=True):
        Path(path).write_text(_singles(entities))
    assert run([*files, "-s", "-m", "bcub"]) == 0
    printed = capsys.readouterr().out.splitlines()[-1]
    assert printed == "Recall: 40.62  Precision: 100.00  F1: 57.78"


def test_the_usage_has_the_short_names_of_options(
    monkeypatch: pytest.MonkeyPatch, capsys: Capture
) -> None:
    monkeypatch.setenv("COLUMNS", "300")
    with pytest.raises(SystemExit):
        run(["-h"])
    usage = capsys.readouterr().out.split("\n\n")[0]
    assert "[-s] [-a {exact,partial,head}] [-x]" in " ".join(usage.split())
