"""Entry points of the four commands; they handle an interrupt even during loading.

Loading the modules of a command takes most of the time of a short run. This file
therefore imports only modules that Python has already loaded.

A command is short and its data are arrays. Garbage collection would take a tenth of the
time and find nothing, so it is off. At the end, Python would collect once more unless
objects are frozen. OpenBLAS would start a thread for each core, which takes longer than
the products of matrices that scoref computes. The C library of Linux would return each
large array to the system, which clears the memory before it gives it out again. After
one large piece of memory is freed, the C library keeps everything up to that size.
"""

from __future__ import annotations

import gc
import os
import sys

_INTERRUPTED = 130
_LARGE = 24 << 20  # bytes; the C library keeps at most 32 MB
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
    bytes(_LARGE)  # is freed at once
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
