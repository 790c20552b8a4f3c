"""Is it worse than before? A verdict for pipelines, in a line and as JUnit XML."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, NamedTuple
from xml.sax.saxutils import quoteattr

from scoref.errors import OptionError
from scoref.tools.compare.command import BEFORE, NOW

if TYPE_CHECKING:
    from scoref.scoring.results import Result
    from scoref.statistics.compare import Comparison
    from scoref.tools.compare.command import Worse

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
