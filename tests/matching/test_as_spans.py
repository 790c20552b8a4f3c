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
        result = scoref.score(*files, singletons="keep")
        assert result.scores["mentions"].f1 == 1
        assert "|match:exact|words:characters|" in result.signature
        assert "were compared as spans, without heads." in noted(result)


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
    result = scoref.score(key, response, singletons="keep")
    assert result.scores["mentions"].f1 == 1
    assert "1 mention has a gap, which the other side's format cannot" in noted(result)
    assert "cannot represent mentions that contain only empty nodes" in noted(result)


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
    result = scoref.score(key, own, singletons="keep")
    assert result.scores["mentions"].f1 == 1
    assert result.format == "corefud+stanza"
    assert "|words:characters|" in result.signature


GAPPED = (
    "1 pick (e1[1/2]-event-1-)",
    "2 it (e2-thing-1-)",
    "3 right _",
    "4 up (e1[2/2])",
    "5 picked (e1-event-1-)",
    "6 it (e2-thing-1-)",
)

TABLE = "document\tentity\tstart\tend\tpieces\ttext\n"


def table(path: Path, *rows: str) -> Path:
    """Write rows such as `0 0 3 0,3`: entity, start, end and pieces."""
    cells = ["\t".join(["d", *row.split(" "), "", ""][:6]) for row in rows]
    path.write_text(TABLE + "".join(f"{each}\n" for each in cells))
    return path


@pytest.mark.parametrize("target", ["tsv", "brat", "universal-anaphora"])
def test_a_conversion_that_keeps_pieces_equals_the_key(
    tmp_path: Path, target: str
) -> None:
    key = conllu(tmp_path / "k.conllu", *GAPPED)
    response = converted(key, target, tmp_path)
    # A key of Universal Anaphora wants a response of the same format.
    both = (key, response), (response, key)
    for files in both[: 1 if target == "universal-anaphora" else 2]:
        result = scoref.score(*files)
        assert {score.f1 for score in result.scores.values()} == {1.0}
        assert not [note for note in result.notes if note.kind == "gaps"]


def converted(key: Path, target: str, folder: Path) -> Path:
    found = scoref.convert(key, target, lossy=True)
    path = folder / f"response-{target}"
    if found.files:
        for name, data in found.files.items():
            file = path / name
            file.parent.mkdir(parents=True, exist_ok=True)
            file.write_bytes(data)
    else:
        path.write_bytes(found.data)
    return path


@pytest.mark.parametrize("target", ["conll-2012", "json-lines"])
def test_both_sides_are_reduced_alike_if_a_format_has_no_pieces(
    tmp_path: Path, target: str
) -> None:
    key = conllu(tmp_path / "k.conllu", *GAPPED)
    for source in (key, converted(key, "brat", tmp_path)):
        response = converted(source, target, tmp_path)
        for files in ((source, response), (response, source)):
            result = scoref.score(*files)
            assert {score.f1 for score in result.scores.values()} == {1.0}
            assert [note.kind for note in result.notes].count("gaps") == 1


def test_mentions_with_other_pieces_do_not_match(tmp_path: Path) -> None:
    key = table(tmp_path / "k.tsv", "0 0 3 0,3", "0 4 4", "1 1 1", "1 5 5")
    responses = {
        "0 0 3": 0.75,  # the whole range
        "0 0 0": 0.75,
        "0 0 3 0-1,3": 0.75,
        "0 0 3 0,3": 1.0,
    }
    for number, (row, f1) in enumerate(responses.items()):
        rows = row, "0 4 4", "1 1 1", "1 5 5"
        response = table(tmp_path / f"{number}.tsv", *rows)
        assert scoref.score(key, response).scores["mentions"].f1 == f1, row
        assert scoref.score(response, key).scores["mentions"].f1 == f1, row


def test_pieces_are_matched_where_words_are_cut_in_two_ways(tmp_path: Path) -> None:
    key = tmp_path / "key"
    response = tmp_path / "response"
    for folder, text, spans in (
        (key, "pick it right up . picked it", ("0 4;14 16", "19 25")),
        (response, "pick it  right up. picked it", ("0 4;15 17", "19 25")),
    ):
        folder.mkdir()
        (folder / "d.txt").write_text(text)
        (folder / "d.ann").write_text(
            f"T1\tMention {spans[0]}\tpick up\nT2\tMention {spans[1]}\tpicked\n"
            "*\tCoreference T1 T2\n"
        )
    assert scoref.score(key, response).conll == 1
    other = (
        (response / "d.ann")
        .read_text()
        .replace("0 4;15 17\tpick", "0 7;15 17\tpick it")
    )
    (response / "d.ann").write_text(other)
    assert scoref.score(key, response).scores["mentions"].f1 == 0.5


def test_errors_slices_and_gold_mentions_know_pieces(tmp_path: Path) -> None:
    key = conllu(tmp_path / "k.conllu", *GAPPED)
    rows = "0 0 3 0,2-3", "0 4 4", "1 1 1", "1 5 5"
    response = table(tmp_path / "r.tsv", *rows)
    analysis = scoref.find_errors(key, response)
    kinds = {kind["kind"]: kind["count"] for kind in analysis.to_dict()["kinds"]}
    assert (kinds["span"], kinds["missing-mention"], kinds["extra-mention"]) == (
        1,
        0,
        0,
    )
    side = analysis.response
    assert [analysis._corpora[1].place(row) for row in side.row.tolist()] == [
        "[0, 0], [2, 3]",
        "[1, 1]",
        "[4, 4]",
        "[5, 5]",
    ]
    lengths = scoref.score_slices(key, response, by="mention-length")
    counts = {name: each.scores["mentions"][:2] for name, each in lengths.items()}
    assert counts["1"] == (1.0, 1.0)
    # MAVEN-ERE's rules give the response the key's mentions.
    gold = scoref.score(key, response, scheme="maven-ere")
    assert gold.scores["muc"].recall == 0.5


def test_annotators_who_chose_other_pieces_disagree(tmp_path: Path) -> None:
    rows = "0 0 3 0,3", "0 4 4", "1 1 1", "1 5 5"
    one = table(tmp_path / "one.tsv", *rows)
    two = table(tmp_path / "two.tsv", *rows)
    other = table(tmp_path / "other.tsv", "0 0 3", *rows[1:])
    assert scoref.agree([str(one), str(two)]).pairs
    merged = scoref.convert([one, two, other], "tsv", merge="majority")
    assert b"\t0\t3\t0,3\t" in merged.data
    assert b"\t0\t3\t\t" not in merged.data


def test_pieces_of_other_words_are_not_a_wrong_span(tmp_path: Path) -> None:
    key = table(tmp_path / "key.tsv", "0 0 3 0,3", "0 5 5")
    response = table(tmp_path / "response.tsv", "0 8 10 8,10", "0 5 5")
    costs = scoref.find_errors(key, response, span_errors="overlap").costs
    assert {kind: cost.errors for kind, cost in costs.items() if cost.errors} == {
        "missing-mention": 1,
        "extra-mention": 1,
    }
