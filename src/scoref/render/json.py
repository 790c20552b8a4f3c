"""JSON for programs: the same structure for every report, fractions at full precision.

Every command prints one object. `schema` names the schema of its fields, `results` has
an object for each response, file or dataset, `failures` lists what could not be read or
scored, and `notes` has the lines that people see with a report.
"""

from __future__ import annotations

import dataclasses
import json
import math
from collections.abc import Mapping
from typing import TYPE_CHECKING

from scoref.printable import printable_json, warnings_first

if TYPE_CHECKING:
    from scoref.render.report import Report


def render_json(report: Report) -> str:
    """Write a report as one object."""
    return _text(as_dict(report))


def as_dict(report: Report) -> dict[str, object]:
    """Return the same object as a dict of plain values."""
    fields: dict[str, object] = {
        "schema": report.schema,
        **report.more,
        "results": list(report.objects()),
        "failures": [failure._asdict() for failure in report.failures],
        "notes": warnings_first(report.notes),
    }
    return {name: _plain(value) for name, value in fields.items()}


def json_text(value: object) -> str:
    """Write a value as indented JSON."""
    return _text(_plain(value))


def _text(plain: object) -> str:
    text = json.dumps(plain, ensure_ascii=False, indent=2, allow_nan=False)
    return printable_json(text)


def _plain(value: object) -> object:
    """Return a value that JSON can write; NaN and infinity become null."""
    if isinstance(value, float):
        return value if math.isfinite(value) else None
    if isinstance(value, Mapping):
        return {name: _plain(member) for name, member in value.items()}
    if isinstance(value, list | tuple):
        return [_plain(element) for element in value]
    if dataclasses.is_dataclass(value) and not isinstance(value, type):
        return _plain(dataclasses.asdict(value))
    return value
