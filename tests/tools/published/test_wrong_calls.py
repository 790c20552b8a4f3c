"""Natural but wrong ways to call `scoref published`: each gets an error."""

from __future__ import annotations

import pytest
from click.testing import CliRunner

from scoref.tools.published.command import command
from support.paths import EXAMPLES

CALLS = {
    "a name that is almost right": ["conll2012"],
    "a part of a name": ["conll-2012"],
    "another language": ["conll-2012-german"],
    "two tables": ["conll-2012-english", "conll-2011-english"],
    "all": ["all"],
    "no name": [""],
    "a file to compare": [str(EXAMPLES / "response.conll")],
    "a table and a file": ["conll-2012-english", str(EXAMPLES / "response.conll")],
    "a metric": ["--metrics", "muc"],
    "a page": ["conll-2012-english", "--output", "html"],
    "standard input": ["-"],
}


@pytest.mark.parametrize("case", CALLS)
def test_a_wrong_call_is_an_error(case: str) -> None:
    done = CliRunner().invoke(command, CALLS[case])
    assert done.exit_code == 2
    assert "Error: " in done.stderr
    assert not done.stdout
