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
from scoref.metrics.relations import BRIDGING, NON_REFERRING

if TYPE_CHECKING:
    from collections.abc import Iterable

    from scoref.metrics.base import Metric
    from scoref.model import Corpus
    from scoref.scheme import Scheme

NAMES = ("mentions", "muc", "bcub", "ceafm", "ceafe", "blanc", "lea", conll.NAME)
"""What can be asked for, in the order in which it is shown."""

_BEYOND = (NON_REFERRING.name, *(metric.name for metric in BRIDGING))
ALL_NAMES = (*NAMES[:-1], MOR.name, ZERO.name, *_BEYOND, conll.NAME)
"""The same where a format knows words, and what goes beyond identity."""

_WITHOUT_PLURALS = ("mentions", MOR.name, ZERO.name)
_ALIASES = {
    "b3": ("bcub",),
    "b³": ("bcub",),
    "mention": ("mentions",),
    "bridging": _BEYOND[1:],
}
_OF_SCHEME = {"codi-crac-2022-br": "bridging"}
"""Shared tasks that look at nothing else."""


def metrics_of(scheme: Scheme) -> dict[str, Metric]:
    """Give every metric under the conventions of a scheme."""
    cluster = (MENTIONS, MUC, B_CUBED, CEAF_M, CEAF_E)
    of_plurals = scheme.evaluate == "split-antecedents"
    links = (blanc(scheme.blanc, of_plurals=of_plurals), lea(scheme.lea))
    words = (MOR, anaphor_score(scheme.anaphors or "zeros"))
    beyond = (NON_REFERRING, *BRIDGING)
    return {metric.name: metric for metric in (*cluster, *links, *words, *beyond)}


def available(corpus: Corpus, scheme: Scheme) -> tuple[str, ...]:
    """List the metrics that a format, and what is evaluated of it, allow."""
    if corpus.words is None:
        return NAMES
    absent: tuple[str, ...] = _BEYOND
    if scheme.evaluate == "split-antecedents":
        absent += _WITHOUT_PLURALS
    elif corpus.words.by_document:
        absent = () if scheme.evaluate == "identity" else _BEYOND
        absent += (ZERO.name,)
    return tuple(name for name in ALL_NAMES if name not in absent)


def chosen(
    names: str | Iterable[str] | None,
    known: tuple[str, ...] = NAMES,
    *,
    scheme: object = None,
) -> tuple[str, ...]:
    """Check metric names and put them into the usual order; all if none is given.

    A scheme's name may stand for some of them.

    >>> chosen("lea,muc")
    ('muc', 'lea')
    """
    if names is None:
        names = _OF_SCHEME.get(scheme) if isinstance(scheme, str) else None
    if names is None:
        return known
    given = names.replace(",", " ").split() if isinstance(names, str) else list(names)
    wanted = [
        name for text in given for name in _ALIASES.get(text.lower(), (text.lower(),))
    ]
    for name in wanted:
        if name in ALL_NAMES and name not in known:
            raise OptionError(f"'{name}' {_why_not(name)}")
        if name not in known:
            raise unknown("metric", name, known)
    if not wanted:
        raise OptionError("no metric was named; leave the option out to get them all")
    return tuple(name for name in known if name in wanted)


def _why_not(name: str) -> str:
    if name == ZERO.name:
        return "is for CorefUD"
    if name in _BEYOND:
        return "is for Universal Anaphora, and for identity (--evaluate identity)"
    return "is for formats with words, such as CorefUD, and not for plurals alone"


def needed(names: Iterable[str]) -> tuple[str, ...]:
    """List the metrics that must be counted to give the scores that are wanted."""
    wanted = set(names)
    if conll.NAME in wanted:
        wanted.update(conll.PARTS)
    return tuple(name for name in ALL_NAMES if name in wanted and name != conll.NAME)
