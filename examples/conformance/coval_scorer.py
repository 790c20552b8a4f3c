"""coval: python coval_scorer.py CLONE, with a clone of ns-moosavi/coval."""

import sys

from protocol import RefusedError, answer_requests, files_of, with_conll

sys.path.insert(0, sys.argv[1])
from coval.conll import reader
from coval.eval import evaluator

METRICS = {
    "mentions": evaluator.mentions,
    "muc": evaluator.muc,
    "bcub": evaluator.b_cubed,
    "ceafe": evaluator.ceafe,
    "lea": evaluator.lea,
}


def score(request):
    """Read two files and compute all metrics."""
    if request.get("files", {}).get("format", "conll-2012") != "conll-2012":
        raise RefusedError("it reads CoNLL-2012 only")
    keeps_singletons = request["convention"] != "coval-no-singletons"
    with files_of(request) as paths:
        documents = reader.get_coref_infos(
            *paths, False, False, keeps_singletons, False
        )
    figures = {
        name: tuple(evaluator.evaluate_documents(documents, metric, beta=1))
        for name, metric in METRICS.items()
    }
    return with_conll(figures)


answer_requests(score, {"common", "reference", "coval", "coval-no-singletons"})
