"""Minimum spans as coval finds them: units, places, matching, and what is noted."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

import pytest

from scoref import FormatError, OptionError, Scheme
from scoref.formats.reading import read_data
from scoref.matching.minimum_spans import shape_of, token_of
from scoref.matching.spans import match_spans
from scoref.schemes import resolve
from scoref.scoring import pipeline
from support import treebank

if TYPE_CHECKING:
    from scoref.model import Corpus

MIN = resolve(None, match="min")


def _scheme(name: str | None = None, **choices: str) -> Scheme:
    return resolve(name, lenient=False, format=None, **choices)


CAT = "the/DT/(TOP(S(NP* old/JJ/* cat/NN/*) sat/VBD/(VP* there/RB/(NP*))))"
KING = "a/DT/(TOP(S(NP* king/NN/* of/IN/(PP* Ur/NNP/(NP*))) slept/VBD/(VP*)))"
TWO = (
    "Ada/NNP/(TOP(S(NP(NP*) and/CC/* the/DT/(NP* cook/NN/*) ,/,/* both/DT/(NP* "
    "of/IN/(PP* them/PRP/(NP*)))) ate/VBD/(VP*)))"
)
PAID = (
    "U.K./NNP/(TOP(S(NP* Dr./NNP/(NP* Lee/NNP/*)) paid/VBD/(VP* ,/,/* now/RB/(ADVP*) "
    "%/NN/*)))"
)
TO_EAT = "to/TO/(TOP(S(VP* eat/VB/(VP*)) is/VBZ/(VP* quite/RB/(ADJP* nice/JJ/*))))"
NONE = (
    "both/DT/(TOP(FRAG(ADVP* of/IN/(PP* them/PRP/(NP*))) ,/,/* quite/RB/(ADJP* "
    "nice/JJ/*)))"
)


def _tokens(sentence: str) -> list[tuple[str, str, str]]:
    """Read words, tags and pieces; a word may be a comma."""
    rows = (token.rsplit("/", 2) for token in sentence.split())
    return [(word, tag, piece) for word, tag, piece in rows]


def _minimum(sentence: str, mention: str) -> str:
    """Write the minimum span of a mention, each unit with its place."""
    rows = _tokens(sentence)
    words, wanted = [word for word, *_ in rows], mention.split()
    (first, *_) = (
        at for at in range(len(words)) if words[at : at + len(wanted)] == wanted
    )
    tokens = [
        token_of(piece.encode(), word.encode(), tag.encode())
        for word, tag, piece in rows[first : first + len(wanted)]
    ]
    shape = shape_of(tokens)
    assert shape is not None
    return " ".join(
        f"{'_'.join(wanted[word] for word in unit.words)}@{first + unit.place}"
        for unit in shape.units
    )


@pytest.mark.parametrize(
    ("sentence", "mention", "minimum"),
    [
        (CAT, "the old cat", "the_old_cat@2"),
        (CAT, "old cat", "old_cat@2"),
        (CAT, "the old cat sat", "the_old_cat@2"),
        (CAT, "cat sat", "cat@2"),
        (CAT, "sat", "sat@3"),
        (CAT, "sat there", "sat@4"),
        (KING, "a king", "a_king@1"),
        (KING, "a king of Ur", "a_king@2"),
        (KING, "king of Ur slept", "king@2"),
        (KING, "of Ur", "Ur@3"),
        (PAID, "U.K. Dr. Lee", "Dr._Lee@2"),
        (PAID, "paid , now %", "paid_,@5 %@6"),
        (TWO, "Ada and the cook , both of them", "Ada@0 the_cook@3"),
        (TWO, "Ada and the cook , both of them ate", "Ada@0 the_cook@3"),
        (TWO, "and the cook", "the_cook@3"),
        (TWO, "and", ""),
        (TWO, "both of them", ""),
        (TO_EAT, "to eat", "to@1"),
        (TO_EAT, "to eat is quite nice", "to@1 is@3"),
        (TO_EAT, "quite nice", "quite_nice@4"),
        (NONE, "both of them", "them@2"),
    ],
)
def test_words_that_no_bracket_parts_are_one_unit(
    sentence: str, mention: str, minimum: str
) -> None:
    assert _minimum(sentence, mention) == minimum


@pytest.mark.parametrize("label", ["NP", "NML", "QP", "NX", "NP-SBJ"])
def test_these_phrases_are_admissible_under_a_noun_phrase(label: str) -> None:
    sentence = f"all/DT/(NP* five/CD/({label}* up/IN/(PP*))"
    assert _minimum(sentence, "all five up") == "five@2"


@pytest.mark.parametrize("label", ["ADJP", "PP", "VP", "WHNP"])
def test_other_phrases_are_not(label: str) -> None:
    assert _minimum(f"all/DT/(NP* five/CD/({label}*))", "all five") == ""


def test_a_phrase_that_stays_open_is_closed_and_one_too_many_is_not() -> None:
    assert _minimum("the/DT/(S(NP* cat/NN/*", "the cat") == "the_cat@1"
    assert (
        _minimum("the/DT/(NP* cat/NN/*)))) sat/VBD/(VP*)", "the cat sat") == "the_cat@1"
    )


def test_labels_of_words_are_labels() -> None:
    # A bare word is the root, and its text the label.
    assert shape_of([token_of(b"*", b"VP", b"NN")]) is not None
    assert [
        shape.is_verbal
        for word in (b"VP", b"VPs", b"NP")
        if (shape := shape_of([token_of(b"*", word, b"NN")]))
    ] == [True, False, False]


def test_without_a_star_or_a_bracket_there_is_no_tree() -> None:
    assert (
        shape_of([token_of(b"-", b"cat", b"NN"), token_of(b"_", b"s", b"NN")]) is None
    )


def test_a_parse_of_many_thousand_phrases_is_read() -> None:
    shape = shape_of([token_of(b"(NP" * 20_000 + b"*" + b")" * 20_000, b"x", b"NN")])
    assert shape is not None
    assert len(shape.units) == 1


# Matching


def _document(sentences: str, cells: str, *, columns: int = 12) -> str:
    """Write sentences, parted by bars, with brackets."""
    column = iter(cells.split())
    text = ""
    for sentence in sentences.split(" | "):
        for word, tag, piece in _tokens(sentence):
            row = ["d", "0", "0", word, tag, piece, *["-"] * 5]
            text += "\t".join((*row[: columns - 1], next(column))) + "\n"
        text += "\n"
    return f"#begin document (d); part 000\n{text}#end document\n"


def _sides(sentences: str, key: str, response: str) -> tuple[Corpus, Corpus]:
    return (
        treebank.key(_document(sentences, key)),
        treebank.response(_document(sentences, response)),
    )


def _scored(sides: tuple[Corpus, Corpus], **choices: str) -> dict[str, list[float]]:
    """Give recall and precision in percent."""
    scheme = _scheme(**choices)
    metrics = ("mentions", "muc", "bcub", "ceafe", "blanc", "lea")
    scores = pipeline.score_corpora(*sides, scheme, metrics).scores
    return {
        name: [round(100 * (figure or 0), 2) for figure in score[:2]]
        for name, score in scores.items()
    }


def _common(sides: tuple[Corpus, Corpus], scheme: Scheme = MIN) -> tuple[int, int, int]:
    matched = match_spans(*sides, scheme)
    mentions = [set(side.mention.tolist()) for side in (matched.key, matched.response)]
    return len(mentions[0] & mentions[1]), len(mentions[0]), len(mentions[1])


def test_equal_mentions_of_one_side_are_looked_up_in_the_last_entity() -> None:
    # 'Ada … them' and 'Ada and the cook' are equal; the latter is complete first.
    key, response = "(1 - - - - - - 1) (1)", "(1|(2 - - 2) - - - 1) (2)"
    assert _scored(_sides(TWO, key, response), match="min") == {
        "mentions": [100, 100],
        "muc": [0, 100],
        "bcub": [50, 100],
        "ceafe": [100, 50],
        "blanc": [0, 0],
        "lea": [0, 66.67],
    }


THAT = "that/DT/(TOP(S(NP*) saw/VBD/(VP* that/DT/(NP*))))"


def test_a_mention_without_a_word_that_counts_is_its_words_wherever_they_stand() -> (
    None
):
    sides = _sides(THAT, "(1) (2) (2)", "(1) (1) (2)")
    expected = {
        "mentions": [100, 100],
        "muc": [0, 100],
        "bcub": [66.67, 100],
        "ceafe": [100, 100],
        "lea": [33.33, 66.67],
    }
    found = _scored(sides, match="min")
    assert {name: found[name] for name in expected} == expected
    assert _scored(sides)["muc"] == [0, 0]


def test_it_is_its_words_as_its_own_file_has_them() -> None:
    key = treebank.key(_document(THAT, "(1) - (1)"))
    for word, common in (("that", 1), ("That", 0)):
        other = _document(THAT.replace("that/DT", f"{word}/DT"), "(1) - (1)")
        assert _common((key, treebank.response(other))) == (common, 1, 1)


@pytest.mark.parametrize("columns", [2, 4, 5])
def test_a_response_without_words_has_those_of_the_key(columns: int) -> None:
    key = treebank.key(_document(THAT, "(1) - (1)"))
    response = _document(THAT, "(1) - (1)", columns=columns)
    assert _common((key, treebank.response(response))) == (1, 1, 1)


def test_a_response_may_be_json_lines() -> None:
    key = treebank.key(_document(CAT, "(1 - 1) (1) -"))
    record = {"doc_key": "d_0", "clusters": [[[0, 3], [3, 3]]]}
    response = read_data(json.dumps(record).encode(), source="x", role="response")
    assert _common((key, response)) == (2, 2, 2)


def test_equal_units_of_another_sentence_do_not_match() -> None:
    sides = _sides(f"{CAT} | {CAT}", "(1 - 1) - - - - - - -", "- - - - - (1 - 1) - -")
    assert _common(sides) == (0, 1, 1)


def test_units_are_told_apart_by_text_and_place_and_not_by_their_words() -> None:
    # The first 'dog' stands before a phrase that opens, at the place of the second.
    dogs = "dog/NN/(TOP(S(NP* dog/NN/(NP*)) ran/VBD/(VP*)))"
    assert _common(_sides(dogs, "(1 1) -", "- (1) -")) == (1, 1, 1)


def test_a_mention_that_crosses_sentences_is_taken_to_be_in_the_last() -> None:
    # From 'old' to the second 'cat' is 'old cat' there.
    sentences = f"{CAT} | {CAT}"
    crossing, inside = "- (1 - - - - - 1) - -", "- - - - - - (1 1) - -"
    assert _common(_sides(sentences, crossing, inside)) == (1, 1, 1)
    backwards = "- - - (1 - - 1) - - -"
    assert _common(_sides(sentences, backwards, backwards)) == (1, 1, 1)


def test_singletons_go_before_anything_else_and_never_again() -> None:
    # 'sat' and 'sat there' are two mentions when singletons are looked for.
    sides = _sides(CAT, "(1 - 1) (2) (1)", "- - - (1|(1) 1)")
    scheme = resolve(None, nested="drop", match="min", singletons="drop")
    matched = match_spans(*sides, scheme)
    assert (matched.key.size.tolist(), matched.response.size.tolist()) == ([2], [])


def test_duplicates_may_be_settled_otherwise() -> None:
    sides = _sides(TWO, "(1 - - - - - - 1) (1)", "(1|(2 - - 2) - - - 1) (2)")
    matched = match_spans(*sides, Scheme(match="min", duplicates="first"))
    notes = matched.notes
    assert matched.response.size.tolist() == [1, 1]
    assert [(note.kind, note.count) for note in notes] == [
        ("duplicates-in-response", 1)
    ]


def test_coval_rules_for_duplicates_come_with_its_choices() -> None:
    for choice in ({"match": "min"}, {"phrases": "np"}, {"nested": "drop"}):
        assert _scheme(**choice).duplicates == "coval"
        assert _scheme(**choice, duplicates="first").duplicates == "first"
        assert _scheme("conll-2012", **choice).duplicates == "reference"
    for choice in ({"match": "mina"}, {"phrases": "no-vp"}, {"nested": "outermost"}):
        assert _scheme(**choice).duplicates == "reference"


def test_what_was_done_shows_in_the_signature() -> None:
    sides = _sides(CAT, "(1 - 1) (1) -", "(1 - 1) (1) -")
    scheme = resolve(None, match="min", phrases="np", nested="drop")
    result = pipeline.score_corpora(*sides, scheme, ("muc",))
    assert "|match:min|singletons:keep|phrases:np|nested:drop|duplicates:coval|" in (
        result.signature
    )


# What is noted, and what is refused


def test_an_unsound_parse_is_read_as_far_as_it_goes_and_noted() -> None:
    broken = CAT.replace("cat/NN/*)", "cat/NN/*))))))")
    sides = _sides(
        f"{broken} | {CAT}", "(1 - 1) - - (1 - 1) - -", "- - - - - - - - - -"
    )
    notes = match_spans(*sides, MIN).notes
    (note,) = notes
    assert note.kind == "unsound-parses"
    assert note.message == (
        "warning: 1 sentence with mentions has a missing or broken parse in the key "
        "(first: key.conll:4: the parse closes a phrase here that it never opened). "
        "The readable part was used, as in coval."
    )


def test_mentions_of_a_sentence_without_a_parse_match_by_their_ends() -> None:
    without = "the/DT/- cat/NN/- sat/VBD/-"
    sentences = f"{without} | {CAT}"
    sides = _sides(sentences, "(1 1) - (1 - 1) - -", "(1 - 1) (1 - - 1) -")
    assert _common(sides) == (1, 2, 2)
    notes = match_spans(*sides, MIN).notes
    assert "there is no parse in column 6" in notes[0].message


@pytest.mark.parametrize("choice", [{"match": "min"}, {"phrases": "np"}])
def test_a_key_without_any_parse_is_refused(choice: dict[str, str]) -> None:
    sides = _sides("the/DT/- cat/NN/-", "(1 1)", "(1 1)")
    ((name, value),) = choice.items()
    with pytest.raises(FormatError) as caught:
        match_spans(*sides, _scheme(**choice))
    assert str(caught.value) == (
        "key.conll:2: there is no parse in column 6\n"
        f"  hint: {name}={value} (--{name} {value}) needs the parses of the key: "
        "column 6, such as '(NP*', in each sentence that has a mention."
    )


@pytest.mark.parametrize("choice", [{"match": "min"}, {"phrases": "np"}])
def test_a_key_of_another_format_is_refused(choice: dict[str, str]) -> None:
    record = json.dumps({"doc_key": "d", "clusters": [[[0, 2]]]}).encode()
    key = read_data(record, source="x", role="key", layer="parses")
    with pytest.raises(OptionError, match="needs a key in CoNLL-2012 with parses"):
        match_spans(key, key, _scheme(**choice))


def test_nothing_at_all_has_no_minimum_spans() -> None:
    sides = _sides(CAT, "- - - - -", "- - - - -")
    scheme = resolve(None, match="min", phrases="np", nested="drop")
    assert match_spans(*sides, scheme).mention_count == 0


def test_a_word_that_begins_like_a_label_is_taken_for_one() -> None:
    assert token_of(b"*", b"NPR", b"NNP").label == "NPR"
    assert token_of(b"*", b"the", b"DT").label == ""
