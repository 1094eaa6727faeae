"""Repeated runs of words on a cluster: the answer of ``fanmill dedup --unit run``, by windows of words that are shuffled by their hashes.

Documents have places in the order that the caller names. Each makes a row for each of its windows, under a key that is drawn for the run.
A window goes if an equal one begins earlier and does not overlap it: of each hash the earliest window is found, by partial minima on
the way, and all others of that hash are joined with it. What goes is put together for each document, in its order, and cut; what a cut
joins is looked at again, until nothing goes. Windows that were compared before need no other comparison, so a later round moves only
windows that are equal to one across a new join.

No document meets the driver, and no hash needs one task: minima are made where the rows are, a join has one row a hash on one side, and
a hash of very many rows is joined by sending that one row to all workers. A document is put together by one task, as it is cut by one.

Cost: a shuffle of 32 bytes for each word, and as much on disk; in later rounds, the windows are made again and a few are moved.
Source: `runs` of `fanmill-corpus`, whose operators do the work on texts.
"""

from __future__ import annotations

import secrets
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any, Callable, Optional

import numpy as np
import pyarrow as pa
from pyspark.sql import DataFrame
from pyspark.sql import functions as F

from .. import _native
from .._arguments import given
from . import _workers
from ._checkpoint import Checkpoint
from ._documents import look_at_names, refuse_others, texts_of
from ._missing import in_a_sentence
from ._settings import check_columns
from ._texts import in_pieces, small_batches, whole

#: The last round there may be, as on one machine: what is cut in it goes as a whole.
MOST_ROUNDS = 32
#: Windows of one hash from which on the earliest is sent to all workers.
HEAVY = 1 << 20

_WINDOW = "place bigint, hash bigint, more bigint, begin bigint, end bigint"
_RANGES = pa.list_(pa.int64())

Batches = Iterator[pa.RecordBatch]


def dedup_runs(
    df: DataFrame,
    id: str = "id",
    text: str = "text",
    min_words: Optional[int] = None,
    *,
    order: Optional[str] = None,
    checkpoint: str,
    min_bytes: Optional[int] = None,
    cut: str = "word",
    min_rest: int = 1,
) -> DataFrame:
    """Finds the runs of words that occur earlier, in another document or in the same one: one row for each document that is cut.

    Returns a data frame of ``id``, ``text`` (what is left; null if the document goes) and ``words_left``. All others stay as they are:

        >>> cut = fanmill.spark.dedup_runs(df, id="url", order="crawled", checkpoint="hdfs:///runs-1")
        >>> others = df.join(cut, df.url == cut.id, "left_anti").select("url", "text")
        >>> others.unionByName(cut.where("text is not null").select(cut.id.alias("url"), "text"))

    The answer is that of ``fanmill dedup --unit run`` for the same documents in this order, at any number of workers and partitions. All
    work is done when this returns.

    Arguments:
        df: Documents, one a row. It is read once, and a second time if `checkpoint` has an earlier call.
        id: The column that has the name of each document: different strings, or whole numbers.
        text: The column that has the texts: strings, or lists of strings, which are joined as in the command. A null has no words.
        min_words: Minimum length of a run, in words; 50 if None.
        order: The column by which documents are ordered, ascending and nulls last; of equals, and if None, by id. A run stays where it comes
            first.
        checkpoint: A folder that all workers can write to, as for `dedup`. It gets a copy of the texts.
        min_bytes: Instead of `min_words`: the same in bytes of words, with one blank between two.
        cut: ``word``, or ``sentence``: of each run only whole sentences go.
        min_rest: Minimum number of words that must be left of a document that was cut; of fewer, the document goes.

    Raises ValueError if arguments contradict each other, ids are not different, the folder was made for something else, or Spark lacks
    what reads the data or writes the folder.
    """
    settings = given(unit="run", min_words=min_words, min_bytes=min_bytes, cut=cut, min_rest=min_rest)
    # Refused here, and not by the workers.
    _native.RunOperator(settings, bytes(32))
    with in_a_sentence():
        texts = _texts(df, id, text, order)
        spark = df.sparkSession
        with small_batches(spark) as piece:
            _workers.check(spark)
            run = Checkpoint(spark, checkpoint, {"runs": settings, "order": order})
            key = bytes.fromhex(run.value("key", lambda: secrets.token_hex(32)))
            return _Runs(run, texts, piece, settings, key, by_words=min_bytes is None, by_sentence=cut == "sentence").rest()


def _texts(df: DataFrame, id: str, text: str, order: Optional[str]) -> DataFrame:
    """Documents as the first step reads them: id, is_reference, rank, text."""
    check_columns(df, id, text, "the data")
    return texts_of(df, id, text, F.lit(None).cast("int") if order is None else F.col(order), is_reference=False)


@dataclass(frozen=True)
class _Runs:
    """A run."""

    run: Checkpoint
    texts: DataFrame
    #: Bytes of a text that travel together.
    piece: int
    settings: str
    key: bytes
    by_words: bool
    by_sentence: bool

    def rest(self) -> DataFrame:
        """The rest of documents that are cut."""
        ordered = self._ordered()
        cuts: Optional[DataFrame] = None
        for number in range(1, MOST_ROUNDS + 1):
            going, n_going = self._going(number, ordered, cuts)
            if not n_going:
                break
            now = self._cut(number, ordered, cuts, going)
            n_cut = self.run.value(f"n_cut_{number}", now.where("not cuts <=> before").count)
            if not n_cut:
                break
            cuts = now
        return self._named(ordered, cuts)

    def _ordered(self) -> DataFrame:
        """The documents with their places: place, id, text."""

        checked = self.texts.withColumn("check", F.xxhash64("id", "rank", "text"))

        def make() -> DataFrame:
            order = [F.col("rank").asc_nulls_last(), F.col("id").asc()]
            # Ascending in a partition and from one to the next.
            rows = checked.repartitionByRange(*order).sortWithinPartitions(*order)
            return rows.select(F.monotonically_increasing_id().alias("place"), "id", "is_reference", "check", "text")

        made, notes, is_new = self.run.noted("ordered", make, look_at_names)
        if not is_new:
            refuse_others(self.run, checked, notes)
        return made

    def _pieces(self, ordered: DataFrame, joined: Optional[DataFrame], how: str, lists: list[str]) -> DataFrame:
        """Documents in pieces, with lists of ranges beside the last piece of each."""
        rows = ordered.select("place", "text")
        if joined is not None:
            rows = rows.join(joined.select("place", *lists), "place", how)
        else:
            rows = rows.select("place", "text", *(F.lit(None).cast("array<bigint>").alias(name) for name in lists))
        cut = in_pieces(rows, "text", ["place", *lists], self.piece)
        is_last = F.col("piece") == F.col("n_pieces") - 1
        return cut.select("place", "n_pieces", "piece", "content", *(F.when(is_last, F.col(name)).alias(name) for name in lists))

    def _windows(self, ordered: DataFrame, cuts: Optional[DataFrame], only_joined: bool = False) -> DataFrame:
        """Windows of what is left of all documents; or those across joins of the last round."""
        lists = ["cuts", "before"] if only_joined else ["cuts"]
        pieces = self._pieces(ordered, cuts, "inner" if only_joined else "left", lists)
        return pieces.mapInArrow(_windows_of(self.settings, self.key), _WINDOW)

    def _going(self, number: int, ordered: DataFrame, cuts: Optional[DataFrame]) -> tuple[DataFrame, int]:
        """Parts of documents that go in a round, and how many documents these are of: place, going."""
        run = self.run
        if cuts is not None and self.by_words:
            changed = cuts.where("not cuts <=> before")
            hashes = run.step(f"joined_{number}", lambda: self._windows(ordered, changed, True).select("hash", "more").distinct())
            some = run.step(
                f"equal_{number}", lambda: self._windows(ordered, cuts).join(hashes, ["hash", "more"], "left_semi")
            )
            going, n_going = self._found(f"{number}", some)
            # Windows whose run had no whole sentence may go together with others now.
            if not n_going or not self.by_sentence:
                return going, n_going
        every = run.step(f"windows_{number}", lambda: self._windows(ordered, cuts))
        return self._found(f"{number}_all", every)

    def _found(self, name: str, windows: DataFrame) -> tuple[DataFrame, int]:
        run, keys = self.run, ["hash", "more"]

        def make_firsts() -> DataFrame:
            own = F.struct("place", "begin", "end")
            firsts = windows.groupBy(*keys).agg(F.min(own).alias("first"), F.count(F.lit(1)).alias("n"))
            return firsts.where("n > 1")

        firsts, notes, _ = run.noted(
            f"firsts_{name}", make_firsts, lambda made: {"n_heavy": made.where(F.col("n") >= HEAVY).count()}
        )

        def make() -> DataFrame:
            rows, light = windows, firsts
            if notes["n_heavy"]:
                heavy = firsts.where(F.col("n") >= HEAVY)
                light = firsts.where(F.col("n") < HEAVY)
                rows = windows.join(F.broadcast(heavy.select(*keys)), keys, "left_anti")
                of_heavy = windows.join(F.broadcast(heavy), keys)
            both = rows.join(light, keys)
            both = both.unionByName(of_heavy) if notes["n_heavy"] else both
            # The earliest window itself overlaps itself.
            goes = both.where("not (place = first.place and begin < first.end)").select("place", "begin", "end")
            in_order = goes.repartition("place").sortWithinPartitions("place", "begin", "end")
            return in_order.mapInArrow(together, "place bigint, going array<bigint>")

        going = run.step(f"going_{name}", make)
        return going, run.value(f"n_going_{name}", going.count)

    def _cut(self, number: int, ordered: DataFrame, cuts: Optional[DataFrame], going: DataFrame) -> DataFrame:
        """All documents that are cut by now: place, cuts, and the cuts before this round."""

        def make() -> DataFrame:
            known = going.withColumn("cuts", F.lit(None).cast("array<bigint>")) if cuts is None else going.join(
                cuts.select("place", "cuts"), "place", "left"
            )
            pieces = self._pieces(ordered, known, "inner", ["cuts", "going"])
            fields = "place bigint, cuts array<bigint>, before array<bigint>"
            now = pieces.mapInArrow(_cut_by(self.settings, self.key, number == MOST_ROUNDS), fields)
            if cuts is None:
                return now
            others = cuts.join(going.select("place"), "place", "left_anti")
            return now.unionByName(others.select("place", "cuts", F.col("cuts").alias("before")))

        return self.run.step(f"cuts_{number}", make)

    def _named(self, ordered: DataFrame, cuts: Optional[DataFrame]) -> DataFrame:
        def make() -> DataFrame:
            none = ordered.select("place", F.lit(None).cast("array<bigint>").alias("cuts")).limit(0)
            own = none if cuts is None else cuts.where(F.size("cuts") > 0)
            pieces = self._pieces(ordered, own, "inner", ["cuts"])
            left = pieces.mapInArrow(_rest_of(self.settings, self.key), "place bigint, text string, words_left bigint")
            return ordered.select("place", "id").join(left, "place").select("id", "text", "words_left")

        return self.run.step("rest", make)


def _ranges(batch: pa.RecordBatch, name: str) -> pa.Array:
    return batch.column(name).cast(_RANGES)


def _windows_of(settings: str, key: bytes) -> Callable[[Batches], Batches]:
    def make(batches: Batches) -> Batches:
        operator = _native.RunOperator(settings, key)
        for batch in whole(batches):
            # Text by text, as the windows of one take many times its bytes.
            for row in range(batch.num_rows):
                own = batch.slice(row, 1)
                before = _ranges(own, "before") if "before" in batch.schema.names else None
                windows = pa.array(operator.windows(own.column("content"), _ranges(own, "cuts"), before))
                values = windows.values.to_numpy().reshape(-1, 4)
                places = np.full(len(values), own.column("place")[0].as_py(), np.int64)
                columns = [places, *(np.ascontiguousarray(values[:, i]) for i in range(4))]
                for start in range(0, len(values), 1 << 16):
                    part = [pa.array(column[start : start + (1 << 16)]) for column in columns]
                    yield pa.RecordBatch.from_arrays(part, ["place", "hash", "more", "begin", "end"])

    return make


def together(batches: Batches) -> Batches:
    """Windows in order, put together where they overlap or touch: a list of begins and ends for each document."""
    place: Optional[int] = None
    held: list[int] = []
    for batch in batches:
        made: list[tuple[int, list[int]]] = []
        for own, begin, end in zip(*(batch.column(name).to_pylist() for name in ("place", "begin", "end"))):
            if own != place:
                if place is not None:
                    made.append((place, held))
                place, held = own, [begin, end]
            elif begin <= held[-1]:
                held[-1] = max(held[-1], end)
            else:
                held += [begin, end]
        if made:
            yield _with_lists(made)
    if place is not None:
        yield _with_lists([(place, held)])


def _with_lists(made: list[tuple[int, list[int]]]) -> pa.RecordBatch:
    places, lists = zip(*made)
    return pa.RecordBatch.from_arrays([pa.array(places, pa.int64()), pa.array(lists, _RANGES)], ["place", "going"])


def _cut_by(settings: str, key: bytes, is_last: bool) -> Callable[[Batches], Batches]:
    def make(batches: Batches) -> Batches:
        operator = _native.RunOperator(settings, key)
        for batch in whole(batches):
            texts, before = batch.column("content"), _ranges(batch, "cuts")
            cuts = pa.array(operator.cut(texts, before, _ranges(batch, "going")))
            if is_last:
                all_words = pa.array(operator.whole(texts, before))
                lists = zip(before.to_pylist(), cuts.to_pylist(), all_words.to_pylist())
                cuts = pa.array([now if now == (was or []) else every for was, now, every in lists], _RANGES)
            # No cuts are an empty list from here on, so that lists can be compared.
            was = pa.array([own or [] for own in before.to_pylist()], _RANGES)
            yield pa.RecordBatch.from_arrays([batch.column("place"), cuts.cast(_RANGES), was], ["place", "cuts", "before"])

    return make


def _rest_of(settings: str, key: bytes) -> Callable[[Batches], Batches]:
    def make(batches: Batches) -> Batches:
        operator = _native.RunOperator(settings, key)
        for batch in whole(batches):
            rest = pa.table(operator.rest(batch.column("content"), _ranges(batch, "cuts")))
            columns = [batch.column("place"), rest["text"].combine_chunks().cast(pa.string()), rest["words_left"].combine_chunks()]
            yield pa.RecordBatch.from_arrays(columns, ["place", "text", "words_left"])

    return make
