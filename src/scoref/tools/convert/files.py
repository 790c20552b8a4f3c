"""Converted files on disk: whole or not at all, and nothing overwritten unasked."""

from __future__ import annotations

import os
from pathlib import Path
from typing import TYPE_CHECKING, Literal

from scoref.errors import OptionError
from scoref.formats import brat, refuse_second_reading
from scoref.formats.format import BRAT
from scoref.tools.convert.conversion import Converted, convert
from scoref.tools.convert.losses import Loss, LossError
from scoref.tools.convert.targets import TARGETS, target_of, target_of_path
from scoref.tools.convert.writing import ONE
from scoref.writing import (
    STANDARD,
    one_run,
    packed,
    write_all,
    write_folder,
    write_output,
)

if TYPE_CHECKING:
    from collections.abc import Sequence

    from scoref.formats.format import Splitting
    from scoref.tools.convert.sources import Side
    from scoref.tools.convert.targets import Target

_PACKED = (".gz", ".xz")


def convert_file(  # noqa: PLR0913 - what to read, what to write, and how
    source: str | os.PathLike[str] | Sequence[str | os.PathLike[str]],
    path: str | os.PathLike[str],
    *,
    to: str | None = None,
    merge: Literal["majority"] | None = None,
    force: bool = False,
    format: str | None = None,  # noqa: A002 - the name that users type
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
