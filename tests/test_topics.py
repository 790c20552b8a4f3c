"""Topics: by a convention's name, a file, a pattern or a dict."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

import scoref
from scoref.errors import FormatError, OptionError
from scoref.topics import Topic, topics_of

if TYPE_CHECKING:
    from pathlib import Path


@pytest.mark.parametrize(
    ("name", "expected"),
    [
        ("36_1ecb", Topic("36", "36ecb")),
        ("36_1ecbplus", Topic("36", "36ecbplus")),
        ("36_12ecbplus.xml", Topic("36", "36ecbplus")),
        ("ECB+/36/36_1ecb.xml", Topic("36", "36ecb")),
        ("(36_1ecb); part 000", Topic("36", "36ecb")),
        ("(data/36_1ecb);", Topic("36", "36ecb")),
        ("(0); part 000", None),
        ("36_1ecbpluss", None),
        ("DOC15652435599236868", None),
    ],
)
def test_names_of_ecb_plus_tell_topic_and_subtopic(
    name: str, expected: Topic | None
) -> None:
    assert topics_of("ecb+").of(name) == expected


@pytest.mark.parametrize(
    ("pattern", "expected"),
    [
        (r"(\d+)_", Topic("36")),
        (r"(?P<topic>\d+)_\d+(?P<subtopic>ecb(?:plus)?)", Topic("36", "ecb")),
        (r"(?P<topic>[a-z]+)$", Topic("ecb")),
        (r"^(x)", None),
        (r"^\((\d+)", None),  # the bracket of the header is no part of the name
    ],
)
def test_a_pattern_is_searched_in_the_bare_name(
    pattern: str, expected: Topic | None
) -> None:
    assert topics_of(pattern).of("(36_1ecb); part 000") == expected


def test_a_file_has_two_columns_or_three(tmp_path: Path) -> None:
    path = tmp_path / "topics.tsv"
    path.write_bytes(b"\xef\xbb\xbfa\t1\tx\r\n\r\nb\t2\n")
    found = topics_of(str(path))
    assert (found.source, found.of("(a); part 000")) == ("file", Topic("1", "x"))
    assert (found.of("b"), found.of("c")) == (Topic("2"), None)


@pytest.mark.parametrize(
    ("text", "line", "problem"),
    [
        ("a\t1\nb\n", 2, "1 column"),
        ("a\t1\tx\ty\n", 1, "4 columns"),
        ("a\t\n", 1, "one of them empty"),
        ("a\t1\nb\t1\na\t2\n", 3, "document 'a' has another topic in line 1"),
    ],
)
def test_a_file_that_is_no_list_of_topics_is_refused_by_line(
    text: str, line: int, problem: str, tmp_path: Path
) -> None:
    path = tmp_path / "topics.tsv"
    path.write_text(text, encoding="utf-8")
    with pytest.raises(FormatError) as caught:
        topics_of(str(path))
    assert caught.value.line == line
    assert problem in str(caught.value)


def test_the_same_topic_twice_is_fine(tmp_path: Path) -> None:
    path = tmp_path / "topics.tsv"
    path.write_text("a\t1\na\t1\n", encoding="utf-8")
    assert topics_of(str(path)).of("a") == Topic("1")


BAD_PATTERNS = {
    "(\\d+": "topics: this is not a regular expression: missing ), unterminated "
    "subpattern\n    (\\d+\n    ^",
    "\\d+_": "topics: this pattern has no group for the topic\n    \\d+_\n"
    "    ^^^^\n  hint: Put the topic in brackets: (…) or (?P<topic>…).",
}


@pytest.mark.parametrize("given", BAD_PATTERNS)
def test_a_bad_pattern_is_shown_with_a_caret(given: str) -> None:
    with pytest.raises(OptionError) as caught:
        topics_of(given)
    assert str(caught.value) == BAD_PATTERNS[given]


def test_a_name_that_is_nothing_gets_the_nearest_one() -> None:
    with pytest.raises(OptionError, match="Did you mean ecb\\+\\?"):
        topics_of("ecb")


def test_a_dict_has_topics_or_pairs() -> None:
    found = topics_of({"a": "1", "b": ("1", "x")})
    assert (found.of("a"), found.of("b")) == (Topic("1"), Topic("1", "x"))
    with pytest.raises(OptionError, match="document 'a'"):
        topics_of({"a": ("1", "2", "3")})


@pytest.mark.parametrize("scope", ["document", "corpus", None])
def test_topics_decide_nothing_with_other_scopes(scope: str | None) -> None:
    with pytest.raises(OptionError, match="topics have no effect with scope="):
        scoref.score([["a"]], [["a"]], scope=scope, topics="ecb+")  # type: ignore[arg-type] # a value of it
