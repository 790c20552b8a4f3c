"""Mentions are placed in the key's text; those that are not in it count as wrong."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Literal

import pytest

import scoref
from scoref.adapters._answers import corpus_result
from scoref.adapters.lm_eval import coreference
from scoref.formats.trees import DependencyTrees
from scoref.model import WORD_BITS
from scoref.scoring.request import Request
from scoref.tools.llm.key_text import response_file, track_text
from scoref.tools.llm.scoring import AnswerResult, read_key, score_output
from support.llm_answers import (
    LONG,
    SPANISH,
    Document,
    Mention,
    clusters,
    score_spanish,
    scored,
    write_key,
)
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
) -> AnswerResult:
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
    system = score(tmp_path, answer, None, **options).result
    assert system.flat() == pytest.approx(expected(tmp_path, **options).flat())
    assert system.scores["mentions"].precision == pytest.approx(0.4)


@pytest.mark.parametrize("answer", [LISTED, INLINE])
def test_they_are_ignored_if_asked_for(tmp_path: Path, answer: str) -> None:
    system = score(tmp_path, answer, "ignore")
    assert system.result.scores["mentions"].precision == 1
    assert "|unplaced:ignore|" in system.result.signature
    assert system.counts.unplaced == 6


def test_the_signature_and_a_note_say_it(tmp_path: Path) -> None:
    system = score(tmp_path, LISTED)
    assert "|unplaced:count|" in system.result.signature
    (note,) = system.result.notes
    assert (note.kind, note.count) == ("unplaced-mentions", 6)
    assert note.message == (
        "warning: 6 mentions are not in the text ('x1', 'x2', 'x3', 'y1', 'y2' and 1 "
        "more) and counted as wrong. Use --unplaced ignore to leave them out. Check "
        "that the answers are about the texts of the key."
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
    system = score(tmp_path, LISTED)
    response = tmp_path / "written.jsonl"
    response.write_bytes(response_file(system))
    assert scoref.score(tmp_path / "key.jsonl", response).conll == 1
    assert not system._response.is_unplaced.any()


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
    before, system = (
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
    counts = [one.result.counts["mentions"].sum(axis=0) for one in (before, system)]
    more = 2 if zeros == "drop" else 3
    assert (counts[1] - counts[0]).tolist() == [0, 0, 0, more]
    old, new = before.result.flat(), system.result.flat()
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
    system = score_output(key, output, **options)  # type: ignore[arg-type]
    mentions = system.result.flat()
    assert mentions["mentions/recall"] == 1
    assert mentions["mentions/precision"] == pytest.approx(4 / 7)


def test_gold_mentions_leave_them_out(tmp_path: Path) -> None:
    system = score(tmp_path, LISTED, scheme="maven-ere").result.flat()
    assert system["bcub/f1"] == pytest.approx(1)


@pytest.mark.parametrize(
    ("answer", "mention", "counts"),
    [
        # A word is changed, inside and at an end: it is still aligned with the key's.
        ("[Ada Lovelave](#1) met Charles Babbage in London.", (0, 1), (1, 0, 0)),
        ("[Augusta Lovelace](#1) met Charles Babbage in London.", (0, 1), (1, 0, 0)),
        # One is added inside, one is missing outside.
        ("[Ada King Lovelace](#1) met Babbage in London.", (0, 1), (1, 0, 0)),
        # One is added at an end, so that the mention is moved.
        ("[Countess Ada Lovelace](#1) met Charles Babbage.", (0, 1), (0, 1, 0)),
        # All is invented.
        ("Ada Lovelace met [the great](#1) Charles Babbage in it.", None, (0, 0, 1)),
    ],
)
def test_a_mention_is_where_its_words_are(
    tmp_path: Path,
    answer: str,
    mention: tuple[int, int] | None,
    counts: tuple[int, int, int],
) -> None:
    system = scored(tmp_path, LONG, answer, "markdown")
    expected = {frozenset({mention})} if mention else set()
    assert clusters(system) == expected
    assert system.counts[6:9] == counts


def test_mentions_given_by_their_words_are_found_in_their_order(
    tmp_path: Path,
) -> None:
    document = Document(["she", "saw", "her", "and", "she", "ran", ",", "she"], [])
    answer = json.dumps([["she", "she", "her"], ["she"], ["saw her", "he"]])
    system = scored(tmp_path, document, answer)
    # The first entity takes the two that are closest to "her".
    assert clusters(system) == {
        frozenset({(0, 0), (4, 4), (2, 2)}),
        frozenset({(7, 7)}),
        frozenset({(1, 2)}),
    }
    assert system.counts[5:9] == (6, 5, 0, 1)
    (lost,) = system.breaks["a"]
    assert (lost.kind, lost.output, lost.problem) == (
        *("mention", "he", "a mention of entity 3 is not in the text"),
    )


def test_offsets_that_are_not_there_are_unplaced(tmp_path: Path) -> None:
    system = scored(
        tmp_path, LONG, '{"clusters": [[[0, 1], [9, 14], [3, 2], [-1, 0]]]}'
    )
    assert system.counts[5:9] == (4, 1, 0, 3)


def test_a_key_bracket_is_no_broken_one(tmp_path: Path) -> None:
    document = Document(["He", "wrote", "[", "in", "ink"], [Mention(0, 0, "1")])
    own = scored(tmp_path, document, "[He](#1) wrote [ in ink", "markdown")
    assert (own.counts.same, own.counts.broken) == (5, 0)
    other = scored(tmp_path, document, "[He](#1) wrote [ in [ ink", "markdown")
    assert (other.counts.same, other.counts.added, other.counts.broken) == (5, 1, 1)


def test_offsets_may_be_those_of_tokens_that_were_given(tmp_path: Path) -> None:
    key, output = write_key(tmp_path, {"a": LONG}), tmp_path / "output.jsonl"
    tokens = ["Ada", "Lovelace", "met", "Charles", "Babbage", "in", "London"]
    record = {
        "id": "a",
        "tokens": ["Title", ":", *tokens],
        "output": '```json\n{"clusters": [[[2, 3]], [[5, 6]]]}\n```',
    }
    output.write_text(json.dumps(record))
    system = score_output(key, output)
    assert clusters(system) == {frozenset({(0, 1)}), frozenset({(3, 4)})}
    assert system.counts[:5] == (14, 7, 0, 7, 2)


def test_empty_nodes_inside_a_mention_belong_to_it(tmp_path: Path) -> None:
    system = score_spanish(
        tmp_path, "<1>Ana</1> vino del cine. <2>Ahora no</2> duerme allí."
    )
    words = system._response.words
    assert words is not None
    assert words.length.tolist() == [1, 3]


def test_a_zero_at_the_end_of_a_mention_belongs_to_it(tmp_path: Path) -> None:
    answer = "<1>Ana</1> vino del cine. Ahora <2>no duerme ##</2> allí."
    words = score_spanish(tmp_path, answer)._response.words
    assert words is not None
    assert (words.member[1:] >> WORD_BITS & 0xF).tolist() == [1, 2, 3]
    assert (words.member[1:] & 0xF).tolist() == [1, 0, 0]


def test_a_mention_ends_with_its_sentence(tmp_path: Path) -> None:
    system = score_spanish(
        tmp_path, "Ana vino del <1>cine. Ahora</1> no duerme <1>allí</1>."
    )
    assert system._response.words is not None
    assert system._response.words.length.tolist() == [2, 1]
    assert system.counts[5:9] == (2, 1, 1, 0)


def highest(rows: str, numbers: str) -> str:
    """Find the head of some words of one sentence, by their numbers."""
    table = "".join(
        f"{number}\tx\t_\t_\t_\t_\t{parent}\tdep\t{deps}\t_\n"
        for number, parent, deps in (row.split() for row in rows.splitlines())
    )
    trees = DependencyTrees.of(table.encode(), "file")
    codes = {
        number: int(number.split(".")[0]) << WORD_BITS
        | int(f"{number}.0".split(".")[1])
        for number in (row.split()[0] for row in rows.splitlines())
    }
    head = trees.head([codes[number] for number in numbers.split()])
    return next(number for number, code in codes.items() if code == head)


@pytest.mark.parametrize(
    ("rows", "words", "expected"),
    [
        ("1 2 _\n2 0 _\n3 2 _", "1 2 3", "2"),
        # Two have their parents outside; one has another one inside.
        ("1 3 _\n2 4 1:x|4:y\n3 0 _\n4 3 _", "1 2", "1"),
        # A gap: the parent of 3 is outside, but 1 is above that.
        ("1 0 _\n2 1 _\n3 2 _", "1 3", "1"),
        # Nothing decides, so the first is taken.
        ("1 3 _\n2 3 _\n3 0 _", "1 2", "1"),
        # An empty node depends on a word of the mention.
        ("1 0 _\n1.1 _ 1:nsubj\n2 1 _", "1.1 2", "1.1"),
        ("1 2 _\n1.1 _ 1:nsubj\n2 0 _", "1 1.1", "1"),
    ],
)
def test_the_head_is_the_highest_word(rows: str, words: str, expected: str) -> None:
    assert highest(rows, words) == expected


def test_a_mention_of_the_key_has_its_head(tmp_path: Path) -> None:
    # The tree says 5, the annotators 4.
    rows = SPANISH.replace("Entity=(e2--2-", "Entity=(e2--1-")
    answer = "<1>Ana</1> vino de <2>el cine</2>. Ahora no duerme <2>allí</2>."
    system = score_spanish(tmp_path, answer, rows)
    assert system.result.scores["mentions"].precision == 1


def test_without_heads_in_the_file_the_first_word_is_one(tmp_path: Path) -> None:
    rows = SPANISH.replace("eid-etype-head-other", "eid-etype-other")
    for old in ("--1-", "--2-"):
        rows = rows.replace(old, "--")
    answer = "<1>Ana</1> vino de <2>el cine.</2> Ahora no duerme <2>allí</2>."
    system = score_spanish(tmp_path, answer, rows)
    assert system._response.words is not None
    assert system._response.words.head[1] >> WORD_BITS == 4


@pytest.mark.parametrize(("unplaced", "precision"), [(None, 0.4), ("ignore", 1)])
def test_a_harness_may_choose(unplaced: Unplaced | None, precision: float) -> None:
    process = coreference(unplaced=unplaced)
    clusters = [[[0, 0], [4, 4]], [[2, 2], [6, 6]]]
    key = {"doc_key": "a", "sentences": [TEXT], "clusters": clusters}
    counted = process(key, [LISTED])["conll"]
    assert corpus_result([counted]).scores["mentions"].precision == pytest.approx(
        precision
    )


def test_a_harness_goes_on_after_an_answer_without_mentions() -> None:
    process = coreference()
    key = {"sentences": [TEXT], "clusters": [[[0, 0], [4, 4]]]}
    answers = {"a": "I cannot.", "b": '[["Ada", "She"]]', "c": "[Ada](#1) met Bob ."}
    counted = [
        process({"doc_key": name, **key}, [answer])["conll"]
        for name, answer in answers.items()
    ]
    result = corpus_result(counted)
    assert "|format:json-lines+json+markdown|" in result.signature
    assert result.scores["mentions"].recall == pytest.approx(3 / 6)
