"""Signals during a long query: somebody else must tell the engine to stop.

Python runs a signal's handler in the main thread, as soon as that comes back from
whatever it is doing; DuckDB comes back at the end of a query. A thread that waits
for signals beside it interrupts the query, so that the handler has its turn.
"""

from __future__ import annotations

import os
import signal
import threading
from contextlib import contextmanager
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator


@contextmanager
def interrupting(stop: Callable[[], object]) -> Iterator[None]:
    """Call ``stop`` as soon as a signal comes that has a handler."""
    if threading.current_thread() is not threading.main_thread():
        yield  # only the main thread hears of signals
        return
    heard, told = os.pipe()
    os.set_blocking(told, False)
    before = signal.set_wakeup_fd(told, warn_on_full_buffer=False)
    watching = threading.Thread(target=_watch, args=(heard, stop), daemon=True)
    watching.start()
    try:
        yield
    finally:
        signal.set_wakeup_fd(before)
        os.close(told)  # which ends the thread
        watching.join()
        os.close(heard)


def _watch(heard: int, stop: Callable[[], object]) -> None:
    while os.read(heard, 1):
        stop()
