"""Files that users give by mistake, made from the examples."""

from __future__ import annotations

import gzip
import json
import re
import shutil
from typing import TYPE_CHECKING, Any

from scoref.tools.convert.conversion import convert
from support.paths import EXAMPLES

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    Record = dict[str, Any]
    Offsets = list[int] | list[str] | str

POINTER = "version https://git-lfs.github.com/spec/v1\noid sha256:4d7a\nsize 12345\n"
PAGE = "<!DOCTYPE html>\n<html><head><title>404 Not Found</title></head></html>\n"


def write_wrong_files(folder: Path) -> None:
    """Write a key, two responses, a, b, and files that are wrong in one way each."""
    for name, example in (("key", "key"), ("a", "a"), ("b", "b")):
        shutil.copy(EXAMPLES / f"many-{example}.conll", folder / f"{name}.conll")
    for example in (
        "corefud-response.conllu",
        "curve-pairs.csv",
        "gap-response.tsv",
        "llm-answers.jsonl",
        "llm-crac.txt",
        "table-response.tsv",
    ):
        shutil.copy(EXAMPLES / example, folder)
    key, response = ((folder / f"{name}.conll").read_text() for name in ("key", "a"))
    documents = _documents(response)
    last_column = re.compile(r"\t[^\t\n]+$", re.MULTILINE)
    texts = {
        "half.conll": "".join(documents[:12]),
        "other-half.conll": "".join(documents[12:]),
        "half-key.conll": "".join(_documents(key)[:12]),
        "one-key.conll": _documents(key)[0],
        "one-a.conll": documents[0],
        "one-b.conll": _documents((folder / "b.conll").read_text())[0],
        "twice.conll": response + documents[0],
        "cut.conll": response[: len(response) // 2],
        "empty.conll": "",
        "blank.conll": "\n\n",
        "README.md": "# My system\n\nTrain with `python train.py`.\n",
        "page.conll": PAGE,
        "pointer.conll": POINTER,
        "no-mentions.conll": last_column.sub("\t-", response),
        "no-column.conll": last_column.sub("", response),
        "one-entity.conll": last_column.sub(
            lambda last: re.sub(r"\d+", "0", last[0]), response
        ),
    }
    for name, text in texts.items():
        (folder / name).write_text(text)
    packed = gzip.compress(response.encode())
    (folder / "cut.conll.gz").write_bytes(packed[:-200])
    (folder / "utf-16.conll").write_bytes(response.encode("utf-16"))
    _write_spans(folder)


def _documents(text: str) -> list[str]:
    return re.findall(r"#begin document.*?#end document\n*", text, re.DOTALL)


def _write_spans(folder: Path) -> None:
    """Write the first response as JSON lines, with offsets that mean something else."""
    written = convert(folder / "a.conll", "json-lines", lossy=True).data
    records: list[Record] = [json.loads(line) for line in written.splitlines()]
    key = convert(folder / "key.conll", "json-lines", lossy=True).data
    gold = [json.loads(line)["clusters"] for line in key.splitlines()]
    _write(folder / "a.jsonl", records)

    def moved(name: str, move: Callable[[list[str], int, int], Offsets]) -> None:
        changed = []
        for record in records:
            words = [word for sentence in record["sentences"] for word in sentence]
            clusters = [
                [move(words, *span) for span in each] for each in record["clusters"]
            ]
            changed.append(record | {"clusters": clusters})
        _write(folder / f"{name}.jsonl", changed)

    moved(
        "characters",
        lambda words, start, end: [_place(words, start), _place(words, end)],
    )
    moved("exclusive", lambda _, start, end: [start, end + 1])
    moved("from-one", lambda _, start, end: [start + 1, end + 1])
    moved("lengths", lambda _, start, end: [start, end - start + 1])
    moved("backwards", lambda _, start, end: [end, start])
    moved("negative", lambda _, start, end: [-start, end])
    moved("huge", lambda _, start, end: [start, end + 10**9])
    moved("words", lambda words, start, end: " ".join(words[start : end + 1]))
    moved("texts", lambda _, start, end: [str(start), str(end)])
    flat = [
        [span for each in record["clusters"] for span in each] for record in records
    ]
    _write_clusters(folder / "flat.jsonl", records, flat)
    single = [[[span] for each in clusters for span in each] for clusters in gold]
    _write_clusters(folder / "gold-mentions.jsonl", records, single)
    unnamed = [
        {name: each[name] for name in ("sentences", "clusters")} for each in records
    ]
    _write(folder / "no-names.jsonl", unnamed)
    copied = [
        record | {"clusters": clusters, "pred_clusters": record["clusters"]}
        for record, clusters in zip(records, gold, strict=True)
    ]
    _write(folder / "other-field.jsonl", copied)
    by_name = {record["doc_key"]: record["clusters"] for record in records}
    (folder / "by-name.json").write_text(json.dumps(by_name))


def _place(words: list[str], number: int) -> int:
    """Count the characters before a word, with a space after each."""
    return sum(len(word) + 1 for word in words[:number])


def _write_clusters(path: Path, records: list[Record], clusters: list[Any]) -> None:
    pairs = zip(records, clusters, strict=True)
    _write(path, [record | {"clusters": each} for record, each in pairs])


def _write(path: Path, records: list[Record]) -> None:
    path.write_text("".join(f"{json.dumps(record)}\n" for record in records))
