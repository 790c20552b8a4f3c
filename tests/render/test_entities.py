"""Tables of entities: each row is an entity, in every output."""

from __future__ import annotations

import csv
import io

from support.commands import run
from support.paths import EXAMPLES

KEY, RESPONSE = (str(EXAMPLES / f"{name}.conll") for name in ("key", "response"))


def test_a_row_of_csv_has_all_figures_of_an_entity() -> None:
    text = run(KEY, RESPONSE, "--per-entity", "--output", "csv").stdout
    header, *rows = csv.reader(io.StringIO(text))
    assert [len(row) for row in rows] == [len(header)] * len(rows)
    first, _, third, *_ = (dict(zip(header, row, strict=True)) for row in rows)
    assert first["signature"].startswith("scoref:")
    assert (first["parts"], first["missed"], first["merged_with"]) == ("1", "0", "")
    assert (third["parts"], third["missed"], third["merged_with"]) == ("0", "1", "")
