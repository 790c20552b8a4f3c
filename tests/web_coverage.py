"""Which lines of the sources in web/ run in the tests?

    make web-coverage

The scripts are built with source maps, in a copy of the project. Then come the tests in
Chromium, the tests in web/tests, and those of the kernel, which runs in Node.js. V8
notes in each of them which parts of the scripts run.

A line counts if any code is on it, and it is covered if any of this code runs. The
report has the lines that do not run, by file.
"""

from __future__ import annotations

import base64
import json
import os
import re
import shutil
import subprocess
import sys
import tempfile
from collections import defaultdict
from contextlib import suppress
from itertools import accumulate
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

from trials import ROOT, copy_project

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    import pytest
    from playwright.sync_api import CDPSession, Page

_OURS = re.compile(r"(?:^|/)((?:src|kernel)/(?:[\w-]+/)*[\w-]+\.ts)$")
_INLINE = re.compile(
    r"//# sourceMappingURL=data:application/json;base64,([\w+/=]+)\s*$"
)
_DIGITS = {
    digit: value
    for value, digit in enumerate(
        "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/"
    )
}
_FOLDER = "WEB_COVERAGE"  # the variable with the folder for what pages note


class Place(NamedTuple):
    """Where code is in its source. The first line is 0."""

    file: str
    line: int
    column: int


def marks_of(functions: Iterable[dict[str, Any]], size: int) -> bytearray:
    """Return 1 for each character of a script that ran, else 0."""
    marks = bytearray(size)
    for function in functions:
        for part in function["ranges"]:  # inner ones follow
            start, end = part["startOffset"], min(part["endOffset"], size)
            marks[start:end] = (b"\1" if part["count"] else b"\0") * (end - start)
    return marks


def places_of(
    source_map: dict[str, Any], starts: list[int]
) -> Iterator[tuple[int, Place]]:
    """Return where code begins in a script, and where it is in its source."""
    names = [_OURS.search(name) for name in source_map["sources"]]
    texts = [(text or "").split("\n") for text in source_map["sourcesContent"]]
    file = line = column = 0
    for start, segments in zip(starts, source_map["mappings"].split(";"), strict=False):
        offset = start
        for segment in filter(None, segments.split(",")):
            step, *moves = _numbers(segment)
            offset += step
            if not moves:
                continue
            file, line, column = file + moves[0], line + moves[1], column + moves[2]
            name, after = names[file], texts[file][line][column : column + 1]
            if name and (after.isalnum() or after in {"_", "$", '"', "`", "!"}):
                yield offset, Place(name[1], line, column)


def _numbers(segment: str) -> list[int]:
    """Decode numbers of any length, with their signs in the lowest bit."""
    numbers, number, shift = [], 0, 0
    for character in segment:
        digit = _DIGITS[character]
        number |= (digit & 31) << shift
        shift += 5
        if digit < 32:  # the last one
            numbers.append(-(number >> 1) if number & 1 else number >> 1)
            number = shift = 0
    return numbers


class Coverage:
    """Which places ran, in any script."""

    def __init__(self) -> None:
        self.places: dict[Place, bool] = defaultdict(bool)

    def add(
        self, marks: bytearray, source_map: dict[str, Any], lengths: list[int]
    ) -> None:
        """Add a script with the lengths of its lines."""
        starts = [0, *accumulate(length + 1 for length in lengths)]
        for offset, place in places_of(source_map, starts):
            self.places[place] |= offset < len(marks) and bool(marks[offset])

    def add_node(self, folder: Path) -> None:
        """Add what Node.js wrote."""
        for path in folder.glob("coverage-*.json"):
            noted = json.loads(path.read_text(encoding="utf-8"))
            maps = noted.get("source-map-cache", {})
            for script in noted["result"]:
                mapped = maps.get(script["url"])
                if mapped and mapped["data"]:
                    lengths = mapped["lineLengths"]
                    size = sum(lengths) + len(lengths)
                    marks = marks_of(script["functions"], size)
                    self.add(marks, mapped["data"], lengths)

    def add_pages(self, folder: Path) -> None:
        """Add what ran in Chromium."""
        for path in folder.glob("page-*.js"):
            text = path.read_text(encoding="utf-8")
            marks = bytearray(path.with_suffix(".marks").read_bytes())
            inline = _INLINE.search(text)
            assert inline is not None, path
            source_map = json.loads(base64.b64decode(inline[1]))
            self.add(marks, source_map, [len(line) for line in text.split("\n")])

    def lines(self) -> dict[str, dict[int, bool]]:
        """Return the lines with code of each file, and whether they run."""
        found: dict[str, dict[int, bool]] = defaultdict(lambda: defaultdict(bool))
        for place, is_run in self.places.items():
            found[place.file][place.line + 1] |= is_run
        return found


def report(coverage: Coverage, sources: Iterable[str]) -> Iterator[str]:
    """Write the lines of a table, the worst file first."""
    lines = coverage.lines()
    yield f"{'file':<28} {'lines':>5} {'run':>5} {'share':>6}  lines that do not run"
    shares = {name: _share(found.values()) for name, found in lines.items()}
    for name in sorted(shares, key=lambda name: (shares[name], name)):
        found = lines[name]
        missing = [line for line in sorted(found) if not found[line]]
        yield (
            f"{name:<28} {len(found):>5} {sum(found.values()):>5} "
            f"{shares[name]:>4.0f} %  {_ranges(missing, sorted(found))}"
        )
    # Files with nothing but types have no code.
    if unseen := sorted({*sources} - {*lines}):
        yield f"without code, or in no script: {', '.join(unseen)}"
    every = [is_run for found in lines.values() for is_run in found.values()]
    for name, runs in (
        ("all", every),
        ("all parts of lines", coverage.places.values()),
    ):
        yield f"{name:<28} {len(runs):>5} {sum(runs):>5} {_share(runs):>4.1f} %"


def _share(runs: Iterable[bool]) -> float:
    found = list(runs)
    return 100 * sum(found) / len(found)


def _ranges(missing: list[int], every: list[int]) -> str:
    """Write lines as ranges, across lines without code."""
    number = {line: place for place, line in enumerate(every)}
    ranges: list[list[int]] = []
    for line in missing:
        if ranges and number[line] == number[ranges[-1][1]] + 1:
            ranges[-1][1] = line
        else:
            ranges.append([line, line])
    return ", ".join(f"{a}" if a == b else f"{a}-{b}" for a, b in ranges)


class PageObserver:
    """A plugin for pytest: runs the tests with a browser, and notes what pages run."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._sessions: dict[Page, CDPSession] = {}
        self._marks: dict[str, bytearray] = {}

    def pytest_collection_modifyitems(self, items: list[pytest.Item]) -> None:
        """Leave out tests that have nothing to do with scripts."""
        items[:] = [
            item
            for item in items
            if {"browser", "kernel"} & {*getattr(item, "fixturenames", ())}
        ]

    def pytest_sessionstart(self) -> None:
        """Watch each page from the moment it is made until it is left or closed."""
        from playwright.sync_api import Browser, BrowserContext, Page

        for owner in (Browser, BrowserContext):
            self._watch(owner, "new_page", is_new=True)
        for name in ("goto", "reload", "close"):
            self._watch(Page, name)
        self._watch(BrowserContext, "close")

    def _watch(self, owner: type, name: str, *, is_new: bool = False) -> None:
        original = getattr(owner, name)

        def watched(subject: Any, *arguments: Any, **options: Any) -> Any:
            if not is_new:
                self._note_pages()
            done = original(subject, *arguments, **options)
            if is_new:
                self._begin(done)
            return done

        setattr(owner, name, watched)

    def _begin(self, page: Page) -> None:
        from playwright.sync_api import Error

        session = page.context.new_cdp_session(page)
        options = {"callCount": False, "detailed": True}
        with suppress(Error):  # the page may be one without scripts
            for domain in ("Debugger", "Profiler"):
                session.send(f"{domain}.enable")
            session.send("Profiler.startPreciseCoverage", options)
            self._sessions[page] = session

    def _note_pages(self) -> None:
        for page, session in list(self._sessions.items()):
            if page.is_closed():
                del self._sessions[page]
                continue
            for script in session.send("Profiler.takePreciseCoverage")["result"]:
                self._note(script, session)

    def _note(self, script: dict[str, Any], session: CDPSession) -> None:
        from playwright.sync_api import Error

        which = {"scriptId": script["scriptId"]}
        text = ""
        with suppress(Error):  # a script of a page that was left may be gone
            text = session.send("Debugger.getScriptSource", which)["scriptSource"]
        if not _INLINE.search(text):
            return
        new = marks_of(script["functions"], len(text))
        old = self._marks.get(text, bytearray(len(text)))
        both = int.from_bytes(old) | int.from_bytes(new)
        self._marks[text] = bytearray(both.to_bytes(len(text)))

    def pytest_runtest_teardown(self) -> None:
        self._note_pages()

    def pytest_sessionfinish(self) -> None:
        for number, (text, marks) in enumerate(self._marks.items()):
            path = self._folder / f"page-{os.getpid()}-{number}.js"
            path.write_text(text, encoding="utf-8")
            path.with_suffix(".marks").write_bytes(marks)


def pytest_configure(config: pytest.Config) -> None:
    """Observe pages if this module is loaded as a plugin."""
    config.pluginmanager.register(PageObserver(Path(os.environ[_FOLDER])))


def main() -> None:
    """Build the scripts, run the tests, and print the report."""
    npm = shutil.which("npm")
    if npm is None or not (ROOT / "web" / "node_modules").is_dir():
        sys.exit("This needs Node.js, and the packages of web/: npm ci --prefix web")
    with tempfile.TemporaryDirectory() as name:
        folder, noted = Path(name, "scoref"), Path(name, "noted")
        copy_project(folder)
        noted.mkdir()
        web = folder / "web"
        (web / "node_modules").symlink_to(ROOT / "web" / "node_modules")
        os.environ |= {
            "COVERAGE": "1",
            "NODE_V8_COVERAGE": str(noted),
            _FOLDER: str(noted),
            "PYTHONPATH": os.pathsep.join([str(folder / "src"), str(folder / "tests")]),
            "SCOREF_REQUIRE": "chromium,node",
        }
        for script in ("build", "test"):
            command = [npm, "--silent", "run", script]
            subprocess.run(command, cwd=web, check=True)
        pytest = [sys.executable, "-m", "pytest", "-p", "web_coverage"]
        options = ["-p", "no:cacheprovider", *sys.argv[1:]]
        done = subprocess.run([*pytest, *options], cwd=folder, check=False)
        coverage = Coverage()
        coverage.add_node(noted)
        coverage.add_pages(noted)
        names = [
            path.relative_to(web).as_posix()
            for part in ("src", "kernel")
            for path in (web / part).rglob("*.ts")
        ]
    print(*report(coverage, names), sep="\n")
    sys.exit(done.returncode)


if __name__ == "__main__":
    main()
