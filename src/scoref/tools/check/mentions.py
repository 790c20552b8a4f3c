"""Rules about mentions, entities and zeros, and the removal of repeated mentions.

Two mentions of an entity cross if they overlap and neither is inside the other. For
each mention that crosses earlier ones, the first of these is reported. Mentions are
sorted in the order of the text, longer ones first. A mention without gaps is crossed by
a later one that starts inside it and ends after it. A tree of ends finds such pairs, so
that thousands of nested mentions are not compared one by one. If a mention of an entity
has gaps, the entity's mentions are compared as sets.

Brackets of one entity at one token are interchangeable. To remove a mention that is
listed twice, it is enough to remove one bracket that opens it and one that closes it,
or one that does both. CorefUD brackets have fields, and are removed only if all
brackets that open there have the same fields.

Other rules are about annotation that is not read as it looks. A CoNLL-2012 file is also
read as the reference scorer reads it, and both readings are compared document by
document. Further rules find CorefUD brackets whose mention or head is not the one that
they seem to give.
"""

from __future__ import annotations

import re
from collections import defaultdict
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from scoref.errors import TooLargeError
from scoref.formats import conll2012_reference
from scoref.formats.catalogue import CONLL_2012, COREFUD, JSON_LINES
from scoref.matching.ragged import Ragged, Runs, count_shared
from scoref.model.arrays import runs
from scoref.rules import (
    CROSSING_MENTIONS,
    DUPLICATE_MENTION,
    EMPTY_ENTITY,
    EXCLUSIVE_ENDS,
    IGNORED_HEAD,
    MENTION_IN_TWO_ENTITIES,
    MISSING_HEADS,
    ONLY_SINGLETONS,
    REFERENCE_READING,
    RUN_ON_MENTION,
    SENTENCE_CROSSING,
    TOO_MANY_OVERLAPS,
    ZERO_WITHOUT_DEPS,
)
from scoref.tools.check.documents import lines_starting_with, unended_documents

if TYPE_CHECKING:
    from collections.abc import Iterator

    from scoref.model import Corpus, Ints
    from scoref.tools.check.checked_corpus import View
    from scoref.tools.check.problems import Problem

    Mentions = dict[int, set[tuple[str, int, int]]]


def check_entity_sizes(view: View) -> Iterator[Problem]:
    """Find entities without mentions, and files in which nothing corefers."""
    corpus = view.corpus
    size = entity_sizes(corpus)
    if view.format == JSON_LINES and view.is_whole:
        for entity in np.flatnonzero(size == 0).tolist():
            document = int(corpus.entity_document[entity])
            yield view.listing.problem(
                EMPTY_ENTITY,
                f"entity {corpus.entity_label[entity]} has no mentions",
                int(corpus.document_line[document]),
                hint="Leave it out.",
                can_fix=True,
            )
    if size.max(initial=0) == 1 and view.way.layer == "identity":
        yield view.listing.problem(
            ONLY_SINGLETONS,
            f"none of {int(size.sum()):,} entities has more than one mention",
            hint="There is no coreference: MUC has nothing to count, and "
            "schemes that drop singletons drop everything.",
        )


def entity_sizes(corpus: Corpus) -> Ints:
    """Count the mentions of each entity; one that does not refer has none."""
    size = np.bincount(corpus.mention_entity, minlength=len(corpus.entity_label))
    if corpus.anaphora is None:
        return size
    return np.where(corpus.anaphora.is_referring, size, 0)


_DEPS = 8


def check_zeros(view: View) -> Iterator[Problem]:
    """Find zeros that cannot be matched by their dependencies."""
    words = view.corpus.words
    if view.format != COREFUD or words is None or view.layout is None:
        return
    assert view.layout.code is not None
    without = [node for node, heads in words.dependencies.items() if not heads]
    rows = np.flatnonzero(np.isin(view.layout.code, without))
    for line in view.layout.line[rows].tolist():
        cells = view.listing.text(line).split("\t")
        at = sum(len(cell) + 1 for cell in cells[:_DEPS])
        yield view.listing.problem(
            ZERO_WITHOUT_DEPS,
            "this zero is a mention but has no dependency",
            line,
            (at, at + 1),
            hint="Column 9 (DEPS) says what it depends on, for example 3:nsubj.",
        )


def check_repetitions(view: View) -> Iterator[Problem]:
    """Find mentions that are listed twice in an entity, or in two entities."""
    for rows in _equal_mentions(view):
        first: dict[int, int] = {}
        for row in rows:
            entity = int(view.corpus.mention_entity[row])
            if entity in first:
                yield view.problem(
                    DUPLICATE_MENTION,
                    row,
                    f"entity {view.label(row)} lists {view.words(row)} a second time",
                    "List each mention once. Scorers treat repeated mentions "
                    "differently, and the reference scorer rejects more than 10.",
                    can_fix=removal(view, row) is not None,
                )
            elif first:
                other = next(iter(first.values()))
                yield view.problem(
                    MENTION_IN_TWO_ENTITIES,
                    row,
                    f"{view.words(row)} is in entity {view.label(row)} and in "
                    f"entity {view.label(other)}",
                    "A mention belongs to one entity. Remove it from one of them, "
                    "or merge them.",
                )
            first.setdefault(entity, row)


def repetitions(view: View) -> Iterator[int]:
    """List mentions that their entity has listed before."""
    for rows in _equal_mentions(view):
        seen: set[int] = set()
        for row in rows:
            entity = int(view.corpus.mention_entity[row])
            if entity in seen:
                yield row
            seen.add(entity)


def _equal_mentions(view: View) -> Iterator[list[int]]:
    """List the rows of mentions that are equal, for each mention with several rows."""
    order = np.argsort(view.number, kind="stable")
    start, length = runs(view.number[order])
    several = length > 1
    for at, count in zip(
        start[several].tolist(), length[several].tolist(), strict=True
    ):
        yield order[at : at + count].tolist()


def check_sentences(view: View) -> Iterator[Problem]:
    """Find mentions that start in one sentence and end in another."""
    if view.layout is None or view.ends is None:
        return
    first, last = (view.layout.sentence[rows] for rows in view.ends)
    for row in np.flatnonzero(first != last).tolist():
        yield view.problem(
            SENTENCE_CROSSING,
            row,
            f"{view.words(row)} of entity {view.label(row)} extends over "
            "the end of a sentence",
            "A mention must end in the sentence in which it starts.",
        )


_ENOUGH = 10


def check_ends(view: View) -> Iterator[Problem]:
    """Suspect that ends are exclusive if no mention has one token."""
    corpus = view.corpus
    count = len(corpus.mention_start)
    if view.format != JSON_LINES or count < _ENOUGH:
        return
    if (corpus.mention_start < corpus.mention_end).all():
        row = int(np.argmin(corpus.mention_line))
        yield view.problem(
            EXCLUSIVE_ENDS,
            row,
            f"none of {count:,} mentions has only one token",
            "The end is part of the mention: [7, 7] is one token. If your "
            "ends are exclusive, as in Python slices, subtract 1.",
        )


def check_crossing(view: View) -> Iterator[Problem]:
    """Find mentions of one entity that overlap, neither of them inside the other."""
    hint = "Mentions of one entity must be separate, or one must be inside the other."
    for row, other in crossing_pairs(view.corpus):
        if other is None:
            yield view.problem(
                TOO_MANY_OVERLAPS,
                row,
                f"the mentions of entity {view.label(row)} overlap too much to "
                "check which of them cross",
                hint,
            )
        else:
            yield view.problem(
                CROSSING_MENTIONS,
                row,
                f"{view.words(row)} crosses {view.words(other)} of the same entity "
                f"{view.label(row)}",
                hint,
            )


def crossing_pairs(corpus: Corpus) -> Iterator[tuple[int, int | None]]:
    """Pair mentions with the first mention that each crosses.

    If the mentions of an entity overlap too often to be compared, the entity's first
    mention is paired with None.
    """
    entity, start, end = corpus.mention_entity, corpus.mention_start, corpus.mention_end
    has_gaps = np.zeros(len(entity), dtype=np.bool_)
    if (words := corpus.words) is not None:
        pieces = Runs.of(Ragged(words.start, words.member))
        has_gaps = np.bincount(pieces.owner, minlength=len(entity)) > 1
    order = np.lexsort((-end, start, entity))
    for at, count in zip(
        *(column.tolist() for column in runs(entity[order])), strict=True
    ):
        rows = order[at : at + count]
        overlaps = np.maximum.accumulate(end[rows])[:-1] >= start[rows][1:]
        if not overlaps.any():
            continue
        if has_gaps[rows].any():
            yield from _crossing_sets(corpus, rows)
        else:
            for row, other in _crossing_spans(start[rows], end[rows]):
                yield int(rows[row]), int(rows[other])


def _crossing_spans(start: Ints, end: Ints) -> Iterator[tuple[int, int]]:
    """Find spans that start before a span does and end inside it, before its end."""
    ends, rank = np.unique(end, return_inverse=True)
    # An earlier span crosses if its end is between these: ``low`` and the own rank.
    low = np.searchsorted(ends, start).tolist()
    before = np.searchsorted(start, start).tolist()
    earliest, added = _EarliestByEnd(len(ends)), 0
    ranks = rank.tolist()
    for row, high in enumerate(ranks):
        while added < before[row]:
            earliest.add(ranks[added], added)
            added += 1
        other = earliest.between(low[row], high)
        if other is not None:
            yield row, other


def _crossing_sets(corpus: Corpus, rows: Ints) -> Iterator[tuple[int, int | None]]:
    """Find sets of words that share words although neither contains the other."""
    words = corpus.words
    assert words is not None
    sets = Ragged(words.start, words.member).take(rows)
    try:
        one, other, common = count_shared(sets, sets)
    except TooLargeError:
        yield int(rows[0]), None
        return
    crosses = (other < one) & (
        common < np.minimum(sets.length[one], sets.length[other])
    )
    crossed, first = np.unique(one[crosses], return_index=True)
    for row, earlier in zip(
        crossed.tolist(), other[crosses][first].tolist(), strict=True
    ):
        yield int(rows[row]), int(rows[earlier])


_NONE = 1 << 62


class _EarliestByEnd:
    """A tree over ends that finds the first mention with an end in a range."""

    def __init__(self, ends: int) -> None:
        self._size = 1 << max(0, ends - 1).bit_length()
        self._first = [_NONE] * (2 * self._size)

    def add(self, end: int, mention: int) -> None:
        """Add a mention; mentions are added in their order."""
        place = end + self._size
        while place and self._first[place] == _NONE:
            self._first[place] = mention
            place //= 2

    def between(self, low: int, high: int) -> int | None:
        """Find the first mention with an end from ``low`` to the one below ``high``."""
        first = _NONE
        low, high = low + self._size, high + self._size
        while low < high:
            if low % 2:
                first = min(first, self._first[low])
                low += 1
            if high % 2:
                high -= 1
                first = min(first, self._first[high])
            low, high = low // 2, high // 2
        return None if first == _NONE else first


_BRACKET = re.compile(r"\([^()|]+\)?|[^()|]+\)")

_ENTITY = re.compile(r"(?<=[\t|]Entity=)[^|\t]*(?=[^\t]*$)")


class Removal(NamedTuple):
    """A bracket to remove, and its line, counted from 1."""

    line: int
    bracket: str


def removal(view: View, mention: int) -> list[Removal] | None:
    """Find the brackets to remove for a mention that is listed twice.

    None means that it cannot be repaired, because its brackets differ.
    """
    if view.format == JSON_LINES:
        return []
    if view.format not in {CONLL_2012, COREFUD} or view.ends is None:
        return None
    assert view.layout is not None
    first, last = (int(view.layout.line[int(rows[mention])]) for rows in view.ends)
    label = view.label(mention)
    starting = _brackets(view, first)[label]
    if first == last and len(starting.whole) > 1:
        return [Removal(first, starting.whole[-1])] if starting.is_uniform else None
    if first == last and starting.whole and view.format == CONLL_2012:
        return [Removal(first, starting.whole[-1])]
    if len(starting.opening) != 1 or not _brackets(view, last)[label].is_closed:
        return None
    return [Removal(first, *starting.opening), Removal(last, f"{label})")]


class LineBrackets:
    """The brackets of one entity in a line: whole ones, and distinct opening ones."""

    def __init__(self) -> None:
        self.whole: list[str] = []
        self.is_uniform = True
        self.opening: set[str] = set()
        self.is_closed = False

    def add(self, bracket: str) -> None:
        """Add a bracket that starts a mention."""
        if bracket.endswith(")"):
            self.is_uniform &= bracket == (self.whole or [bracket])[0]
            self.whole.append(bracket)
        else:
            self.opening.add(bracket)


def remove_bracket(text: str, bracket: str, format_name: str) -> str:
    """Remove a bracket from the annotation of a line.

    >>> remove_bracket("w (0)|(1)|(0)", "(0)", "conll-2012")
    'w (0)|(1)'
    """
    start, end = _annotation_span(text, format_name)
    spans = [
        match.span()
        for match in _BRACKET.finditer(text, start, end)
        if match[0] == bracket
    ]
    if not spans:
        return text
    at, to = spans[-1]
    left = text[start:at].rstrip("|")
    right = text[to:end].lstrip("|")
    bar = "|" if left and right and "|" in text[start:end] else ""
    return f"{text[:start]}{left}{bar}{right}{text[end:]}"


def _brackets(view: View, line: int) -> defaultdict[str, LineBrackets]:
    """Sort the brackets of a line by entity, and keep them for later calls."""
    if line not in view.brackets:
        text = view.listing.text(line)
        brackets = view.brackets[line] = defaultdict(LineBrackets)
        for bracket in _BRACKET.findall(text, *_annotation_span(text, view.format)):
            if not bracket.startswith("("):
                brackets[bracket[:-1]].is_closed = True
                continue
            name = bracket[1:].removesuffix(")")
            if view.format == CONLL_2012:
                brackets[name].add(bracket)
            elif len(fields := name.split("-")) > view.entity_field:
                brackets[fields[view.entity_field]].add(bracket)
    return view.brackets[line]


def _annotation_span(text: str, format_name: str) -> tuple[int, int]:
    """Find the part of a line that has the brackets."""
    if format_name == COREFUD:
        entities = list(_ENTITY.finditer(text))
        return entities[-1].span() if entities else (0, 0)
    stripped = text.rstrip()
    tab = stripped.rfind("\t")
    if tab >= 0:
        return tab + 1, len(stripped)
    return len(stripped) - len(stripped.split()[-1]), len(stripped)


def check_reading(view: View) -> Iterator[Problem]:
    """Find documents that the reference scorer reads differently."""
    ours = view.corpus
    is_marked = any(name.name for name in ours.documents)
    if view.format != CONLL_2012 or not view.is_whole or not is_marked:
        return
    theirs = conll2012_reference.read(view.data, source=ours.source)
    if _are_equal(ours, theirs):
        return
    rows = {line: row for row, line in enumerate(theirs.document_line.tolist())}
    mentions = _mentions(ours), _mentions(theirs)
    unended = {begin + 1 for begin, _ in unended_documents(view.listing.lines)}
    for row, line in enumerate(ours.document_line.tolist()):
        if line in unended:
            continue  # another rule reports it
        other, place = rows.get(line), line
        if other is None:
            message = "the reference scorer skips this document"
        elif other in theirs.faults:
            place = theirs.faults[other].line or line
            message = (
                "the reference scorer reads this differently: "
                f"{theirs.faults[other].problem}"
            )
        else:
            message = _difference(ours, theirs, (row, other), mentions)
        if message:
            hint = (
                "Use tabs between columns, digits as labels and no comments to "
                "avoid this. The page about CoNLL-2012 lists all differences."
            )
            yield view.listing.problem(REFERENCE_READING, message, place, hint=hint)


def _are_equal(ours: Corpus, theirs: Corpus) -> bool:
    """Say whether two readings have the same columns, which is quick to check."""
    columns = ("document_line", "document_tokens", "mention_start", "mention_end")
    is_same = all(
        getattr(ours, name).tolist() == getattr(theirs, name).tolist()
        for name in (*columns, "mention_entity")
    )
    return is_same and not theirs.faults and ours.entity_label == theirs.entity_label


def _difference(
    ours: Corpus, theirs: Corpus, rows: tuple[int, int], mentions: tuple[Mentions, ...]
) -> str:
    """Say how two readings of a document differ; nothing if they are the same."""
    assert ours.document_tokens is not None
    assert theirs.document_tokens is not None
    tokens = int(ours.document_tokens[rows[0]]), int(theirs.document_tokens[rows[1]])
    if tokens[0] != tokens[1]:
        has = f"has {tokens[1]} tokens, not {tokens[0]}"
        return f"for the reference scorer this document {has}"
    our_mentions, their_mentions = mentions[0][rows[0]], mentions[1][rows[1]]
    if our_mentions == their_mentions:
        return ""
    return (
        "in this document, the reference scorer finds "
        f"{len(their_mentions - our_mentions):,} other mentions and "
        f"misses {len(our_mentions - their_mentions):,}"
    )


def _mentions(corpus: Corpus) -> Mentions:
    """Return label, start and end of each mention, by document."""
    mentions: Mentions = defaultdict(set)
    columns = corpus.mention_entity, corpus.mention_start, corpus.mention_end
    document = corpus.entity_document.tolist()
    for entity, start, end in zip(
        *(column.tolist() for column in columns), strict=True
    ):
        mentions[document[entity]].add((corpus.entity_label[entity], start, end))
    return mentions


# One bracket opens an entity at a word, such as (e1-x, and another closes it there.
# Brackets of other entities may be between them.
_RUN_ON = re.compile(
    rb"(?<=[\t|])Entity=[^|\t\n]*?\(([^-()\[|\t\n]+)(?=[-(])[^()|\t\n]*"
    rb"(?:\([^()|\t\n]+\))+(?:[^()|\t\n]+\))*?\1\)"
)


def check_run_on_mentions(view: View) -> Iterator[Problem]:
    """Find mentions of one word that are written as two brackets."""
    if view.format != COREFUD or view.entity_field:
        return
    for match in _RUN_ON.finditer(view.data):
        line = view.line_at(match.start())
        label = match[1].decode("utf-8", "replace")
        at = view.listing.text(line).find(f"({label}")
        yield view.listing.problem(
            RUN_ON_MENTION,
            f"entity {label} is opened and closed at one word by two "
            "brackets, so it extends to the end of the sentence",
            line,
            (at, at + len(label) + 1),
            hint=f"Write a mention of one word in one bracket: '({label}-...)'.",
        )


def check_missing_heads(view: View) -> Iterator[Problem]:
    """Find a file whose mentions do not name heads, although heads decide matches."""
    words = view.corpus.words
    if view.format != COREFUD or words is None or words.names_heads:
        return
    longer = int((words.length > 1).sum())
    if longer:
        header = next(lines_starting_with(b"# global.Entity", view.data), 0)
        line = view.line_at(header)
        yield view.listing.problem(
            MISSING_HEADS,
            "no mention has a head, so the first word is the head of "
            f"{longer:,} mentions",
            # A header that check added to read the file is after its last line.
            line if line <= len(view.listing.lines) else None,
            hint="Add 'head' to the header and a number to each mention, or "
            "score with --match exact.",
        )


_VALUE = re.compile(rb"(?<=[\t|])Entity=([^|\t\n]+)")

_WHOLE = re.compile(rb"\(([^()|]+)\)")

_FIRST_WORD = frozenset((b"", b"0", b"1"))


def check_ignored_heads(view: View) -> Iterator[Problem]:
    """Find mentions of one word whose head would be another word."""
    field = view.head_field
    if view.format != COREFUD or field is None:
        return
    for value in _VALUE.finditer(view.data):
        for bracket in _WHOLE.finditer(value[1]):
            fields = bracket[1].split(b"-")
            is_piece = b"[" in bracket[1]
            if is_piece or field >= len(fields) or fields[field] in _FIRST_WORD:
                continue
            line = view.line_at(value.start())
            text = bracket[0].decode("utf-8", "replace")
            at = view.listing.text(line).find(text)
            yield view.listing.problem(
                IGNORED_HEAD,
                f"the head is word {fields[field].decode('utf-8', 'replace')} "
                "of a mention of one word",
                line,
                (at, at + len(text)),
                hint="Heads count the words of the mention. Write 1.",
            )
