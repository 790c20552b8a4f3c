"""Put faults into the sources, one at a time: does a test catch each of them?

    make mutants
    make mutants SEED=7 SECONDS=3600 ONLY=metrics/muc
    make mutants AGAIN=report.txt

First come deliberate faults, all of which must be caught. Then random ones, until the
time is over: the seed decides which places of the sources are changed, and how. A
fault is caught if a test fails that passes without it. For a random fault, the tests
of the module come first, then those of its package. Tests of other packages are tried
as well if `MEASURE=tests` has noted which tests call which functions. With AGAIN, only
the faults that survive in a report are tried, with more tests.

The report has the share of random faults that were caught, by package. Not all tests
are tried, so a fault that survives may be caught by the whole suite. Changes that
cannot change any output are in `equivalent_faults.py`, with the reason.
"""

from __future__ import annotations

import argparse
import ast
import os
import random
import re
import sys
import tempfile
import time
from collections import Counter, defaultdict
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from equivalent_faults import EQUIVALENT
from trials import (
    LIMIT,
    SOURCES,
    THOROUGH,
    Laboratory,
    Selection,
    Stage,
    Trial,
    measure,
)

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence


LEGEND = """\
caught      a test fails that passes without the fault
SURVIVES    no test that was tried fails; not all tests were tried
equivalent  no output can change: tests/equivalent_faults.py has the reason
too slow    the tests reached the time limit, so the fault does not count in the share
"""
LOWER_BOUND = """\
The shares are lower bounds: tests of other packages were not tried, and may catch
faults that survive. MEASURE=tests notes which tests call which functions, so that these
are tried as well."""


class Mutant(NamedTuple):
    """A fault: what is written in place of what, and who should notice."""

    file: str
    old: str
    new: str
    tests: str


METRICS = "metrics conformance/test_conformance_reference.py"
MATCHING = "matching conformance/test_conformance_reference.py"
CONLL = "formats/test_conll2012.py formats/test_brackets.py"
MUTANTS = (
    # metrics: signs, denominators, sides
    Mutant("metrics/muc.py", "table.key_plural - 1, 0", "table.key_plural, 0", METRICS),
    Mutant("metrics/muc.py", "table.key_total - table.key_entities", "table.key_total", METRICS),
    Mutant("metrics/muc.py", "(*_recall(table), *_recall(table.swapped))", "(*_recall(table.swapped), *_recall(table))", METRICS),
    Mutant("metrics/b_cubed.py", "found * (table.key_mates", "found + (table.key_mates", METRICS),
    Mutant("metrics/b_cubed.py", "size = table.key_size.astype", "size = (table.key_size + 1).astype", METRICS),
    Mutant("metrics/ceaf.py", "return 2 * _overlap(table)", "return _overlap(table)", METRICS),
    Mutant("metrics/ceaf.py", "columns(total, table.key_total, total, table.swapped.key_total)", "columns(total, table.swapped.key_total, total, table.key_total)", METRICS),
    Mutant("metrics/ceaf.py", "min(_FINEST, _BITS - 1", "min(1, _BITS - 1", METRICS),
    Mutant("metrics/ceaf.py", "order = np.lexsort((response, key))", "order = np.arange(len(key))[::-1]", METRICS),
    Mutant("metrics/lea.py", "table.response_size[table.cell_response] == 1\n        alone = is", "table.response_size[table.cell_response] >= 1\n        alone = is", METRICS),
    Mutant("metrics/lea.py", "size = np.where(size > 1, size, 0)", "size = np.where(size > 2, size, 0)", METRICS),
    Mutant("metrics/blanc.py", "whole[..., 1:2] if rule", "whole[..., 1:3] if rule", METRICS),
    Mutant("metrics/blanc.py", "- together[1] +", "+ together[1] +", METRICS),
    # matching: ties, filters, phases
    Mutant("matching/spans.py", "side.where(size[side.entity] > 1)", "side.where(size[side.entity] > 0)", MATCHING),
    Mutant("matching/spans.py", "np.bincount(side.entity[once],", "np.bincount(side.entity,", MATCHING),
    Mutant("matching/duplicates.py", "kept = ~again | ~np.isin", "kept = last_listed(side) | ~np.isin", MATCHING),
    Mutant("matching/spans.py", "widest = int(np.maximum.reduce(extent)) + 1", "widest = int(np.maximum.reduce(extent))", MATCHING),
    Mutant("matching/spans.py", "* np.int64(widest) + extent", "* np.int64(widest)", MATCHING),
    Mutant("matching/words.py", "kept &= size[entity] > 1", "kept &= size[entity] > 2", MATCHING),
    Mutant("matching/words.py", "free[0][pairs.key] = free[1][pairs.response] = False", "free[0][pairs.key] = False", MATCHING),
    # readers: which bracket closes, which token, which line
    Mutant("formats/brackets.py", "waiting[label].pop()", "waiting[label].pop(0)", CONLL),
    Mutant("formats/brackets.py", "token[row[opened]],", "token[row[opened]] + 1,", CONLL),
    Mutant("formats/brackets.py", "rows[row[closed]] + 1,", "rows[row[closed]],", CONLL),
    Mutant("formats/json_lines.py", 'if role == "response" and (', "if (", "formats/test_json_lines.py"),
    Mutant("contingency/tabulation.py", "last_listed(key), last_listed(response)", "last_listed(response), last_listed(key)", METRICS),
)  # fmt: skip


class Change(NamedTuple):
    """A random fault: a piece of a source file, and what replaces it."""

    file: str
    line: int
    start: int
    end: int
    new: str
    operator: str


_COMPARISONS: dict[type[ast.cmpop], ast.cmpop] = {
    ast.Lt: ast.LtE(),
    ast.LtE: ast.Lt(),
    ast.Gt: ast.GtE(),
    ast.GtE: ast.Gt(),
    ast.Eq: ast.NotEq(),
    ast.NotEq: ast.Eq(),
    ast.In: ast.NotIn(),
    ast.NotIn: ast.In(),
    ast.Is: ast.IsNot(),
    ast.IsNot: ast.Is(),
}
_ARITHMETIC: dict[type[ast.operator], ast.operator] = {
    ast.Add: ast.Sub(),
    ast.Sub: ast.Add(),
    ast.Mult: ast.Add(),
    ast.Div: ast.Mult(),
    ast.FloorDiv: ast.Mult(),
    ast.BitAnd: ast.BitOr(),
    ast.BitOr: ast.BitAnd(),
}
_EXTREMES = {"min": "max", "max": "min", "minimum": "maximum", "maximum": "minimum"}


def changes_of(path: Path) -> Iterator[Change]:
    """Return every fault that can be put into a file."""
    text = path.read_text(encoding="utf-8")
    starts = [0]
    for line in text.splitlines(keepends=True):
        starts.append(starts[-1] + len(line.encode()))
    for node in _nodes(ast.parse(text)):
        for new, operator in _mutations(node):
            if isinstance(new, ast.stmt):
                code = ast.unparse(new)
            else:
                code = f"({ast.unparse(new)})"
            yield Change(
                path.relative_to(SOURCES).as_posix(),
                node.lineno,
                starts[node.lineno - 1] + node.col_offset,
                starts[(node.end_lineno or node.lineno) - 1]
                + (node.end_col_offset or 0),
                code,
                operator,
            )


def _nodes(tree: ast.AST) -> Iterator[ast.expr | ast.stmt]:
    """Return expressions and statements that run, outside messages and annotations."""
    for name, field in ast.iter_fields(tree):
        if name in {"annotation", "returns", "decorator_list", "type_params", "bases"}:
            continue
        for node in field if isinstance(field, list) else [field]:
            if not isinstance(node, ast.AST) or isinstance(
                node,
                ast.Raise | ast.Assert | ast.JoinedStr | ast.Import | ast.ImportFrom,
            ):
                continue
            if isinstance(node, ast.If) and ast.unparse(node.test) == "TYPE_CHECKING":
                continue
            if isinstance(node, ast.Assign | ast.AnnAssign) and _is_alias(node):
                continue
            if isinstance(node, ast.expr | ast.stmt):
                yield node
            yield from _nodes(node)


def _is_alias(node: ast.Assign | ast.AnnAssign) -> bool:
    """Return whether a statement defines a type, such as ``Input = Path | str``."""
    targets = node.targets if isinstance(node, ast.Assign) else [node.target]
    names = [ast.unparse(target) for target in targets]
    return all(name[0].isupper() and not name.isupper() for name in names)


def _mutations(node: ast.expr | ast.stmt) -> Iterator[tuple[ast.AST, str]]:
    """Return what may replace a node, with the name of the operator."""
    match node:
        case ast.UnaryOp(op=ast.Not(), operand=operand):
            yield operand, "not"
        case ast.Constant(value=int(number)) if not isinstance(number, bool):
            yield ast.Constant(number + 1), "constant"
            yield ast.Constant(number - 1), "constant"
        case ast.Expr(value=ast.Call()) | ast.AugAssign():
            yield ast.Pass(), "dropped statement"
        case ast.Call():
            yield from _calls(node)
        case ast.Subscript(value=value, slice=ast.Slice(lower=low, upper=high) as cut):
            for part in (
                ast.Slice(None, high, cut.step),
                ast.Slice(low, None, cut.step),
            ):
                if ast.unparse(part) != ast.unparse(cut):
                    yield ast.Subscript(value, part, ast.Load()), "slice end"
        case _:
            yield from _operators(node)


def _operators(node: ast.expr | ast.stmt) -> Iterator[tuple[ast.AST, str]]:
    match node:
        case ast.Compare(left=left, ops=[op], comparators=others):
            if type(op) in _COMPARISONS:
                new = _COMPARISONS[type(op)]
                yield ast.Compare(left, [new], others), "comparison"
        case ast.BinOp(left=left, op=op, right=right):
            if type(op) in _ARITHMETIC:
                yield ast.BinOp(left, _ARITHMETIC[type(op)], right), "arithmetic"
        case ast.BoolOp(op=op, values=values):
            other = ast.Or() if isinstance(op, ast.And) else ast.And()
            yield ast.BoolOp(other, values), "and/or"


def _calls(node: ast.Call) -> Iterator[tuple[ast.AST, str]]:
    """Swap the first two arguments if their order matters, and min and max."""
    is_symmetric = ast.unparse(node.func).rpartition(".")[2] in _EXTREMES
    if (
        len(node.args) > 1
        and not is_symmetric
        and not any(isinstance(argument, ast.Starred) for argument in node.args[:2])
    ):
        first, second, *rest = node.args
        swapped = ast.Call(node.func, [second, first, *rest], node.keywords)
        if ast.unparse(first) != ast.unparse(second):
            yield swapped, "swapped arguments"
    yield from _extremes(node)


def _extremes(node: ast.Call) -> Iterator[tuple[ast.AST, str]]:
    match node.func:
        case ast.Name(id=name) if name in _EXTREMES:
            function: ast.expr = ast.Name(_EXTREMES[name], ast.Load())
        case ast.Attribute(value=value, attr=name) if name in _EXTREMES:
            function = ast.Attribute(value, _EXTREMES[name], ast.Load())
        case _:
            return
    yield ast.Call(function, node.args, node.keywords), "min/max"


def deliberate(mutant: Mutant) -> bytes:
    """Return the source file with the fault."""
    text = (SOURCES / mutant.file).read_text(encoding="utf-8")
    if mutant.old not in text:
        raise SystemExit(f"{mutant.file} has changed: no '{mutant.old}' in it")
    return text.replace(mutant.old, mutant.new).encode()


def check_equivalent_faults() -> None:
    """Refuse lines that are not in the sources any more."""
    for file, line in EQUIVALENT:
        lines = (SOURCES / file).read_text(encoding="utf-8").splitlines()
        if line not in map(str.strip, lines):
            raise SystemExit(f"{file} has changed: no line '{line}' in it")


def deliberate_faults(seed: int, only: Sequence[str], most: int) -> list[Mutant]:
    """Return deliberate faults in files that begin with one of the names."""
    chosen = [mutant for mutant in MUTANTS if mutant.file.startswith(tuple(only))]
    drawn = random.Random(seed)  # noqa: S311 - any faults will do
    return drawn.sample(chosen, min(most, len(chosen)))


def try_deliberate(
    laboratory: Laboratory, pool: ThreadPoolExecutor, mutants: Sequence[Mutant]
) -> int:
    """Try deliberate faults; return how many survive."""

    def trial(mutant: Mutant) -> Trial:
        tests = [f"tests/{name}" for name in mutant.tests.split()]
        stage = Stage(tests, LIMIT)
        return laboratory.try_out(mutant.file, deliberate(mutant), [stage])

    alive = 0
    for mutant, result in zip(mutants, pool.map(trial, mutants), strict=True):
        alive += result.caught is None
        word = "caught" if result.caught else "SURVIVES"
        if result.caught == "":
            word = "too slow"
        print(
            f"{word:<9} {mutant.file}: {mutant.old!r} -> {mutant.new!r} "
            f"{result.caught or ''}",
            flush=True,
        )
    return alive


def draw(seed: int, only: Sequence[str]) -> list[Change]:
    """Return all random faults in the order of a seed; packages and operators mix."""
    drawn = random.Random(seed)  # noqa: S311 - any change will do
    groups: dict[tuple[str, str], list[Change]] = defaultdict(list)
    for path in sorted(SOURCES.rglob("*.py")):
        for change in changes_of(path):
            if f"{change.file}:{change.line}:".startswith(tuple(only)):
                groups[package_of(change.file), change.operator].append(change)
    for changes in groups.values():
        drawn.shuffle(changes)
    # Large groups have more turns, but by far not in proportion to their size.
    turns = [
        ((number + drawn.random()) / len(changes) ** 0.5, change)
        for changes in groups.values()
        for number, change in enumerate(changes)
    ]
    return [change for _, change in sorted(turns)]


def survivors(changes: Sequence[Change], report: str) -> list[Change]:
    """Return the random faults that survive in a report."""
    titles = set(
        re.findall(r"^SURVIVES +(.*?)(?: \d+ s, None)?$", report, re.MULTILINE)
    )
    return [change for change in changes if title(change) in titles]


def package_of(file: str) -> str:
    """Return the package of a file; tools are counted one by one."""
    parts = Path(file).parts
    if len(parts) == 1:
        return "."
    return "/".join(parts[:2]) if parts[0] == "tools" and len(parts) > 2 else parts[0]


def try_random(
    laboratory: Laboratory,
    pool: ThreadPoolExecutor,
    changes: Sequence[Change],
    seconds: float,
    selection: Selection,
    *,
    verbose: bool,
) -> None:
    """Try random faults until the time is over, and report the shares."""
    begin = time.monotonic()
    end = begin + seconds

    def trial(change: Change) -> tuple[Change, Trial] | None:
        if time.monotonic() > end:
            return None
        data = (SOURCES / change.file).read_bytes()
        changed = data[: change.start] + change.new.encode() + data[change.end :]
        stages = selection.stages(change.file, change.line)
        return change, laboratory.try_out(change.file, changed, stages)

    counts: dict[str, Counter[str]] = defaultdict(Counter)
    for outcome in pool.map(trial, changes):
        if outcome is None:
            break
        change, result = outcome
        word, reason = judge(change, result)
        counts[package_of(change.file)][word] += 1
        if word != "caught" or verbose:
            print(
                f"{word:<10} {title(change)}{f' ({reason})' if reason else ''}"
                f"{f' {result.seconds:.0f} s, {result.caught}' if verbose else ''}",
                flush=True,
            )
    print(
        f"\n{'package':<22} {'tried':>5} {'caught':>6} {'share':>6}  equivalent  too slow"
    )
    for name, of in sorted(counts.items()):
        print_share(name, of)
    total = sum(counts.values(), Counter[str]())
    print_share("all", total)
    print(
        f"\n{total.total()} of {len(changes)} possible faults tried in "
        f"{time.monotonic() - begin:.0f} s"
    )
    if not selection.is_measured:
        print(LOWER_BOUND)


def judge(change: Change, trial: Trial) -> tuple[str, str]:
    """Return whether a fault was caught, survives, or could not be judged."""
    if trial.caught:
        return "caught", ""
    if trial.caught == "":
        return "too slow", ""
    lines = (SOURCES / change.file).read_text(encoding="utf-8").splitlines()
    known = EQUIVALENT.get((change.file, lines[change.line - 1].strip()), {})
    reason = known.get(describe(change), "")
    return ("equivalent", reason) if reason else ("SURVIVES", "")


def title(change: Change) -> str:
    """Return the place of a change, and the change, as in the report."""
    return f"{change.file}:{change.line} {change.operator}: {describe(change)}"


def describe(change: Change) -> str:
    """Write the source before and after a change on one line."""
    old = (SOURCES / change.file).read_bytes()[change.start : change.end].decode()
    return f"{' '.join(old.split())} -> {' '.join(change.new.split())}"


def print_share(name: str, of: Counter[str]) -> None:
    """Print a row of the report. Faults that could not be judged do not count."""
    judged = of["caught"] + of["SURVIVES"]
    share = f"{100 * of['caught'] / judged:.0f} %" if judged else ""
    slow, same = of["too slow"] or "", of["equivalent"] or ""
    print(f"{name:<22} {judged:>5} {of['caught']:>6} {share:>6}  {same:>10}  {slow:>8}")


def main() -> None:
    """Try the deliberate faults, then random ones."""
    parser = argparse.ArgumentParser(description="Put faults into the sources.")
    parser.add_argument("--seed", type=int, default=1, help="which random faults")
    parser.add_argument("--seconds", type=float, default=600, help="for random faults")
    parser.add_argument(
        "--only",
        nargs="*",
        default=[""],
        help="files that begin with one of these; metrics/muc.py:47: is a line",
    )
    parser.add_argument(
        "--again", type=Path, help="a report, of which survivors are tried again"
    )
    parser.add_argument(
        "--deliberate",
        type=int,
        default=len(MUTANTS),
        help="number of deliberate faults",
    )
    parser.add_argument(
        "--measure",
        nargs="?",
        const="tests",
        help="first measure which tests call which functions; only in this folder",
    )
    parser.add_argument(
        "--jobs", type=int, default=os.cpu_count(), help="processes at a time"
    )
    parser.add_argument(
        "--verbose", action="store_true", help="list faults that are caught as well"
    )
    options = parser.parse_args()
    check_equivalent_faults()
    with (
        tempfile.TemporaryDirectory() as name,
        ThreadPoolExecutor(options.jobs) as pool,
    ):
        laboratory = Laboratory(Path(name))
        if options.measure:
            measure(laboratory, pool, options.measure)
        print(LEGEND)
        mutants = deliberate_faults(options.seed, options.only, options.deliberate)
        print(f"deliberate faults, {len(mutants)} of {len(MUTANTS)}\n", flush=True)
        alive = try_deliberate(laboratory, pool, mutants)
        changes = draw(options.seed, options.only)
        if options.again:
            changes = survivors(changes, options.again.read_text(encoding="utf-8"))
        print(
            f"\nrandom faults, seed {options.seed}, of {len(changes)} possible ones\n"
        )
        selection = Selection(THOROUGH if options.again else 1)
        try_random(
            *(laboratory, pool, changes, options.seconds, selection),
            verbose=options.verbose,
        )
    sys.exit(alive > 0)


if __name__ == "__main__":
    main()
