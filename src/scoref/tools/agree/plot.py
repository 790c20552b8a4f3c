"""A plot of agreement: F₁ of each pair of annotators, and the annotators as a tree.

The tree joins first the annotators who agree best. The distance between two groups is
the average of 1 − F₁ over their members (UPGMA). An annotator who has no document in
common with a group is joined last.
"""

from __future__ import annotations

from itertools import combinations, product
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
    file_names,
    finish,
    render_figure,
    settings,
    short_names,
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

_MOST_FIGURES = 16  # if there are more annotators, figures do not fit into cells

_DARK = 0.6  # above this shade, figures are white


def plot_agreement(
    path: str | os.PathLike[str], agreement: Agreement, metric: str | None = None
) -> None:
    """Draw F₁ of each pair of annotators as a matrix, and the annotators as a tree.

    Args:
        path: the file to write: ``.svg``, ``.png`` or ``.html``.
        agreement: the result of `scoref.agree`.
        metric: one of its metrics; CoNLL, or the first one, if not given.
    """
    kind = check_plot(path)
    metric = metric or leading_metric(agreement.metrics)
    f1: dict[tuple[str, str], float] = {}  # of each two, in both orders
    names = file_names(agreement.names)
    called = dict(zip(agreement.names, names, strict=True))
    for pair_names, pair in agreement.pairs.items():
        one, other = (called[name] for name in pair_names)
        f1[one, other] = f1[other, one] = pair.scores[metric].f1
    tree = tree_of(names, f1)
    distance = agreement.distances[0]
    alpha = agreement.alpha[distance]
    captions = Captions(
        f"{METRICS[metric].label} F₁ of each pair of annotators",
        f"mean {percent(agreement.mean[metric])}"
        + ("" if alpha is None else f"; α ({distance}) {alpha:.3f}"),
        tuple(signature_lines({"": agreement.signature})),
    )
    hovers = []
    for name in tree.members:
        figures = (
            f"{other} {percent(f1[name, other])}"
            for other in tree.members
            if (name, other) in f1
        )
        hovers.append(f"{name}: {', '.join(figures)}")
    with settings():
        height = max(_LEAST, min(WIDTH / 2, _ROW * len(agreement.names)))
        figure, (matrix, branches) = canvases(height, 2)
        _draw_matrix(matrix, tree.members, f1)
        _draw_tree(branches, tree)
        finish(matrix, captions, "")
        branches.set_xlabel("distance in F₁ points")
        data = render_figure(figure, kind, captions, hovers)
    write_whole(path, data)


def _draw_matrix(
    axes: Axes, names: Sequence[str], f1: Mapping[tuple[str, str], float]
) -> None:
    """Draw a square for each two annotators; a darker one means a higher F₁."""
    low = min(f1.values(), default=0.0)
    high = max(f1.values(), default=1.0)
    for row, name in enumerate(names):
        for column, other in enumerate(names):
            value = f1.get((name, other))
            if value is None:
                continue
            shade = (value - low) / (high - low) if high > low else 0.5
            alpha = 0.1 + 0.8 * shade
            axes.barh(row, 1, 1, column - 0.5, color=BLUE, alpha=alpha, linewidth=0)
            if len(names) <= _MOST_FIGURES:
                axes.annotate(
                    f"{100 * value:.0f}",
                    (column, row),
                    color="white" if shade > _DARK else INK,
                    fontsize=7,
                    horizontalalignment="center",
                    verticalalignment="center",
                )
    axes.set_yticks(range(len(names)), short_names(list(names), _NAME_LENGTH))
    axes.set_xticks([])
    axes.set_xlim(-0.5, len(names) - 0.5)
    axes.set_ylim(len(names) - 0.5, -0.5)
    axes.grid(visible=False)


def _draw_tree(axes: Axes, tree: Branch) -> None:
    """Draw branches as brackets; a vertical line joins two of them at its height."""
    places = {name: float(row) for row, name in enumerate(tree.members)}

    def draw(branch: Branch) -> float:
        """Draw a branch, and return its place."""
        if not branch.parts:
            return places[branch.members[0]]
        ends = [draw(part) for part in branch.parts]
        at = 100 * branch.height
        for end, part in zip(ends, branch.parts, strict=True):
            axes.hlines(end, 100 * part.height, at, color=GREY, linewidth=1.2)
        axes.vlines(at, min(ends), max(ends), color=GREY, linewidth=1.2)
        return sum(ends) / len(ends)

    draw(tree)
    axes.set_yticks([])
    axes.set_ylim(len(tree.members) - 0.5, -0.5)
    axes.set_xlim(0, 105 * (tree.height or 1))


FARTHEST = 1.0
"""The distance between annotators who have no document in common."""


class Branch(NamedTuple):
    """One annotator, or two branches that meet at a height."""

    members: tuple[str, ...]
    height: float = 0.0
    parts: tuple[Branch, ...] = ()


def tree_of(names: Sequence[str], f1: Mapping[tuple[str, str], float]) -> Branch:
    """Join annotators to a tree; ``f1`` has each two who share a document."""
    distances = {frozenset(pair): 1 - value for pair, value in f1.items()}

    def distance(one: Branch, other: Branch) -> float:
        """Average over the members of two branches."""
        pairs = (frozenset(pair) for pair in product(one.members, other.members))
        known = [distances[pair] for pair in pairs if pair in distances]
        return sum(known) / len(known) if known else FARTHEST

    branches = [Branch((name,)) for name in names]
    while len(branches) > 1:
        height, first, second = min(
            (distance(branches[first], branches[second]), first, second)
            for first, second in combinations(range(len(branches)), 2)
        )
        parts = branches[first], branches[second]
        # A branch is never lower than its parts.
        height = max(height, *(part.height for part in parts))
        branches[first] = Branch(parts[0].members + parts[1].members, height, parts)
        del branches[second]
    return branches[0]
