"""Readers of the content to convert: a file or a folder of any format, or bytes."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Literal, NamedTuple

import numpy as np

from scoref.errors import FormatError, place_of, unknown
from scoref.formats import catalogue, folders, input_files, mention_tables, reading
from scoref.formats.base_text import multiword_tokens
from scoref.formats.catalogue import (
    CONLL_2012,
    COREFUD,
    MENTION_TABLE,
    UNIVERSAL_ANAPHORA,
)
from scoref.formats.input_files import with_line_feeds
from scoref.model import Note
from scoref.notes import WARNING
from scoref.tools.convert.content import content_of
from scoref.tools.convert.losses import LEFT_OUT, Loss, at_mention

if TYPE_CHECKING:
    import os

    from scoref.formats.catalogue import Splitting
    from scoref.model import Corpus
    from scoref.tools.convert.content import Content

Side = Literal["key", "response"]
TABLES = ("tsv", "csv")
NAMES = (*catalogue.FORMATS, *TABLES)
_ONE_SIDED = frozenset((CONLL_2012, COREFUD, UNIVERSAL_ANAPHORA, MENTION_TABLE))
_DEIXIS = b"DISCOURSE_DEIXIS"


class SourceContent(NamedTuple):
    """What was read: content, the bytes it was in, and what is not in the content."""

    content: Content
    format: str
    data: bytes
    notes: tuple[Note, ...]
    beyond: tuple[Loss, ...] = ()


class Read(NamedTuple):
    """A corpus, and the bytes it was in; of a folder there are none."""

    corpus: Corpus
    data: bytes


def read_source(
    source: str | os.PathLike[str] | bytes,
    *,
    format: str | None = None,
    side: Side = "key",
    splitting: Splitting = "auto",
    is_text: bool = False,
) -> SourceContent:
    """Read a path, or bytes; ``-`` is standard input.

    What is wanted for its text need not be annotated.
    """
    return source_of(
        read_corpus(
            source, format=format, side=side, splitting=splitting, is_text=is_text
        )
    )


def read_corpus(
    source: str | os.PathLike[str] | bytes,
    *,
    format: str | None = None,
    side: Side = "key",
    splitting: Splitting = "auto",
    is_text: bool = False,
    folder: str | None = None,
) -> Read:
    """Read a path, or bytes, with its tokens, and types of entities if it has them."""
    if format is not None and format not in NAMES:
        raise unknown("format", format, NAMES)
    data: bytes | folders.Folder
    if isinstance(source, bytes):
        data, called = with_line_feeds(source), "<data>"
    else:
        if folder is not None:
            folders.folder_kind(source, folder)  # complains about a file
        data, called = reading.read_input(source, folder), input_files.name_of(source)
    name = MENTION_TABLE if format in TABLES else format
    corpus = reading.read_data(
        data,
        source=called,
        role=side,
        format=name or (reading.detect(data) if is_text else None),
        layer="types",
        with_tokens=True,
        splitting=splitting,
        # Without this, a file without a response would be read as one.
        is_shared=side == "response",
    )
    _refuse_numbers(corpus)
    if side == "response" and corpus.format in _ONE_SIDED:
        message = (
            f"{WARNING}{corpus.source}: {corpus.format} holds one side only, so "
            "--side response has no effect"
        )
        notes = (*corpus.notes, Note("one-sided", 1, message))
        corpus = replace(corpus, notes=notes)
    return Read(corpus, b"" if isinstance(data, folders.Folder) else data)


_WITHOUT_TEXT = {"numbers": "numbers of characters", "values": "values of any kind"}


def _refuse_numbers(corpus: Corpus) -> None:
    """Refuse mentions that are in no text."""
    counted = catalogue.FORMATS[corpus.format].counts
    if counted in _WITHOUT_TEXT:
        raise FormatError(
            f"mentions of {corpus.format} are {_WITHOUT_TEXT[counted]}, and there is "
            "no text to find them in",
            source=corpus.source,
            hint="such files are scored against each other, and cannot be converted",
        )


def source_of(read: Read) -> SourceContent:
    """Take the content of what was read, and say what is not in it."""
    corpus, data = read
    content, beyond = content_of(corpus), _bridges(corpus)
    if not data:
        return SourceContent(content, corpus.format, data, corpus.notes)
    if corpus.format == MENTION_TABLE:
        content = content._replace(mention_text=_texts(content, data))
    if corpus.format == UNIVERSAL_ANAPHORA:
        content, lost = _without_multiword_tokens(content, data)
        beyond = [*lost, *_deixis(data, corpus.source)]
    return SourceContent(content, corpus.format, data, corpus.notes, tuple(beyond))


def _texts(content: Content, data: bytes) -> tuple[str, ...]:
    """Give what a table says of mentions' texts."""
    texts = mention_tables.texts(data, source=content.source)
    return tuple(texts.get(line, "") for line in content.mention_line.tolist())


def _bridges(corpus: Corpus) -> list[Loss]:
    """Count CorefUD's bridges, which are between entities and not between mentions."""
    relations = corpus.words.relations if corpus.words is not None else ()
    found = [relation for relation in relations if relation.kind == "Bridge"]
    if corpus.format != COREFUD or not found:
        return []
    count = sum(len(relation.value.split(",")) for relation in found)
    place = place_of(corpus.source, found[0].line)
    return [Loss("bridges", count, "bridges", LEFT_OUT, place)]


def _deixis(data: bytes, source: str) -> list[Loss]:
    """Count the mentions of the column that is not read."""
    if _DEIXIS not in data:
        return []
    found = reading.read_data(
        data,
        source=source,
        role="key",
        format=UNIVERSAL_ANAPHORA,
        layer="discourse-deixis",
    )
    if not len(found.mention_line):
        return []
    place = place_of(source, int(found.mention_line.min()))
    count = len(found.mention_line)
    return [Loss("deixis", count, "mentions of discourse deixis", LEFT_OUT, place)]


def _without_multiword_tokens(
    content: Content, data: bytes
) -> tuple[Content, list[Loss]]:
    """Take multiword tokens out of a text: their words are there as well.

    A mention that has such a token, but none of its words, gets these. Tokens between
    two words of a mention come back where a text has them; others do not.
    """
    counts = np.array(multiword_tokens(data, content.text.line), dtype=np.int64)
    is_token = counts > 0
    if not is_token.any():
        return content, []
    words = np.flatnonzero(~is_token & ~content.text.is_empty)
    members, changed = content.lists(), []
    for row in np.flatnonzero(content.has_any(is_token)).tolist():
        tokens = set(members[row])
        for token in members[row]:
            if is_token[token]:
                at = int(np.searchsorted(words, token))
                own = words[at : at + int(counts[token])].tolist()
                tokens.update(() if tokens.intersection(own) else own)
                around = words[max(at - 1, 0) : at + 1].tolist()
                if at == 0 or not tokens.issuperset(around):
                    changed.append(row)
        members[row] = sorted(tokens)
    rows = sorted(set(changed))
    place = at_mention(content, rows[0]) if rows else ""
    what, outcome = "mentions that start or end with a multiword token", "cut there"
    loss = Loss("multiword-tokens", len(rows), what, outcome, place)
    left = content.with_members(members).keep_tokens(~is_token)
    return left, [loss] if rows else []
