"""Clusterings of records: the command, pictures and pages."""

from __future__ import annotations
