"""The class `Catalogue`: scoref's own metrics or formats, and those of plugins.

A plugin is a package that lists its metrics under the entry point ``scoref.metrics``,
or its formats under ``scoref.formats``. Looking for plugins takes longer than scoring
a small file. So a catalogue looks for them only if somebody asks for a list, for a name
that scoref does not have, or for the format of a file that scoref does not recognise.

A plugin that fails is reported by a `PluginWarning` and is left out.
"""

from __future__ import annotations

import contextlib
import re
import sys
import threading
import warnings
from typing import TYPE_CHECKING, Any, Generic, Protocol, TypeVar

from scoref.classes import NamedTuple
from scoref.errors import ScorefError
from scoref.printable import printable

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable
    from importlib.metadata import Distribution


class PluginWarning(UserWarning):
    """A plugin cannot be used, and scoref ignores it."""


class PluginError(ScorefError):
    """A plugin failed while it was used."""


class Named(Protocol):
    """A record of a catalogue."""

    @property
    def name(self) -> str:
        """The name that users type."""

    @property
    def package(self) -> str:
        """The plugin's package and version; empty for scoref's own records."""


Record = TypeVar("Record", bound=Named)


class Catalogue(dict[str, Record], Generic[Record]):
    """Records by name, in the order in which they are shown.

    Iterating shows scoref's own records and those of plugins that were loaded;
    `with_plugins` loads all of them.

    Args:
        records: scoref's own records.
        kind: the kind of record, ``metric`` or ``format``.
        adopt: checks a plugin's record and returns it with the name of its package.
        taken: names that no plugin may use, in addition to those of the records.
    """

    def __init__(
        self,
        records: Iterable[Record],
        kind: str,
        adopt: Callable[[object, str], Record],
        taken: Iterable[str] = (),
    ) -> None:
        super().__init__((record.name, record) for record in records)
        self.kind = kind
        self.has_plugins = False  # whether any was loaded
        self._adopt = adopt
        self._taken = dict.fromkeys(taken, "scoref")
        self._is_complete = False
        self._lock = threading.RLock()  # files may be read in threads

    def with_plugins(self) -> Catalogue[Record]:
        """Load the plugins, once, and return this catalogue."""
        with self._lock:
            if not self._is_complete:
                self._is_complete = True
                for message in self._load():
                    warnings.warn(message, PluginWarning, stacklevel=3)
        return self

    def find(self, name: str) -> Record | None:
        """Return the record of a name, perhaps of a plugin; None if there is none."""
        return self.get(name) or self.with_plugins().get(name)

    def __missing__(self, name: str) -> Record:
        record = self.find(name)
        if record is None:
            raise KeyError(name)
        return record

    def _load(self) -> list[str]:
        """Add the records of all plugins; return a message on each that fails."""
        names = dict(self._taken)
        for record in self.values():
            names.update(dict.fromkeys(_names(record), "scoref"))
        problems: dict[str, list[str]] = {}
        for entry in _entries(f"scoref.{self.kind}s"):
            try:
                for value in entry.load():
                    record = self._adopt(value, entry.package)
                    _refuse_taken(record, names, self.kind)
                    names.update(dict.fromkeys(_names(record), entry.package))
                    self[record.name] = record
                    self.has_plugins = True
            except (Exception, SystemExit) as error:  # noqa: BLE001 - of a stranger
                problem = f"{self.kind} '{entry.name}': {describe(error)}"
                problems.setdefault(entry.package, []).append(problem)
        return [
            printable(f"Plugin {package} is ignored in part. {'; '.join(listed)}")
            if any(record.package == package for record in self.values())
            else printable(f"Plugin {package} is ignored. {'; '.join(listed)}")
            for package, listed in problems.items()
        ]


def describe(error: BaseException) -> str:
    """Describe an error in one line; errors of scoref need no type.

    >>> describe(ModuleNotFoundError("No module named 'x'"))
    "ModuleNotFoundError: No module named 'x'"
    """
    if isinstance(error, ScorefError):
        return error.problem
    return f"{type(error).__name__}: {error}".removesuffix(": ")


def check_name(name: object) -> None:
    """Refuse a name that cannot be typed, or that would break a signature."""
    if not isinstance(name, str) or not re.fullmatch(
        r"[a-z][a-z0-9]*(-[a-z0-9]+)*", name
    ):
        raise ScorefError(
            f"{name!r} cannot be a name. Use lower-case letters, digits and hyphens"
        )


def check_fields(
    record: object, defaults: dict[str, object], public: Iterable[str]
) -> None:
    """Refuse a record that sets fields which are not part of the plugin API."""
    for field, default in defaults.items():
        if field not in public and getattr(record, field) != default:
            raise ScorefError(f"the field '{field}' is not available to plugins")


def _names(record: Named) -> tuple[str, ...]:
    return (record.name, *getattr(record, "aliases", ()))


def _refuse_taken(record: Named, names: dict[str, str], kind: str) -> None:
    for name in _names(record):
        if name in names:
            raise ScorefError(
                f"the {kind} name '{name}' is already taken by {names[name]}"
            )


class _Entry(NamedTuple):
    """An entry point of a plugin."""

    package: str
    name: str
    load_object: Callable[[], Any]

    def load(self) -> list[object]:
        """Import the module and return its records: one, or several in a list.

        What it prints must not get into a report.
        """
        with contextlib.redirect_stdout(sys.stderr):
            value = self.load_object()
        return list(value) if type(value) in (list, tuple) else [value]


def _entries(group: str) -> list[_Entry]:
    """Return the entry points of a group, sorted by package."""
    from importlib.metadata import distributions  # slow

    by_package: dict[str, tuple[str, Distribution]] = {}
    for distribution in distributions():
        # The text is read first: parsing the metadata of all packages takes long.
        if f"[{group}]" in (distribution.read_text("entry_points.txt") or ""):
            metadata = distribution.metadata
            name, version = str(metadata["Name"]), str(metadata["Version"])
            normal = re.sub(r"[-_.]+", "-", name).lower()
            # The first one on the path is the one that is imported.
            by_package.setdefault(normal, (f"{name}-{version}", distribution))
    return [
        entry
        for _, (package, distribution) in sorted(by_package.items())
        for entry in _entries_of(distribution, package, group)
    ]


def _entries_of(distribution: Distribution, package: str, group: str) -> list[_Entry]:
    try:
        points = distribution.entry_points.select(group=group)
    except Exception as error:  # noqa: BLE001 - a damaged file of a stranger
        failure = error

        def fail() -> None:
            raise failure

        return [_Entry(package, "entry_points.txt", fail)]
    return [_Entry(package, point.name, point.load) for point in points]
