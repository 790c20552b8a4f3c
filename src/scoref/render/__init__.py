"""Reports as text, JSON, CSV, Markdown or LaTeX, and as HTML for notebooks.

A tool makes a `Report` of its result, and `render` writes it in the chosen format. This
package computes only the layout, not the figures.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING

from scoref.errors import unknown

if TYPE_CHECKING:
    from scoref.render.report import Report

OUTPUTS = ("text", "json", "csv", "markdown", "latex")
"""What a report can be drawn as, each in a module of its name."""


def render(report: Report, output: str = "text") -> str:
    """Draw a report; what draws it is loaded when it is wanted."""
    if output not in OUTPUTS:
        raise unknown("output", output, OUTPUTS)
    module = import_module(f"scoref.render.{output}")
    text: str = getattr(module, f"render_{output}")(report)
    return text
