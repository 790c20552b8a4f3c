"""The data of a report: what the contract promises, for every format.

Reports on hidden test sets: figures, and nothing of the texts.
"""

from __future__ import annotations

import json
import re
from itertools import product
from random import Random
from string import ascii_lowercase
from typing import TYPE_CHECKING, Any

import pytest
from click.testing import CliRunner

import scoref
from scoref import OptionError
from scoref.scoring.evaluate import read_pairs
from scoref.scoring.request import Request
from scoref.statistics.compare import compare
from scoref.statistics.confidence import confidence
from scoref.tools.errors.analysis import analyse
from scoref.tools.errors.kinds import KINDS
from scoref.tools.report.command import command
from scoref.tools.report.data import ReportChoice, report_of
from scoref.tools.report.page import render_page
from scoref.tools.report.page.contract import read_report, read_text
from support import corefud, random_corefud, random_ua, universal_anaphora
from support.error_analyses import analysed, spans
from support.paths import EXAMPLES

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping
    from pathlib import Path

    from playwright.sync_api import Page

    from scoref.tools.errors.findings import Analysis


QUICK = ReportChoice(resamples=50)

Report = dict[str, Any]


def systems(*names: str, **options: str) -> dict[str, Analysis]:
    key, *responses = (next(EXAMPLES.glob(f"{name}.*")) for name in names)
    wanted = Request.of(**options)
    wanted = Request(wanted.format, with_tokens=True, changes=wanted.changes)
    pairs = read_pairs(key, responses, wanted)
    return {
        path.stem: analyse(*pair) for path, pair in zip(responses, pairs, strict=True)
    }


def assembled(
    found: Mapping[str, Analysis], choice: ReportChoice = QUICK
) -> tuple[Report, list[Any]]:
    """Assemble a report, and see that it is what the contract says."""
    report, texts = report_of(found, choice)
    check_report(report, len(found))
    for document, text in zip(report["documents"], texts, strict=True):  # type: ignore[call-overload]
        assert document["has_text"] == (text is not None)
        if text is not None:
            check_text(text, len(found))
    json.dumps(report, allow_nan=False)
    json.dumps(texts, allow_nan=False)
    return report, texts


def check_report(report: Report, count: int) -> None:
    read_report(report)
    assert [kind["name"] for kind in report["kinds"]] == [kind.name for kind in KINDS]
    assert len(report["systems"]) == len(report["sizes"]["systems"]) == count
    for system in report["systems"]:
        assert len(system["documents"]) == len(report["documents"])
        assert [each["kind"] for each in system["errors"]] == list(range(len(KINDS)))
        by_kind = sum(each["count"] for each in system["errors"])
        assert by_kind == sum(each["errors"] for each in system["documents"])
    assert sum(report["sizes"]["key"]) == sum(
        each["entities"] for each in report["documents"]
    )


def check_text(text: Report, count: int) -> None:
    read_text(text)
    words = len(text["words"])
    assert all(isinstance(word, str) for word in text["words"])
    assert text["sentences"] == sorted({*text["sentences"]})
    assert text["sentences"][:1] == ([0] if words else [])
    assert all(0 <= each < words for each in [*text["sentences"], *text["empty"]])
    assert len(text["systems"]) == count
    for side in (text["key"], *text["systems"]):
        check_side(side, words)
    ours = len(text["key"]["mentions"]), len(text["key"]["entities"])
    for system in text["systems"]:
        theirs = len(system["mentions"]), len(system["entities"])
        assert len(system["partner"]) == theirs[0]
        assert system["why"] is None or len(system["why"]) == theirs[0]
        assert len(system["entity_partner"]) == theirs[1]
        assert all(-1 <= each < ours[0] for each in system["partner"])
        assert all(-1 <= each < ours[1] for each in system["entity_partner"])
        taken = [each for each in system["partner"] if each >= 0]
        assert len(taken) == len({*taken})
        for error in system["errors"]:
            assert all(0 <= each < ours[0] for each in error["key_mentions"])
            assert all(0 <= each < theirs[0] for each in error["response_mentions"])
            assert error["key_mentions"] or error["response_mentions"]
            assert -1 <= error["key_entity"] < ours[1]
            assert -1 <= error["response_entity"] < theirs[1]
            assert 0 <= error["kind"] < len(KINDS)
            assert error["message"]


def check_side(side: Report, words: int) -> None:
    for entity, *pieces in side["mentions"]:
        assert 0 <= entity < len(side["entities"])
        assert len(pieces) % 2 == 0
        assert pieces
        assert pieces == sorted(pieces)
        assert 0 <= pieces[0] <= pieces[-1] < words
    used = {entity for entity, *_ in side["mentions"]}
    assert used == {*range(len(side["entities"]))}
    if side["classes"] is not None:
        assert len(side["classes"]) == len(side["mentions"])


def words_of(text: Report, mention: list[int]) -> str:
    pieces = zip(mention[1::2], mention[2::2], strict=True)
    return " ".join(" ".join(text["words"][a : b + 1]) for a, b in pieces)


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
    found = systems(*names)
    report, texts = assembled(found)
    for system, analysis in zip(report["systems"], found.values(), strict=True):
        result = analysis.result
        assert [
            (each["recall"], each["precision"], each["f1"], each["is_defined"])
            for each in system["scores"]
        ] == [tuple(score) for score in result.scores.values()]
        assert [each["metric"] for each in system["scores"]] == list(result.metrics)
        assert system["signature"] == result.signature
        f1s = [scores["conll"].f1 for scores in result.per_document.values()]
        assert [each["f1"] for each in system["documents"]] == pytest.approx(f1s)
        gains = [each["gain"] for each in system["errors"]]
        assert gains == pytest.approx(analysis.gains.gain.tolist())
    for number, analysis in enumerate(found.values()):
        written = [text["systems"][number]["errors"] for text in texts]
        kinds = sorted(error["kind"] for errors in written for error in errors)
        assert kinds == sorted(analysis.errors.kind.tolist())
        drawn = sum(len(text["systems"][number]["mentions"]) for text in texts)
        assert drawn == len(analysis.response.row)
    assert sum(each["mentions"] for each in report["documents"]) == sum(
        len(text["key"]["mentions"]) for text in texts
    )


def test_a_text_has_its_words_sentences_and_mentions() -> None:
    _, texts = assembled(systems("key", "response"))
    text = texts[0]
    assert text["words"][:5] == ["Ada", "Lovelace", "met", "Charles", "Babbage"]
    assert text["sentences"] == [0, 8]
    assert text["key"]["entities"] == ["0", "1", "2", "3", "4"]
    key = [words_of(text, each) for each in text["key"]["mentions"]]
    assert key[:4] == ["Ada Lovelace", "Charles Babbage", "London", "He"]
    (system,) = text["systems"]
    assert system["entities"] == ["7", "3", "9"]
    assert system["entity_partner"] == [0, 1, 3]
    response = [words_of(text, each) for each in system["mentions"]]
    place = response.index("the first program")
    assert key[system["partner"][place]] == "the first program for it"
    assert system["why"][place] == "overlap"
    assert {*system["why"]} == {"exact", "overlap"}
    assert text["key"]["classes"] is None


def test_exact_matches_need_no_why() -> None:
    _, texts = assembled(systems("key", "key"))
    assert all(text["systems"][0]["why"] is None for text in texts)


def test_how_mentions_were_matched_is_told() -> None:
    _, texts = assembled(systems("corefud-key", "corefud-response"))
    found = {each for text in texts for each in text["systems"][0]["why"] or []}
    assert "head" in found
    assert {*texts[0]["key"]["classes"]} == {"proper", "common", "zero", "pronoun"}


def test_zeros_are_tokens_wherever_they_come_from() -> None:
    words = ["Ada", "came", "and", "left"]
    key = corefud.Annotated([corefud.Sentence(words, newdoc="d")], {})
    response = corefud.Annotated([corefud.Sentence(words, newdoc="d")], {})
    response.sentences[0].zeros[3, 1] = "4:nsubj"
    key.entities["e1"] = [corefud.Mention(((1, 1, 0), (1, 2, 0)), 1)]
    key.entities["e2"] = [corefud.Mention(((1, 3, 0), (1, 4, 0)), 1)]
    response.entities["e1"] = [
        corefud.Mention(((1, 1, 0),), 1),
        corefud.Mention(((1, 3, 1),), 1),
    ]
    found = analysed(key.text(), response.text(), "corefud", singletons="keep")
    _, (text,) = assembled({"r": found})
    assert text["words"] == ["Ada", "came", "and", "", "left"]
    assert text["empty"] == [3]
    # The key does not know the zero: it does not tear "and left" apart.
    assert text["key"]["mentions"] == [[0, 0, 1], [1, 2, 4]]
    assert text["systems"][0]["mentions"] == [[0, 0, 0], [0, 3, 3]]


def test_pieces_of_a_mention_are_kept_apart() -> None:
    _, texts = assembled(systems("corefud-key", "corefud-response"))
    text = texts[1]
    torn = [each for each in text["key"]["mentions"] if len(each) > 3]
    assert [words_of(text, each) for each in torn] == ["Luis y Eva"]


@pytest.mark.parametrize("seed", range(12))
def test_random_corefud_keeps_the_contract(seed: int) -> None:
    pair = random_corefud.random_pair(Random(seed))  # noqa: S311 - no secret is made
    texts = [side.text() for side in pair]
    assembled({"r": analysed(texts[0], texts[1], "corefud", singletons="keep")})


@pytest.mark.parametrize("seed", range(12))
def test_random_universal_anaphora_keeps_the_contract(seed: int) -> None:
    pair = random_ua.random_pair(Random(seed))  # noqa: S311 - no secret is made
    texts = [universal_anaphora.text_of(side) for side in pair]
    found = analysed(texts[0], texts[1], "universal-anaphora", zeros="linear")
    _, drawn = assembled({"r": found})
    total = sum(len(text["systems"][0]["mentions"]) for text in drawn)
    assert total == len(found.response.row)


def test_words_are_data() -> None:
    hostile = "<script>alert(1)</script> </script> &amp; \x00 \u2028 😀 שלום"
    words = f"{hostile} end".split()
    analysis = spans([[(0, 0), (1, 1)]], [[(0, 1)]], " ".join(words))
    report, texts = assembled({"<b>": analysis})
    assert texts[0]["words"] == words
    page = render_page(report, texts)
    assert "<script>alert(1)" not in page
    assert "<b>" not in page


def test_choices_are_the_signature_spelt_out() -> None:
    found = systems("corefud-key", "corefud-response")
    report, _ = assembled(found)
    (analysis,) = found.values()
    written = "|".join(f"{each['name']}:{each['value']}" for each in report["choices"])
    assert written == analysis.result.signature
    assert all(each["meaning"] for each in report["choices"])


def test_intervals_are_those_of_confidence() -> None:
    found = systems("many-key", "many-a")
    report, _ = assembled(found)
    (analysis,) = found.values()
    expected = confidence(analysis.result, resamples=50).intervals
    (system,) = report["systems"]
    assert system["level"] == 95
    for score in system["scores"]:
        assert score["intervals"] == {
            figure: list(bounds) for figure, bounds in expected[score["metric"]].items()
        }


def test_few_documents_are_noted_and_one_has_no_intervals() -> None:
    report, _ = assembled(systems("key", "response"))
    assert any(
        "2 documents are too few" in note for note in report["systems"][0]["notes"]
    )
    report, _ = assembled({"r": spans([[(0, 0)]], [[(0, 0)]], "a b")})
    (system,) = report["systems"]
    assert system["level"] is None
    assert all(score["intervals"] is None for score in system["scores"])


def test_systems_are_compared() -> None:
    found = systems("many-key", "many-a", "many-b")
    report, _ = assembled(found)
    results = {name: each.result for name, each in found.items()}
    expected = compare(results, resamples=50).differences
    rows = report["comparison"]["rows"]
    assert [(row["metric"], row["difference"], row["p_holm"]) for row in rows] == [
        (row.metric, row.difference, row.adjusted) for row in expected
    ]
    assert {(row["first"], row["second"]) for row in rows} == {(0, 1)}
    assert all(row["is_significant"] == (row["p_holm"] <= 0.05) for row in rows)
    assert assembled(systems("key", "response"))[0]["comparison"] is None


def test_another_metric_can_be_shown() -> None:
    (key, response) = (EXAMPLES / f"{name}.conll" for name in ("key", "response"))
    (pair,) = read_pairs(key, [response], Request(metrics="lea,muc", with_tokens=True))
    report, _ = assembled({"r": analyse(*pair)})
    assert report["metric"] == {"name": "muc", "label": "MUC"}
    expected = scoref.score(key, response, metrics="muc").per_document.values()
    f1s = [each["f1"] for each in report["systems"][0]["documents"]]
    assert f1s == [each["muc"].f1 for each in expected]


def test_entities_are_counted_by_size() -> None:
    key = [[(each, each) for each in range(11)], [(20, 20)], [(21, 21), (22, 22)]]
    response = [[(each, each) for each in range(3)], [(3, 3)], [(4, 4)]]
    report, _ = assembled({"r": spans(key, response)})
    assert report["sizes"]["labels"] == ["1", "2", "3–5", "6–10", "11 and more"]
    assert report["sizes"]["key"] == [1, 1, 0, 0, 1]
    assert report["sizes"]["systems"] == [[2, 0, 1, 0, 0]]


def test_files_without_words_have_clusters() -> None:
    key = [[(0, 0), (1, 1), (2, 2)], [(5, 5)]]
    response = [[(0, 0), (1, 1), (5, 5)], [(2, 2)], [(7, 8)]]
    report, texts = assembled({"r": spans(key, response)})
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
    assert assembled(systems("key", "response"))[0]["clusters"] is None


def test_every_system_has_its_own_clusters() -> None:
    key = [[(0, 0), (1, 1)], [(5, 5), (6, 6)]]
    other = [[(0, 0), (1, 1), (5, 5), (6, 6)]]
    report, _ = assembled({"right": spans(key, key), "wrong": spans(key, other)})
    right, wrong = report["clusters"]
    assert (right["divided"], right["conflated"]) == ([], [])
    assert [each["response"] for each in wrong["conflated"]] == ["d: 0"]


def test_documents_without_anything_are_drawn() -> None:
    report, texts = assembled({"r": spans([], [], "nothing here")})
    assert texts[0]["key"] == {"entities": [], "mentions": [], "classes": None}
    assert report["systems"][0]["documents"] == [
        {"f1": None, "recall": None, "precision": None, "errors": 0}
    ]
    _, texts = assembled({"r": spans([], [], "")})
    assert texts[0]["words"] == []


def two_documents(first: str, second: str) -> str:
    return "\n".join(
        json.dumps({"doc_key": name, "clusters": [[[0, 0]]], "sentences": [["a", "b"]]})
        for name in (first, second)
    )


def clusters_only(clusters: list[list[tuple[int, int]]], **more: object) -> str:
    return json.dumps({"doc_key": "d", "clusters": clusters, **more})


def test_a_response_without_words_is_drawn_into_those_of_the_key() -> None:
    key = clusters_only([[(0, 0), (2, 3)]], sentences=[["a", "b"], ["c", "d"]])
    response = clusters_only([[(0, 0), (3, 3)], [(3, 99), (50, 99)]])
    _, (text,) = assembled({"r": analysed(key, response, "json-lines")})
    assert text["words"] == ["a", "b", "c", "d"]
    assert text["systems"][0]["mentions"] == [
        *([0, 0, 0], [0, 3, 3], [1, 3, 3], [1, 3, 3])
    ]
    assert text["systems"][0]["why"] == ["exact", "overlap", "", ""]
    nothing = clusters_only([], sentences=[])
    report, texts = assembled({"r": analysed(nothing, response, "json-lines")})
    assert texts == [None]
    assert report["documents"][0]["has_text"] is False


def test_a_key_without_words_is_drawn_into_those_of_the_response() -> None:
    key = clusters_only([[(0, 0), (2, 3)]])
    response = clusters_only([[(0, 0)]], tokens=["a", "b", "c", "d"])
    _, (text,) = assembled({"r": analysed(key, response, "json-lines")})
    assert text["words"] == ["a", "b", "c", "d"]
    assert text["key"]["mentions"] == [[0, 0, 0], [0, 2, 3]]


def test_documents_that_one_side_lacks_are_drawn_all_the_same() -> None:
    found = analysed(
        two_documents("x", "y"), two_documents("y", "z"), "json-lines", missing="empty"
    )
    other = analysed(
        two_documents("x", "y"), two_documents("x", "y"), "json-lines", missing="empty"
    )
    report, texts = assembled({"one": other, "other": found})
    assert [each["name"] for each in report["documents"]] == ["x", "y", "z"]
    assert report["comparison"] is None
    assert report["systems"][0]["documents"][2]["f1"] is None
    assert texts[2]["words"] == ["a", "b"]
    assert texts[2]["key"]["mentions"] == texts[2]["systems"][0]["mentions"] == []
    assert texts[2]["systems"][1]["mentions"] == [[0, 0, 0]]
    assert texts[0]["systems"][1]["mentions"] == []


def test_documents_are_chosen_by_name_or_pattern() -> None:
    found = systems("many-key", "many-a")
    names = [each["name"] for each in assembled(found)[0]["documents"]]
    report, texts = assembled(found, QUICK._replace(documents=(names[1], "*film*")))
    shown = [each["name"] for each in report["documents"] if each["has_text"]]
    assert shown == ["(chat/dog); part 000", "(chat/film); part 000"]
    assert report["left_out"] == (
        "the texts of 22 documents are left out, since nobody asked for more"
    )
    assert sum(text is not None for text in texts) == len(shown)
    # Documents have other names, too: CoNLL-2012's brackets need not be typed.
    plain = QUICK._replace(documents=("news/*",))
    assert sum(text is not None for text in assembled(found, plain)[1]) == 8
    with pytest.raises(OptionError, match=r"no document 'nowhere' \(there are: "):
        assembled(found, QUICK._replace(documents=("nowhere",)))


def test_a_page_holds_so_much_and_no_more() -> None:
    found = systems("key", "response")
    report, texts = assembled(found, QUICK._replace(most_tokens=30))
    assert [text is not None for text in texts] == [True, False]
    assert report["left_out"] == (
        "the text of 1 document is left out, since the page would be too large; "
        "--documents NAME,NAME chooses whose are shown"
    )
    chosen = QUICK._replace(most_tokens=30, documents=("*0002*",))
    assert [text is not None for text in assembled(found, chosen)[1]] == [False, True]
    with pytest.raises(OptionError, match="40 tokens are too much for one page"):
        assembled(found, QUICK._replace(most_tokens=30, documents=("*",)))
    many = systems("many-key", "many-a", "many-b")
    with pytest.raises(OptionError, match="for 2 systems"):
        assembled(many, QUICK._replace(most_tokens=100, documents=("*",)))


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
    words = [*map(str, files), "-o", str(path), "--resamples", "20", *options]
    done = CliRunner().invoke(command, words)
    assert done.exit_code == 0, done.output
    return path.read_text(encoding="utf-8")


def data_of(page: str) -> dict[str, Any]:
    found = re.search(r'<script type="application/json" id="report">(.*?)</', page)
    assert found
    data: dict[str, Any] = json.loads(found[1])
    return data


def test_no_word_of_a_text_is_told(files: tuple[Path, Path]) -> None:
    page = written(files, "--no-text")
    assert not re.search(r"xq[a-z]{2}zv", page)
    assert 'id="text-' not in page
    data = data_of(page)
    assert not data["errors"]
    assert data["clusters"] is None
    assert "texts are left out" in str(data["left_out"])


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
        (["--no-names"], "add --no-text"),
        (["--no-text", "--documents", "*"], "--documents chooses texts"),
    ],
)
def test_what_makes_no_sense_is_refused(
    files: tuple[Path, Path], options: list[str], message: str
) -> None:
    done = CliRunner().invoke(command, [*map(str, files), *options])
    assert done.exit_code == 2
    assert message in done.output


def test_such_a_page_opens(
    files: tuple[Path, Path], opened: Callable[..., Page]
) -> None:
    page = opened(written(files, "--no-text"))
    page.wait_for_selector("table.documents")
    assert page.locator(".opens-document").count() == 0
    assert "exts are left out" in page.locator("#overview").inner_text()
