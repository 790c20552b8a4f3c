"""The command `scoref report`: a page that shows scores and errors in a browser."""

from __future__ import annotations

import click

from scoref.formats.folders import is_datasets
from scoref.printable import printable
from scoref.terminal.help import Command
from scoref.terminal.options import chance, request_of, scoring
from scoref.terminal.printing import print_notes, tell
from scoref.terminal.running import OUTPUT, refusing


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
    "--no-text",
    is_flag=True,
    help="For hidden test sets: scores, counts and kinds of errors, and no word of any "
    "text, nor where errors are.",
)
@click.option(
    "--no-names",
    is_flag=True,
    help="With --no-text, documents have numbers for names, too.",
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
def command(
    key: str,
    responses: tuple[str, ...],
    *,
    path: str,
    documents: str | None,
    no_text: bool,
    no_names: bool,
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
        from scoref.statistics.confidence import method_named
        from scoref.terminal.systems import by_name, with_system_folders
        from scoref.tools.report.data import ReportChoice
        from scoref.tools.report.report import (
            PageRequest,
            check_place,
            write_report,
        )

        check_place(path)
        patterns = [] if documents is None else map(str.strip, documents.split(","))
        names = tuple(pattern for pattern in patterns if pattern)
        if documents is not None and not names:
            raise click.UsageError("--documents needs a name at least")
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
                "--other-key is for files, not for folders of datasets"
            )
        request = PageRequest(
            wanted,
            choice,
            note=lambda message: print_notes([message]),
            tell=lambda message: tell(printable(message), err=True),
        )
        systems = by_name(with_system_folders(key, responses, wanted.folder))
        write_report(path, key, systems, request, by_name(other_keys))
