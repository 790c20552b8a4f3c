"""Without its library an adapter can be imported, and says what to install.

Batches of documents, as torchmetrics and evaluate pass them on.
"""

from __future__ import annotations

import subprocess
import sys

import numpy as np
import pytest

from scoref.adapters._common import add_batch
from scoref.errors import ScorefError
from scoref.scoring.evaluator import Evaluator

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
    ("module", "name", "argument", "problem", "extra"),
    [
        (
            "huggingface",
            "CoreferenceMetric",
            "",
            "this metric needs evaluate",
            "evaluate",
        ),
        (
            "torchmetrics",
            "CoreferenceMetric",
            "metrics='muc'",
            "this metric needs torchmetrics",
            "torchmetrics",
        ),
        (
            "inspect_ai",
            "coreference",
            "singletons='drop'",
            "this scorer needs inspect-ai",
            "inspect",
        ),
        (
            "datasets",
            "score_columns",
            "{}",
            "columns need Arrow",
            "datasets",
        ),
    ],
)
def test_a_missing_library_is_told_with_what_to_install(
    module: str, name: str, argument: str, problem: str, extra: str
) -> None:
    libraries = ["evaluate", "torchmetrics", "torch", "datasets", "pyarrow", "spacy"]
    libraries += ["inspect_ai", "lm_eval"]
    program = PROGRAM.format(
        libraries=libraries, module=module, name=name, argument=argument
    )
    done = subprocess.run(
        [sys.executable, "-c", program], capture_output=True, check=True, text=True
    )
    hint = f"  hint: Run pip install '.[{extra}]' in a clone of scoref."
    assert done.stdout == f"{problem}\n{hint}\n"


def test_spacy_is_not_needed_to_load_its_adapter() -> None:
    program = "import sys, scoref.adapters.spacy; print('spacy' in sys.modules)"
    done = subprocess.run(
        [sys.executable, "-c", program], capture_output=True, check=True, text=True
    )
    assert done.stdout == "False\n"


ENTITIES = [[[0, 0], [2, 2]], [[4, 5], [7, 7]]]

BATCHES = {  # what torchmetrics and evaluate pass on
    "one document": (ENTITIES, ENTITIES, "0 is not a mention"),
    "fewer documents": ([ENTITIES, ENTITIES], [ENTITIES], "but 2 in the key"),
    "no document": ([ENTITIES], [None], "expected a list, found None"),
    "a mapping": ([ENTITIES], [{"a": ENTITIES}], "expected a list, found"),
    "a text": ([ENTITIES], ["Ada"], "expected a list, found 'Ada'"),
    "probabilities": ([ENTITIES], [[[0.1, 0.9]]], "0.1 is not a mention"),
    "a batch in a batch": (
        [[ENTITIES]],
        [[ENTITIES]],
        "looks like a list of documents",
    ),
}


@pytest.mark.parametrize("case", BATCHES)
def test_a_wrong_batch_is_an_error(case: str) -> None:
    key, response, message = BATCHES[case]
    with pytest.raises(ScorefError) as error:
        add_batch(Evaluator(), key=key, response=response)
    assert message in str(error.value)


def test_arrays_are_lists_and_documents_are_kept_apart() -> None:
    evaluator = Evaluator(metrics="mentions")
    arrays = [np.array(ENTITIES[0]), np.array(ENTITIES[1])]
    add_batch(evaluator, key=[ENTITIES, ENTITIES], response=[arrays, []])
    scores = evaluator.compute().scores["mentions"]
    assert (scores.recall, scores.precision) == (0.5, 1.0)
