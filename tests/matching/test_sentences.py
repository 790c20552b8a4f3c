"""Key and response that are not the same text: the first difference is shown."""

from __future__ import annotations

from random import Random
from typing import NamedTuple

import pytest

from corefud import conll, corefud, read, scored
from random_corefud import random_pair
from scoref import AlignmentError
from scoref.matching.sentences import check_sentences

KEY = corefud("@a Ada wrote", "she slept", "@b Ada ran", e1="1 2:1", e2="3:1")
_FIRST = "1\t{}" + "\t_" * 4 + "\t0\t_\t_\tEntity=(e1-x-1-)\n2\t{}"
_WORDS = "only empty nodes may differ"
_IDS = "sentences must have the same ids, in the same order"
_DOCUMENTS = "documents must start at the same sentences, with equal ids"


class Difference(NamedTuple):
    """What is changed in the response, and what is said about it."""

    old: str
    new: str
    line: int
    message: str
    hint: str


def _told(what: str, key: str, response: str) -> str:
    return (
        f"the {what} not the key's\n"
        f"    key       key.conllu:{key}\n"
        f"    response  response.conllu:{response}"
    )


DIFFERENCES = {
    "a word": Difference(
        "slept",
        "slips",
        8,
        _told("words of sentence 2 are", "8: she slept", "8: she slips"),
        _WORDS,
    ),
    "a longer word": Difference(
        "slept",
        "snoozed",
        8,
        _told("words of sentence 2 are", "8: she slept", "8: she snoozed"),
        _WORDS,
    ),
    "letters that wander to the next word": Difference(
        _FIRST.format("Ada", "wrote"),
        _FIRST.format("Adaw", "rote"),
        4,
        _told("words of sentence 1 are", "4: Ada wrote", "4: Adaw rote"),
        _WORDS,
    ),
    "a word less in the middle": Difference(
        "2\tslept" + "\t_" * 4 + "\t0" + "\t_" * 3 + "\n",
        "",
        8,
        _told("words of sentence 2 are", "8: she slept", "8: she"),
        _WORDS,
    ),
    "a word less at the end": Difference(
        "2\tran" + "\t_" * 4 + "\t0" + "\t_" * 3 + "\n",
        "",
        13,
        _told("words of sentence 3 are", "13: Ada ran", "13: Ada"),
        _WORDS,
    ),
    "a sentence id": Difference(
        "s2", "s9", 8, _told("id of sentence 2 is", "8: 's2'", "8: 's9'"), _IDS
    ),
    "no sentence id": Difference(
        "# sent_id = s2\n",
        "",
        7,
        _told("id of sentence 2 is", "8: 's2'", "7: ''"),
        _IDS,
    ),
    "the name of a document": Difference(
        "id = b",
        "id = c",
        13,
        _told("document of sentence 3 is", "13: 'b'", "13: 'c'"),
        _DOCUMENTS,
    ),
    "no start of a document": Difference(
        "# newdoc id = b\n",
        "",
        12,
        _told("document of sentence 3 is", "13: 'b'", "12: 'a'"),
        _DOCUMENTS,
    ),
    "another start of a document": Difference(
        "# sent_id = s2\n",
        "# newdoc id = b\n# sent_id = s2\n",
        9,
        _told("document of sentence 2 is", "8: 'a'", "9: 'b'"),
        _DOCUMENTS,
    ),
}


@pytest.mark.parametrize("difference", DIFFERENCES.values(), ids=list(DIFFERENCES))
def test_the_first_difference_is_shown_side_by_side(difference: Difference) -> None:
    response = KEY.replace(difference.old, difference.new, 1)
    assert response != KEY
    with pytest.raises(AlignmentError) as caught:
        scored(KEY, response)
    error = caught.value
    shown = "\n".join([error.problem, *(f"    {line}" for line in error.beside)])
    found = error.source, error.line, shown, error.hint
    expected = difference.message, difference.hint
    assert found == ("response.conllu", difference.line, *expected)


def test_the_earliest_of_several_differences_is_shown() -> None:
    response = KEY.replace("slept", "slips").replace("= s3", "= s4")
    with pytest.raises(AlignmentError, match="the words of sentence 2"):
        scored(KEY, response)
    response = KEY.replace("ran", "fell").replace("= s1", "= s0")
    with pytest.raises(AlignmentError, match="the id of sentence 1"):
        scored(KEY, response)


@pytest.mark.parametrize(
    ("sides", "source"), [((KEY, None), "key.conllu"), ((None, KEY), "response.conllu")]
)
def test_a_last_sentence_on_one_side_only_is_told(
    sides: tuple[str | None, str | None], source: str
) -> None:
    shorter = corefud("@a Ada wrote", "she slept", e1="1 2:1")
    other = {"key.conllu": "response.conllu", "response.conllu": "key.conllu"}[source]
    with pytest.raises(AlignmentError) as caught:
        scored(*(side or shorter for side in sides))
    error = caught.value
    problem = f"sentence 3 of 3 is not in {other}, which has 2"
    hint = "key and response must have the same sentences"
    shown = "\n".join([error.problem, *(f"    {line}" for line in error.beside)])
    found = error.source, error.line, shown, error.hint
    assert found == (source, 13, problem, hint)


@pytest.mark.parametrize(
    ("old", "new"),
    [("# newdoc id = a\n# sent_id = s2", "# sent_id = s2"), ("id = 1", "")],
    ids=["a start with the id of the document before", "an id that is the number"],
)
def test_starts_of_documents_are_compared_not_only_their_names(
    old: str, new: str
) -> None:
    key = corefud("@a w w", "@a w w", "@1 w", e1="1 2:1")
    key = key if "newdoc" in old else corefud("@1 w w", e1="1 2")
    assert old in key
    with pytest.raises(AlignmentError):
        scored(key, key.replace(old, new))


def test_a_long_sentence_is_shown_in_part() -> None:
    with pytest.raises(AlignmentError) as caught:
        scored(corefud("word " * 20), corefud("word " * 19))
    assert f"4: {('word ' * 20)[:60]} …" in str(caught.value)


def test_empty_nodes_may_differ() -> None:
    key = corefud("w w 2.1/1:obj w", e1="1 2.1", e2="2 3")
    response = corefud("0.1/1:obj w 1.1/2:dep 1.2/2:dep w w", e1="1 0.1", e2="2 3")
    assert conll(scored(key, response)) == 100.00


def test_what_else_a_line_says_may_differ() -> None:
    token = "1-2\tww" + "\t_" * 8 + "\n1\tAda"
    response = (
        KEY.replace("1\tAda", token)
        .replace("2\twrote\t_\t_", "2\twrote\twrite\tVERB")
        .replace("# sent_id = s2", "# text = she slept\n# sent_id = s2")
        .replace("eid-etype-head-other", "eid-etype-head")
    )
    check_sentences(read(KEY), read(response))


def test_random_files_are_the_text_of_their_own_key() -> None:
    for seed in range(30):
        key, response = random_pair(Random(seed))  # noqa: S311 - no secret is made
        check_sentences(read(key.text()), read(response.text()))
