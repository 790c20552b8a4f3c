"""Rules about annotation that is not read as it looks, or as another scorer reads it.

A CoNLL-2012 file is also read as the reference scorer reads it, and both readings are
compared document by document. Other rules find CorefUD brackets whose mention or head
is not the one that they seem to give.
"""

from __future__ import annotations

import re
from collections import defaultdict
from typing import TYPE_CHECKING

from scoref.formats import conll2012_reference
from scoref.formats.catalogue import CONLL_2012, COREFUD
from scoref.rules import IGNORED_HEAD, MISSING_HEADS, REFERENCE_READING, RUN_ON_MENTION
from scoref.tools.check.documents import lines_starting_with, unended_documents

if TYPE_CHECKING:
    from collections.abc import Iterator

    from scoref.model import Corpus
    from scoref.tools.check.checked_corpus import View
    from scoref.tools.check.problems import Problem

    Mentions = dict[int, set[tuple[str, int, int]]]


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
            message = "the reference scorer does not see this document"
        elif other in theirs.faults:
            place = theirs.faults[other].line or line
            message = f"to the reference scorer, {theirs.faults[other].problem}"
        else:
            message = _difference(ours, theirs, (row, other), mentions)
        if message:
            hint = (
                "tabs between columns, digits as labels and no comments are read "
                "alike; the documentation of CoNLL-2012 has all differences"
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
        return f"to the reference scorer this document {has}"
    our_mentions, their_mentions = mentions[0][rows[0]], mentions[1][rows[1]]
    if our_mentions == their_mentions:
        return ""
    return (
        f"the reference scorer finds {len(their_mentions - our_mentions)} other "
        f"mentions in this document and lacks {len(our_mentions - their_mentions)}"
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
            f"entity {label} is opened and closed at one word by two brackets, and "
            "runs on to the end of the sentence",
            line,
            (at, at + len(label) + 1),
            hint=f"write a mention of one word in one bracket, '({label}-...)'",
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
            f"no mention names its head: the first words of {longer} are heads",
            # A header that check added to read the file is after its last line.
            line if line <= len(view.listing.lines) else None,
            hint="name 'head' in the header and a number in each mention, or score "
            "with --match exact",
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
                f"the head is word {fields[field].decode('utf-8', 'replace')} of a "
                "mention of one word",
                line,
                (at, at + len(text)),
                hint="the head is counted among the words of the mention: write 1",
            )
