"""The command `scoref table`, with its reports, plots and saved profiles."""

from __future__ import annotations
