"""What a partly labelled key says of a whole prediction, and how sure that is.

A few hundred people, papers or products were resolved by hand, completely. Every figure
is a sum over true clusters, so that their weighted sums estimate those of all.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from scoref.lazy import names

if TYPE_CHECKING:
    from scoref.tools.estimate.estimates import Estimate
    from scoref.tools.estimate.estimating import estimate

__all__ = ["Estimate", "estimate"]

__getattr__, __dir__ = names(
    __name__, {"Estimate": "estimates", "estimate": "estimating"}
)
