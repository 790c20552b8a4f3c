"""Mentions that are not in the text count as wrong, unless they are ignored."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Literal

import pytest

import scoref
from scoref.adapters._common import corpus
from scoref.adapters.lm_eval import coreference
from scoref.scoring.request import Request
from scoref.tools.llm.key_text import response_file, track_text
from scoref.tools.llm.scoring import Scored, read_key, score_output
from support.llm_answers import Document, Mention, write_key
from support.paths import EXAMPLES

if TYPE_CHECKING:
    from pathlib import Path

    from scoref.scheme import Match, Zeros

TEXT = ["Ada", "met", "Bob", ".", "She", "showed", "him", "London"]
DOCUMENT = Document(
    TEXT,
    [Mention(0, 0, "1"), Mention(4, 4, "1"), Mention(2, 2, "2"), Mention(6, 6, "2")],
)
LISTED = '[["Ada", "She", "x1", "x2", "x3"], ["Bob", "him", "y1", "y2", "y3"]]'
INLINE = (
    "[Ada](#1) met [Bob](#2) [x1](#1) [x2](#1) [y1](#2) . [She](#1) [y2](#2) showed "
    "[him](#2) London [x3](#1) [y3](#2)"
)
# The same response, if the text had six more words that the key does not mention.
LONGER = Document([*TEXT, "x1", "x2", "x3", "y1", "y2", "y3"], DOCUMENT.mentions)
SPANS = [[[0, 0], [4, 4], [8, 8], [9, 9], [10, 10]]]
SPANS += [[[2, 2], [6, 6], [11, 11], [12, 12], [13, 13]]]
Unplaced = Literal["count", "ignore"]


def score(
    folder: Path, answer: str, unplaced: Unplaced | None = None, **options: str
) -> Scored:
    key = write_key(folder, {"a": DOCUMENT})
    output = folder / "output.txt"
    output.write_text(answer)
    return score_output(key, output, unplaced=unplaced, **options)  # type: ignore[arg-type]


def expected(folder: Path, **options: str) -> scoref.Result:
    key = write_key(folder, {"a": LONGER})
    response = folder / "response.jsonl"
    record = {"doc_key": "a", "sentences": [LONGER.words], "clusters": SPANS}
    response.write_text(json.dumps(record) + "\n")
    return scoref.score(key, response, **options)  # type: ignore[arg-type]


@pytest.mark.parametrize("answer", [LISTED, INLINE])
@pytest.mark.parametrize(
    "options",
    [
        {"metrics": "all"},
        {"singletons": "drop"},
        {"duplicates": "last"},
        {"duplicates": "coval"},
        {"nested": "outermost"},
        {"nested": "drop"},
        {"average": "macro"},
    ],
)
def test_every_metric_counts_them_as_mentions_that_the_key_lacks(
    tmp_path: Path, answer: str, options: dict[str, str]
) -> None:
    found = score(tmp_path, answer, None, **options).result
    assert found.flat() == pytest.approx(expected(tmp_path, **options).flat())
    assert found.scores["mentions"].precision == pytest.approx(0.4)


@pytest.mark.parametrize("answer", [LISTED, INLINE])
def test_they_are_ignored_if_asked_for(tmp_path: Path, answer: str) -> None:
    found = score(tmp_path, answer, "ignore")
    assert found.result.scores["mentions"].precision == 1
    assert "|unplaced:ignore|" in found.result.signature
    assert found.counts.unplaced == 6


def test_the_signature_and_a_note_say_it(tmp_path: Path) -> None:
    found = score(tmp_path, LISTED)
    assert "|unplaced:count|" in found.result.signature
    (note,) = found.result.notes
    assert (note.kind, note.count) == ("unplaced-mentions", 6)
    assert note.message == (
        "warning: 6 mentions are not in the text and counted as wrong (--unplaced "
        "ignore leaves such mentions out): 'x1', 'x2', 'x3', 'y1', 'y2' and 1 more; "
        "are these answers about the key's texts?"
    )
    assert "unplaced" not in scoref.score([["a"]], [["a"]]).signature


def test_an_entity_may_have_no_other_mentions(tmp_path: Path) -> None:
    right = '["Ada", "She"], ["Bob", "him"]'
    one = score(tmp_path, f'[{right}, ["x1"]]').result
    assert one.scores["mentions"].precision == pytest.approx(4 / 5)
    assert one.scores["muc"].f1 == 1
    dropped = score(tmp_path, f'[{right}, ["x1"]]', singletons="drop").result
    assert dropped.conll == 1
    two = score(tmp_path, f'[{right}, ["x1", "x1"]]', singletons="drop").result
    assert two.scores["mentions"].precision == pytest.approx(4 / 6)


def test_a_response_that_is_written_has_what_is_in_the_text(tmp_path: Path) -> None:
    found = score(tmp_path, LISTED)
    response = tmp_path / "written.jsonl"
    response.write_bytes(response_file(found))
    assert scoref.score(tmp_path / "key.jsonl", response).conll == 1
    assert not found.response.is_unplaced.any()


CRAC = EXAMPLES / "llm-crac.txt"
COREFUD = EXAMPLES / "corefud-key.conllu"


@pytest.mark.parametrize("match", ["exact", "partial", "head"])
@pytest.mark.parametrize("zeros", ["dependent", "linear", "drop"])
def test_corefud_counts_them_in_every_match(
    tmp_path: Path, match: Match, zeros: Zeros
) -> None:
    output = tmp_path / "output.txt"
    first, second = CRAC.read_text().splitlines()
    invented = "zebra|[e1] ##|[e1] zebra|[e1 crossing|e1]"
    output.write_text(f"{first} {invented}\n{second}\n")
    before, found = (
        score_output(COREFUD, path, match=match, zeros=zeros, singletons="keep")
        for path in (CRAC, output)
    )
    ignored = score_output(
        COREFUD,
        output,
        unplaced="ignore",
        match=match,
        zeros=zeros,
        singletons="keep",
    )
    assert ignored.result.flat() == pytest.approx(before.result.flat())
    counts = [each.result.counts["mentions"].sum(axis=0) for each in (before, found)]
    more = 2 if zeros == "drop" else 3
    assert (counts[1] - counts[0]).tolist() == [0, 0, 0, more]
    old, new = before.result.flat(), found.result.flat()
    for name in ("bcub", "ceafe", "lea", "mor"):
        assert new[f"{name}/precision"] < old[f"{name}/precision"]


def test_an_invented_zero_is_a_false_anaphor(tmp_path: Path) -> None:
    output = tmp_path / "output.txt"
    first, second = CRAC.read_text().splitlines()
    output.write_text(f"{first} zebra|[e1] ##|[e1]\n{second}\n")
    old = score_output(COREFUD, CRAC).result.flat()
    new = score_output(COREFUD, output).result.flat()
    assert new["zero/precision"] < old["zero/precision"]
    assert new["zero/recall"] == old["zero/recall"]


UA = EXAMPLES / "ua-key.ua"


@pytest.mark.parametrize("match", ["exact", "partial", "craft"])
def test_universal_anaphora_counts_them_in_every_match(
    tmp_path: Path, match: Match
) -> None:
    marked = track_text(read_key(UA, Request.of()), marked=True)
    output = tmp_path / "output.txt"
    output.write_text(f"{marked.rstrip()} zebra|[e1] zebra|[e9 crossing|e9]\n")
    mentions = score_output(UA, output, match=match).result.flat()
    assert mentions["mentions/recall"] == 1
    assert mentions["mentions/precision"] == pytest.approx(9 / 11)


PARSED = """#begin document (a/b); part 000
a/b 0 0 Ada NNP (TOP(S(NP* - - - - * (1
a/b 0 1 Lovelace NNP *) - - - - * 1)
a/b 0 2 met VBD (VP* - - - - * -
a/b 0 3 Bob NNP (NP*)))) - - - - * (2)

a/b 0 0 She PRP (TOP(S(NP*) - - - - * (1)
a/b 0 1 saw VBD (VP* - - - - * -
a/b 0 2 the DT (NP(NP* - - - - * (2
a/b 0 3 man NN *) - - - - * -
a/b 0 4 here RB (ADVP*))))) - - - - * 2)

#end document
"""


@pytest.mark.parametrize(
    "options",
    [
        {"match": "min"},
        {"match": "mina"},
        {"match": "min", "phrases": "np"},
        {"match": "min", "phrases": "no-vp"},
        {"match": "min", "nested": "drop"},
        {"match": "min", "singletons": "drop"},
    ],
)
def test_minimum_spans_count_them(tmp_path: Path, options: dict[str, str]) -> None:
    key, output = tmp_path / "key.conll", tmp_path / "output.json"
    key.write_text(PARSED)
    answer = [["Ada Lovelace", "She", "zebra"], ["Bob", "the man", "a zebra", "qux"]]
    output.write_text(json.dumps(answer))
    found = score_output(key, output, **options)  # type: ignore[arg-type]
    mentions = found.result.flat()
    assert mentions["mentions/recall"] == 1
    assert mentions["mentions/precision"] == pytest.approx(4 / 7)


def test_gold_mentions_leave_them_out(tmp_path: Path) -> None:
    found = score(tmp_path, LISTED, scheme="maven-ere").result.flat()
    assert found["bcub/f1"] == pytest.approx(1)


@pytest.mark.parametrize(("unplaced", "precision"), [(None, 0.4), ("ignore", 1)])
def test_a_harness_may_choose(unplaced: Unplaced | None, precision: float) -> None:
    process = coreference(unplaced=unplaced)
    clusters = [[[0, 0], [4, 4]], [[2, 2], [6, 6]]]
    key = {"doc_key": "a", "sentences": [TEXT], "clusters": clusters}
    counted = process(key, [LISTED])["conll"]
    assert corpus([counted]).scores["mentions"].precision == pytest.approx(precision)


def test_a_harness_goes_on_after_an_answer_without_mentions() -> None:
    process = coreference()
    key = {"sentences": [TEXT], "clusters": [[[0, 0], [4, 4]]]}
    answers = {"a": "I cannot.", "b": '[["Ada", "She"]]', "c": "[Ada](#1) met Bob ."}
    counted = [
        process({"doc_key": name, **key}, [answer])["conll"]
        for name, answer in answers.items()
    ]
    result = corpus(counted)
    assert "|format:json-lines+json+markdown|" in result.signature
    assert result.scores["mentions"].recall == pytest.approx(3 / 6)
