"""Explanations of the fields of a signature; `tests/test_signature.py` has more."""

from __future__ import annotations

from scoref.render.signature import fields, fields_report
from support.results_from_counts import counted


def test_every_field_of_a_signature_is_explained() -> None:
    result = counted(muc=[[1, 2, 1, 1]])
    known = fields()
    names = {field.partition(":")[0] for field in result.signature.split("|")}
    assert names <= {*known}
    (table,) = fields_report().parts()
    assert [row[0] for row in table.rows] == [*known]  # type: ignore[union-attr]
