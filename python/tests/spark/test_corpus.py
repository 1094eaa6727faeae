"""A corpus of real documents: the answer of the command, with 1 and 2 workers, 4 and 16 partitions, and shuffled files."""

from __future__ import annotations

import json
import os
import subprocess
from pathlib import Path

import pyarrow.parquet as pq
import pyspark
import pytest
from cluster import Cluster, Driver
from samples import on_one_machine, write

CORPUS = os.environ.get("FANMILL_CORPUS")
#: Workers, partitions, and which document stays: two forms that differ in everything with each Spark, all with the newer.
FORMS = [(1, 4, "longest"), (2, 16, "first"), (1, 16, "first"), (2, 4, "longest")]
if pyspark.__version__.startswith("3."):
    del FORMS[2:]

pytestmark = pytest.mark.skipif(not CORPUS, reason="FANMILL_CORPUS names no JSONL file with `id` and `text`")


@pytest.fixture(scope="module")
def texts() -> dict[int, str]:
    """By the number of the line, so that the first document is the one that comes first in the file."""
    with open(str(CORPUS), encoding="utf-8") as lines:
        return {number: json.loads(line)["text"] for number, line in enumerate(lines)}


def by_the_command(program: str, folder: Path, keep: str) -> dict[int, tuple[int, float]]:
    """What goes, for what, and how alike; documents by their lines."""
    command = [program, "dedup", str(CORPUS), "--keep", keep, "--mode", "report", "--output", str(folder)]
    subprocess.run(command, check=True, capture_output=True)
    removed = pq.read_table(folder.with_name(folder.name + ".fanmill") / "removed.parquet").to_pylist()
    return {row["record"] - 1: (row["kept_record"] - 1, row["resemblance"]) for row in removed}


@pytest.mark.parametrize(("n_workers", "partitions", "keep"), FORMS)
def test_corpus(
    tmp_path: Path, program: str, texts: dict[int, str], n_workers: int, partitions: int, keep: str
) -> None:
    data = write(tmp_path / "data", list(texts), list(texts.values()), n_files=2 + partitions // 4, seed=partitions)
    cluster = Cluster(tmp_path / "cluster", n_workers)
    try:
        conf = {"spark.sql.shuffle.partitions": str(partitions)}
        driver = Driver(cluster, tmp_path, data, tmp_path / "run", spark=conf, settings={"keep": keep})
        found = driver.found()
    finally:
        cluster.stop()
    assert found == on_one_machine(texts, keep=keep)
    assert {id: (of, alike) for id, (of, alike, _) in found.items()} == by_the_command(program, tmp_path / "out", keep)
    print(f"{n_workers} workers, {partitions} partitions, {keep}: {len(found)} of {len(texts)} go, as by the command")
