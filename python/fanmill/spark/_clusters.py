"""Clusters: which documents stay, and for which of these the others go.

*Centres.* In the order of preference, a document of which no preferred neighbour stays is a centre, and stays; each other one
goes for its most preferred neighbour among the centres. Centres are the lexicographically first maximal independent set. They are
found in rounds: of the documents that are undecided, those without a preferred neighbour stay, and their neighbours go. A long
chain of documents, each like the next one only, takes a round for every two. So as soon as few pairs are undecided, one task
decides the rest in the order of preference, as one machine does.

*Components.* All that chains link is one cluster, whose most preferred document stays: large and small stars by turns.

Cost: rounds of a few joins of what is undecided, at 16 bytes a pair; components take O(log² n) of them.
Source: Blelloch, Fineman & Shun, "Greedy sequential maximal independent set and matching are parallel on average", SPAA 2012;
Kiveris et al., "Connected components in MapReduce and beyond", SoCC 2014.
"""

from __future__ import annotations

from collections.abc import Iterator

import pyarrow as pa
from pyspark.sql import DataFrame
from pyspark.sql import functions as F

from ._checkpoint import Checkpoint

#: Undecided pairs up to which one task decides: 64 MB of them, and a few seconds.
FEW = 1 << 22

Batches = Iterator[pa.RecordBatch]


def around_centres(run: Checkpoint, edges: DataFrame) -> DataFrame:
    """Each document that goes, with the centre that it goes for: place, centre, resemblance."""
    gone = _gone(run, edges.select("a", "b"))
    pairs = edges.join(gone.select(F.col("place").alias("b")), "b").join(gone.select(F.col("place").alias("a")), "a", "left_anti")
    best = pairs.groupBy("b").agg(F.min(F.struct("a", "resemblance")).alias("best"))
    return best.select(F.col("b").alias("place"), F.col("best.a").alias("centre"), F.col("best.resemblance").alias("resemblance"))


def _gone(run: Checkpoint, undecided: DataFrame) -> DataFrame:
    """The documents that go."""
    gone = undecided.select(F.col("b").alias("place")).limit(0)
    for number in range(1, 1 << 20):
        n = run.value(f"undecided_{number}", undecided.count)
        if n <= FEW:
            rest = run.step("gone_last", lambda: _in_one_task(undecided)) if n else None
            return gone if rest is None else gone.unionByName(rest)
        this = run.step(f"gone_{number}", lambda: _neighbours_of_centres(undecided))
        gone = gone.unionByName(this)
        undecided = run.step(f"left_{number}", lambda: _without(undecided, this))
    return gone


def _neighbours_of_centres(undecided: DataFrame) -> DataFrame:
    """The documents that go because a neighbour has no preferred neighbour itself."""
    below = undecided.select(F.col("b").alias("a")).distinct()
    return undecided.join(below, "a", "left_anti").select(F.col("b").alias("place")).distinct()


def _without(undecided: DataFrame, gone: DataFrame) -> DataFrame:
    """Pairs of two documents that may still stay; of those that have gone, no pair decides anything."""
    for side in ("a", "b"):
        undecided = undecided.join(gone.select(F.col("place").alias(side)), side, "left_anti")
    return undecided.select("a", "b")


def _in_one_task(undecided: DataFrame) -> DataFrame:
    return undecided.repartition(1).sortWithinPartitions("a", "b").mapInArrow(in_order, "place bigint")


def in_order(batches: Batches) -> Batches:
    """The documents that go, of pairs in the order of the preferred document: when its pairs come, it is decided."""
    gone: set[int] = set()
    for batch in batches:
        before = len(gone)
        found = []
        for a, b in zip(batch.column("a").to_pylist(), batch.column("b").to_pylist()):
            if a not in gone and b not in gone:
                gone.add(b)
                found.append(b)
        if len(gone) > before:
            yield pa.RecordBatch.from_arrays([pa.array(found, pa.int64())], ["place"])


def components(run: Checkpoint, edges: DataFrame) -> DataFrame:
    """Each document that a chain links to a more preferred one, with the most preferred of its component: place, centre."""
    stars = edges.select(F.col("b").alias("u"), F.col("a").alias("v"))
    before = None
    for number in range(1, 1 << 10):
        stars = run.step(f"stars_{number}", lambda: _small_star(_large_star(stars)))
        now = run.value(f"stars_{number}_sum", lambda: _sum(stars))
        if now == before:
            break
        before = now
    return stars.select(F.col("u").alias("place"), F.col("v").alias("centre"))


def _large_star(pairs: DataFrame) -> DataFrame:
    """Links each larger neighbour of a document to the smallest of its neighbours and itself."""
    both = pairs.unionByName(pairs.select(F.col("v").alias("u"), F.col("u").alias("v")))
    least = both.groupBy("u").agg(F.min("v").alias("v")).select("u", F.least("u", "v").alias("least"))
    return both.join(least, "u").where("v > u").select(F.col("v").alias("u"), F.col("least").alias("v")).distinct()


def _small_star(pairs: DataFrame) -> DataFrame:
    """Links each document and its smaller neighbours to the smallest of these."""
    least = pairs.groupBy("u").agg(F.min("v").alias("least"))
    linked = pairs.join(least, "u").select(F.explode(F.array("u", "v")).alias("u"), F.col("least").alias("v"))
    return linked.where("u <> v").distinct()


def _sum(pairs: DataFrame) -> list[int]:
    row = pairs.agg(F.count(F.lit(1)).alias("n"), F.expr("bit_xor(xxhash64(u, v))").alias("sum")).first()
    return [row["n"], row["sum"] or 0] if row else []
