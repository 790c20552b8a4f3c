"""Notes of many systems: a line for each kind, those that move a figure first."""

from __future__ import annotations

from scoref.model import Note
from scoref.notes import note_lines

FEW = Note("few-documents", 2, "2 documents are too few")


def brackets(system: str, count: int) -> Note:
    return Note("brackets", count, f"Skipped: brackets ({count}, first at {system}:1).")


def test_what_is_noted_of_all_is_told_once_and_names_none() -> None:
    told = [(system, FEW) for system in "abc"]
    assert note_lines(told, of=3) == ["2 documents are too few"]


def test_what_is_noted_of_some_names_them() -> None:
    assert note_lines([("a", FEW), ("c", FEW)], of=3) == [
        "a, c: 2 documents are too few"
    ]


def test_a_warning_about_some_stays_a_warning() -> None:
    told = [("a", Note("kind", 2, "warning: 2 are odd.")), ("b", brackets("b", 1))]
    (line, _) = note_lines(told, of=2)
    assert line == "warning: a: 2 are odd."


def test_one_kind_takes_one_line_however_many_have_it() -> None:
    told = [(system, brackets(system, row)) for row, system in enumerate("abcdefgh", 1)]
    likewise = "The same applies to b (2), c (3), d (4) and 4 more."
    assert note_lines(told, of=8) == [
        f"a: Skipped: brackets (1, first at a:1). {likewise}"
    ]


def test_systems_with_different_faults_have_a_line_each() -> None:
    faults = {"a": "from 1", "b": "from 1", "c": "with exclusive ends"}
    told = [
        (system, Note("offsets", row, f"warning: {row} match: counted {fault}?"))
        for row, (system, fault) in enumerate(faults.items())
    ]
    assert note_lines(told, of=3) == [
        "warning: a: 0 match: counted from 1? The same applies to b (1).",
        "warning: c: 2 match: counted with exclusive ends?",
    ]


def test_what_moves_a_figure_comes_first() -> None:
    told = [("a", FEW), ("a", brackets("a", 1))]
    assert note_lines(told) == [
        "Skipped: brackets (1, first at a:1).",
        "2 documents are too few",
    ]


def test_the_keys_notes_do_not_hide_those_of_a_response() -> None:
    key = brackets("key", 1)
    told = [("a", key), ("b", key), ("b", brackets("b", 2))]
    assert note_lines(told, of=2) == [
        "Skipped: brackets (1, first at key:1).",
        "b: Skipped: brackets (2, first at b:1).",
    ]


def test_one_file_has_all_its_notes() -> None:
    told = [("a", brackets("x", 1)), ("a", brackets("y", 2))]
    assert len(note_lines(told)) == 2
