"""The schemas describe what commands write, and docs/output.md is made from them."""

from __future__ import annotations

import csv
import io
import json
import re
import shlex
from typing import TYPE_CHECKING, Any

import pytest

from schemas import fields, with_schemas
from scoref.cli import COMMANDS, load
from support.commands import run
from support.paths import ROOT
from support.schemas import refusals, schemas

if TYPE_CHECKING:
    from collections.abc import Iterator

REPORTS = {name: schema for name, schema in schemas().items() if "commands" in schema}
EXAMPLES = [
    (name, example)
    for name, schema in REPORTS.items()
    for example in schema["commands"]
]
# These write files or text for people, and no report.
WITHOUT_REPORT = {"completion", "convert", "help", "report"}


@pytest.fixture(autouse=True)
def _in_root(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(ROOT)


def output_of(example: str, output: str) -> str:
    line = example.replace("--output json", f"--output {output}")
    result = run(*shlex.split(line)[1:])
    assert result.exit_code in {0, 1, 3}, result.output
    return result.stdout


def written_paths(value: object, path: str = "") -> Iterator[str]:
    """List the path of every value; all elements of a list have the same path."""
    if isinstance(value, dict) and value:
        for name, inner in value.items():
            yield from written_paths(inner, f"{path}.{name.replace('.', '_')}")
    elif isinstance(value, list) and value:
        for inner in value:
            yield from written_paths(inner, f"{path}[]")
    else:
        yield f"{path}[]".lstrip(".") if value == [] else path.lstrip(".")


@pytest.mark.parametrize(("name", "example"), EXAMPLES)
def test_what_a_command_writes_follows_its_schema(name: str, example: str) -> None:
    written = json.loads(output_of(example, "json"))
    constant = REPORTS[name]["properties"]["schema"]
    assert written["schema"] in constant.get("enum", [constant.get("const")])
    assert written["results"], example
    assert refusals(written) == []


@pytest.mark.parametrize("name", REPORTS)
def test_every_field_of_a_schema_is_written(name: str) -> None:
    texts = [output_of(example, "json") for example in REPORTS[name]["commands"]]
    written = {path for text in texts for path in written_paths(json.loads(text))}
    own = [
        field.path for field in fields(REPORTS[name]) if "](#a-" not in field.meaning
    ]
    missing = [
        path
        for path in own
        if not any(
            re.fullmatch(re.escape(path).replace(r"\*", "[^.]+?"), other)
            for other in written
        )
    ]
    assert own
    assert missing == []


@pytest.mark.parametrize("name", [name for name in REPORTS if "csv" in REPORTS[name]])
def test_columns_of_csv_are_those_of_the_schema(name: str) -> None:
    columns = re.findall(r"`([\w*]+)`", REPORTS[name]["csv"])
    tables = [
        [*csv.reader(io.StringIO(output_of(example, "csv")))]
        for example in REPORTS[name]["commands"]
    ]
    written = {column for header, *_ in tables for column in header}
    known = {*columns} - {"*"}
    assert known <= written
    assert "*" in columns or written <= known
    for header, *rows in tables:
        assert all(len(row) == len(header) for row in rows)


def test_every_command_with_a_report_has_a_schema() -> None:
    titles = " ".join(schema["title"] for schema in REPORTS.values())
    described = {*re.findall(r"scoref/([\w-]+)/1", titles)}
    with_output = {
        name
        for name in {*COMMANDS} - WITHOUT_REPORT
        if any("--output" in option.opts for option in load(name).params)
    }
    missing = with_output - described
    assert not missing, f"docs/schemas has no schema of {sorted(missing)}"


def test_the_page_is_made_from_the_schemas() -> None:
    page = (ROOT / "docs" / "output.md").read_text(encoding="utf-8")
    assert page == with_schemas(page), "`make tables` writes it anew"


def test_a_field_that_no_schema_names_is_refused() -> None:
    written: dict[str, Any] = json.loads(
        output_of(REPORTS["score.json"]["commands"][1], "json")
    )
    assert refusals(written) == []
    written["results"][0]["scores"]["muc"]["other"] = 1
    assert refusals(written)
    del written["results"][0]["scores"]["muc"]["other"]
    del written["results"][0]["signature"]
    assert refusals(written)
