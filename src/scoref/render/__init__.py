"""Results as text: nothing is computed here but the layout."""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Sequence

    from scoref.render.tables import View
    from scoref.scoring.results import Result

REPORTS = {
    "text": ("tables", "render_text"),
    "json": ("json", "render_json"),
    "csv": ("tables", "render_csv"),
    "markdown": ("tables", "render_markdown"),
    "latex": ("tables", "render_latex"),
}
"""Where each kind of report is written; it is loaded when it is wanted."""


def render(output: str, results: Sequence[Result], view: View) -> str:
    """Write a report of what a view asks for."""
    module, function = REPORTS[output]
    writer = getattr(import_module(f"scoref.render.{module}"), function)
    text: str = writer(results, view)
    return text
