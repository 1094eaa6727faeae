"""Missing parts of a cluster end in a sentence."""

from __future__ import annotations

import random
from pathlib import Path
from typing import Any

import pytest
from fanmill.spark import dedup
from fanmill.spark._missing import said
from samples import prose

#: As Spark 3.5 and 4 say it, without and with Spark Connect; traces are shortened.
TRACE = "\n\tat org.apache.hadoop.fs.FileSystem.get(FileSystem.java:540)\n"
PY4J = "An error occurred while calling o28.text.\n: "


@pytest.mark.parametrize(
    ("text", "names", "helps"),
    [
        (
            f"{PY4J}java.lang.RuntimeException: java.lang.ClassNotFoundException: Class org.apache.hadoop.fs.s3a.S3AFileSystem not found{TRACE}",
            "class `org.apache.hadoop.fs.s3a.S3AFileSystem`",
            "`org.apache.hadoop:hadoop-aws:VERSION`",
        ),
        (
            f'{PY4J}org.apache.hadoop.fs.UnsupportedFileSystemException: No FileSystem for scheme "s3"{TRACE}',
            "begin with `s3://`",
            "write `s3a://`",
        ),
        (
            '(org.apache.hadoop.fs.UnsupportedFileSystemException) No FileSystem for scheme "gs"\n\nJVM stacktrace:' + TRACE,
            "begin with `gs://`",
            "gcs-connector",
        ),
        ('No FileSystem for scheme "abfss"', "begin with `abfss://`", "hadoop-azure"),
        ("No FileSystem for scheme: oss", "begin with `oss://`", "its connector to `spark.jars.packages`"),
        (
            "(org.apache.spark.SparkClassNotFoundException) [DATA_SOURCE_NOT_FOUND] Failed to find the data source: delta. Make sure the"
            " provider name is correct SQLSTATE: 42K02\n\nJVM stacktrace:" + TRACE,
            "source of data `delta`;",
            "io.delta:delta-spark",
        ),
        (
            f"{PY4J}org.apache.spark.SparkClassNotFoundException: [DATA_SOURCE_NOT_FOUND] Failed to find the data source: com.x.y. Please{TRACE}",
            "source of data `com.x.y`;",
            "look at its spelling",
        ),
        ("Failed to find data source: avro. Avro is built-in but external", "source of data `avro`;", "spark-avro"),
        (f"{PY4J}java.sql.SQLException: No suitable driver{TRACE}", "driver", "to `spark.jars` before"),
        ("Caused by: java.lang.NoClassDefFoundError: com/amazonaws/AmazonClientException", "class `com.amazonaws.AmazonClientException`", "package that has it"),
        ("[PATH_NOT_FOUND] Path does not exist: file:/a b/nope. SQLSTATE: 42K03\n\nJVM stacktrace:", "nothing at `file:/a b/nope`", "all workers"),
        ("[PATH_NOT_FOUND] Path does not exist: file:/nope.", "nothing at `file:/nope` ", "spelling"),
        ("[TABLE_OR_VIEW_NOT_FOUND] The table or view `a`.`b` cannot be found. Verify", "table or view `a.b`", "catalog"),
    ],
)
def test_what_is_missing_is_named_with_the_way_out(text: str, names: str, helps: str) -> None:
    sentence = said(text)
    assert sentence is not None and names in sentence and helps in sentence, sentence
    assert "\n" not in sentence and "\tat" not in sentence and not sentence.endswith(".")


def test_other_errors_are_left_alone() -> None:
    assert said("[DIVIDE_BY_ZERO] Division by zero.") is None
    assert said("") is None


@pytest.mark.parametrize(
    ("folder", "text"),
    [
        ("s3a://bucket/run", "hadoop-aws:VERSION"),
        ("s3://bucket/run", "paths that begin with `s3://`; write `s3a://`"),
        ("gs://bucket/run", "gcs-connector"),
        ("nosuch://bucket/run", "paths that begin with `nosuch://`"),
    ],
)
def test_a_checkpoint_that_spark_cannot_reach(spark: Any, folder: str, text: str) -> None:
    data = spark.createDataFrame([("a", "one")], "id string, text string")
    with pytest.raises(ValueError) as caught:
        dedup(data, checkpoint=folder)
    said = str(caught.value)
    assert text in said and "\n" not in said and getattr(caught.value, "code") == "input"
    # Python would print the trace of Java before it.
    assert caught.value.__suppress_context__ and caught.value.__cause__ is None


def test_a_session_that_may_not_change_settings(spark: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    from pyspark.errors import AnalysisException

    source = random.Random(3)
    text = " ".join(prose(source, 40_000))
    rows = [("a", text), ("b", text + " end"), ("c", " ".join(prose(source, 50)))]
    data = spark.createDataFrame(rows, "id string, text string")
    expected = {row["id"]: row["duplicate_of"] for row in dedup(data, checkpoint=str(tmp_path / "own")).collect()}
    assert expected == {"b": "a"} and len(text) > 1 << 16

    def refuse(*_: object) -> None:
        raise AnalysisException("[CONFIG_NOT_AVAILABLE] Configuration spark.sql.x is not available. SQLSTATE: 42K0I")

    monkeypatch.setattr(type(spark.conf), "set", refuse)
    found = dedup(data, checkpoint=str(tmp_path / "refused"))
    assert {row["id"]: row["duplicate_of"] for row in found.collect()} == expected
    monkeypatch.setattr(type(spark.conf), "get", refuse)
    from fanmill.spark._texts import PIECE, RECORDS, small_batches

    with small_batches(spark) as piece:
        assert piece * 10_000 <= PIECE * RECORDS, "a batch is as large as otherwise"
