"""What `scoref table` does with its options; loads the numerical libraries."""

from __future__ import annotations

import os
from dataclasses import replace
from typing import TYPE_CHECKING, Any, NamedTuple

from scoref.errors import OptionError
from scoref.metrics import is_distance, usual
from scoref.records.api import (
    is_aligned,
    metrics_for,
    score_table,
)
from scoref.records.cluster_labels import labels_of_result
from scoref.records.columns import columns_line
from scoref.records.options import refuse_standard_input, table_argument
from scoref.records.request import ROLES
from scoref.records.table.profiles import NO_ALIGNMENT, dump_profile, score_profiles
from scoref.records.table.report import (
    TableView,
    clusterings_report,
    plot_clusters,
    table_report,
)
from scoref.terminal.gates import (
    check_conditions,
    check_gated,
    figure_of,
    gate_failures,
    needs_single,
    size_failures,
    stop_if_any,
)
from scoref.terminal.printing import print_notes, print_report, progress
from scoref.terminal.systems import (
    Chance,
    by_name,
    named,
    print_numbers,
    single_of,
)
from scoref.writing import write_whole

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence

    from scoref.records.request import Duplicates
    from scoref.render.report import Report
    from scoref.scheme import Undefined, Universe
    from scoref.scoring.results import Result
    from scoref.terminal.gates import Condition, Gate

    Described = tuple[Report, Mapping[str, float | None]]


_LINKS = "links"  # the metric of pairs as they are given

_PAIR_COLUMNS = ("left", "right", "label", "score")

_COLUMN_OPTIONS = {
    "mention": "--record",
    "key_mention": "--key-record",
    "response_mention": "--response-record",
    "key_cluster": "--gold",
    "response_cluster": "--cluster",
}

_COUNTING_OPTIONS = (
    *_COLUMN_OPTIONS,
    *("group", "missing_values", "key_pairs", "response_pairs"),
    *(f"{side}{name}" for side in ("", "key_", "response_") for name in _PAIR_COLUMNS),
    *("threshold", "two_sources", "records", "universe"),
    *("duplicates", "engine", "memory", "header", "table"),
)


class TableRequest(NamedTuple):
    """The options of the command: what is scored, and how it is shown."""

    files: tuple[str, ...]
    mention: str | None
    key_mention: str | None
    response_mention: str | None
    key_cluster: str | None
    response_cluster: str | None
    missing_values: str | None
    key_pairs: bool | None
    response_pairs: bool | None
    left: str | None
    right: str | None
    label: str | None
    score: str | None
    key_left: str | None
    key_right: str | None
    key_label: str | None
    key_score: str | None
    response_left: str | None
    response_right: str | None
    response_label: str | None
    response_score: str | None
    threshold: float | None
    two_sources: bool | None
    records: tuple[str, ...]
    group: str | None
    per_group: bool
    universe: Universe | None
    duplicates: Duplicates | None
    undefined: Undefined
    metrics: str | None
    no_ceaf: bool
    engine: str | None
    memory: str | None
    header: bool | None
    table: tuple[str, ...]
    remote: bool
    save_profile: str | None
    from_profiles: bool
    plot: str | None
    report: str | None
    confidence: float | None
    bootstrap: str
    resamples: int
    seed: int
    compare: bool
    score_only: bool
    fail_under: Sequence[Gate] | None
    max_cluster: int | None
    beta: float
    summary: bool
    diff: bool
    name: str | None
    fail_if: Sequence[Condition] | None
    by: tuple[str, ...]
    output: str
    precision: int

    @property
    def responses(self) -> list[tuple[str, str]]:
        """Names and paths of the responses; none if one file has both sides."""
        return named(self.files[1:])

    @property
    def chance(self) -> Chance | None:
        """The intervals that are wanted."""
        if self.confidence is None:
            return None
        return Chance(
            self.confidence, self.bootstrap, self.resamples, self.seed, "documents"
        )


def run(request: TableRequest) -> None:
    """Score tables, summarise one, or compare two releases, and print the report."""
    if request.summary or request.diff:
        _describe(request)
        return
    if request.name or request.fail_if:
        raise OptionError("--name needs --summary; --fail-if needs --summary or --diff")
    if request.by:
        _print_slices(request)
        return
    is_default = not request.metrics and request.output not in {"json", "csv"}
    metrics = (
        metrics_for((_LINKS, *usual("tables")))
        if is_default
        else metrics_for(request.metrics)
    )
    _check(request)
    _check_metrics(request, metrics)
    if request.plot:
        from scoref.render.plots import check_plot

        check_plot(request.plot)
    wants_one = request.score_only or needs_single(request.fail_under)
    single = single_of(metrics) if wants_one else ""
    results = (
        [score_profiles(request.files, request.undefined, metrics)]
        if request.from_profiles
        else _score(request, metrics)
    )
    check_gated(request.fail_under, results[0].metrics)
    failures = [
        *gate_failures(
            [(result.response, figure_of(result)) for result in results],
            single,
            request.fail_under,
        ),
        *size_failures(_largest(results), request.max_cluster),
    ]
    if is_default:
        results = [_without_links(result) for result in results]
    if request.save_profile:
        if results[0].scheme.pairs:
            raise OptionError(
                "a profile cannot hold links, so --save-profile needs clusters on both "
                "sides"
            )
        write_whole(request.save_profile, dump_profile(results[0]).encode())
    if request.report:
        _write_page(request.report, request, results)
    figures = [
        (result.response, result.scores[single].f1) for result in results if single
    ]
    _show(request, results, figures)
    stop_if_any(failures)


def _largest(results: Sequence[Result]) -> Iterator[tuple[str, int]]:
    """Return the size of the largest predicted cluster of each result."""
    for result in results:
        assert result.table is not None
        yield result.response, int(result.table.response_size.max(initial=0))


_OF_SCORES = (
    *("group", "per_group", "universe", "metrics", "no_ceaf", "save_profile"),
    *("from_profiles", "report", "confidence", "compare", "score_only"),
    *("fail_under", "max_cluster", "by"),
)

_NOT_BY_CLASS = (
    *("group", "per_group", "save_profile", "from_profiles", "plot", "report"),
    *("confidence", "compare", "score_only", "fail_under", "max_cluster"),
)


def _options_text(names: Iterable[str]) -> str:
    return ", ".join(f"--{name.replace('_', '-')}" for name in names)


def _print_slices(request: TableRequest) -> None:
    """Print the scores of classes of records."""
    from scoref.records.slices import slice_table
    from scoref.records.slices_report import table_slices_report

    given = [name for name in _NOT_BY_CLASS if getattr(request, name)]
    given += ["beta"] if request.beta != 1 else []
    if given:
        raise OptionError(f"--by cannot be combined with {_options_text(given)}")
    if len(request.responses) > 1:
        raise OptionError("--by needs exactly one response")
    refuse_standard_input(*request.files)
    columns = [name for text in request.by for name in text.split(",") if name]
    options = _reading_arguments(request) | _pair_arguments(request)
    options.pop("group")
    with progress() as show:
        sliced = slice_table(
            request.files[0],
            next((path for _, path in request.responses), None),
            by=columns,
            metrics=request.metrics,
            **options,
            engine=request.engine,
            progress=show,
        )
    print_report(table_slices_report(sliced, request.precision), request.output)


def _describe(request: TableRequest) -> None:
    """Summarise a table, or compare two releases."""
    what = "--summary" if request.summary else "--diff"
    needed = 1 if request.summary else 2
    given = [name for name in _OF_SCORES if getattr(request, name)]
    given += ["beta"] if request.beta != 1 else []
    given += ["diff"] if request.summary and request.diff else []
    given += ["name"] if request.name and request.diff else []
    given += ["plot"] if request.plot and request.diff else []
    if request.summary:
        given += [name for name in _pair_arguments(request) if getattr(request, name)]
    if given:
        raise OptionError(f"{what} cannot be combined with {_options_text(given)}")
    if len(request.files) != needed:
        raise OptionError(
            "--summary needs one table"
            if request.summary
            else "--diff needs two tables: the old release and the new one"
        )
    refuse_standard_input(*request.files)
    if request.plot:
        from scoref.render.plots import check_plot

        check_plot(request.plot)
    report, figures = _summary(request) if request.summary else _diff(request)
    print_report(report, request.output)
    check_conditions(figures, request.fail_if or ())


def _summary(request: TableRequest) -> Described:
    from scoref.records.summary import summarise_table
    from scoref.records.summary_report import plot_summary, summary_report

    names = table_argument(request.table)
    if isinstance(names, tuple):
        raise OptionError("--summary needs one table, so --table can be given once")
    with progress() as show:
        summary = summarise_table(
            request.files[0],
            mention=request.mention or request.response_mention,
            cluster=request.response_cluster or request.key_cluster,
            name=request.name,
            missing_values=request.missing_values,
            duplicates=request.duplicates or "error",
            engine=request.engine,
            memory=request.memory,
            header=request.header,
            table=names,
            remote=request.remote,
            progress=show,
        )
    if request.plot:
        plot_summary(request.plot, summary)
    return summary_report(summary, request.precision), summary.figures


def _diff(request: TableRequest) -> Described:
    from scoref.records.diff import diff_tables
    from scoref.records.diff_report import diff_report

    options = _reading_arguments(request) | _pair_arguments(request)
    for name in ("universe", "group"):
        options.pop(name, None)
    with progress() as show:
        diff = diff_tables(
            *(path for _, path in named(request.files)),
            **options,
            engine=request.engine,
            progress=show,
        )
    return diff_report(diff, request.precision), {**diff.figures}


def _check(request: TableRequest) -> None:
    """Refuse options that cannot be combined, before anything is read."""
    refuse_standard_input(*request.files)
    if request.from_profiles:
        _check_profiles(request)
    elif request.per_group and not request.group:
        raise OptionError("--per-group needs --group COLUMN")
    else:
        _check_responses(request)
    if request.score_only and (request.per_group or request.output != "text"):
        raise OptionError(
            "--score-only prints one number and cannot be combined with --per-group "
            "or --output"
        )
    for path in (request.save_profile, request.report):
        folder = os.path.dirname(path or "") or "."
        if path and not os.path.isdir(folder):
            raise OptionError(f"folder '{folder}' does not exist")


def _check_profiles(request: TableRequest) -> None:
    options = [
        _COLUMN_OPTIONS.get(name, f"--{name.replace('_', '-')}")
        for name in _COUNTING_OPTIONS
        if getattr(request, name) not in (None, ())
    ]
    if options:
        names = ", ".join(options)
        raise OptionError(f"a profile is already counted. Leave out {names}")
    if request.report:
        raise OptionError(f"--report {NO_ALIGNMENT}")
    if request.compare:
        raise OptionError(
            "profiles are parts of one table, so there is nothing to compare"
        )
    if len(set(request.files)) < len(request.files):
        raise OptionError("the same profile is given twice")


def _check_responses(request: TableRequest) -> None:
    """Refuse options that need groups, one response, or several."""
    by_name(request.files[1:])
    is_one = len(request.files) <= len(ROLES)
    if (request.confidence is not None or request.compare) and not request.group:
        raise OptionError(
            "intervals and tests need groups, such as blocks or years. Add "
            "--group COLUMN"
        )
    if request.confidence is not None and request.per_group:
        raise OptionError(
            "--confidence cannot be combined with --per-group: intervals "
            "are for all groups together"
        )
    if request.compare and (is_one or request.per_group or request.score_only):
        raise OptionError(
            "--compare needs two responses and cannot be combined with "
            "options that print other tables"
        )
    if not is_one and request.save_profile:
        raise OptionError("--save-profile needs exactly one response")
    if not is_one and request.plot and request.confidence is None:
        raise OptionError(
            "--plot of several responses draws their intervals. Add --confidence"
        )


def _check_metrics(request: TableRequest, metrics: tuple[str, ...]) -> None:
    distances = [name for name in metrics if is_distance(name)]
    if needs_single(request.fail_under) and list(metrics) == distances:
        raise OptionError(
            f"'{metrics[0]}' is a distance, so lower is better. "
            "--fail-under needs a metric for which higher is better"
        )
    if not request.metrics or "all" in request.metrics.lower():
        return
    aligned = [name for name in metrics if is_aligned(name)]
    if aligned and request.no_ceaf:
        raise OptionError(
            f"'{aligned[0]}' aligns clusters, which --no-ceaf turns off. "
            "Leave out one of them"
        )
    if aligned and request.from_profiles:
        raise OptionError(f"'{aligned[0]}' {NO_ALIGNMENT}")


def _score(request: TableRequest, metrics: tuple[str, ...]) -> list[Result]:
    """Score each response, with an alignment of clusters only if a metric needs it."""
    if request.no_ceaf:
        metrics = tuple(name for name in metrics if not is_aligned(name))
    results = []
    with progress() as show:
        responses: list[tuple[str, str | None]] = [*request.responses]
        for name, path in responses or [("", None)]:
            result = score_table(
                request.files[0],
                path,
                **_reading_arguments(request),
                **_pair_arguments(request),
                undefined=request.undefined,
                metrics=metrics,
                engine=request.engine,
                progress=show,
            )
            results.append(replace(result, response=name) if name else result)
    return results


def _without_links(result: Result) -> Result:
    """Leave out the metric links if both sides are clusters: `pairwise` is the same."""
    if result.scheme.pairs:
        return result
    kept = tuple(name for name in result.metrics if name != _LINKS)
    return replace(result, metrics=kept)


def _reading_arguments(request: TableRequest) -> dict[str, Any]:
    return {
        "mention": request.mention,
        "key_mention": request.key_mention,
        "response_mention": request.response_mention,
        "key_cluster": request.key_cluster,
        "response_cluster": request.response_cluster,
        "group": request.group,
        "missing_values": request.missing_values,
        "universe": request.universe or "both",
        "duplicates": request.duplicates or "error",
        "memory": request.memory,
        "header": request.header,
        "table": table_argument(request.table),
        "remote": request.remote,
    }


def _pair_arguments(request: TableRequest) -> dict[str, Any]:
    names = [
        *("key_pairs", "response_pairs", "threshold", "two_sources"),
        *(
            f"{side}{name}"
            for side in ("", "key_", "response_")
            for name in _PAIR_COLUMNS
        ),
    ]
    arguments = {name: getattr(request, name) for name in names}
    return arguments | {"records": request.records or None}


def _write_page(path: str, request: TableRequest, results: list[Result]) -> None:
    from scoref.tools.report.clusters import clusters_of
    from scoref.tools.report.page import render_page

    key = request.files[0]
    tables = [[key, response] for _, response in request.responses] or [[key]]
    options = _reading_arguments(request) | _pair_arguments(request)
    clusters = [
        clusters_of(*labels_of_result(result, table, options))
        for table, result in zip(tables, results, strict=True)
    ]
    report, texts = table_report(results, clusters, key=key)
    write_whole(path, render_page(report, texts).encode())


def _show(
    request: TableRequest, results: list[Result], figures: list[tuple[str, float]]
) -> None:
    """Draw the plot, and print the report, a comparison, or one number."""
    intervals = tuple(map(request.chance.confidence, results)) if request.chance else ()
    if request.plot and not intervals:
        plot_clusters(request.plot, results[0])
    elif request.plot:
        from scoref.render.plots import plot_intervals

        systems = {
            result.response: (result, confidence)
            for result, confidence in zip(results, intervals, strict=True)
        }
        plot_intervals(request.plot, systems, results[0].headline)
    view = TableView(
        request.precision,
        request.per_group,
        bool(request.metrics),
        intervals,
        request.beta,
    )
    report = clusterings_report(results, view)
    if request.score_only:
        print_numbers(figures, single_of(results[0].metrics), request.precision)
        print_notes(report.notes)
    elif request.compare:
        print_report(_comparison(request, results), request.output)
    else:
        print_report(report, request.output)
    if request.output == "csv" or request.score_only or request.compare:
        lines = [columns_line(result.columns) for result in results if result.columns]
        print_notes(dict.fromkeys(lines))


def _comparison(request: TableRequest, results: list[Result]) -> Report:
    from scoref.statistics.compare import compare
    from scoref.statistics.confidence import method_named
    from scoref.tools.compare.rendering import ComparisonView, comparison_report

    comparison = compare(
        {result.response: result for result in results},
        level=request.confidence or 95,
        method=method_named(request.bootstrap),
        resamples=request.resamples,
        seed=request.seed,
    )
    return comparison_report(comparison, ComparisonView(request.precision))
