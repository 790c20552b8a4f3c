"""Where content comes from: a file of any format, a folder of brat, or bytes."""

from __future__ import annotations

import os
from pathlib import Path
from typing import TYPE_CHECKING, Literal, NamedTuple

import numpy as np

from scoref import formats
from scoref.errors import FormatError, unknown
from scoref.formats import COREFUD, UNIVERSAL_ANAPHORA, brat, mention_table
from scoref.formats.base_text import multiword_tokens
from scoref.tools.convert.content import content_of
from scoref.tools.convert.losses import LEFT_OUT, Loss, at_mention

if TYPE_CHECKING:
    from collections.abc import Iterable

    from scoref.formats import Role
    from scoref.formats.brat import Splitting
    from scoref.model import Corpus, Note
    from scoref.tools.convert.content import Content

Side = Literal["key", "response"]
TABLES = ("tsv", "csv")
NAMES = (*formats.FORMATS, brat.NAME, *TABLES)
_DEIXIS = b"DISCOURSE_DEIXIS"
_TABLE_COLUMNS = frozenset(mention_table.COLUMNS[:4])


class Source(NamedTuple):
    """What was read: content, the bytes it was in, and what is not in the content."""

    content: Content
    format: str
    data: bytes
    notes: tuple[Note, ...]
    beyond: tuple[Loss, ...] = ()


def read_source(
    source: str | os.PathLike[str] | bytes,
    *,
    format: str | None = None,  # noqa: A002 - the name that users type
    side: Side = "key",
    splitting: Splitting = "auto",
    is_text: bool = False,
) -> Source:
    """Read a path, or bytes; ``-`` is standard input.

    What is wanted for its text need not be annotated.
    """
    if format is not None and format not in NAMES:
        raise unknown("format", format, NAMES)
    if isinstance(source, bytes):
        return _of_data(source, "<data>", format, side, is_text=is_text)
    path = os.fspath(source)
    is_brat = format == brat.NAME or path.endswith(".ann")
    if is_brat or (format is None and Path(path).is_dir()):
        corpus = brat.read(_pairs(Path(path)), source=path, splitting=splitting)
        return Source(content_of(corpus), brat.NAME, b"", corpus.notes)
    data = formats.read_bytes(source)
    return _of_data(data, formats.name_of(source), format, side, is_text=is_text)


def is_table(data: bytes) -> bool:
    """See from its first line whether this is a table of mentions."""
    line = data.partition(b"\n")[0].decode("utf-8", "replace").lower()
    cells = line.replace("\t", ",").split(",")
    return {cell.strip('" \r\ufeff') for cell in cells} >= _TABLE_COLUMNS


def _of_data(
    data: bytes,
    source: str,
    format: str | None,  # noqa: A002
    side: Role,
    *,
    is_text: bool,
) -> Source:
    if format in TABLES or (format is None and is_table(data)):
        content = content_of(mention_table.read(data, source=source))
        texts = mention_table.texts(data, source=source)
        lines = content.mention_line.tolist()
        said = tuple(texts.get(line, "") for line in lines) if texts else ()
        return Source(content._replace(mention_text=said), TABLES[0], data, ())
    corpus = formats.read_data(
        data,
        source=source,
        role=side,
        format=format or (formats.detect(data) if is_text else None),
        layer="types",
        with_tokens=True,
    )
    content, beyond = content_of(corpus), _bridges(corpus)
    if corpus.format == UNIVERSAL_ANAPHORA:
        content, lost = _without_multiword_tokens(content, data)
        beyond = [*lost, *_deixis(data, source)]
    return Source(content, corpus.format, data, corpus.notes, tuple(beyond))


def _pairs(path: Path) -> Iterable[brat.Pair]:
    """Find the documents of a folder, or the one of a file."""
    if path.is_dir():
        files = sorted(path.rglob("*.ann"))
        names = [file.relative_to(path).with_suffix("").as_posix() for file in files]
    else:
        files, names = [path.with_suffix(".ann")], [path.stem]
    for file, name in zip(files, names, strict=True):
        text = file.with_suffix(".txt")
        if file.exists() and not text.exists():
            raise FormatError(
                "there is no text beside these annotations",
                source=str(file),
                hint=f"expected a file {text.name} in the same folder",
            )
        yield brat.Pair(
            brat.document_name(name),
            formats.read_bytes(text) if file.exists() else b"",
            formats.read_bytes(file),
            str(file),
        )


def _bridges(corpus: Corpus) -> list[Loss]:
    """Count CorefUD's bridges, which are between entities and not between mentions."""
    relations = corpus.words.relations if corpus.words is not None else ()
    found = [relation for relation in relations if relation.kind == "Bridge"]
    if corpus.format != COREFUD or not found:
        return []
    count = sum(len(relation.value.split(",")) for relation in found)
    place = f"{corpus.source}:{found[0].line}"
    return [Loss("bridges", count, "bridges", LEFT_OUT, place)]


def _deixis(data: bytes, source: str) -> list[Loss]:
    """Count the mentions of the column that is not read."""
    if _DEIXIS not in data:
        return []
    found = formats.read_data(
        data,
        source=source,
        role="key",
        format=UNIVERSAL_ANAPHORA,
        layer="discourse-deixis",
    )
    if not len(found.mention_line):
        return []
    place = f"{source}:{found.mention_line.min()}"
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
