"""What is too large is refused: what there is too much of, where, and no traceback."""

from __future__ import annotations

import gzip
import json
import lzma
from typing import TYPE_CHECKING

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import scoref
from scoref import FormatError, cli, model
from scoref.errors import TooLargeError
from scoref.formats import archives, input_files, reading
from scoref.matching import ragged
from scoref.matching.ragged import Ragged, count_shared
from scoref.matching.word_rules import dependency_scores
from scoref.scoring import pipeline
from scoref.tools.convert.conversion import convert

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    Deps = frozenset[tuple[str, str]]

_CONLL = "#begin document (d); part 000\nd\t0\tw\t(1)\nd\t1\tw\t(1)\n#end document\n"
packed_by_each = pytest.mark.parametrize(
    "pack", [gzip.compress, lzma.compress], ids=["gzip", "xz"]
)


def _nested(depth: int) -> bytes:
    """Write CorefUD with mentions inside each other."""
    cells = ["(e1-x-1-"] * depth + ["e1)"] * depth
    rows = [
        f"{number}\tw\t_\tX\t_\t_\t0\troot\t_\tEntity={cell}"
        for number, cell in enumerate(cells, start=1)
    ]
    lines = ["# newdoc id = d", "# global.Entity = eid-etype-head-other", *rows]
    return ("\n".join(lines) + "\n\n").encode()


@packed_by_each
def test_an_archive_that_unpacks_to_far_too_much_is_refused_with_the_size(
    pack: Callable[[bytes], bytes], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    packed = pack(bytes(200_000))
    (tmp_path / "x").write_bytes(packed)
    monkeypatch.setattr(archives, "_MOST_BYTES", 100_000)
    monkeypatch.setattr(archives, "_MOST_TIMES", 2)
    with pytest.raises(FormatError) as caught:
        input_files.read_bytes(tmp_path / "x")
    assert caught.value.problem == (
        f"its {len(packed):,} bytes unpack to more than 100,000"
    )


@packed_by_each
def test_a_large_archive_may_unpack_to_many_times_its_size(
    pack: Callable[[bytes], bytes], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "x").write_bytes(pack(bytes(2_000)))
    monkeypatch.setattr(archives, "_MOST_BYTES", 10)
    assert input_files.read_bytes(tmp_path / "x") == bytes(2_000)


def test_an_archive_is_not_called_damaged_where_memory_does_not_do(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fail(*_: object) -> None:
        raise MemoryError

    (tmp_path / "x").write_bytes(packed := gzip.compress(b"x"))
    monkeypatch.setattr(archives, "unpack_archive", fail)
    with pytest.raises(FormatError) as caught:
        input_files.read_bytes(tmp_path / "x")
    assert caught.value.problem == (
        f"there is not enough memory to unpack its {len(packed):,} bytes"
    )


def test_mentions_of_too_many_words_are_refused_with_their_file(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(model.text, "_MOST_WORDS", 100)
    monkeypatch.setattr(model.text, "_LONG", 5)
    with pytest.raises(FormatError) as caught:
        reading.read_data(_nested(12), source="x.conllu", role="key")
    assert str(caught.value).splitlines()[0] == (
        "x.conllu: 12 mentions have 156 words in total, which is too many (13 per "
        "mention on average)"
    )


def test_hundreds_of_nested_mentions_are_scored(tmp_path: Path) -> None:
    paths = tmp_path / "key.conllu", tmp_path / "response.conllu"
    paths[0].write_bytes(_nested(300))
    paths[1].write_bytes(_nested(300).replace(b"(e1-x-1-\n", b"(e1-x-2-\n"))
    found = scoref.score(*paths)
    assert found.scores["mor"].f1 == 1


@pytest.mark.parametrize(("most", "is_refused"), [(15, True), (16, False)])
def test_mentions_that_overlap_in_too_many_ways_are_refused(
    most: int, monkeypatch: pytest.MonkeyPatch, *, is_refused: bool
) -> None:
    monkeypatch.setattr(ragged, "_MOST_PAIRS", most)
    monkeypatch.setattr(ragged, "_USUAL", 0)
    start = np.arange(5) * 3
    words = Ragged(start, np.tile(np.arange(3) << model.WORD_BITS, 4))
    if not is_refused:
        assert count_shared(words, words)[2].tolist() == [3] * 16
        return
    with pytest.raises(
        TooLargeError, match=r"4 mentions of the key and 4 .* in 16 ways"
    ):
        count_shared(words, words)


def test_memory_that_does_not_do_for_scoring_is_an_error(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    def fail(*_: object) -> None:
        raise MemoryError

    monkeypatch.setattr(pipeline, "match_mentions", fail)
    with pytest.raises(TooLargeError) as caught:
        scoref.score([["a", "b"]], [["a"]])
    assert str(caught.value) == (
        "there is not enough memory to compare 2 mentions of key with 1 of response"
    )


def test_memory_that_does_not_do_for_reading_is_an_error(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    def fail(*_: object, **__: object) -> None:
        raise MemoryError

    monkeypatch.setattr("scoref.formats.conll2012.read", fail)
    with pytest.raises(FormatError) as caught:
        reading.read_data(_CONLL.encode(), source="x.conll", role="key")
    assert caught.value.problem == "there is not enough memory to read its 64 bytes"


def test_memory_that_does_not_do_elsewhere_ends_without_a_traceback(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def fail(*_: object, **__: object) -> None:
        raise MemoryError

    path = tmp_path / "x.conll"
    path.write_text(_CONLL, encoding="utf-8")
    monkeypatch.setattr("scoref.tools.stats.census.count", fail)
    monkeypatch.setattr("sys.argv", ["scoref", "stats", str(path)])
    with pytest.raises(SystemExit) as caught:
        cli.main()
    assert caught.value.code == 1
    assert capsys.readouterr().err == (
        f"error: not enough memory for {path}, which has 64 bytes\n"
    )


_DEPS = st.frozensets(st.tuples(st.sampled_from("123"), st.sampled_from("so")))
_ZEROS = st.lists(st.tuples(st.integers(0, 1), _DEPS), max_size=6)


def _similarity(one: Deps, other: Deps) -> float:
    """Compare two zeros, as the definition says."""
    parents = {parent for parent, _ in one}, {parent for parent, _ in other}
    total = 0.0
    for weight, ours, theirs in ((10, one, other), (1, *parents)):
        if common := len(ours & theirs):
            recall, precision = common / len(ours), common / len(theirs)
            total += weight * (2 * precision * recall / (precision + recall))
    return total


@given(sides=st.tuples(_ZEROS, _ZEROS))
def test_all_zeros_at_once_score_what_pairs_of_them_score(
    sides: tuple[list[tuple[int, Deps]], list[tuple[int, Deps]]],
) -> None:
    heads = []
    for side in sides:
        code = [at << model.SENTENCE_BITS | row + 1 for row, (at, _) in enumerate(side)]
        known = {head: deps for head, (_, deps) in zip(code, side, strict=True)}
        heads.append((np.array(code, np.int64), np.ones(len(code), np.bool_), known))
    found = dependency_scores(*heads)
    assert [*zip(*(column.tolist() for column in found), strict=True)] == [
        (i, j, score)
        for i, (at, one) in enumerate(sides[0])
        for j, (place, other) in enumerate(sides[1])
        if at == place and (score := _similarity(one, other)) > 0
    ]


def test_spans_of_too_many_words_are_refused_where_words_are_asked_for(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(model.text, "_MOST_WORDS", 100)
    monkeypatch.setattr(model.text, "_LONG", 5)
    spans = [[start, 23 - start] for start in range(12)]
    text = json.dumps({"doc_key": "d", "clusters": [spans]})
    (tmp_path / "x.jsonl").write_text(text, encoding="utf-8")
    assert scoref.score(tmp_path / "x.jsonl", tmp_path / "x.jsonl").conll == 1
    with pytest.raises(TooLargeError, match=r"x\.jsonl: 12 mentions have 156 words"):
        convert(tmp_path / "x.jsonl", "corefud")


def test_too_many_zeros_of_one_parent_are_refused(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(ragged, "_MOST_PAIRS", 8)
    monkeypatch.setattr(ragged, "_USUAL", 0)
    subject = frozenset({("4", "nsubj")})
    zeros = np.arange(3), np.ones(3, np.bool_), dict.fromkeys(range(3), subject)
    with pytest.raises(TooLargeError, match="3 zeros of the key and 3 of the response"):
        dependency_scores(zeros, zeros)
