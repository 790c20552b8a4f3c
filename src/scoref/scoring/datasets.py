"""Many datasets and many systems: folders of keys and of responses.

A file of the key's folder is a dataset. A system is a folder with a file for each
dataset, paired by name: `xx_name-corefud-dev.conllu` with itself, or with a key
that has `.gold` in its name. Each file is read once, however many set-ups it is
scored by, and datasets are scored in parallel.

A dataset that a system lacks, or cannot be scored, counts as 0 in the system's
macro average, as in the CRAC shared tasks, and is named. A dataset with nothing to
score by a metric, such as one without zeros, is left out of that metric's average.
"""

from __future__ import annotations

import math
import os
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import TYPE_CHECKING

from scoref import formats
from scoref.displayed import Displayed
from scoref.document_names import mapped
from scoref.errors import OptionError, unknown
from scoref.figures import counted
from scoref.formats import is_datasets
from scoref.metrics import chosen, means, usual
from scoref.notes import WARNING, note_lines
from scoref.printable import printable
from scoref.scoring.evaluate import Wanted, read_key, settled
from scoref.scoring.folders import (
    CORPUS,
    Failure,
    discreet,
    folder_notes,
    mishap,
    pair_files,
)
from scoref.scoring.pipeline import score_corpora

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Mapping
    from typing import Unpack

    from scoref.model import Corpus, Note
    from scoref.scoring.evaluate import Request
    from scoref.scoring.results import Result

    Folder = str | os.PathLike[str]
    Systems = Iterable[Folder] | dict[str, Folder]

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
    wanted: Wanted
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
    **options: Unpack[Request],
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
        if not os.path.isdir(path):  # noqa: PTH112
            raise OptionError(
                f"'{os.fspath(path)}' is not a folder; scoref.score scores files"
            )
    wanted = Wanted.of(**options)
    return score_datasets(key, responses, wanted, columns=columns, jobs=jobs)


def score_datasets(  # noqa: PLR0913 - two sides, and how to go about it
    key: str | os.PathLike[str],
    responses: Systems,
    wanted: Wanted,
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
    if is_datasets(key, wanted.folder):
        is_detected = wanted.folder is None
        wanted = wanted.changed(folder="datasets")
        work, failures, strays = _jobs(Path(key), systems, wanted, names)
        detected = folder_notes(key, len(work)) if is_detected else []
    else:
        wanted = wanted.changed(folder="documents")
        work = [_Job(CORPUS, Path(key), systems, wanted, names)]
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
        metrics=metrics or chosen(wanted.metrics, _EVERY),
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
    key: Path, systems: dict[str, Path], wanted: Wanted, columns: tuple[str, ...]
) -> tuple[list[_Job], list[Failure], list[str]]:
    paired = pair_files(key, systems)
    jobs = [
        _Job(each.name, each.key, each.responses, wanted, columns)
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
    from scoref.processes import Died, run_apart  # noqa: PLC0415 - 20 ms

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
        key, name = read_key(job.key, job.wanted)
        base = job.wanted.scheme_for(name)
        job.wanted.metrics_for(key, base)  # complains before a response is read
        for system, path in job.responses.items():
            with _failing(done, job.key, path, system):
                response = formats.read_response(
                    path,
                    format=job.wanted.format,
                    key_format=name,
                    reading=base.reading,
                    layer=base.layer,
                    narrowed=formats.Narrowed.by(base),
                    folder="documents",
                )
                wanted = _with_own_names(job.wanted, key, response)
                for column in job.columns:
                    more = COLUMNS.get(column, {})
                    pair = settled(key, response, wanted, name, **more)
                    result = score_corpora(*pair)
                    done.results[system, job.dataset, column] = result
    return done


def _with_own_names(wanted: Wanted, key: Corpus, response: Corpus) -> Wanted:
    """Keep the document names of this dataset, of a list that names those of all."""
    given = wanted.changes.get("document_names")
    if given is None:
        return wanted
    names = mapped(given)  # type: ignore[arg-type] # what `resolve` takes
    here = {
        name
        for side in (key, response)
        for document in side.documents
        for name in (document.name, *document.aliases)
    }
    listed = tuple(pair for pair in names.listed if not here.isdisjoint(pair))
    own = names._replace(listed=listed)
    return replace(wanted, changes={**wanted.changes, "document_names": own})


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
