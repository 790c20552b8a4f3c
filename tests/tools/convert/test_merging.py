"""`scoref convert --merge majority`: one key of several annotators' files."""

from __future__ import annotations

import csv
import json
import re
from typing import TYPE_CHECKING

import pytest

import scoref
from support.commands import run
from support.paths import EXAMPLES

if TYPE_CHECKING:
    from pathlib import Path

FILES = [str(EXAMPLES / f"agree-{who}.conll") for who in ("ada", "ben", "eva")]
Entities = list[list[int]]


def record(entities: Entities, name: str = "d", words: int = 10) -> bytes:
    """Write a document whose mentions are single words."""
    clusters = [[[place, place] for place in entity] for entity in entities]
    tokens = [f"w{number}" for number in range(words)]
    line = {"doc_key": name, "sentences": [tokens], "clusters": clusters}
    return json.dumps(line).encode() + b"\n"


def clusters_of(data: bytes) -> list[object]:
    return [json.loads(line)["clusters"] for line in data.splitlines()]


def merged(*people: Entities) -> tuple[Entities, list[str]]:
    """Return the entities of a majority, and the disputes."""
    files = [record(entities) for entities in people]
    converted = scoref.convert(files, "json-lines", merge="majority")
    clusters = json.loads(converted.data)["clusters"]
    entities = [[first for first, _ in entity] for entity in clusters]
    return entities, [str(it).partition(": ")[2] for it in converted.disputes]


def test_what_all_have_is_the_key() -> None:
    assert merged([[0, 1], [2, 3]], [[0, 1], [2, 3]]) == ([[0, 1], [2, 3]], [])


def test_two_of_three_decide() -> None:
    three = [[0, 1, 2], [3]], [[0, 1, 2], [3]], [[0, 1], [2, 3]]
    assert merged(*three) == ([[0, 1, 2], [3]], [])


def test_mentions_need_more_than_half() -> None:
    entities, disputes = merged([[0, 1], [5]], [[0, 1, 7], [5]], [[0, 1]])
    assert (entities, disputes) == ([[0, 1], [5]], [])
    entities, disputes = merged([[0, 1], [5]], [[0, 1]])
    assert entities == [[0, 1]]
    assert disputes == ['tie: "w5": 1 of 2 annotators marked it. In the key: left out.']


def test_even_votes_for_a_link_are_ties_and_join_nothing() -> None:
    entities, disputes = merged([[0, 1], [2]], [[0], [1, 2]])
    assert entities == [[0], [1], [2]]
    assert disputes == [
        'tie: "w0" and "w1": 1 of 2 annotators linked them. In the key: apart.',
        'tie: "w1" and "w2": 1 of 2 annotators linked them. In the key: apart.',
    ]


def test_a_chain_of_majorities_joins_nothing_that_most_keep_apart() -> None:
    # 0-1 and 1-2 have three votes of five, 0-2 has one.
    people = [[[0, 1, 2]], [[0, 1], [2]], [[0, 1], [2]], [[0], [1, 2]], [[0], [1, 2]]]
    entities, disputes = merged(*people)
    assert entities == [[0, 1], [2]]
    assert disputes == [
        'conflict: "w1" and "w2": 3 of 5 annotators linked them. In the key: apart.'
    ]


def test_what_is_most_agreed_is_joined_first() -> None:
    # 1-2 has four votes of five, 0-1 three, 0-2 two.
    people = [[[0, 1, 2]], [[0, 1, 2]], [[0, 1], [2]], [[0], [1, 2]], [[0], [1, 2]]]
    entities, disputes = merged(*people)
    # (3 + 2) / 2 votes of five on average are no majority.
    assert entities == [[0], [1, 2]]
    assert disputes == [
        'conflict: "w0" and "w1": 3 of 5 annotators linked them. In the key: apart.'
    ]


def test_entities_are_joined_though_some_mentions_of_theirs_are_not() -> None:
    # Between {0, 1} and {2} there are 3 + 2 votes of four.
    people = [[[0, 1, 2]], [[0, 1, 2]], [[0, 1], [2]], [[0], [1, 2]]]
    entities, disputes = merged(*people)
    assert entities == [[0, 1, 2]]
    assert disputes == [
        'tie: "w0" and "w2": 2 of 4 annotators linked them. In the key: together.'
    ]


def test_without_singletons_anywhere_none_are_made() -> None:
    entities, disputes = merged([[0, 1], [2, 3]], [[0, 2], [1, 3]], [[0, 3], [1, 2]])
    assert (entities, disputes) == ([], [])


def test_documents_are_voted_on_by_those_who_have_them() -> None:
    both = record([[0, 1], [2]], "d") + record([[0, 1]], "e")
    one = record([[0, 1], [2]], "d")
    made = scoref.convert([both, one, one], "json-lines", merge="majority")
    records = [json.loads(line) for line in made.data.splitlines()]
    assert [line["clusters"] for line in records] == [
        [[[0, 0], [1, 1]], [[2, 2]]],
        [[[0, 0], [1, 1]]],
    ]


SHARED_OUT = {
    "ada": {"d": [[0, 1], [2, 3]], "e": [[0, 2, 3]]},
    "ben": {"d": [[0, 1], [2, 3]], "f": [[4, 5], [6, 7]]},
    "eva": {"e": [[0, 2, 3]], "f": [[4, 5], [6, 7]]},
}


@pytest.mark.parametrize("name", ["json-lines", "corefud", "universal-anaphora"])
def test_each_text_is_that_of_the_first_annotator_who_has_it(
    name: str, tmp_path: Path
) -> None:
    paths = []
    for who, documents in SHARED_OUT.items():
        data = b"".join(record(own, title) for title, own in documents.items())
        paths.append(tmp_path / f"{who}.{name}")
        paths[-1].write_bytes(scoref.convert(data, name).data)
    made = scoref.convert(paths, "json-lines", merge="majority", lossy=True)
    documents = {d: own for all_ in SHARED_OUT.values() for d, own in all_.items()}
    assert made.data == b"".join(
        record(documents[title], title).replace(b" ", b"") for title in "def"
    )
    missing = [note.message for note in made.notes if note.kind == "missing-documents"]
    assert missing == [
        f"{paths[0]}: 1 of 3 documents is missing ('f').",
        f"{paths[1]}: 1 of 3 documents is missing ('e').",
        f"{paths[2]}: 1 of 3 documents is missing ('d').",
    ]
    back = scoref.convert(paths, name, merge="majority", lossy=True)
    again = scoref.convert(back.data, "json-lines", lossy=True)
    assert again.data == made.data


def test_documents_that_are_shared_out_must_have_one_text() -> None:
    one, other = record([[0, 1]], "d"), record([[0, 1]], "e", words=8)
    files = [one, other, one + other.replace(b"w3", b"another")]
    with pytest.raises(scoref.AlignmentError, match="'another', but 'w3'"):
        scoref.convert(files, "json-lines", merge="majority")


@pytest.mark.parametrize("name", ["conll-2012", "corefud", "universal-anaphora"])
def test_every_format_gives_the_same_majority(name: str, tmp_path: Path) -> None:
    expected = scoref.convert(FILES, "json-lines", merge="majority").data
    paths = []
    for number, file in enumerate(FILES):
        paths.append(tmp_path / f"{number}.txt")
        paths[-1].write_bytes(scoref.convert(file, name, lossy=True).data)
    made = scoref.convert(paths, "json-lines", merge="majority", lossy=True)
    assert clusters_of(made.data) == clusters_of(expected)


def test_brat_is_merged_as_well(tmp_path: Path) -> None:
    folders = [tmp_path / f"p{number}" for number in range(3)]
    for folder, file in zip(folders, FILES, strict=True):
        run("convert", file, folder, "--to", "brat", code=0)
    target = tmp_path / "key.jsonl"
    run("convert", *folders, target, "--merge", "majority", "--lossy", code=0)
    expected = scoref.convert(FILES, "json-lines", merge="majority").data
    assert clusters_of(target.read_bytes()) == clusters_of(expected)


def test_corefud_of_a_file_without_the_first_document(tmp_path: Path) -> None:
    whole = scoref.convert(FILES[0], "corefud", lossy=True).data
    (tmp_path / "whole.conllu").write_bytes(whole)
    header = re.findall(rb"# global.Entity.*\n", whole)[0]
    second = whole[whole.rindex(b"# newdoc id = ") :]
    (tmp_path / "part.conllu").write_bytes(header + second)
    paths = [tmp_path / "whole.conllu", tmp_path / "part.conllu"]
    made = scoref.convert(paths, "json-lines", merge="majority", lossy=True)
    expected = scoref.convert(tmp_path / "whole.conllu", "json-lines", lossy=True)
    assert made.data == expected.data


def test_the_command_lists_disputes(tmp_path: Path) -> None:
    for number, entities in enumerate(([[0, 1], [2]], [[0], [1, 2]])):
        (tmp_path / f"{number}.jsonl").write_bytes(record(entities))
    files = [tmp_path / f"{number}.jsonl" for number in range(2)]
    call = ["convert", *files, tmp_path / "key.jsonl", "--merge", "majority"]
    # Lines are folded, and where depends on the length of the path.
    output = " ".join(run(*call, code=0).output.split())
    assert "There are 2 ties about links" in output
    assert (
        'tie: "w0" and "w1": 1 of 2 annotators linked them. In the key: apart.'
        in output
    )
    disputes = tmp_path / "disputes.csv"
    run(*call, "--disputes", disputes, "--force", code=0)
    with disputes.open(newline="") as file:
        rows = list(csv.DictReader(file))
    assert [(row["kind"], row["first"], row["votes"]) for row in rows] == [
        ("tie", '"w0"', "1"),
        ("tie", '"w1"', "1"),
    ]


def test_several_files_without_merge_are_refused(tmp_path: Path) -> None:
    result = run("convert", *FILES, tmp_path / "key.jsonl", code=2)
    assert "--merge majority" in result.output


def test_one_file_has_no_majority() -> None:
    with pytest.raises(scoref.OptionError, match="at least two files"):
        scoref.convert([FILES[0]], "json-lines", merge="majority")


def table(*rows: str) -> bytes:
    """Write a table of mentions, with the tokens of those that have gaps."""
    lines = ["document entity start end pieces", *rows]
    return "".join(f"{line}\n" for line in lines).replace(" ", "\t").encode()


GAP = "d e1 3 7 3-4,7"


@pytest.mark.parametrize(
    "people",
    [
        [("d e1 1 1 ", GAP), (GAP,)],  # a mention is dropped before it
        [(GAP, "d e1 9 9 "), (GAP,)],  # or after it
        [("d e1 1 1 ",), (GAP,), (GAP,)],  # the first file has no gaps
        [(GAP, "d e2 12 15 12,15"), (GAP,), ("d e3 1 1 ", GAP)],
    ],
)
def test_a_mention_keeps_its_gap_if_others_are_dropped(
    people: list[tuple[str, ...]],
) -> None:
    files = [table(*rows) for rows in people]
    made = scoref.convert(files, "tsv", merge="majority", lossy=True)
    assert made.data.decode().splitlines()[1].split("\t")[2:5] == ["3", "7", "3-4,7"]
    assert len(made.data.splitlines()) == 2


def test_a_dispute_has_the_words_of_each_mention() -> None:
    words = ["a", "b", "c", "d"]
    files = [
        json.dumps(
            {"doc_key": "d", "sentences": [words], "clusters": clusters}
        ).encode()
        for clusters in ([[[0, 1]], [[3, 3]]], [[[2, 2]]])
    ]
    made = scoref.convert(files, "json-lines", merge="majority")
    assert [dispute.first for dispute in made.disputes] == ['"a b"', '"c"', '"d"']
