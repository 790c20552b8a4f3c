"""The same digits on every Python: from 3.12 on, `sum` rounds floats in another way."""

from __future__ import annotations

import builtins
import sys
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np
import pytest
from click.testing import CliRunner

import scoref
from scoref.cli import command
from scoref.dropins import corefud, ua
from scoref.metrics.conll import CONLL
from scoref.records.table.command import command as table
from scoref.tools.compare.command import command as compare
from scoref.tools.explain.command import command as explain
from scoref.tools.report.command import command as report
from support.paths import EXAMPLES

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    import click

FILES = [str(EXAMPLES / f"many-{name}.conll") for name in ("key", "a", "b")]
COREFUD, UNIVERSAL, TABLES = (
    [str(EXAMPLES / f"{name}{side}.{ending}") for side in ("key", "response")]
    for name, ending in (("corefud-", "conllu"), ("ua-", "ua"), ("table-", "tsv"))
)


@pytest.fixture
def no_sums_of_floats(monkeypatch: pytest.MonkeyPatch) -> None:
    """Refuse the built-in `sum` wherever scoref gives it a float."""
    plain: Callable[..., object] = builtins.sum

    def sum_of_no_floats(numbers: Iterable[object], start: object = 0) -> object:
        listed = list(numbers)
        caller = sys._getframe(1).f_globals.get("__name__", "")  # noqa: SLF001 - who asks
        if caller.split(".")[0] == "scoref":
            floats = [each for each in (*listed, start) if isinstance(each, float)]
            assert not floats, f"{caller} adds floats by sum"
        return plain(listed, start)

    monkeypatch.setattr(builtins, "sum", sum_of_no_floats)


@pytest.mark.usefixtures("no_sums_of_floats")
@pytest.mark.parametrize(
    ("program", "arguments"),
    [
        (command, [*FILES]),
        (command, [*FILES, "--per-document"]),
        (command, [*FILES, "--average", "macro", "--confidence"]),
        (command, [*FILES, "--by", "mention-length"]),
        (command, [*FILES[:2], "--window", "20"]),
        (compare, [*FILES, "--resamples", "99"]),
        (explain, FILES[:2]),
        (report, [*FILES, "-o", "-", "--resamples", "99"]),
        (table, [*TABLES, "--metrics", "all"]),
    ],
)
def test_no_command_adds_floats_by_sum(
    program: click.Command, arguments: list[str]
) -> None:
    result = CliRunner().invoke(program, arguments, catch_exceptions=False)
    assert result.exit_code == 0, result.output


@pytest.mark.usefixtures("no_sums_of_floats")
def test_no_drop_in_adds_floats_by_sum() -> None:
    assert corefud.run(COREFUD) == 0
    assert ua.run(UNIVERSAL) == 0


@pytest.mark.usefixtures("no_sums_of_floats")
def test_no_macro_average_over_datasets_adds_floats_by_sum(tmp_path: Path) -> None:
    for file, name in zip(FILES, ("key", "one", "two"), strict=True):
        (tmp_path / name).mkdir()
        for dataset in ("x", "y"):
            (tmp_path / name / f"{dataset}.conll").write_bytes(Path(file).read_bytes())
    systems = [tmp_path / "one", tmp_path / "two"]
    found = scoref.score_folders(tmp_path / "key", systems, jobs=1, folder="datasets")
    assert 0 < (found.macro(str(systems[0]), "default", "conll") or 0) < 1


def test_the_conll_score_is_added_from_left_to_right() -> None:
    # `sum` gives 0.6000000000000001 / 3 before Python 3.12, and 0.6 / 3 after.
    assert CONLL.mean([0.1, 0.2, 0.3]) == 0.20000000000000004
    assert CONLL.mean([*np.array([[0.1], [0.2], [0.3]])]).tolist() == [
        0.20000000000000004
    ]
