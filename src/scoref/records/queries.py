"""The SQL queries that count a table, the same for every engine.

They start from these tables, where every mention occurs once:

- ``key_side`` and ``response_side``: ``block``, ``mention`` and ``cluster``, for every
  mention that has a cluster;
- ``both_sides``: ``block``, ``mention``, and the clusters ``g`` of the key and ``p`` of
  the response, NULL if that side does not have the mention.

``parts`` counts the mentions of each pair of clusters. If clusters are made for
mentions that only one side has, ``alone`` names these. All other counts follow from
``parts``, so the data are read once, and counts of parts of the data can be added. Only
integers are counted; the one division, of the Jaccard index, is the same in every
engine. The column ``block`` exists only if there are groups.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal

if TYPE_CHECKING:
    from scoref.scheme import Universe


_KEPT = {
    "both": "",
    "common": "WHERE g IS NOT NULL AND p IS NOT NULL",
    "union": "",
    "key": "WHERE g IS NOT NULL",
    "response": "WHERE p IS NOT NULL",
}

_FILLED = {"union": "gp", "key": "p", "response": "g"}

FRESH, ESCAPE = "\1\2", "\1\1"
"""Prefixes of clusters, so that made and given clusters are never the same.

A cluster that is made for one mention begins with the first. A given cluster that
begins with chr(1) gets the second.
"""

CELLS, DIVIDED_KEYS, DIVIDED_RESPONSES = range(3)
"""The parts of the query `Queries.kinds`."""


@dataclass(frozen=True, slots=True)
class Queries:
    """The queries for one universe of mentions, with groups or without.

    If ``parts`` is complete, both sides have every mention. The sizes of clusters are
    then the same with all mentions and with common ones, and are counted once.
    """

    universe: Universe
    is_grouped: bool
    prefix: str = ""  # of every name, if others may have tables in the same engine
    is_complete: bool = False

    @property
    def needs_text(self) -> bool:
        """Whether clusters are made for mentions that a side lacks."""
        return self.universe in _FILLED

    def parts_of_sides(self, key: str, response: str) -> str:
        """Write ``parts`` of two tables: join key and response, and count."""
        alone = ""
        if self.needs_text:
            alone = """CASE WHEN k.mention IS NULL THEN r.mention
            WHEN r.mention IS NULL THEN k.mention END AS alone,"""
        block = "coalesce(k.block, r.block) AS block, " if self.is_grouped else ""
        same = "AND k.block = r.block" if self.is_grouped else ""
        return f"""
SELECT {block}k.cluster AS g, r.cluster AS p,
       {alone}
       count(*) AS n
FROM {key} AS k FULL JOIN {response} AS r ON k.mention = r.mention {same}
GROUP BY {self._ordinals(2 + self.needs_text)}
"""

    def parts_of_table(self) -> str:
        """Write ``parts`` of a table that has both sides."""
        alone = ""
        if self.needs_text:
            alone = "CASE WHEN g IS NULL OR p IS NULL THEN mention END AS alone,"
        return f"""
SELECT {self._by("g, p")}, {alone}
       count(*) AS n
FROM {self.prefix}both_sides WHERE g IS NOT NULL OR p IS NOT NULL
GROUP BY {self._ordinals(2 + self.needs_text)}
"""

    def counted(self) -> str:
        """Add up parts, of which a pair of clusters may have several."""
        columns = ", ".join(
            f"CASE WHEN {cluster} IS NULL THEN concat(chr(1), chr(2), alone) "
            f"WHEN substr({cluster}, 1, 1) = chr(1) "
            f"THEN concat(chr(1), chr(1), {cluster}) "
            f"ELSE {cluster} END AS {cluster}"
            if cluster in _FILLED.get(self.universe, "")
            else cluster
            for cluster in "gp"
        )
        return f"""
SELECT {self._by(columns)}, CAST(sum(n) AS BIGINT) AS n
FROM {self.prefix}parts {_KEPT[self.universe]} GROUP BY {self._ordinals(2)}
"""

    def counted_once(self) -> str:
        """Take parts as they are, if each pair of clusters has one."""
        return f"""
SELECT {self._by("g, p")}, n FROM {self.prefix}parts {_KEPT[self.universe]}
"""

    def sized(self) -> str:
        """Write the cells of ``counted``, with the sizes of both clusters, or 0."""
        sizes = ("a", "b") if self.is_complete else ("a", "b", "a_common", "b_common")
        columns = ", ".join(f"coalesce({size}, 0) AS {size}" for size in sizes)
        return f"""
WITH keys AS ({self._sizes("g", "p", "a")}), responses AS ({self._sizes("p", "g", "b")})
SELECT {self._by("g, p")}, n, {columns}
FROM {self.prefix}counted
LEFT JOIN keys USING ({self._by("g")})
LEFT JOIN responses USING ({self._by("p")})
"""

    def kinds(self) -> str:
        """Write the query that counts equal rows.

        It has three parts: cells, and divided clusters of the key and of the response.
        A divided cluster has in ``n`` the largest number of mentions that it shares
        with another, in ``a`` its fate, and in ``best`` its highest Jaccard index.
        """
        cells = self._by(f"n, a, b, {self._common_sizes}")
        equal = self._by(
            "n, a, b" if self.is_complete else "n, a, b, a_common, b_common"
        )
        near = self._by("most, fate, best")
        key, response = self._near("g", "a", _FATE), self._near("p", "b", "0")
        divided = self._by("most AS n, fate AS a, 0 AS b, 0 AS a_common, 0 AS b_common")
        return f"""
SELECT {CELLS} AS part, {cells}, CAST(0 AS DOUBLE) AS best, count(*) AS times
FROM {self.prefix}sized GROUP BY {equal}
UNION ALL SELECT {DIVIDED_KEYS} AS part, {divided}, best, count(*) AS times
FROM ({key}) AS near_key GROUP BY {near}
UNION ALL SELECT {DIVIDED_RESPONSES} AS part, {divided}, best, count(*) AS times
FROM ({response}) AS near_response GROUP BY {near}
"""

    def entangled(self) -> str:
        """Write the cells that CEAF needs: equal clusters are aligned anyway."""
        return (
            f"SELECT {self._by('g, p')}, n, a, b, {self._common_sizes} "
            f"FROM {self.prefix}sized WHERE a > 0 AND b > 0 AND NOT (n = a AND n = b)"
        )

    def ranked(self, source: str) -> str:
        """Number clusters by their text, the same in every engine."""
        block = "dense_rank() OVER (ORDER BY block) - 1" if self.is_grouped else "0"
        return f"""
SELECT {block} AS block,
       dense_rank() OVER (ORDER BY {self._by("CAST(g AS STRING)")}) - 1 AS g,
       dense_rank() OVER (ORDER BY {self._by("CAST(p AS STRING)")}) - 1 AS p,
       n, a, b, a_common, b_common
FROM {source}
"""

    def repeated(self, source: str) -> str:
        """Count the mentions with several rows, and give one of them."""
        return f"""
SELECT count(*), min(CAST(mention AS STRING)) FROM (
  SELECT mention FROM {source} GROUP BY {self._by("mention")} HAVING count(*) > 1
) AS repeated
"""

    def overlap(self) -> str:
        """Count the mentions that only the key, only the response and both have."""
        return f"""
SELECT coalesce(sum(CASE WHEN p IS NULL THEN n ELSE 0 END), 0),
       coalesce(sum(CASE WHEN g IS NULL THEN n ELSE 0 END), 0),
       coalesce(sum(CASE WHEN g IS NOT NULL AND p IS NOT NULL THEN n ELSE 0 END), 0)
FROM {self.prefix}parts
"""

    def one_row_each(
        self,
        source: str,
        which: Literal["first", "last"],
        order: str,
        others: tuple[str, ...] = (),
    ) -> str:
        """Keep the first or last row of each mention."""
        chosen = "min_by" if which == "first" else "max_by"
        # In DuckDB, min_by skips a row whose value is missing.
        more = "".join(
            f", nullif({chosen}(coalesce({name}, ''), {order}), '') AS {name}"
            for name in others
        )
        return f"""
SELECT {self._by("mention")}, {chosen}(cluster, {order}) AS cluster{more}
FROM {source} GROUP BY {self._by("mention")}
"""

    def _by(self, columns: str) -> str:
        return f"block, {columns}" if self.is_grouped else columns

    def _ordinals(self, count: int) -> str:
        return ", ".join(str(i + 1) for i in range(count + self.is_grouped))

    @property
    def _common_sizes(self) -> str:
        return (
            "a AS a_common, b AS b_common" if self.is_complete else "a_common, b_common"
        )

    def _sizes(self, own: str, other: str, name: str) -> str:
        sizes = f"CAST(sum(n) AS BIGINT) AS {name}"
        if not self.is_complete:
            common = f"sum(CASE WHEN {other} IS NULL THEN 0 ELSE n END)"
            sizes += f", CAST({common} AS BIGINT) AS {name}_common"
        return f"""
SELECT {self._by(own)}, {sizes}
FROM {self.prefix}counted WHERE {own} IS NOT NULL GROUP BY {self._by(own)}
"""

    def _near(self, cluster: str, size: str, fate: str) -> str:
        # A cluster in one cell is counted from that cell: see `add_undivided`.
        return f"""
SELECT {self._by(cluster)}, max(n) AS most, {fate} AS fate,
       max(CAST(n AS DOUBLE) / CAST(a + b - n AS DOUBLE)) AS best
FROM {self.prefix}sized WHERE n < {size} AND a > 0 AND b > 0
GROUP BY {self._by(cluster)}
"""


_FATE = """
       CASE WHEN count(*) = 1 AND max(n) = max(a) AND max(b) = max(a) THEN 0
            WHEN count(*) = 1 AND max(n) = max(a) THEN 1
            WHEN sum(n) = max(a) AND sum(CASE WHEN n = b THEN 1 ELSE 0 END) = count(*)
                 THEN 2
            ELSE 3 END
"""
