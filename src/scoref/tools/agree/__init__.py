"""Agreement between annotators, and a response scored against all of them.

The function `scoref.agree` returns all figures:

    import scoref

    found = scoref.agree({"ada": "ada.conll", "ben": "ben.conll", "eva": "eva.conll"})
    found.alpha["masi"], found.mean["conll"], found.outlier
"""
