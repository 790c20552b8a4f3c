"""Files of text as they should not be, but are: drawn at random, with what is odd."""

from __future__ import annotations

from hypothesis import strategies as st

_ENDS = st.sampled_from(["\n", "\n", "\n", "\r\n", "\r", "\n\n", "\n \n"])
_FIELDS = st.sampled_from(
    [
        *("m1", "m2", "m3", "a", "b", "007", "7", "m\N{LATIN SMALL LETTER E}1"),
        *("", " ", " m1", "m1 ", '""', '"m1"', '"a,b"', '"a\nb"', '"a\r\nb"', '"x""y"'),
        *('a"b', "'", "\\", '\\"', "#m1", "NULL", "nan", "\u2028", "\x0c", "\x00", "-"),
    ]
)
_HEADERS = st.sampled_from(
    [
        *("", "", "mention,cluster", '"mention","cluster"', "mention,mention"),
        *("Cluster,cluster", " mention , cluster", "id,cluster,other", "\ufeffid,gold"),
    ]
)


@st.composite
def odd_tables(draw: st.DrawFn) -> bytes:
    """Draw a file of two columns, or nearly so."""
    end = draw(_ENDS)
    is_mixed = draw(st.booleans())
    lines = [draw(st.sampled_from(["", "", "\n", " \n", "\ufeff"])), draw(_HEADERS)]
    lines[1] += end if lines[1] else ""
    for _ in range(draw(st.integers(0, 6))):
        width = draw(st.sampled_from([2, 2, 2, 2, 2, 2, 2, 2, 1, 3]))
        lines.append(",".join(draw(_FIELDS) for _ in range(width)))
        lines.append(draw(_ENDS) if is_mixed else end)
    text = "".join(lines)
    if draw(st.booleans()):
        text = text.rstrip("\r\n")
    bad = draw(st.sampled_from([b"", b"", b"", b"", b"\xff"]))
    return text.encode() + bad
