"""Steps on disk: what a step has made is read from there by the next one, and by the next call after a driver was killed.

Each step writes Parquet to a folder of its own, and when that is complete a marker beside it. A step with a marker is not run
again. This also cuts the plan: Spark would otherwise compute all earlier steps again for each later one, and rounds would make
plans that grow.

The folder is on any file system that Spark writes to, and Spark alone reads and writes it: no other client of that system is
needed. What was made with other settings, or from other texts, is refused. Only one call may use a folder at a time.
"""

from __future__ import annotations

import json
import logging
import time
from collections.abc import Callable
from typing import Any, Optional

from pyspark.errors import AnalysisException
from pyspark.sql import DataFrame, SparkSession
from pyspark.sql import functions as F
from pyspark.sql import types as T

from ._settings import unusable

#: Goes up whenever a step writes something else for the same texts and settings.
FORMAT = 2

log = logging.getLogger("fanmill.spark")


class Checkpoint:
    """The folder of a run."""

    def __init__(self, spark: SparkSession, folder: str, settings: dict[str, Any]) -> None:
        self.spark = spark
        self.folder = folder.rstrip("/")
        #: How many steps were run by this call.
        self.n_run = 0
        self._claim({"format": FORMAT, **settings})

    def _claim(self, settings: dict[str, Any]) -> None:
        """Takes a new folder, or one that was made with these settings."""
        there = self._marker("settings")
        if there is None:
            if self._has_files():
                raise unusable(
                    f"the folder `{self.folder}` has files that are no checkpoint; give a new folder as `checkpoint`"
                )
            self._mark("settings", settings)
            return
        for name in {**settings, **there}:
            was, is_now = there.get(name), settings.get(name)
            if was != is_now:
                raise unusable(
                    f"the checkpoint `{self.folder}` was made with {name} `{was}`, and now it is `{is_now}`; give another"
                    " folder, or remove that one"
                )

    def step(self, name: str, make: Callable[[], DataFrame]) -> DataFrame:
        """What the step has written; it is run if there is nothing complete yet."""
        return self.noted(name, make, lambda made: {})[0]

    def noted(
        self, name: str, make: Callable[[], DataFrame], look: Callable[[DataFrame], dict[str, Any]]
    ) -> tuple[DataFrame, dict[str, Any], bool]:
        """The same, with what is to be known of it, and whether this call has made it.

        `look` is shown what was written, and may refuse it.
        """
        marker = self._marker(name)
        is_new = marker is None
        if marker is None:
            began = time.monotonic()
            made = make()
            made.write.mode("overwrite").parquet(self._path(name))
            marker = {"schema": made.schema.json(), "notes": look(self._read(name, made.schema))}
            self._mark(name, marker)
            self.n_run += 1
            log.info("%s: %.1f s", name, time.monotonic() - began)
        schema = T.StructType.fromJson(json.loads(marker["schema"]))
        return self._read(name, schema), marker["notes"], is_new

    def value(self, name: str, make: Callable[[], Any]) -> Any:
        """A value that fits into a marker, made once."""
        marker = self._marker(name)
        if marker is None:
            marker = {"value": make()}
            self._mark(name, marker)
        return marker["value"]

    def _path(self, name: str) -> str:
        return f"{self.folder}/{name}"

    def _read(self, name: str, schema: T.StructType) -> DataFrame:
        return self.spark.read.schema(schema).parquet(self._path(name))

    def _mark(self, name: str, marker: dict[str, Any]) -> None:
        line = self.spark.range(1, numPartitions=1).select(F.lit(json.dumps(marker)).alias("value"))
        line.write.mode("overwrite").text(self._path(f"{name}.done"))

    def _marker(self, name: str) -> Optional[dict[str, Any]]:
        try:
            rows = self.spark.read.text(_twice(self._path(f"{name}.done"))).collect()
        except AnalysisException as error:
            if "PATH_NOT_FOUND" in str(error):
                return None
            raise
        # A driver may be killed between making the folder and writing into it.
        return json.loads(rows[0]["value"]) if rows else None

    def _has_files(self) -> bool:
        files = self.spark.read.format("binaryFile").option("recursiveFileLookup", "true")
        try:
            return bool(files.load(_twice(self.folder)).select("path").head(1))
        except AnalysisException as error:
            if "PATH_NOT_FOUND" in str(error):
                return False
            raise


def _twice(path: str) -> list[str]:
    """A path that may not be there, for Spark to read: of a single one, it would look for a stream's log first, and print that
    there is none with the trace of an error."""
    return [path, path]
