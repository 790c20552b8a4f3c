"""Threads read files earlier, and change nothing else."""

from __future__ import annotations

import os
import signal
import threading
from pathlib import Path
from typing import TYPE_CHECKING, NoReturn

import pytest

import scoref
from scoref.errors import FormatError
from scoref.scoring import evaluate
from scoref.scoring.evaluate import Prefetch, read_pairs, score_files
from scoref.scoring.request import Request

if TYPE_CHECKING:
    from collections.abc import Callable


KEY = """#begin document (d); part 000
d 0 0 Ada (1)
d 0 1 saw -
d 0 2 her (1)
d 0 3 cat (2)
#end document
"""

RESPONSE = KEY.replace("her (1)", "her (2)")

TWICE = KEY.replace("cat (2)", "cat (2)|(1)")

UNOPENED = KEY.replace("her (1)", "her 1)")


@pytest.fixture(params=["one thread", "two threads"])
def _threads(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> None:
    least = 0 if request.param == "two threads" else 1 << 60
    monkeypatch.setattr(evaluate, "_WORTH_A_THREAD", least)
    monkeypatch.setattr(os, "cpu_count", lambda: 2)


@pytest.fixture
def file(tmp_path: Path) -> Callable[[str, str], str]:
    def written(name: str, text: str) -> str:
        path = tmp_path / name
        path.write_text(text, encoding="utf-8")
        return str(path)

    return written


@pytest.mark.usefixtures("_threads")
def test_figures_and_notes_come_in_the_order_of_the_responses(
    file: Callable[[str, str], str],
) -> None:
    key = file("key.conll", KEY)
    texts = {"a": RESPONSE, "b": KEY, "c": TWICE}
    paths = [file(f"{name}.conll", text) for name, text in texts.items()]
    found = list(score_files(key, paths, Request.of(metrics="muc")))
    assert [each.response for each in found] == paths
    assert [each.scores["muc"].f1 for each in found] == [0.0, 1.0, 2 / 3]
    assert [[note.kind for note in each.notes] for each in found] == [
        [],
        [],
        ["duplicates-in-response"],
    ]


@pytest.mark.usefixtures("_threads")
def test_of_two_bad_files_the_key_is_named(file: Callable[[str, str], str]) -> None:
    key, response = file("key.conll", UNOPENED), file("response.conll", UNOPENED)
    with pytest.raises(FormatError) as caught:
        scoref.score(key, response)
    assert (caught.value.source, caught.value.line) == (key, 4)


@pytest.mark.usefixtures("_threads")
def test_a_bad_response_is_named_when_its_turn_comes(
    file: Callable[[str, str], str],
) -> None:
    key, bad = file("key.conll", KEY), file("bad.conll", UNOPENED)
    pairs = read_pairs(key, [key, bad], Request.of())
    assert next(pairs).response.source == key
    with pytest.raises(FormatError) as caught:
        next(pairs)
    assert (caught.value.source, caught.value.line) == (bad, 4)


def test_the_next_file_is_read_while_somebody_has_the_one_before(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setattr(evaluate, "_WORTH_A_THREAD", 0)
    monkeypatch.setattr(os, "cpu_count", lambda: 2)
    begun = {name: threading.Event() for name in ("a", "b")}
    for name in begun:
        (tmp_path / name).touch()

    def read(path: str | os.PathLike[str]) -> str:
        name = Path(path).name
        begun[name].set()
        return name

    files = Prefetch([tmp_path / name for name in begun], read)
    assert begun["a"].wait(60)
    assert next(iter(files)) == "a"
    assert begun["b"].wait(60)


def test_whoever_waits_for_a_file_can_be_interrupted(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setattr(evaluate, "_WORTH_A_THREAD", 0)
    monkeypatch.setattr(os, "cpu_count", lambda: 2)
    (tmp_path / "a").touch()
    end = threading.Event()

    def interrupt(*_: object) -> NoReturn:
        raise KeyboardInterrupt

    files = Prefetch([tmp_path / "a"], lambda _: end.wait(60))
    before = signal.signal(signal.SIGALRM, interrupt)
    try:
        signal.setitimer(signal.ITIMER_REAL, 0.05)
        with pytest.raises(KeyboardInterrupt):
            next(iter(files))
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, before)
        end.set()
