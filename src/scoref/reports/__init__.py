"""Results as text: nothing is computed here but the layout."""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Sequence

    from scoref.results import Result

REPORTS = {
    "text": ("tables", "render_text"),
    "json": ("json", "render_json"),
    "csv": ("tables", "render_csv"),
    "markdown": ("tables", "render_markdown"),
    "latex": ("tables", "render_latex"),
}
"""Where each kind of report is written; it is loaded when it is wanted."""


def render(output: str, results: Sequence[Result], *, per_document: bool) -> str:
    """Write a report; ``per_document`` lists documents one by one."""
    module, function = REPORTS[output]
    writer = getattr(import_module(f"scoref.reports.{module}"), function)
    text: str = writer(results, per_document)
    return text
