"""GAP: pronouns of both genders, each with two names of which one may be meant.

Webster et al. (2018). Every example is two decisions; recall, precision and F1 of both
genders are compared, and their ratio is called the bias.
"""

from __future__ import annotations

from scoref.tools.gap.scoring import GapResult, score_gap

__all__ = ["GapResult", "score_gap"]
