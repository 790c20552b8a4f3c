"""The table of rules in the documentation, which `make tables` writes."""

from __future__ import annotations

import re
import sys
from pathlib import Path

from scoref.rules import RULES

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
    before, heading, rest = page.partition("## Rules\n")
    return before + heading + _ROWS.sub(lambda _: rows, rest, count=1)


if __name__ == "__main__":
    file = Path(sys.argv[1])
    file.write_text(with_rules(file.read_text("utf-8")), "utf-8")
