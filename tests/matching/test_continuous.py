"""Sets of words as spans: CorefUD and Universal Anaphora against other formats."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

import pytest

import scoref

if TYPE_CHECKING:
    from pathlib import Path

    from scoref.scoring.results import Result

HEADER = "# newdoc id = d\n# global.Entity = eid-etype-head-other\n# sent_id = 1\n"


def conllu(path: Path, *rows: str) -> Path:
    """Write rows such as `1 Ada (e1-person-1-)`, with `_` for no entity."""
    lines = []
    for row in rows:
        number, form, misc = row.split(" ")
        entity = misc if misc == "_" else f"Entity={misc}"
        deps = "1:dep" if "." in number else "_"
        head = "_" if "." in number else "0"
        cells = [number, form, "_", "_", "_", "_", head, "_", deps, entity]
        lines.append("\t".join(cells))
    path.write_text(HEADER + "\n".join(lines) + "\n\n")
    return path


def lines(path: Path, words: str, *clusters: list[tuple[int, int]]) -> Path:
    record = {"doc_key": "d", "sentences": [words.split()], "clusters": clusters}
    path.write_text(json.dumps(record))
    return path


def noted(result: Result) -> str:
    return "\n".join(note.message for note in result.notes)


def test_corefud_against_other_words(tmp_path: Path) -> None:
    key = conllu(
        tmp_path / "k.conllu",
        "1 Ada (e1-person-1-(e2-place-2-",
        "2 's e1)",
        "3 house e2)",
        "4 fell _",
    )
    response = lines(tmp_path / "r.jsonl", "Ada's house fell", [(0, 0)], [(0, 1)])
    for files in ((key, response), (response, key)):
        result = scoref.score(*files)
        assert result.scores["mentions"].f1 == 1
        assert "|match:exact|words:characters|" in result.signature
        assert "sets of words are compared as spans" in noted(result)


def test_gaps_and_zeros_are_noted(tmp_path: Path) -> None:
    key = conllu(
        tmp_path / "k.conllu",
        "1 pick (e1[1/2]-event-1-)",
        "2 it (e2-thing-1-)",
        "3 right _",
        "4 up (e1[2/2])",
        "4.1 _ (e3-person-1-)",
    )
    response = lines(tmp_path / "r.jsonl", "pick it right up", [(0, 0)], [(1, 1)])
    result = scoref.score(key, response)
    assert result.scores["mentions"].f1 == 1
    assert "1 gaps in mentions, of which the piece with the head" in noted(result)
    assert "1 mentions that are nothing but empty nodes, and left out" in noted(result)


def test_a_scheme_of_heads_is_refused(tmp_path: Path) -> None:
    key = conllu(tmp_path / "k.conllu", "1 Ada (e1-person-1-)")
    response = lines(tmp_path / "r.jsonl", "Ada", [(0, 0)])
    with pytest.raises(scoref.ScorefError, match="corefud and json-lines"):
        scoref.score(key, response, scheme="crac-2026")


def test_other_words_of_corefud_itself_are_refused_as_officially(
    tmp_path: Path,
) -> None:
    key = conllu(tmp_path / "k.conllu", "1 Ada (e1-person-1-)", "2 's _")
    other = conllu(tmp_path / "r.conllu", "1 Ada's (e1-person-1-)")
    with pytest.raises(scoref.ScorefError, match="words of sentence 1"):
        scoref.score(key, other)


def test_a_system_with_words_of_its_own(tmp_path: Path) -> None:
    key = conllu(tmp_path / "k.conllu", "1 Ada (e1-person-1-)", "2 's _", "3 cat _")
    own = tmp_path / "r.conllu"
    cells = [
        "\t".join([str(n), w, *"______", "_", m])
        for n, w, m in (
            (1, "Ada", "coref_chains=unit-id0"),
            (2, "'s", "_"),
            (3, "c", "_"),
            (4, "at", "_"),
        )
    ]
    own.write_text("# sent_id = 0\n" + "\n".join(cells) + "\n\n")
    result = scoref.score(key, own)
    assert result.scores["mentions"].f1 == 1
    assert result.format == "corefud+stanza"
    assert "|words:characters|" in result.signature
