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


class SourceContent(NamedTuple):
    """The content of a file, its bytes, and losses that reading it caused."""

    content: Content
    format: str
    data: bytes
    notes: tuple[Note, ...]
    losses: tuple[Loss, ...] = ()


class SourceCorpus(NamedTuple):
    """A corpus and the bytes of its file; a folder has no bytes."""

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
    """Read a path or bytes; ``-`` is standard input.

    A file that ``is_text`` is read for its words, and need not be annotated.
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
) -> SourceCorpus:
    """Read a path or bytes with its tokens, and types of entities if it has them."""
    is_known = format is None or format in NAMES
    if not is_known and catalogue.FORMATS.find(str(format)) is None:
        raise unknown("format", format, (*catalogue.FORMATS, *TABLES))
    data: bytes | folders.Folder
    if isinstance(source, bytes):
        data, name = with_line_feeds(source), "<data>"
    else:
        if folder is not None:
            folders.folder_kind(source, folder)  # refuses a file
        data, name = reading.read_input(source, folder), input_files.name_of(source)
    format_name = MENTION_TABLE if format in TABLES else format
    corpus = reading.read_data(
        data,
        source=name,
        role=side,
        format=format_name or (reading.detect(data) if is_text else None),
        layer="types",
        with_tokens=True,
        splitting=splitting,
        # Otherwise, a file without a response would be read as a response.
        is_shared=side == "response",
    )
    _refuse_without_text(corpus)
    one_sided = {CONLL_2012, COREFUD, UNIVERSAL_ANAPHORA, MENTION_TABLE}
    if side == "response" and corpus.format in one_sided:
        message = (
            f"{WARNING}{corpus.source}: {corpus.format} has no response, so "
            "--side response has no effect."
        )
        notes = (*corpus.notes, Note("one-sided", 1, message))
        corpus = replace(corpus, notes=notes)
    return SourceCorpus(corpus, b"" if isinstance(data, folders.Folder) else data)


def _refuse_without_text(corpus: Corpus) -> None:
    """Refuse formats whose mentions are not in a text."""
    mentions = {"numbers": "character numbers", "values": "arbitrary values"}
    counts = catalogue.FORMATS[corpus.format].counts
    if counts in mentions:
        raise FormatError(
            f"the mentions of {corpus.format} are {mentions[counts]}, and "
            "there is no text to find them in",
            source=corpus.source,
            hint="Such files can be scored against each other but not converted.",
        )


def source_of(source: SourceCorpus) -> SourceContent:
    """Take the content of a corpus, and report what the content does not hold."""
    corpus, data = source
    content, losses = content_of(corpus), _bridge_losses(corpus)
    if not data:
        return SourceContent(content, corpus.format, data, corpus.notes)
    if corpus.format == MENTION_TABLE:
        texts = mention_tables.texts(data, source=content.source)
        lines = content.mention_line.tolist()
        content = content._replace(
            mention_text=tuple(texts.get(line, "") for line in lines)
        )
    if corpus.format == UNIVERSAL_ANAPHORA:
        content, losses = _drop_multiword_tokens(content, data)
        losses += _deixis_losses(data, corpus.source)
    return SourceContent(content, corpus.format, data, corpus.notes, tuple(losses))


def _bridge_losses(corpus: Corpus) -> list[Loss]:
    """Count CorefUD's bridges, which are between entities and not between mentions."""
    relations = corpus.words.relations if corpus.words is not None else ()
    bridges = [relation for relation in relations if relation.kind == "Bridge"]
    if corpus.format != COREFUD or not bridges:
        return []
    count = sum(len(relation.value.split(",")) for relation in bridges)
    place = place_of(corpus.source, bridges[0].line)
    return [Loss("bridges", count, "bridges", LEFT_OUT, place)]


def _deixis_losses(data: bytes, source: str) -> list[Loss]:
    """Count the mentions of discourse deixis, a column that is not converted."""
    if b"DISCOURSE_DEIXIS" not in data:
        return []
    corpus = reading.read_data(
        data,
        source=source,
        role="key",
        format=UNIVERSAL_ANAPHORA,
        layer="discourse-deixis",
    )
    count = len(corpus.mention_line)
    if not count:
        return []
    place = place_of(source, int(corpus.mention_line.min()))
    return [Loss("deixis", count, "mentions of discourse deixis", LEFT_OUT, place)]


def _drop_multiword_tokens(content: Content, data: bytes) -> tuple[Content, list[Loss]]:
    """Leave out multiword tokens, whose words are in the text as well.

    A mention that has such a token but none of its words gets these words. Readers
    restore a token between two words of a mention; a token at its start or end is lost.
    """
    counts = np.array(multiword_tokens(data, content.text.line), dtype=np.int64)
    is_token = counts > 0
    if not is_token.any():
        return content, []
    words = np.flatnonzero(~is_token & ~content.text.is_empty)
    members, changed_rows = content.lists(), set()
    for row in np.flatnonzero(content.has_any(is_token)).tolist():
        tokens = set(members[row])
        for token in members[row]:
            if is_token[token]:
                at = int(np.searchsorted(words, token))
                own = words[at : at + int(counts[token])].tolist()
                tokens.update(() if tokens.intersection(own) else own)
                if at == 0 or not tokens.issuperset(words[at - 1 : at + 1].tolist()):
                    changed_rows.add(row)
        members[row] = sorted(tokens)
    rows = sorted(changed_rows)
    place = at_mention(content, rows[0]) if rows else ""
    what, outcome = "mentions that start or end with a multiword token", "cut"
    loss = Loss("multiword-tokens", len(rows), what, outcome, place)
    left = content.with_members(members).keep_tokens(~is_token)
    return left, [loss] if rows else []
