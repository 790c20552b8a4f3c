"""A submission scored for a board: flat numbers, a page of details, and JSON.

A board stores finite numbers under short ASCII names: one for each dataset, and
averages over all. It would leave a missing dataset out of an average, so the macro
average is a score of its own, in which a missing dataset is 0. A figure that is
undefined (0/0) is not a number, so it is not written. The page that participants see
has the figures by dataset and nothing of the key's text.
"""

from __future__ import annotations

import dataclasses
import json
import os
import re
import tempfile
import unicodedata
from importlib.resources import files
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from scoref.errors import FormatError, OptionError
from scoref.figures import UNDEFINED, percent
from scoref.fingerprint import Fingerprint, label_of
from scoref.formats import reading
from scoref.formats.fingerprints import fingerprint
from scoref.formats.folders import dataset_name, is_datasets
from scoref.markup import STYLE, FigureCell, escaped, listed, policy, shown, table
from scoref.metrics import labels_of, leading_metric
from scoref.notes import WARNING, about
from scoref.printable import printable
from scoref.render import render
from scoref.render.datasets import datasets_report
from scoref.scoring.dataset_files import CORPUS, files_in, named_files
from scoref.scoring.datasets import score_datasets
from scoref.tools.leaderboard.submission import (
    find_submission,
    innermost_folder,
    refuse_systems,
)
from scoref.writing import write_all, writing_to

if TYPE_CHECKING:
    from collections.abc import Container, Iterable

    from scoref.model import Note
    from scoref.render.report import Report
    from scoref.scoring.datasets import DatasetResults
    from scoref.scoring.request import Request


SYSTEM = "submission"


class Board(NamedTuple):
    """A scored submission: the table, the key's fingerprint, failures and notes."""

    report: Report
    key: str
    failures: tuple[str, ...]
    notes: tuple[str, ...]


def score_submission(
    reference: Path,
    submission: Path,
    output: Path,
    wanted: Request,
    columns: str | None = None,
    jobs: int | None = None,
) -> Board:
    """Score a submission, and write the files that a board reads.

    Raises:
        FormatError: nothing could be scored, and nothing was written.
    """
    refuse_output_inside(output, reference, submission)
    with tempfile.TemporaryDirectory(prefix="scoref-") as scratch:
        folder, skipped = find_submission(submission, Path(scratch), reference)
        # Messages name these paths; a path such as 'key' would also be a word of them.
        folder = folder.absolute()
        has_datasets = _has_datasets(reference, wanted)
        strays = []
        if has_datasets:
            refuse_systems(submission, reference)
            strays = _strays(reference, folder)
        # Documents are named by their paths, which begin below such folders.
        keys = (reference if has_datasets else innermost_folder(reference)).absolute()
        try:
            results = score_datasets(
                keys, {SYSTEM: folder}, wanted, columns=columns, jobs=jobs
            )
        except OptionError as error:
            problem = error.problem.replace(f"{keys}{os.sep}", "")
            raise OptionError(_relative(problem, folder), hint=error.hint) from error
    failures = tuple(
        f"{failure.dataset}: {_relative(failure.discreet or failure.message, folder)}"
        for failure in results.failures
    )
    notes = (*skipped, *strays, *_warnings(results, folder))
    if submission.resolve() == reference.resolve():
        notes = (f"{WARNING}The SUBMISSION is the REFERENCE folder itself.", *notes)
    if not results.results:
        raise FormatError(
            "nothing in this submission could be scored: "
            + "; ".join(
                " ".join(text.removeprefix(WARNING).split())
                for text in (*failures, *notes)
            ),
            source=str(submission),
        )
    results = _without_notes(results, has_datasets=has_datasets)
    report = datasets_report(results)
    key = _key_of(reference, wanted)
    _write(output, results, report, key, (failures, notes))
    return Board(report, key, failures, notes)


def board_columns(
    reference: Path, output: Path, wanted: Request, columns: str | None
) -> list[str]:
    """Return the columns of the board: the leading metric, and each dataset.

    The keys are scored against themselves, to see that options and keys go together.

    The list of `--document-names` is for responses, so it is not used here.
    """
    refuse_output_inside(output, reference)
    _has_datasets(reference, wanted)
    changes = {**wanted.changes, "document_names": None}
    results = score_datasets(
        reference,
        {SYSTEM: reference},
        dataclasses.replace(wanted, changes=changes),
        columns=columns,
    )
    for failure in results.failures:
        raise FormatError(
            f"the key of {failure.dataset} cannot be scored with these "
            f"options: {failure.message}",
            source=str(reference),
        )
    return list(flat_scores(results, SYSTEM))[: 1 + len(results.datasets)]


def refuse_output_inside(output: Path, *inputs: Path) -> None:
    """Refuse to write among the files that are read: the next run would read them."""
    place = output.resolve()
    for path in inputs:
        if place.is_relative_to(path.resolve()):
            raise OptionError(
                f"'{output}' is inside '{path}', which is an input. Give another folder"
            )
    if output.exists() and not output.is_dir():
        raise OptionError(f"'{output}' is not a folder. Give a folder for the scores")


def _has_datasets(reference: Path, wanted: Request) -> bool:
    """Return whether the keys are datasets, or the documents of one corpus."""
    if not reference.is_dir():
        raise FormatError(
            "this is not a folder",
            source=str(reference),
            hint="REFERENCE must be a folder with one file for each dataset or "
            "document.",
        )
    return is_datasets(reference, wanted.folder)


def _strays(reference: Path, folder: Path) -> list[str]:
    """Name the participant's files that belong to no dataset."""
    names = {dataset_name(path.name) for path in files_in(reference)}
    return [
        printable(
            f"{WARNING}{path.name} was not scored because no dataset has this name."
        )
        for path in files_in(folder)
        if dataset_name(path.name) not in names
    ]


def _relative(text: str, folder: Path) -> str:
    """Leave out where the submission was unpacked."""
    text = text.replace(f"{folder}{os.sep}", "").replace(f"{folder}: ", "")
    return text.replace(str(folder), "the submission")


_SAFE = frozenset(
    (
        "differing-words",
        "empty-documents",
        "few-common-mentions",
        "ignored-documents",
        "no-common-mentions",
        "no-heads-in-response",
        "no-links",
        "no-mentions",
        "no-singletons",
        "one-entity",
        "same-as-key",
        "shifted-offsets",
        "swapped-files",
    )
)
"""Kinds of notes that count things; `_public_text` removes what they quote."""


def _warnings(results: DatasetResults, folder: Path) -> list[str]:
    """List the notes that participants may see, with the dataset of each."""
    lines = []
    for (_, dataset, _), result in results.results.items():
        for note in result.notes:
            if note.kind in _SAFE:
                text = _relative(
                    _public_text(note).replace(result.key, "the key"), folder
                )
                lines.append(about(dataset, text))
    return list(dict.fromkeys(lines))


def _public_text(note: Note) -> str:
    """Return a message, without the word or document of the key that it quotes."""
    if note.kind == "shifted-offsets":
        before, _, rest = note.message.rpartition("')")
        return f"{before.partition(' (first: ')[0]}{rest}"
    if note.kind != "differing-words":
        return note.message
    before, quote, rest = note.message.partition(" (first: ")
    return f"{before}. {rest.rpartition('). ')[2]}" if quote else before


def _without_notes(results: DatasetResults, *, has_datasets: bool) -> DatasetResults:
    """Leave out notes, which may quote the reference, and its path."""
    quiet = {
        at: dataclasses.replace(
            result._discreet(), key=Path(result.key).name if has_datasets else CORPUS
        )
        for at, result in results.results.items()
    }
    return dataclasses.replace(results, results=quiet, notes=())


def _write(
    output: Path,
    results: DatasetResults,
    report: Report,
    key: str,
    remarks: tuple[tuple[str, ...], tuple[str, ...]],
) -> None:
    """Write all or nothing, the scores last."""
    failures, notes = remarks
    scores = flat_scores(results, SYSTEM)
    whole = json.loads(render(report, "json")) | {"key": key}
    whole |= {"failures": list(failures), "notes": list(notes)}
    texts = {
        "detailed_results.html": details_page(results, SYSTEM, key, remarks),
        "result.json": json.dumps(whole, indent=2) + "\n",
        "scores.txt": "".join(f"{name}: {value}\n" for name, value in scores.items()),
        "scores.json": json.dumps(scores) + "\n",
    }
    with writing_to(output):
        output.mkdir(parents=True, exist_ok=True)
    write_all({output / name: text.encode() for name, text in texts.items()})


def _key_of(reference: Path, wanted: Request) -> str:
    """Take the fingerprint of all keys as one; none if one of them cannot be read."""
    paths = named_files(reference, wanted.folder).values()
    try:
        prints = [
            fingerprint(
                reading.read(
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


LONGEST = 36
"""The largest number of characters in the name of a column."""

_STRANGE = re.compile(r"[^A-Za-z0-9]+")

_DECIMALS = 4


def flat_scores(results: DatasetResults, system: str) -> dict[str, float]:
    """Return percentages by column: the leading metric, datasets, then the rest."""
    first, main = results.columns[0], leading_metric(results.metrics)
    scores: dict[str, float | None] = {
        column_name(main): results.macro(system, first, main)
    }
    for dataset in results.datasets:
        name = _unused(column_name(dataset), scores)
        is_scored = results.is_scored(system, dataset, first)
        scores[name] = results.f1(system, dataset, first, main) if is_scored else 0.0
    for column in results.columns[1:]:
        name = _unused(column_name(f"{main}_{column}"), scores)
        scores[name] = results.macro(system, column, main)
    for metric in results.metrics:
        if metric != main:
            name = _unused(column_name(metric), scores)
            scores[name] = results.macro(system, first, metric)
    return {
        name: round(100 * value, _DECIMALS)
        for name, value in scores.items()
        if value is not None
    }


def column_name(name: str) -> str:
    """Make a name that a board takes: ASCII, with underscores, and not too long.

    >>> column_name("ca_ancora-corefud"), column_name("B³")
    ('ca_ancora_corefud', 'B3')
    """
    plain = unicodedata.normalize("NFKD", name).encode("ascii", "ignore").decode()
    return _STRANGE.sub("_", plain).strip("_")[:LONGEST] or "score"


def _unused(name: str, taken: Container[str]) -> str:
    """Add a number to a name that is taken."""
    number, tried = 1, name
    while tried in taken:
        number += 1
        tried = f"{name[: LONGEST - len(str(number)) - 1]}_{number}"
    return tried


_STYLE = """
:root { color-scheme: light dark; }
body { background: light-dark(#fbfaf8, #17181a); color: light-dark(#1f1e1c, #e9e6e1);
  font: 16px/1.55 ui-sans-serif, system-ui, "Noto Sans", sans-serif;
  margin: 0 auto; max-width: 74rem; padding: 2rem clamp(1rem, 4vw, 2rem); }
h1 { font: 600 1.6rem/1.25 Charter, "Noto Serif", Georgia, serif; margin: 0 0 1rem; }
h2 { font-size: 1.2rem; font-weight: 600; }
:root { --paper: light-dark(#fbfaf8, #17181a); --shade: light-dark(#0003, #fff3);
  --faint: light-dark(#63605a, #a19d96); }
.scroll { background:
    linear-gradient(var(--paper), var(--paper)) 0 0 / 1rem 100% no-repeat local,
    linear-gradient(var(--paper), var(--paper)) 100% 0 / 1rem 100% no-repeat local,
    linear-gradient(to right, var(--shade), transparent) 0 0 / 0.8rem 100% no-repeat,
    linear-gradient(to left, var(--shade), transparent) 100% 0 / 0.8rem 100% no-repeat;
  overflow-x: auto; }
.scoref-shown table { font-size: 0.9375rem; }
main .scoref-shown thead th { color: var(--faint); font-size: 0.8125rem; }
.scoref-shown tbody th { font-weight: 500; }
.scoref-shown tbody > tr:not(:last-child) > * {
  border-bottom: 1px solid light-dark(#dedad2, #37383b); }
.scoref-shown tr.total > * { border-top: 1px solid; font-weight: 600; }
main .scoref-shown td small { color: var(--faint); font-size: 0.75rem; opacity: 1; }
main .scoref-shown code { background: light-dark(#f0eeeb, #212224); display: block;
  border-radius: 0.3rem; font-size: 0.8125rem; margin-bottom: 0.5rem;
  padding: 0.5rem 0.75rem; }
"""
"""The page has the colours and the fonts of reports."""


def details_page(
    results: DatasetResults,
    system: str,
    key: str,
    remarks: tuple[Iterable[str], Iterable[str]],
) -> str:
    """Write the page: a table for each column of the task, failures, signatures.

    ``remarks`` are failures and notes.
    """
    failures, notes = remarks
    missing = listed(failures)
    tables = [_table(results, system, column) for column in results.columns]
    tables += [f"<h2>Counted as 0</h2>{missing}"] if missing else []
    tables.append("<h2>How it was scored</h2>")
    signatures = [*map(results.signature, results.columns), f"key:{key}"]
    return template("details.html").format(
        policy=policy("", _STYLE, STYLE),
        style=_STYLE,
        body=shown(*tables, signatures=signatures, notes=notes),
    )


def _table(results: DatasetResults, system: str, column: str) -> str:
    """Make a table with a row for each dataset, and one with the means."""
    any_result = next(iter(results.results.values()))
    labels = labels_of(any_result.scheme, list(results.metrics))
    rows: list[list[str | FigureCell]] = []
    for dataset in results.datasets:
        figures: list[str | FigureCell] = [
            _percent(results.f1(system, dataset, column, name))
            for name in results.metrics
        ]
        if not results.is_scored(system, dataset, column):
            figures = [FigureCell("0.00", below="missing")] * len(figures)
        rows.append([dataset, *figures])
    means = [results.macro(system, column, name) for name in results.metrics]
    counts = [len(results.covered(system, column, name)) for name in results.metrics]
    rows.append(["datasets in the average", *map(str, counts)])
    rows.append(["macro average", *map(_percent, means)])
    title = "" if len(results.columns) == 1 else f"<h2>{escaped(column)}</h2>"
    header = ["F₁", *(labels[name] for name in results.metrics)]
    content = table(header, rows, last="total")
    return f'{title}<div class="scroll" tabindex="0">{content}</div>'


def _percent(value: float | None) -> str:
    return UNDEFINED if value is None else percent(value)


def template(name: str) -> str:
    """Read a text in which names in braces are replaced."""
    folder = files(__package__) / "templates"
    return (folder / name).read_text(encoding="utf-8")
