"""The metrics of the field: from the table to counts, from counts to a score."""

from __future__ import annotations

from typing import TYPE_CHECKING

from scoref.errors import OptionError, unknown
from scoref.metrics import conll
from scoref.metrics.anaphors import ZERO, anaphor_score
from scoref.metrics.b_cubed import B_CUBED
from scoref.metrics.blanc import blanc
from scoref.metrics.ceaf import CEAF_E, CEAF_M
from scoref.metrics.lea import lea
from scoref.metrics.mentions import MENTIONS
from scoref.metrics.mor import MOR
from scoref.metrics.muc import MUC

if TYPE_CHECKING:
    from collections.abc import Iterable

    from scoref.metrics.base import Metric
    from scoref.scheme import Scheme

NAMES = ("mentions", "muc", "bcub", "ceafm", "ceafe", "blanc", "lea", conll.NAME)
"""What can be asked for, in the order in which it is shown."""

_ALIASES = {"b3": "bcub", "b³": "bcub"}

WORD_NAMES = (*NAMES[:-1], MOR.name, ZERO.name, conll.NAME)
"""The same where the format knows the words of mentions."""


def metrics_of(scheme: Scheme) -> dict[str, Metric]:
    """Give every metric under the conventions of a scheme."""
    cluster = (MENTIONS, MUC, B_CUBED, CEAF_M, CEAF_E)
    links = (blanc(scheme.blanc), lea(scheme.lea))
    words = (MOR, anaphor_score(scheme.anaphors or "zeros"))
    return {metric.name: metric for metric in (*cluster, *links, *words)}


def chosen(
    names: str | Iterable[str] | None, *, with_words: bool = False
) -> tuple[str, ...]:
    """Check metric names and put them into the usual order; all if none is given.

    >>> chosen("lea,muc")
    ('muc', 'lea')
    """
    known = WORD_NAMES if with_words else NAMES
    if names is None:
        return known
    given = names.replace(",", " ").split() if isinstance(names, str) else list(names)
    wanted = [_ALIASES.get(name.lower(), name.lower()) for name in given]
    for name in wanted:
        if name in WORD_NAMES and name not in known:
            raise OptionError(f"'{name}' is for formats with words, such as CorefUD")
        if name not in known:
            raise unknown("metric", name, known)
    if not wanted:
        raise OptionError("no metric was named; leave the option out to get them all")
    return tuple(name for name in known if name in wanted)


def needed(names: Iterable[str]) -> tuple[str, ...]:
    """List the metrics that must be counted to give the scores that are wanted."""
    wanted = set(names)
    if conll.NAME in wanted:
        wanted.update(conll.PARTS)
    return tuple(name for name in WORD_NAMES if name in wanted and name != conll.NAME)
