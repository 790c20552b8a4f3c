"""Reports to open in a browser."""

from __future__ import annotations

import random

import pytest

from scoref.tools.report.page import render_page
from support import page_reports, page_texts


@pytest.fixture(scope="session")
def story_page() -> str:
    """A report on a few small documents, one of them hostile, one empty."""
    texts = {
        "stories/ada": page_texts.story(),
        "<img src=x onerror=alert(3)>": page_texts.hostile(),
        "empty": page_texts.empty(),
        "no text": None,
    }
    return render_page(page_reports.report_of(texts), list(texts.values()))


@pytest.fixture(scope="session")
def long_page() -> str:
    """A report on a novel and 350 short documents."""
    rng = random.Random(7)  # noqa: S311 - made-up words
    texts = {"novel": page_texts.novel(200_000, rng)}
    for number in range(350):
        texts[f"news/{number:03}"] = page_texts.novel(rng.randint(100, 900), rng)
    return render_page(page_reports.report_of(texts), list(texts.values()))
