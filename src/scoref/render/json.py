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

from scoref.printable import printable_json

if TYPE_CHECKING:
    from scoref.render.report import Report


def render_json(report: Report) -> str:
    """Write everything that a report has for programs."""
    return _text(as_dict(report))


def as_dict(report: Report) -> dict[str, object]:
    """Give the same in plain values."""
    found: dict[str, object] = {
        "schema": report.schema,
        **report.more,
        "results": list(report.objects()),
        "failures": [loss._asdict() for loss in report.failures],
        "notes": list(report.notes),
    }
    return {name: _plain(each) for name, each in found.items()}


def json_text(written: object) -> str:
    """Write a value for programs, and for people who look at it."""
    return _text(_plain(written))


def _text(plain: object) -> str:
    text = json.dumps(plain, ensure_ascii=False, indent=2, allow_nan=False)
    return printable_json(text)


def _plain(value: object) -> object:
    """Give what JSON has words for; what is not a number is nothing."""
    if isinstance(value, float):
        return value if math.isfinite(value) else None
    if isinstance(value, Mapping):
        return {name: _plain(each) for name, each in value.items()}
    if isinstance(value, list | tuple):
        return [_plain(each) for each in value]
    if dataclasses.is_dataclass(value) and not isinstance(value, type):
        return _plain(dataclasses.asdict(value))
    return value
