"""stanza's CoNLL-U: chains become mentions, and trees determine heads of responses."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

import scoref
from scoref import FormatError
from scoref.formats.reading import detect, read_data

if TYPE_CHECKING:
    from pathlib import Path

    from scoref.formats.catalogue import Role
    from scoref.model import Corpus


def stanza(*miscs: str, parents: str = "", name: str = "d") -> bytes:
    """Write a sentence of words with these values of the last column."""
    heads = [*parents] or ["0", *"1" * (len(miscs) - 1)]
    rows = [
        f"{n}\tw{n}\t_\tX\t_\t_\t{head}\tdep\t_\t{misc}\n"
        for n, (misc, head) in enumerate(zip(miscs, heads, strict=True), start=1)
    ]
    return f"# newdoc id = {name}\n# sent_id = {name}-1\n{''.join(rows)}\n".encode()


def read(data: bytes, role: Role = "key", *, lenient: bool = False) -> Corpus:
    reading = "lenient" if lenient else "strict"
    return read_data(data, source="x.conllu", role=role, reading=reading)  # type: ignore[arg-type]


def mentions(corpus: Corpus) -> dict[str, list[list[int]]]:
    """List the numbers of mentions' words by chain."""
    assert corpus.words is not None
    by_chain: dict[str, list[list[int]]] = {}
    start = corpus.words.start.tolist()
    for row, entity in enumerate(corpus.mention_entity.tolist()):
        words = corpus.words.member[start[row] : start[row + 1]]
        numbers = [(word >> 12 & 0xFFFFF) for word in words.tolist()]
        by_chain.setdefault(corpus.entity_label[entity], []).append(numbers)
    return by_chain


def test_units_starts_and_ends_are_brackets() -> None:
    data = stanza(
        "start_char=0|coref_chains=start-repr-id0",
        "coref_chains=middle-repr-id0,unit-id1",
        "coref_chains=end-repr-id0",
        "coref_chains=unit-id0",
    )
    corpus = read(data)
    assert (detect(data), corpus.format) == ("stanza", "stanza")
    assert mentions(corpus) == {"id0": [[1, 2, 3], [4]], "id1": [[2]]}


def test_nested_mentions_of_a_chain_close_the_last_one_first() -> None:
    data = stanza(
        "coref_chains=start-id0",
        "coref_chains=middle-id0,start-id0",
        "coref_chains=end-id0,end-id0",
    )
    assert mentions(read(data)) == {"id0": [[1, 2, 3], [2, 3]]}


def test_a_mention_may_end_where_the_next_one_starts() -> None:
    data = stanza(
        "coref_chains=start-id0",
        "coref_chains=start-id0,end-id0",
        "coref_chains=end-id0",
    )
    assert mentions(read(data)) == {"id0": [[1, 2], [2, 3]]}


def test_older_releases_call_it_ner() -> None:
    data = stanza("ner=S-PERSON|ner=unit-id0", "ner=B-ORG", "ner=unit-repr-id0")
    assert detect(data) == "stanza"
    assert mentions(read(data)) == {"id0": [[1], [3]]}


def test_the_first_mention_may_come_late() -> None:
    data = stanza("_", "_") * 2000 + stanza("coref_chains=unit-id0", "_", name="e")
    assert len(data) > 1 << 16
    assert detect(data) == "stanza"


def test_named_entities_are_not_chains() -> None:
    data = stanza("ner=S-PERSON", "_")
    assert detect(data) == "corefud"
    with pytest.raises(FormatError, match="no coreference annotation"):
        read(data)


def test_chains_are_those_of_a_document() -> None:
    data = stanza("coref_chains=unit-id0", "_") + stanza(
        "coref_chains=unit-id0", "_", name="e"
    )
    corpus = read(data)
    assert corpus.entity_document.tolist() == [0, 1]
    assert [name.name for name in corpus.documents] == ["d", "e"]


def test_an_empty_node_is_a_zero() -> None:
    data = stanza("coref_chains=unit-id0", "_").replace(
        b"2\tw2", b"1.1\t_\t_\t_\t_\t_\t_\t_\t1:nsubj\tcoref_chains=unit-id0\n2\tw2"
    )
    corpus = read(data)
    assert corpus.words is not None
    assert corpus.words.is_zero.tolist() == [False, True]


def test_heads_of_a_response_are_found_in_its_trees() -> None:
    data = stanza("coref_chains=start-id0", "coref_chains=end-id0", "_", parents="230")
    key, response = (read(data, role).words for role in ("key", "response"))
    assert key is not None
    assert response is not None
    assert (key.names_heads, key.head.tolist()) == (False, [1 << 12])
    assert (response.names_heads, response.head.tolist()) == (True, [2 << 12])


def test_a_response_without_trees_has_no_heads() -> None:
    data = stanza("coref_chains=start-id0", "coref_chains=end-id0", parents="00")
    words = read(data, "response").words
    assert words is not None
    assert (words.names_heads, words.head.tolist()) == (False, [1 << 12])


def test_it_is_scored_as_corefud_is(tmp_path: Path) -> None:
    key, response = tmp_path / "key.conllu", tmp_path / "response.conllu"
    brackets = stanza("Entity=(e1-x-1-)", "Entity=(e2-x-1-)", "Entity=(e1-x-1-)")
    header = b"# global.Entity = eid-etype-head-other\n"
    key.write_bytes(brackets.replace(b"# sent_id", header + b"# sent_id"))
    response.write_bytes(stanza("coref_chains=unit-id0", "_", "coref_chains=unit-id0"))
    result = scoref.score(key, response)
    assert result.conll == 1
    assert result.signature.startswith(
        f"scoref:{scoref.__version__}|format:corefud+stanza|"
    )
    assert "match:head|singletons:drop" in result.signature


@pytest.mark.parametrize(
    ("misc", "problem"),
    [
        ("coref_chains=start-0", "'start-0' is not a list of chains"),
        ("coref_chains=", "'' is not a list of chains"),
        ("coref_chains=end-id3", "entity id3 is closed here but was never opened"),
        (
            "coref_chains=start-id3",
            "entity id3 is opened here but never closed in this document",
        ),
    ],
)
def test_what_cannot_be_read_is_refused_with_its_line(misc: str, problem: str) -> None:
    data = stanza("coref_chains=unit-id0", misc)
    with pytest.raises(FormatError) as error:
        read(data)
    assert (error.value.problem, error.value.line) == (problem, 4)
    assert mentions(read(data, lenient=True)) == {"id0": [[1]]}


def test_a_hint_names_the_item_that_is_missing() -> None:
    with pytest.raises(FormatError) as error:
        read(stanza("_", "coref_chains=end-id3"))
    assert error.value.hint == "Expected 'start-id3' on an earlier word."
