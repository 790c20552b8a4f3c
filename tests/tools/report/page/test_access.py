"""Pages that everybody can read: axe-core finds nothing, in light and in dark."""

from __future__ import annotations

import shutil
from typing import TYPE_CHECKING, NamedTuple

import pytest

from scoref.tools.errors.kinds import KINDS
from support import page_texts
from support.commands import run
from support.paths import EXAMPLES, ROOT

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from pathlib import Path

    from playwright.sync_api import Page

    Opener = Callable[..., Page]

AXE = ROOT / "web" / "node_modules" / "axe-core" / "axe.min.js"
RUN = """async () => (await axe.run(document, {resultTypes: ["violations"]}))
    .violations.flatMap(rule => rule.nodes.map(node => `${rule.id}: ${node.target} ${
        node.any.concat(node.all, node.none).map(each => each.message).join("; ")}`))"""
PHONE = {"width": 390, "height": 800}
STORY = "#document=1"


class View(NamedTuple):
    """A place on a page, and the keys that lead to what is looked at."""

    address: str = ""
    keys: Sequence[str] = ()


VIEWS = {
    "report": View(),
    "keys": View(keys=("?",)),
    "legend": View(keys=("l",)),
    "side": View(f"{STORY}&view=side"),
    "over": View(f"{STORY}&view=over"),
    "key": View(f"{STORY}&view=key"),
    "error": View(f"{STORY}&view=side", ("n", "n")),
    "chosen": View(f"{STORY}&view=over", ("ArrowRight", ".", "x")),
    "search": View(f"{STORY}&view=over&search=a"),
    "hostile": View("#document=2&view=over"),
}


def by_day(*chosen: str) -> list[object]:
    """Give each choice in light and in dark; one of the two by day, in turn."""
    by_night = pytest.mark.nightly
    return [
        pytest.param(name, scheme, marks=() if place % 2 == dark else by_night)
        for place, name in enumerate(chosen)
        for dark, scheme in enumerate(("light", "dark"))
    ]


@pytest.fixture(scope="session")
def axe() -> str:
    if not AXE.exists():
        pytest.skip("pages are examined by axe-core: cd web && npm ci")
    return AXE.read_text(encoding="utf-8")


def faults_of(page: Page, axe: str) -> list[str]:
    page.evaluate(axe)
    faults: list[str] = page.evaluate(RUN)
    return faults


@pytest.mark.parametrize(("view", "scheme"), by_day(*VIEWS))
def test_axe_finds_nothing_on_a_report(
    opened: Opener, story_page: str, axe: str, view: str, scheme: str
) -> None:
    address, keys = VIEWS[view]
    page = opened(story_page, address, color_scheme=scheme, bypass_csp=True)
    for key in keys:
        page.keyboard.press(key)
    assert faults_of(page, axe) == []


@pytest.mark.parametrize(
    "view",
    [
        "report",
        *(pytest.param(v, marks=pytest.mark.nightly) for v in ("over", "error")),
    ],
)
def test_axe_finds_nothing_on_a_phone(
    opened: Opener, story_page: str, axe: str, view: str
) -> None:
    address, keys = VIEWS[view]
    page = opened(story_page, address, viewport=PHONE, bypass_csp=True)
    for key in keys:
        page.keyboard.press(key)
    assert faults_of(page, axe) == []


def written(path: Path, *words: str) -> str:
    run(*words, code=0)
    return path.read_text(encoding="utf-8")


@pytest.mark.parametrize(
    ("kind", "scheme"),
    by_day(
        *("systems", "redacted", "folders", "agree", "adjudicate", "table"),
        *("curve", "estimate", "leaderboard", "plot"),
    ),
)
def test_axe_finds_nothing_on_pages_of_other_commands(
    opened: Opener, axe: str, tmp_path: Path, kind: str, scheme: str
) -> None:
    path = tmp_path / "written.html"
    many = [str(EXAMPLES / f"many-{name}.conll") for name in ("key", "a", "b")]
    people = [str(EXAMPLES / f"agree-{name}.conll") for name in ("ada", "ben", "eva")]
    table = [str(EXAMPLES / f"table-{side}.tsv") for side in ("key", "response")]
    curve = [str(EXAMPLES / f"curve-{side}.csv") for side in ("key", "pairs")]
    sample = [
        str(EXAMPLES / f"estimate-{side}.csv") for side in ("sample", "predicted")
    ]
    folders = [tmp_path / side for side in ("gold", "first")]
    for side, folder in zip(many, folders, strict=False):
        folder.mkdir()
        for name in ("news", "chat"):
            shutil.copy(side, folder / f"{name}.conll")
    gold, first = map(str, folders)
    words = {
        "systems": ["report", *many, "-o", str(path)],
        "redacted": ["report", *many, "-o", str(path), "--no-text", "--no-names"],
        "folders": ["report", gold, first, "-o", str(path), "--folder", "datasets"],
        "curve": ["curve", *curve, "--report", str(path)],
        "estimate": ["estimate", *sample, "--weights=uniform", "--report", str(path)],
        "leaderboard": ["leaderboard", gold, first, str(tmp_path / "board")],
        "plot": ["compare", *many, "--plot", str(path)],
        "agree": ["agree", *people, "--report", str(path)],
        "adjudicate": ["agree", *people, "--adjudicate", str(path)],
        "table": ["table", *table, "--report", str(path)],
    }
    if kind == "leaderboard":
        path = tmp_path / "board" / "detailed_results.html"
    if kind == "plot":
        pytest.importorskip("matplotlib")
    page = opened(written(path, *words[kind]), color_scheme=scheme, bypass_csp=True)
    assert faults_of(page, axe) == []
    page.set_viewport_size({"width": 390, "height": 800})
    root = "document.documentElement"
    page.wait_for_function(f"{root}.scrollWidth <= {root}.clientWidth")
    assert faults_of(page, axe) == []


def test_errors_are_read_out_by_their_names(opened: Opener, story_page: str) -> None:
    page = opened(story_page, f"{STORY}&view=side")
    labels = page.locator(".tag .sign").evaluate_all(
        "all => all.map(each => [each.textContent, each.ariaLabel])"
    )
    names = {kind.sign: kind.label for kind in KINDS}
    assert labels
    for signs, label in labels:
        assert label == ", ".join(names[sign] for sign in signs.split(" "))


def test_a_document_has_one_heading_above_all(opened: Opener, story_page: str) -> None:
    page = opened(story_page, STORY)
    headings = page.locator("main:visible h1").evaluate_all(
        "all => all.map(each => each.textContent)"
    )
    assert headings == ["stories/ada"]


@pytest.mark.parametrize("width", [390, 800, 1280])
def test_no_label_of_a_chart_is_clipped(
    opened: Opener, story_page: str, width: int
) -> None:
    page = opened(story_page, viewport={"width": width, "height": 800})
    page.wait_for_selector(".bars text")
    clipped = page.evaluate("""() => [...document.querySelectorAll('svg text')]
        .filter(text => {
            const box = text.getBoundingClientRect();
            const around = text.ownerSVGElement.getBoundingClientRect();
            return box.left < around.left - 0.5 || box.right > around.right + 0.5;
        }).map(text => text.textContent)""")
    assert clipped == []


@pytest.mark.parametrize("address", ["", STORY])
def test_the_legend_is_a_key_away(
    opened: Opener, story_page: str, address: str
) -> None:
    page = opened(story_page, address)
    page.keyboard.press("l")
    legend = page.get_by_role("dialog", name="Legend").inner_text()
    for _, label, meaning in page_texts.KINDS:
        assert f"{label}: {meaning}" in legend
    page.keyboard.press("Escape")
    assert page.get_by_role("dialog").count() == 0


@pytest.mark.parametrize("key", ["l", "?"])
def test_dialogs_begin_at_their_beginning(
    opened: Opener, story_page: str, key: str
) -> None:
    page = opened(story_page, viewport={"width": 700, "height": 400})
    page.keyboard.press(key)
    assert page.locator("dialog").evaluate("each => each.scrollTop") == 0


def test_a_document_begins_at_the_top_of_the_page(
    opened: Opener, story_page: str
) -> None:
    page = opened(story_page, STORY)
    assert page.locator("#reader").evaluate("each => each.offsetTop") == 0
