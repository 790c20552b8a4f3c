"""docs/output.md says which fields JSON has, and which columns CSV: every command's."""

from __future__ import annotations

import csv
import io
import json
import re
import shlex
from typing import TYPE_CHECKING, NamedTuple

import pytest

from scoref.cli import COMMANDS, load
from support.commands import run
from support.paths import ROOT

if TYPE_CHECKING:
    from collections.abc import Iterator

PAGE = (ROOT / "docs" / "output.md").read_text(encoding="utf-8")
COMMON = {"schema", "failures[].dataset", "failures[].response", "failures[].message"}
SILENT = {"completion", "convert", "help", "report"}  # what they write is no report


class Shape(NamedTuple):
    """A section of the page: what is run, and the fields and columns that it has."""

    names: list[str]
    examples: list[str]
    fields: list[tuple[str, str]]
    columns: list[str]


def sections() -> dict[str, str]:
    parts = re.split(r"(?m)^### ", PAGE)[1:]
    return {part.partition("\n")[0]: part for part in parts}


def shape_of(title: str) -> Shape:
    text = sections()[title]
    examples = re.findall(r"(?m)^scoref .*", text)
    rows = re.findall(r"(?m)^\| (`.*?) \| (.*?) \|$", text)
    csv_part = re.search(r"(?ms)^CSV: (.*?)\n\n", f"{text}\n\n")
    return Shape(
        names=re.findall(r"scoref/([\w-]+)/1", title),
        examples=examples,
        fields=[(name, meaning) for cell, meaning in rows for name in paths_in(cell)],
        columns=re.findall(r"`([\w*]+)`", csv_part[1]) if csv_part else [],
    )


def paths_in(cell: str) -> list[str]:
    """List the fields of a cell; names behind the first one have its place."""
    first, *others = re.findall(r"`(.+?)`", cell)
    parent = first.rpartition(".")[0]
    is_whole = re.compile(r"results|macro|failures").match
    return [first, *(each if is_whole(each) else f"{parent}.{each}" for each in others)]


def patterns(shape: Shape) -> Iterator[str]:
    """List fields, with those of what a meaning points to in their place."""
    for name, meaning in shape.fields:
        link = re.search(r"\[a (score|note|result)\]\(#a-\1\)", meaning)
        if link is None or "as in" in meaning:
            yield name.lstrip(".")
            continue
        for inner in patterns(shape_of(f"A {link[1]}")):
            yield f"{name}.{inner}".lstrip(".")


def written_paths(value: object, place: str = "") -> Iterator[str]:
    """List the place of every value, with what is in lists called alike."""
    if isinstance(value, dict) and value:
        for name, each in value.items():
            # A document may have a dot in its name, and a metric none.
            yield from written_paths(each, f"{place}.{name.replace('.', '_')}")
    elif isinstance(value, list) and value:
        for each in value:
            yield from written_paths(each, f"{place}[]")
    else:
        yield f"{place}[]".lstrip(".") if value == [] else place.lstrip(".")


def matches(pattern: str, path: str) -> bool:
    """Tell whether a path is what a pattern means; what is empty may have been more."""
    regex = re.escape(pattern).replace(r"\*", r"[^.]+?")
    return re.fullmatch(regex, path) is not None


def is_known(path: str, known: list[str]) -> bool:
    """Tell whether a field is on the page; nothing may stand for a whole object."""
    return any(
        matches(each, path) or matches(each[: _cut(each, path)], path) for each in known
    )


def _cut(pattern: str, path: str) -> int:
    """Find where a pattern is as deep as a path that ends in nothing."""
    depth = path.count(".") + 1
    parts = pattern.split(".")[:depth]
    kept = ".".join(parts)
    return len(kept.removesuffix("[]")) if not path.endswith("[]") else len(kept)


TITLES = [title for title in sections() if "scoref/" in title]
EXAMPLES = {each: title for title in TITLES for each in shape_of(title).examples}


def output_of(example: str, output: str) -> str:
    arguments = shlex.split(example.replace("--output json", f"--output {output}"))[1:]
    result = run(*arguments)
    assert result.exit_code in {0, 1, 3}, result.output
    return result.stdout


@pytest.fixture(autouse=True)
def _at_home(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(ROOT)


@pytest.mark.parametrize("example", EXAMPLES)
def test_every_field_is_on_the_page(example: str) -> None:
    shape = shape_of(EXAMPLES[example])
    written = json.loads(output_of(example, "json"))
    name, version = written["schema"].removeprefix("scoref/").split("/")
    assert (name in shape.names, version) == (True, "1")
    assert {"results", "failures", "notes"} < written.keys()
    assert written["results"], example
    known = [*COMMON, "notes[]", "failures[]", "macro[]", *patterns(shape)]
    unknown = {each for each in written_paths(written) if not is_known(each, known)}
    assert unknown == set()


@pytest.mark.parametrize("title", TITLES)
def test_every_field_of_the_page_is_there(title: str) -> None:
    shape = shape_of(title)
    actual = {
        path
        for example in shape.examples
        for path in written_paths(json.loads(output_of(example, "json")))
    }
    own = [name for name, meaning in shape.fields if "](#a-" not in meaning]
    missing = [each for each in own if not any(matches(each, path) for path in actual)]
    assert missing == []


@pytest.mark.parametrize("title", [each for each in TITLES if shape_of(each).columns])
def test_columns_are_those_of_the_page(title: str) -> None:
    shape = shape_of(title)
    texts = [output_of(example, "csv") for example in shape.examples]
    headers = [next(csv.reader(io.StringIO(text))) for text in texts]
    actual = {name for header in headers for name in header}
    known = {*shape.columns} - {"*"}
    assert known <= actual
    assert "*" in shape.columns or actual <= known
    assert all(
        len(row) == len(header)
        for header, text in zip(headers, texts, strict=True)
        for row in csv.reader(io.StringIO(text))
    )


def test_every_command_is_on_the_page() -> None:
    told = {name for title in TITLES for name in shape_of(title).names}
    with_output = {
        name
        for name in {*COMMANDS} - SILENT
        if any("--output" in option.opts for option in load(name).params)
    }
    assert with_output <= told


def test_a_field_that_is_not_on_the_page_is_seen() -> None:
    known = [*patterns(shape_of("`scoref/score/1`"))]
    assert is_known("results[].scores.muc.counts.recall_numerator", known)
    assert is_known("results[].dataset", known)
    assert is_known("results[].per_document", known)
    assert not is_known("results[].nobody", known)
    assert not is_known("results[].scores.muc.nobody", known)
    assert not is_known("nobody[]", known)
