"""Clusterings of records: the command, pictures and pages."""
