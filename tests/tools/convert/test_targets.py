"""The formats that can be written, by name and by suffix."""

from __future__ import annotations

import pytest

from scoref import OptionError
from scoref.tools.convert.conversion import convert
from scoref.tools.convert.targets import TARGETS, target_of, target_of_path


@pytest.mark.parametrize("name", TARGETS)
def test_a_target_is_known_by_its_name_and_its_suffixes(name: str) -> None:
    target = target_of(name)
    assert target.name == name
    for suffix in target.suffixes:
        assert target_of_path(f"folder/x{suffix}") == target
        assert target_of_path(f"X{suffix.upper()}") == target


def test_a_folder_is_for_brat() -> None:
    assert target_of_path("folder/").name == "brat"
    with pytest.raises(OptionError, match=r"cannot tell the format of 'x\.txt'"):
        target_of_path("x.txt")


def test_unknown_formats_are_refused_with_a_suggestion() -> None:
    with pytest.raises(OptionError, match="Did you mean corefud"):
        convert(b"", "corefut")
    with pytest.raises(OptionError, match="Did you mean brat"):
        convert(b"", "corefud", format="brats")
    assert list(TARGETS) == [
        "conll-2012",
        "corefud",
        "universal-anaphora",
        "json-lines",
        "brat",
        "webanno",
        "cas-json",
        "tsv",
        "csv",
    ]
