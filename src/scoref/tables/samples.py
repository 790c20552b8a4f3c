"""Count what a sample of clusters meets in a prediction, whichever engine does it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from scoref.tables import memory
from scoref.tables.engines import NUMPY, check_engine, engine_for, session_of
from scoref.tables.sample_counts import sample
from scoref.tables.sources import recognise, unchanged
from scoref.tables.text_files import in_memory

if TYPE_CHECKING:
    from scoref.tables.asking import Ask
    from scoref.tables.sample_counts import Sampled


def sampled(
    labelled: object,
    predicted: object,
    ask: Ask,
    *,
    engine: str | None = None,
    with_total: bool = False,
) -> Sampled:
    """Count what labelled clusters share with predicted ones.

    Args:
        labelled: a table, as `scoref.score_table` takes it.
        predicted: another.
        ask: how they are read.
        engine: what counts; otherwise what fits the tables.
        with_total: whether all predicted clusters are to be counted.
    """
    check_engine(engine)
    tables = [
        recognise(labelled, "sample", remote=ask.remote),
        recognise(predicted, "prediction", remote=ask.remote),
    ]
    chosen = engine or engine_for(tables, ask)
    with unchanged(tables):
        if chosen == NUMPY:
            return memory.sample(in_memory(tables, ask), ask)
        with session_of(chosen, ask, tables) as session:
            return sample(session, tables, ask, with_total=with_total)
