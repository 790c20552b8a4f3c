"""The Perl reference scorer's own words: its report, line by line."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator

    from scoref.dropins.reference_scorer import (
        Identification,
        ReferenceListing,
        ReferenceScore,
        ReferenceScorer,
    )

_RULE = "-" * 74


def opening(
    scorer: ReferenceScorer, row: int, metric: str, name: str | None, most: int
) -> list[str]:
    """Show what was read of a document, and which mentions come again.

    ``name`` is the one that was asked for; for ``none`` only the latter is shown.
    Nothing is said of more than ``most`` repeats in the response: there it ends.
    """
    found = scorer.identifications[row]
    messages = [*found.repeated_in_key, *found.repeated_in_response[:most]]
    if name == "none":
        return messages
    sides = [*_listing(scorer.key[row]), *_listing(scorer.response[row])]
    if name is not None:
        return [f"{name}:", *sides, *messages]
    # For BLANC the Perl script looks for the name in the wrong variable.
    called = "" if metric == "blanc" else scorer.names[row]
    return [*sides, f"{called}:", *messages]


def closing(
    found: Identification, row: int, scored: ReferenceScore | None
) -> list[str]:
    """Show how a document was scored; BLANC has no score for single documents."""
    lines = [
        f"Total key mentions: {found.key}",
        f"Total response mentions: {found.response}",
        f"Strictly correct identified mentions: {found.correct}",
        "Partially correct identified mentions: 0",
        f"No identified: {found.key - found.correct}",
        f"Invented: {found.invented}",
    ]
    if scored is None or scored.metric == "blanc":
        return lines
    return lines + _ratios("", scored.counts[row])


def totals(mentions: ReferenceScore, scored: ReferenceScore) -> list[str]:
    """Show the sums over all documents."""
    lines = ["", "====== TOTALS ======="]
    lines += _ratios("Identification of Mentions: ", mentions.total)
    if scored.metric != "blanc":
        return lines + _ratios("Coreference: ", scored.total)
    c_both, c_key, c_response, n_both, n_key, n_response = scored.total
    recall, precision, _ = scored.score
    return [
        *lines,
        "",
        "Coreference:",
        *_ratios("Coreference links: ", [c_both, c_key, c_both, c_response]),
        *_ratios("Non-coreference links: ", [n_both, n_key, n_both, n_response]),
        *_scores("BLANC: ", [recall, 1, precision, 1], scored.score),
    ]


def number(value: float) -> str:
    """Write a number as Perl does: fifteen digits, no trailing zeros.

    >>> number(2 / 3), number(4.0)
    ('0.666666666666667', '4')
    """
    return f"{value:.15g}"


def percentage(value: float) -> str:
    """Cut a fraction to hundredths of a percent; nothing is rounded.

    >>> percentage(2 / 3), percentage(0.57)
    ('66.66', '56.99')
    """
    return number(int(value * 10000) / 100)


def _listing(listing: ReferenceListing) -> Iterator[str]:
    yield f"====> {listing.name}:"
    yield from (f"Discarded {each}" for each in listing.discarded)
    yield f"File {listing.name}:"
    for row, mentions in enumerate(listing.entities):
        spans = "".join(f" ({start},{end})" for start, end in mentions)
        yield f"Entity {row}:{spans}"


def _ratios(label: str, counts: list[float]) -> list[str]:
    found, in_key, found_again, in_response = counts
    recall = found / in_key if in_key else 0.0
    precision = found_again / in_response if in_response else 0.0
    both = recall + precision
    f1 = 2 * recall * precision / both if both else 0.0
    return _scores(label, counts, (recall, precision, f1))


def _scores(
    label: str, counts: list[float], score: tuple[float, float, float]
) -> list[str]:
    recall, precision, f1 = map(percentage, score)
    a, b, c, d = map(number, counts)
    line = (
        f"{label}Recall: ({a} / {b}) {recall}%\t"
        f"Precision: ({c} / {d}) {precision}%\tF1: {f1}%"
    )
    return [line, _RULE]
