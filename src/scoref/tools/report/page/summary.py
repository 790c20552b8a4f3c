"""The part of the page that needs no script: figures, differences, choices."""

from __future__ import annotations

import math
from string import ascii_lowercase
from typing import TYPE_CHECKING

from scoref.figures import between, difference, figure, has_figures
from scoref.markup import FigureCell, escaped, listed, minus, table
from scoref.metrics import is_distance, scale_of
from scoref.tools.report.page.looks import HUES

if TYPE_CHECKING:
    from collections.abc import Iterable

    from scoref.tools.report.page.contract import (
        Interval,
        PageComparison,
        PageDifference,
        PageReport,
        PageScore,
        System,
    )

_FIGURES = {"recall": "Recall", "precision": "Precision", "f1": "F₁"}
_WIDTH, _MIDDLE = 480, 10  # of the line beside a system's figure
_THIN = "\u202f"


def summary(report: PageReport) -> str:
    """Write what stands first and needs no script."""
    parts = [_masthead(report), _left_out(report), _agreement(report)]
    parts += [_lead(report), _scores(report)]
    if report.comparison is not None and report.comparison.rows:
        parts.append(_differences(report, report.comparison))
    return "\n".join(part for part in parts if part)


def _masthead(report: PageReport) -> str:
    what = "system" if report.agreement is None else "annotator"
    systems = [_counted(len(report.systems), what), f"against {report.key}"]
    words = [document.tokens for document in report.documents]
    counts = [_counted(len(words), "document")] if words else []
    if words and None not in words:
        counts.append(_counted(sum(each or 0 for each in words), "word"))
    about = " · ".join([" ".join(systems), *counts])
    button = (
        '<button type="button" id="theme" class="plain" title="Light or dark (t)" '
        'aria-label="Light or dark">◐</button>'
    )
    heading = f'<h1 dir="auto">{escaped(report.title)}</h1><p>{escaped(about)}</p>'
    return f'<header class="masthead"><div>{heading}</div>{button}</header>'


def _scrolling(drawn: str) -> str:
    """Let a table that is too wide scroll, also by keys."""
    return f'<div class="scroll" tabindex="0">{drawn}</div>'


def _agreement(report: PageReport) -> str:
    """Show how far annotators agree, and what they do not agree on."""
    if not report.agreement:
        return ""
    tables = "".join(
        f"<h3>{escaped(each.title)}</h3>" * bool(each.title)
        + _scrolling(table(each.header, each.rows))
        for each in report.agreement
    )
    return f'<section class="agreement"><h2>Agreement</h2>{tables}</section>'


def _left_out(report: PageReport) -> str:
    if not report.left_out:
        return ""
    return f'<p class="left-out">{escaped(report.left_out)}</p>'


def _lead(report: PageReport) -> str:
    """Show the figure that counts, large, for each system."""
    found = [(system, _leading(report, system)) for system in report.systems]
    bounds = [
        bound
        for _, score in found
        if score is not None
        for bound in (score.f1, *(score.interval("f1") or ()))
    ]
    if not bounds:
        return ""
    # One figure without an interval is a number; a line would say nothing.
    is_share = scale_of(report.metric.name) == "percent"
    ends = _ends(bounds) if len(bounds) > 1 and is_share else None
    rows = [
        _lead_row(system, score, number % HUES, ends)
        for number, (system, score) in enumerate(found)
        if score is not None
    ]
    level = next(
        (f", {each.level:g}{_THIN}% interval" for each, _ in found if each.level), ""
    )
    name = f'<p class="lead-name">{escaped(_headline(report))}{level}</p>'
    size = "lead one" if len(rows) == 1 else "lead"
    scale = "" if ends is None else _scale(ends)
    return f'{name}<dl class="{size}">{"".join(rows)}{scale}</dl>'


def _headline(report: PageReport) -> str:
    """Name the figure that counts; what is one number is no F₁."""
    name, label = report.metric.name, report.metric.label
    return f"{label} F₁" if scale_of(name) == "percent" else label


def _leading(report: PageReport, system: System) -> PageScore | None:
    named = (score for score in system.scores if score.metric == report.metric.name)
    return next(named, system.scores[-1] if system.scores else None)


def _lead_row(system: System, score: PageScore, hue: int, ends: Interval | None) -> str:
    interval = score.interval("f1")
    shown = figure(score.metric, score.f1, is_defined=_is_figure(score))
    ends_shown = ""
    if interval is not None:
        ends_shown = f"<small>{between(score.metric, interval)}</small>"
    name = f'<dt dir="auto">{escaped(system.name)}</dt>'
    value = f'<dd class="figure">{shown}{ends_shown}</dd>'
    line = "" if ends is None else _whisker(score.f1, interval, hue, ends)
    return f"<div>{name}{value}<dd>{line}</dd></div>"


def _ends(bounds: Iterable[float]) -> Interval:
    """Choose round ends for a scale that holds all of these."""
    values = [100 * value for value in bounds]
    low, high = 5 * math.floor(min(values) / 5), 5 * math.ceil(max(values) / 5)
    return low / 100, (high if high > low else low + 5) / 100


def _whisker(value: float, interval: Interval | None, hue: int, ends: Interval) -> str:
    """Draw where a figure lies between two ends, and where it may lie."""
    lines = [_line("range", ends, ends)]
    if interval is not None:
        lines.append(_line("interval", interval, ends))
    dot = f'<circle cx="{_place(value, ends)}" cy="{_MIDDLE}" r="5"/>'
    return _drawing(f"whisker h{hue}", 20, "".join([*lines, dot]))


def _scale(ends: Interval) -> str:
    """Write what the ends of the lines are."""
    texts = "".join(f"<span>{100 * end:.0f}</span>" for end in ends)
    row = f'<dt></dt><dd></dd><dd class="ends">{texts}</dd>'
    return f'<div aria-hidden="true" class="scale">{row}</div>'


def _drawing(kind: str, height: int, content: str) -> str:
    return (
        f'<svg class="{kind}" viewBox="0 0 {_WIDTH} {height}" aria-hidden="true" '
        f'preserveAspectRatio="xMinYMid meet">{content}</svg>'
    )


def _place(figure: float, ends: Interval) -> str:
    return f"{8 + (_WIDTH - 16) * (figure - ends[0]) / (ends[1] - ends[0]):.1f}"


def _line(kind: str, between: Interval, ends: Interval) -> str:
    start, end = (_place(figure, ends) for figure in between)
    y = f'y1="{_MIDDLE}" y2="{_MIDDLE}"'
    return f'<line class="{kind}" x1="{start}" x2="{end}" {y}/>'


def _scores(report: PageReport) -> str:
    if not report.systems:
        return ""
    several = len(report.systems) > 1
    main = _side_by_side(report) if several else _of_system(report.systems[0])
    parts = ["<h2>Scores</h2>", _scrolling(main)]
    if several:
        tables = "".join(
            f"<h3>{escaped(system.name)}</h3>{_scrolling(_of_system(system))}"
            for system in report.systems
        )
        details = f"<summary>Recall and precision</summary>{tables}"
        parts.append(f"<details>{details}</details>")
    parts.append(listed(_remarks(report)))
    kind = "scores several" if several else "scores"
    return f'<section class="{kind}">{"".join(parts)}</section>'


def _of_system(system: System) -> str:
    """Give each metric a row; what is one number stands in a table of its own."""
    shares = [each for each in system.scores if scale_of(each.metric) == "percent"]
    values = [each for each in system.scores if scale_of(each.metric) != "percent"]
    rows: list[list[str | FigureCell]] = [
        [score.label, *(_figure(score, name) for name in _FIGURES)] for score in shares
    ]
    is_total = bool(shares) and shares[-1].metric == "conll"
    last = "total" if is_total else ""
    drawn = table(["", *_FIGURES.values()], rows, last=last) if rows else ""
    numbers: list[list[str | FigureCell]] = [
        [score.label, _figure(score, "f1")] for score in values
    ]
    return drawn + (table(["", "Value"], numbers) if numbers else "")


def _figure(score: PageScore, name: str) -> FigureCell:
    text = figure(score.metric, score.figure(name), is_defined=_is_figure(score))
    interval = score.interval(name)
    if interval is None or not _is_figure(score) or not text:
        return FigureCell(text)
    return FigureCell(text, below=between(score.metric, interval))


def _is_figure(score: PageScore) -> bool:
    return has_figures(score.metric, is_defined=score.is_defined)


def _side_by_side(report: PageReport) -> str:
    """Give each system a row, with the best figures, and whom it beats."""
    labels = {each.metric: each.label for each in report.systems[0].scores}
    rows = []
    for number, system in enumerate(report.systems):
        row: list[str | FigureCell] = [FigureCell(system.name, mark=_letter(number))]
        for score in system.scores:
            cell = _figure(score, "f1")
            kind = "best" if score.f1 == _best(report, score.metric) else ""
            marks = _beaten(report.comparison, number, score.metric)
            row.append(cell._replace(kind=kind, mark=marks))
        rows.append(row)
    return table(["F₁", *labels.values()], rows)


def _best(report: PageReport, metric: str) -> float:
    best = min if is_distance(metric) else max
    return best(
        score.f1
        for system in report.systems
        for score in system.scores
        if score.metric == metric
    )


def _beaten(comparison: PageComparison | None, system: int, metric: str) -> str:
    """Name the systems than which this one is significantly better."""
    rows = comparison.rows if comparison is not None else []
    real = [row for row in rows if row.metric == metric and row.is_significant]
    won = [row.second for row in real if row.first == system and row.difference > 0]
    won += [row.first for row in real if row.second == system and row.difference < 0]
    return "".join(map(_letter, sorted(won)))


def _letter(number: int) -> str:
    letters = ascii_lowercase
    return letters[number] if number < len(letters) else f"({number + 1})"


def _remarks(report: PageReport) -> list[str]:
    remarks = []
    levels = {system.level for system in report.systems if system.level is not None}
    if levels:
        level = f"{min(levels):g}{_THIN}%"
        remarks.append(f"Below each figure: its interval at {level}, over documents.")
    if report.comparison is not None and report.comparison.rows:
        remarks.append(
            "A letter behind a figure: significantly better than that system, after "
            "Holm’s correction."
        )
    notes: dict[str, list[str]] = {}
    for system in report.systems:
        for note in system.notes:
            notes.setdefault(note, []).append(system.name)
    for note, names in notes.items():
        of_all = len(names) == len(report.systems)
        remarks.append(f"Note: {note}" if of_all else f"{', '.join(names)}: {note}")
    return remarks


def _differences(report: PageReport, comparison: PageComparison) -> str:
    """Show the differences by the metric that counts, the others on demand."""
    main = [row for row in comparison.rows if row.metric == report.metric.name]
    rest = [row for row in comparison.rows if row.metric != report.metric.name]
    parts = [_scrolling(_difference_table(report, main))] * bool(main)
    if rest:
        drawn = _scrolling(_difference_table(report, rest))
        parts.append(f"<details><summary>All metrics</summary>{drawn}</details>")
    caption = (
        f"The first system’s F₁ less the second’s, with its interval at "
        f"{comparison.level:g}{_THIN}%; p by approximate randomisation; documents won, "
        "tied and lost."
    )
    return (
        "<section><h2>Differences</h2>"
        f'<p class="caption">{escaped(caption)}</p>{"".join(parts)}</section>'
    )


def _signed(row: PageDifference, value: float) -> str:
    return minus(difference(row.metric, value))


def _difference_table(report: PageReport, rows: Iterable[PageDifference]) -> str:
    header = ["", "Metric", "ΔF₁", "p", "p (Holm)", "", "won / tied / lost"]
    names = [system.name for system in report.systems]
    return table(
        header,
        (
            [
                f"{names[row.first]} − {names[row.second]}",
                row.label,
                FigureCell(
                    _signed(row, row.difference),
                    below=" to ".join(_signed(row, end) for end in row.interval or ()),
                    kind="real" if row.is_significant else "",
                ),
                f"{row.p:.4f}",
                f"{row.p_holm:.4f}",
                "significant" if row.is_significant else "not significant",
                f"{row.wins} / {row.ties} / {row.losses}",
            ]
            for row in rows
        ),
    )


def choices(report: PageReport) -> str:
    """Write how it was scored."""
    if not report.systems:
        return ""
    signatures = dict.fromkeys(system.signature for system in report.systems)
    first, *others = (escaped(signature) for signature in signatures)
    button = '<button type="button" id="copy" title="Copy the signature">Copy</button>'
    code = f'<p class="signature"><code id="signature">{first}</code>{button}</p>'
    more = "".join(f'<p class="signature"><code>{each}</code></p>' for each in others)
    items = "".join(
        f"<div><dt>{escaped(choice.name)}</dt>"
        f'<dd class="value">{escaped(choice.value)}</dd>'
        f'<dd class="meaning">{escaped(choice.meaning)}</dd></div>'
        for choice in report.choices
    )
    listing = ""
    if items:
        summary = "<summary>Every choice, spelt out</summary>"
        listing = f'<details>{summary}<dl class="choices">{items}</dl></details>'
    return f"<section><h2>How it was scored</h2>{code}{more}{listing}</section>"


def _counted(count: int, name: str) -> str:
    number = f"{count:,}".replace(",", _THIN)
    return f"{number} {name}" if count == 1 else f"{number} {name}s"
