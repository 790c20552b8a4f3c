"""What the example scorers share: they answer JSON lines, and they write files.

A scorer is a function from a request to figures: recall, precision and F₁ by metric,
or a single value. It raises `RefusedError` if the scorer cannot answer.
"""

import contextlib
import json
import sys
import tempfile
from pathlib import Path


class RefusedError(Exception):
    """Why a scorer has no figures for a case."""


def answer_requests(score, conventions):
    """Answer the lines of standard input; refuse conventions that are not listed."""
    for line in sys.stdin:
        request = json.loads(line)
        reply = {"case": request["case"]}
        try:
            with contextlib.redirect_stdout(sys.stderr):  # for scorers that print
                figures = score_known(score, request, conventions)
            reply["scores"] = {
                metric: figures_of(figures[metric])
                for metric in request["metrics"]
                if metric in figures
            }
        except RefusedError as reason:
            reply["refused"] = str(reason)
        print(json.dumps(reply), flush=True)


def score_known(score, request, conventions):
    """Score a request, unless its convention is not listed."""
    if request["convention"] not in conventions:
        raise RefusedError("this scorer does not have this convention")
    return score(request)


def figures_of(figure):
    """Name the parts of a figure."""
    if isinstance(figure, tuple):
        return dict(zip(("recall", "precision", "f1"), map(float, figure), strict=True))
    return {"value": float(figure)}


def with_conll(figures):
    """Add the mean F₁ of MUC, B³ and CEAFe."""
    mean = sum(figures[metric][2] for metric in ("muc", "bcub", "ceafe")) / 3
    return {**figures, "conll": (mean, mean, mean)}


def entities_of(request):
    """Return key and response: lists of entities, whose mentions are tuples."""
    if request["key"] is None:
        raise RefusedError("this scorer does not read files")
    return [
        [[tuple(mention) for mention in entity] for entity in request[side]]
        for side in ("key", "response")
    ]


@contextlib.contextmanager
def files_of(request):
    """Write key and response to files, and return their paths."""
    lines = request.get("files") or conll_lines(request)
    with tempfile.TemporaryDirectory() as folder:
        paths = [Path(folder, side) for side in ("key", "response")]
        for path in paths:
            text = "".join(f"{line}\n" for line in lines[path.name])
            path.write_text(text, encoding="utf-8")
        yield [str(path) for path in paths]


def conll_lines(request):
    """Return the lines of CoNLL-2012 files with the entities of both sides."""
    sides = entities_of(request)
    size = 2 + max((end for side in sides for e in side for _, end in e), default=0)
    lines = {}
    for name, side in zip(("key", "response"), sides, strict=True):
        cells = [[] for _ in range(size)]
        for number, entity in enumerate(side):
            for start, end in entity:
                if start == end:
                    cells[start].append(f"({number})")
                else:
                    cells[start].append(f"({number}")
                    cells[end].append(f"{number})")
        words = [f"d 0 {i} w {'|'.join(c) or '-'}" for i, c in enumerate(cells)]
        lines[name] = ["#begin document (d);", *words, "#end document"]
    return lines
