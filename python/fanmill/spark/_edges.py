"""Edges: candidate pairs that reach the threshold, all that decide which documents stay.

A large bucket of near-copies yields several links a member and band, and comparing all of them would move the bucket's sets
hundreds of times, though one comparison with the document that stays settles each member. So where there are large buckets,
documents without a preferred candidate are compared first. They stay, whatever comes of it; of the documents that go for them no
pair decides anything more, but for pairs with a document that is preferred to the one they go for, and may stay too.

Cost: as `_sets` says, for the pairs that are left.
"""

from __future__ import annotations

from pyspark.sql import DataFrame
from pyspark.sql import functions as F

from ._checkpoint import Checkpoint
from ._sets import compared


def edges(run: Checkpoint, pairs: DataFrame, sets: DataFrame, threshold: float, all_at_once: bool) -> DataFrame:
    """Pairs a < b with their resemblance."""
    if all_at_once:
        return compared(run, "edges", pairs, sets, threshold)
    below = pairs.select(F.col("b").alias("a")).distinct()
    first = compared(run, "first_edges", pairs.join(below, "a", "left_anti"), sets, threshold)
    taken = first.groupBy("b").agg(F.min("a").alias("centre"))
    open_pairs = pairs.join(below, "a", "left_semi").join(taken.select(F.col("b").alias("a")), "a", "left_anti")
    rest = open_pairs.join(taken, "b", "left").where("centre is null or a < centre").select("a", "b")
    return first.unionByName(compared(run, "edges", rest, sets, threshold))
