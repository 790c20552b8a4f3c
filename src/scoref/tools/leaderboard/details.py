"""The page that participants see: figures by dataset, and nothing of the key's text."""

from __future__ import annotations

from typing import TYPE_CHECKING

from scoref.figures import UNDEFINED, percent
from scoref.markup import STYLE, escaped, listed, policy, shown, table
from scoref.metrics import labels_of

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from scoref.scoring.datasets import DatasetResults

_PAGE = """\
<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="{policy}">
<meta name="referrer" content="no-referrer">
<title>Results</title>
<style>{style}</style>
</head>
<body>
<h1>Results</h1>
{body}
</body>
</html>
"""

_STYLE = """
body { font: 15px/1.5 system-ui, sans-serif; margin: 2em auto; max-width: 70em; }
"""


def details(
    results: DatasetResults,
    system: str,
    key: str,
    remarks: tuple[Iterable[str], Iterable[str]],
) -> str:
    """Write the page: a table for each column of the task, failures, signatures.

    ``remarks`` are failures and notes.
    """
    failures, notes = remarks
    missing = listed(failures)
    tables = [_table(results, system, column) for column in results.columns]
    tables += [f"<h2>Counted as 0</h2>{missing}"] if missing else []
    signatures = [*map(results.signature, results.columns), f"key:{key}"]
    return _PAGE.format(
        policy=policy("", _STYLE, STYLE),
        style=_STYLE,
        body=shown(*tables, signatures=signatures, notes=notes),
    )


def _table(results: DatasetResults, system: str, column: str) -> str:
    any_result = next(iter(results.results.values()))
    labels = labels_of(any_result.scheme, list(results.metrics))
    rows = [
        [dataset, *_figures(results, system, dataset, column)]
        for dataset in results.datasets
    ]
    means = [results.macro(system, column, name) for name in results.metrics]
    rows.append(["macro average", *map(_percent, means)])
    counts = [len(results.covered(system, column, name)) for name in results.metrics]
    rows.append(["datasets in it", *map(str, counts)])
    title = "" if len(results.columns) == 1 else f"<h2>{escaped(column)}</h2>"
    return title + table(["F1", *(labels[name] for name in results.metrics)], rows)


def _figures(
    results: DatasetResults, system: str, dataset: str, column: str
) -> Iterator[str]:
    is_scored = results.is_scored(system, dataset, column)
    for name in results.metrics:
        f1 = results.f1(system, dataset, column, name)
        yield _percent(f1) if is_scored else "0"


def _percent(value: float | None) -> str:
    return UNDEFINED if value is None else percent(value)
