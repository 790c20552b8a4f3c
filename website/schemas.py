"""The fields of JSON and the columns of CSV. `make tables` puts them in docs/output.md.

They come from the schemas in docs/schemas. Consecutive fields with the same meaning
share a row of a table.
"""

from __future__ import annotations

import json
import sys
from itertools import groupby
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Iterator

    Schema = dict[str, Any]

FOLDER = Path(__file__).parents[1] / "docs" / "schemas"
HEADING = "## What each command writes\n"
INTRODUCTION = """
In the name of a field, `[]` means each element of a list, and `*` means any name: of a
metric, a document, a system or a class. If a row has several names, those after the
first belong to the same object. The tables are generated from the
[JSON schemas](schemas/score.json) in `docs/schemas`.
"""


class Field(NamedTuple):
    """A field of JSON: its place in the object, and its meaning."""

    path: str
    meaning: str


def with_schemas(page: str) -> str:
    """Replace the part of a page that describes what each command writes."""
    before, heading, _ = page.partition(HEADING)
    return before + heading + "\n".join([INTRODUCTION, *sections()])


def sections() -> Iterator[str]:
    """Write the parts that reports share, then a section for each report."""
    for name in ("score", "note", "result", "confidence", "group"):
        part = _common()["$defs"][name]
        yield _section(part["title"], part)
    for path in sorted(FOLDER.glob("*.json"), key=_rank):
        schema = json.loads(path.read_text(encoding="utf-8"))
        if "properties" in schema:
            title = ", ".join(f"`{name}`" for name in schema["title"].split(", "))
            yield _section(title, schema)


def fields(schema: Schema, path: str = "") -> Iterator[Field]:
    """List the fields of a schema; a shared part is one field."""
    meaning = schema.get("description", "")
    if "$ref" in schema:
        name = schema["$ref"].rpartition("/")[2]
        link = f"[a {name}](#a-{name})"
        yield Field(path, f"{meaning}: {link}" if meaning else link)
    if "items" in schema:
        yield from fields({"description": meaning, **schema["items"]}, f"{path}[]")
    elif isinstance(schema.get("additionalProperties"), dict):
        inner = {"description": meaning, **schema["additionalProperties"]}
        yield from fields(inner, f"{path}.*")
    elif "properties" in schema:
        for name, inner in schema["properties"].items():
            # What every report has is described in the text of the page.
            if "commands" in schema and name in {"schema", "failures", "notes"}:
                continue
            yield from fields(inner, f"{path}.{name}" if path else name)
    elif "$ref" not in schema:
        yield Field(path, meaning)


def _section(title: str, schema: Schema) -> str:
    lines = [f"### {title}", ""]
    if "commands" in schema:
        lines += ["```sh", *schema["commands"], "```", ""]
    lines += ["| field | meaning |", "|---|---|"]
    for meaning, group in groupby(fields(schema), lambda field: field.meaning):
        first, *others = [field.path for field in group]
        place = first.rpartition(".")[0]
        names = [first, *(path.removeprefix(f"{place}.") for path in others)]
        if any("." in name or "[" in name for name in names[1:]):
            names = [first, *others]
        lines.append(f"| {', '.join(f'`{name}`' for name in names)} | {meaning} |")
    if "csv" in schema:
        lines += ["", f"CSV: {schema['csv']}"]
    return "\n".join([*lines, ""])


def _common() -> Schema:
    schema: Schema = json.loads((FOLDER / "common.json").read_text(encoding="utf-8"))
    return schema


def _rank(path: Path) -> tuple[bool, str]:
    """Put scores first, then other reports by their names."""
    return path.stem != "score", path.stem


if __name__ == "__main__":
    file = Path(sys.argv[1])
    file.write_text(with_schemas(file.read_text("utf-8")), "utf-8")
