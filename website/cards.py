"""Draw the pictures of share cards: `python website/cards.py`.

Each page about a metric with a drawing has a card, and all other pages share one. The
pictures are committed, because only this program needs Chromium. Each contains a digest
of what it shows, so that a test notices when it is out of date.
"""

from __future__ import annotations

import hashlib
import re
import shutil
import zlib
from html import escape
from pathlib import Path

ROOT = Path(__file__).parents[1]
CARDS = ROOT / "website" / "pages" / "images" / "cards"
DRAWINGS = ROOT / "docs" / "images" / "metrics"
WIDTH, HEIGHT = 1200, 630
KEYWORD = b"digest\0"
_HEADER = 8 + 25  # the signature of PNG, and its first chunk
_STYLE = """
body { margin: 0; width: 1200px; height: 630px; background: #fdfcf9; color: #1d1b18;
  font-family: system-ui, sans-serif; display: grid; align-items: center;
  grid-template-columns: 400px 620px; gap: 60px; padding: 0 60px;
  box-sizing: border-box; }
h1 { font-size: 68px; line-height: 1.1; margin: 0 0 24px; }
p { font-size: 30px; line-height: 1.35; margin: 0 0 40px; color: #55514a; }
footer { font-size: 28px; font-weight: 700; }
svg { width: 620px; height: 540px; }
"""
_CROP = """() => {
  const drawing = document.querySelector("svg");
  const { x, y, width, height } = drawing.getBBox();
  drawing.setAttribute("viewBox", [x - 4, y - 4, width + 8, height + 8].join(" "));
}"""


def pages() -> dict[str, str]:
    """Return the HTML of each card, by its name."""
    cards = {}
    for drawing in sorted(DRAWINGS.glob("*.svg")):
        page = ROOT / "docs" / "metrics" / f"{drawing.stem}.md"
        text = page.read_text(encoding="utf-8")
        title = text.partition("\n")[0].removeprefix("# ")
        question = re.search(r"\*\*(.+?)\*\*", text, re.DOTALL)
        words = " ".join(question[1].split()) if question else ""
        words = words[:1].upper() + words[1:]
        cards[drawing.stem] = _page(title, words, drawing.read_text(encoding="utf-8"))
    readme = (ROOT / "README.md").read_text(encoding="utf-8")
    claim = " ".join(readme.split("**")[1].split())
    drawing = DRAWINGS / "b-cubed.svg"
    cards["index"] = _page("scoref", claim, drawing.read_text(encoding="utf-8"))
    return cards


def _page(title: str, words: str, drawing: str) -> str:
    dark = r"@media \(prefers-color-scheme:dark\).*?(?=</style>)"
    light = re.sub(dark, "", drawing, flags=re.DOTALL)
    return (
        f"<!doctype html><meta charset=utf-8><style>{_STYLE}</style><header>"
        f"<h1>{escape(title)}</h1><p>{escape(words)}</p>"
        f"<footer>{'' if title == 'scoref' else 'scoref'}</footer></header>{light}"
    )


def digest(page: str) -> bytes:
    """Return what identifies the content of a card."""
    return hashlib.sha256(page.encode()).hexdigest().encode()


def digest_in(picture: bytes) -> bytes:
    """Return the digest that is in a picture."""
    start = picture.index(KEYWORD) + len(KEYWORD)
    return picture[start : start + 64]


def draw() -> None:
    """Draw all cards."""
    from playwright.sync_api import sync_playwright

    CARDS.mkdir(parents=True, exist_ok=True)
    with sync_playwright() as driver:
        browser = driver.chromium.launch(
            executable_path=shutil.which("chromium"), args=["--no-sandbox"]
        )
        view = browser.new_page(viewport={"width": WIDTH, "height": HEIGHT})
        for name, page in pages().items():
            view.set_content(page)
            view.evaluate(_CROP)
            picture = view.screenshot()
            chunk = b"tEXt" + KEYWORD + digest(page)
            size = (len(chunk) - 4).to_bytes(4)
            whole = size + chunk + zlib.crc32(chunk).to_bytes(4)
            path = CARDS / f"{name}.png"
            path.write_bytes(picture[:_HEADER] + whole + picture[_HEADER:])
        browser.close()


if __name__ == "__main__":
    draw()
