"""Calls of every command on damaged files: a seed is a case, the same each time."""

from __future__ import annotations

import json
from random import Random
from typing import TYPE_CHECKING, NamedTuple

from fuzz_damage import EXAMPLES, damaged

from support.commands import other_calls
from support.json_documents import EVERY

if TYPE_CHECKING:
    from collections.abc import Mapping

    from support.json_documents import Record

JSON_LINES = "".join(
    json.dumps(record) + "\n"
    for record in (
        {
            "doc_key": "d_0",
            "clusters": [[[0, 1], [2, 2]], [[0, 0]]],
            "predicted_clusters": [[[0, 0], [2, 2]]],
            "sentences": [["Ada", "Lovelace"], ["she"]],
        },
        {"doc_key": "e", "clusters": [], "predicted_clusters": []},
    )
).encode()


def _example(name: str) -> bytes:
    return (EXAMPLES / name).read_bytes()


def _binary(kind: str) -> bytes:
    """Write a table as Parquet or Arrow; nothing where that cannot be read, either."""
    try:
        import pyarrow as pa  # an extra
        from pyarrow import feather, parquet
    except ImportError:
        return b""
    table = pa.table({"mention": ["m1", "m2", "m3"], "cluster": ["a", "a", "b"]})
    written = pa.BufferOutputStream()
    if kind == "parquet":
        parquet.write_table(table, written)
    else:
        feather.write_feather(table, written, compression="uncompressed")
    return bytes(written.getvalue())


def _written(record: Record) -> tuple[bytes, bytes]:
    """Write a document in a line, and over many lines."""
    return json.dumps(record).encode(), json.dumps([record], indent=1).encode()


PAIRS: Mapping[str, tuple[bytes, bytes]] = {
    "conll": (_example("key.conll"), _example("response.conll")),
    "conllu": (_example("corefud-key.conllu"), _example("corefud-response.conllu")),
    "ua": (_example("ua-key.ua"), _example("ua-response.ua")),
    "jsonl": (JSON_LINES, JSON_LINES),
}
OTHER_JSON = {f"{name}.json": _written(record) for name, record in EVERY.items()}
TABLES: Mapping[str, tuple[bytes, bytes]] = {
    "tsv": (_example("table-key.tsv"), _example("table-response.tsv")),
    "csv": (_example("table-both.csv"), _example("table-both.csv")),
    "parquet": (_binary("parquet"), _binary("parquet")),
    "feather": (_binary("feather"), _binary("feather")),
}
PROFILE = json.dumps(
    {
        "scoref-profile": 2,
        "universe": "both",
        "duplicates": "error",
        "group": None,
        "cells": [[2, 2, 2, 2, 2, 1]],
        "key": [[2, 2, 1]],
        "response": [[2, 2, 1]],
        "nearest": [1.0, 1.0],
        "largest": [2, 2],
        "fates": [1, 0, 0, 0],
    }
).encode()
ANSWERS = {"txt": _example("llm-crac.txt"), "jsonl": _example("llm-answers.jsonl")}
OUTPUTS = [f"--output {name}" for name in ("text", "json", "csv", "markdown", "latex")]
OF_PAIRS = [
    *(
        "K R",
        "K R --lenient",
        "K R --per-document",
        "K R R --confidence --resamples 20",
    ),
    *(
        "K R --by document",
        "K R --by entity-size",
        "K R --by distance",
        "K R --by upos",
    ),
    *("K R --window 2", "K R --window bookcoref", "K R --scheme conll-2012", "K"),
    *(
        "K R --match partial",
        "K R --match head",
        "K R --match craft",
        "K R --match min",
    ),
    *("K R --split-antecedents keep", "K R --zeros linear", "K R --duplicates first"),
    *("K R --evaluate discourse-deixis", "K R --evaluate split-antecedents"),
    *("K R --missing empty", "K R --singletons drop", "K R --average macro", "- R"),
    *(
        "errors K R",
        "errors K R --list",
        "errors K R --list --sort document",
        "errors K R --span-errors head",
        "errors K R --by distance --lenient",
    ),
    *(
        "explain K R",
        "explain K R --lenient --got 50",
        "stats K",
        "stats K R --lenient",
    ),
    *("compare K A=R B=K --resamples 20", "stats K --per-document"),
    *("multiverse K A=R B=K --resamples 5", "multiverse K A=R B=K --vary match"),
    *("report K R -o - --resamples 20", "report K R -o page.html --lenient"),
    "report K R -o page.html --no-text --no-names",
    *("agree K R", "agree K R --response R", "gap K R", "bias K R K R"),
    *("data K", "data K R", "K R --fingerprint", "K R --scope corpus"),
]
UNSHOWN = [
    *(
        "check K",
        "check --key K R",
        "check K R --output json",
        "check K --output github",
    ),
    *("check K --fix out --max 3", "check K --fix -", "check - --strict"),
    *(
        f"convert K out.{suffix}"
        for suffix in ("conll", "conllu", "ua", "jsonl", "tsv")
    ),
    *(f"convert K out.{suffix} --lossy" for suffix in ("conll", "conllu", "ua", "ann")),
    *("convert K out --to brat --lossy", "convert K - --to json-lines --lossy"),
    *("convert K out.conllu --base R --lossy", "convert K out.csv --lossy"),
    *("llm K --write-input -", "llm K --write-example example.txt"),
]
OF_ANSWERS = [
    *("llm K R", "llm K R --show-breaks", "llm K R --write-response out --lenient"),
    *(
        "llm K R --notation crac",
        "llm K R --notation markdown",
        "llm K R --notation xml",
    ),
    *("llm K R --notation json --show-breaks", "llm K R --notation prefix"),
]
OF_TABLES = [
    *("table K R", "table K --per-group --group group", "table K R --universe key"),
    *("table K R --duplicates first", "table K R --no-header", "table K R --no-ceaf"),
    *("table K R --report page.html", "table K R --save-profile out", "table R K"),
    *("table K --mention mention --key-cluster key --response-cluster response",),
    *("estimate K R --weights uniform", "estimate K R --weights cluster-size"),
    *("curve K R", "curve K R --best bcub"),
]
OF_PROFILES = [
    "table --profile K",
    "table --profile K R",
    "table --profile R --no-ceaf",
]
LISTS = {"completion", "docs", "formats", "help", "metrics", "published", "schemes"}
"""Commands that do not read files."""
OF_FOLDERS = [
    *("K R", "K R --columns head,exact", "errors K R", "explain K R", "stats K R"),
    *(
        "check --key K R",
        "check K R --expect litbank",
        "compare K a=R b=K --resamples 20",
        "leaderboard K R out",
    ),
    "report K R -o page.html --resamples 20",
]
_CALLED = {
    call.split()[0]
    for calls in (OF_PAIRS, UNSHOWN, OF_ANSWERS, OF_TABLES, OF_FOLDERS)
    for call in calls
}
UNSHOWN += map(" ".join, other_calls(_CALLED | LISTS | {"score"}, "K").values())
DROP_INS = {
    "conll": ["scoref-conll all K R", "scoref-conll all K R none"],
    "conllu": ["scoref-corefud K R -m all", "scoref-corefud K R -s -a exact"],
    "ua": ["scoref-ua K R -m all", "scoref-ua K R -t codicrac22br"],
}


class Case(NamedTuple):
    """A command, its arguments, and the files that it finds."""

    arguments: list[str]
    files: dict[str, bytes]


def case_of(seed: int) -> Case:
    """Draw a case."""
    random = Random(seed)
    if random.random() < 0.08:
        return _folders(random)
    (suffix, sides), call = _drawn(random)
    key, response = (damaged(data, random) for data in sides)
    files = {f"key.{suffix}": key, f"response.{suffix}": response}
    names = dict(zip(("K", "R"), files, strict=True))
    words = [_named(word, names) for word in call.split()]
    is_scoref = not words[0].startswith("scoref-")
    return Case(["scoref", *words] if is_scoref else words, files)


def _folders(random: Random) -> Case:
    """Draw two datasets of a system, of which one is damaged."""
    suffix, sides = _pair(random)
    files = {
        f"{folder}/{name}.{suffix}": damaged(data, random) if name == "b" else data
        for folder, data in zip(("gold", "ours"), sides, strict=True)
        for name in ("a", "b")
    }
    names = {"K": "gold", "R": "ours"}
    words = _shown(OF_FOLDERS, random).split()
    return Case(["scoref", *(_named(word, names) for word in words)], files)


def _pair(random: Random) -> tuple[str, tuple[bytes, bytes]]:
    """Draw two good files; those of the many formats in JSON are one in four."""
    pairs = OTHER_JSON if random.random() < 0.25 else PAIRS
    return random.choice([*pairs.items()])


def _named(word: str, names: Mapping[str, str]) -> str:
    name, equals, path = word.rpartition("=")
    return f"{name}{equals}{names.get(path, path)}"


def _drawn(random: Random) -> tuple[tuple[str, tuple[bytes, bytes]], str]:
    """Draw two good files and what is to be done with them."""
    chance = random.random()
    if chance < 0.02:
        return ("json", (PROFILE, PROFILE)), _shown(OF_PROFILES, random)
    if chance < 0.1:
        return random.choice([*TABLES.items()]), _shown(OF_TABLES, random)
    suffix, sides = _pair(random)
    if chance < 0.2 and suffix in DROP_INS:
        return (suffix, sides), random.choice(DROP_INS[suffix])
    if chance < 0.35:
        _, answer = random.choice([*ANSWERS.items()])
        return (suffix, (sides[0], answer)), _shown(OF_ANSWERS, random)
    if chance < 0.6:
        return (suffix, sides), random.choice(UNSHOWN)
    return (suffix, sides), _shown(OF_PAIRS, random)


def _shown(calls: list[str], random: Random) -> str:
    call = random.choice(calls)
    # A page has one look.
    return call if call.startswith("report") else f"{call} {random.choice(OUTPUTS)}"
