"""Results as text: nothing is computed here but the layout."""

from __future__ import annotations

from typing import TYPE_CHECKING

from scoref.reports.json import render_json
from scoref.reports.tables import (
    render_csv,
    render_latex,
    render_markdown,
    render_text,
)

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from scoref.results import Result

    Report = Callable[[Sequence[Result], bool], str]

REPORTS: dict[str, Report] = {
    "text": render_text,
    "json": render_json,
    "csv": render_csv,
    "markdown": render_markdown,
    "latex": render_latex,
}
"""Each takes the results and whether documents are to be listed one by one."""
