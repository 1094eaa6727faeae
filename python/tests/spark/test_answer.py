"""The answer on a cluster is that of one machine: the same ids, originals and resemblances."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from cluster import Driver
from fanmill.spark import _clusters, dedup
from samples import answer, documents, on_one_machine, write

TEXTS = documents()


def marker(folder: Path) -> Any:
    """What a step has noted."""
    return json.loads("".join(path.read_text() for path in folder.glob("part-*")))


def test_a_driver_and_a_worker_are_killed(cluster: Any, tmp_path: Path) -> None:
    documents = {f"doc-{i:05}": text for i, text in enumerate(TEXTS)}
    data, run = write(tmp_path / "data", list(documents), TEXTS, n_files=3), tmp_path / "run"
    first = Driver(cluster, tmp_path / "first", data, run)
    first.until((run / "places.done").exists, "there are places")
    first.kill()
    made = (run / "documents" / "_SUCCESS").stat().st_mtime_ns
    second = Driver(cluster, tmp_path / "second", data, run)
    second.until((run / "members.done").exists, "there are candidates")
    cluster.kill_worker()
    assert not (run / "sets.done").exists()
    found = second.found()
    assert (run / "documents" / "_SUCCESS").stat().st_mtime_ns == made, "documents were made once"
    assert found == on_one_machine(documents)
    assert len(found) > 200 and marker(run / "large_buckets.done")["notes"]["n"] > 0
    cluster.add_worker()


def test_rounds_of_centres_in_other_files_and_partitions(
    spark: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(_clusters, "FEW", 0)
    numbers = {3 * i - 500: text for i, text in enumerate(TEXTS)}
    path, run = write(tmp_path / "data", list(numbers), TEXTS, n_files=5, seed=3), tmp_path / "run"
    spark.conf.set("spark.sql.shuffle.partitions", "16")
    found = answer(dedup(spark.read.parquet(path), keep="first", checkpoint=str(run)))
    spark.conf.set("spark.sql.shuffle.partitions", "4")
    assert found == on_one_machine(numbers, keep="first")
    # A chain takes a round for every two of its documents.
    assert (run / "gone_3.done").exists() and not (run / "gone_last.done").exists()
