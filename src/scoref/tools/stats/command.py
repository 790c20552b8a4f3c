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
        "scoref stats --profile crac key.conllu": "Show the statistics of CRAC.",
    },
)
@click.argument("files", metavar="FILE...", nargs=-1, required=True)
@click.option(
    "--profile",
    type=click.Choice(("crac",)),
    help="Count CorefUD files as CRAC does, with a row for each FILE.",
)
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
    profile: str | None,
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
    if profile and (per_document or plot):
        raise click.UsageError(
            f"--profile {profile} cannot be combined with --per-document or --plot"
        )
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
        if profile:
            _print_profile(paths, attempts, output, side, is_lenient=lenient)
            return
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


def _print_profile(
    paths: dict[str, str],
    attempts: Attempts,
    output: str,
    side: Role,
    *,
    is_lenient: bool,
) -> None:
    """Print the statistics of CRAC."""
    from scoref.tools.stats.crac import crac_figures, crac_report

    files = {}
    for name, path in paths.items():
        with attempts.trying(path, name) if len(paths) > 1 else nullcontext():
            files[name] = crac_figures(path, is_lenient=is_lenient, side=side)
    attempts.settle()
    if files or output == "json":
        print_report(crac_report(files, attempts.losses), output)
    attempts.finish()
