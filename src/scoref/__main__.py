"""`python -m scoref` is the command `scoref`."""

from __future__ import annotations

from scoref._starting import scoref

if __name__ == "__main__":
    scoref()
