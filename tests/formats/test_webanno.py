"""WebAnno TSV 3: chains, or spans and relations; GUM's habits and INCEpTION's."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

import pytest

from scoref import FormatError
from scoref.formats import webanno
from scoref.formats.reading import read_data
from support.span_lists import spans_of, words_of

if TYPE_CHECKING:
    from scoref.model import Corpus

CHAINS = "#T_CH=x.CoreferenceLink|referenceType|referenceRelation\n"
SPANS = "#T_SP=w.Referent|entity|infstat\n#T_RL=w.Coref|type|BT_w.Referent\n"


def read(header: str, *rows: str, version: str = "3.2") -> Corpus:
    text = f"#FORMAT=WebAnno TSV {version}\n{header}\n\n#Text=…\n"
    data = (text + "".join(f"{row}\n" for row in rows)).encode()
    return read_data(data, source="one.tsv", role="key", with_tokens=True)


def entities(*rows: str, header: str = SPANS) -> list[list[tuple[int, int]]]:
    return spans_of(read(header, *rows))["one"]


def test_a_chain_has_links_of_one_or_more_words() -> None:
    found = read(
        CHAINS,
        "1-1\t0-3\tMia\tCM[1]\tcoref->1-1\t",
        "1-2\t4-7\tand\tCM[2]\t*->2-1\t",
        "1-3\t8-10\tBo\tCM[2]|CM[1]\t*->2-1|coref->1-2\t",
        "",
        "#Text=…",
        "2-1\t11-14\tshe\tCM[1]\tx\\->y->1-3\t",
    )
    assert spans_of(found) == {"one": [[(0, 0), (2, 2), (3, 3)], [(1, 2)]]}
    assert words_of(found) == ["Mia", "and", "Bo", "she"]
    assert found.tokens is not None
    assert found.tokens.sentence.tolist() == [1, 1, 1, 2]
    assert (found.format, found.document_tokens.tolist()) == ("webanno", [4])  # type: ignore[union-attr]


def test_columns_of_chains_may_come_in_the_other_order() -> None:
    header = (
        "#T_SP=x.Other|a|b\n#T_CH=x.CoreferenceLink|referenceRelation|referenceType\n"
    )
    row = "1-1\t0-3\tMia\t_\t_\tcoref->1-1\tCM[1]\t"
    assert entities(row, header=header) == [[(0, 0)]]


def test_relations_join_spans_by_their_numbers() -> None:
    assert entities(
        "1-1\t0-3\tMia\tperson[1]\tnew[1]\tcoref\t2-1[4_1]\t",
        "1-2\t4-7\tand\tperson[1]|person[2]\tnew[1]|new[2]\t_\t_\t",
        "2-1\t8-11\tshe\tperson[4]\tgiv[4]\t_\t_\t",
    ) == [[(0, 1), (2, 2)], [(1, 1)]]


def test_a_span_without_a_number_is_one_word() -> None:
    assert entities(
        "1-1\t0-3\tMia\tperson\tnew\tana\t1-2\t",
        "1-2\t4-7\tshe\tperson\tgiv\t_\t_\t",
        "1-3\t8-11\ther\tperson[4]\tgiv[4]\tcoref\t1-2[0_4]\t",
    ) == [[(0, 0), (1, 1), (2, 2)]]


def test_bridging_joins_nothing() -> None:
    found = read(
        SPANS,
        "1-1\t0-3\tMia\tperson\tnew\tbridge:other\t1-2\t",
        "1-2\t4-7\thand\tobject\tnew\tcoref\t1-1\t",
    )
    assert spans_of(found) == {"one": [[(0, 0), (1, 1)]]}
    assert not found.notes


def test_unknown_names_of_relations_join_and_are_listed() -> None:
    found = read(
        SPANS,
        "1-1\t0-3\tMia\tperson\tnew\tIdentisch\t1-2\t",
        "1-2\t4-7\tshe\tperson\tnew\t*\t1-1\t",
    )
    assert spans_of(found) == {"one": [[(0, 0), (1, 1)]]}
    (note,) = found.notes
    assert note.message == (
        "Relations that join mentions in one.tsv: Identisch (1), * (1). "
        "Use --relations to choose."
    )


def test_relations_can_be_chosen() -> None:
    text = f"#FORMAT=WebAnno TSV 3.2\n{SPANS}\n\n#Text=…\n"
    rows = (
        "1-1\t0-3\tMia\tperson\tnew\tana\t1-2\t\n"
        "1-2\t4-7\tshe\tperson\tnew\tpart\t1-3\t\n"
        "1-3\t8-9\tx\tperson\tnew\t_\t_\t\n"
    )
    found = read_data(
        (text + rows).encode(),
        source="one.tsv",
        role="key",
        relations=("ana",),
    )
    assert spans_of(found) == {"one": [[(0, 0), (1, 1)], [(2, 2)]]}


def test_nothing_in_the_first_feature_is_no_span() -> None:
    """OntoGUM takes singletons out so, and leaves their other columns."""
    assert entities("1-1\t0-3\tMia\t_\tcf1[1]\t_\t_\t") == []


def test_the_last_tab_may_be_missing_and_other_comments_are_passed_over() -> None:
    header = SPANS + "#Summary1=(human1) x\n"
    assert entities("1-1\t0-3\tMia\tperson\tnew\t_\t_", header=header) == [[(0, 0)]]


def test_parts_of_words_cut_them() -> None:
    found = read(
        CHAINS,
        "1-1\t0-8\tbookshop\t_\t_\t",
        "1-1.1\t0-4\tbook\tCM[1]\tcoref->1-1\t",
        "1-2\t9-11\tit\tCM[1]\tcoref->1-2\t",
    )
    assert words_of(found) == ["book", "shop", "it"]
    assert spans_of(found) == {"one": [[(0, 0), (2, 2)]]}


def test_offsets_are_units_of_utf_16() -> None:
    found = read(
        CHAINS,
        "1-1\t0-4\t😀ab\t_\t_\t",
        "1-1.1\t2-4\tab\tCM[1]\tcoref->1-1\t",
    )
    assert words_of(found) == ["😀", "ab"]


@pytest.mark.parametrize(
    ("word", "offsets", "version", "expected"),
    [
        (r"\_", "0-1", "3.3", "_"),
        (r"\_", "0-1", "3.2", "_"),
        (r"a\b", "0-3", "3.2", r"a\b"),
        (r"a\b", "0-3", "3.3", r"a\b"),
        (r"\[x\]", "0-3", "3.3", "[x]"),
    ],
)
def test_escapes_of_words_are_taken_off_where_lengths_say_so(
    word: str, offsets: str, version: str, expected: str
) -> None:
    found = read(CHAINS, f"1-1\t{offsets}\t{word}\t_\t_\t", version=version)
    assert words_of(found) == [expected]


def test_trees_are_no_coreference() -> None:
    header = CHAINS + "#T_RL=x.type.Dependency|DependencyType|BT_x.POS\n"
    row = "1-1\t0-3\tMia\tCM[1]\tcoref->1-1\tnsubj\t1-1\t"
    assert entities(row, header=header) == [[(0, 0)]]


@pytest.mark.parametrize(
    ("header", "row", "line", "problem"),
    [
        (
            "#T_SP=a|b\n",
            "1-1\t0-3\tMia\t_\t",
            1,
            "the layer with the coreference annotation is not clear",
        ),
        (
            "#T_RL=r|type|BT_none\n",
            "1-1\t0-3\tMia\t_\t_\t",
            1,
            "relations of r join 'none', which is not a layer",
        ),
        (
            "#T_CH=x.CoreferenceLink|referenceType\n",
            "1-1\t0-3\tMia\tCM[1]\t",
            1,
            "the layer x.CoreferenceLink has no feature referenceRelation",
        ),
        (CHAINS, "1-1\t0-3\tMia", 6, "this row has 3 columns, but the header names 5"),
        (CHAINS, "1-1\tMia\t_\t_\t_", 6, "this is not the row of a word"),
        (CHAINS, "1-1\t0-3\tMia\tCM[1]\tcoref\t", 6, "cannot read 'coref'"),
        (
            CHAINS,
            "1-1.1\t0-3\tMia\t_\t_\t",
            6,
            "this is a part of word 1-1, which does not exist",
        ),
        (SPANS, "1-1\t0-3\tMia\tx[1]\t_\tana\t1-1[9_1]\t", 7, "there is no span '9'"),
        (SPANS, "1-1\t0-3\tMia\tx[1]\t_\tana\tup\t", 7, "cannot read 'up'"),
    ],
)
def test_what_cannot_be_read_is_refused_with_its_line(
    header: str, row: str, line: int, problem: str
) -> None:
    with pytest.raises(FormatError) as error:
        read(header, row)
    assert (error.value.problem, error.value.line) == (problem, line)


def test_a_file_without_words_is_refused() -> None:
    with pytest.raises(FormatError, match="this file has no word"):
        read(CHAINS)


@pytest.mark.parametrize("header", [CHAINS, SPANS])
def test_a_header_after_the_rows_names_more_columns_than_they_have(header: str) -> None:
    with pytest.raises(FormatError, match="has 3 columns, but the header names") as bad:
        read("", "1-1\t0-3\tMia", header.strip(), "1-2\t4-7\tand")
    assert bad.value.line == 5


WRITTEN = """\
#FORMAT=WebAnno TSV 3.3
#T_CH=de.tudarmstadt.ukp.dkpro.core.api.coref.type.CoreferenceLink|referenceType|referenceRelation


#Text=Mia 😀 \\\\o/
1-1\t0-3\tMia\t*[1]|*[2]\t*->1-1|*->2-1\t
1-2\t4-6\t😀\t*[2]\t*->2-1\t
1-3\t7-10\t\\o/\t_\t_\t

#Text=she
2-1\t11-14\tshe\t*[1]\t*->1-2\t
"""


def test_documents_are_written_as_inception_writes_them() -> None:
    line = {
        "doc_key": "a b",
        "sentences": [["Mia", "😀", "\\o/"], ["she"]],
        "clusters": [[[0, 0], [3, 3]], [[0, 1]]],
    }
    corpus = read_data(
        json.dumps(line).encode(), source="x", role="key", with_tokens=True
    )
    files = webanno.write(corpus)
    assert {name: data.decode() for name, data in files.items()} == {
        "a%20b.tsv": WRITTEN
    }
    again = read_data(
        files["a%20b.tsv"], source="a%20b.tsv", role="key", with_tokens=True
    )
    assert spans_of(again) == {"a b": [[(0, 0), (3, 3)], [(0, 1)]]}
    assert words_of(again) == ["Mia", "😀", "\\o/", "she"]
