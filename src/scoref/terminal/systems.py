"""Systems on the command line, and what the scoring commands share.

A system is given as a path or as NAME=PATH. Several paths, with commas between them,
are runs of the system or folds of a corpus. Scoring commands share the choice of
intervals and the output of one number.

`Attempts` lets a command go through all datasets of a folder, even if one fails.
"""

from __future__ import annotations

import os
from contextlib import contextmanager
from dataclasses import replace
from typing import TYPE_CHECKING, TypedDict

from scoref.classes import NamedTuple
from scoref.errors import OptionError
from scoref.figures import UNDEFINED, figure
from scoref.formats.folders import is_datasets, is_folder, special_files
from scoref.render.report import Unscored
from scoref.terminal.printing import print_notes, tell
from scoref.terminal.running import MissingParts
from scoref.writing import STANDARD

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence

    from scoref.scoring.dataset_files import Dataset
    from scoref.scoring.request import Request
    from scoref.scoring.results import Result
    from scoref.statistics.bootstrap import Method
    from scoref.statistics.confidence import Confidence, Unit


def named(responses: Iterable[str]) -> list[tuple[str, str]]:
    """Split NAME=PATH; a path without a name is its own name."""
    systems: list[tuple[str, str]] = []
    for response in responses:
        name, equals, path = response.partition("=")
        if not equals or not name or not path or os.path.exists(response):
            name, path = response, response
        systems.append((name, path))
    return systems


def runs_of(path: str) -> tuple[str, ...]:
    """Split PATH,PATH into paths; a path that exists may have commas of its own."""
    parts = path.split(",")
    if len(parts) == 1 or os.path.exists(path):
        return (path,)
    paths: list[str] = []
    while parts:
        ends = range(len(parts), 0, -1)
        end = next((n for n in ends if os.path.exists(",".join(parts[:n]))), 1)
        paths.append(",".join(parts[:end]))
        parts = parts[end:]
    is_list = any(part == STANDARD or os.path.exists(part) for part in paths)
    if is_list and not all(paths):
        raise OptionError(f"'{path}' has a comma without a path")
    return tuple(paths) if is_list else (path,)


def refuse_runs(responses: Iterable[str], what: str) -> None:
    """Refuse several runs of a system where there can be one only."""
    for name, path in named(responses):
        if len(paths := runs_of(path)) > 1:
            raise OptionError(
                f"{what} cannot be combined with several runs of a system, but {name} "
                f"has {len(paths)} paths. Give one path for each system"
            )


def by_name(responses: Iterable[str], what: str = "systems") -> dict[str, str]:
    """Return paths by name; no two systems, or annotators, may have the same name."""
    systems: dict[str, str] = {}
    for name, path in named(responses):
        if name in systems:
            raise OptionError(
                f"two {what} have the same name, '{name}'. Name one of them "
                "differently: NAME=FILE"
            )
        systems[name] = path
    return systems


def with_system_folders(
    key: str,
    responses: Iterable[str],
    folder: str | None = None,
    note: Callable[[str], None] = lambda message: print_notes([message]),
) -> tuple[str, ...]:
    """Replace a folder of system folders by its systems, as NAME=PATH.

    ``folder`` is what the user calls the files of the key. ``note`` receives a note on
    each folder that was replaced.
    """
    systems: list[str] = []
    for name, path in named(responses):
        if name != path or not is_folder(path):
            systems.append(path if name == path else f"{name}={path}")
            continue
        from pathlib import Path  # folders are rare

        from scoref.scoring.dataset_files import systems_in, systems_notes

        inside = systems_in(Path(path), Path(key), folder)
        for message in systems_notes(path, inside) if inside else ():
            note(message)
        systems += [f"{system}={place}" for system, place in inside.items()] or [path]
    return tuple(systems)


def score_named(
    key: str, responses: Iterable[str], request: Request
) -> Iterator[Result]:
    """Score each response; its result has the name of the system."""
    from scoref.scoring.evaluate import add_trivial, read_systems  # they load NumPy
    from scoref.scoring.pipeline import score_corpora

    names = named(responses)
    # A file may be given twice, but a name is for one file.
    by_name(f"{name}={path}" for name, path in dict.fromkeys(names))
    runs = [runs_of(path) for _, path in names]
    if request.with_trivial and any(len(paths) > 1 for paths in runs):
        raise OptionError("--trivial cannot be combined with several runs or folds")
    systems = read_systems(key, runs, request)
    for system, (name, path) in zip(systems, names or [("", "")], strict=True):
        results = []
        for pair in system.pairs:
            scored = score_corpora(*pair, with_blocks=request.with_blocks)
            results.append(add_trivial(scored, pair, request))
        result = system.join(results)
        yield result if name == path else replace(result, response=name)


class ChanceOptions(TypedDict):
    """The options of intervals."""

    level: float
    method: Method
    resamples: int
    seed: int
    unit: Unit


class Chance(NamedTuple):
    """Which intervals to compute, and how."""

    level: float | None
    bootstrap: str
    resamples: int
    seed: int
    unit: str

    def confidence(self, result: Result) -> Confidence:
        """Compute the intervals of a result."""
        from scoref.statistics.confidence import confidence

        return confidence(result, **self._options())

    def macro_confidence(self, results: Sequence[Result]) -> Confidence:
        """Compute the intervals of the mean over datasets."""
        from scoref.statistics.confidence import macro_confidence

        return macro_confidence(results, **self._options())

    def _options(self) -> ChanceOptions:
        from scoref.statistics.confidence import method_named

        return {
            "level": self.level or 95,
            "method": method_named(self.bootstrap),
            "resamples": self.resamples,
            "seed": self.seed,
            "unit": "entities" if self.unit == "entities" else "documents",
        }


def single_of(metrics: tuple[str, ...]) -> str:
    """Choose the metric of the one number to print."""
    if "conll" in metrics:
        return "conll"
    if len(metrics) == 1:
        return metrics[0]
    if all(name.startswith("bridging") for name in metrics):
        return "bridging-entities"
    raise OptionError("--score-only needs exactly one metric, or conll")


def print_numbers(
    figures: Sequence[tuple[str, float | None]], metric: str, precision: int
) -> None:
    """Print one number for each response, written as in the table of scores."""
    for _, value in figures:
        tell(UNDEFINED if value is None else figure(metric, value, precision))


class Attempts:
    """Continues after errors with some of many files, and exits with an error."""

    def __init__(self) -> None:
        self.losses: list[Unscored] = []
        self._done = 0
        self._refusals: list[tuple[OptionError, Unscored]] = []

    @contextmanager
    def trying(
        self, path: str, dataset: str | None = None, response: str | None = None
    ) -> Iterator[None]:
        """Record what goes wrong with a file, so that the others are still used."""
        from scoref.scoring.dataset_files import describe_failure  # folders are rare

        try:
            yield
            self._done += 1
        except OptionError as error:
            loss = Unscored(dataset or path, response, describe_failure(error, path))
            self._refusals.append((error, loss))
        except Exception as error:  # noqa: BLE001 - the others are worth more
            self.fail(
                Unscored(dataset or path, response, describe_failure(error, path))
            )

    def fail(self, loss: Unscored) -> None:
        """Print and record a failure."""
        self.losses.append(loss)
        tell(f"error: {loss.message}", err=True)

    def settle(self) -> None:
        """Raise the first refused option if no file was accepted, or record them."""
        if self._refusals and not self._done:
            raise self._refusals[0][0]
        for _, loss in self._refusals:
            self.fail(loss)
        self._refusals.clear()

    def finish(self) -> None:
        """Exit with an error if there was one."""
        self.settle()
        if self.losses:
            count = len(self.losses)
            are = "file was" if count == 1 else "files were"
            raise MissingParts(f"{count:,} {are} skipped. See the errors above")


def paired(
    key: str, systems: Mapping[str, str], attempts: Attempts, folder: str | None = None
) -> Sequence[Dataset]:
    """List the datasets of a key's folder, and print which files systems lack.

    ``folder`` is what the user calls the folder's files.
    """
    from pathlib import Path  # folders are rare

    from scoref.scoring.dataset_files import folder_notes, pair_files

    if not systems:
        raise OptionError("the key is a folder. Give a folder of responses, too")
    pairing = pair_files(
        Path(key), {name: Path(path) for name, path in systems.items()}
    )
    for failure in pairing.failures:
        attempts.fail(Unscored(failure.dataset, failure.system, failure.message))
    detected = [] if folder else folder_notes(key, len(pairing.datasets))
    print_notes([*detected, *pairing.strays])
    return pairing.datasets


def expanded(
    named: Iterable[tuple[str, str]], folder: str | None = None
) -> list[tuple[str, str]]:
    """Replace folders of datasets by their files, named by their datasets.

    A folder of documents stays as it is. ``folder`` is what the user calls its files.
    """
    from pathlib import Path  # folders are rare

    from scoref.scoring.dataset_files import named_files

    given = list(named)
    directories = {path for _, path in given if is_folder(path)}
    if folder and not directories:
        raise OptionError(f"--folder {folder} needs folders, but only files were given")
    datasets = {path for path in directories if is_datasets(path, folder)}
    folders = sum(path in datasets for _, path in given)
    expanded_files: list[tuple[str, str]] = []
    for name, path in given:
        if path not in datasets:
            expanded_files.append((name, path))
            continue
        prefix = "" if folders == len(given) == 1 else f"{name.rstrip(os.sep)}/"
        print_notes(special_files(path))
        files = named_files(Path(path), "datasets").items()
        expanded_files += [(f"{prefix}{label}", str(file)) for label, file in files]
    return expanded_files
