"""The part of the page that does not need a script: figures, differences, choices."""

from __future__ import annotations

import math
import os
from string import ascii_lowercase
from typing import TYPE_CHECKING

from scoref.figures import between, difference, figure, has_figures
from scoref.markup import FigureCell, escaped, listed, minus, table, term
from scoref.metrics import METRICS, is_distance, scale_of
from scoref.notes import WARNING, about
from scoref.tools.report.page.looks import HUES

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from scoref.tools.report.page.contract import (
        Interval,
        PageChart,
        PageComparison,
        PageDifference,
        PageReport,
        PageScore,
        PageSection,
        PageTable,
        System,
    )

_FIGURES = {"recall": "Recall", "precision": "Precision", "f1": "F₁"}
_WIDTH, _MIDDLE = 480, 10  # of the line beside a system's figure
_THIN = "\u202f"


def summary(report: PageReport, *, has_kinds: bool) -> str:
    """Write the first part of the page; ``has_kinds`` if there are kinds of errors."""
    left_out = ""
    if report.left_out:
        left_out = f'<p class="left-out">{escaped(report.left_out)}</p>'
    figures = f"<div>{_lead(report)}{_bars(report)}</div>"
    # What is wrong stands next to the figures, or else their table does.
    is_agreement = report.agreement is not None
    what = "Where the annotators differ" if is_agreement else "What is wrong"
    wrong = f'<section id="wrong" aria-label="{what}"></section>'
    scores = _scores(report)
    if not has_kinds:
        wrong, scores = scores, ""
    parts = [
        _masthead(report),
        left_out,
        _agreement(report),
        f'<div class="first-screen">{figures}{wrong}</div>',
        '<section id="changes" aria-label="What other systems fix and break"></section>'
        * (has_kinds and len(report.systems) > 1 and not is_agreement),
        *map(_section, report.sections),
        scores,
    ]
    if report.comparison is not None and report.comparison.rows:
        parts.append(_differences(report, report.comparison))
    parts.append('<section id="pairs" aria-label="Pairs of systems"></section>')
    return "\n".join(part for part in parts if part)


def bar(
    report: PageReport, *, has_errors: bool, has_clusters: bool, has_texts: bool
) -> str:
    """Write the bar with links to the parts of the page, help and legend."""
    parts = {
        "overview": ("Overview", True),
        "errors": ("Errors" if report.agreement is None else "Differences", has_errors),
        "documents": ("Documents", bool(report.documents)),
        "entities": ("Entities", has_texts),
        "clusters": ("Clusters", has_clusters),
        "scored": ("How it was scored", bool(report.systems)),
    }
    links = "".join(
        f'<a href="#{name}">{label}</a>'
        for name, (label, is_there) in parts.items()
        if is_there
    )
    tools = (
        '<button type="button" id="keys" class="plain" '
        'title="Help and keyboard shortcuts (?)">Help</button>'
        '<button type="button" id="legend" class="plain" title="Legend (l)">'
        "Legend</button>"
        '<button type="button" id="theme" class="plain" title="Light or dark mode (t)" '
        'aria-label="Light or dark mode">◐</button>'
    )
    title = f'<strong dir="auto">{escaped(report.title)}</strong>'
    return (
        f'<header id="bar">{title}<nav aria-label="Parts of the page">{links}</nav>'
        f'<div class="tools">{tools}</div></header>'
    )


def _masthead(report: PageReport) -> str:
    if report.agreement is None:
        systems = [_count(len(report.systems), "system"), "against the key"]
    else:
        systems = [_count(len(report.systems), "annotator"), "compared with"]
    if (key := os.path.basename(report.key)) != report.title:
        systems.append(key)
    words = [document.tokens for document in report.documents]
    counts = [_count(len(words), "document")] if words else []
    if words and None not in words:
        counts.append(_count(sum(number or 0 for number in words), "word"))
    subtitle = escaped(" · ".join([" ".join(systems), *counts]))
    if report.agreement is None:
        subtitle = subtitle.replace("the key", f"the {_term('key')}", 1)
    heading = f'<h1 dir="auto">{escaped(report.title)}</h1><p>{subtitle}</p>'
    return f'<header class="masthead">{heading}</header>'


def _scrolling(content: str) -> str:
    """Let a table that is too wide scroll, also by keys."""
    return f'<div class="scroll" tabindex="0">{content}</div>'


def _agreement(report: PageReport) -> str:
    """Show how far annotators agree, and where they do not."""
    if not report.agreement:
        return ""
    tables = "".join(
        f"<h3>{escaped(part.title)}</h3>" * bool(part.title)
        + _scrolling(table(part.header, list(_cells(part)), texts=part.texts))
        for part in report.agreement
    )
    return f'<section class="agreement"><h2>Agreement</h2>{tables}</section>'


def _cells(part: PageTable) -> Iterator[list[str]]:
    """Return the cells of a table; figures below 0 have a minus sign."""
    for row in part.rows:
        cells = enumerate(row)
        yield [cell if place in part.texts else minus(cell) for place, cell in cells]


def _section(section: PageSection) -> str:
    """Write a part that needs no script: sentences, a chart and tables."""
    text = "".join(f"<p>{escaped(line)}</p>" for line in section.text)
    chart = "" if section.chart is None else _line_chart(section.chart)
    tables = "".join(
        f"<h3>{escaped(part.title)}</h3>" * bool(part.title)
        + _scrolling(table(part.header, part.rows))
        for part in section.tables
    )
    return f"<section><h2>{escaped(section.title)}</h2>{text}{chart}{tables}</section>"


_CHART_WIDTH, _CHART_HEIGHT, _MARGIN = 640, 240, 34

_DASHES = ("", "6 3", "2 3")


def _line_chart(chart: PageChart) -> str:
    """Draw lines, with percentages from 0 to 100 upwards."""
    every = [x for points in chart.lines.values() for x, _ in points]
    if not every:
        return ""
    low, high = min(every), max(every)
    width = _CHART_WIDTH - 2 * _MARGIN
    height = _CHART_HEIGHT - 2 * _MARGIN

    def place(x: float, y: float) -> str:
        across = (x - low) / (high - low) if high > low else 0.5
        return f"{_MARGIN + across * width:.1f},{_MARGIN + (1 - y) * height:.1f}"

    lines, legend = [], []
    for number, (label, points) in enumerate(chart.lines.items()):
        dashes = _DASHES[number % len(_DASHES)]
        hue = f"h{number % HUES}"
        shape = " ".join(place(x, y) for x, y in points)
        lines.append(
            f'<polyline class="{hue}" points="{shape}" stroke-dasharray="{dashes}"/>'
        )
        legend.append(f'<li><i class="{hue}"></i>{escaped(label)}</li>')
    base = _CHART_HEIGHT - _MARGIN
    texts = [
        (_MARGIN, base + 16, "middle", f"{low:.4g}"),
        (_CHART_WIDTH - _MARGIN, base + 16, "middle", f"{high:.4g}"),
        (_CHART_WIDTH // 2, base + 16, "middle", chart.x),
    ]
    rules = ""
    for share in (0, 0.25, 0.5, 0.75, 1):
        y = _MARGIN + round((1 - share) * height)
        rules += f'<line x1="{_MARGIN}" x2="{_MARGIN + width}" y1="{y}" y2="{y}"/>'
        texts.append((_MARGIN - 6, y + 4, "end", f"{100 * share:.0f}"))
    labels = "".join(
        f'<text x="{x}" y="{y}" text-anchor="{anchor}">{escaped(text)}</text>'
        for x, y, anchor, text in texts
    )
    title = escaped(f"{', '.join(chart.lines)} by {chart.x}")
    return (
        f'<figure class="lines"><ul class="legend">{"".join(legend)}</ul>'
        f'<div class="holder"><svg viewBox="0 0 {_CHART_WIDTH} {_CHART_HEIGHT}" '
        f'role="img" aria-label="{title}" width="100%">'
        f'<g class="axes">{rules}{labels}</g>{"".join(lines)}</svg></div></figure>'
    )


def _lead(report: PageReport) -> str:
    """Show the leading metric of each system in large figures."""
    leading: list[tuple[System, PageScore | None]] = []
    for system in report.systems:
        scores = {score.metric: score for score in system.scores}
        last = system.scores[-1] if system.scores else None
        leading.append((system, scores.get(report.metric.name, last)))
    values = [
        value
        for _, score in leading
        if score is not None
        for value in (score.f1, *(score.interval("f1") or ()))
    ]
    if not values:
        return ""
    is_share = scale_of(report.metric.name) == "percent"
    ends, scale = None, ""
    if len(values) > 1 and is_share:  # a line for one number would show nothing
        low = min(5 * math.floor(100 * min(values) / 5), 95)  # at most 95 to 100
        high = max(5 * math.ceil(100 * max(values) / 5), low + 5)
        ends = low / 100, high / 100
        labels = "".join(f"<span>{100 * end:.0f}</span>" for end in ends)
        row = f'<dt></dt><dd></dd><dd class="ends">{labels}</dd>'
        scale = f'<div aria-hidden="true" class="scale">{row}</div>'
    rows = [
        _lead_row(system, score, number % HUES, ends)
        for number, (system, score) in enumerate(leading)
        if score is not None
    ]
    levels = (system.level for system, _ in leading if system.level)
    level = next((f", {level:g}{_THIN}% interval" for level in levels), "")
    label = f"{report.metric.label} F₁" if is_share else report.metric.label
    name = f'<p class="lead-name">{_term(label, report.metric.name)}{level}</p>'
    size = "lead one" if len(rows) == 1 else "lead"
    lead = f'{name}<dl class="{size}">{"".join(rows)}{scale}</dl>'
    return lead + _starts(report.systems)


def _starts(systems: Iterable[System]) -> str:
    """Say from which other scores gains start, and why."""
    starts: dict[str, list[str]] = {}
    others = [system for system in systems if system.before is not None]
    for system in others:
        plain = f"Gains start from {100 * (system.before or 0):.2f} instead."
        starts.setdefault(system.start or plain, []).append(system.name)
    return "".join(
        f'<p class="caption start">{escaped(start)}</p>'
        if len(others) == 1
        else f'<p class="caption start">{escaped(about(", ".join(names), start))}</p>'
        for start, names in starts.items()
    )


def _lead_row(system: System, score: PageScore, hue: int, ends: Interval | None) -> str:
    """Write a figure with its interval, and draw both on a line between the ends."""
    interval = score.interval("f1")
    shown = figure(score.metric, score.f1, is_defined=_is_figure(score))
    ends_shown = ""
    if interval is not None:
        ends_shown = f"<small>{between(score.metric, interval)}</small>"
    name = f'<dt dir="auto">{escaped(system.name)}</dt>'
    value = f'<dd class="figure">{shown}{ends_shown}</dd>'
    line = ""
    if ends is not None:
        lines = _line("range", ends, ends)
        if interval is not None:
            lines += _line("interval", interval, ends)
        dot = f'<circle cx="{_place(score.f1, ends)}" cy="{_MIDDLE}" r="5"/>'
        line = (
            f'<svg class="whisker h{hue}" viewBox="0 0 {_WIDTH} 20" aria-hidden="true" '
            f'preserveAspectRatio="xMinYMid meet">{lines}{dot}</svg>'
        )
    return f"<div>{name}{value}<dd>{line}</dd></div>"


_BAR, _BARS_FOR = 240, 3  # width of a bar; the largest number of systems with bars


def _bars(report: PageReport) -> str:
    """Draw F₁ of each metric as bars, with recall and precision as ticks."""
    if not 1 <= len(report.systems) <= _BARS_FOR:
        return ""
    every = (score for system in report.systems for score in system.scores)
    defined = {score.metric for score in every if _is_figure(score)}
    rows = [
        _bar_row(system, score, number % HUES, is_first=number == 0)
        for metric in dict.fromkeys(
            score.metric for system in report.systems for score in system.scores
        )
        for number, system in enumerate(report.systems)
        for score in system.scores
        if score.metric == metric != "conll" and scale_of(metric) == "percent"
        if metric in defined
    ]
    if not rows:
        return ""
    caption = (
        '<p class="caption">Bar: F₁. Ticks: <i class="tick-r"></i> recall, '
        '<i class="tick-p"></i> precision.</p>'
    )
    return f'<dl class="metric-bars">{"".join(rows)}</dl>{caption}'


def _bar_row(system: System, score: PageScore, hue: int, *, is_first: bool) -> str:
    def place(value: float) -> str:
        return f"{_BAR * min(max(value, 0), 1):.1f}"

    ticks = "".join(
        f'<line class="tick-{name[0]}" x1="{place(value)}" x2="{place(value)}" '
        'y1="0" y2="14"/>'
        for name in ("recall", "precision")
        if (value := score.figure(name)) is not None and _is_figure(score)
    )
    shown = figure(score.metric, score.f1, is_defined=_is_figure(score))
    length = place(score.f1) if _is_figure(score) else "0"
    parts = ", ".join(
        f"{label} {_figure(score, name).text}"
        for name, label in _FIGURES.items()
        if score.figure(name) is not None
    )
    name = f"<strong>{_term(score.label, score.metric)}</strong>" if is_first else ""
    return (
        f"<div><dt>{name}</dt><dd>"
        f'<svg class="metric-bar h{hue}" viewBox="0 0 {_BAR} 14" role="img" '
        f'preserveAspectRatio="none" '
        f'aria-label="{escaped(f"{system.name}, {score.label}: {parts}")}">'
        f'<rect class="whole" y="4" width="{_BAR}" height="6"/>'
        f'<rect class="bar" y="4" width="{length}" height="6"/>{ticks}</svg></dd>'
        f'<dd class="bar-figure">{shown}</dd></div>'
    )


_MEANINGS = {
    "key": "Key: the annotation that counts as correct",
    "CoNLL F₁": "CoNLL F₁: the mean of the F₁ scores of MUC, B³ and CEAFe",
    "MUC": "MUC: counts links between mentions",
    "B³": "B³: for each mention, the share of its entity that both sides put with it",
    "CEAFm": "CEAFm: pairs entities one to one and counts the mentions they share",
    "CEAFe": (
        "CEAFe: pairs entities one to one and averages how similar they are: twice the "
        "mentions they share, divided by the mentions of both. Each entity counts the "
        "same, whatever its size"
    ),
    "BLANC": (
        "BLANC: the mean of two F₁ scores, one for pairs of mentions in the same "
        "entity, and one for pairs in different entities"
    ),
    "LEA": (
        "LEA: for each entity, the share of its links that the other side has; large "
        "entities count more"
    ),
    "Mentions": "Mentions: whether the mentions were found, whatever their entity",
}
"""Explanations of terms, shown on hover and on keyboard focus."""


def _term(label: str, metric: str = "") -> str:
    """Write a term with its explanation, if it has one."""
    return term(label, _meaning(label, metric))


def _meaning(label: str, metric: str) -> str:
    asks = f"{label}: {METRICS[metric].asks}" if metric in METRICS else ""
    return _MEANINGS.get(label, _MEANINGS.get(label.removesuffix(" F₁"), asks))


def _named(row: PageScore | PageDifference) -> FigureCell:
    """Write the name of a metric with its explanation."""
    return FigureCell(row.label, meaning=_meaning(row.label, row.metric))


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
    main = _system_rows(report) if several else _metric_rows(report.systems[0])
    title = "Scores"
    if report.agreement is not None:
        title = f"F₁ with {report.key}"
    parts = [f"<h2>{escaped(title)}</h2>", _scrolling(main)]
    if several:
        tables = "".join(
            f"<div><h3>{escaped(system.name)}</h3>"
            f"{_scrolling(_metric_rows(system))}</div>"
            for system in report.systems
        )
        parts.append(
            "<details><summary>Recall and precision</summary>"
            f'<div class="abreast">{tables}</div></details>'
        )
    parts.append(listed(_remarks(report)))
    # The score that counts stays in view while others are scrolled.
    last = [score.metric for score in report.systems[0].scores[-1:]]
    is_last = several and last == [report.metric.name]
    kind = "scores several" if is_last else "scores"
    return f'<section class="{kind}">{"".join(parts)}</section>'


def _metric_rows(system: System) -> str:
    """Make a table of percentages, and one of metrics that are a single number."""
    shares = [score for score in system.scores if scale_of(score.metric) == "percent"]
    values = [score for score in system.scores if scale_of(score.metric) != "percent"]
    rows: list[list[str | FigureCell]] = [
        [_named(score), *(_figure(score, name) for name in _FIGURES)]
        for score in shares
    ]
    is_total = bool(shares) and shares[-1].metric == "conll"
    last = "total" if is_total else ""
    content = table(["", *_FIGURES.values()], rows, last=last) if rows else ""
    numbers: list[list[str | FigureCell]] = [
        [_named(score), _figure(score, "f1")] for score in values
    ]
    return content + (table(["", "Value"], numbers) if numbers else "")


def _figure(score: PageScore, name: str) -> FigureCell:
    text = figure(score.metric, score.figure(name), is_defined=_is_figure(score))
    interval = score.interval(name)
    if interval is None or not _is_figure(score) or not text:
        return FigureCell(text)
    return FigureCell(text, below=between(score.metric, interval))


def _is_figure(score: PageScore) -> bool:
    return has_figures(score.metric, is_defined=score.is_defined)


def _system_rows(report: PageReport) -> str:
    """Make a row for each system, with the best figures and the systems it beats."""
    labels = {score.metric: _named(score) for score in report.systems[0].scores}
    rows = []
    for number, system in enumerate(report.systems):
        row: list[str | FigureCell] = [FigureCell(system.name, mark=_letter(number))]
        for score in system.scores:
            cell = _figure(score, "f1")
            kind = "best" if score.f1 == _best(report, score.metric) else ""
            marks = _beaten_systems(report, number, score.metric)
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


def _beaten_systems(report: PageReport, system: int, metric: str) -> str:
    """Return the letters of the systems that this one is significantly better than."""
    rows = report.comparison.rows if report.comparison is not None else []
    real = [row for row in rows if row.metric == metric and row.is_significant]
    beaten = [row.second for row in real if row.first == system and row.difference > 0]
    beaten += [row.first for row in real if row.second == system and row.difference < 0]
    return "".join(map(_letter, sorted(beaten)))


def _letter(number: int) -> str:
    letters = ascii_lowercase
    return letters[number] if number < len(letters) else f"({number + 1})"


def _remarks(report: PageReport) -> list[str]:
    remarks = []
    levels = {system.level for system in report.systems if system.level is not None}
    if levels:
        level = f"{min(levels):g}{_THIN}%"
        remarks.append(f"Below each figure: {level} interval over {report.unit}.")
    if report.comparison is not None and report.comparison.rows:
        remarks.append(
            "A letter after a figure names a system that it is significantly better "
            "than, with Holm’s correction."
        )
    empty = dict.fromkeys(
        score.label
        for system in report.systems
        for score in system.scores
        if not _is_figure(score)
    )
    if empty:
        remarks.append(
            f"{', '.join(empty)}: a dash means 0/0. There is nothing to score."
        )
    if report.comparison is not None or len(report.systems) > 1:
        remarks.append("Bold: the best score of each metric.")
    notes: dict[str, list[str]] = {}
    for system in report.systems:
        for note in system.notes:
            notes.setdefault(note, []).append(system.name)
    for note, names in notes.items():
        of_all = len(names) == len(report.systems)
        text = note if of_all else about(", ".join(names), note)
        is_warning = text.startswith(WARNING)
        start = "Warning" if is_warning else "Note"
        remarks.append(f"{start}: {text.removeprefix(WARNING)}")
    return remarks


def _differences(report: PageReport, comparison: PageComparison) -> str:
    """Show the differences in the leading metric, the others on demand."""
    main = [row for row in comparison.rows if row.metric == report.metric.name]
    rest = [row for row in comparison.rows if row.metric != report.metric.name]
    parts = [_scrolling(_difference_table(report, main))] * bool(main)
    if rest:
        content = _scrolling(_difference_table(report, rest))
        parts.append(f"<details><summary>All metrics</summary>{content}</details>")
    caption = (
        "F₁ of the first system minus F₁ of the second, with its "
        f"{comparison.level:g}{_THIN}% interval. p: approximate randomisation. "
        "Won, tied, lost: documents that the first system won, tied and lost."
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
                _named(row),
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
    """Write how the figures were computed, and the signature."""
    if not report.systems:
        return ""
    setup = "".join(
        f"<div><dt>{escaped(fact.name)}</dt><dd>{escaped(fact.value)}</dd></div>"
        for fact in (*report.files, *report.setup)
    )
    items = "".join(
        f"<div><dt>{escaped(choice.name)}</dt>"
        f'<dd class="value">{escaped(choice.value)}</dd>'
        f'<dd class="meaning">{escaped(choice.meaning)}</dd></div>'
        for choice in report.choices
    )
    signatures = dict.fromkeys(system.signature for system in report.systems)
    first, *others = (escaped(signature) for signature in signatures)
    button = '<button type="button" id="copy" title="Copy the signature">Copy</button>'
    code = f'<p class="signature"><code id="signature">{first}</code>{button}</p>'
    more = "".join(f'<p class="signature"><code>{other}</code></p>' for other in others)
    return (
        '<section id="scored" tabindex="-1"><h2>How it was scored</h2>'
        + f'<dl class="setup">{setup}</dl>' * bool(setup)
        + f'<h3>Settings</h3><dl class="choices">{items}</dl>' * bool(items)
        + "<h3>Signature</h3>"
        '<p class="caption">It has all settings. Quote it with the scores.</p>'
        f"{code}{more}</section>"
    )


def _count(count: int, name: str) -> str:
    number = f"{count:,}"
    return f"{number} {name}" if count == 1 else f"{number} {name}s"
