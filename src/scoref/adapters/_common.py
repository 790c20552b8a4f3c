"""What adapters share: optional libraries, names of scores, and single documents.

A missing library is reported with the command that installs it. Scores have the names
that loggers expect: ``muc/recall``, ``muc/f1``, … and ``conll``. Batches of documents
may contain tensors and arrays, as trainers hold them.

A harness for language models sees documents one by one and averages their scores. A
score of coreference is not an average: the counts of all documents are added first. So
the counts of each document are kept as plain values, which a log can hold, and are
added up at the end.
"""

from __future__ import annotations

import json
from collections.abc import Hashable
from dataclasses import replace
from importlib import import_module
from numbers import Number
from typing import TYPE_CHECKING, Any, NamedTuple

from scoref.errors import AlignmentError, OptionError, ScorefError
from scoref.metrics import leading
from scoref.scoring.request import Request
from scoref.scoring.results import join_results
from scoref.scoring.saved import as_plain, from_plain
from scoref.tools.llm.scoring import score_answer

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sized
    from types import ModuleType
    from typing import Unpack

    from scoref.metrics.base import Score
    from scoref.scheme import Unplaced
    from scoref.scoring.evaluator import Evaluator
    from scoref.scoring.request import ScoreOptions
    from scoref.scoring.results import Result
    from scoref.tools.llm.scoring import Scored


_NEEDED = {
    "evaluate": "this metric needs evaluate: pip install 'scoref[evaluate]'",
    "datasets": "this metric needs datasets: pip install 'scoref[evaluate]'",
    "inspect_ai": "this scorer needs inspect-ai: pip install 'scoref[inspect]'",
    "pyarrow": "columns need Arrow: pip install 'scoref[datasets]'",
    "torch": "this metric needs PyTorch: pip install 'scoref[torchmetrics]'",
    "torchmetrics": "this metric needs torchmetrics: "
    "pip install 'scoref[torchmetrics]'",
}


def extra(name: str) -> ModuleType:
    """Load such a library, or a module of one."""
    try:
        return import_module(name)
    except ImportError as error:
        raise OptionError(_NEEDED[name.partition(".")[0]]) from error


def base(library: str, name: str) -> Any:  # noqa: ANN401 - a class of a library
    """Find the class to build on; where it is missing, one that says so when used."""
    try:
        return getattr(extra(library), name)
    except OptionError as missing:
        return type(name, (), {"__new__": _refusing(missing)})


def _refusing(missing: OptionError) -> object:
    def refuse(*_: object, **__: object) -> None:
        raise OptionError(*missing.args) from missing.__cause__

    return refuse


_FIGURES = ("recall", "precision", "f1")


def figures(
    scores: Mapping[str, Score],
    *,
    pattern: str = "{}/{}",
    called: tuple[str, str, str] = _FIGURES,
) -> dict[str, float]:
    """Give every figure a name; a mean of F1s goes by the metric's alone.

    >>> from scoref.metrics.base import Score
    >>> figures({"muc": Score(0.5, 1.0, 0.75), "conll": Score(None, None, 0.75)})
    {'muc/recall': 0.5, 'muc/precision': 1.0, 'muc/f1': 0.75, 'conll': 0.75}
    """
    found = {}
    for name, score in scores.items():
        if score.recall is None or score.precision is None:
            found[name] = score.f1
            continue
        values = score.recall, score.precision, score.f1
        for each, value in zip(called, values, strict=True):
            found[pattern.format(name, each)] = value
    return found


_FIELDS = ("doc_key", "sentences", "tokens", "clusters")

_WHERE = "the counts of a document"


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
    return join_results([from_plain(each, _WHERE) for each in kept])


Batch = Any
"""A list of documents, each a list of entities, each a list of mentions."""


def add_batch(evaluator: Evaluator, *, key: Batch, response: Batch) -> None:
    """Add the documents of a batch, which both sides have in the same order."""
    refuse_unequal(key, response)
    for key_side, response_side in zip(key, response, strict=True):
        evaluator.update(key=_entities(key_side), response=_entities(response_side))


def refuse_unequal(key: Sized, response: Sized) -> None:
    """See that both sides have the same number of documents."""
    if len(key) != len(response):
        raise AlignmentError(
            f"{_documents(len(response))} here, but {len(key)} in the key",
            source="response",
            hint="both sides have the same documents, in the same order",
        )


def _documents(count: int) -> str:
    return "1 document" if count == 1 else f"{count} documents"


def _entities(document: object) -> list[list[Hashable]]:
    return [
        [_mention(mention) for mention in _listed(entity)]
        for entity in _listed(document)
    ]


def _listed(value: object) -> Iterable[object]:
    """Make lists of tensors and arrays, which are equal to nobody but themselves."""
    listed = value.tolist() if hasattr(value, "tolist") else value
    if isinstance(listed, list | tuple | set | frozenset):
        return listed
    raise _no_batch(f"found {value!r} where a list was expected")


def _mention(mention: object) -> Hashable:
    # A document that is given as if it were a batch has numbers here: it would be
    # scored, as something else.
    value = _plain(mention)
    if value is None or isinstance(value, Number):
        raise _no_batch(f"{value!r} is no mention")
    return value


def _plain(value: object) -> Hashable:
    """Make a mention, or a part of one, something that has equals."""
    listed = value.tolist() if hasattr(value, "tolist") else value
    if isinstance(listed, list | tuple):
        return tuple(map(_plain, listed))
    if not isinstance(listed, Hashable):
        raise _no_batch(f"{listed!r} is no mention")
    return listed


def _no_batch(problem: str) -> ScorefError:
    return ScorefError(
        problem,
        hint="give a list of documents, each a list of entities, each a list of "
        "mentions such as [start, end]; one document is a list of one",
    )
