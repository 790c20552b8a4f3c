"""Gender bias: pairs of texts with and against a stereotype, and the pronouns of GAP.

WinoBias (Zhao et al., 2018) has each sentence with *he* and with *she*. Both halves are
scored, and their difference is tested by swapping the texts of a pair. GAP has
ambiguous pronouns, half of them feminine.
"""
