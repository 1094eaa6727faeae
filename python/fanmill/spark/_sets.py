"""Sets of shingles of the documents in candidate pairs, and how much two of them have in common.

A set travels in *parts*, each of the hashes of one range of values, so that no row is large however long a text is: what two
sets have in common is the sum over their parts. A set is cut at its *level*: into 2^level parts of about `PART` hashes. Two sets of
different levels are compared at the higher one, for which the other is cut further.

A document that is in very many pairs would make one task compare all of them. So such pairs are spread over blocks of
`BLOCK`, and the document is copied to each.

Cost: a shuffle of the candidates' texts, unless documents in pairs are so few that Spark sends them to all workers; then, for each
pair that sizes do not rule out, a shuffle of one of its sets, of 8 bytes a shingle. About a nanosecond a shingle and pair.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Callable

import numpy as np
import pyarrow as pa
from pyspark.sql import DataFrame
from pyspark.sql import functions as F

from .._native import Recipe, differ_by_slips, short_words
from ._checkpoint import Checkpoint
from ._documents import digest
from ._settings import unusable
from ._texts import in_pieces, whole

#: Hashes in a part, about.
PART = 1 << 13
#: Pairs of one document that are compared by one task.
BLOCK = 1 << 10

_FIELDS = "place bigint, n bigint, level int, part bigint, hashes array<bigint>, words string"
_HASHES = pa.list_(pa.int64())
_SCHEMA = pa.schema(
    [
        ("place", pa.int64()),
        ("n", pa.int64()),
        ("level", pa.int32()),
        ("part", pa.int64()),
        ("hashes", _HASHES),
        ("words", pa.string()),
    ]
)

Batches = Iterator[pa.RecordBatch]


def sets(
    run: Checkpoint, pairs: DataFrame, placed: DataFrame, texts: DataFrame, piece: int, recipe: Recipe, key: bytes
) -> DataFrame:
    """The sets of all documents in pairs, in parts: place, number of hashes in all, level, part, hashes, and the words of a short text."""
    in_pairs = pairs.select(F.explode(F.array("a", "b")).alias("place")).distinct()
    named = placed.select("place", "id", "is_reference", "digest")
    members = run.step("members", lambda: named.join(in_pairs, "place"))

    def make() -> DataFrame:
        found = texts.join(members, ["id", "is_reference"])
        return in_pieces(found, "text", ["place", "digest"], piece).mapInArrow(_shingled(recipe.scheme, key), _FIELDS)

    def look(made: DataFrame) -> dict[str, int]:
        n, n_same = members.count(), made.where("part = 0 and n > 0").count()
        if n != n_same:
            raise unusable(
                f"the texts of {n - n_same} of {n} documents are not what they were when they were first read; write the data"
                " to files, and give what is read from these"
            )
        return {}

    return run.noted("sets", make, look)[0]


def _shingled(scheme: str, key: bytes) -> Callable[[Batches], Batches]:
    def make(batches: Batches) -> Batches:
        recipe = Recipe.of_scheme(scheme)
        for batch in whole(batches):
            texts = batch.column("content")
            now = pa.array([digest(text.as_buffer()) for text in texts], pa.binary())
            same = [a == b for a, b in zip(now.to_pylist(), batch.column("digest").to_pylist())]
            rows = pa.array(recipe.shingles(texts, key=key, threads=1)).filter(pa.array(same, pa.bool_()))
            words = pa.array(short_words(recipe, texts)).filter(pa.array(same, pa.bool_()))
            yield from _in_parts(batch.column("place").filter(pa.array(same, pa.bool_())), rows, words)

    return make


def _in_parts(places: pa.Array, rows: pa.Array, words: pa.Array) -> Batches:
    """Sets as rows, each at its own level."""
    sizes = np.diff(np.asarray(rows.offsets))
    is_long = sizes > PART
    short = pa.array(~is_long)
    n = len(sizes) - int(is_long.sum())
    zeros = [pa.array(np.zeros(n, kind)) for kind in (np.int32, np.int64)]
    columns = [places.filter(short), pa.array(sizes[~is_long].astype(np.int64)), *zeros, rows.filter(short).cast(_HASHES), words.filter(short)]
    yield pa.RecordBatch.from_arrays(columns, schema=_SCHEMA)
    for i in np.flatnonzero(is_long).tolist():
        size = int(sizes[i])
        level = (-(-size // PART) - 1).bit_length()
        yield from _cut(places[i].as_py(), size, rows[i].values.to_numpy(), level, range(1 << level))


def _cut(place: int, size: int, hashes: np.ndarray, level: int, parts: range) -> Batches:
    """Parts of a set at a level, of ascending hashes that lie in them."""
    bounds = np.array([part << (64 - level) for part in parts[1:]], np.uint64)
    for part, each in zip(parts, np.split(hashes, np.searchsorted(hashes.view(np.uint64), bounds))):
        hashes_of_part = pa.ListArray.from_arrays(pa.array([0, len(each)], pa.int32()), pa.array(each))
        row = [[place], [size], [level], [part], hashes_of_part, [None]]
        yield pa.RecordBatch.from_arrays([pa.array(value, kind) for value, kind in zip(row, _SCHEMA.types)], schema=_SCHEMA)


def _finer(batches: Batches) -> Batches:
    """Parts cut further, each to the level in ``finer``."""
    for batch in batches:
        for i in range(batch.num_rows):
            place, size, level, part, finer = (batch.column(name)[i].as_py() for name in (*_SCHEMA.names[:4], "finer"))
            n = 1 << (finer - level)
            yield from _cut(place, size, batch.column("hashes")[i].values.to_numpy(), finer, range(part * n, (part + 1) * n))


def compared(run: Checkpoint, name: str, pairs: DataFrame, sets: DataFrame, threshold: float) -> DataFrame:
    """Pairs (a, b) with their exact resemblance, if that reaches the threshold, which may be 0."""
    sized = run.step(f"{name}_sized", lambda: _sized(pairs, sets, threshold))

    def make() -> DataFrame:
        parts = _at_levels(sized, sets)
        numbers = F.sequence(F.lit(0).cast("bigint"), F.expr("shiftleft(1L, level) - 1"))
        halves = sized.withColumn("part", F.explode(numbers))
        for side in ("a", "b"):
            halves = _with_set(halves, parts, side, sized)
        return _summed(halves).where(F.col("resemblance") >= threshold)

    return run.step(name, make)


def _sized(pairs: DataFrame, sets: DataFrame, threshold: float) -> DataFrame:
    """Pairs with the numbers of their hashes, and the level that they are compared at; without those that cannot reach the threshold."""
    names = ("n", "level", "words")
    sizes = sets.where("part = 0").select("place", *names)
    for side in ("a", "b"):
        of_side = sizes.select(F.col("place").alias(side), *(F.col(name).alias(f"{name}_{side}") for name in names))
        pairs = pairs.join(of_side, side)
    level = F.greatest("level_a", "level_b").alias("level")
    sized = pairs.select("a", "b", "n_a", "n_b", level, "words_a", "words_b")
    sized = sized.where(F.least("n_a", "n_b") / F.greatest("n_a", "n_b") >= threshold)
    if threshold > 0:
        # Without a threshold, resemblances are asked for, of texts that a chain links.
        sized = sized.mapInArrow(_copies(threshold), "a bigint, b bigint, n_a bigint, n_b bigint, level int, words_a string, words_b string")
    return sized.drop("words_a", "words_b")


def _copies(threshold: float) -> Callable[[Batches], Batches]:
    """Pairs without those of short texts that differ by more than slips."""

    def copies(batches: Batches) -> Batches:
        for batch in batches:
            yield batch.filter(pa.array(differ_by_slips(batch.column("words_a"), batch.column("words_b"), threshold)))

    return copies


def _at_levels(sized: DataFrame, sets: DataFrame) -> DataFrame:
    """Sets at each level that they are compared at."""
    levels = sized.where("level > 0").select(F.explode(F.array("a", "b")).alias("place"), F.col("level").alias("finer"))
    further = sets.join(levels.distinct(), "place").where("finer > level").select(*_SCHEMA.names, "finer")
    return sets.unionByName(further.mapInArrow(_finer, _FIELDS)).select("place", "level", "part", "hashes")


def _with_set(halves: DataFrame, parts: DataFrame, side: str, sized: DataFrame) -> DataFrame:
    """Rows with the hashes of one side, too."""
    other = "b" if side == "a" else "a"
    blocks = F.ceil(F.count(F.lit(1)) / BLOCK).alias("n_blocks")
    heavy = F.broadcast(sized.groupBy(side).agg(blocks).where("n_blocks > 1"))
    block = F.coalesce(F.pmod(F.xxhash64(other), F.col("n_blocks")), F.lit(0).cast("bigint"))
    in_blocks = halves.join(heavy, side, "left").withColumn("block", block).drop("n_blocks")
    all_blocks = F.sequence(F.lit(0).cast("bigint"), F.coalesce("n_blocks", F.lit(1).cast("bigint")) - 1)
    copied = parts.withColumnRenamed("place", side).join(heavy, side, "left").withColumn("block", F.explode(all_blocks))
    copied = copied.select(side, "level", "part", "block", F.col("hashes").alias(f"hashes_{side}"))
    return in_blocks.join(copied, [side, "level", "part", "block"]).drop("block")


def _summed(halves: DataFrame) -> DataFrame:
    """Pairs with their resemblance, from the parts of both sets."""
    sets = halves.select("a", "b", "n_a", "n_b", "hashes_a", "hashes_b")
    common = sets.mapInArrow(_common, "a bigint, b bigint, n_a bigint, n_b bigint, n_common bigint")
    summed = common.groupBy("a", "b", "n_a", "n_b").agg(F.sum("n_common").alias("n_common"))
    return summed.select("a", "b", F.expr("n_common / (n_a + n_b - n_common)").alias("resemblance"))


def _common(batches: Batches) -> Batches:
    """How many hashes the two sets of each row have in common."""
    recipe = Recipe(min_score=None)
    for batch in batches:
        a, b = (batch.column(f"hashes_{side}") for side in ("a", "b"))
        sizes = np.diff(np.asarray(a.offsets))
        shares = pa.array(recipe.containment(a, b, threads=1)).to_numpy(zero_copy_only=False)
        # The share of nothing is null, and nothing is in common.
        common = np.rint(np.nan_to_num(shares.astype(np.float64)) * sizes).astype(np.int64)
        columns = [batch.column(name) for name in ("a", "b", "n_a", "n_b")]
        yield pa.RecordBatch.from_arrays([*columns, pa.array(common)], ["a", "b", "n_a", "n_b", "n_common"])
