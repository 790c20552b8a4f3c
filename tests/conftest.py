"""How many examples the property tests draw: few by default, many by night.

By default they are the same each time, so that a change is judged by what it
changes; by night they are new ones.
"""

from __future__ import annotations

import os

from hypothesis import HealthCheck, settings

# How long examples take, and how many do not fit, depends on the machine.
NO_CHECKS = [HealthCheck.too_slow, HealthCheck.filter_too_much]

settings.register_profile(
    "dev",
    max_examples=50,
    deadline=None,
    derandomize=True,
    suppress_health_check=NO_CHECKS,
)
settings.register_profile(
    "nightly", max_examples=2000, deadline=None, suppress_health_check=NO_CHECKS
)
settings.load_profile(os.environ.get("HYPOTHESIS_PROFILE", "dev"))
