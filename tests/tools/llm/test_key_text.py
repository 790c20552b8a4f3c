"""The text of a key: empty nodes, tokens of several words, and marked mentions."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

import scoref
from scoref.scoring.request import Request
from scoref.tools.llm.key_text import response_file, track_text
from scoref.tools.llm.scoring import read_key, score_output
from support.llm_answers import SPANISH, score_spanish
from support.paths import EXAMPLES

if TYPE_CHECKING:
    from pathlib import Path


KEYS = ["corefud-key.conllu", "key.conll", "many-key.conll", "ua-key.ua"]


@pytest.mark.parametrize(
    ("answer", "words"),
    [
        # As in the file; after the verb; with a form; `del`.
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
    system = score_spanish(tmp_path, answer)
    assert system.result.conll == 1
    assert system.counts[:6] == (words, words, 0, 0, 0, 4)
    assert system.result.scores["zero"].f1 == 1


def test_without_zeros_those_of_the_key_are_not_lost_words(tmp_path: Path) -> None:
    answer = "<1>Ana</1> vino de <2>el cine</2>. Ahora no duerme <2>allí</2>."
    system = score_spanish(tmp_path, answer)
    assert system.counts[:5] == (11, 11, 0, 0, 0)
    assert system.result.scores["zero"].recall == 0


def test_an_empty_node_of_an_empty_node_is_after_the_same_word(
    tmp_path: Path,
) -> None:
    rows = SPANISH.replace(
        "2\tno\t", "1.2\t_\t_\t_\t_\t_\t_\t_\t1.1:dep\tEntity=(e2--1-)\n2\tno\t"
    )
    key = tmp_path / "key.conllu"
    key.write_text(rows, encoding="utf-8")
    text = track_text(read_key(key, Request()), marked=True)
    assert text.endswith("Ahora no duerme ##ella|[e1] ##|[e2] allí|[e2] .\n")
    assert score_spanish(tmp_path, text, rows).result.conll == 1


@pytest.mark.parametrize("name", KEYS)
def test_the_key_as_text_scores_all(tmp_path: Path, name: str) -> None:
    key = EXAMPLES / name
    text = track_text(read_key(key, Request()), marked=True)
    output = tmp_path / "output.txt"
    output.write_text(text, encoding="utf-8")
    system = score_output(key, output)
    assert system.notation == "crac"
    assert system.result.conll == 1
    assert system.counts.same == system.counts.words
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
    system = score_output(key, output)
    response = tmp_path / name
    response.write_bytes(response_file(system))
    result = scoref.score(
        key,
        response,
        metrics=system.result.metrics,
        split_antecedents="drop" if name != "key.conll" else None,
    )
    assert result.scores == system.result.scores
    assert 0 < result.conll < 1


def test_an_empty_node_that_depends_on_a_part_is_after_the_joined_word(
    tmp_path: Path,
) -> None:
    rows = SPANISH.replace(
        "6\t.\t", "5.1\t_\t_\t_\t_\t_\t_\t_\t3:dep\tEntity=(e3--1-)\n6\t.\t", 1
    )
    answer = "[Ana]_1 vino del [##]_3 cine. Ahora no duerme [##ella]_1 [allí]_2."
    system = score_spanish(tmp_path, answer, rows)
    assert system.counts.same == system.counts.words == 12
    assert system.result.scores["zero"].f1 == 1
