"""The command `scoref report`: a page to look at scores and errors in a browser."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

import click

from scoref.errors import OptionError
from scoref.formats import is_datasets
from scoref.printable import printable
from scoref.terminal.folders import Attempts
from scoref.terminal.help import Command
from scoref.terminal.options import chance, scoring, wanted_of
from scoref.terminal.printing import print_notes, tell
from scoref.terminal.running import OUTPUT, refusing

if TYPE_CHECKING:
    from collections.abc import Mapping

    from scoref.scoring.evaluate import Wanted
    from scoref.tools.errors import Analysis
    from scoref.tools.report.data import ReportChoice

_MEGA = 1_000_000


@click.command(
    cls=Command,
    examples={
        "scoref report key.conll ours=a.conll theirs=b.conll -o report.html": "Write "
        "a page with both systems.",
    },
)
@click.argument("key")
@click.argument("responses", metavar="[RESPONSE]...", nargs=-1)
@click.option(
    "-o",
    "path",
    type=OUTPUT,
    metavar="FILE",
    default="report.html",
    show_default=True,
    help="Where to write the page; one that is there is replaced. - is standard "
    "output.",
)
@click.option(
    "--documents",
    metavar="LIST",
    help="Whose texts to show: names or patterns such as 'news/*', separated by "
    "commas.  [default: all, as far as a page can hold them]",
)
@click.option(
    "--other-key",
    "other_keys",
    metavar="FILE",
    multiple=True,
    help="What another annotator said of the same texts, as FILE or NAME=FILE: errors "
    "say whether he would have made them, too. May be given several times.",
)
@scoring
@chance
def command(  # noqa: PLR0913 - the options
    key: str,
    responses: tuple[str, ...],
    *,
    path: str,
    documents: str | None,
    other_keys: tuple[str, ...],
    lenient: bool,
    bootstrap: str,
    resamples: int,
    seed: int,
    **options: str | None,
) -> None:
    """Write a page that shows the scores and errors of each RESPONSE.

    One file that opens offline: scores with intervals, systems side by side with
    significance, errors by kind, and every text with its mentions marked.

    KEY and RESPONSE may be folders with a file for each dataset: each dataset has a
    page of its own then, and FILE leads to them. NAME=RESPONSE gives a system a name.
    One file of JSON lines may hold both sides.
    """
    with refusing():
        from scoref.statistics.confidence import method_named  # noqa: PLC0415
        from scoref.terminal.systems import by_name  # noqa: PLC0415 - after the options
        from scoref.tools.errors.command import (  # noqa: PLC0415
            analysed,
            refuse_other_keys,
        )
        from scoref.tools.report.data import ReportChoice  # noqa: PLC0415 - NumPy

        _check_place(path)
        wanted = wanted_of(options, lenient=lenient)
        choice = ReportChoice(
            documents=_listed(documents),
            method=method_named(bootstrap),
            resamples=resamples,
            seed=seed,
        )
        if is_datasets(key):
            refuse_other_keys(other_keys)
            _write_datasets(path, key, by_name(responses), (wanted, choice))
            return
        others = by_name(other_keys)
        systems = analysed(key, by_name(responses), wanted, others)
        _write(path, _page(_called(systems, responses or (key,)), choice))


def _write_datasets(
    path: str, key: str, names: Mapping[str, str], asked: tuple[Wanted, ReportChoice]
) -> None:
    """Write a page for each dataset, and one that leads to them."""
    from scoref.tools.errors.command import (  # noqa: PLC0415 - after the options
        analysed_datasets,
    )
    from scoref.tools.report.page.index import Index  # noqa: PLC0415

    if path == "-":
        raise OptionError("folders have a page for each dataset: give a file with -o")
    wanted, choice = asked
    folder = os.path.splitext(path)[0] + "-datasets"  # noqa: PTH122 - 5 ms
    attempts, index = Attempts(), Index(key, list(names))
    for dataset, systems in analysed_datasets(key, names, wanted, attempts):
        place = f"{os.path.basename(folder)}/{dataset}.html"  # noqa: PTH119 - 5 ms
        index.add(dataset, systems)
        if systems:
            with attempts.trying(dataset):
                page = _page(_called(systems, tuple(names.values())), choice)
                os.makedirs(folder, exist_ok=True)  # noqa: PTH103 - 5 ms
                _write(f"{folder}/{dataset}.html", page)
                index.links[dataset] = place
    if index.links:
        _write(path, index.render())
    attempts.finish()


def _called(
    systems: dict[str, Analysis], paths: tuple[str, ...]
) -> dict[str, Analysis]:
    """Call systems by the names of their files, without folders, if those differ."""
    short = [
        os.path.basename(name) if name in paths else name  # noqa: PTH119 - 5 ms
        for name in systems
    ]
    names = short if len({*short}) == len(short) else list(systems)
    return dict(zip(names, systems.values(), strict=True))


def _listed(documents: str | None) -> tuple[str, ...]:
    if documents is None:
        return ()
    found = tuple(each.strip() for each in documents.split(",") if each.strip())
    if not found:
        raise click.UsageError("--documents needs a name at least")
    return found


def _page(systems: dict[str, Analysis], choice: ReportChoice) -> str:
    from scoref.tools.report.data import report_of  # noqa: PLC0415
    from scoref.tools.report.page import render_page  # noqa: PLC0415 - after reading

    report, texts = report_of(systems, choice)
    if report["left_out"] and not choice.documents:
        print_notes([str(report["left_out"])])
    return render_page(report, texts)


def _check_place(path: str) -> None:
    """Refuse what cannot be written before anything is computed."""
    from scoref.errors import FormatError  # noqa: PLC0415

    folder = os.path.dirname(path) or "."  # noqa: PTH120 - pathlib takes 5 ms to load
    if path == "-":
        return
    if os.path.isdir(path):  # noqa: PTH112
        raise FormatError("cannot be written: is a directory", source=path)
    if not os.path.isdir(folder):  # noqa: PTH112
        raise FormatError("cannot be written: there is no such folder", source=path)


def _write(path: str, page: str) -> None:
    """Write the page, and say how large it is."""
    from scoref.writing import STANDARD, write_output  # noqa: PLC0415 - at the end

    data = page.encode("utf-8", "replace")
    write_output(path, data)
    if path != STANDARD:
        tell(f"{printable(path)}: {len(data) / _MEGA:.1f} MB", err=True)
