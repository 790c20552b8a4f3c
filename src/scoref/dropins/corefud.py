"""The command `scoref-corefud`: a drop-in for the CorefUD scorer 1.2.

    scoref-corefud KEY RESPONSE [-m METRIC …] [-s] [-a MATCH] [-x] [-z METHOD]

Its standard output equals that of the official script, so programs that read that
output keep working. Files that the script cannot read are refused with a message and
exit code 1, and nothing is written to standard output.
"""

from __future__ import annotations

import argparse
import sys
from typing import TYPE_CHECKING

from scoref.errors import ScorefError
from scoref.notes import WARNING
from scoref.printable import printable
from scoref.terminal.printing import print_notes, tell
from scoref.terminal.running import running
from scoref.writing import standard_output

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Mapping
    from typing import NoReturn

    from _typeshed import SupportsWrite

    from scoref.metrics.base import AnyScore
    from scoref.scoring.results import Result


_METRICS = ("muc", "bcub", "ceafe", "ceafm", "blanc", "lea", "mor", "zero")


def main() -> NoReturn:
    """Run the command with the arguments of the process."""
    with running():
        code = run(sys.argv[1:])
    sys.exit(code)


def run(arguments: list[str]) -> int:
    """Score, print what the official script prints, and return an exit code."""
    options = _parser().parse_args(arguments)
    metrics = _METRICS if "all" in options.metrics else tuple(options.metrics)
    match = "exact" if options.exact_match else options.match
    from scoref.scoring.evaluate import score_files  # loads NumPy
    from scoref.scoring.request import Request

    wanted = Request(
        format="corefud",
        scheme="crac-2026",
        metrics=metrics or "muc",
        changes={
            "match": match,
            "singletons": "keep" if options.keep_singletons else "drop",
            "zeros": options.zero_match_method,
        },
    )
    try:
        (result,) = score_files(options.key, [options.response], wanted)
    except ScorefError as error:
        tell(f"error: {error}", err=True)
        return 1
    print_notes(doubts(result, metrics))
    what = ""
    if set(metrics) - {"mor"}:
        singletons = ", singletons" if options.keep_singletons else ""
        zeros = f"zeros (using {options.zero_match_method} match method)"
        what = f"coreferential mentions{singletons}, {zeros}"
    lines = header(what, match, metrics)
    for name in metrics:
        lines += [name, figures(result.scores[name])]
    tell("\n".join([*lines, *average(result.scores, metrics)]))
    return 0


def records() -> list[tuple[str, str]]:
    """Return the arguments and options, each with its help."""
    return _parser().records()


def _parser() -> OfficialParser:
    parser = OfficialParser(
        prog="scoref-corefud",
        description="Score CorefUD files like the CorefUD scorer 1.2.",
    )
    parser.add_argument("key", help="the file with the expected coreference")
    parser.add_argument("response", help="the file with the output of a system")
    parser.add_argument(
        "-m",
        "--metrics",
        nargs="*",
        choices=["all", *_METRICS],
        default=["all"],
        help="metrics to compute, in this order",
    )
    parser.add_argument(
        "-s",
        "--keep-singletons",
        action="store_true",
        help="also score entities with one mention",
    )
    parser.add_argument(
        "-a",
        "--match",
        choices=["exact", "partial", "head"],
        default="head",
        help="how mentions are matched",
    )
    parser.add_argument(
        "-x", "--exact-match", action="store_true", help="the same as --match exact"
    )
    parser.add_argument(
        "-z",
        "--zero-match-method",
        choices=["linear", "dependent"],
        default="dependent",
        help="match zeros by place, or by their dependencies",
    )
    return parser


# The rest is also used by scoref-ua, whose report has the same layout.

MATCHES = {
    "exact": "exact",
    "partial": "partial-corefud",
    "craft": "partial-craft",
    "head": "head",
}
"""The official names of the values of ``match``."""


class OfficialParser(argparse.ArgumentParser):
    """Reads the options of the official scripts, and makes messages printable."""

    def print_help(self, file: SupportsWrite[str] | None = None) -> None:
        """Print help; a failure to write it is an error."""
        stream = standard_output()
        (file or stream).write(self.format_help())
        stream.flush()

    def records(self) -> list[tuple[str, str]]:
        """Return arguments and options as they are typed, each with its help."""
        return [_record(action) for action in self._actions]

    def error(self, message: str) -> NoReturn:
        """Print a message and exit."""
        super().error(printable(message))


def _record(action: argparse.Action) -> tuple[str, str]:
    """Return an argument or option with its values, and its help with the default."""
    if not action.option_strings:
        return action.dest.upper(), f"{action.help}"
    names = ", ".join(action.option_strings)
    if action.nargs == 0:
        return names, f"{action.help}"
    value = "|".join(action.choices or [action.dest.upper()])
    typed = f"{names} {value}{' ...' if action.nargs == '*' else ''}"
    if action.default is None:
        return typed, f"{action.help}"
    is_list = isinstance(action.default, list)
    default = " ".join(action.default) if is_list else action.default
    return typed, f"{action.help} [default: {default}]"


def header(what: str, match: str, metrics: Iterable[str]) -> list[str]:
    """Return the first lines of a report: what is evaluated, and by which metrics."""
    engine = MATCHES[match]
    return [
        f"The scorer is evaluating {what} using {engine} match evaluation setting.",
        f"The following metrics will be evaluated: {', '.join(metrics)}",
        "",
    ]


def doubts(result: Result, metrics: Collection[str]) -> list[str]:
    """Return messages for standard error about figures that may mislead."""
    messages = [note.message for note in result.notes if note.kind != "undefined"]
    if not metrics:
        messages.append(f"{WARNING}-m has no metric, so there are no figures.")
    return messages


def figures(score: AnyScore) -> str:
    """Return a line with recall, precision and F1."""
    from scoref.metrics.base import figures_of  # loads NumPy

    percent = [100 * (value or 0) for value in figures_of(score)]
    return "Recall: {:.2f}  Precision: {:.2f}  F1: {:.2f}".format(*percent)


def average(scores: Mapping[str, AnyScore], metrics: Iterable[str]) -> list[str]:
    """Return a line with the CoNLL score if all of its metrics were asked for."""
    from scoref.metrics.conll import CONLL  # loads NumPy

    averaged = [scores[name].f1 for name in metrics if name in CONLL.of]
    if len(averaged) != len(CONLL.of):
        return []
    return [f"CoNLL score: {100 * CONLL.mean(averaged):.2f}"]
