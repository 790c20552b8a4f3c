"""The files of folders of datasets: which key belongs to which responses.

A file of the key's folder is a dataset. A system is a folder with a file for each
dataset, paired by name: `xx_name-corefud-dev.conllu` with a file of the same name, or
with a key that has `.gold` in its name.
"""

from __future__ import annotations

import os
from dataclasses import dataclass
from itertools import chain
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from scoref.errors import (
    AlignmentError,
    FormatError,
    OptionError,
    ScorefError,
    TooLargeError,
    WithoutKey,
)
from scoref.formats.folders import (
    archives_in,
    dataset_name,
    folder_root,
    has_data_ending,
    is_data,
    is_datasets,
    is_folder,
    no_file_error,
    regular_files,
    scorable_names,
    special_files,
    subfolders,
    why_datasets,
)
from scoref.formats.input_files import STANDARD_INPUT, read_bytes
from scoref.formats.projects import project_at
from scoref.formats.refusals import refuse_archives
from scoref.notes import WARNING
from scoref.printable import counted, printable

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence


CORPUS = "corpus"
"""The name of the one dataset that a folder of documents is."""


@dataclass(frozen=True, slots=True)
class Failure:
    """A file that is missing or could not be scored, and why.

    ``discreet`` is a message without a word of the key, which may be hidden.
    """

    system: str
    dataset: str
    message: str
    is_missing: bool = False
    discreet: str = ""


@dataclass(frozen=True, slots=True)
class Dataset:
    """A dataset: its name, its key, and each system's response."""

    name: str
    key: Path
    responses: Mapping[str, Path]


@dataclass(frozen=True, slots=True)
class Pairing:
    """Datasets, files that systems lack, and notes on files of no dataset."""

    datasets: Sequence[Dataset]
    failures: Sequence[Failure]
    strays: Sequence[str]


def pair_files(key: Path, systems: Mapping[str, Path]) -> Pairing:
    """Pair the keys of datasets with responses, by the names of the files."""
    keys = _Files.of(key)
    if not keys.path:
        raise no_file_error(str(key))
    theirs = {system: _Files.of(path) for system, path in systems.items()}
    labels = _labels(list(keys.path))
    datasets, failures = [], []
    for name, path in keys.path.items():
        wrong = {
            system: keys.clash.get(name) or files.clash.get(name)
            for system, files in theirs.items()
        }
        responses = {
            system: files.path[name]
            for system, files in theirs.items()
            if name in files.path and not wrong[system]
        }
        failures += [
            Failure(
                system,
                labels[name],
                wrong[system] or printable(f"{system} has no file for {path.name}"),
                is_missing=not wrong[system],
                discreet="the key has two files for this dataset. Please tell the "
                "organisers"
                if name in keys.clash
                else "",
            )
            for system in systems
            if system not in responses
        ]
        datasets.append(Dataset(labels[name], path, responses))
    strays = [
        printable(f"{path} was not scored, because {key} has no dataset of that name.")
        for files in theirs.values()
        for name, path in files.path.items()
        if name not in keys.path
    ]
    strays += [
        printable(message)
        for folder in (key, *systems.values())
        for message in special_files(folder)
    ]
    return Pairing(datasets, failures, strays)


_SEVERAL = 2


def systems_in(folder: Path, key: Path, kind: str | None = None) -> dict[str, Path]:
    """Return the systems in a folder of system folders; empty if it is one system.

    The subfolders are systems if they have files for the same documents or datasets
    of the key. A zip is a system if it has such files. ``kind`` is what the user calls
    the files of the key.

    Raises:
        OptionError: the folder may be one system as well as several.
    """
    if not is_folder(folder) or str(key) == STANDARD_INPUT:
        return {}
    if project_at(folder) is not None:
        return {}
    folder = Path(folder_root(folder))
    places = {name: folder / name for name in subfolders(str(folder))}
    zips = {
        path.name if path.stem in places else path.stem: path
        for path in map(Path, archives_in(str(folder)))
        if _is_zip_of_files(path)
    }
    places |= zips
    names = {name: scorable_names(folder_root(path)) for name, path in places.items()}
    systems = {system: files for system, files in names.items() if files}
    if not systems:
        return {}
    of_key, whole = _names_in_key(key), scorable_names(str(folder))
    has_datasets = is_datasets(key, kind)
    if has_datasets:
        of_key = {name for name in of_key if os.sep not in name}
    systems = {
        system: files
        for system, files in systems.items()
        if system not in zips or files & of_key
    }
    fitting = [system for system, files in systems.items() if files & of_key]
    are_same = len({*chain(*systems.values())}) < sum(map(len, systems.values()))
    if fitting:
        is_several = are_same or has_datasets
    else:
        has_common = len(systems) > 1 and bool(set.intersection(*systems.values()))
        is_several = has_common and not whole & of_key
    own = sorted(name for name in whole if os.sep not in name or name in of_key)
    if own and (len(fitting) < _SEVERAL or len(fitting) < len(systems)):
        is_several = False
    if not is_several:
        return {}
    others = own or [name for name in systems if fitting and name not in fitting]
    if others:
        raise OptionError(
            f"'{folder}' may be one system or a folder of systems: '{fitting[0]}' has "
            f"files for the key, but there is also '{others[0]}'",
            hint=f"Name each system, such as A={folder / fitting[0]}. If the folder is "
            f"one system, name it as well: A={folder}.",
        )
    chosen = {system: places[system] for system in systems}
    if is_folder(key):
        return chosen
    return {system: _file_for(key, path) or path for system, path in chosen.items()}


def _is_zip_of_files(path: Path) -> bool:
    """Check whether a file is a zip that can be read as a folder."""
    try:
        return path.suffix.lower() == ".zip" and is_folder(path)
    except FormatError:
        return False  # it is skipped with a warning


def _file_for(key: Path, folder: Path) -> Path | None:
    """Return the only file to score in a folder, or the one named like the key."""
    files = [Path(file) for file in regular_files(str(folder)) if is_data(file)]
    if len(files) > 1:
        name = dataset_name(key.name)
        files = [file for file in files if dataset_name(file.name) == name]
    return files[0] if len(files) == 1 else None


def _names_in_key(key: Path) -> set[str]:
    """Return the names of a key's documents or datasets."""
    if is_folder(key):
        return scorable_names(folder_root(key))
    from scoref.formats.reading import read

    try:
        documents = read(key, role="key").documents
    except FormatError:
        documents = ()  # scoring reports it
    names = chain(*((document.name, *document.aliases) for document in documents))
    return {dataset_name(key.name), *names}


def systems_notes(folder: str, systems: Mapping[str, Path]) -> list[str]:
    """Note that a folder was replaced by its systems, and warn of other archives."""
    root = folder_root(folder)
    used = [str(path) for path in systems.values()]
    unused = [
        f"{WARNING}{file} was skipped because it has no file for the key."
        for file in archives_in(root)
        if not any(_is_in(path, file) for path in used)
    ]
    note = (
        f"{folder} is a folder of {counted(len(systems), 'system')}: "
        f"{', '.join(systems)}. To score it as one system, give it a name: "
        f"NAME={folder}."
    )
    return [printable(message) for message in (*unused, note)]


def folder_notes(folder: str | os.PathLike[str], files: int) -> list[str]:
    """Note that files were taken for datasets, and why."""
    why = why_datasets(folder_root(folder))
    return [
        printable(
            f"{folder} is a folder of {counted(files, 'dataset')}, because {why}. Use "
            "--folder documents to score its files as one corpus."
        )
    ] * bool(why)


def describe_failure(error: Exception, path: object) -> str:
    """Say what went wrong with one file of many."""
    if isinstance(error, OptionError):
        return printable(f"{path}: {error.problem}")
    if isinstance(error, ScorefError):
        return str(error)
    if isinstance(error, MemoryError):
        return printable(f"{path}: there is not enough memory to score this file")
    return printable(f"{path}: this is a bug in scoref, please report it: {error!r}")


def describe_without_key(error: Exception, path: object, key: object) -> str:
    """Say what went wrong in words that reveal nothing of the key.

    Only what is wrong with the response itself is quoted. Everything else is named by
    its kind, because a message may quote the key, or a file that lists its documents.
    """
    if isinstance(error, AlignmentError):
        blame = error.without_key or WithoutKey("this does not fit the key")
        return printable(f"{blame.place or path}: {blame.problem}")
    if isinstance(error, FormatError):
        source, is_key = str(error.source), _is_in(str(error.source), str(key))
        if _is_in(source, str(path)) and not is_key:
            return str(error)
        where = (
            [os.path.relpath(source, str(key))] if is_key and source != str(key) else []
        )
        where += [f"line {error.line}"] if is_key and error.line is not None else []
        place = f" ({', '.join(where)})" if where else ""
        return printable(f"the key cannot be read{place}. Please tell the organisers")
    if isinstance(error, OptionError):
        return printable(error.problem.replace(str(key), "the key"))
    if isinstance(error, TooLargeError | MemoryError):
        return "there is not enough memory to score this"
    return f"this is a bug in scoref, please report it: {type(error).__name__}"


def _is_in(source: str, path: str) -> bool:
    """Tell whether a file is the one at a path, or in the folder there."""
    return source == path or source.startswith(path.rstrip(os.sep) + os.sep)


def named_files(folder: Path, kind: str | None = None) -> dict[str, Path]:
    """Return a folder's files by the names of their datasets, if these differ.

    A folder of documents is one dataset; ``kind`` is what the user calls its files.
    """
    if is_folder(folder) and not is_datasets(folder, kind):
        return {CORPUS: folder}
    files = files_in(folder)
    if not files:
        raise no_file_error(str(folder))
    names = [dataset_name(path.name) for path in files]
    if len({*names}) < len(names):
        return {path.name: path for path in files}
    return dict(zip(_labels(names).values(), files, strict=True))


def files_to_score(folder: Path, kind: str | None = None) -> list[Path]:
    """List the files of a folder of datasets, or all of a folder of documents."""
    if is_datasets(folder, kind):
        return files_in(folder)
    return [Path(file) for file in regular_files(folder_root(folder))]


def files_by_dataset(folder: Path) -> dict[str, Path]:
    """Return a folder's files by the names that pair them with those of others."""
    files = _Files.of(folder)
    if not files.path:
        raise no_file_error(str(folder))
    for message in files.clash.values():
        raise FormatError(message.removeprefix(f"{folder}: "), source=str(folder))
    return files.path


def files_in(folder: Path) -> list[Path]:
    """List the files of a folder that may be datasets, by their names."""
    if not is_folder(folder):
        if folder.is_file():
            refuse_archives(read_bytes(folder), str(folder))
        problem = "this is a file, but the key is a folder or a zip of datasets"
        if not folder.exists():
            problem = "there is no such folder"
        raise FormatError(
            problem, source=str(folder), hint="Give two files or two folders (or zips)."
        )
    root = folder_root(folder)
    return [
        Path(file)
        for file in regular_files(root)
        if os.path.dirname(file) == root and has_data_ending(file)
    ]


class _Files(NamedTuple):
    """A folder's files by dataset, and messages on datasets with two files."""

    path: dict[str, Path]
    clash: dict[str, str]

    @classmethod
    def of(cls, folder: Path) -> _Files:
        files = cls({}, {})
        for path in files_in(folder):
            name = dataset_name(path.name)
            other = files.path.setdefault(name, path)
            if other != path:
                files.clash[name] = printable(
                    f"{folder}: '{other.name}' and '{path.name}' are both for "
                    f"'{name}'. Keep one file for each dataset"
                )
        return files


def _labels(names: list[str]) -> dict[str, str]:
    """Shorten names by what all of them end in, such as `-corefud-dev`."""
    first = names[0] if len(names) > 1 else ""
    endings = [first[at:] for at, letter in enumerate(first) if letter == "-"]
    common = (part for part in endings if all(name.endswith(part) for name in names))
    useless = next(common, "")
    return {name: name.removesuffix(useless) or name for name in names}
