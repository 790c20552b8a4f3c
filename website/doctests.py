"""Examples in docstrings are code, also where no heading says so."""

from __future__ import annotations

import re

import griffe

_EXAMPLE = re.compile(r"^( *)>>> (?:.+\n?)+", re.MULTILINE)


class Doctests(griffe.Extension):
    """Fence what begins with `>>>`: to Markdown it is a quotation of a quotation."""

    def on_object(self, *, obj: griffe.Object, **_: object) -> None:
        """Fence the examples of one docstring."""
        if obj.docstring:
            obj.docstring.value = _EXAMPLE.sub(_fenced, obj.docstring.value)


def _fenced(example: re.Match[str]) -> str:
    indent = example[1]
    return f"{indent}```pycon\n{example[0].rstrip()}\n{indent}```\n"
