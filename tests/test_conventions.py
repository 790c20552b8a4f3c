"""Records of conventions."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

import pytest

from scoref import OptionError
from scoref.conventions import convention, conventions_of

Colour = Literal["red", "green"]


@dataclass
class Choices:
    colour: Colour | None = convention(
        None,
        "a colour",
        option="The colour.",
        unfit={"spans": {"red": "is too bright"}, "corefud": {None: "is for pictures"}},
    )
    table_size: str | None = convention(None, "a size", files="tables")


RECORDS = conventions_of(Choices, {"Colour": Colour})


def test_records_are_made_of_fields() -> None:
    assert [*RECORDS] == ["colour", "table_size"]
    assert RECORDS["colour"].values == ("red", "green")
    assert RECORDS["table_size"].values == ()
    assert RECORDS["table_size"].label == "table-size"


def test_values_that_are_not_listed_are_refused() -> None:
    RECORDS["colour"].refuse_unknown("red")
    RECORDS["colour"].refuse_unknown(None)
    with pytest.raises(OptionError, match="Did you mean green"):
        RECORDS["colour"].refuse_unknown("gren")


def test_a_value_may_have_no_meaning_for_some_files() -> None:
    colour = RECORDS["colour"]
    assert colour.why_unfit("red", "spans") == "is too bright"
    assert colour.why_unfit("green", "spans") is None
    assert colour.why_unfit("green", "corefud") == "is for pictures"
    assert colour.why_unfit(None, "corefud") is None
    assert RECORDS["table_size"].why_unfit("9", "spans") == "is for tables"
