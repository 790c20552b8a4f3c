"""The page that links to the pages of several datasets: scores, differences, errors."""

from __future__ import annotations

import math
import os
from typing import TYPE_CHECKING, NamedTuple
from urllib.parse import quote

from scoref._version import __version__
from scoref.figures import UNDEFINED, percent, signed
from scoref.markup import FigureCell, escaped, minus, policy, table
from scoref.metrics import labels_of, leading_metric
from scoref.render.breakdowns import means_line
from scoref.tools.errors.kinds import KINDS
from scoref.tools.report.page import asset

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from scoref.tools.errors.findings import Analysis

    Row = list[str | FigureCell]

_PAGE = """\
<!DOCTYPE html>
<html lang="en" class="scoref">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="{policy}">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta name="referrer" content="no-referrer">
<meta name="generator" content="scoref {version}">
<title>{title}</title>
<style>{style}</style>
</head>
<body>
<main id="overview">
<header class="masthead"><div><h1 dir="auto">{title}</h1><p>{about}</p></div></header>
<section><h2>Scores</h2><p class="caption">{scores_caption}</p>
<div class="scroll sortable">{scores}</div></section>
<section><h2>Errors</h2><p class="caption">How many of each kind; a figure leads to \
them.</p>
<div class="scroll sortable">{errors}</div></section>
<section><p class="signature"><code>{signature}</code></p></section>
</main>
<script>{script}</script>
</body>
</html>
"""


class _Figures(NamedTuple):
    """What is kept of a system on a dataset; ``place`` is its number on the page."""

    place: int
    f1: float | None  # None: 0/0
    errors: list[int]


class Index:
    """Datasets, a link and the scores of each; only figures are kept."""

    def __init__(self, key: str, systems: Sequence[str]) -> None:
        self._key = key
        self._systems = systems
        self.links: dict[str, str] = {}
        self._figures: dict[str, dict[str, _Figures]] = {}
        self._label = ""
        self._signature = ""

    def add(self, dataset: str, systems: Mapping[str, Analysis]) -> None:
        """Add the figures of a dataset, for those systems that could be read."""
        self._figures[dataset] = {}
        if not systems:
            return
        first = next(iter(systems.values())).result
        metric = leading_metric(first.metrics)
        self._label = labels_of(first.scheme, [metric])[metric]
        self._signature = self._signature or f"{first.signature}|datasets:macro"
        self._figures[dataset] = {
            name: _Figures(
                place,
                each.result.scores[metric].f1
                if each.result.is_defined(metric)
                else None,
                each.gains.count.tolist(),
            )
            for place, (name, each) in enumerate(systems.items(), start=1)
        }

    def render(self) -> str:
        """Write the page."""
        script, style = asset("index.js"), asset("report.css")
        counts = f"{len(self._figures)} datasets · {len(self._systems)} systems"
        return _PAGE.format(
            version=__version__,
            policy=policy(script, style),
            title=escaped(self._key),
            about=escaped(counts),
            scores_caption=escaped(self._caption()),
            scores=table(self._heads(), self._scores(), last="total"),
            errors=table(
                ["", *(kind.label for kind in KINDS), "all"], list(self._errors())
            ),
            signature=escaped(self._signature),
            style=style,
            script=script,
        )

    def _caption(self) -> str:
        metric = f"{self._label} F₁ of each dataset"
        covered = {
            (system, self._label): len(each) for system, each in self._covered().items()
        }
        means = means_line(covered, len(self._figures))
        if not self._others:
            return f"{metric}. {means}"
        first = self._systems[0]
        return f"{metric}, and that of each system less that of {first}. {means}"

    @property
    def _others(self) -> Sequence[str]:
        return self._systems[1:]

    def _heads(self) -> list[str]:
        first = self._systems[0]
        differences = (f"{name} − {first}" for name in self._others)
        return ["dataset", *self._systems, *differences]

    def _scores(self) -> list[Row]:
        rows: list[Row] = []
        for dataset, found in self._figures.items():
            each = [found.get(system) for system in self._systems]
            scores = [None if figures is None else figures.f1 for figures in each]
            name = FigureCell(dataset, link=self._link(dataset))
            cells = self._row(scores)
            for place, figures in enumerate(each):
                if figures is not None and figures.f1 is None:
                    cells[place] = UNDEFINED
            rows.append([name, *cells])
        means = [_mean(each) for each in self._covered().values()]
        return [*rows, ["macro average", *self._row(means)]]

    def _row(self, scores: Sequence[float | None]) -> list[str]:
        """Write scores, and how they differ from the first."""
        first, *others = scores
        differences = (
            "" if each is None or first is None else minus(signed(each - first, 2))
            for each in others
        )
        return [*map(percent, scores), *differences]

    def _covered(self) -> dict[str, list[float]]:
        """List the figures in each system's mean: 0 for a file that was not read."""
        every = self._figures.values()
        scores = {
            system: [each[system].f1 if system in each else 0.0 for each in every]
            for system in self._systems
        }
        return {
            system: [f1 for f1 in each if f1 is not None]
            for system, each in scores.items()
        }

    def _errors(self) -> Iterator[Row]:
        for dataset, found in self._figures.items():
            for name, figures in found.items():
                title = dataset if len(found) == 1 else f"{dataset}, {name}"
                link = self._link(dataset)
                at = f"#system={figures.place}"
                kinds = [
                    FigureCell(
                        str(count), link=f"{link}{at}&kind={kind}" if link else ""
                    )
                    for kind, count in enumerate(figures.errors, start=1)
                ]
                whole = FigureCell(str(sum(figures.errors)), link=link and link + at)
                yield [title, *kinds, whole]

    def _link(self, dataset: str) -> str:
        place = self.links.get(dataset)
        return "" if place is None else quote(os.fsencode(place))


def _mean(figures: Sequence[float]) -> float | None:
    return math.fsum(figures) / len(figures) if figures else None
