"""Errors travel between processes, and missing files are also OSErrors."""

from __future__ import annotations

import errno
import pickle
from concurrent.futures import ProcessPoolExecutor
from multiprocessing import get_context
from typing import TYPE_CHECKING

import pytest

import scoref
from scoref.errors import (
    Blamed,
    DuplicateError,
    JoinedSource,
    MissingFileError,
    TooLargeError,
    UnreadableFileError,
    WithoutKey,
    unknown,
)
from scoref.rules import UNREADABLE_FILE

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

PLACE = {"source": "a.conll", "line": 3, "text": "a b (1", "span": (4, 6)}
ERRORS = [
    scoref.ScorefError("a problem", hint="a hint"),
    scoref.FormatError(
        "a problem",
        rule=UNREADABLE_FILE,
        blamed=Blamed("opening", "1"),
        without_key=WithoutKey("a problem", "a.conll:3"),
        beside=["one", "two"],
        is_final=True,
        **PLACE,  # type: ignore[arg-type]
    ),
    scoref.FormatError("a problem", source=JoinedSource.of("d", lambda at: ("e", at))),
    scoref.AlignmentError("a problem", source="a.conll", line=2),
    DuplicateError("a problem", source="a.conll", line=2),
    TooLargeError("a problem"),
    scoref.OptionError("a problem", text="--metrics x", span=(10, 11)),
    unknown("metric", "ceaf", ["ceafe"]),
    MissingFileError("a problem", source="a.conll"),
    UnreadableFileError.of(PermissionError(errno.EACCES, "Permission denied"), "a"),
]


@pytest.mark.parametrize("error", ERRORS, ids=range(len(ERRORS)))
def test_an_error_survives_pickling(error: scoref.ScorefError) -> None:
    again = pickle.loads(pickle.dumps(error))  # noqa: S301
    assert type(again) is type(error)
    assert (str(again), vars(again), again.args) == (
        str(error),
        vars(error),
        error.args,
    )
    if isinstance(error, OSError):
        names = "errno", "strerror", "filename"
        assert [getattr(again, name) for name in names] == [
            getattr(error, name) for name in names
        ]


def test_a_bad_file_does_not_break_a_process_pool(tmp_path: Path) -> None:
    broken = tmp_path / "broken.conll"
    broken.write_text("#begin document (d)\nd 0 0 a (1\n\n#end document\n")
    with ProcessPoolExecutor(1, get_context("spawn")) as pool:
        with pytest.raises(scoref.FormatError) as refused:
            pool.submit(scoref.score, broken, broken).result()
        with pytest.raises(FileNotFoundError) as missing:
            pool.submit(scoref.score, "none.conll", broken).result()
    assert (refused.value.source, refused.value.line) == (str(broken), 2)
    assert missing.value.filename == "none.conll"


MISSING: dict[str, Callable[[], object]] = {
    "score": lambda: scoref.score("none", "none"),
    "score_slices": lambda: scoref.score_slices("none", "none", by="document"),
    "find_errors": lambda: scoref.find_errors("none", "none"),
    "explain": lambda: scoref.explain("none", "none"),
    "check": lambda: scoref.check("none"),
    "convert": lambda: scoref.convert("none", "json-lines"),
    "agree": lambda: scoref.agree(["none", "nothing"]),
    "show": lambda: scoref.show("none", "none"),
    "score_output": lambda: scoref.score_output("none", "none"),
    "score_table": lambda: scoref.score_table("none.csv", "none.csv"),
    "load_result": lambda: scoref.load_result("none"),
    "update": lambda: scoref.Evaluator().update(key="none", response="none"),
}


@pytest.mark.parametrize("call", MISSING.values(), ids=MISSING)
def test_a_missing_file_is_an_error_of_scoref_and_of_the_system(
    call: Callable[[], object],
) -> None:
    with pytest.raises(FileNotFoundError) as missing:
        call()
    assert isinstance(missing.value, scoref.ScorefError)
    assert missing.value.errno == errno.ENOENT
    assert "none" in missing.value.filename


def test_a_folder_is_an_error_of_the_system(tmp_path: Path) -> None:
    with pytest.raises(scoref.ScorefError) as refused:
        scoref.load_result(tmp_path)
    assert isinstance(refused.value, OSError)
    assert not isinstance(refused.value, FileNotFoundError)
    assert refused.value.errno == errno.EISDIR


@pytest.mark.parametrize(
    ("known", "listed"),
    [
        (["aaab"], "Did you mean aaab?"),
        (["aaab", "aaac"], "Did you mean aaab or aaac?"),
        (["aaab", "aaac", "aaad"], "Did you mean aaab, aaac or aaad?"),
    ],
)
def test_near_names_are_listed(known: list[str], listed: str) -> None:
    assert listed in str(unknown("side", "aaaa", known))


@pytest.mark.parametrize(
    ("span", "marks"),
    [((0, 3), "^^^"), ((190, 193), "^^^"), ((297, 300), "^^^"), ((280, 400), None)],
)
def test_a_place_in_a_long_line_is_marked(
    span: tuple[int, int], marks: str | None
) -> None:
    text = "".join(f"{number:02} " for number in range(100))
    error = scoref.FormatError("x", source="a", line=1, text=text, span=span)
    line, pointer = str(error).splitlines()[1:3]
    assert len(line) < len(text)
    begin = pointer.index("^")
    assert line[begin:].startswith(text[span[0] : span[0] + 2])
    assert pointer.strip() == (marks or "^" * len(line[begin:]))


def test_of_many_names_that_are_all_far_the_first_ones_are_listed() -> None:
    error = unknown("side", "zzz", [f"name{number}" for number in range(10)])
    assert str(error) == (
        "unknown side 'zzz'. Known: name0, name1, name2, name3, name4, name5, name6, "
        "name7 and 2 more"
    )


def test_a_file_that_cannot_be_read_is_described_in_the_words_of_the_system() -> None:
    refused = PermissionError(errno.EACCES, "Permission denied")
    error = UnreadableFileError.of(refused, "a.conll")
    assert str(error) == "a.conll: cannot be read: permission denied"
