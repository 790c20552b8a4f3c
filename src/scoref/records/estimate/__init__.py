"""Estimates of the scores of a whole prediction from a labelled sample.

The sample has, for example, a few hundred people, papers or products that were resolved
completely by hand. Every figure follows from sums over true clusters, and weighted sums
over the sample estimate these.
"""

from __future__ import annotations
