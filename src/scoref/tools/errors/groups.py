"""Groups of errors to look at first, ranked by what fixing all of a group gains.

Errors about single mentions are grouped by kind and by the type of the mention, errors
about entities by kind. If most errors of a group are about the same words, or in the
same document, these errors are a group as well. The gain of a group is the difference
of two scores: one of the response with all errors of the group repaired, and one of the
response as it is. It is not a sum of gains of single errors.

For two systems, the errors that only one of them makes are grouped in the same way.
"""

from __future__ import annotations

import unicodedata
from collections import Counter
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from scoref.printable import counted
from scoref.tools.errors.kinds import (
    CONFLATED,
    DIVIDED,
    EXTRA_MENTION,
    KINDS,
    MISSING_MENTION,
    SPAN,
    WRONG_LINK,
)
from scoref.tools.errors.pairs import wrong_only_here
from scoref.tools.errors.wording import amount_of

if TYPE_CHECKING:
    from collections.abc import Iterator

    from scoref.model import Ints
    from scoref.tools.errors.findings import Analysis
    from scoref.tools.errors.repairs import Mask


@dataclass(frozen=True, slots=True)
class ErrorGroup:
    """Errors that can be looked at together, and what fixing all of them gains.

    ``kind`` is the kind of all errors. ``mention_class``, ``words`` and ``document``
    are what else they have in common, or None. ``gain`` is in CoNLL F₁, as a fraction.
    """

    title: str
    detail: str
    kind: str
    mention_class: str | None
    words: str | None
    document: str | None
    count: int
    gain: float


_OF_MENTIONS = (SPAN, WRONG_LINK, EXTRA_MENTION, MISSING_MENTION)
"""Kinds whose errors are about one mention or few, so that its type says something."""

_MOST_SCORED = 12  # groups whose repair is scored; each costs as much as a kind

_LISTED = 5  # words, or entities, that describe a group

_FEWEST = 10  # errors with the same words, or in the same document, that are a group

_MOST, _NEARLY_ALL = 0.5, 0.9

_SINGLE = {
    CONFLATED: "merged parts are single mentions",
    DIVIDED: "separated parts are single mentions",
}
"""What is said of parts of entities with one mention."""
_CLASSES = {
    "pronoun": "pronouns",
    "proper": "names",
    "common": "nouns",
    "zero": "zeros",
    "other": "other mentions",
}


def groups_of(analysis: Analysis, chosen: Mask | None = None) -> tuple[ErrorGroup, ...]:
    """Group the errors of a response, or those that are chosen."""
    if chosen is None:
        chosen = np.ones(len(analysis.errors.kind), np.bool_)
    return _Grouping(analysis, chosen).ranked()


class Changes(NamedTuple):
    """Groups of errors that only one of two systems makes.

    The second system ``fixes`` errors of the first one, and ``breaks`` what the first
    one has right. Gains are those of fixing the errors in the system that makes them.
    """

    fixes: tuple[ErrorGroup, ...]
    breaks: tuple[ErrorGroup, ...]


def changes_between(first: Analysis, second: Analysis) -> Changes:
    """Group what a second system fixes and breaks."""
    return Changes(
        groups_of(first, wrong_only_here(first, second)),
        groups_of(second, wrong_only_here(second, first)),
    )


class _Candidate(NamedTuple):
    """Errors that may become a group."""

    errors: Mask
    kind: int
    mention_class: str | None
    words: str | None = None
    document: int | None = None


class _Grouping:
    """Some errors of an analysis, to be grouped."""

    def __init__(self, analysis: Analysis, chosen: Mask) -> None:
        self._analysis = analysis
        self._chosen = chosen
        self._errors = analysis.errors
        self._wording = analysis._wording
        self._has_words = self._wording.key.has_words

    def ranked(self) -> tuple[ErrorGroup, ...]:
        """Return the groups, the one with the largest gain first."""
        wide = sorted(self._by_class(), key=self._expected, reverse=True)
        wide = wide[:_MOST_SCORED]
        narrow = [part for whole in wide for part in self._narrowed(whole)]
        # If nearly all errors of a group are in a narrower one, that one is enough.
        replaced = {
            id(whole)
            for whole in wide
            for part in narrow
            if part.kind == whole.kind
            and part.mention_class == whole.mention_class
            and part.errors.sum() >= _NEARLY_ALL * whole.errors.sum()
        }
        kept = [whole for whole in wide if id(whole) not in replaced]
        groups = [self._group(candidate) for candidate in (*kept, *narrow)]
        return tuple(sorted(groups, key=lambda group: (-group.gain, -group.count)))

    def _expected(self, candidate: _Candidate) -> float:
        """Estimate the gain from that of the whole kind, to skip small groups."""
        gains = self._analysis.gains
        share = candidate.errors.sum() / max(int(gains.count[candidate.kind]), 1)
        return float(gains.gain[candidate.kind] * share)

    def _by_class(self) -> Iterator[_Candidate]:
        """Return errors by kind, and if they are about mentions, by class as well."""
        classes = self._analysis.details.mention_class
        for kind in range(len(KINDS)):
            errors = self._chosen & (self._errors.kind == kind)
            if not errors.any():
                continue
            if classes is None or kind not in _OF_MENTIONS:
                yield _Candidate(errors, kind, None)
                continue
            for place, name in enumerate(classes.names):
                of_class = errors & (classes.of_error == place)
                if of_class.any():
                    yield _Candidate(of_class, kind, name)

    def _narrowed(self, whole: _Candidate) -> Iterator[_Candidate]:
        """Find words, or a document, that most errors of a group have in common."""
        rows = np.flatnonzero(whole.errors)
        if len(rows) <= _FEWEST:
            return
        if whole.kind in _OF_MENTIONS and self._has_words:
            texts = [_folded(text) for text in self._words(rows)]
            text, count = Counter(texts).most_common(1)[0]
            if count >= _FEWEST and count > _MOST * len(rows):
                chosen = np.zeros_like(whole.errors)
                chosen[rows[[other == text for other in texts]]] = True
                yield whole._replace(errors=chosen, words=text)
        counts = np.bincount(self._errors.document[rows])
        document = int(np.argmax(counts))
        share = counts[document] / len(rows)
        is_more = share > 2 * self._share_of_key[document]
        if counts[document] >= _FEWEST and share > _MOST and is_more:
            inside = whole.errors & (self._errors.document == document)
            yield whole._replace(errors=inside, document=document)

    @cached_property
    def _share_of_key(self) -> np.ndarray[tuple[int], np.dtype[np.float64]]:
        """The share of the key's mentions that each document has."""
        documents = len(self._analysis.documents)
        counts = np.bincount(self._analysis.key.document, minlength=documents)
        return counts / max(int(counts.sum()), 1)

    def _group(self, candidate: _Candidate) -> ErrorGroup:
        """Describe a group, and score the response with it repaired."""
        analysis, kind, errors = self._analysis, candidate.kind, candidate.errors
        count = int(errors.sum())
        gain = float(analysis.gains.gain[kind])
        if count < analysis.gains.count[kind]:
            repaired = self._analysis._repairs.conll(errors)
            gain = repaired - analysis.gains.before
        document = candidate.document
        name = None if document is None else analysis.documents[document]
        words = candidate.words
        rows = np.flatnonzero(errors)
        shown = None if words is None else next(self._words(rows[:1]))
        return ErrorGroup(
            title=self._title(candidate, shown, name),
            detail=self._detail(candidate, rows),
            kind=KINDS[kind].name,
            mention_class=candidate.mention_class,
            words=words,
            document=name,
            count=count,
            gain=gain,
        )

    def _title(self, group: _Candidate, words: str | None, document: str | None) -> str:
        """Say what the errors have in common."""
        what = self.class_label(group.mention_class) if words is None else f'"{words}"'
        title = KINDS[group.kind].group.format(what=what)
        title = title[0].upper() + title[1:]
        return title if document is None else f"{title}, in {document}"

    def class_label(self, name: str | None) -> str:
        """Name a class of mentions in the plural."""
        classes = self._analysis.details.mention_class
        if name is None or classes is None:
            return "mentions"
        if name == "other" and not {"proper", "common"} & {*classes.names}:
            return "non-pronoun mentions"
        return _CLASSES[name]

    def _detail(self, group: _Candidate, rows: Ints) -> str:
        """Describe what the errors are about, and how many documents have any."""
        parts = []
        if group.kind == SPAN:
            parts = self._common_amounts(rows)
        elif group.kind not in _OF_MENTIONS:
            parts = self._largest(group, rows)
        elif self._has_words and group.words is None:
            parts = _common(_alike(self._words(rows)))
        documents = len(set(self._errors.document[rows].tolist()))
        is_in_one = group.document is not None or len(self._analysis.documents) == 1
        if len(rows) > 1 and not is_in_one:
            parts.append(f"in {counted(documents, 'document')}")
        return " · ".join(parts)

    def _common_amounts(self, rows: Ints) -> list[str]:
        """List by how much most spans are wrong."""
        errors = self._errors
        columns = (errors.left[rows], errors.right[rows], errors.inside[rows])
        amounts = zip(*(column.tolist() for column in columns), strict=True)
        return _common(Counter(amount_of(*amount) for amount in amounts), most=2)

    def _largest(self, group: _Candidate, rows: Ints) -> list[str]:
        """Name the entities of the errors with the most mentions."""
        sets = self._errors.key_mentions, self._errors.response_mentions
        ours, theirs = (np.diff(mentions.start)[rows] for mentions in sets)
        count = np.maximum(ours, theirs)
        parts = []
        single = int((count == 1).sum())
        if single > max(1, _MOST * len(rows)):
            what = _SINGLE.get(group.kind, "with one mention")
            parts.append(f"{single:,} {what}")
        if not self._has_words:
            return parts
        order = np.argsort(-count, kind="stable")[: _LISTED - 2]
        largest = [
            f"{self._wording.entity_name(int(rows[place]))} "
            f"({counted(int(count[place]), 'mention')})"
            for place in order.tolist()
            if count[place] > 1
        ]
        return [*parts, *largest]

    def _words(self, rows: Ints) -> Iterator[str]:
        """Return the words of the first mention of errors, as lists show them."""
        return map(self._wording.words, rows.tolist())


def _alike(texts: Iterator[str]) -> Counter[str]:
    """Count words; if they differ in capital letters only, in their usual form."""
    exact = Counter(texts)
    usual: dict[str, str] = {}
    counts: Counter[str] = Counter()
    for text, count in exact.most_common():
        counts[usual.setdefault(_folded(text), text)] += count
    return counts


def _common(counts: Counter[str], most: int = _LISTED) -> list[str]:
    """List what occurs most often, with its count."""
    several = [(text, count) for text, count in counts.most_common() if count > 1]
    shown = [f"{text} ×{count:,}" for text, count in several[:most]]
    if shown and len(counts) > len(shown):
        shown[-1] += " …"
    return shown


def _folded(text: str) -> str:
    """Write words as the list of errors on the page compares them."""
    return unicodedata.normalize("NFKC", text).lower()
