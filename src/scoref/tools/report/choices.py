"""How the figures of a report were computed, in words."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING, Any

from scoref.lazy import pattern
from scoref.render.signature import fields

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from scoref.scoring.results import Result
    from scoref.statistics.confidence import Confidence

    Object = dict[str, object]

_VALUES: Mapping[str, Mapping[str, str]] = {
    "reading": {
        "strict": "Input that cannot be read is an error.",
        "lenient": "Input that cannot be read was skipped.",
        "reference": "Files were read as the Perl reference scorer reads them.",
    },
    "match": {
        "exact": "Two mentions match if they have the same words.",
        "partial": "A response mention matches if it contains the head (CorefUD) or "
        "Min (Universal Anaphora) of the key mention, and no word outside the key "
        "mention.",
        "head": "Two mentions match if their heads are the same word.",
        "craft": "A response mention matches if some of its words lie inside the first "
        "span of the key mention.",
        "min": "Two mentions match if their minimum spans are equal, as in coval.",
        "mina": "Two mentions match if their minimum spans are equal, as in the MINA "
        "paper.",
        "overlap": "Two mentions match if they share at least this part of their "
        "words.",
    },
    "identity": {
        "span": "Mentions are the same if their spans are equal.",
        "span+type": "Spans and types must be equal.",
        "span+kbid": "Spans and knowledge-base ids must be equal.",
        "span+type+kbid": "Spans, types and knowledge-base ids must be equal.",
    },
    "scope": {
        "document": "Entities with the same label are one entity within a document.",
        "subtopic": "Entities with the same label are one entity within a subtopic.",
        "topic": "Entities with the same label are one entity within a topic.",
        "corpus": "Entities with the same label are one entity in the whole corpus.",
    },
    "words": {
        "characters": "Key and response are tokenised differently, so mentions are "
        "compared by character, without white space.",
    },
    "borders": {
        "strict": "A response mention that starts or ends inside a word of the key "
        "matches nothing.",
        "expand": "A response mention that starts or ends inside a word of the key "
        "gets the whole word.",
        "contract": "A response mention that starts or ends inside a word of the key "
        "loses the word.",
        "punctuation": "A response mention that starts or ends inside a word of the "
        "key moves over punctuation.",
    },
    "unplaced": {
        "count": "Mentions of an answer that are not in the text count as wrong "
        "response mentions.",
        "ignore": "Mentions of an answer that are not in the text are left out.",
    },
    "markables": {
        "events": "Only events are read.",
        "entities": "All mentions except events are read.",
    },
    "mentions": {
        "gold": "Only mentions of the key are scored. Other response mentions were "
        "dropped, and missing ones were added as singletons.",
    },
    "singletons": {
        "keep": "Entities with one mention are scored.",
        "drop": "Entities with one mention were removed from both sides.",
    },
    "zeros": {
        "dependent": "Empty nodes are matched by their dependencies, and the rest by "
        "position.",
        "linear": "Empty nodes are matched by position.",
        "drop": "Empty nodes are left out.",
    },
    "split-antecedents": {
        "keep": "Entities that consist of several other entities are scored.",
        "drop": "Entities that consist of several other entities are ignored.",
    },
    "evaluate": {
        "identity": "The entities of the text are scored.",
        "split-antecedents": "Only entities that consist of several other entities are "
        "scored.",
        "discourse-deixis": "Discourse deixis is scored instead of identity.",
    },
    "phrases": {
        "all": "Verb phrases are scored.",
        "np": "Verb phrases are left out if coval finds them.",
        "no-vp": "All verb phrases are left out.",
    },
    "nested": {
        "keep": "Mentions inside another mention of the same entity are scored.",
        "drop": "Mentions inside another mention of the same entity are left out if "
        "coval drops them.",
        "outermost": "Mentions inside another mention of the same entity are left out.",
    },
    "alignment": {
        "official": "Matches between mentions are used as in the official scorer, "
        "where a later match can overwrite an earlier one.",
        "one-to-one": "Each mention has at most one counterpart.",
    },
    "duplicates": {
        "reference": "A key mention that the response lists twice stays in the first "
        "entity. Nothing is removed from the key.",
        "first": "A mention that is listed twice stays in the first entity.",
        "last": "A mention that is listed twice stays in the last entity.",
        "error": "A mention that is listed twice is an error.",
        "coval": "A mention that is listed twice stays in both entities. The last one "
        "gets the credit.",
        "corefud": "A mention in two entities stays in both. The later one gets the "
        "credit.",
        "ua": "A mention in two entities stays in both. The later one gets the credit.",
    },
    "missing": {
        "error": "A document that only one side has is an error.",
        "empty": "For a document that only one side has, the other side is empty.",
        "key": "Documents that the key lacks are ignored. Those that the response "
        "lacks have an empty response.",
    },
    "blanc": {
        "reference": "BLANC ignores a kind of link if the key has none, as in the Perl "
        "reference scorer.",
        "corefud": "BLANC ignores a kind of link if neither side has any, as in the "
        "CorefUD scorer.",
        "both-kinds": "BLANC is always the mean of both kinds of link.",
    },
    "lea": {
        "self-links": "In LEA, an entity with one mention has a link to itself.",
        "no-singletons": "LEA ignores entities with one mention.",
    },
    "average": {
        "micro": "Counts are summed over all documents.",
        "macro": "Each document is scored, and the scores are averaged.",
    },
    "anaphors": {
        "zeros": "The anaphor score covers empty nodes. Other choices are pronouns, "
        "all, parts of speech and distances.",
        "pronouns": "The anaphor score covers pronouns.",
        "all": "The anaphor score covers all anaphors.",
    },
    "folder": {
        "documents": "The files of a folder are the documents of one corpus.",
        "datasets": "The files of a folder are datasets, whose scores are averaged.",
    },
}
"""What values of conventions mean."""


_BEFORE_PARAMETER = pattern(r"[:(]")


def choices_of(signature: str) -> list[Object]:
    """Explain the values of a signature; without an explanation, the field."""
    meanings = fields()
    choices = [field.partition(":") for field in signature.split("|")]
    return [
        {
            "name": name,
            "value": value,
            "meaning": _VALUES.get(name, {}).get(
                _BEFORE_PARAMETER.split(value)[0], meanings.get(name, "")
            ),
        }
        for name, _, value in choices
    ]


def files_of(results: Mapping[str, Result]) -> list[Object]:
    """List the names of the files of systems, without their folders."""
    files = [("Key", next(iter(results.values())).key)]
    for name, result in results.items():
        what = "Response" if len(results) == 1 else f"Response of {name}"
        files.append((what, result.response))
    named = [(what, os.path.basename(path)) for what, path in files]
    return [{"name": what, "value": file} for what, file in named if file]


_METHODS = {
    "expanded": "expanded percentile bootstrap",
    "percentile": "percentile bootstrap",
    "bca": "BCa bootstrap",
}


def setup_of(
    labels: Iterable[str],
    chance: Confidence | None,
    comparison: Mapping[str, Any] | None,
) -> list[Object]:
    """List metrics, and how intervals and p-values were computed.

    Args:
        labels: names of the metrics.
        chance: the intervals; None if there are none.
        comparison: the differences between systems.
    """
    rows = [("Metrics", ", ".join(labels))]
    intervals = "None, because there is only one document."
    if chance is not None:
        intervals = (
            f"{chance.level:g}\u202f%, {_METHODS[chance.method]} over {chance.count:,} "
            f"{chance.unit}, {chance.resamples:,} samples, seed {chance.seed}"
        )
    rows.append(("Intervals", intervals))
    if comparison is not None:
        swaps = f"{comparison['swaps']:,} random swaps of documents"
        seed = f", seed {comparison['seed']}"
        if comparison["is_exact"]:
            swaps, seed = "all possible swaps of documents", ""
        test = f"Approximate randomisation with {swaps}{seed}; Holm’s correction"
        rows.append(("p-values", test))
    return [{"name": name, "value": value} for name, value in rows]
