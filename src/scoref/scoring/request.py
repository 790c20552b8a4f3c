"""What a user asks for when files are scored, before the formats are known.

Commands and Python functions make a `Request` of their options and pass it on as it is.
"""

from __future__ import annotations

from dataclasses import field, fields, replace
from typing import TYPE_CHECKING, Any

from scoref.classes import dataclass
from scoref.errors import OptionError
from scoref.metrics import available, choose_metrics
from scoref.scheme import Options
from scoref.schemes import named_for, resolve

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from scoref.model import Corpus
    from scoref.scheme import Choice, Scheme


class ScoreOptions(Options, total=False):
    """The keywords of `scoref.score` and of functions like it, for type checkers."""

    format: str | None
    scheme: str | Scheme | None
    metrics: str | Iterable[str] | None
    lenient: bool
    with_blocks: bool
    with_fingerprint: bool


@dataclass(frozen=True)
class Request:
    """How to score files, and what to read from them.

    `scoref.score` explains the first six fields. ``changes`` are the conventions that
    were asked for by name; None stands for the scheme's own choice.
    """

    format: str | None = None
    scheme: str | Scheme | None = None
    metrics: str | Iterable[str] | None = None
    lenient: bool = False
    with_blocks: bool = False
    with_fingerprint: bool = False  # of the key
    with_tokens: bool = False
    with_genres: bool = False  # of the key
    with_parses: bool = False  # or trees, if the format can have them
    with_trivial: bool = False  # score trivial systems as well
    changes: Mapping[str, Choice] = field(default_factory=dict)
    _schemes: dict[object, Scheme] = field(
        default_factory=dict, init=False, compare=False, repr=False
    )

    def __post_init__(self) -> None:
        if not isinstance(self.lenient, bool):
            raise OptionError(f"lenient must be True or False, not {self.lenient!r}")

    @classmethod
    def of(cls, **options: Any) -> Request:
        """Make a request of keywords; those that are not fields are conventions."""
        own = {name: options.pop(name) for name in _FIELDS if name in options}
        return cls(**own, changes=options)

    def adding_trivial(self) -> Request:
        """Ask for trivial systems, which need the words and heads of the key."""
        return replace(self, with_trivial=True, with_tokens=True, with_parses=True)

    def changed(self, **more: Choice) -> Request:
        """Change some conventions."""
        return replace(self, changes={**self.changes, **more})

    @property
    def folder(self) -> str | None:
        """What the files of folders are; None if that is to be detected."""
        kind = self.changes.get("folder")
        return None if kind is None else str(kind)

    def scheme_for(self, format_name: str | None, **more: str) -> Scheme:
        """Return the scheme for files of a format, with ``more`` changed.

        It is resolved once, because this may read lists of topics and of documents.
        """
        base = named_for(self.scheme, format_name), *more.items()
        if base not in self._schemes:
            changes = {**self.changes, **more}
            self._schemes[base] = resolve(
                self.scheme, format=format_name, lenient=self.lenient, **changes
            )
        return self._schemes[base]

    def metrics_for(self, key: Corpus, scheme: Scheme) -> tuple[str, ...]:
        """Choose the metrics for a key, whose format does not have them all."""
        named = named_for(self.scheme, key.format)
        return choose_metrics(self.metrics, available(key, scheme), scheme=named)


_FIELDS = frozenset(each.name for each in fields(Request) if each.init) - {"changes"}
