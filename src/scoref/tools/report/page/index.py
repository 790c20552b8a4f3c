"""The page that leads to the pages of several datasets, with their scores."""

from __future__ import annotations

import math
import os
from typing import TYPE_CHECKING
from urllib.parse import quote

from scoref._version import __version__
from scoref.figures import percent
from scoref.markup import escaped, shown, table
from scoref.metrics import labels_of, leading

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from scoref.tools.errors import Analysis

_PAGE = """\
<!DOCTYPE html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" \
content="default-src 'none'; style-src 'unsafe-inline'">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta name="referrer" content="no-referrer">
<meta name="generator" content="scoref {version}">
<title>{title}</title>
<style>body {{ font-family: system-ui, sans-serif; margin: 2em; }}</style>
</head>
<body>
<h1>{title}</h1>
<nav aria-label="Datasets"><ul>
{links}
</ul></nav>
{figures}
</body>
</html>
"""


class Index:
    """Datasets, a link and the scores of each; only figures are kept."""

    def __init__(self, key: str, systems: Sequence[str]) -> None:
        self._key = key
        self._systems = systems
        self.links: dict[str, str] = {}
        self._figures: dict[str, dict[str, float]] = {}
        self._label = ""
        self._signature = ""

    def add(self, dataset: str, systems: Mapping[str, Analysis]) -> None:
        """Add the figures of a dataset, for those systems that could be read."""
        self._figures[dataset] = {}
        if not systems:
            return
        results = {name: each.result for name, each in systems.items()}
        first = next(iter(results.values()))
        metric = leading(first.metrics)
        self._label = labels_of(first.scheme, [metric])[metric]
        self._signature = self._signature or f"{first.signature}|datasets:macro"
        self._figures[dataset] = {
            name: result.scores[metric].f1 for name, result in results.items()
        }

    def render(self) -> str:
        """Write the page."""
        links = "\n".join(
            f'<li><a href="{quote(os.fsencode(link))}">{escaped(name)}</a></li>'
            for name, link in self.links.items()
        )
        rows = [
            [name, *(percent(found.get(system)) for system in self._systems)]
            for name, found in self._figures.items()
        ]
        drawn = table([f"{self._label} F1", *self._systems], [*rows, self._macro()])
        return _PAGE.format(
            version=__version__,
            title=escaped(self._key),
            links=links,
            figures=shown(drawn, signatures=[self._signature]),
        )

    def _macro(self) -> list[str]:
        """Average over datasets; what could not be read counts as 0."""
        every = list(self._figures.values())
        means = (
            math.fsum(each.get(system, 0.0) for each in every) / max(len(every), 1)
            for system in self._systems
        )
        return ["macro average", *map(percent, means)]
