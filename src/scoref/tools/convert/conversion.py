"""A file in another format: what the target cannot hold is named and counted.

    source ──► content ──► steps ──► content that fits ──► writer ──► read again

Content is the same for all formats. A target has a step for each thing that it cannot
hold; what the steps leave is written, read again and compared.
"""

from __future__ import annotations

import os
from collections import Counter
from functools import partial
from typing import TYPE_CHECKING, Literal, NamedTuple

from scoref.errors import FormatError, OptionError, unknown
from scoref.formats import COREFUD, FORMATS, brat
from scoref.formats._joining import joined
from scoref.formats.format import BRAT
from scoref.model import Note
from scoref.tools.convert.basing import based
from scoref.tools.convert.comparing import differing, reordered
from scoref.tools.convert.content import content_of
from scoref.tools.convert.labels import changed, go_on
from scoref.tools.convert.losses import LEFT_OUT, Loss, LossError
from scoref.tools.convert.mention_steps import PLURALS
from scoref.tools.convert.sources import (
    SourceContent,
    read_corpus,
    read_source,
    source_of,
)
from scoref.tools.convert.targets import Target, target_of
from scoref.tools.convert.writing import ONE

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from scoref.formats.format import Splitting
    from scoref.model import Corpus
    from scoref.tools.convert.content import Content
    from scoref.tools.convert.merging import Dispute
    from scoref.tools.convert.sources import Read, Side

    Where = str | os.PathLike[str] | bytes


_SIDES = ("key", "response")


class Converted(NamedTuple):
    """What was made: files by their names, what got lost, and what else to know."""

    files: Mapping[str, bytes]
    losses: tuple[Loss, ...]
    notes: tuple[Note, ...]
    documents: tuple[str, ...]
    disputes: tuple[Dispute, ...] = ()  # of files that were merged

    @property
    def data(self) -> bytes:
        """Give the one file that all formats but brat have."""
        return self.files[ONE]


def convert(  # noqa: PLR0913 - what to read, and how
    source: Where | Sequence[Where],
    to: str,
    *,
    merge: Literal["majority"] | None = None,
    format: str | None = None,  # noqa: A002 - the name that users type
    lossy: bool = False,
    side: Side = "key",
    base: Where | None = None,
    splitting: Splitting = "auto",
    folder: str | None = None,
) -> Converted:
    """Write a file in another format.

    Args:
        source: a path (``-`` is standard input, a folder is one corpus), or a file's
            bytes; a list of them, to be merged.
        to: the format to write; see `TARGETS`.
        merge: how files of several annotators become one: ``majority`` keeps what more
            than half of them have, and lists ties and conflicts.
        format: the format to read; detected if not given.
        lossy: whether to leave out what the target cannot hold.
        side: ``key`` or ``response``, where JSON lines have both.
        base: a file with the same words to put the mentions into.
        splitting: what brat's tokens are: ``blanks`` or ``words``; ``auto`` takes
            blanks if mentions agree with them.
        folder: what the files of a folder are; ``documents`` are converted as one
            corpus, ``datasets`` are refused. Detected if not given.

    Raises:
        LossError: the target cannot hold all of it, and it is not ``lossy``.

    >>> line = b'{"doc_key": "d", "tokens": ["Ada", "left"], "clusters": [[[0, 0]]]}'
    >>> print(convert(line, "conll-2012").data.decode())
    #begin document (d)
    d	0	0	Ada	(0)
    d	0	1	left	-
    <BLANKLINE>
    #end document
    <BLANKLINE>
    """
    target = target_of(to)
    if side not in _SIDES:
        raise unknown("side", side, _SIDES)
    reading = partial(
        read_corpus, format=format, side=side, splitting=splitting, folder=folder
    )
    found, disputes = _read(source, merge, reading)
    found = found._replace(notes=(*found.notes, *_other_side(found, side)))
    if base is not None:
        text = read_source(base, is_text=True)
        content = based(found, text, fills=to == COREFUD)
        notes = (*found.notes, *text.notes)
        found = SourceContent(content, text.format, text.data, notes, found.beyond)
    _check_words(found.content, target)
    content, lost = fit(found.content, target)
    if target.needs_words and not content.documents:
        raise FormatError("there is not a single word here", source=content.source)
    lost = [*found.beyond, *lost]
    named = target.named(content)
    files = target.write(named, found)
    lost += _verified(named, files, target)
    if lost and not lossy:
        raise LossError(found.content.source, target.label, lost)
    return Converted(
        files,
        tuple(lost),
        (*found.notes, *_renamed(content, named), *_cut(content, target)),
        named.documents,
        disputes,
    )


def _read(
    source: Where | Sequence[Where],
    merge: str | None,
    reading: Callable[[Where], Read],
) -> tuple[SourceContent, tuple[Dispute, ...]]:
    """Read a file, or several as one."""
    sources = [source] if isinstance(source, str | bytes | os.PathLike) else [*source]
    if merge is None:
        if len(sources) != 1:
            raise OptionError("several files become one by merge=… (--merge majority)")
        (one,) = sources
        return source_of(reading(one)), ()
    from scoref.tools.convert.merging import merge as merged  # noqa: PLC0415 - if wanted
    from scoref.tools.convert.merging import refuse_same_files  # noqa: PLC0415

    refuse_same_files(sources)
    made = merged([*map(reading, sources)], merge)
    found = source_of(made.read)
    return found._replace(notes=(*found.notes, *made.notes)), made.disputes


def fit(content: Content, target: Target) -> tuple[Content, list[Loss]]:
    """Leave out what a target cannot hold, and say what that was."""
    lost: list[Loss] = []
    plurals = len(content.plural)
    for step in target.steps:
        content, found = step.take(content)
        lost += found
    # Those whose entities were left out go with them.
    gone = (
        plurals
        - len(content.plural)
        - sum(loss.count for loss in lost if loss.kind == PLURALS.kind)
    )
    if gone:
        place = content.source
        lost.append(Loss(PLURALS.kind, gone, PLURALS.what, LEFT_OUT, place))
    return content, lost


def _other_side(source: SourceContent, side: Side) -> list[Note]:
    """Tell whoever did not ask for the response that there is one."""
    is_left = "response" in FORMATS[source.format].sides_in(source.data)
    if side != "key" or not is_left:
        return []
    message = "there is a response beside the key, which is left: see --side response"
    return [Note("one-side", 1, message)]


def _check_words(content: Content, target: Target) -> None:
    if target.needs_words and not content.has_words:
        raise FormatError(
            f"there are no words here, but {target.label} is made of words",
            source=content.source,
            hint="give the text with --base; JSON lines have it in 'sentences'",
        )


def _verified(
    content: Content, files: Mapping[str, bytes], target: Target
) -> list[Loss]:
    """Read what was written, and see whether it is the same."""
    if target.name == BRAT:
        again = content_of(_brat(files))
    else:
        again = read_source(files[ONE], format=target.name).content
    if (what := differing(content, again)) is not None:
        raise FormatError(
            f"{target.label} does not give back the same {what}: this is a fault of "
            "scoref",
            source=content.source,
            hint="please report it, with the file",
        )
    return reordered(content, again)


def _brat(files: Mapping[str, bytes]) -> Corpus:
    names = [name.removesuffix(".ann") for name in files if name.endswith(".ann")]
    pairs = [
        brat.BratDocument(
            brat.document_name(name),
            files[f"{name}.txt"].decode(),
            files[f"{name}.ann"],
            name,
        )
        for name in names
    ]
    read = [brat.read_pair(pair, "blanks") for pair in pairs]
    return joined(read, "<brat>", [])


def _renamed(before: Content, after: Content) -> list[Note]:
    count = changed(before, after)
    if not count:
        return []
    message = f"entities with a new name: {count} of {len(after.entity_label)}"
    return [Note("new-names", count, message)]


def _cut(content: Content, target: Target) -> list[Note]:
    """Say that entities of several documents will be several entities."""
    if target.keeps_across or not go_on(content):
        return []
    count = sum(times > 1 for times in Counter(content.entity_label).values())
    message = f"entities that go on in another document: {count}; {target.label} has "
    message += "one for each document"
    return [Note("cut-entities", count, message)]
