"""A submission scored for a board: numbers, a page of details, all of it as JSON."""

from __future__ import annotations

import dataclasses
import json
import tempfile
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from scoref import formats
from scoref.errors import FormatError
from scoref.fingerprint import Fingerprint
from scoref.formats.fingerprints import fingerprint
from scoref.render import render
from scoref.render.datasets import datasets_report
from scoref.scoring.datasets import score_datasets
from scoref.scoring.folders import named_files
from scoref.scoring.registry import label_of
from scoref.tools.leaderboard.details import details
from scoref.tools.leaderboard.scores import flat_scores
from scoref.tools.leaderboard.submission import find_submission
from scoref.writing import write_all

if TYPE_CHECKING:
    from scoref.render.report import Report
    from scoref.scoring.datasets import DatasetResults
    from scoref.scoring.evaluate import Wanted

SYSTEM = "submission"


class Board(NamedTuple):
    """What came out: the table, which key it was, and what could not be scored."""

    report: Report
    key: str
    failures: tuple[str, ...]


def score_submission(  # noqa: PLR0913, PLR0917 - three places, and how to score
    reference: Path,
    submission: Path,
    output: Path,
    wanted: Wanted,
    columns: str | None = None,
    jobs: int | None = None,
) -> Board:
    """Score what was handed in, and write what a board reads.

    Raises:
        FormatError: nothing could be scored, and nothing was written.
    """
    with tempfile.TemporaryDirectory(prefix="scoref-") as scratch:
        found = find_submission(submission, Path(scratch), reference)
        results = score_datasets(
            reference, {SYSTEM: found}, wanted, columns=columns, jobs=jobs
        )
    told = ((each.dataset, each.discreet or each.message) for each in results.failures)
    # Where a zip was unpacked is nobody's business.
    failures = tuple(f"{name}: {text.replace(f'{found}/', '')}" for name, text in told)
    if not results.results:
        raise FormatError(
            "nothing of this submission could be scored: " + "; ".join(failures),
            source=str(submission),
        )
    results = _quiet(results)
    report = datasets_report(results)
    key = _key_of(reference, wanted)
    _write(output, results, report, key, failures)
    return Board(report, key, failures)


def _quiet(results: DatasetResults) -> DatasetResults:
    """Leave out notes, which may quote words of the reference."""
    found = {at: each.discreet() for at, each in results.results.items()}
    return dataclasses.replace(results, results=found, notes=())


def _write(
    output: Path,
    results: DatasetResults,
    report: Report,
    key: str,
    failures: tuple[str, ...],
) -> None:
    """Write all or nothing, the scores last."""
    scores = flat_scores(results, SYSTEM)
    whole = json.loads(render(report, "json")) | {"key": key}
    whole["failures"] = list(failures)
    texts = {
        "detailed_results.html": details(results, SYSTEM, key, failures),
        "result.json": json.dumps(whole, indent=2) + "\n",
        "scores.txt": "".join(f"{name}: {value}\n" for name, value in scores.items()),
        "scores.json": json.dumps(scores) + "\n",
    }
    output.mkdir(parents=True, exist_ok=True)
    write_all({output / name: text.encode() for name, text in texts.items()})


def _key_of(reference: Path, wanted: Wanted) -> str:
    """Take the fingerprint of all keys as one; none if one of them cannot be read."""
    paths = named_files(reference, wanted.folder).values()
    try:
        prints = [
            fingerprint(
                formats.read(
                    path,
                    role="key",
                    format=wanted.format,
                    with_tokens=True,
                    folder="documents",
                )
            )
            for path in paths
        ]
    except FormatError:
        return "unknown"
    return label_of(Fingerprint.joined(prints))
