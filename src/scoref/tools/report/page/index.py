"""The page that links to the pages of several datasets: scores, differences, errors."""

from __future__ import annotations

import math
import os
from string import Template
from typing import TYPE_CHECKING, NamedTuple
from urllib.parse import quote

from scoref._version import __version__
from scoref.figures import UNDEFINED, percent, signed
from scoref.markup import FigureCell, escaped, minus, policy, table
from scoref.metrics import labels_of, leading_metric
from scoref.notes import WARNING
from scoref.printable import counted
from scoref.render.datasets import means_line
from scoref.scoring.comparable import comparability_notes
from scoref.scoring.results import signature_of
from scoref.tools.errors.kinds import KINDS
from scoref.tools.report.page import asset

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from scoref.scoring.results import Result
    from scoref.tools.errors.findings import Analysis

    Row = list[str | FigureCell]


class _Figures(NamedTuple):
    """The figures of a system on a dataset; ``place`` is its number on the page."""

    place: int
    f1: float | None  # None: 0/0
    errors: list[int]
    gains: list[float]


class Index:
    """The figures of each dataset, and links to their pages."""

    def __init__(self, key: str, systems: Sequence[str]) -> None:
        self._key = os.path.basename(os.path.normpath(key))
        self._systems = systems
        self.links: dict[str, str] = {}
        self._figures: dict[str, dict[str, _Figures]] = {}
        self._label = ""
        self._results: dict[str, Result] = {}

    def add(self, dataset: str, systems: Mapping[str, Analysis]) -> None:
        """Add the figures of a dataset, for those systems that could be read."""
        self._figures[dataset] = {}
        if not systems:
            return
        first = next(iter(systems.values())).result
        metric = leading_metric(first.metrics)
        self._label = labels_of(first.scheme, [metric])[metric]
        for name, analysis in systems.items():
            self._results[f"{dataset} ({name})"] = analysis.result
        self._figures[dataset] = {
            name: _Figures(
                place,
                analysis.result.scores[metric].f1
                if analysis.result.is_defined(metric)
                else None,
                analysis.gains.count.tolist(),
                analysis.gains.gain.tolist(),
            )
            for place, (name, analysis) in enumerate(systems.items(), start=1)
        }

    def notes(self) -> list[str]:
        """Warn if datasets or systems have different conventions."""
        return comparability_notes(self._results, same_key=False)

    def render(self) -> str:
        """Write the page."""
        script, style = asset("index.js"), asset("report.css")
        order = self._kinds_by_gain()
        kinds = [KINDS[kind].label for kind in order]
        counts = (
            f"{counted(len(self._figures), 'dataset')} · "
            f"{counted(len(self._systems), 'system')}"
        )
        first, *others = self._systems
        differences = (f"{name} − {first}" for name in others)
        page = Template(asset("index.html")).substitute(
            version=__version__,
            policy=policy(script, style),
            title=escaped(self._key),
            about=escaped(counts),
            scores_caption=escaped(self._caption()),
            scores=table(
                ["dataset", *self._systems, *differences],
                self._scores(),
                last="total",
            ),
            gains=table(["", *kinds], list(self._gains(order))),
            errors=table(["", *kinds, "all"], list(self._errors(order))),
            signature=escaped(self._signature()),
            notes="".join(
                f"<li>{escaped(note.removeprefix(WARNING))}</li>"
                for note in self.notes()
            ),
            style=style,
            script=script,
        )
        return f"{page}\n"

    def _signature(self) -> str:
        if not self._results:
            return ""
        return f"{signature_of(self._results.values())}|datasets:macro"

    def _caption(self) -> str:
        metric = f"{self._label} F₁ of each dataset"
        covered = {
            (system, self._label): len(scores)
            for system, scores in self._covered().items()
        }
        means = " ".join((means_line(covered, len(self._figures)), *self._missing()))
        if len(self._systems) == 1:
            return f"{metric}. {means}"
        first = self._systems[0]
        return f"{metric}, and the difference from {first}. {means}"

    def _missing(self) -> Iterator[str]:
        """Say what a file that is missing or unreadable costs a system."""
        for system in self._systems:
            count = sum(system not in figures for figures in self._figures.values())
            if count:
                files = f"{count} of {len(self._figures)} files"
                counts = "counts" if count == 1 else "count"
                yield f"{files} of {system} could not be scored and {counts} as 0."

    def _scores(self) -> list[Row]:
        """Make a row for each dataset, and one with the means."""
        rows: list[Row] = []
        for dataset, systems in self._figures.items():
            scores = [
                systems[system].f1 if system in systems else 0.0
                for system in self._systems
            ]
            cells = self._row(scores)
            for place, system in enumerate(self._systems):
                if system not in systems:
                    cells[place] = FigureCell("0.00", below="missing", kind="unscored")
                elif scores[place] is None:
                    cells[place] = UNDEFINED
            rows.append([FigureCell(dataset, link=self._link(dataset)), *cells])
        means = [
            math.fsum(scores) / len(scores) if scores else None
            for scores in self._covered().values()
        ]
        return [*rows, ["macro average", *self._row(means)]]

    def _row(self, scores: Sequence[float | None]) -> Row:
        """Write scores, and how they differ from the first."""
        first, *others = scores
        differences = (
            "" if score is None or first is None else minus(signed(score - first, 2))
            for score in others
        )
        return [*map(percent, scores), *differences]

    def _covered(self) -> dict[str, list[float]]:
        """List the figures in each system's mean: 0 for a file that was not read."""
        covered: dict[str, list[float]] = {}
        for system in self._systems:
            scores = [
                figures[system].f1 if system in figures else 0.0
                for figures in self._figures.values()
            ]
            covered[system] = [score for score in scores if score is not None]
        return covered

    def _kinds_by_gain(self) -> list[int]:
        """Order kinds by what fixing them gains in all datasets, the largest first."""
        figures = [
            one for systems in self._figures.values() for one in systems.values()
        ]
        gains = [
            math.fsum(one.gains[kind] for one in figures) for kind in range(len(KINDS))
        ]
        return sorted(range(len(KINDS)), key=lambda kind: -gains[kind])

    def _gains(self, order: Sequence[int]) -> Iterator[Row]:
        """Make a row for each system, with the mean over its datasets."""
        for system in self._systems:
            gains = [
                systems[system].gains
                for systems in self._figures.values()
                if system in systems
            ]
            means = [
                math.fsum(gain[kind] for gain in gains) / len(gains) if gains else None
                for kind in order
            ]
            yield [
                system,
                *(
                    UNDEFINED if mean is None else minus(signed(mean, 2))
                    for mean in means
                ),
            ]

    def _errors(self, order: Sequence[int]) -> Iterator[Row]:
        """Make a row for each system on each dataset."""
        for dataset, systems in self._figures.items():
            for name, figures in systems.items():
                title = dataset if len(self._systems) == 1 else f"{dataset}, {name}"
                link = self._link(dataset)
                at = f"#system={figures.place}"
                kinds = [
                    FigureCell(
                        f"{figures.errors[kind]:,}",
                        link=f"{link}{at}&kind={kind + 1}" if link else "",
                    )
                    for kind in order
                ]
                whole = FigureCell(f"{sum(figures.errors):,}", link=link and link + at)
                yield [title, *kinds, whole]

    def _link(self, dataset: str) -> str:
        place = self.links.get(dataset)
        return "" if place is None else quote(os.fsencode(place))
