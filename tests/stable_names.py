"""The names that users rely on: `make stable` writes them to tests/stable-names.txt.

`tests/test_stability.py` fails if one of the names in that file disappears. Run `make
stable` after you add a name, so that the new name is protected, too. docs/stability.md
says what users may rely on.
"""

from __future__ import annotations

import inspect
from dataclasses import fields as fields_of
from dataclasses import is_dataclass
from importlib import import_module
from typing import TYPE_CHECKING

import click

import scoref
from schemas import fields
from scoref.cli import COMMANDS, UNLISTED, load
from scoref.formats.catalogue import FORMATS
from scoref.metrics import METRICS
from scoref.records.api import TableOptions
from scoref.scheme import CONVENTIONS, Options
from scoref.schemes import SCHEMES
from scoref.scoring.request import ScoreOptions
from scoref.tools.agree.options import Conventions
from support.paths import ROOT
from support.schemas import schemas

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

FILE = ROOT / "tests" / "stable-names.txt"
OPTIONS = {
    kind.__name__: kind for kind in (Options, ScoreOptions, Conventions, TableOptions)
}
CONSTRUCTED = (scoref.Evaluator, scoref.Scheme)  # others are returned by functions
ERROR_ATTRIBUTES = {"problem", "hint", "source", "line"}
ADAPTERS = {
    "datasets": ("score_columns",),
    "lm_eval": ("coreference", "conll", "muc", "bcub", "ceafe", "lea"),
    "spacy": ("coreference_scorer", "entities_of", "score_docs"),
}


def stable_names() -> list[str]:
    """List every public name, parameter, option and JSON field, sorted."""
    kinds = (_python(), _adapters(), _commands(), _json(), _values())
    return sorted({name for names in kinds for name in names})


def _python() -> Iterator[str]:
    for name in scoref.__all__:
        value = getattr(scoref, name)
        yield f"python scoref.{name}"
        if inspect.isclass(value):
            yield from _members(name, value)
        elif inspect.isfunction(value):
            yield from _parameters(f"scoref.{name}", value)


def _members(name: str, owner: type) -> Iterator[str]:
    if owner in CONSTRUCTED:
        yield from _parameters(f"scoref.{name}", owner)
    ours = [base for base in owner.__mro__ if base.__module__.startswith("scoref.")]
    names = {member for base in ours for member in vars(base)}
    names |= (
        {field.name for field in fields_of(owner)} if is_dataclass(owner) else set()
    )
    if issubclass(owner, scoref.ScorefError):
        names = ERROR_ATTRIBUTES & inspect.signature(owner).parameters.keys()
    for member in sorted(names):
        if not member.startswith("_"):
            yield f"python scoref.{name}.{member}"
            if inspect.isfunction(method := getattr(owner, member, None)):
                yield from _parameters(f"scoref.{name}.{member}", method)


def _parameters(place: str, function: Callable[..., object]) -> Iterator[str]:
    for name, parameter in inspect.signature(function).parameters.items():
        if name == "options" and parameter.kind is parameter.VAR_KEYWORD:
            yield from (f"python {place}({option})" for option in _options(function))
        elif name != "self":
            yield f"python {place}({name})"


def _options(function: Callable[..., object]) -> Iterator[str]:
    """List the options that a function takes as ``**options``."""
    unpacked = str(inspect.signature(function).parameters["options"].annotation)
    kind = OPTIONS[unpacked.removeprefix("Unpack[").removesuffix("]")]
    yield from kind.__required_keys__ | kind.__optional_keys__


def _adapters() -> Iterator[str]:
    for module, names in ADAPTERS.items():
        for name in names:
            place = f"scoref.adapters.{module}.{name}"
            function = getattr(import_module(f"scoref.adapters.{module}"), name)
            yield f"python {place}"
            yield from _parameters(place, function)


def _commands() -> Iterator[str]:
    for name in (*COMMANDS, *UNLISTED):
        yield f"command scoref {name}"
        for parameter in load(name).params:
            if isinstance(parameter, click.Option) and not parameter.hidden:
                for option in (*parameter.opts, *parameter.secondary_opts):
                    yield f"option scoref {name} {option}"


def _json() -> Iterator[str]:
    for file, schema in schemas().items():
        report = file.removesuffix(".json")
        whole = {name: value for name, value in schema.items() if name != "commands"}
        for name, part in {"": whole, **schema.get("$defs", {})}.items():
            place = f"{report}#{name}" if name else report
            yield from (f"json {place} {field.path}" for field in fields(part))


def _values() -> Iterator[str]:
    for name, metric in METRICS.items():
        yield from (f"metric {text}" for text in (name, *metric.aliases))
    yield from (f"format {name}" for name in FORMATS)
    yield from (f"scheme {name}" for name in SCHEMES)
    for name, convention in CONVENTIONS.items():
        yield f"convention {name}"
        yield from (f"convention {name}={value}" for value in convention.values)


if __name__ == "__main__":
    FILE.write_text("\n".join([*stable_names(), ""]), encoding="utf-8")
