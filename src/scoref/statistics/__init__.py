"""Confidence intervals, and tests of differences between systems, over documents.

A corpus score is the score of a sum over documents. The bootstrap draws other
documents, and randomisation swaps the output of two systems for some of them. Both are
other sums of the same rows, so ten thousand such sums are one matrix product.
"""
