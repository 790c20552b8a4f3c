"""All errors in columns: what each is about, and who else is wrong there."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from scoref.scoring.evaluate import read_pairs
from scoref.scoring.request import Request
from scoref.tools.errors.analysis import analyse
from scoref.tools.errors.kinds import KINDS
from scoref.tools.report.data import report_of

if TYPE_CHECKING:
    from pathlib import Path

    from scoref.tools.errors.findings import Analysis

    Tmp = Path

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


def descriptions(errors: Any, system: int) -> list[tuple[object, ...]]:  # noqa: ANN401 - JSON
    columns, texts = errors["systems"][system], [*errors["texts"], None]
    rows = zip(
        (KINDS[kind].name for kind in columns["kind"]),
        *(
            [texts[place] for place in columns[name]]
            for name in ("words", "antecedent", "entity")
        ),
        (errors["distances"][place] for place in columns["distance"]),
        columns["more"],
        columns["others"],
        strict=True,
    )
    return list(rows)


def test_errors_name_the_mention_its_antecedent_and_where_it_went(
    tmp_path: Tmp,
) -> None:
    # The one links "him" to Ada, the other leaves "Bob" apart; both miss "her".
    ours = {0: "(1)", 2: "(2)", 4: "(1)", 6: "(1)", 8: "(2)", 11: "(1)"}
    theirs = {0: "(1)", 2: "(2)", 4: "(1)", 6: "(3)", 8: "(3)"}
    report = report_of(analyse_responses(tmp_path, ours=ours, theirs=theirs)).report
    errors: Any = report["errors"]
    assert descriptions(errors, 0) == [
        ("wrong-link", "him", "Bob", "She", "0", 0, 0),
        ("missing-mention", "her", "She", None, "1", 0, 2),
        ("extra-mention", "there", None, "him", "1", 0, 0),
    ]
    assert descriptions(errors, 1) == [
        ("divided-entity", "Bob", "him", None, "first", 0, 0),
        ("missing-mention", "her", "She", None, "1", 0, 1),
    ]
    assert errors["systems"][0]["size"] == [2, 2, 2]  # both entities have 3 mentions
    assert errors["systems"][0]["class"] is None  # CoNLL does not say
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
    assert set(errors["classes"]) <= {"pronoun", "proper", "common", "zero", "other"}
    names = [errors["classes"][place] for place in errors["systems"][0]["class"]]
    assert len(names) == len(errors["systems"][0]["kind"]) > 0
