"""Scoring of many datasets and many systems: folders of keys and of responses.

A file of the key's folder is a dataset. A system is a folder with a file for each
dataset, paired by name: `xx_name-corefud-dev.conllu` with a file of the same name, or
with a key that has `.gold` in its name. Each file is read once, however many set-ups it
is scored by, and datasets are scored in parallel.

A dataset that a system lacks, or that cannot be scored, counts as 0 in the system's
macro average, as in the CRAC shared tasks, and is reported. A dataset with nothing to
score by a metric, such as one without zeros, is left out of that metric's average.

`run_apart` runs each task in a process of its own, because a pool loses all waiting
tasks when one of its processes is killed. The processes end with the one that started
them, however that ends.
"""

from __future__ import annotations

import math
import multiprocessing
import os
import signal
import threading
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from multiprocessing.connection import wait
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple, TypeVar

from scoref.displayed import Displayed
from scoref.document_names import mapped
from scoref.errors import (
    AlignmentError,
    FormatError,
    OptionError,
    ScorefError,
    TooLargeError,
    WithoutKey,
    unknown,
)
from scoref.figures import counted
from scoref.formats.catalogue import Asked
from scoref.formats.folders import (
    dataset_name,
    has_data_ending,
    is_datasets,
    nothing_in,
    regular_files,
    special_files,
    why_datasets,
)
from scoref.formats.reading import open_file, read_opened
from scoref.metrics import chosen, means, usual
from scoref.notes import WARNING, note_lines
from scoref.printable import printable
from scoref.scoring.evaluate import make_comparable, read_key
from scoref.scoring.pipeline import score_corpora
from scoref.scoring.request import Request

if TYPE_CHECKING:
    from collections.abc import (
        Callable,
        Generator,
        Iterable,
        Iterator,
        Mapping,
        Sequence,
    )
    from multiprocessing.connection import Connection
    from multiprocessing.process import BaseProcess
    from typing import Unpack

    from scoref.model import Corpus, Note
    from scoref.scoring.request import ScoreOptions
    from scoref.scoring.results import Result

    Folder = str | os.PathLike[str]
    Systems = Iterable[Folder] | dict[str, Folder]
    Task = TypeVar("Task")
    Found = TypeVar("Found")


COLUMNS: Mapping[str, Mapping[str, str]] = {
    "head": {"match": "head", "singletons": "drop"},
    "partial": {"match": "partial", "singletons": "drop"},
    "exact": {"match": "exact", "singletons": "drop"},
    "singletons": {"match": "head", "singletons": "keep"},
}
"""The columns of the shared task's table, and what each changes."""

DEFAULT = "default"
"""The one column where none is asked for: the scheme as it is."""

_WORTH_A_PROCESS = 1 << 20

_EVERY = usual("texts", "words", "zeros", "anaphora")


@dataclass(frozen=True, slots=True, repr=False)
class DatasetResults(Displayed):
    """Datasets × systems × columns of a shared task's table."""

    datasets: tuple[str, ...]
    systems: tuple[str, ...]
    columns: tuple[str, ...]
    metrics: tuple[str, ...]
    results: Mapping[tuple[str, str, str], Result]
    failures: tuple[Failure, ...] = ()
    notes: tuple[str, ...] = ()

    _reported_by = "render.breakdowns:datasets_report"
    _is_several = True

    @property
    def _in_short(self) -> str:
        systems, datasets = len(self.systems), len(self.datasets)
        return f"{counted(systems, 'system')} on {counted(datasets, 'dataset')}"

    def is_scored(self, system: str, dataset: str, column: str) -> bool:
        """Tell whether a system's file for a dataset was there and could be scored."""
        return (system, dataset, column) in self.results

    def f1(self, system: str, dataset: str, column: str, metric: str) -> float | None:
        """Return one figure; None if the file was not scored or the figure is 0/0."""
        result = self.results.get((system, dataset, column))
        if result is None or not result.is_defined(metric):
            return None
        return result.scores[metric].f1

    def macro(self, system: str, column: str, metric: str) -> float | None:
        """Average a metric over the datasets that `covered` names; None without any.

        A dataset that is missing or cannot be scored counts as 0.
        """
        names = self.covered(system, column, metric)
        if not names:
            return None
        figures = (self.f1(system, name, column, metric) or 0.0 for name in names)
        return math.fsum(figures) / len(names)

    def covered(self, system: str, column: str, metric: str) -> tuple[str, ...]:
        """Name the datasets in a mean: all but those in which the metric is 0/0."""
        return tuple(
            name
            for name in self.datasets
            if not self.is_scored(system, name, column)
            or self.results[system, name, column].is_defined(metric)
        )

    def signature(self, column: str) -> str:
        """Give the signature that all results of a column share."""
        found = (each for at, each in self.results.items() if at[2] == column)
        result = next(found, None)
        if result is not None and result.scheme.folder == "documents":
            return result.signature
        return f"{result.signature if result else 'scoref'}|datasets:macro"


@dataclass(frozen=True, slots=True)
class _Job:
    """One dataset: its key, and each system's response."""

    dataset: str
    key: Path
    responses: Mapping[str, Path]
    request: Request
    columns: tuple[str, ...]


@dataclass(slots=True)
class _Done:
    dataset: str
    results: dict[tuple[str, str, str], Result] = field(default_factory=dict)
    failures: list[Failure] = field(default_factory=list)
    refusals: list[OptionError] = field(default_factory=list)


def score_folders(
    key: str | os.PathLike[str],
    responses: Systems,
    *,
    columns: str | Iterable[str] | None = None,
    jobs: int | None = None,
    **options: Unpack[ScoreOptions],
) -> DatasetResults:
    """Score every system's folder against the key's, dataset by dataset.

    A folder of documents is one dataset, called ``corpus``; ``folder`` says what files
    are if this is not to be detected.

    Args:
        key: a folder with a file for each dataset.
        responses: a folder for each system, or a dict of folders by their names.
        columns: columns of the shared task's table, by name: see `COLUMNS`.
        jobs: how many datasets to score at once; as many as there are cores.
        options: what `scoref.score` takes: ``scheme``, ``metrics``, ``match`` …
    """
    if isinstance(responses, str | os.PathLike):
        responses = [responses]
    responses = responses if isinstance(responses, dict) else [*responses]
    folders = responses.values() if isinstance(responses, dict) else responses
    for path in (key, *folders):
        if not os.path.isdir(path):
            raise OptionError(
                f"'{os.fspath(path)}' is not a folder; scoref.score scores files"
            )
    request = Request.of(**options)
    return score_datasets(key, responses, request, columns=columns, jobs=jobs)


def score_datasets(
    key: str | os.PathLike[str],
    responses: Systems,
    request: Request,
    *,
    columns: str | Iterable[str] | None = None,
    jobs: int | None = None,
    progress: Callable[[str], None] = lambda _: None,
) -> DatasetResults:
    """Do what `score_folders` does, and tell how far it is."""
    names = _columns(columns)
    named = (
        responses if isinstance(responses, dict) else {each: each for each in responses}
    )
    systems = {str(name): Path(path) for name, path in named.items()}
    if not systems:
        raise OptionError("a folder of keys needs a folder of responses beside it")
    if is_datasets(key, request.folder):
        is_detected = request.folder is None
        request = request.changed(folder="datasets")
        work, failures, strays = _jobs(Path(key), systems, request, names)
        detected = folder_notes(key, len(work)) if is_detected else []
    else:
        request = request.changed(folder="documents")
        work = [_Job(CORPUS, Path(key), systems, request, names)]
        failures, strays, detected = [], [], []
    results: dict[tuple[str, str, str], Result] = {}
    refusals: list[OptionError] = []
    for done in _run(work, jobs, progress):
        results |= done.results
        failures += done.failures
        refusals += done.refusals
    if refusals and not results:
        raise refusals[0]
    order = {job.dataset: place for place, job in enumerate(work)}
    failures.sort(key=lambda failure: (failure.system, order[failure.dataset]))
    metrics = _common_metrics(results.values())
    return DatasetResults(
        datasets=tuple(order),
        systems=tuple(systems),
        columns=names,
        metrics=metrics or chosen(request.metrics, _EVERY),
        results=results,
        failures=tuple(failures),
        notes=(*strays, *_noted(results), *detected),
    )


def _common_metrics(results: Iterable[Result]) -> tuple[str, ...]:
    """List the metrics that all datasets have: some formats have more than others."""
    lists = [result.metrics for result in results]
    return tuple(
        name for name in (lists or [()])[0] if all(name in each for each in lists)
    )


def _noted(results: Mapping[tuple[str, str, str], Result]) -> list[str]:
    """Tell what was noted, and of which files; once, whatever the columns are."""
    told = (
        (_whose(note, result), note)
        for result in results.values()
        for note in result.notes
        if note.kind != "undefined" or _has_partial_mean(result)
    )
    return note_lines(
        told, of=len({result.response for result in results.values()}) + 1
    )


def _whose(note: Note, result: Result) -> str:
    """Return the file that a note is about: the key if the message starts with it."""
    is_about_key = note.message.removeprefix(WARNING).startswith(f"{result.key} ")
    return result.key if is_about_key else result.response


def _has_partial_mean(result: Result) -> bool:
    """Tell whether a mean such as the CoNLL score counts an undefined part as 0."""
    return any(
        result.is_defined(mean.name) and not all(map(result.is_defined, mean.of))
        for mean in means(result.metrics)
    )


def _columns(columns: str | Iterable[str] | None) -> tuple[str, ...]:
    if columns is None:
        return (DEFAULT,)
    given = columns.replace(",", " ").split() if isinstance(columns, str) else columns
    names = tuple(dict.fromkeys(given))
    for name in names:
        if name not in COLUMNS:
            raise unknown("column", name, COLUMNS)
    if not names:
        raise OptionError("no column was named")
    return names


def _jobs(
    key: Path, systems: dict[str, Path], request: Request, columns: tuple[str, ...]
) -> tuple[list[_Job], list[Failure], list[str]]:
    paired = pair_files(key, systems)
    jobs = [
        _Job(each.name, each.key, each.responses, request, columns)
        for each in paired.datasets
    ]
    return jobs, list(paired.failures), list(paired.strays)


def _run(
    jobs: list[_Job], limit: int | None, progress: Callable[[str], None]
) -> list[_Done]:
    """Score datasets, several at once if that is worth it; their order stays."""
    size = sum(job.key.stat().st_size for job in jobs)
    workers = min(limit or os.cpu_count() or 1, len(jobs))
    if limit is None and size < _WORTH_A_PROCESS:
        workers = 1
    done: dict[int, _Done] = {}
    for number, found in _scored(jobs, workers):
        done[number] = found
        progress(found.dataset)
    return [done[number] for number in sorted(done)]


def _scored(jobs: list[_Job], workers: int) -> Iterator[tuple[int, _Done]]:
    if workers <= 1:
        yield from enumerate(map(_score, jobs))
        return
    for number, found in run_apart(_score, jobs, workers):
        if not isinstance(found, Died):
            yield number, found
            continue
        job = jobs[number]
        message = printable(
            f"{job.key}: the process that scored it {found}; is memory short?"
        )
        discreet_message = f"the process that scored it {found}; is memory short?"
        lost = [
            Failure(each, job.dataset, message, discreet=discreet_message)
            for each in job.responses
        ]
        yield number, _Done(job.dataset, failures=lost)


def _score(job: _Job) -> _Done:
    """Score one dataset for all systems, and say what went wrong."""
    done = _Done(job.dataset)
    with _failing(done, job.key, job.key, *job.responses):
        opened = open_file(job.key, job.request.format, folder=job.request.folder)
        scheme = job.request.scheme_for(opened.format)
        key = read_key(opened, job.request, scheme)
        job.request.metrics_for(key, scheme)  # complains before a response is read
        asked = Asked.by(scheme, "response")
        for system, path in job.responses.items():
            with _failing(done, job.key, path, system):
                response = read_opened(
                    open_file(
                        path,
                        job.request.format,
                        key_format=opened.format,
                        folder="documents",
                    ),
                    asked,
                )
                request = _with_own_names(job.request, key, response)
                for column in job.columns:
                    more = COLUMNS.get(column, {})
                    of_column = request.scheme_for(opened.format, **more)
                    pair = make_comparable(key, response, request, of_column, **more)
                    result = score_corpora(*pair)
                    done.results[system, job.dataset, column] = result
    return done


def _with_own_names(request: Request, key: Corpus, response: Corpus) -> Request:
    """Keep the document names of this dataset, of a list that names those of all."""
    given = request.changes.get("document_names")
    if given is None:
        return request
    names = mapped(given)  # type: ignore[arg-type] # what `resolve` takes
    here = {
        name
        for side in (key, response)
        for document in side.documents
        for name in (document.name, *document.aliases)
    }
    listed = tuple(pair for pair in names.listed if not here.isdisjoint(pair))
    own = names._replace(listed=listed)
    return replace(request, changes={**request.changes, "document_names": own})


@contextmanager
def _failing(done: _Done, key: Path, path: Path, *systems: str) -> Iterator[None]:
    """Keep what goes wrong with one file to it, so that no other is lost.

    Options that do not suit a file may suit the others; if they suit none, that is bad
    usage.
    """
    try:
        yield
    except Exception as error:  # noqa: BLE001 - the other datasets are worth more
        done.refusals += [error] if isinstance(error, OptionError) else []
        told = mishap(error, path), False, discreet(error, path, key)
        done.failures += [Failure(each, done.dataset, *told) for each in systems]


CORPUS = "corpus"
"""What a folder of documents is called where datasets have names."""


@dataclass(frozen=True, slots=True)
class Failure:
    """A file that is missing or could not be scored, and why.

    ``discreet`` says it without a word of the key, which may be hidden.
    """

    system: str
    dataset: str
    message: str
    is_missing: bool = False
    discreet: str = ""


@dataclass(frozen=True, slots=True)
class Dataset:
    """What a dataset is called, its key, and each system's response."""

    name: str
    key: Path
    responses: Mapping[str, Path]


@dataclass(frozen=True, slots=True)
class Pairing:
    """Datasets, what systems lack, and files that belong to no dataset."""

    datasets: Sequence[Dataset]
    failures: Sequence[Failure]
    strays: Sequence[str]


def pair_files(key: Path, systems: Mapping[str, Path]) -> Pairing:
    """Find each dataset's key and responses by the names of their files."""
    keys = _Files.of(key)
    if not keys.path:
        raise _nothing_in(key)
    theirs = {system: _Files.of(path) for system, path in systems.items()}
    labels = _labels(list(keys.path))
    datasets, failures = [], []
    for name, path in keys.path.items():
        wrong = {
            system: keys.clash.get(name) or files.clash.get(name)
            for system, files in theirs.items()
        }
        found = {
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
                discreet="the key has two files for this dataset; this is for the "
                "organisers to repair"
                if name in keys.clash
                else "",
            )
            for system in systems
            if system not in found
        ]
        datasets.append(Dataset(labels[name], path, found))
    strays = [
        printable(f"{path} belongs to no dataset of {key} and was not scored")
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


def folder_notes(folder: str | os.PathLike[str], files: int) -> list[str]:
    """Say that files were taken for datasets, and why."""
    why = why_datasets(os.fspath(folder))
    return [
        printable(
            f"{folder}: a folder of {counted(files, 'dataset')}, since {why}; --folder "
            "documents scores its files as one corpus"
        )
    ] * bool(why)


def mishap(error: Exception, path: object) -> str:
    """Say what went wrong with one file of many: whatever it is, the others go on."""
    if isinstance(error, OptionError):
        return printable(f"{path}: {error.problem}")
    if isinstance(error, ScorefError):
        return str(error)
    if isinstance(error, MemoryError):
        return printable(f"{path}: there is not enough memory for it")
    return printable(f"{path}: a bug in scoref, please report it: {error!r}")


def discreet(error: Exception, path: object, key: object) -> str:
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
        return printable(
            f"the key cannot be read{place}; this is for the organisers to repair"
        )
    if isinstance(error, OptionError):
        return printable(error.problem.replace(str(key), "the key"))
    if isinstance(error, TooLargeError | MemoryError):
        return "there is not enough memory to score this"
    return f"a bug in scoref, please report it: {type(error).__name__}"


def _is_in(source: str, path: str) -> bool:
    """Tell whether a file is the one at a path, or in the folder there."""
    return source == path or source.startswith(path.rstrip(os.sep) + os.sep)


def named_files(folder: Path, kind: str | None = None) -> dict[str, Path]:
    """List a folder's files, called by their datasets where these differ.

    A folder of documents is one dataset; ``kind`` is what the user says of it.
    """
    if folder.is_dir() and not is_datasets(folder, kind):
        return {CORPUS: folder}
    files = files_in(folder)
    if not files:
        raise _nothing_in(folder)
    names = [dataset_name(path.name) for path in files]
    if len({*names}) < len(names):
        return {path.name: path for path in files}
    return dict(zip(_labels(names).values(), files, strict=True))


def files_to_score(folder: Path, kind: str | None = None) -> list[Path]:
    """List the files of a folder of datasets, or all of a folder of documents."""
    if is_datasets(folder, kind):
        return files_in(folder)
    return [Path(file) for file in regular_files(str(folder))]


def files_by_dataset(folder: Path) -> dict[str, Path]:
    """Give a folder's files by the names by which they go with those of others."""
    found = _Files.of(folder)
    if not found.path:
        raise _nothing_in(folder)
    for message in found.clash.values():
        raise FormatError(message.removeprefix(f"{folder}: "), source=str(folder))
    return found.path


def files_in(folder: Path) -> list[Path]:
    """List the files of a folder that may be datasets, by their names."""
    if not folder.is_dir():
        raise FormatError(
            "this is not a folder, but the key is a folder of datasets",
            source=str(folder),
            hint="give a folder of responses for a folder of keys",
        )
    files = sorted(path for path in folder.iterdir() if path.is_file())
    return [path for path in files if has_data_ending(path.name)]


def _nothing_in(folder: Path) -> FormatError:
    return nothing_in(str(folder))


class _Files(NamedTuple):
    """A folder's files by the name of their dataset, and which have two of them."""

    path: dict[str, Path]
    clash: dict[str, str]

    @classmethod
    def of(cls, folder: Path) -> _Files:
        found = cls({}, {})
        for path in files_in(folder):
            name = dataset_name(path.name)
            other = found.path.setdefault(name, path)
            if other != path:
                found.clash[name] = printable(
                    f"{folder}: '{other.name}' and '{path.name}' are both for "
                    f"'{name}': keep one file for each dataset"
                )
        return found


def _labels(names: list[str]) -> dict[str, str]:
    """Leave out what all names end in: `-corefud-dev` says nothing."""
    endings = [name[at:] for name in names[:1] for at in _dashes(name)]
    common = (each for each in endings if all(name.endswith(each) for name in names))
    useless = next(common, "") if len(names) > 1 else ""
    return {name: name.removesuffix(useless) or name for name in names}


def _dashes(name: str) -> list[int]:
    return [at for at, character in enumerate(name) if character == "-"]


class Died(NamedTuple):
    """A process that ended without a result."""

    exitcode: int | None

    def __str__(self) -> str:
        if self.exitcode is None or self.exitcode >= 0:
            return f"ended with code {self.exitcode}"
        number = -self.exitcode
        known = {each.value: each.name for each in signal.Signals}
        return f"was killed by {known.get(number, f'signal {number}')}"


def run_apart(
    function: Callable[[Task], Found], tasks: Sequence[Task], at_once: int
) -> Generator[tuple[int, Found | Died], None, None]:
    """Run each task in a process; give its number and result as soon as it is done."""
    waiting = list(enumerate(tasks))[::-1]
    running: dict[Connection, tuple[int, BaseProcess]] = {}
    try:
        while waiting or running:
            while waiting and len(running) < at_once:
                number, task = waiting.pop()
                connection, process = _start(function, task)
                running[connection] = number, process
            for ready in wait(list(running)):
                assert not isinstance(ready, int)
                connection = next(each for each in running if each is ready)
                number, process = running.pop(connection)
                yield number, _received(connection, process)
    finally:
        for _, process in running.values():
            process.kill()
            process.join()


def _start(
    function: Callable[[Task], Found], task: Task
) -> tuple[Connection, BaseProcess]:
    ours, theirs = multiprocessing.Pipe(duplex=False)
    process = multiprocessing.Process(
        target=_work, args=(function, task, theirs), daemon=True
    )
    process.start()
    # Now the process alone holds it, and its end is seen here.
    theirs.close()
    return ours, process


def _received(connection: Connection, process: BaseProcess) -> Found | Died:
    try:
        found: Found = connection.recv()
    except EOFError:
        process.join()
        return Died(process.exitcode)
    finally:
        connection.close()
    process.join()
    return found


def _work(
    function: Callable[[Task], Found], task: Task, connection: Connection
) -> None:
    # Ctrl-C reaches all processes at once; the one that started them ends them.
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    threading.Thread(target=_end_with_parent, daemon=True).start()
    connection.send(function(task))


def _end_with_parent() -> None:
    """Wait for the process that started this one, and leave with it."""
    parent = multiprocessing.parent_process()
    if parent is not None:
        parent.join()
        os._exit(1)
