"""The command `scoref score`, which `scoref` runs if no command is named.

The module loads the numerical libraries.
"""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any

from scoref.classes import NamedTuple
from scoref.errors import OptionError, unknown
from scoref.formats.folders import is_datasets, is_folder
from scoref.formats.input_files import refuse_second_reading
from scoref.metrics import leading_metric
from scoref.printable import counted
from scoref.render.scores import ScoreView, notes_of, score_report, wide_metrics
from scoref.scoring.evaluate import slice_files, window_files
from scoref.terminal.gates import (
    check_gated,
    figure_of,
    gate_failures,
    needs_single,
    stop_if_any,
)
from scoref.terminal.options import request_of
from scoref.terminal.printing import (
    print_failures,
    print_notes,
    print_report,
    scoring_steps,
)
from scoref.terminal.running import MissingParts
from scoref.terminal.systems import (
    Attempts,
    Chance,
    by_name,
    named,
    paired,
    print_numbers,
    refuse_runs,
    runs_of,
    score_named,
    single_of,
    with_system_folders,
)

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from scoref.render.report import Report
    from scoref.scoring.datasets import DatasetResults
    from scoref.scoring.request import Request
    from scoref.scoring.results import Result
    from scoref.statistics.confidence import Confidence
    from scoref.terminal.gates import FigureOf, Gate
    from scoref.tools.published import PlacedTable


class ScoreRun(NamedTuple):
    """The files and the options of one run of `scoref score`."""

    key: str
    responses: tuple[str, ...]
    request: Request
    chance: Chance | None
    per_document: bool
    per_entity: bool
    sort: str | None
    wide: bool
    trivial: bool
    by: str | None
    classes: str | None
    window: str | None
    columns: str | None
    jobs: int | None
    fingerprint: bool
    output: str
    precision: int
    beside: str | None
    save: str | None
    plot: str | None
    score_only: bool
    fail_under: Sequence[Gate] | None
    notes: tuple[str, ...] = ()

    @classmethod
    def of(
        cls, key: str, responses: tuple[str, ...], options: Mapping[str, Any]
    ) -> ScoreRun:
        """Take the options by their names; other options need some of the request."""
        level, unit = options["confidence"], options["unit"]
        if unit and level is None:
            raise OptionError("--unit needs --confidence")
        chance = None
        if level is not None:
            drawn = {name: options[name] for name in ("bootstrap", "resamples", "seed")}
            chance = Chance(level, unit=unit or "documents", **drawn)
        request = replace(
            request_of(options, lenient=options["lenient"]),
            with_fingerprint=any(map(options.get, ("fingerprint", "save", "beside"))),
            with_blocks=unit == "entities",
        )
        if options["trivial"]:
            request = request.adding_trivial()
        if options["beside"] and request.scheme is None:
            from scoref.tools.published import table

            request = replace(request, scheme=table(options["beside"]).scheme)
        own = {name: options[name] for name in cls._fields if name in options}
        return cls(key, responses, request, chance, **own)


def run(asked: ScoreRun) -> None:
    """Score files, or folders of them, and print the report."""
    if asked.score_only and (asked.per_document or asked.output != "text"):
        raise OptionError(
            "--score-only prints one number and cannot be combined with "
            "--per-document or --output"
        )
    paths = [path for _, given in named(asked.responses) for path in runs_of(given)]
    refuse_second_reading([asked.key, *paths])
    notes: list[str] = []
    responses = with_system_folders(
        asked.key, asked.responses, asked.request.folder, notes.append
    )
    asked = asked._replace(responses=responses, notes=tuple(notes))
    _check_extras(asked)
    if is_datasets(asked.key, asked.request.folder):
        refuse_runs(asked.responses, "a folder of datasets")
        for name in ("window", "plot", "per_entity"):
            if getattr(asked, name):
                option = name.replace("_", "-")
                raise OptionError(
                    f"--{option} needs files, not folders of datasets. Score the files "
                    "one at a time"
                )
        if asked.by is not None:
            _slice_folders(asked, asked.by)
        else:
            _score_folders(asked)
    elif asked.columns or asked.jobs:
        hint = "Use --folder datasets to score each file of a folder as a dataset."
        raise OptionError(
            "--columns and --jobs need a folder of datasets",
            hint=hint if is_folder(asked.key) else "",
        )
    elif asked.by is not None:
        _score_slices(asked, asked.by)
    elif asked.per_entity:
        _score_entities(asked)
    elif asked.window is not None:
        _score_windows(asked, asked.window)
    else:
        _score_files(asked)


def _check_extras(asked: ScoreRun) -> None:
    """Refuse what does not go together, and what cannot be drawn, before scoring."""
    if asked.plot:
        from scoref.render.plots import check_plot

        check_plot(asked.plot)
    if asked.save and (len(asked.responses) > 1 or asked.by or asked.window):
        raise OptionError(
            "--save needs exactly one response and cannot be combined with "
            "--by or --window"
        )
    if asked.plot and not asked.chance:
        raise OptionError("--plot draws intervals. Add --confidence")
    _check_tables(asked)
    if asked.per_entity or asked.sort is not None:
        _check_entities(asked)
    _check_rows(asked)
    if asked.chance and (asked.per_document or asked.beside):
        raise OptionError(
            "--confidence cannot be combined with --per-document or "
            "--beside: intervals are for the whole corpus"
        )
    if asked.score_only and (asked.chance or asked.beside):
        raise OptionError(
            "--score-only prints one number and cannot be combined with "
            "--confidence or --beside"
        )
    if asked.beside and asked.per_document:
        raise OptionError(
            "--beside cannot be combined with --per-document: published "
            "results are for the whole corpus"
        )
    if asked.beside and len(asked.responses) != 1:
        raise OptionError("--beside needs exactly one response")


def _check_tables(asked: ScoreRun) -> None:
    """Refuse what does not go with --by and --window."""
    if asked.by is not None or asked.classes is not None:
        from scoref.scoring.slices import check_classes

        check_classes(asked.by, asked.classes)
    is_one_number = asked.score_only or asked.fail_under is not None
    others = asked.chance or asked.beside or is_one_number
    if asked.window is not None and asked.chance:
        raise OptionError(
            "--window cannot be combined with --confidence: windows of one "
            "text are not independent, so the intervals would be too narrow"
        )
    if asked.window is not None and (asked.by is not None or others):
        raise OptionError(
            "--window prints its own table and cannot be combined with "
            "--by, --confidence, --beside, --score-only, --fail-under or --wide"
        )
    if asked.by is not None and (asked.per_document or others):
        raise OptionError(
            "--by prints its own table and cannot be combined with "
            "--per-document, --confidence, --beside, --score-only, --fail-under, "
            "--window or --wide"
        )


def _check_entities(asked: ScoreRun) -> None:
    """Refuse what does not go with --per-entity, and --sort without it."""
    from scoref.scoring.entities import SORTS

    if asked.sort is not None and not asked.per_entity:
        raise OptionError("--sort needs --per-entity")
    if asked.sort is not None and asked.sort not in SORTS:
        raise unknown("order", asked.sort, SORTS)
    others = {
        "--per-document": asked.per_document,
        "--wide": asked.wide,
        "--trivial": asked.trivial,
        "--by": asked.by,
        "--window": asked.window,
        "--confidence": asked.chance,
        "--beside": asked.beside,
        "--save": asked.save,
        "--score-only": asked.score_only,
        "--fail-under": asked.fail_under,
    }
    for option, value in others.items():
        if asked.per_entity and value is not None and value is not False:
            raise OptionError(f"--per-entity prints its own table, without {option}")


def _check_rows(asked: ScoreRun) -> None:
    """Refuse options whose output has no place for the rows of --wide or --trivial."""
    rows = {
        "--wide": (asked.wide, "It prints one row for each system"),
        "--trivial": (
            asked.trivial,
            "It adds a row for each trivial system, with figures for the whole corpus",
        ),
    }
    others = {
        "--per-document": asked.per_document,
        "--by": asked.by is not None,
        "--window": asked.window is not None,
        "--beside": asked.beside is not None,
        "--score-only": asked.score_only,
    }
    for option, (is_given, reason) in rows.items():
        for other in (name for name, is_other in others.items() if is_other):
            if is_given:
                raise OptionError(f"{option} cannot be combined with {other}. {reason}")


def _wide_metrics(asked: ScoreRun, metrics: tuple[str, ...]) -> tuple[str, ...]:
    """Return the metrics of a wide table; none if there is no wish for one."""
    if not asked.wide:
        return ()
    return wide_metrics(metrics, were_requested=asked.request.metrics is not None)


def _score_files(asked: ScoreRun) -> None:
    results = []
    with scoring_steps(len(asked.responses)) as step:
        for result in score_named(asked.key, asked.responses, asked.request):
            results.append(result._with_figures(per_document=asked.per_document))
            step()
    if asked.save:
        from scoref.scoring.saved import save_result

        save_result(results[0], asked.save)
    wants_one = asked.score_only or needs_single(asked.fail_under)
    metric = single_of(results[0].metrics) if wants_one else ""
    check_gated(asked.fail_under, results[0].metrics)
    figures = [
        (result.response, result.scores[metric].f1) for result in results if metric
    ]
    if asked.score_only:
        print_numbers(figures, metric, asked.precision)
        print_notes([*asked.notes, *notes_of(results, ScoreView())])
    elif asked.beside:
        from scoref.tools.published import beside  # data, seldom wanted

        placed = beside(results[0], asked.beside, results[0].response)
        _print_placed(placed, asked, [note.message for note in results[0].notes])
    else:
        _print_scores(asked, results)
    systems = [(result.response, figure_of(result)) for result in results]
    stop_if_any(gate_failures(systems, metric, asked.fail_under))


def _macro_of(results: DatasetResults, system: str) -> FigureOf:
    """Return a function that looks up macro averages of a system."""

    def look_up(metric: str, figure: str) -> float | None:
        score = results.macro_score(system, results.columns[0], metric)
        return getattr(score, figure, None) if score.is_defined else None

    return look_up


def _print(asked: ScoreRun, report: Report) -> None:
    """Print a report, with the notes on the files that were given."""
    report = report._replace(notes=[*asked.notes, *report.notes])
    print_report(report, asked.output)


def _print_scores(asked: ScoreRun, results: list[Result]) -> None:
    chance = asked.chance
    intervals = tuple(map(chance.confidence, results)) if chance else ()
    if asked.plot:
        from scoref.render.plots import plot_intervals  # Matplotlib

        pairs = zip(results, intervals, strict=True)
        systems = {pair[0].response: pair for pair in pairs}
        plot_intervals(asked.plot, systems, leading_metric(results[0].metrics))
    wide = _wide_metrics(asked, results[0].metrics)
    view = ScoreView(asked.per_document, asked.precision, intervals, wide=wide)
    _print(asked, score_report(results, view))


def _score_slices(asked: ScoreRun, by: str) -> None:
    from scoref.render.breakdowns import slices_report

    names = by_name(asked.responses)
    paths = map(runs_of, names.values())
    slices = slice_files(asked.key, paths, asked.request, by, asked.classes)
    systems = dict(zip([*names] or [asked.key], slices, strict=True))
    _print(asked, slices_report(systems, by, asked.precision))


def _score_entities(asked: ScoreRun) -> None:
    from scoref.render.entities import entities_report
    from scoref.scoring.evaluate import entity_files

    names = by_name(asked.responses)
    paths = map(runs_of, names.values())
    rows = entity_files(asked.key, paths, asked.request, asked.sort or "document")
    systems = dict(zip([*names] or [asked.key], rows, strict=True))
    _print(asked, entities_report(systems, asked.precision))


def _slice_folders(asked: ScoreRun, by: str) -> None:
    """Score the slices of every system on every dataset."""
    from scoref.render.breakdowns import slices_report
    from scoref.render.report import join_reports

    attempts, names, reports = Attempts(), by_name(asked.responses), {}
    request = asked.request.changed(folder="datasets")
    for dataset in paired(asked.key, names, attempts, asked.request.folder):
        systems = {}
        for system, path in dataset.responses.items():
            with attempts.trying(str(path), dataset.name, system):
                (systems[system],) = slice_files(
                    dataset.key, [path], request, by, asked.classes
                )
        if systems:
            reports[dataset.name] = slices_report(systems, by, asked.precision)
    attempts.settle()
    if reports or asked.output == "json":
        whole = join_reports("slices", reports, [], attempts.losses)
        _print(asked, whole)
    attempts.finish()


def _score_windows(asked: ScoreRun, window: str) -> None:
    from scoref.render.breakdowns import windows_report
    from scoref.scoring.windows import Window

    size = Window.of(window)
    names = by_name(asked.responses)
    paths = map(runs_of, names.values())
    scored = window_files(asked.key, paths, asked.request, window)
    systems = dict(zip([*names] or [asked.key], scored, strict=True))
    for windowed in systems.values():
        for result in windowed:
            result._with_figures(per_document=asked.per_document)
    view = ScoreView(asked.per_document, asked.precision)
    _print(asked, windows_report(systems, size, view))


def _print_placed(placed: PlacedTable, asked: ScoreRun, notes: Iterable[str]) -> None:
    from scoref.tools.published.command import placed_report

    _print(asked, placed_report(placed, asked.output, notes))


def _score_folders(asked: ScoreRun) -> None:
    # Loaded for folders only: most runs are two files.
    from pathlib import Path

    from scoref.render.datasets import DatasetView, datasets_report
    from scoref.scoring.dataset_files import files_in
    from scoref.scoring.datasets import score_datasets

    changes = asked.request.changes
    if asked.columns and (changes["match"] or changes["singletons"]):
        raise OptionError(
            "--columns sets --match and --singletons itself. Leave them out"
        )
    if asked.columns and asked.save:
        raise OptionError(
            "--save stores one result for each dataset. Leave out --columns"
        )
    with scoring_steps(len(files_in(Path(asked.key)))) as step:
        results = score_datasets(
            asked.key,
            dict(by_name(asked.responses)),
            asked.request,
            columns=asked.columns,
            jobs=asked.jobs,
            progress=lambda _: step(),
        )
    if asked.save and not results.failures:
        from scoref.scoring.saved import save_datasets

        saved = {dataset: each for (_, dataset, _), each in results.results.items()}
        save_datasets(saved, asked.save)
    metric = leading_metric(results.metrics)
    column = results.columns[0]
    check_gated(asked.fail_under, results.metrics)
    figures = [(each, results.macro(each, column, metric)) for each in results.systems]
    # JSON has the failures, so it is written even if nothing could be scored.
    has_output = bool(results.results) or asked.output == "json"
    if not has_output:
        print_notes(asked.notes)
    elif asked.score_only:
        print_numbers(figures, metric, asked.precision)
        print_notes([*asked.notes, *results.notes])
    elif asked.beside:
        from scoref.tools.published import beside_datasets

        placed = beside_datasets(results, asked.beside)
        _print_placed(placed, asked, results.notes)
    else:
        wide = _wide_metrics(asked, results.metrics)
        view = DatasetView(
            asked.precision,
            is_ranked=True,
            per_document=asked.per_document,
            wide=wide,
            confidence=_intervals(results, asked.chance, wide),
        )
        report = datasets_report(results, view)
        _print(asked, report)
    if asked.output != "json":
        print_failures(failure.message for failure in results.failures)
    if has_output:
        systems = [(name, _macro_of(results, name)) for name in results.systems]
        stop_if_any(gate_failures(systems, metric, asked.fail_under))
    if results.failures:
        count = len(results.failures)
        not_saved = f", so '{asked.save}' was not written" if asked.save else ""
        is_json = asked.output == "json"
        where = "'failures' in the output" if is_json else "the messages above"
        raise MissingParts(
            f"{counted(count, 'file')} could not be scored{not_saved}. See {where}"
        )


def _intervals(
    results: DatasetResults, chance: Chance | None, wide: Sequence[str]
) -> dict[tuple[str, str | None, str], Confidence]:
    """Compute the intervals of every dataset, and of the macro averages."""
    if chance is None:
        return {}
    intervals: dict[tuple[str, str | None, str], Confidence] = {
        place: chance.confidence(result) for place, result in results.results.items()
    }
    metrics = dict.fromkeys((*results.metrics, *wide))  # those of all datasets
    for system in results.systems:
        for column in results.columns:
            scored = [
                result.of_metrics(metrics)
                for (name, _, own), result in results.results.items()
                if (name, own) == (system, column)
            ]
            if len(scored) == len(results.datasets):
                intervals[system, None, column] = chance.macro_confidence(scored)
    return intervals
