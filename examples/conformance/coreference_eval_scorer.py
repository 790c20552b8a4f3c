"""coreference-eval (pip install coreference-eval)."""

from corefeval import Document, Scorer
from protocol import answer_requests, entities_of


def score(request):
    """Score one document."""
    key, response = entities_of(request)
    scorer = Scorer()
    scorer.update(Document(predicted=response, truth=key))
    mean, metrics = scorer.detailed_score("", "", verbose=False)
    names = {"b_cubed": "bcub"}
    figures = {
        names.get(name, name): (of["recall"], of["precision"], of["f1"])
        for name, of in metrics.items()
    }
    return {**figures, "conll": (mean, mean, mean)}


answer_requests(score, {"common", "reference"})
