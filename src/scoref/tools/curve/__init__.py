"""Scored pairs of a linker: the scores at every threshold, and which one is best.

One union-find with running sums does it, whatever the number of thresholds.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from scoref.lazy import names

if TYPE_CHECKING:
    from scoref.tools.curve.curves import Curve, Point
    from scoref.tools.curve.curving import curve

__all__ = ["Curve", "Point", "curve"]

__getattr__, __dir__ = names(
    __name__, {"Curve": "curves", "Point": "curves", "curve": "curving"}
)
