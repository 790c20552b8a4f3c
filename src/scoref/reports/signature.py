"""What the fields of a signature mean."""

from __future__ import annotations

from scoref.scheme import choices

_FIELDS = {
    "scoref": "the version that computed the figures",
    "format": "of the files; two, if key and response differ; behind them the notation "
    "of a language model's answers",
    "reading": "what happens to what cannot be read: strict refuses it, lenient passes "
    "over it, reference reads it as the Perl reference scorer does",
    "match": "which mentions count as the same; min: equal minimum spans, as in coval; "
    "mina: as in its paper",
    "singletons": "whether entities of one mention are scored",
    "zeros": "how empty nodes are matched, or that they are left out",
    "split-antecedents": "whether entities that stand for several others are scored",
    "evaluate": "which annotation of Universal Anaphora is scored",
    "phrases": "verb phrases are left out: np: those that coval finds; no-vp: all",
    "nested": "mentions inside another one of their entity are left out; drop: by "
    "coval's rule; outermost: all of them",
    "alignment": "official: matches go astray as in the official scorer; one-to-one: "
    "they do not",
    "group": "the column of a table whose values documents stand for: clusters do not "
    "go from one to another",
    "universe": "which mentions of a table are scored: of both sides, or of one",
    "duplicates": "who keeps a mention that is listed twice",
    "missing": "a document that one side lacks: refused, empty, or as the key has it",
    "row-order": "how rows are sorted where an engine knows no order of its own",
    "undefined": "what 0/0 is",
    "blanc": "which scorer's rule BLANC follows where links are absent",
    "lea": "how LEA counts singletons",
    "average": "micro sums over documents, macro averages their scores",
    "anaphors": "which anaphors the anaphor score is for",
    "datasets": "macro: scores are averaged over datasets",
    "window": "documents were cut into windows of so many tokens, and these scored as "
    "documents; bookcoref: as the published evaluator cuts them",
    "by": "what mentions or documents were sorted by",
    "confidence": "level of the intervals, in percent",
    "bootstrap": "how intervals are cut",
    "resamples": "how many corpora were drawn",
    "swaps": "how many ways to swap two systems' documents were tried; all: every one",
    "seed": "of the draws; the same seed gives the same digits",
    "correction": "of p-values for their number",
    "unit": "what was drawn or swapped as a whole",
}


def explanation() -> str:
    """Explain every field, one a line, with its values."""
    width = max(map(len, _FIELDS))
    return "\n".join(
        f"{name.ljust(width)}  {text}{_values(name)}" for name, text in _FIELDS.items()
    )


def _values(name: str) -> str:
    try:
        values = choices(name.replace("-", "_"))
    except KeyError:
        return ""
    return f" ({', '.join(values)})" if values else ""
