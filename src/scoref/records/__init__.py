"""Clusterings as tables: which mention is in which cluster, from ten rows to a billion.

Nearly everything follows from how many pairs of clusters share n mentions, where the
key's cluster has a and the response's b: a small table of integers, the *profile*. An
engine counts it; all division happens here, once, so that every engine gives the same
digits.
"""

from __future__ import annotations
