"""What `scoref` does with its options; loads the numerical libraries."""

from __future__ import annotations

import math
import os
import sys
from contextlib import contextmanager
from typing import TYPE_CHECKING, NamedTuple

import click

from scoref.cli._running import BelowThreshold, MissingParts
from scoref.errors import OptionError
from scoref.evaluate import score_files
from scoref.reports import render

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator

    from scoref.evaluate import Wanted


class Request(NamedTuple):
    """What is to be scored, and how it is to be shown."""

    key: str
    responses: tuple[str, ...]
    wanted: Wanted
    output: str
    per_document: bool
    score_only: bool
    fail_under: float | None
    columns: str | None
    jobs: int | None


def run(request: Request) -> None:
    """Score files, or folders of them, and print the report."""
    if request.score_only and (request.per_document or request.output != "text"):
        raise OptionError("--score-only prints one number and nothing else")
    if request.fail_under is not None and math.isnan(request.fail_under):
        raise OptionError("--fail-under needs a number, not nan")
    if [request.key, *request.responses].count("-") > 1:
        raise OptionError("standard input can be read once only")
    if os.path.isdir(request.key):  # noqa: PTH112 - pathlib takes 5 ms to load
        _folders(request)
    elif request.columns or request.jobs:
        raise OptionError("--columns and --jobs are for folders of datasets")
    else:
        _files(request)


def _files(request: Request) -> None:
    scored = score_files(request.key, request.responses, request.wanted)
    with _progress(len(request.responses)) as step:
        results = []
        for result in scored:
            results.append(result)
            step()
    wants_one = request.score_only or request.fail_under is not None
    metric = _single(results[0].metrics) if wants_one else ""
    figures = [(each.response, each.scores[metric].f1) for each in results if metric]
    if request.score_only:
        _print_numbers(figures)
    else:
        report = render(request.output, results, per_document=request.per_document)
        click.echo(_coloured(report) if request.output == "text" else report)
    if request.score_only or request.output == "csv":
        _notes(note.message for result in results for note in result.notes)
    _check_threshold(figures, metric, request.fail_under)


def _folders(request: Request) -> None:
    # Loaded for folders only: most runs are two files.
    from scoref.datasets import score_datasets  # noqa: PLC0415
    from scoref.reports.datasets import render_folders, shown_metric  # noqa: PLC0415

    if request.per_document:
        raise OptionError("--per-document is for files, not for folders")
    changes = request.wanted.changes
    if request.columns and (changes["match"] or changes["singletons"]):
        raise OptionError("--columns sets --match and --singletons itself")
    with _progress(len(os.listdir(request.key))) as step:  # noqa: PTH208
        results = score_datasets(
            request.key,
            request.responses,
            request.wanted,
            columns=request.columns,
            jobs=request.jobs,
            progress=lambda _: step(),
        )
    metric = shown_metric(results)
    column = results.columns[0]
    figures = [(each, results.macro(each, column, metric)) for each in results.systems]
    if request.score_only:
        _print_numbers(figures)
        _notes(failure.message for failure in results.failures)
    else:
        report = render_folders(results, request.output)
        click.echo(_coloured(report) if request.output == "text" else report)
    _check_threshold(figures, metric, request.fail_under)
    if results.failures:
        count = len(results.failures)
        raise MissingParts(f"{count} of the files could not be scored; see above")


@contextmanager
def _progress(length: int) -> Iterator[Callable[[], None]]:
    """Show how far it is, on a terminal, and if there is more than one step."""
    if length <= 1 or not sys.stderr.isatty():
        yield lambda: None
        return
    with click.progressbar(length=length, label="scoring", file=sys.stderr) as bar:
        yield lambda: bar.update(1)


def _single(metrics: tuple[str, ...]) -> str:
    if "conll" in metrics:
        return "conll"
    if len(metrics) == 1:
        return metrics[0]
    raise OptionError("one number is wanted, so ask for one metric, or for conll")


def _print_numbers(figures: list[tuple[str, float]]) -> None:
    for _, value in figures:
        click.echo(f"{100 * value:.2f}")


def _notes(messages: Iterable[str]) -> None:
    for message in dict.fromkeys(messages):
        click.echo(f"note: {message}", err=True)


def _check_threshold(
    figures: list[tuple[str, float]], metric: str, threshold: float | None
) -> None:
    if threshold is None:
        return
    least = threshold if threshold <= 1 else threshold / 100
    for response, value in figures:
        if value < least:
            raise BelowThreshold(
                f"{response}: {metric} is {100 * value:.2f}, below {100 * least:.2f}"
            )


def _coloured(report: str) -> str:
    """Make the header stand out; `click.echo` drops colours where nobody sees them."""
    header, newline, rest = report.partition("\n")
    return click.style(header, bold=True) + newline + rest
