"""The scores of a linker's pairs at every threshold, and the best threshold.

One union-find with running sums computes them, however many thresholds there are.
"""

from __future__ import annotations
