"""Errors by class: each in one, by its first mention or by its link."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from scoref import OptionError
from scoref.scoring.evaluate import read_pairs
from scoref.scoring.request import Request
from scoref.tools.errors.analysis import analyse
from scoref.tools.errors.classes import classify
from scoref.tools.errors.kinds import BY
from support.error_analyses import NAMES, spans
from support.paths import EXAMPLES

if TYPE_CHECKING:
    from scoref.tools.errors.findings import Analysis


def example(name: str, *, with_tokens: bool = True) -> Analysis:
    paths = [next(EXAMPLES.glob(f"{name}{side}.*")) for side in ("key", "response")]
    (pair,) = read_pairs(paths[0], [paths[1]], Request(with_tokens=with_tokens))
    return analyse(*pair)


def by(analysis: Analysis, what: str) -> dict[str, dict[str, int]]:
    """Count what is not nothing, by class and kind."""
    classes = classify(analysis, what)
    rows = classes.counts(analysis.errors).tolist()
    counts = {
        name: {kind: count for kind, count in zip(NAMES, row, strict=True) if count}
        for name, row in zip(classes.names, rows, strict=True)
    }
    return {name: row for name, row in counts.items() if row}


@pytest.mark.parametrize("what", [by for by in BY if by != "class"])
@pytest.mark.parametrize("name", ["", "corefud-", "ua-"])
def test_every_error_is_in_one_class(name: str, what: str) -> None:
    analysis = example(name)
    classes = classify(analysis, what)
    counts = classes.counts(analysis.errors)
    assert counts.sum(axis=0).tolist() == analysis.gains.count.tolist()
    assert counts.shape == (len(classes.names), len(NAMES))


def test_mention_classes_are_by_the_head() -> None:
    assert by(example("corefud-"), "mention-type") == {
        "common": {"span": 1, "missing-entity": 1},
        "zero": {"wrong-link": 1, "extra-mention": 1},
    }


@pytest.mark.parametrize("name", ["", "ua-"])
def test_words_have_mention_types(name: str) -> None:
    assert {*classify(example(name), "mention-type").names} == {"pronoun", "other"}


def test_sizes_are_of_the_entity_of_the_first_mention() -> None:
    key = [[(0, 0), (1, 1)], [(2, 2)]]
    response = [[(0, 0), (1, 1), (2, 2)], [(3, 3)]]
    # The conflated entity has one mention in the key; the extra one is a singleton.
    assert by(spans(key, response), "entity-size") == {
        "1": {"conflated-entity": 1, "extra-entity": 1}
    }


def test_lengths_are_of_the_mention() -> None:
    assert by(spans([[(0, 2)]], [[(5, 5)]]), "mention-length") == {
        "1": {"extra-entity": 1},
        "3-5": {"missing-entity": 1},
    }


WORDS = "a b | c | d | e | f | g | h | i"


def test_a_distance_is_that_of_the_missed_link() -> None:
    # b stands in the sentence of a; c, g and i are 1, 4 and 2 sentences further.
    key = [[(0, 0), (1, 1), (2, 2), (6, 6), (8, 8)]]
    assert by(spans(key, [[(0, 0)]], WORDS), "distance") == {
        "0": {"missing-mention": 1},
        "1": {"missing-mention": 1},
        "2": {"missing-mention": 1},
        "3-5": {"missing-mention": 1},
    }
    assert by(spans(key, [], WORDS), "distance") == {"first": {"missing-entity": 1}}
    # What was left apart starts at g.
    divided = [[(0, 0), (1, 1), (2, 2)], [(6, 6), (8, 8)]]
    assert by(spans(key, divided, WORDS), "distance") == {"3-5": {"divided-entity": 1}}


def test_a_distance_is_that_of_the_link_that_was_made() -> None:
    key = [[(0, 0), (1, 1)], [(8, 8)]]
    conflated = [[(0, 0), (1, 1), (8, 8)]]
    assert by(spans(key, conflated, WORDS), "distance") == {
        "6-": {"conflated-entity": 1}
    }
    extra = [[(0, 0), (1, 1), (2, 2)], [(8, 8)]]
    assert by(spans(key, extra, WORDS), "distance") == {"1": {"extra-mention": 1}}


def test_distances_need_sentences() -> None:
    with pytest.raises(OptionError, match="has no sentence boundaries"):
        classify(spans([[(0, 0)]], []), "distance")


def test_corefud_needs_no_text_for_distances() -> None:
    with_text, without = example("corefud-"), example("corefud-", with_tokens=False)
    assert by(without, "distance") == by(with_text, "distance") != {}


def test_documents_have_their_names() -> None:
    documents = by(example(""), "document")
    assert {name: sum(row.values()) for name, row in documents.items()} == {
        "(news/0001); part 000": 3,
        "(news/0002); part 000": 1,
    }


def test_an_unknown_class_is_refused_with_the_nearest_one() -> None:
    with pytest.raises(OptionError, match="Did you mean distance"):
        classify(example(""), "distances")


def test_no_errors_have_no_classes() -> None:
    for what in ("kind", "document", "entity-size", "mention-length"):
        assert by(spans([[(0, 0)]], [[(0, 0)]]), what) == {}
    assert by(spans([], []), "entity-size") == {}
