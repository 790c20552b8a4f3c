"""What the errors of a response have in common."""

from __future__ import annotations

import numpy as np

import scoref
from scoref.tools.errors.summary import score_documents, weakest_documents
from support.error_analyses import example


def test_the_weakest_documents_are_listed_if_there_are_enough() -> None:
    analysis = example("")
    count = len(analysis.documents)
    scores = score_documents(analysis).figures[:, 2]
    weakest = weakest_documents(analysis, count)
    figures = [row.f1 for row in weakest]
    assert figures == [score for score in sorted(scores) if score < np.median(scores)]
    assert figures == sorted(figures)
    assert weakest_documents(analysis, 1) == weakest[:1]
    assert weakest_documents(analysis, count + 1) == ()


def test_documents_of_one_score_are_not_weak() -> None:
    texts = {str(place): [[(0, 0), (1, 1)]] for place in range(3)}
    found = dict(texts)
    found["1"] = []
    one = scoref.find_errors(texts, found)
    assert [row.document for row in weakest_documents(one)] == ["1"]
    found["0"] = found["2"] = []
    assert weakest_documents(scoref.find_errors(texts, found)) == ()
