"""Tables, rows and plots of a census."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from scoref.errors import OptionError
from scoref.formats.fingerprints import fingerprint
from scoref.formats.reading import read_data
from scoref.tools.stats import rendering
from scoref.tools.stats.census import CensusRow, count
from scoref.tools.stats.rendering import by_size, census_report, plot_sizes

if TYPE_CHECKING:
    from pathlib import Path

    from scoref.render.report import Report

LINE = b'{"doc_key": "d", "clusters": [[[0, 1], [3, 3]], [[5, 5]]]}'


def report_of(*names: str, per_document: bool = False) -> Report:
    corpus = read_data(LINE, source="x", role="key", with_tokens=True)
    files = dict.fromkeys(names, count(corpus))
    keys = dict.fromkeys(names, fingerprint(corpus))
    return census_report(files, keys, per_document=per_document)


def test_classes_of_sizes_include_both_ends() -> None:
    row = CensusRow({}, {1: 4, 2: 1, 3: 1, 5: 2, 6: 1, 20: 1, 21: 1, 99: 1}, None)
    assert by_size(row) == {
        "1": 4,
        "2": 1,
        "3-5": 3,
        "6-10": 1,
        "11-20": 1,
        "21-": 2,
    }


def test_csv_has_the_counts_rates_and_sizes_of_each_file() -> None:
    header, rows = report_of("a", "b").table
    assert list(header) == ["file", "what", "value"]
    values = {(row[0], row[1]): row[2] for row in rows}
    assert values["a", "mentions"] == values["b", "mentions"] == 3
    assert values["a", "words_in_mentions"] == 4
    assert values["a", "mentions_per_entity"] == 1.5
    assert values["a", "entities_of_2"] == 1
    assert values["a", "words"] is None


def test_csv_has_the_document_if_there_is_a_row_for_each() -> None:
    header, rows = report_of("a", per_document=True).table
    assert list(header) == ["file", "document", "what", "value"]
    assert {(row[0], row[1]) for row in rows} == {("a", "d")}


def test_without_files_there_is_nothing_to_show() -> None:
    report = report_of()
    assert list(report.parts()) == []
    assert list(report.objects()) == []


def test_a_plot_needs_an_entity(tmp_path: Path) -> None:
    pytest.importorskip("matplotlib")
    corpus = read_data(b'{"doc_key": "d", "clusters": []}', source="x", role="key")
    with pytest.raises(OptionError, match="there are no entities to plot"):
        plot_sizes(tmp_path / "x.svg", {"x": count(corpus)})
    assert not list(tmp_path.iterdir())


def test_bars_are_percentages_of_the_entities_of_a_file() -> None:
    figure = pytest.importorskip("matplotlib.figure").Figure()
    axes = figure.subplots()
    rendering._draw(axes, ["1", "2"], [("a", [3, 1]), ("none", [0, 0])])  # noqa: SLF001
    assert [bar.get_width() for bar in axes.patches] == [75, 25, 0, 0]
