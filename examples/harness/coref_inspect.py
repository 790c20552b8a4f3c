"""A task of Inspect that scoref scores.

inspect eval coref_inspect.py --model MODEL
"""

import json
from pathlib import Path

from inspect_ai import Task, task
from inspect_ai.dataset import Sample
from inspect_ai.solver import generate

from scoref.adapters.inspect_ai import coreference

KEY = Path(__file__).parent / "key.jsonl"  # `scoref convert KEY key.jsonl` writes one
PROMPT = """\
Mark every mention of an entity in the text as [mention](#1), with the same number for
the same entity. Change nothing else, and write nothing else.

"""


def sample(line: str) -> Sample:
    """Ask for one document, whose key is a line of JSON."""
    document = json.loads(line)
    text = "\n".join(" ".join(words) for words in document["sentences"])
    return Sample(input=PROMPT + text, target=line, id=document["doc_key"])


@task
def coref() -> Task:
    """Have mentions marked in every text of the key."""
    lines = KEY.read_text(encoding="utf-8").splitlines()
    return Task(
        dataset=list(map(sample, lines)), solver=generate(), scorer=coreference()
    )
