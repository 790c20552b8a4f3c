"""CorefUD keys: empty nodes, tokens of several words, heads, sentences."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

import scoref
from scoref.formats.trees import DependencyTrees
from scoref.model import WORD_BITS
from scoref.scoring.request import Request
from scoref.tools.llm.key_text import response_file, track_text
from scoref.tools.llm.scoring import read_key, score_output
from support.paths import EXAMPLES

if TYPE_CHECKING:
    from pathlib import Path

    from scoref.tools.llm.scoring import Scored

KEYS = ["corefud-key.conllu", "key.conll", "many-key.conll", "ua-key.ua"]

ROWS = """\
# newdoc id = d
# global.Entity = eid-etype-head-other
# sent_id = 1
1\tAna\t_\tPROPN\t_\t_\t2\tnsubj\t2:nsubj\tEntity=(e1--1-)
2\tvino\t_\tVERB\t_\t_\t0\troot\t0:root\t_
3-4\tdel\t_\t_\t_\t_\t_\t_\t_\t_
3\tde\t_\tADP\t_\t_\t5\tcase\t5:case\t_
4\tel\t_\tDET\t_\t_\t5\tdet\t5:det\tEntity=(e2--2-
5\tcine\t_\tNOUN\t_\t_\t2\tobl\t2:obl\tEntity=e2)
6\t.\t_\tPUNCT\t_\t_\t2\tpunct\t2:punct\t_

# sent_id = 2
1\tAhora\t_\tADV\t_\t_\t3\tadvmod\t3:advmod\t_
1.1\tella\t_\tPRON\t_\t_\t_\t_\t3:nsubj\tEntity=(e1--1-)
2\tno\t_\tADV\t_\t_\t3\tadvmod\t3:advmod\t_
3\tduerme\t_\tVERB\t_\t_\t0\troot\t0:root\t_
4\tallí\t_\tADV\t_\t_\t3\tadvmod\t3:advmod\tEntity=(e2--1-)
5\t.\t_\tPUNCT\t_\t_\t3\tpunct\t3:punct\t_

"""


def scored(folder: Path, answer: str, rows: str = ROWS) -> Scored:
    key, output = folder / "key.conllu", folder / "output.txt"
    key.write_text(rows, encoding="utf-8")
    output.write_text(answer, encoding="utf-8")
    return score_output(key, output)


@pytest.mark.parametrize(
    ("answer", "words"),
    [
        # As in the file; behind the verb; with a form; `del`.
        ("[Ana]_1 vino de [el cine]_2. Ahora [##]_1 no duerme [allí]_2.", 12),
        ("[Ana]_1 vino de [el cine]_2. Ahora no duerme [##]_1 [allí]_2.", 12),
        ("[Ana]_1 vino [del cine]_2. Ahora no duerme [##ella]_1 [allí]_2.", 11),
        ("[Ana]_1 vino [del cine]_2. Ahora [##ella]_1 no duerme [allí]_2.", 11),
        ("Ana|[e1] vino del|[e2 cine|e2] . Ahora no duerme ##|[e1] allí|[e2] .", 11),
    ],
)  # fmt: skip
def test_a_text_may_have_zeros_and_joined_words_in_several_ways(
    tmp_path: Path, answer: str, words: int
) -> None:
    found = scored(tmp_path, answer)
    assert found.result.conll == 1
    assert found.counts[:6] == (words, words, 0, 0, 0, 4)
    assert found.result.scores["zero"].f1 == 1


def test_without_zeros_those_of_the_key_are_not_lost_words(tmp_path: Path) -> None:
    answer = "<1>Ana</1> vino de <2>el cine</2>. Ahora no duerme <2>allí</2>."
    found = scored(tmp_path, answer)
    assert found.counts[:5] == (11, 11, 0, 0, 0)
    assert found.result.scores["zero"].recall == 0


def test_empty_nodes_inside_a_mention_belong_to_it(tmp_path: Path) -> None:
    found = scored(tmp_path, "<1>Ana</1> vino del cine. <2>Ahora no</2> duerme allí.")
    words = found.response.words
    assert words is not None
    assert words.length.tolist() == [1, 3]


def test_a_zero_at_the_end_of_a_mention_belongs_to_it(tmp_path: Path) -> None:
    answer = "<1>Ana</1> vino del cine. Ahora <2>no duerme ##</2> allí."
    words = scored(tmp_path, answer).response.words
    assert words is not None
    assert (words.member[1:] >> WORD_BITS & 0xF).tolist() == [1, 2, 3]
    assert (words.member[1:] & 0xF).tolist() == [1, 0, 0]


def test_a_mention_ends_with_its_sentence(tmp_path: Path) -> None:
    found = scored(tmp_path, "Ana vino del <1>cine. Ahora</1> no duerme <1>allí</1>.")
    assert found.response.words is not None
    assert found.response.words.length.tolist() == [2, 1]
    assert found.counts[5:9] == (2, 1, 1, 0)


def test_an_empty_node_of_an_empty_node_stands_behind_the_same_word(
    tmp_path: Path,
) -> None:
    rows = ROWS.replace(
        "2\tno\t", "1.2\t_\t_\t_\t_\t_\t_\t_\t1.1:dep\tEntity=(e2--1-)\n2\tno\t"
    )
    key = tmp_path / "key.conllu"
    key.write_text(rows, encoding="utf-8")
    text = track_text(read_key(key, Request()), marked=True)
    assert text.endswith("Ahora no duerme ##ella|[e1] ##|[e2] allí|[e2] .\n")
    assert scored(tmp_path, text, rows).result.conll == 1


def head(rows: str, numbers: str) -> str:
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
    found = trees.head([codes[number] for number in numbers.split()])
    return next(number for number, code in codes.items() if code == found)


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
    assert head(rows, words) == expected


def test_a_mention_of_the_key_has_its_head(tmp_path: Path) -> None:
    # The tree says 5, the annotators 4.
    rows = ROWS.replace("Entity=(e2--2-", "Entity=(e2--1-")
    answer = "<1>Ana</1> vino de <2>el cine</2>. Ahora no duerme <2>allí</2>."
    found = scored(tmp_path, answer, rows)
    assert found.result.scores["mentions"].precision == 1


def test_without_heads_in_the_file_the_first_word_is_one(tmp_path: Path) -> None:
    rows = ROWS.replace("eid-etype-head-other", "eid-etype-other")
    for old in ("--1-", "--2-"):
        rows = rows.replace(old, "--")
    answer = "<1>Ana</1> vino de <2>el cine.</2> Ahora no duerme <2>allí</2>."
    found = scored(tmp_path, answer, rows)
    assert found.response.words is not None
    assert found.response.words.head[1] >> WORD_BITS == 4


@pytest.mark.parametrize("name", KEYS)
def test_the_key_as_text_scores_all(tmp_path: Path, name: str) -> None:
    key = EXAMPLES / name
    text = track_text(read_key(key, Request()), marked=True)
    output = tmp_path / "output.txt"
    output.write_text(text, encoding="utf-8")
    found = score_output(key, output)
    assert found.notation == "crac"
    assert found.result.conll == 1
    assert found.counts.same == found.counts.words
    plain = track_text(read_key(key, Request()))
    assert "|[" not in plain
    assert len(plain.split("\n")) == len(text.split("\n"))


def test_the_text_is_the_shared_task_s() -> None:
    text = track_text(read_key(EXAMPLES / "corefud-key.conllu", Request()), marked=True)
    assert text == (
        "Ana|[e1] compró un|[e2 coche rojo|e2] en Madrid|[e3] . Después lo|[e2] vendió "
        "##|[e1] y perdió ##|[e1] la|[e4 mitad del|[e5 dinero|e4],e5] . El|[e5 "
        "dinero|e5] no le|[e1] importaba .\n"
        "Luis|[e1,[e2] y|e1] , más tarde , Eva llegaron al|[e3 puerto|e3] . Allí|[e3] "
        "esperaron ##|[e1] a Marta|[e4] , pero no la|[e4] vieron ##|[e1] . Luis|[e2] "
        "volvió solo .\n"
    )


ANSWERS = {
    "corefud-key.conllu": "Ana|[e1] compró el|[e2 coche rojo|e2] en Madrid . Luego "
    "##|[e1] lo|[e2] vendió y\nLuis|[e1] y Eva|[e2] llegaron a el puerto|[e3] .",
    "key.conll": "[Ada](#1) met [Charles Babbage](#2) in London. [He](#2) showed.\n"
    "The old [harbour](#1) closed; nobody missed [it](#1).",
    "ua-key.ua": "[Ada](#1) and [[her](#1) brother](#2) bought an old house.",
}


@pytest.mark.parametrize("name", ANSWERS)
def test_a_response_that_was_written_has_the_same_scores(
    tmp_path: Path, name: str
) -> None:
    key, output = EXAMPLES / name, tmp_path / "output.txt"
    output.write_text(ANSWERS[name], encoding="utf-8")
    found = score_output(key, output)
    response = tmp_path / name
    response.write_bytes(response_file(found))
    result = scoref.score(
        key,
        response,
        metrics=found.result.metrics,
        split_antecedents="drop" if name != "key.conll" else None,
    )
    assert result.scores == found.result.scores
    assert 0 < result.conll < 1
