"""Each notation says the same: which words, which entity, and what is broken.

Entities that are listed line by line, as models do it without being asked.
"""

from __future__ import annotations

import pytest

from scoref.alignment.pieces import cut_between
from scoref.errors import OptionError
from scoref.tools.llm.notations import NOTATIONS, detect, find_lists, notation_of

INLINE = [name for name, notation in NOTATIONS.items() if notation.read]


def read_marks(text: str, name: str | None = None) -> tuple[list[str], list[str], str]:
    """Give mentions as `words/entity`, faults, and the words that are left."""
    notation = notation_of(name) if name else detect([text])
    assert notation is not None
    assert notation.read is not None
    marked = notation.read(text)
    pieces = cut_between(text, marked.markup)
    mentions = []
    for mention in marked.mentions:
        first, last = pieces.within(mention.start, mention.end)
        mentions.append(f"{' '.join(pieces.text[first:last])}/{mention.label}")
    faults = [text[fault.start : fault.end] for fault in marked.faults]
    return mentions, faults, " ".join(pieces.text)


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("crac", "Ada|[e1] met the|[e2 man in a|[e3 hat|e2],e3] ."),
        ("markdown", "[Ada](#e1) met [the man in [a hat](#e3)](#e2)."),
        ("markdown", "[ Ada ] (#e1) met [ the man in [a hat] (#e3) ]\t( #e2 )."),
        ("markdown", '[Ada](e1) met [the man in [a hat](e3 "x")]( #e2 ).'),
        ("xml", "<m id=e1>Ada</m> met <m id='e2'>the man in <m id='e3'>a hat</m></m>."),
        ("xml", '<m id="e1">Ada</m> met <m x=y id="e2">the man in <e3>a hat</e3></m>.'),
        ("xml", "<e1>Ada</e1> met <br/><e2>the man in <e3>a hat</e2></e3>."),
        ("xml", '<s><x c="e1">Ada</x> met <x ref="#e2">the man in <e3>a hat</x></e3>.'),
        ("subscript", "[Ada]_e1 met [the man in [a hat]_{e3}]_e2."),
        ("subscript", "[Ada]{e1} met [the man in [a hat]^{e3}]^e2 ."),
        ("subscript", "[Ada]<sub>e1</sub> met [the man in [a hat]{ e3 }]{ #e2 }."),
        ("colon", "[Ada: e1] met [the man in [a hat: e3]: e2]."),
        ("bar", "[Ada | e1] met [the man in [a hat | e3] | e2]."),
        ("bar", "<m> Ada | e1 </m> met <m> the man in <m> a hat |e3</m> | e2 </m>."),
        ("prefix", "[e1 Ada] met [e2 the man in [e3 a hat ] ] ."),
        ("prefix", "[e1: Ada] met [e2: the man in [e3| a hat]]."),
        ("parentheses", "((e1: Ada)) met ((e2: the man in ((e3: a hat))))."),
    ],
)  # fmt: skip
def test_a_text_is_read_alike_in_every_notation(name: str, text: str) -> None:
    assert detect([text]) is NOTATIONS[name]
    assert read_marks(text) == (
        ["Ada/e1", "the man in a hat/e2", "a hat/e3"],
        [],
        "Ada met the man in a hat .",
    )


def test_every_example_is_of_its_notation() -> None:
    for notation in NOTATIONS.values():
        assert detect([notation.example]) is notation


@pytest.mark.parametrize(
    ("name", "text", "fault"),
    [
        ("crac", "Ada|[e1] met|e7] him", "e7]"),
        ("crac", "Ada|[e1] met|[e7 him", "[e7"),
        ("crac", "Ada|[e1],e7 met him", "e7"),
        ("markdown", "[Ada](#e1) met](#e7) him", "](#e7)"),
        ("markdown", "[Ada](#e1) met [him", "["),
        ("xml", '<m id="e1">Ada</m> met <m id="e7">him', '<m id="e7">'),
        ("xml", "<e1>Ada</e1> met</e7> him", "</e7>"),
        ("subscript", "[Ada]_e1 met]_e7 him", "]_e7"),
        ("colon", "[Ada: e1] met [him", "["),
        ("bar", "[Ada | e1] met | e7] him", " | e7]"),
        ("prefix", "[e1 Ada] met] him", "]"),
        ("prefix", "[e1 Ada] met [e7 him", "[e7"),
        ("parentheses", "((e1: Ada)) met ((e7: him", "((e7:"),
    ],
)
def test_a_bracket_without_a_partner_is_a_fault_and_costs_no_other_mention(
    name: str, text: str, fault: str
) -> None:
    mentions, faults, _ = read_marks(text, name)
    assert mentions == ["Ada/e1"]
    assert faults == [fault]


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("markdown", "[Ada [sic]](#1) left [here]"),
        ("subscript", "[Ada [sic]]_1 left [here]"),
        ("colon", "[Ada [sic]: 1] left [here]"),
        ("bar", "[Ada [sic] | 1] left [here]"),
        ("prefix", "[1 Ada [sic]] left [here]"),
    ],
)
def test_brackets_that_mark_nothing_stay_in_the_text(name: str, text: str) -> None:
    assert read_marks(text, name) == (
        ["Ada [ sic ]/1"],
        [],
        "Ada [ sic ] left [ here ]",
    )


def test_a_mention_can_be_named_by_another_one() -> None:
    assert read_marks("[ Ada ] met [ him ] , and [ she | Ada ] left") == (
        ["Ada/Ada", "she/Ada"],
        [],
        "Ada met [ him ] , and she left",
    )


def test_tags_of_the_shared_task_stand_on_words() -> None:
    # A mark or a blank may have come between; e1 ends and starts on one word.
    text = "A|[e1 b|[e1,e1] c|e1]. d |[e2] | x|y"
    assert read_marks(text) == (["A b/e1", "b c/e1", "d/e2"], [], "A b c . d | x | y")


def test_a_name_that_nobody_knows_is_refused() -> None:
    with pytest.raises(OptionError, match="unknown notation 'markdwon'"):
        notation_of("markdwon")


def test_most_mentions_decide() -> None:
    texts = ["[Ada](#1) saw [x: 2]", "[him](#3)"]
    assert detect(texts) is NOTATIONS["markdown"]


def test_no_notation_fits_a_text_without_mentions() -> None:
    assert detect(["no mention", ""]) is None
    assert detect(["There are none: []"]) is None
    assert detect(["[]"]) is NOTATIONS["json"]


def test_lines_of_a_list_do_not_outnumber_marks_in_the_text() -> None:
    text = '[Ada](#1) said: "Yes", "no"\n- "never", "ever", "again"'
    assert detect([text]) is NOTATIONS["markdown"]


_DEEP = 20_000


@pytest.mark.parametrize("name", INLINE)
@pytest.mark.parametrize(
    "text",
    [
        "a" + " " * 300_000 + "b",
        "[" * _DEEP + "a",
        "](a" + "b" * 300_000,
        "a |" * _DEEP,
    ],
    ids=["blanks", "brackets", "one label", "bars"],
)
def test_long_texts_without_mentions_have_none(name: str, text: str) -> None:
    read = NOTATIONS[name].read
    assert read is not None
    assert read(text).mentions == []


def test_the_name_of_an_entity_may_be_nested_deeply() -> None:
    text = "[" * _DEEP + "Ada  L." + "]" * _DEEP + " [she | Ada L.]"
    read = NOTATIONS["bar"].read
    assert read is not None
    marked = read(text)
    assert len(marked.mentions) == _DEEP + 1
    assert {mention.label for mention in marked.mentions} == {"Ada L."}


def test_a_word_may_have_many_bars() -> None:
    read = NOTATIONS["crac"].read
    assert read is not None
    marked = read("so Ada" + "|[e1]" * _DEEP)
    assert {(mention.start, mention.label) for mention in marked.mentions} == {
        (3, "e1")
    }
    assert len(marked.mentions) == _DEEP


def test_tags_may_cross_by_thousands() -> None:
    read = NOTATIONS["xml"].read
    assert read is not None
    text = "<e1>" * _DEEP + "<e2>" * _DEEP + "a" + "</e1>" * _DEEP + "</e2>" * _DEEP
    marked = read(text)
    assert len(marked.mentions) == 2 * _DEEP
    assert marked.faults == []


def test_words_in_brackets_after_a_blank_are_text() -> None:
    text = "[Ada](#1) [sic] (1815) met [him] (2) and [her](#1)"
    assert read_marks(text, "markdown") == (
        ["Ada/1", "her/1"],
        [],
        "Ada [ sic ] ( 1815 ) met [ him ] ( 2 ) and her",
    )


ADA, BOB = ["Ada", "she"], ["Bob"]


@pytest.mark.parametrize(
    "text",
    [
        '1. Ada: "Ada", "she"\n2. Bob: "Bob"',
        "1. Ada: Ada, she\n2. Bob: Bob",
        "1) Ada, she\n2) Bob",
        "- Ada: “Ada”, “she”\n- Bob: “Bob”",
        "* **Ada**: `Ada`, `she` (twice)\n* **Bob**: `Bob`",
        'Ada: "Ada", "she"\nBob: "Bob"',
        'Here are the clusters:\n\n1. "Ada" and "she"\n2. "Bob"\n\nThat is all.',
        '1. ["Ada", "she"]\n2. ["Bob"]',
        "Cluster 1: Ada, she\nCluster 2: Bob",
        "Cluster 1:\n- Ada\n- she\n\nCluster 2:\n- Bob",
        '**Entity 1**\n* "Ada"\n* "she"\n**Entity 2**\n* "Bob"',
        "### Ada\n- Ada\n- she\n### Bob\n- Bob",
        '1. Ada:\n   - "Ada"\n   - "she"\n2. Bob:\n   - "Bob"',
    ],
)
def test_a_line_or_a_heading_is_an_entity(text: str) -> None:
    lists = find_lists(text)
    assert lists is not None
    assert lists.clusters == [ADA, BOB]


@pytest.mark.parametrize(
    "text",
    [
        "Entities:\n- Ada\n- Bob",
        "# Answer\n# Entities\n- Ada\n- Bob",
        "# Entities\n- Ada\n- Bob\n# End",
    ],
)
def test_one_heading_over_a_list_is_its_title(text: str) -> None:
    lists = find_lists(text)
    assert lists is not None
    assert lists.clusters == [["Ada"], ["Bob"]]


def test_an_apostrophe_is_not_a_quote() -> None:
    lists = find_lists("1. 'Ada's dog', 'it'")
    assert lists is not None
    assert lists.clusters == [["Ada's dog", "it"]]


@pytest.mark.parametrize(
    "text",
    [
        "",
        "I am sorry: I cannot do this.",
        "She said: yes, of course.",
        '[["Ada"],\n["she"]]',
        '{"a": ["Ada"],\n "b": ["x"]}',
        "()" * 5000 + '"',
        '"a" ' * 5000 + "!",
    ],
)
def test_other_texts_are_not_lists(text: str) -> None:
    assert find_lists(text) is None
