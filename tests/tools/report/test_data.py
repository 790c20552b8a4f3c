"""The data of a report: what the contract promises, for every format.

Reports on hidden test sets: figures, and nothing of the texts.

All errors in columns: what each is about, and who else is wrong there.
"""

from __future__ import annotations

import json
import re
from itertools import product
from string import ascii_lowercase
from typing import TYPE_CHECKING, Any

import numpy as np
import pytest

import scoref
from scoref.metrics.base import figures_of
from scoref.render.signature import fields as signature_fields
from scoref.scheme import CONVENTIONS
from scoref.scoring.evaluate import read_pairs
from scoref.scoring.request import Request
from scoref.statistics.compare import compare
from scoref.statistics.confidence import confidence
from scoref.tools.errors.analysis import analyse
from scoref.tools.errors.kinds import KINDS
from scoref.tools.report.choices import choices_of
from scoref.tools.report.data import redact, report_of
from support.commands import run
from support.error_analyses import analysis_of_texts, spans
from support.paths import EXAMPLES
from support.report_data import QUICK, assemble, example_systems

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from playwright.sync_api import Page

    from scoref.tools.errors.findings import Analysis

    Tmp = Path


@pytest.mark.parametrize(
    "names",
    [
        ("key", "response"),
        ("many-key", "many-a"),
        ("many-key", "many-a", "many-b"),
        ("corefud-key", "corefud-response"),
        ("ua-key", "ua-response"),
    ],
    ids=" ".join,
)
def test_figures_are_those_of_the_result(names: tuple[str, ...]) -> None:
    analyses = example_systems(*names)
    report, texts = assemble(analyses)
    for system, analysis in zip(report["systems"], analyses.values(), strict=True):
        result = analysis.result
        assert [
            (each["recall"], each["precision"], each["f1"], each["is_defined"])
            for each in system["scores"]
        ] == [
            (*figures_of(score), score.is_defined) for score in result.scores.values()
        ]
        assert [each["metric"] for each in system["scores"]] == list(result.metrics)
        assert system["signature"] == result.signature
        f1s = [scores["conll"].f1 for scores in result.per_document.values()]
        assert [each["f1"] for each in system["documents"]] == pytest.approx(f1s)
        gains = [each["gain"] for each in system["errors"]]
        assert gains == pytest.approx(analysis.gains.gain.tolist())
    for number, analysis in enumerate(analyses.values()):
        written = [text["systems"][number]["errors"] for text in texts]
        kinds = sorted(error["kind"] for errors in written for error in errors)
        assert kinds == sorted(analysis.errors.kind.tolist())
        drawn = sum(len(text["systems"][number]["mentions"]) for text in texts)
        assert drawn == len(analysis.response.row)
    assert sum(each["mentions"] for each in report["documents"]) == sum(
        len(text["key"]["mentions"]) for text in texts
    )


def test_choices_are_the_signature_spelt_out() -> None:
    analyses = example_systems("corefud-key", "corefud-response")
    report, _ = assemble(analyses)
    (analysis,) = analyses.values()
    written = "|".join(f"{each['name']}:{each['value']}" for each in report["choices"])
    assert written == analysis.result.signature
    assert all(each["meaning"] for each in report["choices"])


def test_intervals_are_those_of_confidence() -> None:
    analyses = example_systems("many-key", "many-a")
    report, _ = assemble(analyses)
    (analysis,) = analyses.values()
    expected = confidence(analysis.result, resamples=50).intervals
    (system,) = report["systems"]
    assert system["level"] == 95
    for score in system["scores"]:
        assert score["intervals"] == {
            figure: list(bounds) for figure, bounds in expected[score["metric"]].items()
        }


def test_few_documents_are_noted_and_one_has_no_intervals() -> None:
    report, _ = assemble(example_systems("key", "response"))
    assert any(
        "2 documents are too few" in note for note in report["systems"][0]["notes"]
    )
    report, _ = assemble({"r": spans([[(0, 0)]], [[(0, 0)]], "a b")})
    (system,) = report["systems"]
    assert system["level"] is None
    assert all(score["intervals"] is None for score in system["scores"])


def test_systems_are_compared() -> None:
    analyses = example_systems("many-key", "many-a", "many-b")
    report, _ = assemble(analyses)
    results = {name: analysis.result for name, analysis in analyses.items()}
    expected = compare(results, resamples=50).differences
    rows = report["comparison"]["rows"]
    assert [(row["metric"], row["difference"], row["p_holm"]) for row in rows] == [
        (row.metric, row.difference, row.adjusted) for row in expected
    ]
    assert {(row["first"], row["second"]) for row in rows} == {(0, 1)}
    assert all(row["is_significant"] == (row["p_holm"] <= 0.05) for row in rows)
    assert assemble(example_systems("key", "response"))[0]["comparison"] is None


def test_another_metric_can_be_shown() -> None:
    (key, response) = (EXAMPLES / f"{name}.conll" for name in ("key", "response"))
    (pair,) = read_pairs(key, [response], Request(metrics="lea,muc", with_tokens=True))
    report, _ = assemble({"r": analyse(*pair)})
    assert report["metric"] == {"name": "muc", "label": "MUC"}
    expected = scoref.score(key, response, metrics="muc").per_document.values()
    f1s = [each["f1"] for each in report["systems"][0]["documents"]]
    assert f1s == [each["muc"].f1 for each in expected]


def test_entities_are_counted_by_size() -> None:
    key = [[(token, token) for token in range(11)], [(20, 20)], [(21, 21), (22, 22)]]
    response = [[(token, token) for token in range(3)], [(3, 3)], [(4, 4)]]
    report, _ = assemble({"r": spans(key, response)})
    assert report["sizes"]["labels"] == ["1", "2", "3–5", "6–10", "11 or more"]
    assert report["sizes"]["key"] == [1, 1, 0, 0, 1]
    assert report["sizes"]["systems"] == [[2, 0, 1, 0, 0]]


def test_files_without_words_have_clusters() -> None:
    key = [[(0, 0), (1, 1), (2, 2)], [(5, 5)]]
    response = [[(0, 0), (1, 1), (5, 5)], [(2, 2)], [(7, 8)]]
    report, texts = assemble({"r": spans(key, response)})
    assert texts == [None]
    assert report["documents"][0] == {
        "name": "d",
        "genre": None,
        "tokens": None,
        "mentions": 4,
        "entities": 2,
        "has_text": False,
    }
    assert report["left_out"] is None
    (clusters,) = report["clusters"]
    (divided,) = clusters["divided"]
    assert divided["key"] == "d: 0"
    assert divided["mentions"] == ["d [0, 0]", "d [1, 1]", "d [2, 2]"]
    assert divided["parts"] == [
        {"response": "d: 0", "shared": 2, "size": 3},
        {"response": "d: 1", "shared": 1, "size": 1},
    ]
    (conflated,) = clusters["conflated"]
    assert [part["key"] for part in conflated["parts"]] == ["d: 0", "d: 1"]
    assert assemble(example_systems("key", "response"))[0]["clusters"] is None


def test_every_system_has_its_own_clusters() -> None:
    key = [[(0, 0), (1, 1)], [(5, 5), (6, 6)]]
    other = [[(0, 0), (1, 1), (5, 5), (6, 6)]]
    report, _ = assemble({"right": spans(key, key), "wrong": spans(key, other)})
    right, wrong = report["clusters"]
    assert (right["divided"], right["conflated"]) == ([], [])
    assert [each["response"] for each in wrong["conflated"]] == ["d: 0"]


NAMES = ("hiddenname-one", "hiddenname-two")


def secret(number: int) -> str:
    """Make a word that stands nowhere else."""
    letters = [*product(ascii_lowercase, repeat=2)][number]
    return f"xq{''.join(letters)}zv"


@pytest.fixture
def files(tmp_path: Path) -> tuple[Path, Path]:
    """Two documents of secret words, with errors of several kinds."""
    key, response = [], []
    for number, name in enumerate(NAMES):
        words = [secret(20 * number + place) for place in range(20)]
        ours = [[[0, 1], [4, 4], [8, 9]], [[2, 2], [6, 6]], [[12, 12], [14, 14]]]
        theirs = [[[0, 0], [4, 4], [6, 6]], [[8, 9], [2, 2]], [[17, 17], [18, 18]]]
        document = {"doc_key": name, "sentences": [words[:10], words[10:]]}
        key.append(json.dumps({**document, "clusters": ours}))
        response.append(json.dumps({**document, "clusters": theirs}))
    paths = tmp_path / "key.jsonl", tmp_path / "response.jsonl"
    for path, lines in zip(paths, (key, response), strict=True):
        path.write_text("\n".join(lines), encoding="utf-8")
    return paths


def written(files: tuple[Path, Path], *options: str) -> str:
    path = files[0].parent / "page.html"
    run("report", *files, "-o", path, "--resamples", "20", *options, code=0)
    return path.read_text(encoding="utf-8")


def data_of(page: str) -> dict[str, Any]:
    match = re.search(r'<script type="application/json" id="report">(.*?)</', page)
    assert match
    data: dict[str, Any] = json.loads(match[1])
    return data


def test_no_word_of_a_text_is_told(files: tuple[Path, Path]) -> None:
    page = written(files, "--no-text")
    assert not re.search(r"xq[a-z]{2}zv", page)
    assert 'id="text-' not in page
    data = data_of(page)
    assert not data["errors"]
    assert data["clusters"] is None
    assert "are left out" in str(data["left_out"])


def test_figures_and_counts_are_those_of_the_whole_report(
    files: tuple[Path, Path],
) -> None:
    whole, discreet = data_of(written(files)), data_of(written(files, "--no-text"))
    for field in ("metric", "choices", "sizes", "kinds", "comparison"):
        assert discreet[field] == whole[field]
    (ours,), (theirs,) = discreet["systems"], whole["systems"]
    for field in ("scores", "errors", "signature"):  # counts by kind
        assert ours[field] == theirs[field]


def test_names_of_documents_stay_or_go(files: tuple[Path, Path]) -> None:
    assert all(name in written(files, "--no-text") for name in NAMES)
    page = written(files, "--no-text", "--no-names")
    assert "hiddenname" not in page
    assert "document 2" in page


def test_notes_stay_with_the_organisers(files: tuple[Path, Path]) -> None:
    key, response = files
    lines = [json.loads(line) for line in response.read_text().splitlines()]
    lines[0]["clusters"][0].append([2, 2])  # listed twice, which is noted
    response.write_text("\n".join(map(json.dumps, lines)), encoding="utf-8")
    notes = scoref.score(key, response).notes
    assert notes
    assert not any(note.message in written(files, "--no-text") for note in notes)


def test_python_writes_the_same(files: tuple[Path, Path]) -> None:
    key, response = files
    place = key.parent / "other.html"
    scoref.report(key, response, place, with_text=False, with_names=False)
    assert not re.search(r"xq[a-z]{2}zv|hiddenname", place.read_text(encoding="utf-8"))


@pytest.mark.parametrize(
    ("options", "message"),
    [
        (["--no-names"], "--no-names needs --no-text"),
        (["--no-text", "--documents", "*"], "--documents cannot be combined with"),
    ],
)
def test_what_makes_no_sense_is_refused(
    files: tuple[Path, Path], options: list[str], message: str
) -> None:
    assert message in run("report", *files, *options, code=2).output


def test_such_a_page_opens(
    files: tuple[Path, Path], opened: Callable[..., Page]
) -> None:
    page = opened(written(files, "--no-text"))
    page.wait_for_selector("table.documents")
    assert page.locator(".opens-document").count() == 0
    assert "errors are left out" in page.locator("#overview").inner_text()


def test_groups_on_hidden_test_sets_quote_nothing() -> None:
    words = ["Ada", *["zebra"] * 12, "she"]
    record: dict[str, Any] = {"doc_key": "secret/1", "sentences": [words]}
    whole = [[place, place] for place in range(14)]
    sides = [
        json.dumps({**record, "clusters": clusters})
        for clusters in ([whole], [[whole[0], whole[-1]]])
    ]
    systems = {"ours": analysis_of_texts(sides[0], sides[1], "json-lines")}
    whole_report, _ = assemble(systems)
    (system,) = whole_report["systems"]
    assert system["groups"][0]["words"] == "zebra"
    choice = QUICK._replace(with_text=False, with_names=False)
    discreet, _ = assemble(systems, choice)
    text = json.dumps(discreet)
    assert "zebra" not in text
    assert "secret" not in text
    assert discreet["systems"][0]["sentence"].startswith("The response misses")


SENTENCES = ("Ada met Bob .", "She liked him .", "He left her there .")

KEY = {0: "(1)", 2: "(2)", 4: "(1)", 6: "(2)", 8: "(2)", 10: "(1)"}


def conll(marks: dict[int, str], name: str = "news/a") -> str:
    lines, place = [f"#begin document ({name}); part 000"], 0
    for sentence in SENTENCES:
        for number, word in enumerate(sentence.split()):
            lines.append(f"{name} 0 {number} {word} {marks.get(place, '-')}")
            place += 1
        lines.append("")
    return "\n".join([*lines, "#end document", ""])


def analyse_responses(folder: Tmp, **responses: dict[int, str]) -> dict[str, Analysis]:
    (folder / "key.conll").write_text(conll(KEY))
    for name, marks in responses.items():
        (folder / name).write_text(conll(marks))
    paths = [str(folder / name) for name in responses]
    pairs = read_pairs(str(folder / "key.conll"), paths, Request(with_tokens=True))
    names = zip(responses, pairs, strict=True)
    return {name: analyse(*pair) for name, pair in names}


def descriptions(errors: Any, system: int) -> list[tuple[object, ...]]:
    columns, texts = errors["systems"][system], [*errors["texts"], None]
    rows = zip(
        (KINDS[kind].name for kind in columns["kind"]),
        *(
            [texts[place] for place in columns[name]]
            for name in ("words", "entity", "company")
        ),
        (errors["distances"][place] for place in columns["distance"]),
        columns["more"],
        columns["others"],
        strict=True,
    )
    return list(rows)


def test_errors_name_the_mention_its_entity_and_where_it_went(
    tmp_path: Tmp,
) -> None:
    # The one links "him" to Ada, the other leaves "Bob" apart; both miss "her".
    ours = {0: "(1)", 2: "(2)", 4: "(1)", 6: "(1)", 8: "(2)", 11: "(1)"}
    theirs = {0: "(1)", 2: "(2)", 4: "(1)", 6: "(3)", 8: "(3)"}
    report = report_of(analyse_responses(tmp_path, ours=ours, theirs=theirs)).report
    errors: Any = report["errors"]
    assert descriptions(errors, 0) == [
        ("wrong-link", "him", 'entity 2 ("Bob")', 'entity 1 ("Ada")', "0", 0, 0),
        ("missing-mention", "her", 'entity 1 ("Ada")', None, "1", 0, 2),
        ("extra-mention", "there", None, 'entity 1 ("Ada")', "1", 0, 0),
    ]
    assert descriptions(errors, 1) == [
        ("divided-entity", "Bob", "entity 2", None, "first", 0, 0),
        ("missing-mention", "her", 'entity 1 ("Ada")', None, "1", 0, 1),
    ]
    assert errors["systems"][0]["size"] == [2, 2, 2]  # both entities have 3 mentions
    classes = [errors["classes"][place] for place in errors["systems"][0]["class"]]
    assert classes == ["pronoun", "pronoun", "other"]
    assert [document["genre"] for document in report["documents"]] == ["news"]  # type: ignore[attr-defined]


def test_errors_stand_in_the_order_of_the_texts_that_hold_them() -> None:
    paths = "examples/many-key.conll", "examples/many-b.conll"
    (pair,) = read_pairs(paths[0], [paths[1]], Request(with_tokens=True))
    report, texts = report_of({"theirs": analyse(*pair)})
    (columns,) = report["errors"]["systems"]  # type: ignore[index]
    in_texts: Any = [text["systems"][0]["errors"] for text in texts if text]  # type: ignore[index]
    assert columns["count"] == [len(errors) for errors in in_texts]
    assert columns["kind"] == [error["kind"] for errors in in_texts for error in errors]
    assert np.sum(columns["count"]) > 20


def test_classes_of_mentions_are_those_of_corefud() -> None:
    paths = "examples/corefud-key.conllu", "examples/corefud-response.conllu"
    (pair,) = read_pairs(paths[0], [paths[1]], Request(with_tokens=True))
    errors: Any = report_of({"r": analyse(*pair)}).report["errors"]
    # Addresses have the places of classes, so every page has the same ones.
    assert errors["classes"] == ["pronoun", "proper", "common", "zero", "other"]
    names = [errors["classes"][place] for place in errors["systems"][0]["class"]]
    assert len(names) == len(errors["systems"][0]["kind"]) > 0


def test_the_page_says_how_it_was_scored_without_folders() -> None:
    analyses = example_systems("many-key", "many-a", "many-b")
    report, _ = assemble(analyses)
    files = [(each["name"], each["value"]) for each in report["files"]]
    assert files == [
        ("Key", "many-key.conll"),
        ("Response of many-a", "many-a.conll"),
        ("Response of many-b", "many-b.conll"),
    ]
    setup = {each["name"]: each["value"] for each in report["setup"]}
    assert setup["Metrics"].startswith("Mentions, MUC, B³, ")
    assert setup["Intervals"] == (
        "95\u202f%, expanded percentile bootstrap over 24 documents, 50 samples, "
        "seed 2014"
    )
    assert setup["p-values"] == (
        "Approximate randomisation with 200 random swaps of documents, seed 2014; "
        "Holm’s correction"
    )
    meanings = {each["name"]: each["meaning"] for each in report["choices"]}
    assert meanings["match"] == "Two mentions match if they have the same words."


def test_names_of_files_are_hidden_with_those_of_documents() -> None:
    analyses = example_systems("many-key", "many-a")
    report, _ = assemble(analyses)
    assert redact(report, with_names=True)["files"] == report["files"]
    assert redact(report, with_names=False)["files"] == []


def test_every_value_of_a_convention_of_texts_is_explained() -> None:
    fields = signature_fields()
    for convention in CONVENTIONS.values():
        if convention.files == "tables" or convention.within:
            continue
        for value in convention.values:
            (choice,) = choices_of(f"{convention.label}:{value}")
            assert choice["meaning"] != fields[convention.label], choice
