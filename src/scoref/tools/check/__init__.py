"""Checks of coreference files that find all problems at once.

    import scoref

    for problem in scoref.check("response.conll"):
        print(problem.line, problem.column, problem.rule, problem.message)

Readers report every fault that they find, and further rules check the result. `repair`
fixes the problems that have one right answer.
"""
