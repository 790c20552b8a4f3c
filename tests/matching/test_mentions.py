"""One matching: what it says of rows, and that whoever needs it asks once."""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING

import pytest

from corefud import corefud, read, scheme_with
from scoref.formats.entities import EntityPairs
from scoref.matching.mentions import match_mentions
from scoref.metrics import available
from scoref.scheme import Scheme
from scoref.schemes import resolve
from scoref.scoring.slices import slice_corpora
from scoref.tools.errors.analysis import analyse
from universal import read as read_universal
from universal import universal

if TYPE_CHECKING:
    from collections.abc import Callable

    from scoref.matching import Matched
    from scoref.model import Corpus

EIGHT = "w w w w w w w w"


def spans() -> tuple[Corpus, Corpus]:
    key, response = [["a", "b"], ["c", "d"]], [["a", "c"], ["d", "e"]]
    return EntityPairs.of(key, response).build()


def sets_of_words() -> tuple[Corpus, Corpus]:
    """Give the same: only the words of the first mention differ."""
    key, response = {"e1": "1-2 3", "e2": "4 5"}, {"e1": "1 4", "e2": "5 6"}
    return read(corefud(EIGHT, **key)), read(corefud(EIGHT, **response))


def matched_with(matched: Matched) -> list[list[int]]:
    """Give the row on the other side with which each row was matched."""
    others = [side.mention.tolist() for side in (matched.response, matched.key)]
    return [
        [other.index(number) if number >= 0 else -1 for number in column.tolist()]
        for other, column in zip(others, matched.partners, strict=True)
    ]


@pytest.mark.parametrize("corpora", [spans, sets_of_words])
def test_rows_have_partners_and_lead_to_entities_whatever_mentions_are(
    corpora: Callable[[], tuple[Corpus, Corpus]],
) -> None:
    scheme = Scheme() if corpora is spans else scheme_with({})
    matched = match_mentions(*corpora(), scheme)
    assert matched_with(matched) == [[0, -1, 1, 2], [0, 2, 3, -1]]
    assert matched.from_key.tolist() == [0, -1, 0, 1]
    assert matched.from_response.tolist() == [0, 1, 1, -1]


def test_the_last_entity_that_lists_a_mention_owns_it() -> None:
    key, response = [["a", "b"], ["b", "c"]], [["a"], ["b"]]
    corpora = EntityPairs.of(key, response).build()
    matched = match_mentions(*corpora, Scheme(duplicates="coval"))
    assert matched.from_response.tolist() == [0, 1]
    assert matched.from_key.tolist() == [0, 1, 1, -1]
    assert matched_with(matched)[0] == [0, 1, 1, -1]


def test_without_a_listing_there_is_no_partner() -> None:
    corpora = EntityPairs.of([["a", "b"]], [["a"], ["b", "c"]]).build()
    matched = match_mentions(*corpora, Scheme(singletons="drop"))
    assert matched_with(matched) == [[-1, 0], [1, -1]]


def times_matched(monkeypatch: pytest.MonkeyPatch) -> list[Scheme]:
    """Write down every scheme by which the pipeline matches."""
    schemes: list[Scheme] = []

    def match(key: Corpus, response: Corpus, scheme: Scheme) -> Matched:
        schemes.append(scheme)
        return match_mentions(key, response, scheme)

    for name in ("scoref.scoring.pipeline", "scoref.tools.errors.analysis"):
        monkeypatch.setattr(import_module(name), "match_mentions", match)
    return schemes


@pytest.mark.parametrize("corpora", [spans, sets_of_words])
def test_slices_and_errors_match_once(
    corpora: Callable[[], tuple[Corpus, Corpus]], monkeypatch: pytest.MonkeyPatch
) -> None:
    key, response = corpora()
    scheme = Scheme() if corpora is spans else scheme_with({})
    schemes = times_matched(monkeypatch)
    metrics = available(key, scheme)
    slice_corpora(key, response, scheme, metrics, "entity-size")
    assert len(schemes) == 1
    analyse(key, response, scheme)
    assert len(schemes) == 2


def test_slices_by_distance_match_once(monkeypatch: pytest.MonkeyPatch) -> None:
    schemes = times_matched(monkeypatch)
    found = slice_corpora(*sets_of_words(), scheme_with({}), ("zero",), "distance")
    assert len(found) > len(schemes) == 1


def test_errors_match_again_where_plurals_are_scored(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    corpus = read_universal(universal(EIGHT, e1="1 3", e2="2 4"))
    schemes = times_matched(monkeypatch)
    analyse(corpus, corpus, resolve("codi-crac-2022-ar"))
    assert [scheme.split_antecedents for scheme in schemes] == ["keep", "drop"]
