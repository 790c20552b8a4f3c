"""Results of single documents as the result of a corpus."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np

from scoref.errors import OptionError, quoted

if TYPE_CHECKING:
    from collections.abc import Sequence

    from scoref.scoring.results import Result


def joined(results: Sequence[Result]) -> Result:
    """Put documents that were scored one by one together: counts add up, scores do not.

    All must have been scored by the same metrics and conventions, and no document may
    come twice.
    """
    if not results:
        raise OptionError("there is nothing to score: no document was given")
    first = results[0]
    for other in results[1:]:
        if (other.metrics, other.scheme) != (first.metrics, first.scheme):
            raise OptionError(
                "documents were not scored in the same way: "
                f"{other.signature} and {first.signature}"
            )
    names = [name for each in results for name in each.documents]
    twice = sorted({name for name in names if names.count(name) > 1})
    if twice:
        raise OptionError(f"{quoted(twice)} was scored more than once")
    formats = [part for each in results for part in each.format.split("+")]
    return replace(
        first,
        format="+".join(dict.fromkeys(formats)),
        documents=tuple(names),
        counts={
            name: np.vstack([each.counts[name] for each in results])
            for name in first.counts
        },
        notes=tuple(dict.fromkeys(note for each in results for note in each.notes)),
    )
