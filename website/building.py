"""Build the documentation's site: `make docs`, or `python website/building.py`.

The pages are those of docs/, as they are: forges and `scoref docs` show the same files.
Added are the changelog, and the reference of Python, for all that `scoref` exports.
Dead links and anchors end the build.
"""

from __future__ import annotations

import re
import shutil
import subprocess
import sys
from pathlib import Path
from typing import TYPE_CHECKING

import scoref
from formulas import typeset_page
from heads import complete
from llms import llms
from search_words import add_words

if TYPE_CHECKING:
    from collections.abc import Callable

HERE = Path(__file__).parent
ROOT = HERE.parent
PLACES = {
    r"<!-- site: ([\w-]+) -->": r'<div data-part="\1"></div>',
    r"<!-- end of site -->": "<div data-end></div>",
    r"On the site, you can edit this drawing\.\n\n": "",
}
"""What pages say about the site, and what is there instead."""
LANDING = (
    "Installation",
    "Example",
    "The report",
    "Why six tools give six scores",
    "Are the scores right?",
    "How fast is it?",
)
"""Sections of the README that are on the first page, in this order."""
ADDRESS = ""
"""The public address of the site; links that need one are left out without it."""
GROUPS: dict[str, Callable[[object], bool]] = {
    "Functions": lambda each: callable(each) and not isinstance(each, type),
    "Classes": lambda each: isinstance(each, type) and not issubclass(each, Exception),
    "Data": lambda each: not callable(each) and not isinstance(each, str),
    "Errors": lambda each: isinstance(each, type) and issubclass(each, Exception),
}


def gather(docs: Path, folder: Path) -> None:
    """Put all that the generator reads into one folder."""
    shutil.rmtree(folder, ignore_errors=True)
    pages = folder / "pages"
    shutil.copytree(docs, pages)
    shutil.copy(HERE / "iframe-worker.js", pages)
    shutil.copytree(HERE / "pages", pages, dirs_exist_ok=True)
    for name in ["mkdocs.yml", "doctests.py"]:
        shutil.copy(HERE / name, folder)
    for page in pages.rglob("*.md"):
        _write(page, prepare(page.read_text(encoding="utf-8")))
    (pages / "index.md").rename(pages / "contents.md")
    for page in pages.glob("*.md"):
        text = page.read_text(encoding="utf-8")
        _write(page, text.replace("](index.md", "](contents.md"))
    readme = (ROOT / "README.md").read_text(encoding="utf-8")
    entries = (HERE / "entries.md").read_text(encoding="utf-8")
    _write(pages / "index.md", prepare(landing(readme, entries)))
    changes = (ROOT / "CHANGELOG.md").read_text(encoding="utf-8")
    _write(pages / "changes.md", changes.replace("](docs/", "]("))
    _write(pages / "python-reference.md", reference())


def landing(readme: str, entries: str) -> str:
    """Return the first page: the README, and entry points by kind of user."""
    intro, *rest = re.split(r"^(?=## )", readme, flags=re.MULTILINE)
    sections = {part.partition("\n")[0].removeprefix("## "): part for part in rest}
    chosen = "".join(sections[title] for title in LANDING)
    return f"{intro}{entries}\n{chosen}".replace("](docs/", "](")


def prepare(text: str) -> str:
    """Typeset the formulas of a page, and put interactive parts into their places."""
    for mark, replacement in PLACES.items():
        text = re.sub(mark, replacement, text)
    return typeset_page(text)


def reference() -> str:
    """Write the page that asks for the docstring of everything that is exported."""
    about = "All that `import scoref` gives, from its docstrings."
    parts = ["# Python reference", about]
    for title, belongs in GROUPS.items():
        names = [name for name in scoref.__all__ if belongs(getattr(scoref, name))]
        parts += [f"## {title}", *(f"::: scoref.{name}" for name in names)]
    return "\n\n".join(parts) + "\n"


def generate(folder: Path) -> bool:
    """Let the generator write the site; it refuses dead links."""
    command = [sys.executable, "-m", "zensical", "build", "--strict", "--clean"]
    return subprocess.run(command, check=False, cwd=folder).returncode == 0


def add_plain_pages(docs: Path, site: Path) -> None:
    """Put the pages as they are written beside the others, with a list of them."""
    shutil.copytree(docs, site, dirs_exist_ok=True)
    _write(site / "llms.txt", llms(folder=""))


def build(docs: Path, folder: Path, address: str = ADDRESS) -> bool:
    """Build it all in a folder, and say whether every link is alive."""
    gather(docs, folder)
    is_sound = generate(folder)
    if is_sound:
        add_plain_pages(docs, folder / "site")
        add_words(folder / "site")
        complete(folder / "site", address)
    return is_sound


def _write(path: Path, text: str) -> None:
    path.write_text(text, encoding="utf-8")


if __name__ == "__main__":
    sys.exit(0 if build(ROOT / "docs", ROOT / "build" / "docs") else 1)
