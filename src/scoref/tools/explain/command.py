"""The command `scoref explain`: why tools disagree about the same two files."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from scoref.formats.folders import is_datasets
from scoref.scheme import CONVENTIONS, choices
from scoref.terminal.help import Command
from scoref.terminal.options import of_files, of_folders, shown
from scoref.terminal.printing import print_notes, print_report
from scoref.terminal.running import BadInput, refusing
from scoref.terminal.systems import Attempts, paired

if TYPE_CHECKING:
    from collections.abc import Mapping

    from scoref.scheme import FolderKind
    from scoref.tools.explain.explanation import Explanation


class UnexplainedFigure(BadInput):
    """A figure that no convention gives."""

    exit_code = 3


@click.command(
    cls=Command,
    examples={
        "scoref explain key.conll response.conll --got 59.62": "Find out which "
        "tool gives this score, and why.",
    },
)
@click.argument("key")
@click.argument("response", required=False)
@click.option(
    "--got",
    multiple=True,
    metavar="[METRIC=]FIGURE",
    help="Score to explain, such as 59.62, conll=0.5962 or "
    "muc/recall=71.43, as a percentage or a fraction up to 1. May be "
    "repeated.",
)
@of_files
@of_folders
@click.option(
    "--lenient",
    is_flag=True,
    help="Skip what cannot be read or paired, and report what was skipped.",
)
@click.option(
    "--missing",
    type=click.Choice(choices("missing")),
    help=CONVENTIONS["missing"].option,
)
@shown
def command(
    key: str,
    response: str | None,
    *,
    got: tuple[str, ...],
    format: str | None,
    folder: FolderKind | None,
    lenient: bool,
    missing: str | None,
    output: str,
    precision: int,
) -> None:
    """Score RESPONSE against KEY under every convention in use, side by side.

    Each row is a tool or a common practice, with the reason why it differs from the
    first row. --got finds the row that gives a score you cannot explain.

    KEY and RESPONSE may be folders with a file for each dataset. Each dataset then has
    a table, and the last table is the macro average.

    Exit codes: 0 fine, 1 bad input, 2 bad usage, 3 no convention gives the figure.
    """
    with refusing():
        from scoref.render.report import join_reports
        from scoref.tools.explain.explanation import explain
        from scoref.tools.explain.figures import Figure
        from scoref.tools.explain.rendering import answers, explanation_report

        for text in got:
            Figure.parse(text)  # refuse bad figures before files are read
        attempts = Attempts()
        options = {"format": format, "lenient": lenient, "missing": missing}
        has_datasets = is_datasets(key, folder)
        explanations = (
            _explain_datasets(key, response, options, attempts, folder)
            if has_datasets
            else {"": explain(key, response, folder=folder, **options)}  # type: ignore[arg-type]
        )
        findings = {
            name: [explanation.find(text) for text in got]
            for name, explanation in explanations.items()
        }
        reports = {
            name: explanation_report(explanation, findings[name], precision)
            for name, explanation in explanations.items()
        }
        attempts.settle()
        if has_datasets:
            whole = join_reports("explain", reports, failures=attempts.losses)
            if reports or output == "json":
                print_report(whole, output)
        else:
            print_report(reports[""], output)
        if output == "csv":  # which has no room for answers
            for name, explanation in explanations.items():
                lines = answers(explanation, findings[name])
                print_notes(f"{name}: {line}" if name else line for line in lines)
        unexplained = [
            text
            for place, text in enumerate(got)
            if not any(own[place].matches for own in findings.values())
        ]
        if unexplained:
            raise UnexplainedFigure(f"no convention gives {', '.join(unexplained)}")
        attempts.finish()


def _explain_datasets(
    key: str,
    response: str | None,
    options: Mapping[str, object],
    attempts: Attempts,
    folder: str | None,
) -> dict[str, Explanation]:
    """Explain each dataset, and the macro average over them."""
    from scoref.terminal.systems import by_name
    from scoref.tools.explain.explanation import across, explain

    explanations: dict[str, Explanation] = {}
    systems = by_name([response] if response else [])
    for dataset in paired(key, systems, attempts, folder):
        for name, path in dataset.responses.items():
            with attempts.trying(str(path), dataset.name, name):
                explanation = explain(dataset.key, path, **options)  # type: ignore[arg-type]
                explanations[dataset.name] = explanation
    if len(explanations) > 1:
        name = f"macro average of {len(explanations)} datasets"
        explanations[name] = across(explanations)
    return explanations
