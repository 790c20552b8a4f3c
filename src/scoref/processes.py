"""Tasks in processes of their own: one that dies takes no other with it.

A pool would lose every task that is waiting when one of its processes is killed. And
processes end with the one that started them, however that ends.
"""

from __future__ import annotations

import multiprocessing
import os
import signal
import threading
from multiprocessing.connection import wait
from typing import TYPE_CHECKING, NamedTuple, TypeVar

if TYPE_CHECKING:
    from collections.abc import Callable, Generator, Sequence
    from multiprocessing.connection import Connection
    from multiprocessing.process import BaseProcess

    Task = TypeVar("Task")
    Found = TypeVar("Found")


class Died(NamedTuple):
    """A process that ended without a result."""

    exitcode: int | None

    def __str__(self) -> str:
        if self.exitcode is None or self.exitcode >= 0:
            return f"ended with code {self.exitcode}"
        number = -self.exitcode
        known = {each.value: each.name for each in signal.Signals}
        return f"was killed by {known.get(number, f'signal {number}')}"


def run_apart(
    function: Callable[[Task], Found], tasks: Sequence[Task], at_once: int
) -> Generator[tuple[int, Found | Died], None, None]:
    """Run each task in a process; give its number and result as soon as it is done."""
    waiting = list(enumerate(tasks))[::-1]
    running: dict[Connection, tuple[int, BaseProcess]] = {}
    try:
        while waiting or running:
            while waiting and len(running) < at_once:
                number, task = waiting.pop()
                connection, process = _start(function, task)
                running[connection] = number, process
            for ready in wait(list(running)):
                assert not isinstance(ready, int)  # noqa: S101 - those that were given
                connection = next(each for each in running if each is ready)
                number, process = running.pop(connection)
                yield number, _received(connection, process)
    finally:
        for _, process in running.values():
            process.kill()
            process.join()


def _start(
    function: Callable[[Task], Found], task: Task
) -> tuple[Connection, BaseProcess]:
    ours, theirs = multiprocessing.Pipe(duplex=False)
    process = multiprocessing.Process(
        target=_work, args=(function, task, theirs), daemon=True
    )
    process.start()
    # Now the process alone holds it, and its end is seen here.
    theirs.close()
    return ours, process


def _received(connection: Connection, process: BaseProcess) -> Found | Died:
    try:
        found: Found = connection.recv()
    except EOFError:
        process.join()
        return Died(process.exitcode)
    finally:
        connection.close()
    process.join()
    return found


def _work(
    function: Callable[[Task], Found], task: Task, connection: Connection
) -> None:
    # Ctrl-C reaches all processes at once; the one that started them ends them.
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    threading.Thread(target=_end_with_parent, daemon=True).start()
    connection.send(function(task))


def _end_with_parent() -> None:
    """Wait for the process that started this one, and leave with it."""
    parent = multiprocessing.parent_process()
    if parent is not None:
        parent.join()
        os._exit(1)
