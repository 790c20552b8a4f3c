"""The reader of CorefUD: layouts, documents, sentences and faults."""

from __future__ import annotations

import gzip
import io
import lzma
import sys
from dataclasses import fields
from random import Random
from typing import TYPE_CHECKING, NamedTuple

import numpy as np
import pytest

from scoref import FormatError, Note
from scoref.formats import conllu, reading
from support.corefud import corefud, lines_of, mentions_in, read
from support.random_corefud import random_pair

if TYPE_CHECKING:
    from pathlib import Path

    from scoref.model import Corpus

THREE = corefud(
    "Ada wrote 2.1/2:obj code",
    "she slept",
    "@b Ada ran",
    e1="1 2:1",
    e2="2.1 1-3*2",
    e3="3:1-2*2 3:1",
)


def _plain(corpus: Corpus) -> dict[str, object]:
    """Turn every column into values that can be compared."""
    assert corpus.words is not None
    columns = {
        field.name: getattr(corpus, field.name)
        for field in fields(corpus)
        if field.compare
    }
    columns |= corpus.words._asdict() | corpus.words.sentences._asdict()
    values: dict[str, object] = {}
    for name, value in columns.items():
        if name in {"words", "sentences"}:
            continue
        if isinstance(value, np.ndarray):
            values[name] = value.tolist()
        elif name in {"identifier", "word"}:
            values[name] = value.data.tobytes(), value.length.tolist()
        else:
            values[name] = value
    return values


def test_mentions_have_words_and_heads() -> None:
    assert mentions_in(read(THREE)) == {
        "e2": ["1:1,2,2.1,3*2", "1:2.1*1"],
        "e1": ["1:1*1", "2:1*1"],
        "e3": ["3:1,2*2", "3:1*1"],
    }


def test_sentences_have_ids_words_and_documents() -> None:
    corpus = read(THREE)
    assert corpus.words is not None
    sentences = corpus.words.sentences
    words = [sentences.word.text(row) for row in range(7)]
    assert words == ["Ada", "wrote", "code", "she", "slept", "Ada", "ran"]
    assert [sentences.identifier.text(row) for row in range(3)] == ["s1", "s2", "s3"]
    assert sentences.document.tolist() == [0, 0, 1]
    assert sentences.word_count.tolist() == [3, 2, 2]
    assert sentences.line.tolist() == [4, 10, 15]
    assert [document.name for document in corpus.documents] == ["d", "b"]


def test_a_zero_is_a_mention_with_an_empty_head_and_keeps_its_dependencies() -> None:
    text = corefud("w w 2.1/1:obj|2:nsubj:pass w", e1="2.1 2-3*2 2-3*1")
    words = read(text).words
    assert words is not None
    assert words.is_zero.tolist() == [True, False, True]
    zero = int(words.head[2])
    pairs = {("1", "obj"), ("2", "nsubj:pass")}
    assert words.dependencies == {zero: frozenset(pairs)}


@pytest.mark.parametrize(
    "change",
    [
        lambda data: data,
        lambda data: data.replace(b"\n", b"\r\n"),
        lambda data: b"\xef\xbb\xbf" + data,
        lambda data: data.rstrip(b"\n"),
        lambda data: data.rstrip(b"\n") + b"\n",
        lambda data: data.replace(b"\n\n", b"\n\n\n"),
        lambda data: data.replace(b"\n\n", b"\n \t\n"),
        lambda data: data.replace(b"# global.Entity = ", b"# global.Entity="),
        lambda data: data.replace(b"# sent_id = ", b"# sent_id "),
        lambda data: data.replace(b"# newdoc id = ", b"# newdoc id= "),
        lambda data: data.replace(b"Entity=(", b"SpaceAfter=No|Entity=("),
        lambda data: data.replace(b"\tEntity=", b"\tEntity=(e8-x-1-)|Entity="),
    ],
    ids=[
        "plain",
        "CRLF",
        "BOM",
        "no last line break",
        "one line break at the end",
        "two blank lines",
        "blanks in blank lines",
        "header without blanks",
        "sent_id without an equals sign",
        "newdoc without a blank",
        "other attributes",
        "the later of two counts",
    ],
)
def test_layout_does_not_matter(change: object) -> None:
    assert callable(change)
    expected, changed = read(THREE), read(change(THREE.encode()))
    assert mentions_in(changed) == mentions_in(expected)
    assert changed.documents == expected.documents
    columns = _plain(changed), _plain(expected)
    for name in ("identifier", "word"):
        assert columns[0][name] == columns[1][name]


@pytest.mark.parametrize(
    "pack", [bytes, gzip.compress, lzma.compress], ids=["plain", "gzip", "xz"]
)
def test_packed_files_are_unpacked(pack: object, tmp_path: Path) -> None:
    assert callable(pack)
    path = tmp_path / "x.conllu"
    path.write_bytes(pack(THREE.encode()))
    corpus = reading.read(path, role="key")
    assert corpus.format == "corefud"
    assert mentions_in(corpus) == mentions_in(read(THREE))


def test_standard_input_is_read(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(THREE.encode())))
    corpus = reading.read("-", role="response")
    assert corpus.source == "<stdin>"
    assert mentions_in(corpus) == mentions_in(read(THREE))


@pytest.mark.parametrize(
    "text",
    [THREE, THREE.replace("# global.Entity = eid-etype-head-other\n", "")],
    ids=["header", "no header"],
)
def test_corefud_is_detected_from_its_beginning(text: str) -> None:
    assert reading.detect(text.encode()) == "corefud"


def test_plain_conllu_has_no_mentions_if_it_is_said_to_be_corefud() -> None:
    text = corefud("w w", "w").replace("# global.Entity = eid-etype-head-other\n", "")
    data = text.encode()
    assert reading.detect(data) == "corefud"
    corpus = reading.read_data(data, source="x", role="key", format="corefud")
    assert mentions_in(corpus) == {}


@pytest.mark.parametrize("size", [1, 40, 90, 200])
@pytest.mark.parametrize("line_break", ["\n", "\r\n"])
def test_blocks_do_not_matter(
    size: int, line_break: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    texts = [THREE, *(random_pair(Random(seed))[0].text() for seed in range(20))]  # noqa: S311
    datas = [text.replace("\n", line_break) for text in texts]
    expected = [_plain(read(data)) for data in datas]
    monkeypatch.setattr(conllu, "_BLOCK", size)
    assert [_plain(read(data)) for data in datas] == expected


def test_lines_are_counted_through_blocks(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(conllu, "_BLOCK", 1)
    assert sorted(read(THREE).mention_line.tolist()) == [4, 6, 7, 10, 15, 16]


def test_a_document_that_comes_again_goes_on() -> None:
    corpus = read(corefud("@a w w", "@b w", "@a w", e1="1 3:1", e2="2 2:1"))
    assert [document.name for document in corpus.documents] == ["a", "b"]
    assert corpus.words is not None
    assert corpus.words.sentences.document.tolist() == [0, 1, 0]
    labels = zip(corpus.entity_label, corpus.entity_document.tolist(), strict=True)
    assert list(labels) == [("e1", 0), ("e2", 0), ("e2", 1)]


def test_documents_without_ids_are_named_by_their_numbers() -> None:
    text = corefud("@a w w", "@b w", e1="1 2:1")
    text = text.replace(" id = a", "").replace(" id = b", "")
    assert [document.name for document in read(text).documents] == [
        "document 1",
        "document 2",
    ]


def test_a_document_without_an_id_is_not_the_one_called_by_its_number() -> None:
    text = corefud("@2 w w", "@b w w", e1="1 2:1").replace(" id = b", "")
    words = read(text).words
    assert words is not None
    assert words.sentences.document.tolist() == [0, 1]


def test_words_before_the_first_document_are_one() -> None:
    text = corefud("@a w w", "@b w", e1="1 2:1").replace("# newdoc id = a\n", "")
    assert [document.name for document in read(text).documents] == ["", "b"]


# Faults

_HEAD_HINT = "The head is the number of a word in the mention, counted from 1."
_VALUE_HINT = "Expected brackets such as '(e3-person-1-)', '(e3-person-1-' or 'e3)'."
_WORD_HINT = "CoNLL-U has ten columns separated by tabs. The first is 3, 3.1 or 3-4."
_BLANKS = "\t_" * 7 + "\t"


class Fault(NamedTuple):
    """A text that is refused, and how."""

    text: str
    line: int | None
    problem: str
    hint: str
    shown: str = ""
    blamed: str = ""


class Skipped(NamedTuple):
    """What a lenient reading makes of a fault, and what it notes."""

    kind: str
    line: int
    mentions: dict[str, list[str]]


def _value(value: str) -> Fault:
    return Fault(
        text=lines_of("Entity=(e3-x-1-)", f"Entity={value}"),
        line=5,
        problem=f"'{value}' does not consist of brackets",
        hint=_VALUE_HINT,
        shown=f"2\tw{_BLANKS}Entity={value}",
        blamed=value,
    )


_E3 = {"e3": ["1:1*1"]}

SKIPPED = {
    "unopened": (
        Fault(
            lines_of("Entity=(e3-x-1-)", "Entity=e1)"),
            5,
            "entity e1 is closed here but was never opened",
            "Expected '(e1' on an earlier word.",
        ),
        Skipped("unopened-brackets", 5, _E3),
    ),
    "closed twice": (
        Fault(
            lines_of("Entity=(e3-x-1-)(e1-x-1-", "Entity=e1)", "Entity=e1)"),
            6,
            "entity e1 is closed here but was never opened",
            "Expected '(e1' on an earlier word.",
        ),
        Skipped("unopened-brackets", 6, _E3 | {"e1": ["1:1,2*1"]}),
    ),
    "unclosed": (
        Fault(
            lines_of("Entity=(e3-x-1-)", "Entity=(e1-x-1-", "_"),
            5,
            "entity e1 is opened here but never closed in this document",
            "Expected 'e1)' on a later word.",
        ),
        Skipped("unclosed-brackets", 5, _E3),
    ),
    "another sentence": (
        Fault(
            corefud("w w", "w w", e3="1", e1="2 2:1")
            .replace("(e1-x-1-)", "(e1-x-1-", 1)
            .replace("(e1-x-1-)", "e1)"),
            8,
            "entity e1 is closed here but was opened in another sentence",
            "A CorefUD mention ends in the sentence in which it starts.",
        ),
        Skipped("sentence-brackets", 8, _E3),
    ),
    "a head beyond the mention": (
        Fault(
            lines_of("Entity=(e3-x-1-)(e1-x-3-", "Entity=e1)"),
            5,
            "the head of this mention of entity e1 is outside the mention",
            _HEAD_HINT,
        ),
        Skipped("head-brackets", 5, _E3 | {"e1": ["1:1,2*1"]}),
    ),
    "a head beyond the pieces": (
        Fault(
            lines_of("Entity=(e3-x-1-)(e1[1/2]-x-1-)", "_", "Entity=(e1[2/2]-x-3-)"),
            6,
            "the head of this mention of entity e1 is outside the mention",
            _HEAD_HINT,
        ),
        Skipped("head-brackets", 6, _E3 | {"e1": ["1:1,3*1"]}),
    ),
    "a piece of nothing": (
        Fault(
            lines_of("Entity=(e3-x-1-)", "Entity=(e1[2/2]-x-1-)"),
            5,
            "no mention of entity e1 is missing this part",
            "Expected '(e1[1/2]' on an earlier word.",
        ),
        Skipped("piece-brackets", 5, _E3),
    ),
    "a piece too many": (
        Fault(
            lines_of(
                "Entity=(e3-x-1-)(e1[1/2]-x-1-)",
                "Entity=(e1[2/2]-x-1-)",
                "Entity=(e1[2/2]-x-1-)",
            ),
            6,
            "no mention of entity e1 is missing this part",
            "Expected '(e1[1/2]' on an earlier word.",
        ),
        Skipped("piece-brackets", 6, _E3 | {"e1": ["1:1,2*1"]}),
    ),
    **{
        f"'{value}'": (_value(value), Skipped("unreadable-entities", 5, _E3))
        for value in ("e1", "()", "(", "((e1-x-1-)", ")", "(e1-x-1-)x")
    },
}

ALWAYS = {
    "no header": Fault(
        lines_of("_", "Entity=(e1-x-1-)").partition("\n")[2],
        4,
        "this file has entities but no '# global.Entity' line",
        "Add a line such as '# global.Entity = eid-etype-head-other' before them.",
    ),
    "no id in the header": Fault(
        lines_of("Entity=(e1-x-1-)", header="id-etype-head"),
        1,
        "the header 'id-etype-head' has no field for the entity id",
        "Expected a field 'eid' or 'GRP' in it.",
    ),
    "nine columns": Fault(
        lines_of("_", "Entity=(e1-x-1-)").replace("\t_\tEntity", "\tEntity"),
        5,
        "this line has an entity but fewer than ten columns",
        "CoNLL-U has ten columns separated by tabs. Entity= is in the last one.",
        "2\tw" + "\t_" * 6 + "\tEntity=(e1-x-1-)",
    ),
    "no number": Fault(
        lines_of("_", "_").replace("2\tw", "two\tw"),
        5,
        "this line does not start with a word number and a tab",
        _WORD_HINT,
        "two\tw" + "\t_" * 8,
    ),
    "blanks for tabs": Fault(
        lines_of("_", "_").replace("\t", " "),
        4,
        "this line does not start with a word number and a tab",
        _WORD_HINT,
        "1 w" + " _" * 8,
    ),
    "a number only": Fault(
        "# newdoc\n1\n",
        2,
        "this line does not start with a word number and a tab",
        _WORD_HINT,
        "1",
    ),
    "' is not the number of a head": Fault(
        lines_of("Entity=(e1-x-head-)"),
        4,
        "'head' is not the number of a head",
        _HEAD_HINT,
        f"1\tw{_BLANKS}Entity=(e1-x-head-)",
        "head",
    ),
    "no name": Fault(
        lines_of("Entity=(-x-1-)"),
        4,
        "this bracket has no entity id",
        "Its fields must be in the order of the line '# global.Entity'.",
        f"1\tw{_BLANKS}Entity=(-x-1-)",
    ),
    "nothing": Fault(
        "",
        None,
        "this file has no sentence",
        "Expected CoNLL-U: ten columns separated by tabs, one line per word.",
    ),
    "only comments": Fault(
        "# global.Entity = eid\n# newdoc\n",
        None,
        "this file has no sentence",
        "Expected CoNLL-U: ten columns separated by tabs, one line per word.",
    ),
}
FAULTS = {**{name: fault for name, (fault, _) in SKIPPED.items()}, **ALWAYS}


def _check(error: FormatError, fault: Fault) -> None:
    actual = error.source, error.line, error.problem, error.hint, error.text
    expected = "x.conllu", fault.line, fault.problem, fault.hint, fault.shown
    assert actual == expected
    at = fault.shown.rfind(fault.blamed) if fault.blamed else -1
    assert error.span == ((at, at + len(fault.blamed)) if at >= 0 else None)


@pytest.mark.parametrize("fault", FAULTS.values(), ids=list(FAULTS))
def test_faults_are_reported_with_their_place(fault: Fault) -> None:
    with pytest.raises(FormatError) as caught:
        read(fault.text)
    _check(caught.value, fault)


@pytest.mark.parametrize("name", [name for name in FAULTS if FAULTS[name].line])
def test_lines_of_faults_are_counted_through_blocks(
    name: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    fault = FAULTS[name]
    monkeypatch.setattr(conllu, "_BLOCK", 1)
    before = corefud("@a w w", "w w").partition("\n")[2]
    with pytest.raises(FormatError) as caught:
        read(before + fault.text)
    lines = before.count("\n")
    _check(caught.value, fault._replace(line=(fault.line or 0) + lines))


@pytest.mark.parametrize("fault", ALWAYS.values(), ids=list(ALWAYS))
def test_some_faults_are_errors_in_lenient_reading_too(fault: Fault) -> None:
    with pytest.raises(FormatError) as caught:
        read(fault.text, lenient=True)
    _check(caught.value, fault)


@pytest.mark.parametrize(("fault", "skipped"), SKIPPED.values(), ids=list(SKIPPED))
def test_lenient_reading_skips_and_notes_a_fault(
    fault: Fault, skipped: Skipped
) -> None:
    corpus = read(fault.text, lenient=True)
    assert mentions_in(corpus) == skipped.mentions
    what = skipped.kind.replace("-", " ")
    message = f"warning: Skipped: {what} (at x.conllu:{skipped.line})."
    assert corpus.notes == (Note(skipped.kind, 1, message),)


def test_lenient_reading_keeps_the_other_mentions_of_an_entity() -> None:
    cells = "(e1-x-1-)", "(e1-x-1-", "(e1-x-1-)", "(e1-x-2-", "e1)"
    corpus = read(lines_of(*(f"Entity={cell}" for cell in cells)), lenient=True)
    assert mentions_in(corpus) == {"e1": ["1:1*1", "1:3*1", "1:4,5*2"]}
    message = "warning: Skipped: unclosed brackets (at x.conllu:5)."
    assert corpus.notes == (Note("unclosed-brackets", 1, message),)


def test_an_error_is_laid_out_for_people() -> None:
    with pytest.raises(FormatError) as caught:
        read(SKIPPED["'()'"][0].text)
    assert str(caught.value) == (
        "x.conllu:5: '()' does not consist of brackets\n"
        "    2 w _ _ _ _ _ _ _ Entity=()\n"
        "                             ^^\n"
        f"  hint: {_VALUE_HINT}"
    )


@pytest.mark.parametrize("number", ["1048576", "2.4096", "9" * 20, f"1.{'9' * 20}"])
def test_a_number_that_no_word_can_have_is_refused(number: str) -> None:
    text = lines_of("Entity=(e3-x-1-)").replace("\n1\t", f"\n{number}\t")
    with pytest.raises(
        FormatError, match="a word of a sentence cannot have this number"
    ) as caught:
        read(text)
    assert caught.value.line == text[: text.index(f"\n{number}")].count("\n") + 2


def test_a_document_may_start_after_the_last_sentence() -> None:
    text = lines_of("Entity=(e3-x-1-)")
    corpus = read(f"{text}# newdoc id = last\n")
    assert corpus.documents == read(text).documents


def test_an_entity_in_a_comment_of_a_file_without_words_is_none() -> None:
    with pytest.raises(FormatError, match="this file has no sentence"):
        read("# global.Entity = eid\n#\tEntity=(e1)\n")
