"""Plots of intervals and of differences by document, and functions for all plots.

The second part of the module has the settings, the shortening of names, and the writing
of files, which all plots share. Matplotlib draws plots, and is loaded only when a plot
is wanted. Text stays text in SVG and HTML, so it can be searched and copied. The same
figures give the same bytes.
"""

from __future__ import annotations

import html
import io
import os
import re
import warnings
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

from scoref.errors import OptionError, missing_extra
from scoref.figures import UNDEFINED, has_figures, percent
from scoref.metrics import labels_of
from scoref.printable import called, without_folders
from scoref.writing import write_whole

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence

    from matplotlib.axes import Axes
    from matplotlib.figure import Figure
    from matplotlib.text import Annotation

    from scoref.scoring.results import Result
    from scoref.statistics.bootstrap import Interval
    from scoref.statistics.confidence import Confidence


SUFFIXES = (".svg", ".png", ".html")

# Okabe and Ito's blue and vermilion, distinct with any kind of colour vision.
BLUE, VERMILION = "#0072B2", "#D55E00"

_SYSTEM_HEIGHT, _DOCUMENT_HEIGHT, _NAMELESS_HEIGHT = 0.34, 0.18, 0.02

_MOST_NAMES = 60

_LOWEST, _HIGHEST = 4.0, 8.0  # without names

_TITLE_LENGTH, _SIDE_LENGTH, _LINE_LENGTH = 30, 18, 130

_TIE = 1e-12  # as in comparisons


class _System(NamedTuple):
    """A row of the plot of intervals."""

    name: str
    f1: float
    interval: Interval
    figures: str


class _Document(NamedTuple):
    """A row of the plot of differences."""

    name: str
    first: float
    second: float

    @property
    def difference(self) -> float:
        difference = self.first - self.second
        return difference if abs(difference) > _TIE else 0.0


def plot_intervals(
    path: str | os.PathLike[str],
    systems: Mapping[str, tuple[Result, Confidence]],
    metric: str = "conll",
) -> None:
    """Draw the F₁ of systems with their intervals, the best one on top.

    Args:
        path: where to write; the suffix is ``.svg``, ``.png`` or ``.html``.
        systems: results and their intervals by the systems' names.
        metric: one of the results' metrics.
    """
    kind = check_plot(path)
    if not systems:
        raise OptionError("there are no systems to plot")
    systems = dict(zip(file_names(systems), systems.values(), strict=True))
    rows = [_system(name, *system, metric) for name, system in systems.items()]
    rows.sort(key=lambda row: -row.f1)
    captions = _interval_captions(systems, metric)
    with settings():
        figure, axes = canvas(len(rows) * _SYSTEM_HEIGHT)
        _draw_intervals(axes, rows)
        finish(axes, captions, "F₁ in percent")
        hovers = [f"{row.name}: {row.figures}" for row in rows]
        data = render_figure(figure, kind, captions, hovers)
    write_whole(path, data)


def plot_differences(
    path: str | os.PathLike[str],
    first: tuple[str, Result],
    second: tuple[str, Result],
    metric: str = "conll",
) -> None:
    """Draw by how much the first system's F₁ is above the second's, by document.

    Args:
        path: where to write; the suffix is ``.svg``, ``.png`` or ``.html``.
        first: a system's name and its result.
        second: the name and result of the system that is subtracted.
        metric: one of the results' metrics.
    """
    kind = check_plot(path)
    names = file_names([first[0], second[0]])
    first, second = (names[0], first[1]), (names[1], second[1])
    rows = _documents(first, second, metric)
    captions = _difference_captions(first, second, metric, rows)
    if len(rows) <= _MOST_NAMES:
        height = (len(rows) + 1) * _DOCUMENT_HEIGHT
    else:
        height = min(max(len(rows) * _NAMELESS_HEIGHT, _LOWEST), _HIGHEST)
    with settings():
        figure, axes = canvas(height)
        _draw_differences(axes, rows)
        left, right = short_names([second[0], first[0]], _SIDE_LENGTH)
        annotate(axes, f"← {left} is better", (0, 0), (0, -23), VERMILION, 8)
        text = annotate(axes, f"{right} is better →", (1, 0), (0, -23), BLUE, 8)
        text.set_horizontalalignment("right")
        finish(axes, captions, "percentage points of F₁")
        hovers = [
            f"{row.name}: {percent(row.first)} and {percent(row.second)} "
            f"({_signed(row.difference)})"
            for row in rows
        ]
        data = render_figure(figure, kind, captions, hovers)
    write_whole(path, data)


def check_plot(path: str | os.PathLike[str]) -> str:
    """Return the suffix of a plot's file, or say why there can be no plot.

    Commands call this before they start to score.
    """
    kind = Path(path).suffix.lower()
    if kind not in SUFFIXES:
        raise OptionError(
            f"cannot plot to '{path}'. Use a file name that ends in .svg, .png or "
            ".html."
        )
    try:
        import matplotlib.figure  # noqa: F401 - an extra, and slow to load
    except ImportError as error:
        raise missing_extra("plots need matplotlib", "plot") from error
    return kind


def _system(name: str, result: Result, confidence: Confidence, metric: str) -> _System:
    _check_metric(name, result, metric)
    if not confidence.intervals:
        unit = confidence.unit
        raise OptionError(
            f"{name} has no interval, because that needs at least two {unit}"
        )
    if metric not in confidence.intervals:
        raise OptionError(f"{name} has no interval of '{metric}'")
    score = result.scores[metric]
    interval = confidence.intervals[metric]["f1"]
    low, high = map(percent, interval)
    is_defined = has_figures(metric, is_defined=score.is_defined)
    figures = f"{percent(score.f1)}  {low}–{high}" if is_defined else UNDEFINED
    return _System(name, score.f1, interval, figures)


def _check_metric(name: str, result: Result, metric: str) -> None:
    if metric not in result.metrics:
        known = ", ".join(result.metrics)
        raise OptionError(f"{name} was not scored by '{metric}'. It has {known}.")


def _documents(
    first: tuple[str, Result], second: tuple[str, Result], metric: str
) -> list[_Document]:
    """Pair the documents by name; the largest lead of the first system comes first."""
    for name, result in (first, second):
        _check_metric(name, result, metric)
    mine, theirs = first[1].per_document, second[1].per_document
    if mine.keys() != theirs.keys():
        raise OptionError(
            f"{second[0]} and {first[0]} were not scored on the same documents"
        )
    if not mine:
        raise OptionError("there are no documents to plot")
    rows = [
        _Document(name, scores[metric].f1, theirs[name][metric].f1)
        for name, scores in mine.items()
    ]
    return sorted(rows, key=lambda row: (-row.difference, row.name))


def _interval_captions(
    systems: Mapping[str, tuple[Result, Confidence]], metric: str
) -> Captions:
    intervals = [confidence for _, confidence in systems.values()]
    kinds = {(confidence.level, confidence.unit) for confidence in intervals}
    if len(kinds) > 1:
        listed = ", ".join(f"{level:g} % over {unit}" for level, unit in sorted(kinds))
        raise OptionError(
            "intervals of different levels or units cannot be compared in one plot "
            f"({listed})"
        )
    ((level, unit),) = kinds
    unit = unit.replace("+", " and ")
    counts = {confidence.count for confidence in intervals}
    units = _count_text(counts.pop(), unit) if len(counts) == 1 else unit
    signatures = {
        name: f"{result.signature}|{confidence.signature}"
        for name, (result, confidence) in systems.items()
    }
    notes = dict.fromkeys(
        note.message for confidence in intervals for note in confidence.notes
    )
    result, _ = next(iter(systems.values()))
    return Captions(
        f"{_label(result, metric)} F₁",
        f"{level:g} % confidence intervals over {units}",
        (*signature_lines(signatures), *map(called, notes)),
    )


def _difference_captions(
    first: tuple[str, Result],
    second: tuple[str, Result],
    metric: str,
    rows: Sequence[_Document],
) -> Captions:
    wins = sum(row.difference > 0 for row in rows)
    losses = sum(row.difference < 0 for row in rows)
    ties = len(rows) - wins - losses
    record = f"{_count_text(wins, 'wins')}, {_count_text(ties, 'ties')}, " + (
        "1 loss" if losses == 1 else f"{losses} losses"
    )
    mine, theirs = (result.scores[metric].f1 for _, result in (first, second))
    corpus = f"corpus: {percent(mine)} and {percent(theirs)} ({_signed(mine - theirs)})"
    signatures = {name: result.signature for name, result in (first, second)}
    names = short_names([first[0], second[0]], _TITLE_LENGTH)
    return Captions(
        f"{_label(first[1], metric)} F₁ by document: {' − '.join(names)}",
        f"{record} in {_count_text(len(rows), 'documents')}; {corpus}",
        tuple(signature_lines(signatures)),
    )


def _label(result: Result, metric: str) -> str:
    return labels_of(result.scheme, [metric])[metric]


def _count_text(count: int, things: str) -> str:
    """Write a number of things, in the singular if it is one.

    >>> _count_text(2, "ties"), _count_text(1, "ties")
    ('2 ties', '1 tie')
    """
    return f"1 {things.removesuffix('s')}" if count == 1 else f"{count} {things}"


def _signed(value: float) -> str:
    """Write a difference for people.

    >>> _signed(0.0123), _signed(-0.5), _signed(-1e-15)
    ('+1.23', '−50.00', '0.00')
    """
    rounded = round(100 * value, 2)
    return f"{rounded:+.2f}".replace("-", "−") if rounded else "0.00"


def signature_lines(signatures: Mapping[str, str]) -> Iterator[str]:
    """Break signatures between fields; equal signatures are written once."""
    if len(set(signatures.values())) == 1:
        yield from _break_line(next(iter(signatures.values())))
        return
    names = short_names(list(signatures))
    for name, signature in zip(names, signatures.values(), strict=True):
        yield from _break_line(f"{name}: {signature}")


def _break_line(line: str) -> Iterator[str]:
    rest = ""
    for field in re.findall(r"[^|]*\|?", line):
        if rest and len(rest) + len(field) > _LINE_LENGTH:
            yield rest
            rest = ""
        rest += field
    yield rest


def _draw_intervals(axes: Axes, rows: Sequence[_System]) -> None:
    places = range(len(rows))
    lows = [100 * row.interval.low for row in rows]
    highs = [100 * row.interval.high for row in rows]
    # Not `errorbar`: an interval need not hold the score.
    axes.hlines(places, lows, highs, color=BLUE, linewidth=2, alpha=0.45)
    for ends in (lows, highs):
        axes.plot(ends, places, "|", color=BLUE, markersize=7, alpha=0.6)
    axes.plot([100 * row.f1 for row in rows], places, "o", color=BLUE, markersize=6)
    axes.set_yticks(places, short_names([row.name for row in rows]))
    axes.set_ylim(len(rows) - 0.5, -0.5)
    for place, row in enumerate(rows):
        axes.annotate(
            row.figures,
            (1, place),
            xycoords=("axes fraction", "data"),
            xytext=(8, 0),
            textcoords="offset points",
            verticalalignment="center_baseline",
        )


def _draw_differences(axes: Axes, rows: Sequence[_Document]) -> None:
    """Draw a bar for each document, or areas if there are too many for names."""
    values = [100 * row.difference for row in rows]
    if len(rows) <= _MOST_NAMES:
        _draw_bars(axes, values)
        names = short_names([row.name for row in rows])
        axes.set_yticks(range(len(rows)), names, fontsize=8)
    else:
        edges = [place - 0.5 for place in range(len(values) + 1)]
        for colour, side in ((BLUE, 1), (VERMILION, -1)):
            lengths = [value if value * side > 0 else 0 for value in values]
            axes.stairs(
                lengths, edges, orientation="horizontal", fill=True, color=colour
            )
        axes.set_yticks([])
        axes.set_ylabel(f"{len(rows)} documents")
    axes.axvline(0, color=GREY, linewidth=0.8)
    axes.set_ylim(len(rows) - 0.5, -0.5)
    widest = 1.06 * max(map(abs, values)) or 1
    axes.set_xlim(-widest, widest)
    axes.xaxis.set_major_formatter(
        lambda value, _: f"{value:+g}".replace("-", "−") if value else "0"
    )


def _draw_bars(axes: Axes, values: Sequence[float]) -> None:
    """Draw bars whose edges show even the smallest difference."""
    colours = [BLUE if value > 0 else VERMILION for value in values]
    places = range(len(values))
    axes.barh(
        places, values, 0.72, color=colours, edgecolor=colours, linewidth=0.8, zorder=3
    )
    ties = [place for place, value in enumerate(values) if value == 0]
    axes.barh(ties, [0] * len(ties), 0.72, edgecolor=GREY, linewidth=2, zorder=3)


INK, GREY, LIGHT = "#222222", "#666666", "#DDDDDD"

# Okabe and Ito's palette, distinct with any kind of colour vision.
COLOURS = ("#0072B2", "#D55E00", "#009E73", "#CC79A7", "#E69F00", "#56B4E9", "#000000")

WIDTH = 6.0  # of the axes, in inches, as heights are

NAME_LENGTH = 44

_GAP = 0.06  # between axes, as a part of the width

_CONTEXT = 4  # letters before the place where names differ

_UNWRITABLE = re.compile("[\x00-\x1f\x7f-\x9f\ud800-\udfff\ufffe\uffff]")

_SETTINGS: dict[str, Any] = {
    "axes.axisbelow": True,
    "axes.edgecolor": GREY,
    "axes.labelcolor": GREY,
    "axes.labelsize": 8,
    "font.size": 9,
    "grid.color": LIGHT,
    "grid.linewidth": 0.6,
    "svg.fonttype": "none",
    "svg.hashsalt": "scoref",
    "text.color": INK,
    "text.parse_math": False,  # a dollar in a name is a dollar
    "xtick.color": GREY,
    "xtick.labelsize": 8,
    "ytick.labelcolor": INK,
}

PAGE = """\
<!DOCTYPE html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy"
 content="default-src 'none'; style-src 'unsafe-inline'">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>{title}</title>
<meta name="color-scheme" content="light dark">
<style>
:root {{ color-scheme: light dark; --ink: #1f1e1c; --faint: #6b6862; --rule: #dedad2;
 --paper: #fbfaf8; --h0: #0b45b0; --h1: #bb4604; --h2: #008164; --h3: #821d71;
 --h4: #b08000; --h5: #2a96c5; }}
@media screen and (prefers-color-scheme: dark) {{
:root {{ --ink: #e9e6e1; --faint: #a29e97; --rule: #37383b; --paper: #17181a;
 --h0: #4b82f2; --h1: #f9762a; --h2: #5ef4c8; --h3: #b3689d; --h4: #fcc429;
 --h5: #5fbde8; }}
}}
body {{ background: var(--paper); margin: 2em auto; max-width: 60em;
 padding: 0 1em; }}
h1 {{ clip-path: inset(50%); height: 1px; margin: 0; overflow: hidden;
 position: absolute; width: 1px; }}
div {{ overflow-x: auto; background:
 linear-gradient(var(--paper), var(--paper)) 0 0 / 1em 100% no-repeat local,
 linear-gradient(var(--paper), var(--paper)) 100% 0 / 1em 100% no-repeat local,
 linear-gradient(to right, var(--rule), transparent) 0 0 / 0.8em 100% no-repeat,
 linear-gradient(to left, var(--rule), transparent) 100% 0 / 0.8em 100% no-repeat; }}
#patch_1 path {{ fill: none !important; }}
svg {{ display: block; height: auto; margin: auto; max-width: 100%; min-width: 40em; }}
svg text {{ font-family: ui-sans-serif, system-ui, "Segoe UI", "Noto Sans",
 "DejaVu Sans", sans-serif !important; }}
[id^="row-"] path {{ pointer-events: all; }}
[id^="row-"]:hover path {{ fill: var(--ink) !important; fill-opacity: 0.07; }}
</style>
</head>
<body>
<main>
<h1>{title}</h1>
<div tabindex="0" role="group" aria-label="{title}">
{picture}</div>
</main>
</body>
</html>
"""


VARIABLES = {
    "#ffffff": "--paper",
    INK: "--ink",
    "#000000": "--ink",
    GREY: "--faint",
    LIGHT: "--rule",
    **dict(zip(COLOURS, (f"--h{place}" for place in range(6)), strict=False)),
}
"""The colours of reports, light and dark, in place of those of a picture."""


class Captions(NamedTuple):
    """The texts above and below a plot."""

    title: str
    subtitle: str
    footer: tuple[str, ...]


def clean(text: str) -> str:
    """Replace characters that XML cannot hold, and line breaks."""
    return _UNWRITABLE.sub("\N{REPLACEMENT CHARACTER}", text)


def short_name(name: str, length: int = NAME_LENGTH) -> str:
    """Cut a long name in the middle, because its ends say more.

    >>> short_name("output/2026-11-16/model-17/test.conll", 20)
    'output/202…est.conll'
    """
    name = clean(name)
    if len(name) <= length:
        return name
    half = length // 2
    return f"{name[:half]}…{name[half + 1 - length :]}"


def file_names(names: Iterable[str]) -> list[str]:
    """Leave out the folders of files, which others should not see."""
    every = list(names)
    return without_folders(every, {name for name in every if os.path.exists(name)})


def short_names(names: Sequence[str], length: int = NAME_LENGTH) -> list[str]:
    """Shorten names so that they stay different, from where they differ if necessary.

    >>> short_names(["output/model-17/test.conll", "output/model-18/test.conll"], 18)
    ['…el-17/test.conll', '…el-18/test.conll']
    """
    shortened = [short_name(name, length) for name in names]
    if len(set(shortened)) == len(set(names)):
        return shortened
    same = os.path.commonprefix(list(names))  # noqa: RUF071 - letters are meant
    start = max(len(same) - _CONTEXT, 0)
    return [short_name(f"…{name[start:]}", length) for name in names]


@contextmanager
def settings() -> Iterator[None]:
    """Draw with these settings, and restore those of the user afterwards."""
    from matplotlib import style  # an extra, and slow to load

    with style.context(_SETTINGS, after_reset=True), warnings.catch_warnings():
        # Browsers have letters that Matplotlib's font lacks.
        warnings.filterwarnings("ignore", message=r"Glyph .* missing")
        warnings.filterwarnings("ignore", message=r"Matplotlib currently does not")
        yield


def canvas(height: float) -> tuple[Figure, Axes]:
    """Make axes of a fixed size; names and titles are outside of them."""
    figure, (axes,) = canvases(height, 1)
    return figure, axes


def canvases(height: float, count: int) -> tuple[Figure, list[Axes]]:
    """Make several axes, side by side."""
    from matplotlib.figure import Figure

    figure = Figure(figsize=(WIDTH, height), facecolor="white")
    width = (1 - _GAP * (count - 1)) / count
    all_axes = [
        figure.add_axes((number * (width + _GAP), 0, width, 1))
        for number in range(count)
    ]
    for axes in all_axes:
        axes.spines[["top", "left", "right"]].set_visible(False)
        axes.tick_params(axis="both", length=0)
        axes.grid(axis="x")
    return figure, all_axes


def render_figure(
    figure: Figure, kind: str, captions: Captions, hovers: Sequence[str]
) -> bytes:
    """Return the content of a file; a browser shows ``hovers`` for each row."""
    if kind == ".html":
        for number in range(len(hovers)):
            row = figure.axes[0].axhspan(
                number - 0.5, number + 0.5, facecolor="none", edgecolor="none", zorder=9
            )
            row.set_gid(f"row-{number}")
    file = io.BytesIO()
    is_image = kind == ".png"
    nothing = ("Software",) if is_image else ("Creator", "Date", "Format", "Type")
    figure.savefig(
        file,
        format="png" if is_image else "svg",
        dpi=200 if is_image else "figure",
        bbox_inches="tight",
        pad_inches=0.15,
        metadata=dict.fromkeys(nothing),
    )
    if kind != ".html":
        return file.getvalue()
    return _page(file.getvalue().decode(), captions, hovers).encode()


def _page(picture: str, captions: Captions, hovers: Iterable[str]) -> str:
    """Put a picture into a page that needs no other file."""
    picture = picture[picture.index("<svg") :]
    for colour, variable in VARIABLES.items():
        picture = picture.replace(f": {colour.lower()}", f": var({variable})")
    texts = [html.escape(clean(text)) for text in hovers]
    picture = re.sub(
        r'<g id="row-(\d+)">',
        lambda row: f"{row[0]}<title>{texts[int(row[1])]}</title>",
        picture,
    )
    return PAGE.format(title=html.escape(captions.title), picture=picture)


def finish(axes: Axes, captions: Captions, unit: str) -> None:
    """Write the captions and the unit around the axes."""
    axes.set_xlabel(unit)
    annotate(axes, captions.subtitle, (0, 1), (0, 8), GREY)
    annotate(axes, captions.title, (0, 1), (0, 23), INK, 11).set_fontweight("bold")
    for number, line in enumerate(captions.footer):
        annotate(axes, clean(line), (0, 0), (0, -42 - 9 * number), GREY, 6)


def annotate(
    axes: Axes,
    text: str,
    corner: tuple[float, float],
    offset: tuple[float, float],
    colour: str,
    size: int = 9,
) -> Annotation:
    """Write at some distance, in points, from a corner of the axes."""
    return axes.annotate(
        text,
        corner,
        offset,
        xycoords="axes fraction",
        textcoords="offset points",
        color=colour,
        fontsize=size,
    )
