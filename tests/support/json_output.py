"""What commands write as JSON: one shape, whatever they are asked."""

from __future__ import annotations

import json
from typing import Any

Written = dict[str, Any]


def whole_of(text: str) -> Written:
    """Read the outer object, and see that it has the fields that all of them have."""
    written: Written = json.loads(text)
    assert next(iter(written)) == "schema"
    assert {"results", "failures", "notes"} < written.keys()
    return written


def results_of(text: str) -> list[Any]:
    """Read what there is for each response, file or dataset."""
    found: list[Any] = whole_of(text)["results"]
    return found


def result_of(text: str) -> Any:  # noqa: ANN401 - whatever the command writes
    """Read the only result."""
    (found,) = results_of(text)
    return found
