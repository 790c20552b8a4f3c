"""The documents of a report: how large they are, and whose texts are shown."""

from __future__ import annotations

from fnmatch import fnmatchcase
from typing import TYPE_CHECKING

import numpy as np

from scoref.errors import OptionError

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from scoref.tools.errors import Analysis

    Systems = Mapping[str, Analysis]

MOST_TOKENS = 3_000_000
"""Of all texts together, once for each system: what a page can hold."""

_SHOWN = 3


def has_words(analysis: Analysis) -> bool:
    """Tell whether there is a text to show."""
    return any(corpus.tokens is not None for corpus in analysis.corpora)


def choose_documents(
    systems: Systems,
    names: Sequence[str],
    patterns: Sequence[str],
    most_tokens: int,
) -> tuple[list[bool], str | None]:
    """Choose whose texts are shown, and say which ones are not, and why."""
    first = next(iter(systems.values()))
    if not has_words(first):
        return [False] * len(names), None
    sizes = _tokens(first, names)
    if patterns:
        chosen = _matching(systems, names, patterns)
        _refuse_too_many(chosen, sizes, len(systems), most_tokens)
        left = len(names) - sum(chosen)
        message = f"{_left(left)}, since nobody asked for more" if left else None
        return chosen, message
    room, chosen = most_tokens, []
    for size in sizes:
        cost = (size or 0) * len(systems)
        chosen.append(cost <= room)
        room -= cost if chosen[-1] else 0
    left = len(names) - sum(chosen)
    if not left:
        return chosen, None
    return chosen, (
        f"{_left(left)}, since the page would be too large; --documents NAME,NAME "
        "chooses whose are shown"
    )


def _left(count: int) -> str:
    if count == 1:
        return "the text of 1 document is left out"
    return f"the texts of {count} documents are left out"


def _refuse_too_many(
    chosen: list[bool], sizes: list[int | None], systems: int, most: int
) -> None:
    total = sum(size or 0 for size, is_in in zip(sizes, chosen, strict=True) if is_in)
    if total * systems > most:
        times = f" for {systems} systems" if systems > 1 else ""
        raise OptionError(
            f"{sum(chosen)} documents with {total} tokens{times} are too much for one "
            f"page ({most} at most): choose fewer with --documents"
        )


def _matching(
    systems: Systems, names: Sequence[str], patterns: Sequence[str]
) -> list[bool]:
    """Find documents by name or pattern; each must find one."""
    key = next(iter(systems.values())).corpora[0]
    aliases = {each.name: each.aliases for each in key.documents}
    known = [(name, *aliases.get(name, ())) for name in names]
    found = [False] * len(names)
    for pattern in patterns:
        hits = [
            any(each == pattern or fnmatchcase(each, pattern) for each in called)
            for called in known
        ]
        if not any(hits):
            shown = ", ".join(f"'{name}'" for name in names[:_SHOWN])
            more = f" and {len(names) - _SHOWN} more" if names[_SHOWN:] else ""
            raise OptionError(f"no document '{pattern}' (there are: {shown}{more})")
        found = [one or other for one, other in zip(found, hits, strict=True)]
    return found


def list_documents(analysis: Analysis, names: Sequence[str]) -> list[dict[str, object]]:
    """List documents with their sizes, by the key."""
    rows = {name: row for row, name in enumerate(analysis.documents)}
    key = analysis.key
    count = len(analysis.documents)
    mentions = np.bincount(key.document, minlength=count).tolist()
    _, first = np.unique(key.entity, return_index=True)
    entities = np.bincount(key.document[first], minlength=count).tolist()
    tokens = _tokens(analysis, names)
    genre = dict(zip(analysis.documents, analysis.details.genre or (), strict=False))
    return [
        {
            "name": name,
            "genre": genre.get(name),
            "tokens": size,
            "mentions": mentions[rows[name]] if name in rows else 0,
            "entities": entities[rows[name]] if name in rows else 0,
            "has_text": False,
        }
        for name, size in zip(names, tokens, strict=True)
    ]


def _tokens(analysis: Analysis, names: Sequence[str]) -> list[int | None]:
    """Count the tokens of each document, by whoever has it, the key first."""
    sizes: dict[str, int] = {}
    for corpus in reversed(analysis.corpora):
        length = corpus.document_tokens
        if corpus.tokens is not None:
            length = np.diff(corpus.tokens.first)
        if length is not None:
            rows = zip(corpus.documents, length.tolist(), strict=True)
            sizes |= {document.name: size for document, size in rows}
    return [sizes.get(name) for name in names]
