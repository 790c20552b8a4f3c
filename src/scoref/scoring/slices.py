"""Scores for a part of the mentions: by entity size, mention length or word class.

A slice is a class of mentions. Recall of a slice is about the key's mentions of that
class, precision about the response's. The class of a mention comes from its own side,
except for the type of an entity: a response mention that was found has the type of the
key entity in which it was. Documents can be grouped, too: by themselves, or by a
pattern in their names.

Recall is shared out among the key's mentions, precision among the response's. Every
mention of an entity gets the same part of the denominator; the numerator goes to the
mentions that earned it. Each metric's record says how, in ``shares``. The parts of all
mentions, and of plurals, add up to the metric's counts, whatever the classes are. If
several alignments are the best for CEAF, the choice depends on the mentions and not on
the order of entities. BLANC counts pairs across all entities, and MOR words: they are
not shared out.
"""

from __future__ import annotations

import dataclasses
import re
from typing import TYPE_CHECKING

import numpy as np

from scoref.contingency.memberships import list_mentions
from scoref.displayed import Displayed
from scoref.errors import OptionError, unknown
from scoref.metrics import METRICS, conll, metrics_of
from scoref.metrics._plurals import add_plurals
from scoref.metrics.base import Metric
from scoref.model import Note
from scoref.scheme import as_typed
from scoref.scoring.pipeline import score_and_keep, score_corpora

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from scoref.contingency import Contingency
    from scoref.contingency.memberships import Listed, Listings
    from scoref.metrics.base import Floats, Shares
    from scoref.model import Corpus, Ints
    from scoref.scheme import Layer, Scheme
    from scoref.scoring.pipeline import Kept
    from scoref.scoring.results import Result


_MENTIONS = "mentions"


def sliceable() -> tuple[str, ...]:
    """List the metrics that are shared out."""
    return tuple(
        name
        for name, each in METRICS.items()
        if name == _MENTIONS or (isinstance(each, Metric) and each.shares)
    )


def shared_counts(
    listed: Listed, scheme: Scheme, classes: tuple[Ints, Ints], count: int
) -> dict[str, Floats]:
    """Count each metric for each class and document: classes × documents × columns."""
    found = {_MENTIONS: [_mentions(*side, count) for side in _sides(listed, classes)]}
    known = metrics_of(scheme)
    for name in sliceable():
        if name != _MENTIONS:
            own = _with_plurals(listed, known[name])
            shares = _shares(own, known[name])
            both = zip(_sides(own, classes), shares, strict=True)
            found[name] = [_summed(*side, each, count) for side, each in both]
    return {name: np.concatenate(both, axis=-1) for name, both in found.items()}


def _shares(listed: Listed, metric: Metric) -> list[Shares]:
    """Share out both directions, with the same entities aligned."""
    table = listed.table
    aligned = np.empty(0, dtype=np.int64)
    if metric.align is not None:
        aligned = metric.align(table, listed.ranks)
    assert metric.shares is not None
    return [metric.shares(each, aligned) for each in (table, table.swapped)]


def _sides(
    listed: Listed, classes: tuple[Ints, Ints]
) -> list[tuple[Listings, Ints, Contingency]]:
    return [
        (listed.key, classes[0], listed.table),
        (listed.response, classes[1], listed.table.swapped),
    ]


def _with_plurals(listed: Listed, metric: Metric) -> Listed:
    """Let plurals weigh in: other mentions earn more where one is found with them."""
    old, new = listed.table, add_plurals(metric, listed.table)
    if new is old:
        return listed
    width = np.int64(max(1, len(old.response_size)))
    place = np.searchsorted(
        new.cell_key * width + new.cell_response,
        old.cell_key * width + old.cell_response,
    )
    moved = np.append(place, -1)
    return listed._replace(
        table=new,
        key=listed.key._replace(cell=moved[listed.key.cell]),
        response=listed.response._replace(cell=moved[listed.response.cell]),
    )


def _summed(
    side: Listings, classes: Ints, table: Contingency, shares: Shares, count: int
) -> Floats:
    """Add up numerator and denominator by class and document."""
    earned = np.where(side.cell >= 0, np.append(shares.of_cell, 0.0)[side.cell], 0.0)
    earned = earned + shares.of_entity[side.entity]
    return _by_class(
        side, classes, table, count, earned, shares.denominator[side.entity]
    )


def _mentions(side: Listings, classes: Ints, table: Contingency, count: int) -> Floats:
    found, counted = side.is_found.astype(float), side.is_counted.astype(float)
    return _by_class(side, classes, table, count, found, counted)


def _by_class(
    side: Listings,
    classes: Ints,
    table: Contingency,
    count: int,
    *values: Floats,
) -> Floats:
    code = classes * table.document_count + side.document
    size = count * table.document_count
    sums = [np.bincount(code, value, size).astype(np.float64) for value in values]
    return np.stack(sums, axis=-1).reshape(count, table.document_count, len(values))


BY = {
    "document": "each document",
    "genre": "documents by genre: what the key says of it (# meta::genre = …), or what "
    "stands before the first / of their names; genre:PATTERN is a regular expression "
    "whose first group is the genre",
    "entity-size": "mentions in entities of 1, of 2 to 10, and of more mentions",
    "mention-length": "mentions of 1, 2, 3 to 5, 6 to 10, and of more words",
    "upos": "mentions by their head's part of speech (CorefUD)",
    "mention-type": "zeros, pronouns, names, nouns and others, by the head (CorefUD)",
    "entity-type": "mentions by their entity's type (CorefUD)",
    "distance": "anaphors by how many sentences lie before them (CorefUD)",
}
"""What mentions and documents can be sorted by."""

PLURALS = "split antecedents"

_SLICED = (*sliceable(), conll.NAME)

_OTHER = "other"

_TYPES = {"PRON": "pronoun", "PROPN": "proper", "NOUN": "common"}

_DISTANCES = ("0", "1", "2", "3-5", "6-")


class Slices(Displayed, dict[str, "Result"]):
    """Results by the names of the slices, in their order, and what they go by."""

    _reported_by = "render.breakdowns:sliced_report"

    def __init__(self, found: Mapping[str, Result], by: str) -> None:
        super().__init__(found)
        self.by = by

    def __reduce__(self) -> tuple[type[Slices], tuple[dict[str, Result], str]]:
        return Slices, (dict(self), self.by)

    @property
    def _in_short(self) -> str:
        return f"{len(self)} by {self.by}"


def layer_of(by: str) -> Layer | None:
    """Say what must be read of the files for it; None: nothing special."""
    if by == "entity-type":
        return "types"
    return "parses" if by in {"upos", "mention-type"} else None


def slice_corpora(
    key: Corpus,
    response: Corpus,
    scheme: Scheme,
    metrics: tuple[str, ...],
    by: str,
) -> Slices:
    """Score each slice; every one is a result over the same documents, or some."""
    kind, _, pattern = by.partition(":")
    if kind not in BY or (pattern and kind != "genre"):
        raise unknown("slice", by, BY)
    if kind in {"document", "genre"}:
        whole = score_corpora(key, response, scheme, metrics)
        names: Sequence[str] = whole.documents
        if kind == "genre":
            _refuse_units(whole.scheme)
            whole, names = _with_genres(whole, key, pattern)
        found = _of_documents(whole, names)
    elif kind == "distance":
        found = _of_distances(key, response, scheme)
    else:
        found = _of_mentions(key, response, scheme, metrics, kind)
    named = {
        name: dataclasses.replace(result, slice=(by, name))
        for name, result in found.items()
    }
    return Slices(named, by)


def _refuse_units(scheme: Scheme) -> None:
    if scheme.scope is not None:
        raise OptionError(
            f"{as_typed('scope', scheme.scope)} joins documents, so that these have no "
            "genres; --by document gives each unit a row"
        )


def _of_documents(whole: Result, names: Sequence[str]) -> dict[str, Result]:
    """Group the rows of a result by the names that documents are given."""
    groups: dict[str, list[int]] = {}
    for row, name in enumerate(names):
        groups.setdefault(name, []).append(row)
    return {name: whole.of_documents(rows) for name, rows in groups.items()}


def _with_genres(whole: Result, key: Corpus, pattern: str) -> tuple[Result, list[str]]:
    """Name the genre of each document, and say so if nothing tells what it is."""
    genres, notes = genres_of(whole.documents, (key,), pattern)
    return dataclasses.replace(whole, notes=(*whole.notes, *notes)), genres


def genres_of(
    documents: Sequence[str], corpora: Sequence[Corpus], pattern: str
) -> tuple[list[str], tuple[Note, ...]]:
    """Name the genre of each document: what a file says, or what its name says."""
    said: dict[str, str] = {}
    for corpus in corpora:
        said |= dict(zip(_names(corpus), corpus.document_genre or (), strict=False))
    if not pattern and any(said.values()):
        return [said.get(name) or _OTHER for name in documents], ()
    genres = [_genre(name, pattern) for name in documents]
    if pattern or any("/" in name for name in documents):
        return genres, ()
    message = (
        "no document says what genre it is of, so that each stands for itself: write "
        "'# meta::genre = …' into the key, or take genres from names by genre:PATTERN"
    )
    return genres, (Note("no-genres", len(genres), message),)


def _names(corpus: Corpus) -> list[str]:
    return [document.name for document in corpus.documents]


def _genre(document: str, pattern: str) -> str:
    """Take the genre from a document's name.

    >>> _genre("(bc/cctv/00/cctv_0005); part 000", "")
    'bc'
    """
    if not pattern:
        return document.lstrip("(").partition("/")[0] if "/" in document else document
    try:
        found = re.search(pattern, document)
    except re.error as error:
        raise OptionError(f"'{pattern}' is no regular expression: {error}") from error
    if not found:
        return _OTHER
    return (found[1] or _OTHER) if found.re.groups else found[0]


def _of_distances(key: Corpus, response: Corpus, scheme: Scheme) -> dict[str, Result]:
    found, matched = {}, None
    for distance in _DISTANCES:
        change = dataclasses.replace(scheme, anaphors=f"distance:{distance}")
        kept = score_and_keep(key, response, change, ("zero",), matched)
        result, matched = kept.result, kept.matched
        whole = dataclasses.replace(result.scheme, anaphors="all")
        found[distance] = dataclasses.replace(result, scheme=whole)
    return found


def _of_mentions(
    key: Corpus,
    response: Corpus,
    scheme: Scheme,
    metrics: tuple[str, ...],
    kind: str,
) -> dict[str, Result]:
    return slices_of(score_and_keep(key, response, scheme, metrics), kind)


def slices_of(kept: Kept, kind: str) -> dict[str, Result]:
    """Share out a score that was kept among classes of mentions."""
    whole, matched, table, corpora = kept
    listed = list_mentions(corpora, matched, table, whole.scheme)
    sizes = listed.table.key_size, listed.table.response_size
    labels = [
        classes_of(kind, side, size)
        for side, size in zip((listed.key, listed.response), sizes, strict=True)
    ]
    if kind == "entity-type":
        labels[1] = _by_found_type(listed, labels)
    if whole.scheme.evaluate == "split-antecedents":
        raise OptionError("plurals alone have no mentions that could be sorted")
    names = in_order({*labels[0], *labels[1]}, kind)
    number = {name: place for place, name in enumerate(names)}
    classes = [np.array([number[each] for each in side], np.int64) for side in labels]
    counts = shared_counts(listed, whole.scheme, (classes[0], classes[1]), len(names))
    shown = tuple(name for name in whole.metrics if name in _SLICED)
    if not shown:
        *most, last = _SLICED
        raise OptionError(f"slices of mentions have {', '.join(most)} and {last} only")
    known = {name: each for name, each in counts.items() if name in whole.counts}
    slices = {
        name: dataclasses.replace(
            whole,
            metrics=shown,
            counts={each: known[each][place] for each in known},
        )
        for place, name in enumerate(names)
    }
    return slices | _rest(whole, slices, shown)


def _rest(
    whole: Result, slices: dict[str, Result], shown: tuple[str, ...]
) -> dict[str, Result]:
    """Keep what no mention has a part in: plurals, which are no mentions of words."""
    counts = {
        name: whole.counts[name] - sum(each.counts[name] for each in slices.values())
        for name in sliceable()
        if name in whole.counts
    }
    if all(np.allclose(left, 0, atol=1e-9) for left in counts.values()):
        return {}
    rest = dataclasses.replace(whole, metrics=shown, counts=counts)
    return {PLURALS: rest}


def _by_entity_size(side: Listings, size: Ints) -> list[str]:
    names = np.array(["1", "2-10", "11-"])
    return list(names[np.searchsorted([2, 11], size[side.entity], side="right")])


def _by_mention_length(side: Listings, _: Ints) -> list[str]:
    corpus = side.corpus
    sets = corpus.words or corpus.pieces
    if sets is not None:
        length = np.diff(sets.start)[side.row]
    else:
        length = (corpus.mention_end - corpus.mention_start + 1)[side.row]
    names = np.array(["1", "2", "3-5", "6-10", "11-"])
    return list(names[np.searchsorted([2, 3, 6, 11], length, side="right")])


def _by_upos(side: Listings, _: Ints) -> list[str]:
    corpus = side.corpus
    if corpus.words is None or corpus.words.by_document:
        raise OptionError("only CorefUD says what a mention's head is")
    words = corpus.words
    # Without named heads, first words say little of a mention; trees say more.
    upos = words.head_upos
    if words.tree_upos is not None:
        upos = np.where(words.is_zero, upos, words.tree_upos)
    codes = upos[side.row].tolist()
    return [code.to_bytes(8, "little").rstrip(b"\0").decode() or "_" for code in codes]


def _by_mention_type(side: Listings, size: Ints) -> list[str]:
    upos = _by_upos(side, size)
    assert side.corpus.words is not None
    is_zero = side.corpus.words.is_zero[side.row].tolist()
    return [
        "zero" if zero else _TYPES.get(name, "other")
        for name, zero in zip(upos, is_zero, strict=True)
    ]


def _by_entity_type(side: Listings, _: Ints) -> list[str]:
    corpus = side.corpus
    if corpus.entity_type is None:
        raise OptionError("only CorefUD says what type an entity is of")
    types = corpus.entity_type
    rows = corpus.mention_entity[side.row].tolist()
    return [types[row] or "_" for row in rows]


def _by_found_type(listed: Listed, labels: list[list[str]]) -> list[str]:
    """Let the key say the type of what was found: systems seldom do."""
    types = dict(zip(listed.key.entity.tolist(), labels[0], strict=True))
    entity = np.append(listed.table.cell_key, -1)[listed.response.cell].tolist()
    return [types.get(row, own) for row, own in zip(entity, labels[1], strict=True)]


_CLASSES: dict[str, Callable[[Listings, Ints], list[str]]] = {
    "entity-size": _by_entity_size,
    "mention-length": _by_mention_length,
    "upos": _by_upos,
    "mention-type": _by_mention_type,
    "entity-type": _by_entity_type,
}

MENTION_CLASSES = tuple(_CLASSES)
"""What mentions are sorted by, rather than documents or links."""

_ORDER = {
    "entity-size": ("1", "2-10", "11-"),
    "mention-length": ("1", "2", "3-5", "6-10", "11-"),
    "mention-type": ("pronoun", "proper", "common", "zero", "other"),
}


def classes_of(kind: str, side: Listings, size: Ints) -> list[str]:
    """Name the class of each mention of one side; ``size`` is that of its entities."""
    return _CLASSES[kind](side, size)


def in_order(found: set[str], kind: str) -> Sequence[str]:
    """Sort the names of classes as they are shown."""
    usual = _ORDER.get(kind)
    return [name for name in usual if name in found] if usual else sorted(found)
