"""What is wrong with a response: every error by its kind, and what each kind costs.

The response is turned into the key step by step, and each step is an error, counted
once. No parses are needed: what decides is which mentions were matched and which
entities share them.
"""
