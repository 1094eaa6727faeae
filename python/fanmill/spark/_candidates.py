"""Candidates: pairs of documents that fall into the same bucket, as one machine finds them.

All buckets of all documents are sorted together: by bucket, then by a document's buckets in the next two bands, then by place. Members
of a bucket are then neighbours, wherever Spark cuts the sorted rows into partitions, so no task has to hold a bucket. A
bucket of less than `LARGE` documents yields all its pairs. A larger one (a licence, an error page, an empty form) yields links: each
member is linked to its neighbour, to four members spread over the bucket, and to its most preferred one; and to the nearest
documents of the reference before and after it.

Cost: a shuffle of 32 bytes for each document and band; of what is in buckets of two or more, some 100 bytes for each.
Source: `lsh::join` of `fanmill-sketch` and `candidates.rs` of `fanmill-corpus`, which give the same pairs.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Optional

import numpy as np
import pyarrow as pa
from pyspark import TaskContext
from pyspark.sql import Column, DataFrame, Window
from pyspark.sql import functions as F

from ._checkpoint import Checkpoint
from ._documents import OWN

#: Documents from which on a bucket does not yield all its pairs.
LARGE = 256
#: Members of a large bucket, spread over it, that all others are linked to.
REPRESENTATIVES = 4

Batches = Iterator[pa.RecordBatch]


def members(run: Checkpoint, placed: DataFrame, copies: DataFrame) -> DataFrame:
    """Members of buckets that more than one document is in: bucket, place, and a number that ascends in sorted order.

    Numbers of a bucket follow each other without a gap.
    """

    def make() -> DataFrame:
        compared = placed.join(copies.select("place"), "place", "left_anti")
        in_bands = compared.select("place", "orders", F.posexplode("buckets").alias("band", "bucket"))
        rows = in_bands.select("bucket", F.col("orders")[F.col("band")].alias("order"), "place")
        ordered = rows.repartitionByRange("bucket", "order", "place").sortWithinPartitions("bucket", "order", "place")
        return ordered.select("bucket", "place").mapInArrow(shared, "bucket bigint, place bigint, part int, at bigint")

    shared_rows = run.step("buckets", make)
    starts = run.value("starts", lambda: _starts(shared_rows))
    of_parts = run.spark.createDataFrame([(part, start) for part, start in starts], "part int, start bigint")
    numbered = shared_rows.join(F.broadcast(of_parts), "part")
    return numbered.select("bucket", "place", (F.col("start") + F.col("at")).alias("number"))


def shared(batches: Batches) -> Batches:
    """Of sorted rows, those whose bucket is a neighbour's, with the partition and a number there.

    The first and the last row are among them in any case, since their bucket may go on in another partition.
    """
    context = TaskContext.get()
    part = context.partitionId() if context else 0
    at = 0
    held: Optional[tuple[int, int]] = None
    is_held_shared = True
    for batch in batches:
        rows = [np.asarray(batch.column(name)) for name in ("bucket", "place")]
        if held is not None:
            rows = [np.concatenate([[before], values]) for before, values in zip(held, rows)]
        bucket, place = rows
        if len(bucket) == 0:
            continue
        is_next = bucket[1:] == bucket[:-1]
        is_shared = np.append(is_next, False) | np.insert(is_next, 0, is_held_shared)
        # The last row is decided when the next one is known.
        held, is_held_shared = (int(bucket[-1]), int(place[-1])), bool(is_shared[-1])
        keep = np.flatnonzero(is_shared[:-1])
        yield _rows(bucket[keep], place[keep], part, at)
        at += len(keep)
    if held is not None:
        yield _rows(np.array([held[0]]), np.array([held[1]]), part, at)


def _rows(bucket: np.ndarray, place: np.ndarray, part: int, at: int) -> pa.RecordBatch:
    n = len(bucket)
    columns = [bucket, place, np.full(n, part, np.int32), np.arange(at, at + n)]
    return pa.RecordBatch.from_arrays([pa.array(each) for each in columns], ["bucket", "place", "part", "at"])


def _starts(shared_rows: DataFrame) -> list[tuple[int, int]]:
    """The number of rows before each partition."""
    counts = sorted((row["part"], row["count"]) for row in shared_rows.groupBy("part").count().collect())
    starts, before = [], 0
    for part, n in counts:
        starts.append((part, before))
        before += n
    return starts


def candidates(run: Checkpoint, rows: DataFrame, has_reference: bool, only_against: bool) -> tuple[DataFrame, bool]:
    """The pairs (a < b), and whether large buckets have left some out."""
    large, notes = _large(run, rows)

    def make() -> DataFrame:
        pairs = _all_pairs(rows.join(large, "bucket", "left_anti") if notes["n"] else rows)
        if notes["n"]:
            pairs = pairs.unionByName(_links(rows.join(large, "bucket"), has_reference))
        return pairs.where(_may_pair(only_against)).distinct()

    return run.step("candidates", make), notes["n"] > 0


def _large(run: Checkpoint, rows: DataFrame) -> tuple[DataFrame, dict[str, int]]:
    """Large buckets: how many members there are, the number of the first, and the lowest place."""

    def make() -> DataFrame:
        sizes = rows.groupBy("bucket").agg(
            F.count(F.lit(1)).alias("n"), F.min("number").alias("begin"), F.min("place").alias("lowest")
        )
        return sizes.where(F.col("n") >= LARGE)

    made, notes, _ = run.noted("large_buckets", make, lambda made: {"n": made.count()})
    return made, notes


def _pair(a: str, b: str) -> list[Column]:
    return [F.least(a, b).alias("a"), F.greatest(a, b).alias("b")]


def _may_pair(only_against: bool) -> Column:
    """Two documents of the reference are no pair."""
    of_reference = F.col("a") < OWN
    return (of_reference & (F.col("b") >= OWN)) if only_against else F.col("b") >= OWN


def _all_pairs(rows: DataFrame) -> DataFrame:
    a, b = (rows.select("bucket", F.col("place").alias(name)) for name in ("a", "b"))
    return a.join(b, "bucket").where("a < b").select("a", "b")


def _links(rows: DataFrame, has_reference: bool) -> DataFrame:
    """Of the members of large buckets."""
    spread = [f"number - begin = n * {i} div {REPRESENTATIVES}" for i in range(REPRESENTATIVES)]
    is_star = " or ".join([*spread, "place = lowest"])
    stars = rows.where(is_star).select("bucket", F.col("place").alias("star"))
    of_stars = rows.join(stars, "bucket").where("place <> star").select(*_pair("place", "star"))
    after = rows.select("bucket", (F.col("number") - 1).alias("number"), F.col("place").alias("next"))
    chain = rows.join(after, ["bucket", "number"]).select(*_pair("place", "next"))
    links = of_stars.unionByName(chain)
    return links.unionByName(_to_reference(rows)) if has_reference else links


def _to_reference(rows: DataFrame) -> DataFrame:
    """Links of each member to the nearest documents of the reference on either side.

    Only here is a bucket one task, since what is nearest may be far away; the sort spills.
    """
    of_reference = F.when(F.col("place") < OWN, F.col("place"))
    order = Window.partitionBy("bucket")
    sides = [order.orderBy(F.col("number").asc()), order.orderBy(F.col("number").desc())]
    nearest = [F.last(of_reference, ignorenulls=True).over(side.rowsBetween(Window.unboundedPreceding, -1)) for side in sides]
    found = rows.where(F.col("lowest") < OWN).select("place", F.array(*nearest).alias("nearest"))
    links = found.select("place", F.explode("nearest").alias("reference"))
    return links.where("reference is not null").select(*_pair("place", "reference"))
