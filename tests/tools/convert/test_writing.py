"""Labels of entities, columns of the source, and mentions put onto a base."""

from __future__ import annotations

import json
from itertools import chain
from types import SimpleNamespace
from typing import Any

import pytest

from scoref import AlignmentError, FormatError
from scoref.formats.reading import read_data
from scoref.tools.convert import writing
from scoref.tools.convert.conversion import convert
from support.paths import EXAMPLES

COREFUD, UA = EXAMPLES / "corefud-key.conllu", EXAMPLES / "ua-key.ua"

LINE = '{"doc_key": "d", "tokens": ["Ada", "left", "her", "house"], "clusters": %s}'


def conllu(*rows: str, name: str = "d") -> bytes:
    """Write rows such as '1 Ada' with a lemma, followed by MISC."""
    lines = [f"# newdoc id = {name}", "# sent_id = s1"]
    for row in rows:
        number, form, *misc = row.split()
        lines.append("\t".join([number, form, "lemma", *"______", *(misc or "_")]))
    return "\n".join([*lines, "", ""]).encode()


BASE = conllu("1 Ada", "2 left SpaceAfter=No", "2.1 _", "3 her", "4 house")


def rows(data: bytes) -> list[list[str]]:
    lines = data.decode().splitlines()
    return [line.split("\t") for line in lines if line[:1].isdigit()]


def test_corefud_keeps_its_columns_and_comments_in_universal_anaphora() -> None:
    made = convert(COREFUD, "universal-anaphora", lossy=True).data.decode()
    before = COREFUD.read_text(encoding="utf-8").splitlines()
    after = made.splitlines()
    comments = [
        line for line in before if line.startswith("#") and "global" not in line
    ]
    assert [line for line in after if line.startswith("#")][1:] == comments
    assert [row[:9] for row in rows(made.encode())] == [
        row[:9] for row in rows(COREFUD.read_bytes())
    ]
    assert "Entity=" not in made


def test_universal_anaphora_keeps_ten_columns_in_corefud() -> None:
    made = convert(UA, "corefud", lossy=True).data
    assert {len(row) for row in rows(made)} == {10}
    # What has no head gets one; everything else stays.
    kept = [row[:6] + row[8:9] for row in rows(made)]
    assert kept == [row[:6] + row[8:9] for row in rows(UA.read_bytes())]
    assert b"# speaker = A\n" in made
    assert b"global.columns" not in made


def test_columns_are_found_by_their_names_and_filled_if_they_lack() -> None:
    text = (
        "# global.columns = FORM IDENTITY MISC ID UPOS\n# newdoc id = d\n"
        "Ada (EntityID=e|MarkableID=m) A=1|Entity=(x) 1 PROPN\nleft _ _ 2 VERB\n"
    )
    made = convert(text.encode(), "corefud").data
    assert rows(made) == [
        ["1", "Ada", "_", "PROPN", *"__", "0", "root", "_", "A=1|Entity=(e--1-)"],
        ["2", "left", "_", "VERB", *"__", "1", "dep", *"__"],
    ]


def test_bare_words_get_a_tree_in_corefud() -> None:
    text = '{"doc_key": "d", "sentences": [["a", "b"], ["c"]], "clusters": [[[0, 1]]]}'
    made = convert(text.encode(), "corefud").data
    assert [row[6:8] for row in rows(made)] == [
        ["0", "root"],
        ["1", "dep"],
        ["0", "root"],
    ]


def _tree(*words: str) -> list[list[str]]:
    """Convert words such as '2/1:dep' (head, relation) and empty nodes '2.1/1:obj'."""
    lines = []
    for word in words:
        number, _, place = word.partition("/")
        head, _, relation = place.partition(":")
        is_empty = "." in number
        tree = (
            ["_", "_", place or "_"]
            if is_empty
            else [head or "_", relation or "_", "_"]
        )
        lines.append("\t".join([number, "w", *"____", *tree, "Entity=(e1-x-1-)"]))
    header = "# newdoc id = d\n# global.Entity = eid-etype-head-other\n"
    text = header + "\n".join(lines) + "\n\n"
    return [row[6:9] for row in rows(convert(text.encode(), "corefud").data)]


def test_only_what_has_no_head_gets_one() -> None:
    assert _tree("1", "2/0:root", "3/2:obj", "4") == [
        ["2", "dep", "_"],
        ["0", "root", "_"],
        ["2", "obj", "_"],
        ["2", "dep", "_"],
    ]


def test_empty_nodes_without_dependencies_depend_on_the_word_before() -> None:
    assert _tree("0.1", "1/0:root", "1.1", "1.2/1:obj")[0::2] == [
        ["_", "_", "0:root"],
        ["_", "_", "1:dep"],
    ]
    assert _tree("1/0:root", "1.1/1:obj")[1] == ["_", "_", "1:obj"]


def test_documents_without_a_blank_line_between_them_stay_two() -> None:
    text = (
        "# global.columns = ID FORM IDENTITY\n"
        "# newdoc id = a\n1\tx\t(EntityID=e|MarkableID=m)\n"
        "# note\n# newdoc id = b\n1\ty\t(EntityID=e|MarkableID=m)\n"
    )
    made = convert(text.encode(), "corefud")
    corpus = read_data(made.data, source="x", role="key")
    assert [name.name for name in corpus.documents] == ["a", "b"]
    assert corpus.entity_document.tolist() == [0, 1]


def test_words_that_are_not_numbered_as_in_conllu_get_new_numbers() -> None:
    text = (
        "# global.columns = ID FORM IDENTITY\n# newdoc id = d\n"
        "0\tx\t(EntityID=e|MarkableID=m)\n1\ty\t_\n\n2\tz\t(EntityID=e|MarkableID=n)\n"
    )
    made = convert(text.encode(), "corefud").data
    assert [row[:2] for row in rows(made)] == [["1", "x"], ["2", "y"], ["1", "z"]]


def test_a_document_that_goes_on_later_is_put_together() -> None:
    parts = [conllu("1 x", name="a"), conllu("1 y", name="b"), conllu("1 z", name="a")]
    made = convert(b"".join(parts), "universal-anaphora", format="corefud")
    assert made.documents == ("a", "b")
    assert [row[1] for row in rows(made.data)] == ["x", "z", "y"]


def test_mentions_are_put_into_a_base() -> None:
    made = convert(
        (LINE % "[[[0, 0], [2, 2]], [[2, 3]]]").encode(), "corefud", base=BASE
    )
    misc = [row[9] for row in rows(made.data)]
    assert misc == [
        "Entity=(e1--1-)",
        "SpaceAfter=No",
        "_",
        "Entity=(e2--1-(e1--1-)",
        "Entity=e2)",
    ]
    assert all(row[2] == "lemma" for row in rows(made.data))


def test_empty_nodes_of_a_base_belong_to_spans_around_them_in_corefud_only() -> None:
    line = (LINE % "[[[1, 2]]]").encode()
    made = convert(line, "corefud", base=BASE)
    assert [row[9] for row in rows(made.data)][1:4] == [
        "SpaceAfter=No|Entity=(e1--1-",
        "_",
        "Entity=e1)",
    ]
    other = convert(line, "universal-anaphora", base=BASE)
    assert rows(other.data)[3][10] == ")"


def test_json_lines_without_words_take_those_of_the_base() -> None:
    line = b'{"doc_key": "d", "clusters": [[[0, 0], [2, 3]]]}'
    made = convert(line, "conll-2012", base=(LINE % "[]").encode())
    assert [row[3] for row in map(str.split, made.data.decode().splitlines()[1:5])] == [
        "Ada",
        "left",
        "her",
        "house",
    ]


def test_a_table_is_checked_against_the_base() -> None:
    table = "document\tentity\tstart\tend\ttext\nd\t0\t2\t3\t%s\n"
    made = convert((table % "her house").encode(), "json-lines", base=BASE, lossy=True)
    assert b'"clusters":[[[2,3]]]' in made.data
    with pytest.raises(AlignmentError) as error:
        convert((table % "the house").encode(), "json-lines", base=BASE)
    assert (
        error.value.problem
        == "this mention is 'her house' in the base, but 'the house' here"
    )
    assert error.value.line == 2


def test_documents_are_paired_by_name_whatever_their_order() -> None:
    text = conllu("1 x", name="b") + conllu("1 y", "2 z", name="a_0")
    table = b"document,entity,start,end\na,0,1,1\nb,0,0,0\n"
    made = convert(table, "corefud", base=text)
    assert [row[9] for row in rows(made.data)] == [
        "Entity=(e1--1-)",
        "_",
        "Entity=(e2--1-)",
    ]


@pytest.mark.parametrize(
    ("line", "problem"),
    [
        (LINE % "[]", "this word is 'his', but 'her' in <data>"),
        ('{"doc_key": "d", "tokens": ["Ada"], "clusters": []}', "4 words here but 1"),
        ('{"doc_key": "d", "clusters": [[[3, 4]]]}', "has no word 5"),
    ],
)
def test_another_text_is_refused(line: str, problem: str) -> None:
    base = conllu("1 Ada", "2 left", "3 his", "4 house")
    with pytest.raises(AlignmentError) as error:
        convert(line.encode(), "corefud", base=base)
    assert problem in error.value.problem


def test_documents_that_one_side_lacks_are_refused() -> None:
    two = conllu("1 x", name="a") + conllu("1 y", name="b")
    with pytest.raises(AlignmentError, match="document 'b' is not in"):
        convert(b'{"doc_key": "a", "clusters": []}', "corefud", base=two)
    lines = b'{"doc_key": "a", "clusters": []}\n{"doc_key": "c", "clusters": []}'
    with pytest.raises(AlignmentError, match="document 'c' of <data> is missing here"):
        convert(lines, "corefud", base=two)


def test_a_base_has_words() -> None:
    line = b'{"doc_key": "d", "clusters": []}'
    with pytest.raises(AlignmentError, match="this base has no words"):
        convert(line, "conll-2012", base=line)


def test_a_base_of_empty_documents_has_no_word_for_a_mention() -> None:
    line = b'{"doc_key": "d", "clusters": [[[0, 0]]]}'
    empty = b'{"doc_key": "d", "sentences": [], "clusters": []}'
    with pytest.raises(AlignmentError, match="document 'd' has no word 1"):
        convert(line, "conll-2012", base=empty)


def test_zeros_of_the_source_must_be_in_the_base() -> None:
    source = conllu("1 Ada", "1.1 _ Entity=(e1--1-)", "2 left", "3 her", "4 house")
    source = b"# global.Entity = eid-etype-head-other\n" + source
    with pytest.raises(AlignmentError, match=r"has no empty node 1\.1"):
        convert(source, "corefud", base=BASE)
    with pytest.raises(FormatError):
        convert(source, "corefud", base=b"not a text")


def labelled(*documents: str) -> bytes:
    """Write documents of a mention for each of these labels."""
    lines = [
        {
            "doc_key": f"d{row}",
            "tokens": labels.split(),
            "clusters": [[[at, at]] for at in range(len(labels.split()))],
            "cluster_ids": labels.split(),
        }
        for row, labels in enumerate(documents)
    ]
    return "".join(f"{json.dumps(line)}\n" for line in lines).encode()


def test_labels_that_go_on_in_another_document_are_kept_by_json_lines() -> None:
    documents = "quake aid", "aid trial", "trial storm", "storm quake", "vote flood"
    data = labelled(*documents)
    for between in ("json-lines", "conll-2012", "universal-anaphora", "tsv"):
        made = convert(convert(data, between, lossy=True).data, "json-lines").data
        labels = [json.loads(line)["cluster_ids"] for line in made.splitlines()]
        names = " ".join(documents).split()
        joined = set(zip(names, chain(*labels), strict=True))
        assert len(joined) == len({label for _, label in joined}) == 6


@pytest.mark.parametrize(
    "documents",
    [("0 1 2", "0 1"), ("e1 e2", "e1"), ("id0", "id0 id1"), ("5 2 9", "9 2", "2 5")],
)
def test_labels_that_start_anew_in_each_document_are_not_written(
    documents: tuple[str, ...],
) -> None:
    made = convert(labelled(*documents), "json-lines").data
    assert b"cluster_ids" not in made


@pytest.mark.parametrize(("to", "label"), [("corefud", "CorefUD"), ("brat", "brat")])
def test_where_entities_cannot_go_on_in_another_document_a_note_says_so(
    to: str, label: str
) -> None:
    notes = convert(labelled("quake aid", "quake", "trial"), to).notes
    note = {note.kind: note for note in notes}["cut-entities"]
    assert note.message == (
        f"warning: {label} cannot link entities across documents. scoref split 1 of "
        "them, one part for each document."
    )
    assert "cut-entities" not in {
        note.kind for note in convert(labelled("0 1", "0 1"), to).notes
    }


STANZA = b"""\
# newdoc id = d
# sent_id = d-1
1\tAda\tAda\tPROPN\tNNP\t_\t2\tnsubj\t_\tstart_char=0|end_char=3|coref_chains=unit-id0
2\twrote\twrite\tVERB\tVBD\t_\t0\troot\t_\tner=O
3\tit\tit\tPRON\tPRP\t_\t2\tobj\t_\tner=unit-id1

"""


def test_trees_and_lemmas_of_stanza_stay() -> None:
    made = convert(STANZA, "corefud").data.decode().splitlines()
    assert [line for line in made if line[:1].isdigit()] == [
        "1\tAda\tAda\tPROPN\tNNP\t_\t2\tnsubj\t_\tstart_char=0|end_char=3|Entity=(id0--1-)",
        "2\twrote\twrite\tVERB\tVBD\t_\t0\troot\t_\tner=O",
        "3\tit\tit\tPRON\tPRP\t_\t2\tobj\t_\tEntity=(id1--1-)",
    ]
    again = convert(STANZA, "universal-anaphora").data.decode().splitlines()
    assert again[-2].startswith("3\tit\tit\tPRON\tPRP\t_\t2\tobj\t_\t_\t")


@pytest.mark.parametrize(
    ("names", "base", "places"),
    [
        (["d"], ["d_0"], [0]),
        (["d_0"], ["d"], [0]),
        (["d_0", "d"], ["d", "d_0"], [1, 0]),
    ],
)
def test_part_0_may_be_left_out_of_names_unless_there_are_both(
    names: list[str], base: list[str], places: list[int]
) -> None:
    sides: list[Any] = [
        SimpleNamespace(content=SimpleNamespace(documents=tuple(documents)))
        for documents in (names, base)
    ]
    assert writing._pair_documents(*sides).tolist() == places  # noqa: SLF001
