"""The log of a run in which nothing goes wrong."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

RUN = """
import sys
from pyspark.sql import SparkSession
import fanmill.spark

spark = SparkSession.builder.master("local[2]").config("spark.ui.enabled", "false").getOrCreate()
rows = [(str(row), " ".join(f"w{word * (row % 3 + 1)}" for word in range(30))) for row in range(20)]
print(fanmill.spark.dedup(spark.createDataFrame(rows, ["id", "text"]), checkpoint=sys.argv[1]).count())
"""


def test_a_good_run_prints_no_error(tmp_path: Path) -> None:
    done = subprocess.run([sys.executable, "-c", RUN, str(tmp_path / "run")], capture_output=True, text=True, check=True)
    assert done.stdout.strip().endswith("17")
    assert "Exception" not in done.stderr and "\tat " not in done.stderr, done.stderr
