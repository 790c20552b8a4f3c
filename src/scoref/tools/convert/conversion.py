"""The functions `convert` and `convert_file`, and the check of what was written.

    source ──► content ──► steps ──► content that fits ──► writer ──► read again

Content is the same for all formats. A target has a step for each thing that it cannot
hold. The content that remains is written, read again and compared. Files on disk are
written completely or not at all, and are overwritten only on request.
"""

from __future__ import annotations

import os
from collections import Counter, defaultdict
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Literal, NamedTuple

import numpy as np

from scoref.errors import FormatError, OptionError, unknown
from scoref.formats import brat
from scoref.formats.catalogue import BRAT, COREFUD, FORMATS
from scoref.formats.folder_corpus import join_corpora
from scoref.formats.input_files import refuse_second_reading
from scoref.matching.ragged import numbered
from scoref.model import Note
from scoref.tools.convert.content import content_of
from scoref.tools.convert.losses import LEFT_OUT, PLURALS, Loss, LossError
from scoref.tools.convert.sources import (
    SourceContent,
    read_corpus,
    read_source,
    source_of,
)
from scoref.tools.convert.targets import TARGETS, Target, target_of, target_of_path
from scoref.tools.convert.writing import ONE, based, changed, go_on
from scoref.writing import (
    STANDARD,
    one_run,
    packed,
    write_all,
    write_folder,
    write_output,
)

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from scoref.formats.catalogue import Splitting
    from scoref.model import Corpus
    from scoref.tools.convert.content import Content
    from scoref.tools.convert.merging import Dispute
    from scoref.tools.convert.sources import Read, Side

    Where = str | os.PathLike[str] | bytes
    Tokens = tuple[int, ...]
    Mention = tuple[Tokens, int, Tokens]


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


def convert(
    source: Where | Sequence[Where],
    to: str,
    *,
    merge: Literal["majority"] | None = None,
    format: str | None = None,
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
    from scoref.tools.convert.merging import merge as merged
    from scoref.tools.convert.merging import refuse_same_files

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
    return join_corpora(read, "<brat>", [])


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


class PlainEntity(NamedTuple):
    """An entity, whatever it is called: what it says, and its mentions in order."""

    document: int
    type: str
    is_referring: bool
    mentions: tuple[Mention, ...]


class PlainContent(NamedTuple):
    """Content as plain values, but for the text; what is equal is the same content."""

    documents: tuple[str, ...]
    entities: list[PlainEntity]
    plurals: list[tuple[PlainEntity, PlainEntity]]
    bridges: list[tuple[Mention, Mention, str]]


def plain(content: Content) -> PlainContent:
    """Give content in a form that does not depend on rows and labels."""
    mentions = _mentions(content)
    entities = _entities(content, mentions)
    pairs = zip(content.plural.tolist(), content.element.tolist(), strict=True)
    anaphors = content.anaphor.tolist(), content.antecedent.tolist(), content.relation
    return PlainContent(
        documents=content.documents,
        entities=sorted(entities),
        plurals=sorted((entities[a], entities[b]) for a, b in pairs),
        bridges=sorted(
            (mentions[a], mentions[b], relation)
            for a, b, relation in zip(*anaphors, strict=True)
        ),
    )


def differing(mine: Content, theirs: Content) -> str | None:
    """Name what is not the same; None if all of it is."""
    if mine.has_words != theirs.has_words:
        return "words"
    if mine.has_words:
        ours, others = mine.text, theirs.text
        # What stands in an empty node is not part of the text.
        if ours.overt.first_difference(others.overt) >= 0:
            return "words"
        for column in ("is_empty", "is_start"):
            if not np.array_equal(getattr(ours, column), getattr(others, column)):
                return column
    before, after = plain(mine)._asdict(), plain(theirs)._asdict()
    return next((name for name in before if before[name] != after[name]), None)


def reordered(before: Content, after: Content) -> list[Loss]:
    """Count mentions in several entities, the order of which has changed.

    That order decides who keeps such a mention, where each may be in one only.
    """
    if numbered(before.members)[1] == len(before.mention_entity):
        return []
    known: dict[PlainEntity, int] = {}  # numbers are compared in no time
    ours, theirs = _owners(before, known), _owners(after, known)
    changed = [mention for mention, owners in ours.items() if owners != theirs[mention]]
    if not changed:
        return []
    document = before.documents[changed[0][0]]
    what = "mentions in several entities"
    outcome = "these come in another order"
    place = f"{before.source}, document '{document}'"
    return [Loss("duplicates", len(changed), what, outcome, place)]


def _mentions(content: Content) -> list[Mention]:
    offset = content.text.first[content.mention_document].tolist()
    head = content.head.tolist()
    found = []
    for row, tokens in enumerate(content.lists()):
        start = offset[row]
        minimum = tuple(token - start for token in content.minimum.tuple(row))
        own = tuple(token - start for token in tokens)
        found.append((own, -1 if head[row] < 0 else head[row] - start, minimum))
    return found


def _entities(content: Content, mentions: list[Mention]) -> list[PlainEntity]:
    members: list[list[Mention]] = [[] for _ in content.entity_label]
    for entity, mention in zip(content.mention_entity.tolist(), mentions, strict=True):
        members[entity].append(mention)
    return [
        PlainEntity(document, kind, refers, tuple(sorted(found)))
        for document, kind, refers, found in zip(
            content.entity_document.tolist(),
            content.entity_type,
            content.is_referring.tolist(),
            members,
            strict=True,
        )
    ]


def _owners(
    content: Content, known: dict[PlainEntity, int]
) -> dict[tuple[int, Tokens], list[int]]:
    """List the entities of mentions that are in more than one, in their order."""
    mentions = _mentions(content)
    entities = _entities(content, mentions)
    number = [known.setdefault(entity, len(known)) for entity in entities]
    owners: dict[tuple[int, Tokens], list[int]] = defaultdict(list)
    rows = zip(content.mention_entity.tolist(), mentions, strict=True)
    for entity, (tokens, *_) in rows:
        owners[entities[entity].document, tokens].append(number[entity])
    return {key: found for key, found in owners.items() if len(found) > 1}


_PACKED = (".gz", ".xz")


def convert_file(
    source: str | os.PathLike[str] | Sequence[str | os.PathLike[str]],
    path: str | os.PathLike[str],
    *,
    to: str | None = None,
    merge: Literal["majority"] | None = None,
    force: bool = False,
    format: str | None = None,
    lossy: bool = False,
    side: Side = "key",
    base: str | os.PathLike[str] | None = None,
    splitting: Splitting = "auto",
    folder: str | None = None,
) -> Converted:
    """Convert a file, and write what came of it.

    Args:
        source: what to read; ``-`` is standard input. A list of paths is merged.
        path: where to write; ``-`` is standard output. Its suffix says what, if ``to``
            does not; several documents of brat go into a folder.
        to: the format to write.
        merge: how several files become one: by ``majority``.
        force: whether a file of this name may be replaced.
        format: the format to read; detected if not given.
        lossy: whether to leave out what the target cannot hold.
        side: ``key`` or ``response``, where JSON lines have both.
        base: a file with the same words to put the mentions into.
        splitting: what brat's tokens are.
        folder: what the files of a folder are; ``documents`` are converted as one
            corpus, ``datasets`` are refused. Detected if not given.
    """
    where = str(path)
    sources = [source] if isinstance(source, str | os.PathLike) else [*source]
    refuse_second_reading([*sources, base])
    target = _target(where, to)
    check_place(where, target, force=force)
    with one_run():
        made = convert(
            source,
            target.name,
            merge=merge,
            format=format,
            lossy=lossy,
            side=side,
            base=base,
            splitting=splitting,
            folder=folder,
        )
        if target.name == BRAT:
            made = _called_as_file(made, where, lossy=lossy)
        _write(where, made, target)
    return made


def check_place(path: str, target: Target, *, force: bool) -> None:
    """Refuse what could not be written, or would be lost, before anything is read."""
    place = Path(path)
    is_folder = target.name == BRAT and not path.endswith(".ann")
    if path == STANDARD:
        if target.name == BRAT:
            raise OptionError("brat is two files a document: give a folder, not '-'")
    elif is_folder:
        if place.is_dir() and any(place.iterdir()):
            raise OptionError(f"'{path}' is not empty: give a new folder")
        if place.exists() and not place.is_dir():
            raise OptionError(f"'{path}' is a file, but brat needs a folder")
    elif place.is_dir():
        raise OptionError(f"'{path}' is a folder, but {target.label} is a file")
    elif any(map(_is_kept, _files_of(place))) and not force:
        raise OptionError(f"'{path}' is there already: --force replaces it")


def _target(path: str, to: str | None) -> Target:
    if to is not None:
        return target_of(to)
    if path == STANDARD:
        known = ", ".join(TARGETS)
        raise OptionError(f"what is to be written? Say it with --to: {known}")
    bare = Path(path)
    return target_of_path(path[: -len(bare.suffix)] if bare.suffix in _PACKED else path)


def _files_of(place: Path) -> list[Path]:
    is_brat = place.suffix == ".ann"
    return [place, place.with_suffix(".txt")] if is_brat else [place]


def _is_kept(file: Path) -> bool:
    """Tell a file that would be lost; a pipe or a device would not."""
    return file.is_file()


def _called_as_file(made: Converted, path: str, *, lossy: bool) -> Converted:
    """Give the two files of one document the name that the user wants."""
    if not path.endswith(".ann"):
        return made
    if len(made.documents) != 1:
        raise OptionError(
            f"there are {len(made.documents)} documents: give a folder, not '{path}'"
        )
    stem = Path(path).stem
    files = {f"{stem}.{name[-3:]}": data for name, data in made.files.items()}
    made = made._replace(files=files)
    if brat.document_name(stem) == made.documents[0]:
        return made
    loss = Loss(
        kind="document-names",
        count=1,
        what="names of documents",
        outcome=f"called '{stem}'; a folder keeps them",
        place=f"document '{made.documents[0]}'",
    )
    if not lossy:
        raise LossError(path, TARGETS[BRAT].label, [loss])
    return made._replace(losses=(*made.losses, loss))


def _write(path: str, made: Converted, target: Target) -> None:
    if target.name != BRAT:
        write_output(path, packed(path, made.files[ONE]))
    elif path.endswith(".ann"):
        folder = Path(path).parent
        write_all({folder / name: data for name, data in made.files.items()})
    else:
        write_folder(path, made.files)
