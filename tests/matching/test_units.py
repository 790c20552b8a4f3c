"""Scopes: entities joined by label within documents, subtopics, topics, the corpus."""

from __future__ import annotations

import pickle
from fractions import Fraction
from typing import TYPE_CHECKING, Any

import pytest

import scoref
from scoref.errors import AlignmentError, OptionError

if TYPE_CHECKING:
    from pathlib import Path

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


def score(scope: str, topics: Any = "ecb+", **options: Any) -> scoref.Result:  # noqa: ANN401 - options
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
    notes = {note.kind: note for note in result.notes}
    assert notes["unused-topics"].message.startswith("1 of 5 documents in ")
    with pytest.raises(OptionError, match="gives topics only"):
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
    with pytest.raises(AlignmentError, match="no labels that hold across documents"):
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
