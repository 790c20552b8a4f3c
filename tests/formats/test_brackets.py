"""Brackets that are read all at once are those that are read one by one."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
import pytest
from hypothesis import example, given
from hypothesis import strategies as st

import scoref
from scoref.formats import brackets, conll2012, conll2012_reference
from scoref.formats.input_files import Lines
from support.corpus_values import mentions_by_document, tokens_by_document

if TYPE_CHECKING:
    from collections.abc import Callable

    from scoref.model import Corpus

    Read = Callable[[bytes], Corpus]


Mention = tuple[int, int, str]

_LENGTH = 8

_LABELS = ["1", "2", "01", "12", "123456789", "1234567890", "1" * 90, "1" * 89 + "2"]

_NAMES = ["person-6", "é", "a:b", "é" * 64]


@st.composite
def mentions(draw: st.DrawFn, labels: list[str]) -> list[Mention]:
    """Draw mentions that nest, cross and repeat."""
    ends = st.tuples(st.integers(0, _LENGTH - 1), st.integers(0, _LENGTH - 1))
    spans = draw(st.lists(st.tuples(ends, st.sampled_from(labels)), max_size=12))
    return [(min(span), max(span), label) for span, label in spans]


@st.composite
def texts(draw: st.DrawFn, labels: list[str]) -> bytes:
    """Write two documents of drawn mentions, with any separators."""
    lines = []
    for name in ("a", "b"):
        separator = draw(st.sampled_from(["\t", " ", " (3) ", "\t(3)\t"]))
        cells = _cells(draw(mentions(labels)), draw(st.sampled_from(["|", ""])))
        if draw(st.booleans()):
            cells = [cell for cell in cells if cell != "-"]
        lines.append(f"#begin document {name}")
        lines += [f"w{separator}{cell}" for cell in cells]
        lines += draw(st.sampled_from([["#end document"], []]))
    return ("\n".join(lines) + "\n").encode()


def _cells(drawn: list[Mention], joint: str) -> list[str]:
    """Write mentions as cells, in the order in which they were drawn."""
    cells: list[list[str]] = [[] for _ in range(_LENGTH)]
    for start, end, label in drawn:
        if start == end:
            cells[start].append(f"({label})")
        else:
            cells[start].append(f"({label}")
            cells[end].append(f"{label})")
    # A joint is needed where two labels would become one.
    return [(joint.join(cell) if joint else _tight(cell)) or "-" for cell in cells]


def _tight(cell: list[str]) -> str:
    text = ""
    for bracket in cell:
        apart = text and not text.endswith(")") and not bracket.startswith("(")
        text += f"|{bracket}" if apart else bracket
    return text


_PIECES = ["(1", "1)", "(1)", "(2", "2)", "|", "-", "_", "(1+2)", "(x)", "0", ")", "("]


@st.composite
def messy_texts(draw: st.DrawFn) -> bytes:
    """Write rows of any pieces, most of which cannot be read."""
    cells = st.lists(st.sampled_from(_PIECES), max_size=3).map("".join)
    rows = st.lists(st.tuples(st.sampled_from("\t "), cells), max_size=6)
    lines = [f"w{separator}{cell}" for separator, cell in draw(rows)]
    return "\n".join(["#begin document a", *lines, "#end document", ""]).encode()


def _everything(read: Read, data: bytes) -> list[object]:
    """Return everything that a reader returns, or its error."""
    try:
        corpus = read(data)
    except scoref.FormatError as error:
        return [str(error)]
    return [
        [(name, list(entities.items())) for name, entities in _items(corpus)],
        tokens_by_document(corpus),
        corpus.mention_line.tolist(),
        corpus.notes,
        {row: str(fault) for row, fault in corpus.faults.items()},
    ]


def _items(corpus: Corpus) -> list[tuple[str, dict[str, list[tuple[int, int]]]]]:
    return list(mentions_by_document(corpus).items())


def _one_by_one(read: Read, data: bytes) -> list[object]:
    """Read without the fast reader."""
    with pytest.MonkeyPatch.context() as patch:
        for module in (conll2012, conll2012_reference):
            patch.setattr(module, "bracket_columns", lambda *_, **__: None)
        return _everything(read, data)


def _strictly(data: bytes) -> Corpus:
    return conll2012.read(data, source="x")


def _leniently(data: bytes) -> Corpus:
    return conll2012.read(data, source="x", lenient=True)


def _as_the_reference(data: bytes) -> Corpus:
    return conll2012_reference.read(data, source="x")


every_reading = pytest.mark.parametrize(
    "read", [_strictly, _leniently, _as_the_reference]
)


@pytest.mark.parametrize("prime", [brackets._PRIME, np.uint64(0)])  # noqa: SLF001
@pytest.mark.parametrize("longer", ["", "x" * 8, "x" * 90])
def test_equal_labels_have_one_number_even_if_hashes_collide(
    prime: np.uint64, longer: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(brackets, "_PRIME", prime)
    words = [word + longer for word in ("ab", "cd", "ab", "xd", "a", "cd", "a\0")]
    words += ["a", "ab"]
    lines = Lines.of("\n".join(words).encode())
    number, first = brackets.number_labels(lines, lines.start, lines.end - lines.start)
    assert [words[row] for row in first[number].tolist()] == words
    assert len(first) == len({*words})


def test_brackets_are_paired_within_their_entity() -> None:
    entity = np.array([0, 1, 0, 0, 1, 0, 2, 3])
    is_opening = np.array([True, True, True, False, False, False, True, False])
    pairs = brackets.pair_brackets(entity, is_opening)
    assert sorted(zip(pairs.opened.tolist(), pairs.closed.tolist(), strict=True)) == [
        *((0, 5), (1, 4), (2, 3)),
    ]
    assert pairs.is_odd.tolist() == [False, False, True, True]


@every_reading
@given(data=texts(_LABELS))
@example(data=b"#begin document a\nw (3) (1)\n#end document\n")
def test_digits_are_read_alike(read: Read, data: bytes) -> None:
    assert _everything(read, data) == _one_by_one(read, data)


@every_reading
@given(data=texts(_NAMES))
def test_names_are_read_alike(read: Read, data: bytes) -> None:
    assert _everything(read, data) == _one_by_one(read, data)


@every_reading
@given(data=messy_texts())
@example(data=b"#begin document a\nw\t|\n#end document\n")
def test_faults_are_read_alike(read: Read, data: bytes) -> None:
    assert _everything(read, data) == _one_by_one(read, data)


@given(drawn=mentions(_LABELS))
def test_what_was_written_is_read(drawn: list[Mention]) -> None:
    by_span = {(start, end): (start, end, label) for start, end, label in drawn}
    disjoint = [
        mention
        for number, mention in enumerate(by_span.values())
        if all(
            mention[2] != other[2] or mention[0] > other[1] or mention[1] < other[0]
            for other in list(by_span.values())[:number]
        )
    ]
    rows = "".join(f"w\t{cell}\n" for cell in _cells(disjoint, "|"))
    corpus = _strictly(f"#begin document a\n{rows}".encode())
    read = mentions_by_document(corpus)["a"]
    assert {(*span, label) for label, spans in read.items() for span in spans} == {
        *disjoint
    }


def test_long_cells_are_read_all_at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    results: list[object] = []

    def observed(*arguments: object, **options: object) -> object:
        results.append(brackets.bracket_columns(*arguments, **options))  # type: ignore[arg-type]
        return results[-1]

    monkeypatch.setattr(conll2012, "bracket_columns", observed)
    rows = ["#begin document a", "w\t-", f"w\t({'1' * 90})", "#end document\n"]
    (mentions,) = mentions_by_document(_strictly("\n".join(rows).encode())).values()
    assert mentions == {"1" * 90: [(1, 1)]}
    assert [result is not None for result in results] == [True]
