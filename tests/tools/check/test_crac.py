"""The rules of the official validator: what breaks them, and what is repaired."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, NamedTuple

import pytest

from scoref.errors import OptionError
from scoref.tools.check.check import check, check_data
from scoref.tools.check.crac.rules import INACTIVE, OFFICIAL_RULES
from scoref.tools.check.crac.validation import validate
from scoref.tools.check.repairs import repair
from support.commands import run
from support.official_validator import CLEAN

if TYPE_CHECKING:
    from pathlib import Path


class Change(NamedTuple):
    """A change to the clean file, and an official rule that it breaks."""

    rule: str
    old: str
    new: str


E1, E2, E4 = "(e1-animal-3-", "(e2-person-2-", "(e4-person-1-)"
DOWN = "3\tdown\tdown\tADV\tRB\t_\t2\tadvmod\t2:advmod\tBridge=e1<e6:part|"

CHANGES = [
    Change("misplaced-comment", "2\tmayor\t", "# x\n2\tmayor\t"),
    Change("pseudo-empty-line", "\n\n# sent_id = s2", "\n \n# sent_id = s2"),
    Change("empty-sentence", "\n\n# sent_id = s2", "\n\n\n# sent_id = s2"),
    Change("invalid-line", "5\tsaw", "x5\tsaw"),
    Change("number-of-columns", "\t2\tdet\t2:det", "\t2\t2:det"),
    Change("invalid-whitespace-mwt", "2-3\tmayor's", "2-3\tmayor 's"),
    Change("invalid-whitespace", "\tDT\t", "\tD T\t"),
    Change("empty-column", "\tDT\t", "\t\t"),
    Change("leading-whitespace", "\tthe\t", "\t the\t"),
    Change("trailing-whitespace", "\tthe\t", "\tthe \t"),
    Change("repeated-whitespace", "\tthe\t", "\tt  he\t"),
    Change("invalid-word-id", "4.1\t_", "4,1\t_"),
    Change("misplaced-empty-node", "4.1\t_", "4.2\t_"),
    Change("word-interval-out", "2-3\t", "2-30\t"),
    Change("mwt-nonempty-field", "mayor's\t_", "mayor's\tx"),
    Change("empty-node-nonempty-field", "PRON\t_\t_\t_\t_\t", "PRON\t_\t_\t_\tdep\t"),
    Change("unknown-upos", "\tDET\t", "\tDETERMINER\t"),
    Change("unsorted-features", "Mood=Ind|Tense=Past", "Tense=Past|Mood=Ind"),
    Change("invalid-feature", "Mood=Ind|Tense=Past", "Mood"),
    Change("repeated-feature-value", "Mood=Ind|", "Mood=Ind,Ind|"),
    Change("unsorted-feature-values", "Mood=Ind|", "Mood=Ind,Cnd|"),
    Change("repeated-feature", "Mood=Ind|", "Mood=Cnd|Mood=Ind|"),
    Change("invalid-deprel", "\tdet\t", "\tDet\t"),
    Change("unknown-udeprel", "\tdet\t", "\tarticle\t"),
    Change("unsorted-deps", "5:obj|9:nsubj", "9:nsubj|5:obj"),
    Change("unsorted-deps-2", "5:obj|9:nsubj", "5:obj|5:nsubj"),
    Change("repeated-deps", "5:obj|9:nsubj", "5:obj|5:obj"),
    Change("deps-self-loop", "5:obj|9:nsubj", "5:obj|6:nsubj"),
    Change("invalid-edeprel", "5:obj|9:nsubj", "5:obj|9:Nsubj"),
    Change("unknown-eudeprel", "5:obj|9:nsubj", "5:obj|9:subject"),
    Change("repeated-misc", "|SpaceAfter=No\n7", "|SpaceAfter=No|SpaceAfter=No\n7"),
    Change("invalid-deps", "5:obj|9:nsubj", "5:obj|9"),
    Change("unknown-ehead", "5:obj|9:nsubj", "5:obj|99:nsubj"),
    Change("head-self-loop", "\t2\tdet\t", "\t1\tdet\t"),
    Change("multiple-roots", "\t2\tdet\t", "\t0\tdet\t"),
    Change("unconnected-egraph", "\t2:nsubj:xsubj\t", "\t_\t"),
    Change("missing-sent-id", "# sent_id = s1\n", ""),
    Change("multiple-sent-id", "# sent_id = s1\n", "# sent_id = s1\n# sent_id = s0\n"),
    Change("non-unique-sent-id", "# sent_id = s2", "# sent_id = s1"),
    Change("slash-in-sent-id", "# sent_id = s2", "# sent_id = a/b/c"),
    Change("invalid-parallel-id", "pud/n1/alt1", "pud"),
    Change("multiple-parallel-id", "# text = It", "# parallel_id = a/b\n# text = It"),
    Change("parallel-id-alt", "pud/n1/alt1", "pud/n1/alt2"),
    Change("parallel-id-part", "pud/n1/alt1", "pud/n1/part2"),
    Change("multiple-newdoc", "# newdoc d2\n", "# newdoc\n# newdoc\n"),
    Change("multiple-newpar", "# newpar\n", "# newpar\n# newpar\n"),
    Change(
        "spaceafter-newdocpar", "(e6-place-1-)\n\n", "(e6-place-1-)|SpaceAfter=No\n\n"
    ),
    Change("missing-text", "# text = It rained\n", ""),
    Change("multiple-text", "# text = It", "# text = x\n# text = It"),
    Change("text-trailing-whitespace", "rained\n1", "rained \n1"),
    Change("nospaceafter-yes", "\t5:punct\t_", "\t5:punct\tNoSpaceAfter=Yes"),
    Change("spaceafter-value", "\t5:punct\t_", "\t5:punct\tSpaceAfter=Yes"),
    Change("spaceafter-empty-node", E4 + "\n5", E4 + "|SpaceAfter=No\n5"),
    Change("spaceafter-mwt-node", "\t2:case\t_", "\t2:case\tSpaceAfter=No"),
    Change("missing-spaceafter", "6:acl:relcl\tSpaceAfter=No", "6:acl:relcl\t_"),
    Change("text-extra-chars", "It rained\n", "It rained down\n"),
    Change(
        "global-entity-mismatch",
        "# newdoc d2\n",
        "# newdoc d2\n# global.Entity = eid-etype-head\n",
    ),
    Change(
        "spurious-global-entity", "eid-etype-head-other", "eid-etype-head-grp-other"
    ),
    Change(
        "entity-mwt",
        "mayor's\t_\t_\t_\t_\t_\t_\t_\t_",
        "mayor's\t_\t_\t_\t_\t_\t_\t_\tEntity=(e9-person-1-)",
    ),
    Change(
        "multiple-entity-statements", "Entity=e1)", "Entity=e1)|Entity=(e9-person-1-)"
    ),
    Change(
        "multiple-bridge-statements", "Bridge=e1<e6:part|", "Bridge=e1<e6|Bridge=e2<e6|"
    ),
    Change(
        "multiple-splitante-statements",
        "|SplitAnte=e1<e4,e3<e4",
        "|SplitAnte=e1<e4|SplitAnte=e3<e4",
    ),
    Change("bridge-without-entity", "5:cc\t_", "5:cc\tBridge=e1<e6"),
    Change("splitante-without-entity", "5:cc\t_", "5:cc\tSplitAnte=e1<e6,e2<e6"),
    Change(
        "spurious-entity-statement", "Entity=(e7-event-1-)", "Entity=(e7-event-1-)e7"
    ),
    Change("too-many-entity-attributes", "(e7-event-1-)", "(e7-event-1----)"),
    Change("spurious-entity-id", "(e7-event-1-)", "(e7[1/1]-event-1-)"),
    Change("misplaced-mention-part", "(e5[2/2]-", "(e5[3/3]-"),
    Change("mention-attribute-mismatch", "(e5[2/2]-event-1-", "(e5[2/2]-event-2-"),
    Change("spurious-entity-type", "(e7-event-1-)", "(e7-events-1-)"),
    Change("spurious-mention-head", "(e7-event-1-)", "(e7-event-0-)"),
    Change("entity-type-mismatch", E4 + "\n5", "(e4-animal-1-)\n5"),
    Change("ill-nested-entities", "Entity=(e7-event-1-)", "Entity=e9)(e7-event-1-)"),
    Change("ill-nested-entities-warning", E1 + E2, E2 + E1),
    Change("mention-head-out-of-range", "(e7-event-1-)", "(e7-event-2-)"),
    Change("same-span-entity-mentions", "(e7-event-1-)", "(e7-event-1-)(e8-event-1-)"),
    Change("spurious-bridge-statement", "Bridge=e1<e6:part", "Bridge=e1"),
    Change("spurious-bridge-relation", "Bridge=e1<e6:part", "Bridge=e6<e6"),
    Change("misplaced-bridge-statement", "Bridge=e1<e6:part", "Bridge=e6<e1"),
    Change("repeated-bridge-relation", "Bridge=e1<e6:part", "Bridge=e1<e6,e1<e6"),
    Change(
        "bridge-relation-mismatch",
        "(e6-place-1-)\n\n",
        "(e6-place-1-)|Bridge=e1<e6\n\n",
    ),
    Change("spurious-splitante-statement", "SplitAnte=e1<e4,e3<e4", "SplitAnte=e1"),
    Change(
        "spurious-splitante-relation", "SplitAnte=e1<e4,e3<e4", "SplitAnte=e1<e4,e4<e4"
    ),
    Change(
        "misplaced-splitante-statement",
        "SplitAnte=e1<e4,e3<e4",
        "SplitAnte=e1<e5,e3<e5",
    ),
    Change(
        "repeated-splitante-relation", "SplitAnte=e1<e4,e3<e4", "SplitAnte=e1<e4,e1<e4"
    ),
    Change("only-one-split-antecedent", "SplitAnte=e1<e4,e3<e4", "SplitAnte=e1<e4"),
    Change("split-antecedent-mismatch", E4 + "\n5", E4 + "|SplitAnte=e1<e4,e3<e4\n5"),
    Change("cross-sentence-mention", "(e7-event-1-)", "(e7-event-1-"),
    Change("empty-misc", "(e7-event-1-)", "(e7-event-1-)|"),
    Change("empty-misc-key", "\t5:punct\t_", "\t5:punct\t=b"),
    Change("misc-extra-space", "\t5:punct\t_", "\t5:punct\tA =b"),
    Change("misc-attr-typo", "\t5:punct\t_", "\t5:punct\tgloss=b"),
    Change("text-form-mismatch", "ran.\n", "run.\n"),
    Change("unknown-head", "\t2\tdet\t", "\t99\tdet\t"),
    Change(
        "overlapping-word-intervals",
        "2\tmayor\t",
        "2-4\tx" + "\t_" * 8 + "\n2\tmayor\t",
    ),
    Change("unicode-normalization", "# newpar", "# caf" + "e\u0301"),
    Change("non-unix-newline", "# newpar\n", "# newpar\r\n"),
    Change(
        "edeps-only-sometimes",
        "\t2:expl\t_\n2\trained\train\tVERB\tVBD\tMood=Ind|Tense=Past\t0\troot\t0:root",
        "\t_\t_\n2\trained\train\tVERB\tVBD\t_\t0\troot\t_",
    ),
    Change(
        "entity-without-global-entity",
        "# global.Entity = eid-etype-head-other-identity\n",
        "",
    ),
    Change(
        "non-unique-parallel-id",
        "# sent_id = s2\n",
        "# sent_id = s2\n# parallel_id = pud/n1/alt1\n",
    ),
    Change("word-id-sequence", "5\trested", "7\trested"),
    Change("missing-empty-line", "(e7-event-1-)\n\n", "(e7-event-1-)\n"),
    Change("reversed-word-interval", "2-3\t", "3-2\t"),
    Change("empty-text", "# text = It rained\n", "# text =\n"),
    Change("empty-string-in-xpos", "\tDT\t", "\t\t"),
    Change("entity-identity-mismatch", E4 + "\n5", "(e4-person-1--Q1)\n5"),
    Change("invalid-sent-id", "# sent_id = s2", "# sent_id = s 2"),
    Change("invalid-head", "\t2\tdet\t", "\tx\tdet\t"),
    Change("invalid-ehead", "5:obj|9:nsubj", "x:obj|9:nsubj"),
    Change("entity-across-newdoc", "(e7-event-1-)", E4),
    Change("validator-stops", "eid-etype-head-other-identity", "eid-head"),
    Change("non-tree", "\t4\tnmod:poss\t", "\t1\tnmod:poss\t"),
    Change("misplaced-word-interval", "3\t's\t", "2-3\tx" + "\t_" * 8 + "\n3\t's\t"),
    Change(
        "crossing-mentions-same-entity",
        f"(e5[1/2]-event-1-)\n{DOWN}Entity=",
        f"(e5-event-1-(e5[1/2]-event-1-)\n{DOWN}Entity=e5)",
    ),
]
"""Changes, each of which breaks a rule, and perhaps others as a consequence."""


def changed(change: Change) -> bytes:
    text = CLEAN.decode()
    assert change.old in text
    return text.replace(change.old, change.new, 1).encode()


every_change = pytest.mark.parametrize(
    "change", CHANGES, ids=lambda change: change.rule
)


@every_change
def test_a_change_breaks_its_rule_and_the_place_is_marked(change: Change) -> None:
    data = changed(change)
    problems = [
        problem for problem in validate(data, source="x") if problem.rule == change.rule
    ]
    assert problems
    for problem in problems:
        assert problem.official == problem.rule
        assert problem.severity == OFFICIAL_RULES[problem.rule].rule.severity
        assert problem.hint.endswith(".")
        assert problem.line is not None
        assert problem.line <= len(data.decode().split("\n"))
        if problem.mark is not None:
            assert problem.mark[0] < problem.mark[1] <= len(problem.text)


def test_every_official_rule_is_broken_by_a_change() -> None:
    assert {change.rule for change in CHANGES} == {*OFFICIAL_RULES}


@every_change
def test_the_profile_fails_only_for_errors_of_the_validator(
    change: Change, tmp_path: Path
) -> None:
    path = tmp_path / "x.conllu"
    path.write_bytes(changed(change))
    result = run("check", "--profile", "crac", str(path), "--output", "json")
    problems = json.loads(result.stdout)["results"]
    official = {row["official"] for row in problems if row["severity"] == "error"}
    assert "" not in official
    assert result.exit_code == (1 if official else 0)
    assert change.rule in {row["official"] for row in problems}


def test_a_clean_file_has_exit_code_0_with_notes_of_scoref(tmp_path: Path) -> None:
    path = tmp_path / "x.conllu"
    path.write_bytes(CLEAN)
    assert run("check", "--profile", "crac", str(path)).exit_code == 0
    # scoref misses a document at the start, which the validator does not.
    path.write_bytes(CLEAN.replace(b"# newdoc id = d1\n", b"", 1))
    result = run("check", "--profile", "crac", str(path))
    assert result.exit_code == 0
    assert "note[missing-newdoc]" in result.stdout


def test_an_empty_cell_is_an_empty_attribute_as_well() -> None:
    data = CLEAN.replace(b"\tEntity=(e7-event-1-)", b"\t")
    names = [problem.rule for problem in validate(data, source="x")]
    assert names == ["empty-column", "empty-misc"]


def test_inactive_rules_are_notes() -> None:
    assert {OFFICIAL_RULES[name].rule.severity for name in INACTIVE} == {"note"}


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("\n\n# sent_id = s2", "\n \n# sent_id = s2"),
        ("\n\n# sent_id = s2", "\n\n\n# sent_id = s2"),
        ("(e7-event-1-)\n\n", "(e7-event-1-)\n"),
        ("(e7-event-1-)", "(e7[1/1]-event-1-)"),
        ("e1<e4,e3<e4", "e1<e4,e3<e4,e1<e4"),
        ("\n", "\r\n"),
    ],
)
def test_what_has_one_right_answer_is_repaired(old: str, new: str) -> None:
    count = -1 if old == "\n" else 1
    data = CLEAN.decode().replace(old, new, count).encode()
    assert any(
        problem.can_fix for problem in check_data(data, source="x", profile="crac")
    )
    repaired = repair(data, source="x", profile="crac")
    assert repaired.data == CLEAN
    assert sum(repaired.counts.values()) > 0


def test_other_impossible_parts_are_not_repaired() -> None:
    data = CLEAN.replace(b"(e7-event-1-)", b"(e7[3/2]-event-1-)")
    problems = check_data(data, source="x", profile="crac")
    assert not any(problem.can_fix for problem in problems)
    assert repair(data, source="x", profile="crac").data == data


def test_without_a_profile_faults_of_entities_are_warnings() -> None:
    data = CLEAN.replace(
        b"mayor's\t_\t_\t_\t_\t_\t_\t_\t_", b"mayor's" + b"\t_" * 7 + b"\tEntity=(e9)"
    )
    (problem,) = check_data(data, source="x")
    assert (problem.rule, problem.severity, problem.line) == (
        "entity-mwt",
        "warning",
        6,
    )
    assert check_data(CLEAN, source="x") == []


def test_an_unknown_profile_is_refused() -> None:
    with pytest.raises(OptionError, match="profile"):
        check(CLEAN, profile="ud")
    assert run("check", "--profile", "ud", "x.conllu").exit_code == 2


def test_a_profile_cannot_be_combined_with_a_key() -> None:
    with pytest.raises(OptionError, match="on its own"):
        check(CLEAN, CLEAN, profile="crac")
    assert run("check", "--profile", "crac", "--key", "a", "b").exit_code == 2


def test_deps_may_be_left_out_in_a_sentence_with_a_multiword_token() -> None:
    rows = (
        "1-2\tHesaw\t_\t_\t_\t_\t_\t_\t_\t_",
        "1\tHe\t_\tPRON\t_\t_\t2\tnsubj\t_\t_",
        "2\tsaw\t_\tVERB\t_\t_\t0\troot\t_\t_",
    )
    names = "# newdoc id = d\n# sent_id = s\n# text = Hesaw\n"
    text = names + "\n".join(rows) + "\n\n"
    lost = text.replace("\troot\t_", "\troot\t0:root")
    short = text.replace("2\tnsubj\t_\t_", "2\tnsubj\t_")
    zero = text.replace("\troot\t_\t_\n", "\troot\t_\t_\n2.1\tit" + "\t_" * 8 + "\n")
    assert zero != text
    rules = [
        {problem.rule for problem in validate(data.encode(), source="x")}
        for data in (text, lost, short, zero)
    ]
    found = ["unconnected-egraph" in broken for broken in rules]
    assert found == [False, True, False, True]


@pytest.mark.parametrize(
    ("new", "marked"), [("5:obj|9:Nsubj", "Nsubj"), ("5:obj|9:", "5:obj|9:")]
)
def test_the_relation_is_marked_unless_it_is_empty(new: str, marked: str) -> None:
    data = CLEAN.decode().replace("5:obj|9:nsubj", new, 1).encode()
    (problem,) = (
        problem
        for problem in validate(data, source="x")
        if problem.rule == "invalid-edeprel"
    )
    assert problem.mark is not None
    assert problem.text[slice(*problem.mark)] == marked


@pytest.mark.parametrize(
    ("first", "second", "message"),
    [
        ("alt1", "", "earlier sentences with this parallel_id have 'alt'"),
        ("", "alt1", "earlier sentences with this parallel_id have no 'alt'"),
        ("alt1", "alt3", "expected alt2"),
        ("alt1", "alt2", None),
    ],
)
def test_alternatives_are_numbered_or_not(
    first: str, second: str, message: str | None
) -> None:
    ids = [f"pud/n2/{number}".rstrip("/") for number in (first, second)]
    data = CLEAN.decode().replace(
        "# sent_id = s1\n", f"# sent_id = s1\n# parallel_id = {ids[0]}\n", 1
    )
    data = data.replace(
        "# sent_id = s2\n", f"# sent_id = s2\n# parallel_id = {ids[1]}\n", 1
    )
    messages = [
        problem.message
        for problem in validate(data.encode(), source="x")
        if problem.rule == "parallel-id-alt"
    ]
    assert messages == ([] if message is None else [message])


@pytest.mark.parametrize(
    ("old", "new", "second"),
    [
        ("Entity=e1)", "Entity=e1)|Entity=(e9-person-1-)", "Entity=(e9-person-1-)"),
        ("Bridge=e1<e6:part|", "Bridge=e1<e6|Bridge=e2<e6|", "Bridge=e2<e6"),
    ],
)
def test_of_two_statements_the_second_one_is_marked(
    old: str, new: str, second: str
) -> None:
    data = changed(Change("multiple-entity-statements", old, new))
    (problem,) = (
        problem
        for problem in validate(data, source="x")
        if problem.rule in {"multiple-entity-statements", "multiple-bridge-statements"}
    )
    assert problem.mark is not None
    assert problem.text[slice(*problem.mark)] == second
