"""Results that are saved, and read again."""

from __future__ import annotations

import json
import os
import sys
from typing import TYPE_CHECKING

import pytest

import scoref
from support.paths import EXAMPLES

if TYPE_CHECKING:
    from pathlib import Path

KEY, RESPONSE = EXAMPLES / "many-key.conll", EXAMPLES / "many-a.conll"


@pytest.mark.parametrize("with_fingerprint", [False, True])
def test_a_saved_result_is_the_same(tmp_path: Path, with_fingerprint: bool) -> None:
    result = scoref.score(KEY, RESPONSE, with_fingerprint=with_fingerprint)
    scoref.save_result(result, tmp_path / "r.json")
    again = scoref.load_result(tmp_path / "r.json")
    assert again == result
    assert again.signature == result.signature
    assert again.scores == result.scores
    assert again.per_document == result.per_document
    assert again.fingerprint == result.fingerprint


def test_other_formats_and_schemes_are_kept(tmp_path: Path) -> None:
    both = [EXAMPLES / f"corefud-{side}.conllu" for side in ("key", "response")]
    result = scoref.score(*both, match="head", zeros="linear")
    scoref.save_result(result, tmp_path / "r.json")
    again = scoref.load_result(tmp_path / "r.json")
    assert again.signature == result.signature
    assert again.scores == result.scores


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"schema": "other/1"}, "this is other/1"),
        ({"counts": {}}, "are damaged: 0 rows"),
        ({"metrics": ["nonsense"]}, "unknown metric 'nonsense'"),
        ({"scheme": {"nonsense": "x"}}, "unknown convention 'nonsense'"),
        ({"documents": 3}, "this is not a result of scoref"),
        (
            {"fingerprint": {"documents": [], "mentions": -1, "entities": 1}},
            "it has a negative count",
        ),
        (
            {
                "fingerprint": {
                    "documents": [["d", "zz", ""]],
                    "mentions": 1,
                    "entities": 1,
                }
            },
            "the fingerprint is damaged",
        ),
    ],
)
def test_what_was_damaged_is_refused(
    tmp_path: Path, change: dict[str, object], message: str
) -> None:
    path = tmp_path / "r.json"
    scoref.save_result(scoref.score(KEY, RESPONSE), path)
    path.write_text(json.dumps(json.loads(path.read_text()) | change))
    with pytest.raises(scoref.FormatError, match=message):
        scoref.load_result(path)


def test_a_file_that_is_not_there_is_an_error(tmp_path: Path) -> None:
    with pytest.raises(scoref.FormatError, match="cannot be read"):
        scoref.load_result(tmp_path / "none.json")


def test_loggers_get_flat_names() -> None:
    flat = scoref.score([["a", "b"]], [["a", "b"], ["c"]]).flat("dev/")
    assert flat["dev/muc/f1"] == 1.0
    assert flat["dev/conll"] < 1.0
    assert "dev/conll/recall" not in flat
    assert all(name.isascii() for name in flat)
    assert "muc/f1" not in scoref.score([["a"]], [["a"]]).flat()


def words_of(*words: str, chains: str) -> str:
    """Write stanza's CoNLL-U; a digit of ``chains`` per word, "-" for none."""
    rows = [
        f"{n}\t{word}\t_\tX\t_\t_\t{min(n - 1, 1)}\tdep\t_\t"
        + ("_" if chain == "-" else f"coref_chains=unit-id{chain}")
        for n, (word, chain) in enumerate(zip(words, chains, strict=True), start=1)
    ]
    return "\n".join(("# newdoc id = d", "# sent_id = d-1", *rows, "", ""))


def test_a_response_with_its_own_words_is_scored_and_saved(tmp_path: Path) -> None:
    key, response = tmp_path / "key.conllu", tmp_path / "response.conllu"
    key.write_text(words_of("Ada", "can", "not", "sleep", "She", chains="0---0"))
    response.write_text(words_of("Ada", "cannot", "sleep", "She", chains="0--0"))
    result = scoref.score(key, response, with_fingerprint=True)
    scoref.save_result(result, tmp_path / "r.json")
    assert result.scores == scoref.score(key, response).scores
    assert scoref.load_result(tmp_path / "r.json").conll == result.conll == 1
    assert (
        result.fingerprint == scoref.score(key, key, with_fingerprint=True).fingerprint
    )


def test_a_fingerprint_does_not_take_the_words_of_a_conll_key(tmp_path: Path) -> None:
    key, response = tmp_path / "key.conll", tmp_path / "response.conll"
    for path, words in ((key, ("Ada", "can", "not")), (response, ("Ada", "cannot"))):
        rows = (f"d 0 {n} {word} {'-' if n else '(0)'}" for n, word in enumerate(words))
        path.write_text("\n".join(("#begin document (d);", *rows, "", "#end document")))
    result = scoref.score(key, response, with_fingerprint=True)
    assert result.scores == scoref.score(key, response).scores


@pytest.mark.parametrize(
    ("metric", "counts", "message"),
    [
        ("muc", [-1, 3, 1, 3], "counts of 'muc' are impossible for document '"),
        ("muc", [4, 3, 1, 3], "counts of 'muc' are impossible for document '"),
        ("bcub", [1, 3, 4, 3], "counts of 'bcub' are impossible for document '"),
        ("bcub", [1, 0, 0, 3], "counts of 'bcub' are impossible for document '"),
        ("blanc", [9, 3, 3, 1, 1, 1], "counts of 'blanc' are impossible"),
        ("muc", [1, 3], "does not have 4 columns"),
    ],
)
def test_impossible_counts_are_refused(
    tmp_path: Path, metric: str, counts: list[float], message: str
) -> None:
    path = tmp_path / "r.json"
    scoref.save_result(scoref.score(KEY, RESPONSE), path)
    saved = json.loads(path.read_text())
    saved["counts"][metric][1] = counts
    path.write_text(json.dumps(saved))
    with pytest.raises(scoref.FormatError, match=message):
        scoref.load_result(path)


@pytest.mark.parametrize("start", ["", '{"schema": "scoref/result/1", "more": '])
def test_a_deeply_nested_file_is_refused(tmp_path: Path, start: str) -> None:
    path = tmp_path / "r.json"
    path.write_text(start + "[" * 100_000)
    with pytest.raises(scoref.FormatError, match="this is not a result of scoref"):
        scoref.load_result(path)


@pytest.mark.parametrize("scheme", [None, "conll-2012"])
def test_every_metric_can_be_saved(tmp_path: Path, scheme: str | None) -> None:
    result = scoref.score(KEY, RESPONSE, metrics="all", scheme=scheme)
    scoref.save_result(result, tmp_path / "r.json")
    assert scoref.load_result(tmp_path / "r.json").scores == result.scores


@pytest.mark.skipif(sys.platform != "linux", reason="names are Unicode elsewhere")
def test_file_names_that_are_not_utf_8_can_be_saved(tmp_path: Path) -> None:
    key = tmp_path / os.fsdecode(b"key\xff.conll")
    key.write_bytes(KEY.read_bytes())
    path = tmp_path / os.fsdecode(b"saved\xff.json")
    result = scoref.score(key, RESPONSE, with_fingerprint=True)
    scoref.save_result(result, path)
    again = scoref.load_result(path)
    assert again.key.endswith(r"key\udcff.conll")
    assert again.scores == result.scores


def test_notes_are_kept(tmp_path: Path) -> None:
    result = scoref.score([["a", "b"], ["a", "c"]], [["a", "b"]])
    assert result.notes
    scoref.save_result(result, tmp_path / "r.json")
    assert scoref.load_result(tmp_path / "r.json").notes == result.notes
