"""A scorer for Inspect (inspect-ai), which aligns answers with the key and scores them.

    Task(dataset=[Sample(input=…, target=…, id=…)], scorer=coreference())

The target is the key of one document, as the content of a file with words: a line of
JSON with `sentences` and `clusters`, CoNLL-2012, or CorefUD. Each sample has its own
CoNLL score. The metric adds up the counts of all samples, and averages over epochs.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from scoref.adapters._answers import AnswerScorer, corpus_result, document_counts
from scoref.adapters._common import load_library
from scoref.errors import OptionError

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping
    from typing import Unpack

    from scoref.scheme import Unplaced
    from scoref.scoring.request import ScoreOptions

_METADATA = "scoref"
"""The name of the counts in the metadata of a score."""


def corpus_figures(scores: list[Any]) -> dict[str, float]:
    """Score all samples as one corpus, epoch by epoch, and average the epochs.

    Inspect evaluates the annotations of this function, so they need no import for type
    checkers.
    """
    figures = [corpus_result(documents).flat() for documents in _epochs(scores)]
    means = {}
    for name in dict.fromkeys(name for epoch in figures for name in epoch):
        values = [epoch[name] for epoch in figures if name in epoch]
        means[name] = sum(values) / len(values)
    return means


def _epochs(scores: list[Any]) -> list[list[Mapping[str, Any]]]:
    """Group counts by epoch: the second score of a sample is from the second epoch."""
    count: dict[object, int] = {}
    epochs: list[list[Mapping[str, Any]]] = []
    for score in scores:
        epoch = count.get(score.sample_id, 0)
        count[score.sample_id] = epoch + 1
        if epoch == len(epochs):
            epochs.append([])
        epochs[epoch].append(score.score.metadata[_METADATA])
    return epochs


def _make_scorer() -> Any:
    library = load_library("inspect_ai.scorer")

    @library.metric(name="coreference", scores="unreduced")  # type: ignore[untyped-decorator]
    def figures() -> Callable[[list[Any]], dict[str, float]]:
        return corpus_figures

    @library.scorer(metrics=[figures()])  # type: ignore[untyped-decorator]
    def coreference(
        key: str | None = None,
        notation: str | None = None,
        unplaced: Unplaced | None = None,
        **options: Unpack[ScoreOptions],
    ) -> Any:
        """Score coreference that a model has marked in a text.

        Args:
            key: the field of a sample's metadata that has the key; its target if not
                given.
            notation: how mentions are marked in answers; what fits best if not given.
            unplaced: ``count`` mentions that are not in the text as wrong mentions,
                which is the default, or ``ignore`` them.
            options: as for `scoref.score`.
        """
        scorer = AnswerScorer.of(notation, unplaced, **options)

        async def score(state: Any, target: Any) -> Any:
            text = target.text if key is None else state.metadata[key]
            answer = state.output.completion
            scored = scorer.score(text, answer, str(state.sample_id))
            (placed,) = scored.answers.values()
            counts = placed.counts._asdict().items()
            parts = ", ".join(f"{name} {value}" for name, value in counts)
            document = document_counts(scored)
            return library.Score(
                value=document["f1"],
                answer=answer,
                explanation=f"{scored.notation or 'no notation'}, {placed.status}: "
                + parts,
                metadata={_METADATA: document},
            )

        return score

    return coreference


try:
    coreference = _make_scorer()
except OptionError:

    def coreference(*_: object, **__: object) -> None:
        """Report that Inspect is missing."""
        load_library("inspect_ai.scorer")
