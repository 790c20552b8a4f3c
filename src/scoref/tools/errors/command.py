"""The command `scoref errors`: the errors of a response, and what they cost."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import click

from scoref.formats.folders import is_datasets
from scoref.terminal.help import Command, files
from scoref.terminal.options import request_of, scoring, shown
from scoref.terminal.printing import print_report
from scoref.terminal.running import refusing
from scoref.terminal.systems import Attempts
from scoref.tools.errors.kinds import BY, FORMER_BY, KINDS

if TYPE_CHECKING:
    from collections.abc import Mapping

    from scoref.scoring.request import Request
    from scoref.scoring.results import Result
    from scoref.tools.errors.findings import Gains
    from scoref.tools.errors.rendering import ErrorView

_KINDS = [kind.name for kind in KINDS]


class _By(click.Choice[str]):
    """The values of --by, some of which have former names."""

    def convert(
        self,
        value: Any,
        param: click.Parameter | None,
        ctx: click.Context | None,
    ) -> str:
        """Replace the former name."""
        return super().convert(FORMER_BY.get(value, value), param, ctx)


@click.command(
    cls=Command,
    examples={
        "scoref errors key.conll response.conll": "Count errors by kind.",
        "scoref errors key.conll response.conll --kind wrong-link --list": "List "
        "the wrong links, the costliest first.",
    },
)
@click.argument("key")
@click.argument("responses", metavar="[RESPONSE]...", nargs=-1)
@click.option(
    "--by",
    type=_By(list(BY)),
    default="kind",
    show_default=True,
    help="Count errors by kind alone, or also by document, entity size, mention "
    "length, mention type, distance in sentences or class.",
)
@click.option(
    "--classes",
    metavar="FILE",
    shell_complete=files,
    help="For --by class: a table with the columns document, start, end and class.",
)
@click.option(
    "--kind",
    "kinds",
    metavar="KIND",
    type=click.Choice(_KINDS),
    multiple=True,
    help=f"Show only errors of this kind: {', '.join(_KINDS)}. May be repeated.",
)
@click.option(
    "--list",
    "is_list",
    is_flag=True,
    help="List each error, the costliest first. CSV and JSON always do.",
)
@click.option(
    "--sort",
    type=click.Choice(["cost", "document"]),
    help="Sort errors by cost or by position. [default: cost in a list, "
    "position in CSV and JSON]",
)
@click.option(
    "--span-errors",
    metavar="RULE",
    help="When a wrong span counts as a span error: head (each mention "
    "contains the other's head), share:N (N of the words are shared; "
    "0.5 if omitted) or overlap.  [default: head if the files have "
    "heads or parses, otherwise share]",
)
@click.option(
    "--other-key",
    "other_keys",
    metavar="FILE",
    multiple=True,
    help="Another annotator's file for the same texts, as FILE or "
    "NAME=FILE. Shows which errors this annotator also makes. May be "
    "repeated.",
)
@scoring
@shown
def command(
    key: str,
    responses: tuple[str, ...],
    *,
    by: str,
    classes: str | None,
    kinds: tuple[str, ...],
    is_list: bool,
    sort: str | None,
    span_errors: str | None,
    other_keys: tuple[str, ...],
    lenient: bool,
    output: str,
    precision: int,
    **options: str | None,
) -> None:
    """Count errors of each RESPONSE by kind, and show what each kind costs.

    scoref finds errors by turning the response into the key, step by step: span errors,
    conflated entities, wrong links, extra and missing mentions and entities, divided
    entities. Each error is counted once. The gain of a kind is the increase in CoNLL F₁
    if only that kind were fixed.

    KEY and RESPONSE may be folders with a file for each dataset. NAME=RESPONSE gives a
    system a name. One file of JSON lines may contain both sides.
    """
    with refusing():
        from scoref.scoring.mention_classes import ClassTable
        from scoref.scoring.slices import check_classes
        from scoref.terminal.systems import by_name, with_system_folders
        from scoref.tools.errors.analysis import analyse_files
        from scoref.tools.errors.rendering import ErrorView, errors_report
        from scoref.tools.errors.spans import rule_of

        if sort and not (is_list or output in {"csv", "json"}):
            raise click.UsageError("--sort needs --list, --output csv or --output json")
        if is_list and by != "kind":
            raise click.UsageError("--list cannot be combined with --by")
        wanted = request_of({**options, "metrics": None}, lenient=lenient)
        rule_of(span_errors)  # refuses a wrong rule before files are read
        check_classes(by, classes)
        table = None if classes is None else ClassTable.read(classes)
        view = ErrorView(output, precision, by, kinds, is_list, sort, table)
        names = by_name(with_system_folders(key, responses, wanted.folder))
        if is_datasets(key, wanted.folder):
            if other_keys:
                raise click.UsageError(
                    "--other-key cannot be used with folders of datasets"
                )
            _print_datasets(key, names, wanted, view, span_errors)
            return
        systems = analyse_files(
            key, names, wanted, by_name(other_keys, "annotators"), span_errors
        )
        print_report(errors_report(systems, view), output)


# Costs are differences of the CoNLL score, so metrics cannot be chosen.
command.params = [option for option in command.params if option.name != "metrics"]


def _print_datasets(
    key: str,
    names: Mapping[str, str],
    wanted: Request,
    view: ErrorView,
    span_errors: str | None,
) -> None:
    from scoref.render.report import join_reports
    from scoref.scoring.comparable import comparability_notes
    from scoref.tools.errors.analysis import analyse_datasets
    from scoref.tools.errors.rendering import errors_report, sum_parts

    attempts, reports = Attempts(), {}
    gains: dict[str, list[Gains]] = {name: [] for name in names}
    results: dict[str, Result] = {}
    for dataset, systems in analyse_datasets(key, names, wanted, attempts, span_errors):
        if systems:
            with attempts.trying(dataset):
                reports[dataset] = errors_report(systems, view)
        for name, analysis in systems.items():
            results[f"{name} {dataset}"] = analysis.result
            if analysis.result.is_defined("conll"):
                gains[name].append(analysis.gains)
    attempts.settle()
    sums = sum_parts(gains, view) if len(reports) > 1 else []
    if reports or view.output == "json":
        whole = join_reports("errors", reports, sums, attempts.losses)
        notes = [*comparability_notes(results, same_key=False), *whole.notes]
        print_report(whole._replace(notes=list(dict.fromkeys(notes))), view.output)
    attempts.finish()
