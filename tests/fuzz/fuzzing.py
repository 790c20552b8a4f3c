"""Run every command on damaged files.

    make fuzz SECONDS=60           new cases for 60 seconds
    make fuzz SECONDS=60 FIRST=1   cases 1, 2, 3 and so on for 60 seconds, as in CI
    make fuzz SEED=4711            one case again, with everything that it prints

The seed alone determines a case. A finding is a traceback, a signal, an exit code that
is not documented, something unprintable in a message, an input that was changed, or a
run that takes too long. Its files, call and output are kept in a folder per seed.
"""

from __future__ import annotations

import argparse
import os
import pkgutil
import resource
import secrets
import shlex
import signal
import sys
import tempfile
import time
from collections import Counter
from contextlib import suppress
from importlib import import_module
from itertools import count
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple, NoReturn

from fuzz_cases import Case, case_of

import scoref

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

FINDS = Path(__file__).parents[2] / "fuzz-finds"
LONGEST = 30
MEMORY = 4 << 30
PROMISED = {
    "scoref": {0, 1, 2, 3},
    "scoref-conll": {0, 1, 2, 25},
    "scoref-corefud": {0, 1, 2},
    "scoref-ua": {0, 1, 2},
}
MODULES = {
    "scoref": "scoref.cli",
    "scoref-conll": "scoref.dropins.conll",
    "scoref-corefud": "scoref.dropins.corefud",
    "scoref-ua": "scoref.dropins.ua",
}


class Done(NamedTuple):
    """How a command ended, and what it printed."""

    code: int
    out: bytes
    err: bytes


def main() -> None:
    """Draw cases until the time is over, or repeat one."""
    options = _options()
    _load()
    if options.seed is not None:
        sys.exit(_repeat(options.seed))
    seeds = _seeds(options.first)
    end = time.monotonic() + options.seconds
    tried: list[int] = []
    found = 0
    while not tried or time.monotonic() < end:
        tried.append(next(seeds))
        found += _try(tried[-1])
    print("\n".join(summary(tried, found)))
    sys.exit(1 if found else 0)


def _seeds(first: int | None) -> Iterator[int]:
    """Return seeds that count from the first one, or random ones without it."""
    while first is None:
        yield secrets.randbelow(1 << 48)
    yield from count(first)


def summary(seeds: Sequence[int], found: int) -> Iterator[str]:
    """Describe a run: how many cases of what, and where findings are kept."""
    yield f"{len(seeds)} cases, {found} findings"
    is_counting = [*seeds] == [*range(seeds[0], seeds[0] + len(seeds))]
    rest = f", last {seeds[-1]}" if is_counting else ", the others are random as well"
    yield f"first seed: {seeds[0]}{rest if len(seeds) > 1 else ''}"
    calls = Counter(case_of(seed).arguments[0] for seed in seeds)
    names = ", ".join(f"{name} {number}" for name, number in calls.most_common())
    yield f"tried: commands on damaged files ({names})"
    yield f"folder for findings: {FINDS}"


def _load() -> None:
    """Load everything once, and not again in each of the processes."""
    for module in pkgutil.walk_packages(scoref.__path__, "scoref."):
        if not module.name.startswith(("scoref.adapters", "scoref.__main__")):
            with suppress(ImportError):  # of extras that are not installed
                import_module(module.name)


def _options() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description="Draw damaged files for commands.")
    parser.add_argument("--seconds", type=float, default=60)
    parser.add_argument("--seed", type=int)
    parser.add_argument("--first", type=int)
    return parser.parse_args()


def _try(seed: int) -> bool:
    """Run a case, and keep it if something is wrong with it."""
    case = case_of(seed)
    with tempfile.TemporaryDirectory() as folder:
        done = run(case, Path(folder))
        wrong = complaint(case, done, Path(folder))
    if wrong:
        _keep(seed, case, done)
        print(f"{wrong}: {shlex.join(case.arguments)}")
        print(f"  again: make fuzz SEED={seed}", flush=True)
    return bool(wrong)


def _repeat(seed: int) -> int:
    case = case_of(seed)
    with tempfile.TemporaryDirectory() as folder:
        done = run(case, Path(folder))
        wrong = complaint(case, done, Path(folder))
    _keep(seed, case, done)
    sys.stdout.buffer.write(done.out + done.err)
    print(f"{shlex.join(case.arguments)}: {wrong or 'nothing wrong'}")
    print(f"its files are in {FINDS / str(seed)}")
    return 1 if wrong else 0


def _keep(seed: int, case: Case, done: Done) -> None:
    folder = FINDS / str(seed)
    folder.mkdir(parents=True, exist_ok=True)
    for name, data in case.files.items():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_bytes(data)
    (folder / "call").write_text(f"{shlex.join(case.arguments)}\n", encoding="utf-8")
    (folder / "output").write_bytes(done.out + done.err)


def complaint(case: Case, done: Done, folder: Path) -> str:
    """Say what is wrong with how a command ended; nothing if all is well."""
    changed = [
        name
        for name, data in case.files.items()
        if (folder / name).read_bytes() != data
    ]
    if changed:
        return f"{changed[0]} was changed"
    if any(not line.isprintable() for line in _lines(done.err)):
        return "something unprintable in a message"
    return _ending(case, done)


def _ending(case: Case, done: Done) -> str:
    if done.code == -signal.SIGALRM:
        return f"still running after {LONGEST} s"
    if done.code < 0:
        return f"ended by signal {-done.code}"
    if b"Traceback (most recent call last)" in done.err:
        return f"traceback: {_lines(done.err.strip())[-1][:200]}"
    is_promised = done.code in PROMISED[case.arguments[0]]
    return "" if is_promised else f"exit code {done.code}"


def _lines(data: bytes) -> list[str]:
    return data.decode("utf-8", "replace").replace("\t", " ").split("\n")


def run(case: Case, folder: Path) -> Done:
    """Run a command in a process of its own, with so much time and memory."""
    for name, data in case.files.items():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_bytes(data)
    streams = [tempfile.TemporaryFile() for _ in range(2)]  # noqa: SIM115 - closed below
    child = os.fork()
    if not child:
        _run_here(case, folder, [stream.fileno() for stream in streams])
    _, status = os.waitpid(child, 0)
    printed = []
    for stream in streams:
        stream.seek(0)
        printed.append(stream.read())
        stream.close()
    return Done(os.waitstatus_to_exitcode(status), *printed)


def _run_here(case: Case, folder: Path, streams: list[int]) -> NoReturn:
    """Become the command, and never come back."""
    code = 70
    try:
        os.chdir(folder)
        os.dup2(os.open(next(iter(case.files)), os.O_RDONLY), 0)
        os.dup2(streams[0], 1)
        os.dup2(streams[1], 2)
        sys.stdin, sys.stdout, sys.stderr = (
            open(0, encoding="utf-8", errors="surrogateescape", closefd=False),  # noqa: SIM115
            open(1, "w", encoding="utf-8", closefd=False),  # noqa: SIM115
            open(2, "w", encoding="utf-8", closefd=False),  # noqa: SIM115
        )
        sys.argv = list(case.arguments)
        signal.signal(signal.SIGALRM, signal.SIG_DFL)
        signal.alarm(LONGEST)
        resource.setrlimit(resource.RLIMIT_AS, (MEMORY, MEMORY))
        import_module(MODULES[case.arguments[0]]).main()
    except SystemExit as left:
        code = left.code if isinstance(left.code, int) else 0
    except BaseException:  # noqa: BLE001 - whatever it is, it is a find
        sys.excepthook(*sys.exc_info())
    finally:
        sys.stdout.flush()
        sys.stderr.flush()
        os._exit(code)


if __name__ == "__main__":
    main()
