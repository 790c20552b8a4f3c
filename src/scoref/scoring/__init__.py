"""From two files to a result: pipeline, `scoref.score`, `scoref.Evaluator`, folders."""
