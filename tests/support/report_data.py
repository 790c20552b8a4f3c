"""The data of reports on examples, checked against the contract with the page."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

from scoref.scoring.evaluate import read_pairs
from scoref.scoring.request import Request
from scoref.tools.errors.analysis import analyse
from scoref.tools.errors.kinds import KINDS
from scoref.tools.report.data import ReportChoice, report_of
from scoref.tools.report.page.contract import read_report, read_text
from support.paths import EXAMPLES

if TYPE_CHECKING:
    from collections.abc import Mapping

    from scoref.tools.errors.findings import Analysis

QUICK = ReportChoice(resamples=50)

Report = dict[str, Any]


def example_systems(*names: str, **options: str) -> dict[str, Analysis]:
    """Analyse responses of the examples, by the names of their files."""
    key, *responses = (next(EXAMPLES.glob(f"{name}.*")) for name in names)
    wanted = Request.of(**options)
    wanted = Request(wanted.format, with_tokens=True, changes=wanted.changes)
    pairs = read_pairs(key, responses, wanted)
    return {
        path.stem: analyse(*pair) for path, pair in zip(responses, pairs, strict=True)
    }


def assemble(
    analyses: Mapping[str, Analysis], choice: ReportChoice = QUICK
) -> tuple[Report, list[Any]]:
    """Assemble a report, and check that it keeps the contract with the page."""
    report, texts = report_of(analyses, choice)
    check_report(report, len(analyses))
    for document, text in zip(report["documents"], texts, strict=True):  # type: ignore[call-overload]
        assert document["has_text"] == (text is not None)
        if text is not None:
            check_text(text, len(analyses))
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
