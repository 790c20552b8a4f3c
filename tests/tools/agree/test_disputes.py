"""Mentions that annotators dispute, and means of F₁ over pairs of annotators."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

import scoref
from scoref.tools.convert.conversion import convert_file
from support.paths import EXAMPLES

if TYPE_CHECKING:
    from pathlib import Path

ADA = {"d": [[1, 2, 3], [4, 5]], "e": [[1, 2]]}
BEN = {"d": [[1, 2], [3, 4, 5]], "e": [[1, 2]]}
EVA = {"d": [[1, 2, 3], [4, 5]]}
PEOPLE = {"ada": ADA, "ben": BEN, "eva": EVA}
FILES = {who: EXAMPLES / f"agree-{who}.conll" for who in ("ada", "ben", "eva")}


def test_means_weigh_pairs_by_their_documents() -> None:
    agreement = scoref.agree(PEOPLE)
    f1 = {pair: each.scores["muc"].f1 for pair, each in agreement.pairs.items()}
    mine = 2 * f1["ada", "ben"] + f1["ada", "eva"]
    whole = mine + f1["ben", "eva"]
    assert agreement.mean["muc"] == pytest.approx(whole / 4)
    assert agreement.per_annotator["ada"]["muc"] == pytest.approx(mine / 3)


def test_a_document_has_the_mean_of_its_pairs() -> None:
    agreement = scoref.agree(PEOPLE)
    assert agreement.per_document["e"].mean["conll"] == pytest.approx(1.0)
    assert agreement.per_document["e"].annotators == 2
    assert agreement.per_document["d"].mentions == 5


def test_mentions_are_listed_by_how_far_people_differ() -> None:
    agreement = scoref.agree(PEOPLE, disputed=1)
    (most,) = agreement.disputed
    assert (most.document, most.mention) == ("d", "3")
    assert most.disagreement == pytest.approx(2 / 3 * 14 / 15)
    assert [(reading.annotators, reading.says) for reading in most.readings] == [
        (("ada", "eva"), "with 2 and 1 other"),
        (("ben",), "with 4 and 1 other"),
    ]


def test_where_all_agree_nothing_is_disputed() -> None:
    assert scoref.agree({"a": ADA, "b": ADA}).disputed == ()


def test_words_of_files_are_shown_with_their_line() -> None:
    most = scoref.agree(FILES, disputed=1).disputed[0]
    assert most.mention.startswith('"')
    assert most.place.startswith(f"ada={FILES['ada']}:")


def test_a_mention_that_an_annotator_lacks_is_a_reading() -> None:
    people = {"ada": {"d": [[1, 2]]}, "ben": {"d": [[2], [4, 5]]}}
    disputed = scoref.agree(people).disputed
    says = {one.mention: [reading.says for reading in one.readings] for one in disputed}
    assert says["4"] == ["not a mention", "with 5"]


def test_disputed_mentions_are_spread_over_entities() -> None:
    ada = {"d": [[*range(10)], [20, 21], [30, 31]]}
    ben = {"d": [[0], [*range(1, 10)], [20], [21], [30], [31]]}
    mentions = [one.mention for one in scoref.agree([ada, ben], disputed=4).disputed]
    # Each of the three entities has its worst mention before any has a second one.
    assert mentions == ["0", "20", "30", "21"]


def test_singletons_of_the_first_annotator_do_not_hide_an_entity() -> None:
    ada = {"d": [[number] for number in range(10)] + [[20, 21]]}
    ben = {"d": [[*range(10)], [20], [21]]}
    first, second = scoref.agree([ada, ben], disputed=2).disputed
    assert int(first.mention) < 10
    assert second.mention == "20"


@pytest.mark.parametrize("suffix", ["jsonl", "conllu", "ua", "brat"])
def test_a_mention_has_its_sentence_and_line_in_every_format(
    suffix: str, tmp_path: Path
) -> None:
    people = {}
    for who, file in FILES.items():
        people[who] = tmp_path / (who if suffix == "brat" else f"{who}.{suffix}")
        to = suffix if suffix == "brat" else None
        convert_file(file, people[who], to=to, lossy=True)
    sentences = {}
    for one in scoref.agree(people, disputed=20).disputed:
        sentences[one.document[:7], one.mention] = one.sentence
        path, _, line = one.place.rpartition(":")
        assert path.removeprefix("ada=").startswith(str(people["ada"]))
        assert int(line) >= 1
    assert sentences["story/1", '"Eve"'] == 1
    assert sentences["story/1", '"It"'] == 3
    assert sentences["story/2", '"it"'] == 2
