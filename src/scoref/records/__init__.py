"""Clusterings as tables: which mention is in which cluster, from ten rows to a billion.

Nearly every figure follows from a small table of integers, the *profile*: how many
pairs of clusters share n mentions, where the key's cluster has a mentions and the
response's has b. An engine counts the profile. All divisions happen in this package,
so every engine gives the same digits.
"""

from __future__ import annotations
