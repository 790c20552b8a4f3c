"""The command `scoref table`: clusterings as tables, from ten rows to a billion."""

from __future__ import annotations

import json
import os
import sys
from contextlib import contextmanager
from dataclasses import replace
from typing import TYPE_CHECKING, NamedTuple

import click

from scoref.cli._options import OUTPUTS
from scoref.cli._running import refusing
from scoref.errors import FormatError, OptionError
from scoref.writing import write_whole

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from scoref.contingency.profile import Profile
    from scoref.reports.clusterings import TableView
    from scoref.tables.asking import Duplicates
    from scoref.tables.queries import Universe
    from scoref.tables.results import TableResult

METRICS = (
    "pairwise, pairwise-membership, pairwise-s2and, muc, bcub, bcub-entity, ceafm, "
    "ceafe, blanc, lea, cluster, closest-cluster, bcub-0, bcub-all, bcub-rn, bcub-sys, "
    "ceafm-rn, ceafm-sys, ceafe-sys, conll, rand, ari, fowlkes-mallows, homogeneity, "
    "completeness, v-measure, vi, talburt-wang, gmd, purity, inverse-purity"
)
UNIVERSES = ("both", "common", "union", "key", "response")
_SIDES = 2
_OF_DATA = (
    *("mention", "key_cluster", "response_cluster", "group", "universe"),
    *("duplicates", "engine", "memory", "header", "table"),
)
_NO_ALIGNMENT = "needs the clusters themselves, which a profile does not have"


@click.command(context_settings={"help_option_names": ["-h", "--help"]})
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
    help=f"Which to show, separated by commas: {METRICS}, or all.  [default: the usual "
    "ones in tables, all in JSON and CSV]",
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
    "--save-profile",
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
    metavar="FILE",
    help="Draw clusters by size, and how well they are found: .svg, .png or .html.",
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
    with refusing():
        _run(Request(files, **options))  # type: ignore[arg-type]  # as declared above


class Request(NamedTuple):
    """What is to be scored, and how it is to be shown."""

    files: tuple[str, ...]
    mention: str | None
    key_cluster: str | None
    response_cluster: str | None
    group: str | None
    per_group: bool
    universe: Universe | None
    duplicates: Duplicates | None
    undefined: str
    metrics: str | None
    no_ceaf: bool
    engine: str | None
    memory: str | None
    header: bool | None
    table: tuple[str, ...]
    save_profile: str | None
    from_profiles: bool
    plot: str | None
    output: str
    precision: int


def _run(request: Request) -> None:
    from scoref.reports.clusterings import (  # noqa: PLC0415 - after the options
        TableView,
        chosen,
        render_clusterings,
    )

    view = TableView(chosen(request.metrics), request.precision, request.per_group)
    _check(request)
    _check_metrics(request, view)
    if request.plot:
        from scoref.reports.plots import check_plot  # noqa: PLC0415 - if wanted

        check_plot(request.plot)
    result = _profiled(request) if request.from_profiles else _counted(request, view)
    if request.save_profile:
        write_whole(request.save_profile, _dumped(result).encode())
    if request.plot:
        from scoref.reports.cluster_plot import plot_clusters  # noqa: PLC0415

        plot_clusters(request.plot, result)
    report = render_clusterings(result, request.output, view)
    click.echo(_coloured(report) if request.output == "text" else report)
    if request.output == "csv":
        for note in result.notes:
            click.echo(f"note: {note.message}", err=True)


def _check(request: Request) -> None:
    """Refuse what does not go together, before anything is read."""
    if "-" in request.files:
        raise OptionError("tables are read twice: none can be standard input")
    if request.from_profiles:
        given = [name for name in _OF_DATA if getattr(request, name) not in (None, ())]
        if given:
            names = ", ".join(f"--{name.replace('_', '-')}" for name in given)
            raise OptionError(f"a profile is counted already: leave out {names}")
        if len(set(request.files)) < len(request.files):
            raise OptionError("the same profile is given twice")
    elif max(len(request.files), len(request.table)) > _SIDES:
        raise OptionError(
            "give a key and a response, or one file with both; parts of one table are "
            "a pattern in quotes, such as 'part-*.parquet', or a folder"
        )
    elif request.per_group and not request.group:
        raise OptionError("--per-group needs --group COLUMN")
    _check_folder(request.save_profile)


def _check_folder(path: str | None) -> None:
    """See early whether there is a place for what is to be saved."""
    if path:
        folder = os.path.dirname(path) or "."  # noqa: PTH120
        if not os.path.isdir(folder):  # noqa: PTH112 - pathlib takes 5 ms to load
            raise OptionError(f"there is no folder '{folder}' to save a profile in")


def _check_metrics(request: Request, view: TableView) -> None:
    from scoref.reports.clusterings import ALIGNED, EVERY  # noqa: PLC0415

    is_all = view.metrics == EVERY
    wanted = [name for name in view.metrics if name in ALIGNED and not is_all]
    if wanted and request.no_ceaf:
        raise OptionError(f"'{wanted[0]}' needs an alignment: leave out --no-ceaf")
    if wanted and request.from_profiles:
        raise OptionError(f"'{wanted[0]}' {_NO_ALIGNMENT}")


def _counted(request: Request, view: TableView) -> TableResult:
    """Score files, with an alignment of clusters only if a metric needs it."""
    from scoref.reports.clusterings import ALIGNED  # noqa: PLC0415
    from scoref.tables.api import score_table  # noqa: PLC0415 - NumPy, engines

    is_aligned = not view.metrics or not ALIGNED.isdisjoint(view.metrics)
    key, *response = request.files
    with _progress() as progress:
        return score_table(
            key,
            *response,
            mention=request.mention,
            key_cluster=request.key_cluster,
            response_cluster=request.response_cluster,
            group=request.group,
            universe=request.universe or "both",
            duplicates=request.duplicates or "error",
            undefined=request.undefined,
            ceaf=is_aligned and not request.no_ceaf,
            engine=request.engine,
            memory=request.memory,
            header=request.header,
            table=_tables(*request.table),
            progress=progress,
        )


def _tables(*names: str) -> str | tuple[str, str] | None:
    if len(names) == _SIDES:
        return names[0], names[1]
    return names[0] if names else None


def _profiled(request: Request) -> TableResult:
    """Score saved profiles as one table."""
    from scoref.model import Note  # noqa: PLC0415 - NumPy
    from scoref.tables.api import merged  # noqa: PLC0415
    from scoref.tables.results import Choices, scored  # noqa: PLC0415

    saved = [each for path in request.files for each in _read(path)]
    first = saved[0]
    for each in saved:
        if each.choices != first.choices:
            raise FormatError(
                f"this was counted with {_listed(each)}, and {first.source} with "
                f"{_listed(first)}",
                source=each.source,
                hint="count both the same way",
            )
    universe, duplicates = first.choices
    choices = Choices(universe, duplicates, request.undefined)
    groups: dict[str, Profile] = {}
    for each in saved:
        name = each.source if each.group is None else each.group
        known = groups.get(name)
        groups[name] = each.profile if known is None else known + each.profile
    # Without groups they are parts of one table, and BLANC's links go everywhere.
    is_grouped = any(each.group is not None for each in saved)
    blocks = tuple(groups.values()) if is_grouped else ()
    result = scored(merged(groups.values()), {}, choices, blocks)
    note = Note("profile", len(saved), f"CEAF {_NO_ALIGNMENT}; so does the CoNLL score")
    return replace(
        result,
        groups={name: scored(each, {}, choices) for name, each in groups.items()},
        notes=(*result.notes, note),
    )


class _Saved(NamedTuple):
    """A profile, and what has to be known about it."""

    source: str
    group: str | None
    choices: tuple[str, str]
    profile: Profile


def _listed(saved: _Saved) -> str:
    return "--universe {} --duplicates {}".format(*saved.choices)


def _dumped(result: TableResult) -> str:
    """Write a line for each group, with the choices that went into its counts."""
    whole: list[tuple[str | None, TableResult]] = [(None, result)]
    choices = result.choices
    about = {"universe": choices.universe, "duplicates": choices.duplicates}
    lines = [
        json.loads(each.profile.dump()) | about | {"group": name}
        for name, each in [*result.groups.items()] or whole
    ]
    return "".join(f"{json.dumps(line)}\n" for line in lines)


def _read(path: str) -> list[_Saved]:
    """Read what was saved: a line for each group."""
    from scoref.contingency.profile import Profile  # noqa: PLC0415 - NumPy

    try:
        with open(path, encoding="utf-8") as file:  # noqa: PTH123
            lines = [line for line in file if not line.isspace()]
    except (OSError, UnicodeDecodeError) as error:
        problem = getattr(error, "strerror", None) or "this is no profile, but binary"
        raise FormatError(problem.lower(), source=path) from error
    if not lines:
        raise FormatError("there is no profile in this file", source=path)
    found = []
    for line in lines:
        profile = Profile.load(line, path)
        about = json.loads(line)
        choices = about.get("universe", "both"), about.get("duplicates", "error")
        found.append(_Saved(path, about.get("group"), choices, profile))
    return found


@contextmanager
def _progress() -> Iterator[Callable[[str, float], None] | None]:
    """Say what is going on, on a terminal, and wipe it out at the end."""
    if not sys.stderr.isatty():
        yield None
        return

    def show(step: str, share: float) -> None:
        click.echo(f"\r\x1b[K{share:4.0%}  {step} …", err=True, nl=False)

    try:
        yield show
    finally:
        click.echo("\r\x1b[K", err=True, nl=False)


def _coloured(report: str) -> str:
    """Make the header stand out; `click.echo` drops colours where nobody sees them."""
    header, newline, rest = report.partition("\n")
    return click.style(header, bold=True) + newline + rest
