"""Files in, columns out: which reader reads what.

A reader is a function from bytes to a `Corpus`. What a file is, is seen from
its first bytes; `scoref.formats.records` has all that is known of each format.
"""

from __future__ import annotations

import dataclasses
import re
from typing import TYPE_CHECKING

from scoref.errors import FormatError, unknown
from scoref.formats._sizes import refusing_size
from scoref.formats._text import (
    name_of,
    read_bytes,
    reading_again,
    refuse_second_reading,
    shown,
    without_bom,
)
from scoref.formats.records import (
    CONLL_2012,
    COREFUD,
    FORMATS,
    JSON_LINES,
    UNIVERSAL_ANAPHORA,
    Asked,
    Role,
    recognised,
)
from scoref.rules import UNREADABLE_FILE

if TYPE_CHECKING:
    from collections.abc import Callable
    from os import PathLike

    from scoref.model import Corpus, Tokens
    from scoref.scheme import Layer, Reading

__all__ = [
    "CONLL_2012",
    "COREFUD",
    "FORMATS",
    "JSON_LINES",
    "UNIVERSAL_ANAPHORA",
    "Role",
    "detect",
    "name_of",
    "read",
    "read_both",
    "read_bytes",
    "read_data",
    "reading_again",
    "refuse_second_reading",
    "refuse_unclear",
]

_BEGINNING = 1 << 16
_OTHER_FORMAT = re.compile(rb"\s*#FORMAT=([^\r\n]{1,40})")


def read(  # noqa: PLR0913 - what a file is, and how to read it
    path: str | PathLike[str],
    *,
    role: Role,
    format: str | None = None,  # noqa: A002 - the name that users type
    reading: Reading = "strict",
    layer: Layer = "identity",
    with_tokens: bool = False,
) -> Corpus:
    """Read one side from a file; ``-`` is standard input."""
    data = read_bytes(path)
    return read_data(
        data,
        again=reading_again(path, data),
        source=name_of(path),
        role=role,
        format=format,
        reading=reading,
        layer=layer,
        with_tokens=with_tokens,
    )


def read_data(  # noqa: PLR0913 - what a file is, and how to read it
    data: bytes,
    *,
    source: str,
    role: Role,
    format: str | None = None,  # noqa: A002
    key_format: str | None = None,
    reading: Reading = "strict",
    layer: Layer = "identity",
    with_tokens: bool = False,
    with_genres: bool = False,
    again: Callable[[], bytes] | None = None,
) -> Corpus:
    """Read one side from bytes in memory.

    Without a ``format`` it is seen from the file, which must show that it is annotated;
    a response may be like the key. ``layer`` is what to read of files that hold more
    than one kind of coreference: Universal Anaphora's discourse deixis, CoNLL-2012's
    parses beside its entities, or CorefUD's types of entities. ``with_tokens`` reads
    the text as well, ``with_genres`` what the file says of its documents' genres.
    ``again`` gives the same bytes to whoever wants the text later.
    """
    if reading != "reference":
        _refuse_other_files(data[:_BEGINNING], source)
    name = detect(data, key_format) if format is None else _known(format)
    if format is None:
        refuse_unclear(data, name, source)
    with refusing_size(data, source):
        corpus = FORMATS[name].read(data, Asked(source, role, reading, layer))
    if format is None and reading == "strict":
        _refuse_unannotated(corpus, data)
    if with_genres:
        from scoref.formats.genres import with_genres as saying  # noqa: PLC0415

        corpus = saying(corpus, data)
    corpus = _promising(corpus, again or (lambda: data))
    return corpus.with_tokens() if with_tokens else corpus


def _promising(corpus: Corpus, again: Callable[[], bytes]) -> Corpus:
    """Keep a way to the text, which most do not want."""

    def later() -> Tokens | None:
        from scoref.formats.tokens import read_tokens  # noqa: PLC0415 - if wanted

        return read_tokens(corpus, again())

    return dataclasses.replace(corpus, later=later)


def read_both(
    path: str | PathLike[str],
    *,
    format: str | None = None,  # noqa: A002
    reading: Reading = "strict",
    with_tokens: bool = False,
    with_genres: bool = False,
) -> tuple[Corpus, Corpus]:
    """Read key and response from one file of JSON lines."""
    data, source = read_bytes(path), name_of(path)
    _refuse_other_files(data[:_BEGINNING], source)
    name = detect(data) if format is None else _known(format)
    if name != JSON_LINES or b'"predicted_clusters"' not in data:
        raise FormatError(
            "this file holds no response",
            source=source,
            hint=_what_there_is(data, name),
        )
    roles: tuple[Role, Role] = ("key", "response")
    key, response = (
        read_data(
            data,
            again=reading_again(path, data),
            source=source,
            role=role,
            format=name,
            reading=reading,
            with_tokens=with_tokens,
            with_genres=with_genres,
        )
        for role in roles
    )
    return key, response


def _what_there_is(data: bytes, name: str) -> str:
    """Say what a file has in place of two sides, and what would be two."""
    wanted = "give two files, KEY and RESPONSE, or one of JSON lines that has"
    wanted += " 'clusters' and 'predicted_clusters'"
    if name != JSON_LINES:
        return f"it is read as {name}; {wanted}"
    from scoref.formats._json_values import field_names  # noqa: PLC0415 - rarely

    fields = field_names(data)
    return f"its fields are {fields}; {wanted}" if fields else wanted


def read_response(  # noqa: PLR0913 - what a file is, and how to read it
    path: str | PathLike[str],
    *,
    format: str | None,  # noqa: A002
    key_format: str,
    reading: Reading,
    layer: Layer = "identity",
    with_tokens: bool = False,
) -> Corpus:
    """Read a response; without a sign of anything else it is what the key is."""
    data = read_bytes(path)
    return read_data(
        data,
        again=reading_again(path, data),
        source=name_of(path),
        role="response",
        format=format,
        key_format=key_format,
        reading=reading,
        layer=layer,
        with_tokens=with_tokens,
    )


def detect(data: bytes, key_format: str | None = None) -> str:
    """See from its beginning what a file is.

    A response without a sign of anything else is what the key is.
    """
    start = without_bom(data[:_BEGINNING]).lstrip()
    if start.startswith((b"{", b"[")):
        # Any field may be the one that tells.
        start = without_bom(data).lstrip()
    return recognised(start, key_format)


def _refuse_unannotated(corpus: Corpus, data: bytes) -> None:
    """Refuse a file without a mention, unless something says what it is."""
    if len(corpus.mention_entity):
        return
    from scoref.formats._unannotated import unannotated  # noqa: PLC0415 - rarely

    error = unannotated(data, corpus.format, corpus.source)
    if error is not None:
        raise error


def _refuse_other_files(start: bytes, source: str) -> None:
    """Say what a file is that no reader can read."""
    if start[:2] in {b"\xff\xfe", b"\xfe\xff"}:
        raise FormatError(
            "this is UTF-16",
            rule=UNREADABLE_FILE,
            source=source,
            hint="iconv -t UTF-8 makes UTF-8 of it",
        )
    if b"\0" in start:
        raise FormatError(
            "this is a binary file",
            rule=UNREADABLE_FILE,
            source=source,
            hint="expected a file of text",
        )
    if found := _OTHER_FORMAT.match(without_bom(start)):
        raise FormatError(
            f"this is {shown(found[1])}, which is not read here",
            rule=UNREADABLE_FILE,
            source=source,
            hint=f"looked for {', '.join(FORMATS)}; WebAnno and INCEpTION export "
            "CoNLL 2012, too",
        )


def refuse_unclear(data: bytes, name: str, source: str) -> None:
    """Refuse objects in JSON that were taken for JSON lines without any sign of it."""
    if name == JSON_LINES:
        from scoref.formats._json_refused import refuse_other_json  # noqa: PLC0415

        refuse_other_json(data, source)


def _known(name: str) -> str:
    if name not in FORMATS:
        raise unknown("format", name, FORMATS)
    return name
