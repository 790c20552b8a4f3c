"""The brackets of Universal Anaphora: how they are sorted, and their faults."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import pytest

from scoref import FormatError, Note
from scoref.formats import universal_anaphora
from scoref.formats.builder import Faults
from scoref.formats.ua_brackets import Markables, Walk
from support.ua_files import anaphora_of, document, row, with_keys

if TYPE_CHECKING:
    from scoref.model import Corpus

_CELL_HINT = (
    "Expected '(EntityID=e1|MarkableID=m1', the same followed by ')', ')' or 'm1)'."
)
_ZERO_HINT = "A zero must be its own markable: '(EntityID=e1|MarkableID=m1)'."
_ZERO_PART_HINT = "A zero must be its own markable, with its own MarkableID."
_MIN_HINT = (
    "Min is one number or two, as in Min=3,5. Words are counted from 1 through the "
    "document, without zeros."
)
_ID_HINT = "An opening bracket needs both: '(EntityID=e1|MarkableID=m1'."


def _read(text: str, *, lenient: bool = False) -> Corpus:
    return universal_anaphora.read(text.encode(), source="x.ua", lenient=lenient)


def _walk(*cells: str) -> Walk:
    """Read cells of consecutive words of a document of nine words."""
    walk = Walk("x.ua", Faults("x.ua", lenient=False), 9)
    for number, cell in enumerate(cells):
        walk.take(with_keys(cell), number + 1, number + 1 << 12, number)
    return walk


def test_a_walk_returns_markables_in_the_order_of_their_first_brackets() -> None:
    walk = _walk("(e1:m1|Min=1,2", "(e2:m2)", "m1)", "(e3:m2)")
    first, second = walk.finish()
    assert (first.name, first.entity, first.parts) == ("m1", "e1", [(1 << 12, 3 << 12)])
    assert (first.minimum, first.minimum_end, first.last_line) == (1, 2, 3)
    assert (second.entity, second.parts) == (
        "e3",
        [(2 << 12, 2 << 12), (4 << 12, 4 << 12)],
    )
    assert walk.changes == [4]


def test_parts_that_overlap_are_merged() -> None:
    [markable] = _walk("(e1:m1", "(e1:m1", ")", ")").finish()
    assert markable.parts == [(1 << 12, 4 << 12)]


def test_markables_are_sorted_by_entity_in_the_order_of_first_markables() -> None:
    walk = _walk(
        "(b:m1)", "(a:m2|ElementOf=b)", "(b:m3)", "(a:m4", ")", "(b:m3|ElementOf=x)"
    )
    markables, place = Markables.of(walk.finish()).sort()
    assert markables.labels == ["b", "a"]
    assert markables.name == ["m1", "m3", "m2", "m4"]
    assert place.tolist() == [0, 2, 1, 3]
    start, member = markables.words()
    assert start.tolist() == [0, 1, 3, 4, 6]
    assert (member >> 12).tolist() == [1, 3, 6, 2, 4, 5]
    assert markables.plurals() == ([(0, 1)], [6])


def test_joined_markables_keep_their_labels_and_parts() -> None:
    one, other = (Markables.of(_walk(cell).finish()) for cell in ("(a:m1)", "(b:m2)"))
    joined = one.join(other)
    assert (joined.labels, joined.label.tolist()) == (["a", "b"], [0, 1])
    assert (joined.name, joined.part.tolist()) == (["m1", "m2"], [0, 1])


class Fault(NamedTuple):
    """A text with a fault, the error, and the markables that lenient reading finds."""

    text: str
    line: int
    problem: str
    hint: str
    kind: str
    markables: tuple[str, ...]


SKIPPED = {
    "closed, none open": Fault(
        document("1 (e3:m3)", "2 )"),
        3,
        "a markable is closed here but none is open",
        "Expected '(EntityID=…|MarkableID=…' on an earlier word.",
        "unopened-markables",
        ("m3",),
    ),
    "closed once too often": Fault(
        document("1 (e3:m3", "2 ))"),
        3,
        "a markable is closed here but none is open",
        "Expected '(EntityID=…|MarkableID=…' on an earlier word.",
        "unopened-markables",
        ("m3",),
    ),
    "closed by a wrong name": Fault(
        document("1 (e3:m3)(e2:m2", "2 m1)m2)"),
        3,
        "markable m1 is closed here but is not open",
        "Expected '(EntityID=…|MarkableID=m1' on an earlier word.",
        "unopened-markables",
        ("m3", "m2"),
    ),
    "never closed": Fault(
        document("1 (e3:m3)", "2 (e1:m1", "3 _"),
        3,
        "markable m1 is opened here but never closed in this document",
        "Expected ')' or 'm1)' on a later word.",
        "unclosed-markables",
        ("m3",),
    ),
    "a part is never closed": Fault(
        document("1 (e1:m1)(e3:m3)", "2 (e1:m1"),
        3,
        "markable m1 is opened here but never closed in this document",
        "Expected ')' or 'm1)' on a later word.",
        "unclosed-markables",
        ("m3",),
    ),
    "not closed in its document": Fault(
        document("1 (e1:m1") + "# newdoc id = e\n" + row("1 (e3:m3)"),
        2,
        "markable m1 is opened here but never closed in this document",
        "Expected ')' or 'm1)' on a later word.",
        "unclosed-markables",
        ("m3",),
    ),
    "no entity": Fault(
        document("1 (e3:m3", "2 (MarkableID=m1|Min=2", "3 ))"),
        3,
        "this markable has no EntityID",
        _ID_HINT,
        "nameless-markables",
        ("m3",),
    ),
    "no entity but Pseudo": Fault(
        document("1 (e3:m3)", "2 (EntityID=-Pseudo|MarkableID=m1)"),
        3,
        "this markable has no EntityID",
        _ID_HINT,
        "nameless-markables",
        ("m3",),
    ),
    "no markable": Fault(
        document("1 (e3:m3)", "2 (EntityID=e1)"),
        3,
        "this markable has no MarkableID",
        _ID_HINT,
        "nameless-markables",
        ("m3",),
    ),
    "nothing in brackets": Fault(
        document("1 (e3:m3)", "2 ()"),
        3,
        "this markable has no MarkableID",
        _ID_HINT,
        "nameless-markables",
        ("m3",),
    ),
    "text without brackets": Fault(
        document("1 (e3:m3)", "2 e1"),
        3,
        "'e1' does not consist of brackets",
        _CELL_HINT,
        "unreadable-cells",
        ("m3",),
    ),
    "text before a bracket": Fault(
        document("1 (e2:m2)e1(e3:m3)"),
        2,
        "'e1' does not consist of brackets",
        _CELL_HINT,
        "unreadable-cells",
        ("m2", "m3"),
    ),
    "a blank in a cell": Fault(
        document("1 (e3:m3)", "2 (e1:m1)").replace("m1)", "m1 )"),
        3,
        "'(EntityID=e1|MarkableID=m1 )' does not consist of brackets",
        _CELL_HINT,
        "unreadable-cells",
        ("m3",),
    ),
    "Min is no number": Fault(
        document("1 (e3:m3)", "2 (e1:m1|Min=x)"),
        3,
        "Min=x is outside this document, which has 2 words",
        _MIN_HINT,
        "minimums",
        ("m3",),
    ),
    "Min beyond the document": Fault(
        document("1 (e3:m3)", "2 (e1:m1|Min=2,3)", "2.1 _"),
        3,
        "Min=2,3 is outside this document, which has 2 words",
        _MIN_HINT,
        "minimums",
        ("m3",),
    ),
    "Min from behind": Fault(
        document("1 (e3:m3)", "2 (e1:m1|Min=2,1)"),
        3,
        "Min=2,1 is outside this document, which has 2 words",
        _MIN_HINT,
        "minimums",
        ("m3",),
    ),
    "Min counts from 1": Fault(
        document("1 (e3:m3)", "2 (e1:m1|Min=0)"),
        3,
        "Min=0 is outside this document, which has 2 words",
        _MIN_HINT,
        "minimums",
        ("m3",),
    ),
    "opened on a zero": Fault(
        document("1 (e3:m3)", "1.1 (e1:m1", "2 )"),
        3,
        "markable m1 continues after a zero",
        _ZERO_HINT,
        "zeros",
        ("m3",),
    ),
    "closed on a zero": Fault(
        document("1 (e3:m3", "1.1 )", "2 )"),
        3,
        "a markable is closed on a zero",
        _ZERO_HINT,
        "zeros",
        ("m3",),
    ),
    "a zero and a word": Fault(
        document("1 (e3:m3)", "1.1 (e1:m1)", "2 (e1:m1)"),
        4,
        "markable m1 has several parts, and one is a zero (first part: line 3)",
        _ZERO_PART_HINT,
        "zeros",
        ("m3",),
    ),
    "a word and a zero": Fault(
        document("1 (e3:m3)(e1:m1)", "1.1 (e1:m1)"),
        3,
        "markable m1 has several parts, and one is a zero (first part: line 2)",
        _ZERO_PART_HINT,
        "zeros",
        ("m3",),
    ),
    "a document that starts again": Fault(
        document("1 (e1:m1") + "# newdoc id = e\n" + row("1 (e3:m3)") + document("1 )"),
        5,
        "document 'd' starts again (first: line 1)",
        "All sentences of a document must be together.",
        "repeated-documents",
        ("m1", "m3"),
    ),
    "bridges without brackets": Fault(
        document("1 (e3:m3) m1"),
        2,
        "'m1' in the column BRIDGING does not consist of brackets",
        "Expected '(MarkableID=m7|Rel=part|MentionAnchor=m2)'.",
        "unreadable-bridges",
        ("m3",),
    ),
}
every_fault = pytest.mark.parametrize("fault", SKIPPED.values(), ids=SKIPPED)


@every_fault
def test_a_fault_is_refused_with_its_place_and_a_hint(fault: Fault) -> None:
    with pytest.raises(FormatError) as caught:
        _read(fault.text)
    error = caught.value
    assert (error.source, error.line) == ("x.ua", fault.line)
    assert (error.problem, error.hint) == (fault.problem, fault.hint)


@every_fault
def test_lenient_reading_skips_and_notes_a_fault(fault: Fault) -> None:
    corpus = _read(fault.text, lenient=True)
    assert anaphora_of(corpus).markable == fault.markables
    what = fault.kind.replace("-", " ")
    message = f"warning: Skipped: {what} (at x.ua:{fault.line})."
    assert Note(fault.kind, 1, message) in corpus.notes


def test_a_document_that_starts_again_leniently_goes_on() -> None:
    first = document("1 (e1:m1", "1.1 _", "2 (e2:m2)")
    again = document("0.1 (e1:m3)", "1 )", "1.1 (e1:m4)")
    other = "# newdoc id = e\n" + row("1 (e1:m1)")
    corpus = _read(first + other + again, lenient=True)
    assert corpus.words is not None
    assert [name.name for name in corpus.documents] == ["d", "e"]
    assert corpus.words.sentences.document.tolist() == [0, 1, 0]
    assert anaphora_of(corpus).markable == ("m1", "m3", "m4", "m2", "m1")
    member = [
        (code >> 32, code >> 12 & 0xFFFFF, code & 0xFFF)
        for code in corpus.words.member.tolist()
    ]
    assert member == [
        *((0, 1, 0), (0, 2, 0), (0, 3, 0)),
        *((0, 2, 1), (0, 3, 1), (0, 2, 0), (1, 1, 0)),
    ]


def test_the_message_shows_file_line_cell_and_hint() -> None:
    with pytest.raises(FormatError) as caught:
        _read(document("1 (e1:m1)", "2 (e1:m2|Min=9)"))
    assert str(caught.value) == (
        "x.ua:3: Min=9 is outside this document, which has 2 words\n"
        "    (EntityID=e1|MarkableID=m2|Min=9)\n"
        f"  hint: {_MIN_HINT}"
    )
