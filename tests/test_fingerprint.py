"""Keys that are known: found as a whole, in part, and with another annotation."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from scoref import fingerprint as scoref_fingerprint
from scoref.fingerprint import KnownKey, known_keys, name_of, recognise
from scoref.formats.fingerprints import fingerprint
from scoref.formats.reading import read_data

if TYPE_CHECKING:
    from scoref.fingerprint import Fingerprint


def taken(*documents: tuple[str, str, str]) -> Fingerprint:
    """Take the fingerprint of documents: a name, words, clusters."""
    lines = [
        f'{{"doc_key": "{name}", "tokens": {words}, "clusters": {clusters}}}\n'
        for name, words, clusters in documents
    ]
    data = "".join(lines).encode()
    return fingerprint(read_data(data, source="x", role="key", with_tokens=True))


ONE = ("one", '["a", "b"]', "[[[0, 0], [1, 1]]]")

TWO = ("two", '["c", "d"]', "[[[0, 0], [1, 1]]]")

CHANGED = ("two", '["c", "d"]', "[[[0, 0]], [[1, 1]]]")

OTHER = ("three", '["e"]', "[[[0, 0]]]")


@pytest.fixture(autouse=True)
def _known(monkeypatch: pytest.MonkeyPatch) -> None:
    both = taken(ONE, TWO)
    known = KnownKey(
        "both",
        "1",
        "made up",
        2,
        both.mentions,
        both.entities,
        both.key,
        both.text,
        both.annotation,
        tuple(scoref_fingerprint._digits(each) for each in both.documents),  # noqa: SLF001
    )
    whole = known._replace(name="whole", parts=())
    monkeypatch.setattr(scoref_fingerprint, "known_keys", lambda: (known, whole))


def test_a_known_key_has_a_name() -> None:
    assert name_of(taken(TWO, ONE)) == "both"
    assert [each.known.name for each in recognise(taken(ONE, TWO))] == ["both", "whole"]
    assert all(each.is_exact for each in recognise(taken(ONE, TWO)))


def test_a_document_that_differs_is_named() -> None:
    (found,) = [each for each in recognise(taken(ONE, CHANGED)) if each.shared]
    assert not found.is_exact
    assert (found.shared, found.changed, found.others) == (("one",), ("two",), ())
    assert name_of(taken(ONE, CHANGED)) is None


def test_a_part_of_a_key_and_strange_documents_are_told() -> None:
    (found,) = recognise(taken(ONE, OTHER))
    assert (found.shared, found.changed, found.others) == (("one",), (), ("three",))


def test_the_same_texts_are_told_where_documents_are_not_known() -> None:
    found = {each.known.name: each for each in recognise(taken(CHANGED, ONE))}
    assert found["whole"].changed == ("two", "one")


def test_a_strange_key_is_nothing_known() -> None:
    assert recognise(taken(OTHER)) == []


def test_the_registry_is_sound() -> None:
    listed = known_keys()
    names = [each.name for each in listed]
    assert len({*names}) == len(names)
    for each in listed:
        digests = [each.annotation, *filter(None, (each.key, each.text))]
        assert {len(digest) for digest in digests} == {64}
        assert not each.parts or len(each.parts) == each.documents
