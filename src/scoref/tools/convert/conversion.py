"""The functions `convert` and `convert_file`, and the check of what was written.

    source ──► content ──► steps ──► content that fits ──► writer ──► read again

Content is the same for all formats. A target has a step for each thing that it cannot
hold. The content that remains is written, read again and compared. Files on disk are
written completely or not at all, and are overwritten only on request.
"""

from __future__ import annotations

import os
from collections import Counter, defaultdict
from collections.abc import Iterable
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Literal, NamedTuple

import numpy as np

from scoref.document_names import name_of_file
from scoref.errors import FormatError, OptionError, unknown
from scoref.formats import brat
from scoref.formats.catalogue import BRAT, COREFUD, FORMATS
from scoref.formats.folder_corpus import join_corpora
from scoref.formats.folders import DocumentFile, Folder
from scoref.formats.input_files import refuse_second_reading
from scoref.formats.inputs import is_file, needed_files
from scoref.formats.projects import annotators_at
from scoref.formats.reading import read_data
from scoref.matching.ragged import number_rows
from scoref.model import Note
from scoref.notes import WARNING
from scoref.tools.convert.content import content_of
from scoref.tools.convert.losses import (
    DOCUMENT_NAMES,
    LEFT_OUT,
    PLURALS,
    Loss,
    LossError,
)
from scoref.tools.convert.sources import (
    SourceContent,
    read_corpus,
    read_source,
    source_of,
)
from scoref.tools.convert.targets import TARGETS, Target, target_of, target_of_path
from scoref.tools.convert.writing import (
    ONLY_FILE,
    labels_join_documents,
    put_onto_base,
)
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
    from scoref.formats.inputs import File
    from scoref.formats.inputs import Path as AnyPath
    from scoref.tools.convert.content import Content
    from scoref.tools.convert.merging import Dispute
    from scoref.tools.convert.sources import Side, SourceCorpus

    Tokens = tuple[int, ...]
    Mention = tuple[Tokens, int, Tokens]


class Conversion(NamedTuple):
    """Converted files by name, what was lost, and notes about the conversion."""

    files: Mapping[str, bytes]
    losses: tuple[Loss, ...]
    notes: tuple[Note, ...]
    documents: tuple[str, ...]
    disputes: tuple[Dispute, ...] = ()  # of files that were merged

    @property
    def data(self) -> bytes:
        """The only file.

        Raises:
            OptionError: the format has a file for each document, or two of them.
        """
        if len(self.files) != 1:
            count = len(self.files)
            raise OptionError(f"this conversion has {count:,} files. Use 'files'")
        return next(iter(self.files.values()))


def convert(
    source: File | Sequence[File],
    to: str,
    *,
    merge: Literal["majority"] | None = None,
    decisions: AnyPath | None = None,
    format: str | None = None,
    lossy: bool = False,
    side: Side = "key",
    base: File | None = None,
    splitting: Splitting = "auto",
    folder: str | None = None,
) -> Conversion:
    """Write a file in another format.

    Args:
        source: a path (``-`` is standard input, a folder is one corpus), a file's
            bytes, a file object, or a data frame of mentions; a list of them, to be
            merged.
        to: the format to write; see `TARGETS`.
        merge: how files of several annotators become one: ``majority`` keeps what more
            than half of them have, and lists ties and conflicts.
        decisions: file of decisions from the page of ``scoref agree --adjudicate``,
            which change the majority of the files.
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
    sides = ("key", "response")
    if side not in sides:
        raise unknown("side", side, sides)
    read = partial(
        read_corpus, format=format, side=side, splitting=splitting, folder=folder
    )
    original, disputes = _read_sources(source, merge, decisions, read)
    notes = list(original.notes)
    if side == "key" and "response" in FORMATS[original.format].sides_in(original.data):
        message = (
            "The file also contains a response, which was not converted "
            "(--side response)."
        )
        notes.append(Note("one-side", 1, message))
    if base is not None:
        (base_file,) = needed_files("convert", ("base", base))
        text = read_source(base_file, is_text=True)
        content = put_onto_base(original, text, fills=to == COREFUD)
        notes += text.notes
        original = text._replace(content=content, losses=original.losses)
    if target.needs_words and not original.content.has_words:
        raise FormatError(
            f"{target.label} needs words, but this file has none",
            source=original.content.source,
            hint="Give the text with --base. JSON lines have it in 'sentences'.",
        )
    content, losses = fit(original.content, target)
    if target.needs_words and not content.documents:
        raise FormatError("this file has no words", source=content.source)
    relabelled = target.relabel(content)
    files = target.write(relabelled, original)
    losses = [*original.losses, *losses, *_verify(relabelled, files, target)]
    is_expected = all(loss.kind in target.never_holds for loss in losses)
    if not is_expected and not lossy:
        raise LossError(original.content.source, target.label, losses)
    notes += _label_notes(content, relabelled, target)
    return Conversion(
        files, tuple(losses), tuple(notes), relabelled.documents, disputes
    )


def convert_file(
    source: str | os.PathLike[str] | Sequence[str | os.PathLike[str]],
    path: str | os.PathLike[str],
    *,
    to: str | None = None,
    merge: Literal["majority"] | None = None,
    decisions: AnyPath | None = None,
    force: bool = False,
    format: str | None = None,
    lossy: bool = False,
    side: Side = "key",
    base: str | os.PathLike[str] | None = None,
    splitting: Splitting = "auto",
    folder: str | None = None,
) -> Conversion:
    """Convert a file, and write the result.

    Args:
        source: what to read; ``-`` is standard input. A list of paths is merged.
        path: where to write; ``-`` is standard output. Its suffix says what, if ``to``
            does not; several documents go into a folder if the format has a file for
            each document.
        to: the format to write.
        merge: how several files become one: by ``majority``.
        decisions: file of decisions that change the majority.
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
    refuse_second_reading([*sources, base, decisions])
    target = _choose_target(where, to)
    refuse_place(where, target, force=force)
    with one_run():
        converted = convert(
            source,
            target.name,
            merge=merge,
            decisions=decisions,
            format=format,
            lossy=lossy,
            side=side,
            base=base,
            splitting=splitting,
            folder=folder,
        )
        if not target.ending:
            write_output(where, packed(where, converted.data))
        elif _is_document(where, target):
            converted = _name_like_file(converted, where, target, lossy=lossy)
            if target.name == BRAT:
                files = converted.files.items()
                write_all({Path(where).parent / name: data for name, data in files})
            else:
                write_output(where, packed(where, converted.data))
        else:
            write_folder(where, converted.files)
    return converted


def _read_sources(
    source: File | Sequence[File],
    merge: str | None,
    decisions: AnyPath | None,
    read: Callable[[AnyPath], SourceCorpus],
) -> tuple[SourceContent, tuple[Dispute, ...]]:
    """Read one file, or merge several."""
    sources = _files(source)
    if merge is None and decisions is None:
        if len(sources) != 1:
            raise OptionError(
                "several files can only be converted to one with "
                "merge='majority' (--merge majority)"
            )
        return source_of(read(sources[0])), ()
    from scoref.tools.convert import merging

    if len(sources) == 1:
        sources = [*annotators_at(sources[0]).values()] or sources
    merging.refuse_same_files(sources)
    corpora = [*map(read, sources)]
    if decisions is None:
        merged = merging.merge(corpora, merge or "")
    else:
        merged = merging.merge_decided(corpora, decisions)
    content = merged.source
    return content._replace(notes=(*content.notes, *merged.notes)), merged.disputes


def _files(source: File | Sequence[File]) -> list[AnyPath]:
    """Return the files to convert or to merge."""
    several: list[object] = [source]
    if isinstance(source, Iterable) and not is_file(source):
        several = [*source]
    name = "data" if len(several) == 1 else "data {}"
    numbered = [(name.format(place), file) for place, file in enumerate(several, 1)]
    return needed_files("convert", *numbered)


def fit(content: Content, target: Target) -> tuple[Content, list[Loss]]:
    """Leave out what a target cannot hold, and report it."""
    losses: list[Loss] = []
    plurals = len(content.plural)
    for step in target.steps:
        content, more = step.apply(content)
        losses += more
    # Plurals disappear together with their entities. Count those no step has counted.
    counted = sum(loss.count for loss in losses if loss.kind == PLURALS.kind)
    gone = plurals - len(content.plural) - counted
    if gone:
        place = content.source
        losses.append(Loss(PLURALS.kind, gone, PLURALS.what, LEFT_OUT, place))
    return content, losses


def _label_notes(before: Content, after: Content, target: Target) -> list[Note]:
    """Report new labels, and entities of several documents that are split."""
    notes = []
    both = zip(before.entity_label, after.entity_label, strict=True)
    if count := sum(old != new for old, new in both):
        message = (
            f"{count:,} of {len(after.entity_label):,} entities were "
            "relabelled; scores are unaffected."
        )
        notes.append(Note("new-names", count, message))
    if not target.keeps_across and labels_join_documents(before):
        count = sum(times > 1 for times in Counter(before.entity_label).values())
        message = (
            f"{WARNING}{target.label} cannot link entities across documents. scoref "
            f"split {count:,} of them, one part for each document."
        )
        notes.append(Note("cut-entities", count, message))
    return notes


def _verify(content: Content, files: Mapping[str, bytes], target: Target) -> list[Loss]:
    """Read the written files, and check that their content is the same."""
    if target.name == BRAT:
        names = [name.removesuffix(".ann") for name in files if name.endswith(".ann")]
        documents = [
            brat.BratDocument(
                name_of_file(name),
                files[f"{name}.txt"].decode(),
                files[f"{name}.ann"],
                name,
            )
            for name in names
        ]
        corpora = [brat.read_pair(document, "blanks") for document in documents]
        again = content_of(join_corpora(corpora, "<brat>", []))
    elif target.ending:
        members = tuple(
            DocumentFile(file.removesuffix(target.ending), file, data)
            for file, data in files.items()
        )
        folder = Folder(f"<{target.name}>", target.name, members, ())
        again = content_of(
            read_data(folder, source=folder.source, role="key", with_tokens=True)
        )
    else:
        again = read_source(files[ONLY_FILE], format=target.name).content
    what = first_difference(content, again)
    if what is not None:
        raise FormatError(
            f"{target.label} does not preserve the {what}. This is a bug in scoref",
            source=content.source,
            hint="Please report it and attach the file.",
        )
    return order_losses(content, again)


def first_difference(before: Content, after: Content) -> str | None:
    """Name the first part of two contents that differs; None if they are the same."""
    if before.has_words != after.has_words:
        return "words"
    if before.has_words:
        ours, theirs = before.text, after.text
        # The form of an empty node is not part of the text.
        if ours.overt.first_difference(theirs.overt) >= 0:
            return "words"
        for column in ("is_empty", "is_start"):
            if not np.array_equal(getattr(ours, column), getattr(theirs, column)):
                return column
    parts, again = plain_content(before)._asdict(), plain_content(after)._asdict()
    return next((name for name in parts if parts[name] != again[name]), None)


def order_losses(before: Content, after: Content) -> list[Loss]:
    """Count mentions of several entities if the order of these entities has changed.

    Where a mention may be in one entity only, the order decides which of them keeps it.
    """
    if number_rows(before.members)[1] == len(before.mention_entity):
        return []
    number_of: dict[PlainEntity, int] = {}  # numbers are quick to compare
    ours, theirs = _owners(before, number_of), _owners(after, number_of)
    changed = [mention for mention, owners in ours.items() if owners != theirs[mention]]
    if not changed:
        return []
    document = before.documents[changed[0][0]]
    what = "mentions in several entities"
    outcome = "whose entities are written in another order"
    place = f"{before.source}, document '{document}'"
    return [Loss("duplicates", len(changed), what, outcome, place)]


class PlainEntity(NamedTuple):
    """An entity without its label: document, type, and mentions in order."""

    document: int
    type: str
    is_referring: bool
    mentions: tuple[Mention, ...]


class PlainContent(NamedTuple):
    """Content without the text, as plain values that can be compared."""

    documents: tuple[str, ...]
    entities: list[PlainEntity]
    plurals: list[tuple[PlainEntity, PlainEntity]]
    bridges: list[tuple[Mention, Mention, str]]


def plain_content(content: Content) -> PlainContent:
    """Return content in a form that does not depend on rows and labels."""
    mentions = _plain_mentions(content)
    entities = _plain_entities(content, mentions)
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


def _plain_mentions(content: Content) -> list[Mention]:
    """Return tokens, head and minimum of each mention, counted in its document."""
    offset = content.text.first[content.mention_document].tolist()
    head = content.head.tolist()
    mentions = []
    for row, tokens in enumerate(content.lists()):
        start = offset[row]
        members = tuple(token - start for token in tokens)
        minimum = tuple(token - start for token in content.minimum.tuple(row))
        own_head = -1 if head[row] < 0 else head[row] - start
        mentions.append((members, own_head, minimum))
    return mentions


def _plain_entities(content: Content, mentions: list[Mention]) -> list[PlainEntity]:
    members: list[list[Mention]] = [[] for _ in content.entity_label]
    for entity, mention in zip(content.mention_entity.tolist(), mentions, strict=True):
        members[entity].append(mention)
    return [
        PlainEntity(document, kind, refers, tuple(sorted(own)))
        for document, kind, refers, own in zip(
            content.entity_document.tolist(),
            content.entity_type,
            content.is_referring.tolist(),
            members,
            strict=True,
        )
    ]


def _owners(
    content: Content, number_of: dict[PlainEntity, int]
) -> dict[tuple[int, Tokens], list[int]]:
    """List the entities of mentions that are in more than one, in their order."""
    mentions = _plain_mentions(content)
    entities = _plain_entities(content, mentions)
    number = [number_of.setdefault(entity, len(number_of)) for entity in entities]
    owners: dict[tuple[int, Tokens], list[int]] = defaultdict(list)
    rows = zip(content.mention_entity.tolist(), mentions, strict=True)
    for entity, (tokens, *_) in rows:
        owners[entities[entity].document, tokens].append(number[entity])
    return {mention: rows for mention, rows in owners.items() if len(rows) > 1}


def _choose_target(path: str, to: str | None) -> Target:
    if to is not None:
        return target_of(to)
    if path == STANDARD:
        known = ", ".join(TARGETS)
        raise OptionError(
            f"the output format is unknown. Choose one with --to: {known}"
        )
    return target_of_path(_without_packing(path))


def _without_packing(path: str) -> str:
    suffix = Path(path).suffix
    is_packed = suffix in {".gz", ".xz", ".bz2", ".zst", ".zip"}
    return path.removesuffix(suffix) if is_packed else path


def _is_document(path: str, target: Target) -> bool:
    """Check whether a path is the file of one document, and not a folder of files."""
    if target.name == BRAT:
        return path.endswith(target.ending)
    is_file = _without_packing(path).lower().endswith(target.ending)
    return path == STANDARD or (is_file and not os.path.isdir(path))


def refuse_place(path: str, target: Target, *, force: bool) -> None:
    """Refuse a path that cannot be written, or a file that would be lost."""
    place = Path(path)
    if path == STANDARD:
        if target.name == BRAT:
            raise OptionError(
                "brat needs two files for each document, so '-' is not "
                "possible. Give a folder"
            )
    elif target.ending and not _is_document(path, target):
        if place.is_dir() and any(place.iterdir()):
            raise OptionError(f"'{path}' is not empty. Give a new folder")
        if place.exists() and not place.is_dir():
            raise OptionError(
                f"'{path}' is a file, but {target.label} needs a folder, or a file "
                f"that ends in {target.ending}"
            )
    elif place.is_dir():
        raise OptionError(f"'{path}' is a folder, but {target.label} is a file")
    elif not force:
        is_brat = target.name == BRAT
        files = [place, place.with_suffix(".txt")] if is_brat else [place]
        # Pipes and devices are not files that would be lost.
        if any(file.is_file() for file in files):
            raise OptionError(f"'{path}' already exists. Add --force to replace it")


def _name_like_file(
    converted: Conversion, path: str, target: Target, *, lossy: bool
) -> Conversion:
    """Give the files of the only document the name that the user wants."""
    if len(converted.documents) != 1:
        count = len(converted.documents)
        name = "standard output" if path == STANDARD else f"'{path}'"
        raise OptionError(
            f"{name} holds one document, but there are {count:,}. Give a folder"
        )
    stem, (document,) = Path(_without_packing(path)).stem, converted.documents
    files = {stem + Path(name).suffix: data for name, data in converted.files.items()}
    converted = converted._replace(files=files)
    if name_of_file(stem) == document:
        return converted
    loss = Loss(
        kind=DOCUMENT_NAMES,
        count=1,
        what="names of documents",
        outcome="left out (a folder keeps them)"
        if path == STANDARD
        else f"changed to '{stem}' (a folder keeps them)",
        place=f"document '{document}'",
    )
    if not lossy and loss.kind not in target.never_holds:
        raise LossError(path, target.label, [loss])
    return converted._replace(losses=(*converted.losses, loss))
