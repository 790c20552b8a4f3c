"""The reader of Universal Anaphora: mentions, layouts, plurals and bridges."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

import numpy as np
import pytest

from scoref import FormatError, Note
from scoref.formats import catalogue, conllu, reading, universal_anaphora
from scoref.model import packed_text
from support.ua_files import HEADER, anaphora_of, with_keys, words_of

if TYPE_CHECKING:
    from collections.abc import Callable

    from scoref.model import Corpus


def ua(*lines: str, header: str = HEADER) -> str:
    """Write lines such as '1 (e1:m1|Min=1)': an id and up to three cells.

    '@d' starts a document, '' ends a sentence, and '#' is a comment.
    """
    return header + "".join(map(_line, lines))


def _line(line: str) -> str:
    if line.startswith("@"):
        return f"# newdoc id = {line[1:]}\n"
    if not line or line.startswith("#"):
        return line + "\n"
    number, *cells = with_keys(line).split()
    cells += ["_"] * (3 - len(cells))
    return (
        "\t".join([number, f"w{number}", "_", "NOUN", *"______", *cells, *"__"]) + "\n"
    )


def read(text: str | bytes, *, lenient: bool = False, deixis: bool = False) -> Corpus:
    data = text.encode() if isinstance(text, str) else text
    return universal_anaphora.read(data, source="x.ua", lenient=lenient, deixis=deixis)


def shown(code: int) -> str:
    number, empty = code >> 12 & 0xFFFFF, code & 0xFFF
    return f"{number}.{empty}" if empty else str(number)


def mentions(corpus: Corpus) -> dict[str, dict[str, list[str]]]:
    """List mentions by document and entity, in order: 'm1:3,4'."""
    words = words_of(corpus)
    by_document: dict[str, dict[str, list[str]]] = {}
    for name in corpus.documents:
        by_document[name.name] = {}
    for row, entity in enumerate(corpus.mention_entity.tolist()):
        member = words.member[words.start[row] : words.start[row + 1]].tolist()
        document = int(corpus.entity_document[entity])
        assert {code >> 32 for code in member} == {document}
        entities = by_document[corpus.documents[document].name]
        text = f"{anaphora_of(corpus).markable[row]}:{','.join(map(shown, member))}"
        entities.setdefault(corpus.entity_label[entity], []).append(text)
    return by_document


def minimums(corpus: Corpus) -> list[str]:
    minimum = words_of(corpus).minimum
    assert minimum is not None
    rows = np.split(minimum.member, minimum.start[1:-1])
    return [",".join(map(shown, row.tolist())) for row in rows]


NESTED = ua(
    "@a",
    "# sent_id = s1",
    "1 (e1:m1|Min=2(e2:m2)",
    "2 _",
    "3 )(e2:m3|Min=3,4",
    "",
    "# sent_id = s2",
    "1 )",
    "1.1 (e1:m4)",
    "@b",
    "1-2 (e1:m1)",
    "1",
)


def test_markables_are_mentions_with_the_words_between_their_brackets() -> None:
    assert mentions(read(NESTED)) == {
        "a": {"e1": ["m1:1,2,3", "m4:4.1"], "e2": ["m2:1", "m3:3,4"]},
        "b": {"e1": ["m1:1"]},
    }


def test_columns_agree_with_words() -> None:
    corpus = read(NESTED)
    words = words_of(corpus)
    assert corpus.format == catalogue.UNIVERSAL_ANAPHORA
    assert corpus.entity_label == ("e1", "e2", "e1")
    assert corpus.entity_document.tolist() == [0, 0, 1]
    assert corpus.mention_entity.tolist() == [0, 0, 1, 1, 2]
    assert [shown(code) for code in corpus.mention_start.tolist()] == [
        *("1", "4.1", "1", "3", "1"),
    ]
    assert [shown(code) for code in corpus.mention_end.tolist()] == [
        *("3", "4.1", "1", "4", "1"),
    ]
    assert words.head.tolist() == corpus.mention_start.tolist()
    assert words.is_zero.tolist() == [False, True, False, False, False]
    assert words.head_upos.tolist() == [packed_text("NOUN")] * 5
    assert words.by_document
    assert corpus.mention_line.tolist() == [6, 10, 4, 9, 12]
    assert corpus.notes == ()


def test_sentences_have_ids_and_words_without_zeros_but_with_multiword_tokens() -> None:
    corpus = read(NESTED)
    sentences = words_of(corpus).sentences
    assert [sentences.identifier.text(row) for row in range(3)] == ["s1", "s2", ""]
    assert [sentences.word.text(row) for row in range(6)] == [
        *("w1", "w2", "w3", "w1", "w1-2", "w1"),
    ]
    assert sentences.word_count.tolist() == [3, 1, 2]
    assert sentences.word_line.tolist() == [4, 5, 6, 9, 12, 13]
    assert sentences.line.tolist() == [4, 9, 12]
    assert sentences.document.tolist() == [0, 0, 1]
    assert sentences.is_start.tolist() == [True, False, True]
    assert corpus.document_tokens is not None
    assert corpus.document_tokens.tolist() == [4, 2]
    assert corpus.document_line.tolist() == [2, 11]


def test_a_minimum_is_one_word_or_a_range_or_missing() -> None:
    assert minimums(read(NESTED)) == ["2", "", "", "3,4", ""]


@pytest.mark.parametrize(
    "change",
    [
        lambda text: text.replace("\n", "\r\n"),
        lambda text: "\N{ZERO WIDTH NO-BREAK SPACE}" + text,
        lambda text: text.rstrip("\n"),
        lambda text: text.replace("\n\n", "\n\n \t\n\n"),
        lambda text: text.removeprefix(HEADER),
        lambda text: text.replace(HEADER, HEADER.lower().replace(" = ", "=")),
        lambda text: text.replace("\n# newdoc", "\n" + HEADER + "# newdoc"),
        lambda text: text.replace("\t", " "),
        lambda text: re.sub("(?m)^([^#].*)", r" \1 ", text.replace("\t", "   ")),
        lambda text: text.replace("\t_\t_\n", "\n").removeprefix(HEADER),
        lambda text: text.replace("EntityID", "X=|EntityID").replace("|Min", "|Y|Min"),
        lambda text: re.sub(r"(EntityID=\w+)\|(MarkableID=\w+)", r"\2|\1", text),
        lambda text: text.replace("\t)\t", "\t )\t").replace("\t_\t", "\t\t"),
    ],
    ids=[
        "CRLF",
        "BOM",
        "no last line break",
        "more blank lines",
        "no header",
        "header in small letters",
        "header in each document",
        "blanks",
        "many blanks",
        "thirteen columns",
        "other keys",
        "another order of keys",
        "blanks and nothing in cells",
    ],
)
def test_layout_does_not_matter(change: Callable[[str], str]) -> None:
    expected, changed = read(NESTED), read(change(NESTED))
    assert mentions(changed) == mentions(expected)
    assert minimums(changed) == minimums(expected)
    sentences = words_of(expected).sentences, words_of(changed).sentences
    assert sentences[0].word.data.tolist() == sentences[1].word.data.tolist()
    assert (
        sentences[0].identifier.data.tolist() == sentences[1].identifier.data.tolist()
    )


def test_columns_are_where_the_header_says() -> None:
    text = (
        "# global.columns = FORM IDENTITY ID DISCOURSE_DEIXIS UPOS\n"
        "# newdoc id = d\n"
        "Ada\t(EntityID=e1|MarkableID=m1)\t1\t(EntityID=e2|MarkableID=m2\tPROPN\n"
        "ran\t_\t2\t)\tVERB\n"
    )
    corpus = read(text)
    assert mentions(corpus) == {"d": {"e1": ["m1:1"]}}
    assert words_of(corpus).head_upos.tolist() == [packed_text("PROPN")]
    assert words_of(corpus).sentences.word.text(1) == "ran"
    assert mentions(read(text, deixis=True)) == {"d": {"e2": ["m2:1,2"]}}


def test_deixis_is_read_from_its_column_without_bridges() -> None:
    text = ua("@d", "1 (e1:m1) (MarkableID=m1|MentionAnchor=m1) (e2:m2)", "2 junk x _")
    with pytest.raises(FormatError, match="'junk' does not consist of brackets"):
        read(text)
    corpus = read(text, deixis=True)
    assert mentions(corpus) == {"d": {"e2": ["m2:1"]}}
    assert anaphora_of(corpus).anaphor.tolist() == []


def test_bare_and_named_closings_mean_the_same() -> None:
    bare = ua("@d", "1 (e1:m1(e2:m2", "2 ))", "3 (e1:m3", "4 )(e2:m4", "5 )")
    named = ua("@d", "1 (e1:m1(e2:m2", "2 m1)m2)", "3 (e1:m3", "4 m3)(e2:m4", "5 )")
    expected = {"d": {"e1": ["m1:1,2", "m3:3,4"], "e2": ["m2:1,2", "m4:4,5"]}}
    assert mentions(read(bare)) == mentions(read(named)) == expected


def test_markables_with_named_closings_may_cross() -> None:
    text = ua("@d", "1 (e1:m1", "2 (e2:m2", "3 m1)", "4 m2)")
    assert mentions(read(text)) == {"d": {"e1": ["m1:1,2,3"], "e2": ["m2:2,3,4"]}}


def test_a_markable_may_end_in_a_later_sentence() -> None:
    text = ua("@d", "1 (e1:m1", "2", "", "1 )")
    assert mentions(read(text)) == {"d": {"e1": ["m1:1,2,3"]}}


@pytest.mark.parametrize("closing", [")", "m1)"])
def test_closings_after_a_markable_of_one_word_are_read(closing: str) -> None:
    text = ua("@d", "1 (e1:m1", f"2 (e2:m2){closing}")
    assert mentions(read(text)) == {"d": {"e1": ["m1:1,2"], "e2": ["m2:2"]}}


def test_a_markable_that_is_opened_again_has_another_part() -> None:
    text = ua(
        *("@d", "1 (e1:m1|Min=1(e3:m9)", "2 )", "3", "4 (e1:m1|Min=4)", "5 (e2:m2"),
        *("6 (e2:m2", "7 )", "8 )"),
    )
    corpus = read(text)
    assert mentions(corpus) == {
        "d": {"e1": ["m1:1,2,4"], "e3": ["m9:1"], "e2": ["m2:5,6,7,8"]}
    }
    assert minimums(corpus) == ["1", "", ""]
    assert corpus.mention_line.tolist() == [6, 3, 10]


def test_the_last_part_decides_on_the_entity_and_this_is_noted() -> None:
    corpus = read(ua("@d", "1 (e1:m1)", "2 (e2:m2)", "3 (e2-Pseudo:m1)"))
    assert mentions(corpus) == {"d": {"e2": ["m1:1,3", "m2:2"]}}
    assert anaphora_of(corpus).is_referring.tolist() == [False]
    message = (
        "warning: 1 markable has parts with different entities; the last one was used "
        "(first: x.ua:5)."
    )
    assert corpus.notes == (Note("changed-entities", 1, message),)


def test_zeros_are_counted_after_their_word_whatever_their_decimals() -> None:
    text = ua(
        *("@d", "0.5 (e1:m1)", "0.7 (e1:m2)", "1 (e2:m3", "1.10 (e1:m4)", "2 )"),
        *("", "0.1 (e1:m5)", "1", "@e", "0.1 (e1:m1)"),
    )
    assert mentions(read(text)) == {
        "d": {"e1": ["m1:0.1", "m2:0.2", "m4:1.1", "m5:2.1"], "e2": ["m3:1,2"]},
        "e": {"e1": ["m1:0.1"]},
    }


def test_documents_without_a_name_are_named_by_their_number() -> None:
    text = ua("1 (e1:m1)", "# newdoc", "1 (e1:m1)", "@d", "@empty", "@e", "1")
    corpus = read(text)
    assert [name.name for name in corpus.documents] == [
        *("", "document 1", "d", "empty", "e"),
    ]
    assert corpus.document_line.tolist() == [2, 3, 5, 6, 7]
    assert corpus.document_tokens is not None
    assert corpus.document_tokens.tolist() == [1, 1, 0, 0, 1]
    assert words_of(corpus).sentences.document.tolist() == [0, 1, 4]
    assert words_of(corpus).sentences.is_start.tolist() == [False, True, True]


def test_the_first_markable_decides_whether_an_entity_refers() -> None:
    corpus = read(ua("@d", "1 (e1-Pseudo:m1)(e2:m2)", "2 (e1:m3)(e2-Pseudo:m4)"))
    assert corpus.entity_label == ("e1", "e2")
    assert anaphora_of(corpus).is_referring.tolist() == [False, True]


@pytest.mark.parametrize("key", ["ElementOf", "Element-of", "ELEMENT_OF", "elementof"])
def test_elements_name_their_plurals(key: str) -> None:
    text = ua(
        *("@d", f"1 (e1:m1|{key}=g1,g2)", f"2 (e2:m2|{key}=g1)", f"3 (e1:m3|{key}=g1)"),
        *("4 (g1:m4)", "5 (g2:m5)"),
    )
    anaphora = anaphora_of(read(text))
    pairs = list(zip(anaphora.plural.tolist(), anaphora.element.tolist(), strict=True))
    assert pairs == [(2, 0), (3, 0), (2, 1)]


def test_a_plural_without_a_markable_is_noted() -> None:
    text = ua("@d", "1 (e1:m1|ElementOf=g1,g2)", "@e", "1 (g1:m1)")
    corpus = read(text)
    assert anaphora_of(corpus).plural.tolist() == []
    message = (
        "warning: 2 split antecedents were skipped, because their entities have no "
        "mention (first: x.ua:3)."
    )
    assert corpus.notes == (Note("unknown-plurals", 2, message),)


def test_bridges_are_pairs_of_mentions_and_the_last_anchor_counts() -> None:
    text = ua(
        *("@d", "1 (e1:m1)", "2 (e2:m2 (MarkableID=m2|Rel=part|MentionAnchor=m3"),
        "3 )(e1:m3) )(MarkableID=m3|MentionAnchor=m1)(MarkableID=m2|MentionAnchor=m1)",
    )
    corpus = read(text)
    anaphora = anaphora_of(corpus)
    assert anaphora.markable == ("m1", "m3", "m2")
    assert anaphora.anaphor.tolist() == [2, 1]
    assert anaphora.antecedent.tolist() == [0, 0]
    assert anaphora.relation == ("", "")
    assert corpus.notes == ()


def test_bridges_to_no_markable_are_noted() -> None:
    text = ua(
        *("@d", "1 (e1:m1) (MarkableID=m1|Rel=x|MentionAnchor=m9)", "2 (e1:m2) )"),
        *("3 (e1:m3) (MarkableID=m3|EntityAnchor=e1)", "4 (e1:m4) (MentionAnchor=m1)"),
        "5 (e1:m5) (MarkableID=m5|Rel=set|MentionAnchor=m1)",
    )
    corpus = read(text)
    anaphora = anaphora_of(corpus)
    assert (anaphora.anaphor.tolist(), anaphora.relation) == ([4], ("set",))
    message = (
        "warning: 3 bridging relations were skipped, because one of their markables "
        "does not exist (first: x.ua:3)."
    )
    assert corpus.notes == (Note("unknown-anchors", 3, message),)


def test_a_file_without_markables_has_no_mentions() -> None:
    corpus = read(ua("@d", "1", "2"))
    assert mentions(corpus) == {"d": {}}
    assert words_of(corpus).start.tolist() == [0]
    assert minimums(corpus) == [""]


def test_blocks_do_not_show(monkeypatch: pytest.MonkeyPatch) -> None:
    expected = read(NESTED)
    for size in (1, 40, 100, 300):
        monkeypatch.setattr(conllu, "_BLOCK", size)
        corpus = read(NESTED)
        assert mentions(corpus) == mentions(expected)
        for name in ("mention_line", "document_line", "document_tokens"):
            assert getattr(corpus, name).tolist() == getattr(expected, name).tolist()
        ours, theirs = words_of(corpus).sentences, words_of(expected).sentences
        assert ours.word.data.tolist() == theirs.word.data.tolist()
        assert ours.line.tolist() == theirs.line.tolist()
        assert ours.identifier.length.tolist() == theirs.identifier.length.tolist()


def test_it_is_detected_and_read_by_name() -> None:
    data = NESTED.encode()
    assert reading.detect(data) == catalogue.UNIVERSAL_ANAPHORA
    corpus = reading.read_data(data, source="x.ua", role="key")
    assert mentions(corpus) == mentions(read(NESTED))
