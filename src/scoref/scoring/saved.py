"""Saving and loading of results, so that `compare` can run without the scored files.

    scoref.save_result(result, "baseline.json")
    scoref.compare({"before": scoref.load_result("baseline.json"), "now": result})

The file holds the counts of every document, so tests and intervals are the same as if
the files were scored again.
"""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

import msgspec

from scoref._version import __version__
from scoref.errors import FormatError, OptionError, UnreadableFileError
from scoref.fingerprint import DocumentPrint, Fingerprint
from scoref.lazy import np
from scoref.metrics import METRICS, metrics_of, needed_metrics
from scoref.metrics.base import RATIO_COLUMNS
from scoref.model import Note
from scoref.scheme import CONVENTIONS, Scheme
from scoref.scoring.results import Result, refuse_no_result
from scoref.writing import write_output

if TYPE_CHECKING:
    import os
    from collections.abc import Mapping

    from numpy.typing import NDArray

    from scoref.metrics.base import Floats, Metric

    Mask = NDArray[np.bool_]

SCHEMA = "scoref/result/1"
DATASETS_SCHEMA = "scoref/results/1"
_UNREADABLE = (msgspec.MsgspecError, UnicodeDecodeError, RecursionError)
_ROUNDING = 1e-9
_File = TypeVar("_File")


class _SavedPrint(msgspec.Struct):
    documents: list[tuple[str, str | None, str]]
    mentions: int
    entities: int


class _SavedNote(msgspec.Struct):
    kind: str
    count: int
    message: str


class _Saved(msgspec.Struct):
    schema: str
    scoref: str
    signature: str
    key: str
    response: str
    format: str
    scheme: dict[str, str | None]
    metrics: list[str]
    documents: list[str]
    counts: dict[str, list[list[float]]]
    notes: list[_SavedNote] = []
    fingerprint: _SavedPrint | None = None
    window: str | None = None
    plugins: list[str] = []
    folds: int = 1


class _SavedDatasets(msgspec.Struct):
    schema: str
    datasets: dict[str, _Saved]


class _SavedSchema(msgspec.Struct):
    schema: str


def save_result(result: Result, path: str | os.PathLike[str]) -> None:
    """Write a result to a file, whole or not at all."""
    refuse_no_result(result, "save_result")
    refuse_to_save_runs(result)
    data = msgspec.json.format(msgspec.json.encode(_to_saved(result)), indent=1)
    write_output(str(path), data + b"\n")


def refuse_to_save_runs(result: Result) -> None:
    """Refuse several runs, because a file holds the counts of one."""
    if len(result.runs) > 1:
        raise OptionError(
            f"{result.response} has {len(result.runs)} runs, but a file holds one "
            "result. Save each run separately"
        )


def save_datasets(datasets: Mapping[str, Result], path: str | os.PathLike[str]) -> None:
    """Write the results of one system on several datasets to a file."""
    results = {_encodable(name): _to_saved(each) for name, each in datasets.items()}
    encoded = msgspec.json.encode(_SavedDatasets(DATASETS_SCHEMA, results))
    write_output(str(path), msgspec.json.format(encoded, indent=1) + b"\n")


def load_result(path: str | os.PathLike[str]) -> Result:
    """Read a result that was saved.

    Raises:
        FormatError: it is not a result, or its counts are impossible.
    """
    return _from_saved(_decode(path, SCHEMA, _Saved), str(path))


def load_datasets(path: str | os.PathLike[str]) -> dict[str, Result]:
    """Read the results by dataset that `save_datasets` wrote.

    Raises:
        FormatError: these are not results, or their counts are impossible.
    """
    saved = _decode(path, DATASETS_SCHEMA, _SavedDatasets)
    if not saved.datasets:
        raise FormatError("there is no dataset in this file", source=str(path))
    return {name: _from_saved(each, str(path)) for name, each in saved.datasets.items()}


def _decode(path: str | os.PathLike[str], schema: str, type_: type[_File]) -> _File:
    source = str(path)
    try:
        data = Path(path).read_bytes()
    except (OSError, ValueError) as error:
        raise UnreadableFileError.of(error, source) from error
    try:
        found = msgspec.json.decode(data, type=_SavedSchema).schema
        if found == schema:
            return msgspec.json.decode(data, type=type_)
    except _UNREADABLE as error:
        raise _no_result(error, source) from error
    hint = ""
    if {found, schema} == {SCHEMA, DATASETS_SCHEMA}:
        hint = (
            "Compare a file with the saved result of a file, and a folder with the "
            "saved result of a folder."
        )
    raise FormatError(f"this is {found}, not {schema}", source=source, hint=hint)


def as_plain(result: Result) -> dict[str, Any]:
    """Return what `save_result` writes as plain values, for logs."""
    plain: dict[str, Any] = msgspec.to_builtins(_to_saved(result))
    return plain


def from_plain(plain: object, source: str) -> Result:
    """Make a result of the values that `as_plain` returns."""
    try:
        saved = msgspec.convert(plain, _Saved)
    except _UNREADABLE as error:
        raise _no_result(error, source) from error
    return _from_saved(saved, source)


def _no_result(error: Exception, source: str) -> FormatError:
    return FormatError(
        f"this is not a result of scoref: {error}",
        source=source,
        hint="`scoref KEY RESPONSE --save FILE` saves a result.",
    )


def _to_saved(result: Result) -> _Saved:
    chosen = result.scheme.chosen().items()
    return _Saved(
        schema=SCHEMA,
        scoref=__version__,
        signature=result.signature,
        key=_encodable(result.key),
        response=_encodable(result.response),
        format=result.format,
        scheme={name: value and _encodable(str(value)) for name, value in chosen},
        metrics=list(result.metrics),
        documents=list(map(_encodable, result.documents)),
        counts={name: counts.tolist() for name, counts in result.counts.items()},
        notes=[
            _SavedNote(note.kind, note.count, note.message) for note in result.notes
        ],
        fingerprint=_to_saved_print(result.fingerprint),
        window=result.window,
        plugins=list(result.plugins),
        folds=result.folds,
    )


def _encodable(text: str) -> str:
    """Escape the bytes of a file name that are not UTF-8."""
    return text.encode("utf-8", "backslashreplace").decode()


def _to_saved_print(fingerprint: Fingerprint | None) -> _SavedPrint | None:
    if fingerprint is None:
        return None
    documents = [
        (
            _encodable(document.name),
            None if document.text is None else document.text.hex(),
            document.annotation.hex(),
        )
        for document in fingerprint.documents
    ]
    return _SavedPrint(documents, fingerprint.mentions, fingerprint.entities)


def _from_saved(saved: _Saved, source: str) -> Result:
    unknown = [name for name in saved.scheme if name not in CONVENTIONS]
    if unknown:
        raise FormatError(
            f"unknown convention '{unknown[0]}'. The result is from scoref "
            f"{saved.scoref}, and this is scoref {__version__}",
            source=source,
        )
    scheme = Scheme(**saved.scheme)  # type: ignore[arg-type]  # as it was written
    _check_counts(saved, scheme, source)
    return Result(
        key=saved.key,
        response=saved.response,
        format=saved.format,
        scheme=scheme,
        metrics=tuple(saved.metrics),
        documents=tuple(saved.documents),
        counts={name: np.array(rows) for name, rows in saved.counts.items()},
        notes=tuple(Note(note.kind, note.count, note.message) for note in saved.notes),
        fingerprint=_from_saved_print(saved.fingerprint, source),
        window=saved.window,
        plugins=tuple(saved.plugins),
        folds=saved.folds,
    )


def _check_counts(saved: _Saved, scheme: Scheme, source: str) -> None:
    """Refuse counts that do not fit the metrics and documents."""
    known = metrics_of(scheme)
    strange = [name for name in saved.metrics if METRICS.find(name) is None]
    if strange:
        hint = (
            f"It was scored with {', '.join(saved.plugins)}." if saved.plugins else ""
        )
        raise FormatError(f"unknown metric '{strange[0]}'", source=source, hint=hint)
    for name in needed_metrics(tuple(saved.metrics)):
        rows, width = saved.counts.get(name, []), len(known[name].columns)
        if len(rows) != len(saved.documents):
            raise FormatError(
                f"counts of '{name}' are damaged: {len(rows)} rows for "
                f"{len(saved.documents)} documents",
                source=source,
            )
        if {width} != {*map(len, rows), width}:
            raise FormatError(
                f"counts of '{name}' are damaged: a row does not have {width} columns",
                source=source,
            )
        counts = np.array(rows, dtype=np.float64).reshape(len(rows), width)
        wrong = np.flatnonzero(_are_impossible(counts, known[name]))
        if len(wrong):
            row = int(wrong[0])
            raise FormatError(
                f"counts of '{name}' are impossible for document "
                f"'{saved.documents[row]}': {rows[row]}",
                source=source,
                hint="Counts must not be negative or larger than their denominators. "
                "Save the result again.",
            )


def _are_impossible(counts: Floats, metric: Metric) -> Mask:
    """Mark documents with counts below 0, or above the denominators."""
    possible = np.isfinite(counts) & (counts >= -_ROUNDING)
    wrong = ~np.asarray(possible.all(axis=1))
    most = 1 + _ROUNDING
    if metric.columns == RATIO_COLUMNS:
        above = counts[:, [0, 2]] > counts[:, [1, 3]] * most + _ROUNDING
        return wrong | above.any(axis=1)
    if metric.scale != "percent":
        return wrong
    with np.errstate(all="ignore"):
        return wrong | (metric.score(counts) > most).any(axis=1)


def _from_saved_print(saved: _SavedPrint | None, source: str) -> Fingerprint | None:
    if saved is None:
        return None
    try:
        documents = tuple(
            DocumentPrint(
                name,
                None if text is None else bytes.fromhex(text),
                bytes.fromhex(annotation),
            )
            for name, text, annotation in saved.documents
        )
    except ValueError as error:
        raise FormatError(
            f"the fingerprint is damaged: {error}", source=source
        ) from error
    if min(saved.mentions, saved.entities) < 0:
        raise FormatError(
            "the fingerprint is damaged: it has a negative count", source=source
        )
    return Fingerprint(documents, saved.mentions, saved.entities)
