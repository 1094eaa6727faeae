"""Texts on their way from Spark to Python, in bounded memory.

Spark hands rows to Python in batches of so many *records*, whatever their size: a thousand texts of 100 MB are one batch, which no
worker can hold, and beyond 2 GB not even Arrow can. So texts travel in pieces of at most `PIECE` bytes, one a row, and the
worker puts them together again. Nearly all texts are one piece, and are not copied.

Texts that are not valid UTF-8 are read with U+FFFD for what is not, as the command reads them; a null is read as an empty text.
"""

from __future__ import annotations

import logging
from collections.abc import Iterator
from contextlib import contextmanager

import numpy as np
import pyarrow as pa
from pyspark.errors import PySparkException
from pyspark.sql import Column, DataFrame, SparkSession
from pyspark.sql import functions as F

#: Bytes of a text in one row, at most.
PIECE = 1 << 16
#: Rows that Spark hands to Python at once: 64 MiB of texts at most.
RECORDS = 1 << 10

log = logging.getLogger("fanmill.spark")

_BATCH_SIZE = "spark.sql.execution.arrow.maxRecordsPerBatch"


#: Rows of a batch, by Spark's own default.
_USUAL_RECORDS = 10_000


@contextmanager
def small_batches(spark: SparkSession) -> Iterator[int]:
    """Limits the records of a batch for all that is run meanwhile. Yields the bytes of a text that may be in one.

    Where a session may not change this setting, as on serverless compute, pieces are smaller instead.
    """
    records, is_set = _USUAL_RECORDS, False
    try:
        records = int(spark.conf.get(_BATCH_SIZE) or records)
        spark.conf.set(_BATCH_SIZE, str(RECORDS))
        is_set = True
    except PySparkException as error:
        why = str(error).strip().partition("\n")[0]
        log.info("batches have %d records, as this session does not change %s: %s", records, _BATCH_SIZE, why)
    try:
        # A number that is not positive is no limit, and no piece is small enough for that.
        yield PIECE if is_set or records < 1 else min(PIECE, max(1, PIECE * RECORDS // records))
    finally:
        if is_set:
            spark.conf.set(_BATCH_SIZE, str(records))


def in_pieces(texts: DataFrame, text: str, columns: list[str], piece: int) -> DataFrame:
    """The columns, and the column `text` as ``content``, piece ``piece`` of ``n_pieces``; those of a text are in one partition, in order."""
    content = F.coalesce(F.col(text), F.lit(""))
    pieces = F.when(F.octet_length(content) <= piece, F.array(content.cast("binary"))).otherwise(_cut(content, piece))
    cut = texts.select(*columns, pieces.alias("pieces"))
    n_pieces = F.size("pieces").alias("n_pieces")
    return cut.select(*columns, n_pieces, F.posexplode("pieces").alias("piece", "content"))


def _cut(content: Column, piece: int) -> Column:
    # As the argument of a function the bytes are made once. As an expression they would be made for each piece, in time and garbage
    # that grow with the square of the text.
    def of(made: Column) -> Column:
        starts = F.sequence(F.lit(1), F.greatest(F.length(made), F.lit(1)), F.lit(piece))
        return F.transform(starts, lambda start: made.substr(start, F.lit(piece)))

    return F.flatten(F.transform(F.array(content.cast("binary")), of))


def whole(batches: Iterator[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
    """Puts pieces together: batches with a text in each row, as strings, in the column ``content``."""
    held: list[bytes] = []
    for batch in batches:
        n_pieces = np.asarray(batch.column("n_pieces"))
        start = 0
        for at in np.flatnonzero(n_pieces > 1).tolist():
            if start < at:
                yield _with_texts(batch.slice(start, at - start))
            held.append(batch.column("content")[at].as_py())
            if len(held) == n_pieces[at]:
                content = pa.array([b"".join(held)], pa.binary())
                held = []
                yield _with_texts(_replaced(batch.slice(at, 1), content))
            start = at + 1
        if start < batch.num_rows:
            yield _with_texts(batch.slice(start))


def _with_texts(batch: pa.RecordBatch) -> pa.RecordBatch:
    return _replaced(batch, valid(batch.column("content")))


def valid(content: pa.Array) -> pa.Array:
    """Bytes as strings, with U+FFFD for what is not valid UTF-8."""
    content = content.cast(pa.binary())
    try:
        return content.cast(pa.string())
    except pa.ArrowInvalid:
        texts = (None if each is None else each.decode("utf-8", "replace") for each in content.to_pylist())
        return pa.array(list(texts), pa.string())


def _replaced(batch: pa.RecordBatch, content: pa.Array) -> pa.RecordBatch:
    names = batch.schema.names
    columns = [content if name == "content" else batch.column(name) for name in names]
    return pa.RecordBatch.from_arrays(columns, names=names)
