"""The command `scoref-conll`: a drop-in for the Perl reference scorer v8.01.

    scoref-conll [--strict] METRIC KEY RESPONSE [NAME]

Its standard output equals that of the Perl script from the second line on, so programs
that read that output keep working. There are three differences: documents are in file
order, nothing is executed, and the limit of ten repeated mentions applies to each
metric of `all` separately. With `--strict`, repeated mentions are counted over all
metrics together, as in the Perl script.
"""

from __future__ import annotations

import re
import sys
from typing import TYPE_CHECKING

from scoref._version import __version__
from scoref.errors import FormatError
from scoref.printable import printable
from scoref.terminal.printing import tell
from scoref.terminal.running import running
from scoref.writing import write_standard

if TYPE_CHECKING:
    from typing import NoReturn

    from scoref.dropins.reference_scorer import ReferenceScorer

_METRICS = ("muc", "bcub", "ceafm", "ceafe", "blanc")
_MOST_REPEATS = 10
_REFUSED, _NO_FILE, _DIED = 1, 2, 25  # 25 is Perl's exit code on Linux
_USAGE = """\
Usage: scoref-conll [--strict] METRIC KEY RESPONSE [NAME]

  METRIC    muc, bcub, ceafm, ceafe, blanc, or all for all of them
  KEY       the file with the expected coreference, in CoNLL-2012 format
  RESPONSE  the file with the output of a system
  NAME      the document to score, as written after '#begin document ';
            'none' scores all documents and prints only the totals;
            without NAME, all documents are scored and shown one by one

  --strict  refuse to score if the response repeats more than 10 mentions,
            counted over all metrics of 'all' as in the Perl script;
            otherwise each metric is counted separately"""


_RECORD = re.compile(r"^  (\S+) +(.+(?:\n {10,}.+)*)", re.MULTILINE)


class _RefusalError(Exception):
    """The reason why nothing is scored, and the exit code for it."""

    def __init__(self, message: str, code: int) -> None:
        super().__init__(message)
        self.code = code


def main() -> NoReturn:
    """Run the command with the arguments of the process."""
    with running():
        code = run(sys.argv[1:])
    sys.exit(code)


def run(arguments: list[str]) -> int:
    """Score, print what the Perl script prints, and return its exit code."""
    strict = "--strict" in arguments
    arguments = [argument for argument in arguments if argument != "--strict"]
    _print([f"version: 8.01 scoref {__version__}"])
    if len(arguments) < len(("METRIC", "KEY", "RESPONSE")):
        _print(_USAGE.split("\n"))
        return 0
    metric, key, response, *more = arguments
    name = more[0] if more else None
    if not metric.lower().startswith((*_METRICS, "all")):
        _print(["Invalid metric"])
        return 0
    try:
        scorer = _read(key, response, None if name == "none" else name)
        _score(scorer, metric, name, strict=strict)
    except _RefusalError as refusal:
        tell(str(refusal), err=True)
        return refusal.code
    ignored = more[1:]
    unused = [f"arguments after NAME are ignored: {' '.join(ignored)}"]
    for warning in (*scorer.warnings, *(unused if ignored else [])):
        tell(f"warning: {printable(warning)}", err=True)
    return 0


def records() -> list[tuple[str, str]]:
    """Return the arguments and options, each with its help."""
    words = _RECORD.findall(_USAGE)
    return [(word, " ".join(text.split())) for word, text in words]


def _read(key: str, response: str, only: str | None) -> ReferenceScorer:
    from scoref.dropins.reference_scorer import ReferenceScorer
    from scoref.formats.input_files import (  # loads NumPy
        name_of,
        read_lines,
    )

    try:
        data = read_lines(key), read_lines(response)
    except FormatError as error:
        why = getattr(error.__cause__, "strerror", None) or error.problem
        where = printable(error.source)
        raise _RefusalError(f"Can not open {where}: {why}", _NO_FILE) from error
    try:
        return ReferenceScorer.of(*data, (name_of(key), name_of(response)), only)
    except FormatError as error:
        raise _RefusalError(str(error), _DIED) from error


def _score(
    scorer: ReferenceScorer, metric: str, name: str | None, *, strict: bool
) -> None:
    """Print the report of one metric or of all, up to where the Perl script stops."""
    from scoref.dropins import reference_scorer as layout  # loads NumPy

    repeats = 0
    for metric_name in _METRICS if metric == "all" else (metric.lower(),):
        if metric == "all":
            _print(["", f"METRIC {metric_name}:"])
        scored = scorer.score(metric_name) if metric_name in _METRICS else None
        repeats = repeats if strict else 0
        for row, identification in enumerate(scorer.identifications):
            left = _MOST_REPEATS + 1 - repeats
            _print(layout.opening(scorer, row, metric_name, name, left))
            repeats += len(identification.repeated_in_response)
            if repeats > _MOST_REPEATS:
                raise _RefusalError(
                    f"Found too many repeated mentions (> {_MOST_REPEATS}) in the "
                    "response, so refusing to score. Please fix the output.\n"
                    "('scoref KEY RESPONSE' scores it, and says which entity keeps "
                    "them.)",
                    _REFUSED,
                )
            if name != "none":
                _print(layout.closing(identification, row, scored))
            if scored is None:
                raise _RefusalError(f"Metric {metric_name} not implemented yet", _DIED)
        if scored is not None:
            _print(layout.totals(scorer.score("mentions"), scored))


def _print(lines: list[str]) -> None:
    # Names of documents may be any bytes, which are printed unchanged.
    text = "".join(f"{line}\n" for line in lines)
    write_standard(text.encode("utf-8", "surrogateescape"))
