"""Options: what functions take is typed once, and named at run time."""

from __future__ import annotations

import inspect
from typing import TYPE_CHECKING

import pytest

import scoref
from scoref.cli import main
from scoref.scheme import CONVENTIONS, Options, option_names
from support.paths import EXAMPLES

if TYPE_CHECKING:
    from collections.abc import Callable


KEY = [["a", "b", "c"]]

RESPONSE = [["a", "b"], ["c"]]


def test_typed_options_are_those_that_there_are() -> None:
    assert [*Options.__annotations__] == option_names()


def test_all_conventions_list_their_values_but_those_that_are_open() -> None:
    # Values are looked up by how the types of fields are written.
    assert [name for name, each in CONVENTIONS.items() if not each.values] == [
        *("topics", "group", "missing_values", "threshold", "document_names"),
        *("annotator", "relations", "anaphors"),
    ]


# mypy refuses each of these calls: an unused "ignore" is an error there.
def test_a_wrong_value_is_refused_by_type_checkers_and_at_run_time() -> None:
    with pytest.raises(
        scoref.OptionError, match="unknown value of 'singletons' 'away'"
    ):
        scoref.score(KEY, RESPONSE, singletons="away")  # type: ignore[arg-type]
    with pytest.raises(scoref.OptionError, match="unknown value of 'lea' 'links'"):
        scoref.Evaluator(lea="links")  # type: ignore[arg-type]
    with pytest.raises(scoref.OptionError, match="unknown value of 'blanc' 'none'"):
        scoref.find_errors(KEY, RESPONSE, blanc="none")  # type: ignore[arg-type]
    with pytest.raises(scoref.OptionError, match="unknown value of 'average' 'mean'"):
        scoref.score_slices(KEY, RESPONSE, "document", average="mean")  # type: ignore[arg-type]


def test_a_wrong_name_is_refused_in_the_words_of_python() -> None:
    message = r"^score\(\) got an unexpected keyword argument 'singleton'$"
    with pytest.raises(TypeError, match=message):
        scoref.score(KEY, RESPONSE, singleton="drop")  # type: ignore[call-arg]
    message = r"^Evaluator.__init__\(\) got an unexpected keyword argument 'reading'$"
    with pytest.raises(TypeError, match=message):
        scoref.Evaluator(reading="lenient")  # type: ignore[call-arg]
    with pytest.raises(scoref.OptionError, match="unknown option 'singleton'"):
        scoref.find_errors(KEY, RESPONSE, singleton="drop")  # type: ignore[call-arg]


def test_an_evaluator_refuses_what_is_for_files_before_it_sees_a_document() -> None:
    with pytest.raises(scoref.OptionError, match=r"head.* needs heads"):
        scoref.Evaluator(match="head")


@pytest.mark.parametrize("function", [scoref.score, scoref.Evaluator])
def test_help_and_notebooks_see_every_option(function: object) -> None:
    assert callable(function)
    assert [*inspect.signature(function).parameters][
        -len(option_names()) :
    ] == option_names()


@pytest.mark.parametrize(
    "call",
    [
        "many-key.conll many-a.conll --confidence",
        "compare many-key.conll many-a.conll many-b.conll",
        "multiverse many-key.conll many-a.conll many-b.conll",
        "agree agree-ada.conll agree-ben.conll --confidence",
        "gap gap-key.tsv gap-response.tsv --confidence",
    ],
)
def test_resamples_have_an_upper_limit(
    call: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(EXAMPLES)
    arguments = ["scoref", *call.split(), "--resamples", "1000001"]
    monkeypatch.setattr("sys.argv", arguments)
    with pytest.raises(SystemExit) as left:
        main()
    assert left.value.code == 2
    assert "1000001 is not in the range" in capsys.readouterr().err


def test_functions_have_the_same_limit() -> None:
    both = EXAMPLES / "many-a.conll", EXAMPLES / "many-b.conll"
    key = EXAMPLES / "many-key.conll"
    result = scoref.score(key, both[0])
    other = scoref.score(key, both[1])
    calls: list[Callable[[], object]] = [
        lambda: scoref.confidence(result, resamples=10**9),
        lambda: scoref.compare({"a": result, "b": other}, resamples=10**9),
        lambda: scoref.multiverse(key, both, resamples=10**9),
        lambda: scoref.agree(map(str, both), level=95, resamples=10**9),
    ]
    for call in calls:
        with pytest.raises(scoref.OptionError, match="between 1 and 1,000,000"):
            call()
