"""Which document of the response is which document of the key."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

import pytest

from scoref import AlignmentError, FormatError, Note, Scheme
from scoref.formats import conll2012_reference, read_data
from scoref.formats._builder import CorpusBuilder
from scoref.matching.documents import pair_documents
from scoref.model import DocumentName

if TYPE_CHECKING:
    from scoref.formats import Role
    from scoref.matching.documents import Documents
    from scoref.model import Corpus
    from scoref.scheme import Missing


def _conll(*names: str, role: Role, tokens: int = 1) -> Corpus:
    rows = "w\t-\n" * tokens
    texts = [f"#begin document {name}\n{rows}#end document\n" for name in names]
    return read_data("".join(texts).encode(), source=f"{role}.conll", role=role)


def _json(*names: str, role: Role) -> Corpus:
    lines = [json.dumps({"doc_key": name, "clusters": []}) for name in names]
    return read_data("\n".join(lines).encode(), source=f"{role}.jsonl", role=role)


def _rows(documents: Documents) -> list[tuple[str, int, int]]:
    """List the documents with their rows on both sides."""
    columns = documents.names, documents.key.tolist(), documents.response.tolist()
    return list(zip(*columns, strict=True))


# Names


@pytest.mark.parametrize(
    ("key", "response"),
    [
        ("(bc/x); part 000", "(bc/x); part 000"),
        ("(bc/x); part 000", "(bc/x); part 0"),
        ("(bc/x); part 000", "bc/x"),
        ("(bc/x); part 000", "bc/x_0"),
        ("(bc/x); part 003", "bc/x_3"),
        ("(bc/x);", "bc/x"),
        ("(bc/x)", "(bc/x); part 000"),
    ],
)
@pytest.mark.parametrize("swap", [False, True])
def test_two_spellings_of_a_name_are_one_document(
    key: str, response: str, *, swap: bool
) -> None:
    names = (response, key) if swap else (key, response)
    sides = _conll(names[0], role="key"), _conll(names[1], role="response")
    assert _rows(pair_documents(*sides, Scheme())) == [(names[0], 0, 0)]


@pytest.mark.parametrize(
    ("key", "response"),
    [
        ("(bc/x); part 001", "bc/x"),
        ("(bc/x); part 001", "(bc/x); part 010"),
        ("(bc/x); part 001", "bc/x_10"),
        ("a", "A"),
    ],
)
def test_other_names_are_other_documents(key: str, response: str) -> None:
    sides = _conll(key, role="key"), _conll(response, role="response")
    with pytest.raises(AlignmentError):
        pair_documents(*sides, Scheme())


def test_json_keys_name_conll_documents() -> None:
    key = _conll("(bc/x); part 000", "(bc/x); part 001", "(y); part 000", role="key")
    response = _json("bc/x_1", "y", "bc/x_0", role="response")
    assert _rows(pair_documents(key, response, Scheme())) == [
        ("(bc/x); part 000", 0, 2),
        ("(bc/x); part 001", 1, 0),
        ("(y); part 000", 2, 1),
    ]


def test_a_full_name_goes_before_an_abbreviation() -> None:
    key = _conll("(x); part 000", "x", role="key")
    response = _conll("x", "(x); part 000", role="response")
    expected = [("(x); part 000", 0, 1), ("x", 1, 0)]
    assert _rows(pair_documents(key, response, Scheme())) == expected


def test_the_order_of_two_similar_names_does_not_matter() -> None:
    key = _conll("x", "(x); part 000", role="key")
    response = _conll("x", "(x); part 000", role="response")
    expected = [("x", 0, 0), ("(x); part 000", 1, 1)]
    assert _rows(pair_documents(key, response, Scheme())) == expected


def test_the_order_of_the_key_is_kept() -> None:
    key = _conll("c", "a", "b", role="key")
    response = _conll("a", "b", "c", role="response")
    expected = [("c", 0, 2), ("a", 1, 0), ("b", 2, 1)]
    assert _rows(pair_documents(key, response, Scheme())) == expected


# Missing documents


def test_a_document_missing_in_the_response_is_an_error() -> None:
    sides = _conll("a", "b", "c", role="key"), _conll("a", role="response")
    with pytest.raises(AlignmentError) as caught:
        pair_documents(*sides, Scheme())
    assert str(caught.value) == (
        "key.conll:4: document 'b' (and 1 more) is not in response.conll\n"
        "  hint: response.conll has 'a'; missing=empty (--missing empty) scores a "
        "missing document as one without entities"
    )


def test_a_document_missing_in_the_key_is_an_error() -> None:
    names = "a", "b", "c", "d", "e"
    sides = _conll(*names, role="key"), _conll(*names, "f", role="response")
    with pytest.raises(AlignmentError) as caught:
        pair_documents(*sides, Scheme())
    assert str(caught.value) == (
        "response.conll:16: document 'f' is not in key.conll\n"
        "  hint: key.conll has 'a', 'b', 'c' and 2 more; missing=empty (--missing "
        "empty) scores a missing document as one without entities"
    )


@pytest.mark.parametrize(
    ("missing", "rows", "notes"),
    [
        (
            "empty",
            [("a", 0, -1), ("b", 1, 1), ("c", -1, 0), ("d", -1, 2)],
            (
                Note(
                    "empty-documents",
                    2,
                    "2 documents in the response only, empty in the key",
                ),
                Note(
                    "empty-documents",
                    1,
                    "1 document in the key only, empty in the response",
                ),
            ),
        ),
        (
            "key",
            [("a", 0, -1), ("b", 1, 1)],
            (
                Note(
                    "ignored-documents",
                    2,
                    "2 documents in the response only, not scored",
                ),
                Note(
                    "empty-documents",
                    1,
                    "1 document in the key only, empty in the response",
                ),
            ),
        ),
    ],
)
def test_the_scheme_says_what_becomes_of_missing_documents(
    missing: Missing, rows: list[tuple[str, int, int]], notes: tuple[Note, ...]
) -> None:
    sides = _conll("a", "b", role="key"), _conll("c", "b", "d", role="response")
    documents = pair_documents(*sides, Scheme(missing=missing))
    assert _rows(documents) == rows
    assert documents.notes == notes


def test_a_fault_in_a_document_that_is_not_scored_does_not_matter() -> None:
    good = b"#begin document a\nw\t(1)\n#end document\n"
    bad = b"#begin document b\nw\t1)\n#end document\n"
    key = conll2012_reference.read(good, source="key")
    response = conll2012_reference.read(good + bad, source="response")
    scheme = Scheme(reading="reference", missing="key")
    assert _rows(pair_documents(key, response, scheme)) == [("a", 0, 0)]


def test_a_fault_in_a_document_that_is_scored_is_raised() -> None:
    good = b"#begin document a\nw\t(1)\n#end document\n"
    bad = b"#begin document b\nw\t1)\n#end document\n"
    key = conll2012_reference.read(good, source="key")
    response = conll2012_reference.read(good + bad, source="response")
    scheme = Scheme(reading="reference", missing="empty")
    with pytest.raises(FormatError, match="response:5: entity 1 is closed here"):
        pair_documents(key, response, scheme)


# Lengths


def test_documents_of_unequal_length_are_refused() -> None:
    key = _conll("a", role="key", tokens=2)
    response = _conll("a", role="response", tokens=3)
    with pytest.raises(AlignmentError) as caught:
        pair_documents(key, response, Scheme())
    assert str(caught.value) == (
        "response.conll:1: document 'a' has 3 tokens here, but 2 in key.conll:1\n"
        "  hint: key and response must have the same tokens, one a row"
    )


def test_leniently_unequal_lengths_are_noted() -> None:
    key = _conll("a", role="key", tokens=2)
    response = _conll("a", role="response", tokens=3)
    documents = pair_documents(key, response, Scheme(reading="lenient"))
    message = (
        "unequal documents: 1 scored all the same, first: document 'a' has 3 "
        "tokens here, but 2 in key.conll:1"
    )
    assert documents.notes == (Note("unequal-documents", 1, message),)


def test_the_reference_reading_scores_unequal_documents_and_notes_them() -> None:
    key = _conll("a", role="key", tokens=2)
    response = _conll("a", role="response", tokens=3)
    documents = pair_documents(key, response, Scheme(reading="reference"))
    assert [note.kind for note in documents.notes] == ["unequal-documents"]


def test_a_side_that_does_not_tell_its_length_fits_any() -> None:
    key, response = _conll("a", role="key", tokens=2), _json("a", role="response")
    assert _rows(pair_documents(key, response, Scheme())) == [("a", 0, 0)]


# No names


def _nameless(*tokens: int) -> Corpus:
    builder = CorpusBuilder("response.jsonl", "json-lines")
    for number, count in enumerate(tokens, start=1):
        name = DocumentName.numbered(number)
        builder.add_document(name, line=number, tokens=count)
    return builder.build()


def test_documents_without_names_go_by_their_places() -> None:
    key = _conll("(b); part 000", "(2)", role="key")
    found = pair_documents(key, _nameless(1, 1), Scheme())
    assert _rows(found) == [("(b); part 000", 0, 0), ("(2)", 1, 1)]


def test_documents_without_names_must_be_as_many() -> None:
    with pytest.raises(AlignmentError):
        pair_documents(_conll("a", "b", role="key"), _nameless(1), Scheme())
