"""Agreement between annotators, and a response scored against all of them.

The function `scoref.agree` returns all figures:

    import scoref

    files = {"ada": "ada.conll", "ben": "ben.conll", "eva": "eva.conll"}
    agreement = scoref.agree(files)
    agreement.alpha["masi"], agreement.mean["conll"], agreement.outlier
"""
