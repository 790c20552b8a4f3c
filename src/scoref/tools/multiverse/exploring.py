"""`scoref.multiverse`: a key and responses in, every setting out.

It is `explain` and `compare` on the same counts: choices change what is counted, and
counts by document are drawn again for what chance does.
"""

from __future__ import annotations

import os
from collections.abc import Mapping
from typing import TYPE_CHECKING, NamedTuple

from scoref.errors import OptionError
from scoref.formats.entities import EntityPairs
from scoref.metrics import is_distance, leading, usual
from scoref.model import Note
from scoref.scoring.evaluate import Pair, Wanted, read_pairs
from scoref.scoring.results import signature_of
from scoref.statistics.comparable import check_comparable
from scoref.statistics.confidence import FEW, SEED, check_resamples
from scoref.statistics.sample_size import Plan
from scoref.tools.multiverse.drawing import DrawnScores, Redrawing
from scoref.tools.multiverse.options import OF_ONE_METRIC, RESAMPLES, axes_named
from scoref.tools.multiverse.results import Multiverse, Setting
from scoref.tools.multiverse.universes import Axes, Rescoring, universes

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator
    from typing import Unpack

    from scoref.formats.entities import Documents, Entities
    from scoref.metrics.base import Floats
    from scoref.scheme import Layer
    from scoref.scoring.evaluate import Path, Request
    from scoref.tools.multiverse.universes import Universe

    Input = Path | Entities | Documents

_OF_ENTITIES = frozenset(usual("texts")) - {"mentions"}
"""Metrics that say who belongs together; others are there by their names."""


def multiverse(  # noqa: PLR0913 - what to vary, and how to draw
    key: Input,
    responses: Mapping[str, Input] | Iterable[Path],
    *,
    vary: str | None = None,
    resamples: int = RESAMPLES,
    seed: int = SEED,
    level: float = 95,
    power: float = 80,
    **options: Unpack[Request],
) -> Multiverse:
    """Score systems under every set of choices, and say how stable their order is.

    Args:
        key: what the annotators said: a path, or entities as for `scoref.score`.
        responses: what systems said, by their names; or paths, which are names.
        vary: conventions with commas between them; all that files allow if not given.
        resamples: how many corpora to draw in each setting, 1,000,000 at most.
        seed: the same seed gives the same digits.
        level: confidence level of the test that the number of documents is for, in
            percent, or as a fraction up to 1.
        power: how often that test sees the difference, likewise.
        options: as for `scoref.score`; a convention that is given is not varied.

    >>> key = {"d": [["a", "b", "c"], ["d"]], "e": [["a", "b"]]}
    >>> one = {"d": [["a", "b", "c"]], "e": [["a", "b"]]}
    >>> other = {"d": [["a", "b"], ["d"]], "e": [["a", "b"]]}
    >>> found = multiverse(key, {"one": one, "other": other}, resamples=10)
    >>> sorted({each.winner for each in found.settings if each.winner})
    ['one', 'other']
    """
    check_resamples(resamples)
    named = responses if isinstance(responses, Mapping) else _by_path(responses)
    wanted = Wanted.of(**options)
    asked = asked_of(vary, wanted)
    chance = Redrawing(resamples, seed, Plan.of(level, power))
    return explore(pairs_of(key, named, wanted), asked, chance)


def _by_path(responses: Iterable[Path]) -> dict[str, Path]:
    return {str(path): path for path in responses}


def pairs_of(
    key: Input, responses: Mapping[str, Input], wanted: Wanted
) -> dict[str, Pair]:
    """Read every response, and the key once."""
    if isinstance(key, str | os.PathLike):
        paths = [
            each for each in responses.values() if isinstance(each, str | os.PathLike)
        ]
        if len(paths) < len(responses):
            raise OptionError("the key is a path, so the responses must be paths, too")
        found = read_pairs(key, paths, wanted, _layer(wanted))
        return dict(zip(responses, found, strict=True))
    scheme = wanted.scheme_for(None)
    pairs = {}
    for name, response in responses.items():
        if isinstance(response, str | os.PathLike):
            raise OptionError("the key is a list of entities, and so must responses be")
        sides = EntityPairs.of(key, response).build()
        pairs[name] = Pair(*sides, scheme, wanted.metrics_for(sides[0], scheme))
    return pairs


def _layer(wanted: Wanted) -> Layer | None:
    """Read parses, too, by which mentions may be matched, where a file has some."""
    layer = wanted.scheme_for(wanted.format).layer
    return "parses" if layer == "identity" else None


class Exploration(NamedTuple):
    """Which choices to vary, which were settled, and whether metrics were left open."""

    axes: tuple[str, ...]
    settled: tuple[str, ...]
    is_open: bool


def asked_of(vary: str | None, wanted: Wanted) -> Exploration:
    """See what is to be varied: nothing that was settled."""
    settled = (name for name, value in wanted.changes.items() if value is not None)
    return Exploration(axes_named(vary), tuple(settled), wanted.metrics is None)


def explore(
    pairs: Mapping[str, Pair],
    asked: Exploration,
    chance: Redrawing,
    progress: Callable[[float], None] = lambda _: None,
) -> Multiverse:
    """Score pairs of corpora under every set of choices."""
    if len(pairs) < 2:  # noqa: PLR2004 - an order
        raise OptionError("there must be two systems at least to be put into an order")
    runs = Rescoring(pairs, _metrics(pairs, asked))
    scored = runs.under({})
    check_comparable({name: {"": each} for name, each in scored.items()})
    axes = Axes.of(runs, asked.axes, asked.settled)
    notes, settings = list(axes.notes), list[Setting]()
    order: Floats | None = None
    for universe in universes(runs, axes, notes, progress):
        drawn = DrawnScores.of(universe.results, chance)
        if order is None:
            order = drawn.order_of(leading(runs.metrics))
        settings += _settings(universe, axes, drawn, order)
    first = next(iter(scored.values()))
    main = leading(runs.metrics)
    return Multiverse(
        systems=tuple(pairs),
        axes=axes.values,
        metrics=runs.metrics,
        settings=tuple(settings),
        reference=next(each for each in settings if each.metric == main),
        signature=signature_of(scored.values()),
        documents=len(first.documents),
        resamples=chance.resamples,
        seed=chance.seed,
        plan=chance.plan,
        notes=(*notes, *_few(len(first.documents))),
    )


def _metrics(pairs: Mapping[str, Pair], asked: Exploration) -> tuple[str, ...]:
    """Choose metrics; of those that nobody named, what is about entities."""
    found = next(iter(pairs.values())).metrics
    if asked.is_open:
        return tuple(name for name in found if name in _OF_ENTITIES)
    for name in found:
        if is_distance(name):
            raise OptionError(
                f"'{name}' is a distance, of which less is better: leave it out"
            )
    return found


def _few(documents: int) -> Iterator[Note]:
    if documents < FEW:
        count = "1 document is" if documents == 1 else f"{documents} documents are"
        yield Note(
            "few-documents",
            documents,
            f"{count} too few for draws of documents to mean much (fewer than {FEW})",
        )


def _settings(
    universe: Universe, axes: Axes, drawn: DrawnScores, usual: Floats
) -> Iterator[Setting]:
    """Give each metric of a universe; choices about another metric are left out."""
    for metric in universe.metrics:
        own = {
            name: universe.choices.get(name, axes.values[name][0])
            for name, about in OF_ONE_METRIC.items()
            if about == metric and name in axes.values
        }
        general = {
            name: value
            for name, value in universe.choices.items()
            if name not in OF_ONE_METRIC
        }
        yield drawn.setting({**general, **own}, metric, usual)
