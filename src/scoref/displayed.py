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
"""Libraries for data frames, in order of preference."""


class Displayed:
    """A result that can print itself."""

    __slots__ = ()

    _is_several = False  # results in one

    @property
    def _reported_by(self) -> str:
        """The function that makes the report, as ``module:function`` within scoref."""
        raise NotImplementedError

    @property
    def _in_short(self) -> str:
        """A summary of the result on one line."""
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
        """Return the object that ``--output json`` has in ``results``.

        Scores are fractions. If there are several objects, as for folders, this
        returns the whole JSON document.
        """
        as_dict = import_module("scoref.render.json").as_dict
        whole: dict[str, Any] = as_dict(self._report())
        return whole if self._is_several else whole["results"][0]

    def to_frame(self, library: str | None = None) -> Any:
        """Return the rows of ``--output csv`` as a data frame.

        Args:
            library: pandas or polars. The default is the library that is already
                imported, or else the first one that is installed.
        """
        header, rows = self._report().table
        return _frame(_library(library), list(header), [list(row) for row in rows])


def _library(name: str | None) -> str:
    if name is not None and name not in LIBRARIES:
        raise unknown("library", name, LIBRARIES)
    names = LIBRARIES if name is None else (name,)
    installed = [name for name in names if name in sys.modules or find_spec(name)]
    if not installed:
        raise OptionError(
            f"a data frame needs {' or '.join(names)}: pip install {names[0]}; "
            "to_dict() needs neither"
        )
    return next((name for name in installed if name in sys.modules), installed[0])


def _frame(library: str, header: list[str], rows: Sequence[list[object]]) -> object:
    module = import_module(library)
    if library == "pandas":
        return module.DataFrame(rows, columns=header)
    return module.DataFrame(
        rows, schema=header, orient="row", infer_schema_length=None, strict=False
    )
