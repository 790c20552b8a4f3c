"""Hugging Face evaluate's coval: python evaluate_scorer.py CLONE COVAL.

evaluate downloads the metric when it is loaded. To do without a network, give a clone of
huggingface/evaluate, which has the same file, and one of ns-moosavi/coval.
"""

import os
import sys

os.environ.setdefault("HF_HUB_OFFLINE", "1")
sys.path.insert(0, sys.argv[2])

import evaluate
from protocol import RefusedError, answer_requests, conll_lines

METRIC = evaluate.load(os.path.join(sys.argv[1], "metrics", "coval"))
PARTS = ("recall", "precision", "f1")


def score(request):
    """Pass the lines of both files, as its documentation does."""
    lines = request.get("files") or conll_lines(request)
    if lines.get("format", "conll-2012") != "conll-2012":
        raise RefusedError("it reads CoNLL-2012 only")
    words = [
        [line for line in lines[side] if line and not line.startswith("#")]
        for side in ("key", "response")
    ]
    got = METRIC.compute(
        references=[words[0]],
        predictions=[words[1]],
        keep_singletons=request["convention"] != "coval-no-singletons",
    )
    figures = {
        name: tuple(got[f"{name}/{part}"] for part in PARTS)
        for name in ("mentions", "muc", "bcub", "ceafe", "lea")
    }
    mean = got["conll_score"] / 100
    return {**figures, "conll": (mean, mean, mean)}


answer_requests(score, {"common", "reference", "coval", "coval-no-singletons"})
