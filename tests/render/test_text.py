"""Text fits the terminal: tables stack, text is folded, and figures stay whole.

Lines are broken where a reader would break them, and nothing gets lost.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from hypothesis import given
from hypothesis import strategies as st

from scoref.render.report import (
    Cell,
    Column,
    Heading,
    Line,
    Listing,
    Part,
    Remarks,
    Report,
    Signatures,
    Table,
    columns,
)
from scoref.render.text import fold, render_text, width_of

if TYPE_CHECKING:
    from collections.abc import Sequence


def drawn(*parts: Part, width: int = 80) -> str:
    return render_text(Report(name="x", parts=lambda: parts, objects=list), width)


def test_figures_stand_on_the_right_and_names_on_the_left() -> None:
    table = Table(columns("F₁", "MUC", "CoNLL"), [["a", "1.00", "100.00"]])
    assert drawn(table) == "F₁   MUC   CoNLL\na   1.00  100.00"


def test_marks_stand_below_each_other() -> None:
    rows: list[list[str | Cell]] = [
        ["a", Cell("88.25", is_best=True, mark="b")],
        ["b", Cell("7.63")],
    ]
    expected = "F₁    MUC\na   88.25 b\nb    7.63"
    assert drawn(Table(columns("F₁", "MUC"), rows)) == expected


def test_a_table_without_labels_has_no_header() -> None:
    table = Table([Column("", "name"), Column("", "text")], [["a", "b c"]])
    assert drawn(table) == "a  b c"


def test_a_wide_table_is_stacked_into_parts_of_much_the_same_width() -> None:
    labels = ["one", "two", "three", "four", "five"]
    table = Table(columns("", *labels), [["row", *"12345"]])
    assert drawn(table, width=21) == (
        "     one  two  three\nrow    1    2      3\n\n     four  five\nrow     4     5"
    )


def test_all_columns_that_name_rows_are_repeated() -> None:
    names = [Column("who", "name"), Column("what", "name")]
    table = Table([*names, Column("one"), Column("two")], [["a", "b", "1", "2"]])
    assert drawn(table, width=15) == (
        "who  what  one\na    b       1\n\nwho  what  two\na    b       2"
    )


def test_text_is_folded_in_its_column() -> None:
    text = "percentages are cut after two decimals, not rounded"
    table = Table([Column("", "name"), Column("cause", "text")], [["a", text]])
    assert drawn(table, width=36) == (
        "   cause\na  percentages are cut after two\n   decimals, not rounded"
    )


def test_text_without_room_stands_in_a_table_of_its_own() -> None:
    table = Table(
        [*columns("F₁", "MUC", "CoNLL"), Column("cause", "text")],
        [["e2e-coref", "66.67", "59.62", "singletons are left out of one side"]],
    )
    assert drawn(table, width=40) == (
        "F₁           MUC  CoNLL\n"
        "e2e-coref  66.67  59.62\n"
        "\n"
        "F₁         cause\n"
        "e2e-coref  singletons are left out of\n"
        "           one side"
    )


def test_long_names_and_labels_are_folded() -> None:
    table = Table(columns("F₁", "our-best-system-with-seed-1"), [["a" * 50, "12.34"]])
    assert drawn(table, width=40) == (
        "F₁                    our-best-system-\n"
        "                           with-seed-1\n"
        "aaaaaaaaaaaaaaaaaaaa             12.34\n"
        "aaaaaaaaaaaaaaaaaaaa\n"
        "aaaaaaaaaa"
    )


def test_wide_characters_keep_columns_straight() -> None:
    table = Table(columns("", "F₁"), [["東京", "1.0"], ["a", "2.0"]])
    assert drawn(table) == "       F₁\n東京  1.0\na     2.0"


def test_signatures_are_folded_at_their_bars_and_remarks_at_blanks() -> None:
    parts = Signatures(["scoref:1.0.0|format:conll-2012"]), Remarks(["gain: in points"])
    assert drawn(*parts, width=20) == (
        "scoref:1.0.0|\nformat:conll-2012\n\ngain: in points"
    )


def test_what_is_laid_out_is_left_alone() -> None:
    lines = [Line("x" * 50, is_laid_out=True), Line("a b c d", is_laid_out=False)]
    assert drawn(Listing(lines), width=5) == f"{'x' * 50}\na b c\n  d"


def test_what_stands_out_is_painted_when_it_is_laid_out() -> None:
    line = Line("f:1: error[rule]: bad", style="error", start=5, end=10)
    table = Table(columns("", "F₁"), [["a", "1"]])
    report = Report(
        name="x", parts=lambda: [Heading("en"), table, Listing([line])], objects=list
    )
    painted = render_text(report, paint=lambda text, style: f"<{style} {text}>")
    assert painted == (
        "<header en>\n\n<header    F₁>\na   1\n\nf:1: <error error>[rule]: bad"
    )


def test_control_characters_are_seen() -> None:
    table = Table(columns("F₁", "a\x1b[31m"), [["b\n", Cell("1\x07")]], title="t\x1b")
    shown = drawn(table, Heading("\x1b"), Remarks(["\x1b"]), Listing([Line("\x1b")]))
    assert "\x1b" not in shown
    assert "\x07" not in shown


ROWS = st.lists(
    st.lists(st.sampled_from(["66.67", "100.00 [99.12, 100.00]", "–"]), min_size=9),
    min_size=1,
    max_size=4,
)

NAMES = st.text(st.sampled_from("ab/ -東"), min_size=1, max_size=70)


@given(rows=ROWS, name=NAMES, label=NAMES, text=NAMES, width=st.integers(50, 120))
def test_any_table_fits_and_has_every_figure(
    rows: Sequence[Sequence[str]], name: str, label: str, text: str, width: int
) -> None:
    figures = [Column(f"{label}{place}") for place in range(9)]
    table = Table(
        [Column("F₁", "name"), *figures, Column("cause", "text")],
        [[name, *row[:9], text] for row in rows],
    )
    shown = drawn(table, width=width)
    assert all(width_of(line) <= width for line in shown.split("\n"))
    wanted = [figure for row in rows for figure in row[:9]]
    assert sum(shown.count(each) for each in {*wanted} - {"–"}) >= len(
        [each for each in wanted if each != "–"]
    )


def test_what_goes_on_stands_further_to_the_right() -> None:
    line = Line("  fix: list a mention once")
    assert drawn(Listing([line]), width=20) == "  fix: list a\n    mention once"


SIGNATURE = "scoref:1.0.0|format:conll-2012|reading:strict|match:exact|singletons:keep"

TEXTS = st.text(st.sampled_from("ab |/,;-東é\u0301"), max_size=60).map(str.strip)


def test_what_fits_stays_as_it_is() -> None:
    assert fold("a line", 6) == ["a line"]


def test_lines_end_at_blanks_which_go() -> None:
    assert fold("one two three", 7) == ["one two", "three"]


def test_lines_behind_the_first_are_indented() -> None:
    assert fold("note: one two", 9, indent="  ") == ["note: one", "  two"]


def test_long_words_end_behind_a_separator() -> None:
    assert fold("runs/2026/model/a.conll", 12) == ["runs/2026/", "model/", "a.conll"]


def test_words_without_any_are_broken_all_the_same() -> None:
    assert fold("x" * 25, 10) == ["x" * 10, "x" * 10, "x" * 5]


def test_a_line_does_not_end_in_its_own_indentation() -> None:
    assert fold("    key  abcdefgh", 10) == ["    key", "abcdefgh"]


def test_wide_characters_take_two_columns() -> None:
    assert fold("東京タワー", 4) == ["東京", "タワ", "ー"]


def test_a_signature_is_its_lines_joined() -> None:
    lines = fold(SIGNATURE, 40, at="|")
    assert lines == [
        "scoref:1.0.0|format:conll-2012|",
        "reading:strict|match:exact|",
        "singletons:keep",
    ]
    assert "".join(lines) == SIGNATURE


@given(text=TEXTS, width=st.integers(4, 30), indent=st.sampled_from(["", "  "]))
def test_lines_fit_and_have_every_character(text: str, width: int, indent: str) -> None:
    lines = fold(text, width, indent=indent)
    assert all(width_of(line) <= width for line in lines)
    assert "".join("".join(lines).split()) == "".join(text.split())


GROUPED = Table(
    [
        Column("F₁", "name"),
        *(Column(figure, group="MUC") for figure in ("R", "P")),
        Column("F₁", group="CoNLL"),
    ],
    [["a", "1.00", "2.00", "3"]],
)


def test_a_common_heading_is_above_its_columns() -> None:
    assert drawn(GROUPED).split("\n") == [
        "       MUC      CoNLL",
        "F₁     R     P     F₁",
        "a   1.00  2.00      3",
    ]


def test_columns_with_a_common_heading_stay_together() -> None:
    first, second = drawn(GROUPED, width=18).split("\n\n")
    assert first.split("\n")[1].split() == ["F₁", "R", "P"]
    assert second.split("\n")[0].split() == ["CoNLL"]
