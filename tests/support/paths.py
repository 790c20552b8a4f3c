"""Where things are that tests look at."""

from pathlib import Path

ROOT = Path(__file__).parents[2]
EXAMPLES = ROOT / "examples"
NO_SHARED = "there is no folder 'shared' with licensed texts next to the clone"
"""Why tests of these texts are skipped."""
