"""How long one document takes in a loop, next to coval and to plain Python.

    .venv/bin/python benchmarks/loop.py [--peers FOLDER] [--repeats 25]

FOLDER holds a checkout of coval (ns-moosavi/coval) by this name; without it, coval is
left out. `PlainPython` below computes MUC, B³ and CEAFe with dicts and nothing else.
All rows end with the CoNLL score, and the last column says whether they agree. scoref
computes a metric when it is read: three for the CoNLL score, seven for all scores.

Times are CPU time of this process: the best of many repeats, taken by turns, so that a
busy machine is busy for all rows.
"""

from __future__ import annotations

import argparse
import sys
import time
from importlib import import_module
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

from corpora import Shape, sides

import scoref

if TYPE_CHECKING:
    from collections.abc import Callable, Hashable, Iterable

    Entities = list[list[Hashable]]
    Pair = tuple[Entities, Entities]
    Scorer = Callable[[list[Pair]], float]

CONLL = "conll"
TINY: Pair = ([["a", "b", "c"]], [["a", "b"], ["c", "d"]])
SHAPE = Shape(documents=350, mentions=30, entities=8, slot=1)
AGREES = 1e-9


class Case(NamedTuple):
    """Documents that are scored together, and how often in one repeat."""

    name: str
    documents: list[Pair]
    times: int


def cases() -> list[Case]:
    """Return a tiny document, one of 30 mentions, and 350 of them."""
    documents = [
        (_as_spans(key), _as_spans(response))
        for key, response in zip(*sides(SHAPE), strict=True)
    ]
    return [
        Case("a tiny document", [TINY], 100),
        Case("a document, 30 mentions", documents[:1], 50),
        Case("350 documents, 30 mentions each", documents, 1),
    ]


def _as_spans(entities: Iterable[Iterable[int]]) -> Entities:
    return [[(mention, mention + 1) for mention in entity] for entity in entities]


def result_of(documents: list[Pair]) -> scoref.Result:
    """Score documents by `scoref.score`; several are dicts."""
    if len(documents) == 1:
        return scoref.score(*documents[0])
    key = {str(row): pair[0] for row, pair in enumerate(documents)}
    response = {str(row): pair[1] for row, pair in enumerate(documents)}
    return scoref.score(key, response)


_EVALUATOR = scoref.Evaluator()


def evaluate(documents: list[Pair]) -> float:
    """Score documents by an `Evaluator` that is used again and again."""
    _EVALUATOR.reset()
    for key, response in documents:
        _EVALUATOR.update(key=key, response=response)
    return _EVALUATOR.compute().conll


class PlainPython:
    """MUC, B³ and CEAFe with dicts: what people write into their training scripts."""

    def __init__(self) -> None:
        self._sums = {name: [0.0] * 4 for name in ("muc", "bcub", "ceafe")}

    @classmethod
    def score(cls, documents: list[Pair]) -> float:
        """Return the CoNLL score of documents."""
        whole = cls()
        for key, response in documents:
            whole.add(key, response)
        return sum(map(_f_one, whole._sums.values())) / len(whole._sums)

    def add(self, key: Entities, response: Entities) -> None:
        """Count a document."""
        shared: dict[tuple[int, int], int] = {}
        owner = {m: row for row, entity in enumerate(response) for m in entity}
        for row, entity in enumerate(key):
            for mention in entity:
                if mention in owner:
                    cell = row, owner[mention]
                    shared[cell] = shared.get(cell, 0) + 1
        for side, entities in enumerate((key, response)):
            muc, bcub = self._sums["muc"], self._sums["bcub"]
            muc[2 * side] += sum(count - 1 for count in shared.values())
            muc[2 * side + 1] += sum(len(entity) - 1 for entity in entities)
            bcub[2 * side] += sum(
                count * count / len(entities[cell[side]])
                for cell, count in shared.items()
            )
            bcub[2 * side + 1] += sum(map(len, entities))
        similarity = {
            (row, column): 2 * count / (len(key[row]) + len(response[column]))
            for (row, column), count in shared.items()
        }
        total = best_alignment(similarity, len(key), len(response))
        ceafe = (total, len(key), total, len(response))
        self._sums["ceafe"] = [
            old + new for old, new in zip(self._sums["ceafe"], ceafe, strict=True)
        ]


def _f_one(sums: list[float]) -> float:
    recall = sums[0] / sums[1] if sums[1] else 0.0
    precision = sums[2] / sums[3] if sums[3] else 0.0
    total = recall + precision
    return 2 * recall * precision / total if total else 0.0


def best_alignment(
    similarity: dict[tuple[int, int], float], rows: int, columns: int
) -> float:
    """Return the highest total similarity, by the Hungarian method with potentials."""
    if rows > columns:
        similarity = {(b, a): value for (a, b), value in similarity.items()}
        rows, columns = columns, rows
    row_price, column_price = [0.0] * (rows + 1), [0.0] * (columns + 1)
    row_of = [0] * (columns + 1)
    for row in range(1, rows + 1):
        row_of[0], column = row, 0
        least = [float("inf")] * (columns + 1)
        before, is_used = [0] * (columns + 1), [False] * (columns + 1)
        while row_of[column]:
            is_used[column] = True
            here, step, after = row_of[column], float("inf"), 0
            for other in range(1, columns + 1):
                if is_used[other]:
                    continue
                cost = -similarity.get((here - 1, other - 1), 0.0)
                cost -= row_price[here] + column_price[other]
                if cost < least[other]:
                    least[other], before[other] = cost, column
                if least[other] < step:
                    step, after = least[other], other
            for other in range(columns + 1):
                if is_used[other]:
                    row_price[row_of[other]] += step
                    column_price[other] -= step
                else:
                    least[other] -= step
            column = after
        while column:
            row_of[column] = row_of[before[column]]
            column = before[column]
    return sum(
        similarity.get((row_of[column] - 1, column - 1), 0.0)
        for column in range(1, columns + 1)
        if row_of[column]
    )


def coval_scorer(folder: Path) -> Scorer | None:
    """Return a function that calls coval's own functions; None: it is not there."""
    if not (folder / "coval").is_dir():
        return None
    sys.path.insert(0, str(folder / "coval"))
    coval: Any = import_module("coval.eval.evaluator")

    functions = coval.muc, coval.b_cubed, coval.ceafe

    def information(pair: Pair) -> tuple[object, ...]:
        key, response = pair
        owners = [
            {m: row for row, entity in enumerate(side) for m in entity}
            for side in (response, key)
        ]
        mentions = [[m for entity in side for m in entity] for side in pair]
        found = [
            {m: owner[m] for m in side if m in owner}
            for side, owner in zip(mentions, owners, strict=True)
        ]
        return key, response, *found

    def score_by_coval(documents: list[Pair]) -> float:
        about = {row: information(pair) for row, pair in enumerate(documents)}
        figures = [coval.evaluate_documents(about, each)[2] for each in functions]
        return float(sum(figures) / len(figures))

    return score_by_coval


def best_times(
    scorers: dict[str, Scorer], case: Case, repeats: int
) -> dict[str, float]:
    """Return the microseconds of one call of each scorer."""
    best = dict.fromkeys(scorers, float("inf"))
    for _ in range(repeats):
        for name, scorer in scorers.items():
            start = time.process_time()
            for _ in range(case.times):
                scorer(case.documents)
            taken = 1e6 * (time.process_time() - start) / case.times
            best[name] = min(best[name], taken)
    return best


def main() -> None:
    """Print a block for each case."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--peers", type=Path, default=Path("peers"), metavar="FOLDER")
    parser.add_argument("--repeats", type=int, default=25)
    given = parser.parse_args()
    scorers: dict[str, Scorer] = {
        "scoref.score": lambda documents: result_of(documents).conll,
        "scoref.score, all metrics": lambda documents: (
            result_of(documents).scores[CONLL].f1
        ),
        "Evaluator, update and compute": evaluate,
        "plain Python, three metrics": PlainPython.score,
    }
    coval = coval_scorer(given.peers)
    if coval is None:
        print(f"coval is not in {given.peers}: left out")
    else:
        scorers["coval's functions, three metrics"] = coval
    print(f"{'':<34} {'µs':>9} {'× plain':>9}  CoNLL")
    for case in cases():
        print(case.name)
        expected = PlainPython.score(case.documents)
        best = best_times(scorers, case, given.repeats)
        plain = best["plain Python, three metrics"]
        for name, taken in best.items():
            figure = scorers[name](case.documents)
            same = "agrees" if abs(figure - expected) < AGREES else f"{figure:.6f}"
            print(f"  {name:<32} {taken:>9.0f} {taken / plain:>9.1f}  {same}")


if __name__ == "__main__":
    main()
