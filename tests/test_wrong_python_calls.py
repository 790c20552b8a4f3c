"""Natural but wrong calls of the functions of scoref: each is refused, or warns."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
import pytest

import scoref
from support.wrong_files import write_wrong_files

if TYPE_CHECKING:
    from collections.abc import Callable

ENTITIES = [[(0, 1), (5, 5)], [(2, 2), (3, 3)]]
MANY = [[(i, i), (i + 100, i + 101)] for i in range(40)]


def scored(response: str = "a.conll", key: str = "key.conll", **more: Any) -> Any:
    return scoref.score(key, response, **more)


def add_twice(evaluator: scoref.Evaluator) -> None:
    for _ in range(2):
        evaluator.update(key=ENTITIES, response=ENTITIES, document="a")


REFUSED: dict[str, tuple[Callable[[], object], str]] = {
    "texts instead of paths": (
        lambda: scoref.score(Path("key.conll").read_text(), "a.conll"),
        "the key is the text '#begin document",
    ),
    "bytes of no file": (
        lambda: scoref.score(b"these are no data", b"these are no data"),
        "<key>",
    ),
    "several responses": (
        lambda: scoref.score("key.conll", ["a.conll", "b.conll"]),
        "the key is a file, but the response is a list of 2 texts",
    ),
    "a path and entities": (
        lambda: scoref.score("key.conll", ENTITIES),
        "the key is a file, but the response is a list of 2 lists",
    ),
    "no response": (lambda: scoref.score(ENTITIES), "the response is None"),
    "None for a response": (
        lambda: scoref.Evaluator().update(key=ENTITIES, response=None),  # type: ignore[arg-type]
        "the response is None",
    ),
    "spans without entities": (
        lambda: scoref.score([(0, 1), (5, 5)], [(0, 1), (5, 5)]),
        "a list of 2 tuples of two numbers, which may be mentions or entities",
    ),
    "spans, one of them twice": (
        lambda: scoref.score([(0, 1), (5, 5, 5)], [(0, 1), (5, 5, 5)]),
        "an entity is a list of mentions, not the span (5, 5, 5)",
    ),
    "entities by label instead of documents": (
        lambda: scoref.score({"E1": [(0, 1)]}, {"E1": [(0, 1)]}),
        "document 'E1' of the key is a list of 1 tuple of two numbers",
    ),
    "records instead of entities": (
        lambda: scoref.score([{"doc_key": "d", "clusters": []}], [{"clusters": []}]),
        "an entity is a list of mentions, not the text 'd'",
    ),
    "words": (
        lambda: scoref.score(["Ada", "she"], ["Ada", "she"]),
        "the key is a list of 2 texts, not entities",
    ),
    "labels": (
        lambda: scoref.score([0, 0, 1], [0, 1, 1]),  # type: ignore[arg-type]
        "For one label per item, use scoref.score_table.",
    ),
    "an array of labels": (
        lambda: scoref.score(np.array([0, 0, 1]), np.array([0, 1, 1])),
        "the key is an ndarray of shape (3,), not entities",
    ),
    "mentions as dicts": (
        lambda: scoref.score([[{"start": 0}]], [[{"start": 0}]]),
        "unhashable type: 'dict'",
    ),
    "other documents": (
        lambda: scoref.score({"a": ENTITIES}, {"b": ENTITIES}),
        "document 'a' is not in response",
    ),
    "documents on one side": (
        lambda: scoref.score({"a": ENTITIES}, ENTITIES),
        "one side is a dict of documents and the other is not",
    ),
    "a misspelt metric": (lambda: scored(metrics=["mucc"]), "Did you mean muc?"),
    "no metric": (lambda: scored(metrics=[]), "no metric was given"),
    "singletons as a truth value": (
        lambda: scored(singletons=False),
        "unknown value of 'singletons' 'False'. Known: keep, drop",
    ),
    "lenient as a text": (
        lambda: scored(lenient="no"),
        "lenient must be True or False",
    ),
    "a misspelt scheme": (lambda: scored(scheme="conll"), "Did you mean conll-2012?"),
    "an evaluator without documents": (
        lambda: scoref.Evaluator().compute(),
        "Call update() first",
    ),
    "a document twice": (
        lambda: add_twice(scoref.Evaluator()),
        "document 'a' was added before",
    ),
    "one system": (
        lambda: scoref.compare({"a": scored()}),
        "needs the results of two systems or more",
    ),
    "a list of files to compare": (
        lambda: scoref.compare(["a.conll", "b.conll"]),  # type: ignore[list-item]
        "compare() takes a result, not the text 'a.conll'",
    ),
    "a text to compare": (
        lambda: scoref.compare("a.conll"),  # type: ignore[arg-type]
        "compare() takes a dict or a list of results, not the text 'a.conll'",
    ),
    "files to compare": (
        lambda: scoref.compare({"a": "a.conll", "b": "b.conll"}),  # type: ignore[dict-item]
        "compare() takes a result, not the text 'a.conll'",
    ),
    "figures to compare": (
        lambda: scoref.compare({"a": 0.8, "b": 0.9}),  # type: ignore[dict-item]
        "compare() takes a result, not a float",
    ),
    "other documents to compare": (
        lambda: scoref.compare(
            {"a": scored(), "b": scored("half.conll", "half-key.conll")}
        ),
        "do not have the same documents",
    ),
    "other conventions to compare": (
        lambda: scoref.compare({"a": scored(), "b": scored(singletons="drop")}),
        "singletons is drop for b, keep for a",
    ),
    "other keys to compare": (
        lambda: scoref.compare({"a": scored(), "b": scored("b.conll", "a.conll")}),
        "the key is a.conll for b, key.conll for a",
    ),
    "a negative seed": (
        lambda: scoref.compare({"a": scored(), "b": scored("b.conll")}, seed=-1),
        "seed must be 0 or more, not -1",
    ),
    "half a draw": (
        lambda: scoref.confidence(scored(), resamples=1.5),  # type: ignore[arg-type]
        "resamples must be a whole number, not 1.5",
    ),
    "a level of everything": (
        lambda: scoref.confidence(scored(), level=100),
        "level 100 is not between 0 and 100 percent",
    ),
    "intervals of a file": (
        lambda: scoref.confidence("key.conll"),  # type: ignore[arg-type]
        "confidence() takes a result, not the text 'key.conll'",
    ),
    "intervals of several files": (
        lambda: scoref.confidence(["key.conll"]),  # type: ignore[list-item]
        "confidence() takes a result, not the text 'key.conll'",
    ),
    "intervals of nothing": (
        lambda: scoref.confidence([]),
        "there are no runs. Give at least one result",
    ),
    "entities that were not counted": (
        lambda: scoref.confidence(scored(), unit="entities"),
        "scored with with_blocks=True",
    ),
    "an unknown slice": (
        lambda: scoref.score_slices("key.conll", "a.conll", by="gender"),
        "Did you mean genre?",
    ),
    "parts of speech of CoNLL-2012": (
        lambda: scoref.score_slices("key.conll", "a.conll", by="upos"),
        "because only they have heads of mentions",
    ),
    "files for folders": (
        lambda: scoref.score_folders("key.conll", "a.conll"),
        "is not a folder",
    ),
    "a response as a result": (
        lambda: scoref.load_result("a.conll"),
        "this is not a result of scoref",
    ),
    "a path before a result": (
        lambda: scoref.save_result("x.json", scored()),  # type: ignore[arg-type]
        "save_result() takes a result, not the text 'x.json'",
    ),
    "scores as a result": (
        lambda: scoref.save_result(scored().scores, "x.json"),
        "save_result() takes a result, not",
    ),
    "nothing to assert": (
        lambda: scoref.assert_score("key.conll", "a.conll"),
        "no minimum was given",
    ),
    "a percentage to assert": (
        lambda: scoref.assert_score("key.conll", "a.conll", conll=80),
        "conll=80 is not a fraction. Write 0.8 for 80 %",
    ),
    "errors of a file that is not there": (
        lambda: scoref.find_errors("key.conll", "nowhere.conll"),
        "nowhere.conll: cannot be read",
    ),
    "one annotator": (lambda: scoref.agree(["key.conll"]), "at least two annotators"),
    "an annotator twice": (
        lambda: scoref.agree(["key.conll", "key.conll"]),
        "annotator 2 is the same file as annotator 1",
    ),
    "a file as the target": (
        lambda: scoref.convert("key.conll", "out.jsonl"),
        "unknown format 'out.jsonl'",
    ),
    "an unknown side": (
        lambda: scoref.convert("key.conll", "json-lines", side="gold"),  # type: ignore[arg-type]
        "unknown side 'gold'. Known: key, response",
    ),
    "several files to convert": (
        lambda: scoref.convert(["key.conll", "a.conll"], "json-lines"),
        "several files can only be converted to one with merge=",
    ),
    "a file to check that is not there": (
        lambda: scoref.check("nowhere.conll"),
        "nowhere.conll: cannot be read",
    ),
    "one response in many settings": (
        lambda: scoref.multiverse("key.conll", "a.conll"),
        "multiverse() takes several responses, not the text 'a.conll'",
    ),
}
DOUBTFUL: dict[str, tuple[Callable[[], Any], str]] = {
    "an error rate for intervals": (
        lambda: scoref.confidence(scored(), level=0.05),
        "The confidence level is 5 percent",
    ),
    "the key twice": (
        lambda: scored("key.conll"),
        "key.conll was given as the key and as the response",
    ),
    "the key's entities twice": (
        lambda: scoref.score(MANY, MANY),
        "response has the same mentions and entities as the key",
    ),
    "no entities": (
        lambda: scoref.score(ENTITIES, []),
        "The response has no mentions",
    ),
    "offsets as texts": (
        lambda: scoref.score([[("0", "1"), ("5", "5")]], [[(0, 1), (5, 5)]]),
        "No mention of the response can be equal to one of the key",
    ),
    "exclusive ends": (
        lambda: scoref.score(MANY, [[(i, j + 1) for i, j in each] for each in MANY]),
        "None of the 80 response mentions match the key, so the figures are too low.",
    ),
    "no links": (
        lambda: scoref.score(MANY, [[span] for each in MANY for span in each]),
        "all 80 entities of the response are singletons",
    ),
    "one entity": (
        lambda: scoref.score(MANY, [[span for each in MANY for span in each]]),
        "the response has one entity, but the key has 40 entities",
    ),
    "a system and itself": (
        lambda: scoref.compare({"a": scored(), "b": scored()}, resamples=50),
        "a and b have the same counts in every document",
    ),
    "the key, explained": (
        lambda: scoref.explain("key.conll", "key.conll"),
        "key.conll was given as the key and as the response",
    ),
    "a system without mentions in many settings": (
        lambda: scoref.multiverse(
            "key.conll", ["a.conll", "no-mentions.conll"], resamples=5
        ),
        "no-mentions.conll: The response has no mentions",
    ),
}


@pytest.fixture(autouse=True)
def place(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    write_wrong_files(tmp_path)


@pytest.mark.parametrize(("call", "message"), REFUSED.values(), ids=REFUSED.keys())
def test_a_wrong_call_is_refused(call: Callable[[], object], message: str) -> None:
    with pytest.raises(scoref.ScorefError) as raised:
        call()
    assert message in str(raised.value)
    assert not Path("x.json").exists()


@pytest.mark.parametrize(("call", "message"), DOUBTFUL.values(), ids=DOUBTFUL.keys())
def test_a_doubtful_call_gets_a_warning(call: Callable[[], Any], message: str) -> None:
    notes = [note.message for note in call().notes]
    assert any(note.startswith(f"warning: {message}") for note in notes), notes


def test_one_key_may_have_two_paths() -> None:
    Path("copy.conll").write_bytes(Path("key.conll").read_bytes())
    systems = {"a": scored(), "b": scored("b.conll", "copy.conll")}
    assert scoref.compare(systems, resamples=50).documents == 24


@pytest.mark.parametrize("name", ["README.md", "pointer.conll", "page.conll"])
def test_check_finds_that_a_file_is_another_one(name: str) -> None:
    assert scoref.check(name)
