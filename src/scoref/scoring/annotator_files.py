"""Reading of several annotators' work: files, folders of files, or entities in Python.

A folder has a file for each dataset, and files of the same name belong together, as
with systems. Each file is read once, however many others it is scored against.
"""

from __future__ import annotations

import dataclasses
from functools import partial
from pathlib import Path
from types import MappingProxyType
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from scoref.errors import FormatError, OptionError, ScorefError, quoted
from scoref.formats import folders, input_files, reading
from scoref.formats.catalogue import ReadOptions
from scoref.formats.entities import corpora_of
from scoref.formats.inputs import files_of
from scoref.scoring.annotators import Annotated, AnnotatorMarks, unite
from scoref.scoring.dataset_files import files_by_dataset
from scoref.scoring.mention_classes import MENTION_CLASSES
from scoref.scoring.slices import layer_of

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from scoref.formats.inputs import Input
    from scoref.formats.inputs import Path as AnyPath
    from scoref.model import Corpus
    from scoref.scheme import Layer, Scheme
    from scoref.scoring.request import Request
    from scoref.scoring.results import Result


RESPONSE = "response"

FEWEST = 2

_FOR_SYSTEMS = frozenset(("reference", "corefud", "ua"))
"""Rules for mentions in two entities that are for systems, not for people."""


class AnnotatedDataset(NamedTuple):
    """The corpora of the annotators of a dataset, by their numbers, and the scheme."""

    name: str
    corpora: dict[int, Corpus]
    scheme: Scheme
    called: Mapping[str, Sequence[object]] = MappingProxyType({})


def read_annotated(
    people: Mapping[str, Input],
    response: Input | None,
    request: Request,
    metrics: tuple[str, ...],
    by: str | None = None,
) -> Annotated:
    """Read the annotations of several people, and score each pair of them.

    A response is the last of them. ``by`` asks for slices, if it names classes of
    mentions.
    """
    names = [*people, *([] if response is None else [RESPONSE])]
    said = [*people.values(), *([] if response is None else [response])]
    if len(people) < FEWEST:
        raise ScorefError(
            "agreement needs at least two annotators"
            + (f", and there is only '{names[0]}'" if people else ""),
            hint="Give a file or a folder for each annotator, or the project export of "
            "INCEpTION or WebAnno.",
        )
    has_response = response is not None
    layer = layer_of(by or "")
    parts = [
        (
            dataset,
            unite(
                [(names[number], corpus) for number, corpus in dataset.corpora.items()],
                dataset.scheme,
                metrics,
                by=by if by in MENTION_CLASSES else None,
                has_response=has_response and len(people) in dataset.corpora,
            ),
        )
        for dataset in _datasets(names, said, request, layer, has_response=has_response)
    ]
    return _join_datasets(names, parts)


def _datasets(
    names: Sequence[str],
    said: Sequence[Input],
    request: Request,
    layer: Layer | None,
    *,
    has_response: bool,
) -> Iterable[AnnotatedDataset]:
    given = list(zip(names, said, strict=True))
    paths = files_of(*given)
    if paths is None:
        corpora, called = corpora_of(given)  # type: ignore[arg-type] # no files
        yield AnnotatedDataset(
            "", dict(enumerate(corpora)), _scheme(request, None), called
        )
        return
    input_files.refuse_second_reading(paths)
    kind = folders.folder_kind(paths[0], request.folder)  # the same for all of them
    are_folders = {kind == "datasets" and folders.is_folder(path) for path in paths}
    if len(are_folders) > 1:
        raise OptionError("annotators must be all files or all folders of datasets")
    sources = [
        str(path)
        if name in {str(path), RESPONSE} or isinstance(path, input_files.MemoryFile)
        else f"{name}={path}"
        for name, path in zip(names, paths, strict=True)
    ]
    roles = ["key"] * (len(paths) - has_response) + ["response"] * has_response
    if are_folders == {False}:
        files = dict(enumerate(zip(paths, sources, roles, strict=True)))
        yield _read("", files, request, layer)
        return
    for name, files in _files(paths, sources, roles).items():
        yield _read(name, files, request, layer)


def _files(
    paths: Sequence[AnyPath], sources: Sequence[str], roles: Sequence[str]
) -> dict[str, dict[int, tuple[AnyPath, str, str]]]:
    """Group the files of folders by their datasets."""
    datasets: dict[str, dict[int, tuple[AnyPath, str, str]]] = {}
    folders_of_all = zip(paths, sources, roles, strict=True)
    for number, (folder, source, role) in enumerate(folders_of_all):
        prefix = source.removesuffix(str(folder))
        for name, path in files_by_dataset(Path(folder)).items():
            file = (str(path), f"{prefix}{path}", role)
            datasets.setdefault(name, {})[number] = file
    return datasets


def _read(
    name: str,
    files: Mapping[int, tuple[AnyPath, str, str]],
    request: Request,
    layer: Layer | None,
) -> AnnotatedDataset:
    """Read the files of one dataset; by default they have the format of the first."""
    corpora: dict[int, Corpus] = {}
    scheme, first = request.scheme_for(request.format), None
    for number, (path, source, role) in files.items():
        try:
            opened = reading.open_file(
                path, request.format, key_format=first, folder="documents"
            )
        except FormatError as error:
            error.source = source if error.source == str(path) else error.source
            raise
        if first is None:
            first = opened.format
            scheme = _scheme(request, first)
        asked = ReadOptions.of(
            scheme, "response" if role == "response" else "key", layer
        )
        corpora[number] = reading.read_opened(
            opened._replace(source=source),
            asked._replace(with_tokens=True, with_genres=request.with_genres),
        )
    return AnnotatedDataset(name, corpora, scheme)


def _scheme(request: Request, format_name: str | None) -> Scheme:
    """Refuse mentions in two entities, unless a rule for duplicates is given."""
    scheme = request.scheme_for(format_name)
    if scheme.scope is not None or scheme.mentions == "gold":
        raise OptionError(
            "scopes and gold mentions have no meaning for agreement. Annotators are "
            "compared within documents, each with their own mentions"
        )
    is_asked = request.changes.get("duplicates") or request.scheme
    if is_asked is not None or request.lenient or scheme.duplicates not in _FOR_SYSTEMS:
        return scheme
    return dataclasses.replace(scheme, duplicates="error")


def _join_datasets(
    names: Sequence[str], parts: Sequence[tuple[AnnotatedDataset, Annotated]]
) -> Annotated:
    """Put the datasets together, one after another."""
    has, marks, units = [], [], []
    results: dict[tuple[int, int], list[Result]] = {}
    slices: dict[tuple[int, int], dict[str, list[Result]]] = {}
    corpora: list[Corpus] = []
    document_count = unit_count = entity_count = 0
    document_names = _document_names(parts)
    for (dataset, part), labels in zip(parts, document_names, strict=True):
        number = np.array(list(dataset.corpora), dtype=np.int64)
        wide = np.zeros((len(part.documents), len(names)), dtype=np.bool_)
        wide[:, number] = part.has
        has.append(wide)
        marks.append(
            part.marks._replace(
                unit=part.marks.unit + unit_count,
                annotator=number[part.marks.annotator],
                entity=part.marks.entity + entity_count,
                corpus=part.marks.corpus + len(corpora),
            )
        )
        units.append(part.unit_document + document_count)
        rename = dict(zip(part.documents, labels, strict=True))
        for (first, second), result in part.results.items():
            pair = int(number[first]), int(number[second])
            named = tuple(rename[document] for document in result.documents)
            with_names = partial(dataclasses.replace, documents=named)
            results.setdefault(pair, []).append(with_names(result))
            of_pair = slices.setdefault(pair, {})
            for name, slice_ in part.slices[first, second].items():
                of_pair.setdefault(name, []).append(with_names(slice_))
        corpora += part.corpora
        document_count += len(part.documents)
        unit_count += len(part.unit_document)
        entity_count += sum(len(each.entity_document) for each in part.corpora)
    columns = AnnotatorMarks(*map(np.concatenate, zip(*marks, strict=True)))
    order = np.lexsort((columns.unit, columns.annotator))
    return Annotated(
        names=tuple(names),
        documents=tuple(label for labels in document_names for label in labels),
        has=np.concatenate(has),
        unit_document=np.concatenate(units),
        marks=columns.where(order),
        corpora=tuple(corpora),
        results={pair: _one_result(each) for pair, each in sorted(results.items())},
        notes=tuple(note for _, part in parts for note in part.notes),
        called={name: each for own, _ in parts for name, each in own.called.items()},
        slices={
            pair: {name: _one_result(each) for name, each in of_pair.items()}
            for pair, of_pair in sorted(slices.items())
        },
    )


def _document_names(
    parts: Sequence[tuple[AnnotatedDataset, Annotated]],
) -> list[list[str]]:
    """Prefix document names with their datasets if names alone are not unique."""
    names = [name for _, part in parts for name in part.documents]
    if len({*names}) == len(names):
        return [[*part.documents] for _, part in parts]
    return [
        [f"{dataset.name}/{name}" if dataset.name else name for name in part.documents]
        for dataset, part in parts
    ]


def _one_result(results: Sequence[Result]) -> Result:
    first, *others = results
    if not others:
        return first
    kinds = [name for each in results for name in each.format.split("+")]
    return dataclasses.replace(
        first,
        format="+".join(dict.fromkeys(kinds)),
        plugins=tuple(sorted({name for each in results for name in each.plugins})),
        documents=tuple(name for each in results for name in each.documents),
        counts={
            name: np.concatenate([each.counts[name] for each in results])
            for name in first.counts
        },
        notes=(),
    )


def refuse_strangers(annotated: Annotated, *, has_response: bool) -> None:
    """Check that there is something to compare.

    Raises:
        ScorefError: no two annotators have a common document, or none has one of the
            response's.
    """
    people = len(annotated.names) - has_response
    if not (annotated.has[:, :people].sum(axis=1) >= FEWEST).any():
        raise ScorefError(
            "no two annotators have a document in common",
            hint=f"Documents are paired by name: {quoted(annotated.documents)}.",
        )
    if has_response and not any(people in pair for pair in annotated.results):
        raise ScorefError(
            "the response has no document in common with any annotator",
            hint="Documents are paired by name.",
        )
