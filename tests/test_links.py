"""Every link of the README and the docs leads to a page, and its anchor to a heading.

A page is read in three places: on a forge, on the site that `make docs` builds, and by
`scoref docs`. The first two name headings in different ways, so that a heading which is
linked to must have the same name in both.
"""

from __future__ import annotations

import re
import unicodedata
from collections import Counter
from typing import TYPE_CHECKING

import pytest

from support.paths import ROOT

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

DOCS = ROOT / "docs"
PAGES = sorted(DOCS.rglob("*.md"))
TEXTS = [*PAGES, *(ROOT / name for name in ["README.md", "CONTRIBUTING.md"])]
CODE = re.compile(r"^(```+).*?^\1|`[^`\n]+`", re.DOTALL | re.MULTILINE)
FENCE = re.compile(r"^(```+).*?^\1", re.DOTALL | re.MULTILINE)
LINK = re.compile(r"\]\(([^)\s]+)\)")
HEADING = re.compile(r"^#+ +(.+?) *$", re.MULTILINE)
MARKUP = re.compile(r"\[([^\]]*)\]\([^)]*\)|[`*]")


def on_a_forge(heading: str, before: int) -> str:
    """Name a heading as forges do: signs go, and every blank is a hyphen."""
    name = re.sub(r"[^\w\- ]", "", heading.lower()).replace(" ", "-")
    return f"{name}-{before}" if before else name


def on_the_site(heading: str, before: int) -> str:
    """Name a heading as Python-Markdown does: ASCII only, one hyphen at a time."""
    plain = unicodedata.normalize("NFKD", heading).encode("ascii", "ignore").decode()
    name = re.sub(r"[-\s]+", "-", re.sub(r"[^\w\s-]", "", plain).strip().lower())
    return f"{name}_{before}" if before else name


def anchors(page: Path, name: Callable[[str, int], str]) -> set[str]:
    """Name all headings of a page."""
    text = FENCE.sub("", page.read_text(encoding="utf-8"))
    seen: Counter[str] = Counter()
    found = set()
    for heading in HEADING.findall(text):
        plain = MARKUP.sub(r"\1", heading)
        found.add(name(plain, seen[name(plain, 0)]))
        seen[name(plain, 0)] += 1
    return found


def links(page: Path) -> list[tuple[Path, str]]:
    """List where a page points to, in this project: files and anchors."""
    text = CODE.sub("", page.read_text(encoding="utf-8"))
    targets = [each for each in LINK.findall(text) if "://" not in each]
    parts = [each.partition("#") for each in targets]
    return [
        ((page.parent / path).resolve() if path else page, anchor)
        for path, _, anchor in parts
    ]


def by_path(page: Path) -> str:
    return page.relative_to(ROOT).as_posix()


@pytest.mark.parametrize("page", TEXTS, ids=by_path)
def test_links_lead_somewhere(page: Path) -> None:
    assert [path for path, _ in links(page) if not path.exists()] == []


@pytest.mark.parametrize("page", TEXTS, ids=by_path)
@pytest.mark.parametrize("name", [on_a_forge, on_the_site])
def test_anchors_are_headings(page: Path, name: Callable[[str, int], str]) -> None:
    linked = [(path, anchor) for path, anchor in links(page) if anchor]
    dead = [
        f"{path.name}#{anchor}"
        for path, anchor in linked
        if anchor not in anchors(path, name)
    ]
    assert dead == []


@pytest.mark.parametrize("page", PAGES, ids=by_path)
def test_pages_link_to_nothing_outside_of_the_docs(page: Path) -> None:
    # A wheel and the site have the pages, and nothing that lies beside them.
    outside = [path for path, _ in links(page) if not path.is_relative_to(DOCS)]
    assert outside == []


@pytest.mark.parametrize(
    ("heading", "forge", "site"),
    [
        ("Where tools disagree", "where-tools-disagree", "where-tools-disagree"),
        ("B³, and CEAF", "b³-and-ceaf", "b3-and-ceaf"),
        (
            "One number: --score-only",
            "one-number---score-only",
            "one-number-score-only",
        ),
    ],
)
def test_headings_are_named_as_forge_and_generator_name_them(
    heading: str, forge: str, site: str
) -> None:
    assert on_a_forge(heading, 0) == forge
    assert on_the_site(heading, 0) == site


FILE = re.compile(r"`([\w./-]+\.(?:py|md|json|yml|toml|cff|js))`")


def test_files_that_the_guide_for_contributors_names_exist() -> None:
    text = (ROOT / "CONTRIBUTING.md").read_text(encoding="utf-8")
    names = [name for name in FILE.findall(text) if "NAME" not in name]
    files = [
        f"/{path.relative_to(ROOT).as_posix()}"
        for folder in ("src", "tests", "docs", "website")
        for path in (ROOT / folder).rglob("*.*")
    ]
    missing = [
        name
        for name in names
        if not (ROOT / name).is_file()
        and not any(path.endswith(f"/{name}") for path in files)
    ]
    assert names
    assert missing == []
