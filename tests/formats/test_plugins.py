"""Formats of plugins: which records are accepted, and what their readers may return."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest

import scoref
from scoref.catalogues import PluginError, PluginWarning
from scoref.errors import FormatError, ScorefError
from scoref.formats.builder import CorpusBuilder
from scoref.formats.catalogue import FORMATS, Format, detect_format
from scoref.formats.plugins import adopt

if TYPE_CHECKING:
    from pathlib import Path

    from scoref.formats.catalogue import ReadOptions
    from scoref.model import Corpus


def read(data: bytes, options: ReadOptions) -> Corpus:
    """Read lines such as ``name 5 0-1 3-3``: a document, its words, an entity."""
    builder = CorpusBuilder(options.source, "lists")
    for line, text in enumerate(data.decode().splitlines()[1:], start=2):
        name, words, *spans = text.split()
        document = builder.add_document(name, line=line, tokens=int(words))
        entity = builder.add_entity("1", document)
        for span in spans:
            start, end = map(int, span.split("-"))
            builder.add_mention(entity, [(start, end)], line)
    return builder.build()


def plugin(**fields: Any) -> Format:
    given = {"name": "lists", "text": "lists of spans", "read": read}
    return Format(**{**given, **fields})


@pytest.fixture
def _lists(monkeypatch: pytest.MonkeyPatch) -> None:
    record = plugin(detect=lambda start: start.startswith((b"%lists", b'{"lists"')))
    monkeypatch.setitem(FORMATS, "lists", adopt(record, "lists-1.0"))
    monkeypatch.setattr(FORMATS, "has_plugins", True)


def write(folder: Path, *lines: str) -> Path:
    path = folder / "lists.txt"
    path.write_text("\n".join(["%lists", *lines]), encoding="utf-8")
    return path


@pytest.mark.usefixtures("_lists")
def test_a_plugin_is_asked_if_scoref_does_not_recognise_a_file() -> None:
    assert detect_format(b"%lists\n") == "lists"
    assert detect_format(b'{"lists": []}') == "lists"
    assert detect_format(b"%lists\n", "corefud") == "lists"
    assert detect_format(b"other") == "conll-2012"
    assert detect_format(b"") == "conll-2012"
    assert detect_format(b'{"other": []}') == "json-lines"


def test_a_plugin_is_not_asked_about_a_file_that_scoref_recognises(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    record = adopt(plugin(detect=lambda _: True), "lists-1.0")
    monkeypatch.setitem(FORMATS, "lists", record)
    assert detect_format(b"#begin document d\n") == "conll-2012"
    assert detect_format(b"# global.Entity = eid\n") == "corefud"
    assert detect_format(b'{"doc_key": "d", "clusters": []}') == "json-lines"
    assert detect_format(b"nonsense") == "lists"


def test_a_plugin_that_cannot_tell_is_not_asked_further(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    record = adopt(plugin(detect=lambda start: start[99] == 0), "lists-1.0")
    monkeypatch.setitem(FORMATS, "lists", record)
    message = "Plugin lists-1.0 cannot tell whether a file is lists. IndexError"
    with pytest.warns(PluginWarning, match=message):
        assert detect_format(b"other") == "conll-2012"


@pytest.mark.usefixtures("_lists")
def test_a_file_is_scored_and_the_plugin_is_in_the_signature(tmp_path: Path) -> None:
    path = write(tmp_path, "d 5 0-1 3-3")
    path.write_bytes(b"\xef\xbb\xbf" + path.read_bytes())
    result = scoref.score(path, path)
    assert result.documents == ("d",)
    assert "|format:lists|plugins:lists-1.0|" in result.signature
    other = tmp_path / "other.jsonl"
    other.write_text('{"doc_key": "d", "clusters": [[[0, 1], [3, 3]]]}')
    mixed = scoref.score(path, other).signature
    assert "|format:lists+json-lines|plugins:lists-1.0|" in mixed
    systems = {"a": scoref.score(path, path), "b": scoref.score(path, other)}
    assert "plugins:lists-1.0" in str(scoref.compare(systems))


@pytest.mark.usefixtures("_lists")
@pytest.mark.parametrize(
    ("line", "problem"),
    [
        (
            "d 5 0-5",
            r"the mention \[0, 5\] \(.*:2\) is not in document 'd', which has 5",
        ),
        ("d 5 3-1", r"the mention \[3, 1\] \(.*:2\) is not in document 'd'"),
        ("d 5 0-1\nd 5 0-1", "it returned two documents called 'd'"),
        ("d x", "ValueError: invalid literal"),
    ],
)
def test_a_reader_that_fails_names_its_package(
    line: str, problem: str, tmp_path: Path
) -> None:
    path = write(tmp_path, line)
    expected = f"lists.txt: format 'lists' of plugin lists-1.0 failed: {problem}"
    with pytest.raises(PluginError, match=expected):
        scoref.score(path, path)


@pytest.mark.usefixtures("_lists")
def test_a_binary_file_is_refused(tmp_path: Path) -> None:
    path = write(tmp_path, "d 5 0-1 \0")
    with pytest.raises(FormatError, match="this is a binary file"):
        scoref.score(path, path)


@pytest.mark.parametrize(
    ("returned", "problem"),
    [
        (None, "it returned NoneType, not a corpus"),
        (CorpusBuilder("x", "other").build(), "a corpus whose format is 'other'"),
    ],
)
def test_a_reader_returns_a_corpus_of_its_format(
    returned: object, problem: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    record = adopt(plugin(read=lambda *_: returned), "lists-1.0")
    monkeypatch.setitem(FORMATS, "lists", record)
    with pytest.raises(PluginError, match=problem):
        scoref.score(write(tmp_path), write(tmp_path), format="lists")


@pytest.mark.parametrize(
    ("record", "problem"),
    [
        (read, "expected a Format of scoref.plugins, not function"),
        (plugin(name="a+b"), "cannot be a name"),
        (plugin(read=None), "'read' and 'detect' must be functions"),
        (plugin(detect=3), "'read' and 'detect' must be functions"),
        (plugin(is_it=lambda _: True), "the field 'is_it' is not available to plugins"),
        (plugin(kind="corefud"), "the field 'kind' is not available"),
        (plugin(counts="characters"), "'counts' must be one of words, numbers, values"),
        (plugin(endings=(".conll",)), "'.conll' cannot be one of the 'endings'"),
        (plugin(endings=(".ann",)), "'.ann' cannot be one of the 'endings'"),
        (plugin(endings=("abc",)), "'abc' cannot be one of the 'endings'"),
    ],
)
def test_a_record_that_cannot_be_used_is_refused(record: object, problem: str) -> None:
    with pytest.raises(ScorefError, match=problem):
        adopt(record, "lists-1.0")
