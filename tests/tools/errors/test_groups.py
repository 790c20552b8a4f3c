"""Groups of errors: what they have in common, and what fixing all of them gains."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

import numpy as np
import pytest
from hypothesis import given

import scoref
from scoref.tools.errors.groups import changes_between, groups_of
from scoref.tools.errors.kinds import KINDS
from scoref.tools.errors.summary import summary_of
from scoref.tools.errors.wording import Wording
from support.commands import run
from support.error_analyses import analysis_of_texts, example, spans
from support.json_output import result_of
from support.paths import EXAMPLES
from support.random_entities import partitions, text_of
from support.repair import json_lines, key_entities, mended_all

if TYPE_CHECKING:
    from pathlib import Path

    from scoref.tools.errors.findings import Analysis
    from scoref.tools.errors.groups import ErrorGroup
    from support.oracle_errors import Entities


def chosen_by(analysis: Analysis, group: ErrorGroup) -> list[int]:
    """Find the errors of a group by what they have in common."""
    classes = analysis.details.mention_class
    wording = Wording(analysis)
    return [
        error
        for error, kind in enumerate(analysis.errors.kind.tolist())
        if KINDS[kind].name == group.kind
        and (
            group.mention_class is None
            or classes is None
            or classes.names[classes.of_error[error]] == group.mention_class
        )
        and group.words in {None, wording.words(error).lower()}
        and group.document
        in {None, analysis.documents[int(analysis.errors.document[error])]}
    ]


def gain_of_file(analysis: Analysis, errors: list[int], folder: Path) -> float:
    """Write a response in which all of the errors are mended, and score it."""
    key, response = folder / "key.jsonl", folder / "response.jsonl"
    key.write_text(json_lines(analysis, key_entities(analysis)))
    scores = []
    for chosen in ([], errors):
        response.write_text(json_lines(analysis, mended_all(analysis, chosen)))
        scores.append(scoref.score(key, response).conll)
    return scores[1] - scores[0]


@given(key=partitions(), response=partitions())
def test_the_gain_of_a_group_is_that_of_a_file_in_which_all_of_it_is_mended(
    key: Entities, response: Entities, tmp_path_factory: pytest.TempPathFactory
) -> None:
    analysis = analysis_of_texts(text_of(key), text_of(response), "json-lines")
    for group in analysis.groups:
        errors = chosen_by(analysis, group)
        assert len(errors) == group.count
        gain = gain_of_file(analysis, errors, tmp_path_factory.getbasetemp())
        assert group.gain == pytest.approx(gain, abs=1e-12)


def test_groups_of_classes_are_repaired_alone() -> None:
    analysis = scoref.find_errors(
        EXAMPLES / "many-key.conll", EXAMPLES / "many-b.conll"
    )
    missing = [group for group in analysis.groups if group.kind == "missing-mention"]
    assert {group.mention_class for group in missing} == {"pronoun", "other"}
    for group in missing:
        chosen = np.zeros(len(analysis.errors.kind), dtype=np.bool_)
        chosen[chosen_by(analysis, group)] = True
        before = analysis._repairs.conll(np.zeros_like(chosen))
        assert group.gain == pytest.approx(analysis._repairs.conll(chosen) - before)
    gains = [group.gain for group in analysis.groups]
    assert gains == sorted(gains, reverse=True)


def lines(words: list[str], clusters: list[list[list[int]]]) -> str:
    record = {"doc_key": "d", "sentences": [words], "clusters": clusters}
    return json.dumps(record)


def test_words_that_most_errors_share_are_a_group() -> None:
    words = ["Ada"] + ["I"] * 12 + ["she", "he"]
    whole = [[place, place] for place in range(len(words))]
    analysis = analysis_of_texts(
        lines(words, [whole]), lines(words, [whole[:1] + whole[-1:]]), "json-lines"
    )
    (group,) = analysis.groups
    assert group.title == '"I" missing from entities that were found'
    assert (group.words, group.count) == ("i", 12)


def test_a_document_with_most_errors_is_a_group() -> None:
    key = {
        "calm": [[(place, place) for place in range(40)]],
        "bad": [[(place, place) for place in range(12)]],
    }
    response = {"calm": key["calm"], "bad": [key["bad"][0][:1]]}
    group = scoref.find_errors(key, response).groups[0]
    assert group.document == "bad"
    assert group.title == "Mentions missing from entities that were found, in bad"


def test_a_second_system_fixes_and_breaks() -> None:
    key = [[(0, 0), (1, 1)], [(2, 2), (3, 3)]]
    first, second = spans(key, key[:1]), spans(key, key[1:])
    changes = changes_between(first, second)
    assert [group.kind for group in changes.fixes] == ["missing-entity"]
    assert [group.kind for group in changes.breaks] == ["missing-entity"]
    assert changes.fixes == first.groups
    nothing = changes_between(first, first)
    assert nothing.fixes == nothing.breaks == ()


@pytest.mark.parametrize(
    ("key", "response", "summary"),
    [
        ([[0, 1]], [[0, 1]], "is the same as the key"),
        (
            [[0, 1], [2, 3]],
            [[0, 1]],
            (
                "misses mentions: its only error is a mention or an entity that was "
                "not found"
            ),
        ),
        (
            [[0, 1]],
            [[0, 1], [2, 3], [4, 5]],
            (
                "has too many mentions: both of its errors are mentions or entities "
                "that are not in the key"
            ),
        ),
        (
            [[0, 1, 2], [3, 4, 5]],
            [[0, 1, 2, 3, 4, 5]],
            (
                "links too much: its only error is about mentions that were put with "
                "another entity"
            ),
        ),
        (
            [[0, 1, 2, 3]],
            [[0, 1], [2, 3]],
            (
                "links too little: its only error is a part of an entity that was "
                "separated from the rest"
            ),
        ),
    ],
)
def test_the_summary_says_what_is_wrong(
    key: list[list[int]], response: list[list[int]], summary: str
) -> None:
    sides = [
        [[(place, place) for place in entity] for entity in side]
        for side in (key, response)
    ]
    assert spans(sides[0], sides[1]).summary == f"The response {summary}."


def test_the_summary_names_a_class_and_a_genre() -> None:
    words = ["Ada", "she", "her", "she", "I"]
    whole = [[place, place] for place in range(5)]
    texts = []
    for clusters in ([whole], [whole[:1]]):
        calm = {
            "doc_key": "calm/1",
            "sentences": [["x"] * 20],
            "clusters": [[[place, place] for place in range(20)]],
        }
        loud = {"doc_key": "loud/1", "sentences": [words], "clusters": clusters}
        texts.append("\n".join(map(json.dumps, (calm, loud))))
    analysis = analysis_of_texts(texts[0], texts[1], "json-lines")
    assert analysis.summary == (
        "The response misses mentions: all of its 4 errors are mentions or entities "
        "that were not found, and all of these concern pronouns (she, her, I); "
        "genre loud has all errors but only 20 % of the mentions in the key."
    )
    assert summary_of(analysis, with_words=False) == (
        "The response misses mentions: all of its 4 errors are mentions or entities "
        "that were not found, and all of these concern pronouns."
    )


def test_the_summary_says_which_kinds_a_class_has_and_which_kind_costs_most() -> None:
    text = "she her I he Ada Bo"
    key = [
        [(4, 4), (0, 0), (1, 1)],
        [(5, 5), (3, 3)],
        [(2, 2)],
    ]
    found = spans(key, [[(4, 4), (5, 5)]], text)
    assert found.summary == (
        "The response misses mentions: 4 of its 5 errors are mentions or entities that "
        "were not found, and all of these concern pronouns (she, her, I): missing "
        "mentions (3) and missing entities (1)."
    )
    paths = [str(EXAMPLES / f"many-{name}.conll") for name in ("key", "a", "b")]
    first = scoref.find_errors(*paths[:2])
    gains = dict(first.costs)
    assert max(gains, key=lambda kind: gains[kind].gain) == "wrong-link"
    assert "not found; of single kinds, wrong links cost most." in first.summary
    two = run("errors", paths[0], f"ours={paths[1]}", f"theirs={paths[2]}").output
    assert "\nours misses mentions: 27 of its 48 errors" in two
    assert "\nFrom ours to theirs: what theirs fixes" in two


def test_the_summary_says_that_a_response_has_no_mentions() -> None:
    assert spans([[(0, 0), (1, 1)]], []).summary == "The response has no mentions."
    alone = spans([[(0, 0), (1, 1)]], [[(0, 0)]], singletons="drop")
    assert alone.summary == (
        "The response misses mentions: its only error is a mention or an entity that "
        "was not found."
    )


def test_the_summary_of_several_kinds_names_a_genre() -> None:
    calm = [[(place, place) for place in range(20)]]
    pairs = [
        [(2 * place, 2 * place), (2 * place + 1, 2 * place + 1)] for place in range(5)
    ]
    found = [
        [*pairs[0], *pairs[1]],
        [pairs[2][0]],
        [pairs[2][1]],
        pairs[4],
        [(10, 10), (11, 11)],
    ]
    analysis = scoref.find_errors(
        {"calm/1": calm, "loud/1": pairs}, {"calm/1": calm, "loud/1": found}
    )
    assert analysis.summary == (
        "The errors are of several kinds: conflated entities (1 error) and missing "
        "entity (1 error) cost most; genre loud has all errors but only 33 % of the "
        "mentions in the key."
    )


@pytest.mark.parametrize("name", ["", "corefud-", "ua-"])
def test_groups_without_a_narrower_one_have_all_errors(name: str) -> None:
    analysis = example(name)
    wide = [each for each in groups_of(analysis) if not (each.words or each.document)]
    assert sum(group.count for group in wide) == len(analysis.errors.kind)


def test_json_names_each_of_several_systems() -> None:
    key, a, b = (str(EXAMPLES / f"many-{name}.conll") for name in ("key", "a", "b"))
    output = run("errors", key, f"ours={a}", f"theirs={b}", "--output", "json").output
    assert [result["summary"][:22] for result in json.loads(output)["results"]] == [
        "ours misses mentions: ",
        "theirs misses mentions",
    ]


def test_json_has_what_python_has() -> None:
    paths = [str(EXAMPLES / f"many-{name}.conll") for name in ("key", "a")]
    analysis = scoref.find_errors(*paths)
    result = result_of(run("errors", *paths, "--output", "json").output)
    assert result["summary"] == analysis.summary
    assert [group["title"] for group in result["groups"]] == [
        group.title for group in analysis.groups
    ]
    assert result["groups"][0]["gain"] == analysis.groups[0].gain
    weakest = result["weakest_documents"][0]
    scores = scoref.score(*paths).per_document
    lowest = min(scores, key=lambda name: scores[name]["conll"].f1)
    assert weakest["document"] == lowest
    assert weakest["f1"] == pytest.approx(scores[lowest]["conll"].f1)
    of_lowest = [
        each["kind"] for each in result["errors"] if each["document"] == lowest
    ]
    assert weakest["main_kind"] == "wrong-link"
    assert weakest["of_main_kind"] == of_lowest.count("wrong-link") == 2
    assert weakest["errors"] == len(of_lowest) == 3


def test_the_command_begins_with_what_is_wrong() -> None:
    paths = [str(EXAMPLES / f"many-{name}.conll") for name in ("key", "a")]
    output = run("errors", *paths).output
    assert output.startswith("The response misses mentions: 27 of its 48 errors")
    assert "Look here first" in output
    lines = output.splitlines()
    place = next(n for n, line in enumerate(lines) if "Weakest documents" in line)
    row = "67.81 63.97 72.56 3 (news/airline); part 000: wrong link (2)"
    assert lines[place + 1].split() == row.split()
