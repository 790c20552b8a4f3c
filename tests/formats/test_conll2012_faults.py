"""CoNLL-2012 that cannot be read: where, what, and what to do; and leniently."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import pytest

from scoref import FormatError, Note
from scoref.formats import conll2012
from scoref.formats.builder import record_faults
from support.corpus_values import mentions_by_document

if TYPE_CHECKING:
    from support.corpus_values import Mentions


class Fault(NamedTuple):
    """A text that is refused, how, and what a lenient reading makes of it."""

    text: str
    line: int | None
    problem: str
    shown: str
    span: tuple[int, int] | None
    hint: str
    mentions: dict[str, Mentions]
    note: Note


def _passed_over(kind: str, count: int, *, line: int) -> Note:
    what = kind.replace("-", " ")
    return Note(kind, count, f"{what}: {count} passed over, first at x.conll:{line}")


_CELL_HINT = "the last column holds '-' or brackets such as '(3', '3)' or '(3)|4)'"
_HEAD = "#begin document (d); part 000\n"
_NAME = "(d); part 000"

FAULTS = {
    "unopened": Fault(
        text=_HEAD + "d\t0\tPierre\t(1)\nd\t1\tVinken\t1)|(2)\n#end document\n",
        line=3,
        problem="entity 1 is closed here but was never opened",
        shown="d\t1\tVinken\t1)|(2)",
        span=(11, 13),
        hint="expected an earlier token with '(1'",
        mentions={_NAME: {"1": [(0, 0)], "2": [(1, 1)]}},
        note=_passed_over("unopened-brackets", 1, line=3),
    ),
    "unclosed": Fault(
        text=_HEAD + "d\t0\tPierre\t(7|(1)\nd\t1\tVinken\t(1)\n#end document\n",
        line=2,
        problem="entity 7 is opened here but never closed in this document",
        shown="d\t0\tPierre\t(7|(1)",
        span=(11, 13),
        hint="expected a later token with '7)'",
        mentions={_NAME: {"1": [(0, 0), (1, 1)], "7": []}},
        note=_passed_over("unclosed-brackets", 1, line=2),
    ),
    "unclosed at the end of the file": Fault(
        text="#begin document d\nw\t(7\nw\t(1)\n",
        line=2,
        problem="entity 7 is opened here but never closed in this document",
        shown="w\t(7",
        span=(2, 4),
        hint="expected a later token with '7)'",
        mentions={"d": {"7": [], "1": [(1, 1)]}},
        note=_passed_over("unclosed-brackets", 1, line=2),
    ),
    "bad cell": Fault(
        text=_HEAD + "d\t0\tPierre\t(1)\nd\t1\tVinken\t1\n#end document\n",
        line=3,
        problem="'1' is no coreference annotation",
        shown="d\t1\tVinken\t1",
        span=(11, 12),
        hint=_CELL_HINT,
        mentions={_NAME: {"1": [(0, 0)]}},
        note=_passed_over("unreadable-cells", 1, line=3),
    ),
    "bad cell with a bracket": Fault(
        text="#begin document d\nw\t(1)|2\n#end document\n",
        line=2,
        problem="'(1)|2' is no coreference annotation",
        shown="w\t(1)|2",
        span=(2, 7),
        hint=_CELL_HINT,
        mentions={"d": {}},
        note=_passed_over("unreadable-cells", 1, line=2),
    ),
    "bracket without a label": Fault(
        text="#begin document d\nw\t()\n#end document\n",
        line=2,
        problem="'()' is no coreference annotation",
        shown="w\t()",
        span=(2, 4),
        hint=_CELL_HINT,
        mentions={"d": {}},
        note=_passed_over("unreadable-cells", 1, line=2),
    ),
    "corefud": Fault(
        text="# newdoc id = a\n1\tVinken\t_\tEntity=(e1-person)\n",
        line=2,
        problem="'Entity=(e1-person)' is no coreference annotation",
        shown="1\tVinken\t_\tEntity=(e1-person)",
        span=(11, 29),
        hint="this looks like CorefUD: CoNLL-U with Entity= in its last column",
        mentions={"": {}},
        note=_passed_over("unreadable-cells", 1, line=2),
    ),
    "not the format": Fault(
        text="It was the best of times,\nit was the worst of times.\n",
        line=1,
        problem="'times,' is no coreference annotation",
        shown="It was the best of times,",
        span=(19, 25),
        hint="there is no line '#begin document' either: is this CoNLL-2012?",
        mentions={"": {}},
        note=_passed_over("unreadable-cells", 2, line=1),
    ),
    "rows before the document": Fault(
        text="w\t(1)\n#begin document d\nw\t(1)\n#end document\n",
        line=1,
        problem="this row stands outside any document",
        shown="w\t(1)",
        span=None,
        hint="expected a line '#begin document ...' above it",
        mentions={"d": {"1": [(0, 0)]}},
        note=_passed_over("rows-outside-documents", 1, line=1),
    ),
    "rows behind the document": Fault(
        text="#begin document d\nw\t(1)\n#end document\nw\t(1)\nw\t-\n",
        line=4,
        problem="this row stands outside any document",
        shown="w\t(1)",
        span=None,
        hint="expected a line '#begin document ...' above it",
        mentions={"d": {"1": [(0, 0)]}},
        note=_passed_over("rows-outside-documents", 2, line=4),
    ),
    "repeated document": Fault(
        text="#begin document d\nw\t(1)\n#begin document d\nw\t-\nw\t(2)\n",
        line=3,
        problem="document 'd' comes a second time (first in line 1)",
        shown="#begin document d",
        span=None,
        hint="give every document of a file a name of its own",
        mentions={"d": {"1": [(0, 0)]}},
        note=_passed_over("repeated-documents", 1, line=3),
    ),
}

every_fault = pytest.mark.parametrize("fault", FAULTS.values(), ids=list(FAULTS))


@every_fault
def test_strictly_a_fault_is_shown_in_its_place(fault: Fault) -> None:
    with pytest.raises(FormatError) as caught:
        conll2012.read(fault.text.encode(), source="x.conll")
    error = caught.value
    assert (error.source, error.line, error.problem) == (
        "x.conll",
        fault.line,
        fault.problem,
    )
    assert (error.text, error.span, error.hint) == (fault.shown, fault.span, fault.hint)


@every_fault
def test_leniently_a_fault_is_passed_over_and_noted(fault: Fault) -> None:
    corpus = conll2012.read(fault.text.encode(), source="x.conll", lenient=True)
    assert mentions_by_document(corpus) == fault.mentions
    assert corpus.notes == (fault.note,)


@pytest.mark.parametrize("lenient", [False, True])
@pytest.mark.parametrize(
    "text", ["", "\n", " \n\r\n", "# a comment\n", "#end document\n"]
)
def test_a_file_without_a_document_is_refused(text: str, *, lenient: bool) -> None:
    with pytest.raises(FormatError) as caught:
        conll2012.read(text.encode(), source="x.conll", lenient=lenient)
    assert str(caught.value) == (
        "x.conll: there is no document in this file\n"
        "  hint: expected '#begin document (name); part 000' and a row a token"
    )


def test_the_message_marks_the_place_in_the_line() -> None:
    with pytest.raises(FormatError) as caught:
        conll2012.read(FAULTS["unopened"].text.encode(), source="x.conll")
    assert str(caught.value) == (
        "x.conll:3: entity 1 is closed here but was never opened\n"
        "    d 1 Vinken 1)|(2)\n"
        "               ^^\n"
        "  hint: expected an earlier token with '(1'"
    )


def test_the_mark_is_under_the_bracket_that_is_to_blame() -> None:
    text = "#begin document d\nw\t(1)|1)\n#end document\n"
    with pytest.raises(FormatError) as caught:
        conll2012.read(text.encode(), source="x.conll")
    assert caught.value.span == (6, 8)


def test_the_mark_does_not_stop_inside_a_longer_label() -> None:
    text = "#begin document d\nw\t1)|(21)\n#end document\n"
    with pytest.raises(FormatError) as caught:
        conll2012.read(text.encode(), source="x.conll")
    assert caught.value.span == (2, 4)


def test_a_long_line_is_cut_around_the_place() -> None:
    text = "#begin document d\n" + "w" * 200 + "\t1)\n"
    with pytest.raises(FormatError) as caught:
        conll2012.read(text.encode(), source="x.conll")
    _, shown, marker, _ = str(caught.value).splitlines()
    assert shown == "    …" + "w" * 72 + " 1)"
    assert marker == "    " + " " * 74 + "^^"


def test_every_kind_of_fault_is_counted_apart() -> None:
    text = "#begin document d\nw\t1)\nw\t2)\nw\tx\nw\t(3\n#end document\n"
    corpus = conll2012.read(text.encode(), source="x.conll", lenient=True)
    assert [(note.kind, note.count) for note in corpus.notes] == [
        ("unopened-brackets", 2),
        ("unreadable-cells", 1),
        ("unclosed-brackets", 1),
    ]


@pytest.mark.parametrize(
    "cell",
    ["(aaa)" * 40 + "((", "x" * 900_000, "(" + "x" * 900_000 + "((", "|" * 900_000],
    ids=["many brackets", "one word", "one label", "bars"],
)
def test_a_long_cell_is_refused_in_few_words(cell: str) -> None:
    text = f"#begin document d\nw\t{cell}\n#end document\n"
    with pytest.raises(FormatError) as caught:
        conll2012.read(text.encode(), source="x.conll")
    assert caught.value.problem == f"'{cell[:30]}…' is no coreference annotation"
    assert caught.value.span == (2, 2 + len(cell))


def test_of_a_long_label_the_beginning_is_shown() -> None:
    text = "#begin document d\nw\t(" + "1" * 200_000 + "\n#end document\n"
    with pytest.raises(FormatError) as caught:
        conll2012.read(text.encode(), source="x.conll")
    assert caught.value.problem == (
        f"entity {'1' * 30}… is opened here but never closed in this document"
    )


def test_thousands_of_faults_of_one_cell_have_a_place_each() -> None:
    cell = "|".join(f"({label}" for label in range(5_000))
    text = f"#begin document d\nw\t{cell}\n#end document\n"
    with record_faults() as heard:
        conll2012.read(text.encode(), source="x.conll", lenient=True)
    marked = {error.text[slice(*(error.span or ()))] for error in heard}
    assert marked == {f"({label}" for label in range(5_000)}
