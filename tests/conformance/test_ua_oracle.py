"""All of Universal Anaphora against a slow scorer, on random files."""

from __future__ import annotations

from collections import Counter
from itertools import product
from random import Random
from typing import TYPE_CHECKING

import pytest

from scoref.metrics import available
from scoref.schemes import resolve
from scoref.scoring.pipeline import score_corpora
from support.oracle_ua import Setting, figures, figures_of_plurals
from support.random_ua import random_pair
from support.universal_anaphora import read, text_of

if TYPE_CHECKING:
    from scoref.model import Corpus
    from scoref.scheme import Scheme
    from support.universal_anaphora import Document

BOTH = (True, False)
MATCHES = ("exact", "partial", "craft")
SETTINGS = [Setting(*each) for each in product(MATCHES, BOTH, BOTH, BOTH)]
PLURALS_ALONE = [Setting(*each) for each in product(MATCHES, [True], [True], BOTH)]
AT_ONCE = 4  # every pair is scored with some of the settings, to save time


@pytest.mark.parametrize("seed", range(250))
def test_random_files_get_the_figures_of_a_slow_scorer(seed: int) -> None:
    random = Random(seed)  # noqa: S311 - no secret is made
    key, response = random_pair(random)
    sides = read(text_of(key)), read(text_of(response))
    for setting in random.sample(SETTINGS, AT_ONCE):
        _check(sides, _scheme(setting), figures(key, response, setting), setting)
    alone = random.choice(PLURALS_ALONE)
    scheme = _scheme(alone, evaluate="split-antecedents")
    _check(sides, scheme, figures_of_plurals(key, response, alone), alone)


def _scheme(setting: Setting, **changes: str) -> Scheme:
    return resolve(
        "codi-crac-2022-ar",
        format=None,
        lenient=False,
        match=setting.match,
        singletons="keep" if setting.keeps_singletons else "drop",
        split_antecedents="keep" if setting.keeps_plurals else "drop",
        zeros="linear" if setting.keeps_zeros else "drop",
        **changes,
    )


def _check(
    sides: tuple[Corpus, Corpus],
    scheme: Scheme,
    expected: dict[str, tuple[float, float, float]],
    setting: Setting,
) -> None:
    names = available(sides[0], scheme)
    assert {*expected, "conll"} == set(names)
    scores = score_corpora(*sides, scheme, names).scores
    for name, value in expected.items():
        assert scores[name][:3] == pytest.approx(value, abs=1e-9), (name, setting)


def test_random_files_have_everything_that_is_hard() -> None:
    # Each of these in a good part of the pairs, or the test above would be blind.
    seen: Counter[str] = Counter()
    for seed in range(250):
        for side in random_pair(Random(seed)):  # noqa: S311
            seen.update({trait for document in side for trait in _traits(document)})
    assert {trait: count > 30 for trait, count in seen.items()} == dict.fromkeys(
        (
            "bridges",
            "discontinuous",
            "equal plurals",
            "nested plurals",
            "non-referring",
            "plurals",
            "repeats across",
            "repeats inside",
            "zeros",
        ),
        True,
    )


def _traits(document: Document) -> set[str]:
    entities = document.entities.values()
    plurals = [entity for entity in entities if entity.elements]
    words = [[mention.words for mention in entity.mentions] for entity in entities]
    flat = [one for each in words for one in set(each)]
    found = {
        "bridges": document.bridges,
        "discontinuous": any(len(m.mention.runs) > 1 for m in document.listed),
        "equal plurals": len({tuple(sorted(each.elements)) for each in plurals})
        < len(plurals),
        "nested plurals": any(
            document.entities[name].elements
            for each in plurals
            for name in each.elements
        ),
        "non-referring": not all(entity.is_referring for entity in entities),
        "plurals": plurals,
        "repeats across": len(set(flat)) < len(flat),
        "repeats inside": any(len(set(each)) < len(each) for each in words),
        "zeros": any(one[0][1] for one in flat),
    }
    return {trait for trait, is_there in found.items() if is_there}
