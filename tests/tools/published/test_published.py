"""Published results: the data, the rank of a new system, and what speaks against it."""

from __future__ import annotations

import csv
import dataclasses
import io
import re
import subprocess
import sys
from typing import TYPE_CHECKING

import numpy as np
import pytest

import scoref
from scoref import SCHEMES, OptionError, Result, fingerprint
from scoref.fingerprint import (
    DocumentPrint,
    Fingerprint,
    Recognised,
    known_key,
    known_keys,
)
from scoref.metrics import conll
from scoref.render import render
from scoref.scoring.datasets import DatasetResults
from scoref.tools.published import beside, beside_datasets, names, table
from scoref.tools.published.command import placed_report, published_report
from support.json_output import result_of

if TYPE_CHECKING:
    from scoref.tools.published import PlacedTable, Published, PublishedRow

ALL = list(names())
TABLES = ALL[:4]  # of Pradhan et al.
ENGLISH = "conll-2012-english"
OUTPUTS = ["text", "markdown", "latex", "csv", "json"]
PRINTED_OTHERWISE = {("conll-2011-english", "kobdani"), (ENGLISH, "stamborg")}


def render_placed(placed: PlacedTable, output: str) -> str:
    return render(placed_report(placed, output), output)


def render_published(published: Published, output: str) -> str:
    return render(published_report(published), output)


every_table = pytest.mark.parametrize("name", ALL)
each_table = pytest.mark.parametrize("name", TABLES)
each_output = pytest.mark.parametrize("output", OUTPUTS)


def result_with(
    percentage: float = 50.0, *, part: str = "(bc/cctv/00/cctv_0005); part {:03}"
) -> Result:
    """Make what a run on the English test set would give, the same F1 in all."""
    rows = np.zeros((348, 4))
    rows[0] = 1000 * np.array([percentage, 100, percentage, 100])
    links = np.zeros((348, 6))
    links[0] = 1000 * np.array([percentage, 100, 100, percentage, 100, 100])
    ratios = dict.fromkeys(["mentions", "muc", "bcub", "ceafm", "ceafe"], rows)
    return Result(
        key="key.conll",
        response="response.conll",
        format="conll-2012",
        scheme=SCHEMES["conll-2012"],
        metrics=(*ratios, "blanc", "conll"),
        documents=tuple(part.format(number) for number in range(348)),
        counts={**ratios, "blanc": links},
    )


def figures(name: str, system: str) -> list[float | None]:
    (row,) = (row for row in table(name).rows if row.system == system)
    return list(row.scores.values())


def kinds(result: Result, name: str = ENGLISH) -> list[str]:
    return [note.kind for note in beside(result, name, "mine").notes]


def message(result: Result, name: str = ENGLISH) -> str:
    (note,) = beside(result, name, "mine").notes
    return note.message


def test_there_are_fourteen_tables_with_99_rows() -> None:
    assert {name: len(table(name).rows) for name in ALL} == {
        "conll-2011-english": 18,
        "conll-2012-english": 15,
        "conll-2012-chinese": 13,
        "conll-2012-arabic": 7,
        "conll-2012-english-neural": 27,
        "conll-2012-arabic-neural": 1,
        "conll-2012-chinese-neural": 1,
        "litbank-ten-folds": 2,
        "litbank-one-fold": 5,
        "preco-test": 5,
        "bookcoref-full": 1,
        "crac-2023-corefud-1.1-test": 1,
        "crac-2023-corefud-1.1-dev": 1,
        "crac-2024-corefud-1.2-test": 2,
    }


def test_names_come_with_a_line_about_each() -> None:
    assert names()[ENGLISH] == "CoNLL-2012 English, official closed track: 15 systems"


@pytest.mark.parametrize(
    ("name", "system", "printed"),
    [
        ("conll-2011-english", "lee", [70.7, 59.6, 48.9, 53.0, 46.1, 48.8, 51.5]),
        ("conll-2011-english", "irwin", [26.7, 20.0, 11.7, 18.5, 14.7, 6.3, 15.5]),
        ("conll-2011-english", "kobdani", [61.0, 53.5, 34.8, 38.1, 34.1, 32.6, 38.7]),
        (ENGLISH, "fernandes", [77.7, 70.5, 57.6, 61.4, 53.9, 58.8, 60.7]),
        (ENGLISH, "stamborg", [73.9, 65.1, 51.7, 55.1, 46.6, 54.4, 54.2]),
        (ENGLISH, "li", [59.9, 50.8, 32.3, 36.3, 25.2, 31.9, 36.1]),
        ("conll-2012-chinese", "chen", [71.6, 62.2, 55.7, 60.0, 55.0, 54.1, 57.6]),
        ("conll-2012-chinese", "zhekova", [47.3, 40.6, 28.1, 31.4, 21.2, 22.9, 30.0]),
        ("conll-2012-arabic", "fernandes", [64.8, 46.5, 42.5, 49.2, 46.5, 38.0, 45.2]),
        ("conll-2012-arabic", "li", [29.7, 18.1, 13.1, 21.0, 17.3, 8.4, 16.2]),
    ],
)
def test_figures_are_those_of_the_paper(
    name: str, system: str, printed: list[float]
) -> None:
    assert figures(name, system) == [round(each / 100, 3) for each in printed]


@each_table
def test_the_average_fits_but_for_two_rows_that_are_printed_otherwise(
    name: str,
) -> None:
    # Four figures, each rounded by up to 0.05: up to 0.1 apart.
    misfits = {
        (name, row.system) for row in table(name).rows if abs(_gap(row)) > 0.001 + 1e-9
    }
    assert misfits == {each for each in PRINTED_OTHERWISE if each[0] == name}


def _gap(row: PublishedRow) -> float:
    parts = [row.scores[part] or 0 for part in conll.PARTS]
    return sum(parts) / 3 - (row.scores["conll"] or 0)


@each_table
def test_every_row_has_a_figure_for_every_column(name: str) -> None:
    found = table(name)
    assert found.columns == (
        *("mentions", "muc", "bcub", "ceafm", "ceafe", "blanc"),
        "conll",
    )
    (source,) = found.sources
    assert source.title.startswith("Pradhan")
    assert source.url.endswith("10.3115/v1/P14-2006")


@every_table
def test_a_table_has_all_its_figures_a_source_for_each_and_a_scheme(name: str) -> None:
    found = table(name)
    assert found.scheme in SCHEMES
    assert found.ranking in found.columns
    assert {*found.keys} <= {known.name for known in known_keys()}
    for row in found.rows:
        assert tuple(row.scores) == found.columns
        assert row.source is not None
        assert row.source.url.startswith("https://")
        assert row.source.evidence in {"paper", "authors", "collection"}
        assert all(0 < (score or 0) < 1 for score in row.scores.values())


@pytest.mark.parametrize(
    ("name", "allowed"),
    [
        ("crac-2023-corefud-1.1-test", 0.00005),
        ("crac-2023-corefud-1.1-dev", 0.00005),
        # Datasets have one decimal here, so that up to 0.05 is rounding.
        ("crac-2024-corefud-1.2-test", 0.0005),
    ],
)
def test_macro_averages_are_those_of_the_datasets(name: str, allowed: float) -> None:
    for row in table(name).rows:
        datasets = [row.scores[each] or 0 for each in table(name).datasets]
        mean = sum(datasets) / len(datasets)
        assert mean == pytest.approx(row.scores["macro"], abs=allowed + 1e-9)


def test_the_average_of_bookcoref_is_that_of_its_metrics() -> None:
    (row,) = table("bookcoref-full").rows
    assert _gap(row) == pytest.approx(0, abs=0.0001)


@every_table
def test_no_system_stands_twice_in_a_table(name: str) -> None:
    systems = [row.system for row in table(name).rows]
    assert len(set(systems)) == len(systems)


@pytest.mark.parametrize(
    ("alias", "name"),
    [
        ("conll-2011", "conll-2011-english"),
        ("conll-2012-zh", "conll-2012-chinese"),
        ("CoNLL-2012-English", ENGLISH),
        ("litbank", "litbank-ten-folds"),
    ],
)
def test_a_table_has_shorter_names(alias: str, name: str) -> None:
    assert table(alias) is table(name)


def test_an_unknown_table_is_refused_with_the_nearest_one() -> None:
    with pytest.raises(OptionError, match="did you mean 'conll-2012-english'"):
        table("conll-2012-englsh")


def test_a_new_system_stands_at_its_rank() -> None:
    placed = beside(result_with(57.5), ENGLISH, "mine")
    assert [row.system for row in placed.rows[:4]] == [
        *("fernandes", "martschat", "mine"),
        "bjorkelund",
    ]
    assert (placed.rank, placed.place, placed.system) == (3, 2, "mine")
    assert len(placed.rows) == 16


@pytest.mark.parametrize(
    ("percentage", "rank", "place"), [(99.0, 1, 0), (0.0, 16, 15), (60.74, 1, 1)]
)
def test_equal_figures_share_a_rank_and_the_new_one_stands_below(
    percentage: float, rank: int, place: int
) -> None:
    placed = beside(result_with(percentage), ENGLISH, "mine")
    assert (placed.rank, placed.place) == (rank, place)


def test_the_others_are_ranked_by_their_conll_score_not_by_their_place_in_print() -> (
    None
):
    placed = beside(result_with(1.0), ENGLISH, "mine")
    ranks = dict(zip((row.system for row in placed.rows), placed.ranks, strict=True))
    assert [ranks[each] for each in ("chunyang", "stamborg", "shou", "yuan", "xu")] == [
        *(6, 6, 8, 9),
        10,
    ]


def test_nothing_speaks_against_the_test_set_scored_like_the_table() -> None:
    assert beside(result_with(), ENGLISH, "mine").notes == ()


def test_another_scheme_is_named_field_by_field() -> None:
    scheme = dataclasses.replace(SCHEMES["default"], singletons="drop")
    found = message(dataclasses.replace(result_with(), scheme=scheme))
    assert found == (
        "not scored like the table (conll-2012): reading:strict instead of reference, "
        "singletons:drop instead of keep"
    )


@pytest.mark.parametrize(
    "harmless",
    [
        {"missing": "error"},
        {"duplicates": "error"},
        {"phrases": "all"},
        {"nested": "keep"},
        {"lea": "no-singletons"},
    ],
    ids=str,
)
def test_a_choice_that_moves_no_figure_of_the_table_is_not_named(
    harmless: dict[str, str],
) -> None:
    scheme = dataclasses.replace(SCHEMES["conll-2012"], **harmless)  # type: ignore[arg-type] # names of choices
    assert kinds(dataclasses.replace(result_with(), scheme=scheme)) == []


@pytest.mark.parametrize(
    "moving",
    [
        {"reading": "lenient"},
        {"match": "min"},
        {"singletons": "drop"},
        {"duplicates": "first"},
        {"missing": "empty"},
        {"blanc": "corefud"},
        {"average": "macro"},
        {"nested": "drop"},
        {"phrases": "np"},
    ],
    ids=str,
)
def test_a_choice_that_moves_figures_is_warned_about(moving: dict[str, str]) -> None:
    scheme = dataclasses.replace(SCHEMES["conll-2012"], **moving)  # type: ignore[arg-type] # names of choices
    assert kinds(dataclasses.replace(result_with(), scheme=scheme)) == ["other-scheme"]


def test_another_number_of_documents_is_warned_about() -> None:
    shorter = dataclasses.replace(
        result_with(), documents=result_with().documents[:343]
    )
    assert (
        message(shorter) == "the table is for a test set of 348 documents, not of 343"
    )


def test_another_format_is_warned_about() -> None:
    found = message(dataclasses.replace(result_with(), format="json-lines"))
    assert found == "the table is for conll-2012 files, and these are json-lines"


def test_documents_that_are_not_of_ontonotes_are_warned_about() -> None:
    found = message(result_with(part="(news/{:04}); part 000"))
    assert found.startswith("348 of 348 documents are not named like those of the test")
    assert found.endswith("'(news/0000); part 000'")


def test_a_genre_that_the_language_does_not_have_is_warned_about() -> None:
    assert kinds(result_with(), "conll-2012-arabic") == [
        "other-size",
        "other-documents",
    ]


def test_names_are_known_in_the_writing_of_json_lines() -> None:
    named = result_with(part="bc/cctv/00/cctv_0005_{}")
    assert kinds(dataclasses.replace(named, format="json-lines")) == ["other-format"]


def test_the_number_of_documents_is_not_judged_where_it_is_unknown() -> None:
    assert table("conll-2012-chinese").documents is None
    assert kinds(result_with(), "conll-2012-chinese") == []


def test_metrics_that_were_not_asked_for_are_warned_about_and_left_blank() -> None:
    some = dataclasses.replace(result_with(), metrics=("muc", "bcub", "conll"))
    assert (
        message(some)
        == "the table has mentions, ceafm, ceafe, blanc, which was not asked for here"
    )
    assert "|  | **50.0** | **50.0** |  |" in render_placed(
        beside(some, ENGLISH, "mine"), "markdown"
    )


def test_without_a_conll_score_there_is_no_rank() -> None:
    placed = beside(
        dataclasses.replace(result_with(99.0), metrics=("muc",)), ENGLISH, "mine"
    )
    assert (placed.rank, placed.place) == (None, 15)
    assert "> mine" in render_placed(placed, "text")


def test_python_values_are_warned_about_in_every_way_but_their_scheme() -> None:
    result = scoref.score([["a", "b"]], [["a", "b"]], metrics="muc")
    assert kinds(result) == [
        "other-format",
        "other-size",
        "other-documents",
        "absent-metrics",
    ]


def test_text_marks_the_new_system() -> None:
    text = render_placed(beside(result_with(99.0), "conll-2012-arabic", "mine"), "text")
    assert text.split("\n")[:5] == [
        "CoNLL-2012 Arabic, official closed track",
        "",
        "  F1          Rank  Mentions   MUC    B³  CEAFm  CEAFe  BLANC  CoNLL",
        "> mine           1      99.0  99.0  99.0   99.0   99.0   99.0   99.0",
        "  fernandes      2      64.8  46.5  42.5   49.2   46.5   38.0   45.2",
    ]


def test_markdown_writes_the_new_system_in_bold() -> None:
    text = render_placed(beside(result_with(99.0), ENGLISH, "mine"), "markdown")
    assert "| **mine** | **1** | **99.0** |" in text
    assert "| fernandes | 2 | 77.7 |" in text


def test_latex_writes_the_new_system_in_bold() -> None:
    text = render_placed(beside(result_with(), ENGLISH, "a_b & c"), "latex")
    assert r"\textbf{a\_b \& c} & \textbf{11} & \textbf{50.0}" in text
    assert r"fernandes & 1 & 77.7" in text
    assert text.count(r"\textbf{a") == 1
    tail = text.partition(r"\end{tabular}")[2].split("\n")
    assert all(line.startswith("%") for line in tail if line)


def test_csv_has_a_row_for_each_system_with_fractions() -> None:
    text = render_placed(beside(result_with(12.345), ENGLISH, "mine"), "csv")
    rows = list(csv.DictReader(io.StringIO(text)))
    assert (rows[0]["system"], rows[0]["new"], rows[0]["conll"]) == (
        "fernandes",
        "False",
        "0.607",
    )
    assert (rows[15]["system"], rows[15]["rank"], rows[15]["new"]) == (
        "mine",
        "16",
        "True",
    )
    assert float(rows[15]["conll"]) == pytest.approx(0.12345)


def test_json_has_the_table_the_rank_and_the_notes() -> None:
    result = dataclasses.replace(result_with(57.5), format="json-lines")
    written = result_of(render_placed(beside(result, ENGLISH, "mine"), "json"))
    assert (written["system"], written["rank"]) == ("mine", 3)
    assert written["signature"] == result.signature
    assert written["table"]["name"] == ENGLISH
    assert [row["system"] for row in written["rows"] if row["new"]] == ["mine"]
    assert [note["kind"] for note in written["notes"]] == ["other-format"]


@every_table
@each_output
def test_every_table_is_drawn_with_its_systems_and_sources(
    name: str, output: str
) -> None:
    found = table(name)
    text = render_published(found, output)
    flat = re.sub(r"\\|\s", "", text)
    for row in found.rows:
        assert re.sub(r"\s", "", row.system) in flat
    if output in {"text", "markdown"}:
        assert all(each.url in flat for each in found.sources)


def test_what_a_collection_says_is_marked() -> None:
    lines = render_published(table("conll-2012-english-neural"), "text").split("\n")
    (wu,) = (line for line in lines if line.startswith("CorefQA + SpanBERT-base"))
    assert "†" in wu
    large = next(each for each in lines if each.startswith("CorefQA + SpanBERT-large"))
    assert "†" not in large
    assert "† as a collection has it that others keep" in lines
    assert "†" not in render_published(table("litbank"), "text")


@pytest.mark.parametrize(
    ("key", "name", "expected"),
    [
        ("litbank", "litbank", []),
        ("litbank-fold-3-test", "litbank-one-fold", []),
        ("litbank-fold-3-test", "litbank", ["other-key"]),
        ("litbank", "litbank-one-fold", ["other-key"]),
        ("litbank", "preco", ["other-key"]),
        ("litbank", "conll-2012-english-neural", ["other-key"]),
    ],
)
def test_a_key_that_is_known_is_compared_by_its_fingerprint(
    key: str, name: str, expected: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    known = known_key(key)
    found = Recognised(known, tuple(map(str, range(known.documents))), (), ())
    monkeypatch.setattr(fingerprint, "recognise", lambda _: [found])
    scheme = SCHEMES[table(name).scheme]
    whole = Fingerprint((), known.mentions, known.entities)
    result = dataclasses.replace(result_with(), scheme=scheme, fingerprint=whole)
    assert kinds(result, name) == expected


def test_a_key_that_is_nearly_known_is_said_to_be_another() -> None:
    known = known_key("litbank")
    documents = tuple(
        DocumentPrint(
            f"d{row}",
            bytes.fromhex(text) + bytes(24),
            bytes.fromhex(annotation) + bytes(24),
        )
        for row, (text, annotation) in enumerate(known.parts[:40])
    )
    result = dataclasses.replace(
        *(result_with(),),
        scheme=SCHEMES["default"],
        fingerprint=Fingerprint(documents, 10, 5),
    )
    (note,) = beside(result, "litbank", "mine").notes
    assert note.kind == "other-key"
    assert note.message.endswith(
        "it comes nearest to litbank, of which it has 40 of 100 documents"
    )


def test_without_a_fingerprint_documents_are_counted() -> None:
    result = dataclasses.replace(result_with(), scheme=SCHEMES["default"])
    assert kinds(result, "litbank") == ["other-size"]
    assert kinds(result, "preco") == []


def test_a_table_of_datasets_is_cut_down_to_the_one_of_the_key() -> None:
    scheme = SCHEMES["crac-2024"]
    result = dataclasses.replace(
        *(result_with(80.0),),
        key="keys/en_parcorfull-corefud-test.conllu",
        format="corefud",
        scheme=scheme,
    )
    placed = beside(result, "crac-2024", "mine")
    assert placed.published.title.endswith(", en_parcorfull")
    others = [row.scores["conll"] for row in placed.rows[1:]]
    assert others == [0.586, 0.579]
    assert (placed.rank, placed.notes) == (1, ())


def test_a_key_of_no_dataset_is_refused() -> None:
    with pytest.raises(OptionError, match=r"'key\.conll' is called by none of them"):
        beside(result_with(), "crac-2024", "mine")


def datasets(*names: str, metrics: tuple[str, ...] = ("conll",)) -> DatasetResults:
    result = dataclasses.replace(
        *(result_with(80.0),), format="corefud", scheme=SCHEMES["crac-2024"]
    )
    return DatasetResults(
        datasets=names,
        systems=("mine",),
        columns=("head",),
        metrics=metrics,
        results={("mine", name, "head"): result for name in names},
        failures=(),
        notes=(),
    )


def test_folders_stand_beside_a_table_of_datasets() -> None:
    found = table("crac-2024")
    placed = beside_datasets(datasets(*found.datasets), "crac-2024")
    assert (placed.rank, placed.system, placed.notes) == (1, "mine", ())
    assert placed.rows[0].scores["macro"] == pytest.approx(0.8)
    assert placed.rows[0].scores["en_gum"] == pytest.approx(0.8)
    text = render_placed(placed, "text")
    assert "71.32" in text
    assert "80.00" in text


def test_other_datasets_than_those_of_the_table_are_told() -> None:
    placed = beside_datasets(datasets("en_gum-dev", "xx_other-dev"), "crac-2024")
    (note,) = placed.notes
    assert note.kind == "other-size"
    assert note.message == (
        "the table averages over 21 datasets, and this over 2, of which xx_other-dev "
        "is not there"
    )
    few = beside_datasets(datasets("en_gum", metrics=("muc",)), "crac-2024")
    assert [note.kind for note in few.notes] == ["other-size", "absent-metrics"]
    assert few.rank is None


def test_folders_do_not_stand_beside_one_test_set() -> None:
    with pytest.raises(OptionError, match="give two files"):
        beside_datasets(datasets("en_gum"), "litbank")


@each_table
@each_output
def test_a_table_alone_shows_every_system_in_the_order_of_print(
    name: str, output: str
) -> None:
    systems = [row.system for row in table(name).rows]
    text = render_published(table(name), output)
    first = r'^(?:\| |\s*"system": ")?(\w+)\b'
    found = re.findall(first, text, flags=re.MULTILINE)
    assert [each for each in found if each in systems] == systems


@pytest.mark.parametrize("output", ["text", "markdown", "latex", "json"])
def test_a_table_says_its_source_in_each_output(output: str) -> None:
    assert "10.3115/v1/P14-2006" in render_published(table(ENGLISH), output)


def test_an_output_that_nobody_knows_is_refused() -> None:
    with pytest.raises(OptionError, match="no output 'html'"):
        render_published(table(ENGLISH), "html")


def test_a_normal_run_loads_no_published_results() -> None:
    program = (
        "import sys, scoref\n"
        "scoref.score([['a', 'b']], [['a', 'b']]).scores\n"
        "assert not any('published' in name for name in sys.modules)"
    )
    subprocess.run([sys.executable, "-c", program], check=True)


def test_listing_the_tables_loads_no_numerical_library() -> None:
    program = (
        "import sys, scoref.tools.published\n"
        "scoref.tools.published.names()\n"
        "assert 'numpy' not in sys.modules"
    )
    subprocess.run([sys.executable, "-c", program], check=True)
