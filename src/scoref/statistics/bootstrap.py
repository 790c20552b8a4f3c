"""Confidence levels, bootstrap intervals, and repeatable draws and swaps of documents.

Levels are percentages, or fractions up to 1. There are three methods to cut off the
lowest and the highest scores. ``percentile`` cuts off the same share at both ends.
``expanded`` (Hesterberg, 2015) cuts off less, by Student's t for the number of
documents. ``bca`` (Efron, 1987) moves both cuts for bias and skew, estimated by leaving
out each document in turn. Student's t is computed here because SciPy takes longer to
load than everything else here takes to run.

Runs of one system are drawn like documents, independently of them (a two-level
bootstrap). There are few runs, so that no sample of them strays as far as the truth
may. ``expanded`` stretches the deviations of runs for that reason, by Student's t.

Draws use a generator's raw bits, which are the same in all versions of NumPy and on all
machines; its ready-made distributions may differ. All systems see the same draws and
swaps, so each system is drawn once, however many others it is compared with.
"""

from __future__ import annotations

from functools import lru_cache
from itertools import combinations
from math import atan, cos, erf, floor, fsum, inf, lcm, nan, pi, sin, sqrt
from typing import TYPE_CHECKING, Literal, NamedTuple, TypeVar

import numpy as np

from scoref.errors import OptionError
from scoref.metrics import scale_of
from scoref.metrics.base import ratio
from scoref.model import Note
from scoref.notes import WARNING

if TYPE_CHECKING:
    from collections.abc import Hashable, Iterator, Mapping, Sequence

    from scoref.metrics.base import Floats
    from scoref.statistics.additive import Strata, SystemRuns

    Pair = tuple[str, str]
    Seed = int | tuple[int, int]
    Sums = list[Floats]

_Name = TypeVar("_Name", bound="Hashable")


_LOW = 50  # percent; a lower level is probably the error rate

_DECIMALS = 10  # 100 * 0.57 is 56.99999999999999


def percent_of(level: float, name: str = "level") -> float:
    """Return a level in percent. As in `--fail-under`, values up to 1 are fractions.

    Apply it to what the user gave, and only once: 0.5 percent is not 0.5.

    Raises:
        OptionError: the level is not between 0 and 100 percent. This includes 1, which
            is the fraction for 100 percent.

    >>> percent_of(0.95), percent_of(95)
    (95.0, 95)
    """
    if isinstance(level, bool) or not isinstance(level, int | float | np.number):
        raise OptionError(f"{name} must be a number such as 95 or 0.95, not {level!r}")
    percent = round(100 * level, _DECIMALS) if level <= 1 else level
    if not 0 < percent < 100:
        raise OptionError(
            f"{name} {level:g} is not between 0 and 100 percent",
            hint="Write 95 or 0.95. Values up to 1 are fractions.",
        )
    return percent


def low_level(percent: float) -> tuple[Note, ...]:
    """Warn of a level that is probably the error rate: 5 instead of 95."""
    if percent >= _LOW:
        return ()
    message = (
        f"{WARNING}The confidence level is {percent:g} percent, so intervals are too "
        f"narrow and p up to {1 - percent / 100:g} is significant. Did you mean "
        f"{100 - percent:g}?"
    )
    return (Note("low-level", 1, message),)


Method = Literal["expanded", "bca", "percentile"]

METHODS: tuple[Method, ...] = ("expanded", "bca", "percentile")

METHOD: Method = "expanded"

TIE = 1e-12

_MANY = 10_000  # Student's t is the normal distribution then, to four digits


class Interval(NamedTuple):
    """A confidence interval."""

    low: float
    high: float


class Cuts(NamedTuple):
    """How an interval is computed from the scores of drawn corpora.

    ``freedom`` is the number of documents minus the number of datasets.
    """

    level: float
    method: Method
    documents: int
    freedom: int

    def interval(
        self, drawn: Floats, total: float, without: Floats, *without_run: Floats
    ) -> Interval:
        """Return the interval.

        ``without`` are scores without each document in turn. ``without_run`` says how
        the score changes without each run, if there are several.
        """
        changes = [without.mean() + change for change in without_run if len(change)]
        without = np.concatenate([without, *changes]) if changes else without
        tail = (1 - self.level / 100) / 2
        cuts = tail, 1 - tail
        if self.method == "bca":
            cuts = corrected_cuts(cuts, drawn, total, without)
        elif self.method == "expanded":
            cuts = expanded_cuts(self.level, self.documents, self.freedom)
        return Interval(*quantiles(drawn, cuts))


def quantiles(values: Floats, shares: tuple[float, float]) -> list[float]:
    """Interpolate linearly, with the digits of `np.quantile`, which takes longer.

    >>> quantiles(np.array([3.0, 1.0, 2.0]), (0.25, 1.0))
    [1.5, 3.0]
    """
    ordered = np.sort(values)
    last = len(ordered) - 1
    if np.isnan(ordered[last]):
        return [nan for _ in shares]
    found = []
    for share in shares:
        place = last * share
        below = floor(place)
        part, low = place - below, float(ordered[below])
        high = float(ordered[min(below + 1, last)])
        # NumPy starts from the end that is nearer.
        is_low = part < 0.5
        step = (high - low) * (part if is_low else 1 - part)
        found.append(low + step if is_low else high - step)
    return found


def expanded_cuts(level: float, documents: int, freedom: int) -> tuple[float, float]:
    """Return the cuts for few documents.

    The spread of samples of n documents is too small by √((n − 1) / n). Student's t
    allows for the fact that it is estimated from these documents.

    >>> "{:.4f} {:.4f}".format(*expanded_cuts(95, 20, 19))
    '0.0159 0.9841'
    """
    limit = limit_of(level / 100, min(freedom, _MANY)) * sqrt(documents / freedom)
    tail = 0.5 * (1 + erf(-limit / sqrt(2)))
    return tail, 1 - tail


def corrected_cuts(
    cuts: tuple[float, float], drawn: Floats, total: float, without: Floats
) -> tuple[float, float]:
    """Move both cuts for bias and skew.

    They do not move if all drawn scores are on one side of the total, because the bias
    is not known then.
    """
    # Sums in another order may differ in the last digit, but are ties.
    is_tie = np.abs(drawn - total) <= TIE
    below = float(((drawn < total) & ~is_tie).mean() + is_tie.mean() / 2)
    if not 0 < below < 1 or not 0 < cuts[0] <= cuts[1] < 1:
        return cuts
    from statistics import NormalDist  # slow

    normal = NormalDist()
    bias, skew = normal.inv_cdf(below), _skew(without)
    moved = []
    for cut in cuts:
        shifted = bias + normal.inv_cdf(cut)
        moved.append(normal.cdf(bias + shifted / (1 - skew * shifted)))
    return moved[0], moved[1]


def _skew(without: Floats) -> float:
    """Estimate the acceleration by leaving out each document in turn."""
    away = without.mean() - without
    spread = float(np.square(away).sum())
    if spread == 0:
        return 0.0
    cubes = float((away * away * away).sum())
    return cubes / float(6 * spread**1.5)


_HALVINGS = 200  # more than a float has digits; the loop stops earlier


def inside(limit: float, freedom: int) -> float:
    """Return the probability of values between −limit and limit.

    Finite sums for whole degrees of freedom: Abramowitz and Stegun (1964), 26.7.3 and
    26.7.4.

    >>> round(inside(12.706, 1), 4)
    0.95
    """
    angle = atan(limit / sqrt(freedom))
    is_odd = freedom % 2
    top = np.arange(1 + is_odd, freedom - 1, 2, dtype=np.float64)
    terms = np.cumprod(top / (top + 1) * cos(angle) ** 2).tolist()
    series = sin(angle) * fsum([1.0, *terms])
    if not is_odd:
        return series
    return 2 / pi * (angle + series * cos(angle) if freedom > 1 else angle)


@lru_cache(maxsize=1024)
def limit_of(chance: float, freedom: int) -> float:
    """Return the limit for which `inside` is this probability.

    >>> round(limit_of(0.95, 4), 3)
    2.776
    """
    low, high = 0.0, 1.0
    while high < inf and inside(high, freedom) < chance:
        high *= 2
    for _ in range(_HALVINGS):
        middle = (low + high) / 2
        if middle in (low, high):
            break
        low, high = (
            (middle, high) if inside(middle, freedom) < chance else (low, middle)
        )
    return low


_AT_ONCE = 1 << 22

_IN_CACHE = 1 << 14  # numbers; memory that is used again takes no time

_FRACTION = 2.0**-53


def run_stretch(level: float, method: Method, runs: int) -> float:
    """Return the factor by which deviations of drawn runs are stretched.

    >>> round(run_stretch(95, "expanded", 3), 2), run_stretch(95, "percentile", 3)
    (2.69, 1.0)
    """
    if runs == 1 or method != "expanded":
        return 1.0
    from statistics import NormalDist  # slow

    usual = NormalDist().inv_cdf(1 - (1 - level / 100) / 2)
    return sqrt(runs / (runs - 1)) * limit_of(level / 100, runs - 1) / usual


class DrawnRuns(NamedTuple):
    """Scores of drawn documents: the mean of all runs, and how drawn runs deviate."""

    runs: int
    mean: Floats
    deviation: Floats | None  # None: there is one run

    @classmethod
    def of(cls, drawn: Sequence[Floats], seed: Seed) -> DrawnRuns:
        """Draw runs with replacement; ``drawn`` has the scores of each run."""
        if len(drawn) == 1:
            return cls(1, drawn[0], None)
        scores = np.stack(drawn, axis=1)
        weights = np.concatenate([*resample(len(drawn), len(scores), seed)])
        mean = scores.mean(axis=1)
        of_drawn = np.einsum("br,br...->b...", weights / len(drawn), scores)
        return cls(len(drawn), mean, of_drawn - mean)

    @property
    def scores(self) -> Floats:
        """The scores of the drawn runs on the drawn documents."""
        return self.mean if self.deviation is None else self.mean + self.deviation

    def stretched(self, cuts: Cuts, metrics: Sequence[str]) -> Floats:
        """Return the scores with deviations of runs stretched for an interval.

        The second axis has the metrics. A percentage stays between 0 and 100.
        """
        if self.deviation is None:
            return self.mean
        stretch = run_stretch(cuts.level, cuts.method, self.runs)
        scores = self.mean + stretch * self.deviation
        for place, name in enumerate(metrics):
            if scale_of(name) == "percent":
                own = scores[:, place]
                # Duplicates of the reference scorer can have scores above 1.
                highest = max(1.0, float(np.nanmax(self.scores[:, place])))
                np.clip(own, 0.0, highest, out=own)
        return scores


def draw_normal(times: int, numbers: int, seed: Seed) -> Floats:
    """Draw so many normal numbers at a time (Box and Muller, 1958)."""
    raw = np.random.PCG64(seed).random_raw(2 * times * numbers) >> np.uint64(11)
    one, other = ((raw + np.uint64(1)) * _FRACTION).reshape(2, times, numbers)
    return np.asarray(np.sqrt(-2 * np.log(one)) * np.cos(2 * pi * other))


def students_t(normal: Floats, freedom: int) -> Floats:
    """Make numbers with Student's t distribution of rows of normal numbers."""
    squares = np.square(normal[:, 1 : freedom + 1]).sum(axis=1)
    return np.asarray(normal[:, 0] / np.sqrt(squares / freedom))


def _noise_of_runs(pair: Sequence[SystemRuns], times: int, seed: Seed) -> Floats:
    """Draw how far the difference of two systems strays if only their runs vary.

    The degrees of freedom are those of Welch (1947), rounded down.
    """
    several = [system for system in pair if len(system.runs) > 1]
    parts = [np.square(system.sd) / len(system.runs) for system in several]
    variance = np.sum(parts, axis=0)
    rests = [
        np.square(part) / (len(system.runs) - 1)
        for system, part in zip(several, parts, strict=True)
    ]
    freedom = np.floor(ratio(np.square(variance), np.sum(rests, axis=0)) + _ROUNDING)
    normal = draw_normal(times, sum(len(system.runs) for system in several), seed)
    columns = [students_t(normal, max(1, int(number))) for number in freedom.tolist()]
    return np.asarray(np.stack(columns, axis=1) * np.sqrt(variance))


_ROUNDING = 1e-9


def resample(documents: int, times: int, seed: Seed) -> Iterator[Floats]:
    """Draw documents with replacement; return how often each was drawn, in portions."""
    bits = np.random.PCG64(seed)
    for count in _portions(documents, times):
        weights = np.empty((count, documents))
        few = max(1, _IN_CACHE // max(1, documents))
        for start in range(0, count, few):
            rows = weights[start : start + few]
            raw = bits.random_raw(rows.size) >> np.uint64(11)
            drawn = (raw * _FRACTION * documents).astype(np.int64).reshape(rows.shape)
            drawn += np.arange(len(rows))[:, None] * documents
            times_drawn = np.bincount(drawn.ravel(), minlength=rows.size)
            rows[:] = times_drawn.reshape(rows.shape)
        yield weights


def draw_swaps(
    documents: int, times: int, seed: int, *, is_random: bool = False
) -> Iterator[Floats]:
    """Choose documents to be swapped, each with a chance of one half.

    If there are not more ways to choose than ``times``, each way comes once, unless
    ``is_random``.
    """
    if is_exact(documents, times) and not is_random:
        ways = np.arange(1 << documents)
        yield ((ways[:, None] >> np.arange(documents)) & 1).astype(np.float64)
        return
    bits, words = np.random.PCG64(seed), -(-documents // 64)
    for count in _portions(documents, times):
        raw = bits.random_raw(count * words).astype("<u8").reshape(count, words)
        coins = np.unpackbits(raw.view(np.uint8), axis=1, count=documents)
        yield coins.astype(np.float64)


def is_exact(documents: int, times: int) -> bool:
    """Return whether all ways to swap are tried."""
    return documents < times.bit_length() and 1 << documents <= times


def _portions(documents: int, times: int) -> Iterator[int]:
    """Split many draws into portions that fit into memory."""
    portion = max(1, _AT_ONCE // max(1, documents))
    while times > 0:
        yield min(portion, times)
        times -= portion


_SAMPLES_AT_ONCE = 4096  # swaps; those of all systems are in memory at once


def draw(
    systems: Mapping[_Name, Strata], resamples: int, seed: int
) -> dict[_Name, Floats]:
    """Draw documents from each dataset, and score each system on them."""
    first = next(iter(systems.values()))
    shape = (resamples, len(first.names))
    sums: dict[_Name, Floats] = {name: np.zeros(shape) for name in systems}
    defined: dict[_Name, Floats] = {name: np.zeros(shape) for name in systems}
    for number, size in enumerate(first.sizes):
        start = 0
        for weights in resample(size, resamples, seed + number):
            rows = slice(start, start := start + len(weights))
            for name, system in systems.items():
                drawn = weights @ system.parts[number].matrix
                scores, is_defined = system.f1_of(number, drawn)
                sums[name][rows] += scores
                defined[name][rows] += is_defined
    return {name: ratio(sums[name], defined[name]) for name in systems}


def draw_runs(
    systems: Mapping[str, SystemRuns], resamples: int, seed: int
) -> dict[str, DrawnRuns]:
    """Draw documents for all systems, and runs for each system separately."""
    every = {
        (name, number): run
        for name, system in systems.items()
        for number, run in enumerate(system.runs)
    }
    drawn = draw(every, resamples, seed)
    return {
        name: DrawnRuns.of(
            [drawn[name, number] for number in range(len(system.runs))],
            (seed, place + 1),
        )
        for place, (name, system) in enumerate(systems.items())
    }


def randomise(
    systems: Mapping[str, SystemRuns], swaps: int, seed: int
) -> dict[Pair, Floats]:
    """Swap documents of each pair; return how often the difference is as large.

    If systems have several runs, the mean over runs is swapped. The difference also
    varies with the runs, by their standard deviation and Student's t.
    """
    first = next(iter(systems.values())).runs[0]
    totals = {name: system.total for name, system in systems.items()}
    runs = {name: len(system.runs) for name, system in systems.items()}
    noise = {
        (one, other): _noise_of_runs([systems[one], systems[other]], swaps, (seed, 1))
        for one, other in combinations(systems, 2)
        if runs[one] > 1 or runs[other] > 1
    }
    times: dict[Pair, Floats] = {
        pair: np.zeros(len(first.names)) for pair in combinations(systems, 2)
    }
    tried = 0
    for flips in _flips(first, swaps, seed, is_random=bool(noise)):
        rows = slice(tried, tried := tried + len(flips[0]))
        moving = {
            name: [
                [
                    coins @ part.matrix
                    for part, coins in zip(run.parts, flips, strict=True)
                ]
                for run in system.runs
            ]
            for name, system in systems.items()
        }
        for one, other in times:
            sides = [
                [*zip(systems[name].runs, moving[name], strict=True)]
                for name in (one, other)
            ]
            by_chance = _swapped_differences(*sides)
            if (one, other) in noise:
                by_chance = by_chance + noise[one, other][rows]
            actual = np.abs(totals[one] - totals[other])
            times[one, other] += (np.abs(by_chance) >= actual - TIE).sum(axis=0)
    # The actual outcome is one of all, and is added to those that were drawn.
    more = 0 if is_exact(first.documents, swaps) and not noise else 1
    return {pair: (count + more) / (tried + more) for pair, count in times.items()}


def _flips(system: Strata, swaps: int, seed: int, *, is_random: bool) -> Iterator[Sums]:
    """Choose documents to be swapped, dataset by dataset, some swaps at a time."""
    ends = np.cumsum(system.sizes)[:-1]
    for coins in draw_swaps(system.documents, swaps, seed, is_random=is_random):
        for start in range(0, len(coins), _SAMPLES_AT_ONCE):
            yield np.split(coins[start : start + _SAMPLES_AT_ONCE], ends, axis=1)


def _swapped_differences(
    ours: Sequence[tuple[Strata, Sums]], theirs: Sequence[tuple[Strata, Sums]]
) -> Floats:
    """Return the differences of two systems after swapping documents.

    Each run is paired with equally many runs of the other system.
    """
    pairs = lcm(len(ours), len(theirs))
    differences = []
    for number in range(pairs):
        one, mine = ours[number % len(ours)]
        other, others = theirs[number % len(theirs)]
        gained = [new - old for old, new in zip(mine, others, strict=True)]
        first = [total + more for total, more in zip(one.totals, gained, strict=True)]
        second = [
            total - more for total, more in zip(other.totals, gained, strict=True)
        ]
        differences.append(one.f1(first) - other.f1(second))
    return differences[0] if pairs == 1 else np.mean(differences, axis=0)
