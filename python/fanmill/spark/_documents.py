"""Documents: what is made of each text, and in which order they are preferred.

From here on a document is known by its *place*, an int64 that ascends in the order of preference; documents of the reference come
first. Places are made by sorting all documents, so the order is the same at any number of workers and partitions, and whatever the
order of files: the *first* document is the one with the lowest id, numbers by value and strings by their bytes in UTF-8.

Of equal texts only the most preferred one is compared with the rest. Texts without a byte are no copies of each other. If addresses
count, only the most preferred document of each is compared at all.

Cost: one reading of all texts; shuffles of about 350 bytes a document for places, and of 40 for copies.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterator
from typing import Any, Callable, Optional

import numpy as np
import pyarrow as pa
from pyspark.sql import Column, DataFrame
from pyspark.sql import functions as F
from pyspark.sql import types as T

from .._native import AddressRules, Recipe, buckets
from ._addresses import Addresses
from ._checkpoint import Checkpoint
from ._settings import unusable
from ._texts import in_pieces, valid, whole

#: Places of documents that are not of the reference begin here.
OWN = 1 << 62
#: Orders within a bucket are 32 bits without a sign, and Spark has only int32.
_SIGN = 1 << 31

Batches = Iterator[pa.RecordBatch]


def digest(text: bytes) -> bytes:
    """The hash of a text. It is collision-resistant: BLAKE2b."""
    return hashlib.blake2b(text, digest_size=32).digest()


def texts_of(
    df: DataFrame, id: str, text: str, rank: Optional[Column], is_reference: bool, address: Optional[Column] = None
) -> DataFrame:
    """Documents as all steps read them: id, is_reference, rank, text, and their addresses if these count."""
    no_rank = F.lit(None).cast("double")
    own = F.col(text)
    if isinstance(df.select(own.alias("text")).schema[0].dataType, T.ArrayType):
        # As the command joins the strings of a list: no shingle crosses the separator. Without a condition, a null would be an empty text.
        own = F.when(own.isNotNull(), F.concat_ws("\n\u001e\n", own))
    return df.select(
        F.col(id).alias("id"),
        F.lit(is_reference).alias("is_reference"),
        (no_rank if rank is None else rank).alias("rank"),
        own.alias("text"),
        *([] if address is None else [address.alias("address")]),
    )


def documents(
    run: Checkpoint,
    texts: DataFrame,
    piece: int,
    recipe: Recipe,
    threshold: float,
    by_length: bool,
    addresses: Optional[Addresses],
) -> DataFrame:
    """Each document: id, is_reference, rank, digest, the hash of its address if that counts, and its buckets with its orders there.

    If an earlier call has made them, they are of the same texts, or the call is refused.
    """
    by_address = [] if addresses is None else ["address"]
    checked = texts.withColumn("check", F.xxhash64("id", "is_reference", "rank", "text", *by_address))
    kept = ["id", "is_reference", "rank", "check"]
    fields = ", ".join(f"{name} {checked.schema[name].dataType.simpleString()}" for name in kept)

    def make() -> DataFrame:
        schema = f"{fields}, digest binary, buckets array<bigint>, orders array<int>"
        if addresses is not None:
            schema += ", address binary"
        sketched = _sketched(recipe.scheme, threshold, by_length, addresses)
        return in_pieces(checked, "text", kept + by_address, piece).mapInArrow(sketched, schema)

    made, notes, is_new = run.noted("documents", make, look_at_names)
    if not is_new:
        refuse_others(run, checked, notes)
    return made


def refuse_others(run: Checkpoint, checked: DataFrame, notes: dict[str, Any]) -> None:
    """Refuses documents that are not those of an earlier call."""
    now = checked_sum(checked)
    if now != notes:
        raise unusable(
            f"the checkpoint `{run.folder}` was made from other documents than these: {notes['n']} then, and"
            f" {now['n']} now, with another sum of hashes; give another folder, or remove that one"
        )


def _sketched(
    scheme: str, threshold: float, by_length: bool, addresses: Optional[Addresses]
) -> Callable[[Batches], Batches]:
    def make(batches: Batches) -> Batches:
        recipe = Recipe.of_scheme(scheme)
        rules = None if addresses is None else AddressRules(addresses.rules)
        for batch in whole(batches):
            texts = batch.column("content")
            encoded = [text.as_buffer() for text in texts]
            rank = batch.column("rank")
            if by_length:
                lengths = np.array([-text.size for text in encoded], np.float64)
                rank = pa.array(np.where(np.asarray(batch.column("is_reference")), 0, lengths))
            digests = pa.array([digest(text) for text in encoded], pa.binary())
            made = [rank, batch.column("check"), digests, *_lists(buckets(recipe, texts, threshold=threshold, threads=1))]
            names = ["id", "is_reference", "rank", "check", "digest", "buckets", "orders"]
            if rules is not None:
                made.append(_hashed(rules.canonical(valid(batch.column("address")))))
                names.append("address")
            yield pa.RecordBatch.from_arrays([batch.column("id"), batch.column("is_reference"), *made], names)

    return make


def _hashed(addresses: Any) -> pa.Array:
    hashes = [None if address is None else digest(address.encode()) for address in pa.array(addresses).to_pylist()]
    return pa.array(hashes, pa.binary())


def _lists(column: Any) -> list[pa.Array]:
    """Buckets and orders of documents as lists, empty for documents without words."""
    rows = pa.array(column)
    offsets = pa.array(np.asarray(rows.offsets) // 2)
    values = rows.values.to_numpy().reshape(-1, 2)
    orders = (values[:, 1] - _SIGN).astype(np.int32)
    return [pa.ListArray.from_arrays(offsets, pa.array(each)) for each in (values[:, 0], orders)]


def checked_sum(checked: DataFrame) -> dict[str, Any]:
    """What tells documents from others: their number, and a hash of all of them in any order."""
    row = checked.agg(F.count(F.lit(1)).alias("n"), F.expr("bit_xor(check)").alias("check")).first()
    return {"n": row["n"], "check": row["check"]} if row else {}


def look_at_names(made: DataFrame) -> dict[str, Any]:
    """Refuses ids that do not name one document each."""
    n_nulls = made.where(F.col("id").isNull()).count()
    if n_nulls:
        raise unusable(f"{n_nulls} documents have no id; give each its own")
    twice = made.groupBy("is_reference", "id").count().where("count > 1").orderBy("is_reference", "id").head(3)
    if twice:
        names = ", ".join(f"`{row['id']}` ({row['count']} times)" for row in twice)
        raise unusable(f"ids are not different: {names}; give each document its own")
    return checked_sum(made)


def places(run: Checkpoint, made: DataFrame) -> DataFrame:
    """The documents with their places."""

    def make() -> DataFrame:
        order = [F.col("is_reference").desc(), F.col("rank").asc_nulls_last(), F.col("id").asc()]
        ordered = made.repartitionByRange(*order).sortWithinPartitions(*order)
        # Ascending in a partition and from one to the next.
        place = F.monotonically_increasing_id() + F.when(F.col("is_reference"), 0).otherwise(OWN)
        addresses = ["address"] if "address" in ordered.columns else []
        return ordered.select(place.alias("place"), "id", "is_reference", "digest", "buckets", "orders", *addresses)

    return run.step("places", make)


def same_address(run: Checkpoint, placed: DataFrame) -> DataFrame:
    """Documents that go for a more preferred one with their address: place, its place as ``first``, and whether both have one text."""

    def make() -> DataFrame:
        own = placed.select("place", "digest", "address").where(F.col("address").isNotNull())
        if not own.head(1) and placed.where(F.col("place") >= OWN).head(1):
            raise unusable("no document has an address of the web; name its column with `url_field`, or leave out `first_by`")
        firsts = own.groupBy("address").agg(
            F.min_by("digest", "place").alias("of_first"), F.min("place").alias("first"), F.count(F.lit(1)).alias("n")
        )
        others = own.join(firsts.where("n > 1"), "address").where("place <> first")
        return others.select("place", "first", (F.col("digest") == F.col("of_first")).alias("has_same_text"))

    return run.step("addresses", make)


def copies(run: Checkpoint, placed: DataFrame) -> DataFrame:
    """Documents whose text a more preferred one has, too: place, and the first place of that text."""

    def make() -> DataFrame:
        texts = placed.select("place", "digest").where(F.col("digest") != F.lit(digest(b"")))
        shared = texts.groupBy("digest").agg(F.min("place").alias("first"), F.count(F.lit(1)).alias("n"))
        return texts.join(shared.where("n > 1"), "digest").where("place <> first").select("place", "first")

    return run.step("copies", make)


def secret(run: Checkpoint, placed: DataFrame) -> bytes:
    """The key under which words are compared: 32 bytes that nobody knows before the last text is written.

    Someone who knows how words are hashed can make different ones count as equal, and have other people's texts removed. So the key
    comes from the digests of all texts; neither their order nor the number of copies makes a difference, since those of one text would
    all be in one list.
    """

    def make() -> str:
        hexed = F.sort_array(F.collect_set(F.hex("digest")))
        groups = placed.groupBy(F.substring("digest", 1, 2).alias("group")).agg(
            F.sha2(F.array_join(hexed, ""), 256).alias("hash")
        )
        hashes = sorted(row["hash"] for row in groups.select("hash").collect())
        return hashlib.blake2b("".join(hashes).encode(), digest_size=32, person=b"fanmill.spark").hexdigest()

    return bytes.fromhex(run.value("secret", make))
