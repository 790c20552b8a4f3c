"""Why tools disagree about the same two files.

    import scoref

    explanation = scoref.explain("key.conll", "response.conll")
    for row in explanation.rows:
        row.label, row.scores["conll"].f1, row.cause
    explanation.find("59.62").matches    # which convention gives that figure

A convention is a value: a name, its users, a phrase for the cause of the difference,
and a way to compute its figures. That is a changed scheme, entities grouped in another
way, or other averages of the same counts. No metric is implemented twice.
"""
