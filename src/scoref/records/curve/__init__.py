"""Scored pairs of a linker: the scores at every threshold, and which one is best.

One union-find with running sums does it, whatever the number of thresholds.
"""

from __future__ import annotations
