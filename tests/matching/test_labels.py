"""Labels are local or global, and what they look like is said."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import scoref
from scoref.matching.labels import Labels

Side = dict[str, dict[str, list[str]]]


def side(*documents: str) -> Side:
    """Write down documents by the labels of their entities, a mention each."""
    return {
        f"{number}_1ecb": {label: [f"m{label}"] for label in labels.split()}
        for number, labels in enumerate(documents)
    }


def notes(key: Side, response: Side, **options: Any) -> dict[str, scoref.Note]:
    return {note.kind: note for note in scoref.score(key, response, **options).notes}


LOCAL = side("0 1 2", "0 1", "1 2 3", "0")
GLOBAL = side("0 5 7", "5 8", "9 11", "7 12")


@pytest.mark.parametrize(
    ("labels", "count"),
    [
        *(("0 1 2", 1), ("1 2", 1), ("0", 1), ("1", 1), ("", 0)),
        *(("0 2", 0), ("2 3", 0), ("2", 0), ("x", 0), ("x 0", 0), ("x 0 1", 0)),
    ],
)
def test_labels_start_anew_if_they_are_the_numbers_from_0_or_1(
    labels: str, count: int
) -> None:
    documents = [*labels.split(), "0", "1"]  # the second document starts anew
    owner = np.array([0] * len(labels.split()) + [1, 1])
    assert Labels("key", "x", documents, owner).anew() == count + 1


def test_labels_that_start_anew_are_a_warning_if_they_are_joined() -> None:
    found = notes(LOCAL, LOCAL, scope="corpus")["local-labels"]
    assert found.count == 4
    assert found.message == (
        "warning: response reuses its labels in 4 of 4 documents. Entities with the "
        "same label in two documents were joined, although they are probably different."
    )
    assert "local-labels" not in notes(LOCAL, LOCAL)
    assert "local-labels" not in notes(GLOBAL, GLOBAL, scope="corpus")


def test_each_side_is_looked_at_alone() -> None:
    response = {
        name: {f"x{n}": each for n, each in entities.items()}
        for name, entities in LOCAL.items()
    }
    message = notes(LOCAL, response, scope="corpus")["local-labels"].message
    assert message.startswith("warning: key reuses its labels")


def test_labels_that_go_on_are_noted_by_documents() -> None:
    found = notes(GLOBAL, GLOBAL)["global-labels"]
    assert found.message == (
        "2 of 7 key entities and 2 of 7 response entities continue in another "
        "document, but each document was scored on its own. Use --scope corpus to "
        "score them across documents."
    )
    assert "global-labels" not in notes(GLOBAL, GLOBAL, scope="corpus")
    assert "global-labels" not in notes(LOCAL, LOCAL)


def test_one_side_with_such_labels_is_named() -> None:
    message = notes(
        GLOBAL, side("20 25 27", "35 38", "49 41", "57 52"), missing="empty"
    )
    assert message["global-labels"].message.startswith("2 of 7 key entities continue")


def test_of_two_documents_nothing_can_be_told() -> None:
    two = side("0 1", "0 1")
    assert "local-labels" not in notes(two, two, scope="corpus")
    assert "global-labels" not in notes(side("3 5", "5 7"), side("3 5", "5 7"))


def test_lists_have_no_labels() -> None:
    lists = {f"d{n}": [["a", "b"], ["c"]] for n in range(5)}
    assert not scoref.score(lists, lists).notes


def test_entities_that_topics_cut_are_counted() -> None:
    key = side("a1 b c d e f g h i j k", "a1 l m", "n", "o")
    found = notes(key, key, scope="topic", topics="ecb+")["cut-entities"]
    assert found.count == 1
    assert found.message == (
        "warning: 1 of 15 key entities (first: 'a1') and 1 response entity continue in "
        "other topics. They were split."
    )


def test_many_cut_entities_are_a_warning() -> None:
    found = notes(GLOBAL, GLOBAL, scope="topic", topics="ecb+")["cut-entities"]
    assert found.message.startswith("warning: 2 of 7 key entities")


def test_entities_that_cross_nothing_get_no_note() -> None:
    key = side("a b", "c", "d")
    found = notes(key, key, scope="topic", topics="ecb+")
    assert "cut-entities" not in found


@pytest.mark.parametrize(
    ("swapped", "message"),
    [
        (False, "warning: No response entity continues in another document, but 2"),
        (True, "warning: No key entity continues in another document, but 2"),
    ],
)
def test_a_side_that_never_crosses_documents_is_named(
    swapped: bool,
    message: str,
) -> None:
    sides = GLOBAL, side("20 25 27", "35 38", "49 41", "57 52")
    key, response = reversed(sides) if swapped else sides
    found = notes(key, response, scope="corpus")["never-crosses"]
    assert found.message.startswith(message)


def test_gold_mentions_are_noted_with_other_scopes() -> None:
    assert notes(GLOBAL, GLOBAL, scope="corpus")["gold-mentions"].message == (
        "The response has the key's 9 mentions, so the figures are for gold mentions."
    )
    assert "gold-mentions" not in notes(GLOBAL, GLOBAL)
    other = side("0 5 7", "5 8", "9 11", "7 13")
    assert "gold-mentions" not in notes(GLOBAL, other, scope="corpus")


@pytest.mark.parametrize(
    "documents",
    [
        ("0 2 5", "0 3 5 6", "1 2 4", "0 5 9"),
        ("3 4 9", "3 7 8", "4 5 9 11", "3 11", "2 3 4"),
        ("1 3 5", "1 3 5 7", "1 3"),
        ("e1 e3 e5", "e1 e2 e5", "e2 e3", "e4 e5 e6"),
        ("person-1 place-4", "person-1 place-2 place-5", "place-2 place-3", "person-1"),
    ],
)
def test_labels_that_start_anew_with_gaps_do_not_go_on(
    documents: tuple[str, ...],
) -> None:
    key = side(*documents)
    assert "global-labels" not in notes(key, key)


@pytest.mark.parametrize(
    "documents",
    [
        ("HUM16236184328979740 1", "2 HUM16236184328979740", "3", "4 1"),
        ("Q42 Q90512", "Q42 Q7", "Q5 Q100512", "Q7 Q99"),
        ("Obama Kenya", "Obama", "Honolulu Kenya"),
    ],
)
def test_names_and_large_numbers_hold_across_documents(
    documents: tuple[str, ...],
) -> None:
    key = side(*documents)
    assert "global-labels" in notes(key, key)
