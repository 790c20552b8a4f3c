"""The schemas of docs/schemas, made strict: fields that they do not name are errors."""

from __future__ import annotations

import json
from functools import cache
from typing import TYPE_CHECKING, Any

from jsonschema import Draft202012Validator
from referencing import Registry, Resource

from support.paths import ROOT

if TYPE_CHECKING:
    from collections.abc import Mapping

FOLDER = ROOT / "docs" / "schemas"


@cache
def schemas() -> dict[str, dict[str, Any]]:
    """Read the schemas by the name of their file."""
    return {
        path.name: json.loads(path.read_text(encoding="utf-8"))
        for path in sorted(FOLDER.glob("*.json"))
    }


def refusals(written: Mapping[str, Any]) -> list[str]:
    """Say what an output of a command has that its schema does not allow."""
    errors = _validators()[written["schema"]].iter_errors(written)
    return [f"{error.json_path}: {error.message[:300]}" for error in errors]


@cache
def _validators() -> dict[str, Draft202012Validator]:
    strict = {name: _strict(schema, is_part=True) for name, schema in schemas().items()}
    registry: Registry[Any] = Registry().with_resources(
        (name, Resource.from_contents(schema)) for name, schema in strict.items()
    )
    validators = {}
    for schema in strict.values():
        if "properties" in schema:
            name = schema["properties"]["schema"]
            for each in name.get("enum", [name.get("const")]):
                validators[each] = Draft202012Validator(schema, registry=registry)
    return validators


def _strict(schema: Any, *, is_part: bool) -> Any:
    """Forbid other fields, except in definitions, which others may add to."""
    if isinstance(schema, list):
        return [_strict(value, is_part=is_part) for value in schema]
    if not isinstance(schema, dict):
        return schema
    copy: dict[str, Any] = {}
    for name, value in schema.items():
        if name in {"properties", "$defs"}:
            is_inner = name == "properties"
            copy[name] = {
                field: _strict(inner, is_part=is_inner)
                for field, inner in value.items()
            }
        else:
            copy[name] = _strict(value, is_part=True)
    if is_part and schema.keys() & {"properties", "$ref"}:
        copy["unevaluatedProperties"] = False
    return copy
