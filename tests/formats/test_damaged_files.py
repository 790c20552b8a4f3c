"""Files with any content are read and scored, or refused with a message and a place.

CoNLL-2012 and JSON lines are scored; files in columns and XML are read and checked.
"""

from __future__ import annotations

from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

import scoref
from scoref.formats.reading import read as read_file
from scoref.tools.check.check import check
from support.corpus_values import mentions_by_document, tokens_by_document

if TYPE_CHECKING:
    from scoref.scheme import Reading

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
def damaged(draw: st.DrawFn, text: bytes, pieces: list[bytes]) -> bytes:
    """Cut pieces out of a good text and put others in."""
    for _ in range(draw(st.integers(1, 4))):
        start = draw(st.integers(0, len(text)))
        end = draw(st.integers(start, min(len(text), start + 12)))
        text = text[:start] + draw(st.sampled_from([b"", *pieces])) + text[end:]
    return text


def pieces_of(pieces: list[bytes]) -> st.SearchStrategy[bytes]:
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
@given(key=pieces_of(CONLL_PIECES), response=pieces_of(CONLL_PIECES))
def test_pieces_of_conll_are_scored_or_refused(
    folder: Path, reading: str, key: bytes, response: bytes
) -> None:
    _score_or_refuse(folder, key, response, reading)


@READINGS
@given(response=damaged(CONLL, CONLL_PIECES))
def test_damaged_conll_is_scored_or_refused(
    folder: Path, reading: str, response: bytes
) -> None:
    _score_or_refuse(folder, CONLL, response, reading)
    _score_or_refuse(folder, response, CONLL, reading)


@READINGS
@given(response=pieces_of(JSON_PIECES).map(lambda rest: b"{" + rest))
def test_pieces_of_json_are_scored_or_refused(
    folder: Path, reading: str, response: bytes
) -> None:
    _score_or_refuse(folder, JSON, response, reading)


@READINGS
@given(response=damaged(JSON, JSON_PIECES))
@example(response=b'{"doc_key": "d_0", "clusters": [[[0, 99999999999999999999]]]}')
def test_damaged_json_is_scored_or_refused(
    folder: Path, reading: str, response: bytes
) -> None:
    _score_or_refuse(folder, JSON, response, reading)
    _score_or_refuse(folder, CONLL, response, reading)


TEXT = "Mia saw Bo .\nShe left .\n"
ROWS = "paragraph_ID\tsentence_ID\ttoken_ID_within_document\tword\n" + "".join(
    f"0\t0\t{number}\t{word}\n" for number, word in enumerate(TEXT.split())
)
SAMPLES: dict[str, tuple[str, str, dict[str, str]]] = {
    "webanno-chain": (
        "a.tsv",
        (
            "#FORMAT=WebAnno TSV 3.3\n"
            "#T_CH=x.CoreferenceLink|referenceType|referenceRelation\n\n\n"
            "#Text=Mia saw\n1-1\t0-3\tMia\tCM[1]\tcoref->1-1\t\n"
            "1-1.1\t0-1\tM\tCM[1]|CM[2]\tcoref->1-2|*->2-1\t\n1-2\t4-7\tsaw\t_\t_\t\n"
        ),
        {},
    ),
    "webanno": (
        "a.tsv",
        (
            "#FORMAT=WebAnno TSV 3.2\n#T_SP=w.R|e\n#T_RL=w.C|type|BT_w.R\n\n\n"
            "#Text=Mia saw\n"
            "1-1\t0-3\tMia\tp[1]|q[2]\tana|coref\t1-2[0_1]|1-2[0_2]\t\n"
            "1-2\t4-7\tsaw\tp\t_\t_\t\n"
        ),
        {},
    ),
    "stanza": (
        "a.conllu",
        (
            "# newdoc id = d\n# sent_id = 1\n"
            "1\tMia\t_\tX\t_\t_\t2\tx\t_\tcoref_chains=start-id0,unit-id1\n"
            "2\tsaw\t_\tX\t_\t_\t0\tx\t_\tcoref_chains=end-id0|ner=S-X\n"
            "2.1\t_\t_\tX\t_\t_\t_\t_\t2:x\tcoref_chains=unit-id1\n\n"
        ),
        {},
    ),
    "booknlp": (
        "a.entities",
        (
            "COREF\tstart_token\tend_token\tprop\tcat\ttext\n1\t0\t0\tPROP\tPER\tMia\n"
            "1\t4\t4\tPRON\tPER\tShe\n"
        ),
        {"a.tokens": ROWS},
    ),
    "brat": (
        "a.ann",
        (
            "T1\tMention 0 3\tMia\nT2\tMention 13 16;17 21\tShe left\n"
            "*\tCoreference T1 T2\nR1\tCoref Arg1:T1 Arg2:T2\n"
        ),
        {"a.txt": TEXT},
    ),
    "litbank-brat": (
        "a.ann",
        "T1\tPROP_PER 0 3\tMia\nT2\tMia-0 0 3\tMia\nT3\tPRON_PER 13 16\tShe\n",
        {"a.txt": TEXT},
    ),
    "litbank-tsv": (
        "a.ann",
        (
            "MENTION\tT1\t0\t0\t0\t0\tMia\tPER\tPROP\nCOREF\tT1\tMia-0\n"
            "MENTION\tT2\t1\t0\t1\t1\tShe left\tPER\tPRON\n"
        ),
        {"a.txt": TEXT},
    ),
    "ecbplus": (
        "a.xml",
        (
            '<Document doc_name="a.xml" doc_id="1">\n'
            '<token t_id="1" sentence="0" number="0">Mia</token>\n'
            '<token t_id="2" sentence="0" number="1">saw</token>\n<Markables>\n'
            '<A m_id="1"><token_anchor t_id="1"/></A>\n<B m_id="2" x="y"/>\n'
            "</Markables>\n"
            '<Relations>\n<CROSS_DOC_COREF r_id="3" note="N"><source m_id="1"/>'
            '<target m_id="2"/></CROSS_DOC_COREF>\n</Relations>\n</Document>\n'
        ),
        {},
    ),
    "tac-edl": (
        "a.tab",
        "r\tM1\tMia\td:0-2\tNIL1\tPER\tNAM\t1.0\nr\tM2\tBo\td:8-9\tE1\tPER\tNAM\t1.0\n",
        {},
    ),
    "neleval": ("a.tsv", "d\t0\t2\tNIL1\t1.0\tPER\nd\t8\t9\tE1\t1.0\tPER\n", {}),
    "mention-table": (
        "a.csv",
        'document,entity,start,end,pieces,text\nd,0,0,3,"0,3",x\nd,0,5,5,,y\n',
        {},
    ),
}
PIECES = [
    *(b"\n", b"\r\n", b"\t", b" ", b"\xff", b"\xef\xbb\xbf", b"|", b"[", b"]", b"\\"),
    *(b"0", b"-1", b"99", b"99999999999999999999", b"1.5", b"_", b"*", b"->", b"id9"),
    *(b"T1", b"T9", b"<", b">", b'"', b"&x;", b"/", b",", b"start-id0", b"\xc3\xa9"),
]


@st.composite
def damaged_sample(draw: st.DrawFn) -> tuple[str, bytes]:
    """Damage a sample, and sometimes cut it off."""
    name = draw(st.sampled_from(sorted(SAMPLES)))
    data = draw(damaged(SAMPLES[name][1].encode(), PIECES))
    is_cut = draw(st.booleans())
    return name, data[: draw(st.integers(0, len(data)))] if is_cut else data


def put(folder: str, name: str, data: bytes) -> Path:
    """Write a sample with the files that belong to it."""
    file, _, companions = SAMPLES[name]
    for other, text in companions.items():
        (Path(folder) / other).write_text(text, encoding="utf-8")
    path = Path(folder) / file
    path.write_bytes(data)
    return path


@pytest.mark.parametrize("name", SAMPLES)
def test_samples_are_what_they_are_called(name: str, tmp_path: Path) -> None:
    path = put(str(tmp_path), name, SAMPLES[name][1].encode())
    corpus = read_file(path, role="key")
    assert corpus.format == name.removesuffix("-chain")
    assert len(corpus.mention_entity)
    assert not [each for each in check(path) if each.severity == "error"]


@pytest.mark.parametrize("name", SAMPLES)
def test_lines_may_end_in_cr_alone(name: str, tmp_path: Path) -> None:
    file, text, companions = SAMPLES[name]
    expected = read_file(put(str(tmp_path), name, text.encode()), role="key")
    for other, data in {file: text, **companions}.items():
        (tmp_path / other).write_bytes(data.encode().replace(b"\n", b"\r"))
    corpus = read_file(tmp_path / file, role="key")
    assert corpus.format == expected.format
    assert mentions_by_document(corpus) == mentions_by_document(expected)
    assert corpus.document_tokens is None or (
        tokens_by_document(corpus) == tokens_by_document(expected)
    )


@given(damaged_sample())
@example(("stanza", b"1\tx\t_\tX\t_\t_\t0\tx\t_\tcoref_chains=end-id1,unit-id1\n"))
@example(("ecbplus", b'<Document doc_name="a"><token_anchor t_id="1"/></Document>'))
def test_damaged_files_are_read_or_refused_and_nothing_else(
    sample: tuple[str, bytes],
) -> None:
    name, data = sample
    format_name = name.removesuffix("-chain")
    with TemporaryDirectory() as folder:
        path = put(folder, name, data)
        readings: tuple[Reading, ...] = ("strict", "lenient")
        for reading in readings:
            for asked in (None, format_name):
                refused = refusal(path, asked, reading)
                assert refused is None or str(folder) in refused
        check(path)


def refusal(path: Path, name: str | None, reading: Reading) -> str | None:
    """Read a file, and return the message if it cannot be read."""
    try:
        read_file(path, role="response", format=name, reading=reading, with_tokens=True)
    except scoref.ScorefError as error:
        return str(error)
    return None


@pytest.mark.parametrize("name", SAMPLES)
def test_offsets_beyond_the_text_are_refused(name: str, tmp_path: Path) -> None:
    beyond = {
        "webanno": ("1-2[0_1]", "1-9[0_1]"),
        "webanno-chain": ("1-1.1\t0-1", "1-1.1\t0-9"),
        "stanza": ("unit-id1\n\n", "end-id7\n\n"),
        "booknlp": ("1\t4\t4", "1\t4\t44"),
        "brat": ("13 16", "13 160"),
        "litbank-brat": ("13 16", "13 160"),
        "litbank-tsv": ("1\t0\t1\t1", "1\t0\t1\t9"),
        "ecbplus": ('anchor t_id="1"', 'anchor t_id="9"'),
    }
    if name not in beyond:
        pytest.skip("tables have no text")
    before, after = beyond[name]
    text = SAMPLES[name][1]
    assert before in text
    path = put(str(tmp_path), name, text.replace(before, after).encode())
    with pytest.raises(scoref.FormatError) as error:
        read_file(path, role="key")
    assert error.value.line
