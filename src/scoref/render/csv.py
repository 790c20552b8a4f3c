"""CSV for spreadsheets and data frames: nothing is folded, rounded or shortened."""

from __future__ import annotations

import csv
import io
import math
import re
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from scoref.render.report import Report

# Spreadsheets ignore blanks, and read wide signs as plain ones.
_FORMULA = re.compile(r"[\s\0]*[=@+\-＝＠＋－].")
_NUMBER = re.compile(r"[+-]?(\d+\.?\d*|\.\d+)([eE][+-]?\d+)?%?", re.ASCII)


def render_csv(report: Report) -> str:
    """Write a header and the rows."""
    header, rows = report.table
    out = io.StringIO()
    writer = csv.writer(out, lineterminator="\n")
    writer.writerow(map(_safe_cell, header))
    writer.writerows(map(_safe_cell, row) for row in rows)
    return out.getvalue().rstrip("\n")


def _safe_cell(cell: object) -> object:
    """Escape text that would be a formula; NaN and infinity become an empty cell."""
    if isinstance(cell, float):
        return cell if math.isfinite(cell) else None
    if not isinstance(cell, str) or not _FORMULA.match(cell) or _NUMBER.fullmatch(cell):
        return cell
    return f"'{cell}"
