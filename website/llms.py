"""Write the list of pages for language models: `python website/llms.py > llms.txt`.

The list has the content of docs/index.md in the format of llmstxt.org.
"""

from __future__ import annotations

import re
import sys
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator

ROOT = Path(__file__).parents[1]
_LINK = re.compile(r"\[([^\]]+)\]\(([^)#]+)\)")


def llms(folder: str = "docs/") -> str:
    """Return the list; ``folder`` is the path of the pages."""
    intro, *sections = _read("docs/index.md").split("\n## ")
    words = intro.rpartition("```\n")[2].strip()
    lines = ["# scoref", "", f"> {_claim()}", "", words]
    seen: set[str] = set()
    for section in sections:
        title, _, rows = section.partition("\n")
        lines += ["", f"## {title}", "", *_entries(rows, folder, seen)]
    return "\n".join(lines) + "\n"


def _claim() -> str:
    """Return the sentence that is bold in the README."""
    return _read("README.md").split("**")[1]


def _entries(rows: str, folder: str, seen: set[str]) -> Iterator[str]:
    """Write a line for each page that a table links to, unless an earlier one did."""
    for row in rows.split("\n"):
        cells = row.strip("| ").split(" | ")
        texts = [cell for cell in cells if not _LINK.search(cell)]
        for title, page in _LINK.findall(row):
            if row.startswith("| ") and page not in seen:
                seen.add(page)
                yield f"- [{title}]({folder}{page}): {'; '.join(texts)}"


def _read(name: str) -> str:
    return (ROOT / name).read_text(encoding="utf-8")


if __name__ == "__main__":
    sys.stdout.write(llms())
