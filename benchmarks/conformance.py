"""Run the example scorers on the conformance suite, and write the page of results.

    python benchmarks/conformance.py TOOLS PYTHON

TOOLS is a folder with clones of scorers: `perl` (reference-coreference-scorers),
`coval`, `corefud` (corefud-scorer) and `evaluate` (Hugging Face). PYTHON has udapi,
scorch, stanza, coreference-eval, metric4coref, bcubed, evaluate, scikit-learn and
allennlp-models (the latter with --no-deps). A scorer that is missing is an error: the
page always has all of them. The figures whose source is an official tool must equal
those of this tool; otherwise the exit code is 1 and nothing is written.
"""

from __future__ import annotations

import datetime as dt
import json
import subprocess
import sys
import warnings
from collections import Counter, defaultdict
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

import scoref
from scoref.tools.conformance.scorers import STATUSES, TOLERANCE, run_suite
from scoref.tools.conformance.suite import load_cases, load_questions, version

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from scoref.tools.conformance.scorers import Outcome

ROOT = Path(__file__).parents[1]
PAGE = ROOT / "docs" / "conformance-results.md"
TOOLS, PYTHON = Path(sys.argv[1]).resolve(), sys.argv[2]


REASONS = {
    ("scorch", "both-empty"): "its BLANC of nothing is 1",
    ("scorch", "one-mention"): "its BLANC of one mention is 1",
    ("metric4coref", "perfect-mention-order"): (
        "its MUC depends on the order of mentions within an entity"
    ),
}
"""Causes that explain does not name, from the source code of these tools."""


class Tool(NamedTuple):
    """A scorer, its wrapper, and where it comes from."""

    label: str
    wrapper: str
    clones: tuple[str, ...] = ()
    package: str = ""
    practice: str = ""  # the row of `scoref explain` that imitates it
    official: tuple[str, ...] = ()  # conventions that it defines


SCORERS = (
    Tool("scoref", "scoref", package="scoref"),
    Tool("reference scorer", "reference", ("perl",), official=("common", "reference")),
    Tool("coval", "coval", ("coval",), practice="coval", official=("coval", "coval-no-singletons")),
    Tool(
        "CorefUD and UA scorer",
        "corefud",
        ("corefud",),
        official=(
            *("corefud-head", "corefud-head-singletons", "corefud-partial"),
            *("corefud-exact", "corefud-exact-singletons"),
            *("ua", "ua-no-singletons", "ua-no-split-antecedents", "ua-partial"),
        ),
    ),
    Tool("scikit-learn", "sklearn", package="scikit-learn", official=("scikit-learn",)),
    Tool('evaluate.load("coval")', "evaluate", ("evaluate", "coval"), "evaluate", "hf-coval"),
    Tool("AllenNLP", "allennlp", package="allennlp-models", practice="e2e-coref"),
    Tool("coreference-eval", "coreference_eval", package="coreference-eval", practice="e2e-coref"),
    Tool("stanza", "stanza", package="stanza", practice="stanza"),
    Tool("scorch", "scorch", package="scorch", practice="added-singletons"),
    Tool("metric4coref", "metric4coref", package="metric4coref", practice="metric4coref"),
    Tool("bcubed", "bcubed", package="bcubed"),
)  # fmt: skip

BEFORE = """# Who computes what

How other scorers do on the [conformance suite](conformance.md), by version. Each scorer runs its
original code; the programs that call it are in `examples/conformance`. This page is written by
`benchmarks/conformance.py`, on {date}, with scoref {scoref} and suite {suite}.

Counts are cases under a convention. A scorer is asked only for the metrics and conventions that it
has.

"""

AFTER = """## Scorers that are not listed

| scorer | reason |
|---|---|
| e2e-coref and its descendants | They import a module that scikit-learn removed in 2020. AllenNLP and coreference-eval have the same formulas. |
| AllenNLP as a whole | It needs PyTorch before 1.13, which no supported Python has. The table has its metric, which is loaded alone. |
| neleval | It imports names that Python removed in 3.10. |
| the package `coval` on PyPI | It is another program with the same name. The table has the scorer, from its repository. |
"""


def version_of(tool: Tool) -> str:
    """Return a package's version, or a clone's last commit."""
    if tool.package == "scoref":
        return scoref.__version__
    if tool.package:
        code = f"import importlib.metadata as m; print(m.version({tool.package!r}))"
        command = [PYTHON, "-c", code]
    else:
        clone = str(TOOLS / tool.clones[0])
        command = ["git", "-C", clone, "log", "-1", "--format=%h (%cs)"]
    run = subprocess.run(command, capture_output=True, text=True, check=True)
    return run.stdout.strip()


def outcomes_of(tool: Tool) -> list[Outcome]:
    """Run a scorer on all cases."""
    wrapper = ROOT / "examples" / "conformance" / f"{tool.wrapper}_scorer.py"
    python = sys.executable if tool.wrapper == "scoref" else PYTHON
    clones = [str(TOOLS / name) for name in tool.clones]
    return run_suite([python, str(wrapper), *clones], load_questions(), 60)


def check_official(tool: Tool, outcomes: Sequence[Outcome]) -> None:
    """Stop if a figure whose source is this tool is not what it computes."""
    wrong = [
        f"{outcome.question.case} ({outcome.question.convention}): {outcome.status} {outcome.detail}"
        for outcome in outcomes
        if outcome.question.convention in tool.official
        and outcome.question.source == "official tool"
        and outcome.status != "equal"
    ]
    if wrong:
        raise SystemExit(f"{tool.label} computes other figures:\n" + "\n".join(wrong))


def sides_of(case: dict[str, Any]) -> list[Any]:
    """Return both sides as `scoref.explain` takes them."""
    if files := case.get("files"):
        return [
            "".join(f"{line}\n" for line in files[side]).encode()
            for side in ("key", "response")
        ]
    return [
        [[tuple(m) for m in entity] for entity in case[side]]
        for side in ("key", "response")
    ]


def causes_of(tool: Tool, outcomes: Sequence[Outcome]) -> dict[str, list[str]]:
    """Return the cases in which a scorer differs, by the cause that explain names.

    A cause is named only if explain computes the scorer's own figures.
    """
    cases: dict[str, Any] = {str(case["case"]): case for case in load_cases()}
    causes: dict[str, list[str]] = defaultdict(list)
    for outcome in outcomes:
        name, status = outcome.question.case, outcome.status
        if status in {"crashed", "timed out"}:
            causes[": ".join(outcome.detail.split(": ")[-2:])].append(name)
        if status != "different":
            continue
        files = cases[name].get("files")
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            explanation = scoref.explain(
                *sides_of(cases[name]), format=files and files["format"]
            )
        row = next((row for row in explanation.rows if row.name == tool.practice), None)
        is_same = row is not None and all(
            abs(getattr(row.scores[metric], figure) - float(got)) <= TOLERANCE
            for metric, figure, _, got in outcome.differences
            if metric in row.scores and metric != "conll"
        )
        metrics = {metric for metric, *_ in outcome.differences} - {"conll"}
        cause = (
            row.cause_of(*sorted(metrics & row.scores.keys()))
            if row and is_same
            else None
        )
        if not cause and outcome.question.level == "quirks":
            cause = "mentions that are listed twice (not named by `explain`)"
        causes[cause or REASONS.get((tool.label, name), "unknown")].append(name)
    return {
        cause: list(dict.fromkeys(names)) for cause, names in sorted(causes.items())
    }


def page(results: dict[Tool, list[Outcome]]) -> Iterator[str]:
    """Write the page."""
    yield BEFORE.format(
        date=dt.datetime.now(dt.UTC).date(), scoref=scoref.__version__, suite=version()
    )
    yield "| scorer | version | convention | equal | different | stopped |\n|---|---|---|--:|--:|--:|\n"
    for tool, outcomes in results.items():
        counts = Counter((o.question.convention, o.status) for o in outcomes)
        conventions = dict.fromkeys(
            o.question.convention for o in outcomes if o.status != "refused"
        )
        label, which = tool.label, version_of(tool)
        for convention in conventions:
            numbers = [counts[convention, status] for status in STATUSES]
            stopped = numbers[3] + numbers[4]
            yield f"| {label} | {which} | {convention} | {numbers[0]} | {numbers[1] or ''} | {stopped or ''} |\n"
            label = which = ""
    yield "\n## Differences\n\n"
    yield "Causes are those that [`scoref explain`](explain.md#the-conventions) names for the same input.\n\n"
    used = set()
    for tool, outcomes in results.items():
        if causes := causes_of(tool, outcomes):
            yield f"### {tool.label}\n\n| cause | cases |\n|---|---|\n"
            for cause, names in causes.items():
                links = ", ".join(f"[{name}](#{name})" for name in names)
                used.update(names)
                yield f"| {cause.replace('|', chr(92) + '|')} | {links} |\n"
            yield "\n"
    yield "## Cases\n\nThe cases in which scorers differ; the others are in `conformance/cases`.\n\n"
    for case in load_cases():
        if case["case"] in used:
            yield f"### {case['case']}\n\n{case['purpose']}\n\n"
            for side in ("key", "response"):
                yield (
                    f"- {side}: `{json.dumps(case[side])}`\n"
                    if case[side] is not None
                    else ""
                )
            yield "- See `files` in the case.\n\n" if case["key"] is None else "\n"
    yield AFTER


def main() -> None:
    """Run all scorers, check the official figures, and write the page."""
    results = {}
    for tool in SCORERS:
        results[tool] = outcomes_of(tool)
        counts = Counter(outcome.status for outcome in results[tool])
        print(
            f"{tool.label:24}", *(f"{counts[status]} {status}" for status in STATUSES)
        )
        check_official(tool, results[tool])
    PAGE.write_text("".join(page(results)), encoding="utf-8")


main()
