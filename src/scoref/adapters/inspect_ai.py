"""A scorer for Inspect (inspect-ai), which aligns answers with the key and scores them.

    Task(dataset=[Sample(input=…, target=…, id=…)], scorer=coreference())

The target is the key of one document, as the content of a file with words: a line of
JSON with `sentences` and `clusters`, CoNLL-2012, or CorefUD. Each sample has its own
CoNLL score. The metric adds up the counts of all samples, and averages over epochs.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from scoref.adapters._common import AnswerScorer, corpus, counted, extra
from scoref.errors import OptionError

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping
    from typing import Unpack

    from scoref.scheme import Unplaced
    from scoref.scoring.request import ScoreOptions
    from scoref.tools.llm.scoring import Scored

_KEPT = "scoref"
"""What a score's metadata call the counts."""


def corpus_figures(scores: list[Any]) -> dict[str, float]:
    """Score all samples as one corpus, epoch by epoch, and average these.

    Inspect looks at the types when it runs, so that nothing here is for type checkers
    alone.
    """
    figures = [corpus(each).flat() for each in _epochs(scores)]
    names = dict.fromkeys(name for each in figures for name in each)
    return {
        name: _mean(each[name] for each in figures if name in each) for name in names
    }


def _epochs(scores: list[Any]) -> list[list[Mapping[str, Any]]]:
    """Sort scores into epochs: the second score of a sample is of the second one."""
    seen: dict[object, int] = {}
    found: list[list[Mapping[str, Any]]] = []
    for each in scores:
        epoch = seen.get(each.sample_id, 0)
        seen[each.sample_id] = epoch + 1
        if epoch == len(found):
            found.append([])
        found[epoch].append(each.score.metadata[_KEPT])
    return found


def _mean(values: Iterable[float]) -> float:
    listed = list(values)
    return sum(listed) / len(listed)


def _explanation(found: Scored) -> str:
    """Say what became of the answer's words and mentions."""
    (placed,) = found.answers.values()
    parts = [f"{name} {value}" for name, value in placed.counts._asdict().items()]
    return f"{found.notation or 'no notation'}, {placed.status}: {', '.join(parts)}"


def _scorer() -> Any:  # noqa: ANN401 - a function as Inspect registers it
    library = extra("inspect_ai.scorer")

    @library.metric(name="coreference", scores="unreduced")  # type: ignore[untyped-decorator]
    def figures() -> Callable[[list[Any]], dict[str, float]]:
        return corpus_figures

    @library.scorer(metrics=[figures()])  # type: ignore[untyped-decorator]
    def coreference(
        key: str | None = None,
        notation: str | None = None,
        unplaced: Unplaced | None = None,
        **options: Unpack[ScoreOptions],
    ) -> Any:  # noqa: ANN401 - Inspect's Scorer
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

        async def score(state: Any, target: Any) -> Any:  # noqa: ANN401 - as Inspect has it
            given = target.text if key is None else state.metadata[key]
            answer = state.output.completion
            found = scorer.score(given, answer, str(state.sample_id))
            kept = counted(found)
            return library.Score(
                value=kept["f1"],
                answer=answer,
                explanation=_explanation(found),
                metadata={_KEPT: kept},
            )

        return score

    return coreference


def _refused(*_: object, **__: object) -> None:
    extra("inspect_ai.scorer")


try:
    coreference = _scorer()
except OptionError:
    coreference = _refused
