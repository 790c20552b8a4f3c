"""`scoref.multiverse`, against loops of `scoref.score` and against SciPy."""

from __future__ import annotations

from itertools import combinations, product
from typing import TYPE_CHECKING

import numpy as np
import pytest
from scipy.stats import kendalltau

import scoref
from scoref import OptionError
from scoref.metrics.b_cubed import B_CUBED
from scoref.statistics.bootstrap import resample
from scoref.tools.compare.multiverse import Axes, Rescoring, universes
from scoref.tools.compare.multiverse_command import MOST
from support.paths import EXAMPLES

if TYPE_CHECKING:
    from pathlib import Path

    from scoref.tools.compare.multiverse_results import Multiverse, Setting


KEY = str(EXAMPLES / "many-key.conll")

FILES = {name: str(EXAMPLES / f"many-{name}.conll") for name in ("a", "b", "c")}

COREFUD = str(EXAMPLES / "corefud-key.conllu")

METRICS = ("muc", "bcub", "ceafm", "ceafe", "blanc", "lea", "conll")


@pytest.fixture(scope="module")
def many() -> Multiverse:
    return scoref.multiverse(KEY, FILES, resamples=200)


def by_settings(multiverse: Multiverse) -> dict[tuple[object, ...], Setting]:
    return {
        (one.metric, *sorted(one.choices.items())): one for one in multiverse.settings
    }


def test_settings_are_all_combinations_and_figures_those_of_score(
    many: Multiverse,
) -> None:
    listed = by_settings(many)
    assert len(listed) == len(many.settings) == 30
    for singletons, average in product(("keep", "drop"), ("micro", "macro")):
        choices = {"singletons": singletons, "average": average}
        for system, path in FILES.items():
            for lea in ("self-links", "no-singletons"):
                # Without singletons both rules are one.
                if (singletons, lea) == ("drop", "no-singletons"):
                    continue
                result = scoref.score(KEY, path, **choices, lea=lea)  # type: ignore[arg-type]
                for metric in METRICS:
                    if metric != "lea" and lea == "no-singletons":
                        continue
                    own = {"lea": lea} if metric == "lea" else {}
                    setting = listed[metric, *sorted({**choices, **own}.items())]
                    assert setting.f1[system] == result.scores[metric].f1


def test_corefud_is_varied_by_what_corefud_has() -> None:
    files = {"a": str(EXAMPLES / "corefud-response.conllu"), "b": COREFUD}
    multiverse = scoref.multiverse(COREFUD, files, resamples=10)
    axes = {
        "match": ("head", "exact"),  # by part or by head is the same here
        "singletons": ("drop", "keep"),
        "zeros": ("dependent", "linear", "drop"),
        "average": ("micro", "macro"),
    }
    assert multiverse.axes == axes
    listed = by_settings(multiverse)
    assert len(listed) == 2 * 2 * 3 * 2 * len(METRICS)
    for values in product(*axes.values()):
        choices = dict(zip(axes, values, strict=True))
        result = scoref.score(COREFUD, files["a"], **choices)  # type: ignore[arg-type]
        for metric in METRICS:
            setting = listed[metric, *sorted(choices.items())]
            assert setting.f1["a"] == result.scores[metric].f1


def test_the_reference_is_what_files_are_scored_by(many: Multiverse) -> None:
    usual = scoref.score(KEY, FILES["a"])
    assert many.reference.f1["a"] == usual.conll
    assert many.signature == usual.signature
    assert many.reference.choices == {"singletons": "keep", "average": "micro"}


def test_who_wins_is_who_has_the_highest_figure(many: Multiverse) -> None:
    for setting in many.settings:
        assert setting.winner == max(setting.f1, key=setting.f1.__getitem__)
    rows = {row.system: row for row in many.by_system()}
    assert rows["a"].won == 1
    ranks = [1 + (each.f1["b"] > each.f1["c"]) for each in many.settings]
    assert rows["c"].mean_rank == pytest.approx(np.mean(ranks) + 1)
    assert (rows["c"].best_rank, rows["c"].worst_rank) == (2, 3)


def test_kendall_between_settings_is_that_of_scipy(many: Multiverse) -> None:
    rows = [list(each.f1.values()) for each in many.settings]
    taus = [
        float(kendalltau(one, other).statistic) for one, other in combinations(rows, 2)
    ]
    assert many.tau == pytest.approx(np.mean(taus), abs=1e-12)
    first = list(many.reference.f1.values())
    expected = [float(kendalltau(first, row).statistic) for row in rows]
    assert many.tau_with_reference == pytest.approx(expected, abs=1e-12)


def test_what_a_choice_does_is_seen_in_settings_that_differ_in_nothing_else(
    many: Multiverse,
) -> None:
    listed = by_settings(many)
    for name in ("singletons", "average"):
        taus, has_other_winner = [], []
        for one, other in combinations(listed, 2):
            choices = listed[one].choices, listed[other].choices
            apart = dict({*choices[0].items()} ^ {*choices[1].items()})
            if one[0] == other[0] and [*apart] == [name]:
                pair = listed[one].f1, listed[other].f1
                has_other_winner.append(listed[one].winner != listed[other].winner)
                taus.append(kendalltau(*(list(each.values()) for each in pair)))
        (row,) = (each for each in many.by_choice() if each.name == name)
        assert row.pairs == len(taus) == 14 + (name == "average")
        expected = np.mean([float(each.statistic) for each in taus])
        assert row.tau == pytest.approx(expected, abs=1e-12)
        assert row.other_winner == np.mean(has_other_winner)


def test_one_pair_of_settings_is_enough_for_a_share_of_other_winners() -> None:
    key = {"d": [["a", "b", "c"], ["x"], ["y"], ["z"]]}
    joins = {"d": [["a", "b"], ["c"], ["x", "y", "z"]]}
    splits = {"d": [["a"], ["b"], ["c"], ["x"], ["y"], ["z"]]}
    files = {"joins": joins, "splits": splits}
    multiverse = scoref.multiverse(key, files, metrics="bcub")
    winners = [setting.winner for setting in multiverse.settings]
    assert winners == ["splits", "joins"]  # with singletons, and without
    metric, singletons = multiverse.by_choice()
    assert (metric.pairs, metric.other_winner) == (0, 0)
    assert (singletons.pairs, singletons.other_winner) == (1, 1)
    # By MUC, the winner is the same with singletons and without.
    multiverse = scoref.multiverse(key, files, metrics="muc,bcub")
    metric, singletons = multiverse.by_choice()
    assert (metric.pairs, metric.other_winner) == (2, 0.5)
    assert (singletons.pairs, singletons.other_winner) == (2, 0.5)


def test_the_metric_is_a_choice_like_the_others(many: Multiverse) -> None:
    (row,) = (each for each in many.by_choice() if each.name == "metric")
    assert row.values == METRICS
    assert row.pairs == 4 * 21


def test_pairs_count_the_settings_in_which_one_is_ahead(many: Multiverse) -> None:
    (row,) = (
        each for each in many.by_pair() if (each.first, each.second) == ("b", "c")
    )
    ahead = [each.f1["b"] > each.f1["c"] for each in many.settings]
    assert row.ahead == pytest.approx(np.mean(ahead))
    assert row.behind == pytest.approx(1 - np.mean(ahead))
    assert many.same_order == pytest.approx(np.mean(ahead))  # a is always first


def test_shares_of_draws_are_those_of_documents_drawn_again(many: Multiverse) -> None:
    drawn = []
    (weights,) = resample(24, 200, many.seed)
    for name in ("b", "c"):
        result = scoref.score(KEY, FILES[name], metrics="bcub")
        order = np.argsort(result.documents)
        sums = weights @ result.counts["bcub"][order]
        drawn.append(np.array([B_CUBED.score_of(row).f1 for row in sums]))
    (setting,) = (
        each
        for each in many.settings
        if each.metric == "bcub"
        and each.choices == {"singletons": "keep", "average": "micro"}
    )
    assert setting.chances is not None
    share = setting.chances.ahead["b", "c"]
    assert share == pytest.approx((drawn[0] > drawn[1]).mean())
    error = (drawn[0] - drawn[1]).std(ddof=1) * np.sqrt(24 / 23)
    lead = setting.f1["b"] - setting.f1["c"]
    needed = 24 * ((1.959963985 + 0.841621234) * error / lead) ** 2
    assert setting.chances.needed["b", "c"] == int(np.ceil(needed))


def test_the_same_seed_gives_the_same_digits(many: Multiverse) -> None:
    again = scoref.multiverse(KEY, FILES, resamples=200)
    assert again.to_dict() == many.to_dict()
    other = scoref.multiverse(KEY, FILES, resamples=200, seed=1)
    assert other.same_order == many.same_order
    assert other.to_dict() != many.to_dict()


def test_what_is_settled_is_not_varied() -> None:
    multiverse = scoref.multiverse(KEY, FILES, resamples=2, singletons="drop")
    assert "singletons" not in multiverse.axes
    assert "singletons:drop" in multiverse.signature
    one = scoref.multiverse(KEY, FILES, resamples=2, vary="average", metrics="muc,lea")
    assert one.axes == {"average": ("micro", "macro")}
    assert len(one.settings) == 4


def test_a_value_that_moves_nothing_is_left_out() -> None:
    entities = {"d": [["a", "b"], ["c", "d"]], "e": [["a", "b"]]}
    worse = {"d": [["a", "b", "c"]], "e": [["a", "b"]]}
    multiverse = scoref.multiverse(
        entities, {"one": entities, "two": worse}, resamples=2
    )
    assert multiverse.axes == {"average": ("micro", "macro")}


def test_entities_in_python_are_taken_and_ties_are_ties() -> None:
    key = {"d": [["a", "b", "c"]], "e": [["a", "b"]]}
    same = {"d": [["a", "b"]], "e": [["a", "b"]]}
    multiverse = scoref.multiverse(key, {"x": same, "y": same}, resamples=5)
    assert {each.winner for each in multiverse.settings} == {None}
    assert multiverse.tau is None
    (pair,) = multiverse.by_pair()
    assert (pair.ahead, pair.behind, pair.resamples) == (0, 0, 0)
    assert multiverse.to_dict()["pairs"][0]["needed"] is None


def test_one_document_cannot_be_drawn_again() -> None:
    key, other = [["a", "b", "c"]], [["a", "b"], ["c", "d"]]
    multiverse = scoref.multiverse(key, {"x": key, "y": other})
    assert {each.chances for each in multiverse.settings} == {None}
    (pair,) = multiverse.by_pair()
    assert (pair.ahead, pair.resamples, pair.needed) == (1, None, None)
    assert multiverse.same_order_resamples is None
    assert [note.kind for note in multiverse.notes] == ["few-documents"]
    assert "?" not in str(multiverse).partition("Pair")[0]


PARSED = """\
#begin document ({name}); part 000
{name} 0 0 The DT (TOP(S(NP(NP* - - - - (0
{name} 0 1 woman NN *) - - - - {}
{name} 0 2 in IN (PP* - - - - -
{name} 0 3 town NN (NP*))) - - - - {}
{name} 0 4 left VB (VP*))) - - - - -

{name} 0 0 She PRP (TOP(S(NP*) - - - - (0)
{name} 0 1 ran VB (VP*))) - - - - -

#end document
"""


def test_parses_allow_minimum_spans(tmp_path: Path) -> None:
    brackets = {"key": ("-", "0)"), "whole": ("-", "0)"), "short": ("0)", "-")}
    for side, cells in brackets.items():
        texts = [PARSED.format(*cells, name=name) for name in ("d", "e")]
        (tmp_path / f"{side}.conll").write_text("".join(texts))
    files = {name: tmp_path / f"{name}.conll" for name in ("whole", "short")}
    multiverse = scoref.multiverse(tmp_path / "key.conll", files, metrics="muc")
    assert multiverse.axes == {"match": ("exact", "min")}
    won = {each.choices["match"]: each.winner for each in multiverse.settings}
    assert won == {"exact": "whole", "min": None}


def test_a_file_without_parses_says_why_there_are_no_minimum_spans(
    many: Multiverse,
) -> None:
    (note,) = many.notes
    assert note.message.startswith("Skipped match:min, match:mina: ")
    assert "there is no parse" in note.message


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"vary": "matches"}, "Did you mean match"),
        ({"metrics": "vi"}, "is a distance"),
    ],
)
def test_what_cannot_be_varied_is_refused(
    changes: dict[str, str], message: str
) -> None:
    with pytest.raises(OptionError, match=message):
        scoref.multiverse(KEY, FILES, **changes)  # type: ignore[arg-type]


def test_one_system_has_no_order() -> None:
    with pytest.raises(OptionError, match="at least two responses"):
        scoref.multiverse(KEY, {"a": FILES["a"]})


def test_files_and_entities_do_not_mix() -> None:
    with pytest.raises(OptionError, match="the key is a file, but 'b' is a list"):
        scoref.multiverse(KEY, {"a": FILES["a"], "b": [["x", "y"]]})
    with pytest.raises(OptionError, match="'a' is a file, but the key is a list"):
        scoref.multiverse([["x", "y"]], {"a": FILES["a"], "b": [["x", "y"]]})


def test_paths_are_names_where_there_are_no_others() -> None:
    multiverse = scoref.multiverse(KEY, [FILES["a"], FILES["b"]], resamples=2)
    assert multiverse.systems == (FILES["a"], FILES["b"])


def test_too_many_combinations_are_refused() -> None:
    axes = Axes({f"axis{row}": ("x", "y") for row in range(11)}, ())
    assert MOST < 2**11
    with pytest.raises(
        OptionError, match="2,048 combinations of conventions are too many"
    ):
        next(universes(Rescoring({}, ()), axes, []))


def test_progress_is_the_share_of_combinations_that_are_done() -> None:
    axes = Axes({"singletons": ("keep", "drop"), "average": ("micro", "macro")}, ())
    shares: list[float] = []
    assert len([*universes(Rescoring({}, ()), axes, [], shares.append)]) == 4
    assert shares == [0.25, 0.5, 0.75, 1]
