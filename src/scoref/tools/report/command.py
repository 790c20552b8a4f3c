"""The command `scoref report`: a page that shows scores and errors in a browser."""

from __future__ import annotations

import click

from scoref.formats.folders import is_datasets
from scoref.printable import printable
from scoref.terminal.help import Command
from scoref.terminal.options import chance, request_of, scoring
from scoref.terminal.printing import print_notes, tell
from scoref.terminal.running import OUTPUT, refusing
from scoref.writing import STANDARD


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
    help="File to write; an existing file is replaced. - is standard output.",
)
@click.option(
    "--documents",
    metavar="LIST",
    help="Documents whose texts to show: names or patterns such as "
    "'news/*', separated by commas.  [default: as many as fit on a "
    "page]",
)
@click.option(
    "--no-text",
    is_flag=True,
    help="Show no text and no positions of errors, only scores and counts; "
    "for hidden test sets.",
)
@click.option(
    "--no-names",
    is_flag=True,
    help="With --no-text: show numbers instead of document names.",
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
@click.option("--open", "is_opened", is_flag=True, help="Open the page in a browser.")
@scoring
@chance
def command(
    key: str,
    responses: tuple[str, ...],
    *,
    path: str,
    documents: str | None,
    no_text: bool,
    no_names: bool,
    other_keys: tuple[str, ...],
    is_opened: bool,
    lenient: bool,
    bootstrap: str,
    resamples: int,
    seed: int,
    **options: str | None,
) -> None:
    """Write an HTML page with the scores and errors of each RESPONSE.

    The page is one file that works offline. It shows scores with intervals, systems
    side by side with significance, errors by kind, and every text with its mentions
    marked.

    KEY and RESPONSE may be folders with a file for each dataset. Each dataset then has
    its own page, and FILE links to them. NAME=RESPONSE gives a system a name. One file
    of JSON lines may contain both sides.
    """
    with refusing():
        from scoref.statistics.confidence import method_named
        from scoref.terminal.systems import by_name, with_system_folders
        from scoref.tools.report.data import ReportChoice
        from scoref.tools.report.report import (
            PageRequest,
            check_place,
            open_in_browser,
            write_report,
        )

        check_place(path)
        if is_opened and path == STANDARD:
            raise click.UsageError("--open needs a file, not standard output (-o -)")
        patterns = [] if documents is None else map(str.strip, documents.split(","))
        names = tuple(pattern for pattern in patterns if pattern)
        if documents is not None and not names:
            raise click.UsageError("--documents needs at least one name")
        choice = ReportChoice(
            documents=names,
            method=method_named(bootstrap),
            resamples=resamples,
            seed=seed,
            with_text=not no_text,
            with_names=not no_names,
        )
        wanted = request_of(options, lenient=lenient)
        if other_keys and is_datasets(key, wanted.folder):
            raise click.UsageError(
                "--other-key cannot be used with folders of datasets"
            )
        request = PageRequest(
            wanted,
            choice,
            note=lambda message: print_notes([message]),
            tell=lambda message: tell(printable(message), err=True),
        )
        systems = by_name(with_system_folders(key, responses, wanted.folder))
        write_report(path, key, systems, request, by_name(other_keys, "annotators"))
        if is_opened and not open_in_browser(path):
            print_notes([f"No browser was found. Open {path} yourself."])
