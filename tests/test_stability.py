"""Names that users rely on do not disappear: docs/stability.md makes this promise."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

import scoref
from stable_names import FILE, stable_names
from support.commands import run
from support.paths import EXAMPLES

if TYPE_CHECKING:
    from collections.abc import Iterable

_PAIR = str(EXAMPLES / "key.conll"), str(EXAMPLES / "response.conll")


def gone(before: Iterable[str], now: Iterable[str]) -> str:
    """Return a message with the names that disappeared; empty if there are none."""
    names = sorted({*before} - {*now})
    if not names:
        return ""
    return "\n".join(
        [
            "These names are stable (docs/stability.md), but they are gone:",
            *(f"  {name}" for name in names),
            "Bring them back, or keep the old name next to the new one.",
            "If a name may go, run `make stable` and list it in CHANGELOG.md.",
        ]
    )


def test_no_stable_name_disappears() -> None:
    message = gone(FILE.read_text(encoding="utf-8").splitlines(), stable_names())
    assert not message, message


def test_the_message_lists_what_disappeared_and_additions_are_fine() -> None:
    assert gone(["a", "b"], ["a", "b", "c"]) == ""
    assert "  option scoref --x\n" in gone(["a", "option scoref --x"], ["a", "c"])


def test_names_of_every_kind_are_protected() -> None:
    names = {*FILE.read_text(encoding="utf-8").splitlines()}
    assert {
        "python scoref.Comparison",
        "python scoref.Score.recall",
        "python scoref.Evaluator.update(document)",
        "python scoref.score(singletons)",
        "python scoref.find_errors(singletons)",
        "python scoref.adapters.spacy.score_docs(prefix)",
        "command scoref compare",
        "option scoref score --fail-under",
        "json score schema",
        "json common#score f1",
        "metric b3",
        "format conll-2012",
        "scheme crac-2026",
        "convention singletons=drop",
    } <= names
    private = [name for name in names if "._" in name or "(_" in name]
    assert private == ["python scoref.__version__"]


def test_every_class_that_a_function_returns_can_be_imported() -> None:
    returned = {
        getattr(scoref, name).__annotations__["return"]
        for name in scoref.__all__
        if name.islower() and name != "__version__"
    }
    names = {name.removeprefix("list[").removesuffix("]") for name in returned}
    assert names - {"None", "str"} <= {*scoref.__all__}


@pytest.mark.parametrize(
    ("arguments", "code", "message"),
    [
        (_PAIR, 0, ""),
        ((_PAIR[0], "missing.conll"), 1, "error: missing.conll: cannot be read"),
        ((*_PAIR, "--no-such-option"), 2, "error: unknown option '--no-such-option'"),
        ((*_PAIR, "--fail-under", "100"), 3, "conll is 81.71, below 100.00"),
    ],
)
def test_exit_codes_say_what_happened(
    arguments: tuple[str, ...], code: int, message: str
) -> None:
    result = run(*arguments, code=code)
    assert ("CoNLL" in result.stdout) == (code in {0, 3})  # after 1 and 2, no figures
    assert bool(result.stderr) == bool(message)
    assert message in result.stderr
