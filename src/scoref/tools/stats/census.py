"""Counts of documents, words, mentions and entities, by document, as tables and plots.

These terms are used in several senses in the literature. Here they mean:

mention
    A mention of an entity that refers, as often as the file lists it. Mentions that do
    not refer are counted separately.
span
    The words of mentions, each counted once: mentions less spans are duplicates.
length
    Words of a mention. Empty nodes are not words, so a zero has the length 0.
zero
    A mention whose head is an empty node.
discontinuous
    A mention with a word between its first and its last one that is not part of it.
nested
    A span inside another span of the document, of any entity.
singleton
    An entity of one mention. Its share is that of entities, or that of mentions: both
    are common in print, and very different.

Reports have a column for each file, or a row for each document. The plot shows the
share of entities by their number of mentions.
"""

from __future__ import annotations

from collections import Counter
from itertools import pairwise
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from scoref.errors import OptionError
from scoref.figures import UNDEFINED, percent
from scoref.fingerprint import label_of, name_of
from scoref.matching.ragged import Ragged, number_rows
from scoref.model import EMPTY, SENTENCE_BITS, WORD_BITS
from scoref.render.plots import (
    COLOURS,
    Captions,
    canvas,
    check_plot,
    finish,
    rendered,
    settings,
    shortened,
)
from scoref.render.report import Remarks, Report, Rows, Table, columns
from scoref.writing import write_whole

if TYPE_CHECKING:
    import os
    from collections.abc import Mapping, Sequence

    from matplotlib.axes import Axes
    from numpy.typing import NDArray

    from scoref.fingerprint import Fingerprint
    from scoref.model import Corpus, Ints, Note
    from scoref.render.report import Unscored

    Mask = NDArray[np.bool_]


COUNTS = {
    "documents": "documents",
    "sentences": "sentences",
    "words": "words",
    "empty_nodes": "empty nodes",
    "mentions": "mentions",
    "spans": "distinct spans",
    "duplicates": "duplicates",
    "nested": "nested",
    "discontinuous": "discontinuous",
    "zeros": "zeros",
    "non_referring": "non-referring",
    "entities": "entities",
    "singletons": "singletons",
    "split_antecedents": "split antecedents",
    "bridges": "bridges",
}
"""What is counted, and what it is called in tables; ``words_in_mentions`` is not."""

RATES = {
    "mentions_per_100_words": "mentions per 100 words",
    "words_per_mention": "words per mention",
    "mentions_per_entity": "mentions per entity",
    "largest_entity": "largest entity",
    "singletons_per_entity": "singletons, % of entities",
    "singletons_per_mention": "singletons, % of mentions",
}
"""What follows from the counts of one document, or of all."""


class Census(NamedTuple):
    """The counts of a file, by document.

    A count is None where the format does not tell. ``size`` is the number of mentions
    of each entity that refers, ``type`` what it is said to be.
    """

    source: str
    format: str
    documents: tuple[str, ...]
    counts: Mapping[str, Ints | None]
    entity_document: Ints
    size: Ints
    type: tuple[str, ...] | None
    notes: tuple[Note, ...] = ()

    def total(self) -> CensusRow:
        """Sum up all documents."""
        return self._row(slice(None), np.arange(len(self.size)))

    def by_document(self) -> dict[str, CensusRow]:
        """Give each document's counts."""
        order = np.argsort(self.entity_document, kind="stable")
        size = np.bincount(self.entity_document, minlength=len(self.documents))
        bounds = pairwise([0, *np.cumsum(size).tolist()])
        return {
            name: self._row(slice(row, row + 1), order[start:end])
            for row, (name, (start, end)) in enumerate(
                zip(self.documents, bounds, strict=True)
            )
        }

    def _row(self, documents: slice, entities: Ints) -> CensusRow:
        counts = {
            name: None if column is None else int(column[documents].sum())
            for name, column in self.counts.items()
        }
        sizes, times = np.unique(self.size[entities], return_counts=True)
        types = self.type
        return CensusRow(
            counts=counts,
            sizes=dict(zip(sizes.tolist(), times.tolist(), strict=True)),
            types=Counter(types[row] for row in entities.tolist()) if types else None,
        )


class CensusRow(NamedTuple):
    """Counts, entities by size, and by type if that is known."""

    counts: Mapping[str, int | None]
    sizes: Mapping[int, int]
    types: Mapping[str, int] | None

    @property
    def rates(self) -> dict[str, float | None]:
        """Divide counts by each other; None is 0/0, or not known."""
        counts = self.counts
        return {
            "mentions_per_100_words": _ratio(counts["mentions"], counts["words"], 100),
            "words_per_mention": _ratio(
                counts["words_in_mentions"], counts["mentions"]
            ),
            "mentions_per_entity": _ratio(counts["mentions"], counts["entities"]),
            "largest_entity": max(self.sizes, default=None),
            "singletons_per_entity": _ratio(counts["singletons"], counts["entities"]),
            "singletons_per_mention": _ratio(counts["singletons"], counts["mentions"]),
        }


def count(corpus: Corpus) -> Census:
    """Count a corpus, with its text if it was read with its tokens."""
    for fault in corpus.faults.values():
        raise fault
    refers = np.ones(len(corpus.entity_label), dtype=np.bool_)
    if corpus.anaphora is not None:
        refers = corpus.anaphora.is_referring.copy()
    size = np.bincount(corpus.mention_entity, minlength=len(refers))
    entities = np.flatnonzero(refers & (size > 0))
    rows = np.flatnonzero(refers[corpus.mention_entity])
    types = corpus.entity_type
    return Census(
        source=corpus.source,
        format=corpus.format,
        documents=tuple(name.name for name in corpus.documents),
        counts={
            "documents": np.ones(len(corpus.documents), dtype=np.int64),
            **_text(corpus),
            **_mentions(corpus, rows),
            **_entities(corpus, entities, size[entities]),
            "non_referring": _non_referring(corpus, refers),
            "bridges": _bridges(corpus),
        },
        entity_document=corpus.entity_document[entities],
        size=size[entities],
        type=None if types is None else tuple(types[row] for row in entities.tolist()),
        notes=corpus.notes,
    )


def _ratio(part: int | None, whole: int | None, times: int = 1) -> float | None:
    return None if part is None or not whole else times * part / whole


def _non_referring(corpus: Corpus, refers: Mask) -> Ints | None:
    if corpus.words is None or not corpus.words.by_document:
        return None
    entity = corpus.mention_entity[~refers[corpus.mention_entity]]
    return _of_documents(corpus, corpus.entity_document[entity])


def _of_documents(corpus: Corpus, document: Ints) -> Ints:
    return np.bincount(document, minlength=len(corpus.documents))


def _text(corpus: Corpus) -> dict[str, Ints | None]:
    tokens = corpus.tokens
    if tokens is None:
        words = corpus.document_tokens
        return {"sentences": None, "words": words, "empty_nodes": None}
    document, is_empty, starts = tokens.document, tokens.is_empty, tokens.is_start
    return {
        "sentences": _of_documents(corpus, document[starts]),
        "words": _of_documents(corpus, document[~is_empty]),
        "empty_nodes": None
        if tokens.code is None
        else _of_documents(corpus, document[is_empty]),
    }


def _mentions(corpus: Corpus, rows: Ints) -> dict[str, Ints | None]:
    """Count what is said of mentions."""
    document = corpus.mention_document
    first, last, length, has_gap = _extent(corpus)
    number = _numbers(corpus, document)
    distinct = rows[np.unique(number[rows], return_index=True)[1]]
    is_zero = None if corpus.words is None else corpus.words.is_zero[rows]
    times = _of_documents(corpus, document[rows])
    spans = _of_documents(corpus, document[distinct])
    nested = _nested(document[distinct], first[distinct], last[distinct])
    weights = np.bincount(document[rows], length[rows], len(corpus.documents))
    return {
        "mentions": times,
        "words_in_mentions": weights.astype(np.int64),
        "spans": spans,
        "duplicates": times - spans,
        "nested": _of_documents(corpus, document[distinct[nested]]),
        "discontinuous": None
        if has_gap is None
        else _of_documents(corpus, document[rows[has_gap[rows]]]),
        "zeros": None
        if is_zero is None
        else _of_documents(corpus, document[rows[is_zero]]),
    }


def _extent(corpus: Corpus) -> tuple[Ints, Ints, Ints, Mask | None]:
    """Give the first and last word of mentions, how many words, and if some lack."""
    words = corpus.words
    if words is None:
        length = corpus.mention_end - corpus.mention_start + 1
        return corpus.mention_start, corpus.mention_end, length, None
    member = words.member
    owner = np.repeat(np.arange(len(words.length)), words.length)
    order = np.lexsort((member, owner))
    member, owner = member[order], owner[order]
    is_word = (member & EMPTY) == 0
    # Pieces of a mention may overlap.
    is_word &= (np.diff(member, prepend=-1) != 0) | (np.diff(owner, prepend=-1) != 0)
    length = np.bincount(owner[is_word], minlength=len(words.length))
    first, last = member[words.start[:-1]], member[words.start[1:] - 1]
    place, of = member[is_word] >> WORD_BITS, owner[is_word]
    same = np.diff(of) == 0
    # Words are numbered from 1 in their sentence, or in their document.
    apart = np.diff(place) != 1
    if not words.by_document:
        apart &= ~_goes_on(words.sentences.word_count, place)
    has_gap = np.zeros(len(first), dtype=np.bool_)
    has_gap[of[1:][same & apart]] = True
    return first, last, length, has_gap


def _goes_on(word_count: Ints, place: Ints) -> Mask:
    """Tell words that follow each other beyond the end of a sentence."""
    bits = SENTENCE_BITS - WORD_BITS
    sentence, number = place >> bits, place & ((1 << bits) - 1)
    is_last = number[:-1] == word_count[sentence[:-1]]
    goes_on: Mask = is_last & (np.diff(sentence) == 1) & (number[1:] == 1)
    return goes_on


def _numbers(corpus: Corpus, document: Ints) -> Ints:
    """Give equal mentions of a document the same number."""
    if corpus.words is not None:
        return number_rows(Ragged(corpus.words.start, corpus.words.member))[0]
    columns = np.stack((document, corpus.mention_start, corpus.mention_end))
    return np.unique(columns, axis=1, return_inverse=True)[1].ravel()


def _nested(document: Ints, first: Ints, last: Ints) -> Ints:
    """List the rows of spans that lie inside another one."""
    order = np.lexsort((-last, first, document))
    found, before, reach, outer = [], (-1, -1, -1), -1, -1
    for row in order.tolist():
        here = int(document[row]), int(first[row]), int(last[row])
        if here[0] != before[0]:
            reach = -1
        # With other gaps, spans may have the same first and last word.
        if here != before:
            outer = reach
        if outer >= here[2]:
            found.append(row)
        reach, before = max(reach, here[2]), here
    return np.array(found, dtype=np.int64)


def _entities(corpus: Corpus, rows: Ints, size: Ints) -> dict[str, Ints | None]:
    document = corpus.entity_document[rows]
    plurals = None
    if corpus.anaphora is not None:
        plural = np.unique(corpus.anaphora.plural)
        plurals = _of_documents(corpus, corpus.entity_document[plural])
    elif corpus.words is not None:
        plurals = np.zeros(len(corpus.documents), dtype=np.int64)
    return {
        "entities": _of_documents(corpus, document),
        "singletons": _of_documents(corpus, document[size == 1]),
        "split_antecedents": plurals,
    }


def _bridges(corpus: Corpus) -> Ints | None:
    """Count bridges between mentions, or, in CorefUD, from entities to mentions."""
    words = corpus.words
    if words is None:
        return None
    if words.by_document:
        anaphora = corpus.anaphora
        assert anaphora is not None
        mention = corpus.mention_entity[anaphora.anaphor]
        return _of_documents(corpus, corpus.entity_document[mention])
    found = np.zeros(len(corpus.documents), dtype=np.int64)
    for relation in words.relations:
        if relation.kind == "Bridge":
            lines = words.sentences.line
            sentence = np.searchsorted(lines, relation.line, side="right") - 1
            items = len(relation.value.split(","))
            found[words.sentences.document[sentence]] += items
    return found


SIZES = ((1, 1), (2, 2), (3, 5), (6, 10), (11, 20), (21, None))
"""Classes of entities by their mentions, both ends included."""

_SHARES = ("singletons_per_entity", "singletons_per_mention")

_COLUMNS = (
    *("sentences", "words", "mentions", "entities", "singletons", "zeros"),
    *("discontinuous", "nested"),
)


def census_report(
    files: Mapping[str, Census],
    keys: Mapping[str, Fingerprint],
    precision: int = 2,
    *,
    per_document: bool = False,
    failures: Sequence[Unscored] = (),
) -> Report:
    """Report what is in files, and which keys they are."""
    return Report(
        name="stats",
        parts=lambda: [
            *_tables(files, keys, precision, per_document=per_document),
            *_known(keys),
        ],
        objects=lambda: [
            {
                **_object(name, each, per_document),
                "fingerprint": keys[name].as_object(name_of(keys[name]) or ""),
            }
            for name, each in files.items()
        ],
        rows=lambda: _rows(files, per_document=per_document),
        notes=_notes(files),
        failures=failures,
    )


def _known(keys: Mapping[str, Fingerprint]) -> list[Remarks]:
    """Name the keys that are known."""
    known = {name: each for name, each in keys.items() if name_of(each)}
    told = [f"{name}: key {label_of(each)}" for name, each in known.items()]
    return [Remarks(told)] if told else []


def _tables(
    files: Mapping[str, Census],
    keys: Mapping[str, Fingerprint],
    precision: int,
    *,
    per_document: bool,
) -> list[Table]:
    if not per_document:
        totals = {name: each.total() for name, each in files.items()}
        return [_of_files(totals, keys, precision)] if totals else []
    return [
        _of_documents_of_rendering(name if len(files) > 1 else "", each, precision)
        for name, each in files.items()
    ]


def size_label(low: int, high: int | None) -> str:
    """Call a class of entities by their sizes.

    >>> size_label(1, 1), size_label(3, 5), size_label(21, None)
    ('1', '3-5', '21-')
    """
    return str(low) if low == high else f"{low}-{'' if high is None else high}"


def by_size(row: CensusRow) -> dict[str, int]:
    """Count entities by classes of sizes."""
    return {
        size_label(low, high): sum(
            count
            for size, count in row.sizes.items()
            if low <= size and (high is None or size <= high)
        )
        for low, high in SIZES
    }


def _notes(files: Mapping[str, Census]) -> list[str]:
    """List what was noted, once."""
    found = (note.message for each in files.values() for note in each.notes)
    return list(dict.fromkeys(found))


def _of_files(
    files: Mapping[str, CensusRow], keys: Mapping[str, Fingerprint], precision: int
) -> Table:
    rows = list(files.values())
    counts = [
        [label, *(_count(row.counts[name]) for row in rows)]
        for name, label in COUNTS.items()
    ]
    rates = [
        [label, *(_rate(name, row.rates[name], precision) for row in rows)]
        for name, label in RATES.items()
    ]
    sizes = [
        [f"entities of size {label}", *(str(by_size(row)[label]) for row in rows)]
        for label in by_size(rows[0])
    ]
    types = dict.fromkeys(kind for row in rows for kind in row.types or ())
    kinds = [
        [
            f"type {kind or '(none)'}",
            *(
                _count(None if row.types is None else row.types.get(kind, 0))
                for row in rows
            ),
        ]
        for kind in sorted(types)
    ]
    prints = ["fingerprint", *(keys[name].short for name in files)]
    return Table(columns("", *files), [*counts, *rates, *sizes, *kinds, prints])


def _of_documents_of_rendering(title: str, census: Census, precision: int) -> Table:
    labels = [*(COUNTS[name] for name in _COLUMNS), "per 100 words"]
    found = {**census.by_document(), "all documents": census.total()}
    rows = [
        [
            name,
            *(_count(row.counts[column]) for column in _COLUMNS),
            _rate("", row.rates["mentions_per_100_words"], precision),
        ]
        for name, row in found.items()
    ]
    return Table(columns("document", *labels), rows, title)


def _count(value: int | None) -> str:
    return UNDEFINED if value is None else str(value)


def _rate(name: str, value: float | None, precision: int) -> str:
    if value is None or name in _SHARES:
        return UNDEFINED if value is None else percent(value, precision)
    return str(value) if isinstance(value, int) else f"{value:.{precision}f}"


def _object(name: str, census: Census, per_document: bool) -> dict[str, object]:
    written: dict[str, object] = {
        "file": name,
        "format": census.format,
        **_row_object(census.total()),
        "notes": census.notes,
    }
    if per_document:
        written["per_document"] = {
            document: _row_object(row) for document, row in census.by_document().items()
        }
    return written


def _row_object(row: CensusRow) -> dict[str, object]:
    return {
        "counts": row.counts,
        "rates": row.rates,
        "sizes": {str(size): count for size, count in row.sizes.items()},
        "types": row.types,
    }


def _rows(files: Mapping[str, Census], *, per_document: bool) -> Rows:
    header = ["file", *(["document"] if per_document else []), "what", "value"]
    rows: list[list[object]] = []
    for name, census in files.items():
        found = census.by_document() if per_document else {"": census.total()}
        for document, row in found.items():
            place = [name, document] if per_document else [name]
            rows += ([*place, what, value] for what, value in _values(row))
    return Rows(header, rows)


def _values(row: CensusRow) -> Sequence[tuple[str, float | None]]:
    return [
        *row.counts.items(),
        *row.rates.items(),
        *((f"entities_of_{size}", count) for size, count in row.sizes.items()),
        *((f"type_{kind}", count) for kind, count in (row.types or {}).items()),
    ]


_BAR, _GAP = 0.22, 0.18  # in inches


def plot_sizes(path: str | os.PathLike[str], files: Mapping[str, Census]) -> None:
    """Draw entities by size, a bar for each file.

    Args:
        path: where to write; its suffix says what: ``.svg``, ``.png`` or ``.html``.
        files: what was counted, by what to call it.
    """
    kind = check_plot(path)
    if len(files) > len(COLOURS):
        raise OptionError(f"a plot of sizes has room for {len(COLOURS)} files")
    counts = [list(by_size(each.total()).values()) for each in files.values()]
    if not any(map(sum, counts)):
        raise OptionError("there is no entity to be plotted")
    labels = list(by_size(next(iter(files.values())).total()))
    names = shortened(list(files))
    words = _words(names, counts)
    with settings():
        figure, axes = canvas(len(labels) * (_BAR * len(files) + _GAP))
        _draw(axes, labels, names, counts)
        finish(axes, words, "percent of entities")
        hovers = [_hover(row, labels, names, counts) for row in range(len(labels))]
        data = rendered(figure, kind, words, hovers)
    write_whole(path, data)


def _words(names: Sequence[str], counts: Sequence[Sequence[int]]) -> Captions:
    both = zip(names, counts, strict=True)
    parts = [f"{sum(count)} entities in {name}" for name, count in both]
    return Captions("Entities by their number of mentions", "; ".join(parts), ())


def _draw(
    axes: Axes,
    labels: Sequence[str],
    names: Sequence[str],
    counts: Sequence[Sequence[int]],
) -> None:
    height = 0.8 / len(names)
    for number, (name, count) in enumerate(zip(names, counts, strict=True)):
        whole = sum(count) or 1
        places = [row - 0.4 + (number + 0.5) * height for row in range(len(labels))]
        shares = [100 * each / whole for each in count]
        axes.barh(places, shares, 0.9 * height, color=COLOURS[number], label=name)
        for place, share, each in zip(places, shares, count, strict=True):
            axes.annotate(
                str(each),
                (share, place),
                xytext=(4, 0),
                textcoords="offset points",
                verticalalignment="center_baseline",
                fontsize=7,
            )
    axes.set_yticks(range(len(labels)), labels)
    axes.set_ylim(len(labels) - 0.5, -0.5)
    if len(names) > 1:
        axes.legend(loc="best", frameon=False, fontsize=8)


def _hover(
    row: int,
    labels: Sequence[str],
    names: Sequence[str],
    counts: Sequence[Sequence[int]],
) -> str:
    parts = [
        f"{name}: {count[row]} of {sum(count)}"
        for name, count in zip(names, counts, strict=True)
    ]
    return f"{labels[row]} mentions: {'; '.join(parts)}"
