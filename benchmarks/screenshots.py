"""Draw the pictures of docs/report.md anew, from the examples of the clone.

.venv/bin/python benchmarks/screenshots.py

It needs Playwright and Chromium, as the tests of pages do.
"""

from __future__ import annotations

import io
import os
import shutil
import sys
import tempfile
from pathlib import Path

from PIL import Image
from playwright.sync_api import sync_playwright

import scoref

ROOT = Path(__file__).parents[1]
IMAGES = ROOT / "docs" / "images"
WIDTH, HEIGHT = 1280, 720
PICTURES = {
    "report.png": ("", "", ()),
    "entities.png": ("", "#entities", ()),
    "document.png": ("#document=3&view=side", "", ("n", "n")),
    "legend.png": ("#document=3&view=over", "", ("l",)),
}
"""The address, the part of the page to show if not its top, and the keys to press."""
COLOURS = 128


def main() -> None:
    """Write a report, and take its pictures."""
    chromium = shutil.which("chromium") or shutil.which("google-chrome")
    if chromium is None:
        sys.exit("pictures are taken in Chromium: apt-get install chromium")
    IMAGES.mkdir(exist_ok=True)
    os.chdir(ROOT)  # pages name their files as they were given
    with tempfile.TemporaryDirectory() as folder, sync_playwright() as driver:
        systems = {
            "ours": "examples/many-a.conll",
            "theirs": "examples/many-b.conll",
        }
        place = Path(folder) / "report.html"
        scoref.report("examples/many-key.conll", systems, place)
        browser = driver.chromium.launch(
            executable_path=chromium, args=["--no-sandbox"]
        )
        for name, (address, part, keys) in PICTURES.items():
            page = browser.new_page(color_scheme="light")
            page.set_viewport_size({"width": WIDTH, "height": HEIGHT})
            page.goto(f"{place.as_uri()}{address}")
            page.wait_for_timeout(1000)
            if part:
                page.locator(part).evaluate("each => each.scrollIntoView()")
            for key in keys:
                page.keyboard.press(key)
            page.wait_for_timeout(500)
            picture = Image.open(io.BytesIO(page.screenshot())).convert("RGB")
            picture.quantize(COLOURS).save(IMAGES / name, optimize=True)
            print(f"{name}: {(IMAGES / name).stat().st_size // 1000} kB")
            page.close()
        browser.close()


if __name__ == "__main__":
    main()
