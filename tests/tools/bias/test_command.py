"""Natural but wrong calls of `scoref bias` and `scoref gap`."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

import pytest

from support.commands import run
from support.paths import EXAMPLES

if TYPE_CHECKING:
    from pathlib import Path

RIGHT = "pro.key.conll pro.conll anti.key.conll anti.conll"
BIAS_ERRORS = {
    "one half": ("pro.key.conll pro.conll", 2, "missing argument 'ANTI_KEY'"),
    "no response": (
        "pro.key.conll pro.conll anti.key.conll",
        2,
        "missing argument 'ANTI_RESPONSE'",
    ),
    "a shorter half": (
        "pro.key.conll pro.conll short.key.conll short.conll",
        1,
        "has no document in short.key.conll",
    ),
    "a shorter response": (
        "pro.key.conll pro.conll anti.key.conll short.conll",
        1,
        "is not in short.conll",
    ),
    "documents without pairs": (
        "many-key.conll many-a.conll anti.key.conll anti.conll",
        1,
        "does not match --pair-pattern '//(\\d+)'",
    ),
    "an empty response": (
        "pro.key.conll pro.conll anti.key.conll empty.conll",
        1,
        "this file has no document",
    ),
    "a broken pattern": (f"{RIGHT} --pair-pattern (", 2, "is not a regular expression"),
    "no group": (f"{RIGHT} --pair-pattern [0-9]+", 2, "--pair-pattern needs a group"),
    "one pair": (f"{RIGHT} --pair-pattern (nw)", 1, "are both in pair 'nw'"),
    "a level": (f"{RIGHT} --confidence 101", 2, "is not between 0 and 100 percent"),
    "an unknown metric": (f"{RIGHT} --metrics ceaf", 2, "unknown metric 'ceaf'"),
}
BIAS_WARNINGS = {
    "one half twice": (
        "pro.key.conll pro.conll pro.key.conll pro.conll",
        "'pro.key.conll' was given as the key of both halves",
    ),
    "one response twice": (
        "pro.key.conll pro.conll anti.key.conll ./pro.conll",
        "'pro.conll' was given as the response of both halves",
    ),
    "halves in the wrong order": (
        "anti.key.conll anti.conll pro.key.conll pro.conll",
        "anti.key.conll was given for the pro half. If the halves are swapped",
    ),
    "responses in the wrong order": (
        "pro.key.conll anti.conll anti.key.conll pro.conll",
        "anti.conll was given for the pro half. If the halves are swapped",
    ),
    "keys first": (
        "pro.key.conll anti.key.conll pro.conll anti.conll",
        "anti.key.conll has the same mentions and entities as the key",
    ),
    "keys as responses": (
        "pro.key.conll pro.key.conll anti.key.conll anti.key.conll",
        "was given as the key and as the response",
    ),
}
GAP_ERRORS = {
    "no answers": ("key.tsv", 2, "missing argument 'SYSTEM'"),
    "the wrong order": ("answers.tsv key.tsv", 1, "column 'ID' is missing"),
    "the key twice": ("key.tsv key.tsv", 1, "the key has no example 'ID'"),
    "the answers twice": ("answers.tsv answers.tsv", 1, "column 'ID' is missing"),
    "a header": ("key.tsv header.tsv", 1, "header.tsv:1: the key has no example 'ID'"),
    "missing rows": ("key.tsv missing.tsv", 1, "example 'e10' (and 9 more) has no"),
    "an id twice": ("key.tsv twice.tsv", 1, "example 'e0' has two answers"),
    "yes and no": ("key.tsv yes.tsv", 1, "is neither TRUE nor FALSE"),
    "0 and 1": ("key.tsv digits.tsv", 1, "is neither TRUE nor FALSE"),
    "commas": ("key.tsv answers.csv", 1, "expected 3 columns, found 1"),
    "an empty file": ("key.tsv empty.tsv", 1, "has no answer"),
    "an empty key": ("empty.tsv answers.tsv", 1, "column 'ID' is missing"),
    "another split": (
        "half.tsv answers.tsv",
        1,
        "the key has no example 'e10'",
    ),
    "no such file": ("key.tsv nowhere.tsv", 1, "nowhere.tsv: cannot be read"),
    "an unknown scheme": ("key.tsv answers.tsv --scheme gap", 2, "is not 'gap-2018'"),
    "an interval of nothing": (
        "key.tsv false.tsv --confidence",
        2,
        "bias is undefined",
    ),
    "a level": ("key.tsv answers.tsv --confidence 150", 2, "is not between 0 and 100"),
}
GAP_WARNINGS = {
    "officially missing": (
        "key.tsv missing.tsv --scheme gap-2018",
        "Examples without an answer: 10. Each counts as two false negatives",
    ),
    "officially odd": (
        "key.tsv yes.tsv --scheme gap-2018",
        "Answers that are neither TRUE nor FALSE: 20. Each counts as a false negative",
    ),
    "officially the key": (
        "key.tsv key.tsv --scheme gap-2018",
        "Answers that are neither TRUE nor FALSE: 20.",
    ),
    "officially nothing": (
        "key.tsv empty.tsv --scheme gap-2018",
        "Examples without an answer: 20.",
    ),
    "the key's own answers": ("key.tsv right.tsv", "All answers are the same as in"),
    "one gender": ("men.tsv answers.tsv", "The key has no feminine pronouns"),
}


@pytest.fixture
def bias_files(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    for half, response in (("pro", "many-a.conll"), ("anti", "many-b.conll")):
        write_half(tmp_path / f"{half}.key.conll", "many-key.conll", half)
        write_half(tmp_path / f"{half}.conll", response, half)
    write_half(tmp_path / "short.key.conll", "many-key.conll", "anti", 10)
    write_half(tmp_path / "short.conll", "many-b.conll", "anti", 10)
    for name in ("many-key.conll", "many-a.conll"):
        (tmp_path / name).write_bytes((EXAMPLES / name).read_bytes())
    (tmp_path / "empty.conll").touch()


def write_half(path: Path, source: str, half: str, documents: int = 99) -> None:
    """Write documents of an example as those of a half."""
    parts = (EXAMPLES / source).read_text().split("#begin document (")[1:]
    texts = [
        re.sub(r"^[^)]*", f"#begin document ({half}/nw//{number}", part)
        for number, part in enumerate(parts[:documents])
    ]
    path.write_text("".join(texts))


@pytest.fixture
def gap_files(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    right = [f"e{row}\tTRUE\tFALSE" for row in range(20)]
    key = [
        f"e{row}\tText\t{'she' if row % 2 else 'he'}\tTRUE\tFALSE" for row in range(20)
    ]
    header = "ID\tText\tPronoun\tA-coref\tB-coref"
    answers = ["e0\tFALSE\tTRUE", *right[1:]]
    files = {
        "key.tsv": [header, *key],
        "men.tsv": [header, *(row.replace("\tshe\t", "\the\t") for row in key)],
        "half.tsv": [header, *key[:10]],
        "answers.tsv": answers,
        "right.tsv": right,
        "header.tsv": ["ID\tA-coref\tB-coref", *answers],
        "missing.tsv": answers[:10],
        "twice.tsv": [*answers, answers[0]],
        "yes.tsv": [row.replace("TRUE", "yes").replace("FALSE", "no") for row in right],
        "digits.tsv": [row.replace("TRUE", "1").replace("FALSE", "0") for row in right],
        "false.tsv": [row.replace("TRUE", "FALSE") for row in right],
        "answers.csv": [row.replace("\t", ",") for row in answers],
        "empty.tsv": [],
    }
    for name, rows in files.items():
        (tmp_path / name).write_text("".join(f"{row}\n" for row in rows))


@pytest.mark.usefixtures("bias_files")
def test_the_right_call_of_bias_gets_no_warning() -> None:
    result = run("bias", *RIGHT.split(), "--resamples", 100, code=0)
    assert "warning: " not in result.stderr


@pytest.mark.parametrize("case", BIAS_ERRORS)
@pytest.mark.usefixtures("bias_files")
def test_a_wrong_call_of_bias_is_an_error(case: str) -> None:
    call, code, message = BIAS_ERRORS[case]
    result = run("bias", *call.split(), code=code)
    assert not result.stdout
    assert message in " ".join(result.stderr.split())


@pytest.mark.parametrize("case", BIAS_WARNINGS)
@pytest.mark.usefixtures("bias_files")
def test_a_doubtful_call_of_bias_gets_a_warning(case: str) -> None:
    call, message = BIAS_WARNINGS[case]
    result = run("bias", *call.split(), "--resamples", 100, code=0)
    assert "warning: " in result.stderr
    text = " ".join(result.stderr.split())
    assert message in text
    assert text.count("If the halves are swapped") <= 1


@pytest.mark.parametrize("case", GAP_ERRORS)
@pytest.mark.usefixtures("gap_files")
def test_a_wrong_call_of_gap_is_an_error(case: str) -> None:
    call, code, message = GAP_ERRORS[case]
    result = run("gap", *call.split(), code=code)
    assert not result.stdout
    assert message in " ".join(result.stderr.split())


@pytest.mark.parametrize("case", GAP_WARNINGS)
@pytest.mark.usefixtures("gap_files")
def test_a_doubtful_call_of_gap_gets_a_warning(case: str) -> None:
    call, message = GAP_WARNINGS[case]
    result = run("gap", *call.split(), code=0)
    assert "warning: " in result.stderr
    assert message in " ".join(result.stderr.split())
