"""What a run tries of that which takes long: some by default, all of it by night."""

from __future__ import annotations

import os

IS_NIGHTLY = os.environ.get("HYPOTHESIS_PROFILE") == "nightly"
