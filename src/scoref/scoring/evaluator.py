"""`scoref.Evaluator` and `scoref.assert_score`, for training loops and tests.

`Evaluator` collects documents as they arrive and scores them together. `assert_score`
fails with the table and the signature if a figure is lower than expected.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, cast

from scoref.errors import OptionError, ScorefError
from scoref.figures import figure
from scoref.formats.entities import NAME as ENTITIES
from scoref.formats.entities import EntityPairs, refuse_none
from scoref.metrics import METRICS, choose_metrics
from scoref.scheme import taking_options
from scoref.schemes import resolve
from scoref.scoring.evaluate import score
from scoref.scoring.format_defaults import refuse_unfit
from scoref.scoring.pipeline import score_corpora

if TYPE_CHECKING:
    from collections.abc import Iterable
    from typing import Unpack

    from scoref.formats.entities import Documents, Entities, Labelled
    from scoref.scheme import Options, Scheme
    from scoref.scoring.evaluate import Path
    from scoref.scoring.results import Result

    Input = Path | Entities | Documents


class Evaluator:
    """Collects documents and scores them together.

    An update writes mentions down as integers and costs microseconds; all the
    counting is done at once by `compute`. Evaluators can be pickled, and merged
    after each process has seen its share of the documents.

    Args:
        scheme: a set-up by name, such as ``conll-2012``.
        metrics: names of metrics; all if not given.
        options: conventions such as ``singletons``, as in `scoref.score`.

    >>> evaluator = Evaluator()
    >>> evaluator.update(key=[[(0, 1), (5, 5)]], response=[[(0, 1), (5, 5)]])
    >>> evaluator.compute().scores["muc"].f1
    1.0
    """

    @taking_options
    def __init__(
        self,
        *,
        scheme: str | Scheme | None = None,
        metrics: str | Iterable[str] | None = None,
        **options: Unpack[Options],
    ) -> None:
        self._scheme = resolve(scheme, **options)
        if options:
            refuse_unfit(self._scheme, "spans", ENTITIES)
        self._metrics = choose_metrics(metrics)
        self.reset()

    def __len__(self) -> int:
        """Count the documents seen so far."""
        return len(self._names)

    def reset(self) -> None:
        """Forget every document."""
        # Documents are numbered here; these are the names that they were given.
        self._pairs = EntityPairs()
        self._names: list[str | None] = []
        self._known: set[str] = set()

    def update(
        self,
        *,
        key: Entities | Labelled | Documents,
        response: Entities | Labelled | Documents,
        document: str | None = None,
    ) -> None:
        """Add a document, or several as dicts by name.

        Documents without a name are called by their number. The entities of a document
        may be dicts by label, which a scope other than the document needs.
        """
        if document is None and (
            isinstance(key, Mapping) or isinstance(response, Mapping)
        ):
            self._add_all(key, response)
            return
        refuse_none(key, response)
        # With a name, it is one document.
        self._add(document, key, response)

    def _add_all(
        self,
        key: Entities | Labelled | Documents,
        response: Entities | Labelled | Documents,
    ) -> None:
        if not (isinstance(key, Mapping) and isinstance(response, Mapping)):
            raise OptionError("give both sides as dicts, or both as lists of entities")
        sides = cast("Documents", key), cast("Documents", response)
        for name in self._all_names(*sides):
            both = sides[0].get(name), sides[1].get(name)
            self._add(name, *both, is_document=True)

    def merge(self, other: Evaluator) -> None:
        """Add the documents of another evaluator with the same conventions."""
        if not isinstance(other, Evaluator):
            raise OptionError(
                f"merge() takes another Evaluator, not {type(other).__name__}"
            )
        if other is self:
            raise OptionError("an Evaluator cannot be merged with itself")
        if (self._scheme, self._metrics) != (other._scheme, other._metrics):
            raise OptionError("only evaluators with the same conventions can be merged")
        for name in other._names:
            self._refuse_namesake(name)
        self._pairs.extend(other._pairs, first_number=len(self))
        self._names += other._names
        self._known |= other._known

    def compute(self) -> Result:
        """Score everything that was seen."""
        if not self._names:
            raise ScorefError("there is nothing to score: update() was never called")
        sides = self._pairs.build(self._name_of)
        return score_corpora(*sides, self._scheme, self._metrics)

    def _name_of(self, number: str) -> str:
        """Return the name of a document; if it has none, its number."""
        name = self._names[int(number)]
        if name is not None:
            return name
        return f"{number} (no name)" if number in self._known else number

    def _add(
        self,
        name: str | None,
        key: Entities | Labelled | None,
        response: Entities | Labelled | None,
        *,
        is_document: bool = False,
    ) -> None:
        self._refuse_namesake(name)
        self._pairs.add(str(len(self)), key, response, is_document=is_document)
        self._names.append(name)
        if name is not None:
            self._known.add(name)

    def _all_names(self, key: Documents, response: Documents) -> list[str]:
        one_sided = key.keys() ^ response.keys()
        if one_sided and self._scheme.missing == "error":
            name = min(map(str, one_sided))
            raise ScorefError(
                f"document '{name}' is on one side only",
                hint="missing='empty' scores it as one without entities there",
            )
        if self._scheme.missing == "key":
            return list(key)
        return list({**key, **response})

    def _refuse_namesake(self, name: str | None) -> None:
        if name is not None and name in self._known:
            raise ScorefError(
                f"document '{name}' was added before",
                hint="a sampler that pads the last batch repeats documents",
            )


_ROUNDING = 1e-12


def assert_score(
    key: Input,
    response: Input | None = None,
    *,
    tolerance: float = 0.0,
    **expected: Any,  # noqa: ANN401 - figures, and what `score` takes
) -> Result:
    """Score a response, and fail if a figure is lower than expected.

    Args:
        key: what the annotators said, as for `scoref.score`.
        response: what the system said.
        tolerance: how much lower figures may be, as a fraction.
        expected: the least F1 of metrics by their names, as fractions (``conll=0.8``);
            and options of `scoref.score`, such as ``singletons="drop"``.

    Raises:
        AssertionError: a figure is lower; the message has all of them, and how they
            were computed.

    >>> round(assert_score([["a", "b", "c"]], [["a", "b"]], muc=0.66).conll, 3)
    0.694
    """
    __tracebackhide__ = True
    least = {
        name: value
        for name, value in expected.items()
        if isinstance(value, int | float) and not isinstance(value, bool)
    }
    options = {name: value for name, value in expected.items() if name not in least}
    minimum = _by_metric(least)
    result = score(key, response, **options)
    missing = [name for name in minimum if name not in result.metrics]
    if missing:
        raise OptionError(f"'{missing[0]}' was not among the metrics of this run")
    lower = [
        f"{METRICS[name].label} F1 is {figure(name, result.scores[name].f1, 2)}, and "
        f"{figure(name, value, 2)} was expected"
        for name, value in minimum.items()
        if result.scores[name].f1 < value - tolerance - _ROUNDING
    ]
    if lower:
        raise AssertionError("\n".join([*lower, "", str(result)]))
    return result


def _by_metric(least: dict[str, float]) -> dict[str, float]:
    """Return the least figures by the names of metrics; they must be fractions."""
    if not least:
        raise OptionError("nothing is expected: name a metric, as in conll=0.80")
    for name, value in least.items():
        if not 0 <= value <= 1:
            raise OptionError(f"{name}={value} is no fraction: write 0.8 for 80 %")
    return {
        metric: value
        for name, value in least.items()
        for metric in choose_metrics([name.replace("_", "-")])
    }
