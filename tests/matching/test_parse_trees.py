"""MINA: every clause of the rule, and what is refused."""

from __future__ import annotations

import json
import re

import pytest

from scoref import FormatError, OptionError, Scheme
from scoref.formats.reading import read_data
from scoref.matching.parse_trees import Trees, minimum_span
from scoref.matching.spans import match_spans
from scoref.schemes import SCHEMES
from scoref.scoring import pipeline
from support import treebank

MINA = Scheme(match="mina")

BARKED = (
    "(TOP (S (NP (NP (DT the) (JJ big) (NN dog)) (SBAR (WHNP (WDT that)) "
    "(S (VP (VBD barked))))) (VP (VBD ran) (PP (IN to) (NP (DT the) (NN man))))))"
)


def _minimum(tree: str, mention: str) -> str:
    """Find the minimum span of a mention, given as words of the tree."""
    words = [word for word, _, _ in treebank.rows(tree)]
    wanted = mention.split()
    places = [at for at in range(len(words)) if words[at : at + len(wanted)] == wanted]
    trees = Trees(treebank.key(treebank.document(tree)), wanted_for="match mina")
    found = minimum_span(trees, 0, places[0], places[0] + len(wanted) - 1)
    return " ".join(words[at] for at in found)


def _whole(tree: str) -> str:
    """Find the minimum span of a phrase among other words of a sentence."""
    mention = " ".join(word for word, _, _ in treebank.rows(tree))
    return _minimum(f"(TOP (S (UH oh) {tree} (. !)))", mention)


def _common(key: str, response: str, scheme: Scheme = MINA) -> tuple[int, int, int]:
    """Count the mentions of both sides, of the key and of the response."""
    sides = (
        treebank.key(key, scheme.reading),
        treebank.response(response, scheme.reading),
    )
    matched = match_spans(*sides, scheme)
    mentions = [set(side.mention.tolist()) for side in (matched.key, matched.response)]
    return len(mentions[0] & mentions[1]), *map(len, mentions)  # type: ignore[return-value]


# The rule
@pytest.mark.parametrize(
    ("tree", "words"),
    [
        ("(NP (DT the) (JJ big) (NN dog))", "big dog"),
        ("(NP (DT the) (NN dog) (PP (IN of) (NP (NN war))))", "dog"),
        ("(NP-SBJ (DT the) (NN dog))", "dog"),
    ],
)
def test_words_directly_under_a_noun_phrase_are_its_minimum(
    tree: str, words: str
) -> None:
    assert _whole(tree) == words


def test_words_directly_under_a_verb_phrase_are_its_minimum() -> None:
    assert _whole("(VP (VBD saw) (NP (DT the) (NN dog)))") == "saw"


def test_a_verb_phrase_is_entered_by_way_of_verb_phrases_only() -> None:
    tree = "(VP (VP (VBD ran) (NP (NN home))) (CC and) (VP (ADVP (RB then)) (VBD ate)))"
    assert _whole(tree) == "ran ate"


def test_a_noun_phrase_is_entered_by_way_of_noun_phrases_only() -> None:
    tree = "(NP (SBAR (S (NP (NN war)))) (NP (DT the) (NN dog)) (VP (VBN lost)))"
    assert _whole(tree) == "dog"


@pytest.mark.parametrize("tag", ["NP", "NML", "NM", "QP", "NX"])
def test_these_phrases_are_admissible_under_a_noun_phrase(tag: str) -> None:
    assert _whole(f"(NP (DT the) ({tag} (CD five) (DT all)) (PP (IN up)))") == "five"


@pytest.mark.parametrize("tag", ["ADJP", "PP", "SBAR", "VP", "NAC"])
def test_other_phrases_are_not_admissible_under_a_noun_phrase(tag: str) -> None:
    assert _whole(f"(NP (DT the) ({tag} (JJ poor)))") == "the poor"


def test_each_noun_phrase_of_a_coordination_gives_its_nearest_words() -> None:
    tree = (
        "(NP (NP (DT the) (NNS cats)) (CC and) "
        "(NP (NP (DT the) (NNS dogs)) (PP (IN of) (NP (NN war)))))"
    )
    assert _whole(tree) == "cats dogs"


def test_inside_one_noun_phrase_only_the_shallowest_depth_counts() -> None:
    tree = "(NP (NP (NP (NNP Ada)) (NP (NP (NNP Bob)) (PP (IN of) (NP (NNP Ur))))))"
    assert _whole(tree) == "Ada"


def test_the_children_of_another_phrase_say_that_it_is_nominal() -> None:
    assert _whole("(PP (IN in) (VP (VBG being)) (NP (DT the) (NN war)))") == "war"


def test_the_children_of_another_phrase_say_that_it_is_verbal() -> None:
    assert _whole("(SBAR (IN that) (QP (CD five)) (VP (VBD ran)))") == "ran"


def test_without_a_sign_another_phrase_is_nominal() -> None:
    assert _whole("(FRAG (DT the) (QP (CD five)) (ADVP (RB now)))") == "five"


def test_without_an_admissible_child_the_first_noun_or_verb_phrase_decides() -> None:
    nominal = "(SBAR (IN that) (S (NP (DT the) (NN dog)) (VP (VBD ran))))"
    verbal = "(SBAR (IN that) (S (VP (VBD ran)) (NP (DT the) (NN dog))))"
    assert (_whole(nominal), _whole(verbal)) == ("dog", "ran")


def test_the_mention_is_its_own_minimum_if_nothing_qualifies() -> None:
    assert _whole("(NP (DT all) (DT these))") == "all these"
    assert _whole("(NP (NP (DT all)) (CC and) (NP (DT both)))") == "all and both"


@pytest.mark.parametrize(
    ("tag", "word"),
    [
        ("CC", "plus"),
        ("DT", "the"),
        ("IN", "of"),
        (",", ","),
        ("``", "``"),
        ("$", "$"),
        ("NN", "—"),
        ("NN", "。"),
        ("-LRB-", "-LRB-"),
        ("NN", "-rrb-"),
        ("NN", "-LSB-"),
        ("NN", "-RCB-"),
    ],
)
def test_these_words_do_not_qualify(tag: str, word: str) -> None:
    assert _whole(f"(NP ({tag} {word}) (NN dog))") == "dog"


@pytest.mark.parametrize(
    ("tag", "word"),
    [
        ("NN", "%"),
        ("CD", "5"),
        ("NN", "x-1"),
        ("NN", "狗"),
        ("NN", "é"),
        ("PRP$", "his"),
        ("WDT", "which"),
        ("TO", "to"),
        ("PDT", "all"),
    ],
)
def test_these_words_qualify(tag: str, word: str) -> None:
    assert _whole(f"(NP ({tag} {word}) (NN dog))") == f"{word} dog"


# Mentions that are no phrase
@pytest.mark.parametrize(
    ("mention", "minimum"),
    [
        ("the big dog that barked", "big dog"),
        ("the big dog", "big dog"),
        ("the big", "big"),
        ("big dog", "big dog"),
        ("dog that barked", "dog"),
        ("the big dog that", "big dog"),
        ("the big dog that barked ran", "big dog"),
        ("the", "the"),
        ("barked ran", "ran"),
        ("ran to the", "ran"),
        ("to the", "to the"),
        ("to the man", "man"),
        ("the big dog that barked ran to the man", "big dog"),
    ],
)
def test_the_tree_of_a_mention_is_made_of_the_pieces_of_its_words(
    mention: str, minimum: str
) -> None:
    assert _minimum(BARKED, mention) == minimum


def test_a_wrong_attachment_does_not_hide_the_noun_phrase() -> None:
    tree = "(S (VP (VBD saw) (NP (DT the) (NN man)) (PP (IN with) (NP (NNP Ada)))))"
    assert _minimum(tree, "the man with Ada") == "man"


# Matching
def test_a_shorter_mention_of_the_same_dog_is_the_same_mention() -> None:
    key = treebank.document(BARKED, cells="(1 - - - 1) - - (1 1)")
    response = treebank.document(BARKED, cells="(1 - 1) - - - - (1 1)")
    assert _common(key, response) == (2, 2, 2)
    assert _common(key, response, Scheme()) == (1, 2, 2)


def test_the_tree_of_the_key_is_that_of_the_response_too() -> None:
    key = treebank.document(BARKED, cells="(1 - - - 1) (1)")
    flat = f"(X {' '.join(f'(X {word})' for word, _, _ in treebank.rows(BARKED))})"
    response = treebank.document(flat, cells="(1 - 1) - - (1)")
    assert _common(key, response) == (2, 2, 2)


def test_a_response_needs_no_parse() -> None:
    key = treebank.document(BARKED, cells="(1 - - - 1) (1)")
    cells = "(1 - 1) - - (1) - - -"
    response = "#begin document (d); part 000\nw " + cells.replace(" ", "\nw ")
    assert _common(key, response) == (2, 2, 2)


def test_a_response_may_be_json_lines() -> None:
    key = treebank.document(BARKED, cells="(1 - - - 1) (1)")
    record = {"doc_key": "d_0", "clusters": [[[0, 2], [5, 5]]]}
    response = read_data(json.dumps(record).encode(), source="x", role="response")
    matched = match_spans(treebank.key(key), response, MINA)
    assert matched.key.mention.tolist() == matched.response.mention.tolist()


def test_equal_words_of_another_sentence_or_document_do_not_match() -> None:
    other = "(e); part 000"
    tom = "(TOP (NP (DT the) (NN cat)))"
    nothing = treebank.document(tom, tom)
    first = treebank.document(tom, tom, cells="(1 1)")
    second = treebank.document(tom, tom, cells="- (2) (1 1)")
    elsewhere = first.replace("(d); part 000", other)
    empty = nothing.replace("(d); part 000", other)
    assert _common(first, second) == (1, 1, 2)
    assert _common(first + empty, nothing + elsewhere) == (0, 1, 1)


def test_a_mention_that_crosses_sentences_matches_itself_only() -> None:
    tom = "(TOP (NP (DT the) (NN cat)))"
    crossing = treebank.document(tom, tom, cells="(1 - 1)")
    shorter = treebank.document(tom, tom, cells="- (1 1)")
    assert _common(crossing, crossing) == (1, 1, 1)
    assert _common(crossing, shorter) == (0, 1, 1)


def test_a_mention_outside_the_text_of_the_key_matches_nothing() -> None:
    tom = "(TOP (NP (DT the) (NN cat)))"
    key = treebank.document(tom, cells="(1 1)")
    response = treebank.document(tom, tom, cells="- (1 1)|(2 2)")
    assert _common(key, response, Scheme(match="mina", reading="lenient")) == (0, 1, 2)


def test_a_huge_span_costs_nothing() -> None:
    key = treebank.document(BARKED, cells="(1 - - - 1) (1)")
    record = {"doc_key": "d_0", "clusters": [[[0, 2**40], [5, 5]]]}
    response = read_data(json.dumps(record).encode(), source="x", role="response")
    matched = match_spans(treebank.key(key), response, MINA)
    assert matched.mention_count == 3


def test_a_document_that_the_key_lacks_has_mentions_all_the_same() -> None:
    key = treebank.document(BARKED, cells="(1 - - - 1) (1)")
    other = treebank.document(BARKED, cells="(1 - 1)", name="(e); part 000")
    scheme = Scheme(match="mina", missing="empty")
    assert _common(key, key + other, scheme) == (2, 2, 3)
    assert _common(key, key + other, Scheme(match="mina", missing="key")) == (2, 2, 2)


def test_mentions_that_become_equal_are_duplicates() -> None:
    key = treebank.document(BARKED, cells="(1 - - - 1) (1)")
    response = treebank.document(BARKED, cells="(1|(2 - 2) - 1) (1) - (2 2)")
    sides = treebank.key(key), treebank.response(response)
    matched = match_spans(*sides, Scheme(match="mina", duplicates="first"))
    notes = matched.notes
    assert matched.response.size.tolist() == [2, 1]
    assert [(note.kind, note.count) for note in notes] == [
        ("duplicates-in-response", 1)
    ]


def test_the_reference_reading_matches_minimum_spans_too() -> None:
    scheme = Scheme(match="mina", reading="reference", missing="key")
    assert scheme.reading == SCHEMES["conll-2012"].reading
    key = treebank.document(BARKED, cells="(1 - - - 1) (1)")
    response = treebank.document(BARKED, cells="(1 - 1) - - (1)")
    assert _common(key, response, scheme) == (2, 2, 2)


def test_scores_come_out_at_the_end() -> None:
    key = treebank.key(treebank.document(BARKED, cells="(1 - - - 1) - - (1 1)"))
    response = treebank.response(
        treebank.document(BARKED, cells="(1 - 1) - - - - (1 1)")
    )
    result = pipeline.score_corpora(key, response, MINA, ("muc", "bcub"))
    assert [score.f1 for score in result.scores.values()] == [1, 1]
    assert "|match:mina|" in result.signature


# What is refused
def _refusal(key: str, response: str | None = None, scheme: Scheme = MINA) -> str:
    sides = treebank.key(key), treebank.response(response or key)
    with pytest.raises(FormatError) as caught:
        match_spans(*sides, scheme)
    return str(caught.value)


def _with_pieces(*pieces: str, cells: str = "(1 1) -") -> str:
    column = zip(pieces, cells.split(), strict=True)
    text = "".join(f"d 0 0 w NN {piece} - {cell}\n" for piece, cell in column)
    return f"#begin document (d); part 000\n{text}#end document\n"


@pytest.mark.parametrize("nothing", ["-", "*", "_"])
def test_a_key_without_parses_is_refused(nothing: str) -> None:
    assert _refusal(_with_pieces(nothing, nothing, nothing)) == (
        "key.conll:2: there is no parse in column 6\n"
        "  hint: match=mina (--match mina) needs the parses of the key: column 6, such "
        "as '(NP*', in each sentence that has a mention."
    )


def test_the_hint_says_what_the_parses_are_for() -> None:
    scheme = Scheme(phrases="no-vp")
    assert (
        "hint: phrases=no-vp (--phrases no-vp) needs the parses of the key"
        in _refusal(_with_pieces("*", "*", "*"), scheme=scheme)
    )


def test_a_file_of_few_columns_has_no_parses() -> None:
    key = "#begin document (d); part 000\nd 0 0 Tom NNP (1)\n#end document\n"
    assert "key.conll:2: there is no parse in column 6" in _refusal(key)


def test_a_short_row_is_refused() -> None:
    key = _with_pieces("(NP*", "*", "*)").replace("d 0 0 w NN * - 1)", "d w 1)")
    assert "key.conll:3: this row is too short to have a parse" in _refusal(key)


@pytest.mark.parametrize("piece", ["-", "NP", "(NP", "*(NP", "(*)", "**", "(NP*)x"])
def test_what_is_no_piece_is_refused(piece: str) -> None:
    found = _refusal(_with_pieces("(NP*", piece, "*)"))
    assert f"key.conll:3: '{piece}' in column 6 is not part of a parse" in found


def test_a_phrase_that_was_never_opened_is_refused() -> None:
    found = _refusal(_with_pieces("(NP*", "*))", "(NP*"))
    assert "key.conll:3: the parse closes a phrase here that it never opened" in found


def test_a_phrase_that_stays_open_is_refused() -> None:
    found = _refusal(_with_pieces("(S(NP*", "(NP*", "*)"))
    assert "key.conll:2: the parse of the sentence that starts here leaves " in found
    assert "leaves 2 phrases open" in found
    assert "leaves a phrase open" in _refusal(_with_pieces("(NP*", "*", "*"))


def test_a_sentence_without_mentions_may_lack_its_parse() -> None:
    tom = "(TOP (NP (DT the) (NN cat)))"
    key = treebank.document(tom, "(X (NN x) (NN y))", cells="(1 1)").replace("(X*", "*")
    response = treebank.document(tom, tom, cells="- - (1) (1)")
    assert _common(key, key) == (1, 1, 1)
    assert "key.conll:6: " in _refusal(key, response)


@pytest.mark.parametrize(
    ("scheme", "message"),
    [
        (MINA, "match=mina (--match mina) needs a key in CoNLL-2012 with parses"),
        (
            Scheme(phrases="no-vp"),
            "phrases=no-vp (--phrases no-vp) needs a key in CoNLL-2012 with parses",
        ),
    ],
)
def test_a_key_of_another_format_is_refused(scheme: Scheme, message: str) -> None:
    record = json.dumps({"doc_key": "d", "clusters": [[[0, 2]]]}).encode()
    key = read_data(record, source="x", role="key", layer="parses")
    with pytest.raises(OptionError, match=re.escape(message)):
        match_spans(key, key, scheme)
