"""scikit-learn (pip install scikit-learn), for clusterings of the same mentions."""

from protocol import RefusedError, answer_requests, entities_of
from sklearn import metrics


def score(request):
    """Compute the indices of clusterings."""
    key, response = (
        {mention: number for number, entity in enumerate(side) for mention in entity}
        for side in entities_of(request)
    )
    if key.keys() != response.keys():
        raise RefusedError("both sides must have the same mentions")
    labels = (
        [key[mention] for mention in sorted(key)],
        [response[m] for m in sorted(key)],
    )
    return {
        "rand": metrics.rand_score(*labels),
        "ari": metrics.adjusted_rand_score(*labels),
        "fowlkes-mallows": metrics.fowlkes_mallows_score(*labels),
        "v-measure": metrics.v_measure_score(*labels),
        "nmi": metrics.normalized_mutual_info_score(*labels),
    }


answer_requests(score, {"scikit-learn"})
