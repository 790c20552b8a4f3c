"""Entry points of the four commands; they handle an interrupt even during loading.

Loading the modules of a command takes most of the time of a short run. This file
therefore imports only modules that Python has already loaded.

A command is short and its data are arrays: garbage collection would take a tenth of the
time and find nothing, and as much again at the end, where objects are frozen to prevent
it. OpenBLAS would start a thread for each core, which takes longer than the products of
matrices that scoref computes. The C library would return the memory of every large
array to the system, which clears it before the next one gets it. It stops this for
arrays that are not larger than a piece of memory that was freed.
"""

from __future__ import annotations

import gc
import os
import sys

_INTERRUPTED = 130
_LARGE = 24 << 20  # bytes; the C library of Linux takes up to 32 MB into account
_THREADS = ("OPENBLAS_NUM_THREADS", "GOTO_NUM_THREADS", "OMP_NUM_THREADS")


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
    gc.disable()
    bytes(_LARGE)  # freed at once
    if not any(name in os.environ for name in _THREADS):
        os.environ[_THREADS[0]] = "1"
    try:
        from importlib import import_module

        import_module(module).main()
    except KeyboardInterrupt:
        if sys.stderr is not None:
            sys.stderr.write("interrupted\n")
        sys.exit(_INTERRUPTED)
    finally:
        if "duckdb" not in sys.modules:  # it reports objects that are not collected
            gc.freeze()
