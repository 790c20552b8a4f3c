"""What `coref.yaml` takes from scoref; options of `scoref.score` go into the call."""

from scoref.adapters.lm_eval import (
    bcub,
    ceafe,
    conll,
    conll_high,
    conll_low,
    coreference,
    lea,
    muc,
)

__all__ = [
    "bcub",
    "ceafe",
    "conll",
    "conll_high",
    "conll_low",
    "lea",
    "muc",
    "process_results",
]

process_results = coreference()
