"""A file in another format: what the target cannot hold is named and counted.

import scoref

scoref.convert("key.conllu", "json-lines").data
"""
