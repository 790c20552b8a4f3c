"""Reports as text, JSON, CSV, Markdown or LaTeX, and as HTML for notebooks.

A command makes a `Report` of its result, and `render` writes it in the chosen format.
The renderers compute only the layout, not the figures.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING

from scoref.errors import unknown

if TYPE_CHECKING:
    from scoref.render.report import Report

OUTPUTS = ("text", "json", "csv", "markdown", "latex")
"""The formats of a report, each in a module of its name."""

WIDTH = 80
"""The number of columns if no terminal has another."""


def render(report: Report, output: str = "text") -> str:
    """Write a report; only the module of its format is loaded."""
    if output not in OUTPUTS:
        raise unknown("output", output, OUTPUTS)
    module = import_module(f"scoref.render.{output}")
    text: str = getattr(module, f"render_{output}")(report)
    return text
