"""How much the tests try: little by default, all of it by night.

HYPOTHESIS_PROFILE=nightly draws many more examples, and runs what is marked
`nightly`. By default the examples are the same each time, so that a change is judged
by what it changes; by night they are new ones.
"""

from __future__ import annotations

import os

import pytest
from hypothesis import HealthCheck, settings

from thoroughness import IS_NIGHTLY

# How long examples take, and how many do not fit, depends on the machine.
NO_CHECKS = [HealthCheck.too_slow, HealthCheck.filter_too_much]

settings.register_profile(
    "dev",
    max_examples=20,
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


@pytest.fixture
def wide(monkeypatch: pytest.MonkeyPatch) -> None:
    """Have a terminal on which nothing has to be folded or stacked."""
    monkeypatch.setenv("COLUMNS", "1000")


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    if IS_NIGHTLY:
        return
    skipped = pytest.mark.skip(reason="takes long: HYPOTHESIS_PROFILE=nightly runs it")
    for item in items:
        if item.get_closest_marker("nightly"):
            item.add_marker(skipped)
