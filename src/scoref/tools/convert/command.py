"""The command `scoref convert`: a file in another format, and its losses."""

from __future__ import annotations

from typing import TYPE_CHECKING, Literal

import click

from scoref.formats.catalogue import (
    BRAT,
    CAS_JSON,
    CONLL_2012,
    COREFUD,
    FORMATS,
    JSON_LINES,
    UNIVERSAL_ANAPHORA,
    WEBANNO,
    all_formats,
)
from scoref.terminal.help import Command, NameOf
from scoref.terminal.options import of_folders
from scoref.terminal.printing import print_notes
from scoref.terminal.running import OUTPUT, refusing

if TYPE_CHECKING:
    from scoref.formats.catalogue import Splitting
    from scoref.tools.convert.merging import Dispute
    from scoref.tools.convert.sources import Side

_TABLES = ("tsv", "csv")
READ = (*FORMATS, *_TABLES)
WRITTEN = (
    *(CONLL_2012, JSON_LINES, COREFUD, UNIVERSAL_ANAPHORA),
    *(BRAT, WEBANNO, CAS_JSON, *_TABLES),
)


def all_read() -> tuple[str, ...]:
    """Return the formats that can be read, with those of plugins."""
    return (*all_formats(), *_TABLES)


@click.command(
    cls=Command,
    examples={
        "scoref convert corpus.conllu corpus.jsonl": "Convert CorefUD to JSON lines.",
        "scoref convert ada.conll ben.conll eva.conll key.conll --merge majority": (
            "Merge three annotators' files into one key."
        ),
    },
)
@click.argument("sources", metavar="IN...", nargs=-1, required=True)
@click.argument("target", metavar="OUT", type=OUTPUT)
@click.option(
    "--from",
    "from_",
    type=NameOf("scoref.tools.convert.command", "READ", "all_read"),
    metavar="NAME",
    help="Format of IN: tsv, csv, or one of `scoref formats`.  [default: detected]",
)
@click.option(
    "--to",
    type=click.Choice(WRITTEN),
    metavar="NAME",
    help=f"Format of OUT: {', '.join(WRITTEN)}.  [default: by its suffix: .conll, "
    ".conllu, .ua, .jsonl, .ann or a folder, .tsv, .csv]",
)
@click.option(
    "--lossy",
    is_flag=True,
    help="Drop what the format of OUT cannot express, and report what was dropped.",
)
@click.option(
    "--base",
    metavar="FILE",
    help="File with the same text to add the mentions to, if IN has no text "
    "or to keep lemmas and trees.",
)
@click.option(
    "--side",
    type=click.Choice(("key", "response")),
    default="key",
    show_default=True,
    help="Side to read from JSON lines that contain both.",
)
@click.option(
    "--tokens",
    type=click.Choice(("auto", "blanks", "words")),
    default="auto",
    show_default=True,
    help="Tokens of brat texts: split at spaces, or into runs of letters "
    "and single signs (words).",
)
@click.option(
    "--merge",
    type=click.Choice(("majority",)),
    help="Merge several annotators' files into one key: keep what more than "
    "half of them have.",
)
@click.option(
    "--decisions",
    metavar="FILE",
    help="Decisions saved on the page of `scoref agree --adjudicate`, to apply to the "
    "majority of several annotators' files.",
)
@click.option(
    "--disputes",
    type=OUTPUT,
    metavar="FILE",
    help="CSV file for ties and conflicts that remain.  [default: show the first ones]",
)
@of_folders
@click.option("--force", is_flag=True, help="Replace an existing OUT.")
def command(
    sources: tuple[str, ...],
    target: str,
    *,
    from_: str | None,
    to: str | None,
    lossy: bool,
    base: str | None,
    side: Side,
    tokens: Splitting,
    merge: Literal["majority"] | None,
    decisions: str | None,
    disputes: str | None,
    folder: str | None,
    force: bool,
) -> None:
    """Convert IN to another format, and write it to OUT.

    Formats are CoNLL-2012, CorefUD, Universal Anaphora, JSON lines, brat standoff,
    WebAnno TSV, UIMA CAS in JSON and tables of mentions. "-" is standard input or
    output. If OUT cannot express something (gaps, zeros, heads, …), scoref reports it
    and writes nothing, unless --lossy is given. scoref reads the result again and
    compares it.

    A brat document is two files; several documents are a folder. WebAnno TSV and UIMA
    CAS have a file for each document; several documents are a folder.

    --merge majority merges several annotators' files of the same texts. Ties and
    conflicts are listed, so that someone can settle them. The text of a document is
    that of the first file that has it. --decisions does the same, and then applies the
    decisions of a curator.
    """
    with refusing():
        is_merged = bool(merge or decisions)
        if disputes and not is_merged:
            raise click.UsageError("--disputes needs --merge majority or --decisions")
        if len(sources) > 1 and not is_merged:
            raise click.UsageError(
                "several files can only be converted to one with --merge majority or "
                "--decisions"
            )
        from scoref.tools.convert.conversion import convert_file

        converted = convert_file(
            sources if is_merged else sources[0],
            target,
            to=to,
            merge=merge,
            decisions=decisions,
            force=force,
            format=from_,
            lossy=lossy,
            side=side,
            base=base,
            splitting=tokens,
            folder=folder,
        )
        losses = [loss.warning() for loss in converted.losses]
        print_notes([*losses, *(note.message for note in converted.notes)])
        if is_merged:
            _list_disputes(converted.disputes, disputes)


_MOST_DISPUTES = 10


def _list_disputes(disputes: tuple[Dispute, ...], path: str | None) -> None:
    """Write ties and conflicts to a file, or show some of them."""
    if path is None:
        print_notes(map(str, disputes[:_MOST_DISPUTES]))
        if (more := len(disputes) - _MOST_DISPUTES) > 0:
            print_notes(
                [(f"There are {more:,} more. Use --disputes FILE to list all of them.")]
            )
        return
    from scoref.render import render
    from scoref.tools.convert.merging import disputes_report
    from scoref.writing import write_whole

    table = render(disputes_report(disputes), "csv")
    write_whole(path, f"{table}\n".encode("utf-8", "surrogateescape"))
