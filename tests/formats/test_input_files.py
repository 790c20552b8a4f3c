"""Line ends: LF, CR LF and CR are read; a mixture of CR and LF is refused."""

from __future__ import annotations

import gzip
from typing import TYPE_CHECKING

import pytest

import scoref
from scoref import FormatError
from scoref.formats import reading
from scoref.tools.check.check import check_data
from scoref.tools.check.repairs import repair
from scoref.tools.convert.conversion import convert
from support.bad_files import CONLL, COREFUD, JSON, TAC, UA
from support.corpus_values import mentions_by_document

if TYPE_CHECKING:
    from pathlib import Path

    from scoref.model import Corpus

TABLE = b"document,entity,start,end\nd,0,0,0\nd,0,2,2\n"
TEXTS = {
    "conll-2012": CONLL,
    "corefud": COREFUD,
    "universal-anaphora": UA,
    "json-lines": JSON + JSON.replace(b'"d"', b'"e"', 1),
    "tac-edl": TAC,
    "mention-table": TABLE,
}
every_text = pytest.mark.parametrize("name", TEXTS)


def with_returns(data: bytes) -> bytes:
    return data.replace(b"\n", b"\r")


def read(data: bytes) -> Corpus:
    return reading.read_data(data, source="x", role="key")


@every_text
def test_lines_may_end_in_cr_alone(name: str, tmp_path: Path) -> None:
    expected = read(TEXTS[name])
    data = with_returns(TEXTS[name])
    path = tmp_path / "x"
    for written in (data, b"\xef\xbb\xbf" + data, data + b"\n", gzip.compress(data)):
        path.write_bytes(written)
        corpus = reading.read(path, role="key")
        assert corpus.format == name
        assert mentions_by_document(corpus) == mentions_by_document(expected)
        assert corpus.mention_line.tolist() == expected.mention_line.tolist()
    assert mentions_by_document(read(data)) == mentions_by_document(expected)


@every_text
def test_words_and_scores_are_the_same(name: str, tmp_path: Path) -> None:
    key, response = tmp_path / "key", tmp_path / "response"
    key.write_bytes(TEXTS[name])
    response.write_bytes(with_returns(TEXTS[name]))
    assert scoref.score(key, response).conll == 1
    if name != "tac-edl":
        made = [
            convert(each, "json-lines", lossy=True).data for each in (key, response)
        ]
        made.append(convert(response.read_bytes(), "json-lines", lossy=True).data)
        assert made == [made[0]] * 3


@every_text
def test_check_reports_cr_and_repairs_it(name: str) -> None:
    data = with_returns(TEXTS[name])
    before = {each.rule for each in check_data(TEXTS[name], source="x")}
    problems = check_data(data, source="x")
    assert {each.rule for each in problems} == before | {"cr-line-ends"}
    repaired = repair(data, source="x", rules=frozenset(["cr-line-ends"]))
    assert repaired.data == TEXTS[name]
    assert repaired.counts == {"cr-line-ends": 1}


@pytest.mark.parametrize("name", ["conll-2012", "corefud", "universal-anaphora"])
def test_a_mixture_of_cr_and_lf_is_refused(name: str) -> None:
    text = TEXTS[name]
    data = text + with_returns(text).replace(b"d", b"e") + text + text
    line = text.count(b"\n") + 1
    for mixed, place in ((data, line), (text.replace(b"\n", b"\r", 1), 1)):
        with pytest.raises(FormatError) as caught:
            read(mixed)
        assert caught.value.line == place
        assert caught.value.problem == (
            "this line contains a CR: some lines seem to end in CR, others in LF"
        )
        rules = [(each.rule, each.line) for each in check_data(mixed, source="x")]
        assert rules == [("mixed-line-ends", place)]


def test_json_lines_may_mix_cr_and_lf() -> None:
    lines = [JSON.replace(b'"d"', f'"{name}"'.encode(), 1) for name in "abcd"]
    mixed = b"".join([*lines[:3], lines[2][:-1].replace(b'"c"', b'"e"') + b"\r"])
    mixed += lines[3]
    assert [name.name for name in read(mixed).documents] == [*"abced"]


def test_tables_may_mix_cr_and_lf_and_have_cr_in_cells() -> None:
    table = b'document,entity,start,end,text\nd,0,0,0,"A\rB"\nd,0,2,2,C\rd,0,4,4,D\n'
    assert mentions_by_document(read(table)) == {"d": {"0": [(0, 0), (2, 2), (4, 4)]}}


def test_cr_before_cr_lf_is_no_mixture() -> None:
    data = CONLL.replace(b"\n", b"\r\r\n")
    assert mentions_by_document(read(data)) == mentions_by_document(read(CONLL))
