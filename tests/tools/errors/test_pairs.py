"""Two systems by their errors: who is wrong where the other one is not."""

from __future__ import annotations

import json

import scoref
from scoref.tools.errors.pairs import compare_errors
from support.commands import run
from support.paths import EXAMPLES

FILES = [str(EXAMPLES / f"many-{name}.conll") for name in ("key", "a", "b")]
KEY = {"d": [["a", "b"], ["c", "d"]], "e": [["x", "y"]]}
FIRST = {"d": [["a", "b"], ["c"]], "e": [["x", "y", "z"]]}
SECOND = {"d": [["a", "b"]], "e": [["x", "y", "z"]]}


def test_mentions_are_shared_out_among_the_right_and_the_wrong() -> None:
    systems = {
        name: scoref.find_errors(KEY, response)
        for name, response in (("one", FIRST), ("other", SECOND))
    }
    (pair,) = compare_errors(systems)
    assert (pair.first, pair.second) == ("one", "other")
    rows = {row.kind: row[1:6] for row in pair.kinds}
    assert {kind: row for kind, row in rows.items() if any((*row[:3], row[4]))} == {
        "missing-mention": (1, 0, 0, 6, 1),
        "missing-entity": (0, 2, 0, 5, -1),
        "extra-mention": (0, 0, 1, 6, 0),
        "all": (0, 1, 2, 4, 0),
    }


def test_a_system_is_wrong_where_itself_is() -> None:
    analysis = scoref.find_errors(*FILES[:2])
    (pair,) = compare_errors({"one": analysis, "again": analysis})
    assert all(row.only_first == row.only_second == 0 for row in pair.kinds)
    assert all(row.difference == 0 for row in pair.kinds)
    assert {row.p for row in pair.kinds} == {1.0, None}


def test_p_is_the_share_of_swaps_that_make_as_large_a_difference() -> None:
    key = {name: [["a", "b", "c"]] for name in "1234"}
    # One mention is missing in three documents, and an entity is divided in one.
    first = {name: [["a", "b"]] for name in "123"} | {"4": [["a", "b"], ["c"]]}
    systems = {
        "one": scoref.find_errors(key, first),
        "key": scoref.find_errors(key, key),
    }
    (pair,) = compare_errors(systems)
    tests = {row.kind: (row.p, row.adjusted) for row in pair.kinds if row.p is not None}
    assert tests == {
        "missing-mention": (2 / 8, 2 * 2 / 8),
        "divided-entity": (1.0, 1.0),
        "all": (2 / 16, 3 * 2 / 16),
    }


def test_one_document_is_no_test() -> None:
    systems = {
        name: scoref.find_errors([["a", "b"]], response)
        for name, response in (("one", [["a"]]), ("other", [["b"]]))
    }
    (pair,) = compare_errors(systems)
    assert {(row.p, row.adjusted) for row in pair.kinds} == {(None, None)}


def test_each_pair_of_systems_has_a_table_and_an_object() -> None:
    names = [f"{name}={path}" for name, path in zip("ab", FILES[1:], strict=True)]
    arguments = [FILES[0], *names, f"c={FILES[1]}"]
    text = run("errors", *arguments).stdout
    pairs = ("a and b", "a and c", "b and c")
    assert [line for line in text.splitlines() if line in pairs] == [*pairs]
    losses = text[text.index("From b to c: what c breaks") :].splitlines()
    assert losses[2].split()[:2] == ["Loss", "Errors"]
    assert losses[3].split()[0] == "3.20"
    output = run("errors", *arguments, "--output", "json").stdout
    results = json.loads(output)["results"]
    against = [[other["response"] for other in row["against"]] for row in results]
    assert against == [["b", "c"], ["c"], []]
    assert results[0]["against"][0]["kinds"][-1]["kind"] == "all"


def test_kinds_that_are_not_asked_for_are_not_compared() -> None:
    systems = [f"{name}={path}" for name, path in zip("ab", FILES[1:], strict=True)]
    arguments = [FILES[0], *systems, "--kind", "span"]
    lines = run("errors", *arguments).stdout.splitlines()
    assert len([line for line in lines if line.startswith("span error ")]) == 2
    assert not any(line.startswith(("wrong link", "all ")) for line in lines)
