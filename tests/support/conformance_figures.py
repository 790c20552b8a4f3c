"""Exact figures of the cases of the conformance suite, from scoref's counts."""

from __future__ import annotations

import warnings
from fractions import Fraction
from typing import Any

import scoref

METRICS = {
    "common": (
        *("mentions", "muc", "bcub", "ceafm", "ceafe", "blanc", "lea"),
        *("pairwise", "conll"),
    ),
    "reference": ("mentions", "muc", "bcub", "ceafm", "ceafe", "blanc", "conll"),
    "coval": ("mentions", "muc", "bcub", "ceafe", "lea", "conll"),
    "coval-no-singletons": ("mentions", "muc", "bcub", "ceafe", "lea", "conll"),
    "cai-strube": ("bcub-0", "bcub-all", "bcub-rn", "bcub-sys", "ceafm-sys"),
    "scikit-learn": ("rand", "ari", "fowlkes-mallows", "v-measure", "nmi"),
    "pairs": ("pairwise",),
    **dict.fromkeys(
        (
            *("corefud-head", "corefud-head-singletons", "corefud-partial"),
            *("corefud-exact", "corefud-exact-singletons"),
        ),
        ("muc", "bcub", "ceafm", "ceafe", "blanc", "lea", "mor", "conll"),
    ),
    # BLANC of split antecedents depends on hashes in the official scorer.
    "ua": ("muc", "bcub", "ceafm", "ceafe", "lea", "conll"),
    **dict.fromkeys(
        ("ua-no-singletons", "ua-no-split-antecedents", "ua-partial"),
        ("muc", "bcub", "ceafm", "ceafe", "blanc", "lea", "conll"),
    ),
}
"""The metrics that each convention has."""

OPTIONS: dict[str, dict[str, Any]] = {
    "common": {},
    "reference": {"scheme": "conll-2012"},
    "coval": {"duplicates": "coval"},
    "coval-no-singletons": {"duplicates": "coval", "singletons": "drop"},
    "cai-strube": {},
    "scikit-learn": {},
    "pairs": {},
    "corefud-head": {"scheme": "crac-2026"},
    "corefud-head-singletons": {"scheme": "crac-2026", "singletons": "keep"},
    "corefud-partial": {"scheme": "crac-2026", "match": "partial"},
    "corefud-exact": {"scheme": "crac-2026", "match": "exact"},
    "corefud-exact-singletons": {
        "scheme": "crac-2026",
        "match": "exact",
        "singletons": "keep",
    },
    "ua": {"scheme": "codi-crac-2022-ar"},
    "ua-no-singletons": {"scheme": "codi-crac-2022-ar", "singletons": "drop"},
    "ua-no-split-antecedents": {
        "scheme": "codi-crac-2022-ar",
        "split_antecedents": "drop",
    },
    "ua-partial": {"scheme": "codi-crac-2022-ar", "match": "partial"},
}

_RATIOS = {"mentions", "muc", "bcub", "ceafm", "ceafe", "lea", "pairwise", "mor"}
_LARGEST = 100_000  # denominator of a figure
_NEAR = 1e-12


def sides_of_case(case: dict[str, Any]) -> list[Any]:
    """Return key and response as `scoref.score` takes them."""
    if files := case.get("files"):
        return [
            "".join(f"{line}\n" for line in files[side]).encode()
            for side in ("key", "response")
        ]
    return [
        [[tuple(span) for span in entity] for entity in case[side]]
        for side in ("key", "response")
    ]


def figures_of_case(case: dict[str, Any], convention: str) -> dict[str, Any]:
    """Return the figures of a case under a convention, as text.

    The convention ``common`` has only metrics on which all tools agree.
    """
    metrics = METRICS[convention]
    result = _score(case, metrics, OPTIONS[convention])
    if convention == "common":
        other = _score(case, metrics, {"blanc": "corefud", "lea": "no-singletons"})
        metrics = tuple(
            metric
            for metric in metrics
            if result.scores[metric] == other.scores[metric]
        )
    figures: dict[str, Any] = {}
    for metric in metrics:
        if metric == "conll":
            ones = [Fraction(figures[part]["f1"]) for part in ("muc", "bcub", "ceafe")]
            figures[metric] = {"f1": str(sum(ones) / 3)}
        elif not isinstance(score := result.scores[metric], scoref.Score):
            figures[metric] = {"value": _exact(score.value)}
        elif metric in _RATIOS and result.counts[metric].shape[1] == len("RrPp"):
            sums = [
                Fraction(count).limit_denominator(_LARGEST)
                for count in result.counts[metric].sum(axis=0).tolist()
            ]
            recall, precision = _ratio(*sums[:2]), _ratio(*sums[2:])
            f1 = _f_one(_value(*sums[:2]), _value(*sums[2:]))
            figures[metric] = {"recall": recall, "precision": precision, "f1": f1}
        else:
            names = ("recall", "precision", "f1")
            figures[metric] = {
                name: _exact(float(figure))
                for name, figure in zip(names, score[:3], strict=True)
            }
    return figures


def _score(
    case: dict[str, Any], metrics: tuple[str, ...], options: dict[str, Any]
) -> scoref.Result:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        return scoref.score(
            *sides_of_case(case),
            format=case["files"]["format"] if "files" in case else None,
            metrics=[*metrics],
            **options,
        )


def _ratio(above: Fraction, below: Fraction) -> str:
    """Write a numerator and a denominator without reducing them.

    >>> _ratio(Fraction(5, 2), Fraction(4))
    '5/8'
    """
    return f"{above.numerator}/{(below * above.denominator).numerator}"


def _value(above: Fraction, below: Fraction) -> Fraction:
    return above / below if below else Fraction(0)


def _f_one(recall: Fraction, precision: Fraction) -> str:
    total = recall + precision
    return str(2 * recall * precision / total if total else Fraction(0))


def _exact(figure: float) -> str:
    """Write a figure as a fraction, or as a decimal if it is irrational."""
    near = Fraction(figure).limit_denominator(_LARGEST)
    return str(near) if abs(float(near) - figure) < _NEAR else repr(figure)
