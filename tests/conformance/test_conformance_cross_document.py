"""Published figures across documents that lie beside the project, if they do."""

from __future__ import annotations

import json
from typing import Any

import pytest

import scoref
from scoref.formats.reading import read
from support.paths import NO_SHARED, ROOT

FOLDER = ROOT.parent / "shared" / "real" / "cross-document"
SCOPES = ("document", "subtopic", "topic", "corpus")
FIGURES = ("recall", "precision", "f1")
METRICS = ("mentions", "muc", "bcub", "ceafe", "lea")


def _expected(part: str) -> dict[str, Any]:
    path = FOLDER / "expected.json"
    if not path.exists():
        pytest.skip(NO_SHARED)
    found: dict[str, Any] = json.loads(path.read_text(encoding="utf-8"))[part]
    return found


def _runs() -> list[str]:
    paths = (FOLDER / "ukp").glob("*/*.conll.xz")
    names = [f"{path.parent.name}/{path.name}" for path in paths]
    shown = [name.removesuffix(".conll.xz") for name in names]
    return sorted(name for name in shown if "key" not in name) or ["none"]


def _score(run: str, scope: str, singletons: str, **options: str) -> scoref.Result:
    folder = FOLDER / "ukp" / run.partition("/")[0]
    if "topic" in scope:
        options.setdefault("topics", str(folder / "topics.tsv"))
    return scoref.score(
        folder / "key.conll.xz",
        FOLDER / "ukp" / f"{run}.conll.xz",
        scope=scope,  # type: ignore[arg-type] # a value of it
        singletons=singletons,  # type: ignore[arg-type] # likewise
        **options,  # type: ignore[arg-type]
    )


@pytest.mark.parametrize("singletons", ["keep", "drop"])
@pytest.mark.parametrize("scope", SCOPES)
@pytest.mark.parametrize("run", _runs())
def test_runs_have_their_figures_at_every_scope(
    run: str, scope: str, singletons: str
) -> None:
    of_run = "ecbplus/clustering.0" if "named" in run else run
    figures = _expected("ukp")[of_run]
    options = {"topics": "ecb+"} if "named" in run and "topic" in scope else {}
    result = _score(run, scope, singletons, **options)
    expected = figures[f"{scope}|{singletons}"]
    for name in METRICS:
        assert result.scores[name][:3] == pytest.approx(expected[name], abs=1e-12)
    assert result.conll == pytest.approx(expected["conll"], abs=1e-12)
    if "blanc" in expected:
        recall, precision, _ = expected["blanc"]
        assert result.scores["blanc"][:2] == pytest.approx((recall, precision))
    published = figures["published"].get(scope, {}) if singletons == "keep" else {}
    for name, found in published.items():
        scores = result.scores[name]
        mine = scores.f1 if name == "conll" else scores[:3]
        assert mine == pytest.approx(found, abs=5.1e-7)


@pytest.mark.parametrize("name", ["ecbplus.gold", "gvc.gold", "fcc-t.gold"])
@pytest.mark.parametrize("scope", ["document", "corpus"])
def test_meta_documents_have_the_printed_figures(name: str, scope: str) -> None:
    expected = _expected("ba2019")[name]
    corpus = name.partition(".")[0]
    folder = FOLDER / "ba2019"
    result = scoref.score(
        folder / f"{corpus}.key.conll.xz",
        folder / f"{name}.conll.xz",
        scope=scope,  # type: ignore[arg-type] # a value of it
    )
    for metric, figures in expected.items():
        scores = result.scores[metric]
        found = scores.f1 if metric == "conll" else scores[:3]
        assert found == pytest.approx(
            [each / 100 for each in figures] if metric != "conll" else figures / 100,
            abs=5.1e-5,
        )


NOVELS = FOLDER / "koconovel"


def _novels(name: str, hole: int = 0) -> dict[str, list[list[tuple[int, int]]]]:
    """Read entities by document, without mentions of some places."""
    corpus = read(NOVELS / f"{name}.conll.xz", role="key")
    found: dict[str, list[list[tuple[int, int]]]] = {
        document.name: [] for document in corpus.documents
    }
    entities = [found[corpus.documents[each].name] for each in corpus.entity_document]
    rows: list[list[tuple[int, int]]] = [[] for _ in entities]
    columns = corpus.mention_entity, corpus.mention_start, corpus.mention_end
    for entity, start, end in zip(*(each.tolist() for each in columns), strict=True):
        if not hole or (start + end) % hole:
            rows[entity].append((start, end))
    for of_document, mentions in zip(entities, rows, strict=True):
        of_document.append(mentions)
    return found


@pytest.mark.parametrize("name", ["reader_overlapped", "omniscient_separate"])
def test_overlapping_entities_have_the_figures_of_bcubed(name: str) -> None:
    expected = _expected("koconovel")[f"omniscient_overlapped|{name}"]["extended_bcub"]
    paths = NOVELS / "omniscient_overlapped.conll.xz", NOVELS / f"{name}.conll.xz"
    found = scoref.score(*paths, metrics="bcub-extended").scores["bcub-extended"]
    assert found[:3] == pytest.approx(expected, abs=1e-12)


def test_overlapping_entities_with_holes_have_the_figures_of_the_formula() -> None:
    figures = _expected("koconovel")
    (expected,) = (each for name, each in figures.items() if name.startswith("holes"))
    key, response = (
        _novels("omniscient_overlapped", 7),
        _novels("omniscient_separate", 5),
    )
    result = scoref.score(key, response, metrics="bcub-extended")
    found = result.scores["bcub-extended"][:3]
    assert found == pytest.approx(expected["extended_bcub"], abs=1e-12)


@pytest.mark.parametrize("name", ["system", "system-odd"])
def test_gap_has_the_figures_of_its_scorer(name: str) -> None:
    expected = _expected("gap")[name]["printed"]
    paths = FOLDER / "gap" / "gold.tsv.xz", FOLDER / "gap" / f"{name}.tsv.xz"
    result = scoref.score_gap(*paths, scheme="gap-2018")
    for part, score in result.scores.items():
        printed = {
            **{each: round(100 * getattr(score, each), 1) for each in FIGURES},
            **{each: getattr(score, each) for each in ("tp", "fp", "fn", "tn")},
        }
        assert printed == expected[part]
    assert f"{result.bias:.2f}" == expected["bias"]


@pytest.mark.parametrize("half", ["pro", "anti"])
@pytest.mark.parametrize("kind", [1, 2])
def test_winobias_has_the_figures_of_the_reference_scorer(kind: int, half: str) -> None:
    expected = _expected("winobias")[f"dev_type{kind}_{half}"]
    files = [
        tuple(
            FOLDER / "winobias" / f"dev_type{kind}_{each}.{role}.conll.xz"
            for role in ("key", "response")
        )
        for each in ("pro", "anti")
    ]
    found = getattr(scoref.score_bias(files[0], files[1]), half)  # type: ignore[arg-type]
    for metric, figures in expected.items():
        score = found.scores[metric]
        assert (score.f1 if metric == "conll" else score[:3]) == pytest.approx(figures)


NELEVAL = {
    "strong_mention_match": ("span", "mentions"),
    "b_cubed": ("span", "bcub"),
    "mention_ceaf": ("span", "ceafm"),
    "entity_ceaf": ("span", "ceafe"),
    "muc": ("span", "muc"),
    "pairwise": ("span", "pairwise"),
    "strong_typed_mention_match": ("span+type", "mentions"),
    "typed_mention_ceaf": ("span+type", "ceafm"),
    "strong_all_match": ("span+kbid", "mentions"),
    "b_cubed_plus": ("span+kbid", "bcub"),
    "mention_ceaf_plus": ("span+kbid", "ceafm"),
    "strong_typed_all_match": ("span+type+kbid", "mentions"),
    "typed_mention_ceaf_plus": ("span+type+kbid", "ceafm"),
}


@pytest.mark.parametrize("measure", NELEVAL)
def test_mentions_with_types_and_ids_have_the_figures_of_neleval(measure: str) -> None:
    expected = _expected("edl")
    if measure not in expected:
        pytest.skip(f"there is no '{measure}' among the figures")
    identity, metric = NELEVAL[measure]
    result = scoref.score(
        FOLDER / "edl" / "gold.tsv.xz",
        FOLDER / "edl" / "system.tsv.xz",
        scope="corpus",
        identity=identity,  # type: ignore[arg-type] # a value of it
        metrics=metric,
    )
    figures = [expected[measure][each] for each in FIGURES]
    assert result.scores[metric][:3] == pytest.approx(figures, abs=1e-12)


@pytest.mark.parametrize("name", ["gvc", "ecbplus"])
def test_events_have_the_figures_of_maven_ere(name: str) -> None:
    expected = _expected("maven-ere")[name]
    folder = FOLDER / "maven-ere"
    result = scoref.score(
        folder / f"{name}.test.jsonl.xz", folder / f"{name}.prediction.jsonl.xz"
    )
    for metric, called in (("muc", "muc"), ("bcub", "b_cubed"), ("ceafe", "ceaf")):
        figures = [expected[f"{called}_{each}"] for each in FIGURES]
        assert result.scores[metric][:3] == pytest.approx(figures, abs=1e-12)
    # Its recall and precision have a millionth in their denominators.
    assert result.scores["blanc"].f1 == pytest.approx(expected["blanc_f1"], abs=1e-9)
    mean = result.scores["conll-blanc"].f1
    assert mean == pytest.approx(expected["mean_of_four"], abs=1e-9)
