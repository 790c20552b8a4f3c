"""A list of all pages for language models: `python website/llms.py > llms.txt`.

It is the documentation's index in the form of llmstxt.org.
"""

from __future__ import annotations

import re
import sys
from pathlib import Path

ROOT = Path(__file__).parents[1]
_ROW = re.compile(r"^\| (?P<links>\[.+?) \| (?P<text>.+) \|$")
_LINK = re.compile(r"\[([^\]]+)\]\(([^)]+)\)")


def llms(folder: str = "docs/") -> str:
    """Write the list, with the pages in a folder."""
    intro, *sections = _read("docs/index.md").split("\n## ")
    words = intro.rpartition("```\n")[2].strip()
    lines = ["# scoref", "", f"> {_claim()}", "", " ".join(words.split())]
    for section in sections:
        title, _, rows = section.partition("\n")
        lines += ["", f"## {title}", "", *_entries(rows, folder)]
    return "\n".join(lines) + "\n"


def _claim() -> str:
    """Give what the README says in bold."""
    return _read("README.md").split("**")[1]


def _entries(rows: str, folder: str) -> list[str]:
    """Write a line for each page of a table."""
    found = filter(None, map(_ROW.match, rows.split("\n")))
    return [
        f"- [{title}]({folder}{page}): {row['text']}"
        for row in found
        for title, page in _LINK.findall(row["links"])
    ]


def _read(name: str) -> str:
    return (ROOT / name).read_text(encoding="utf-8")


if __name__ == "__main__":
    sys.stdout.write(llms())
