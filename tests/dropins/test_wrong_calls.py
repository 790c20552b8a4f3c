"""Natural but wrong calls of the drop-ins, about which the official tools are silent.

Standard output is the official one; what is wrong is said on standard error.
"""

from __future__ import annotations

import shutil
import sys
from typing import TYPE_CHECKING

import pytest

from scoref.dropins import conll, corefud, ua
from support.paths import EXAMPLES, ROOT

if TYPE_CHECKING:
    from pathlib import Path

RUNS = {"conll": conll.run, "corefud": corefud.run, "ua": ua.run}
CALLS = {
    "conll muc key.conll key.conll none": (0, "was given as the key and as the respon"),
    "conll muc response.conll key.conll none": (
        0,
        "was given as the key. Are the files swapped?",
    ),
    "conll muc key.conll many.conll none": (
        0,
        "2 of 2 documents of key.conll are not in many.conll, so their mentions count",
    ),
    "conll muc many.conll half.conll none": (
        0,
        (
            "12 of 24 documents of many.conll are not in half.conll, so their mentions "
            "count"
        ),
    ),
    "conll muc half.conll many.conll none": (
        0,
        (
            "12 of 24 documents of many.conll are not in half.conll, so they are not "
            "scored"
        ),
    ),
    "conll muc key.conll empty none": (0, "empty has no document (no line '#begin"),
    "conll muc key.conll README.md none": (0, "README.md has no document (no line"),
    "conll muc key.conllu key.conll none": (0, "key.conllu has no document (no line"),
    "conll muc key.conll response.conll None": (0, "key.conll has no document 'None'"),
    "conll muc key.conll response.conll none x": (0, "after NAME are ignored: x"),
    "conll muc key.conll nowhere none": (2, "Can not open nowhere"),
    "conll muc key.conll folder none": (2, "Can not open folder"),
    "conll mucc key.conll response.conll none": (25, "Metric mucc not implemented"),
    "corefud key.conllu": (2, "arguments are required: response"),
    "corefud key.conllu key.conllu": (0, "was given as the key and as the response"),
    "corefud response.conllu key.conllu": (0, "swapped?"),
    "corefud key.conllu key.conll": (
        1,
        "this line does not start with a word number and a tab",
    ),
    "corefud key.conllu empty": (1, "this file has no sentence"),
    "corefud key.conllu README.md": (
        1,
        "this line does not start with a word number and a tab",
    ),
    "corefud key.conllu nowhere": (1, "nowhere: cannot be read"),
    "corefud key.conllu response.conllu -m muc,bcub": (2, "invalid choice: 'muc,bcub'"),
    "corefud -m muc key.conllu response.conllu": (2, "invalid choice: 'key.conllu'"),
    "corefud key.conllu response.conllu -m": (
        0,
        "-m has no metric, so there are no figures.",
    ),
    "corefud key.conllu response.conllu -a craft": (2, "invalid choice: 'craft'"),
    "corefud key.conllu response.conllu -z left": (2, "invalid choice: 'left'"),
    "ua key.ua": (2, "arguments are required: response"),
    "ua key.ua key.ua": (0, "warning: key.ua was given as the key and as the response"),
    "ua response.ua key.ua": (0, "warning: response.ua was given as the key and"),
    "ua key.ua key.conll": (1, "this line has 5 columns"),
    "ua key.conllu response.conllu": (1, "but IDENTITY is column 11"),
    "ua key.ua empty": (1, "this file has no word"),
    "ua key.ua response.ua -f corefud": (0, "The key has no mentions"),
    "ua key.ua response.ua -a head": (1, "--match head is for the format corefud only"),
    "ua key.ua response.ua --np-only": (1, "--np-only is for the format conll only"),
    "ua key.ua response.ua -m": (0, "-m has no metric, so there are no figures."),
    "ua key.ua response.ua -m conll lea": (
        0,
        "-m conll means muc, bcub and ceafe. Not computed:",
    ),
    "ua key.ua response.ua -t codicrac22ar -m lea": (
        0,
        "-t codicrac22ar overrides the other",
    ),
    "ua key.ua response.ua -t crac26": (2, "invalid choice: 'crac26'"),
}


@pytest.fixture
def _place(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    for name in ("key.conll", "response.conll"):
        shutil.copy(EXAMPLES / name, tmp_path)
    for side in ("key", "response"):
        shutil.copy(EXAMPLES / f"corefud-{side}.conllu", tmp_path / f"{side}.conllu")
        shutil.copy(EXAMPLES / f"ua-{side}.ua", tmp_path / f"{side}.ua")
    shutil.copy(EXAMPLES / "many-key.conll", tmp_path / "many.conll")
    shutil.copy(ROOT / "README.md", tmp_path)
    documents = (EXAMPLES / "many-a.conll").read_text().split("#begin")
    (tmp_path / "half.conll").write_text("#begin".join(documents[:13]))
    (tmp_path / "empty").touch()
    (tmp_path / "folder").mkdir()


@pytest.mark.usefixtures("_place")
@pytest.mark.parametrize("call", CALLS)
def test_a_wrong_call_gets_a_message(
    call: str, capsys: pytest.CaptureFixture[str]
) -> None:
    tool, *arguments = call.split()
    code, message = CALLS[call]
    with pytest.raises(SystemExit) as leaving:
        sys.exit(RUNS[tool](arguments))
    assert leaving.value.code == code
    told = " ".join(capsys.readouterr().err.split())
    assert message in told
    assert "warning: warning:" not in told
