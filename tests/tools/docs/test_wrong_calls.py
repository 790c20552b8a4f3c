"""Natural but wrong ways to call `scoref docs`: each gets an error."""

from __future__ import annotations

import pytest
from click.testing import CliRunner

from scoref.tools.docs import command

CALLS = {
    "a page that is almost right": ["leaderbord"],
    "a folder of pages": ["metrics"],
    "no such page": ["nothing"],
    "no name": [""],
    "two pages": ["conventions", "output"],
    "a file above": ["../README"],
    "a file of the system": ["/etc/passwd"],
    "an address": ["https://example.org"],
    "a page through another folder": ["metrics/../conventions"],
    "a page for a browser": ["conventions", "--output", "html"],
    "an option of another command": ["--match", "exact"],
    "standard input": ["-"],
}


@pytest.mark.parametrize("case", CALLS)
def test_a_wrong_call_is_an_error(case: str) -> None:
    done = CliRunner().invoke(command, CALLS[case])
    assert done.exit_code == 2
    assert "Error: " in done.stderr
    assert not done.stdout
