"""The Spark job that people write by hand for these figures, to time scoref against it.

    python benchmarks/spark_job.py PARTITIONS FILE [FILE]

With one file, it has the columns mention, key and response; with two, each has mention
and cluster. The job prints pairwise, exact cluster and B³ precision and recall. Like
scoref, it refuses records with several rows and null records. `run_spark.py` times it.
"""

from __future__ import annotations

import json
import sys

from pyspark.sql import DataFrame, SparkSession
from pyspark.sql import functions as f


def read_cells(spark: SparkSession, paths: list[str]) -> DataFrame:
    """Count the records of each pair of clusters, and refuse repeated records."""
    tables = [spark.read.parquet(path) for path in paths]
    for table in tables:
        repeated = table.groupBy("mention").count().where("count > 1").limit(1)
        if repeated.count():
            raise SystemExit("a record has several rows")
    if len(tables) == 1:
        both = tables[0].where("mention IS NOT NULL")
    else:
        key, response = (
            table.withColumnRenamed("cluster", side)
            for table, side in zip(tables, ("key", "response"), strict=True)
        )
        both = key.join(response, "mention", "full")
    return both.groupBy("key", "response").agg(f.count("*").alias("n"))


def score(cells: DataFrame) -> dict[str, float]:
    """Return precision and recall of three metrics."""
    cells = cells.cache()
    keys = cells.where("key IS NOT NULL").groupBy("key").agg(f.sum("n").alias("a"))
    responses = (
        cells.where("response IS NOT NULL")
        .groupBy("response")
        .agg(f.sum("n").alias("b"))
    )
    both = cells.join(keys, "key").join(responses, "response").cache()
    (links,) = both.agg(
        f.sum(f.expr("n * (n - 1) / 2")).alias("pairs"),
        f.sum(f.expr("n * n / a")).alias("recall"),
        f.sum(f.expr("n * n / b")).alias("precision"),
        f.count(f.expr("CASE WHEN n = a AND n = b THEN 1 END")).alias("equal"),
    ).collect()
    (key,) = keys.agg(
        f.sum("a").alias("size"),
        f.count("*").alias("clusters"),
        f.sum(f.expr("a * (a - 1) / 2")).alias("pairs"),
    ).collect()
    (response,) = responses.agg(
        f.sum("b").alias("size"),
        f.count("*").alias("clusters"),
        f.sum(f.expr("b * (b - 1) / 2")).alias("pairs"),
    ).collect()
    return {
        "pairwise recall": links.pairs / key.pairs,
        "pairwise precision": links.pairs / response.pairs,
        "cluster recall": links.equal / key.clusters,
        "cluster precision": links.equal / response.clusters,
        "bcub recall": links.recall / key.size,
        "bcub precision": links.precision / response.size,
    }


def main() -> None:
    """Run the job in local mode."""
    partitions, *paths = sys.argv[1:]
    spark = (
        SparkSession.builder.config("spark.sql.shuffle.partitions", partitions)
        .config("spark.ui.showConsoleProgress", "false")
        .getOrCreate()
    )
    print(json.dumps(score(read_cells(spark, paths))))


if __name__ == "__main__":
    main()
