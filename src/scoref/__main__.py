"""`python -m scoref` is the command `scoref`."""

from __future__ import annotations

from scoref._entry_points import scoref

if __name__ == "__main__":
    scoref()
