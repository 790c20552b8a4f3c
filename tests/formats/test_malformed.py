"""Whatever a file holds, it is scored or refused: nothing else is ever raised."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

import scoref

if TYPE_CHECKING:
    from pathlib import Path

CONLL = (
    b"#begin document (d); part 000\n"
    b"d\t0\t0\tPierre\t(1|(2)\n"
    b"d\t0\t1\tVinken\t1)\n"
    b"\n"
    b"d\t0\t0\the\t(1)|(3)\n"
    b"#end document\n"
    b"#begin document (e); part 001\n"
    b"e\t0\t0\tit\t-\n"
    b"#end document\n"
)
JSON = (
    b'{"doc_key": "d_0", "clusters": [[[0, 1], [2, 2]], [[0, 0]]], '
    b'"predicted_clusters": [[[0, 0]]], "sentences": [["a", "b"], ["c"]]}\n'
    b'{"doc_key": "e", "clusters": []}\n'
)

CONLL_PIECES = [
    *(b"#begin document ", b"#end document", b"(d); part 000", b"part 1", b"#", b"d"),
    *(b"\n", b"\r\n", b"\r", b"\t", b" ", b"\xef\xbb\xbf", b"\xff", b"\x00", b"\x0b"),
    *(b"(", b")", b"|", b"(1", b"1)", b"(1)", b"(1+2)", b"-", b"_", b"*", b"\xc3\xa9"),
]
JSON_PIECES = [
    *(b"{", b"}", b"[", b"]", b",", b":", b'"', b"\n", b" ", b"\xff", b"null", b"true"),
    *(
        b'"doc_key"',
        b'"clusters"',
        b'"predicted_clusters"',
        b'"sentences"',
        b'"tokens"',
    ),
    *(b"0", b"-1", b"1.5", b"1e9", b"99999999999999999999", b"[[0, 1]]", b'"d"'),
]

READINGS = pytest.mark.parametrize("reading", ["strict", "lenient", "reference"])


@st.composite
def mutated(draw: st.DrawFn, text: bytes, pieces: list[bytes]) -> bytes:
    """Cut pieces out of a good text and put others in."""
    for _ in range(draw(st.integers(1, 4))):
        start = draw(st.integers(0, len(text)))
        end = draw(st.integers(start, min(len(text), start + 12)))
        text = text[:start] + draw(st.sampled_from([b"", *pieces])) + text[end:]
    return text


def joined(pieces: list[bytes]) -> st.SearchStrategy[bytes]:
    return st.lists(st.sampled_from(pieces), max_size=25).map(b"".join)


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("malformed")


def _score_or_refuse(folder: Path, key: bytes, response: bytes, reading: str) -> None:
    """Score two texts; a refusal must be one on purpose, with a message."""
    paths = folder / "key", folder / "response"
    for path, data in zip(paths, (key, response), strict=True):
        path.write_bytes(data)
    scheme = "conll-2012" if reading == "reference" else None
    try:
        result = scoref.score(*paths, scheme=scheme, lenient=reading == "lenient")
    except scoref.ScorefError as error:
        message = str(error)
    else:
        message = result.signature
        assert result.scores.keys() == {*result.metrics}
    assert message


@READINGS
@given(data=st.binary(max_size=80), good=st.sampled_from([CONLL, JSON]))
@example(data=b"\n", good=CONLL)
@example(data=b"\x1f\x8b", good=CONLL)
@example(data=b"\xfd7zXZ\x00", good=CONLL)
def test_any_bytes_are_scored_or_refused(
    folder: Path, reading: str, data: bytes, good: bytes
) -> None:
    _score_or_refuse(folder, data, data, reading)
    _score_or_refuse(folder, good, data, reading)


@READINGS
@given(key=joined(CONLL_PIECES), response=joined(CONLL_PIECES))
def test_pieces_of_conll_are_scored_or_refused(
    folder: Path, reading: str, key: bytes, response: bytes
) -> None:
    _score_or_refuse(folder, key, response, reading)


@READINGS
@given(response=mutated(CONLL, CONLL_PIECES))
def test_damaged_conll_is_scored_or_refused(
    folder: Path, reading: str, response: bytes
) -> None:
    _score_or_refuse(folder, CONLL, response, reading)
    _score_or_refuse(folder, response, CONLL, reading)


@READINGS
@given(response=joined(JSON_PIECES).map(lambda rest: b"{" + rest))
def test_pieces_of_json_are_scored_or_refused(
    folder: Path, reading: str, response: bytes
) -> None:
    _score_or_refuse(folder, JSON, response, reading)


@READINGS
@given(response=mutated(JSON, JSON_PIECES))
@example(response=b'{"doc_key": "d_0", "clusters": [[[0, 99999999999999999999]]]}')
def test_damaged_json_is_scored_or_refused(
    folder: Path, reading: str, response: bytes
) -> None:
    _score_or_refuse(folder, JSON, response, reading)
    _score_or_refuse(folder, CONLL, response, reading)
