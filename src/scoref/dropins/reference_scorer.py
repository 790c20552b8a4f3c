"""The figures and the report of the Perl reference scorer v8.01, by document.

The figures are those of any other result. This module adds what only the drop-in
shows: the entities of each document, the messages about repeated mentions, and the
report line by line. Sums are taken in the order of the Perl script, because its output
has fifteen digits and floating-point sums depend on their order.
"""

from __future__ import annotations

import dataclasses
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from scoref.contingency.tabulation import tabulate
from scoref.formats import conll2012_reference as reader
from scoref.matching.spans import match_mentions
from scoref.metrics import metrics_of
from scoref.metrics.ceaf import align_by_entities, phi_four
from scoref.schemes import SCHEMES
from scoref.scoring.sanity_checks import look_swapped

if TYPE_CHECKING:
    from collections.abc import Iterator

    from scoref.contingency import Contingency
    from scoref.matching import Matched
    from scoref.metrics.base import Floats
    from scoref.model import Corpus, Ints


Span = tuple[int, int]


@dataclass(frozen=True, slots=True)
class ReferenceListing:
    """The entities of one side of a document; its name is empty if it is missing."""

    name: str = ""
    discarded: tuple[str, ...] = ()
    entities: tuple[tuple[Span, ...], ...] = ()


@dataclass(frozen=True, slots=True)
class Identification:
    """How many mentions of a document were found, and which are repeated."""

    key: int
    response: int
    correct: int
    invented: int
    repeated_in_key: tuple[str, ...]
    repeated_in_response: tuple[str, ...]  # these count towards the refusal


@dataclass(frozen=True, slots=True)
class ReferenceScore:
    """One metric: its counts in each document, their sum, and the score."""

    metric: str
    counts: list[list[float]]
    total: list[float]
    score: tuple[float, float, float]


@dataclass(frozen=True, slots=True)
class ReferenceScorer:
    """A key and a response, ready to be scored by any metric."""

    names: tuple[str, ...]
    key: tuple[ReferenceListing, ...]
    response: tuple[ReferenceListing, ...]
    identifications: tuple[Identification, ...]
    warnings: tuple[str, ...]
    _matched: Matched
    _table: Contingency

    @classmethod
    def of(
        cls, key: bytes, response: bytes, sources: tuple[str, str], only: str | None
    ) -> ReferenceScorer:
        """Read both files: all documents, or the one called ``only``."""
        data = key, response
        sides = [
            reader.read(data[side], source=sources[side], only=only) for side in (0, 1)
        ]
        # A document that is asked for by name is scored even if the key lacks it.
        scheme = SCHEMES["conll-2012"]
        if only is not None:
            scheme = dataclasses.replace(scheme, missing="empty")
        matched = match_mentions(sides[0], sides[1], scheme)
        if only is not None:  # shown even if neither side has it
            matched = matched._replace(documents=(only,))
        listings = [
            _listings(
                corpus, matched.documents, reader.discarded_labels(text, only=only)
            )
            for corpus, text in zip(sides, data, strict=True)
        ]
        return cls(
            names=matched.documents,
            key=listings[0],
            response=listings[1],
            identifications=tuple(map(_identify, *listings)),
            warnings=tuple(_doubts(sides[0], sides[1], only)),
            _matched=matched,
            _table=tabulate(matched, scheme),
        )

    def score(self, metric: str) -> ReferenceScore:
        """Count a metric in every document, and score the sum."""
        known = metrics_of(SCHEMES["conll-2012"])[metric]
        if metric == "bcub":
            counts = _b_cubed(self._matched, self._table)
        else:
            counts = known.count(self._table)
        if metric == "ceafe":
            counts[:, 0] = counts[:, 2] = _ceaf_e(self._table)
        # cumsum adds one document after the other.
        nothing = np.zeros((1, counts.shape[1]))
        total = np.cumsum(np.vstack((nothing, counts)), axis=0)[-1]
        recall, precision, f1 = known.score(total).tolist()
        return ReferenceScore(
            metric, counts.tolist(), total.tolist(), (recall, precision, f1)
        )


def _doubts(key: Corpus, response: Corpus, only: str | None) -> Iterator[str]:
    """Yield warnings about likely mistakes, which the Perl script does not mention."""
    if key.source == response.source:
        yield f"{key.source} was given as the key and as the response"
    elif look_swapped(key.source, response.source):
        yield f"{key.source} was given as the key. Are the files swapped?"
    for side in (key, response):
        if not side.documents:
            what = f"'{only}'" if only is not None else "(no line '#begin document')"
            yield f"{side.source} has no document {what}"
    if key.documents and response.documents:
        yield from _unpaired(key, response, "their mentions count as missing")
        yield from _unpaired(response, key, "they are not scored")


def _unpaired(side: Corpus, other: Corpus, effect: str) -> Iterator[str]:
    """Yield a warning if a side has documents that the other side lacks."""
    names = {name.name for name in side.documents}
    if alone := len(names - {name.name for name in other.documents}):
        yield (
            f"{alone:,} of {len(names):,} documents of {side.source} are not in "
            f"{other.source}, so {effect}"
        )


def _b_cubed(matched: Matched, table: Contingency) -> Floats:
    """Add B³'s terms mention by mention, in the order of the response."""
    response = matched.response
    of_key, of_response = matched.from_response, response.entity
    is_found = of_key >= 0
    of_key, of_response = of_key[is_found], of_response[is_found]
    width = np.int64(max(1, len(table.response_size)))
    cells = table.cell_key * width + table.cell_response
    mates = table.key_mates[np.searchsorted(cells, of_key * width + of_response)]
    document = response.document[is_found]
    columns = (
        _in_order(document, mates / table.key_size[of_key], table),
        table.sum_key(table.key_size),
        _in_order(document, mates / table.response_size[of_response], table),
        table.sum_response(table.response_size),
    )
    return np.column_stack(columns)


def _ceaf_e(table: Contingency) -> Floats:
    """Add φ4 in the order of the key; the Perl script keeps it as a cost, 1 − φ."""
    aligned = align_by_entities(table)
    gained = 1 - (1 - phi_four(table)[aligned])
    return _in_order(table.key_document[table.cell_key[aligned]], gained, table)


def _in_order(document: Ints, terms: Floats, table: Contingency) -> Floats:
    # bincount adds one term after the other, without pairwise summation.
    sums = np.bincount(document, terms, minlength=table.document_count)
    return sums.astype(np.float64, copy=False)


def _listings(
    corpus: Corpus, names: tuple[str, ...], discarded: dict[str, list[str]]
) -> tuple[ReferenceListing, ...]:
    """Return the entities of each document, in the order of ``names``."""
    entities: dict[str, list[list[Span]]] = {
        document.name: [] for document in corpus.documents
    }
    spans: list[list[Span]] = [[] for _ in corpus.entity_label]
    for entity, start, end in zip(
        corpus.mention_entity.tolist(),
        corpus.mention_start.tolist(),
        corpus.mention_end.tolist(),
        strict=True,
    ):
        spans[entity].append((start, end))
    for mentions, document in zip(spans, corpus.entity_document.tolist(), strict=True):
        entities[corpus.documents[document].name].append(mentions)
    for of_document in entities.values():
        # The Perl script numbers entities whose brackets never close, but its list
        # ends with the last mention.
        while of_document and not of_document[-1]:
            of_document.pop()
    return tuple(
        ReferenceListing(
            name, tuple(discarded.get(name, ())), tuple(map(tuple, entities[name]))
        )
        if name in entities
        else ReferenceListing()
        for name in names
    )


def _identify(key: ReferenceListing, response: ReferenceListing) -> Identification:
    """Number mentions as the Perl script does, and list repeated ones."""
    in_key: list[str] = []
    number: dict[Span, int] = {}
    count = 0
    for span in _spans(key):
        if span in number:
            old = number[span]
            in_key.append(f"Repeated mention in the key: {_text(span)} {old}{count}")
        number[span] = count
        count += 1
    in_response: list[str] = []
    met: set[Span] = set()
    for span in _spans(response):
        if span in met and span in number:
            twice = f"{number[span]}{number[span]}"
            message = f"Repeated mention in the response: {_text(span)} {twice}"
            in_response.append(message)
        met.add(span)
    correct = len(met & number.keys())
    return Identification(
        key=len(number),
        response=len(met),
        correct=correct,
        invented=len(met) - correct + count - len(number),
        repeated_in_key=tuple(in_key),
        repeated_in_response=tuple(in_response),
    )


def _spans(listing: ReferenceListing) -> Iterator[Span]:
    return (span for mentions in listing.entities for span in mentions)


def _text(span: Span) -> str:
    return f"{span[0]}, {span[1]}"


_RULE = "-" * 74


def opening(
    scorer: ReferenceScorer, row: int, metric: str, name: str | None, most: int
) -> list[str]:
    """Return the lines about a document: its entities and its repeated mentions.

    ``name`` is the one that was asked for; if it is ``none``, only repeated mentions
    are shown. After ``most`` repeated mentions of the response, the report ends.
    """
    mentions = scorer.identifications[row]
    messages = [*mentions.repeated_in_key, *mentions.repeated_in_response[:most]]
    if name == "none":
        return messages
    sides = [*_listing(scorer.key[row]), *_listing(scorer.response[row])]
    if name is not None:
        return [f"{name}:", *sides, *messages]
    # For BLANC, the Perl script looks for the name in the wrong variable.
    shown = "" if metric == "blanc" else scorer.names[row]
    return [*sides, f"{shown}:", *messages]


def closing(
    mentions: Identification, row: int, scored: ReferenceScore | None
) -> list[str]:
    """Return the scores of a document; BLANC has none for single documents."""
    lines = [
        f"Total key mentions: {mentions.key}",
        f"Total response mentions: {mentions.response}",
        f"Strictly correct identified mentions: {mentions.correct}",
        "Partially correct identified mentions: 0",
        f"No identified: {mentions.key - mentions.correct}",
        f"Invented: {mentions.invented}",
    ]
    if scored is None or scored.metric == "blanc":
        return lines
    return lines + _ratios("", scored.counts[row])


def totals(mentions: ReferenceScore, scored: ReferenceScore) -> list[str]:
    """Return the scores of all documents together."""
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
    """Format a number as Perl does: fifteen digits, no trailing zeros.

    >>> number(2 / 3), number(4.0)
    ('0.666666666666667', '4')
    """
    return f"{value:.15g}"


def percentage(value: float) -> str:
    """Format a fraction as a percentage, cut to two decimals and not rounded.

    >>> percentage(2 / 3), percentage(0.57)
    ('66.66', '56.99')
    """
    return number(int(value * 10000) / 100)


def _listing(listing: ReferenceListing) -> Iterator[str]:
    yield f"====> {listing.name}:"
    yield from (f"Discarded {mention}" for mention in listing.discarded)
    yield f"File {listing.name}:"
    for row, mentions in enumerate(listing.entities):
        spans = "".join(f" ({start},{end})" for start, end in mentions)
        yield f"Entity {row}:{spans}"


def _ratios(label: str, counts: list[float]) -> list[str]:
    in_both, in_key, in_both_again, in_response = counts
    recall = in_both / in_key if in_key else 0.0
    precision = in_both_again / in_response if in_response else 0.0
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
