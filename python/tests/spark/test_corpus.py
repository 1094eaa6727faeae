"""A corpus of real documents: the answer of one machine, with 1 and 2 workers, 4 and 16 partitions, and shuffled files."""

from __future__ import annotations

import json
import os
from pathlib import Path

import pytest
from cluster import Cluster, Driver
from samples import on_one_machine, write

CORPUS = os.environ.get("FANMILL_CORPUS")

pytestmark = pytest.mark.skipif(not CORPUS, reason="FANMILL_CORPUS names no JSONL file with `id` and `text`")


@pytest.fixture(scope="module")
def texts() -> dict[int, str]:
    """By the number of the line, so that the first document is the one that comes first in the file."""
    with open(str(CORPUS), encoding="utf-8") as lines:
        return {number: json.loads(line)["text"] for number, line in enumerate(lines)}


@pytest.mark.parametrize(
    ("n_workers", "partitions", "keep"), [(1, 4, "longest"), (2, 4, "first"), (1, 16, "first"), (2, 16, "longest")]
)
def test_corpus(tmp_path: Path, texts: dict[int, str], n_workers: int, partitions: int, keep: str) -> None:
    data = write(tmp_path / "data", list(texts), list(texts.values()), n_files=2 + partitions // 4, seed=partitions)
    cluster = Cluster(tmp_path / "cluster", n_workers)
    try:
        conf = {"spark.sql.shuffle.partitions": str(partitions)}
        driver = Driver(cluster, tmp_path, data, tmp_path / "run", spark=conf, settings={"keep": keep})
        found = driver.found()
    finally:
        cluster.stop()
    assert found == on_one_machine(texts, keep=keep)
    print(f"{n_workers} workers, {partitions} partitions, {keep}: {len(found)} of {len(texts)} go, as on one machine")
