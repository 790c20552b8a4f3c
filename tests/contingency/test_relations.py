"""Which listings belong to a class of anaphors."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest

from scoref.contingency.relations import of_class
from scoref.model import packed_text


@pytest.mark.parametrize(
    ("anaphors", "expected"),
    [
        ("pronouns", [True, False, False, False]),
        ("zeros", [False, True, False, True]),
        ("upos:NOUN,PRON", [True, True, True, False]),
        ("all", [True, True, True, True]),
    ],
)
def test_zeros_are_no_pronouns(anaphors: str, expected: list[bool]) -> None:
    side: Any = SimpleNamespace(
        listed_upos=np.array([packed_text(n) for n in ("PRON", "PRON", "NOUN", "")]),
        listed_is_zero=np.array([False, True, False, True]),
        side=SimpleNamespace(mention=np.arange(4)),
    )
    assert of_class(side, anaphors).tolist() == expected
