"""The tables of rules in the documentation, which `make tables` writes."""

from __future__ import annotations

import re
import sys
from pathlib import Path

from scoref.rules import RULES
from scoref.tools.check.crac.rules import OFFICIAL_RULES

_ROWS = re.compile(r"(?:^\| `[\w-]+` \|.*\n)+", re.MULTILINE)


def with_rules(page: str) -> str:
    r"""Replace the rows of a page by a row for each rule.

    >>> with_rules("## Rules\n\n| `old-rule` | note |\n").splitlines()[2]
    '| `unreadable-file` | error | a file in no known format | – |'
    """
    rows = "".join(
        f"| `{rule.name}` | {rule.severity} | {rule.meaning} | {rule.fix or '–'} |\n"
        for rule in RULES.values()
    )
    return _with_rows(page, "## Rules\n", rows)


def with_official_rules(page: str) -> str:
    r"""Replace the rows of a page by a row for each rule of the official validator.

    >>> page = "## Official rules\n\n| `old-rule` | 1 |\n"
    >>> with_official_rules(page).splitlines()[3]
    '| `misplaced-comment` | 1 | error | a comment inside a sentence | – |'
    """
    rows = "".join(
        f"| `{rule.name}` | {level} | {rule.severity} | {rule.meaning} "
        f"| {rule.fix or '–'} |\n"
        for rule, level, _ in OFFICIAL_RULES.values()
    )
    return _with_rows(page, "## Official rules\n", rows)


def _with_rows(page: str, title: str, rows: str) -> str:
    before, heading, rest = page.partition(title)
    return before + heading + _ROWS.sub(lambda _: rows, rest, count=1)


if __name__ == "__main__":
    for path, write in zip(
        map(Path, sys.argv[1:]), (with_rules, with_official_rules), strict=True
    ):
        path.write_text(write(path.read_text("utf-8")), "utf-8")
