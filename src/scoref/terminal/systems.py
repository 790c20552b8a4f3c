"""Systems on the command line: a path each, or NAME=PATH."""

from __future__ import annotations

import os
from dataclasses import replace
from typing import TYPE_CHECKING

from scoref.errors import OptionError
from scoref.scoring.evaluate import score_files

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from scoref.scoring.evaluate import Wanted
    from scoref.scoring.results import Result


def named(responses: Iterable[str]) -> list[tuple[str, str]]:
    """Take names off NAME=PATH; a path without one is its own name."""
    found: list[tuple[str, str]] = []
    for response in responses:
        name, equals, path = response.partition("=")
        if not equals or not name or not path or os.path.exists(response):  # noqa: PTH110
            name, path = response, response
        found.append((name, path))
    return found


def by_name(responses: Iterable[str]) -> dict[str, str]:
    """Give paths by their names, of which no two may be equal."""
    found: dict[str, str] = {}
    for name, path in named(responses):
        if name in found:
            raise OptionError(f"two systems are called '{name}'")
        found[name] = path
    return found


def score_named(key: str, responses: Iterable[str], wanted: Wanted) -> Iterator[Result]:
    """Score each response, and call it by its name."""
    names = named(responses)
    # A file may be given twice, but a name is for one file.
    by_name(f"{name}={path}" for name, path in dict.fromkeys(names))
    scored = score_files(key, [path for _, path in names], wanted)
    for result, (name, path) in zip(scored, names or [("", "")], strict=True):
        yield result if name == path else replace(result, response=name)
