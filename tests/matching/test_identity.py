"""Mentions that are the same by more than their spans."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest

import scoref
from scoref.formats._builder import CorpusBuilder
from scoref.metrics import chosen
from scoref.model import DocumentName
from scoref.schemes import resolve
from scoref.scoring.pipeline import score_corpora

if TYPE_CHECKING:
    from scoref.model import Corpus

Row = tuple[str, int, int, str, str]
GOLD = [
    ("d1", 0, 0, "K1", "PER"),
    ("d1", 5, 6, "K1", "PER"),
    ("d2", 3, 3, "K1", "PER"),
    ("d2", 8, 9, "NIL1", "ORG"),
    ("d3", 1, 2, "NIL1", "ORG"),
]
SYSTEM = [
    ("d1", 0, 0, "K1", "PER"),
    ("d1", 5, 6, "K2", "PER"),
    ("d2", 3, 3, "K1", "ORG"),
    ("d2", 8, 9, "NIL7", "ORG"),
    ("d3", 1, 2, "NIL7", "ORG"),
    ("d3", 4, 4, "NIL8", "PER"),
]


def corpus(rows: list[Row], **columns: bool) -> Corpus:
    """Write down mentions with their types and ids."""
    builder = CorpusBuilder("x.tsv", "neleval", mention_type=[], mention_kbid=[])
    documents: dict[str, int] = {}
    entities: dict[tuple[str, str], int] = {}
    for name, start, end, label, kind in rows:
        if name not in documents:
            documents[name] = builder.add_document(DocumentName.plain(name), line=0)
        if (name, label) not in entities:
            entities[name, label] = builder.add_entity(label, documents[name])
        builder.mentions += [entities[name, label], start, end, 0]
        assert builder.mention_type is not None
        assert builder.mention_kbid is not None
        builder.mention_type.append(kind)
        builder.mention_kbid.append(label)
    if not columns.get("typed", True):
        builder.mention_type = None
    return builder.build(has_tokens=False)


def score(**options: Any) -> scoref.Result:  # noqa: ANN401 - options
    scheme = resolve(None, scope="corpus", **options)
    metrics = chosen("mentions,muc,bcub,ceafm,ceafe,pairwise")
    return score_corpora(corpus(GOLD), corpus(SYSTEM), scheme, metrics)


# Recall and precision as neleval 3.1.1 has them: numerator, denominator.
@pytest.mark.parametrize(
    ("identity", "metric", "recall", "precision"),
    [
        ("span", "mentions", (5, 5), (5, 6)),  # strong_mention_match
        ("span", "bcub", (11 / 3, 5), (5, 6)),  # b_cubed
        ("span", "ceafm", (4, 5), (4, 6)),  # mention_ceaf
        ("span", "ceafe", (1.8, 2), (1.8, 4)),  # entity_ceaf
        ("span", "muc", (2, 3), (2, 2)),  # muc
        ("span", "pairwise", (2, 4), (2, 2)),  # pairwise
        ("span+type", "mentions", (4, 5), (4, 6)),  # strong_typed_mention_match
        ("span+type", "ceafm", (3, 5), (3, 6)),  # typed_mention_ceaf
        ("span+kbid", "mentions", (4, 5), (4, 6)),  # strong_all_match
        ("span+kbid", "bcub", (10 / 3, 5), (4, 6)),  # b_cubed_plus
        ("span+kbid", "ceafm", (4, 5), (4, 6)),  # mention_ceaf_plus
        ("span+type+kbid", "mentions", (3, 5), (3, 6)),  # strong_typed_all_match
    ],
)
def test_measures_of_neleval_are_metrics_on_other_mentions(
    identity: str,
    metric: str,
    recall: tuple[float, float],
    precision: tuple[float, float],
) -> None:
    counts = score(identity=identity).counts[metric].sum(axis=0)
    found = counts[0] / counts[1], counts[2] / counts[3]
    assert found == pytest.approx((recall[0] / recall[1], precision[0] / precision[1]))


def test_the_signature_has_it_unless_spans_are_all() -> None:
    assert "|identity:span+type|" in score(identity="span+type").signature
    assert "identity" not in score(identity="span").signature
    assert score(identity="span").scores == score().scores


def test_files_without_types_are_refused() -> None:
    sides = corpus(GOLD), corpus(SYSTEM, typed=False)
    scheme = resolve(None, identity="span+type")
    with pytest.raises(scoref.OptionError, match="'type' is not in neleval files"):
        score_corpora(*sides, scheme, chosen(None))


def test_entities_in_python_have_neither() -> None:
    with pytest.raises(scoref.OptionError, match="'kbid' is not in entities files"):
        scoref.score([["a"]], [["a"]], identity="span+kbid")
