"""A bucket of very many documents is not the task of one worker."""

from __future__ import annotations

import json
import os
import random
import statistics
from pathlib import Path
from typing import Any, Callable, NamedTuple

from cluster import Cluster, Driver
from samples import changed, on_one_machine, prose, write

#: Near-copies of one text, and other texts.
N = int(os.environ.get("FANMILL_NEAR_COPIES", "200000"))


def test_near_copies_of_one_text(tmp_path: Path) -> None:
    source = random.Random(11)
    original = prose(source, 83)
    texts = [" ".join(changed(source, original, 1)) for _ in range(N)]
    texts += [" ".join(prose(source, 83)) for _ in range(N // 10)]
    data = write(tmp_path / "data", list(range(len(texts))), texts, n_files=4)
    cluster, events = Cluster(tmp_path / "cluster", memory="1100m"), tmp_path / "events"
    events.mkdir()
    conf = {
        "spark.executor.memory": "1g",
        "spark.sql.shuffle.partitions": "16",
        # Tasks of a few bytes would be joined, and the median would be that of full ones.
        "spark.sql.adaptive.coalescePartitions.enabled": "false",
        "spark.eventLog.enabled": "true",
        "spark.eventLog.compress": "false",
        "spark.eventLog.dir": str(events),
    }
    try:
        found = Driver(cluster, tmp_path, data, tmp_path / "run", spark=conf).found()
    finally:
        cluster.stop()
    gone = sum(id < N for id in found)
    # Documents that are like each other are not like all others, at one word in 83.
    assert gone > N * 0.99
    assert found == on_one_machine(dict(enumerate(texts)))
    # Less than two seconds is the start of a Python, and of code that the JVM has not run yet, on a busy machine.
    longest = max(stages(events, duration, 2000), default=NONE)
    fullest = max(stages(events, rows, N // 20), default=NONE)
    print(f"{gone} of {N} near-copies go; longest task {longest.said('ms')}; fullest {fullest.said('rows')}")
    assert fullest is not NONE, "no stage has a task of many rows"
    assert longest.ratio < 5, longest
    # A bucket is one task's where its documents are linked to the reference: rows of a few bytes, which take no longer.
    assert fullest.ratio < 10, fullest


class Stage(NamedTuple):
    """The largest task of a stage, by time or rows, and the median one."""

    ratio: float
    largest: int
    median: float
    name: str

    def said(self, unit: str) -> str:
        return f"{self.ratio:.1f} times the median of its stage: {self.largest} of {self.median:.0f} {unit}"


NONE = Stage(1.0, 0, 0.0, "none")


def duration(metrics: Any) -> int:
    """How long a task ran, in ms."""
    return int(metrics["Executor Run Time"])


def rows(metrics: Any) -> int:
    """Rows that a task gets from the stage before, or hands to the next, whichever are more."""
    return max(int(metrics["Shuffle Read Metrics"]["Total Records Read"]), int(metrics["Shuffle Write Metrics"]["Shuffle Records Written"]))


def stages(events: Path, measure: Callable[[Any], int], least: int) -> list[Stage]:
    """Each stage of four tasks and more, the largest of which is not below `least`."""
    tasks: dict[int, list[int]] = {}
    names: dict[int, str] = {}
    for path in (path for path in events.rglob("*") if path.is_file() and path.suffix != ".crc"):
        for line in path.read_text().splitlines():
            event: Any = json.loads(line)
            if event["Event"] == "SparkListenerTaskEnd":
                tasks.setdefault(event["Stage ID"], []).append(measure(event["Task Metrics"]))
            elif event["Event"] == "SparkListenerStageCompleted":
                names[event["Stage Info"]["Stage ID"]] = event["Stage Info"]["Stage Name"]
    made = []
    for stage, sizes in tasks.items():
        if len(sizes) >= 4 and max(sizes) >= least:
            median = statistics.median(sizes)
            made.append(Stage(max(sizes) / max(median, 1), max(sizes), median, names.get(stage, "")))
    return made
