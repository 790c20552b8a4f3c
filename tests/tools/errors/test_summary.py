"""What the errors of a response have in common."""

from __future__ import annotations

from scoref.tools.errors.summary import weakest_documents
from support.error_analyses import example


def test_the_weakest_documents_are_listed_if_there_are_enough() -> None:
    analysis = example("")
    count = len(analysis.documents)
    weakest = weakest_documents(analysis, count)
    assert sorted(row.document for row in weakest) == sorted(analysis.documents)
    figures = [row.f1 for row in weakest]
    assert figures == sorted(figures)
    assert weakest_documents(analysis, 1) == weakest[:1]
    assert weakest_documents(analysis, count + 1) == ()
