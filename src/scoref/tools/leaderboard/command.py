"""The command `scoref leaderboard`: scores and bundles for Codabench and CodaLab."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import click

from scoref.terminal.help import Command, Option, files, several_of
from scoref.terminal.options import request_of, scoring
from scoref.terminal.printing import print_failures, print_notes, print_report, tell
from scoref.terminal.running import MissingParts, refusing

if TYPE_CHECKING:
    from scoref.scoring.request import Request


@click.command(
    cls=Command,
    examples={
        "scoref leaderboard input/ref input/res output --scheme crac-2026": "Score a "
        "submission for a platform such as Codabench.",
        "scoref leaderboard --init bundle keys/ --title 'My task'": "Write a bundle "
        "for Codabench with these keys.",
    },
)
@click.argument("reference", type=click.Path(path_type=Path), shell_complete=files)
@click.argument(
    "submission", type=click.Path(path_type=Path), required=False, shell_complete=files
)
@click.argument(
    "output", type=click.Path(path_type=Path), required=False, shell_complete=files
)
@click.option(
    "--init",
    metavar="DIR",
    type=click.Path(path_type=Path),
    help="Write a competition bundle to a new folder: pages, board, "
    "REFERENCE, and a scoring program with these options and the files "
    "they name.",
)
@click.option(
    "--title", help="Title of the competition, for --init.  [default: Coreference]"
)
@click.option(
    "--require-all",
    "strict",
    cls=Option,
    former=("--strict",),
    is_flag=True,
    help="Exit with code 1 if a dataset cannot be scored.  [default: it counts as 0]",
)
@click.option(
    "--columns",
    metavar="LIST",
    shell_complete=several_of("scoref.scoring.datasets", "COLUMNS"),
    help="Columns of the shared task's table, any of head, partial, exact "
    "and singletons.",
)
@click.option(
    "--jobs",
    "-j",
    type=click.IntRange(1),
    metavar="N",
    help="Number of datasets to score in parallel.  [default: all cores]",
)
@scoring
def command(
    reference: Path,
    submission: Path | None,
    output: Path | None,
    *,
    init: Path | None,
    title: str | None,
    strict: bool,
    columns: str | None,
    jobs: int | None,
    lenient: bool,
    **options: str | None,
) -> None:
    """Score one SUBMISSION against the REFERENCE, and write the scores for a platform.

    SUBMISSION and OUTPUT are required unless --init is given. To rank several systems,
    use `scoref REFERENCE SYSTEMS`.

    REFERENCE and SUBMISSION are folders with a file for each dataset. The files of a
    submission may also be in a subfolder or in a zip. A submission may have at most
    10,000 files. Unpacked, it may have 20 times the size of the reference, or 100 MiB
    if that is more. Links are refused.

    scoref writes scores.json and scores.txt (flat, in percent), detailed_results.html
    and result.json to OUTPUT. A dataset that is missing or cannot be read counts as 0
    and is named. The output contains no text of the reference.
    """
    with refusing():
        if columns and (options["match"] or options["singletons"]):
            raise click.UsageError(
                "--columns sets --match and --singletons itself. Leave them out"
            )
        wanted = request_of(options, lenient=lenient)
        if init is not None:
            if submission is not None:
                raise click.UsageError(
                    "--init needs only the REFERENCE. Leave out the other arguments"
                )
            _write_bundle(init, reference, title or "Coreference", wanted)
            return
        if submission is None or output is None:
            raise click.UsageError(
                "leaderboard needs three arguments: REFERENCE, SUBMISSION and OUTPUT"
            )
        if title is not None:
            raise click.UsageError("--title can only be used with --init")
        from scoref.tools.leaderboard.board import score_submission

        board = score_submission(reference, submission, output, wanted, columns, jobs)
        print_report(board.report, "text")
        tell(f"key:{board.key}")
        print_failures(board.failures)
        print_notes(board.notes)
        if board.failures and strict:
            from scoref.printable import counted

            raise MissingParts(
                f"{counted(len(board.failures), 'dataset')} could not be scored"
            )


def _write_bundle(folder: Path, reference: Path, title: str, wanted: Request) -> None:
    from scoref.tools.leaderboard.board import board_columns
    from scoref.tools.leaderboard.bundle import IMAGE, refuse_existing, write_bundle

    context = click.get_current_context()
    refuse_existing(folder)
    columns = board_columns(reference, folder, wanted, context.params["columns"])
    options, files = _scoring_options(context, wanted)
    packages = write_bundle(
        folder,
        reference,
        title,
        options,
        kind=wanted.folder,
        files=files,
        columns=columns,
    )
    tell(f"{folder}: a competition for {IMAGE}, with {', '.join(packages)}")
    tell(
        "Next, fill in dates and pages, zip the content of the folder, "
        "and upload the zip."
    )


def _scoring_options(
    context: click.Context, wanted: Request
) -> tuple[list[str], dict[str, Path]]:
    """List the options about scoring on the command line, and those that name files."""
    scheme = wanted.scheme_for(None)
    options: list[str] = []
    files: dict[str, Path] = {}
    for param in context.command.params:
        name = param.name or ""
        source = context.get_parameter_source(name)
        is_typed = source is click.core.ParameterSource.COMMANDLINE
        is_of_bundle = name in {"init", "title", "quiet"}
        if not isinstance(param, click.Option) or not is_typed or is_of_bundle:
            continue
        label, value = param.opts[0], context.params.get(name)
        is_path = isinstance(param.type, click.Path | click.File)
        is_file = getattr(getattr(scheme, name, None), "source", None) == "file"
        if param.is_flag:
            options.append(label if value else (param.secondary_opts or [""])[0])
        elif is_path or is_file or param.metavar == "FILE":
            files[label] = Path(str(value))
        else:
            values = value if param.multiple else [value]
            options += [f"{label}={text}" for text in values or ()]
    return options, files
