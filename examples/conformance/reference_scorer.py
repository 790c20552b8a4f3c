"""The Perl reference scorer: python reference_scorer.py CLONE.

CLONE is a clone of conll/reference-coreference-scorers. The script prints percentages
with two decimals, so its function that prints is replaced by one that prints all digits.
"""

import re
import subprocess
import sys
from pathlib import Path

from protocol import RefusedError, answer_requests, files_of, with_conll

PROGRAM = """
no warnings;
*CorScorer::ShowRPF = sub { print join(" ", "FIGURES", map { sprintf "%.17g", $_ } @_), "\\n" };
CorScorer::Score(@ARGV);
"""


def run(metric, paths):
    """Return the lines of figures that the scorer prints for a metric."""
    library = Path(sys.argv[1], "lib")
    result = subprocess.run(
        ["perl", f"-I{library}", "-MCorScorer", "-e", PROGRAM, metric, *paths, "none"],
        capture_output=True,
        text=True,
        check=False,
    )
    lines = [line.split() for line in re.findall("FIGURES (.*)", result.stdout)]
    if not lines:
        raise RefusedError(f"it printed: {result.stdout[-80:]}{result.stderr[-80:]}")
    return [[float(number) for number in line] for line in lines]


def ratios(correct, key, right, response, f1=None):
    """Return recall, precision and F₁ from numerators and denominators."""
    recall = correct / key if key else 0
    precision = right / response if response else 0
    if f1 is None:
        total = recall + precision
        f1 = 2 * recall * precision / total if total else 0
    return recall, precision, f1


def score(request):
    """Score with all metrics of the script."""
    if request.get("files", {}).get("format", "conll-2012") != "conll-2012":
        raise RefusedError("it reads CoNLL-2012 only")
    figures = {}
    with files_of(request) as paths:
        for metric in ("muc", "bcub", "ceafm", "ceafe", "blanc"):
            mentions, *_, last = run(metric, paths)
            figures["mentions"] = ratios(*mentions)
            figures[metric] = ratios(*last)
    return with_conll(figures)


answer_requests(score, {"common", "reference"})
