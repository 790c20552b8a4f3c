"""What of a file is read, where it holds more than one would score."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

import pytest

import scoref
from scoref import FormatError

if TYPE_CHECKING:
    from pathlib import Path


def test_an_annotator_can_be_chosen(tmp_path: Path) -> None:
    region = {"id": "a", "type": "labels", "to_name": "text"}
    value = {"start": 0, "end": 3, "text": "Mia"}
    answers = [
        {"completed_by": who, "result": [region | {"value": value}] * (who == "ada")}
        for who in ("ada", "bea")
    ]
    task = {"id": 1, "data": {"text": "Mia slept."}, "annotations": answers}
    path = tmp_path / "export.json"
    path.write_text(json.dumps([task]))
    with pytest.raises(FormatError, match="this task has 2 annotations"):
        scoref.score(path, path)
    result = scoref.score(path, path, annotator="ada", metrics="mentions")
    assert result.scores["mentions"].recall == 1
    assert "|annotator:ada|" in result.signature
