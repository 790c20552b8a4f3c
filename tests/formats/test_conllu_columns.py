"""Lines and columns of CoNLL-U, found in one pass."""

from __future__ import annotations

import pytest

from scoref.formats.conllu import TabbedLines

TEXT = b"# a\n1\tone\tx\n\n2\ttwo\n"


@pytest.mark.parametrize(
    "text",
    [
        pytest.param(TEXT, id="as it should be"),
        pytest.param(TEXT[:-1], id="no line break at the end"),
        pytest.param(TEXT.replace(b"one", b"\x00\x01\x08"), id="control characters"),
    ],
)
def test_each_line_knows_its_first_tab(text: bytes) -> None:
    lines, tabs, first_tab = TabbedLines.of(text)
    starts = lines.start.tolist()
    assert starts == [0, 4, 12, 13]
    of_line = zip(starts, lines.end.tolist(), first_tab.tolist(), strict=True)
    assert [
        [tab - start for tab in tabs[first:].tolist() if tab < end]
        for start, end, first in of_line
    ] == [[], [1, 5], [], [1]]


def test_the_last_line_break_ends_the_last_column() -> None:
    columns = TabbedLines.of(TEXT)
    assert columns.tabs[-1] == len(TEXT) - 1
