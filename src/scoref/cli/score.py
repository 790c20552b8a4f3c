"""The command `scoref score`, which `scoref` runs if no command is named.

The module loads the numerical libraries.
"""

from __future__ import annotations

import math
import os
from dataclasses import replace
from typing import TYPE_CHECKING, NamedTuple

from scoref.cli import command as scoref
from scoref.errors import OptionError
from scoref.formats.folders import is_datasets
from scoref.formats.input_files import refuse_second_reading
from scoref.metrics import leading_metric
from scoref.render.scores import ScoreView, notes_of, score_report
from scoref.scoring.evaluate import slice_files, window_files
from scoref.terminal.options import ScoringCommand
from scoref.terminal.printing import (
    print_failures,
    print_notes,
    print_report,
    scoring_steps,
)
from scoref.terminal.running import MissingParts
from scoref.terminal.systems import (
    by_name,
    check_threshold,
    named,
    print_numbers,
    score_named,
    single_of,
)

if TYPE_CHECKING:
    from collections.abc import Iterable

    from scoref.scoring.evaluate import Wanted
    from scoref.scoring.results import Result
    from scoref.terminal.systems import Chance
    from scoref.tools.published import PlacedTable


class ScoringRequest(NamedTuple):
    """What is to be scored, and how it is to be shown."""

    key: str
    responses: tuple[str, ...]
    wanted: Wanted
    fingerprint: bool
    save: str | None
    output: str
    precision: int
    per_document: bool
    score_only: bool
    fail_under: float | None
    columns: str | None
    jobs: int | None
    chance: Chance | None
    beside: str | None
    by: str | None
    window: str | None
    plot: str | None


def run(request: ScoringRequest) -> None:
    """Score files, or folders of them, and print the report."""
    request = request._replace(wanted=_wanted(request))
    if request.score_only and (request.per_document or request.output != "text"):
        raise OptionError("--score-only prints one number and nothing else")
    if request.fail_under is not None and math.isnan(request.fail_under):
        raise OptionError("--fail-under needs a number, not nan")
    _check_extras(request)
    refuse_second_reading(
        [request.key, *(each for _, each in named(request.responses))]
    )
    if is_datasets(request.key, request.wanted.folder):
        _folders(request)
    elif request.columns or request.jobs:
        hint = "--folder datasets scores each file of a folder as a dataset"
        raise OptionError(
            "--columns and --jobs are for folders of datasets",
            hint=hint if os.path.isdir(request.key) else "",
        )
    elif request.by is not None:
        _slices(request)
    elif request.window is not None:
        _windows(request)
    else:
        _files(request)


def _wanted(request: ScoringRequest) -> Wanted:
    """Add to what is wanted what other options need."""
    is_named = bool(request.fingerprint or request.save or request.beside)
    wanted = replace(request.wanted, with_fingerprint=is_named)
    if request.chance and request.chance.unit == "entities":
        wanted = replace(wanted, with_blocks=True)
    if request.beside and wanted.scheme is None:
        from scoref.tools.published import table

        wanted = replace(wanted, scheme=table(request.beside).scheme)
    return wanted


def _check_extras(request: ScoringRequest) -> None:
    """Refuse what does not go together, and what cannot be drawn, before scoring."""
    if request.plot:
        from scoref.render.plots import check_plot

        check_plot(request.plot)
    if request.save and (len(request.responses) > 1 or request.by or request.window):
        raise OptionError("--save keeps the result of one response, as a whole")
    if request.plot and not request.chance:
        raise OptionError("--plot draws intervals: add --confidence")
    _check_tables(request)
    if request.chance and (request.per_document or request.beside):
        raise OptionError(
            "--confidence is about the corpus: not with --per-document or --beside"
        )
    if request.score_only and (request.chance or request.beside):
        raise OptionError("--score-only prints one number and nothing else")
    if request.beside and request.per_document:
        raise OptionError("--beside shows the whole corpus: not with --per-document")
    if request.beside and len(request.responses) != 1:
        raise OptionError("--beside puts one response into a table")


def _check_tables(request: ScoringRequest) -> None:
    """Refuse what does not go with --by and --window."""
    is_one_number = request.score_only or request.fail_under is not None
    others = request.chance or request.beside or is_one_number
    if request.window is not None and request.chance:
        raise OptionError(
            "windows of one text are no independent documents, so that intervals over "
            "them would be too narrow: not --window with --confidence"
        )
    if request.window is not None and (request.by is not None or others):
        raise OptionError("--window makes a table of its own: leave the others out")
    if request.by is not None and (request.per_document or others):
        raise OptionError("--by makes a table of its own: leave the others out")


def _files(request: ScoringRequest) -> None:
    scored = score_named(request.key, request.responses, request.wanted)
    with scoring_steps(len(request.responses)) as step:
        results = []
        for result in scored:
            results.append(result)
            step()
    if request.save:
        from scoref.scoring.saved import save_result

        save_result(results[0], request.save)
    wants_one = request.score_only or request.fail_under is not None
    metric = single_of(results[0].metrics) if wants_one else ""
    figures = [(each.response, each.scores[metric].f1) for each in results if metric]
    if request.score_only:
        print_numbers(figures, metric)
        print_notes(notes_of(results, ScoreView()))
    elif request.beside:
        _beside(request, results[0])
    else:
        _report(request, results)
    check_threshold(figures, metric, request.fail_under)


def _report(request: ScoringRequest, results: list[Result]) -> None:
    chance = request.chance
    found = tuple(map(chance.confidence, results)) if chance else ()
    if request.plot:
        from scoref.render.plots import plot_intervals  # Matplotlib

        each = zip(results, found, strict=True)
        systems = {pair[0].response: pair for pair in each}
        plot_intervals(request.plot, systems, leading_metric(results[0].metrics))
    view = ScoreView(request.per_document, request.precision, found)
    print_report(score_report(results, view), request.output)


def _slices(request: ScoringRequest) -> None:
    from scoref.render.breakdowns import slices_report

    assert request.by is not None
    names = by_name(request.responses)
    sliced = slice_files(request.key, names.values(), request.wanted, request.by)
    found = dict(zip([*names] or [request.key], sliced, strict=True))
    print_report(slices_report(found, request.by, request.precision), request.output)


def _windows(request: ScoringRequest) -> None:
    from scoref.render.breakdowns import windows_report
    from scoref.scoring.windows import Window

    assert request.window is not None
    window = Window.of(request.window)
    names = by_name(request.responses)
    scored = window_files(request.key, names.values(), request.wanted, request.window)
    found = dict(zip([*names] or [request.key], scored, strict=True))
    view = ScoreView(request.per_document, request.precision)
    print_report(windows_report(found, window, view), request.output)


def _beside(request: ScoringRequest, result: Result) -> None:
    from scoref.tools.published import beside  # data, seldom wanted

    assert request.beside is not None
    placed = beside(result, request.beside, result.response)
    _print_placed(placed, request, [note.message for note in result.notes])


def _print_placed(
    placed: PlacedTable, request: ScoringRequest, notes: Iterable[str]
) -> None:
    from scoref.tools.published.command import placed_report

    print_report(placed_report(placed, request.output, notes), request.output)


def _folders(request: ScoringRequest) -> None:
    # Loaded for folders only: most runs are two files.
    from scoref.render.breakdowns import datasets_report, failures_of
    from scoref.scoring.datasets import score_datasets

    tables = request.by, request.window, request.save
    if (
        request.per_document
        or request.chance
        or any(each is not None for each in tables)
    ):
        raise OptionError(
            "--per-document, --confidence, --by, --window and --save are for files, "
            "not for folders; `scoref compare` tests the difference between folders"
        )
    changes = request.wanted.changes
    if request.columns and (changes["match"] or changes["singletons"]):
        raise OptionError("--columns sets --match and --singletons itself")
    with scoring_steps(len(os.listdir(request.key))) as step:
        results = score_datasets(
            request.key,
            dict(by_name(request.responses)),
            request.wanted,
            columns=request.columns,
            jobs=request.jobs,
            progress=lambda _: step(),
        )
    metric = leading_metric(results.metrics)
    column = results.columns[0]
    figures = [(each, results.macro(each, column, metric)) for each in results.systems]
    if request.score_only:
        print_numbers(figures, metric)
        print_notes(results.notes)
    elif request.beside:
        from scoref.tools.published import beside_datasets

        placed = beside_datasets(results, request.beside)
        _print_placed(placed, request, results.notes)
    else:
        is_ranked = request.output != "text"
        report = datasets_report(results, request.precision, is_ranked=is_ranked)
        print_report(report, request.output)
    if request.output != "json":
        print_failures(failures_of(results))
    check_threshold(figures, metric, request.fail_under)
    if results.failures:
        count = len(results.failures)
        raise MissingParts(f"{count} of the files could not be scored; see above")


command = ScoringCommand(
    "score",
    params=scoref.params,
    callback=scoref.callback,
    help=scoref.help,
    examples=scoref.examples,
)
