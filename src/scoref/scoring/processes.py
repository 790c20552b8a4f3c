"""Tasks in processes of their own.

A pool loses all waiting tasks when one of its processes is killed. Here each task has
its own process, and a process that dies loses its own task only. The processes end with
the one that started them, however that ends.
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
    Answer = TypeVar("Answer")


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
    function: Callable[[Task], Answer], tasks: Sequence[Task], at_once: int
) -> Generator[tuple[int, Answer | Died], None, None]:
    """Run each task in a process, and yield its number and result when it is done."""
    waiting = list(enumerate(tasks))[::-1]
    running: dict[Connection, tuple[int, BaseProcess]] = {}
    try:
        while waiting or running:
            while waiting and len(running) < at_once:
                number, task = waiting.pop()
                connection, process = _start(function, task)
                running[connection] = number, process
            for ready in wait(list(running)):
                assert not isinstance(ready, int)
                connection = next(each for each in running if each is ready)
                number, process = running.pop(connection)
                yield number, _receive(connection, process)
    finally:
        for _, process in running.values():
            process.kill()
            process.join()


def _start(
    function: Callable[[Task], Answer], task: Task
) -> tuple[Connection, BaseProcess]:
    ours, theirs = multiprocessing.Pipe(duplex=False)
    process = multiprocessing.Process(
        target=_work, args=(function, task, theirs), daemon=True
    )
    process.start()
    # Only the process holds this end now, so that its death is noticed here.
    theirs.close()
    return ours, process


def _receive(connection: Connection, process: BaseProcess) -> Answer | Died:
    try:
        answer: Answer = connection.recv()
    except EOFError:
        process.join()
        return Died(process.exitcode)
    finally:
        connection.close()
    process.join()
    return answer


def _work(
    function: Callable[[Task], Answer], task: Task, connection: Connection
) -> None:
    """Run a task in the new process, and send its result."""
    # Ctrl-C reaches all processes at once; the one that started them ends them.
    signal.signal(signal.SIGINT, signal.SIG_IGN)

    def end_with_parent() -> None:
        parent = multiprocessing.parent_process()
        if parent is not None:
            parent.join()
            os._exit(1)

    threading.Thread(target=end_with_parent, daemon=True).start()
    connection.send(function(task))
