"""The function `summarise_table`: what clusters look like, without gold data.

A `Summary` has the sizes of clusters and, with names, how far names identify clusters.
The figures are those of Binette et al. (2024). Hill numbers describe how varied the
sizes are: with p(s) for the share of the clusters that have s records,

    H₀ = the number of different sizes      H₁ = exp(−Σ p log p)      H₂ = 1 / Σ p²

The engine counts clusters by size, so every engine gives the same digits.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from math import exp, fsum, log
from typing import TYPE_CHECKING

from scoref._version import __version__
from scoref.displayed import Displayed
from scoref.errors import FormatError
from scoref.printable import counted
from scoref.records.columns import WantedColumns
from scoref.records.engines import count_clusters
from scoref.records.notes import side_notes
from scoref.records.pair_tables import PairTableError
from scoref.records.request import (
    CountRequest,
    check_duplicates,
    check_memory,
    missing_words,
)
from scoref.records.sources import recognise

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from scoref.model import Note
    from scoref.records.request import Duplicates, NameCounts, Progress


@dataclass(frozen=True, eq=False, repr=False)
class Summary(Displayed):
    """The sizes and names of the clusters of one table.

    ``sizes`` has the number of clusters by size. ``names`` is None without a column of
    names.
    """

    source: str
    sizes: Mapping[int, int]
    names: NameCounts | None
    signature: str
    notes: tuple[Note, ...]
    columns: Mapping[str, str] = field(default_factory=dict)

    _reported_by = "records.summary_report:summary_report"

    @property
    def _in_short(self) -> str:
        return counted(self.clusters, "cluster")

    @property
    def clusters(self) -> int:
        """The number of clusters."""
        return sum(self.sizes.values())

    @property
    def records(self) -> int:
        """The number of records that are in a cluster."""
        return sum(size * times for size, times in self.sizes.items())

    @property
    def matching_rate(self) -> float:
        """The share of the records whose cluster has other records."""
        return 1 - self.sizes.get(1, 0) / self.records

    @property
    def homonymy(self) -> float | None:
        """The share of clusters with a name that another cluster has, too."""
        return _share(self.names, "homonymous")

    @property
    def name_variation(self) -> float | None:
        """The share of clusters with several names."""
        return _share(self.names, "varied")

    def hill_number(self, order: float) -> float:
        """Return the Hill number of cluster sizes of an order.

        >>> Summary("", {1: 2, 3: 2}, None, "", ()).hill_number(2)
        2.0
        """
        shares = [times / self.clusters for times in self.sizes.values()]
        return hill_number(shares, order)

    @property
    def figures(self) -> dict[str, float | None]:
        """All figures by the names that JSON and gates have."""
        return {
            "records": self.records,
            "clusters": self.clusters,
            "mean_size": self.records / self.clusters,
            "largest": max(self.sizes),
            "singletons": self.sizes.get(1, 0),
            "links": sum(n * (n - 1) // 2 * k for n, k in self.sizes.items()),
            "matching_rate": self.matching_rate,
            **{f"hill_{order}": self.hill_number(order) for order in (0, 1, 2)},
            "homonymy": self.homonymy,
            "name_variation": self.name_variation,
        }


def hill_number(shares: Iterable[float], order: float) -> float:
    """Return the Hill number of some shares that add up to 1.

    >>> hill_number([0.5, 0.5], 0), hill_number([0.5, 0.5], 1)
    (2.0, 2.0)
    """
    kept = [share for share in shares if share > 0]
    if order == 1:
        return round(exp(-fsum(share * log(share) for share in kept)), 12)
    return float(fsum(share**order for share in kept) ** (1 / (1 - order)))


def _share(names: NameCounts | None, what: str) -> float | None:
    if names is None or not names.clusters:
        return None
    return float(getattr(names, what) / names.clusters)


def summarise_table(
    clusters: object,
    *,
    mention: str | None = None,
    cluster: str | None = None,
    name: str | None = None,
    missing_values: str | Iterable[str] | None = None,
    duplicates: Duplicates = "error",
    engine: str | None = None,
    memory: str | None = None,
    header: bool | None = None,
    table: str | None = None,
    remote: bool = False,
    progress: Progress | None = None,
) -> Summary:
    """Summarise the clusters of one table.

    Args:
        clusters: a table, as `score_table` takes a response.
        mention: the column of records; by default the first one of two.
        cluster: the column of clusters; by default the second one.
        name: a column of names, for homonymy and name variation.
        missing_values: clusters that mean "not clustered", as in `score_table`.
        duplicates: which row of a record counts, in the order of the table.
        engine: numpy, duckdb or spark; by default chosen by the size of the table.
        memory: the memory that DuckDB may use, such as 2GB.
        header: whether a text file begins with names; by default detected.
        table: the table of a database.
        remote: whether a path may be an address, such as s3://…
        progress: called with each step and the share of the work that is done.

    >>> summary = summarise_table([["a", "b", "c"], ["d"]])
    >>> summary.clusters, summary.matching_rate
    (2, 0.75)
    """
    check_duplicates(duplicates)
    check_memory(memory)
    request = CountRequest(
        wanted=WantedColumns(
            mention, cluster, others=(name,) if name else (), has_two_sides=False
        ),
        duplicates=duplicates,
        ceaf=False,
        header=header,
        table=table,
        memory=memory,
        remote=remote,
        progress=progress,
        missing_values=missing_words(missing_values),
    )
    recognised = recognise(clusters, "table", remote=remote)
    try:
        counts = count_clusters(recognised, request, engine)
    except PairTableError as error:
        hint = "A summary needs a record and its cluster in each row."
        raise FormatError(error.problem, source=recognised.source, hint=hint) from error
    if not len(counts.size):
        raise FormatError("no record has a cluster", source=recognised.source)
    sizes = dict(zip(counts.size.tolist(), counts.times.tolist(), strict=True))
    columns = {
        use.replace("response ", ""): column for use, column in counts.columns.items()
    }
    return Summary(
        recognised.source,
        sizes,
        counts.names,
        f"scoref:{__version__}|format:table|duplicates:{duplicates}",
        tuple(side_notes("table", counts.side, request)),
        columns | ({"name": name} if name else {}),
    )
