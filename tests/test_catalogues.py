"""`Catalogue`: when plugins are loaded, and which of them are left out."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import pytest

from scoref.catalogues import Catalogue, PluginWarning, check_name
from scoref.errors import ScorefError
from support.plugins import write_plugin

if TYPE_CHECKING:
    from pathlib import Path


class Thing(NamedTuple):
    name: str
    package: str = ""
    aliases: tuple[str, ...] = ()


def adopt(record: object, package: str) -> Thing:
    """Make a thing of a text; the words after the first one are its aliases."""
    if not isinstance(record, str):
        raise ScorefError(f"expected a text, not {type(record).__name__}")
    name, *aliases = record.split()
    return Thing(name, package, tuple(aliases))


def catalogue() -> Catalogue[Thing]:
    own = Thing("own", aliases=("mine",))
    return Catalogue([own], "metric", adopt, taken=("all",))


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.syspath_prepend(str(tmp_path))
    return tmp_path


def warning_of(things: Catalogue[Thing]) -> str:
    with pytest.warns(PluginWarning) as caught:
        things.with_plugins()
    (warning,) = caught
    return str(warning.message)


def test_plugins_are_loaded_when_a_name_is_unknown(folder: Path) -> None:
    write_plugin(folder, "plugin-a", "A = ['one', 'two']", metrics={"a": "A"})
    things = catalogue()
    assert things["own"].package == ""
    assert things.find("own") is things["own"]
    assert not things.has_plugins
    assert list(things) == ["own"]
    assert things["two"] == Thing("two", "plugin-a-1.0")
    assert list(things) == ["own", "one", "two"]
    assert things.has_plugins


def test_an_unknown_name_is_unknown() -> None:
    things = catalogue()
    assert things.find("other") is None
    with pytest.raises(KeyError, match="other"):
        things["other"]
    assert not things.has_plugins


def test_the_first_installation_of_a_package_counts(folder: Path) -> None:
    for number in ("1", "2"):
        (folder / number).mkdir()
        code, version = f"B = 'of-{number}'", f"{number}.0"
        metrics = {"b": "B"}
        write_plugin(
            folder / number, "plugin-b", code, metrics=metrics, version=version
        )
    with pytest.MonkeyPatch.context() as patch:
        patch.syspath_prepend(str(folder / "1"))
        patch.syspath_prepend(str(folder / "2"))
        things = catalogue().with_plugins()
    assert things["of-2"].package == "plugin-b-2.0"
    assert "of-1" not in things


@pytest.mark.parametrize(
    ("code", "problem"),
    [
        ("import nowhere", "ModuleNotFoundError: No module named 'nowhere'"),
        ("raise SystemExit('bye')", "SystemExit: bye"),
        ("def", "SyntaxError: invalid syntax"),
        ("C = 1", "expected a text, not int"),
        ("D = 1", "AttributeError: module 'plugin_"),
        ("C = 'own'", "the metric name 'own' is already taken by scoref"),
        ("C = 'other mine'", "the metric name 'mine' is already taken by scoref"),
        ("C = 'all'", "the metric name 'all' is already taken by scoref"),
        ("C = ['x', 'x']", "the metric name 'x' is already taken by plugin-"),
        ("raise ValueError('a\\nb\\x1b[31m')", r"ValueError: a\nb\x1b[31m"),
    ],
)
def test_a_plugin_that_fails_is_named(
    folder: Path, code: str, problem: str, request: pytest.FixtureRequest
) -> None:
    # Modules stay loaded, so that each case needs a name of its own.
    package = f"plugin-{abs(hash(request.node.name))}"
    write_plugin(folder, package, code, metrics={"c": "C"})
    things = catalogue()
    message = warning_of(things)
    part = " in part" if "['x'" in code else ""
    assert message.startswith(f"Plugin {package}-1.0 is ignored{part}. metric 'c': ")
    assert problem in message
    assert "own" in things.with_plugins()  # without another warning


def test_what_a_plugin_prints_is_not_on_standard_output(
    folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    write_plugin(folder, "plugin-e", "print('hello')\nE = 'e'", metrics={"e": "E"})
    assert catalogue()["e"]
    assert capsys.readouterr() == ("", "hello\n")


def test_a_damaged_list_of_entry_points_is_reported(folder: Path) -> None:
    write_plugin(folder, "plugin-d", "D = 'fine'", metrics={"d": "D"})
    info = folder / "plugin_d-1.0.dist-info/entry_points.txt"
    info.write_text("[scoref.metrics]\nnothing\n", encoding="utf-8")
    assert "Plugin plugin-d-1.0 is ignored. metric" in warning_of(catalogue())


@pytest.mark.parametrize("name", ["", "A", "a b", "a|b", "a+b", "a:b", "-a", "a-", 3])
def test_a_name_can_be_typed_and_written_in_a_signature(name: object) -> None:
    with pytest.raises(ScorefError, match="cannot be a name"):
        check_name(name)
    check_name("b3-of-2")
