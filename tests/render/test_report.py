"""Reports: their outputs, and several reports as one."""

from __future__ import annotations

import json

import pytest

from scoref.errors import OptionError
from scoref.render import OUTPUTS, render
from scoref.render.csv import render_csv
from scoref.render.json import render_json
from scoref.render.markdown import render_markdown
from scoref.render.report import (
    Heading,
    Remarks,
    Report,
    Rows,
    Table,
    Unscored,
    columns,
    join_reports,
    rows_of,
)
from support.reports import TABLE, of_objects, of_parts


def test_reports_of_datasets_are_one_report() -> None:
    one = Report(
        name="x",
        parts=lambda: [Remarks(["1"])],
        objects=lambda: [{"a": 1}],
        rows=lambda: Rows(["b"], [[2]]),
        notes=["odd", "warning: wrong"],
    )
    other = of_objects({"dataset": None, "c": 3})
    lost = Unscored("de", None, "gone")
    both = join_reports("x", {"en": one, "fr": other}, [Remarks(["2"])], [lost])
    assert [*both.parts()] == [
        *(Heading("en"), Remarks(["1"])),
        *(Heading("fr"), Remarks(["2"])),
    ]
    assert [*both.objects()] == [{"dataset": "en", "a": 1}, {"dataset": "fr", "c": 3}]
    assert (both.notes, both.failures) == (["en: odd", "warning: en: wrong"], [lost])
    assert render_csv(both) == "dataset,b,c\nen,2,\nfr,,3"


def test_no_dataset_at_all_is_a_report_too() -> None:
    none = join_reports("x", {}, failures=[Unscored("en", None, "gone")])
    assert render_csv(none) == "dataset"
    assert render_markdown(none) == ""
    assert json.loads(render_json(none))["results"] == []


def test_rows_have_a_column_for_every_name() -> None:
    header, rows = rows_of([{"a": 1}, {"b": 2, "a": 3}], "c")
    assert header == ["c", "a", "b"]
    assert list(rows) == [[None, 1, None], [None, 3, 2]]


def test_a_table_has_a_header_if_a_column_has_a_label() -> None:
    assert TABLE.has_header
    assert not Table(columns("", ""), []).has_header


@pytest.mark.parametrize("output", OUTPUTS)
def test_every_output_renders_a_report(output: str) -> None:
    assert isinstance(render(of_parts(TABLE), output), str)


def test_another_output_is_refused() -> None:
    with pytest.raises(OptionError, match="pdf"):
        render(of_parts(TABLE), "pdf")
