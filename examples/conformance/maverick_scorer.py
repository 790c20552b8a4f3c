"""maverick: python maverick_scorer.py CLONE, with a clone of maverick-coref."""

import sys
from pathlib import Path

from protocol import answer_requests, entities_of, with_conll

sys.path.insert(0, str(Path(sys.argv[1], "maverick", "common")))
import metrics

METRICS = {
    "muc": metrics.muc,
    "bcub": metrics.b_cubed,
    "ceafe": metrics.ceafe,
    "lea": metrics.lea,
}


def score(request):
    """Score one document."""
    key, response = (
        [tuple(entity) for entity in side] for side in entities_of(request)
    )
    figures = {}
    for name, metric in METRICS.items():
        evaluator = metrics.OfficialEvaluator(metric)
        evaluator.update(response, key, owners(response), owners(key))
        precision, recall, f1 = evaluator.get_prf()
        figures[name] = recall, precision, f1
    return with_conll(figures)


def owners(entities):
    """Return the entity of each mention."""
    return {mention: entity for entity in entities for mention in entity}


answer_requests(score, {"common", "reference"})
