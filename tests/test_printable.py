"""Control characters in text are escaped before it is shown."""

from __future__ import annotations

import json

import pytest

from scoref.printable import (
    called,
    describe,
    escaped_in_json,
    printable,
    printable_in_place,
    printable_json,
    printable_lines,
    warnings_first,
)

WORDS = ("Mia", "中文", "a\u200cb", "👩\u200d🔬", "é")
CONTROLS = ("\x1b[31m", "a\nb", "\u202eabc", "\x00", "\ud800")


@pytest.mark.parametrize("text", WORDS)
def test_words_stay_as_they_are(text: str) -> None:
    assert printable(text) == printable_lines(text) == printable_in_place(text) == text


@pytest.mark.parametrize("text", CONTROLS)
def test_control_characters_are_escaped_in_one_line(text: str) -> None:
    escaped = printable(text)
    assert escaped.isprintable()
    assert escaped == text.encode("unicode_escape", "surrogatepass").decode()


def test_line_breaks_and_tabs_are_layout() -> None:
    assert printable_lines("a\tb\n\x1bc") == "a\tb\n\\x1bc"
    assert printable_in_place("a\tb\x1bc") == "a b·c"


@pytest.mark.parametrize("text", [*WORDS, *CONTROLS[:4]])
def test_json_can_be_read_back(text: str) -> None:
    written = printable_json(json.dumps(text, ensure_ascii=False))
    assert json.loads(written) == text
    assert json.loads(f'"{"".join(map(escaped_in_json, text))}"') == text


def test_a_message_is_a_note_or_a_warning() -> None:
    assert called("x") == "note: x"
    assert called("warning: x") == "warning: x"


@pytest.mark.parametrize(
    ("value", "described"),
    [(object(), "an object"), (3, "an int"), (1j, "a complex"), (True, "a bool")],
)
def test_the_kind_of_a_value_has_its_article(value: object, described: str) -> None:
    assert describe(value) == described


def test_warnings_come_before_notes_and_each_once() -> None:
    messages = ["b is new.", "warning: d is odd.", "a is new.", "warning: c is odd."]
    assert warnings_first([*messages, *messages]) == [
        *("warning: d is odd.", "warning: c is odd.", "b is new.", "a is new.")
    ]
