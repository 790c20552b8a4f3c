"""The command `scoref table`: clusterings as tables, from ten rows to a billion."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING, Any, NamedTuple

import click

from scoref.errors import OptionError
from scoref.render import OUTPUTS
from scoref.terminal.completing import several_of
from scoref.terminal.help import Command
from scoref.terminal.printing import print_notes, print_report, progress
from scoref.terminal.running import OUTPUT, refusing
from scoref.terminal.signals import leaving_on_signals
from scoref.tools.table.profiles import NO_ALIGNMENT, UNIVERSES, dumped, score_profiles
from scoref.writing import write_whole

if TYPE_CHECKING:
    from scoref.scheme import Undefined, Universe
    from scoref.scoring.results import Result
    from scoref.tables.asking import Duplicates

_SIDES = 2
_OF_DATA = (
    *("mention", "key_cluster", "response_cluster", "group", "universe"),
    *("duplicates", "engine", "memory", "header", "table"),
)


@click.command(
    cls=Command,
    examples={
        "scoref table gold.csv predicted.csv": "Score two tables.",
        "scoref table both.csv --key-cluster gold --response-cluster auto": "Score two "
        "columns of one table.",
    },
)
@click.argument("files", metavar="KEY [RESPONSE]", nargs=-1, required=True)
@click.option(
    "--mention",
    metavar="COLUMN",
    help="Mentions.  [default: of two files the first column, else by its name]",
)
@click.option(
    "--key-cluster", metavar="COLUMN", help="The key's clusters.  [default: the next]"
)
@click.option("--response-cluster", metavar="COLUMN", help="Those of the response.")
@click.option(
    "--group",
    "--document",
    "group",
    metavar="COLUMN",
    help="Documents, blocks, years: clusters do not reach from one to another.",
)
@click.option("--per-group", is_flag=True, help="A row for each group.")
@click.option(
    "--universe",
    type=click.Choice(UNIVERSES),
    help="Which mentions are scored: both: each side's own; common: those of both; "
    "union, key, response: of either or of that side, and one that is missing on the "
    "other is a cluster of its own there.  [default: both]",
)
@click.option(
    "--duplicates",
    type=click.Choice(("error", "first", "last")),
    help="A mention that is listed twice: refuse it, or keep one of its rows.  "
    "[default: error]",
)
@click.option(
    "--undefined",
    type=click.Choice(("zero", "one", "nan")),
    default="zero",
    show_default=True,
    help="What 0/0 is.",
)
@click.option(
    "--metrics",
    metavar="LIST",
    shell_complete=several_of("scoref.metrics", "METRICS"),
    help="Which to compute, separated by commas, or all; `scoref metrics` lists them.  "
    "[default: the usual ones in tables, all in JSON and CSV]",
)
@click.option(
    "--no-ceaf",
    is_flag=True,
    help="Leave out what needs an alignment of clusters: CEAF, and CoNLL with it.",
)
@click.option(
    "--engine",
    type=click.Choice(("duckdb", "spark", "numpy")),
    help="What counts.  [default: by the size of the input]",
)
@click.option(
    "--memory",
    metavar="SIZE",
    help="How much the engine may take, such as 2GB; the rest goes to disk.",
)
@click.option(
    "--header/--no-header",
    default=None,
    help="Whether the first line of CSV and TSV has names.  [default: detected]",
)
@click.option(
    "--table",
    multiple=True,
    metavar="NAME",
    help="Which one of a database file; given twice: the key's, the response's.",
)
@click.option(
    "--remote",
    is_flag=True,
    help="Let files be addresses, such as s3://… and hdfs://…",
)
@click.option(
    "--save-profile",
    type=OUTPUT,
    metavar="FILE",
    help="Write what was counted, to be merged and scored again without the data.",
)
@click.option(
    "--profile",
    "from_profiles",
    is_flag=True,
    help="FILEs are such profiles, of different tables: score them as one.",
)
@click.option(
    "--plot",
    type=OUTPUT,
    metavar="FILE",
    help="Draw clusters by size, and how well they are found: .svg, .png or .html.",
)
@click.option(
    "--report",
    type=OUTPUT,
    metavar="FILE",
    help="Write a page with the scores and the biggest clusters that were divided or "
    "conflated: .html.",
)
@click.option(
    "--output",
    type=click.Choice(OUTPUTS),
    default="text",
    show_default=True,
    help="JSON and CSV have fractions at full precision.",
)
@click.option(
    "--precision",
    type=click.IntRange(0, 13),
    default=2,
    show_default=True,
    metavar="N",
    help="Decimals of percentages; other numbers get two more.",
)
def command(files: tuple[str, ...], **options: object) -> None:
    """Score clusterings: which mention is in which cluster, KEY against RESPONSE.

    \b
    scoref table KEY RESPONSE
    scoref table FILE --key-cluster gold --response-cluster predicted
    scoref table --profile FILE...

    Files are CSV, TSV, Parquet, Arrow, JSON lines, SQLite or DuckDB, plain or
    compressed; a pattern such as 'part-*.parquet' or a folder of parts is one table.
    Ids are compared as text. An empty cluster means: not clustered.

    Exit codes: 0 fine, 1 bad input, 2 bad usage.
    """  # noqa: D301 - click's mark for lines that stay
    with refusing(), leaving_on_signals():
        _run(TableRequest(files, **options))  # type: ignore[arg-type]  # as declared above


class TableRequest(NamedTuple):
    """What is to be scored, and how it is to be shown."""

    files: tuple[str, ...]
    mention: str | None
    key_cluster: str | None
    response_cluster: str | None
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
    output: str
    precision: int


def _run(request: TableRequest) -> None:
    from scoref.tools.table.rendering import (  # noqa: PLC0415 - after the options
        TableView,
        clusterings_report,
        columns_line,
    )

    metrics = _metrics(request)
    _check(request)
    _check_metrics(request, metrics)
    if request.plot:
        from scoref.render.plots import check_plot  # noqa: PLC0415 - if wanted

        check_plot(request.plot)
    result = (
        score_profiles(request.files, request.undefined, metrics)
        if request.from_profiles
        else _counted(request, metrics)
    )
    if request.save_profile:
        write_whole(request.save_profile, dumped(result).encode())
    if request.plot:
        from scoref.tools.table.plot import plot_clusters  # noqa: PLC0415

        plot_clusters(request.plot, result)
    if request.report:
        _write_report(request.report, request, result)
    view = TableView(request.precision, request.per_group, bool(request.metrics))
    print_report(clusterings_report(result, view), request.output)
    if request.output == "csv" and result.columns:
        print_notes([columns_line(result.columns)])


def _metrics(request: TableRequest) -> tuple[str, ...]:
    """Choose metrics: those asked for, the usual for people, and all for programs."""
    from scoref.metrics import usual  # noqa: PLC0415 - after the options
    from scoref.tables.results import metrics_for  # noqa: PLC0415

    if request.metrics or request.output in {"json", "csv"}:
        return metrics_for(request.metrics)
    return usual("tables")


def _check(request: TableRequest) -> None:
    """Refuse what does not go together, before anything is read."""
    if "-" in request.files:
        raise OptionError("tables are read twice: none can be standard input")
    if request.from_profiles:
        _check_profiles(request)
    elif max(len(request.files), len(request.table)) > _SIDES:
        raise OptionError(
            "give a key and a response, or one file with both; parts of one table are "
            "a pattern in quotes, such as 'part-*.parquet', or a folder"
        )
    elif request.per_group and not request.group:
        raise OptionError("--per-group needs --group COLUMN")
    for path in (request.save_profile, request.report):
        _check_folder(path)


def _check_profiles(request: TableRequest) -> None:
    given = [name for name in _OF_DATA if getattr(request, name) not in (None, ())]
    if given:
        names = ", ".join(f"--{name.replace('_', '-')}" for name in given)
        raise OptionError(f"a profile is counted already: leave out {names}")
    if request.report:
        raise OptionError(f"--report {NO_ALIGNMENT}")
    if len(set(request.files)) < len(request.files):
        raise OptionError("the same profile is given twice")


def _check_folder(path: str | None) -> None:
    """See early whether there is a place for what is to be saved."""
    if path:
        folder = os.path.dirname(path) or "."  # noqa: PTH120
        if not os.path.isdir(folder):  # noqa: PTH112 - pathlib takes 5 ms to load
            raise OptionError(f"there is no folder '{folder}' to write to")


def _check_metrics(request: TableRequest, metrics: tuple[str, ...]) -> None:
    from scoref.tables.results import is_aligned  # noqa: PLC0415 - after the options

    if not request.metrics or "all" in request.metrics.lower():
        return
    wanted = [name for name in metrics if is_aligned(name)]
    if wanted and request.no_ceaf:
        raise OptionError(f"'{wanted[0]}' needs an alignment: leave out --no-ceaf")
    if wanted and request.from_profiles:
        raise OptionError(f"'{wanted[0]}' {NO_ALIGNMENT}")


def _counted(request: TableRequest, metrics: tuple[str, ...]) -> Result:
    """Score files, with an alignment of clusters only if a metric needs it."""
    from scoref.tables.api import score_table  # noqa: PLC0415 - NumPy, engines
    from scoref.tables.results import is_aligned  # noqa: PLC0415

    if request.no_ceaf:
        metrics = tuple(name for name in metrics if not is_aligned(name))
    with progress() as show:
        return score_table(
            *request.files,
            **_data(request),
            undefined=request.undefined,
            metrics=metrics,
            engine=request.engine,
            progress=show,
        )


def _data(request: TableRequest) -> dict[str, Any]:
    """Say how the tables are read."""
    return {
        "mention": request.mention,
        "key_cluster": request.key_cluster,
        "response_cluster": request.response_cluster,
        "group": request.group,
        "universe": request.universe or "both",
        "duplicates": request.duplicates or "error",
        "memory": request.memory,
        "header": request.header,
        "table": _tables(*request.table),
        "remote": request.remote,
    }


def _write_report(path: str, request: TableRequest, result: Result) -> None:
    from scoref.tables.labels import labels_of  # noqa: PLC0415
    from scoref.tools.report.clusters import clusters_of  # noqa: PLC0415 - if wanted
    from scoref.tools.report.page import render_page  # noqa: PLC0415
    from scoref.tools.table.page import table_report  # noqa: PLC0415

    key, *response = request.files
    clusters = clusters_of(*labels_of(request.files, **_data(request)))
    report, texts = table_report(
        result, clusters, key=key, response=response[0] if response else None
    )
    write_whole(path, render_page(report, texts).encode())


def _tables(*names: str) -> str | tuple[str, str] | None:
    if len(names) == _SIDES:
        return names[0], names[1]
    return names[0] if names else None
