"""Lines are broken where a reader would break them, and nothing gets lost."""

from hypothesis import given
from hypothesis import strategies as st

from scoref.render.folding import folded, width_of

SIGNATURE = "scoref:0.1.0|format:conll-2012|reading:strict|match:exact|singletons:keep"
TEXTS = st.text(st.sampled_from("ab |/,;-東é\u0301"), max_size=60).map(str.strip)


def test_what_fits_stays_as_it_is() -> None:
    assert folded("a line", 6) == ["a line"]


def test_lines_end_at_blanks_which_go() -> None:
    assert folded("one two three", 7) == ["one two", "three"]


def test_lines_behind_the_first_are_indented() -> None:
    assert folded("note: one two", 9, indent="  ") == ["note: one", "  two"]


def test_long_words_end_behind_a_separator() -> None:
    assert folded("runs/2026/model/a.conll", 12) == ["runs/2026/", "model/", "a.conll"]


def test_words_without_any_are_broken_all_the_same() -> None:
    assert folded("x" * 25, 10) == ["x" * 10, "x" * 10, "x" * 5]


def test_a_line_does_not_end_in_its_own_indentation() -> None:
    assert folded("    key  abcdefgh", 10) == ["    key", "abcdefgh"]


def test_wide_characters_take_two_columns() -> None:
    assert folded("東京タワー", 4) == ["東京", "タワ", "ー"]


def test_a_signature_is_its_lines_joined() -> None:
    lines = folded(SIGNATURE, 40, at="|")
    assert lines == [
        "scoref:0.1.0|format:conll-2012|",
        "reading:strict|match:exact|",
        "singletons:keep",
    ]
    assert "".join(lines) == SIGNATURE


@given(text=TEXTS, width=st.integers(4, 30), indent=st.sampled_from(["", "  "]))
def test_lines_fit_and_have_every_character(text: str, width: int, indent: str) -> None:
    lines = folded(text, width, indent=indent)
    assert all(width_of(line) <= width for line in lines)
    assert "".join("".join(lines).split()) == "".join(text.split())
