"""Windows of long documents, each scored as a document of its own.

A mention belongs to the window in which its first word stands, so that every mention is
in exactly one. Entities are cut at the borders: links across them are not scored, and
what a window has of an entity may be a single mention.
"""

from __future__ import annotations

import dataclasses
import re
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from scoref.errors import OptionError
from scoref.model import Note
from scoref.scheme import as_typed
from scoref.scoring.fitting import fitted
from scoref.scoring.pipeline import score_corpora
from scoref.scoring.windows.borders import cut_evenly, cut_like_bookcoref
from scoref.scoring.windows.parts import windows_as_documents
from scoref.scoring.windows.places import text_of

if TYPE_CHECKING:
    from scoref.model import Corpus, Ints
    from scoref.scheme import Scheme
    from scoref.scoring.results import Result
    from scoref.scoring.windows.borders import Members
    from scoref.scoring.windows.places import PlacedSides

PUBLISHED = ("bookcoref",)
"""Evaluators whose windows go by their name."""

_USUAL = 1500
_WRITTEN = re.compile(r"([1-9][0-9]{0,8})|bookcoref(?::([1-9][0-9]{0,8}))?")


class Window(NamedTuple):
    """How long windows are, in tokens, and whether BookCoref's evaluator cuts them."""

    size: int
    is_bookcoref: bool = False

    @classmethod
    def of(cls, window: int | str) -> Window:
        """Understand a number of tokens, `bookcoref` or `bookcoref:1500`.

        >>> str(Window.of("bookcoref"))
        'bookcoref-1500'
        """
        found = _WRITTEN.fullmatch(str(window))
        if not found:
            raise OptionError(
                f"no window '{window}' (known: a number of tokens such as {_USUAL}; "
                f"bookcoref or bookcoref:{_USUAL}, as the published evaluator cuts)"
            )
        return cls(int(found[1] or found[2] or _USUAL), found[1] is None)

    def __str__(self) -> str:
        return f"bookcoref-{self.size}" if self.is_bookcoref else str(self.size)


class Windowed(NamedTuple):
    """A corpus as it is, and its windows as documents."""

    whole: Result
    windows: Result


def score_both(
    key: Corpus,
    response: Corpus,
    scheme: Scheme,
    metrics: tuple[str, ...],
    window: Window,
) -> Windowed:
    """Score the whole, and its windows."""
    _refuse_scopes(scheme)
    whole = score_corpora(key, response, scheme, metrics)
    return Windowed(whole, score_windows(key, response, scheme, metrics, window))


def score_windows(
    key: Corpus,
    response: Corpus,
    scheme: Scheme,
    metrics: tuple[str, ...],
    window: Window,
) -> Result:
    """Score each window as a document."""
    _refuse_scopes(scheme)
    text = text_of(key, response, fitted(scheme, key, response))
    cut = cut_like_bookcoref if window.is_bookcoref else cut_evenly
    windows, members = cut(text, window.size)
    parts = windows_as_documents(text, windows, members)
    result = score_corpora(*parts, scheme, metrics)
    notes = (*result.notes, *text.notes, *_noted(text, members))
    if result.scheme.singletons == "drop":
        notes = (*notes, *_alone(text, members))
    return dataclasses.replace(result, window=str(window), notes=notes)


def _refuse_scopes(scheme: Scheme) -> None:
    if scheme.scope not in {None, "document"}:
        raise OptionError(
            f"windows cut documents, and {as_typed('scope', scheme.scope)} joins them"
        )


def _noted(text: PlacedSides, members: tuple[Members, Members]) -> list[Note]:
    """Tell how many mentions are in no window, and how many in two."""
    notes = []
    sides = zip(("key", "response"), text.sides, members, strict=True)
    for role, side, member in sides:
        times = np.bincount(member.row, minlength=len(side.document))
        lost = int((times[side.document >= 0] == 0).sum())
        again = int((times > 1).sum())
        if lost or again:
            message = (
                f"of the {role}'s mentions {lost} are in no window, {again} in two"
            )
            notes.append(Note(f"windows-of-{role}", lost + again, message))
    return notes


def _alone(text: PlacedSides, members: tuple[Members, Members]) -> list[Note]:
    """Tell that mentions are left out because the rest of their entity is elsewhere.

    Which row has how many mentions is in the report; this is why.
    """
    alone = sum(
        _cut_off(side.corpus.mention_entity, member)
        for side, member in zip(text.sides, members, strict=True)
    )
    if not alone:
        return []
    message = (
        "mentions that are alone in their window are left out with the singletons; "
        "singletons=keep (--singletons keep) has them all"
    )
    return [Note("alone-in-windows", alone, message)]


def _cut_off(entity: Ints, members: Members) -> int:
    """Count the mentions without any other of their entity in their window."""
    size = np.bincount(entity, minlength=1)
    mine = entity[members.row]
    code = members.window * np.int64(len(size)) + mine
    _, part, count = np.unique(code, return_inverse=True, return_counts=True)
    return int(((count[part] == 1) & (size[mine] > 1)).sum())
