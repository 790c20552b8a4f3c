"""How pictures are drawn and written: settings, names that fit, and files."""

from __future__ import annotations

import html
import io
import os
import re
import warnings
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from matplotlib.axes import Axes
    from matplotlib.figure import Figure
    from matplotlib.text import Annotation

INK, GREY, LIGHT = "#222222", "#666666", "#DDDDDD"
# Okabe and Ito's, which can be told apart with any kind of colour vision.
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


_PAGE = """\
<!DOCTYPE html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy"
 content="default-src 'none'; style-src 'unsafe-inline'">
<title>{title}</title>
<style>
body {{ background: white; margin: 2em auto; max-width: 60em; }}
svg {{ display: block; height: auto; margin: auto; max-width: 100%; }}
[id^="row-"] path {{ pointer-events: all; }}
[id^="row-"]:hover path {{ fill: black !important; fill-opacity: 0.07; }}
</style>
</head>
<body>
{picture}</body>
</html>
"""


class Captions(NamedTuple):
    """What stands above and below a picture."""

    title: str
    subtitle: str
    footer: tuple[str, ...]


def clean(text: str) -> str:
    """Replace what XML cannot hold, and what would break a line."""
    return _UNWRITABLE.sub("\N{REPLACEMENT CHARACTER}", text)


def short(name: str, length: int = NAME_LENGTH) -> str:
    """Cut a long name in the middle: both ends tell more.

    >>> short("output/2026-11-16/model-17/test.conll", 20)
    'output/202…est.conll'
    """
    name = clean(name)
    if len(name) <= length:
        return name
    half = length // 2
    return f"{name[:half]}…{name[half + 1 - length :]}"


def shortened(names: Sequence[str], length: int = NAME_LENGTH) -> list[str]:
    """Shorten names that stand together, and let them begin where they differ.

    >>> shortened(["output/model-17/test.conll", "output/model-18/test.conll"], 18)
    ['…el-17/test.conll', '…el-18/test.conll']
    """
    cut = [short(name, length) for name in names]
    if len(set(cut)) == len(set(names)):
        return cut
    same = os.path.commonprefix(list(names))  # noqa: RUF071 - letters are meant
    start = max(len(same) - _CONTEXT, 0)
    return [short(f"…{name[start:]}", length) for name in names]


@contextmanager
def settings() -> Iterator[None]:
    """Draw with our settings, whatever the user's are, and leave those alone."""
    from matplotlib import style  # noqa: PLC0415 - an extra, and slow to load

    with style.context(_SETTINGS, after_reset=True), warnings.catch_warnings():
        # Letters that its own font lacks; browsers have them.
        warnings.filterwarnings("ignore", message=r"Glyph .* missing")
        warnings.filterwarnings("ignore", message=r"Matplotlib currently does not")
        yield


def canvas(height: float) -> tuple[Figure, Axes]:
    """Make axes of a fixed size; names and titles stand around them."""
    figure, (axes,) = canvases(height, 1)
    return figure, axes


def canvases(height: float, count: int) -> tuple[Figure, list[Axes]]:
    """Make several, side by side."""
    from matplotlib.figure import Figure  # noqa: PLC0415

    figure = Figure(figsize=(WIDTH, height), facecolor="white")
    width = (1 - _GAP * (count - 1)) / count
    every = [
        figure.add_axes((number * (width + _GAP), 0, width, 1))
        for number in range(count)
    ]
    for axes in every:
        axes.spines[["top", "left", "right"]].set_visible(False)
        axes.tick_params(axis="both", length=0)
        axes.grid(axis="x")
    return figure, every


def rendered(
    figure: Figure, kind: str, words: Captions, hovers: Sequence[str]
) -> bytes:
    """Make a file's content; ``hovers`` are what a browser shows of each row."""
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
    return _page(file.getvalue().decode(), words, hovers).encode()


def _page(picture: str, words: Captions, hovers: Iterable[str]) -> str:
    """Put a picture into a page that needs nothing else."""
    picture = picture[picture.index("<svg") :]
    texts = [html.escape(clean(text)) for text in hovers]
    picture = re.sub(
        r'<g id="row-(\d+)">',
        lambda row: f"{row[0]}<title>{texts[int(row[1])]}</title>",
        picture,
    )
    return _PAGE.format(title=html.escape(words.title), picture=picture)


def finish(axes: Axes, words: Captions, unit: str) -> None:
    """Write what stands around the axes."""
    axes.set_xlabel(unit)
    beside(axes, words.subtitle, (0, 1), (0, 8), GREY)
    beside(axes, words.title, (0, 1), (0, 23), INK, 11).set_fontweight("bold")
    for number, line in enumerate(words.footer):
        beside(axes, clean(line), (0, 0), (0, -42 - 9 * number), GREY, 6)


def beside(  # noqa: PLR0913, PLR0917 - what, where, how
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
