"""The command `scoref stats`: counts of what is in a file."""

from __future__ import annotations

from contextlib import nullcontext
from functools import partial
from typing import TYPE_CHECKING

import click

from scoref.terminal.help import Command
from scoref.terminal.options import of_files, of_folders, shown
from scoref.terminal.printing import print_report
from scoref.terminal.running import OUTPUT, refusing
from scoref.terminal.systems import Attempts, expanded

if TYPE_CHECKING:
    from scoref.formats.catalogue import Role


@click.command(
    cls=Command,
    examples={
        "scoref stats key.conll response.conll": "Show two files side by side.",
    },
)
@click.argument("files", metavar="FILE...", nargs=-1, required=True)
@click.option("--per-document", is_flag=True, help="Show a row for each document.")
@click.option(
    "--side",
    type=click.Choice(("key", "response")),
    default="key",
    show_default=True,
    help="Side to read from JSON lines that contain both.",
)
@of_files
@of_folders
@click.option(
    "--lenient",
    is_flag=True,
    help="Skip what cannot be read, and report what was skipped.",
)
@partial(shown, has_signature=False)
@click.option(
    "--plot",
    type=OUTPUT,
    metavar="FILE",
    help="Plot the sizes of entities to a .svg, .png or .html file.",
)
def command(
    files: tuple[str, ...],
    *,
    per_document: bool,
    side: Role,
    format: str | None,
    folder: str | None,
    lenient: bool,
    output: str,
    precision: int,
    plot: str | None,
) -> None:
    """Count the words, mentions and entities in each FILE.

    A folder of datasets is replaced by its files; a folder of documents is one corpus.
    Of several files, those that cannot be read are reported and skipped.

    Formats are detected; `scoref formats` lists them. Files may be compressed (.gz,
    .xz, .bz2, .zst, .zip), and "-" is standard input. NAME=FILE gives a file a name.
    """
    with refusing():
        from scoref.errors import OptionError
        from scoref.formats import input_files, reading
        from scoref.formats.fingerprints import fingerprint
        from scoref.render.plots import check_plot
        from scoref.terminal.systems import named
        from scoref.tools.stats.census import count
        from scoref.tools.stats.rendering import census_report, plot_sizes

        arguments = expanded(named(files), folder)
        paths = dict(arguments)
        if len(paths) < len(arguments):
            raise OptionError("two files have the same name. Name them with NAME=FILE")
        input_files.refuse_second_reading(paths.values())
        if plot:
            check_plot(plot)
        attempts, counts, keys = Attempts(), {}, {}
        for name, path in paths.items():
            with attempts.trying(path, name) if len(paths) > 1 else nullcontext():
                corpus = reading.read(
                    path,
                    role=side,
                    format=format,
                    reading="lenient" if lenient else "strict",
                    layer="types",
                    with_tokens=True,
                    is_shared=side == "response",
                    folder=folder,
                )
                counts[name] = count(corpus)
                keys[name] = fingerprint(corpus)
        attempts.settle()
        if plot and counts:
            plot_sizes(plot, counts)
        if counts or output == "json":
            report = census_report(
                counts,
                keys,
                precision,
                per_document=per_document,
                failures=attempts.losses,
            )
            print_report(report, output)
        attempts.finish()
