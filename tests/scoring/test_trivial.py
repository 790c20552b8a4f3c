"""Trivial systems next to the score, from Python and on the command line."""

from __future__ import annotations

import copy
import csv
import io
import json
from itertools import chain
from typing import TYPE_CHECKING, Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

import scoref
from scoref import OptionError
from support.commands import run
from support.paths import EXAMPLES, NO_SHARED, ROOT

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

NAMES = ["all singletons", "one entity", "same string", "same head word"]
BEST = "best possible"

Entities = list[list[Any]]


def trivial_of(
    key: object,
    response: object,
    **options: Any,
) -> dict[str, scoref.Result]:
    result = scoref.score(key, response, trivial=True, **options)  # type: ignore[arg-type]
    return dict(result.trivial)


def same_scores(result: scoref.Result, other: scoref.Result) -> bool:
    return {name: score.f1 for name, score in result.scores.items()} == pytest.approx(
        {name: score.f1 for name, score in other.scores.items()}
    )


def document(words: str, *entities: list[list[int]], name: str = "d") -> str:
    return json.dumps(
        {"doc_key": name, "sentences": [words.split()], "clusters": list(entities)}
    )


def test_the_key_is_relinked_and_scored_like_a_response() -> None:
    key, response = [["a", "b", "c"], ["d", "e"]], [["a", "b"], ["x"]]
    trivial = trivial_of(key, response)
    assert [*trivial] == ["all singletons", "one entity", BEST]
    alone = [["a"], ["b"], ["c"], ["d"], ["e"]]
    assert same_scores(trivial["all singletons"], scoref.score(key, alone))
    together = [["a", "b", "c", "d", "e"]]
    assert same_scores(trivial["one entity"], scoref.score(key, together))


def test_the_best_possible_response_links_as_the_key_does() -> None:
    key, response = [["a", "b", "c"], ["d", "e"]], [["a", "d"], ["b", "e"]]
    trivial = trivial_of(key, response)
    assert same_scores(trivial[BEST], scoref.score(key, [["a", "b"], ["d", "e"]]))


def test_documents_are_linked_separately() -> None:
    key = {"1": [["a", "b"]], "2": [["a"], ["b"]]}
    trivial = trivial_of(key, {"1": [], "2": [["a"]]})
    expected = scoref.score(key, {"1": [["a", "b"]], "2": [["a", "b"]]})
    assert same_scores(trivial["one entity"], expected)


def test_units_of_a_scope_are_linked_as_a_whole() -> None:
    key = {"1": {"x": ["a"], "y": ["b"]}, "2": {"x": ["a"], "y": ["c"]}}
    trivial = trivial_of(key, key, scope="corpus")
    one = {"1": {"x": ["a", "b"]}, "2": {"x": ["a", "c"]}}
    assert same_scores(trivial["one entity"], scoref.score(key, one, scope="corpus"))
    assert trivial["all singletons"].scores["muc"].f1 == 0
    assert trivial[BEST].conll == 1


def test_words_are_compared_without_case(tmp_path: Path) -> None:
    key = tmp_path / "key.jsonl"
    text = "Ada met ada and the old man saw the Man . He"
    key.write_text(
        document(text, [[0, 0], [2, 2]], [[4, 6], [8, 9]], [[11, 11]]) + "\n"
    )
    trivial = trivial_of(key, key)
    assert [*trivial] == [*NAMES, BEST]
    assert trivial["same string"].scores["muc"].recall == 0.5
    assert trivial["same string"].scores["muc"].precision == 1
    assert trivial["same head word"].conll == 1


def test_strings_in_other_documents_are_other_entities(tmp_path: Path) -> None:
    key = tmp_path / "key.jsonl"
    key.write_text(
        "\n".join(document("Ada Bob", [[0, 0]], [[1, 1]], name=name) for name in "xy")
    )
    assert trivial_of(key, key)["same string"].conll == pytest.approx(2 / 3)


def test_heads_come_from_parses(tmp_path: Path) -> None:
    rows = [
        ("a", "DT", "(TOP(S(NP(NP*", "(0"),
        ("king", "NN", "*)", "-"),
        ("of", "IN", "(PP*", "-"),
        ("Spain", "NNP", "(NP*)))", "0)"),
        ("saw", "VBD", "(VP*", "-"),
        ("the", "DT", "(NP*", "(0"),
        ("king", "NN", "*))))", "0)"),
    ]
    lines = [
        f"d 0 {number} {word} {tag} {piece} - - - - {entity}"
        for number, (word, tag, piece, entity) in enumerate(rows)
    ]
    key = tmp_path / "key.conll"
    key.write_text(
        "\n".join(["#begin document (d); part 000", *lines, "", ""]) + "#end document\n"
    )
    assert trivial_of(key, key)["same head word"].conll == 1
    broken = tmp_path / "broken.conll"
    broken.write_text(key.read_text().replace("(NP*)))", "(NP*))"))
    assert trivial_of(broken, broken)["same head word"].conll < 1


COREFUD = """# global.Entity = {entity}
# newdoc id = d
# sent_id = d-1
1	kings	king	NOUN	_	_	3	nsubj	_	Entity=(e1--{head}
2	of	of	ADP	_	_	3	case	_	_
3	Spain	Spain	PROPN	_	_	1	nmod	_	Entity=e1)
4	saw	see	VERB	_	_	0	root	_	_
5	Kings	king	NOUN	_	_	4	obj	_	Entity=(e1--1)
6	in	in	ADP	_	_	7	case	_	_
7	Spain	Spain	PROPN	_	_	5	nmod	_	Entity=(e2--1)

"""


@pytest.mark.parametrize(("head", "recall"), [("1", 1), ("3", 0)])
def test_heads_of_corefud_are_used(tmp_path: Path, head: str, recall: float) -> None:
    key = tmp_path / "key.conllu"
    key.write_text(COREFUD.format(entity="eid-etype-head-other", head=head))
    trivial = trivial_of(key, key, singletons="keep")
    assert trivial["same string"].scores["muc"].recall == 0
    assert trivial["same head word"].scores["muc"].recall == recall


def test_heads_of_corefud_come_from_trees_if_there_are_no_heads(tmp_path: Path) -> None:
    key = tmp_path / "key.conllu"
    text = COREFUD.format(entity="eid-etype-other", head="").replace(
        "\t3\tnsubj", "\t4\tnsubj"
    )
    key.write_text(text.replace("--1)", ")"))
    trivial = trivial_of(key, key, singletons="keep")
    assert trivial["same head word"].scores["muc"].f1 == 1


def test_zeros_without_a_form_are_not_linked() -> None:
    key = EXAMPLES / "corefud-key.conllu"
    trivial = trivial_of(key, key, singletons="keep")
    assert [*trivial] == [*NAMES, BEST]
    assert trivial["same string"].scores["zero"].f1 == 0
    assert trivial[BEST].conll == 1


def test_a_key_without_words_has_no_strings(tmp_path: Path) -> None:
    key = tmp_path / "key.jsonl"
    key.write_text('{"doc_key": "d", "clusters": [[[0, 0], [2, 2]]]}\n')
    printed = run(key, key, "--trivial", code=0)
    assert "same string" not in printed.stdout
    assert "one entity" in printed.stdout
    assert "'same string' and 'same head word' are not shown" in printed.stderr


def test_dropped_singletons_leave_nothing() -> None:
    trivial = trivial_of([["a", "b"], ["c"]], [["a", "b"]], singletons="drop")
    assert trivial["all singletons"].conll == 0
    assert trivial["one entity"].conll == 1  # c is not a mention


def test_singletons_of_the_response_can_be_linked() -> None:
    trivial = trivial_of([["a", "b"]], [["a"], ["b"]], singletons="drop")
    assert trivial[BEST].conll == 1


def test_a_mention_that_the_key_lists_twice_is_one_mention() -> None:
    key = [["a", "b"], ["b", "c"]]
    trivial = trivial_of(key, key, duplicates="first")
    assert trivial["one entity"].scores["mentions"].f1 == 1


def test_split_antecedents_have_no_best_score() -> None:
    files = EXAMPLES / "ua-key.ua", EXAMPLES / "ua-response.ua"
    assert [*trivial_of(*files)] == NAMES
    printed = run(*files, "--trivial", code=0)
    assert "'best possible' is not shown" in printed.stderr
    dropped = scoref.score(*files, trivial=True, split_antecedents="drop")
    assert dropped.trivial[BEST].conll > dropped.conll


@pytest.mark.parametrize(
    "names",
    [
        ("key.conll", "response.conll"),
        ("corefud-key.conllu", "corefud-response.conllu"),
        ("ua-key.ua", "ua-response.ua"),
        ("many-key.conll", "many-c.conll"),
        ("ecb-key.conll", "ecb-response.conll"),
    ],
)
def test_the_score_itself_does_not_change(names: tuple[str, str]) -> None:
    key, response = (EXAMPLES / name for name in names)
    result = scoref.score(key, response, trivial=True)
    plain = scoref.score(key, response)
    assert result == plain
    assert (result.signature, plain.trivial) == (plain.signature, {})
    for system in result.trivial.values():
        assert system.signature == plain.signature
        assert system.metrics == plain.metrics


def test_conventions_apply_to_trivial_systems() -> None:
    key, response = EXAMPLES / "many-key.conll", EXAMPLES / "many-b.conll"
    result = scoref.score(key, response, trivial=True, average="macro")
    plain = scoref.score(key, response, trivial=True)
    assert result.trivial["one entity"].conll != plain.trivial["one entity"].conll
    assert result.trivial[BEST].conll >= result.conll


def test_other_words_than_the_key(tmp_path: Path) -> None:
    key, response = tmp_path / "key.jsonl", tmp_path / "response.jsonl"
    key.write_text(document("Ada can not . Ada", [[0, 0], [4, 4]]))
    response.write_text(document("A da can not . Ada", [[0, 1], [5, 5]]))
    result = scoref.score(key, response, trivial=True)
    assert "words:characters" in result.signature
    assert result.trivial["same string"].conll == 1
    assert result.trivial[BEST].conll == 1


sides = st.lists(st.integers(0, 2), min_size=5, max_size=5)


def grouped(names: str, groups: list[int]) -> Entities:
    entities: dict[int, list[str]] = {}
    for name, group in zip(names, groups, strict=False):
        entities.setdefault(group, []).append(name)
    return list(entities.values())


def partitions(names: list[str]) -> Iterator[Entities]:
    """Return all ways to put mentions into entities."""
    if not names:
        yield []
        return
    first, *others = names
    for entities in partitions(others):
        yield [[first], *entities]
        for place, entity in enumerate(entities):
            yield [*entities[:place], [first, *entity], *entities[place + 1 :]]


@given(sides, sides, st.sampled_from(["abcx", "abxy", "acde", "bcdx", "axyz"]))
def test_no_response_with_the_same_mentions_is_better(
    of_key: list[int], of_response: list[int], names: str
) -> None:
    key, response = grouped("abcde", of_key), grouped(names, of_response)
    exact = ["muc", "bcub", "ceafm", "lea"]
    best = trivial_of(key, response, metrics=exact)[BEST]
    for entities in partitions(list(names)):
        other = scoref.score(key, entities, metrics=exact)
        for metric in exact:
            assert other.scores[metric].f1 <= best.scores[metric].f1 + 1e-9


@given(sides, sides, st.sampled_from(["keep", "drop"]))
def test_a_response_is_never_better_than_the_best(
    of_key: list[int], of_response: list[int], singletons: str
) -> None:
    key, response = grouped("abcde", of_key), grouped("acexy", of_response)
    metrics = ["muc", "bcub", "ceafe", "blanc", "lea", "conll", "ari", "vi"]
    result = scoref.score(
        key,
        response,
        trivial=True,
        metrics=metrics,
        singletons=singletons,  # type: ignore[arg-type]
    )
    for metric, score in result.scores.items():
        best = result.trivial[BEST].scores[metric].f1
        assert best <= score.f1 if metric == "vi" else best >= score.f1, metric


@pytest.mark.parametrize("sides", [([], []), ([], [["a"]]), ([["a"]], [])])
def test_a_side_may_be_empty(sides: tuple[Entities, Entities]) -> None:
    result = scoref.score(*sides, trivial=True)
    assert result.trivial[BEST].conll == result.conll


def test_results_with_trivial_systems_can_be_copied_and_reduced() -> None:
    result = scoref.score([["a", "b"]], [["a", "b"]], trivial=True)
    assert copy.deepcopy(result).trivial[BEST] == result.trivial[BEST]
    assert [*result.of_metrics(["muc"]).trivial[BEST].scores] == ["muc"]
    assert result.of_documents([0]).trivial == {}


@pytest.mark.parametrize("trivial", ["yes", 1, None])
def test_trivial_is_true_or_false(trivial: object) -> None:
    with pytest.raises(OptionError, match="trivial must be True or False, not"):
        scoref.score([["a"]], [["a"]], trivial=trivial)  # type: ignore[arg-type]


def test_windows_have_no_trivial_systems() -> None:
    with pytest.raises(OptionError, match="cannot be combined with window"):
        scoref.score("key.conll", "response.conll", trivial=True, window=10)


KEY = str(EXAMPLES / "many-key.conll")
ONE, TWO = (str(EXAMPLES / f"many-{name}.conll") for name in "ab")


def test_one_response_has_a_second_table() -> None:
    printed = run(KEY, f"ours={ONE}", "--trivial", "-m", "muc,conll", code=0).stdout
    first, second, remark, *_ = printed.split("\n\n")
    assert (
        first
        == run(KEY, f"ours={ONE}", "-m", "muc,conll", code=0).stdout.split("\n\n")[0]
    )
    names = [line.rsplit(maxsplit=2)[0] for line in second.splitlines()]
    assert names == ["F₁", "ours", *NAMES, BEST]
    assert remark.startswith("Trivial systems have the mentions of the key.")


def test_several_responses_have_one_table() -> None:
    printed = run(KEY, f"a={ONE}", f"b={TWO}", "--trivial", "-m", "muc", code=0).stdout
    names = [
        line.rsplit(maxsplit=1)[0] for line in printed.split("\n\n")[0].splitlines()
    ]
    best = [f"{BEST} for {name}" for name in "ab"]
    assert names == ["F₁", "a", "b", *NAMES, *best]


def test_trivial_systems_are_neither_ranked_nor_marked() -> None:
    asked = (KEY, f"a={ONE}", f"b={TWO}", "--trivial", "-m", "muc", "--wide")
    printed = run(*asked, "--output", "markdown", code=0).stdout
    rows = {line.split(" | ")[0].strip("| "): line for line in printed.splitlines()}
    assert "| 1 |" in rows["a"]
    assert "**" in rows["a"]
    for name in (*NAMES, f"{BEST} for a"):
        assert "|  |" in rows[name]
        assert "**" not in rows[name]


def test_json_has_the_scores_of_trivial_systems() -> None:
    asked = (KEY, ONE, TWO, "--trivial", "-m", "muc,conll", "--output", "json")
    results = json.loads(run(*asked, code=0).stdout)["results"]
    assert [[*result["trivial"]] for result in results] == [[*NAMES, BEST]] * 2
    system = results[0]["trivial"]["one entity"]
    assert system["muc"]["recall"] == 1
    assert 0 < system["conll"]["f1"] < 1


def test_csv_names_trivial_systems_in_a_column() -> None:
    asked = (KEY, f"a={ONE}", f"b={TWO}", "--trivial", "-m", "muc", "--output", "csv")
    rows = list(csv.DictReader(io.StringIO(run(*asked, code=0).stdout)))
    assert [(row["response"], row["trivial"]) for row in rows] == [
        ("a", ""),
        ("b", ""),
        *(("", name) for name in NAMES),
        ("a", BEST),
        ("b", BEST),
    ]


@pytest.mark.parametrize("output", ["csv", "json", "latex", "text"])
def test_responses_have_intervals_and_trivial_systems_do_not(output: str) -> None:
    asked = (KEY, ONE, "--trivial", "-m", "muc", "--output", output)
    text = run(*asked, "--confidence", "--resamples", "20", code=0).stdout
    if output == "json":
        (result,) = json.loads(text)["results"]
        assert result["confidence"]
        assert all("confidence" not in scores for scores in result["trivial"].values())
    elif output == "text":
        lines = text.splitlines()
        rows = [line for line in lines if line.startswith((ONE, "all singletons"))]
        assert ["[" in row for row in rows] == [True, False]
    else:
        assert "one entity" in text


@pytest.mark.parametrize(
    "option",
    [
        "--per-document",
        "--by=document",
        "--window=10",
        "--beside=litbank",
        "--score-only",
    ],
)
def test_other_tables_are_refused(option: str) -> None:
    message = run(KEY, ONE, "--trivial", option, code=2).stderr
    assert f"--trivial cannot be combined with {option.partition('=')[0]}" in message


@pytest.fixture
def folders(tmp_path: Path) -> tuple[Path, Path, Path]:
    """Return a folder of keys and two of responses, with two datasets each."""
    texts = {
        "key": [[[0, 0], [2, 2]], [[1, 1]]],
        "good": [[[0, 0], [2, 2]]],
        "bad": [[[0, 0], [1, 1]]],
    }
    for side, entities in texts.items():
        (tmp_path / side).mkdir()
        for name in "xy":
            rows = [document("Ada Bob Ada", *entities, name=each) for each in "12"]
            (tmp_path / side / f"{name}.jsonl").write_text("\n".join(rows) + "\n")
    return tmp_path / "key", tmp_path / "good", tmp_path / "bad"


def test_folders_of_datasets_have_averages(folders: tuple[Path, Path, Path]) -> None:
    key, good, bad = folders
    asked = (key, f"good={good}", f"bad={bad}", "--folder", "datasets", "--trivial")
    printed = run(*asked, "-m", "muc", code=0).stdout
    table = printed.split("\n\n")[1].splitlines()
    assert [line.rsplit(maxsplit=1)[0] for line in table] == [
        "F₁, macro average",
        *("good", "bad", *NAMES, f"{BEST} for good", f"{BEST} for bad"),
    ]
    wide = run(*asked, "-m", "muc", "--wide", code=0).stdout
    assert "best possible for bad" in wide
    averages = json.loads(run(*asked, "--output", "json", code=0).stdout)["macro"]
    assert [[*each["trivial"]] for each in averages] == [[*NAMES, BEST]] * 2
    assert averages[0]["trivial"]["same string"]["conll"] == 1
    rows = csv.DictReader(io.StringIO(run(*asked, "--output", "csv", code=0).stdout))
    places = [(row["system"], row["dataset"], row["trivial"]) for row in rows]
    assert dict.fromkeys(places).keys() == {
        *((system, dataset, "") for system in ("good", "bad") for dataset in "xy"),
        *((system, dataset, BEST) for system in ("good", "bad") for dataset in "xy"),
        *(("", dataset, name) for dataset in "xy" for name in NAMES),
    }


def test_a_dataset_without_words_has_no_average(
    folders: tuple[Path, Path, Path],
) -> None:
    key, good, _ = folders
    for folder in (key, good):
        clusters = [[[0, 0], [2, 2]]]
        rows = [json.dumps({"doc_key": name, "clusters": clusters}) for name in "12"]
        (folder / "z.jsonl").write_text("\n".join(rows) + "\n")
    printed = run(key, good, "--folder", "datasets", "--trivial", code=0)
    assert "one entity" in printed.stdout
    assert "same string" not in printed.stdout
    assert "have no average" in " ".join(printed.stderr.split())


def test_a_folder_of_documents_has_trivial_systems(tmp_path: Path) -> None:
    for side in ("key", "response"):
        folder = tmp_path / side
        folder.mkdir()
        for name in "xy":
            text = document("Ada Bob Ada", [[0, 0], [2, 2]], [[1, 1]], name=name)
            (folder / f"{name}.jsonl").write_text(text + "\n")
    asked = (tmp_path / "key", tmp_path / "response", "--folder", "documents")
    printed = run(*asked, "--trivial", "--output", "json", code=0).stdout
    (result,) = json.loads(printed)["results"]
    assert result["trivial"]["same string"]["conll"]["f1"] == 1
    assert [*chain(result["trivial"])] == [*NAMES, BEST]


OF_COLUMNS: dict[str, tuple[str, str, dict[str, Any]]] = {
    "LitBank": ("litbank", "conll", {}),
    "LitBank, `--singletons drop`": ("litbank", "conll", {"singletons": "drop"}),
    "GUM, `--match exact`": ("gum", "conllu", {"match": "exact"}),
    "GUM, `--match exact --singletons keep`": (
        *("gum", "conllu"),
        {"match": "exact", "singletons": "keep"},
    ),
}


@pytest.mark.parametrize("column", OF_COLUMNS)
def test_the_table_of_two_corpora_is_true(column: str) -> None:
    corpus, ending, options = OF_COLUMNS[column]
    folder = ROOT.parent / "shared" / "real"
    if not folder.exists():
        pytest.skip(NO_SHARED)
    paths = [folder / f"{corpus}.{side}.{ending}" for side in ("key", "response")]
    result = scoref.score(*paths, metrics="conll", trivial=True, **options)
    names = ["response", *result.trivial]
    found = {
        name: f"{100 * each.conll:.2f}"
        for name, each in zip(names, [result, *result.trivial.values()], strict=True)
    }
    page = (ROOT / "docs" / "trivial.md").read_text(encoding="utf-8")
    rows = [row.strip("|").split("|") for row in page.splitlines() if row[:1] == "|"]
    cells = [[cell.strip() for cell in row] for row in rows]
    (head,) = (row for row in cells if column in row)
    table = {row[0]: row[head.index(column)] for row in cells if len(row) == len(head)}
    assert found == {name: table[name] for name in names}


def test_the_best_possible_is_named_after_its_response_if_there_are_several() -> None:
    key, *responses = (
        str(EXAMPLES / f"many-{name}.conll") for name in ("key", "a", "b")
    )
    one = run(key, responses[0], "--trivial", "--metrics", "muc").stdout
    assert f"\n{BEST} " in one
    assert f"{BEST} for" not in one
    options = ("--trivial", "--output", "markdown")
    assert "**" not in run(key, responses[0], *options).stdout
    assert "**" in run(key, *responses, *options).stdout
    several = run(key, *responses, "--trivial", "--metrics", "muc").stdout
    for response in responses:
        assert f"\n{BEST} for {response} " in several


def test_csv_has_the_response_of_the_best_possible_alone() -> None:
    key, *responses = (
        str(EXAMPLES / f"many-{name}.conll") for name in ("key", "a", "b")
    )
    options = ("--trivial", "--metrics", "muc", "--output", "csv")
    table = csv.DictReader(io.StringIO(run(key, *responses, *options).stdout))
    assert [(row["response"], row["trivial"]) for row in table] == [
        *((response, "") for response in responses),
        *(("", name) for name in NAMES),
        *((response, BEST) for response in responses),
    ]
