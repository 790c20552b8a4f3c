"""Complete the pages that the generator wrote: heads, and what screen readers need."""

from __future__ import annotations

import re
from html import escape
from typing import TYPE_CHECKING
from urllib.parse import urlsplit

if TYPE_CHECKING:
    from pathlib import Path

CARDS = "images/cards"
NOT_FOUND = "404.html"
MISSING = """<h1>This page does not exist</h1>
<p>The address may be old or misspelt. Search at the top of the page, or start here:</p>
<ul>
<li><a href="{root}index.html">What scoref does</a></li>
<li><a href="{root}contents.html">All pages</a></li>
<li><a href="{root}metrics/index.html">Which metric should I report?</a></li>
<li><a href="{root}explain.html">Why tools disagree</a></li>
</ul>"""
_TITLE = re.compile(r"<title>(.*?)</title>", re.DOTALL)
_FIRST = re.compile(r"<h1.*?</h1>.*?<p>(.*?)</p>", re.DOTALL)
_LABELLED = re.compile(r'aria-labelledby="__nav_(\w+)_label"')
_FROM_ROOT = re.compile(r'((?:href|src)="|"(?:base|search)": ?"|new URL\(")/(?!/)')
_LONGEST = 200


def complete(site: Path, address: str) -> None:
    """Complete all pages; ``address`` is the public one, or empty if there is none."""
    for path in sorted(site.rglob("*.html")):
        name = path.relative_to(site).as_posix()
        text = readable(path.read_text(encoding="utf-8"))
        if name == NOT_FOUND:
            text = explain_missing(text, address)
        card = f"{CARDS}/{path.stem}.png"
        has_card = name.startswith("metrics/") and (site / card).exists()
        head = _head(text, name, address, card if has_card else f"{CARDS}/index.png")
        path.write_text(text.replace("</head>", f"{head}</head>", 1), encoding="utf-8")


def explain_missing(text: str, address: str) -> str:
    """Complete the page for addresses that do not exist.

    A server shows it in every folder, so its links are absolute. They start with the
    path of the public address. Without an address, they are relative, so that the page
    opens from disk.
    """
    root = urlsplit(address).path.rstrip("/") + "/" if address else "./"
    text = _FROM_ROOT.sub(rf"\g<1>{root}", text)
    article = MISSING.format(root=root)
    text = re.sub(r"<h1>404.*?</h1>", lambda _: article, text, flags=re.DOTALL)
    text = text.replace("<title>", "<title>Page not found - ", 1)
    return text.replace("</head>", '<meta name="robots" content="noindex">\n</head>', 1)


def readable(text: str) -> str:
    """Repair what axe-core criticises in the theme's markup."""
    text = re.sub(r"<th([^>]*)>\s*</th>", r"<td\1></td>", text)
    return _LABELLED.sub(r'aria-label="Pages of section \1"', text)


def _head(text: str, name: str, address: str, card: str) -> str:
    """Return the tags of a share card; those with an address only if there is one."""
    title = _TITLE.search(text)
    first = _FIRST.search(text)
    words = re.sub(r"<[^>]+>", "", first[1]) if first else ""
    summary = " ".join(words.split())[:_LONGEST]
    tags = {"og:type": "article", "og:site_name": "scoref"}
    if title:
        tags["og:title"] = title[1].strip()
    if summary:
        tags["og:description"] = summary
    lines = ['<meta name="twitter:card" content="summary_large_image">']
    if address and name != NOT_FOUND:
        url = address.rstrip("/") + "/"
        page = "" if name == "index.html" else name
        lines.append(f'<link rel="canonical" href="{escape(url + page)}">')
        tags |= {"og:url": url + page, "og:image": url + card}
    lines += [
        f'<meta property="{key}" content="{value}">' for key, value in tags.items()
    ]
    return "\n".join(lines) + "\n"
