"""The writer of CorefUD: what it writes reads back as the same mentions."""

from __future__ import annotations

import re
from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np
import pytest
from hypothesis import assume, event, given
from hypothesis import strategies as st

from scoref import AlignmentError, FormatError
from scoref.formats import conll2012, corefud, json_lines
from scoref.formats.corefud_writer import write
from scoref.formats.entities import EntityPairs
from scoref.formats.reading import read as read_file
from support.golden import GOLDEN
from support.paths import EXAMPLES

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence
    from pathlib import Path

    from scoref.model import Corpus, Ints, Words

OFFICIAL = sorted(GOLDEN.glob("corefud*/*.conllu"))
HEADER = "# global.Entity = eid-etype-head-other\n"

Node = tuple[int, int, int]
Mention = tuple[tuple[Node, ...], Node]
Entity = tuple[int, str, list[Mention]]


def _line(number: str, misc: str = "_") -> str:
    return f"{number}\tw{number}\t_\tNOUN\t_\t_\t0\troot\t0:root\t{misc}\n"


def _sentence(*values: str | tuple[str, str]) -> str:
    """Write words 1, 2, ... with what MISC says of them; a pair names its node."""
    lines, number = [], 0
    for value in values:
        if isinstance(value, tuple):
            lines.append(_line(*value))
        else:
            number += 1
            lines.append(_line(str(number), value))
    return "".join(lines) + "\n"


def _read(text: str | bytes) -> Corpus:
    data = text.encode() if isinstance(text, str) else text
    return corefud.read(data, source="x.conllu")


def _words(corpus: Corpus) -> Words:
    assert corpus.words is not None
    return corpus.words


def _node(code: int) -> Node:
    return code >> 32, code >> 12 & 0xFFFFF, code & 0xFFF


def _entities_of(corpus: Corpus, *, with_labels: bool = True) -> list[Entity]:
    """List entities in order; their mentions as words and heads, sorted by words."""
    words = _words(corpus)
    entities: list[Entity] = [
        (document, label if with_labels else "", [])
        for document, label in zip(
            corpus.entity_document.tolist(), corpus.entity_label, strict=True
        )
    ]
    for row, entity in enumerate(corpus.mention_entity.tolist()):
        member = words.member[words.start[row] : words.start[row + 1]]
        nodes = tuple(_node(code) for code in np.unique(member).tolist())
        entities[entity][2].append((nodes, _node(int(words.head[row]))))
    for _, _, mentions in entities:
        mentions.sort(key=lambda mention: mention[0])
    return entities


def _mentions(text: str | bytes) -> dict[str, list[tuple[list[str], str]]]:
    """List mentions of a file with one sentence by label, as ids of nodes."""

    def shown(node: Node) -> str:
        return f"{node[1]}.{node[2]}" if node[2] else str(node[1])

    return {
        label: [(list(map(shown, words)), shown(head)) for words, head in mentions]
        for _, label, mentions in _entities_of(_read(text))
    }


def _rewrite(text: str) -> str:
    return write(_read(text), text.encode()).decode()


def _entity_values(text: str) -> list[str]:
    return re.findall(r"Entity=([^|\s]*)", text)


@st.composite
def _nodes(draw: st.DrawFn) -> list[str]:
    """Draw the ids of a sentence's words and empty nodes."""
    ids = ["0.1"] * draw(st.booleans())
    for number in range(1, draw(st.integers(1, 9)) + 1):
        ids += [str(number), *[f"{number}.{n}" for n in (1, 2)][: draw(_EMPTY_NODES)]]
    return ids


_EMPTY_NODES = st.sampled_from([0, 0, 0, 0, 1, 2])
_LABELS = ["e1", "e2", "x7"]


@st.composite
def _texts(draw: st.DrawFn) -> tuple[str, list[list[str]]]:
    """Draw CoNLL-U without mentions, and the nodes of its sentences."""
    parts, sentences = [], []
    for number in range(draw(st.integers(1, 3))):
        parts += [f"# newdoc id = d{number}\n"] * draw(st.booleans())
        for _ in range(draw(st.integers(1, 2))):
            sentences.append(draw(_nodes()))
            misc = draw(st.sampled_from(["_", "SpaceAfter=No", "A=1|Bridge=e1<e2"]))
            parts += [_line(node, misc) for node in sentences[-1]]
            parts.append("\n")
    text = "".join(parts)
    return (text.replace("\n", "\r\n") if draw(st.booleans()) else text), sentences


class _Brackets:
    """One entity's brackets, drawn node by node so that a reader takes them."""

    def __init__(self, draw: st.DrawFn, label: str) -> None:
        self._draw, self._label = draw, label
        self._open: list[tuple[int, str, bool]] = []
        self._lacking = 0

    def at(self, node: int, *, is_last: bool) -> tuple[str, str]:
        closing = opening = ""
        while self._open and self._open[-1][0] < node and (is_last or self._chance(3)):
            _, part, lacks = self._open.pop()
            self._lacking += lacks
            closing += f"{self._label}{part})"
        while self._chance(4):
            part = self._part()
            opening += f"({self._label}{part}--1-"
            if is_last or self._chance(2):
                opening += ")"
                self._lacking += part in {"[1/2]", "[2/3]"}
            else:
                self._open.append((node, part, part in {"[1/2]", "[2/3]"}))
        if is_last:
            self._lacking = 0
        return closing, opening

    def _part(self) -> str:
        if self._lacking and self._chance(2):
            self._lacking -= 1
            return self._draw(st.sampled_from(["[2/2]", "[2/2]", "[2/3]"]))
        return self._draw(st.sampled_from(["", "[1/2]"]))

    def _chance(self, of: int) -> bool:
        return self._draw(st.integers(1, of)) == of


@st.composite
def _files(draw: st.DrawFn) -> str:
    """Draw CorefUD: zeros, gaps, nesting, crossing, several documents, CRLF."""
    text, sentences = draw(_texts())
    values: list[str] = []
    entities = [_Brackets(draw, label) for label in _LABELS]
    for nodes in sentences:
        for place in range(len(nodes)):
            is_last = place == len(nodes) - 1
            brackets = [entity.at(place, is_last=is_last) for entity in entities]
            values.append("".join(map("".join, zip(*brackets, strict=True))))
    lines = text.splitlines(keepends=True)
    for row, line in enumerate(lines):
        if line[0].isdigit() and (value := values.pop(0)):
            before, misc = line.rsplit("\t", 1)
            misc = "|" + misc if misc.strip() != "_" else misc[1:]
            lines[row] = f"{before}\tEntity={value}{misc}"
    header = draw(st.sampled_from(["eid-etype-head-other", "GRP-etype-head-other"]))
    return f"# global.Entity = {header}\n" + "".join(lines)


def _has_each_word_once(corpus: Corpus) -> bool:
    """Leave out files with pieces that overlap: such a word counts twice."""
    words = _words(corpus)
    pieces = np.split(words.member, words.start[1:-1])
    return all(len(np.unique(piece)) == len(piece) for piece in pieces)


@given(text=_files())
def test_what_was_read_is_written_back(text: str) -> None:
    key = _read(text)
    assume(_has_each_word_once(key))
    try:
        written = write(key, text.encode())
    except FormatError as error:
        event("refused")
        assert error.problem.startswith(  # noqa: PT017
            "brackets cannot show which words belong to the mentions of entity"
        )
        return
    again = _read(written)
    same_names = set(again.entity_label) <= set(_LABELS)
    assert _entities_of(again, with_labels=same_names) == _entities_of(
        key, with_labels=same_names
    )
    assert write(again, written) == written


def _corpus(base: str, entities: Iterable[tuple[str, Sequence[Mention]]]) -> Corpus:
    """Put mentions of the first document's entities into a corpus."""
    empty = _read(base)
    labels: list[str] = []
    rows: list[tuple[int, tuple[Node, ...], Node]] = []
    for label, mentions in entities:
        rows += [(len(labels), *mention) for mention in mentions]
        labels.append(label)
    lengths = [len(nodes) for _, nodes, _ in rows]
    words = _words(empty)._replace(
        start=_ints([0, *np.cumsum(lengths).tolist()]),
        member=_ints([_code(node) for _, nodes, _ in rows for node in nodes]),
        head=_ints([_code(head) for *_, head in rows]),
    )
    return replace(
        empty,
        entity_document=_ints([0] * len(labels)),
        entity_label=tuple(labels),
        mention_entity=_ints([entity for entity, *_ in rows]),
        words=words,
    )


def _ints(values: list[int]) -> Ints:
    return np.array(values, dtype=np.int64)


def _code(node: Node) -> int:
    return node[0] << 32 | node[1] << 12 | node[2]


@st.composite
def _runs(draw: st.DrawFn, length: int) -> Mention:
    """Draw a mention without gaps."""
    first = draw(st.integers(1, length))
    last = draw(st.integers(first, length))
    nodes = tuple((0, number, 0) for number in range(first, last + 1))
    return nodes, draw(st.sampled_from(nodes))


@given(mentions=st.lists(_runs(12), min_size=1, max_size=8))
def test_mentions_of_one_entity_may_cross_in_any_way(mentions: list[Mention]) -> None:
    base = _sentence(*["_"] * 12)
    again = _read(write(_corpus(base, [("e1", mentions)]), base.encode()))
    assert _entities_of(again) == [
        (0, "e1", sorted(mentions, key=lambda item: item[0]))
    ]


@given(
    numbers=st.lists(
        st.sets(st.integers(1, 9), min_size=1).map(sorted), min_size=1, max_size=6
    )
)
def test_mentions_of_different_entities_may_have_any_words(
    numbers: list[list[int]],
) -> None:
    base = _sentence(*["_"] * 9)
    mentions = [tuple((0, number, 0) for number in nodes) for nodes in numbers]
    entities = [(f"e{row}", [(nodes, nodes[-1])]) for row, nodes in enumerate(mentions)]
    again = _read(write(_corpus(base, entities), base.encode()))
    written = [(label, mentions) for _, label, mentions in _entities_of(again)]
    assert sorted(written) == entities


@pytest.mark.parametrize(
    "path", OFFICIAL, ids=lambda path: f"{path.parent.name}-{path.name}"
)
def test_the_golden_files_are_written_back(path: Path) -> None:
    data = path.read_bytes()
    corpus = _read(data)
    written = write(corpus, data)
    again = _read(written)
    assert _entities_of(again) == _entities_of(corpus)
    assert again.documents == corpus.documents
    assert _bare(written) == _bare(data)


def _bare(data: bytes) -> bytes:
    """Leave out what the writer may change."""
    return re.sub(
        rb"\|?Entity=[^|\s]*|^# global.*\r?\n|_(?=\r?$)", b"", data, flags=re.MULTILINE
    )


def test_brackets_close_before_they_open_and_the_longest_opens_first() -> None:
    text = HEADER + _sentence(
        "Entity=(e1--1-(e2--1-(e3--1-)",
        "Entity=e2)(e2--2-",
        "Entity=(e2--1-(e3--1-(e3--1-)",
        "Entity=e3)e2)e2)e1)",
    )
    assert _rewrite(text) == text


def test_nested_mentions_of_one_entity_may_share_a_start_or_an_end() -> None:
    text = HEADER + _sentence(
        "Entity=(e1--3-(e1--2-(e1--1-)", "Entity=e1)", "Entity=(e1--1-", "Entity=e1)e1)"
    )
    assert _rewrite(text) == text


def test_a_mention_that_occurs_twice_is_written_twice() -> None:
    text = HEADER + _sentence("Entity=(e1--1-(e1--2-", "Entity=e1)e1)(e2--1-)(e2--1-)")
    assert _rewrite(text) == text


def test_a_mention_of_one_word_is_one_bracket() -> None:
    text = HEADER + _sentence("Entity=(e1--1-)", ("1.1", "Entity=(e2--1-)"), "_")
    assert _rewrite(text) == text


def test_a_gap_makes_pieces_and_each_piece_has_the_head() -> None:
    text = HEADER + _sentence(
        "Entity=(e1[1/2]--3-",
        "Entity=e1[1/2])",
        ("2.1", "_"),
        "Entity=(e1[2/2]--3-)",
    )
    assert _rewrite(text) == text
    assert _mentions(text) == {"e1": [(["1", "2", "3"], "3")]}


def test_of_two_crossing_mentions_of_one_entity_the_later_is_cut() -> None:
    base = _sentence(*["_"] * 5)
    one = tuple((0, number, 0) for number in (1, 2, 3))
    other = tuple((0, number, 0) for number in (2, 3, 4, 5))
    corpus = _corpus(base, [("e1", [(one, one[0]), (other, other[3])])])
    written = write(corpus, base.encode()).decode()
    assert _entity_values(written) == [
        "(e1--1-",
        "(e1[1/2]--4-",
        "e1[1/2])e1)",
        "(e1[2/2]--4-",
        "e1[2/2])",
    ]
    assert _mentions(written) == {
        "e1": [(["1", "2", "3"], "1"), (["2", "3", "4", "5"], "5")]
    }


def test_of_two_gaps_from_one_word_the_shorter_comes_first() -> None:
    text = HEADER + _sentence(
        "Entity=(e1[1/2]--1-)(e1[1/2]--1-",
        "Entity=e1[1/2])",
        "Entity=(e1[2/2]--1-)",
        "Entity=(e1[2/2]--1-)",
    )
    assert _rewrite(text) == text


def test_pieces_that_would_go_to_the_wrong_mention_are_refused() -> None:
    base = _sentence(*["_"] * 5)
    outer = tuple((0, number, 0) for number in (1, 5))
    inner = tuple((0, number, 0) for number in (2, 4))
    corpus = _corpus(base, [("e1", [(outer, outer[0]), (inner, inner[0])])])
    with pytest.raises(FormatError) as caught:
        write(corpus, base.encode(), source="b.conllu")
    assert str(caught.value) == (
        "b.conllu:4: brackets cannot show which words belong to the mentions of "
        "entity e1 in sentence 1\n"
        "  hint: Two of these mentions have gaps, or they cross in the gap of another "
        "one. Leave one of them out."
    )


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("A=1|Entity=(e9--1-)|Z=2", "A=1|Entity=(e1--1-)|Z=2"),
        ("Entity=(e8--1-)|A=1|Entity=(e9--1-)|Z=2", "A=1|Entity=(e1--1-)|Z=2"),
        ("A=1|Bridge=e9<e1:x", "A=1|Bridge=e9<e1:x|Entity=(e1--1-)"),
        ("_", "Entity=(e1--1-)"),
        ("", "Entity=(e1--1-)"),
        ("Entity=", "Entity=(e1--1-)"),
        ("MyEntity=(e9", "MyEntity=(e9|Entity=(e1--1-)"),
    ],
)
def test_other_attributes_stay_as_they_are(old: str, new: str) -> None:
    corpus = _read(HEADER + _sentence("Entity=(e1--1-)", "_"))
    base = HEADER + _sentence(old, "_")
    assert write(corpus, base.encode()).decode() == HEADER + _sentence(new, "_")


@pytest.mark.parametrize(
    ("old", "new"),
    [("Entity=(e1--1-)", "_"), ("Entity=(e1--1-)|A=1", "A=1"), ("", ""), ("_ ", "_ ")],
)
def test_a_word_without_a_mention_has_no_attribute(old: str, new: str) -> None:
    corpus = _read(_sentence("_", "_"))
    base = HEADER + _sentence(old, "_")
    assert write(corpus, base.encode()).decode() == HEADER + _sentence(new, "_")


def test_ranges_comments_and_line_ends_stay_as_they_are() -> None:
    base = (
        "\ufeff# newdoc id = d\r\n# global.Entity = eid-etype-head-other\r\n"
        "# Entity=(e1\r\n" + _line("1-2", "Entity=(e3--1-)").replace("\n", "\r\n")
    ) + _line("1").replace("\n", "\r\n")
    base += _line("2").rstrip("\n")
    corpus = _read(HEADER + _sentence("Entity=(e1--2-", "Entity=e1)"))
    expected = "Entity=(e1--2-\r\n".join(base.rsplit("_\r\n", 1))[:-1] + "Entity=e1)"
    assert write(corpus, base.encode()).decode() == expected


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ("", "{}"),
        ("# sent_id = 1\n", "{}# sent_id = 1\n"),
        ("# newdoc\n# text = x\n", "# newdoc\n{}# text = x\n"),
        ("# a\n# newdoc id = d\n", "# a\n# newdoc id = d\n{}"),
        ("# newdoc id = d\r\n# b\r\n", "# newdoc id = d\r\n{}# b\r\n"),
        ("# global.Entity=GRP\n# b\n", "{}# b\n"),
        ("# lost\n\n# b\n", "# lost\n\n{}# b\n"),
    ],
)
def test_the_header_is_in_the_first_sentence(before: str, after: str) -> None:
    rest = _sentence("_")
    header = HEADER.replace("\n", "\r\n") if "\r" in before else HEADER
    written = write(_read(rest), (before + rest).encode()).decode()
    assert written == after.format(header) + rest


def test_every_old_header_is_replaced() -> None:
    base = _sentence("_") + "# newdoc id = e\n# global.Entity = GRP-x\n"
    corpus = _read(base.replace("GRP-x", "GRP") + _sentence("Entity=(1)"))
    written = write(corpus, (base + _sentence("_")).encode()).decode()
    expected = HEADER + _sentence("_") + "# newdoc id = e\n" + HEADER
    assert written == expected + _sentence("Entity=(1--1-)")


def test_names_that_cannot_be_written_are_replaced_for_all_entities() -> None:
    base = _sentence(*["_"] * 2)
    one, two = (0, 1, 0), (0, 2, 0)
    entities = [("x", [((one,), one)]), ("a-b", [((two,), two)])]
    written = write(_corpus(base, entities), base.encode())
    assert _entity_values(written.decode()) == ["(e1--1-)", "(e2--1-)"]


def test_new_names_are_sorted_as_text() -> None:
    base = _sentence("_")
    node = (0, 1, 0)
    entities = [(f"{number}]", [((node,), node)]) for number in range(10)]
    written = write(_corpus(base, entities), base.encode())
    names = [f"e{number:02}" for number in range(1, 11)]
    assert list(_read(written).entity_label) == names


def test_an_entity_that_goes_on_in_another_document_keeps_its_name() -> None:
    text = "# newdoc id = a\n" + HEADER + _sentence("Entity=(x--1-)(y--1-)")
    text += "# newdoc id = b\n" + _sentence("Entity=(x--1-)(y--1-)")
    assert _rewrite(text) == text


def test_names_of_documents_become_names_of_the_file() -> None:
    text = "# newdoc id = a\n# global.Entity = GRP\n" + _sentence("Entity=(1)(2)")
    text += "# newdoc id = b\n" + _sentence("Entity=(1)(2)")
    assert _entity_values(_rewrite(text)) == [
        "(e1--1-)(e2--1-)",
        "(e3--1-)(e4--1-)",
    ]


CONLL = b"""#begin document (a); part 000
a 0 0 x (0
a 0 1 y (1)|0)

a 0 0 z (0)
#end document
#begin document (b); part 000
b 0 0 x (0)
#end document
"""
BASE = (
    "# newdoc id = a\n"
    + _sentence("_", ("1.1", "_"), "Entity=(old")
    + _sentence(("0.1", "_"), "_")
    + "# newdoc id = b\n"
    + _sentence("_")
)


def _conll(data: bytes) -> Corpus:
    return conll2012.read(data, source="x.conll")


def test_spans_of_tokens_are_put_at_the_words_of_the_documents() -> None:
    written = write(_conll(CONLL), BASE.encode())
    assert written.decode() == (
        "# newdoc id = a\n"
        + HEADER
        + _sentence("Entity=(e1--1-", ("1.1", "_"), "Entity=e1)(e2--1-)")
        + _sentence(("0.1", "_"), "Entity=(e1--1-)")
        + "# newdoc id = b\n"
        + _sentence("Entity=(e3--1-)")
    )
    assert _entities_of(_read(written))[0] == (
        0,
        "e1",
        [
            (((0, 1, 0), (0, 1, 1), (0, 2, 0)), (0, 1, 0)),
            (((1, 1, 0),), (1, 1, 0)),
        ],
    )


def test_labels_of_one_document_are_kept() -> None:
    base = _sentence("_", "_") + _sentence("_")
    written = write(_conll(CONLL[: CONLL.index(b"#begin document (b)")]), base.encode())
    assert _entity_values(written.decode()) == ["(0--1-", "0)(1--1-)", "(0--1-)"]


@pytest.mark.parametrize(
    ("base", "problem"),
    [
        (
            BASE.replace("# newdoc id = b", "#"),
            "b: this file has 1 documents, but x.conll has 2\n",
        ),
        (
            BASE.replace("= a", "= c").replace("= b", "= a").replace("= c", "= b"),
            "b:1: document 'b' has 3 words here, but document '(a); part 000' of ",
        ),
        (
            BASE.replace("= b\n", "= b\n" + _sentence("_")),
            "b:9: document 'b' has 2 words here, but document '(b); part 000' of ",
        ),
    ],
)
def test_other_documents_are_refused(base: str, problem: str) -> None:
    with pytest.raises(AlignmentError) as caught:
        write(_conll(CONLL), base.encode(), source="b")
    assert str(caught.value).startswith(problem)


@pytest.mark.parametrize(
    ("span", "problem"),
    [
        ([1, 2], "from token 1 to 2 goes beyond sentence 1 of b"),
        ([2, 3], "from token 2 to 3 goes beyond its document, which has 3 words in b"),
    ],
)
def test_spans_that_do_not_fit_are_refused(span: list[int], problem: str) -> None:
    data = f'{{"doc_key": "d", "clusters": [[[0, 0], {span}]]}}'.encode()
    corpus = json_lines.read(data, source="x.jsonl", role="key")
    base = _sentence("_", "_") + _sentence("_")
    with pytest.raises(AlignmentError) as caught:
        write(corpus, base.encode(), source="b")
    assert str(caught.value) == (
        f"x.jsonl:1: the mention of entity 0 {problem}\n"
        "  hint: Both files must have the same tokens, and a CorefUD mention must end "
        "in the sentence in which it starts."
    )


def test_mere_values_are_refused() -> None:
    corpus, _ = EntityPairs.of([["a", "b"]], [["a"]]).build()
    with pytest.raises(
        FormatError, match="these mentions are plain values, not words of a text"
    ):
        write(corpus, _sentence("_", "_").encode())


def test_a_document_with_a_fault_is_refused() -> None:
    fault = FormatError("broken", source="x.conll")
    with pytest.raises(FormatError, match="broken"):
        write(replace(_conll(CONLL), faults={1: fault}), BASE.encode())


@pytest.mark.parametrize(
    ("base", "problem"),
    [
        (_sentence("_", "_") * 2, "b: this file has 2 sentences, but the corpus has 1"),
        (_sentence("_"), "b:1: sentence 1 differs from the corpus"),
        (
            _sentence("_", "_").replace("w2", "u2"),
            "b:1: sentence 1 differs from the corpus",
        ),
        (
            _sentence("_", "_").replace("w2", "w"),
            "b:1: sentence 1 differs from the corpus",
        ),
        (
            _sentence("_", "_"),
            "b:1: a mention contains word 1.1 of sentence 1, which does not exist",
        ),
    ],
)
def test_another_text_is_refused(base: str, problem: str) -> None:
    corpus = _read(HEADER + _sentence("_", ("1.1", "Entity=(e1--1-)"), "_"))
    with pytest.raises(AlignmentError) as caught:
        write(corpus, base.encode(), source="b")
    assert str(caught.value).startswith(problem)


@pytest.mark.parametrize(
    ("base", "problem"),
    [
        ("", "b: this file has no sentence"),
        ("x\n", "b:1: this line does not start with a word number and a tab"),
        (_line("2") + _line("1"), "b:2: this word is out of order"),
        (_line("1") + _line("1"), "b:2: this word is out of order"),
        (
            "1\tw1\t_\n",
            "b:1: a mention starts or ends here, but the line has 3 columns",
        ),
    ],
)
def test_files_that_are_not_conllu_are_refused(base: str, problem: str) -> None:
    with pytest.raises(FormatError) as caught:
        write(_read(HEADER + _sentence("Entity=(e1)")), base.encode(), source="b")
    assert str(caught.value).splitlines()[0] == problem


def test_universal_anaphora_is_not_taken_for_corefud() -> None:
    corpus = read_file(EXAMPLES / "ua-key.ua", role="key")
    base = (EXAMPLES / "corefud-key.conllu").read_bytes()
    with pytest.raises(
        AlignmentError,
        match="this corpus counts words by document, but CorefUD counts them by "
        "sentence",
    ):
        write(corpus, base)
