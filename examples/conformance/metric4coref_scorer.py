"""metric4coref (pip install metric4coref), whose CEAF is listed as CEAFe."""

from metric4coref import b_cubed, ceaf, conll_coref_f1, muc
from protocol import answer_requests, entities_of


def score(request):
    """Score one document."""
    key, response = entities_of(request)
    figures = {}
    for name, metric in (("muc", muc), ("bcub", b_cubed), ("ceafe", ceaf)):
        precision, recall, f1 = metric(response, key)
        figures[name] = (recall, precision, f1)
    mean = conll_coref_f1(response, key)
    return {**figures, "conll": (mean, mean, mean)}


answer_requests(score, {"common", "reference"})
