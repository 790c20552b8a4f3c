"""The scores that stanza prints when it trains a coreference model (pip install stanza)."""

from protocol import answer_requests, entities_of, with_conll
from stanza.models.coref.cluster_checker import ClusterChecker


def score(request):
    """Score one document; stanza reports F₁ by metric, and LEA in full."""
    checker = ClusterChecker()
    checker.add_predictions(*entities_of(request))
    f1, precision, recall = checker.total_lea
    names = ("muc", "b3", "ceafe")
    figures = {
        name.replace("b3", "bcub"): (
            getattr(checker, f"_{name}_recall"),
            getattr(checker, f"_{name}_precision"),
            mean,
        )
        for name, mean in zip(names, checker.mbc, strict=True)
    }
    return with_conll({**figures, "lea": (recall, precision, f1)})


answer_requests(score, {"common", "reference"})
