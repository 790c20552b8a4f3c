"""What does a large report cost? Its size, its first screen, and how it scrolls.

A novel of 200,000 words and 350 short documents with two systems are made up, and put
into a page as `scoref report` does it. Chromium opens the page, goes through the list
of errors, opens the novel, and scrolls through it.

    python benchmarks/run_report.py               # prints the figures
"""

from __future__ import annotations

import random
import shutil
import statistics
import sys
import tempfile
import time
from pathlib import Path
from typing import TYPE_CHECKING

sys.path.insert(0, str(Path(__file__).parent.parent / "tests"))

from scoref.tools.report.page import render_page
from support import page_reports, page_texts

if TYPE_CHECKING:
    from playwright.sync_api import Page

WORDS, DOCUMENTS, SEED = 200_000, 350, 7
CHROMIUM = ("chromium", "chromium-browser", "google-chrome")
STEPS = 120

SCROLL = """async ([place, by]) => {
    const found = place ? document.querySelector(place) : document.scrollingElement;
    const frames = [];
    for (let step = 0; step < STEPS; step++) {
        const start = performance.now();
        found.scrollTop += by;
        await new Promise(requestAnimationFrame);
        await new Promise(done => setTimeout(done));
        frames.push(performance.now() - start);
    }
    return frames;
}""".replace("STEPS", str(STEPS))


def made_up_page() -> str:
    """Write the page."""
    rng = random.Random(SEED)  # noqa: S311 - made-up words
    texts = {"novel": page_texts.novel(WORDS, rng)}
    for number in range(DOCUMENTS):
        name = f"news/{number:03}"
        texts[name] = page_texts.novel(rng.randint(100, 900), rng)
    return render_page(page_reports.report_of(texts), list(texts.values()))


def seconds_until(page: Page, script: str, selector: str) -> float:
    """Do something, and wait for what comes of it."""
    start = time.perf_counter()
    page.evaluate(script)
    page.wait_for_selector(selector)
    return time.perf_counter() - start


def tell_frames(what: str, frames: list[float]) -> None:
    """Print the middle and the slow end."""
    slow = statistics.quantiles(frames, n=20)[-1]
    middle = statistics.median(frames)
    print(f"{what}: {middle:.0f} ms a frame, 95 % within {slow:.0f} ms")


def elements(page: Page) -> int:
    """Count what is in the page."""
    count: int = page.evaluate("document.getElementsByTagName('*').length")
    return count


def measure(page: Page, path: Path) -> None:
    """Open the page and go through it."""
    page.goto(path.as_uri())
    page.wait_for_selector(".entry .cell")
    paint, ready = page.evaluate(
        "[performance.getEntriesByName('first-contentful-paint')[0].startTime,"
        " performance.now()]"
    )
    print(f"first screen: {paint:.0f} ms; errors in their context: {ready:.0f} ms")
    print(f"errors: {page.locator('#errors output').inner_text()}")
    print(f"elements: {elements(page)}")
    for by in (90, 4000):
        frames = page.evaluate(SCROLL, [".scroller", by])
        tell_frames(f"list of errors, {by} pixels a step", frames)
    search = "document.querySelector('#errors [data-kind]').click()"
    narrow = seconds_until(page, search, "#errors [aria-pressed=true]")
    print(f"errors of one kind: {1000 * narrow:.0f} ms")
    click = "document.querySelector('.opens-document').click()"
    opened = seconds_until(page, click, ".reader .m")
    print(f"the novel: {1000 * opened:.0f} ms, {elements(page)} elements")
    tell_frames("the novel, 250 pixels a step", page.evaluate(SCROLL, ["", 250]))


def main() -> None:
    """Print the figures."""
    from playwright.sync_api import sync_playwright  # asked for here

    found = next(filter(None, map(shutil.which, CHROMIUM)), None)
    if found is None:
        sys.exit("pages are opened in Chromium: apt-get install chromium")
    start = time.perf_counter()
    html = made_up_page()
    print(f"page: {len(html.encode()) / 1e6:.1f} MB", end="")
    print(f", made in {time.perf_counter() - start:.1f} s")
    with tempfile.TemporaryDirectory() as folder, sync_playwright() as driver:
        path = Path(folder) / "report.html"
        path.write_text(html, encoding="utf-8")
        browser = driver.chromium.launch(executable_path=found, args=["--no-sandbox"])
        page = browser.new_page(viewport={"width": 1440, "height": 900})
        measure(page, path)
        browser.close()


if __name__ == "__main__":
    main()
