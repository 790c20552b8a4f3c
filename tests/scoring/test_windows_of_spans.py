"""Windows: each mention in one of them, and each of them a document."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import scoref
from scoref import OptionError, Scheme
from scoref.formats.reading import read_data
from scoref.render.signature import fields
from scoref.scoring.windows import Window, cut_evenly, place_mentions
from support import oracle_metrics
from support.paths import EXAMPLES
from support.window_results import spans, windowed

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from scoref.scoring.results import Result

    Mention = tuple[int, int]
    Entities = list[list[Mention]]

FILES = EXAMPLES / "key.conll", EXAMPLES / "response.conll"
COUNTS: dict[str, Callable[..., tuple[object, ...]]] = {
    "mentions": oracle_metrics.mentions,
    "muc": oracle_metrics.muc,
    "bcub": oracle_metrics.bcub,
    "ceafm": oracle_metrics.ceafm,
    "ceafe": oracle_metrics.ceafe,
    "blanc": oracle_metrics.blanc,
    "lea": oracle_metrics.lea_self_links,
}
LENGTH = 24


@st.composite
def entities(draw: st.DrawFn) -> Entities:
    """Draw entities over a text; two draws share many mentions."""
    start = st.integers(0, LENGTH - 3)
    mention = st.tuples(start, st.integers(0, 2))
    chosen = draw(
        st.lists(
            st.tuples(mention, st.integers(0, 4)),
            unique_by=lambda pair: pair[0],
            max_size=16,
        )
    )
    grouped: dict[int, list[Mention]] = {}
    for (first, more), label in chosen:
        grouped.setdefault(label, []).append((first, first + more))
    return list(grouped.values())


def corpora() -> st.SearchStrategy[dict[str, tuple[Entities, Entities]]]:
    names = st.sampled_from(["a", "b", "c"])
    return st.dictionaries(
        names, st.tuples(entities(), entities()), min_size=1, max_size=3
    )


def cut_by_hand(size: int, length: int) -> list[set[int]]:
    """List the words of each window: N, another N, and what is left."""
    words = list(range(length))
    return [set(words[at : at + size]) for at in range(0, length, size)]


def cut_as_published(size: int, length: int) -> list[set[int]]:
    """List the words of the published evaluator's windows, from its rule.

    Windows end at every multiple of N up to the length, and at the length once more;
    each has what starts more than N before its end, and before its end.
    """
    ends = [times * size for times in range(1, length // size + 1)]
    ends.append(length)
    return [{word for word in range(length) if end - size < word < end} for end in ends]


def part(entities: Entities, words: set[int]) -> list[frozenset[Mention]]:
    """Take what begins in a window of each entity."""
    cut = (frozenset(each for each in one if each[0] in words) for one in entities)
    return [one for one in cut if one]


def expected(
    corpus: dict[str, tuple[Entities, Entities]], windows: list[set[int]]
) -> dict[str, list[list[float]]]:
    """Count every window by the definitions."""
    rows: dict[str, list[list[float]]] = {name: [] for name in COUNTS}
    for key, response in corpus.values():
        for words in windows:
            sides = part(key, words), part(response, words)
            for name, count in COUNTS.items():
                rows[name].append([float(each) for each in count(*sides)])  # type: ignore[arg-type] # fractions
    return rows


def check(result: Result, rows: dict[str, list[list[float]]]) -> None:
    for name, counts in rows.items():
        found = result.counts[name]
        assert found == pytest.approx(np.array(counts), abs=1e-9), name


def of_corpus(
    corpus: dict[str, tuple[Entities, Entities]], window: int | str
) -> Result:
    sides = [
        spans({name: pair[side] for name, pair in corpus.items()}, LENGTH)
        for side in (0, 1)
    ]
    return windowed(sides[0], sides[1], window).windows


@given(corpus=corpora(), size=st.integers(1, LENGTH + 2))
def test_windows_are_counted_as_by_hand(
    corpus: dict[str, tuple[Entities, Entities]], size: int
) -> None:
    check(of_corpus(corpus, size), expected(corpus, cut_by_hand(size, LENGTH)))


@given(corpus=corpora(), size=st.integers(1, LENGTH + 2))
def test_published_windows_are_counted_by_their_rule(
    corpus: dict[str, tuple[Entities, Entities]], size: int
) -> None:
    found = of_corpus(corpus, f"bookcoref:{size}")
    check(found, expected(corpus, cut_as_published(size, LENGTH)))


@given(key=entities(), response=entities(), size=st.integers(1, LENGTH + 2))
def test_every_mention_is_in_exactly_one_window(
    key: Entities, response: Entities, size: int
) -> None:
    sides = [
        read_data(spans({"d": each}, LENGTH).encode(), source="x", role="key")
        for each in (key, response)
    ]
    windows, members = cut_evenly(place_mentions(sides[0], sides[1], Scheme()), size)
    for side, member in zip(sides, members, strict=True):
        assert sorted(member.row.tolist()) == list(range(len(side.mention_entity)))
        start = side.mention_start[member.row]
        assert (windows.low[member.window] <= start).all()
        assert (start < windows.high[member.window]).all()


@given(key=entities(), response=entities())
def test_a_window_as_long_as_the_text_is_the_whole(
    key: Entities, response: Entities
) -> None:
    sides = spans({"d": key}, LENGTH), spans({"d": response}, LENGTH)
    for size in (LENGTH, LENGTH + 1, 10**8):
        whole, windows = windowed(*sides, size)
        for name, counts in whole.counts.items():
            assert windows.counts[name].tolist() == counts.tolist()
        assert windows.scores == whole.scores


@given(key=entities(), response=entities(), size=st.integers(1, LENGTH + 2))
def test_without_a_length_windows_reach_as_far_as_mentions(
    key: Entities, response: Entities, size: int
) -> None:
    known = windowed(spans({"d": key}, LENGTH), spans({"d": response}, LENGTH), size)
    unknown = windowed(spans({"d": key}), spans({"d": response}), size)
    for name, counts in unknown.windows.counts.items():
        rows = known.windows.counts[name]
        assert rows[: len(counts)].tolist() == counts.tolist()
        assert not rows[len(counts) :].any()


def names_of(length: int, window: int | str) -> list[str]:
    text = spans({"d": [[(0, 0)]]}, length)
    return list(windowed(text, text, window).windows.documents)


def test_windows_are_called_by_their_words() -> None:
    assert names_of(7, 3) == ["d [0:3]", "d [3:6]", "d [6:7]"]
    assert names_of(6, 3) == ["d [0:3]", "d [3:6]"]
    assert names_of(2, 3) == ["d [0:2]"]


def test_published_windows_are_called_by_the_words_that_may_begin_a_mention() -> None:
    assert names_of(7, "bookcoref:3") == ["d [1:3]", "d [4:6]", "d [5:7]"]
    assert names_of(2, "bookcoref:3") == ["d [0:2]"]


def test_a_text_of_whole_windows_has_its_last_one_twice_as_published() -> None:
    assert names_of(6, "bookcoref:3") == ["d [1:3]", "d [4:6]", "d [4:6] again"]


def test_lost_and_doubled_mentions_are_noted() -> None:
    key = spans({"d": [[(0, 0), (1, 1), (3, 3), (5, 5), (6, 6)]]}, 7)
    response = spans({"d": [[(1, 1), (2, 2)]]}, 7)
    found = windowed(key, response, "bookcoref:3").windows
    assert [note.message for note in found.notes] == [
        (
            "warning: 2 key mentions in no window (not scored), 1 in two windows "
            "(scored twice)."
        )
    ]


def test_a_mention_across_a_border_is_in_the_window_in_which_it_begins() -> None:
    text = spans({"d": [[(2, 4), (5, 5)], [(3, 3)]]}, 6)
    found = windowed(text, text, 3).windows
    assert found.counts["mentions"].tolist() == [[1, 1, 1, 1], [2, 2, 2, 2]]


def test_singletons_that_cutting_makes_stay_unless_singletons_are_dropped() -> None:
    text = spans({"d": [[(0, 0), (1, 1), (3, 3)], [(4, 4)]]}, 6)
    kept = windowed(text, text, 3).windows.counts["mentions"]
    assert kept.tolist() == [[2, 2, 2, 2], [2, 2, 2, 2]]
    dropped = windowed(text, text, 3, singletons="drop").windows.counts["mentions"]
    assert dropped.tolist() == [[2, 2, 2, 2], [0, 0, 0, 0]]


def test_a_window_is_a_document_to_a_macro_average() -> None:
    key = spans({"d": [[(0, 0), (1, 1)], [(3, 3), (4, 4), (5, 5)]]}, 6)
    response = spans({"d": [[(0, 0), (1, 1)]]}, 6)
    found = windowed(key, response, 3, average="macro").windows
    assert found.scores["muc"].recall == 0.5


def test_documents_are_paired_before_they_are_cut() -> None:
    entities = {"a": [[(0, 0), (4, 4)]], "b": [[(1, 1), (2, 2)]]}
    backwards = {name: entities[name] for name in ("b", "a")}
    found = windowed(spans(entities, 6), spans(backwards, 6), 3).windows
    assert found.documents == ("a [0:3]", "a [3:6]", "b [0:3]", "b [3:6]")
    assert found.scores["bcub"].f1 == 1


def test_a_document_that_one_side_lacks_is_noted_once() -> None:
    key = spans({"a": [[(0, 0), (4, 4)]], "b": [[(0, 0)]]}, 6)
    response = spans({"a": [[(0, 0), (4, 4)]]}, 6)
    with pytest.raises(scoref.AlignmentError, match="document 'b' is not in response"):
        windowed(key, response, 3)
    found = windowed(key, response, 3, missing="empty").windows
    assert len(found.documents) == 4
    assert [note.message for note in found.notes if note.kind == "empty-documents"] == [
        (
            "warning: key: 1 document is not in response. The mentions there count as "
            "missing."
        )
    ]
    swapped = windowed(response, key, 3, missing="key").windows
    assert swapped.documents == ("a [0:3]", "a [3:6]")
    assert swapped.scores["mentions"].f1 == 1


def test_who_keeps_a_repeated_mention_is_the_same_in_windows() -> None:
    key = spans({"d": [[(0, 0), (1, 1)], [(4, 4), (5, 5)]]}, 6)
    response = spans({"d": [[(0, 0), (4, 4)], [(4, 4), (5, 5), (1, 1)]]}, 6)
    for rule in ("first", "last", "reference"):
        whole, windows = windowed(key, response, 3, duplicates=rule)
        assert {note.kind for note in windows.notes} == {"duplicates-in-response"}
        sizes = [
            each.counts["mentions"].sum(axis=0).tolist() for each in (whole, windows)
        ]
        assert sizes[0] == sizes[1]
    with pytest.raises(scoref.DuplicateError):
        windowed(key, response, 3, duplicates="error")


def test_files_of_two_formats_are_cut_alike(tmp_path: Path) -> None:
    rows = "".join(f"d\t0\t{n}\tw\t{c}\n" for n, c in enumerate(["(0)", "-", "(0)"]))
    key = tmp_path / "key.conll"
    key.write_text(f"#begin document (d); part 000\n{rows}#end document\n", "utf-8")
    response = tmp_path / "response.jsonl"
    response.write_text(spans({"d_0": [[(0, 0), (2, 2)]]}), "utf-8")
    found = scoref.score(key, response, window=2)
    assert found.documents == ("(d); part 000 [0:2]", "(d); part 000 [2:3]")
    assert found.scores["bcub"].f1 == 1


def test_one_file_may_hold_both_sides(tmp_path: Path) -> None:
    path = tmp_path / "both.jsonl"
    text = spans({"d": [[(0, 0), (2, 2)]]}, 3).replace(
        "}", ', "predicted_clusters": []}'
    )
    path.write_text(text, "utf-8")
    found = scoref.score(path, window=2)
    assert found.counts["mentions"][:, 1].tolist() == [1, 1]


def test_a_side_without_mentions_is_no_trouble() -> None:
    text = spans({"d": []}, 5)
    for window in (2, "bookcoref:2"):
        assert len(windowed(text, text, window).windows.documents) == 3
    assert windowed(spans({"d": []}), spans({"d": []}), 2).windows.documents == (
        "d [0:0]",
    )


@pytest.mark.parametrize(
    ("window", "written"),
    [
        (1500, "1500"),
        ("1500", "1500"),
        ("bookcoref", "bookcoref-1500"),
        ("bookcoref:20", "bookcoref-20"),
    ],
    ids=repr,
)
def test_the_signature_says_what_was_cut(window: int | str, written: str) -> None:
    found = scoref.score(*FILES, window=window)
    assert found.signature == f"{scoref.score(*FILES).signature}|window:{written}"
    assert str(Window.of(window)) == written


def test_the_field_of_the_signature_is_explained() -> None:
    assert "window" in fields()


NO_WINDOWS = (
    *(0, -3, True, 1.5, "", "x", "0", "-1", "1,500", "٣"),
    *("bookcoref:", "bookcoref:0", "bookcoref-20", "bookcoref:1500 "),
)


@pytest.mark.parametrize("window", NO_WINDOWS, ids=repr)
def test_what_is_no_window_is_refused(window: int | str) -> None:
    with pytest.raises(OptionError, match=f"unknown window '{window}'"):
        scoref.score(*FILES, window=window)


def test_entities_in_python_have_no_windows() -> None:
    with pytest.raises(OptionError, match="entities in Python have no positions"):
        scoref.score([["a"]], [["a"]], window=3)


def test_blocks_of_windows_are_refused() -> None:
    with pytest.raises(OptionError, match="not independent"):
        scoref.score(*FILES, window=3, with_blocks=True)


def test_published_windows_need_to_know_how_long_a_text_is() -> None:
    text = spans({"d": [[(0, 0)]]})
    with pytest.raises(
        OptionError, match="Add 'sentences' or 'tokens' to the JSON lines"
    ):
        windowed(text, text, "bookcoref")


def test_a_folder_has_no_windows(tmp_path: Path) -> None:
    (tmp_path / "x.conll").write_bytes(FILES[0].read_bytes())
    with pytest.raises(OptionError, match="unknown option 'window'"):
        scoref.score_folders(tmp_path, [tmp_path], window=3)  # type: ignore[call-arg]


def test_windows_are_no_documents_to_draw() -> None:
    result = scoref.score(*FILES, window=8)
    with pytest.raises(OptionError, match="not independent documents"):
        scoref.confidence(result)
    with pytest.raises(OptionError, match="not independent documents"):
        scoref.compare({"a": result, "b": result})


def test_mentions_that_are_dropped_because_they_are_alone_are_noted() -> None:
    text = spans({"d": [[(0, 0), (1, 1), (5, 5)], [(6, 6)]]}, 8)
    kept, dropped, far = (
        windowed(text, text, size, singletons=singletons).windows
        for size, singletons in ((4, "keep"), (4, "drop"), (8, "drop"))
    )
    alone = [note for note in dropped.notes if note.kind == "alone-in-windows"]
    assert [note.count for note in alone] == [2]  # token 5, on both sides
    assert "--singletons keep" in alone[0].message
    assert dropped.counts["mentions"].sum(axis=0).tolist() == [2, 2, 2, 2]
    for other in (kept, far):
        assert "alone-in-windows" not in {note.kind for note in other.notes}


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("a.jsonl", '{"doc_key": "d", "clusters": [[[0, 0], [NUMBER, NUMBER]]]}'),
        ("a.json", '{"type": "clusters", "clusters": {"e": ["0.0-0", "NUMBER.1-1"]}}'),
    ],
)
@pytest.mark.parametrize("number", ["1000000000000000", "9007199254740991"])
def test_a_text_that_claims_to_be_endless_is_refused(
    tmp_path: Path, name: str, text: str, number: str
) -> None:
    (tmp_path / name).write_text(text.replace("NUMBER", number))
    both = tmp_path / name, tmp_path / name
    with pytest.raises(scoref.ScorefError, match=r"would have .* windows of 5 tokens"):
        scoref.score(*both, window=5)


def test_a_text_may_have_no_words(tmp_path: Path) -> None:
    path = tmp_path / "x.jsonl"
    path.write_text(
        '{"doc_key": "d", "sentences": [["a", "b", "c"]], '
        '"clusters": [[[1, 1], [2, 2]]]}'
        '\n{"doc_key": "e", "sentences": [], "clusters": []}\n'
    )
    result = scoref.score(path, path, window="bookcoref:3")
    assert result.scores["muc"].f1 == 1
