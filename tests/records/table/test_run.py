"""What `scoref table` does with its options: what it refuses, writes and prints."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from scoref.errors import OptionError
from scoref.records.table.run import TableRequest, run
from scoref.terminal.gates import Gate
from support.paths import EXAMPLES

if TYPE_CHECKING:
    from pathlib import Path

KEY, RESPONSE = (str(EXAMPLES / f"table-{side}.tsv") for side in ("key", "response"))
DEFAULTS: dict[str, object] = {
    **dict.fromkeys(TableRequest._fields),
    "files": (KEY, RESPONSE),
    "undefined": "zero",
    "table": (),
    "bootstrap": "percentile",
    "resamples": 100,
    "seed": 1,
    "output": "text",
    "precision": 2,
    "beta": 1.0,
}


def request_of(**changes: object) -> TableRequest:
    return TableRequest(**{**DEFAULTS, **changes})  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("changes", "problem"),
    [
        ({"files": ("-", RESPONSE)}, "standard input"),
        ({"per_group": True}, "--per-group needs --group"),
        ({"confidence": 95.0}, "intervals and tests need groups"),
        ({"score_only": True, "output": "json"}, "--score-only prints one number"),
        ({"save_profile": "no/such/folder/x"}, "does not exist"),
        ({"from_profiles": True, "group": "year"}, "Leave out --group"),
        ({"from_profiles": True, "report": "x.html"}, "--report needs the clusters"),
        ({"no_ceaf": True, "metrics": "ceafe"}, "which --no-ceaf turns off"),
        ({"fail_under": (Gate("", "f1", 0.5),), "metrics": "vi"}, "is a distance"),
    ],
)
def test_options_that_cannot_be_combined_are_refused(
    changes: dict[str, object], problem: str
) -> None:
    with pytest.raises(OptionError, match=problem):
        run(request_of(**changes))


def test_a_profile_is_written_and_scored_again(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = str(tmp_path / "table.profile")
    run(request_of(save_profile=path, metrics="muc,bcub"))
    scores = capsys.readouterr().out.splitlines()[:3]
    run(request_of(files=(path,), from_profiles=True, metrics="muc,bcub"))
    assert capsys.readouterr().out.splitlines()[:3] == scores


def test_programs_get_all_metrics_and_people_the_usual(
    capsys: pytest.CaptureFixture[str],
) -> None:
    run(request_of(output="csv"))
    assert "bcub-sys," in capsys.readouterr().out
    run(request_of())
    assert "sys" not in capsys.readouterr().out
