"""Tests of the plugin; they need the package to be installed."""

from pathlib import Path

import pytest
import scoref

KEY = Path(__file__).with_name("key.bracketed")
RESPONSE = Path(__file__).with_name("response.bracketed")


def test_half_of_each_entity_is_found_or_not() -> None:
    key = [["a", "b", "c", "d"], ["e", "f"]]
    response = [["a", "b"], ["c", "e", "g"], ["f"]]
    score = scoref.score(key, response, metrics="half").scores["half"]
    assert score.recall == 2 / 2  # a b of the first entity; e or f of the second
    assert score.precision == 2 / 3  # no two of c e g are together


def test_a_file_is_recognised_and_scored() -> None:
    result = scoref.score(KEY, RESPONSE, metrics="muc,half")
    assert result.documents == ("news-1", "news-2")
    assert result.scores["muc"].recall == 3 / 5
    assert "|format:bracketed|plugins:scoref-example-1.2|" in result.signature


def test_a_wrong_file_is_refused_with_its_line(tmp_path: Path) -> None:
    path = tmp_path / "wrong.bracketed"
    path.write_text("%bracketed\n= d\n[1 Mary said\n", encoding="utf-8")
    with pytest.raises(scoref.FormatError, match="'1' is not closed") as caught:
        scoref.score(path, path)
    assert caught.value.line == 3
