"""`scoref.assert_score`: a test that fails with the table and the signature."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from scoref.errors import OptionError
from scoref.figures import figure
from scoref.metrics import METRICS, chosen
from scoref.scoring.evaluate import score

if TYPE_CHECKING:
    from scoref.formats.entities import Documents, Entities
    from scoref.scoring.evaluate import Path
    from scoref.scoring.results import Result

    Input = Path | Entities | Documents

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
    least = {name: each for name, each in expected.items() if _is_number(each)}
    options = {name: each for name, each in expected.items() if name not in least}
    wanted = _by_metric(least)
    result = score(key, response, **options)
    missing = [name for name in wanted if name not in result.metrics]
    if missing:
        raise OptionError(f"'{missing[0]}' was not among the metrics of this run")
    lower = [
        f"{METRICS[name].label} F1 is {figure(name, result.scores[name].f1, 2)}, and "
        f"{figure(name, value, 2)} was expected"
        for name, value in wanted.items()
        if result.scores[name].f1 < value - tolerance - _ROUNDING
    ]
    if lower:
        raise AssertionError("\n".join([*lower, "", str(result)]))
    return result


def _is_number(value: object) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool)


def _by_metric(least: dict[str, float]) -> dict[str, float]:
    """Call metrics by their names, and see that figures are fractions."""
    if not least:
        raise OptionError("nothing is expected: name a metric, as in conll=0.80")
    for name, value in least.items():
        if not 0 <= value <= 1:
            raise OptionError(f"{name}={value} is no fraction: write 0.8 for 80 %")
    return {
        metric: value
        for name, value in least.items()
        for metric in chosen([name.replace("_", "-")])
    }
