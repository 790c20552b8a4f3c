"""What is no percentage is not shown as one, wherever it is shown."""

from __future__ import annotations

import pytest
from click.testing import CliRunner

import scoref
from scoref.cli import command
from scoref.figures import difference
from support.json_output import result_of

pytestmark = pytest.mark.usefixtures("wide")

KEY = {"d": [["a", "b", "c"], ["d", "e"]]}
RESPONSE = {"d": [["a", "b"], ["c", "d", "e"]]}
FILES = ("examples/many-key.conll", "examples/many-a.conll", "examples/many-b.conll")


def run(*words: str) -> str:
    result = CliRunner().invoke(command, [*words])
    assert result.exit_code == 0, result.output
    return result.stdout


def test_indices_stand_in_a_table_of_their_own() -> None:
    lines = run(*FILES[:2], "--metrics", "muc,ari,gmd").splitlines()
    assert lines[0].split() == ["Recall", "Precision", "F₁"]
    assert lines[3].split() == ["Value"]
    result = scoref.score(*FILES[:2], metrics="ari,gmd")
    assert lines[4].split()[-1] == f"{result.values['ari']:.4f}"
    assert lines[5].split()[-1] == f"{result.values['gmd']:.0f}"


def test_columns_of_systems_and_documents_have_their_scale() -> None:
    for more in ((FILES[2],), ("--per-document",)):
        rows = run(*FILES[:2], *more, "--metrics", "ari,gmd").splitlines()[1:3]
        for row in rows:
            index, count = row.split()[-2:]
            assert index.startswith(("0.", "1."))
            assert count.isdigit()


def test_the_smaller_distance_is_the_best() -> None:
    table = run(*FILES, "--metrics", "gmd", "--output", "markdown").splitlines()[2:4]
    counts = [int(row.split("|")[2].strip(" *")) for row in table]
    assert ["**" in row for row in table] == [each == min(counts) for each in counts]


def test_programs_get_a_value() -> None:
    written = result_of(run(*FILES[:2], "--metrics", "vi", "--output", "json"))
    found = scoref.score(*FILES[:2], metrics="vi").values["vi"]
    assert written["scores"]["vi"]["value"] == found
    assert "recall" not in written["scores"]["vi"]


def test_differences_have_the_scale_of_their_metric() -> None:
    text = run("compare", *FILES, "--metrics", "ari", "--resamples", "100")
    row = next(line for line in text.splitlines() if "Adjusted Rand index  +" in line)
    assert row.split("+")[1].startswith("0.")


def test_distances_are_not_compared() -> None:
    results = {
        name: scoref.score(KEY, RESPONSE, metrics="gmd") for name in ("one", "other")
    }
    with pytest.raises(scoref.OptionError, match="'gmd' is a distance"):
        scoref.compare(results)


def test_notebooks_have_the_figures_of_tables() -> None:
    result = scoref.score(*FILES[:2], metrics="muc,ari")
    shown = result._repr_html_()
    assert f"<td>{result.values['ari']:.4f}</td>" in shown
    assert f"<td>{100 * result.scores['muc'].f1:.2f}</td>" in shown


def test_notebooks_compare_on_the_scale_of_a_metric() -> None:
    systems = {each: scoref.score(FILES[0], each, metrics="ari") for each in FILES[1:]}
    found = scoref.compare(systems, resamples=100)
    shown = found._repr_html_()
    for figures in found.f1.values():
        assert f">{figures['ari']:.4f}<" in shown
    (row,) = found.differences
    assert f"{row.difference:+.4f}".replace("-", "−") in shown
    interval = scoref.confidence(systems[FILES[1]], resamples=100)
    low, high = interval.intervals["ari"]["f1"]
    assert f"{low:.4f}–{high:.4f}" in interval._repr_html_()


def test_differences_have_two_decimals_and_indices_four() -> None:
    assert difference("muc", 0.01234) == "+1.23"
    assert difference("vi", 0.01234) == "+0.0123"
