"""Without its library an adapter can be imported, and says what to install."""

import subprocess
import sys

import pytest

PROGRAM = """
import sys
sys.modules.update(dict.fromkeys({libraries!r}))  # None: as if it were not there
from scoref import OptionError
from scoref.adapters.{module} import {name}
try:
    {name}({argument})
except OptionError as error:
    print(error)
"""


@pytest.mark.parametrize(
    ("module", "name", "argument", "message"),
    [
        (
            "huggingface",
            "CoreferenceMetric",
            "",
            "this metric needs evaluate: pip install 'scoref[evaluate]'",
        ),
        (
            "torchmetrics",
            "CoreferenceMetric",
            "metrics='muc'",
            "this metric needs torchmetrics: pip install 'scoref[torchmetrics]'",
        ),
        (
            "inspect_ai",
            "coreference",
            "singletons='drop'",
            "this scorer needs inspect-ai: pip install 'scoref[inspect]'",
        ),
        (
            "datasets",
            "score_columns",
            "{}",
            "columns need Arrow: pip install 'scoref[datasets]'",
        ),
    ],
)
def test_a_missing_library_is_told_with_what_to_install(
    module: str, name: str, argument: str, message: str
) -> None:
    libraries = ["evaluate", "torchmetrics", "torch", "datasets", "pyarrow", "spacy"]
    libraries += ["inspect_ai", "lm_eval"]
    program = PROGRAM.format(
        libraries=libraries, module=module, name=name, argument=argument
    )
    done = subprocess.run(
        [sys.executable, "-c", program], capture_output=True, check=True, text=True
    )
    assert done.stdout == f"{message}\n"


def test_spacy_is_not_needed_to_load_its_adapter() -> None:
    program = "import sys, scoref.adapters.spacy; print('spacy' in sys.modules)"
    done = subprocess.run(
        [sys.executable, "-c", program], capture_output=True, check=True, text=True
    )
    assert done.stdout == "False\n"
