"""The metrics of the field: from the table to counts, from counts to a score."""

from __future__ import annotations

from collections.abc import Mapping
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
    from collections.abc import Iterable, Iterator, Sequence

    from scoref.metrics.base import Metric
    from scoref.model import Corpus
    from scoref.scheme import Scheme

NAMES = ("mentions", "muc", "bcub", "ceafm", "ceafe", "blanc", "lea", conll.NAME)
"""What can be asked for, in the order in which it is shown."""

_BEYOND = (NON_REFERRING.name, *(metric.name for metric in BRIDGING))
ALL_NAMES = (*NAMES[:-1], MOR.name, ZERO.name, *_BEYOND, conll.NAME)
"""The same where a format knows words, and what goes beyond identity."""

VARIANTS = (
    "pairwise",
    "pairwise-membership",
    "pairwise-s2and",
    "bcub-entity",
    "cluster",
    "closest-cluster",
    "bcub-0",
    "bcub-all",
    "bcub-rn",
    "bcub-sys",
    "ceafm-rn",
    "ceafm-sys",
    "ceafe-sys",
)
"""What is computed for every format, but only if it is asked for by name."""

_WITHOUT_PLURALS = ("mentions", MOR.name, ZERO.name)
_ALIASES = {
    "b3": ("bcub",),
    "b³": ("bcub",),
    "mention": ("mentions",),
    "bridging": _BEYOND[1:],
}
_OF_SCHEME = {"codi-crac-2022-br": "bridging"}
"""Shared tasks that look at nothing else."""


class _Metrics(Mapping[str, "Metric"]):
    """Metrics by name; the variants are loaded when one is asked for."""

    def __init__(self, usual: dict[str, Metric]) -> None:
        self._usual = usual

    def __getitem__(self, name: str) -> Metric:
        if name in VARIANTS:
            from scoref.metrics.variants import BY_NAME  # noqa: PLC0415 - if wanted

            return BY_NAME[name]
        return self._usual[name]

    def __iter__(self) -> Iterator[str]:
        return iter((*self._usual, *VARIANTS))

    def __len__(self) -> int:
        return len(self._usual) + len(VARIANTS)


def metrics_of(scheme: Scheme) -> Mapping[str, Metric]:
    """Give every metric under the conventions of a scheme."""
    cluster = (MENTIONS, MUC, B_CUBED, CEAF_M, CEAF_E)
    of_plurals = scheme.evaluate == "split-antecedents"
    links = (blanc(scheme.blanc, of_plurals=of_plurals), lea(scheme.lea))
    words = (MOR, anaphor_score(scheme.anaphors or "zeros"))
    beyond = (NON_REFERRING, *BRIDGING)
    usual = (*cluster, *links, *words, *beyond)
    return _Metrics({metric.name: metric for metric in usual})


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

    A scheme's name may stand for some of them. Variants come behind ``known``, and only
    by their names.

    >>> chosen("lea,bcub-sys,muc")
    ('muc', 'lea', 'bcub-sys')
    """
    if names is None:
        names = _OF_SCHEME.get(scheme) if isinstance(scheme, str) else None
    if names is None:
        return known
    given = names.replace(",", " ").split() if isinstance(names, str) else list(names)
    wanted = [
        name for text in given for name in _ALIASES.get(text.lower(), (text.lower(),))
    ]
    allowed = (*known, *_variants(known))
    for name in wanted:
        if name in {*ALL_NAMES, *VARIANTS}.difference(allowed):
            raise OptionError(f"'{name}' {_why_not(name)}")
        if name not in allowed:
            raise unknown("metric", name, allowed)
    if not wanted:
        raise OptionError("no metric was named; leave the option out to get them all")
    return tuple(name for name in allowed if name in wanted)


def _variants(known: tuple[str, ...]) -> tuple[str, ...]:
    """List the variants, unless plurals alone are scored, not mentions."""
    return VARIANTS if MENTIONS.name in known else ()


def _why_not(name: str) -> str:
    if name in VARIANTS:
        return "is for mentions, and not for plurals alone"
    if name == ZERO.name:
        return "is for CorefUD"
    if name in _BEYOND:
        return "is for Universal Anaphora, and for identity (--evaluate identity)"
    return "is for formats with words, such as CorefUD, and not for plurals alone"


def labels_of(scheme: Scheme, names: Iterable[str]) -> dict[str, str]:
    """Give metrics, and their mean, the names that people know them by.

    >>> from scoref.scheme import Scheme
    >>> labels_of(Scheme(), ["bcub", "conll"])
    {'bcub': 'B³', 'conll': 'CoNLL'}
    """
    known = metrics_of(scheme)
    return {
        name: conll.LABEL if name == conll.NAME else known[name].label for name in names
    }


def leading(names: Sequence[str]) -> str:
    """Choose the metric that stands for a system where only one can be shown.

    >>> leading(("muc", "lea", "conll")), leading(("lea", "muc"))
    ('conll', 'lea')
    """
    return conll.NAME if conll.NAME in names else names[0]


def needed(names: Iterable[str]) -> tuple[str, ...]:
    """List the metrics that must be counted to give the scores that are wanted."""
    wanted = set(names)
    if conll.NAME in wanted:
        wanted.update(conll.PARTS)
    wanted.discard(conll.NAME)
    return tuple(name for name in (*ALL_NAMES, *VARIANTS) if name in wanted)
