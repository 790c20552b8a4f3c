"""Which document of the response is which document of the key.

Scopes: entities joined by label within documents, subtopics, topics, the corpus.
"""

from __future__ import annotations

import json
import pickle
from fractions import Fraction
from typing import TYPE_CHECKING, Any

import pytest

import scoref
from scoref import AlignmentError, FormatError, Note, Scheme
from scoref.errors import OptionError
from scoref.formats import conll2012_reference
from scoref.formats.builder import CorpusBuilder
from scoref.formats.reading import read_data
from scoref.matching.documents import pair_documents
from scoref.model import DocumentName

if TYPE_CHECKING:
    from pathlib import Path

    from scoref.formats.catalogue import Role
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
        "  hint: response.conll has 'a'. Use --missing empty (missing=empty in "
        "Python) to score a missing document as an empty one."
    )


def test_a_document_missing_in_the_key_is_an_error() -> None:
    names = "a", "b", "c", "d", "e"
    sides = _conll(*names, role="key"), _conll(*names, "f", role="response")
    with pytest.raises(AlignmentError) as caught:
        pair_documents(*sides, Scheme())
    assert str(caught.value) == (
        "response.conll:16: document 'f' is not in key.conll\n"
        "  hint: key.conll has 'a', 'b', 'c' and 2 more. Use --missing empty "
        "(missing=empty in Python) to score a missing document as an empty one."
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
                    "warning: response.conll: 2 documents are not in key.conll. "
                    "The mentions there count as wrong (--missing empty).",
                ),
                Note(
                    "empty-documents",
                    1,
                    "warning: key.conll: 1 document is not in response.conll. "
                    "The mentions there count as missing.",
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
                    "warning: response.conll: 2 documents are not in key.conll. "
                    "Not scored (--missing key).",
                ),
                Note(
                    "empty-documents",
                    1,
                    "warning: key.conll: 1 document is not in response.conll. "
                    "The mentions there count as missing.",
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
        "  hint: Key and response must have the same tokens, one per row."
    )


def test_leniently_unequal_lengths_are_noted() -> None:
    key = _conll("a", role="key", tokens=2)
    response = _conll("a", role="response", tokens=3)
    documents = pair_documents(key, response, Scheme(reading="lenient"))
    message = (
        "warning: 1 document was scored although the number of tokens differs (first: "
        "document 'a' has 3 tokens here, but 2 in key.conll:1)."
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


KEY = {
    "1_1ecb": {"E1": ["a"], "E2": ["b"]},
    "1_2ecb": {"E1": ["c"], "E3": ["d"]},
    "1_1ecbplus": {"E1": ["e"], "E4": ["f"]},
    "2_1ecb": {"E5": ["g"], "E6": ["h"]},
}

RESPONSE = {
    "1_1ecb": {"X1": ["a"], "X2": ["b"]},
    "1_2ecb": {"X1": ["c"], "X2": ["d"]},
    "1_1ecbplus": {"X3": ["e"], "X4": ["f"]},
    "2_1ecb": {"X1": ["g"], "X5": ["h"]},
}


def score(scope: str, topics: Any = "ecb+", **options: Any) -> scoref.Result:
    given = topics if "topic" in scope else None
    return scoref.score(KEY, RESPONSE, scope=scope, topics=given, **options)  # type: ignore[arg-type] # a value of it


# Numerators and denominators of the Perl reference scorer 8.01, which was given each
# unit as a document.
EXPECTED: dict[str, dict[str, tuple[Fraction | float, ...]]] = {
    "document": {
        "muc": (0, 0, 0, 0),
        "bcub": (8, 8, 8, 8),
        "ceafm": (8, 8, 8, 8),
        "ceafe": (8, 8, 8, 8),
    },
    "subtopic": {
        "muc": (1, 1, 1, 2),
        "bcub": (8, 8, 7, 8),
        "ceafm": (7, 8, 7, 8),
        "ceafe": (Fraction(17, 3), 7, Fraction(17, 3), 6),
    },
    "topic": {
        "muc": (1, 2, 1, 2),
        "bcub": (Fraction(20, 3), 8, 7, 8),
        "ceafm": (6, 8, 6, 8),
        "ceafe": (Fraction(67, 15), 6, Fraction(67, 15), 6),
    },
    "corpus": {
        "muc": (1, 2, 1, 3),
        "bcub": (Fraction(20, 3), 8, Fraction(17, 3), 8),
        "ceafm": (5, 8, 5, 8),
        "ceafe": (Fraction(11, 3), 6, Fraction(11, 3), 5),
    },
}

BLANC = {
    "document": (1, 1, 1),
    "subtopic": (13 / 14, 3 / 4, 0.7949),
    "topic": (0.6282, 0.6786, 0.6444),
    "corpus": (0.6067, 0.5833, 0.5918),
}


@pytest.mark.parametrize("scope", EXPECTED)
def test_each_scope_has_the_figures_of_its_units(scope: str) -> None:
    result = score(scope)
    for name, figures in EXPECTED[scope].items():
        counts = result.counts[name].sum(axis=0).tolist()
        assert counts == pytest.approx([float(each) for each in figures])
    assert result.scores["blanc"][:3] == pytest.approx(BLANC[scope], abs=5e-5)


@pytest.mark.parametrize(
    ("scope", "units"),
    [
        ("document", tuple(KEY)),
        ("subtopic", ("1ecb", "1ecbplus", "2ecb")),
        ("topic", ("1", "2")),
        ("corpus", ("corpus",)),
    ],
)
def test_units_stand_where_documents_do(scope: str, units: tuple[str, ...]) -> None:
    result = score(scope)
    assert result.documents == tuple(result.per_document) == units


def test_a_subtopic_is_one_inside_its_topic() -> None:
    pattern = r"(?P<topic>\d+)_\d+(?P<subtopic>ecb(?:plus)?)"
    result = score("subtopic", pattern)
    assert result.documents == ("1/ecb", "1/ecbplus", "2/ecb")
    assert result.scores == score("subtopic").scores


@pytest.mark.parametrize(
    ("scope", "topics", "field"),
    [
        ("subtopic", "ecb+", "subtopic(ecb+)"),
        ("topic", r"(\d+)_", "topic(pattern)"),
        ("topic", dict.fromkeys(KEY, "x"), "topic(dict)"),
        ("corpus", None, "corpus"),
    ],
)
def test_the_signature_has_the_scope_and_whose_topics_they_are(
    scope: str, topics: object, field: str
) -> None:
    assert f"|scope:{field}|singletons:" in score(scope, topics).signature


def test_scope_document_leaves_the_signature_as_it_was() -> None:
    assert score("document").signature == scoref.score(KEY, RESPONSE).signature


def test_a_file_of_topics_with_two_columns_gives_units(tmp_path: Path) -> None:
    path = tmp_path / "topics.tsv"
    lines = [f"{name}\t{name[0] + name[3:]}\n" for name in KEY]
    path.write_text("".join([*lines, "other\t9\n"]), encoding="utf-8")
    result = score("topic", str(path))
    assert result.documents == ("1ecb", "1ecbplus", "2ecb")
    assert "|scope:topic(file)|" in result.signature
    with pytest.raises(
        OptionError,
        match="has only topics",
    ):
        score("subtopic", str(path))


def test_topics_need_a_source() -> None:
    with pytest.raises(OptionError, match="needs topics") as caught:
        score("topic", None)
    assert all(form in caught.value.hint for form in ("ecb+", "file", "regular"))


def test_a_document_without_topic_is_refused_by_name() -> None:
    topics = {"1_1ecb": "1"}
    with pytest.raises(AlignmentError) as caught:
        score("topic", topics)
    assert "document '1_2ecb' (and 2 more) has no topic in" in str(caught.value)


def test_a_meta_document_has_no_topic() -> None:
    with pytest.raises(AlignmentError, match="one meta-document"):
        scoref.score(
            {"(0)": {"E": ["a"]}}, {"(0)": {"E": ["a"]}}, scope="topic", topics="ecb+"
        )


def test_a_meta_document_is_a_corpus() -> None:
    sides = {"(0)": {"E": ["a", "b"]}}, {"(0)": {"E": ["a", "b"]}}
    assert scoref.score(*sides, scope="corpus").conll == 1


def test_entities_without_labels_cannot_be_joined() -> None:
    lists = {"d1": [["a"]], "d2": [["b"]]}
    with pytest.raises(AlignmentError, match="needs entities with labels"):
        scoref.score(lists, lists, scope="corpus")


def test_singletons_are_dropped_after_joining() -> None:
    key = {"d1": {"E": ["a"], "F": ["b"]}, "d2": {"E": ["c"]}}
    result = scoref.score(key, key, scope="corpus", singletons="drop")
    assert result.counts["mentions"].tolist() == [[2, 2, 2, 2]]


def test_the_same_offsets_in_two_documents_are_two_mentions() -> None:
    key = {"d1": {"E": [(0, 1)]}, "d2": {"E": [(0, 1)]}}
    result = scoref.score(key, key, scope="corpus")
    assert result.counts["muc"].tolist() == [[1, 1, 1, 1]]


def test_an_evaluator_joins_by_label_and_so_does_merging() -> None:
    whole = scoref.Evaluator(scope="topic", topics="ecb+")
    whole.update(key=KEY, response=RESPONSE)
    parts = [scoref.Evaluator(scope="topic", topics="ecb+") for _ in range(2)]
    for number, name in enumerate(KEY):
        parts[number % 2].update(key=KEY[name], response=RESPONSE[name], document=name)
    parts[0].merge(pickle.loads(pickle.dumps(parts[1])))  # noqa: S301 - our own
    assert parts[0].compute().scores == whole.compute().scores
    assert whole.compute().scores == score("topic").scores


CONLL = """#begin document ({name}); part 000
{rows}
#end document
"""


def conll(side: dict[str, dict[str, list[str]]]) -> str:
    """Write documents with a row for each mention."""
    return "".join(
        CONLL.format(
            name=name,
            rows="\n".join(f"{name}\t({label})" for label in entities),
        )
        for name, entities in side.items()
    )


def test_files_have_the_same_figures(tmp_path: Path) -> None:
    paths = tmp_path / "key.conll", tmp_path / "response.conll"
    for path, side in zip(paths, (KEY, RESPONSE), strict=True):
        path.write_text(conll(side), encoding="utf-8")
    result = scoref.score(*paths, scope="subtopic", topics="ecb+")
    assert result.scores == score("subtopic").scores


@pytest.mark.parametrize("duplicates", ["reference", "first", "last", "coval"])
def test_a_mention_listed_twice_is_settled_after_joining(duplicates: str) -> None:
    key = {"d1": {"E": ["a", "b"]}, "d2": {"E": ["c"]}}
    response = {"d1": {"X": ["a"], "Y": ["a", "b"]}, "d2": {"X": ["c"]}}
    joined = scoref.score(
        [["a", "b", "c"]],
        [["a", "c"], ["a", "b"]],
        duplicates=duplicates,  # type: ignore[arg-type] # a value of it
    )
    result = scoref.score(key, response, scope="corpus", duplicates=duplicates)  # type: ignore[arg-type] # a value of it
    assert result.scores == joined.scores
