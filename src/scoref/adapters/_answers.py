"""One answer of a language model at a time, and the corpus that they make.

A harness sees documents one by one, and averages what it gets. Scores of coreference
are no averages: counts of all documents are added first. So a document's counts are
kept as plain values, which a log can hold, and added up at the end.
"""

from __future__ import annotations

import json
from dataclasses import replace
from typing import TYPE_CHECKING, Any, NamedTuple

from scoref.errors import OptionError
from scoref.metrics import leading
from scoref.scoring.evaluate import Wanted
from scoref.scoring.joining import joined
from scoref.scoring.saved import as_plain, from_plain
from scoref.tools.llm.scoring import score_answer

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping
    from typing import Unpack

    from scoref.scheme import Unplaced
    from scoref.scoring.evaluate import Request
    from scoref.scoring.results import Result
    from scoref.tools.llm.scoring import Scored

_FIELDS = ("doc_key", "sentences", "tokens", "clusters")
_WHERE = "the counts of a document"


class AnswerScorer(NamedTuple):
    """How answers are read and scored."""

    wanted: Wanted
    notation: str | None = None

    @classmethod
    def of(
        cls,
        notation: str | None,
        unplaced: Unplaced | None = None,
        **options: Unpack[Request],
    ) -> AnswerScorer:
        """Take the options of `scoref.score`; a wrong one is refused at once."""
        wanted = Wanted.of(**options, unplaced=unplaced)
        wanted.scheme_for(wanted.format)
        return cls(wanted, notation)

    def score(self, key: object, answer: str, name: str) -> Scored:
        """Score an answer; its document is called by the name of the sample."""
        found = score_answer(key_text(key), answer, self.wanted, notation=self.notation)
        return replace(found, result=replace(found.result, documents=(name,)))


def key_text(key: object) -> str:
    """Give a key as the content of a file: as it is, or a record of JSON lines."""
    if isinstance(key, str):
        return key
    if isinstance(key, dict) and "clusters" in key:
        kept = {name: key[name] for name in _FIELDS if key.get(name) is not None}
        return json.dumps({"doc_key": "document", **kept})
    raise OptionError(
        "a key is the content of a file, or an object with 'sentences' and 'clusters' "
        f"as in JSON lines, and not of type {type(key).__name__}"
    )


def counted(found: Scored) -> dict[str, Any]:
    """Give what a log is to keep of a document: its F1, and what adds up."""
    result = found.result
    return {"f1": result.scores[leading(result.metrics)].f1, "result": as_plain(result)}


def corpus(documents: Iterable[Mapping[str, Any]]) -> Result:
    """Make the result of all documents of what was kept of each."""
    kept = [each.get("result") for each in documents]
    return joined([from_plain(each, _WHERE) for each in kept])
