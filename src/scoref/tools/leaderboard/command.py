"""The command `scoref leaderboard`: what Codabench and CodaLab ask of a scorer."""

from __future__ import annotations

import shlex
from pathlib import Path

import click

from scoref.terminal.completing import files, several_of
from scoref.terminal.help import Command
from scoref.terminal.options import scoring, wanted_of
from scoref.terminal.printing import print_failures, print_report, tell
from scoref.terminal.running import MissingParts, refusing


@click.command(
    cls=Command,
    examples={
        "scoref leaderboard input/ref input/res output --scheme crac-2026": "Score a "
        "submission for a board.",
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
    help="Write a whole competition into a new folder: pages, scoring program with "
    "all that it needs, REFERENCE, board.",
)
@click.option("--title", default="Coreference", help="Of the competition, for --init.")
@click.option(
    "--strict",
    is_flag=True,
    help="Leave with exit code 1 if any dataset cannot be scored.  [default: it counts "
    "as 0]",
)
@click.option(
    "--columns",
    metavar="LIST",
    shell_complete=several_of("scoref.scoring.datasets", "COLUMNS"),
    help="The shared task's table, any of head, partial, exact, singletons.",
)
@click.option("--jobs", type=click.IntRange(1), metavar="N", help="Datasets at once.")
@scoring
def command(  # noqa: PLR0913 - the options
    reference: Path,
    submission: Path | None,
    output: Path | None,
    *,
    init: Path | None,
    title: str,
    strict: bool,
    columns: str | None,
    jobs: int | None,
    lenient: bool,
    **options: str | None,
) -> None:
    """Score a SUBMISSION against the REFERENCE, and write what a board reads.

    Both are folders with a file for each dataset; a submission may lie in a folder in a
    folder, or in one zip. OUTPUT gets scores.json and scores.txt (flat, in percent),
    detailed_results.html and result.json. What is missing or cannot be read counts as 0
    and is named. No word of the reference is told.
    """
    with refusing():
        given = {name: value for name, value in options.items() if value is not None}
        if init is not None:
            if submission is not None:
                raise click.UsageError("--init takes the REFERENCE and nothing else")
            _init(init, reference, title, _written(given, lenient, columns))
            return
        if submission is None or output is None:
            raise click.UsageError("give REFERENCE, SUBMISSION and OUTPUT")
        from scoref.tools.leaderboard.board import (  # noqa: PLC0415 - NumPy
            score_submission,
        )

        wanted = wanted_of(options, lenient=lenient)
        board = score_submission(reference, submission, output, wanted, columns, jobs)
        print_report(board.report, "text")
        tell(f"key:{board.key}")
        print_failures(board.failures)
        if board.failures and strict:
            raise MissingParts(f"{len(board.failures)} datasets could not be scored")


def _init(folder: Path, reference: Path, title: str, options: list[str]) -> None:
    from scoref.tools.leaderboard.bundle import IMAGE, write_bundle  # noqa: PLC0415

    taken = write_bundle(folder, reference, title, options)
    tell(f"{folder}: a competition for {IMAGE}, with {', '.join(taken)}")
    tell("Zip what is in it, and upload the zip; dates and pages are yours to fill in.")


def _written(given: dict[str, str], lenient: bool, columns: str | None) -> list[str]:
    """Write options as they would be typed."""
    found = [f"--{name.replace('_', '-')}={value}" for name, value in given.items()]
    found += ["--lenient"] * lenient
    found += [f"--columns={columns}"] if columns else []
    return [shlex.quote(each) for each in found]
