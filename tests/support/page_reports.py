"""Made-up reports on made-up texts: figures of no meaning, in the right places."""

from __future__ import annotations

import random
from collections import Counter
from typing import TYPE_CHECKING

from support import page_errors
from support.page_texts import KINDS, Json

if TYPE_CHECKING:
    from collections.abc import Mapping


def report_of(texts: Mapping[str, Json | None], **changes: object) -> Json:
    """Make a report about some texts with two systems, figures made up."""
    names = ("ours", "theirs")
    documents = [_document(name, text) for name, text in texts.items()]
    systems = [
        _scored(name, place, list(texts.values())) for place, name in enumerate(names)
    ]
    made = {
        "version": 1,
        "title": "made-up key",
        "scoref": "1.0.0",
        "key": "made-up.conll",
        "metric": {"name": "conll", "label": "CoNLL"},
        "choices": [
            {
                "name": "match",
                "value": "exact",
                "meaning": "which mentions count as the same",
            },
            {
                "name": "singletons",
                "value": "keep",
                "meaning": "whether entities with one mention are scored",
            },
            {
                "name": "average",
                "value": "micro",
                "meaning": "micro: sum the counts of all documents; macro: average the "
                "documents' scores",
            },
        ],
        "kinds": [
            {"name": n, "label": label, "meaning": meaning}
            for n, label, meaning in KINDS
        ],
        "systems": systems,
        "comparison": {
            "level": 95,
            "rows": [_difference(metric, label) for metric, label in METRICS],
        },
        "documents": documents,
        "sizes": {
            "labels": ["1", "2", "3–5", "6–10", "11 or more"],
            "key": [12, 30, 22, 9, 4],
            "systems": [[8, 33, 20, 8, 5], [2, 40, 18, 4, 6]],
        },
        "left_out": None,
        "clusters": None,
        "errors": page_errors.columns_of(list(texts.values()), len(names)),
    }
    return {**made, **changes}


METRICS = (
    ("mentions", "Mentions"),
    ("muc", "MUC"),
    ("bcub", "B³"),
    ("ceafe", "CEAFe"),
    ("lea", "LEA"),
    ("conll", "CoNLL"),
)


def _document(name: str, text: Json | None) -> Json:
    return {
        "name": name,
        "genre": name.partition("/")[0] if "/" in name else None,
        "tokens": len(text["words"]) if text else None,
        "mentions": len(text["key"]["mentions"]) if text else 0,
        "entities": len(text["key"]["entities"]) if text else 0,
        "has_text": text is not None,
    }


def _scored(name: str, place: int, texts: list[Json | None]) -> Json:
    rng = random.Random(name)  # noqa: S311 - made-up figures
    errors = Counter(
        error["kind"]
        for text in texts
        if text
        for error in text["systems"][place]["errors"]
    )
    return {
        "name": name,
        "signature": "scoref:1.0.0|match:exact|singletons:keep|average:micro",
        "notes": ["3 duplicate mentions were left to their first entity"]
        if place
        else [],
        "scores": [_score(metric, label, rng) for metric, label in METRICS],
        "level": 95,
        "errors": [
            {"kind": kind, "count": count, "gain": count / 3000}
            for kind, count in sorted(errors.items())
        ],
        "documents": [_document_score(text, place, rng) for text in texts],
    }


def _score(metric: str, label: str, rng: random.Random) -> Json:
    recall, precision = rng.uniform(0.55, 0.85), rng.uniform(0.55, 0.85)
    f1 = 2 * recall * precision / (recall + precision)
    is_average = metric == "conll"
    figures = (
        {"f1": f1}
        if is_average
        else {"recall": recall, "precision": precision, "f1": f1}
    )
    return {
        "metric": metric,
        "label": label,
        "recall": None if is_average else recall,
        "precision": None if is_average else precision,
        "f1": f1,
        "is_defined": True,
        "intervals": {
            figure: [value - 0.021, value + 0.019] for figure, value in figures.items()
        },
    }


def _document_score(text: Json | None, place: int, rng: random.Random) -> Json:
    if text is not None and not text["words"]:
        return {"f1": None, "recall": None, "precision": None, "errors": 0}
    recall, precision = (min(1, max(0.05, rng.gauss(0.72, 0.11))) for _ in range(2))
    f1 = 2 * recall * precision / (recall + precision)
    errors = len(text["systems"][place]["errors"]) if text else None
    return {"f1": f1, "recall": recall, "precision": precision, "errors": errors}


def _difference(metric: str, label: str) -> Json:
    is_real = metric != "lea"
    return {
        "first": 0,
        "second": 1,
        "metric": metric,
        "label": label,
        "difference": 0.0312 if is_real else -0.001,
        "interval": [0.011, 0.052] if is_real else [-0.02, 0.018],
        "p": 0.0004 if is_real else 0.71,
        "p_holm": 0.0024 if is_real else 0.71,
        "is_significant": is_real,
        "wins": 3,
        "ties": 1,
        "losses": 2,
    }


def clusters() -> Json:
    """Give what a report on a table has instead of texts."""
    return {
        "divided": [
            {
                "key": "Müller, A.",
                "size": 12,
                "parts": [
                    {"response": "c1", "shared": 6, "size": 6},
                    {"response": "c7", "shared": 4, "size": 9},
                    {"response": "<b>c9</b>", "shared": 1, "size": 1},
                ],
                "mentions": [f"paper-{number}" for number in range(12)],
            }
        ],
        "conflated": [
            {
                "response": "c7",
                "size": 9,
                "parts": [
                    {"key": "Müller, A.", "shared": 4, "size": 12},
                    {"key": "Miller, A.", "shared": 5, "size": 5},
                ],
                "mentions": [],
            }
        ],
    }
