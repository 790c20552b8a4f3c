"""`scoref.Evaluator` and `scoref.assert_score`, for training loops and tests.

`Evaluator` collects documents as they arrive and scores them together. `assert_score`
fails with the table and the signature if a figure is lower than expected.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from scoref.errors import OptionError, ScorefError
from scoref.figures import figure
from scoref.formats.entities import NAME as ENTITIES
from scoref.formats.entities import EntityPairs, documents_of
from scoref.formats.inputs import files_of
from scoref.metrics import METRICS, choose_metrics
from scoref.scheme import taking_options
from scoref.scoring.evaluate import read_pairs, score
from scoref.scoring.format_defaults import refuse_unfit
from scoref.scoring.pipeline import score_corpora
from scoref.scoring.request import Request
from scoref.scoring.results import join_results

if TYPE_CHECKING:
    from collections.abc import Iterable
    from typing import Unpack

    from scoref.formats.entities import Entities, Labelled
    from scoref.formats.inputs import Input, Path
    from scoref.scheme import Options, Scheme
    from scoref.scoring.results import Result


class Evaluator:
    """Collects documents and scores them together.

    An update stores mentions as integers and takes microseconds; `compute` counts all
    of them at once. Files are scored when they are added. Evaluators can be pickled.
    If several processes score parts of the documents, `merge` joins their evaluators.

    Args:
        scheme: name of a scheme, such as ``conll-2012``.
        metrics: names of metrics; all by default.
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
        self._request = Request.of(scheme=scheme, metrics=metrics, **options)
        self._scheme = self._request.scheme_for(None)
        if options:
            refuse_unfit(self._scheme, "spans", ENTITIES)
        self._metrics = choose_metrics(metrics)
        self.reset()

    def __len__(self) -> int:
        """Count the documents seen so far."""
        return len(self._names) + sum(len(file.documents) for file in self._files)

    def reset(self) -> None:
        """Remove all documents."""
        # Documents are numbered here; these are the names that they were given.
        self._pairs = EntityPairs()
        self._names: list[str | None] = []
        self._files: list[Result] = []
        self._known: set[str] = set()

    def update(
        self,
        *,
        key: Input | Labelled,
        response: Input | Labelled,
        document: str | None = None,
    ) -> None:
        """Add a document, or several as dicts or lists, or as files.

        Everything that `scoref.score` takes can be added. Documents without a name get
        a number. If ``document`` names a single document, its entities
        may be dicts by label, which a scope other than the document needs.
        """
        files = files_of(("key", key), ("response", response))
        if files is not None:
            self._add_files(files, document)
        elif document is None:
            self._add_all(self._complete(documents_of(key, response)))
        elif isinstance(key, Mapping) or isinstance(response, Mapping):
            self._add(document, *_refuse_none(key, response))
        else:
            (_, *sides), *others = documents_of(key, response)
            if others:
                raise _several(document, 1 + len(others))
            self._add(document, *sides)

    def _add_all(self, documents: list[tuple[str | None, Any, Any]]) -> None:
        """Add several documents, or none of them if one is refused."""
        if len(documents) == 1:
            self._add(*documents[0])
            return
        added = EntityPairs()
        for number, (_, key, response) in enumerate(documents):
            added.add(str(number), key, response)
        self._pairs.extend(added, first_number=len(self._names))
        names = [name for name, _, _ in documents]
        self._names += names
        self._known.update(name for name in names if name is not None)

    def _add_files(self, files: list[Path], document: str | None) -> None:
        (pair,) = read_pairs(files[0], files[1:], self._request)
        result = score_corpora(*pair)
        if document is not None:
            if len(result.documents) != 1:
                raise _several(document, len(result.documents))
            result = dataclasses.replace(result, documents=(document,))
        for name in result.documents:
            self._refuse_namesake(name)
        self._known.update(result.documents)
        self._files.append(result)

    def _complete(
        self, documents: Iterable[tuple[str | None, Any, Any]]
    ) -> list[tuple[str | None, Any, Any]]:
        """Return the documents to score; those on one side only may be refused."""
        complete = []
        for name, key, response in documents:
            if key is None and self._scheme.missing == "key":
                continue
            if (key is None or response is None) and self._scheme.missing == "error":
                raise ScorefError(
                    f"document '{name}' is on one side only",
                    hint="Use missing='empty' to treat the other side as empty.",
                )
            self._refuse_namesake(name)
            complete.append((name, key, response))
        return complete

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
        for name in other._known:
            self._refuse_namesake(name)
        self._pairs.extend(other._pairs, first_number=len(self._names))
        self._names += other._names
        self._files += other._files
        self._known |= other._known

    def compute(self) -> Result:
        """Score all documents that were added."""
        results = list(self._files)
        if self._names:
            sides = self._pairs.build(self._name_of)
            asked = self._scheme, self._metrics
            results.append(score_corpora(*sides, *asked, on_demand=True))
        if not results:
            raise ScorefError("there is nothing to score. Call update() first")
        if len(results) == 1:
            return results[0]
        return dataclasses.replace(
            join_results(results), key="key", response="response"
        )

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
    ) -> None:
        self._refuse_namesake(name)
        self._pairs.add(str(len(self._names)), key, response)
        self._names.append(name)
        if name is not None:
            self._known.add(name)

    def _refuse_namesake(self, name: str | None) -> None:
        if name is not None and name in self._known:
            raise ScorefError(
                f"document '{name}' was added before",
                hint="Add each document once. Samplers that pad the last batch repeat "
                "documents.",
            )


def _refuse_none(key: Any, response: Any) -> tuple[Any, Any]:
    for role, side in (("key", key), ("response", response)):
        if side is None:
            raise ScorefError(f"the {role} is None", hint="Use [] for no entities.")
    return key, response


def _several(document: str, count: int) -> ScorefError:
    """Return the error for a name that is given to several documents."""
    return ScorefError(
        f"'{document}' is the name of one document, but there are {count}",
        hint="Give several documents as a dict by name, and leave out document=.",
    )


_ROUNDING = 1e-12


def assert_score(
    key: Input,
    response: Input | None = None,
    *,
    tolerance: float = 0.0,
    **expected: Any,
) -> Result:
    """Score a response, and fail if a figure is lower than expected.

    Args:
        key: the gold annotation, as for `scoref.score`.
        response: the output of the system.
        tolerance: by how much figures may be lower, as a fraction.
        expected: the lowest F₁ allowed, by metric and as fractions (``conll=0.8``), and
            options of `scoref.score`, such as ``singletons="drop"``.

    Raises:
        AssertionError: a figure is lower. The message has all figures and the
            signature.

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
        raise OptionError(f"'{missing[0]}' was not computed. Add it to the metrics")
    lower = [
        f"{METRICS[name].label} F₁ is {figure(name, result.scores[name].f1, 2)}, but "
        f"at least {figure(name, value, 2)} was expected"
        for name, value in minimum.items()
        if result.scores[name].f1 < value - tolerance - _ROUNDING
    ]
    if lower:
        raise AssertionError("\n".join([*lower, "", str(result)]))
    return result


def _by_metric(least: dict[str, float]) -> dict[str, float]:
    """Return the least figures by the names of metrics; they must be fractions."""
    if not least:
        raise OptionError("no minimum was given. Name a metric, as in conll=0.80")
    for name, value in least.items():
        if not 0 <= value <= 1:
            raise OptionError(f"{name}={value} is not a fraction. Write 0.8 for 80 %")
    return {
        metric: value
        for name, value in least.items()
        for metric in choose_metrics([name.replace("_", "-")])
    }
