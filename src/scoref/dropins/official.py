"""What the CorefUD and the Universal Anaphora scorer print, line by line."""

from __future__ import annotations

import argparse
from typing import TYPE_CHECKING

from scoref.notes import WARNING
from scoref.printable import printable
from scoref.writing import standard_output

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Mapping
    from typing import NoReturn

    from _typeshed import SupportsWrite

    from scoref.metrics.base import Score
    from scoref.scoring.results import Result

MATCHES = {
    "exact": "exact",
    "partial": "partial-corefud",
    "craft": "partial-craft",
    "head": "head",
}
"""What the scorers call a way to match."""


class OfficialParser(argparse.ArgumentParser):
    """Reads the official scripts' options, and repeats wrong ones in a safe way."""

    def print_help(self, file: SupportsWrite[str] | None = None) -> None:
        """Print help; where it cannot be, that is an error."""
        stream = standard_output()
        (file or stream).write(self.format_help())
        stream.flush()

    def records(self) -> list[tuple[str, str]]:
        """List arguments and options as they are typed, each with its help."""
        return [(_typed(each), _told(each)) for each in self._actions]

    def error(self, message: str) -> NoReturn:
        """Leave with a message."""
        super().error(printable(message))


def _typed(action: argparse.Action) -> str:
    """Write an argument or an option with what it takes."""
    if not action.option_strings:
        return action.dest.upper()
    names = ", ".join(action.option_strings)
    return names if action.nargs == 0 else f"{names} {_value(action)}"


def _value(action: argparse.Action) -> str:
    value = "|".join(action.choices or [action.dest.upper()])
    return f"{value} ..." if action.nargs == "*" else value


def _told(action: argparse.Action) -> str:
    """Give the help of an argument, with what goes without it."""
    if not action.option_strings or action.nargs == 0 or action.default is None:
        return f"{action.help}"
    is_list = isinstance(action.default, list)
    default = " ".join(action.default) if is_list else action.default
    return f"{action.help} [default: {default}]"


def header(what: str, match: str, metrics: Iterable[str]) -> list[str]:
    """Say what is evaluated."""
    engine = MATCHES[match]
    return [
        f"The scorer is evaluating {what} using {engine} match evaluation setting.",
        f"The following metrics will be evaluated: {', '.join(metrics)}",
        "",
    ]


def doubts(result: Result, metrics: Collection[str]) -> list[str]:
    """List what standard error says about figures that may mislead."""
    found = [note.message for note in result.notes if note.kind != "undefined"]
    if not metrics:
        found.append(f"{WARNING}-m names no metric, so there are no figures")
    return found


def figures(score: Score) -> str:
    """Write recall, precision and F1."""
    percent = [100 * (value or 0) for value in score[:3]]
    return "Recall: {:.2f}  Precision: {:.2f}  F1: {:.2f}".format(*percent)


def average(scores: Mapping[str, Score], metrics: Iterable[str]) -> list[str]:
    """Write the CoNLL score, if exactly three lines count for it."""
    from scoref.metrics.conll import CONLL  # noqa: PLC0415 - after the options

    averaged = [scores[name].f1 for name in metrics if name in CONLL.of]
    if len(averaged) != len(CONLL.of):
        return []
    return [f"CoNLL score: {100 * CONLL.mean(averaged):.2f}"]
