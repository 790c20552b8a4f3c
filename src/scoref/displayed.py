"""The base class of results that can be printed, shown in a notebook or exported.

Each command shows a `Report` of its result. A result names the function that makes its
report, and this function is loaded when it is first needed, so results do not load any
rendering code. `print` shows the text of the command, a notebook shows its tables,
`to_dict` returns its JSON, and `to_frame` returns its CSV as a data frame.
"""

from __future__ import annotations

import sys
from importlib import import_module
from importlib.util import find_spec
from typing import TYPE_CHECKING, Any

from scoref.errors import OptionError, unknown

if TYPE_CHECKING:
    from collections.abc import Sequence

LIBRARIES = ("pandas", "polars")
"""What data frames can be made by; the first that is in use, or else installed."""


class Displayed:
    """What shows itself."""

    __slots__ = ()

    _is_several = False  # results in one

    @property
    def _reported_by(self) -> str:
        """Where its report is made: a module of scoref and a function, by a colon."""
        raise NotImplementedError

    @property
    def _in_short(self) -> str:
        """What a line has room for."""
        raise NotImplementedError

    def _report(self) -> Any:
        module, _, function = self._reported_by.partition(":")
        return getattr(import_module(f"scoref.{module}"), function)(self)

    def __repr__(self) -> str:
        return f"<{type(self).__name__}: {self._in_short}>"

    def __str__(self) -> str:
        from scoref.printable import called, warnings_first  # when it is printed

        report = self._report()
        draw = import_module("scoref.render.text").render_text
        notes = [called(note) for note in warnings_first(report.notes)]
        return "\n\n".join([draw(report), *(["\n".join(notes)] if notes else [])])

    def _repr_html_(self) -> str:
        html: str = import_module("scoref.render.html").render_html(self._report())
        return html

    def to_dict(self) -> dict[str, Any]:
        """Give what ``--output json`` has in ``results``: fractions, plain values.

        Where it has several there, such as for folders, it is all of that JSON.
        """
        as_dict = import_module("scoref.render.json").as_dict
        whole: dict[str, Any] = as_dict(self._report())
        return whole if self._is_several else whole["results"][0]

    def to_frame(self, library: str | None = None) -> Any:
        """Give what ``--output csv`` has as a data frame.

        Args:
            library: pandas or polars; if not given, the one that is in use, or else
                the first that is installed.
        """
        header, rows = self._report().table
        return _frame(_library(library), list(header), [list(row) for row in rows])


def _library(name: str | None) -> str:
    if name is not None and name not in LIBRARIES:
        raise unknown("library", name, LIBRARIES)
    asked = LIBRARIES if name is None else (name,)
    found = [each for each in asked if each in sys.modules or find_spec(each)]
    if not found:
        raise OptionError(
            f"a data frame needs {' or '.join(asked)}: pip install {asked[0]}; "
            "to_dict() needs neither"
        )
    return next((each for each in found if each in sys.modules), found[0])


def _frame(library: str, header: list[str], rows: Sequence[list[object]]) -> object:
    made = import_module(library)
    if library == "pandas":
        return made.DataFrame(rows, columns=header)
    return made.DataFrame(
        rows, schema=header, orient="row", infer_schema_length=None, strict=False
    )
