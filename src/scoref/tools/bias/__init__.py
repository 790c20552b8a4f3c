"""Bias by pairs of texts: one goes with a stereotype, the other one against it.

WinoBias (Zhao et al., 2018) has the same sentence with *he* and with *she*. Both halves
are scored, and the difference of their scores is tested by swapping texts of a pair.
"""

from __future__ import annotations

from scoref.tools.bias.winobias import BiasResult, score_bias

__all__ = ["BiasResult", "score_bias"]
