"""Fingerprints of keys: what changes them, and what does not."""

from __future__ import annotations

import hashlib
import re
from typing import TYPE_CHECKING

import pytest

from scoref.formats.fingerprints import fingerprint
from scoref.formats.reading import read_data
from scoref.tools.convert.conversion import convert
from support.paths import EXAMPLES

if TYPE_CHECKING:
    from scoref.fingerprint import Fingerprint

KEY = (EXAMPLES / "key.conll").read_bytes()


def fingerprint_of(data: bytes) -> Fingerprint:
    return fingerprint(read_data(data, source="x", role="key", with_tokens=True))


def digest(text: str) -> bytes:
    return hashlib.sha256(text.encode()).digest()


def test_it_follows_its_definition() -> None:
    line = (
        b'{"doc_key": "d", "tokens": ["Ada", "met", "her", "a\\\\b"], '
        b'"clusters": [[[3, 3]], [[2, 2], [0, 1]]]}\n'
    )
    prints = fingerprint_of(line)
    text, annotation = digest("Ada\nmet\nher\na\\\\b"), digest("0-1 2\n3")
    assert prints.text == hashlib.sha256(text).hexdigest()
    assert prints.annotation == hashlib.sha256(annotation).hexdigest()
    whole = hashlib.sha256(text + annotation).digest()
    assert prints.key == hashlib.sha256(whole).hexdigest()
    assert prints.short == prints.key[:10]
    assert (prints.mentions, prints.entities) == (3, 2)


def test_zeros_are_numbered_after_the_word_before_them() -> None:
    rows = [
        ("0.1", "_", "0:x", "Entity=(e1--1)"),
        ("1", "go", "_", "Entity=(e2--1"),
        ("1.1", "_", "0:x", "_"),
        ("1.2", "_", "0:x", "Entity=(e1--1)"),
        ("2", "on", "_", "Entity=e2)"),
    ]
    head = "# global.Entity = eid-etype-head-other\n# newdoc id = d\n# sent_id = s\n"
    lines = ["\t".join([*row[:2], *"______", *row[2:]]) for row in rows]
    data = (head + "\n".join(lines) + "\n\n").encode()
    prints = fingerprint_of(data)
    assert prints.documents[0].annotation == digest("-1.1 0.2\n0-1")
    assert prints.documents[0].text == digest("go\non")


@pytest.mark.parametrize("target", ["json-lines", "corefud", "universal-anaphora"])
def test_the_format_does_not_matter(target: str) -> None:
    written = convert(KEY, target, lossy=True).data
    assert fingerprint_of(written).key == fingerprint_of(KEY).key


def test_labels_order_and_line_ends_do_not_matter() -> None:
    documents = KEY.split(b"#end document\n")[:-1]
    assert len(documents) > 1
    turned = b"".join(document + b"#end document\n" for document in reversed(documents))
    assert fingerprint_of(turned).key == fingerprint_of(KEY).key
    assert fingerprint_of(KEY.replace(b"\n", b"\r\n")).key == fingerprint_of(KEY).key
    lines = [line.rsplit(b"\t", 1) for line in KEY.split(b"\n")]
    labelled = b"\n".join(
        b"\t".join([*line[:-1], re.sub(rb"\d+", rb"9\g<0>", line[-1])])
        if len(line) > 1
        else line[0]
        for line in lines
    )
    assert labelled != KEY
    assert fingerprint_of(labelled).key == fingerprint_of(KEY).key


def test_a_word_changes_the_text_and_a_mention_the_annotation() -> None:
    line = b'{"doc_key": "d", "tokens": ["a", "b"], "clusters": [[[0, 0], [1, 1]]]}'
    before = fingerprint_of(line)
    word = fingerprint_of(line.replace(b'"b"', b'"c"'))
    assert (word.text == before.text, word.annotation == before.annotation) == (
        False,
        True,
    )
    mention = fingerprint_of(line.replace(b", [1, 1]", b""))
    assert (mention.text == before.text, mention.annotation == before.annotation) == (
        True,
        False,
    )
    assert len({before.key, word.key, mention.key}) == 3


def test_without_words_there_is_only_the_annotation() -> None:
    with_words = b'{"doc_key": "d", "tokens": ["a", "b"], "clusters": [[[0, 1]]]}'
    without = fingerprint_of(b'{"doc_key": "e", "clusters": [[[0, 1]]]}')
    assert without.text is None
    assert without.key is None
    assert without.annotation == fingerprint_of(with_words).annotation
    assert without.short == f"~{without.annotation[:10]}"


def test_another_document_changes_it() -> None:
    line = b'{"doc_key": "%s", "tokens": ["a"], "clusters": [[[0, 0]]]}\n'
    assert (
        fingerprint_of(line % b"d").key != fingerprint_of(line % b"d" + line % b"e").key
    )
