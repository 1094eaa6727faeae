"""From a data frame of documents to those that go, step by step."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Optional

from pyspark.sql import DataFrame
from pyspark.sql import functions as F

from . import _candidates, _clusters, _documents, _sets, _workers
from ._addresses import Addresses
from ._checkpoint import Checkpoint
from ._documents import OWN, texts_of
from ._edges import edges
from ._missing import in_a_sentence
from ._settings import FirstBy, Path, Settings, addresses_of, check_addresses, check_columns, rank, unusable
from ._texts import small_batches


def dedup(
    df: DataFrame,
    id: str = "id",
    text: str = "text",
    min_score: float = 0.8,
    keep: str = "first",
    against: Optional[DataFrame] = None,
    *,
    checkpoint: str,
    shingle: int = 5,
    weighted: bool = False,
    cluster: str = "centres",
    sketch: str = "fss(t=128)",
    recall: float = 0.998,
    only_against: bool = False,
    exact_spelling: bool = False,
    words: str = "prose",
    short_texts: str = "slips",
    first_by: Optional[FirstBy] = None,
    url_field: str = "url",
    url_rules: Optional[Path] = None,
) -> DataFrame:
    """Finds the documents that are near-duplicates of others: one row for each that goes, with the one that stays instead.

    Returns a data frame of ``id``, ``duplicate_of`` (an id, too) and ``resemblance`` (Jaccard, exact); with `against` also
    ``in_against``: whether ``duplicate_of`` is an id of `against`; with `first_by` also ``by_address``: whether it goes because another one
    with its address is preferred. Where two texts were not compared for that, ``resemblance`` is null. What stays is the rest:

        >>> gone = fanmill.spark.dedup(df, id="url", checkpoint="hdfs:///dedup-1")
        >>> kept = df.join(gone, df.url == gone.id, "left_anti")

    The answer is that of ``fanmill dedup`` for the same documents in the order of their ids, at any number of workers and
    partitions. All work is done when this returns.

    Arguments:
        df: Documents, one a row. It is read twice or three times, and must be the same each time: read it from files.
        id: The column that has the name of each document: different strings, or whole numbers.
        text: The column that has the texts: strings, or lists of strings, which are joined as in the command, such as
            ``messages.content`` of conversations. A null is a text without words, which stays.
        min_score: Minimum resemblance of duplicates, above 0 and below 1.
        keep: Which document of a group stays: ``first`` (lowest id: numbers by value, strings by bytes), ``longest`` (most bytes),
            ``newest:FIELD`` or ``oldest:FIELD`` (dates and times), ``highest:FIELD`` or ``lowest:FIELD`` (numbers),
            ``source:FIELD=A,B,…``; of equals, the first.
        against: Documents that are only compared with, in columns of the same names: a document that resembles one of these goes.
        checkpoint: A folder that all workers can write to, on any file system that Spark knows. A call with a folder of an
            earlier one that was killed goes on where that stopped; a folder of other settings or documents is refused. It may be
            removed when the result has been used.
        shingle: Words in a shingle.
        weighted: Whether a shingle counts as often as it occurs.
        cluster: ``centres``, or ``components`` for all that is linked by any chain.
        sketch: The sketch that finds candidates: ``fss(t=…)``, ``perm(t=…)`` or ``lead(t=…)``; see `fanmill.Recipe`.
        recall: Minimum share of the pairs exactly at `min_score` that is found.
        only_against: Whether documents are compared with `against` alone, and not with each other.
        exact_spelling: Whether words are compared as they are spelled, accents, widths and ways to write a letter included.
        words: The words that texts consist of: of ``prose``, or with all signs, as they are written, of ``code`` or ``maths``.
        short_texts: The way texts of fewer than six shingles' words (30), or twenty shingles' letters (100), are compared: ``slips`` (word by
            word: at most one word in ten differs by a slip, or is appended), or ``shingles``, as longer ones are.
        first_by: ``url`` to take documents of one address for one document before texts are compared: the one that `keep` prefers is
            compared, and the others go for it, whatever their texts. Addresses count as the same by the rules of ``fanmill urls``. None to
            compare texts alone.
        url_field: The column that has the addresses: strings. A null, and what is not an address of the web, is in no such group.
        url_rules: The file ``rules.jsonl`` of ``fanmill urls``, on the driver: addresses that its rules make equal are the same, too.

    Raises ValueError if arguments contradict each other, ids are not different, the folder was made for something else, or Spark lacks
    what reads the data or writes the folder.

    Source: Broder, Glassman, Manasse & Zweig, "Syntactic clustering of the Web", 1997; Ailon, Charikar & Newman, "Aggregating
    inconsistent information", 2008; for the steps on a cluster, the modules of this package.
    """
    recipe = {
        "recall": recall,
        "shingle": shingle,
        "weighted": weighted,
        "sketch": sketch,
        "exact_spelling": exact_spelling,
        "words": words,
        "short_texts": short_texts,
    }
    settings = Settings.of(
        threshold=min_score,
        keep=keep,
        cluster=cluster,
        only_against=only_against,
        has_reference=against is not None,
        recipe=recipe,
        addresses=addresses_of(first_by, url_field, url_rules),
    )
    with in_a_sentence():
        texts = _texts(df, against, id, text, keep, settings.addresses)
        spark = df.sparkSession
        with small_batches(spark) as piece:
            _workers.check(spark)
            run = Checkpoint(spark, checkpoint, settings.described())
            return _Dedup(run, settings, texts, piece, against is not None).duplicates()


def _texts(
    df: DataFrame, against: Optional[DataFrame], id: str, text: str, keep: str, addresses: Optional[Addresses]
) -> DataFrame:
    """All documents, and whether each is of the reference."""
    of_ids = check_columns(df, id, text, "the data")
    address = None
    if addresses is not None:
        check_addresses(df, addresses.field)
        address = F.col(addresses.field)
    texts = texts_of(df, id, text, rank(df, keep), is_reference=False, address=address)
    if against is None:
        return texts
    of_others = check_columns(against, id, text, "`against`")
    if of_ids != of_others:
        raise unusable(
            f"ids are {of_ids.simpleString()} in the data and {of_others.simpleString()} in `against`; cast one of them"
        )
    none = None if addresses is None else F.lit(None).cast("string")
    return texts.unionByName(texts_of(against, id, text, None, is_reference=True, address=none))


@dataclass(frozen=True)
class _Dedup:
    """A run."""

    run: Checkpoint
    settings: Settings
    texts: DataFrame
    #: Bytes of a text that travel together.
    piece: int
    has_reference: bool

    def duplicates(self) -> DataFrame:
        run, settings = self.run, self.settings
        by_length = settings.keep == "longest"
        made = _documents.documents(
            run, self.texts, self.piece, settings.recipe, settings.threshold, by_length, settings.addresses
        )
        placed = _documents.places(run, made)
        by_address = None if settings.addresses is None else _documents.same_address(run, placed)
        # Documents that go by their address are not compared.
        compared = placed if by_address is None else placed.join(by_address.select("place"), "place", "left_anti")
        copies = _documents.copies(run, compared)
        key = _documents.secret(run, placed)
        rows = _candidates.members(run, compared, copies)
        pairs, has_large = _candidates.candidates(run, rows, self.has_reference, settings.only_against)
        sets = _sets.sets(run, pairs, placed, self.texts, self.piece, settings.recipe, key)
        found = edges(run, pairs, sets, settings.threshold, settings.components or not has_large)
        gone = run.step("gone", lambda: self._gone(found, sets))
        return run.step("duplicates", lambda: self._named(gone, copies, by_address, placed))

    def _gone(self, found: DataFrame, sets: DataFrame) -> DataFrame:
        """Texts that go: place, centre, resemblance."""
        if not self.settings.components:
            return _clusters.around_centres(self.run, found)
        linked = _clusters.components(self.run, found)
        pairs = linked.select(F.col("centre").alias("a"), F.col("place").alias("b"))
        compared = _sets.compared(self.run, "linked", pairs, sets, 0)
        return compared.select(F.col("b").alias("place"), F.col("a").alias("centre"), "resemblance")

    def _named(self, gone: DataFrame, copies: DataFrame, by_address: Optional[DataFrame], placed: DataFrame) -> DataFrame:
        """Documents that go, copies and those that go by their address included, by their ids."""
        of_copies = copies.join(gone.withColumnRenamed("place", "first"), "first", "left").select(
            "place", F.coalesce("centre", "first").alias("centre"), F.coalesce("resemblance", F.lit(1.0)).alias("resemblance")
        )
        rows = gone.unionByName(of_copies).where(F.col("place") >= OWN).withColumn("by_address", F.lit(False))
        if by_address is not None:
            # They go for what stays of the text of the document that is preferred to them.
            of_first = rows.select(F.col("place").alias("first"), "centre", "resemblance")
            joined = by_address.join(of_first, "first", "left")
            alike = F.when(F.col("has_same_text"), F.coalesce("resemblance", F.lit(1.0)))
            centre = F.coalesce("centre", "first").alias("centre")
            others = joined.select("place", centre, alike.alias("resemblance"), F.lit(True).alias("by_address"))
            rows = rows.unionByName(others)
        if self.settings.only_against:
            rows = rows.where(F.col("centre") < OWN)
        ids = placed.select("place", "id")
        of_centres = placed.select(F.col("place").alias("centre"), F.col("id").alias("duplicate_of"))
        columns = ["id", "duplicate_of", "resemblance"]
        if self.has_reference:
            columns.append("in_against")
        if by_address is not None:
            columns.append("by_address")
        named = rows.join(ids, "place").join(of_centres, "centre").withColumn("in_against", F.col("centre") < OWN)
        return named.select(*columns)
