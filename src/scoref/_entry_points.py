"""Entry points of the four commands; they handle an interrupt even during loading.

Loading the modules of a command takes most of the time of a short run. This file
therefore imports only modules that Python has already loaded.
"""

from __future__ import annotations

import sys

_INTERRUPTED = 130


def scoref() -> None:
    """Run `scoref`."""
    _start("scoref.cli")


def scoref_conll() -> None:
    """Run `scoref-conll`."""
    _start("scoref.dropins.conll")


def scoref_corefud() -> None:
    """Run `scoref-corefud`."""
    _start("scoref.dropins.corefud")


def scoref_ua() -> None:
    """Run `scoref-ua`."""
    _start("scoref.dropins.ua")


def _start(module: str) -> None:
    try:
        from importlib import import_module

        import_module(module).main()
    except KeyboardInterrupt:
        if sys.stderr is not None:
            sys.stderr.write("interrupted\n")
        sys.exit(_INTERRUPTED)
