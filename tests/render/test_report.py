"""One report, five renderers: what each of them makes of the same parts."""

import json
import math

from scoref.render.csv import render_csv
from scoref.render.json import render_json
from scoref.render.latex import render_latex
from scoref.render.markdown import render_markdown
from scoref.render.report import (
    Cell,
    Column,
    Heading,
    Line,
    Listing,
    Part,
    Remarks,
    Report,
    Rows,
    Signatures,
    Table,
    Unscored,
    columns,
    join_reports,
)

TABLE = Table(
    [*columns("F1", "B³"), Column("cause", "text")],
    [["a_1 & b", Cell("66.67", is_best=True, mark="b"), "<none>"], ["[x]", "–", ""]],
    title="50 %",
)


def parts(*given: Part) -> Report:
    return Report(name="x", parts=lambda: given, objects=list)


def of_objects(*objects: dict[str, object], **more: object) -> Report:
    return Report(name="x", parts=list, objects=lambda: objects, **more)  # type: ignore[arg-type]


def test_markdown_has_pipes_and_escapes_markup() -> None:
    assert render_markdown(parts(TABLE)) == (
        "50 %\n\n"
        "| F1 | B³ | cause |\n"
        "| --- | --: | --- |\n"
        "| a_1 \\& b | **66.67**<sup>b</sup> | \\<none\\> |\n"
        "| [x] | – |  |"
    )


def test_markdown_has_headings_code_and_paragraphs() -> None:
    lines = [Line("f:1: error"), Line("    ^^", is_laid_out=True)]
    given = (
        Heading("en"),
        Signatures(["a:1|b:2"]),
        Remarks(["* 1", "2"]),
        Listing(lines),
    )
    assert render_markdown(parts(*given)) == (
        "## en\n\n`a:1|b:2`\n\n\\* 1\n\n2\n\n    f:1: error\n        ^^"
    )


def test_latex_has_tabulars_and_escapes_commands() -> None:
    assert render_latex(parts(TABLE)) == (
        "% 50 %\n\n"
        "\\begin{tabular}{lrl}\n"
        "\\toprule\n"
        "F1 & B$^3$ & cause \\\\\n"
        "\\midrule\n"
        "a\\_1 \\& b & \\textbf{66.67}\\textsuperscript{b} & <none> \\\\\n"
        "{[}x] & -- &  \\\\\n"
        "\\bottomrule\n"
        "\\end{tabular}"
    )


def test_latex_has_all_else_in_comments() -> None:
    given = Heading("en"), Signatures(["a"]), Remarks(["b", "c"]), Listing([Line("d")])
    assert render_latex(parts(*given)) == "% en\n\n% a\n\n% b\n% c\n\n% d"


def test_json_has_the_same_four_fields_whatever_there_is() -> None:
    assert json.loads(render_json(of_objects())) == {
        "schema": "scoref/x/1",
        "results": [],
        "failures": [],
        "notes": [],
    }


def test_json_has_what_was_lost_and_noted_and_more() -> None:
    lost = Unscored("en", "ours", "en.conll:1: no")
    report = of_objects(
        {"f1": 1 / 3}, failures=[lost], notes=["a"], more={"macro": []}, version=2
    )
    assert json.loads(render_json(report)) == {
        "schema": "scoref/x/2",
        "macro": [],
        "results": [{"f1": 1 / 3}],
        "failures": [
            {"dataset": "en", "response": "ours", "message": "en.conll:1: no"}
        ],
        "notes": ["a"],
    }


def test_json_has_no_word_for_what_is_not_a_number() -> None:
    found = render_json(of_objects({"a": [math.nan, {"b": math.inf}], "c": (1.5,)}))
    assert json.loads(found)["results"] == [{"a": [None, {"b": None}], "c": [1.5]}]


def test_csv_is_made_of_flat_objects_if_nothing_else_is_said() -> None:
    report = of_objects({"a": 1, "b": None}, {"a": 0.1 + 0.2, "c": "x,y"})
    assert render_csv(report) == 'a,b,c\n1,,\n0.30000000000000004,,"x,y"'


def test_csv_computes_nothing_and_has_no_nan() -> None:
    rows = Rows(["=a"], [["=1+1"], ["-0.5"], [math.nan], [" @x"]])
    found = render_csv(Report(name="x", parts=list, objects=list, rows=lambda: rows))
    assert found.split("\n") == ["'=a", "'=1+1", "-0.5", '""', "' @x"]


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
