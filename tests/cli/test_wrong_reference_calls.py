"""Natural but wrong calls of the commands that list and explain: each is an error."""

from __future__ import annotations

import pytest
from click.testing import CliRunner

from scoref.cli import load

ERRORS = {
    "metrics ceaf": "no metric 'ceaf'",
    "metrics conll-2012": "Did you mean conll?",
    "metrics json-lines": "no metric 'json-lines'",
    "metrics muc bcub": "unexpected extra argument (bcub)",
    "metrics --output html": "'html' is not one of 'text'",
    "metrics -o json": "No such option '-o'",
    "metrics --metrics muc": "No such option '--metrics'",
    "formats conll": "no format 'conll'",
    "formats key.conll": "no format 'key.conll'",
    "formats muc": "no format 'muc'",
    "formats conll-2012 corefud": "unexpected extra argument (corefud)",
    "formats --output html": "'html' is not one of 'text'",
    "formats --format corefud": "No such option '--format'",
    "schemes conll": "Did you mean conll-2012?",
    "schemes crac2026": "Did you mean crac-2026?",
    "schemes corefud": "no scheme 'corefud'",
    "schemes conll-2012 crac-2026": "unexpected extra argument (crac-2026)",
    "schemes --output html": "'html' is not one of 'text'",
    "schemes --scheme conll-2012": "No such option '--scheme'",
    "help error": "Did you mean errors?",
    "help muc": "no command 'muc'",
    "help errors report": "unexpected extra argument (report)",
    "help --output json": "No such option '--output'",
    "completion": "Missing argument",
    "completion ksh": "'ksh' is not one of 'bash', 'zsh', 'fish'",
    "completion powershell": "'powershell' is not one of 'bash', 'zsh', 'fish'",
    "completion /bin/bash": "'/bin/bash' is not one of",
    "completion bash zsh": "unexpected extra argument (zsh)",
    "completion --shell bash": "No such option '--shell'",
}


@pytest.mark.parametrize("call", ERRORS)
def test_a_wrong_call_is_an_error(call: str) -> None:
    name, *arguments = call.split()
    done = CliRunner().invoke(load(name), arguments)
    assert done.exit_code == 2
    assert not done.stdout
    assert ERRORS[call] in " ".join(done.stderr.split())
