"""Universal Anaphora, written: what is put into which cell."""

from __future__ import annotations

import re
from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np
import pytest

from scoref import FormatError
from scoref.formats import universal_anaphora
from scoref.formats.universal_anaphora_writer import write

if TYPE_CHECKING:
    from scoref.model import Anaphora, Corpus, Words

HEADER = (
    "# global.columns = ID FORM LEMMA UPOS XPOS FEATS HEAD DEPREL DEPS MISC "
    "IDENTITY BRIDGING DISCOURSE_DEIXIS REFERENCE NOM_SEM\n"
)


def _conllu(*ids: str) -> str:
    """Write a sentence without mentions."""
    return "".join(f"{n}\tw{n}\t_\tNOUN\t_\t_\t0\tx\t_\tA=1\n" for n in ids) + "\n"


def _ua(*words: str, header: str = HEADER) -> str:
    """Write document d of words such as '3.1 (e1:m1)': an id and up to three cells."""
    lines = []
    for word in words:
        text = re.sub(r"\(([^:()|=]+):(\w+)", r"(EntityID=\1|MarkableID=\2", word)
        number, *cells = text.split()
        cells += "_" * (3 - len(cells))
        lines.append(_conllu(number).strip() + "\t" + "\t".join([*cells, *"__"]) + "\n")
    return f"{header}# newdoc id = d\n{''.join(lines)}\n"


def _read(text: str | bytes, *, deixis: bool = False) -> Corpus:
    data = text.encode() if isinstance(text, str) else text
    return universal_anaphora.read(data, source="x.ua", deixis=deixis)


def _write(corpus: Corpus, base: str, *, deixis: bool = False) -> str:
    return write(corpus, base.encode(), source="base.ua", deixis=deixis).decode()


def _words(corpus: Corpus) -> Words:
    assert corpus.words is not None
    return corpus.words


def _anaphora(corpus: Corpus) -> Anaphora:
    assert corpus.anaphora is not None
    return corpus.anaphora


def _cells(text: str, column: int = 10) -> list[str]:
    """List the cells of a column, of words only."""
    lines = [line for line in text.splitlines() if line[:1].isdigit()]
    return [line.split("\t")[column] for line in lines]


def test_closings_are_bare_where_nothing_crosses() -> None:
    text = _ua("1 (e1:m1(e2:m2", "2 m2)m1)", "3 (e1:m3)")
    assert _cells(_write(_read(text), text)) == [
        "(EntityID=e1|MarkableID=m1(EntityID=e2|MarkableID=m2",
        "))",
        "(EntityID=e1|MarkableID=m3)",
    ]


def test_closings_have_names_all_through_a_file_where_two_cross() -> None:
    text = _ua("1 (e1:m1", "2 )", "3 (e1:m3", "4 (e2:m4", "5 m3)", "6 m4)")
    assert _cells(_write(_read(text), text))[1::2] == [
        *("m1)", "(EntityID=e2|MarkableID=m4", "m4)"),
    ]


def test_brackets_close_innermost_first_and_open_longest_first() -> None:
    text = _ua("1 (a:m1)(b:m2(c:m3", "2 )", "3 )(d:m4)(e:m5", "4 )")
    assert _cells(_write(_read(text), text)) == [
        "(EntityID=b|MarkableID=m2(EntityID=c|MarkableID=m3(EntityID=a|MarkableID=m1)",
        ")",
        ")(EntityID=e|MarkableID=m5(EntityID=d|MarkableID=m4)",
        ")",
    ]


def test_a_mention_with_a_gap_is_written_in_parts() -> None:
    text = _ua("1 (e1-Pseudo:m1|Min=1,2", "2 )", "3", "4 (e1-Pseudo:m1)")
    assert _cells(_write(_read(text), text)) == [
        "(EntityID=e1-Pseudo|MarkableID=m1|Min=1,2",
        ")",
        "_",
        "(EntityID=e1-Pseudo|MarkableID=m1|Min=1,2)",
    ]


def test_a_minimum_with_a_gap_is_not_written() -> None:
    text = _ua("1 (e1:m1|Min=1,3", "2", "3 )")
    corpus = _read(text)
    words = _words(corpus)
    assert words.minimum is not None
    start = np.array([0, 2])
    minimum = words.minimum._replace(start=start, member=words.minimum.member[[0, 2]])
    changed = replace(corpus, words=words._replace(minimum=minimum))
    assert _cells(_write(changed, text))[0] == "(EntityID=e1|MarkableID=m1"


def test_markables_without_a_name_of_their_own_are_numbered() -> None:
    text = _ua("1 (e1:m1)", "2 (e2:m2)", "3 (e1:m3) (MarkableID=m3|MentionAnchor=m2)")
    corpus = _read(text)
    twice = _anaphora(corpus)._replace(markable=("m", "m", "n"))
    written = _write(replace(corpus, anaphora=twice), text)
    assert _cells(written)[1] == "(EntityID=e2|MarkableID=markable_3)"
    assert _cells(written, 11)[2] == (
        "(MarkableID=markable_2|MentionAnchor=markable_3)"
    )


def test_bridging_stays_where_the_corpus_knows_of_none() -> None:
    text = _ua("1 (e1:m1) (MarkableID=m1|MentionAnchor=m1)")
    corpus = _read(text)
    assert _cells(_write(replace(corpus, anaphora=None), text), 11) == _cells(text, 11)
    none = _ua("1 (e1:m1)")
    assert _cells(_write(_read(none), text), 11) == ["_"]


def test_a_relation_that_cannot_be_written_is_refused() -> None:
    text = _ua("1 (e1:m1) (MarkableID=m1|MentionAnchor=m1)")
    corpus = _read(text)
    odd = replace(corpus, anaphora=_anaphora(corpus)._replace(relation=("a b",)))
    with pytest.raises(FormatError, match="the relation 'a b' cannot be written"):
        _write(odd, text)


def test_deixis_is_written_into_its_own_column() -> None:
    text = _ua("1 (e1:m1) _ (x:m7)", "2")
    corpus = _read(text, deixis=True)
    base = _ua("1 (e1:m1)", "2 junk")
    written = _write(corpus, base, deixis=True)
    assert _cells(written) == _cells(base)
    assert _cells(written, 12) == ["(EntityID=x|MarkableID=m7)", "_"]


def test_columns_and_the_header_are_added_where_they_lack() -> None:
    corpus = _read(_ua("1 (e1:m1)", "2"))
    plain = "# newdoc id = d\r\n" + _conllu("1", "2").replace("\n", "\r\n")
    written = _write(corpus, "\N{ZERO WIDTH NO-BREAK SPACE}" + plain)
    assert written.startswith(
        "\N{ZERO WIDTH NO-BREAK SPACE}" + HEADER.strip() + "\r\n#"
    )
    cell = "\t(EntityID=e1|MarkableID=m1)\t_\t_\t_\t_\r\n"
    assert written.endswith(
        plain.replace("A=1\r\n2", "A=1" + cell + "2").replace(
            "A=1\r\n\r", "A=1" + "\t_" * 5 + "\r\n\r"
        )
    )


def test_a_header_with_other_columns_gets_those_that_lack() -> None:
    corpus = _read(_ua("1 (e1:m1)", "2"))
    base = "# global.columns = ID IDENTITY FORM\n# newdoc id = d\n1 x  w1\n 2 _ w2 \n"
    assert _write(corpus, base) == (
        "# global.columns = ID IDENTITY FORM BRIDGING\n# newdoc id = d\n"
        "1 (EntityID=e1|MarkableID=m1)  w1 _\n 2 _ w2 _ \n"
    )
