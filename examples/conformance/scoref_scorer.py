"""scoref as a scorer of the conformance suite: a JSON line in, a JSON line out."""

import json
import sys
import warnings

import scoref

OPTIONS = {
    "common": {},
    "reference": {"scheme": "conll-2012"},
    "coval": {"duplicates": "coval"},
    "coval-no-singletons": {"duplicates": "coval", "singletons": "drop"},
    "cai-strube": {},
    "scikit-learn": {},
    "pairs": {},
    "corefud-head": {"scheme": "crac-2026"},
    "corefud-head-singletons": {"scheme": "crac-2026", "singletons": "keep"},
    "corefud-partial": {"scheme": "crac-2026", "match": "partial"},
    "corefud-exact": {"scheme": "crac-2026", "match": "exact"},
    "corefud-exact-singletons": {
        "scheme": "crac-2026",
        "match": "exact",
        "singletons": "keep",
    },
    "ua": {"scheme": "codi-crac-2022-ar"},
    "ua-no-singletons": {"scheme": "codi-crac-2022-ar", "singletons": "drop"},
    "ua-no-split-antecedents": {
        "scheme": "codi-crac-2022-ar",
        "split_antecedents": "drop",
    },
    "ua-partial": {"scheme": "codi-crac-2022-ar", "match": "partial"},
}


def score(request: dict) -> "scoref.Result":
    """Score a request by the convention that it names."""
    files = request.get("files")
    options = OPTIONS[request["convention"]]
    if files:
        sides = [
            "".join(f"{line}\n" for line in files[side]).encode()
            for side in ("key", "response")
        ]
        return scoref.score(
            *sides, format=files["format"], metrics=request["metrics"], **options
        )
    sides = [
        [[tuple(span) for span in entity] for entity in request[side]]
        for side in ("key", "response")
    ]
    return scoref.score(*sides, metrics=request["metrics"], **options)


def answer(request: dict) -> dict:
    """Answer a request."""
    if request["convention"] not in OPTIONS:
        return {"case": request["case"], "refused": "unknown convention"}
    try:
        result = score(request)
    except scoref.ScorefError as error:
        return {"case": request["case"], "refused": str(error)}
    scores = {}
    for metric in request["metrics"]:
        figures = result.scores[metric]
        if metric == "conll":
            scores[metric] = {"f1": figures.f1}
        elif isinstance(figures, scoref.Score):
            scores[metric] = {
                "recall": figures.recall,
                "precision": figures.precision,
                "f1": figures.f1,
            }
        else:
            scores[metric] = {"value": figures.value}
    return {"case": request["case"], "scores": scores}


if __name__ == "__main__":
    warnings.simplefilter("ignore")
    for line in sys.stdin:
        print(json.dumps(answer(json.loads(line))), flush=True)
