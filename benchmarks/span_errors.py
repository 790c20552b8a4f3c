"""Check the tables of docs/errors.md that need texts from elsewhere.

    python benchmarks/span_errors.py GUM_KEY GUM_RESPONSE ANALYSER

GUM_KEY and GUM_RESPONSE are 46 documents of GUM in CorefUD and a system's output.
ANALYSER is a clone of jkkummerfeld/berkeley-coreference-analyser: its `data` has the
output of a system, and the authors' own counts. The exit code is 1 if the page has
other figures.
"""

from __future__ import annotations

import re
import sys
import tempfile
from pathlib import Path
from typing import Literal

import scoref
from scoref.tools.errors.kinds import KINDS

PAGE = Path(__file__).parents[1] / "docs" / "errors.md"
SPAN_ERROR = [kind.name for kind in KINDS].index("span")
SHARES = [f"share:{percent / 100:g}" for percent in range(5, 101, 5)] + ["share:0.67"]


def paired_spans(
    key: str, response: str, rule: str, singletons: Literal["drop", "keep"]
) -> set[tuple[int, int]]:
    """Return the mentions that a rule pairs, by their numbers."""
    errors = scoref.find_errors(
        key, response, match="exact", singletons=singletons, span_errors=rule
    ).errors
    sides = errors.key_mentions, errors.response_mentions
    columns = (
        sets.member[sets.start[:-1][errors.kind == SPAN_ERROR]] for sets in sides
    )
    return set(zip(*(column.tolist() for column in columns), strict=True))


def gum_rows(key: str, response: str) -> list[str]:
    """Return the table of GUM; fail if another share agrees better with heads."""
    rows = []
    choices: tuple[Literal["drop", "keep"], ...] = ("drop", "keep")
    for singletons in choices:
        rules = ("head", *SHARES, "overlap")
        pairs = {rule: paired_spans(key, response, rule, singletons) for rule in rules}
        heads = pairs["head"]
        agreement = {
            rule: len(pairs[rule] & heads) / (len(pairs[rule]) + len(heads))
            for rule in SHARES
        }
        best = max(agreement, key=agreement.__getitem__)
        if best != "share:0.5":
            sys.exit(f"{best} agrees better with heads (singletons: {singletons})")
        rows += [
            f"| `{rule}` | {len(pairs[rule])} | {len(pairs[rule] & heads)} |"
            for rule in ("head", "share:0.5", "share:0.67", "overlap")
        ]
    return rows[:4]


def analyser_rows(folder: Path) -> list[str]:
    """Return the table of the analyser's counts and scoref's."""
    data = folder / "data"
    summary = (data / "classified" / "stanford.summary").read_text(encoding="utf-8")
    theirs = {
        name.lower(): count
        for count, name in re.findall(r"^ +(\d+) +(\w+ \w+)$", summary, re.MULTILINE)
    }
    gold = sorted((data / "gold").rglob("*_gold_conll"))
    with tempfile.TemporaryDirectory() as name:
        key = Path(name) / "key.conll"
        key.write_bytes(b"".join(map(Path.read_bytes, gold)))
        response = data / "classified" / "stanford.system"
        analyses = [
            scoref.find_errors(key, response, span_errors=rule)
            for rule in ("head", "share:0.5", "overlap")
        ]
    costs = [analysis.costs for analysis in analyses]
    ours = {
        (error["sentence"], *error["response_words"], *error["key_words"])
        for error in analyses[0].to_dict()["errors"]
        if error["kind"] == "span"
    }
    pairs = theirs_by_place(data / "classified" / "stanford.classified")
    common = f"scoref finds {len(pairs & ours)} of their {len(pairs)} span errors"
    return [
        f"| {kind.label} | {theirs.get(kind.label, '')} | "
        f"{' | '.join(str(cost[kind.name].errors) for cost in costs)} |"
        for kind in KINDS
    ] + [common]


def theirs_by_place(path: Path) -> set[tuple[int, str, str]]:
    """Return the sentence of each span error, and both mentions."""
    text = re.sub(r"\x1b\[[\d;]*m", "", path.read_text(encoding="utf-8"))
    span = r"\((\d+), \d+, \d+\) +(.+?)"
    errors = re.findall(rf"^{span} +{span} *$", text, re.MULTILINE)
    return {(int(place) + 1, words, gold) for place, words, _, gold in errors}


def main() -> None:
    """Print the tables, and compare them with the page."""
    key, response, folder = sys.argv[1:]
    rows = [*gum_rows(key, response), *analyser_rows(Path(folder))]
    print("\n".join(rows))
    page = re.sub(r" +", " ", PAGE.read_text(encoding="utf-8"))
    missing = [row for row in rows if re.sub(r" +", " ", row) not in page]
    sys.exit(f"not in {PAGE.name}: {missing}" if missing else 0)


if __name__ == "__main__":
    main()
