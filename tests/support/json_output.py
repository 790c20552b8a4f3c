"""What commands write as JSON, checked against the schemas of docs/schemas."""

from __future__ import annotations

import json
from typing import Any

from support.schemas import refusals

Written = dict[str, Any]


def whole_of(text: str) -> Written:
    """Read the outer object, and check that it follows its schema."""
    written: Written = json.loads(text)
    assert next(iter(written)) == "schema"
    problems = refusals(written)
    assert not problems, problems
    return written


def results_of(text: str) -> list[Any]:
    """Read what there is for each response, file or dataset."""
    found: list[Any] = whole_of(text)["results"]
    return found


def result_of(text: str) -> Any:
    """Read the only result."""
    (found,) = results_of(text)
    return found
