"""The recipes for Splink and dedupe, with what the real packages return."""

from __future__ import annotations

import logging
import warnings
from typing import TYPE_CHECKING, Any

import numpy as np
import pytest

import scoref

if TYPE_CHECKING:
    from pathlib import Path

PEOPLE = {
    "unique_id": [1, 2, 3, 4, 5, 6, 7, 8],
    "first": ["ada", "ada", "ad", "ben", "ben", "cyd", "dan", "dan"],
    "last": ["lind", "lind", "lind", "roy", "roi", "mar", "fox", "fox"],
    "city": ["oslo", "oslo", "oslo", "oslo", "oslo", "bergen", "bergen", "bergen"],
}
TRUTH = {1: "ada", 2: "ada", 3: "ada", 4: "ben", 5: "ben", 6: "cyd", 7: "dan", 8: "dan"}
LINKS = [(1, 2), (1, 3), (2, 3), (4, 5), (7, 8)]


class Splink:
    """What Splink predicts about these people."""

    def __init__(self) -> None:
        splink = pytest.importorskip(
            "splink", reason="Splink is not tested: pip install splink"
        )
        library = pytest.importorskip("splink.comparison_library")
        pandas = pytest.importorskip("pandas")
        logging.getLogger("splink").setLevel(logging.ERROR)
        settings = splink.SettingsCreator(
            link_type="dedupe_only",
            comparisons=[library.ExactMatch(n) for n in ("first", "last", "city")],
            blocking_rules_to_generate_predictions=[splink.block_on("city")],
        )
        self.database = splink.DuckDBAPI()
        people = pandas.DataFrame(PEOPLE)
        if int(splink.__version__.partition(".")[0]) >= 5:
            self.linker = splink.Linker(self.database.register(people), settings)
        else:
            self.linker = splink.Linker(people, settings, self.database)
        self.pairs = self.linker.inference.predict()

    @property
    def predictions(self) -> Any:
        """The pairs with their scores, as a data frame."""
        return self.pairs.as_pandas_dataframe()

    def clusters(self, threshold: float) -> Any:
        """The clusters at a threshold, as a data frame."""
        return self.linker.clustering.cluster_pairwise_predictions_at_threshold(
            self.pairs, threshold_match_probability=threshold
        ).as_pandas_dataframe()


@pytest.fixture(scope="module")
def linked() -> Splink:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        return Splink()


def test_the_clusters_of_splink_are_scored(linked: Splink) -> None:
    result = scoref.score_table(TRUTH, linked.clusters(0.5))
    assert result.scores["cluster"].f1 == 1
    assert result.columns["response mention"] == "unique_id"


@pytest.mark.parametrize("threshold", [0.00001, 0.5, 0.999])
def test_pairs_from_a_threshold_on_are_the_clusters_of_splink(
    linked: Splink, threshold: float
) -> None:
    pairs = scoref.score_table(
        LINKS,
        linked.predictions,
        key_pairs=True,
        threshold=threshold,
        records={"unique_id": PEOPLE["unique_id"]},
    )
    clusters = scoref.score_table(TRUTH, linked.clusters(threshold))
    for name in ("pairwise", "bcub", "muc", "cluster"):
        assert pairs.scores[name] == clusters.scores[name], name
    at = scoref.curve(TRUTH, linked.predictions).at(threshold)
    assert at.scores["bcub"] == clusters.scores["bcub"]


def test_parquet_of_splink_is_read_from_the_command_line(
    linked: Splink, tmp_path: Path
) -> None:
    path = str(tmp_path / "predictions.parquet")
    linked.predictions.to_parquet(path)
    result = scoref.score_table(LINKS, path, key_pairs=True, threshold=0.5)
    assert result.scores["links"].precision == 1
    assert "pairs:both|sources:one" in result.signature
    with pytest.raises(scoref.FormatError, match="every pair would count"):
        scoref.score_table(LINKS, path, key_pairs=True)


def test_the_candidates_of_splink_are_counted(linked: Splink) -> None:
    candidates = scoref.curve(TRUTH, linked.predictions).candidates
    assert candidates.pair_completeness == 1
    assert candidates.possible == 28
    assert candidates.pairs == 13  # five people in one city, three in the other


@pytest.fixture(scope="module")
def deduped() -> tuple[Any, Any]:
    """Scores of pairs and clusters, as dedupe returns them."""
    clustering = pytest.importorskip(
        "dedupe.clustering", reason="dedupe is not tested: pip install dedupe"
    )
    rows = [((a, b), 0.9) for a, b in LINKS] + [((5, 6), 0.3)]
    scores = np.array(rows, dtype=[("pairs", "i4", 2), ("score", "f4")])
    clusters = list(clustering.cluster(scores, threshold=0.5))
    return scores, clusters


def test_the_results_of_dedupe_are_scored(deduped: tuple[Any, Any]) -> None:
    scores, clusters = deduped
    # As in `Dedupe.partition`, records without a match are clusters of their own.
    whole = [*clusters, ((6,), (1.0,))]
    result = scoref.score_table(TRUTH, whole)
    assert result.scores["cluster"].f1 == 1
    curve = scoref.curve(TRUTH, scores)
    assert curve.best["bcub"].threshold == pytest.approx(0.9)
    assert curve.best["bcub"].scores["bcub"].f1 == 1
    linked = scoref.score_table(
        LINKS, scores, key_pairs=True, response_pairs=True, threshold=0.5
    )
    assert linked.scores["links"].f1 == 1
