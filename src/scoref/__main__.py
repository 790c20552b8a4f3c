"""`python -m scoref` is the command `scoref`."""

from __future__ import annotations

from scoref.cli import main

if __name__ == "__main__":
    main()
