"""The CorefUD and the Universal Anaphora scorer: python corefud_scorer.py CLONE.

CLONE is a clone of ufal/corefud-scorer, which contains both and needs udapi.
"""

import sys

from protocol import RefusedError, answer_requests, files_of, with_conll

sys.path.insert(0, sys.argv[1])
from scorer.corefud.reader import CorefUDReader
from scorer.eval import evaluator
from scorer.ua.reader import UAReader

METRICS = {
    "muc": evaluator.muc,
    "bcub": evaluator.b_cubed,
    "ceafm": evaluator.ceafm,
    "ceafe": evaluator.ceafe,
    "blanc": [evaluator.blancc, evaluator.blancn],
    "lea": evaluator.lea,
    "mor": evaluator.mention_overlap,
}
COREFUD = {"keep_zeros": True, "zero_match_method": "dependent"}
UA = {"keep_singletons": True, "keep_split_antecedents": True, "match": "exact"}
OPTIONS = {
    "corefud-head": {**COREFUD, "match": "head"},
    "corefud-head-singletons": {**COREFUD, "match": "head", "keep_singletons": True},
    "corefud-partial": {**COREFUD, "match": "partial-corefud"},
    "corefud-exact": {**COREFUD, "match": "exact"},
    "corefud-exact-singletons": {**COREFUD, "match": "exact", "keep_singletons": True},
    "ua": UA,
    "ua-no-singletons": {**UA, "keep_singletons": False},
    "ua-no-split-antecedents": {**UA, "keep_split_antecedents": False},
    "ua-partial": {**UA, "match": "partial-corefud"},
}


def score(request):
    """Read two files and compute all metrics."""
    if "files" not in request:
        raise RefusedError("it reads CorefUD and Universal Anaphora files only")
    is_ua = request["convention"].startswith("ua")
    reader = (UAReader if is_ua else CorefUDReader)(**OPTIONS[request["convention"]])
    with files_of(request) as paths:
        reader.get_coref_infos(*paths)
    figures = {
        name: tuple(evaluator.evaluate_documents(reader.doc_coref_infos, metric))
        for name, metric in METRICS.items()
        if not (is_ua and name == "mor")
    }
    return with_conll(figures)


answer_requests(score, OPTIONS)
