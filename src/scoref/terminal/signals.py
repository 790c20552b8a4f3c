"""Commands that are told to end: they tidy up first."""

from __future__ import annotations

import signal
import sys
import threading
from contextlib import contextmanager
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator

_ENDING = ("SIGTERM", "SIGHUP")  # not every system has both
_SIGNALLED = 128  # is added to the exit code, as shells have it


@contextmanager
def leaving_on_signals() -> Iterator[None]:
    """End by a signal as by Ctrl-C, so that nothing stays behind on disk."""
    received: list[int] = []

    def leave(number: int, _: object) -> None:
        signal.signal(number, signal.SIG_IGN)  # tidying up is not interrupted
        received.append(number)
        raise KeyboardInterrupt

    before = {number: signal.signal(number, leave) for number in _open_signals()}
    try:
        yield
    except KeyboardInterrupt:
        if received:
            sys.exit(_SIGNALLED + received[0])
        raise
    finally:
        for number in before:
            signal.signal(number, signal.SIG_DFL)


def _open_signals() -> list[int]:
    """List the signals that would end the process, and that nobody takes care of."""
    if threading.current_thread() is not threading.main_thread():
        return []
    known = [getattr(signal, name) for name in _ENDING if hasattr(signal, name)]
    return [each for each in known if signal.getsignal(each) == signal.SIG_DFL]
