"""Keys and responses in every form in which Python has them."""

from __future__ import annotations

import gzip
import io
import re
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pandas as pd
import polars as pl
import pyarrow as pa
import pytest

import scoref
from scoref import ScorefError
from support.paths import EXAMPLES

if TYPE_CHECKING:
    from collections.abc import Callable

KEY, RESPONSE = EXAMPLES / "key.conll", EXAMPLES / "response.conll"
FORMS: dict[str, Callable[[Path], Any]] = {
    "path": lambda path: path,
    "str": str,
    "bytes": Path.read_bytes,
    "packed": lambda path: gzip.compress(path.read_bytes()),
    "bytearray": lambda path: bytearray(path.read_bytes()),
    "memoryview": lambda path: memoryview(path.read_bytes()),
    "binary file": lambda path: io.BytesIO(path.read_bytes()),
    "text file": lambda path: io.StringIO(path.read_text()),
}


def table(path: Path) -> pd.DataFrame:
    data = scoref.convert(path, "tsv", lossy=True).data
    return pd.read_csv(io.BytesIO(data), sep="\t")


FRAMES: dict[str, Callable[[pd.DataFrame], Any]] = {
    "pandas": lambda frame: frame,
    "polars": pl.from_pandas,
    "lazy polars": lambda frame: pl.from_pandas(frame).lazy(),
    "arrow": pa.Table.from_pandas,
    "floats": lambda frame: frame.astype({"start": float, "end": float}),
    "capitals": lambda frame: frame.rename(columns=str.upper),
}


@pytest.mark.parametrize("form", FORMS.values(), ids=FORMS)
def test_a_file_is_the_same_in_every_form(form: Callable[[Path], Any]) -> None:
    expected = scoref.score(KEY, RESPONSE).scores
    assert scoref.score(form(KEY), form(RESPONSE)).scores == expected
    assert scoref.score(KEY, form(RESPONSE)).scores == expected
    assert scoref.score(form(KEY), RESPONSE).scores == expected


@pytest.mark.parametrize("frame", FRAMES.values(), ids=FRAMES)
def test_a_frame_is_a_table_of_mentions(
    frame: Callable[[pd.DataFrame], Any],
) -> None:
    expected = scoref.score(KEY, RESPONSE).scores
    key, response = frame(table(KEY)), frame(table(RESPONSE))
    assert scoref.score(key, response).scores == expected
    assert scoref.score(key, RESPONSE).scores == expected


FUNCTIONS: dict[str, Callable[[Any, Any], Any]] = {
    "score": lambda key, response: scoref.score(key, response).scores,
    "assert_score": lambda key, response: (
        scoref.assert_score(key, response, conll=0.1).scores
    ),
    "score_slices": lambda key, response: [
        result.scores
        for result in scoref.score_slices(key, response, "entity-size").values()
    ],
    "find_errors": lambda key, response: scoref.find_errors(key, response).costs,
    "explain": lambda key, response: [
        row.scores for row in scoref.explain(key, response).rows
    ],
    "show": lambda key, response: scoref.show(key, response)._text,
    "check": lambda key, response: [
        problem.rule for problem in scoref.check(key, response)
    ],
    "agree": lambda key, response: scoref.agree({"a": key, "b": response}).alpha,
    "agree, by number": lambda key, response: scoref.agree([key, response]).alpha,
    "response to agree": lambda key, response: (
        scoref.agree({"a": str(KEY), "b": key}, response=response).alpha
    ),
    "multiverse": lambda key, response: (
        scoref.multiverse(
            key, {"a": response, "b": str(KEY)}, resamples=5
        ).reference.winner
    ),
    "convert": lambda key, _: scoref.convert(key, "json-lines").data,
    "base": lambda key, _: scoref.convert(table(KEY), "conll-2012", base=key).data,
    "score_bias": lambda key, response: (
        scoref.score_bias(
            (key, response), (str(KEY), str(RESPONSE)), pairs=r"(news/\d+)"
        ).pro.scores
    ),
}


@pytest.mark.parametrize("form", ["bytes", "text file"])
@pytest.mark.parametrize("function", FUNCTIONS.values(), ids=FUNCTIONS)
def test_every_function_takes_every_form(
    function: Callable[[Any, Any], Any], form: str
) -> None:
    expected = function(str(KEY), str(RESPONSE))
    assert function(FORMS[form](KEY), FORMS[form](RESPONSE)) == expected


def test_a_report_takes_every_form(tmp_path: Path) -> None:
    page = str(tmp_path / "page.html")
    systems = {"a": RESPONSE.read_bytes(), "b": io.BytesIO(KEY.read_bytes())}
    scoref.report(KEY.read_bytes(), systems, page, other_keys={"c": KEY.read_bytes()})
    assert Path(page).stat().st_size > 10_000
    scoref.report(table(KEY), table(RESPONSE), page)
    with pytest.raises(ScorefError, match=r"report\(\) needs a file, but the key is"):
        scoref.report([[(0, 1)]], RESPONSE, page)  # type: ignore[arg-type]


def test_answers_of_a_model_may_be_in_memory() -> None:
    key, output = KEY, EXAMPLES / "llm-answers.jsonl"
    expected = scoref.score_output(key, output).result.scores
    with output.open() as file:
        scored = scoref.score_output(key.read_bytes(), file)
    assert scored.result.scores == expected
    with pytest.raises(
        ScorefError, match=r"the output is the text '.Ada.*not the path"
    ):
        scoref.score_output(key, "[Ada](#1) left.\nShe" + " left" * 100)


def test_one_file_may_have_both_sides() -> None:
    line = b'{"doc_key": "d", "clusters": [[[0, 0], [1, 1]]], '
    line += b'"predicted_clusters": [[[0, 0], [1, 1]]]}'
    assert scoref.score(line).conll == 1
    assert scoref.score(io.BytesIO(line)).conll == 1


def test_messages_name_the_side_or_the_file(tmp_path: Path) -> None:
    broken = b"#begin document (d)\nd 0 0 a (1\n\n#end document\n"
    with pytest.raises(scoref.FormatError) as refused:
        scoref.score(KEY, broken)
    assert (refused.value.source, refused.value.line) == ("<response>", 2)
    (tmp_path / "broken.conll").write_bytes(broken)
    with (
        (tmp_path / "broken.conll").open() as file,
        pytest.raises(scoref.FormatError) as refused,
    ):
        scoref.score(KEY, file)
    assert refused.value.source == str(tmp_path / "broken.conll")


def test_a_file_object_is_read_once(tmp_path: Path) -> None:
    with KEY.open("rb") as file:
        with pytest.raises(ScorefError, match="are the same file object"):
            scoref.score(file, file)
        file.read()
        with pytest.raises(ScorefError, match=r"that is at its end[^$]*seek\(0\)"):
            scoref.score(file, RESPONSE)
    with pytest.raises(ScorefError, match=r"cannot be read: .*closed file"):
        scoref.score(file, RESPONSE)
    with (
        (tmp_path / "new").open("w") as new,
        pytest.raises(ScorefError, match="cannot be read: not readable"),
    ):
        scoref.score(KEY, new)


@pytest.mark.parametrize(
    "text",
    [
        KEY.read_text(),
        '{"doc_key": "d", "clusters": []}',
        "[[[0, 1]]]",
        "#begin document (d)",
        "x" * 300,
        "folder/" * 1000,
        "",
    ],
    ids=range(7),
)
def test_a_text_is_not_a_path(text: str) -> None:
    calls: list[Callable[[], object]] = [
        lambda: scoref.score(text, RESPONSE),
        lambda: scoref.score(RESPONSE, text),
        lambda: scoref.check(text),
        lambda: scoref.convert(text, "json-lines"),
        lambda: scoref.Evaluator().update(key=text, response=RESPONSE),
    ]
    for call in calls:
        with pytest.raises(ScorefError, match="is not the path of a file") as refused:
            call()
        assert len(str(refused.value)) < 300
        assert "text.encode()" in str(refused.value)


def test_a_path_may_look_like_a_text(tmp_path: Path) -> None:
    path = tmp_path / "[key\nof a file]"
    path.write_bytes(KEY.read_bytes())
    assert scoref.score(str(path), KEY).conll == 1


@pytest.mark.parametrize(
    ("change", "problem"),
    [
        (lambda frame: frame.drop(columns="entity"), "there is no column 'entity'"),
        (
            lambda frame: pd.concat([frame, frame[["start"]]], axis=1),
            "there are two columns 'start'",
        ),
        (lambda frame: frame.assign(entity=None), "row 0 has no 'entity'"),
        (lambda frame: frame.assign(start=1.5), "1.5 to 1 is not a mention"),
        (lambda frame: frame["entity"], "a Series of shape (15,), not entities"),
    ],
)
def test_a_bad_frame_is_refused(
    change: Callable[[pd.DataFrame], Any], problem: str
) -> None:
    with pytest.raises(ScorefError, match=re.escape(problem)):
        scoref.score(change(table(KEY)), change(table(RESPONSE)))


def test_a_file_without_a_name_is_given_once() -> None:
    with pytest.raises(
        ScorefError, match="annotator 2 is the same file as annotator 1"
    ):
        scoref.agree([KEY, KEY])
    with pytest.raises(ScorefError, match="system 3 is the same file as system 1"):
        scoref.multiverse(KEY, [KEY, RESPONSE, KEY])
    assert scoref.agree({"a": KEY, "b": KEY}).names == ("a", "b")


def test_files_and_entities_cannot_be_mixed() -> None:
    entities = [[(0, 1)]]
    for side in (KEY, KEY.read_bytes(), table(KEY)):
        with pytest.raises(ScorefError, match="the key is a file, but the response is"):
            scoref.score(side, entities)
        with pytest.raises(ScorefError, match="the response is a file, but the key is"):
            scoref.score(entities, side)
    with pytest.raises(ScorefError, match="the key is a file, but 'b' is a list of 1"):
        scoref.multiverse(KEY, {"a": KEY, "b": entities})
    with pytest.raises(ScorefError, match="'a' is a file, but 'b' is a list of 1 list"):
        scoref.agree({"a": KEY, "b": entities})


@pytest.mark.parametrize("value", [3, None, 1.5, object(), KEY.read_text])
def test_other_values_are_described(value: Any) -> None:
    kind = "None" if value is None else type(value).__name__
    with pytest.raises(ScorefError, match=f"the key is (an? )?{kind}"):
        scoref.score(value, [[1]])
    for function in (scoref.check, lambda key: scoref.convert(key, "json-lines")):
        with pytest.raises(ScorefError, match=f"needs a file, but .* {kind}"):
            function(value)
