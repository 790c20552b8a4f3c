"""Classes of mentions: types by heads, tags and words, ranges, and a user's table."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

import numpy as np
import pytest

import scoref
from scoref import FormatError, OptionError, ScorefError
from scoref.scoring import mention_classes
from scoref.scoring.mention_classes import RANGES, ClassTable
from support.paths import EXAMPLES
from support.universal_anaphora import universal

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

Row = tuple[str, str, str, str]

PARSED: Sequence[Row] = (
    ("the", "DT", "(TOP(S(NP(NP*", "(1"),
    ("agreement", "NN", "*)", "-"),
    ("with", "IN", "(PP*", "-"),
    ("Prague", "NNP", "(NP*))))", "(2)|1)"),
    ("is", "VBZ", "(VP*", "-"),
    ("hers", "PRP", "(NP*)", "(3)"),
    ("or", "CC", "*", "-"),
    ("this", "DT", "(NP*)", "(1)"),
    ("signed", "VBN", "*)", "(3)"),
    (".", ".", "*))", "-"),
)
"""*the agreement with Prague* is a noun phrase that ends in a name."""


def write(path: Path, rows: Sequence[Row]) -> Path:
    lines = [
        f"d\t0\t{number}\t" + "\t".join((*row[:3], "-", row[3]))
        for number, row in enumerate(rows)
    ]
    text = "\n".join(("#begin document (d); part 000", *lines, "", "#end document", ""))
    path.write_text(text)
    return path


def counts(slices: scoref.Slices) -> dict[str, tuple[int, int]]:
    """Return the number of key and response mentions of each class."""
    sums = {name: one.counts["mentions"].sum(axis=0) for name, one in slices.items()}
    return {name: (int(row[1]), int(row[3])) for name, row in sums.items()}


def typed(path: Path, response: Path | None = None) -> dict[str, tuple[int, int]]:
    return counts(scoref.score_slices(path, response or path, "mention-type"))


def test_types_are_those_of_the_heads_of_parses(tmp_path: Path) -> None:
    assert typed(write(tmp_path / "a.conll", PARSED)) == {
        "pronoun": (2, 2),  # hers, this
        "proper": (1, 1),  # Prague
        "common": (1, 1),  # the agreement with Prague
        "other": (1, 1),  # signed
    }


@pytest.mark.parametrize("piece", ["-", "*", "(NP*"])
def test_tags_suffice_if_parses_are_missing_or_damaged(
    piece: str, tmp_path: Path
) -> None:
    rows = [(word, tag, piece, cell) for word, tag, _, cell in PARSED]
    parsed = typed(write(tmp_path / "a.conll", PARSED))
    assert typed(write(tmp_path / "b.conll", rows)) == parsed


def test_the_tags_of_the_key_hold_for_a_response_without_tags(tmp_path: Path) -> None:
    key = write(tmp_path / "key.conll", PARSED)
    rows = [(word, "-", "-", cell) for word, _, _, cell in PARSED]
    response = write(tmp_path / "response.conll", rows)
    assert typed(key, response) == typed(key)


def corefud(path: Path, rows: Sequence[tuple[str, str, str]]) -> Path:
    lines = [
        f"{number}\t{word}\t_\t{tag}\t_\t_\t0\troot\t_\t{entity}"
        for number, (word, tag, entity) in enumerate(rows, 1)
    ]
    head = "# newdoc id = d\n# global.Entity = eid-etype-head\n# sent_id = 1\n"
    path.write_text(f"{head}{chr(10).join(lines)}\n\n")
    return path


def test_corefud_without_tags_has_pronouns_from_a_list(tmp_path: Path) -> None:
    tagged = [("Ada", "PROPN", "Entity=(e1-x-1)"), ("and", "CCONJ", "_")]
    tagged += [("she", "PRON", "Entity=(e1-x-1)"), ("dog", "NOUN", "Entity=(e2-x-1)")]
    tagged += [("that", "PRON", "Entity=(e2-x-1)")]
    bare = [(word, "_", entity) for word, _, entity in tagged]
    key, plain = corefud(tmp_path / "k", tagged), corefud(tmp_path / "p", bare)
    expected = {"pronoun": (2, 2), "proper": (1, 1), "common": (1, 1)}
    assert typed(key) == expected

    def notes(key: Path, response: Path) -> list[str]:
        slices = scoref.score_slices(key, response, "mention-type")
        every = {note for one in slices.values() for note in one.notes}
        return [note.message for note in every if note.kind == "pronoun-list"]

    assert typed(plain) == {"pronoun": (2, 2), "other": (2, 2)}
    (note,) = notes(plain, plain)
    assert note.startswith(
        f"{plain} has no parts of speech. Pronouns were recognised by a list of "
        "English pronouns; all other mentions are in the class 'other'. The language "
    )
    assert typed(key, plain)["pronoun"] == (2, 2)
    (warning,) = notes(key, plain)
    assert warning.startswith(
        f"warning: {plain} has no parts of speech, but {key} has. Pronouns of the "
    )
    none = corefud(tmp_path / "n", [(word, "_", "_") for word, _, _ in tagged])
    assert notes(key, key) == notes(key, none) == []
    lines = tmp_path / "r.jsonl"
    words = [word for word, _, _ in tagged]
    record = {"doc_key": "d", "sentences": [words], "clusters": [[[0, 0], [2, 2]]]}
    lines.write_text(json.dumps(record) + "\n")
    (note,) = notes(key, lines)
    assert note.startswith(f"{key} was compared as spans, without parts of speech. ")


def test_without_tags_pronouns_are_known_from_a_list(tmp_path: Path) -> None:
    rows = [(word, "-", "-", cell) for word, _, _, cell in PARSED]
    path = write(tmp_path / "a.conll", rows)
    slices = scoref.score_slices(path, path, "mention-type")
    assert counts(slices) == {"pronoun": (2, 2), "other": (3, 3)}
    notes = [note for note in slices["other"].notes if note.kind == "pronoun-list"]
    assert "has no parts of speech" in notes[0].message


def test_tags_need_no_note(tmp_path: Path) -> None:
    path = write(tmp_path / "a.conll", PARSED)
    slices = scoref.score_slices(path, path, "mention-type")
    assert all(note.kind != "pronoun-list" for note in slices["proper"].notes)


@pytest.mark.parametrize("format_name", ["json-lines", "conll-2012"])
def test_every_format_with_words_has_types(format_name: str, tmp_path: Path) -> None:
    files = [EXAMPLES / "key.conll", EXAMPLES / "response.conll"]
    expected = counts(scoref.score_slices(files[0], files[1], "mention-type"))
    paths = []
    for file in files:
        path = tmp_path / f"{file.stem}.{format_name}"
        path.write_bytes(scoref.convert(file, format_name).data)
        paths.append(path)
    assert typed(*paths) == expected
    assert expected == {"pronoun": (7, 7), "other": (8, 6)}


def test_universal_anaphora_has_types() -> None:
    files = EXAMPLES / "ua-key.ua", EXAMPLES / "ua-response.ua"
    slices = scoref.score_slices(*files, "mention-type")
    assert {"pronoun", "other"} <= {*slices}


def test_entities_without_words_have_no_types(tmp_path: Path) -> None:
    with pytest.raises(OptionError, match="needs parts of speech or words"):
        scoref.score_slices([["a", "b"]], [["a", "b"]], "mention-type")
    path = tmp_path / "a.tsv"
    path.write_text("document\tentity\tstart\tend\nd\t1\t0\t0\nd\t1\t2\t2\n")
    with pytest.raises(OptionError, match="needs parts of speech or words"):
        scoref.score_slices(path, path, "mention-type")


def test_a_response_without_words_has_the_words_of_the_key(tmp_path: Path) -> None:
    table = scoref.convert(EXAMPLES / "key.conll", "tsv", lossy=True).data
    path = tmp_path / "response.tsv"
    path.write_bytes(table)
    slices = scoref.score_slices(EXAMPLES / "key.conll", path, "mention-type")
    assert counts(slices) == {"pronoun": (7, 7), "other": (8, 8)}


GERMAN = "Die Frau ist nicht zu Haus . Sie und ihr Hund sind mit dem Rad am See ."


def write_german(path: Path) -> Path:
    """Write a text without parts of speech, with "Die Frau", "Sie" and "ihr"."""
    cells = {0: "(0", 1: "0)", 7: "(0)", 9: "(0)"}
    words = enumerate(GERMAN.split())
    return write(path, [(word, "-", "-", cells.get(at, "-")) for at, word in words])


def test_the_language_of_the_text_chooses_the_list(tmp_path: Path) -> None:
    path = write_german(tmp_path / "a.conll")
    slices = scoref.score_slices(path, path, "mention-type")
    assert counts(slices) == {"pronoun": (2, 2), "other": (1, 1)}
    [note] = [note for note in slices["other"].notes if note.kind == "pronoun-list"]
    assert "a list of German pronouns" in note.message
    assert "not recognised" not in note.message


def test_english_is_assumed_if_the_language_is_not_clear(tmp_path: Path) -> None:
    rows = [("Hän", "-", "-", "(0)"), ("she", "-", "-", "(0)")]
    path = write(tmp_path / "a.conll", rows)
    slices = scoref.score_slices(path, path, "mention-type")
    assert counts(slices) == {"pronoun": (1, 1), "other": (1, 1)}
    [note] = [note for note in slices["other"].notes if note.kind == "pronoun-list"]
    assert "The language of the text was not recognised" in note.message
    assert "--classes FILE" in note.message


def test_a_table_of_classes_without_rows_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "classes.tsv"
    path.write_text("document\tstart\tend\tclass\n")
    with pytest.raises(FormatError, match="this table of classes has no rows"):
        ClassTable.read(path)


def test_parts_of_speech_that_only_the_response_has_are_not_used(
    tmp_path: Path,
) -> None:
    key, response = tmp_path / "key.conllu", EXAMPLES / "corefud-response.conllu"
    lines = (EXAMPLES / "corefud-key.conllu").read_text(encoding="utf-8").split("\n")
    columns = [line.split("\t") for line in lines]
    for row in columns:
        row[3:5] = ["_"] * len(row[3:5])
    key.write_text("\n".join(map("\t".join, columns)), encoding="utf-8")
    slices = scoref.score_slices(key, response, "mention-type")
    assert [*counts(slices)] == ["pronoun", "zero", "other"]
    assert slices["other"].scores["mentions"].f1 > 0.7


def test_a_long_text_in_an_unknown_language_is_a_warning(tmp_path: Path) -> None:
    rows = [("xyz", "-", "-", "(1)"), *[("xyz", "-", "-", "-")] * 1500]
    path = write(tmp_path / "a.conll", rows)
    slices = scoref.score_slices(path, path, "mention-type")
    (note,) = [note for note in slices["other"].notes if note.kind == "pronoun-list"]
    assert note.message.startswith("warning: ")


def test_errors_name_a_list_only_if_it_is_not_expected(tmp_path: Path) -> None:
    def kinds(path: Path) -> list[str]:
        corpora = scoref.find_errors(path, path)._corpora
        notes = mention_classes.type_notes(*corpora, is_english_usual=True)
        return [note.message.partition("list of ")[2].split()[0] for note in notes]

    assert kinds(write_german(tmp_path / "a.conll")) == ["German"]
    assert kinds(EXAMPLES / "many-key.conll") == []
    unknown = [("xyz", "-", "-", "-")] * 900
    assert kinds(write(tmp_path / "b.conll", unknown)) == []  # too short to be known
    assert kinds(write(tmp_path / "c.conll", 2 * unknown)) == ["English"]


def test_ranges_count_words_between_the_first_and_the_last_mention(
    tmp_path: Path,
) -> None:
    def document(*places: tuple[int, int]) -> str:
        words = [f"w{number}" for number in range(2000)]
        clusters = [[[first, first], [last, last]] for first, last in places]
        clusters.append([[1999, 1999]])
        return json.dumps({"doc_key": "d", "sentences": [words], "clusters": clusters})

    path = tmp_path / "a.jsonl"
    path.write_text(document((0, 1), (2, 12), (3, 14), (5, 105), (6, 107), (7, 1008)))
    slices = scoref.score_slices(path, path, "entity-range")
    assert counts(slices) == {
        "0": (1, 1),
        "1-10": (4, 4),
        "11-100": (4, 4),
        "101-1000": (2, 2),
        "1001-": (2, 2),
    }
    assert tuple(slices) == RANGES


def test_ranges_of_corefud_are_between_heads(tmp_path: Path) -> None:
    head = "# newdoc id = d\n# global.Entity = eid-etype-head-other\n"
    cells = {1: "(e1--2", 2: "e1)", 13: "(e1--1)"}
    rows = "".join(
        f"{number}\tw\tw\tNOUN\t_\t_\t{int(number > 1)}\tdep\t_\t"
        + (f"Entity={cells[number]}" if number in cells else "_")
        + "\n"
        for number in range(1, 14)
    )
    path = tmp_path / "a.conllu"
    path.write_text(f"{head}# sent_id = s1\n{rows}\n")
    # From word 2, the head of the first mention, to word 13.
    assert counts(scoref.score_slices(path, path, "entity-range")) == {"11-100": (2, 2)}
    path.write_text(path.read_text().replace("(e1--2", "(e1--1"))
    assert counts(scoref.score_slices(path, path, "entity-range")) == {"11-100": (2, 2)}
    shorter = path.read_text().replace("12\tw", "12\tv")
    assert shorter != path.read_text()


def test_ranges_of_universal_anaphora_are_between_first_words(tmp_path: Path) -> None:
    path = tmp_path / "a.ua"
    path.write_text(universal("w " * 40, e1="2 13", e2="3 14-20 15", e3="5 30", e4="1"))
    found = counts(scoref.score_slices(path, path, "entity-range", singletons="keep"))
    assert found == {"0": (1, 1), "11-100": (7, 7)}
    path.write_text(universal("w " * 40, e1="2 12", e2="3 13", e3="5 30"))
    found = counts(scoref.score_slices(path, path, "entity-range"))
    assert found == {"1-10": (4, 4), "11-100": (2, 2)}


def test_ranges_need_documents() -> None:
    files = EXAMPLES / "ecb-key.conll", EXAMPLES / "ecb-response.conll"
    with pytest.raises(OptionError, match="entity-range cannot be combined"):
        scoref.score_slices(*files, "entity-range", scope="corpus")


TABLE = """document\tstart\tend\tclass
news/0001_0\t0\t1\tname
(news/0001); part 000\t10\t10\tpronoun
"""


def by_table(tmp_path: Path, text: str) -> scoref.Slices:
    table = tmp_path / "classes.tsv"
    table.write_text(text)
    files = EXAMPLES / "key.conll", EXAMPLES / "response.conll"
    return scoref.score_slices(*files, "class", classes=table)


def test_a_table_has_the_classes_of_mentions(tmp_path: Path) -> None:
    slices = by_table(tmp_path, TABLE)
    assert counts(slices) == {"name": (1, 1), "pronoun": (1, 1), "_": (13, 11)}
    assert list(slices) == ["name", "pronoun", "_"]
    assert all(note.kind != "classes-without-mention" for note in slices["_"].notes)


def test_a_table_may_be_in_any_order_with_commas(tmp_path: Path) -> None:
    text = "class,end,text,start,document\nname,1,Ada,0,news/0001_0\n"
    assert counts(by_table(tmp_path, text))["name"] == (1, 1)


def test_a_row_that_fits_no_mention_is_reported(tmp_path: Path) -> None:
    slices = by_table(tmp_path, f"{TABLE}news/0001_0\t300\t301\tname\nno\t0\t1\tx\n")
    table = tmp_path / "classes.tsv"
    assert [note.message for note in slices["_"].notes] == [
        f"warning: 1 row fits no mention of either side (first: {table}:4).",
        f"1 row is about documents that neither side has (first: {table}:5).",
    ]
    slices = by_table(tmp_path, "document\tstart\tend\tclass\nno\t0\t1\tx\n")
    assert [note.message for note in slices["_"].notes] == [
        f"warning: 1 row is about documents that neither side has (first: {table}:2)."
    ]


def test_a_row_of_a_singleton_that_is_not_scored_fits(tmp_path: Path) -> None:
    table = tmp_path / "classes.tsv"
    table.write_text("document\tstart\tend\tclass\nd\t3\t3\tx\nd\t0\t0\ty\n")
    tags = ["Entity=(e1-x-1)", "_", "Entity=(e1-x-1)", "Entity=(e2-x-1)"]
    path = corefud(tmp_path / "k.conllu", [("a", "NOUN", tag) for tag in tags])
    slices = scoref.score_slices(path, path, "class", classes=table)
    assert counts(slices) == {"y": (1, 1), "_": (1, 1)}
    assert all("classes" not in note.kind for note in slices["y"].notes)


def test_classes_of_a_table_add_up(tmp_path: Path) -> None:
    slices = by_table(tmp_path, TABLE)
    whole = scoref.score(EXAMPLES / "key.conll", EXAMPLES / "response.conll")
    for metric in ("muc", "bcub", "ceafe", "lea"):
        total = sum(one.counts[metric] for one in slices.values())
        assert np.allclose(total, whole.counts[metric])


def test_positions_in_corefud_leave_out_empty_nodes(tmp_path: Path) -> None:
    files = [EXAMPLES / f"corefud-{side}.conllu" for side in ("key", "response")]
    table = tmp_path / "classes.tsv"
    spans = scoref.convert(files[0], "json-lines", lossy=True).data.splitlines()
    lines = ["document\tstart\tend\tclass"]
    for document in map(json.loads, spans):
        lines += [
            f"{document['doc_key']}\t{start}\t{end}\tovert"
            for cluster in document["clusters"]
            for start, end in cluster
        ]
    table.write_text("\n".join(lines))
    slices = scoref.score_slices(files[0], files[1], "class", classes=table)
    # Four zeros, and a mention with a gap, which spans cannot represent.
    assert counts(slices)["_"][0] == 5
    assert counts(slices)["overt"][0] == 12


@pytest.mark.parametrize(
    ("text", "problem"),
    [
        ("", "no column 'document'"),
        ("document\tstart\tend\nd\t0\t1\n", "no column 'class'"),
        (f"{TABLE}d\t3\t1\tx\n", "3 to 1 is not a mention"),
        (f"{TABLE}news/0001_0\t0\t1\tother\n", "have another class in line 2"),
        (f"{TABLE}d\t3\n", "this row has 2 columns instead of 4"),
    ],
)
def test_a_bad_table_is_refused(text: str, problem: str, tmp_path: Path) -> None:
    with pytest.raises(FormatError, match=problem):
        by_table(tmp_path, text)


def test_a_table_belongs_to_classes(tmp_path: Path) -> None:
    files = EXAMPLES / "key.conll", EXAMPLES / "response.conll"
    with pytest.raises(OptionError, match="needs a table of classes"):
        scoref.score_slices(*files, "class")
    with pytest.raises(OptionError, match="--classes needs --by class"):
        scoref.score_slices(*files, "entity-size", classes="x.tsv")
    with pytest.raises(ScorefError):
        ClassTable.read(tmp_path / "missing.tsv")
