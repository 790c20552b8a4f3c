"""What a partly labelled key says of a whole prediction, and how sure that is.

A few hundred people, papers or products were resolved by hand, completely. Every figure
is a sum over true clusters, so that their weighted sums estimate those of all.
"""

from __future__ import annotations
