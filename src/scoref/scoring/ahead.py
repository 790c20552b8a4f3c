"""Large files are read in a thread of their own, while something else goes on.

The next response is read while the key is, or while the one before it is scored. NumPy
lets go of Python's lock in its large operations, so that two threads keep two cores
busy. Each file is read as it would be without threads, and what comes of it, be it a
corpus or an error, is asked for in the same order: no figure, no note and no message
depends on them.
"""

from __future__ import annotations

import os
from functools import partial
from typing import TYPE_CHECKING, Generic, TypeVar

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator

    Path = str | os.PathLike[str]

Found = TypeVar("Found")

_WORTH_A_THREAD = 1 << 22  # bytes


class Ahead(Generic[Found]):
    """Files that are read in turn; the next one is under way already if it is large.

    >>> list(Ahead(["a.conll", "b.conll"], len))
    [7, 7]
    """

    def __init__(self, paths: Iterable[Path], read: Callable[[Path], Found]) -> None:
        self._paths = iter(paths)
        self._read = read
        self._next = self._begun()

    def __iter__(self) -> Iterator[Found]:
        while self._next is not None:
            found = self._next()
            self._next = self._begun()
            yield found

    def _begun(self) -> Callable[[], Found] | None:
        """Begin with the next file, and give what waits for its end."""
        for path in self._paths:
            reading = partial(self._read, path)
            return _under_way(reading) if is_large(path) else reading
        return None


def is_large(path: Path) -> bool:
    """Tell whether a file is worth a thread, and there is a second core for it."""
    try:
        return os.path.getsize(path) >= _WORTH_A_THREAD and (os.cpu_count() or 1) > 1  # noqa: PTH202 - pathlib takes 5 ms
    except (OSError, ValueError):
        return False  # standard input, or whoever reads it will say what is wrong


def _under_way(task: Callable[[], Found]) -> Callable[[], Found]:
    """Start a task in a thread; what waits for it gives its result or raises its error.

    The thread ends with the process: whoever interrupts this need not wait for it.
    """
    import threading  # noqa: PLC0415 - for large files only
    from contextvars import copy_context  # noqa: PLC0415

    found: list[Found] = []
    errors: list[BaseException] = []

    def run() -> None:
        try:
            found.append(task())
        except BaseException as error:  # noqa: BLE001 - raised by whoever waits
            errors.append(error)

    thread = threading.Thread(target=copy_context().run, args=(run,), daemon=True)
    thread.start()

    def wait() -> Found:
        thread.join()
        if errors:
            raise errors.pop()
        return found.pop()

    return wait
