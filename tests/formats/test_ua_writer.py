"""The writer of Universal Anaphora: what it writes reads back as the same mentions."""

from __future__ import annotations

import re
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING

import numpy as np
import pytest
from hypothesis import event, given
from hypothesis import strategies as st

from scoref import AlignmentError, FormatError
from scoref.formats import conll2012, corefud, json_lines
from scoref.formats.entities import EntityPairs
from scoref.formats.ua_writer import write
from support.golden import GOLDEN
from support.ua_files import (
    HEADER,
    anaphora_of,
    cells_of,
    conllu,
    put_into,
    read_back,
    ua,
    words_of,
)

if TYPE_CHECKING:
    from scoref.model import Corpus


def _content(corpus: Corpus) -> dict[str, object]:
    """Return the content of a corpus, whatever the order of its mentions."""
    words, anaphora = words_of(corpus), anaphora_of(corpus)
    assert words.minimum is not None
    members = np.split(words.member, words.start[1:-1])
    minimums = np.split(words.minimum.member, words.minimum.start[1:-1])
    documents = corpus.entity_document.tolist()
    entities = list(zip(documents, corpus.entity_label, strict=True))
    names = [
        (documents[entity], anaphora.markable[row])
        for row, entity in enumerate(corpus.mention_entity.tolist())
    ]
    return {
        "mentions": sorted(
            (name, entities[entity], member.tolist(), minimum.tolist())
            for name, entity, member, minimum in zip(
                names, corpus.mention_entity.tolist(), members, minimums, strict=False
            )
        ),
        "pseudo": {entities[row] for row in np.flatnonzero(~anaphora.is_referring)},
        "plurals": {
            (entities[plural], entities[element])
            for plural, element in zip(anaphora.plural, anaphora.element, strict=True)
        },
        "bridges": {
            (names[anaphor], names[antecedent], relation)
            for anaphor, antecedent, relation in zip(
                anaphora.anaphor, anaphora.antecedent, anaphora.relation, strict=True
            )
        },
    }


@dataclass
class _Document:
    """The lines of a document, and what stands in their cells."""

    ids: list[str] = field(default_factory=list)
    identity: dict[int, str] = field(default_factory=dict)
    bridging: dict[int, str] = field(default_factory=dict)

    def add(self, cells: dict[int, str], line: int, text: str) -> None:
        cells[line] = cells.get(line, "") + text

    def add_mention(self, name: str, opening: str, lines: list[int]) -> None:
        """Write brackets with names in the plainest way, a part for each run."""
        words = [line for line, node in enumerate(self.ids) if "." not in node]
        places = [words.index(line) if line in words else -9 for line in lines]
        for at, place in enumerate(places):
            is_first = at == 0 or places[at - 1] != place - 1
            is_last = at == len(places) - 1 or places[at + 1] != place + 1
            line = lines[at]
            if is_first:
                self.add(self.identity, line, opening + ")" * is_last)
            elif is_last:
                before = self.identity.get(line, "")
                self.identity[line] = f"{name}){before}"


@st.composite
def _documents(draw: st.DrawFn) -> _Document:
    document = _Document()
    for number in range(1, draw(st.integers(1, 8)) + 1):
        document.ids += ["0.1"] * (number == 1 and draw(st.booleans()))
        document.ids += [f"{number}-{number + 1}"] * draw(_SELDOM)
        document.ids += [
            str(number),
            *[f"{number}.{k}" for k in (1, 2)][: draw(_ZEROS)],
        ]
    zeros = [line for line, node in enumerate(document.ids) if "." in node]
    words = [line for line, node in enumerate(document.ids) if "." not in node]
    sets = st.sets(st.sampled_from(words), min_size=1, max_size=6).map(sorted)
    spans = st.tuples(*[st.integers(0, len(words) - 1)] * 2).map(
        lambda ends: words[min(ends) : max(ends) + 1]
    )
    choices = [sets, spans, spans]
    choices += [st.sampled_from(zeros).map(lambda line: [line])] * bool(zeros)
    pseudo = draw(st.sampled_from([(), ("e2",), ("e1", "g")]))
    firsts = []
    for row, lines in enumerate(draw(st.lists(st.one_of(choices), max_size=7))):
        entity = draw(st.sampled_from(["e1", "e2", "x-7", "g"]))
        opening = (
            f"(EntityID={entity}{'-Pseudo' * (entity in pseudo)}|MarkableID=m{row}"
        )
        ends = draw(st.tuples(*[st.integers(1, len(words))] * 2))
        text = (
            f"|Min={min(ends)},{max(ends)}" if ends[0] != ends[1] else f"|Min={ends[0]}"
        )
        opening += draw(st.sampled_from(["", text]))
        opening += draw(st.sampled_from(["", "", "|ElementOf=g", "|ElementOf=e1,e2"]))
        document.add_mention(f"m{row}", opening, lines)
        firsts.append(lines[0])
    for row, line in enumerate(firsts):
        if draw(st.booleans()):
            relation = draw(st.sampled_from(["", "|Rel=part"]))
            anchor = draw(st.integers(0, len(firsts) - 1))
            text = f"(MarkableID=m{row}{relation}|MentionAnchor=m{anchor})"
            document.add(document.bridging, line, text)
    return document


_GARBAGE = ["", "\n", "\t", "\r", "#", " ", "9", ".", "-", "(", "# newdoc\n", HEADER]

_ZEROS = st.sampled_from([0, 0, 0, 1, 2])

_SELDOM = st.sampled_from([0, 0, 0, 1])


@st.composite
def _texts(draw: st.DrawFn) -> tuple[str, str]:
    """Draw a file, and the same without its last five columns."""
    full, plain = [HEADER], [""]
    for number, document in enumerate(draw(st.lists(_documents(), min_size=1))):
        comment = f"# newdoc id = d{number}\n"
        lines, bare = [comment], [comment]
        for line, node in enumerate(document.ids):
            bare.append(conllu(node).rstrip() + "\n" * draw(st.sampled_from([1, 1, 2])))
            cells = document.identity.get(line, "_"), document.bridging.get(line, "_")
            rest = "\t".join([bare[-1].rstrip("\n"), *cells, *"___"])
            lines.append(rest + "\n" * bare[-1].count("\n"))
        full += lines
        plain += bare
    return "".join(full), "".join(plain)


@given(texts=_texts())
def test_what_is_written_reads_back(texts: tuple[str, str]) -> None:
    full, plain = texts
    corpus = read_back(full)
    written = put_into(corpus, full)
    event(f"closings have names: {re.search(r'm[0-9]+[)]', written) is not None}")
    assert _content(read_back(written)) == _content(corpus)
    assert put_into(corpus, plain) == written
    assert put_into(read_back(written), written) == written


@given(
    texts=_texts(),
    edits=st.lists(st.tuples(st.integers(0, 999), st.sampled_from(_GARBAGE))),
)
def test_a_file_of_garbage_is_refused_or_written_into(
    texts: tuple[str, str], edits: list[tuple[int, str]]
) -> None:
    full, base = texts
    for place, piece in edits:
        base = base[:place] + piece + base[place + 1 :]
    try:
        written = put_into(read_back(full), base)
    except FormatError as error:
        assert error.problem  # noqa: PT017 - either this or a file
    else:
        assert _content(read_back(written)) == _content(read_back(full))


@given(texts=_texts(), deixis=st.booleans())
def test_all_else_stays_as_it_is(texts: tuple[str, str], *, deixis: bool) -> None:
    full, _ = texts
    base = full.replace("\n", "\r\n")
    written = write(read_back(full), base.encode(), deixis=deixis).decode()
    column = 12 if deixis else 10
    for before, after in zip(base.split("\n"), written.split("\n"), strict=True):
        cells, new = before.split("\t"), after.split("\t")
        for place in (column,) if deixis else (10, 11):
            cells[place:] = [*new[place : place + 1], *cells[place + 1 :]]
        assert cells == new


def test_golden_files_read_back() -> None:
    for path in sorted(GOLDEN.glob("ua/*.ua")):
        data = path.read_bytes()
        corpus = read_back(data)
        assert _content(read_back(write(corpus, data))) == _content(corpus)


def test_names_that_cannot_be_written_are_replaced_in_their_document() -> None:
    text = ua("1 (e1:m1)", "2 (e2:m2|ElementOf=e1)", "3 (e3:m3)")
    text += "# newdoc id = e\n" + ua("1 (e9:m9)", header="").partition("\n")[2]
    corpus = read_back(text)
    for labels in (("a b", "x", "y"), ("x", "x", "y"), ("x", "y-Pseudo", ""), "a,)"):
        changed = replace(corpus, entity_label=(*labels, *corpus.entity_label[3:]))
        again = read_back(put_into(changed, text))
        assert again.entity_label == ("e1", "e2", "e3", "e9")
        assert _content(again) == _content(corpus)


# Cells


def test_closings_are_bare_if_nothing_crosses() -> None:
    text = ua("1 (e1:m1(e2:m2", "2 m2)m1)", "3 (e1:m3)")
    assert cells_of(put_into(read_back(text), text)) == [
        "(EntityID=e1|MarkableID=m1(EntityID=e2|MarkableID=m2",
        "))",
        "(EntityID=e1|MarkableID=m3)",
    ]


def test_all_closings_of_a_file_have_names_if_two_cross() -> None:
    text = ua("1 (e1:m1", "2 )", "3 (e1:m3", "4 (e2:m4", "5 m3)", "6 m4)")
    assert cells_of(put_into(read_back(text), text))[1::2] == [
        *("m1)", "(EntityID=e2|MarkableID=m4", "m4)"),
    ]


def test_brackets_close_innermost_first_and_open_longest_first() -> None:
    text = ua("1 (a:m1)(b:m2(c:m3", "2 )", "3 )(d:m4)(e:m5", "4 )")
    assert cells_of(put_into(read_back(text), text)) == [
        "(EntityID=b|MarkableID=m2(EntityID=c|MarkableID=m3(EntityID=a|MarkableID=m1)",
        ")",
        ")(EntityID=e|MarkableID=m5(EntityID=d|MarkableID=m4)",
        ")",
    ]


def test_a_mention_with_a_gap_is_written_in_parts() -> None:
    text = ua("1 (e1-Pseudo:m1|Min=1,2", "2 )", "3", "4 (e1-Pseudo:m1)")
    assert cells_of(put_into(read_back(text), text)) == [
        "(EntityID=e1-Pseudo|MarkableID=m1|Min=1,2",
        ")",
        "_",
        "(EntityID=e1-Pseudo|MarkableID=m1|Min=1,2)",
    ]


def test_a_minimum_with_a_gap_is_not_written() -> None:
    text = ua("1 (e1:m1|Min=1,3", "2", "3 )")
    corpus = read_back(text)
    words = words_of(corpus)
    assert words.minimum is not None
    start = np.array([0, 2])
    minimum = words.minimum._replace(start=start, member=words.minimum.member[[0, 2]])
    changed = replace(corpus, words=words._replace(minimum=minimum))
    assert cells_of(put_into(changed, text))[0] == "(EntityID=e1|MarkableID=m1"


def test_markables_without_a_name_of_their_own_are_numbered() -> None:
    text = ua("1 (e1:m1)", "2 (e2:m2)", "3 (e1:m3) (MarkableID=m3|MentionAnchor=m2)")
    corpus = read_back(text)
    twice = anaphora_of(corpus)._replace(markable=("m", "m", "n"))
    written = put_into(replace(corpus, anaphora=twice), text)
    assert cells_of(written)[1] == "(EntityID=e2|MarkableID=markable_3)"
    assert cells_of(written, 11)[2] == (
        "(MarkableID=markable_2|MentionAnchor=markable_3)"
    )


def test_bridging_stays_where_the_corpus_knows_of_none() -> None:
    text = ua("1 (e1:m1) (MarkableID=m1|MentionAnchor=m1)")
    corpus = read_back(text)
    assert cells_of(put_into(replace(corpus, anaphora=None), text), 11) == cells_of(
        text, 11
    )
    none = ua("1 (e1:m1)")
    assert cells_of(put_into(read_back(none), text), 11) == ["_"]


def test_a_relation_that_cannot_be_written_is_refused() -> None:
    text = ua("1 (e1:m1) (MarkableID=m1|MentionAnchor=m1)")
    corpus = read_back(text)
    odd = replace(corpus, anaphora=anaphora_of(corpus)._replace(relation=("a b",)))
    with pytest.raises(FormatError, match="cannot write the relation 'a b'"):
        put_into(odd, text)


def test_deixis_is_written_into_its_own_column() -> None:
    text = ua("1 (e1:m1) _ (x:m7)", "2")
    corpus = read_back(text, deixis=True)
    base = ua("1 (e1:m1)", "2 junk")
    written = put_into(corpus, base, deixis=True)
    assert cells_of(written) == cells_of(base)
    assert cells_of(written, 12) == ["(EntityID=x|MarkableID=m7)", "_"]


def test_missing_columns_and_headers_are_added() -> None:
    corpus = read_back(ua("1 (e1:m1)", "2"))
    plain = "# newdoc id = d\r\n" + conllu("1", "2").replace("\n", "\r\n")
    written = put_into(corpus, "\N{ZERO WIDTH NO-BREAK SPACE}" + plain)
    assert written.startswith(
        "\N{ZERO WIDTH NO-BREAK SPACE}" + HEADER.strip() + "\r\n#"
    )
    cell = "\t(EntityID=e1|MarkableID=m1)\t_\t_\t_\t_\r\n"
    assert written.endswith(
        plain.replace("A=1\r\n2", "A=1" + cell + "2").replace(
            "A=1\r\n\r", "A=1" + "\t_" * 5 + "\r\n\r"
        )
    )


def test_missing_columns_are_added_to_a_header() -> None:
    corpus = read_back(ua("1 (e1:m1)", "2"))
    base = "# global.columns = ID IDENTITY FORM\n# newdoc id = d\n1 x  w1\n 2 _ w2 \n"
    assert put_into(corpus, base) == (
        "# global.columns = ID IDENTITY FORM BRIDGING\n# newdoc id = d\n"
        "1 (EntityID=e1|MarkableID=m1)  w1 _\n 2 _ w2 _ \n"
    )


# Corpora of other formats


def test_mentions_of_corefud_are_found_by_sentence_and_number() -> None:
    header = "# newdoc id = d\n# global.Entity = eid-etype-head\n"
    plain = header + conllu("1", "2-3", "2", "3", "3.7") + conllu("1", "2", "3-4", "3")
    parts = plain.split("A=1")
    values = ["(e1-x-1", "_", "_", "e1)", "(e2-x-1)", "(e2[1/2]-x-1)", "_", "(e1-x-1)"]
    values.append("(e2[2/2]-x-1)")
    text = "".join(
        part + (f"Entity={value}" if value != "_" else "_")
        for part, value in zip(parts, values, strict=False)
    )
    corpus = corefud.read((text + parts[-1]).encode(), source="x.conllu")
    again = read_back(put_into(corpus, plain))
    assert cells_of(put_into(corpus, plain)) == [
        *("(EntityID=e1|MarkableID=markable_1", "_", "_", ")"),
        "(EntityID=e2|MarkableID=markable_2)",
        "(EntityID=e2|MarkableID=markable_3)",
        *("_", "_", "(EntityID=e2|MarkableID=markable_3)"),
    ]
    assert again.entity_label == ("e1", "e2")


def test_a_mention_of_a_zero_and_words_is_refused() -> None:
    header = "# newdoc id = d\n# global.Entity = eid-etype-head\n"
    plain = header + conllu("1", "1.1", "2")
    first, last = "1\tw1\t_\tNOUN\t_\t_\t0\tx\t_\t", "2\tw2\t_\tNOUN\t_\t_\t0\tx\t_\t"
    text = plain.replace(first + "A=1", first + "Entity=(e1-x-1")
    text = text.replace(last + "A=1", last + "Entity=e1)")
    corpus = corefud.read(text.encode(), source="x.conllu")
    with pytest.raises(FormatError) as caught:
        put_into(corpus, plain)
    error = caught.value
    assert (error.source, error.line) == ("base.ua", 4)
    assert error.problem == "a mention of entity e1 contains this zero and other words"
    assert (
        "In Universal Anaphora a zero is its own mention. Leave out the empty node or "
        "the mention." in error.hint
    )


CONLL_2012 = """#begin document (d); part 000
d 0 0 w1 (0)|(1
d 0 1 w2 -
d 0 2 w3 1)
#end document
"""


def test_spans_are_tokens_of_their_document() -> None:
    base = "# newdoc id = d\n" + conllu("1", "1.1", "2-3", "2") + conllu("3")
    corpus = conll2012.read(CONLL_2012.encode(), source="x.conll")
    written = put_into(corpus, base)
    assert cells_of(written) == [
        "(EntityID=1|MarkableID=markable_2(EntityID=0|MarkableID=markable_1)",
        *("_", "_", "_", ")"),
    ]
    line = b'{"doc_key": "d", "clusters": [[[0, 0]], [[0, 2]]], "sentences": [["w1"], '
    line += b'["w2", "w3"]]}'
    lines = json_lines.read(line, source="x.jsonl", role="key")
    assert put_into(lines, base) == written


REFUSED = {
    "another number of documents": (
        ua("1 (e1:m1)", "2") + ua("1", header="").replace("id = d", "id = e"),
        "this file has 1 documents, but x.ua has 2",
        None,
    ),
    "another number of words": (
        ua("1", "2", "3"),
        "document 'd' has 2 words here, but document 'd' of x.ua has 3",
        1,
    ),
    "another word": (
        ua("1", "7"),
        "this word is 'w2', but the corpus has 'w7'",
        3,
    ),
    "no such zero": (
        ua("1", "1.1 (e1:m1)", "2"),
        "a mention contains a zero that this file lacks",
        None,
    ),
}


@pytest.mark.parametrize(("text", "problem", "line"), REFUSED.values(), ids=REFUSED)
def test_another_text_is_refused(text: str, problem: str, line: int | None) -> None:
    with pytest.raises(AlignmentError) as caught:
        put_into(read_back(text), "# newdoc id = d\n" + conllu("1", "2"))
    error = caught.value
    assert (error.source, error.problem, error.line) == ("base.ua", problem, line)
    assert error.hint


def test_documents_in_another_order_are_refused() -> None:
    text = ua("1 (e1:m1)") + ua("1", header="").replace("id = d", "id = e")
    base = ua("1").replace("id = d", "id = e") + ua("1", header="")
    with pytest.raises(AlignmentError, match="document 'e' has 1 words here, but"):
        put_into(read_back(text), base)


def test_other_sentences_than_those_of_corefud_are_refused() -> None:
    plain = "# newdoc id = d\n" + conllu("1", "2") + conllu("1")
    corpus = corefud.read(plain.encode(), source="x.conllu")
    with pytest.raises(
        AlignmentError, match="this file has 1 sentences, but the corpus has 2"
    ):
        put_into(corpus, "# newdoc id = d\n" + conllu("1", "2", "1"))
    with pytest.raises(AlignmentError, match="in another document") as caught:
        put_into(corpus, plain.replace("\n\n", "\n\n# newdoc id = e\n", 1))
    assert caught.value.line == 6
    with pytest.raises(AlignmentError, match="in another place") as caught:
        put_into(corpus, "# newdoc id = d\n" + conllu("1") + conllu("2", "1"))
    assert caught.value.line == 4
    with pytest.raises(AlignmentError, match="2 words, but the corpus has 3"):
        put_into(corpus, "# newdoc id = d\n" + conllu("1", "2") + conllu("0.1"))


def test_spans_beyond_a_document_are_refused() -> None:
    line = b'{"doc_key": "d", "clusters": [[[0, 0], [1, 5]]]}'
    corpus = json_lines.read(line, source="x.jsonl", role="key")
    with pytest.raises(AlignmentError, match="from token 1 to 5 goes beyond"):
        put_into(corpus, "# newdoc id = d\n" + conllu("1", "2"))


def test_a_base_with_too_few_columns_is_refused() -> None:
    with pytest.raises(FormatError, match="3 columns instead of 10") as caught:
        put_into(read_back(ua("1 (e1:m1)")), "# newdoc id = d\n1\tw1\t_\n")
    assert caught.value.line == 2


def test_mentions_without_words_are_refused() -> None:
    corpus, _ = EntityPairs.of([["a", "b"]], [["a"]]).build()
    with pytest.raises(
        FormatError, match="these mentions are plain values, not words of a text"
    ):
        put_into(corpus, "# newdoc id = d\n" + conllu("1", "2"))


def test_a_document_with_a_fault_is_refused() -> None:
    text = ua("1 (e1:m1)")
    fault = FormatError("broken", source="x.ua")
    with pytest.raises(FormatError, match="broken"):
        put_into(replace(read_back(text), faults={0: fault}), text)


def test_split_antecedents_of_corefud_are_written() -> None:
    cells = ["Entity=(e1--1-)", "Entity=(e2--1-)"]
    cells.append("Entity=(e3--1-)|SplitAnte=e1<e3,e2<e3")
    plain = "# newdoc id = d\n" + conllu("1", "2", "3")
    text = "# global.Entity = eid-etype-head-other\n" + plain
    for cell in cells:
        text = text.replace("A=1", cell, 1)
    corpus = corefud.read(text.encode(), source="x.conllu")
    again = read_back(put_into(corpus, plain))
    assert len(again.mention_entity) == 3
    assert len(anaphora_of(again).plural) == 2
