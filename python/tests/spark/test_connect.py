"""The job by a client of Spark Connect, which has no Java in its process."""

from __future__ import annotations

import importlib.util
import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import pyspark
import pytest

if importlib.util.find_spec("grpc") is None:
    pytest.skip("Spark Connect needs grpcio", allow_module_level=True)
if pyspark.__version__.startswith("3."):
    pytest.skip("Spark 3.5 has its server in a package of its own, which is not installed here", allow_module_level=True)

START = """
import json, sys
from pyspark.sql import SparkSession
import fanmill.spark

spark = SparkSession.builder.remote("local[2]").config("spark.ui.enabled", "false").getOrCreate()
assert type(spark).__module__ == "pyspark.sql.connect.session"
folder = sys.argv[1]
"""


def ran(code: str, *arguments: str) -> Any:
    return subprocess.run([sys.executable, "-c", START + code, *arguments], capture_output=True, text=True, timeout=600)


DUPLICATES = """
data = spark.read.parquet(f"{folder}/data")
settings = json.loads(sys.argv[2])
found = fanmill.spark.dedup(data, checkpoint=f"{folder}/{sys.argv[3]}", **settings)
print(json.dumps([[row["id"], row["duplicate_of"], row["resemblance"]] for row in found.collect()]))
"""


@pytest.mark.parametrize("cluster_by", ["centres", "components"])
def test_the_answer_is_that_of_one_machine(tmp_path: Path, cluster_by: str) -> None:
    from samples import documents, on_one_machine, write

    texts = {f"doc-{i:05}": text for i, text in enumerate(documents(n_large=300))}
    write(tmp_path / "data", list(texts), list(texts.values()), n_files=3)
    done = ran(DUPLICATES, str(tmp_path), json.dumps({"cluster": cluster_by}), cluster_by)
    assert done.returncode == 0, done.stderr[-4000:]
    found = {id: (kept, resemblance) for id, kept, resemblance in json.loads(done.stdout.splitlines()[-1])}
    expected = {id: own[:2] for id, own in on_one_machine(texts, cluster=cluster_by).items()}
    assert found == expected != {}


RUNS = """
rows = json.loads(sys.argv[2])
found = fanmill.spark.dedup_runs(spark.createDataFrame(rows, "id bigint, text string"), min_words=5, checkpoint=f"{folder}/runs")
print(json.dumps([[row["id"], row["text"]] for row in found.collect()]))
"""


def test_repeated_runs_are_those_of_one_machine(tmp_path: Path) -> None:
    notice = "all rights are reserved by somebody who means it"
    texts = [f"one story and {notice}.", f"Here {notice}. Another story, and {notice}\nas well", None, notice]
    done = ran(RUNS, str(tmp_path), json.dumps(list(enumerate(texts))))
    assert done.returncode == 0, done.stderr[-4000:]
    assert sorted(json.loads(done.stdout.splitlines()[-1])) == [[1, "Here Another story, it\nas well"], [3, None]]


LACKING = """
data = spark.createDataFrame([("a", "one")], "id string, text string")
calls = {
    "s3a": lambda: fanmill.spark.dedup(data, checkpoint="s3a://bucket/run"),
    # A frame of Connect is not looked at before it is used.
    "delta": lambda: fanmill.spark.dedup(spark.read.format("delta").load("/x"), checkpoint=f"{folder}/delta"),
    "path": lambda: fanmill.spark.dedup(spark.read.parquet("/no/such/folder"), checkpoint=f"{folder}/path"),
    "table": lambda: fanmill.spark.dedup(spark.table("no_such"), checkpoint=f"{folder}/table"),
}
for name, call in calls.items():
    try:
        call()
    except ValueError as error:
        print(name, error)
"""


def test_what_is_missing_is_said_in_a_sentence(tmp_path: Path) -> None:
    done = ran(LACKING, str(tmp_path))
    assert done.returncode == 0, done.stderr[-4000:]
    lines = dict(line.split(" ", 1) for line in done.stdout.splitlines())
    assert "hadoop-aws" in lines["s3a"] and "source of data `delta`" in lines["delta"]
    assert "nothing at `file:/no/such/folder`" in lines["path"] and "table or view `no_such`" in lines["table"]
