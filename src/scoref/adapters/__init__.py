"""Adapters that let other libraries use scoref, with one module for each library.

`huggingface` is a metric for `evaluate`, `datasets` scores columns of a dataset,
`spacy` scores groups of spans, and `torchmetrics` is a metric with states. `inspect_ai`
and `lm_eval` score the answers of language models. Each library is an optional
dependency, and is not loaded before its module is imported.
"""
