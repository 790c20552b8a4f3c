"""How far annotators agree, and how good a response is where they differ.

import scoref

found = scoref.agree({"ada": "ada.conll", "ben": "ben.conll", "eva": "eva.conll"})
found.alpha["masi"], found.mean["conll"], found.outlier
"""
