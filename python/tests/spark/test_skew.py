"""A bucket of very many documents is not the task of one worker."""

from __future__ import annotations

import json
import os
import random
import statistics
from pathlib import Path
from typing import Any

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
    worst = max(stages(events), default=(1.0, 0, 0.0, "none"))
    print(f"{gone} of {N} near-copies go; longest task {worst[0]:.1f} times the median of its stage: {worst[1]} of {worst[2]} ms")
    assert worst[0] < 5, worst


def stages(events: Path) -> list[tuple[float, int, float, str]]:
    """Each stage of four tasks and more, and two seconds: its longest task by its median, both in ms, and its name.

    Less than two seconds is the start of a Python, and of code that the JVM has not run yet, on a busy machine.
    """
    tasks: dict[int, list[int]] = {}
    names: dict[int, str] = {}
    for path in (path for path in events.rglob("*") if path.is_file() and path.suffix != ".crc"):
        for line in path.read_text().splitlines():
            event: Any = json.loads(line)
            if event["Event"] == "SparkListenerTaskEnd":
                tasks.setdefault(event["Stage ID"], []).append(event["Task Metrics"]["Executor Run Time"])
            elif event["Event"] == "SparkListenerStageCompleted":
                names[event["Stage Info"]["Stage ID"]] = event["Stage Info"]["Stage Name"]
    made = []
    for stage, times in tasks.items():
        if len(times) >= 4 and max(times) >= 2000:
            median = statistics.median(times)
            made.append((max(times) / max(median, 1), max(times), median, names.get(stage, "")))
    return made
