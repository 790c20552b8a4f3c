"""Whatever becomes of a file in columns or XML, it is read or refused with a place."""

from __future__ import annotations

from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

import scoref
from scoref.formats import reading
from scoref.formats.reading import read as read_file
from scoref.tools.check.check import check
from support.corpus_values import mentions_by_document, tokens_by_document

if TYPE_CHECKING:
    from scoref.scheme import Reading

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
def damaged(draw: st.DrawFn) -> tuple[str, bytes]:
    """Take a sample, cut pieces out of it and put others in; or cut it off."""
    name = draw(st.sampled_from(sorted(SAMPLES)))
    data = SAMPLES[name][1].encode()
    for _ in range(draw(st.integers(1, 3))):
        start = draw(st.integers(0, len(data)))
        end = draw(st.integers(start, min(len(data), start + 12)))
        data = data[:start] + draw(st.sampled_from([b"", *PIECES])) + data[end:]
    return name, data[: draw(st.integers(0, len(data)))] if draw(
        st.booleans()
    ) else data


def put(folder: str, name: str, data: bytes) -> Path:
    """Write a sample, with what belongs beside it."""
    file, _, beside = SAMPLES[name]
    for other, text in beside.items():
        (Path(folder) / other).write_text(text, encoding="utf-8")
    path = Path(folder) / file
    path.write_bytes(data)
    return path


@pytest.mark.parametrize("name", SAMPLES)
def test_samples_are_what_they_are_called(name: str, tmp_path: Path) -> None:
    path = put(str(tmp_path), name, SAMPLES[name][1].encode())
    corpus = reading.read(path, role="key")
    assert corpus.format == name.removesuffix("-chain")
    assert len(corpus.mention_entity)
    assert not [each for each in check(path) if each.severity == "error"]


@pytest.mark.parametrize("name", SAMPLES)
def test_lines_may_end_in_cr_alone(name: str, tmp_path: Path) -> None:
    file, text, beside = SAMPLES[name]
    expected = reading.read(put(str(tmp_path), name, text.encode()), role="key")
    for other, data in {file: text, **beside}.items():
        (tmp_path / other).write_bytes(data.encode().replace(b"\n", b"\r"))
    corpus = reading.read(tmp_path / file, role="key")
    assert corpus.format == expected.format
    assert mentions_by_document(corpus) == mentions_by_document(expected)
    assert corpus.document_tokens is None or (
        tokens_by_document(corpus) == tokens_by_document(expected)
    )


@given(damaged())
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
            for said in (None, format_name):
                refused = refusal(path, said, reading)
                assert refused is None or str(folder) in refused
        check(path)


def refusal(path: Path, name: str | None, reading: Reading) -> str | None:
    """Read a file; give the message if it cannot be read."""
    try:
        read_file(path, role="response", format=name, reading=reading, with_tokens=True)
    except scoref.ScorefError as error:
        return str(error)
    return None


@pytest.mark.parametrize("name", SAMPLES)
def test_offsets_beyond_the_text_are_refused(name: str, tmp_path: Path) -> None:
    """Not of tables, which have no text."""
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
        pytest.skip("there is no text")
    before, after = beyond[name]
    text = SAMPLES[name][1]
    assert before in text
    path = put(str(tmp_path), name, text.replace(before, after).encode())
    with pytest.raises(scoref.FormatError) as error:
        reading.read(path, role="key")
    assert error.value.line
