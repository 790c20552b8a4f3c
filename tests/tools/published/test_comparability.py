"""A new system at its rank in a published table, and doubts about the comparison."""

from __future__ import annotations

import dataclasses

import pytest

import scoref
from scoref import SCHEMES, OptionError, Result, fingerprint
from scoref.fingerprint import (
    DocumentPrint,
    Fingerprint,
    Recognised,
    known_key,
)
from scoref.render import render
from scoref.scoring.datasets import DatasetResults
from scoref.tools.published import beside, beside_datasets, table
from scoref.tools.published.command import placed_report
from support.results_from_counts import ontonotes_result

ENGLISH = "conll-2012-english"


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
    assert (
        message(shorter) == "the table is for a test set of 348 documents, not of 343"
    )


def test_another_format_is_warned_about() -> None:
    text = message(dataclasses.replace(ontonotes_result(), format="json-lines"))
    assert text == "the table is for conll-2012 files, and these are json-lines"


def test_documents_that_are_not_of_ontonotes_are_warned_about() -> None:
    text = message(ontonotes_result(name="(news/{:04}); part 000"))
    assert text.startswith("348 of 348 documents are not named like those of the test")
    assert text.endswith("'(news/0000); part 000'")


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
        == "the table has mentions, ceafm, ceafe, blanc, which was not asked for here"
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
    assert note.kind == "other-key"
    assert note.message.endswith(
        "it comes nearest to litbank, of which it has 40 of 100 documents"
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
    with pytest.raises(OptionError, match=r"'key\.conll' is called by none of them"):
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
