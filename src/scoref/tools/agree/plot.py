"""A plot of agreement: F1 of each pair of annotators, and the annotators as a tree.

The tree joins first the annotators who agree best. The distance between two groups is
the average of 1 − F1 over their members (UPGMA). An annotator who has no document in
common with a group is joined last.
"""

from __future__ import annotations

from itertools import combinations
from typing import TYPE_CHECKING, NamedTuple

from scoref.figures import percent
from scoref.metrics import METRICS, leading_metric
from scoref.render.plots import (
    BLUE,
    GREY,
    INK,
    WIDTH,
    Captions,
    canvases,
    check_plot,
    finish,
    rendered,
    settings,
    shortened,
    signature_lines,
)
from scoref.writing import write_whole

if TYPE_CHECKING:
    import os
    from collections.abc import Mapping, Sequence

    from matplotlib.axes import Axes

    from scoref.tools.agree.results import Agreement


_NAME_LENGTH = 24

_LEAST, _ROW = 1.2, 0.3  # inches

_MOST_FIGURES = 16  # beyond them, cells have no room for figures

_DARK = 0.6  # from here on, figures are white


def plot_agreement(
    path: str | os.PathLike[str], found: Agreement, metric: str | None = None
) -> None:
    """Draw F1 of each two annotators as a matrix, beside them as a tree.

    Args:
        path: where to write; its suffix says what: ``.svg``, ``.png`` or ``.html``.
        found: what `scoref.agree` gave.
        metric: one of its metrics; CoNLL, or the first one, if not given.
    """
    kind = check_plot(path)
    metric = metric or leading_metric(found.metrics)
    f1 = {pair: each.scores[metric].f1 for pair, each in found.pairs.items()}
    tree = tree_of(found.names, f1)
    words = _words(found, metric)
    with settings():
        height = max(_LEAST, min(WIDTH / 2, _ROW * len(found.names)))
        figure, (matrix, branches) = canvases(height, 2)
        _draw_matrix(matrix, tree.members, f1)
        _draw_tree(branches, tree)
        finish(matrix, words, "")
        branches.set_xlabel("points of F1 apart")
        hovers = [_hover(name, tree.members, f1) for name in tree.members]
        data = rendered(figure, kind, words, hovers)
    write_whole(path, data)


def _words(found: Agreement, metric: str) -> Captions:
    distance = found.distances[0]
    alpha = found.alpha[distance]
    known = "" if alpha is None else f"; α ({distance}) {alpha:.3f}"
    label = METRICS[metric].label
    return Captions(
        f"{label} F1 of each two annotators",
        f"mean {percent(found.mean[metric])}{known}",
        tuple(signature_lines({"": found.signature})),
    )


def _cell(one: str, other: str, f1: Mapping[tuple[str, str], float]) -> float | None:
    low, high = sorted((one, other))
    return f1.get((low, high))


def _draw_matrix(
    axes: Axes, names: Sequence[str], f1: Mapping[tuple[str, str], float]
) -> None:
    """Draw a square for each two, the darker the higher."""
    low = min(f1.values(), default=0.0)
    high = max(f1.values(), default=1.0)
    for row, name in enumerate(names):
        for column, other in enumerate(names):
            value = _cell(name, other, f1)
            if value is None:
                continue
            shade = (value - low) / (high - low) if high > low else 0.5
            alpha = 0.1 + 0.8 * shade
            axes.barh(row, 1, 1, column - 0.5, color=BLUE, alpha=alpha, linewidth=0)
            if len(names) <= _MOST_FIGURES:
                colour = "white" if shade > _DARK else INK
                axes.annotate(
                    f"{100 * value:.0f}",
                    (column, row),
                    color=colour,
                    fontsize=7,
                    horizontalalignment="center",
                    verticalalignment="center",
                )
    axes.set_yticks(range(len(names)), shortened(list(names), _NAME_LENGTH))
    axes.set_xticks([])
    axes.set_xlim(-0.5, len(names) - 0.5)
    axes.set_ylim(len(names) - 0.5, -0.5)
    axes.grid(visible=False)


def _draw_tree(axes: Axes, tree: Branch) -> None:
    """Draw brackets, whose backs stand where branches meet."""
    places = {name: float(row) for row, name in enumerate(tree.members)}
    _draw_branch(axes, tree, places)
    axes.set_yticks([])
    axes.set_ylim(len(tree.members) - 0.5, -0.5)
    axes.set_xlim(0, 105 * (tree.height or 1))


def _draw_branch(axes: Axes, branch: Branch, places: Mapping[str, float]) -> float:
    if not branch.parts:
        return places[branch.members[0]]
    ends = [_draw_branch(axes, each, places) for each in branch.parts]
    at = 100 * branch.height
    for end, each in zip(ends, branch.parts, strict=True):
        axes.hlines(end, 100 * each.height, at, color=GREY, linewidth=1.2)
    axes.vlines(at, min(ends), max(ends), color=GREY, linewidth=1.2)
    return sum(ends) / len(ends)


def _hover(name: str, names: Sequence[str], f1: Mapping[tuple[str, str], float]) -> str:
    known = ((other, _cell(name, other, f1)) for other in names)
    figures = [
        f"{other} {percent(value)}" for other, value in known if value is not None
    ]
    return f"{name}: {', '.join(figures)}"


FARTHEST = 1.0


class Branch(NamedTuple):
    """One annotator, or two branches that meet at a height."""

    members: tuple[str, ...]
    height: float = 0.0
    parts: tuple[Branch, ...] = ()


def tree_of(names: Sequence[str], f1: Mapping[tuple[str, str], float]) -> Branch:
    """Join annotators; ``f1`` is that of two whose names are in order."""
    branches = [Branch((name,)) for name in names]
    while len(branches) > 1:
        pairs = combinations(range(len(branches)), 2)
        height, first, second = min(
            (_apart(branches[one], branches[other], f1), one, other)
            for one, other in pairs
        )
        parts = branches[first], branches[second]
        # A branch is never below what it is made of.
        height = max(height, *(each.height for each in parts))
        joined = Branch(parts[0].members + parts[1].members, height, parts)
        branches[first] = joined
        del branches[second]
    return branches[0]


def _apart(one: Branch, other: Branch, f1: Mapping[tuple[str, str], float]) -> float:
    known = [
        1 - f1[low, high]
        for mine in one.members
        for theirs in other.members
        for low, high in [sorted((mine, theirs))]
        if (low, high) in f1
    ]
    return sum(known) / len(known) if known else FARTHEST
