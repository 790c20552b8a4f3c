"""What harnesses for language models share: answers are scored one by one.

A harness sees documents one by one and averages their scores. A score of coreference is
not an average: the counts of all documents are added first. So the counts of each
document are kept as plain values, which a log can hold, and are added up at the end.
"""

from __future__ import annotations

import json
from dataclasses import replace
from typing import TYPE_CHECKING, Any, NamedTuple

from scoref.errors import OptionError
from scoref.metrics import leading_metric
from scoref.scoring.request import Request, ScoreOptions
from scoref.scoring.results import join_results
from scoref.scoring.saved import as_plain, from_plain
from scoref.tools.llm.scoring import score_answer

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping
    from typing import Unpack

    from scoref.scheme import Unplaced
    from scoref.scoring.results import Result
    from scoref.tools.llm.scoring import AnswerResult


class AnswerScorer(NamedTuple):
    """How answers are read and scored."""

    wanted: Request
    notation: str | None = None

    @classmethod
    def of(
        cls,
        notation: str | None,
        unplaced: Unplaced | None = None,
        **options: Unpack[ScoreOptions],
    ) -> AnswerScorer:
        """Take the options of `scoref.score`; a wrong one is refused at once."""
        wanted = Request.of(**options, unplaced=unplaced)
        wanted.scheme_for(wanted.format)
        return cls(wanted, notation)

    def score(self, key: object, answer: str, name: str) -> AnswerResult:
        """Score an answer; its document has the name of the sample."""
        text = key_text(key)
        scored = score_answer(text, answer, self.wanted, notation=self.notation)
        return replace(scored, result=replace(scored.result, documents=(name,)))


_FIELDS = ("doc_key", "sentences", "tokens", "clusters")


def key_text(key: object) -> str:
    """Return a key as the content of a file; a dict becomes a line of JSON lines."""
    if isinstance(key, str):
        return key
    if isinstance(key, dict) and "clusters" in key:
        fields = {name: key[name] for name in _FIELDS if key.get(name) is not None}
        return json.dumps({"doc_key": "document", **fields})
    raise OptionError(
        "a key must be the content of a file, or an object with 'sentences' and "
        f"'clusters' as in JSON lines, not {type(key).__name__}"
    )


def document_counts(scored: AnswerResult) -> dict[str, Any]:
    """Return the F₁ of a document, and its counts for the log."""
    result = scored.result
    return {
        "f1": result.scores[leading_metric(result.metrics)].f1,
        "result": as_plain(result),
    }


def corpus_result(documents: Iterable[Mapping[str, Any]]) -> Result:
    """Add up the counts of all documents."""
    results = [document.get("result") for document in documents]
    return join_results(
        [from_plain(each, "the counts of a document") for each in results]
    )
