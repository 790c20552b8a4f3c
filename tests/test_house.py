"""The house as a whole: what holds for every module of it."""

from __future__ import annotations

import ast
from collections import defaultdict
from pathlib import Path

import scoref

_SOURCE = Path(scoref.__file__).parent
# Each is what its framework calls a metric, and users import one of them only.
_OF_FRAMEWORKS = {"CoreferenceMetric"}


def _classes() -> dict[str, list[str]]:
    """List the modules of each public class, by its name."""
    found = defaultdict(list)
    for path in sorted(_SOURCE.rglob("*.py")):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.ClassDef) and not node.name.startswith("_"):
                found[node.name].append(path.relative_to(_SOURCE).as_posix())
    return found


def test_a_class_name_means_one_thing_in_the_whole_tree() -> None:
    classes = _classes()
    assert {"Corpus", "Scheme", "Result"} <= classes.keys()
    twice = {name: paths for name, paths in classes.items() if len(paths) > 1}
    assert twice.keys() == _OF_FRAMEWORKS, twice
