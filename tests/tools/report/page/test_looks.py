"""How entities look: labels, colours and lines."""

from __future__ import annotations

import itertools
import re
from itertools import combinations, pairwise, permutations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.typing import NDArray

from scoref.tools.report.page import asset
from scoref.tools.report.page.contract import read_text
from scoref.tools.report.page.looks import ALONE, HUES, LINES, OWN, Looks, looks_of
from support import page_texts

Floats = NDArray[np.float64]


def looks(
    key: page_texts.Entities, *responses: page_texts.Entities
) -> tuple[Looks, list[Looks]]:
    systems = {str(number): each for number, each in enumerate(responses)}
    last = max(
        (each[-1] for side in (key, *responses) for m in side.values() for each in m),
        default=-1,
    )
    text = page_texts.text_of(["w " * (last + 1)], page_texts.Sides(key, systems))
    return looks_of(read_text(text))


def test_an_entity_and_its_counterpart_look_alike() -> None:
    key, (response,) = looks(
        {"a": [(0, 0), (2, 2), (4, 4)], "b": [(1, 1), (3, 3)]},
        {"x": [(1, 1), (3, 3)], "y": [(0, 0), (2, 2)]},
    )
    assert key.label == ["a", "b"]
    assert response.label == ["b", "a"]
    assert response.look == [key.look[1], key.look[0]]
    assert response.main == [1, 0]


def test_what_is_left_apart_looks_different() -> None:
    key, (response,) = looks(
        {"7": [(0, 0), (1, 1), (2, 2), (3, 3), (4, 4)]},
        {"x": [(0, 0), (1, 1), (2, 2)], "y": [(3, 3), (4, 4)]},
    )
    assert response.label == ["7", "a"]
    assert response.main == [0, OWN]
    assert response.look[0] == key.look[0]
    assert response.look[1] % HUES != key.look[0] % HUES


def test_an_entity_between_mentions_of_another_has_another_colour() -> None:
    # One more than there are colours; the smallest one stands near the largest.
    places = iter(range(1000))
    near: list[list[tuple[int, ...]]] = [[], []]
    for _ in range(8):
        near[0] += [(place, place) for place in (next(places), next(places))]
        near[1].append((place := next(places), place))
    others: list[list[tuple[int, ...]]] = [
        [(place := next(places), place) for _ in range(14 - number)]
        for number in range(HUES - 1)
    ]
    entities = {str(number): each for number, each in enumerate([*near, *others])}
    key, _ = looks(entities)
    assert len(entities) == HUES + 1
    assert key.look[1] % HUES != key.look[0] % HUES


def test_the_largest_entity_of_the_key_has_the_first_colour() -> None:
    sizes = {"a": 2, "b": 5, "c": 3}
    places = iter(range(sum(sizes.values())))
    key, _ = looks(
        {
            name: [(place := next(places), place) for _ in range(size)]
            for name, size in sizes.items()
        }
    )
    assert [key.look[number] for number in (1, 2, 0)] == [0, 1, 2]


def test_who_is_alone_on_both_sides_is_grey() -> None:
    key, (response,) = looks(
        {"a": [(0, 0)], "b": [(1, 1)]}, {"x": [(0, 0)], "y": [(1, 1), (5, 5)]}
    )
    assert key.look[0] == response.look[0] == ALONE
    assert key.look[1] == response.look[1] != ALONE


def test_labels_are_the_keys_own_and_letters_those_that_it_has_not() -> None:
    key, (response,) = looks(
        {"a": [(9, 9), (11, 11)], "": [(0, 0), (2, 2)]},
        {"x": [(4, 4), (5, 5)], "y": [(7, 7), (8, 8)]},
    )
    assert key.label == ["a", "1"]  # who has no label is called by his place
    assert response.label == ["b", "c"]


@st.composite
def confused(
    draw: st.DrawFn,
) -> tuple[page_texts.Entities, page_texts.Entities]:
    """Draw a response to few entities in which anything may be with anything."""
    tokens = range(draw(st.integers(2, 24)))
    sides: list[page_texts.Entities] = [{}, {}]
    for side, entities in zip(sides, (3, 3), strict=True):
        for token in tokens:
            chosen = draw(st.integers(0, entities - 1))
            side.setdefault(str(chosen), []).append((token, token))
    return sides[0], sides[1]


@given(confused())
def test_what_is_seen_on_one_mention_never_has_one_colour(
    sides: tuple[page_texts.Entities, page_texts.Entities],
) -> None:
    ours, theirs = sides
    key, (response,) = looks(ours, theirs)
    entity = {
        token: number
        for number, found in enumerate(ours.values())
        for token, _ in found
    }
    for number, found in enumerate(theirs.values()):
        for token, _ in found:
            if response.main[number] != entity[token]:
                one, other = key.look[entity[token]], response.look[number]
                assert ALONE in (one, other) or one % HUES != other % HUES
                assert one != other


def test_whom_six_colours_cannot_part_differs_by_the_line() -> None:
    # Each of seven entities is taken for each of the others once.
    pairs = list(permutations(range(7), 2))
    ours: page_texts.Entities = {}
    theirs: page_texts.Entities = {}
    places = itertools.count()
    for one in range(7):
        for _ in range(7):
            place = next(places)
            ours.setdefault(str(one), []).append((place, place))
            theirs.setdefault(str(one), []).append((place, place))
    for one, other in pairs:
        place = next(places)
        ours.setdefault(str(one), []).append((place, place))
        theirs.setdefault(str(other), []).append((place, place))
    key, (response,) = looks(ours, theirs)
    assert response.main == [*range(7)]
    assert len(set(key.look)) == 7
    assert len({look % HUES for look in key.look}) == HUES


def test_many_entities_differ_by_colour_or_line() -> None:
    count = HUES * LINES
    key, _ = looks(
        {str(n): [(2 * n, 2 * n), (2 * n + 1, 2 * n + 1)] for n in range(count)}
    )
    assert len(set(key.look)) == count


def test_the_key_looks_the_same_beside_every_system() -> None:
    key: page_texts.Entities = {"a": [(0, 0), (1, 1)], "b": [(2, 2), (3, 3)]}
    alone, _ = looks(key, {"x": [(0, 0), (1, 1)]})
    both, _ = looks(key, {"x": [(0, 0), (1, 1)]}, {"y": [(2, 2), (3, 3), (5, 5)]})
    assert alone == both


mentions = st.lists(
    st.tuples(st.integers(0, 5), st.integers(0, 20)),
    max_size=40,
    unique_by=lambda m: m[1],
)


@given(mentions)
def test_neighbours_have_different_colours(found: list[tuple[int, int]]) -> None:
    entities: page_texts.Entities = {}
    for entity, token in found:
        entities.setdefault(str(entity), []).append((token, token))
    key, _ = looks(entities)
    names = list(entities)
    sequence = sorted((token, names.index(str(entity))) for entity, token in found)
    # Six colours are enough for six entities, whoever is next to whom.
    for (_, one), (_, other) in pairwise(sequence):
        if one != other and ALONE not in (key.look[one], key.look[other]):
            assert key.look[one] % HUES != key.look[other] % HUES


# Colour vision: Machado, Oliveira and Fernandes (2009), complete deficiency.
VISION = {
    "all": (1, 0, 0, 0, 1, 0, 0, 0, 1),
    "protan": (
        *(0.152286, 1.052583, -0.204868),
        *(0.114503, 0.786281, 0.099216),
        *(-0.003882, -0.048116, 1.051998),
    ),
    "deutan": (
        *(0.367322, 0.860646, -0.227968),
        *(0.280085, 0.672501, 0.047413),
        *(-0.011820, 0.042940, 0.968881),
    ),
    "tritan": (
        *(1.255528, -0.076749, -0.178779),
        *(-0.078411, 0.930809, 0.147602),
        *(0.004733, 0.691367, 0.303900),
    ),
}
CONES = (
    *(0.4122214708, 0.5363325363, 0.0514459929),
    *(0.2119034982, 0.6806995451, 0.1073969566),
    *(0.0883024619, 0.2817188376, 0.6299787005),
)
OKLAB = (
    *(0.2104542553, 0.7936177850, -0.0040720468),
    *(1.9779984951, -2.4285922050, 0.4505937099),
    *(0.0259040371, 0.7827717662, -0.8086757660),
)
OKABE_ITO = ("#e69f00", "#56b4e9", "#009e73", "#0072b2", "#d55e00", "#cc79a7")


def linear(colour: str) -> Floats:
    channels = (
        np.array([int(colour[place : place + 2], 16) for place in (1, 3, 5)]) / 255
    )
    return np.where(
        channels <= 0.04045, channels / 12.92, ((channels + 0.055) / 1.055) ** 2.4
    )


def matrix(values: tuple[float, ...]) -> Floats:
    return np.array(values, dtype=np.float64).reshape(3, 3)


def perceived(light: Floats) -> Floats:
    """Give Oklab coordinates (Ottosson, 2020)."""
    return matrix(OKLAB) @ np.cbrt(matrix(CONES) @ np.clip(light, 0, 1))


def least_distance(colours: tuple[str, ...], vision: str) -> float:
    seen = [perceived(matrix(VISION[vision]) @ linear(colour)) for colour in colours]
    return min(
        float(np.linalg.norm(one - other)) for one, other in combinations(seen, 2)
    )


def contrast(one: str, other: str) -> float:
    weights = np.array([0.2126, 0.7152, 0.0722])
    dark, light = sorted(float(weights @ linear(each)) for each in (one, other))
    return (light + 0.05) / (dark + 0.05)


def palette(theme: str) -> dict[str, str]:
    blocks = re.findall(r"\{((?:--[\w-]+: ?#[0-9a-f]{3,6};)+)", asset("mentions.css"))
    chosen = blocks[0 if theme == "light" else -1]
    return dict(re.findall(r"--([\w-]+): ?(#[0-9a-f]{6})", chosen))


themes = pytest.mark.parametrize("theme", ["light", "dark"])


@themes
@pytest.mark.parametrize("vision", VISION)
def test_colours_can_be_told_apart_at_least_as_well_as_okabe_and_itos(
    theme: str, vision: str
) -> None:
    colours = tuple(palette(theme)[f"h{number}"] for number in range(HUES))
    enough = min(least_distance(OKABE_ITO, each) for each in VISION)
    assert least_distance(colours, vision) > enough


@themes
def test_lines_and_words_stand_out_from_the_paper(theme: str) -> None:
    colours = palette(theme)
    for name in ("ink", "faint", "wrong", "accent"):
        assert contrast(colours[name], colours["paper"]) >= 4.5, name
    for name in [*(f"h{number}" for number in range(HUES)), "h-one", "h-key", "found"]:
        assert contrast(colours[name], colours["paper"]) >= (
            3 if name != "found" else 2
        ), name


def test_the_dark_colours_are_the_same_wherever_dark_comes_from() -> None:
    blocks = re.findall(r"\{((?:--[\w-]+: ?#[0-9a-f]{3,6};)+)", asset("mentions.css"))
    assert len(blocks) == 4
    assert len(set(blocks[1:])) == 1
