"""Conversion of files to other formats, with a count of what the target cannot hold.

The function `scoref.convert` returns the converted files:

    import scoref

    scoref.convert("key.conllu", "json-lines").data
"""
