"""The tables of published results, against what was collected with its sources."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

import pytest

from scoref.tools.published import table
from support.paths import NO_SHARED, ROOT

if TYPE_CHECKING:
    from collections.abc import Iterator

FOLDER = ROOT.parent / "shared" / "published"
FILES = (
    *("ontonotes-english", "ontonotes-other-languages"),
    *("litbank-preco-bookcoref", "crac-per-dataset"),
)
pytestmark = pytest.mark.skipif(not FOLDER.is_dir(), reason=NO_SHARED)


def collected(file: str) -> Iterator[tuple[str, dict[str, Any]]]:
    written = json.loads((FOLDER / f"{file}.json").read_text(encoding="utf-8"))
    for each in written.get("tables", [written]):
        for row in each["rows"]:
            yield each["name"], row


@pytest.mark.parametrize("file", FILES)
def test_every_row_with_a_source_is_there_and_equal(file: str) -> None:
    for name, row in collected(file):
        if row["source"]["evidence"] == "secondary":
            continue
        (found,) = (each for each in table(name).rows if each.system == row["system"])
        printed = {each: value / 100 for each, value in row["scores"].items()}
        assert found.scores == pytest.approx(printed, abs=1e-9)
        assert found.source is not None
        place = {key: row["source"][key] for key in ("url", "where", "evidence")}
        assert {key: getattr(found.source, key) for key in place} == place
        assert (found.year, found.paper) == (row["year"], row["source"]["paper"])


def test_no_row_is_there_that_was_not_collected() -> None:
    rows = {(name, row["system"]) for file in FILES for name, row in collected(file)}
    names = {name for name, _ in rows}
    assert rows == {(name, row.system) for name in names for row in table(name).rows}
