"""Scoring of many datasets and many systems: folders of keys and of responses.

`dataset_files` pairs the files of the folders by name. Each file is read once, even if
it is scored in several ways, and datasets are scored in parallel.

A dataset that a system lacks, or that cannot be scored, counts as 0 in the system's
macro average, as in the CRAC shared tasks, and is reported. A dataset with nothing to
score by a metric, such as one without zeros, is left out of that metric's average.

A pool loses all waiting tasks when one of its processes is killed. Here each task has
its own process, and a process that dies loses its own task only. The processes end with
the one that started them, however that ends.
"""

from __future__ import annotations

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
from scoref.errors import OptionError, unknown
from scoref.formats.catalogue import ReadOptions
from scoref.formats.folders import is_datasets, is_folder
from scoref.formats.reading import open_file, read_opened
from scoref.metrics import choose_metrics, is_distance, means, usual
from scoref.metrics.base import AnyScore, Score
from scoref.notes import WARNING, note_lines
from scoref.printable import counted, printable
from scoref.scoring.comparable import comparability_notes
from scoref.scoring.dataset_files import (
    CORPUS,
    Failure,
    describe_failure,
    describe_without_key,
    folder_notes,
    pair_files,
    systems_in,
    systems_notes,
)
from scoref.scoring.evaluate import add_trivial, make_comparable, read_key
from scoref.scoring.pipeline import score_corpora
from scoref.scoring.request import Request
from scoref.scoring.results import mean_score, signature_of

if TYPE_CHECKING:
    from collections.abc import (
        Callable,
        Container,
        Generator,
        Iterable,
        Iterator,
        Mapping,
        Sequence,
    )
    from multiprocessing.connection import Connection
    from multiprocessing.process import BaseProcess
    from typing import Unpack

    from scoref.scoring.request import ScoreOptions
    from scoref.scoring.results import Result

    Folder = str | os.PathLike[str]
    Systems = Iterable[Folder] | dict[str, Folder]
    Task = TypeVar("Task")
    Answer = TypeVar("Answer")


COLUMNS: Mapping[str, Mapping[str, str]] = {
    "head": {"match": "head", "singletons": "drop"},
    "partial": {"match": "partial", "singletons": "drop"},
    "exact": {"match": "exact", "singletons": "drop"},
    "singletons": {"match": "head", "singletons": "keep"},
}
"""The columns of the shared task's table, with the conventions that each changes."""

DEFAULT = "default"
"""The only column if none is asked for: the scheme as it is."""


_MISSING = Score(0.0, 0.0, 0.0)

_FAILED_COUNT_AS_0 = (
    "Datasets that could not be scored count as 0 in the macro average."
)


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

    _reported_by = "render.datasets:datasets_report"
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
        """Average F₁ over the datasets that `covered` names; None without any.

        A dataset that is missing or cannot be scored counts as 0. It has no distance,
        so the average of a distance is then None.
        """
        score = self.macro_score(system, column, metric)
        return score.f1 if score.is_defined else None

    def macro_score(self, system: str, column: str, metric: str) -> AnyScore:
        """Average recall, precision and F₁ as `macro` does; undefined without any."""
        scores = [
            self.results[system, name, column].score_by(metric)
            if self.is_scored(system, name, column)
            else _MISSING
            for name in self.covered(system, column, metric)
        ]
        return mean_score([] if is_distance(metric) and _MISSING in scores else scores)

    def covered(self, system: str, column: str, metric: str) -> tuple[str, ...]:
        """Name the datasets in a mean: all but those in which the metric is 0/0."""
        return tuple(
            name
            for name in self.datasets
            if not self.is_scored(system, name, column)
            or self.results[system, name, column].is_defined(metric)
        )

    def signature(self, column: str) -> str:
        """Return the signature of a column; "" without any result.

        Results may differ in formats. If they differ in conventions, `notes` says so.
        """
        results = [each for at, each in self.results.items() if at[2] == column]
        if not results:
            return ""
        signature = signature_of(results)
        is_one = results[0].scheme.folder == "documents"
        return signature if is_one else f"{signature}|datasets:macro"


def score_folders(
    key: str | os.PathLike[str],
    responses: Systems,
    *,
    columns: str | Iterable[str] | None = None,
    jobs: int | None = None,
    **options: Unpack[ScoreOptions],
) -> DatasetResults:
    """Score every system's folder against the key's, dataset by dataset.

    A folder of documents is one dataset, called ``corpus``. This is detected unless
    ``folder`` is given.

    Args:
        key: a folder with a file for each dataset.
        responses: a folder for each system, or a dict of folders by their names. A
            folder of system folders is replaced by its systems.
        columns: columns of the shared task's table, by name: see `COLUMNS`.
        jobs: number of datasets to score at once; by default one per core.
        options: options of `scoref.score`: ``scheme``, ``metrics``, ``match`` …
    """
    if isinstance(responses, str | os.PathLike):
        responses = [responses]
    notes: list[str] = []
    if not isinstance(responses, dict):
        responses = dict(_expand(key, responses, options.get("folder"), notes))
    for path in (key, *responses.values()):
        if not is_folder(path):
            raise OptionError(
                f"'{os.fspath(path)}' is not a folder. Use scoref.score for files"
            )
    request = Request.of(**options)
    results = score_datasets(key, responses, request, columns=columns, jobs=jobs)
    return replace(results, notes=(*notes, *results.notes))


def _expand(
    key: Folder, responses: Iterable[Folder], kind: str | None, notes: list[str]
) -> Iterator[tuple[str, Folder]]:
    """Name systems by their folders; a folder of systems is several.

    Warnings about other files of such a folder are added to ``notes``.
    """
    for path in responses:
        systems = systems_in(Path(path), Path(key), kind)
        if systems:
            messages = systems_notes(os.fspath(path), systems)
            notes += [text for text in messages if text.startswith(WARNING)]
        yield from systems.items() or [(os.fspath(path), path)]


def score_datasets(
    key: str | os.PathLike[str],
    responses: Systems,
    request: Request,
    *,
    columns: str | Iterable[str] | None = None,
    jobs: int | None = None,
    progress: Callable[[str], None] = lambda _: None,
) -> DatasetResults:
    """Score folders as `score_folders` does, and report datasets to ``progress``."""
    names = _column_names(columns)
    named = (
        responses if isinstance(responses, dict) else {each: each for each in responses}
    )
    systems = {str(name): Path(path) for name, path in named.items()}
    if not systems:
        raise OptionError(
            "a folder of keys needs a folder of responses: scoref KEYS RESPONSES"
        )
    failures: list[Failure] = []
    strays: list[str] = []
    detected: list[str] = []
    if is_datasets(key, request.folder):
        pairing = pair_files(Path(key), systems)
        if request.folder is None:
            detected = folder_notes(key, len(pairing.datasets))
        request = request.changed(folder="datasets")
        jobs_to_do = [
            _Job(each.name, each.key, each.responses, request, names)
            for each in pairing.datasets
        ]
        failures += pairing.failures
        strays += pairing.strays
    else:
        request = request.changed(folder="documents")
        jobs_to_do = [_Job(CORPUS, Path(key), systems, request, names)]
    every = usual("texts", "words", "zeros", "anaphora")
    if request.metrics is not None:
        choose_metrics(
            request.metrics, every
        )  # complains before any process is started
    results: dict[tuple[str, str, str], Result] = {}
    refusals: list[OptionError] = []
    for done in _run(jobs_to_do, jobs, progress):
        results |= done.results
        failures += done.failures
        refusals += done.refusals
    if refusals:
        _refuse_unsuitable(names, {place[2] for place in results}, refusals[0])
    order = {job.dataset: place for place, job in enumerate(jobs_to_do)}
    failures.sort(key=lambda failure: (failure.system, order[failure.dataset]))
    # Some formats have more metrics than others: the table has those of all.
    lists = [result.metrics for result in results.values()]
    common = [
        name for name in (lists or [()])[0] if all(name in each for each in lists)
    ]
    return DatasetResults(
        datasets=tuple(order),
        systems=tuple(systems),
        columns=names,
        metrics=tuple(common) or choose_metrics(request.metrics, every),
        results=results,
        failures=tuple(failures),
        notes=(
            *([f"{WARNING}{_FAILED_COUNT_AS_0}"] if failures else []),
            *strays,
            *_comparability_notes(results, names),
            *_note_lines(results),
            *detected,
        ),
    )


def _refuse_unsuitable(
    columns: Sequence[str], scored: Container[str], error: OptionError
) -> None:
    """Refuse options or a column that suit none of the datasets."""
    for column in columns:
        if column in scored:
            continue
        if column == DEFAULT:
            raise error
        raise OptionError(
            f"column '{column}' does not suit these files: {error.problem}",
            hint=error.hint,
        )


def _column_names(columns: str | Iterable[str] | None) -> tuple[str, ...]:
    if columns is None:
        return (DEFAULT,)
    listed = columns.replace(",", " ").split() if isinstance(columns, str) else columns
    names = tuple(dict.fromkeys(listed))
    for name in names:
        if name not in COLUMNS:
            raise unknown("column", name, COLUMNS)
    if not names:
        raise OptionError("columns is empty: name at least one column")
    return names


def _comparability_notes(
    results: Mapping[tuple[str, str, str], Result], columns: Iterable[str]
) -> list[str]:
    """Warn if the datasets or systems of a column have different conventions."""
    notes = [
        note
        for column in columns
        for note in comparability_notes(
            {
                f"{dataset} ({system})": result
                for (system, dataset, own), result in results.items()
                if own == column
            },
            same_key=False,
        )
    ]
    return list(dict.fromkeys(notes))


def _note_lines(results: Mapping[tuple[str, str, str], Result]) -> list[str]:
    """List the notes of all results, each with its files; columns repeat them."""
    notes = []
    for result in results.values():
        # An undefined metric matters if a mean such as the CoNLL score counts it as 0.
        has_partial_mean = any(
            result.is_defined(mean.name) and not all(map(result.is_defined, mean.of))
            for mean in means(result.metrics)
        )
        for note in result.notes:
            if note.kind != "undefined" or has_partial_mean:
                text = note.message.removeprefix(WARNING)
                is_about_key = text.startswith(f"{result.key} ")
                notes.append((result.key if is_about_key else result.response, note))
    files = len({result.response for result in results.values()}) + 1
    return note_lines(notes, of=files)


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
    """The results of one dataset by system, dataset and column, and what failed."""

    dataset: str
    results: dict[tuple[str, str, str], Result] = field(default_factory=dict)
    failures: list[Failure] = field(default_factory=list)
    refusals: list[OptionError] = field(default_factory=list)


_WORTH_A_PROCESS = 1 << 20  # bytes


def _run(
    jobs: list[_Job], limit: int | None, progress: Callable[[str], None]
) -> list[_Done]:
    """Score datasets, several at once if that is worth it, and keep their order."""
    # The size of a key in a zip is not known, and does not matter much.
    size = sum(os.path.getsize(job.key) for job in jobs if job.key.exists())
    workers = min(limit or os.cpu_count() or 1, len(jobs))
    if limit is None and size < _WORTH_A_PROCESS:
        workers = 1
    done: dict[int, _Done] = {}
    for number, answer in _run_each(jobs, workers):
        done[number] = answer
        progress(answer.dataset)
    return [done[number] for number in sorted(done)]


def _run_each(jobs: list[_Job], workers: int) -> Iterator[tuple[int, _Done]]:
    """Score each dataset, and yield its number; in processes if there are several."""
    if workers <= 1:
        yield from enumerate(map(_score, jobs))
        return
    for number, answer in run_apart(_score, jobs, workers):
        if not isinstance(answer, Died):
            yield number, answer
            continue
        job = jobs[number]
        reason = f"the process that scored it {answer}. There may be too little memory"
        failures = [
            Failure(
                system, job.dataset, printable(f"{job.key}: {reason}"), discreet=reason
            )
            for system in job.responses
        ]
        yield number, _Done(job.dataset, failures=failures)


def _score(job: _Job) -> _Done:
    """Score one dataset for all systems, and collect what goes wrong."""
    done, request = _Done(job.dataset), job.request
    with _collecting(done, job.key, job.key, *job.responses):
        opened = open_file(job.key, request.format, folder=request.folder)
        scheme = request.scheme_for(opened.format)
        key = read_key(opened, request, scheme)
        request.metrics_for(key, scheme)  # complains before a response is read
        asked = ReadOptions.of(scheme, "response")
        for system, path in job.responses.items():
            with _collecting(done, job.key, path, system):
                response_file = open_file(
                    path, request.format, key_format=opened.format, folder="documents"
                )
                response = read_opened(response_file, asked)
                for column in job.columns:
                    more = COLUMNS.get(column, {})
                    of_column = request.scheme_for(opened.format, **more)
                    pair = make_comparable(key, response, request, of_column, **more)
                    result = score_corpora(*pair, with_blocks=request.with_blocks)
                    result = add_trivial(result, pair, request)._with_figures()
                    done.results[system, job.dataset, column] = result
    return done


@contextmanager
def _collecting(done: _Done, key: Path, path: Path, *systems: str) -> Iterator[None]:
    """Record what goes wrong with one file, so that the others are still scored.

    Options that do not suit a file may suit the others; if they suit none, that is bad
    usage.
    """
    try:
        yield
    except Exception as error:  # noqa: BLE001 - the other datasets are worth more
        done.refusals += [error] if isinstance(error, OptionError) else []
        message = describe_failure(error, path)
        discreet = describe_without_key(error, path, key)
        done.failures += [
            Failure(system, done.dataset, message, discreet=discreet)
            for system in systems
        ]


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
    function: Callable[[Task], Answer], tasks: Sequence[Task], at_once: int
) -> Generator[tuple[int, Answer | Died], None, None]:
    """Run each task in a process, and yield its number and result when it is done."""
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
                yield number, _receive(connection, process)
    finally:
        for _, process in running.values():
            process.kill()
            process.join()


def _start(
    function: Callable[[Task], Answer], task: Task
) -> tuple[Connection, BaseProcess]:
    ours, theirs = multiprocessing.Pipe(duplex=False)
    process = multiprocessing.Process(
        target=_work, args=(function, task, theirs), daemon=True
    )
    process.start()
    # Only the process holds this end now, so that its death is noticed here.
    theirs.close()
    return ours, process


def _receive(connection: Connection, process: BaseProcess) -> Answer | Died:
    try:
        answer: Answer = connection.recv()
    except EOFError:
        process.join()
        return Died(process.exitcode)
    finally:
        connection.close()
    process.join()
    return answer


def _work(
    function: Callable[[Task], Answer], task: Task, connection: Connection
) -> None:
    """Run a task in the new process, and send its result."""
    # Ctrl-C reaches all processes at once; the one that started them ends them.
    signal.signal(signal.SIGINT, signal.SIG_IGN)

    def end_with_parent() -> None:
        parent = multiprocessing.parent_process()
        if parent is not None:
            parent.join()
            os._exit(1)

    threading.Thread(target=end_with_parent, daemon=True).start()
    connection.send(function(task))
