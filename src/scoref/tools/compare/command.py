"""The command `scoref compare`, and its verdict on a response against a saved baseline.

The verdict says whether the response is worse than the baseline. It is meant for
pipelines, and is printed as one line and, on request, written as JUnit XML.
"""

from __future__ import annotations

import os
import re
from typing import TYPE_CHECKING, NamedTuple
from xml.sax.saxutils import quoteattr

import click

from scoref.errors import OptionError
from scoref.formats.folders import is_datasets, special_files
from scoref.terminal.options import (
    LEVEL,
    ScoringCommand,
    chance,
    request_of,
    scoring,
    shown,
)
from scoref.terminal.printing import (
    print_failures,
    print_notes,
    print_report,
    scoring_steps,
    tell,
)
from scoref.terminal.running import OUTPUT, BelowThreshold, MissingParts, refusing

if TYPE_CHECKING:
    from scoref.render.report import Unscored
    from scoref.scoring.datasets import DatasetResults
    from scoref.scoring.request import Request
    from scoref.scoring.results import Result
    from scoref.statistics.compare import Comparison

    Systems = dict[str, Result | dict[str, Result]]


BEFORE, NOW = "baseline", "response"
"""What a saved result and a new one are called."""


class Worse(NamedTuple):
    """What counts as worse: by how many points, and whether chance could do it."""

    points: float | None
    metric: str
    is_significant: bool


@click.command(
    cls=ScoringCommand,
    examples={
        "scoref compare key.conll ours=a.conll theirs=b.conll": "Is ours better?",
        "scoref compare gold/ ours/ theirs/ --metrics conll": "And on all datasets?",
        "scoref compare --baseline old.json key.conll new.conll --fail-if-worse 0.5": ""
        "Let a build fail if the score falls by half a point.",
    },
)
@click.argument("key")
@click.argument("responses", metavar="RESPONSE RESPONSE...", nargs=-1, required=True)
@click.option(
    "--baseline",
    metavar="FILE",
    help="Compare the one RESPONSE with a result that `scoref --save FILE` wrote.",
)
@click.option(
    "--fail-if-worse",
    type=click.FloatRange(0),
    metavar="[POINTS]",
    help="With --baseline: leave with exit code 3 if the score is lower by more than "
    "so many points, or at all.",
)
@click.option(
    "--metric",
    show_default="conll",
    help="Which one --fail-if-worse looks at.",
)
@click.option(
    "--significant",
    is_flag=True,
    help="With --fail-if-worse: only if chance can hardly do it, by the test.",
)
@click.option(
    "--junit",
    type=OUTPUT,
    metavar="FILE",
    help="With --baseline: write the verdict on each metric as JUnit XML.",
)
@click.option(
    "--update",
    is_flag=True,
    help="With --baseline: put the new result in its place if it is better.",
)
@scoring
@click.option(
    "--confidence",
    type=LEVEL,
    default=95.0,
    metavar="[LEVEL]",
    show_default=True,
    help="Level of the differences' intervals, in percent or as a fraction up to 1; a "
    "difference is significant if p is at most 1 - LEVEL.",
)
@chance
@shown
@click.option(
    "--plot",
    type=OUTPUT,
    metavar="FILE",
    help="Draw the first two systems' difference by document: .svg, .png or .html.",
)
def command(
    key: str,
    responses: tuple[str, ...],
    *,
    baseline: str | None,
    fail_if_worse: float | None,
    metric: str | None,
    significant: bool,
    junit: str | None,
    update: bool,
    lenient: bool,
    confidence: float,
    bootstrap: str,
    resamples: int,
    seed: int,
    output: str,
    precision: int,
    plot: str | None,
    **options: str | None,
) -> None:
    """Compare systems: each RESPONSE against the KEY, and with each other.

    For each pair and metric: the difference of F1 with its interval, p-values by
    approximate randomisation and by the paired bootstrap, Holm's correction over all
    pairs and metrics, and how many documents were won and lost.

    KEY and RESPONSE may be folders with a file for each dataset; the macro average over
    datasets is compared then. NAME=RESPONSE gives a system a name.
    """
    with refusing():
        from scoref.statistics.compare import compare
        from scoref.statistics.confidence import method_named
        from scoref.tools.compare.rendering import (
            comparison_report,
        )

        is_gate = fail_if_worse is not None or metric is not None or significant
        if baseline is None and (is_gate or junit or update):
            raise click.UsageError("there is no --baseline to be worse than")
        _check_plot(plot)
        wanted = request_of(options, lenient=lenient)
        if baseline is None:
            systems, losses = _scored(key, responses, wanted)
        else:
            systems, losses = _beside(baseline, key, responses, wanted), []
        comparison = compare(
            systems,
            level=confidence,
            method=method_named(bootstrap),
            resamples=resamples,
            seed=seed,
        )
        if plot:
            _plot(plot, systems)
        verdicts: list[Verdict] = []
        if baseline is not None:
            comparison = _without_equality(comparison)
            points = Worse(fail_if_worse, metric or "conll", significant)
            verdicts = judged(comparison, points)
        print_report(comparison_report(comparison, precision, losses), output)
        print_failures(loss.message for loss in losses)
        if losses:
            raise MissingParts("not all datasets could be compared; see above")
        if baseline is not None:
            now = _pass_judgement(
                comparison, baseline, verdicts, junit=junit, update=update
            )
            if fail_if_worse is not None and verdicts[0].is_worse:
                raise BelowThreshold(f"{now.response} is worse than {baseline}")


def _check_plot(plot: str | None) -> None:
    """Refuse a file that cannot be drawn, before anything is scored."""
    if plot:
        from scoref.render.plots import check_plot

        check_plot(plot)


def _beside(
    baseline: str, key: str, responses: tuple[str, ...], wanted: Request
) -> Systems:
    """Score one response, and put it beside a result that was saved."""
    from dataclasses import replace

    from scoref.scoring.saved import load_result
    from scoref.terminal.systems import score_named

    if len(responses) != 1 or is_datasets(key, wanted.folder):
        raise click.UsageError("--baseline is for one file and its key")
    saved = load_result(baseline)
    wanted = replace(wanted, with_fingerprint=saved.fingerprint is not None)
    (now,) = score_named(key, responses, wanted)
    return {NOW: now, BEFORE: saved}


def _without_equality(comparison: Comparison) -> Comparison:
    """Leave out that a response equals the baseline, as it does in most builds."""
    from dataclasses import replace

    notes = [note for note in comparison.notes if note.kind != "equal-systems"]
    return replace(comparison, notes=tuple(notes))


def _pass_judgement(
    comparison: Comparison,
    baseline: str,
    verdicts: list[Verdict],
    *,
    junit: str | None,
    update: bool,
) -> Result:
    """Say whether the response is worse than the baseline, and return its result."""
    from scoref.scoring.results import Result
    from scoref.scoring.saved import save_result
    from scoref.writing import write_output

    now = comparison.results[NOW]
    assert isinstance(now, Result)
    if junit:
        write_output(junit, written(verdicts, now).encode())
    tell(verdicts[0].line, err=True)
    if update and verdicts[0].now > verdicts[0].before:
        save_result(now, baseline)
    return now


def _scored(
    key: str, responses: tuple[str, ...], wanted: Request
) -> tuple[Systems, list[Unscored]]:
    """Score systems, and tell what could not be scored."""
    from scoref.terminal.systems import by_name, score_named

    names = by_name(responses)
    if not is_datasets(key, wanted.folder):
        scored = score_named(key, responses, wanted)
        return {each.response: each for each in scored}, []
    from scoref.scoring.datasets import score_datasets

    with scoring_steps(len(os.listdir(key))) as step:
        found = score_datasets(key, dict(names), wanted, progress=lambda _: step())
    folders = (key, *dict(names).values())
    print_notes(message for path in folders for message in special_files(path))
    return _compared(found)


def _compared(found: DatasetResults) -> tuple[Systems, list[Unscored]]:
    """Keep the datasets that all systems have; tell why others are left out."""
    from scoref.render.report import Unscored  # folders are rare

    left_out = {failure.dataset for failure in found.failures}
    kept = [name for name in found.datasets if name not in left_out]
    losses = [
        Unscored(failure.dataset, failure.system, failure.message)
        for failure in found.failures
    ]
    if not kept:
        print_failures(loss.message for loss in losses)
        raise MissingParts("no dataset could be compared; see above")
    if left_out:
        counts = f"{len(left_out)} of {len(found.datasets)} datasets"
        names = ", ".join(name for name in found.datasets if name in left_out)
        message = f"{counts} left out for all systems: {names}"
        losses.append(Unscored(None, None, message))
    systems: Systems = {
        system: {name: found.results[system, name, found.columns[0]] for name in kept}
        for system in found.systems
    }
    return systems, losses


def _plot(path: str, systems: Systems) -> None:
    from scoref.errors import OptionError
    from scoref.metrics import leading
    from scoref.render.plots import plot_differences
    from scoref.scoring.results import Result

    first, second = list(systems.items())[:2]
    results = first[1], second[1]
    if not isinstance(results[0], Result) or not isinstance(results[1], Result):
        raise OptionError("--plot is for files, not for folders")
    metric = leading(results[0].metrics)
    plot_differences(path, (first[0], results[0]), (second[0], results[1]), metric)


_LEAST = 1e-9

_CONTROLS = re.compile("[\x00-\x08\x0b\x0c\x0e-\x1f\ufffe\uffff]")
"""What XML 1.0 has no way to write."""


class Verdict(NamedTuple):
    """One metric, before and now; ``p`` is the corrected value of the test."""

    metric: str
    before: float
    now: float
    p: float
    is_worse: bool

    @property
    def line(self) -> str:
        """Say it in a line."""
        word = "worse" if self.is_worse else "not worse"
        return (
            f"{self.metric}: {100 * self.before:.2f} → {100 * self.now:.2f} "
            f"({100 * (self.now - self.before):+.2f}, p = {self.p:.3g}): {word}"
        )


def judged(comparison: Comparison, worse: Worse) -> list[Verdict]:
    """Judge every metric that was compared; the one that was asked for comes first."""
    if worse.metric not in comparison.metrics:
        known = ", ".join(comparison.metrics)
        raise OptionError(f"'{worse.metric}' was not compared: there are {known}")
    order = sorted(comparison.metrics, key=lambda name: name != worse.metric)
    return [_verdict(comparison, name, worse) for name in order]


def _verdict(comparison: Comparison, metric: str, worse: Worse) -> Verdict:
    found = comparison.between(NOW, BEFORE, metric)
    before, now = (comparison.f1[name][metric] or 0.0 for name in (BEFORE, NOW))
    is_lower = before - now > max((worse.points or 0.0) / 100, _LEAST)
    is_sure = found.adjusted <= comparison.allowed
    is_worse = is_lower and (is_sure or not worse.is_significant)
    return Verdict(metric, before, now, found.adjusted, is_worse)


def written(verdicts: list[Verdict], result: Result) -> str:
    """Write a test case for each metric, as JUnit XML."""
    cases = "\n".join(_case(each) for each in verdicts)
    failures = sum(each.is_worse for each in verdicts)
    properties = "".join(
        f"<property name={_quoted(name)} value={_quoted(value)}/>"
        for name, value in (("signature", result.signature), ("key", result.key))
    )
    counts = f'tests="{len(verdicts)}" failures="{failures}" errors="0" skipped="0"'
    return (
        '<?xml version="1.0" encoding="UTF-8"?>\n'
        f"<testsuites>\n<testsuite name={_quoted(result.response)} {counts}>\n"
        f"<properties>{properties}</properties>\n{cases}\n</testsuite>\n</testsuites>\n"
    )


def _case(verdict: Verdict) -> str:
    opened = f'<testcase classname="scoref" name={_quoted(verdict.metric)}'
    if not verdict.is_worse:
        return f"{opened}/>"
    return (
        f'{opened}><failure type="worse" message={_quoted(verdict.line)}/></testcase>'
    )


def _quoted(text: str) -> str:
    return quoteattr(_CONTROLS.sub("�", text))
