"""Commands that a page of the documentation shows, and how they are run.

A command is a line after ``$`` in a block, a line of a block of ``sh``, or a code span
such as ``scoref KEY RESPONSE``. A comment before a block, a paragraph or a table says
that its commands are not run, and why: ``<!-- not run: needs an index -->``.
"""

from __future__ import annotations

import itertools
import os
import re
import shlex
import shutil
import subprocess
from typing import TYPE_CHECKING, NamedTuple

from scoref.cli import COMMANDS
from support.commands import run
from support.page_files import make_files
from support.paths import ROOT

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

HAS_JQ = shutil.which("jq") is not None
_PROGRAMS = r"scoref(?:-\w+)?|make|jq|pip|podman|docker|npm|python|eval|zcat"
_MARK = re.compile(r"<!-- not run: (.+?) -->")
_FENCE = re.compile(r"^```(\w*)\n(.*?)^```", re.MULTILINE | re.DOTALL)
_SPAN = re.compile(rf"(?<!`)`((?:{_PROGRAMS}) [^`\n]+)`(?!`)")
_SHELL = re.compile(r"[|<>;&$*~]")


class Command(NamedTuple):
    """A command, the output that the page shows, and why it is not run."""

    line: str
    shown: str
    not_run: str
    in_block: bool


def commands(page: str) -> Iterator[Command]:
    r"""Find all commands of a page, in their order.

    >>> page = "Type `make demo`, or:\n\n```sh\nscoref data  # all\n```"
    >>> [command.line for command in commands(page)]
    ['make demo', 'scoref data']
    """
    reason = ""
    for part in _parts(page):
        mark = _MARK.match(part)
        if mark and part.strip() == mark[0]:
            reason = mark[1]
            continue
        reason = mark[1] if mark else reason
        for line, shown in _lines(part):
            yield Command(line, shown, reason, part.startswith("```"))
        reason = ""


def _parts(page: str) -> Iterator[str]:
    """Split a page into blocks, paragraphs and tables."""
    end = 0
    for fence in _FENCE.finditer(page):
        yield from re.split(r"\n{2,}", page[end : fence.start()].strip("\n"))
        yield fence[0]
        end = fence.end()
    yield from re.split(r"\n{2,}", page[end:].strip("\n"))


def _lines(part: str) -> Iterator[tuple[str, str]]:
    fence = _FENCE.match(part)
    if not fence:
        yield from ((span.replace("\\|", "|"), "") for span in _SPAN.findall(part))
        return
    language, text = fence.groups()
    if language == "sh":
        text = re.sub(r"(?<!\\\n)^(?=[^#\s])", "$ ", text, flags=re.MULTILINE)
    text = re.sub(
        r"^\$ (?:.*\\\n)+.*",
        lambda line: line[0].replace("\\\n", ""),
        text,
        flags=re.MULTILINE,
    )
    if language in {"sh", "text", "console"}:
        for session in re.split(r"^\$ ", text, flags=re.MULTILINE)[1:]:
            line, _, shown = session.partition("\n")
            yield re.sub(r"\s+# .*", "", line), shown.rstrip("\n")


class Output(NamedTuple):
    """What a command printed, on both streams and on the first, and its exit code."""

    text: str
    stdout: str
    code: int


def run_page(page: Path, folder: Path) -> Iterator[tuple[Command, Output]]:
    """Run the commands of a page in a folder, which must be the working directory."""
    for line in make_files(page.relative_to(ROOT).as_posix(), folder):
        made = execute(line, folder)
        assert made.code == 0, f"{line}\n{made.text}"
    for command in commands(page.read_text("utf-8")):
        if not command.not_run and _is_whole(command, folder):
            _remove_target(command.line, folder)
            yield command, execute(command.line, folder)


def execute(line: str, folder: Path) -> Output:
    """Run a command in a folder, which must be the working directory.

    A call of ``scoref`` runs in this process, everything else in a shell.
    """
    scoring, _, rest = line.partition(" | ")
    is_plain = not _SHELL.search(re.sub(r"'[^']*'", "", scoring))
    if not scoring.startswith("scoref ") or not is_plain:
        return _shell(line, folder)
    result = run(*shlex.split(scoring)[1:], env={"PATH": _path(folder)})
    if rest and result.exit_code == 0:
        return _shell(rest, folder, stdin=result.stdout)
    return Output(result.output, result.stdout, result.exit_code)


def _shell(line: str, folder: Path, stdin: str = "") -> Output:
    done = subprocess.run(
        ["bash", "-c", line],  # noqa: S607 - as a reader runs it
        capture_output=True,
        check=False,
        cwd=ROOT if line.startswith(("make ", "python -m ")) else folder,
        encoding="utf-8",
        env={
            **os.environ,
            "PATH": _path(folder),
            "HOME": str(folder),
            "PYTHONUTF8": "1",
        },
        input=stdin,
        timeout=60,
    )
    return Output(done.stdout + done.stderr, done.stdout, done.returncode)


def _path(folder: Path) -> str:
    return os.pathsep.join([str(folder / ".bin"), os.environ["PATH"]])


def is_shown(shown: str, printed: str) -> bool:
    r"""Return whether a page shows the output; dots stand for anything.

    >>> is_shown("a\n…\nd", "a\nb\nc\nd\n"), is_shown("a\n…\nd", "a\nb\n")
    (True, False)
    """
    pattern = re.escape(shown).replace("…", ".*")
    return re.fullmatch(pattern, printed.rstrip("\n"), re.DOTALL) is not None


def _is_whole(command: Command, folder: Path) -> bool:
    """Return whether a command can be run: it is not a name or a line of usage."""
    if "jq " in command.line:
        return HAS_JQ
    if command.in_block:
        return True
    words = shlex.split(command.line)
    if re.search(r"…|\.\.\.|\[[A-Z]|\b[A-Z]+(_DIR)?\b", command.line):
        return False
    if words[0].startswith("scoref"):
        files = [word.rpartition("=")[2] for word in words[1:] if word not in COMMANDS]
        return any((folder / file).exists() for file in files if file)
    return True


def _remove_target(line: str, folder: Path) -> None:
    """Remove the file that ``scoref convert`` is going to write."""
    words = shlex.split(line)
    if words[:2] == ["scoref", "convert"]:
        *_, last = itertools.takewhile(lambda word: word[0] != "-", words)
        target = folder / last
        if target.is_dir():
            shutil.rmtree(target)
        else:
            target.unlink(missing_ok=True)


def is_as_shown(command: Command, printed: Output) -> bool:
    """Return whether a command did what the page shows, or at least worked.

    Commands that check files, and folders with files that do not fit, end with 1.
    """
    if command.shown:
        texts = (printed.text, printed.stdout)
        return any(is_shown(command.shown, text) for text in texts)
    may_find = command.line.startswith("scoref check") or " examples " in command.line
    return printed.code in ({0, 1, 3} if may_find else {0, 3})
