"""A response against several keys: means, the best, and errors that people make, too.

Let v of k keys have a link. The majority has it if 2v > k, has it not if 2v < k; 2v = k
is undecided and left out. An error is a link in which the response differs from the
majority, and it is supported if at least one annotator sides with the response.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from scoref.scoring.annotators.votes import atoms_of, links_of
from scoref.tools.agree.results import (
    Ceiling,
    ErrorShares,
    KeyScores,
    LinkCounts,
    SeveralKeys,
    Spread,
)

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from scoref.scoring.annotators import Annotated
    from scoref.scoring.results import Result


def several_keys(everybody: Annotated, metrics: tuple[str, ...]) -> SeveralKeys:
    """Score the last one against all others, and ask how people do."""
    last = len(everybody.names) - 1
    keys = {
        everybody.names[pair[0]]: result
        for pair, result in everybody.results.items()
        if pair[1] == last
    }
    counts = count_links(everybody)
    total = LinkCounts(*counts.sum(axis=0).tolist())
    f1 = _f1(keys.values(), metrics)
    return SeveralKeys(
        per_key={
            name: KeyScores(
                {metric: result.scores[metric] for metric in metrics},
                len(result.documents),
            )
            for name, result in keys.items()
        },
        mean={name: _mean(values) for name, values in f1.items()},
        best={name: max(values) for name, values in f1.items()},
        spread={name: Spread(min(each), max(each)) for name, each in f1.items()},
        ceiling=_ceiling(everybody, metrics),
        supported=shares_of(total),
        lenient_precision=_share(total.any_in_response, total.response_links),
        strict_recall=_share(total.all_in_response, total.all_links),
        counts=total,
        per_document={
            name: LinkCounts(*row)
            for name, row, is_in in zip(
                everybody.documents,
                counts.tolist(),
                _is_shared(everybody).tolist(),
                strict=True,
            )
            if is_in
        },
    )


def count_links(
    everybody: Annotated,
) -> np.ndarray[tuple[int, int], np.dtype[np.int64]]:
    """Count links of the last one by document, in the columns of `LinkCounts`."""
    last = len(everybody.names) - 1
    links = links_of(everybody, atoms_of(everybody), last)
    shared = _is_shared(everybody)[links.document]
    keys = everybody.has[:, :last].sum(axis=1)[links.document]
    votes, made = links.votes, links.is_made & shared
    spurious = made & (2 * votes < keys)
    missing = ~made & (2 * votes > keys) & shared
    by_all = (votes == keys) & shared
    columns = (
        made,
        made & (votes > 0),
        by_all,
        by_all & made,
        spurious,
        spurious & (votes > 0),
        missing,
        missing & (votes < keys),
        (2 * votes == keys) & shared,
    )
    width = np.int64(len(everybody.documents))
    return np.column_stack(
        [np.bincount(links.document, links.times * each, width) for each in columns]
    ).astype(np.int64)


def shares_of(counts: LinkCounts) -> ErrorShares:
    """Give the share of errors that some annotator would have made."""
    supported = counts.spurious_supported, counts.missing_supported
    return ErrorShares(
        _share(supported[0], counts.spurious),
        _share(supported[1], counts.missing),
        _share(sum(supported), counts.spurious + counts.missing),
    )


def _is_shared(everybody: Annotated) -> np.ndarray[tuple[int], np.dtype[np.bool_]]:
    """Tell which documents the last one shares with anybody."""
    found: np.ndarray[tuple[int], np.dtype[np.bool_]] = everybody.has[:, -1] & (
        everybody.has[:, :-1].any(axis=1)
    )
    return found


def _ceiling(everybody: Annotated, metrics: tuple[str, ...]) -> dict[str, Ceiling]:
    """Let each annotator be the response, and the others keys."""
    last = len(everybody.names) - 1
    found = {}
    for number, name in enumerate(everybody.names[:last]):
        others = [
            result
            for pair, result in everybody.results.items()
            if number in pair and last not in pair
        ]
        if others:
            f1 = _f1(others, metrics)
            found[name] = Ceiling(
                {metric: _mean(values) for metric, values in f1.items()},
                {metric: max(values) for metric, values in f1.items()},
            )
    return found


def _f1(results: Iterable[Result], metrics: tuple[str, ...]) -> dict[str, list[float]]:
    listed = list(results)
    return {name: [each.scores[name].f1 for each in listed] for name in metrics}


def _mean(values: Sequence[float]) -> float:
    return sum(values) / len(values)


def _share(part: int, whole: int) -> float | None:
    return part / whole if whole else None
