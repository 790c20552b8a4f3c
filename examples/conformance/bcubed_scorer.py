"""The package bcubed (pip install bcubed), which needs the same mentions on both sides."""

import bcubed
from protocol import RefusedError, answer_requests, entities_of


def score(request):
    """Compute B³."""
    key, response = (
        {
            mention: {i for i, e in enumerate(side) if mention in e}
            for e in side
            for mention in e
        }
        for side in entities_of(request)
    )
    if key.keys() != response.keys() or not key:
        raise RefusedError("both sides must have the same mentions")
    precision, recall = bcubed.precision(response, key), bcubed.recall(response, key)
    return {"bcub": (recall, precision, bcubed.fscore(precision, recall))}


answer_requests(score, {"common", "reference"})
