"""Files of every kind are read, and losses that reading causes are counted."""

from __future__ import annotations

import json

import pytest

from scoref import FormatError
from scoref.tools.convert.conversion import convert
from scoref.tools.convert.sources import read_source
from support.corefud import corefud
from support.paths import EXAMPLES


def losses_of(data: str) -> dict[str, int]:
    losses = read_source(data.encode()).losses
    return {loss.kind: loss.count for loss in losses}


def test_a_path_and_its_bytes_have_the_same_content() -> None:
    path = EXAMPLES / "key.conll"
    by_path, by_data = read_source(path), read_source(path.read_bytes())
    assert by_path.format == by_data.format == "conll-2012"
    assert by_path.content.lists() == by_data.content.lists()
    assert (by_path.content.source, by_data.content.source) == (str(path), "<data>")


def test_a_text_need_not_be_annotated() -> None:
    words = b"w\t-\nw\t-\n"
    with pytest.raises(FormatError, match="no coreference annotation"):
        read_source(words)
    assert read_source(words, is_text=True).content.text.first.tolist() == [0, 2]


def test_a_format_with_one_side_warns_about_the_other() -> None:
    (note,) = read_source(EXAMPLES / "key.conll", side="response").notes
    assert note.kind == "one-sided"
    assert "--side response has no effect" in note.message


def test_a_table_says_which_texts_mentions_have() -> None:
    table = b"document\tentity\tstart\tend\ttext\nd\t0\t2\t3\ther house\n"
    assert read_source(table, format="tsv").content.mention_text == ("her house",)


def test_deixis_is_counted_and_not_read() -> None:
    source = read_source(EXAMPLES / "ua-key.ua")
    assert {loss.kind: loss.count for loss in source.losses} == {"deixis": 2}


def test_bridges_of_corefud_are_counted() -> None:
    text = corefud("w w", e1="1", e2="2").replace(
        "Entity=", "Bridge=e1<e2:x|Entity=", 1
    )
    assert losses_of(text) == {"bridges": 1}


def test_multiword_tokens_at_the_edge_of_a_mention_are_counted() -> None:
    text = (
        "# global.columns = ID FORM IDENTITY\n# newdoc id = d\n"
        "1-2\tdel\t(EntityID=e1|MarkableID=m1\n1\tde\t_\n2\tel\t_\n"
        "3\tmar\t)\n4-5\tal\t(EntityID=e2|MarkableID=m2)\n4\ta\t_\n5\tel\t_\n\n"
    )
    assert losses_of(text) == {"multiword-tokens": 2}
    (loss,) = read_source(text.encode()).losses
    assert loss.place == "<data>:6"  # where the first one ends
    made = json.loads(convert(text.encode(), "json-lines", lossy=True).data)
    assert made["sentences"] == [["de", "el", "mar", "a", "el"]]
    assert made["clusters"] == [[[0, 2]], [[3, 4]]]


def with_tokens(rows: list[str]) -> str:
    """Write words and multiword tokens such as 'c-d'. Brackets are of one mention."""
    lines, number = ["# global.columns = ID FORM IDENTITY", "# newdoc id = d"], 0
    for row in rows:
        form, _, mark = row.partition(" ")
        cell = mark.replace("(", "(EntityID=e|MarkableID=m") or "_"
        first, dash, second = form.partition("-")
        number += bool(form) and not dash
        if dash:
            name = f"{number + 1}-{number + (2 if second else 1)}"
        else:
            name = str(number) if form else f"{number}.1"
        lines.append(f"{name}\t{first + second or '_'}\t{cell}")
    return "\n".join(lines) + "\n\n"


@pytest.mark.parametrize(
    ("rows", "mention", "is_lost"),
    [
        (["a", "b (", "c-d", "c )", "d"], [1, 2], False),
        (["a", "b (", "c-d", "c", "d )"], [1, 3], False),
        (["a", "b", "c-d (", "c", "d )"], [2, 3], True),
        (["a", "b (", "c-d )", "c", "d"], [1, 3], False),
        (["a-b ()", "a", "b"], [0, 1], True),
        (["a-b ()", "a", "", "b"], [0, 1], True),  # with a zero between the words
        (["b- ()", "b", "c"], [0, 0], True),  # a token with one word
    ],
)
def test_multiword_tokens_between_words_of_a_mention_come_back(
    rows: list[str], mention: list[int], is_lost: bool
) -> None:
    text = with_tokens(rows)
    assert losses_of(text) == ({"multiword-tokens": 1} if is_lost else {})
    made = json.loads(convert(text.encode(), "json-lines", lossy=True).data)
    assert made["clusters"] == [[mention]]


def test_a_multiword_token_is_lost_if_its_first_word_is_not_in_the_mention() -> None:
    text = with_tokens(["a", "b (", "c-d )", "c", "d ()"])
    assert losses_of(text) == {"multiword-tokens": 1}
