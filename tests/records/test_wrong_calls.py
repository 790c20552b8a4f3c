"""Natural but wrong calls of `table`, `curve` and `estimate`: an error or a warning."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from support.commands import run

if TYPE_CHECKING:
    from pathlib import Path

pytest.importorskip("duckdb")
pytestmark = pytest.mark.usefixtures("wide")


def clusters(size: int, count: int = 10, record: str = "r") -> str:
    rows = (f"{record}{number},c{number // size}\n" for number in range(count))
    return f"record,cluster\n{''.join(rows)}"


def swapped(table: str) -> str:
    return "".join(",".join(line.split(",")[::-1]) + "\n" for line in table.split())


def pairs(name: str, scores: list[float]) -> str:
    rows = (f"r{place},r{place + 1},{each}\n" for place, each in enumerate(scores))
    return f"id_l,id_r,{name}\n{''.join(rows)}"


FILES = {
    "key.csv": clusters(2),
    "response.csv": clusters(3),
    "sample.csv": clusters(2, 4),
    "others.csv": clusters(3, record="x"),
    "upper.csv": clusters(3, record="R"),
    "swapped.csv": swapped(clusters(3)).replace("cluster,record", "gold,item"),
    "header.csv": "record,cluster\n",
    "both.csv": "record,gold,predicted\nr1,1,1\nr2,1,2\n",
    "empty.csv": "",
    "three.csv": "record,cluster,name\nr1,c1,Ada\n",
    "text.conll": "#begin document (a); part 000\na 0 0 w (1)\n#end document\n",
    "pairs.csv": pairs("score", [0.9, 0.8, 0.7, 0.6]),
    "percent.csv": pairs("score", [90, 80, 70, 60]),
    "distances.csv": pairs("distance", [0.1, 0.9, 0.1, 0.9]),
    "probable.csv": pairs("match_probability", [0.9, 0.8, 0.7, 0.6]),
    "labelled.csv": pairs("match", [1, 0, 1, 0]),
}

CALLS = {
    "table key.csv": (1, "which column has the gold clusters"),
    "table both.csv --key-pairs": (2, "pairs need two tables"),
    "table key.csv key.csv": (
        0,
        "warning: key.csv was given as gold data and prediction",
    ),
    "table key.csv swapped.csv": (1, "or the columns are swapped"),
    "table key.csv others.csv": (1, "no record in common"),
    "table key.csv upper.csv": (1, "no record in common"),
    "table key.csv pairs.csv": (1, "have scores ('score') but no label"),
    "table key.csv empty.csv": (1, "this file has no rows"),
    "table key.csv header.csv": (0, "are undefined, because"),
    "table key.csv three.csv": (0, "only in the gold data"),
    "table key.csv sample.csv": (0, "cover only 4 of 10 records"),
    "table text.conll text.conll": (1, "Use `scoref KEY RESPONSE`"),
    "table key.csv response.csv --no-header": (0, "warning: Both files begin with"),
    "table key.csv response.csv --mention cluster": (1, "more than once"),
    "table key.csv response.csv --metrics vi --fail-under 90": (2, "is a distance"),
    "table key.csv response.csv --per-group": (2, "--group COLUMN"),
    "table key.csv response.csv --confidence 95": (2, "--group COLUMN"),
    "curve pairs.csv key.csv": (1, "table of pairs"),
    "curve key.csv response.csv": (1, "a pair is two records and a score"),
    "curve key.csv distances.csv": (0, "warning: 'distance' was read as a similarity"),
    "curve key.csv probable.csv --distance": (0, "was read as a distance"),
    "curve key.csv labelled.csv": (0, "warning: 'match' was read as the score"),
    "curve key.csv percent.csv --at 0.9": (0, "warning: --at 0.9 is outside"),
    "curve key.csv pairs.csv --at 90": (0, "warning: --at 90 is outside"),
    "curve others.csv pairs.csv": (1, "no pair has a record of the gold data"),
    "curve swapped.csv pairs.csv": (1, "or the columns are swapped"),
    "curve key.csv pairs.csv --score id_r": (1, "is not a number"),
    "curve key.csv pairs.csv --best conll": (2, "curve metric"),
    "curve key.csv empty.csv": (1, "this file has no rows"),
    "estimate sample.csv response.csv": (2, "--weights"),
    "estimate sample.csv response.csv --weights size": (2, "no column 'size'"),
    "estimate key.csv sample.csv --weights uniform": (1, "not in the prediction"),
    "estimate key.csv key.csv --weights uniform": (0, "warning: key.csv was given"),
    "estimate labelled.csv response.csv --weights uniform": (
        0,
        "read as pairs of records",
    ),
    "estimate sample.csv pairs.csv --weights uniform": (1, "table of pairs"),
    "estimate sample.csv key.csv --weights uniform --pairs": (1, "labelled records"),
    "estimate pairs.csv key.csv --weights uniform --pairs": (1, "'0.9' is not a label"),
    "estimate sample.csv others.csv --weights uniform": (1, "none of the 4 labelled"),
    "estimate swapped.csv key.csv --weights uniform": (1, "or the columns are swapped"),
    "estimate header.csv key.csv --weights uniform": (1, "no record is labelled"),
    "estimate sample.csv key.csv --weights uniform --metrics ari": (2, "'ari'"),
}


@pytest.mark.parametrize("call", CALLS)
def test_a_wrong_call_is_refused_or_warned_about(
    call: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for file, text in FILES.items():
        (tmp_path / file).write_text(text)
    monkeypatch.chdir(tmp_path)
    code, problem = CALLS[call]
    result = run(*call.split(), code=code)
    assert problem in " ".join(result.stderr.split())
    assert code or "warning: " in result.stderr


def test_a_plan_for_narrow_intervals_is_made_in_no_time(tmp_path: Path) -> None:
    for file in ("sample.csv", "response.csv"):
        (tmp_path / file).write_text(FILES[file])
    files = [tmp_path / file for file in ("sample.csv", "response.csv")]
    result = run("estimate", *files, "--weights", "uniform", "--plan", "0.05", code=0)
    assert "0.05" in result.stdout or "5 points" in result.stdout, result.stdout
