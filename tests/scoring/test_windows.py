"""Windows where mentions are sets of words, and where they have parses.

The other way to the same figures: for each window a whole file, in which only the
mentions of that window are left; all such files are scored, and their counts added up.
"""

from __future__ import annotations

from collections import defaultdict
from itertools import product
from random import Random
from typing import TYPE_CHECKING

import numpy as np
import pytest

from scoref import AlignmentError, OptionError
from scoref.formats.reading import read_data
from scoref.metrics import usual
from scoref.schemes import resolve
from scoref.scoring.pipeline import score_corpora
from support import corefud, random_corefud, random_ua, treebank, universal_anaphora
from support.corefud import Annotated
from support.window_results import windowed

if TYPE_CHECKING:
    from collections.abc import Iterable

    from numpy.typing import NDArray

    from scoref.scoring.results import Result
    from support.universal_anaphora import Document

    Place = tuple[str, int]  # a document, and the number of a window in it


SEEDS = range(4)

SIZES = (1, 3, 8)


def random(seed: int) -> Random:
    return Random(seed)  # noqa: S311 - no secret is made


def check_sums(found: Result, expected: Iterable[Result]) -> None:
    sums: dict[str, NDArray[np.float64]] = {
        name: np.zeros(counts.shape[1]) for name, counts in found.counts.items()
    }
    for result in expected:
        for name in sums:
            sums[name] += result.counts[name].sum(axis=0)
    for name, counts in found.counts.items():
        assert counts.sum(axis=0) == pytest.approx(sums[name], abs=1e-9), name


# CorefUD
def in_corefud(annotation: Annotated, size: int) -> dict[Place, Annotated]:
    """Give each window its own file: all words, and the mentions that begin in it."""
    before, words, name = [], defaultdict[str, int](int), ""
    for sentence in annotation.sentences:
        name = name if sentence.newdoc is None else sentence.newdoc
        before.append((name, words[name]))
        words[name] += len(sentence.forms)
    found: dict[Place, Annotated] = {}
    known = set()
    for entity, mentions in annotation.entities.items():
        for mention in mentions:
            at, number, _ = mention.words[0]
            document, first = before[at - 1]
            window = document, (first + max(number, 1) - 1) // size
            # Which of two entities owns a mention is a matter of the whole text.
            if mention.words not in known:
                empty = Annotated(annotation.sentences, {})
                place = found.setdefault(window, empty).entities
                place.setdefault(entity, []).append(mention)
            known.add(mention.words)
    return found


def without_repeats(annotation: Annotated) -> Annotated:
    found = Annotated(annotation.sentences, {})
    for part in in_corefud(annotation, 10**6).values():
        for name, mentions in part.entities.items():
            found.entities.setdefault(name, []).extend(mentions)
    return found


@pytest.mark.parametrize(
    "choices",
    [
        {},
        {"match": "exact", "singletons": "keep"},
        {"match": "partial", "singletons": "keep"},
        {"zeros": "linear", "alignment": "one-to-one"},
        {"singletons": "keep", "anaphors": "distance:0-1"},
        {"zeros": "drop", "singletons": "keep"},
    ],
    ids=str,
)
def test_windows_of_corefud_are_files_with_their_mentions_only(
    choices: dict[str, str],
) -> None:
    for seed in SEEDS:
        key, response = map(without_repeats, random_corefud.random_pair(random(seed)))
        for size in SIZES:
            texts = key.text(), response.text()
            found = windowed(*texts, size, format="corefud", **choices).windows
            parts = in_corefud(key, size), in_corefud(response, size)
            empty = Annotated(key.sentences, {}), Annotated(response.sentences, {})
            expected = (
                corefud.scored(
                    parts[0].get(window, empty[0]).text(),
                    parts[1].get(window, empty[1]).text(),
                    **choices,
                )
                for window in {**parts[0], **parts[1]}
            )
            check_sums(found, expected)


@pytest.mark.parametrize("window", [10**6, "bookcoref"])
@pytest.mark.parametrize("match", ["exact", "partial", "head"])
def test_a_window_as_long_as_corefud_documents_is_the_whole(
    match: str, window: int | str
) -> None:
    for seed in SEEDS:
        key, response = random_corefud.random_pair(random(seed))
        whole, windows = windowed(
            key.text(), response.text(), window, format="corefud", match=match
        )
        check_equal(windows, whole)


def check_equal(windows: Result, whole: Result) -> None:
    for name, counts in whole.counts.items():
        assert windows.counts[name].tolist() == counts.tolist(), name
    assert len(windows.documents) == len(whole.documents)


def sizes(key: str, response: str, size: int | str, **changes: str) -> list[list[int]]:
    """Count the mentions of each window, of the key and of the response."""
    changes = {"singletons": "keep", **changes}
    found = windowed(key, response, size, format="corefud", **changes).windows
    rows = found.counts["mentions"].astype(int).tolist()
    return [[row[1], row[3]] for row in rows]


def test_a_window_counts_words_and_not_empty_nodes() -> None:
    text = corefud.corefud("a 1.1/1:x b c d", e1="1 1.1 2 3 4")
    assert sizes(text, text, 2) == [[3, 3], [2, 2]]


def test_an_empty_node_stands_where_the_word_before_it_does() -> None:
    text = corefud.corefud("a b 2.1/2:x c d", e1="2.1")
    assert sizes(text, text, 2) == [[1, 1], [0, 0]]


def test_an_empty_node_before_all_words_stands_where_the_first_one_does() -> None:
    text = corefud.corefud("a b", "0.1/1:x c d", e1="2:0.1")
    assert sizes(text, text, 2) == [[0, 0], [1, 1]]


def test_a_discontinuous_mention_stands_where_its_first_word_does() -> None:
    text = corefud.corefud("a b c d", e1="2,4 3")
    assert sizes(text, text, 2) == [[1, 1], [1, 1]]


def test_a_window_goes_on_across_sentences_and_stops_with_the_document() -> None:
    text = corefud.corefud("a b c", "d e", "@other f g", e1="1 1:3 2:1 2:2", e2="3:1")
    assert sizes(text, text, 4) == [[3, 3], [1, 1], [1, 1]]


def test_a_document_in_two_pieces_is_one_text() -> None:
    text = corefud.corefud("@x a b", "@y c d", "@x e f", e1="1:1 3:1", e2="2:1")
    assert sizes(text, text, 3) == [[2, 2], [0, 0], [1, 1]]


def test_a_match_across_a_border_is_none() -> None:
    key = corefud.corefud("the old man w", e1="1-3*3 4")
    response = corefud.corefud("the old man w", e1="3 4")
    whole, windows = windowed(key, response, 2, format="corefud", singletons="keep")
    assert whole.counts["mentions"].tolist() == [[2, 2, 2, 2]]
    assert windows.counts["mentions"].tolist() == [[0, 1, 0, 0], [1, 1, 1, 2]]


def test_texts_that_differ_are_refused_before_they_are_cut() -> None:
    key, response = corefud.corefud("a b c", e1="1"), corefud.corefud("a x c", e1="1")
    with pytest.raises(AlignmentError, match="words of sentence 1"):
        windowed(key, response, 2, format="corefud")


# Universal Anaphora
def in_universal(documents: list[Document], size: int) -> dict[Place, list[Document]]:
    """Give each window its own file: all words, and the mentions that begin in it.

    Plurals are left out, and mentions that stand twice.
    """
    found: dict[Place, list[Document]] = {}
    for row, document in enumerate(documents):
        numbers: dict[Place, dict[int, int]] = defaultdict(dict)
        known = set()
        for number, (_, name, mention) in enumerate(document.listed):
            if mention.words in known:
                continue
            known.add(mention.words)
            window = document.name, max(mention.words[0][0] - 1, 0) // size
            entities = found.setdefault(window, bare(documents))[row].entities
            entity = entities.setdefault(name, universal_anaphora.Entity([]))
            entity.is_referring = document.entities[name].is_referring
            entity.mentions.append(mention)
            numbers[window][number] = len(numbers[window])
        for window, new in numbers.items():
            found[window][row].bridges = [
                (new[anaphor], new[other])
                for anaphor, other in document.bridges
                if {anaphor, other} <= new.keys()
            ]
    return found


def bare(documents: list[Document]) -> list[Document]:
    """Keep the words alone."""
    return [
        universal_anaphora.Document(each.name, each.sentences) for each in documents
    ]


def without_plurals(documents: list[Document]) -> list[Document]:
    whole = in_universal(documents, 10**6)
    return [
        whole.get((each.name, 0), bare(documents))[row]
        for row, each in enumerate(documents)
    ]


@pytest.mark.parametrize("match", ["exact", "partial", "craft"])
@pytest.mark.parametrize("zeros", ["drop", "linear"])
def test_windows_of_universal_anaphora_are_files_with_their_mentions_only(
    match: str, zeros: str
) -> None:
    choices = {"match": match, "zeros": zeros, "split_antecedents": "drop"}
    for seed in SEEDS:
        pair = random_ua.random_pair(random(seed))
        key, response = without_plurals(pair[0]), without_plurals(pair[1])
        texts = universal_anaphora.text_of(key), universal_anaphora.text_of(response)
        for size in SIZES:
            found = windowed(*texts, size, format="universal-anaphora", **choices)
            parts = in_universal(key, size), in_universal(response, size)
            expected = (
                universal_anaphora.scored(
                    universal_anaphora.text_of(parts[0].get(window, bare(key))),
                    universal_anaphora.text_of(parts[1].get(window, bare(response))),
                    lenient=False,
                    **choices,
                )
                for window in {**parts[0], **parts[1]}
            )
            check_sums(found.windows, expected)


def test_a_window_as_long_as_universal_documents_is_the_whole() -> None:
    for seed in SEEDS:
        pair = random_ua.random_pair(random(seed))
        whole, windows = windowed(
            universal_anaphora.text_of(pair[0]),
            universal_anaphora.text_of(pair[1]),
            10**6,
            format="universal-anaphora",
            split_antecedents="drop",
        )
        check_equal(windows, whole)


def test_published_windows_have_the_bridges_of_both() -> None:
    text = universal_anaphora.universal("a b c d e", e1="4", e2="5", bridges="5>4")
    choices = {"format": "universal-anaphora", "split_antecedents": "drop"}
    whole, windows = windowed(text, text, "bookcoref:5", **choices)
    assert whole.counts["bridging-anaphors"][:, 0].tolist() == [1]
    assert windows.counts["bridging-anaphors"][:, 0].tolist() == [1, 1]


def test_a_bridge_across_a_border_is_none() -> None:
    text = universal_anaphora.universal("a b c d", e1="1", e2="4", bridges="4>1")
    choices = {"format": "universal-anaphora", "split_antecedents": "drop"}
    whole, windows = windowed(text, text, 2, **choices)
    assert whole.counts["bridging-markables"].sum() == 1
    assert windows.counts["bridging-markables"].sum() == 0


def test_plurals_are_refused_unless_they_are_dropped() -> None:
    text = universal_anaphora.universal("a b c d", e1="1", e2="2", e3="3 of e1 e2")
    with pytest.raises(OptionError, match="--split-antecedents drop"):
        windowed(text, text, 2, format="universal-anaphora")
    plain = universal_anaphora.universal("a b c d", e1="1", e2="2")
    found = windowed(plain, plain, 2, format="universal-anaphora")
    assert found.windows.scores["bcub"].f1 == 1


# Tables of mentions
@pytest.mark.parametrize("identity", ["span+type", "span+kbid", "span+type+kbid"])
def test_types_and_ids_stay_with_their_mentions(identity: str) -> None:
    header = "document,entity,start,end,type,kbid\n"
    key = f"{header}d,a,0,0,PER,Q1\nd,a,4,4,PER,Q1\nd,b,1,1,LOC,Q2\n"
    response = f"{header}d,a,0,0,PER,Q1\nd,b,1,1,LOC,Q2\nd,b,4,4,PER,Q1\n"
    for window in (3, 9):
        result = windowed(
            key, response, window, format="mention-table", identity=identity
        )
        assert result.windows.scores["mentions"].f1 == 1


# Parses
TREES = (
    "(TOP (S (NP (DT the) (JJ big) (NN dog)) (VP (VBD saw) (NP (DT a) (NN man)))))",
    "(TOP (S (NP (PRP he)) (VP (VBD ran) (PP (IN to) (NP (DT the) (NN dog))))))",
    "(TOP (S (NP (NN rain)) (VP (VBD fell))))",
)

WORDS = 13


def conll(mentions: Iterable[tuple[int, int, int]]) -> str:
    """Write the text of the trees with mentions: entity, first and last word."""
    cells: list[list[str]] = [[] for _ in range(WORDS)]
    for entity, first, last in sorted(mentions, key=lambda each: (each[1], -each[2])):
        if first == last:
            cells[first].append(f"({entity})")
            continue
        cells[first].append(f"({entity}")
        cells[last].insert(0, f"{entity})")
    return treebank.document(
        *TREES, cells=" ".join("|".join(each) or "-" for each in cells)
    )


def random_mentions(source: Random) -> set[tuple[int, int, int]]:
    """Draw mentions; those of an entity do not overlap, and none stands twice."""
    found: dict[tuple[int, int], int] = {}
    for _ in range(source.randint(0, 14)):
        first = source.randrange(WORDS)
        last = min(WORDS - 1, first + source.choice((0, 0, 1, 2, 4)))
        entity = source.randrange(4)
        mine = [span for span, other in found.items() if other == entity]
        if all(last < start or end < first for start, end in mine):
            found.setdefault((first, last), entity)
    return {(entity, *span) for span, entity in found.items()}


def scored(key: str, response: str, choices: dict[str, str]) -> Result:
    scheme = resolve(None, lenient=False, format=None, **choices)
    sides = [
        read_data(text.encode(), source="x", role="key", layer=scheme.layer)
        for text in (key, response)
    ]
    return score_corpora(sides[0], sides[1], scheme, usual("texts"))


@pytest.mark.parametrize(
    "choices",
    [
        {"match": "min"},
        {"phrases": "np"},
        {"match": "min", "phrases": "np", "singletons": "drop"},
        {"nested": "drop"},
    ],
    ids=str,
)
def test_windows_with_parses_are_files_with_their_mentions_only(
    choices: dict[str, str],
) -> None:
    compared = 0
    for seed, size in product(range(12), SIZES):
        source = random(seed)
        key, response = random_mentions(source), random_mentions(source)
        found = windowed(
            conll(key), conll(response), size, format="conll-2012", **choices
        ).windows
        # Who keeps what two entities list, is a matter of the whole text.
        if any("duplicates" in note.kind for note in found.notes):
            continue
        expected = (
            scored(
                conll(each for each in key if each[1] // size == window),
                conll(each for each in response if each[1] // size == window),
                choices,
            )
            for window in {first // size for _, first, _ in key | response}
        )
        check_sums(found, expected)
        compared += 1
    assert compared >= 12
