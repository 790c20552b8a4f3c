"""Folders of datasets: a command goes through all of them, even if one fails."""

from __future__ import annotations

import os
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

from scoref.errors import OptionError
from scoref.formats.folders import is_datasets, special_files
from scoref.render.report import Unscored
from scoref.terminal.printing import print_notes, tell
from scoref.terminal.running import MissingParts

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence

    from scoref.scoring.dataset_files import Dataset


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
            are = "file is" if count == 1 else "files are"
            raise MissingParts(f"{count} {are} left out; see above")


def paired(
    key: str, systems: Mapping[str, str], attempts: Attempts, folder: str | None = None
) -> Sequence[Dataset]:
    """List the datasets of a key's folder, and print which files systems lack.

    ``folder`` is what the user calls the folder's files.
    """
    from scoref.scoring.dataset_files import (
        folder_notes,
        pair_files,
    )  # folders are rare

    if not systems:
        raise OptionError("a folder of keys needs a folder of responses beside it")
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
    from scoref.scoring.dataset_files import named_files  # folders are rare

    given = list(named)
    directories = {path for _, path in given if os.path.isdir(path)}
    if folder and not directories:
        raise OptionError(f"--folder {folder} is for folders, and there is none")
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
