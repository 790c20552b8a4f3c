"""scoref in the manner of other libraries, each in a module of its own.

`huggingface` is a metric for `evaluate`, `datasets` scores columns of a dataset,
`spacy` scores groups of spans, and `torchmetrics` is a metric with states. None of
these libraries is loaded before its module is, and each is an extra.
"""
