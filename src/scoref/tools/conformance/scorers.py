"""Run a scorer as a process: one JSON line per case in, one JSON line out.

The process stays alive from case to case. If it prints anything but an answer, exits
or does not answer in time, that case is reported and the process is started again for
the next one.
"""

from __future__ import annotations

import contextlib
import json
import os
import queue
import signal
import subprocess
import tempfile
import threading
from typing import TYPE_CHECKING, Literal, NamedTuple

from scoref.errors import ScorefError
from scoref.printable import printable
from scoref.tools.conformance.suite import parse_figure

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence
    from fractions import Fraction
    from types import TracebackType
    from typing import IO, Self

    from scoref.tools.conformance.suite import Question

    Status = Literal["equal", "different", "refused", "crashed", "timed out"]
    Answers = Mapping[str, Mapping[str, Fraction]]

STATUSES: tuple[Status, ...] = (
    "equal",
    "different",
    "refused",
    "crashed",
    "timed out",
)

TOLERANCE = 1e-6
"""Decimals that differ by no more than this are equal; fractions must be the same."""

_LONGEST = 1 << 20  # characters of an answer
_QUOTED = 80  # characters of a wrong answer that a message quotes


class Outcome(NamedTuple):
    """What a scorer did with a case.

    ``differences`` has every figure that differs, as (metric, figure, expected,
    answer). ``omitted`` has the metrics that the scorer did not return.
    """

    question: Question
    status: Status
    detail: str = ""
    differences: tuple[tuple[str, str, Fraction, Fraction], ...] = ()
    omitted: tuple[str, ...] = ()

    @property
    def largest(self) -> float | None:
        """The largest difference; None if no figure differs."""
        sizes = [abs(float(got - right)) for _, _, right, got in self.differences]
        return max(sizes, default=None)


class Scorer:
    """A scorer that runs as a process and answers one question after the other."""

    def __init__(self, command: Sequence[str], timeout: float) -> None:
        self._command = list(command)
        self._timeout = timeout
        self._process: subprocess.Popen[str] | None = None
        self._lines: queue.Queue[str] = queue.Queue()
        self._log: IO[bytes] | None = None

    def __enter__(self) -> Self:
        self._start()
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        traceback: TracebackType | None,
    ) -> None:
        self.stop()
        self._close_log()

    def ask(self, question: Question) -> Outcome:
        """Send a question, wait for the answer, and compare it."""
        process = self._process or self._start()
        assert process.stdin is not None
        try:
            process.stdin.write(json.dumps(question.request) + "\n")
            process.stdin.flush()
        except OSError:
            return self._fail(question, "crashed", "it closed its input")
        try:
            line = self._lines.get(timeout=self._timeout)
        except queue.Empty:
            detail = f"it did not answer within {self._timeout:g} seconds"
            return self._fail(question, "timed out", detail)
        if not line:
            return self._fail(question, "crashed", "it exited without an answer")
        try:
            answer = parse_answer(line, question)
        except ValueError as error:
            return self._fail(question, "crashed", str(error))
        if isinstance(answer, str):
            return Outcome(question, "refused", answer)
        return compare(question, answer)

    def _fail(self, question: Question, status: Status, detail: str) -> Outcome:
        """Stop the process; the next question starts it again."""
        code = self.stop()
        if code and status == "crashed" and "exited" in detail:
            detail = f"it exited with code {code} and without an answer"
        if self._log is not None and status == "crashed" and "exited" in detail:
            self._log.seek(0)
            log = self._log.read()[-_LONGEST:].decode("utf-8", "replace").split("\n")
            last = next((line.strip() for line in reversed(log) if line.strip()), "")
            detail += f": {printable(last)[:_QUOTED]}" if last else ""
        return Outcome(question, status, detail)

    def _start(self) -> subprocess.Popen[str]:
        self._lines = queue.Queue()
        self._close_log()
        self._log = tempfile.TemporaryFile()  # noqa: SIM115 - it lives as long as the process
        try:
            process = subprocess.Popen(  # noqa: S603 - the user's own command
                self._command,
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=self._log,
                encoding="utf-8",
                errors="replace",
                start_new_session=True,
            )
        except (OSError, ValueError) as error:
            reason = getattr(error, "strerror", None) or error
            self._close_log()
            raise ScorefError(
                f"'{self._command[0]}' cannot be started: {reason}. Give the command "
                "that starts your scorer: scoref conformance python my_scorer.py"
            ) from error
        self._process = process
        threading.Thread(
            target=_pass_on, args=(process.stdout, self._lines), daemon=True
        ).start()
        return process

    def _close_log(self) -> None:
        if self._log is not None:
            self._log.close()
            self._log = None

    def stop(self) -> int | None:
        """End the process and return its exit code."""
        process, self._process = self._process, None
        if process is None:
            return None
        with contextlib.suppress(OSError):  # it may have gone already
            assert process.stdin is not None
            process.stdin.close()
        try:
            code = process.wait(timeout=0.5)
        except subprocess.TimeoutExpired:
            process.kill()
            code = process.wait()
        # A command may be a shell or a launcher: end what it has started, too.
        with contextlib.suppress(OSError, AttributeError):  # no groups on Windows
            os.killpg(process.pid, signal.SIGKILL)
        return code


def _pass_on(lines: IO[str] | None, to: queue.Queue[str]) -> None:
    """Read lines in a thread, because a pipe cannot be read with a time limit."""
    assert lines is not None
    with lines:
        while line := lines.readline(_LONGEST):
            to.put(line)
    to.put("")


def parse_answer(line: str, question: Question) -> Answers | str:
    """Return the figures of an answer, or the reason why the scorer refused."""
    quoted = printable(line.strip())[:_QUOTED]
    try:
        answer = json.loads(line)
    except ValueError:
        raise ValueError(f"it printed '{quoted}', which is not JSON") from None
    if not isinstance(answer, dict) or answer.get("case") != question.case:
        raise ValueError(f"it printed '{quoted}', which is not an answer to this case")
    if "refused" in answer:
        return printable(str(answer["refused"]))
    scores = answer.get("scores")
    if not isinstance(scores, dict):
        raise ValueError(  # noqa: TRY004 - the answer is wrong, not our call
            f"it printed '{quoted}', which has neither scores nor refused"
        )
    return {
        metric: _figures(metric, scores[metric], expected)
        for metric, expected in question.expected.items()
        if metric in scores
    }


def _figures(
    metric: str, figures: object, expected: Mapping[str, Fraction]
) -> dict[str, Fraction]:
    if not isinstance(figures, dict) or not figures.keys() >= expected.keys():
        raise ValueError(f"the answer has '{metric}' without {' and '.join(expected)}")
    try:
        return {name: parse_figure(figures[name]) for name in expected}
    except (ValueError, OverflowError, ZeroDivisionError) as error:
        raise ValueError(f"a figure of '{metric}' is wrong: {error}") from None


def compare(question: Question, answers: Answers) -> Outcome:
    """Compare all figures that a scorer returned with the expected ones."""
    omitted = tuple(name for name in question.expected if name not in answers)
    differences = tuple(_differences(question, answers))
    if differences:
        return Outcome(question, "different", "", differences, omitted)
    if len(omitted) == len(question.expected):
        return Outcome(question, "refused", "it returned none of the metrics")
    return Outcome(question, "equal", "", (), omitted)


def _differences(
    question: Question, answers: Answers
) -> Iterator[tuple[str, str, Fraction, Fraction]]:
    for metric, figures in question.expected.items():
        for name, right in figures.items() if metric in answers else ():
            got = answers[metric][name]
            if abs(got - right) > TOLERANCE:
                yield metric, name, right, got


def run_suite(
    command: Sequence[str], questions: Sequence[Question], timeout: float
) -> list[Outcome]:
    """Ask a scorer all questions."""
    with Scorer(command, timeout) as scorer:
        return [scorer.ask(question) for question in questions]
