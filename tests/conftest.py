"""How much the tests try: little by default, all of it by night.

HYPOTHESIS_PROFILE=nightly draws many more examples, and runs what is marked
`nightly`. By default the examples are the same each time, so that a change is judged
by what it changes; by night they are new ones.

Tests and their modules are a million objects that stay until the end. The garbage
collector does not look at them, which saves a quarter of the time of a run.
"""

from __future__ import annotations

import gc
import os
import shutil
from typing import TYPE_CHECKING

import pytest
from hypothesis import HealthCheck, settings

from support.browsing import PagePool
from support.nightly import IS_NIGHTLY
from support.required import UnknownComponentError, missing, required, table_of
from support.slow_browser import slow_down

if TYPE_CHECKING:
    from collections.abc import Generator, Iterator

    from playwright.sync_api import Browser

CHROMIUM = ("chromium", "chromium-browser", "google-chrome")
GARBAGE = (50_000, 20, 20)  # objects and rounds between two collections of garbage
# How long examples take, and how many do not fit, depends on the machine.
NO_CHECKS = [HealthCheck.too_slow, HealthCheck.filter_too_much]

settings.register_profile(
    "dev",
    max_examples=12,
    deadline=None,
    derandomize=True,
    suppress_health_check=NO_CHECKS,
)
settings.register_profile(
    "nightly", max_examples=2000, deadline=None, suppress_health_check=NO_CHECKS
)
settings.load_profile("nightly" if IS_NIGHTLY else "dev")


# Text is as wide as the terminal, and tests are run on any.
os.environ.pop("COLUMNS", None)
# Hundreds of tests start a command, which without bytecode is compiled each time.
os.environ.pop("PYTHONDONTWRITEBYTECODE", None)


@pytest.fixture
def wide(monkeypatch: pytest.MonkeyPatch) -> None:
    """Have a terminal on which nothing has to be folded or stacked."""
    monkeypatch.setenv("COLUMNS", "1000")


@pytest.fixture(scope="session")
def browser() -> Iterator[Browser]:
    """Give a browser to tests that need one; they are skipped, and say so, without."""
    playwright = pytest.importorskip(
        "playwright.sync_api", reason="pages are opened with playwright: pip install it"
    )
    found = next(filter(None, map(shutil.which, CHROMIUM)), None)
    if found is None:
        pytest.skip("pages are opened in Chromium: apt-get install chromium")
    with playwright.sync_playwright() as driver:
        opened = driver.chromium.launch(executable_path=found, args=["--no-sandbox"])
        slow_down(opened)
        yield opened
        opened.close()


@pytest.fixture(scope="session")
def page_pool(browser: Browser) -> PagePool:
    """Give pages to tests that look at one after the other."""
    return PagePool(browser)


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    if IS_NIGHTLY:
        return
    skipped = pytest.mark.skip(reason="takes long: HYPOTHESIS_PROFILE=nightly runs it")
    for item in items:
        if item.get_closest_marker("nightly"):
            item.add_marker(skipped)


def pytest_configure() -> None:
    try:
        required()
    except UnknownComponentError as error:
        raise pytest.UsageError(str(error)) from None
    gc.disable()


def pytest_collection_finish() -> None:
    gc.freeze()
    gc.enable()
    gc.set_threshold(*GARBAGE)


def pytest_unconfigure() -> None:
    gc.unfreeze()  # DuckDB reports objects that are not collected at the end


def _fail_if_required(report: pytest.TestReport | pytest.CollectReport) -> None:
    """Turn a skipped test into a failed one if it needs what has to be there."""
    if report.outcome != "skipped" or hasattr(report, "wasxfail"):
        return
    reason = report.longrepr[2] if isinstance(report.longrepr, tuple) else ""
    if problem := missing(reason):
        report.outcome = "failed"
        report.longrepr = problem


@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport() -> Generator[
    None, pytest.TestReport, pytest.TestReport
]:
    report = yield
    _fail_if_required(report)
    return report


@pytest.hookimpl(wrapper=True)
def pytest_make_collect_report() -> Generator[
    None, pytest.CollectReport, pytest.CollectReport
]:
    report = yield
    _fail_if_required(report)
    return report


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter) -> None:
    """List what was skipped, and why."""
    reports = terminalreporter.stats.get("skipped", [])
    if reports:
        terminalreporter.section("skipped tests")
        reasons = [
            report.longrepr[2]
            for report in reports
            if isinstance(report.longrepr, tuple)
        ]
        for line in table_of(reasons):
            terminalreporter.write_line(line)
