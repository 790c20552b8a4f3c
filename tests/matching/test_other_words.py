"""Tests of the report on words that differ in files of one format."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

import pytest

import scoref
from support.commands import run

if TYPE_CHECKING:
    from pathlib import Path

WORDS = ["Ada", "'s", "house", "fell"]
OTHERS = ["Xda", "t", "maison", "tombe"]
KIND = "differing-words"


def json_lines(path: Path, *documents: list[str]) -> Path:
    records = [
        {"doc_key": f"d{number}", "tokens": words, "clusters": [[[0, 0], [2, 2]]]}
        for number, words in enumerate(documents)
    ]
    path.write_text("".join(f"{json.dumps(record)}\n" for record in records))
    return path


def conll(path: Path, *documents: list[str], separator: str = "\t") -> Path:
    lines = []
    for number, words in enumerate(documents):
        lines.append(f"#begin document (d{number}); part 000")
        for place, word in enumerate(words):
            cell = "(0)" if place in {0, 2} else "-"
            cells = (f"d{number}", "0", str(place), word, "-", cell)
            lines.append(separator.join(cells))
        lines += ["", "#end document"]
    path.write_text("\n".join([*lines, ""]))
    return path


def messages(key: Path, response: Path, **options: str | bool) -> list[str]:
    notes = scoref.score(key, response, **options).notes  # type: ignore[arg-type]
    return [note.message for note in notes if note.kind == KIND]


def test_another_text_of_json_lines(tmp_path: Path) -> None:
    key = json_lines(tmp_path / "k.jsonl", WORDS)
    response = json_lines(tmp_path / "r.jsonl", OTHERS)
    assert scoref.score(key, response).conll == 1
    (message,) = messages(key, response)
    assert message == (
        f"warning: 4 of 4 words differ from the key (first: 'Xda' ({response}:1), but "
        f"'Ada' ({key}:1)). Mentions were compared by position. If the texts are "
        "different, the score is wrong."
    )


@pytest.mark.parametrize(
    ("separator", "options"),
    [("\t", {}), ("   ", {}), ("\t", {"scheme": "conll-2012"})],
)
def test_another_text_of_conll_2012(
    tmp_path: Path, separator: str, options: dict[str, str]
) -> None:
    key = conll(tmp_path / "k.conll", WORDS, WORDS)
    response = conll(tmp_path / "r.conll", WORDS, OTHERS, separator=separator)
    (message,) = messages(key, response, **options)
    assert "4 of 8 words differ from the key in 1 of 2 documents" in message
    assert f"'Xda' ({response}:9), but 'Ada' ({key}:9)" in message


def test_documents_in_another_order(tmp_path: Path) -> None:
    key = json_lines(tmp_path / "k.jsonl", WORDS, OTHERS)
    response = json_lines(tmp_path / "r.jsonl", WORDS, OTHERS)
    lines = response.read_text().splitlines()
    response.write_text("\n".join(reversed(lines)))
    assert messages(key, response) == []


def test_layouts_may_differ(tmp_path: Path) -> None:
    key = conll(tmp_path / "k.conll", WORDS)
    response = tmp_path / "r.conll"
    text = key.read_text().replace("\t-\t", "\tNN\t*\t_\t_\t")
    response.write_text(text)
    assert messages(key, response) == []


@pytest.mark.parametrize(
    ("ours", "theirs"),
    [
        (["-LRB-", "``", "'s", "and\\/or"], ["(", "“", "’s", "and/or"]),
        (["The", "HOUSE", "of", "Ada"], ["the", "house", "Of", "ada"]),
        (["café", "…", "–", "a"], ["cafe\u0301", "...", "--", "a"]),
    ],
)
def test_spellings_of_one_word(
    tmp_path: Path, ours: list[str], theirs: list[str]
) -> None:
    files = json_lines(tmp_path / "k.jsonl", ours), json_lines(tmp_path / "r", theirs)
    assert messages(*files) == []


@pytest.mark.parametrize("hidden", [["_"] * 4, ["0", "1", "2", "3"]])
def test_placeholders_and_numbers_are_not_words(
    tmp_path: Path, hidden: list[str]
) -> None:
    key = conll(tmp_path / "k.conll", WORDS)
    assert messages(key, conll(tmp_path / "r.conll", hidden)) == []
    assert messages(conll(tmp_path / "h.conll", hidden), key) == []


def test_a_few_words_are_a_note_and_not_a_warning(tmp_path: Path) -> None:
    text = [f"word{number}" for number in range(500)]
    key = conll(tmp_path / "k.conll", text)
    response = conll(tmp_path / "r.conll", [*text[:-1], "Paris"])
    (message,) = messages(key, response)
    assert message.startswith("1 of 500 words differ from the key (first: 'Paris' ")
    assert message.endswith("Mentions were compared by position.")


def test_a_short_document_of_another_text_among_long_ones(tmp_path: Path) -> None:
    text = [f"word{number}" for number in range(500)]
    key = conll(tmp_path / "k.conll", text, WORDS)
    response = conll(tmp_path / "r.conll", text, OTHERS)
    (message,) = messages(key, response)
    assert message.startswith("warning: 4 of 504 words")


def test_a_file_without_words(tmp_path: Path) -> None:
    key = json_lines(tmp_path / "k.jsonl", WORDS)
    response = tmp_path / "r.jsonl"
    response.write_text('{"doc_key": "d0", "clusters": [[[0, 0], [2, 2]]]}')
    assert messages(key, response) == []


def test_words_of_one_file_are_the_same(tmp_path: Path) -> None:
    both = json_lines(tmp_path / "k.jsonl", WORDS)
    record = json.loads(both.read_text())
    record["predicted_clusters"] = record["clusters"]
    both.write_text(json.dumps(record))
    assert [note.kind for note in scoref.score(both).notes if note.kind == KIND] == []


def test_a_large_file_is_read_again(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("scoref.formats.reading._KEPT", 10)
    files = (
        conll(tmp_path / "k.conll", WORDS),
        conll(tmp_path / "r.conll", OTHERS),
    )
    assert "4 of 4 words differ" in messages(*files)[0]


def test_folders_name_the_document(tmp_path: Path) -> None:
    for folder, words in (("k", WORDS), ("r", OTHERS)):
        (tmp_path / folder).mkdir()
        for name in ("a", "b"):
            json_lines(tmp_path / folder / f"{name}.jsonl", words)
    key, response = tmp_path / "k", tmp_path / "r"
    (message,) = messages(key, response, folder="documents")
    assert "8 of 8 words differ from the key in 2 of 2 documents" in message
    assert f"'Xda' ({response}, document 'a/d0')" in message
    datasets = run("score", key, response, "--folder", "datasets", code=0)
    assert datasets.stderr.count("words differ from the key") == 1


def test_universal_anaphora_read_leniently(tmp_path: Path) -> None:
    head = "# global.columns = ID FORM IDENTITY\n# newdoc id = d\n# sent_id = d-1\n"
    cells = ["(EntityID=1|MarkableID=m1)", "_", "(EntityID=1|MarkableID=m2)", "_"]

    def write(name: str, words: list[str]) -> Path:
        pairs = zip(words, cells, strict=True)
        rows = [f"{n}\t{word}\t{cell}\n" for n, (word, cell) in enumerate(pairs, 1)]
        (tmp_path / name).write_text(head + "".join(rows) + "\n")
        return tmp_path / name

    key, response = write("k.ua", WORDS), write("r.ua", OTHERS)
    (message,) = messages(key, response, lenient=True)
    assert message.startswith("warning: 4 of 4 words differ")
    assert messages(key, write("s.ua", WORDS), lenient=True) == []


@pytest.mark.parametrize("command", ["score", "errors", "explain", "compare"])
def test_commands_warn_once(tmp_path: Path, command: str) -> None:
    files = [
        json_lines(tmp_path / "k.jsonl", WORDS),
        json_lines(tmp_path / "r.jsonl", OTHERS),
    ]
    if command == "compare":
        files.append(json_lines(tmp_path / "s.jsonl", OTHERS))
    printed = run(command, *files, code=0).stderr
    assert printed.count("words differ from the key") == 1
    assert printed.startswith("warning:")  # a long path is on the next line


def test_notes_in_json(tmp_path: Path) -> None:
    key = json_lines(tmp_path / "k.jsonl", WORDS, WORDS, WORDS)
    response = json_lines(tmp_path / "r.jsonl", WORDS, OTHERS, OTHERS)
    printed = run("score", key, response, "--output", "json", code=0).stdout
    (note,) = json.loads(printed)["results"][0]["notes"]
    assert (note["kind"], note["count"]) == (KIND, 2)
