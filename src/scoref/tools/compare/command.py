"""The command `scoref compare`, and the verdict on a response and a saved baseline.

The verdict says whether the response is worse than the baseline. It is meant for
pipelines. The command prints it as one line and, on request, writes it as JUnit XML.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, NamedTuple

import click
from click.core import ParameterSource

from scoref.errors import OptionError
from scoref.formats.folders import is_datasets, special_files
from scoref.terminal.options import (
    LEVEL,
    ScoringCommand,
    chance,
    request_of,
    scoring,
    shown,
    wide,
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
    from collections.abc import Mapping

    from scoref.render.report import Unscored
    from scoref.scoring.request import Request
    from scoref.scoring.results import Result
    from scoref.statistics.bootstrap import Method
    from scoref.statistics.compare import Comparison
    from scoref.tools.compare.rendering import ComparisonView

    Systems = dict[str, Result | dict[str, Result]]


BEFORE, NOW = "baseline", "response"
"""The names of a saved result and a new one."""


class Sampling(NamedTuple):
    """The keywords of `compare` on intervals and tests."""

    level: float
    method: Method
    resamples: int
    seed: int


@click.command(
    cls=ScoringCommand,
    examples={
        "scoref compare key.conll ours=a.conll theirs=b.conll": ""
        "Test whether ours is better.",
        "scoref compare key.conll ours=s1.conll,s2.conll theirs=b.conll": ""
        "Compare the mean of two runs with another system.",
        "scoref compare gold/ ours/ theirs/ --metrics conll": ""
        "Compare two systems on all datasets.",
        "scoref compare --baseline old.json key.conll new.conll --fail-if-worse 0.5": ""
        "Fail in CI if the score drops by more than half a point.",
    },
)
@click.argument("key")
@click.argument("responses", metavar="RESPONSE RESPONSE...", nargs=-1, required=True)
@click.option(
    "--baseline",
    metavar="FILE",
    help="Compare the one RESPONSE with a result saved by `scoref --save FILE`.",
)
@click.option(
    "--fail-if-worse",
    type=click.FloatRange(0),
    metavar="[POINTS]",
    help="With --baseline: exit with code 3 if the score drops by more than "
    "POINTS; by any amount if POINTS is omitted.",
)
@click.option(
    "--metric",
    metavar="NAME",
    help="With --fail-if-worse: which of the metrics in --metrics to check.  "
    "[default: conll]",
)
@click.option(
    "--significant",
    is_flag=True,
    help="With --fail-if-worse: fail only if the drop is statistically significant.",
)
@click.option(
    "--junit",
    type=OUTPUT,
    metavar="FILE",
    help="With --baseline: write the verdict for each metric as JUnit XML.",
)
@click.option(
    "--update",
    is_flag=True,
    help="With --baseline: replace the saved result if the new one is better.",
)
@click.option(
    "--multiverse",
    is_flag=True,
    expose_value=False,
    help="Rank systems under every combination of conventions instead; see `scoref "
    "compare --multiverse -h`.",
)
@scoring
@click.option(
    "--confidence",
    type=LEVEL,
    default=95.0,
    metavar="[LEVEL]",
    show_default=True,
    help="Confidence level of the intervals, as a percentage or a fraction. "
    "A difference is significant if p is at most 1 - LEVEL.",
)
@chance
@shown
@wide
@click.option(
    "--plot",
    type=OUTPUT,
    metavar="FILE",
    help="Plot the difference between the first two systems by document, to "
    "a .svg, .png or .html file.",
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
    wide: bool,
    plot: str | None,
    **options: str | None,
) -> None:
    """Compare systems: score each RESPONSE against the KEY, and test differences.

    For each pair of systems and each metric, the report shows the difference in F₁ with
    its interval, p-values by approximate randomisation and by the paired bootstrap,
    Holm's correction, and the number of documents won and lost.

    KEY and RESPONSE may be folders with a file for each dataset. The macro average over
    datasets is then compared. NAME=RESPONSE gives a system a name. Several runs of a
    system, or the folds of a corpus, are NAME=RESPONSE,RESPONSE,RESPONSE.
    """
    with refusing():
        from dataclasses import replace

        from scoref.metrics import leading_metric, metric_name
        from scoref.statistics.compare import compare
        from scoref.statistics.confidence import method_named
        from scoref.tools.compare.rendering import ComparisonView, comparison_report

        has_threshold = fail_if_worse is not None or metric is not None or significant
        if baseline is None and (has_threshold or junit or update):
            raise click.UsageError(
                "--fail-if-worse, --metric, --significant, --junit and --update need "
                "--baseline FILE."
            )
        if plot:  # refuse a file that cannot be drawn before anything is scored
            from scoref.render.plots import check_plot

            check_plot(plot)
        wanted = request_of(options, lenient=lenient)
        if baseline is None:
            systems, losses = _score_systems(key, responses, wanted, least=2)
        else:
            systems, losses = _score_new(baseline, key, responses, wanted)
            if update:
                _refuse_new_runs(systems)
        sampling = Sampling(confidence, method_named(bootstrap), resamples, seed)
        comparison = compare(
            systems,
            metrics=_metrics_to_test(systems, wanted),
            **sampling._asdict(),
        )
        if plot:
            _plot(plot, systems)
        verdicts: list[Verdict] = []
        if baseline is not None:
            # In most builds the response equals the baseline, which is fine.
            notes = [note for note in comparison.notes if note.kind != "equal-systems"]
            comparison = replace(comparison, notes=tuple(notes))
            judged = leading_metric(comparison.metrics)
            if metric is not None:
                judged = metric_name(metric)
            rule = WorseRule(fail_if_worse, judged, significant)
            verdicts = judge(comparison, rule)
        view = ComparisonView(precision)
        if wide:
            view = _wide_view(view, systems, wanted, sampling)
        print_report(comparison_report(comparison, view, losses), output)
        print_failures(loss.message for loss in losses)
        if losses:
            raise MissingParts(
                "not all datasets could be compared. See the messages above"
            )
        if baseline is not None:
            _report_verdicts(comparison, baseline, verdicts, junit=junit, update=update)
            if fail_if_worse is not None and verdicts[0].is_worse:
                response = next(iter(_new_results(comparison).values())).response
                raise BelowThreshold(f"{response} is worse than {baseline}")


def _score_systems(
    key: str, responses: tuple[str, ...], wanted: Request, *, least: int = 1
) -> tuple[Systems, list[Unscored]]:
    """Score systems on a file, or on the datasets of a folder that all systems have.

    Also return why other datasets could not be scored. If there are not as many systems
    as ``least``, nothing is read.
    """
    from scoref.terminal.systems import (
        by_name,
        refuse_runs,
        score_named,
        with_system_folders,
    )

    responses = with_system_folders(key, responses, wanted.folder)
    names = by_name(responses)
    if len(names) < least:
        raise OptionError(
            "compare needs a key and two responses: scoref compare KEY A B"
        )
    if not is_datasets(key, wanted.folder):
        results = score_named(key, responses, wanted)
        return {result.response: result for result in results}, []
    refuse_runs(responses, "a folder of datasets")
    from pathlib import Path

    from scoref.render.report import Unscored
    from scoref.scoring.dataset_files import files_in
    from scoref.scoring.datasets import score_datasets

    with scoring_steps(len(files_in(Path(key)))) as step:
        scores = score_datasets(key, dict(names), wanted, progress=lambda _: step())
    folders = (key, *dict(names).values())
    print_notes(message for path in folders for message in special_files(path))
    left_out = {failure.dataset for failure in scores.failures}
    kept = [name for name in scores.datasets if name not in left_out]
    losses = [
        Unscored(failure.dataset, failure.system, failure.message)
        for failure in scores.failures
    ]
    if not kept:
        print_failures(loss.message for loss in losses)
        raise MissingParts("no dataset could be compared. See the messages above")
    if left_out:
        counts = f"{len(left_out)} of {len(scores.datasets)} datasets"
        listed = ", ".join(name for name in scores.datasets if name in left_out)
        was = "was" if len(left_out) == 1 else "were"
        message = f"{counts} {was} left out for all systems: {listed}"
        losses.append(Unscored(None, None, message))
    systems: Systems = {
        system: {
            # Some formats have more metrics than others.
            name: scores.results[system, name, scores.columns[0]].of_metrics(
                scores.metrics
            )
            for name in kept
        }
        for system in scores.systems
    }
    return systems, losses


def _score_new(
    baseline: str, key: str, responses: tuple[str, ...], wanted: Request
) -> tuple[Systems, list[Unscored]]:
    """Score one response, and load the saved result to compare it with."""
    from dataclasses import replace

    from scoref.scoring.saved import load_datasets, load_result
    from scoref.statistics.additive import by_dataset

    usage = click.UsageError(
        "--baseline compares one response with a saved result: scoref compare "
        "--baseline FILE KEY RESPONSE."
    )
    if len(responses) != 1:
        raise usage
    is_folder = is_datasets(key, wanted.folder)
    before = load_datasets(baseline) if is_folder else load_result(baseline)
    saved = [*by_dataset(before).values()]
    metrics = [
        name for name in saved[0].metrics if all(name in each.metrics for each in saved)
    ]
    is_requested = wanted.metrics is not None
    wanted = replace(
        wanted,
        metrics=wanted.metrics if is_requested else tuple(metrics),
        with_fingerprint=saved[0].fingerprint is not None,
    )
    systems, losses = _score_systems(key, responses, wanted)
    if len(systems) != 1:
        raise usage
    (now,) = systems.values()
    compared = next(iter(by_dataset(now).values())).metrics
    missing = [name for name in compared if name not in metrics]
    if missing and is_requested:
        raise OptionError(
            f"{baseline} does not have {', '.join(missing)}",
            hint=f"Compare by {', '.join(metrics)}, or save the baseline again "
            "with --metrics.",
        )
    # A dataset that could not be scored is left out, and is in the losses.
    lost = {loss.dataset for loss in losses}
    kept = {
        name: result.of_metrics(compared)
        for name, result in by_dataset(before).items()
        if name not in lost
    }
    return {NOW: now, BEFORE: kept if is_folder else kept[""]}, losses


def _refuse_new_runs(systems: Systems) -> None:
    """Refuse to replace the saved result by several runs."""
    from scoref.scoring.saved import refuse_to_save_runs
    from scoref.statistics.additive import by_dataset

    for result in by_dataset(systems[NOW]).values():
        refuse_to_save_runs(result)


def _first_result(systems: Systems) -> Result:
    from scoref.statistics.additive import by_dataset

    return next(iter(by_dataset(next(iter(systems.values()))).values()))


def _metrics_to_test(systems: Systems, wanted: Request) -> tuple[str, ...] | None:
    """Return the requested metrics, or the headline metric of many systems, or None.

    None stands for all metrics. Of many systems, all would be too many tests.
    """
    first = _first_result(systems)
    if wanted.metrics is not None:
        return first.metrics
    return (first.headline,) if len(systems) > 2 else None


def _wide_view(
    view: ComparisonView, systems: Systems, wanted: Request, sampling: Sampling
) -> ComparisonView:
    """Show a wide table, with intervals if --confidence was given."""
    from scoref.render.scores import wide_metrics
    from scoref.statistics.compare import f1_intervals

    metrics = _first_result(systems).metrics
    shown = wide_metrics(metrics, were_requested=wanted.metrics is not None)
    source = click.get_current_context().get_parameter_source("confidence")
    if source is ParameterSource.DEFAULT:
        return view._replace(wide=shown)
    intervals = f1_intervals(systems, shown, **sampling._asdict())
    return view._replace(wide=shown, intervals=intervals)


def _plot(path: str, systems: Systems) -> None:
    """Draw the difference of the first two systems."""
    from scoref.metrics import leading_metric
    from scoref.render.plots import plot_differences
    from scoref.scoring.results import Result

    first, second = list(systems.items())[:2]
    results = first[1], second[1]
    if not isinstance(results[0], Result) or not isinstance(results[1], Result):
        raise OptionError("--plot needs files. It cannot plot folders.")
    metric = leading_metric(results[0].metrics)
    plot_differences(path, (first[0], results[0]), (second[0], results[1]), metric)


_LEAST = 1e-9


class WorseRule(NamedTuple):
    """What counts as worse: a loss of more points, and only a significant one."""

    points: float | None
    metric: str
    is_significant: bool


class Verdict(NamedTuple):
    """One metric, before and now; ``p`` is the corrected value of the test."""

    metric: str
    before: float
    now: float
    p: float
    is_worse: bool

    @property
    def line(self) -> str:
        """The verdict as one line."""
        word = "worse" if self.is_worse else "not worse"
        return (
            f"{self.metric}: {100 * self.before:.2f} → {100 * self.now:.2f} "
            f"({100 * (self.now - self.before):+.2f}, p = {self.p:.3g}): {word}"
        )


def judge(comparison: Comparison, rule: WorseRule) -> list[Verdict]:
    """Judge every metric that was compared; the metric of the rule comes first."""
    if rule.metric not in comparison.metrics:
        known = ", ".join(comparison.metrics)
        raise OptionError(f"'{rule.metric}' was not compared. Use one of {known}.")
    verdicts = []
    for metric in sorted(comparison.metrics, key=lambda name: name != rule.metric):
        before, now = (comparison.f1[name][metric] or 0.0 for name in (BEFORE, NOW))
        p = comparison.between(NOW, BEFORE, metric).adjusted
        is_lower = before - now > max((rule.points or 0.0) / 100, _LEAST)
        is_worse = is_lower and (p <= comparison.allowed or not rule.is_significant)
        verdicts.append(Verdict(metric, before, now, p, is_worse))
    return verdicts


def _new_results(comparison: Comparison) -> Mapping[str, Result]:
    """Return the new results by dataset; a file is one dataset without a name."""
    from scoref.scoring.results import Result

    result = comparison.results[NOW]
    return {"": result} if isinstance(result, Result) else result


def _report_verdicts(
    comparison: Comparison,
    baseline: str,
    verdicts: list[Verdict],
    *,
    junit: str | None,
    update: bool,
) -> None:
    """Print the first verdict, write all as JUnit XML, and replace the baseline."""
    from scoref.scoring.saved import save_datasets, save_result
    from scoref.writing import write_output

    results = _new_results(comparison)
    result = next(iter(results.values()))
    if junit:
        write_output(junit, junit_xml(verdicts, result).encode())
    tell(verdicts[0].line, err=True)
    if update and verdicts[0].now > verdicts[0].before:
        if "" in results:
            save_result(result, baseline)
        else:
            save_datasets(results, baseline)


_CONTROLS = re.compile("[\x00-\x08\x0b\x0c\x0e-\x1f\ufffe\uffff]")
"""Characters that XML 1.0 cannot contain."""


def junit_xml(verdicts: list[Verdict], result: Result) -> str:
    """Write a test case for each metric, as JUnit XML."""
    from xml.sax.saxutils import quoteattr  # it loads modules for the network

    def quote(text: str) -> str:
        return quoteattr(_CONTROLS.sub("�", text))

    cases = ""
    for verdict in verdicts:
        cases += f'<testcase classname="scoref" name={quote(verdict.metric)}'
        if verdict.is_worse:
            failure = f'<failure type="worse" message={quote(verdict.line)}/>'
            cases += f">{failure}</testcase>\n"
        else:
            cases += "/>\n"
    properties = "".join(
        f"<property name={quote(name)} value={quote(value)}/>"
        for name, value in (("signature", result.signature), ("key", result.key))
    )
    failures = sum(verdict.is_worse for verdict in verdicts)
    counts = f'tests="{len(verdicts)}" failures="{failures}" errors="0" skipped="0"'
    return (
        '<?xml version="1.0" encoding="UTF-8"?>\n'
        f"<testsuites>\n<testsuite name={quote(result.response)} {counts}>\n"
        f"<properties>{properties}</properties>\n{cases}</testsuite>\n</testsuites>\n"
    )
