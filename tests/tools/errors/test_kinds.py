"""The names and descriptions of the kinds of errors."""

from __future__ import annotations

import re

from scoref.tools.errors import kinds
from scoref.tools.errors.kinds import KINDS
from scoref.tools.errors.wording import Wording


def test_every_kind_is_explained() -> None:
    assert len({kind.name for kind in KINDS}) == len(KINDS)
    assert len({kind.sign for kind in KINDS}) == len(KINDS)
    assert all(kind.label and kind.meaning for kind in KINDS)


def test_sentences_consist_of_phrases_that_exist() -> None:
    for kind in KINDS:
        for phrase in re.findall(r"{(\w+)}", kind.sentence):
            assert hasattr(Wording, phrase)


def test_constants_are_the_places_of_kinds() -> None:
    assert KINDS[kinds.SPAN].name == "span"
    assert KINDS[kinds.CONFLATED].name == "conflated-entity"
    assert KINDS[kinds.WRONG_LINK].name == "wrong-link"
    assert KINDS[kinds.MISSING_ENTITY].name == "missing-entity"
    assert KINDS[kinds.DIVIDED].name == "divided-entity"
