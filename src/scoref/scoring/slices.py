"""Scores for a part of the mentions: by size, length, type or another class.

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
from scoref.scoring.mention_classes import classes_of, in_order, type_notes
from scoref.scoring.pipeline import score_and_keep, score_corpora

if TYPE_CHECKING:
    from collections.abc import Container, Mapping, Sequence

    from scoref.contingency.memberships import Listed, Listings
    from scoref.metrics.base import Floats, Shares
    from scoref.model import Corpus, Ints
    from scoref.scheme import Layer, Scheme
    from scoref.scoring.mention_classes import ClassTable
    from scoref.scoring.pipeline import Kept
    from scoref.scoring.results import Result


BY = {
    "document": "each document",
    "genre": "documents by genre, from the key (# meta::genre = …) or from the part of "
    "their names before the first /; in genre:PATTERN, the first group of the regular "
    "expression is the genre",
    "entity-size": "mentions by the size of their entity: 1, 2-10 or more mentions",
    "mention-length": "mentions by length: 1, 2, 3-5, 6-10 or more words",
    "entity-range": "mentions by the words from the first head of their entity to the "
    "last: 0, 1-10, 11-100, 101-1000 or more",
    "mention-type": "zeros, pronouns, names, nouns and others, by the head, parts of "
    "speech, or by a list of pronouns",
    "class": "mentions by the classes of a table (--classes FILE)",
    "upos": "mentions by their head's part of speech (CorefUD)",
    "entity-type": "mentions by their entity's type (CorefUD)",
    "distance": "anaphors by their distance from the antecedent, in sentences "
    "(CorefUD)",
}
"""What mentions and documents can be grouped by."""

PLURALS = "split antecedents"
"""The slice of what no mention has a part in."""


class Slices(Displayed, dict[str, "Result"]):
    """Results by the names of the slices, in order; ``by`` is what they go by."""

    _reported_by = "render.breakdowns:sliced_report"

    def __init__(self, slices: Mapping[str, Result], by: str) -> None:
        super().__init__(slices)
        self.by = by

    def __reduce__(self) -> tuple[type[Slices], tuple[dict[str, Result], str]]:
        return Slices, (dict(self), self.by)

    @property
    def _in_short(self) -> str:
        return f"{len(self)} by {self.by}"


def layer_of(by: str) -> Layer | None:
    """Return the layer of the files that slices need; None for the usual one."""
    if by == "entity-type":
        return "types"
    return "parses" if by in {"upos", "mention-type"} else None


def slice_corpora(
    key: Corpus,
    response: Corpus,
    scheme: Scheme,
    metrics: tuple[str, ...],
    by: str,
    classes: ClassTable | None = None,
) -> Slices:
    """Score each slice; every one is a result over all documents, or some of them.

    ``classes`` is the table for ``by="class"``.
    """
    check_classes(by, classes)
    kind, _, pattern = by.partition(":")
    if kind not in BY or (pattern and kind != "genre"):
        raise unknown("slice", by, BY)
    if kind in {"document", "genre"}:
        slices = _group_documents(
            score_corpora(key, response, scheme, metrics), key, kind, pattern
        )
    elif kind == "distance":
        slices = _slice_by_distance(key, response, scheme)
    else:
        slices = slices_of(
            score_and_keep(key, response, scheme, metrics), kind, classes
        )
    named = {
        name: dataclasses.replace(result, slice=(by, name))
        for name, result in slices.items()
    }
    return Slices(named, by)


def check_classes(by: str | None, classes: object) -> None:
    """Refuse classes of a table without a table, and the other way round."""
    if by == "class" and classes is None:
        raise OptionError(
            "--by class needs a table of classes",
            hint="Use --classes FILE (classes=FILE in Python). Its columns are "
            "document, start, end and class.",
        )
    if by != "class" and classes is not None:
        raise OptionError("--classes needs --by class")


def refuse_characters(scheme: Scheme) -> None:
    """Refuse a table of classes if texts are compared by character."""
    if scheme.words == "characters":
        raise OptionError(
            "--classes needs the same words on both sides, because its positions "
            "count words"
        )


def _group_documents(
    whole: Result, key: Corpus, kind: str, pattern: str
) -> dict[str, Result]:
    """Group the rows of a result by document or genre."""
    names: Sequence[str] = whole.documents
    if kind == "genre":
        if whole.scheme.scope is not None:
            raise OptionError(
                f"--by genre cannot be combined with "
                f"{as_typed('scope', whole.scheme.scope)}, which joins documents. Use "
                "--by document for a row per unit"
            )
        names, notes = genres_of(whole.documents, (key,), pattern)
        whole = dataclasses.replace(whole, notes=(*whole.notes, *notes))
    groups: dict[str, list[int]] = {}
    for row, name in enumerate(names):
        groups.setdefault(name, []).append(row)
    return {name: whole.of_documents(rows) for name, rows in groups.items()}


_OTHER = "other"


def genres_of(
    documents: Sequence[str], corpora: Sequence[Corpus], pattern: str
) -> tuple[list[str], tuple[Note, ...]]:
    """Return the genre of each document, from its file or from its name."""
    in_files: dict[str, str] = {}
    for corpus in corpora:
        names = [document.name for document in corpus.documents]
        in_files |= dict(zip(names, corpus.document_genre or (), strict=False))
    if not pattern and any(in_files.values()):
        return [in_files.get(name) or _OTHER for name in documents], ()
    genres = [_genre(name, pattern) for name in documents]
    if pattern or any("/" in name for name in documents):
        return genres, ()
    message = (
        "No document has a genre, so each document has its own row. Add '# meta::genre "
        "= …' to the key, or use --by genre:PATTERN to take genres from names."
    )
    return genres, (Note("no-genres", len(genres), message),)


def _genre(document: str, pattern: str) -> str:
    """Take the genre from a document's name.

    >>> _genre("(bc/cctv/00/cctv_0005); part 000", "")
    'bc'
    """
    if not pattern:
        return document.lstrip("(").partition("/")[0] if "/" in document else document
    try:
        match = re.search(pattern, document)
    except re.error as error:
        raise OptionError(
            f"'{pattern}' is not a regular expression: {error}"
        ) from error
    if not match:
        return _OTHER
    return (match[1] or _OTHER) if match.re.groups else match[0]


_DISTANCES = ("0", "1", "2", "3-5", "6-")


def _slice_by_distance(
    key: Corpus, response: Corpus, scheme: Scheme
) -> dict[str, Result]:
    """Score anaphors by their distance in sentences; mentions are matched once."""
    slices, matched = {}, None
    for distance in _DISTANCES:
        change = dataclasses.replace(scheme, anaphors=f"distance:{distance}")
        kept = score_and_keep(key, response, change, ("zero",), matched)
        result, matched = kept.result, kept.matched
        whole = dataclasses.replace(result.scheme, anaphors="all")
        slices[distance] = dataclasses.replace(result, scheme=whole)
    return slices


def slices_of(
    kept: Kept, kind: str, classes: ClassTable | None = None
) -> dict[str, Result]:
    """Share out a score among classes of mentions."""
    whole, matched, table, corpora = kept
    listed = list_mentions(corpora, matched, table, whole.scheme)
    labels, notes = _labels_of(kind, listed, whole.scheme, classes)
    whole = dataclasses.replace(whole, notes=(*whole.notes, *notes))
    if whole.scheme.evaluate == "split-antecedents":
        raise OptionError(
            f"--by {kind} groups mentions, and "
            f"{as_typed('evaluate', whole.scheme.evaluate)} scores none"
        )
    names = in_order({*labels[0], *labels[1]}, kind)
    number = {name: place for place, name in enumerate(names)}
    numbers = [np.array([number[label] for label in side], np.int64) for side in labels]
    return shared_slices(whole, listed, (numbers[0], numbers[1]), names, kind)


def shared_slices(
    whole: Result,
    listed: Listed,
    numbers: tuple[Ints, Ints],
    names: Sequence[str],
    kind: str,
) -> dict[str, Result]:
    """Share out the counts of a result among classes of mentions.

    Args:
        whole: the result.
        listed: its mentions.
        numbers: the number of the class of each mention, in the key and the response.
        names: the names of the classes, by their numbers.
        kind: what the classes are, for messages.
    """
    by_mention = sliceable(whole.counts)
    counts = shared_counts(listed, whole.scheme, numbers, len(names), whole.counts)
    known = (*by_mention, conll.NAME)
    shown = tuple(name for name in whole.metrics if name in known)
    if not shown:
        *most, last = known
        raise OptionError(
            f"--by {kind} has only these metrics: {', '.join(most)} and {last}"
        )
    lacking = [name for name in whole.metrics if name not in known]
    if any(METRICS[name].package for name in lacking):
        whole = dataclasses.replace(whole, notes=(*whole.notes, _no_shares(lacking)))
    slices = {
        name: dataclasses.replace(
            whole,
            metrics=shown,
            counts={
                metric: by_class[place]
                for metric, by_class in counts.items()
                if metric in whole.counts
            },
        )
        for place, name in enumerate(names)
    }
    rest = {
        name: whole.counts[name] - sum(each.counts[name] for each in slices.values())
        for name in by_mention
        if name in whole.counts
    }
    if not all(np.allclose(left, 0, atol=1e-9) for left in rest.values()):
        slices[PLURALS] = dataclasses.replace(whole, metrics=shown, counts=rest)
    return slices


def _labels_of(
    kind: str, listed: Listed, scheme: Scheme, classes: ClassTable | None
) -> tuple[list[list[str]], list[Note]]:
    """Return the class of each mention of both sides."""
    sides = listed.key, listed.response
    if classes is not None:
        refuse_characters(scheme)
        (ours, fit), (theirs, also_fit) = (
            classes.classes(side.corpus, side.row) for side in sides
        )
        corpora = [side.corpus for side in sides]
        return [ours, theirs], classes.notes(fit | also_fit, corpora)
    if kind == "entity-range" and scheme.scope not in {None, "document"}:
        raise OptionError(
            f"--by entity-range cannot be combined with "
            f"{as_typed('scope', scheme.scope)}: words are counted within a document"
        )
    sizes = listed.table.key_size, listed.table.response_size
    key = listed.key.corpus
    labels = [
        classes_of(kind, side, size, key)
        for side, size in zip(sides, sizes, strict=True)
    ]
    if kind == "entity-type":
        # Systems seldom name types: a response mention has that of the key's entity.
        types = dict(zip(listed.key.entity.tolist(), labels[0], strict=True))
        entity = np.append(listed.table.cell_key, -1)[listed.response.cell].tolist()
        own = zip(entity, labels[1], strict=True)
        labels[1] = [types.get(row, label) for row, label in own]
    notes = []
    if kind == "mention-type":
        notes = type_notes(key, listed.response.corpus)
    return labels, notes


_MENTIONS = "mentions"


def _no_shares(names: Sequence[str]) -> Note:
    labels = ", ".join(METRICS[name].label for name in names)
    message = f"{labels} cannot be split by mentions and was left out."
    return Note("no-shares", len(names), message)


def sliceable(scored: Container[str] = ()) -> tuple[str, ...]:
    """List the metrics that are shared out; of plugins, only those that are scored."""
    return tuple(
        name
        for name, each in METRICS.items()
        if name == _MENTIONS
        or (
            isinstance(each, Metric)
            and each.shares
            and (name in scored or not each.package)
        )
    )


def shared_counts(
    listed: Listed,
    scheme: Scheme,
    classes: tuple[Ints, Ints],
    count: int,
    scored: Container[str] = (),
) -> dict[str, Floats]:
    """Count each metric for each class and document: classes × documents × columns."""
    known, counts = metrics_of(scheme), {}
    for name in sliceable(scored):
        own = listed if name == _MENTIONS else _with_plurals(listed, known[name])
        sides = (
            (own.key, classes[0], own.table),
            (own.response, classes[1], own.table.swapped),
        )
        if name == _MENTIONS:
            values = [
                (side.is_found.astype(float), side.is_counted.astype(float))
                for side, _, _ in sides
            ]
        else:
            shares = zip(sides, _shares(own, known[name]), strict=True)
            values = [_earned(side, share) for (side, _, _), share in shares]
        both = []
        for (side, classes_of_side, table), columns in zip(sides, values, strict=True):
            code = classes_of_side * table.document_count + side.document
            shape = count, table.document_count, len(columns)
            sums = [
                np.bincount(code, column, shape[0] * shape[1]) for column in columns
            ]
            both.append(np.stack(sums, axis=-1).astype(np.float64).reshape(shape))
        counts[name] = np.concatenate(both, axis=-1)
    return counts


def _earned(side: Listings, shares: Shares) -> tuple[Floats, Floats]:
    """Return each mention's part of the numerator and of the denominator."""
    earned = np.where(side.cell >= 0, np.append(shares.of_cell, 0.0)[side.cell], 0.0)
    earned = earned + shares.of_entity[side.entity]
    return earned, shares.denominator[side.entity]


def _shares(listed: Listed, metric: Metric) -> list[Shares]:
    """Share out both directions, with the same entities aligned."""
    table = listed.table
    aligned = np.empty(0, dtype=np.int64)
    if metric.align is not None:
        aligned = metric.align(table, listed.ranks)
    assert metric.shares is not None
    return [metric.shares(side, aligned) for side in (table, table.swapped)]


def _with_plurals(listed: Listed, metric: Metric) -> Listed:
    """Add the weight of plurals: other mentions earn more if one is found with them."""
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
