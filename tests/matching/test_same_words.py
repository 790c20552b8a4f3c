"""Texts that are not the same are refused, with both words and both lines."""

from __future__ import annotations

import numpy as np
import pytest

from scoref import AlignmentError
from scoref.formats.token_sets import tokens_of
from scoref.matching.same_words import refuse_other_words


@pytest.mark.parametrize(
    ("ours", "theirs", "message"),
    [
        ("Ada saw Bob", "Ada saw Bib", "r:3: this word is 'Bib', but 'Bob' in k:3"),
        (
            "Ada saw Bob",
            "Ada saw",
            "r:2: the text ends here, but goes on with 'Bob' in k:3",
        ),
        (
            "Ada saw",
            "Ada saw Bob",
            "r:3: the text goes on with 'Bob', but ends in k:2",
        ),
        ("", "Ada", "r:1: the text goes on with 'Ada', but ends in k"),
    ],
)
def test_the_first_other_word_is_shown(ours: str, theirs: str, message: str) -> None:
    texts = [
        tokens_of(each.split(), [0] * len(each.split())) for each in (ours, theirs)
    ]
    one, other = (
        each._replace(line=np.arange(1, len(each.line) + 1)) for each in texts
    )
    with pytest.raises(AlignmentError) as error:
        refuse_other_words(one, other, sources=("k", "r"), hint="the same text")
    assert str(error.value) == f"{message}\n  hint: the same text"


def test_the_same_words_are_fine_whatever_their_lines_and_sentences() -> None:
    one, other = tokens_of(["a", "b"], [0, 0], line=1), tokens_of(["a", "b"], [0, 1])
    refuse_other_words(one, other, sources=("k", "r"), hint="")
