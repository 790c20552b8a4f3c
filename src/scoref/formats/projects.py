"""Project exports of INCEpTION and WebAnno: the work of several annotators in one zip.

    exportedproject.json                 states of documents
    annotation/DOCUMENT/USER.zip         a CAS as XMI, with its type system
    annotation/DOCUMENT/USER.json        or a CAS as JSON, or WebAnno TSV
    annotation/DOCUMENT/INITIAL_CAS.zip  the text without annotations
    curation/DOCUMENT/CURATION_USER.zip  the curated document

``project.zip:USER`` is the corpus of one annotator, and ``project.zip:curation`` that
of the curated documents. ``project.zip:annotation/USER`` is the same as the first, also
if somebody is called curation. An unpacked export is read in the same way. Neither the
text without annotations nor the curator is an annotator.
"""

from __future__ import annotations

import os
import re
from functools import lru_cache
from typing import TYPE_CHECKING, Any, NamedTuple

import msgspec

from scoref.errors import FormatError, OptionError, quoted
from scoref.formats.catalogue import (
    CAS_JSON,
    CAS_XMI,
    WEBANNO,
    detect_format,
    detection_sample,
)
from scoref.formats.folders import DocumentFile, Folder
from scoref.formats.input_files import is_zip, read_bytes, read_lines
from scoref.rules import UNREADABLE_FILE

if TYPE_CHECKING:
    from collections.abc import Mapping

CURATION = "curation"

_ANNOTATION = "annotation/"  # before the name of an annotator; usually left out

_INITIAL = "INITIAL_CAS"

_FORMATS = (CAS_JSON, CAS_XMI, WEBANNO)

_MEMBER = re.compile(
    r"(?:([^/]+)/)?(annotation|curation)/([^/]+)/([^/]+)\.(?:zip|xmi|json|tsv)",
    re.IGNORECASE,
)

_SERIALISED = re.compile(r"(?:[^/]+/)?(?:annotation|curation)_ser/.*\.ser")

_STATES = re.compile(r"(?:[^/]+/)?exportedproject[^/]*\.json")

_HINT = (
    "Export the project again, with UIMA CAS JSON, UIMA CAS XMI or WebAnno TSV 3 as "
    "the secondary format."
)


class Project(NamedTuple):
    """The paths of all files of a project, by annotator and document.

    Args:
        path: the zip or the folder.
        annotators: files by annotator and by document.
        curation: files by document.
        documents: the names of all documents.
    """

    path: str
    annotators: Mapping[str, Mapping[str, str]]
    curation: Mapping[str, str]
    documents: tuple[str, ...]

    @property
    def names(self) -> dict[str, str]:
        """The paths of the annotators' corpora by their names."""
        return {
            name: f"{self.path}:{_ANNOTATION if name == CURATION else ''}{name}"
            for name in self.annotators
        }

    def choices(self) -> str:
        """Say which paths lead to one corpus."""
        paths = [*self.names.values()]
        paths += [f"{self.path}:{CURATION}"] if self.curation else []
        return f"Give one of them: {', '.join(paths)}." if paths else _HINT


class ProjectPath(NamedTuple):
    """A project and the name after the colon; empty if there is none."""

    project: Project
    user: str


def project_at(path: str | os.PathLike[str]) -> ProjectPath | None:
    """Return the project to which a path leads, or None if it is something else."""
    whole = os.fspath(path)
    project = _project(whole)
    if project is not None:
        return ProjectPath(project, "")
    root, colon, user = whole.rpartition(":")
    project = _project(root) if colon and user and not os.path.exists(whole) else None
    return None if project is None else ProjectPath(project, user)


def annotators_at(path: object) -> dict[str, str]:
    """Return the annotators of a project by name; none for any other path."""
    if not isinstance(path, str | os.PathLike):
        return {}
    place = project_at(path)
    if place is None or place.user:
        return {}
    if not place.project.annotators:
        raise FormatError(
            "this project has no annotations by annotators",
            rule=UNREADABLE_FILE,
            source=place.project.path,
            hint=place.project.choices(),
        )
    return place.project.names


def with_projects(sources: Mapping[str, Any]) -> dict[str, Any]:
    """Replace projects by their annotators.

    An annotator is called by the name in the project, after the name of the project if
    the user gave it one.
    """
    annotators: dict[str, Any] = {}
    for name, source in sources.items():
        users = annotators_at(source)
        prefix = "" if name == str(source) else f"{name}/"
        named = {f"{prefix}{user}": path for user, path in users.items()}
        for user, path in (named or {name: source}).items():
            if user in annotators:
                raise OptionError(
                    f"two annotators have the same name, '{user}'",
                    hint="Name the projects or files: NAME=PATH.",
                )
            annotators[user] = path
    return annotators


def _project(path: str) -> Project | None:
    if is_zip(path):
        status = os.stat(path)
        return _project_in_zip(path, status.st_mtime_ns, status.st_size)
    folders = (os.path.join(path, name) for name in ("annotation", CURATION))
    if path and any(map(os.path.isdir, folders)):
        files = [
            os.path.join(folder, name)
            for folder, _, names in os.walk(path)
            for name in names
        ]
        return _project_of(path, sorted(files))
    return None


@lru_cache(maxsize=8)
def _project_in_zip(path: str, _changed: int, _size: int) -> Project | None:
    from scoref.formats.archives import files_in_zip

    return _project_of(path, files_in_zip(path))


def _project_of(path: str, files: list[str]) -> Project | None:
    """Sort the files of a project; None if they are not those of a project."""
    annotators: dict[str, dict[str, str]] = {}
    curation: dict[str, str] = {}
    documents: dict[str, None] = {}
    states: Mapping[tuple[str, str], str] = {}
    is_project = False
    for file in files:
        member = os.path.relpath(file, path).replace(os.sep, "/")
        if _STATES.fullmatch(member):
            states = _states(file)
            is_project = True
        is_project |= _SERIALISED.fullmatch(member) is not None
        place = _MEMBER.fullmatch(member)
        if place is None:
            continue
        folder, document, user = place[2].lower(), place[3], place[4]
        documents[document] = None
        if folder == CURATION:
            curation[document] = file
        elif user != _INITIAL:
            annotators.setdefault(user, {})[document] = file
    if not documents and not is_project:
        return None
    for user, files_of_user in annotators.items():
        for document in [*files_of_user]:
            if states.get((document, user)) in {"NEW", "IGNORE"}:
                del files_of_user[document]
    return Project(
        path,
        {user: annotators[user] for user in sorted(annotators) if annotators[user]},
        curation,
        tuple(documents),
    )


class _AnnotationDocument(msgspec.Struct):
    name: str = ""
    user: str = ""
    state: str = ""


class _ExportedProject(msgspec.Struct):
    annotation_documents: list[_AnnotationDocument] = []


def _states(file: str) -> dict[tuple[str, str], str]:
    """Return the states of documents by annotator, if the project says."""
    try:
        exported = msgspec.json.decode(read_bytes(file), type=_ExportedProject)
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError):
        return {}  # of another version; the files say what there is
    return {(row.name, row.user): row.state for row in exported.annotation_documents}


def read_project(place: ProjectPath) -> Folder:
    """Read the documents of one annotator, or the curated ones.

    Raises:
        FormatError: no annotator is named, or the name is unknown, or a file cannot be
            read.
    """
    project, user = place
    name = user.removeprefix(_ANNOTATION)
    files = project.curation if user == CURATION else project.annotators.get(name, {})
    if not files:
        people = quoted([*project.annotators])
        if not user:
            problem = f"this project has the work of several annotators: {people}"
            if len(project.annotators) == 1:
                problem = f"this project has the work of {people} and curated documents"
            if not people:
                problem = "this project has no annotations that scoref can read"
        elif user == CURATION:
            problem = "this project has no curated documents"
        else:
            problem = f"this project has no annotator '{name}', only {people or 'none'}"
        raise FormatError(
            problem,
            rule=UNREADABLE_FILE,
            source=project.path,
            hint=project.choices(),
        )
    source = f"{project.path}:{user}"
    documents = _read_documents(project, files)
    names = [detect_format(detection_sample(file.data)) for file in documents]
    for file, name in zip(documents, names, strict=True):
        if name not in _FORMATS:
            from scoref.formats.refusals import refuse_other_files

            refuse_other_files(file.data, file.source, name)
        if name not in _FORMATS or name != names[0]:
            raise FormatError(
                f"this is {name}, not {names[0] if name in _FORMATS else 'a CAS'}",
                rule=UNREADABLE_FILE,
                source=file.source,
                hint=_HINT,
            )
    missing = tuple(name for name in project.documents if name not in files)
    return Folder(source, names[0], tuple(documents), (), missing=missing)


def _read_documents(project: Project, files: Mapping[str, str]) -> list[DocumentFile]:
    """Read the files of a project; all together, they must not be too large."""
    from scoref.formats.archives import most_bytes, too_large

    size = os.path.getsize(project.path) if os.path.isfile(project.path) else 0
    most = left = most_bytes(size)
    documents = []
    for name in project.documents:
        if name not in files:
            continue
        document = _read_document(name, files[name])
        left -= len(document.data)
        if left < 0:
            raise too_large(files[name], most, project.path)
        documents.append(document)
    return documents


def _read_document(name: str, file: str) -> DocumentFile:
    """Read a file, or the only document in a zip."""
    if not file.lower().endswith(".zip"):
        return DocumentFile(name, file, read_lines(file))
    from scoref.formats.archives import documents_in_zip

    members = documents_in_zip(file)
    if len(members) != 1:
        has = quoted([os.path.basename(member) for member in members]) or "none"
        raise FormatError(
            f"expected one document in this zip, found {has}",
            rule=UNREADABLE_FILE,
            source=file,
            hint=_HINT,
        )
    return DocumentFile(name, members[0], read_lines(members[0]))
