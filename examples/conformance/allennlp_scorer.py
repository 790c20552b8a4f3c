"""AllenNLP's metric (pip install --no-deps allennlp-models).

AllenNLP itself needs PyTorch before 1.13, which no supported Python has. The module
with the metric needs only two names of it, which are defined here.
"""

import importlib.util
import sys
from importlib.metadata import distribution
from types import ModuleType, SimpleNamespace

from protocol import answer_requests, entities_of, with_conll

for name in (
    "torch",
    "allennlp",
    "allennlp.nn",
    "allennlp.training",
    "allennlp.training.metrics",
):
    sys.modules.setdefault(name, ModuleType(name))
sys.modules["torch"].Tensor = object
sys.modules["allennlp.nn.util"] = SimpleNamespace(dist_reduce_sum=lambda number: number)
Metric = type("Metric", (), {"register": lambda _: lambda metric: metric})
sys.modules["allennlp.training.metrics.metric"] = SimpleNamespace(Metric=Metric)

PATH = distribution("allennlp-models").locate_file(
    "allennlp_models/coref/metrics/conll_coref_scores.py"
)
SPEC = importlib.util.spec_from_file_location("conll_coref_scores", PATH)
MODULE = importlib.util.module_from_spec(SPEC)
SPEC.loader.exec_module(MODULE)


def score(request):
    """Score one document."""
    sides = [[tuple(entity) for entity in side] for side in entities_of(request)]
    key, response = sides
    owners = [{mention: e for e in side for mention in e} for side in sides]
    metrics = MODULE.ConllCorefScores()
    figures = {}
    for name, scorer in zip(("muc", "bcub", "ceafe"), metrics.scorers, strict=True):
        scorer.update(response, key, owners[1], owners[0])
        figures[name] = (scorer.get_recall(), scorer.get_precision(), scorer.get_f1())
    return with_conll(figures)


answer_requests(score, {"common", "reference"})
