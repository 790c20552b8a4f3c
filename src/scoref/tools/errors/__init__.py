"""The errors of a response by kind, and what each kind costs.

The response is turned into the key step by step. Each step is an error and is counted
once. This needs no parses: the kind of an error depends only on which mentions were
matched and which entities share them.
"""
