"""Reports and plots of a multiverse."""

from __future__ import annotations

import csv
import io
import json
import re
from types import SimpleNamespace
from typing import TYPE_CHECKING, Any

import pytest

import scoref
from scoref.tools.compare import multiverse_rendering
from support.commands import run
from support.json_output import result_of
from support.paths import EXAMPLES

if TYPE_CHECKING:
    from pathlib import Path

pytestmark = pytest.mark.usefixtures("wide")

KEY = str(EXAMPLES / "many-key.conll")
FILES = [f"{name}={EXAMPLES / f'many-{name}.conll'}" for name in ("a", "b", "c")]
CALL = ("multiverse", KEY, *FILES, "--resamples", "50", "--metrics", "muc,conll")


def report(*arguments: str) -> str:
    return run(*CALL, *arguments, code=0).stdout


def test_text_has_systems_orders_pairs_and_choices() -> None:
    blocks = report().split("\n\n")
    firsts = [block.split("\n")[0].split()[0] for block in blocks[:4]]
    assert firsts == ["System", "singletons", "Pair", "Choice"]
    orders = [line.split()[2:] for line in blocks[1].split("\n")]
    assert orders[0] == ["MUC", "CoNLL"]
    assert [[order.rstrip("?") for order in row] for row in orders[1:]] == [
        ["acb", "abc"],
        ["acb", "abc"],
        ["acb", "acb"],
        ["acb", "acb"],
    ]
    assert "settings:8|resamples:50|seed:2014" in blocks[4]


def test_csv_has_a_row_for_each_system_in_each_setting() -> None:
    rows = list(csv.DictReader(io.StringIO(report("--output", "csv"))))
    assert len(rows) == 8 * 3
    first = rows[0]
    assert (first["singletons"], first["metric"], first["system"]) == (
        *("keep", "muc"),
        "a",
    )
    expected = scoref.score(KEY, FILES[0].partition("=")[2]).scores["muc"].f1
    assert float(first["f1"]) == expected
    assert (first["rank"], first["wins"]) == ("1", "True")
    shares = [float(row["won_resamples"]) for row in rows[:3]]
    assert shares == [0.8, 0, 0.2]


def test_json_has_all_of_it() -> None:
    fields = result_of(report("--output", "json"))
    assert len(fields["settings"]) == 8
    assert [choice["name"] for choice in fields["choices"]] == [
        *("metric", "singletons", "average"),
    ]
    assert fields["same_order"] == 0.25
    assert json.dumps(fields, allow_nan=False)


@pytest.mark.parametrize("output", ["markdown", "latex"])
def test_other_outputs_have_the_tables(output: str) -> None:
    assert "acb" in report("--output", output)


@pytest.mark.parametrize("suffix", ["svg", "png", "html"])
def test_a_plot_is_drawn(suffix: str, tmp_path: Path) -> None:
    pytest.importorskip("matplotlib")
    path = tmp_path / f"settings.{suffix}"
    report("--plot", str(path))
    data = path.read_bytes()
    assert data[:4] == b"\x89PNG" if suffix == "png" else b"3 systems in 8" in data
    if suffix == "html":
        assert b"<title>MUC: 4 settings, won by a 4, b 0, c 0</title>" in data
    again = tmp_path / f"again.{suffix}"
    report("--plot", str(again))
    assert again.read_bytes() == data


def test_a_plot_begins_with_the_settings_in_which_the_best_system_leads_most(
    tmp_path: Path,
) -> None:
    pytest.importorskip("matplotlib")
    path = tmp_path / "settings.svg"
    metrics = "muc,bcub,ceafm,ceafe,blanc,lea,conll"
    report("--metrics", metrics, "--plot", str(path))
    assert "seed:2014" in path.read_text(encoding="utf-8")
    assert "F₁ minus the mean of all systems" in path.read_text(encoding="utf-8")
    groups = re.findall(
        r'id="PathCollection_\d+">(.*?)</g>\s*</g>',
        path.read_text(encoding="utf-8"),
        re.DOTALL,
    )
    heights = [[-float(y) for y in re.findall(r' y="([\d.]+)"', g)] for g in groups]
    _, *systems = heights[:4]  # the choices come first, and the legend last
    best, *others = systems
    assert len(best) > 20
    leads = [one - max(rest) for one, *rest in zip(best, *others, strict=True)]
    assert leads == sorted(leads, reverse=True)
    assert leads[0] > leads[-1]


@pytest.mark.parametrize(("level", "order"), [("80", "acb"), ("81", "acb?")])
def test_an_order_is_sure_if_the_winner_leads_in_as_many_resamples(
    level: str, order: str
) -> None:
    orders = report("--confidence", level).split("\n\n")[1].split("\n")
    assert orders[1].split()[2] == order


def test_hovering_counts_the_settings_with_a_choice() -> None:
    outcomes = [("muc", "keep", "a"), ("muc", "drop", "b"), ("conll", "drop", "b")]
    settings = [
        SimpleNamespace(metric=metric, choices={"singletons": value}, winner=winner)
        for metric, value, winner in outcomes
    ]
    pytest.importorskip("matplotlib")
    multiverse: Any = SimpleNamespace(settings=settings, systems=("a", "b"))
    for name, value, expected in (
        ("singletons", "drop", "singletons: drop: 2 settings, won by a 0, b 2"),
        ("metric", "muc", "MUC: 2 settings, won by a 1, b 1"),
    ):
        assert multiverse_rendering._hover(multiverse, name, value) == expected  # noqa: SLF001
