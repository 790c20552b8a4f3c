"""Is the difference real? Intervals and tests over documents.

A corpus score is the score of a sum over documents. Whatever is asked of chance — other
documents, or the other system's output for some of them — is another sum of the same
rows, so that ten thousand such sums are one product of matrices.
"""
