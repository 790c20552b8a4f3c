"""The published tables: their figures, sources and names.

A new system at its rank in a published table, and doubts about the comparison.
"""

from __future__ import annotations

import dataclasses
import subprocess
import sys
from typing import TYPE_CHECKING

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
from scoref.tools.published.command import placed_report
from support.results_from_counts import ontonotes_result

if TYPE_CHECKING:
    from scoref.tools.published import PublishedRow


ALL = list(names())

ENGLISH = "conll-2012-english"

PRINTED_OTHERWISE = {("conll-2011-english", "kobdani"), (ENGLISH, "stamborg")}

every_table = pytest.mark.parametrize("name", ALL)

pradhan_table = pytest.mark.parametrize("name", ALL[:4])


def figures(name: str, system: str) -> list[float | None]:
    (row,) = (row for row in table(name).rows if row.system == system)
    return list(row.scores.values())


def test_there_are_fifteen_tables_with_100_rows() -> None:
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
        "crac-2026-corefud-1.4-test": 1,
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
    assert figures(name, system) == [round(figure / 100, 3) for figure in printed]


@pradhan_table
def test_the_average_fits_but_for_two_rows_that_are_printed_otherwise(
    name: str,
) -> None:
    # Four figures, each rounded by up to 0.05: up to 0.1 apart.
    misfits = {
        (name, row.system) for row in table(name).rows if abs(_gap(row)) > 0.001 + 1e-9
    }
    assert misfits == {pair for pair in PRINTED_OTHERWISE if pair[0] == name}


def _gap(row: PublishedRow) -> float:
    parts = [row.scores[part] or 0 for part in conll.PARTS]
    return sum(parts) / 3 - (row.scores["conll"] or 0)


@pradhan_table
def test_every_row_has_a_figure_for_every_column(name: str) -> None:
    published = table(name)
    assert published.columns == (
        *("mentions", "muc", "bcub", "ceafm", "ceafe", "blanc"),
        "conll",
    )
    (source,) = published.sources
    assert source.title.startswith("Pradhan")
    assert source.url.endswith("10.3115/v1/P14-2006")


@every_table
def test_a_table_has_all_its_figures_a_source_for_each_and_a_scheme(name: str) -> None:
    published = table(name)
    assert published.scheme in SCHEMES
    assert published.ranking in published.columns
    assert {*published.keys} <= {known.name for known in known_keys()}
    for row in published.rows:
        assert tuple(row.scores) == published.columns
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
        datasets = [row.scores[column] or 0 for column in table(name).datasets]
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
    with pytest.raises(OptionError, match=r"conll-2012-english or"):
        table("conll-2012-englsh")


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


def kinds(result: Result, name: str = ENGLISH) -> list[str]:
    return [note.kind for note in beside(result, name, "mine").notes]


def message(result: Result, name: str = ENGLISH) -> str:
    (note,) = beside(result, name, "mine").notes
    return note.message


def test_a_new_system_stands_at_its_rank() -> None:
    placed = beside(ontonotes_result(57.5), ENGLISH, "mine")
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
    placed = beside(ontonotes_result(percentage), ENGLISH, "mine")
    assert (placed.rank, placed.place) == (rank, place)


def test_the_others_are_ranked_by_their_conll_score_not_by_their_place_in_print() -> (
    None
):
    placed = beside(ontonotes_result(1.0), ENGLISH, "mine")
    ranks = dict(zip((row.system for row in placed.rows), placed.ranks, strict=True))
    assert [ranks[name] for name in ("chunyang", "stamborg", "shou", "yuan", "xu")] == [
        *(6, 6, 8, 9),
        10,
    ]


def test_nothing_speaks_against_the_test_set_scored_like_the_table() -> None:
    assert beside(ontonotes_result(), ENGLISH, "mine").notes == ()


def test_another_scheme_is_named_field_by_field() -> None:
    scheme = dataclasses.replace(SCHEMES["default"], singletons="drop")
    text = message(dataclasses.replace(ontonotes_result(), scheme=scheme))
    assert text == (
        "warning: Not comparable with the table, which uses --scheme conll-2012. "
        "Differences: reading:strict instead of reference, "
        "singletons:drop instead of keep."
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
    assert kinds(dataclasses.replace(ontonotes_result(), scheme=scheme)) == []


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
    assert kinds(dataclasses.replace(ontonotes_result(), scheme=scheme)) == [
        "other-scheme"
    ]


def test_another_number_of_documents_is_warned_about() -> None:
    shorter = dataclasses.replace(
        ontonotes_result(), documents=ontonotes_result().documents[:343]
    )
    assert message(shorter) == (
        "warning: The table is for a test set of 348 documents, but this key has 343. "
        "The figures are not comparable."
    )


def test_another_format_is_warned_about() -> None:
    text = message(dataclasses.replace(ontonotes_result(), format="json-lines"))
    assert text == (
        "warning: The table is for conll-2012 files, but these files are json-lines. "
        "The figures may not be comparable."
    )


def test_documents_that_are_not_of_ontonotes_are_warned_about() -> None:
    text = message(ontonotes_result(name="(news/{:04}); part 000"))
    assert text.startswith("warning: 348 of 348 documents are not named like those")
    assert "(first: '(news/0000); part 000')" in text


def test_a_genre_that_the_language_does_not_have_is_warned_about() -> None:
    assert kinds(ontonotes_result(), "conll-2012-arabic") == [
        "other-size",
        "other-documents",
    ]


def test_names_are_known_in_the_writing_of_json_lines() -> None:
    named = ontonotes_result(name="bc/cctv/00/cctv_0005_{}")
    assert kinds(dataclasses.replace(named, format="json-lines")) == ["other-format"]


def test_the_number_of_documents_is_not_judged_where_it_is_unknown() -> None:
    assert table("conll-2012-chinese").documents is None
    assert kinds(ontonotes_result(), "conll-2012-chinese") == []


def test_metrics_that_were_not_asked_for_are_warned_about_and_left_blank() -> None:
    some = dataclasses.replace(ontonotes_result(), metrics=("muc", "bcub", "conll"))
    assert (
        message(some)
        == "Not computed, but in the table: mentions, ceafm, ceafe, blanc."
    )
    assert "|  | **50.0** | **50.0** |  |" in render(
        placed_report(beside(some, ENGLISH, "mine"), "markdown"), "markdown"
    )


def test_without_a_conll_score_there_is_no_rank() -> None:
    placed = beside(
        dataclasses.replace(ontonotes_result(99.0), metrics=("muc",)), ENGLISH, "mine"
    )
    assert (placed.rank, placed.place) == (None, 15)
    assert "> mine" in render(placed_report(placed), "text")


def test_python_values_are_warned_about_in_every_way_but_their_scheme() -> None:
    result = scoref.score([["a", "b"]], [["a", "b"]], metrics="muc")
    assert kinds(result) == [
        "other-format",
        "other-size",
        "other-documents",
        "absent-metrics",
    ]


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
    recognised = Recognised(known, tuple(map(str, range(known.documents))), (), ())
    monkeypatch.setattr(fingerprint, "recognise", lambda _: [recognised])
    scheme = SCHEMES[table(name).scheme]
    whole = Fingerprint((), known.mentions, known.entities)
    result = dataclasses.replace(ontonotes_result(), scheme=scheme, fingerprint=whole)
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
        *(ontonotes_result(),),
        scheme=SCHEMES["default"],
        fingerprint=Fingerprint(documents, 10, 5),
    )
    (note,) = beside(result, "litbank", "mine").notes
    assert (note.kind, note.count) == ("other-key", 1)
    assert note.message.endswith(
        "The nearest known key is litbank: it has 40 of 100 documents."
    )


def test_without_a_fingerprint_documents_are_counted() -> None:
    result = dataclasses.replace(ontonotes_result(), scheme=SCHEMES["default"])
    assert kinds(result, "litbank") == ["other-size"]
    assert kinds(result, "preco") == []


def test_a_table_of_datasets_is_cut_down_to_the_one_of_the_key() -> None:
    scheme = SCHEMES["crac-2024"]
    result = dataclasses.replace(
        *(ontonotes_result(80.0),),
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
    with pytest.raises(OptionError, match=r"'key\.conll' does not start with any"):
        beside(ontonotes_result(), "crac-2024", "mine")


def datasets(*names: str, metrics: tuple[str, ...] = ("conll",)) -> DatasetResults:
    result = dataclasses.replace(
        *(ontonotes_result(80.0),), format="corefud", scheme=SCHEMES["crac-2024"]
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
    published = table("crac-2024")
    placed = beside_datasets(datasets(*published.datasets), "crac-2024")
    assert (placed.rank, placed.system, placed.notes) == (1, "mine", ())
    assert placed.rows[0].scores["macro"] == pytest.approx(0.8)
    assert placed.rows[0].scores["en_gum"] == pytest.approx(0.8)
    text = render(placed_report(placed), "text")
    assert "71.32" in text
    assert "80.00" in text


def test_conventions_of_several_datasets_are_doubted_once() -> None:
    results = datasets("en_gum", "cs_pdt")
    for place, result in results.results.items():
        scheme = dataclasses.replace(result.scheme, singletons="keep")
        results.results[place] = dataclasses.replace(result, scheme=scheme)  # type: ignore[index]
    kinds = [note.kind for note in beside_datasets(results, "crac-2024").notes]
    assert kinds.count("other-scheme") == 1


def test_other_datasets_than_those_of_the_table_are_told() -> None:
    placed = beside_datasets(datasets("en_gum-dev", "xx_other-dev"), "crac-2024")
    (note,) = placed.notes
    assert note.kind == "other-size"
    assert note.message == (
        "warning: The table averages over 21 datasets, this result over 2, so the "
        "averages are not comparable. The table lacks xx_other-dev."
    )
    few = beside_datasets(datasets("en_gum", metrics=("muc",)), "crac-2024")
    kinds = [(note.kind, note.count) for note in few.notes]
    assert kinds == [("other-size", 20), ("absent-metrics", 1)]
    assert few.rank is None


def test_folders_do_not_stand_beside_one_test_set() -> None:
    with pytest.raises(OptionError, match="Give two files"):
        beside_datasets(datasets("en_gum"), "litbank")


def test_without_a_key_that_is_nearly_known_none_is_named(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(fingerprint, "recognise", lambda _: [])
    result = dataclasses.replace(
        ontonotes_result(),
        scheme=SCHEMES["default"],
        fingerprint=Fingerprint((), 10, 5),
    )
    (note,) = beside(result, "litbank", "mine").notes
    assert "but the table is for litbank" in note.message
    assert note.kind == "other-key"
    assert note.message.endswith("The figures are not comparable.")
