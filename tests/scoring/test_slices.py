"""Slices: which mention is in which, and counts that add up to the whole.

A metric's counts shared out among mentions, by hand and by definition.
"""

from __future__ import annotations

import json
from fractions import Fraction
from random import Random
from typing import TYPE_CHECKING, Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis.strategies import randoms

import scoref
from scoref import OptionError
from scoref.contingency.memberships import list_mentions
from scoref.contingency.tabulation import tabulate
from scoref.formats.entities import EntityPairs
from scoref.matching.spans import match_mentions
from scoref.scheme import Scheme
from scoref.scoring.slices import BY, PLURALS, shared_counts, sliceable
from support import random_corefud, random_ua, universal_anaphora
from support.paths import EXAMPLES
from support.slice_results import check_sums, sliced, spans
from support.strategies import Entities, corpora, entities, repeating_entities

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence
    from pathlib import Path

    from numpy.typing import NDArray

    from scoref.contingency.memberships import Listed
    from scoref.scheme import Duplicates, Lea
    from scoref.scoring.results import Result
    from support.corefud import Annotated
    from support.slice_results import Clusters, Slices
    from support.strategies import Documents

    Floats = NDArray[np.float64]
    Part = tuple[Fraction, Fraction]


OF_MENTIONS = (
    *("entity-size", "entity-range", "mention-length"),
    *("upos", "mention-type", "entity-type"),
)

UPOS = ("PRON", "PROPN", "NOUN", "VERB")

SHOWN = (*sliceable(), "conll")


def example(name: str, by: str, **options: Any) -> tuple[Slices, Result]:
    paths = [next(EXAMPLES.glob(f"{name}{side}.*")) for side in ("key", "response")]
    found = scoref.score_slices(paths[0], paths[1], by, **options)
    if by == "distance":
        options["anaphors"] = "all"
    return found, scoref.score(paths[0], paths[1], **options)


def mentions(slices: Slices) -> dict[str, tuple[int, int]]:
    """Count the mentions of each slice, in the key and in the response."""
    sums = {name: each.counts["mentions"].sum(axis=0) for name, each in slices.items()}
    return {name: (int(each[1]), int(each[3])) for name, each in sums.items()}


def of_spans(by: str, key: list[list[tuple[int, int]]]) -> Slices:
    text = spans({"d": key})
    return sliced(text, text, by, format="json-lines")[0]


@pytest.mark.parametrize("by", ["entity-size", "mention-length"])
@given(key=repeating_entities(), response=repeating_entities())
def test_slices_of_spans_add_up(by: str, key: Entities, response: Entities) -> None:
    texts = [
        spans({"d": [[(each, each + each**2) for each in entity] for entity in side]})
        for side in (key, response)
    ]
    slices, whole = sliced(texts[0], texts[1], by, format="json-lines")
    check_sums(slices, whole)
    assert PLURALS not in slices


def coloured(random: Random, text: str) -> str:
    """Give words parts of speech, and entities types."""
    lines = []
    for line in text.split("\n"):
        columns = line.split("\t")
        if len(columns) == 10:
            columns[3] = random.choice(UPOS)
            columns[9] = columns[9].replace("-x-", f"-{random.choice('abc')}-")
        lines.append("\t".join(columns))
    return "\n".join(lines)


@pytest.mark.parametrize("by", [*OF_MENTIONS, "distance"])
@pytest.mark.parametrize(
    "choice",
    [
        {},
        {"match": "exact"},
        {"match": "partial", "singletons": "keep"},
        {"alignment": "one-to-one", "zeros": "linear"},
    ],
    ids=str,
)
def test_slices_of_corefud_add_up(by: str, choice: dict[str, str]) -> None:
    for seed in range(40 if by == "distance" else 8):
        random = Random(seed)  # noqa: S311 - no secret is made
        pair = random_corefud.random_pair(random)
        texts = [coloured(random, side.text()) for side in pair]
        slices, whole = sliced(texts[0], texts[1], by, format="corefud", **choice)
        check_sums(slices, whole)
        assert PLURALS not in slices


@pytest.mark.parametrize("by", ["entity-size", "mention-length"])
@pytest.mark.parametrize("match", ["exact", "partial", "craft"])
def test_slices_of_universal_anaphora_add_up(by: str, match: str) -> None:
    for seed in range(10):
        pair = random_ua.random_pair(Random(seed))  # noqa: S311 - no secret is made
        texts = [universal_anaphora.text_of(side) for side in pair]
        options = {"format": "universal-anaphora", "match": match}
        kept, whole = sliced(texts[0], texts[1], by, **options)
        check_sums(kept, whole)
        dropped, whole = sliced(
            texts[0], texts[1], by, **options, split_antecedents="drop"
        )
        check_sums(dropped, whole)
        assert PLURALS not in dropped


@pytest.mark.parametrize(
    ("name", "by"),
    [
        *(("", by) for by in ("document", "genre", *OF_MENTIONS[:2])),
        *(("corefud-", by) for by in ("document", "genre", "distance", *OF_MENTIONS)),
        *(("ua-", by) for by in ("document", "genre", *OF_MENTIONS[:2])),
    ],
)
def test_slices_of_the_examples_add_up(name: str, by: str) -> None:
    slices, whole = example(name, by)
    if by in {"document", "genre"}:
        for metric, counts in whole.counts.items():
            rows = np.concatenate([each.counts[metric] for each in slices.values()])
            assert rows.tolist() == counts.tolist()
    else:
        check_sums(slices, whole)
    assert len(slices) > 1 or name != "" or by == "genre"


def counted(slices: Slices) -> dict[str, dict[str, dict[str, list[float]]]]:
    """Give the counts of slices by metric and by the documents' names."""
    return {
        name: {
            metric: dict(zip(each.documents, rows.round(9).tolist(), strict=True))
            for metric, rows in each.counts.items()
        }
        for name, each in slices.items()
    }


def shuffled(random: Random, documents: Documents) -> Documents:
    """Write down the same entities in another order."""
    names = random.sample(list(documents), len(documents))
    return {
        name: [
            random.sample(entity, len(entity))
            for entity in random.sample(documents[name], len(documents[name]))
        ]
        for name in names
    }


def of_two_mentions(documents: Documents) -> Mapping[str, Clusters]:
    """Make spans of one or two words of mentions."""
    return {
        name: [[(2 * each, 2 * each + each % 2) for each in entity] for entity in side]
        for name, side in documents.items()
    }


@given(pair=corpora(), random=randoms())
def test_the_order_of_entities_does_not_matter(
    pair: tuple[Documents, Documents], random: Random
) -> None:
    key, response = pair
    other = shuffled(random, key), shuffled(random, response)
    found = scoref.score_slices(key, response, by="entity-size")
    again = scoref.score_slices(other[0], other[1], by="entity-size")
    assert counted(again) == counted(found)
    texts = [spans(of_two_mentions(side)) for side in (*pair, *other)]
    for by in ("entity-size", "mention-length"):
        ours, _ = sliced(texts[0], texts[1], by, format="json-lines")
        shuffled_ones, _ = sliced(texts[2], texts[3], by, format="json-lines")
        assert counted(shuffled_ones) == counted(ours)


def test_entities_that_tie_are_aligned_by_their_mentions() -> None:
    # Key {a, b, c} shares one mention with {a} and with {b, d}: CEAFm may take either.
    key, response = [["a", "b", "c"]], [["a"], ["b", "d"]]
    found = [
        {
            name: each.counts["ceafm"].tolist()
            for name, each in scoref.score_slices(key, order, by="entity-size").items()
        }
        for order in (response, response[::-1])
    ]
    assert found[0] == found[1]


def _list_once(side: Annotated) -> None:
    """Take out what is listed again: the later entity owns that."""
    seen: set[object] = set()
    for name, mentions in side.entities.items():
        kept = [each for each in mentions if each.words not in seen]
        side.entities[name] = kept
        seen |= {each.words for each in kept}


@pytest.mark.parametrize("seed", range(40))
def test_the_order_of_entities_does_not_matter_in_corefud(seed: int) -> None:
    random = Random(seed)  # noqa: S311 - no secret is made
    key, response = random_corefud.random_pair(random)
    for side in (key, response):
        _list_once(side)
    found, _ = sliced(key.text(), response.text(), "mention-length", format="corefud")
    for side in (key, response):
        names = random.sample(list(side.entities), len(side.entities))
        renamed = dict(zip(side.entities, names, strict=True))
        side.entities = {renamed[name]: each for name, each in side.entities.items()}
    again, _ = sliced(key.text(), response.text(), "mention-length", format="corefud")
    for metric in ("ceafm", "ceafe"):
        for name, each in found.items():
            assert again[name].counts[metric] == pytest.approx(each.counts[metric])


def test_slices_by_entity_size_by_hand() -> None:
    key = spans({"d": [[(0, 0), (1, 1), (2, 2)], [(3, 3)]]})
    response = spans({"d": [[(0, 0), (1, 1)], [(2, 2), (3, 3)]]})
    slices, _ = sliced(key, response, "entity-size", format="json-lines")
    assert mentions(slices) == {"1": (1, 0), "2-10": (3, 4)}
    scores = {name: each.scores for name, each in slices.items()}
    # The key's large entity keeps ab: MUC 1 link of 2, of the response's 1 of 2.
    assert scores["2-10"]["muc"][:2] == (0.5, 0.5)
    assert scores["2-10"]["bcub"][:2] == pytest.approx((5 / 9, 3 / 4))
    assert scores["2-10"]["ceafm"][:2] == pytest.approx((2 / 3, 3 / 4))
    assert scores["2-10"]["ceafe"][:2] == pytest.approx((4 / 5, 11 / 15))
    assert scores["2-10"]["lea"][:2] == pytest.approx((1 / 3, 1 / 2))
    assert scores["1"]["bcub"][:2] == (1.0, 0.0)
    assert scores["1"]["ceafe"][:2] == pytest.approx((2 / 3, 0.0))
    assert scores["1"]["muc"].is_defined is False


@pytest.mark.parametrize(
    ("size", "name"), [(1, "1"), (2, "2-10"), (10, "2-10"), (11, "11-"), (12, "11-")]
)
def test_entities_are_sorted_by_size(size: int, name: str) -> None:
    slices = of_spans("entity-size", [[(each, each) for each in range(size)]])
    assert mentions(slices) == {name: (size, size)}


@pytest.mark.parametrize(
    ("length", "name"),
    [
        *((1, "1"), (2, "2"), (3, "3-5"), (5, "3-5")),
        *((6, "6-10"), (10, "6-10"), (11, "11-"), (40, "11-")),
    ],
)
def test_mentions_are_sorted_by_length(length: int, name: str) -> None:
    slices = of_spans("mention-length", [[(3, 2 + length)]])
    assert mentions(slices) == {name: (1, 1)}


def test_slices_stand_in_the_order_of_their_sizes() -> None:
    lengths = (12, 1, 4, 2, 8)
    key = [[(50 * place, 50 * place + each - 1) for place, each in enumerate(lengths)]]
    assert list(of_spans("mention-length", key)) == ["1", "2", "3-5", "6-10", "11-"]


def genres(by: str, *names: str) -> dict[str, int]:
    text = spans({name: [[(0, 0), (1, 1)]] for name in names})
    slices, _ = sliced(text, text, by, format="json-lines")
    return {name: len(each.documents) for name, each in slices.items()}


def test_a_genre_stands_before_the_first_slash() -> None:
    names = "bc/cctv/00/cctv_0005_0", "nw/xinhua/0", "bc/cnn/1", "plain"
    assert genres("genre", *names) == {"bc": 2, "nw": 1, "plain": 1}
    slices, whole = example("", "genre")
    assert {name: each.documents for name, each in slices.items()} == {
        "news": whole.documents
    }


def documents_by_genre(folder: Path, key: str) -> dict[str, tuple[str, ...]]:
    path = folder / "key"
    path.write_text(key, encoding="utf-8")
    slices = scoref.score_slices(path, path, by="genre")
    return {name: each.documents for name, each in slices.items()}


CONLLU = (
    "# newdoc id = GUM_a\n# meta::genre = news\n# global.Entity = eid-etype-head\n"
    "1\tw\t_\t_\t_\t_\t0\t_\t_\tEntity=(e1-x-1)\n\n"
    "# meta::genre = talk\n# newdoc id = GUM_b\n"
    "1\tw\t_\t_\t_\t_\t0\t_\t_\tEntity=(e2-x-1)\n\n"
    "# newdoc id = GUM_c\n# genre = news\n# genre = poetry\n"
    "1\tw\t_\t_\t_\t_\t0\t_\t_\tEntity=(e3-x-1)\n\n"
    "# newdoc id = web/d\n"
    "1\tw\t_\t_\t_\t_\t0\t_\t_\tEntity=(e4-x-1)\n\n"
)


def test_a_comment_says_the_genre(tmp_path: Path) -> None:
    assert documents_by_genre(tmp_path, CONLLU) == {
        "news": ("GUM_a", "GUM_c"),
        "talk": ("GUM_b",),
        "other": ("web/d",),
    }


def test_a_comment_says_the_genre_in_conll_2012(tmp_path: Path) -> None:
    documents = "".join(
        f"#begin document ({name}); part 000\n{comment}x 0 0 w (1)\n#end document\n"
        for name, comment in [("a/1", "# genre = news\n"), ("a/2", "")]
    )
    assert documents_by_genre(tmp_path, documents) == {
        "news": ("(a/1); part 000",),
        "other": ("(a/2); part 000",),
    }


def test_a_field_says_the_genre_in_json_lines(tmp_path: Path) -> None:
    fields: list[dict[str, object]] = [
        {"genre": "news"},
        {"meta": {"genre": "talk"}},
        {"metadata": {"genre": "news"}},
        {"genre": None, "meta": "talk"},
    ]
    lines = [
        {"doc_key": f"a/{number}", "clusters": [[[0, 0], [1, 1]]]} | field
        for number, field in enumerate(fields)
    ]
    text = "".join(json.dumps(line) + "\n" for line in lines)
    assert documents_by_genre(tmp_path, text) == {
        "news": ("a/0", "a/2"),
        "talk": ("a/1",),
        "other": ("a/3",),
    }


def test_where_nothing_says_the_genre_a_note_does() -> None:
    text = spans({name: [[(0, 0), (1, 1)]] for name in ("(a); part 0", "b")})
    slices, _ = sliced(text, text, "genre", format="json-lines")
    assert list(slices) == ["(a); part 0", "b"]
    assert {note.kind for each in slices.values() for note in each.notes} == {
        "no-genres"
    }
    named, _ = sliced(text, text, "genre:[ab]", format="json-lines")
    assert not any(each.notes for each in named.values())


def test_a_genre_is_the_first_group_of_a_pattern() -> None:
    assert genres(r"genre:_(\w+?)_", "a_news_1", "b_news_2", "c_talk_3") == {
        "news": 2,
        "talk": 1,
    }


def test_a_genre_is_what_a_pattern_without_groups_matches() -> None:
    assert genres("genre:news|talk", "a_news", "talk_b", "c") == {
        "news": 1,
        "talk": 1,
        "other": 1,
    }


def test_a_group_that_took_no_part_is_no_genre() -> None:
    assert genres("genre:^(bc/)?", "bc/a", "b") == {"bc/": 1, "other": 1}


def test_a_pattern_may_have_a_colon() -> None:
    assert genres("genre:^(\\w+):", "x:1", "y:2") == {"x": 1, "y": 1}


def test_a_bad_pattern_is_refused() -> None:
    with pytest.raises(OptionError, match=r"'\(' is not a regular expression: missing"):
        genres("genre:(", "a")


def test_each_document_is_a_slice() -> None:
    slices, whole = example("", "document")
    assert tuple(slices) == whole.documents
    for name, each in slices.items():
        assert each.scores == whole.per_document[name]


def test_an_unknown_slice_is_refused_with_the_nearest_one() -> None:
    with pytest.raises(OptionError, match="unknown slice 'entity_size'"):
        example("", "entity_size")
    with pytest.raises(OptionError, match="unknown slice 'entity-size:2'"):
        example("", "entity-size:2")


@pytest.mark.parametrize("by", ["upos", "entity-type", "distance"])
@pytest.mark.parametrize("name", ["", "ua-"])
def test_what_only_corefud_knows_is_refused(by: str, name: str) -> None:
    with pytest.raises(OptionError, match="CorefUD"):
        example(name, by)


def test_metrics_that_cannot_be_shared_out_are_refused_alone() -> None:
    with pytest.raises(OptionError, match="mentions, muc, bcub, ceafm, ceafe, lea and"):
        example("", "entity-size", metrics="blanc")
    slices, _ = example("", "entity-size", metrics="blanc,lea")
    assert {each.metrics for each in slices.values()} == {("lea",)}


def test_slices_of_mentions_show_what_can_be_shared_out() -> None:
    for name in ("", "corefud-", "ua-"):
        slices, _ = example(name, "entity-size")
        assert {each.metrics for each in slices.values()} == {SHOWN}


def test_files_without_mentions_have_no_slices() -> None:
    assert of_spans("entity-size", []) == {}


def test_every_slice_is_explained() -> None:
    assert set(BY) == {"document", "genre", "distance", "class", *OF_MENTIONS}


def test_a_macro_average_is_one_over_the_documents_of_a_slice() -> None:
    slices, _ = example("", "entity-size", average="macro")
    for each in slices.values():
        rows = each.counts["bcub"]
        recalls = [row[0] / row[1] for row in rows if row[1] or row[3]]
        assert each.scores["bcub"].recall == pytest.approx(sum(recalls) / len(recalls))


every_metric = pytest.mark.parametrize("name", sliceable())


def _listed(pairs: EntityPairs, scheme: Scheme) -> Listed:
    corpora = pairs.build()
    matched = match_mentions(*corpora, scheme)
    return list_mentions(corpora, matched, tabulate(matched, scheme), scheme)


def parts_of(
    key: Sequence[Sequence[object]],
    response: Sequence[Sequence[object]],
    lea: Lea = "self-links",
) -> dict[str, Floats]:
    """Give every listed mention a class of its own: the key's, then the response's."""
    scheme = Scheme(lea=lea)
    listed = _listed(EntityPairs.of(key, response), scheme)
    sizes = len(listed.key.row), len(listed.response.row)
    classes = np.arange(sizes[0]), np.arange(sizes[1]) + sizes[0]
    counts = shared_counts(listed, scheme, classes, sum(sizes))
    return {name: each[:, 0, :] for name, each in counts.items()}


KEY, RESPONSE = [["a", "b", "c"], ["d"]], [["a", "b"], ["c", "d"]]

# abc is aligned with ab and d with cd, by mentions (2 + 1) as by φ4 (4/5 + 2/3).
BY_HAND = {
    "mentions": (
        [(1, 1), (1, 1), (1, 1), (1, 1)],
        [(1, 1), (1, 1), (1, 1), (1, 1)],
    ),
    "muc": (
        [(1 / 2, 2 / 3), (1 / 2, 2 / 3), (0, 2 / 3), (0, 0)],
        [(1 / 2, 1 / 2), (1 / 2, 1 / 2), (0, 1 / 2), (0, 1 / 2)],
    ),
    "bcub": (
        [(2 / 3, 1), (2 / 3, 1), (1 / 3, 1), (1, 1)],
        [(1, 1), (1, 1), (1 / 2, 1), (1 / 2, 1)],
    ),
    "ceafm": (
        [(1, 1), (1, 1), (0, 1), (1, 1)],
        [(1, 1), (1, 1), (0, 1), (1, 1)],
    ),
    "ceafe": (
        [(4 / 15, 1 / 3), (4 / 15, 1 / 3), (4 / 15, 1 / 3), (2 / 3, 1)],
        [(2 / 5, 1 / 2), (2 / 5, 1 / 2), (1 / 3, 1 / 2), (1 / 3, 1 / 2)],
    ),
    "lea": (
        [(1 / 2, 1), (1 / 2, 1), (0, 1), (0, 1)],
        [(1, 1), (1, 1), (0, 1), (0, 1)],
    ),
}


@every_metric
def test_the_parts_of_mentions_by_hand(name: str) -> None:
    found = parts_of(KEY, RESPONSE)[name]
    recall, precision = BY_HAND[name]
    assert found[:4, :2] == pytest.approx(np.array(recall, dtype=np.float64))
    assert found[4:, 2:] == pytest.approx(np.array(precision, dtype=np.float64))
    assert not found[:4, 2:].any()
    assert not found[4:, :2].any()


def test_lea_leaves_singletons_out_if_asked() -> None:
    found = parts_of(KEY, RESPONSE, lea="no-singletons")["lea"]
    assert found[3, :2].tolist() == [0, 0]
    alone = parts_of([["a"]], [["a"]])["lea"]
    assert alone.tolist() == [[1, 1, 0, 0], [0, 0, 1, 1]]


def test_a_mention_in_two_entities_counts_in_both_and_is_found_once() -> None:
    found = parts_of([["a", "b"], ["a", "c"]], [["a", "b"]])
    # Listed as a, b, a, c; the second entity that lists it keeps it.
    assert found["mentions"][:4, :2].tolist() == [[0, 0], [1, 1], [1, 1], [0, 1]]
    assert found["bcub"][:4, 1].tolist() == [1, 1, 1, 1]


def muc(entity: frozenset[int], mates: frozenset[int], _: frozenset[int]) -> Part:
    kept, size = len(entity & mates), len(entity)
    return Fraction(kept - 1, kept) if kept else Fraction(0), Fraction(size - 1, size)


def bcub(entity: frozenset[int], mates: frozenset[int], _: frozenset[int]) -> Part:
    return Fraction(len(entity & mates), len(entity)), Fraction(1)


def lea(entity: frozenset[int], mates: frozenset[int], own: frozenset[int]) -> Part:
    if len(entity) == 1:
        return Fraction(mates == own), Fraction(1)
    kept = len(entity & mates)
    return Fraction(max(kept - 1, 0), len(entity) - 1), Fraction(1)


def mentions_shares(
    _: frozenset[int], mates: frozenset[int], own: frozenset[int]
) -> Part:
    return Fraction(own <= mates), Fraction(1)


DEFINITIONS = {"muc": muc, "bcub": bcub, "lea": lea, "mentions": mentions_shares}


def by_definition(
    side: Entities, others: Entities, definition: Callable[..., Part]
) -> list[list[float]]:
    """Ask each mention what of its entity stands together with it on the other side."""
    parts = []
    for entity in side:
        for mention in entity:
            mates = next((other for other in others if mention in other), [])
            part = definition(frozenset(entity), frozenset(mates), frozenset({mention}))
            parts.append([float(part[0]), float(part[1])])
    return parts


@pytest.mark.parametrize("name", DEFINITIONS)
@given(key=entities(), response=entities())
def test_every_mention_has_the_part_that_it_earned(
    name: str, key: Entities, response: Entities
) -> None:
    found = parts_of(key, response)[name]
    definition = DEFINITIONS[name]
    count = sum(map(len, key))
    recall = by_definition(key, response, definition)
    precision = by_definition(response, key, definition)
    assert found[:count, :2].tolist() == [pytest.approx(part) for part in recall]
    assert found[count:, 2:].tolist() == [pytest.approx(part) for part in precision]


@given(corpus=corpora())
def test_parts_add_up_to_the_counts_of_each_document(
    corpus: tuple[Documents, Documents],
) -> None:
    _check_sums(*corpus, Scheme())


@pytest.mark.parametrize("duplicates", ["reference", "first", "last", "coval"])
@given(key=repeating_entities(), response=repeating_entities())
def test_parts_add_up_where_mentions_are_listed_twice(
    duplicates: Duplicates, key: Entities, response: Entities
) -> None:
    _check_sums({"d": key}, {"d": response}, Scheme(duplicates=duplicates))


@given(corpus=corpora())
def test_parts_of_lea_without_singletons_add_up(
    corpus: tuple[Documents, Documents],
) -> None:
    _check_sums(*corpus, Scheme(lea="no-singletons"))


def _check_sums(key: Documents, response: Documents, scheme: Scheme) -> None:
    """Sort mentions into three classes at random, and add them up again."""
    whole = scoref.score(key, response, scheme=scheme, metrics=sliceable()).counts
    listed = _listed(EntityPairs.of(key, response), scheme)
    random = np.random.default_rng(len(listed.key.row))
    sides = listed.key, listed.response
    classes = [random.integers(0, 3, len(side.row)) for side in sides]
    found = shared_counts(listed, scheme, (classes[0], classes[1]), 3)
    assert tuple(found) == sliceable()
    for name, counts in found.items():
        assert counts.shape == (3, *whole[name].shape)
        assert counts.sum(axis=0) == pytest.approx(whole[name], abs=1e-9), name


@given(key=entities(), response=entities())
def test_no_part_is_negative_and_none_is_larger_than_what_there_is_to_get(
    key: Entities, response: Entities
) -> None:
    for name, found in parts_of(key, response).items():
        assert (found >= 0).all(), name
        assert (found[:, [0, 2]] <= found[:, [1, 3]] + 1e-12).all(), name
