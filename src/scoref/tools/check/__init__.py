"""Everything that is wrong with coreference files, at once.

    import scoref

    for problem in scoref.check("response.conll"):
        print(problem.line, problem.column, problem.rule, problem.message)

Readers know what can be wrong with a file; here they are asked for all of it, and what
they give is looked at once more. `repair` mends what has one right answer.
"""
