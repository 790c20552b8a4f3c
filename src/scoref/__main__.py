"""Run the command `scoref` as `python -m scoref`."""

from __future__ import annotations

from scoref._entry_points import scoref

if __name__ == "__main__":
    scoref()
