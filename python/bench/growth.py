"""How `fanmill.spark.dedup` grows: measured on a corpus, then computed for up to 10^9 documents.

    python python/bench/growth.py corpus.jsonl

Runs the job on a standalone cluster of this machine, and takes from Spark's event log what each step reads, shuffles and spends in
the JVM; the engine's work in Python is timed by itself, in this process. Nearly all of it is so much a document. Pairs are
not: families of near-copies grow with the corpus. So their sizes are drawn from a power law with the exponent that the corpus's own clusters
have, and pairs counted as the join makes them: all of fewer than 256 members, six a member above. These are the pairs that reach the
threshold; candidates are some ten times as many on the public corpus.

What it prints is no measurement of a large cluster: retries, slow disks and the network are not in it.
"""

from __future__ import annotations

import json
import os
import re
import sys
import tempfile
import time
from collections import Counter, defaultdict
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa

HERE = Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parent / "tests" / "spark"))
# Workers would otherwise start the system's Python.
os.environ.update(PYSPARK_PYTHON=sys.executable, SPARK_LOCAL_IP="127.0.0.1")

#: Members from which on a bucket gives links, and links of each: `_candidates.LARGE`, its stars, neighbour and lowest.
LARGE, LINKS = 256, 6
#: Undecided pairs that one task decides: `_clusters.FEW`.
FEW = 1 << 22


def main(corpus: Path) -> None:
    texts = {}
    with open(corpus, encoding="utf-8") as lines:
        for record in map(json.loads, lines):
            texts[str(record["id"])] = record["text"]
    n, n_bytes = len(texts), sum(len(text.encode()) for text in texts.values())
    with tempfile.TemporaryDirectory() as folder:
        steps, found = run(Path(folder), texts)
    engine = in_python(list(texts.values()))
    print(f"measured: {n:,} documents, {n_bytes / 1e6:,.0f} MB, {len(found):,} go")
    print("step                 JVM s  shuffle B/doc  written B/doc")
    for name, step in steps.items():
        print(f"{name:20} {step['cpu']:5.1f}  {step['shuffled'] / n:13,.0f}  {step['written'] / n:13,.0f}")
    print("the engine in Python: " + ", ".join(f"{name} {s:.1f} s" for name, s in engine.items()))
    project(n, n_bytes, steps, sum(engine.values()), families(found))


def run(folder: Path, texts: dict[str, str]) -> tuple[dict[str, Any], Any]:
    """What each step cost, and the answer."""
    from cluster import Cluster, Driver
    from samples import write

    data = write(folder / "data", list(texts), list(texts.values()), n_files=4)
    events = folder / "events"
    events.mkdir()
    cluster = Cluster(folder / "cluster")
    conf = {"spark.eventLog.enabled": "true", "spark.eventLog.compress": "false", "spark.eventLog.dir": str(events)}
    try:
        found = Driver(cluster, folder, data, folder / "run", spark=conf).found()
    finally:
        cluster.stop()
    return of_steps(events, folder / "run"), found


def of_steps(events: Path, checkpoint: Path) -> dict[str, Any]:
    """The costs of each step: a job belongs to the step that its query writes, or to the one that was written last."""
    steps: dict[str, Any] = defaultdict(lambda: {"cpu": 0.0, "shuffled": 0, "written": 0})
    of_query: dict[str, str] = {}
    of_stage: dict[int, str] = {}
    last = "start"
    for line in "".join(path.read_text() for path in sorted(events.rglob("*")) if path.is_file() and path.suffix != ".crc").splitlines():
        event = json.loads(line)
        kind = event["Event"].rpartition(".")[2]
        if kind == "SparkListenerSQLExecutionStart":
            plan = event["physicalPlanDescription"]
            path = re.search(r"file:" + re.escape(str(checkpoint)) + r"/(\w+), ", plan)
            last = path[1] if path and "InsertIntoHadoopFsRelationCommand" in plan else last
            of_query[str(event["executionId"])] = last
        elif kind == "SparkListenerJobStart":
            query = event.get("Properties", {}).get("spark.sql.execution.id", "")
            for stage in event["Stage IDs"]:
                of_stage[stage] = of_query.get(query, last)
        elif kind == "SparkListenerTaskEnd" and event.get("Task Metrics"):
            metrics, step = event["Task Metrics"], steps[of_stage[event["Stage ID"]]]
            step["cpu"] += metrics["Executor CPU Time"] / 1e9
            step["shuffled"] += metrics["Shuffle Write Metrics"]["Shuffle Bytes Written"]
            step["written"] += metrics["Output Metrics"]["Bytes Written"]
    return steps


def in_python(texts: list[str]) -> dict[str, float]:
    """Processor seconds of the engine, for all texts: an upper bound for sets, which only documents in pairs need."""
    import fanmill
    from fanmill._native import buckets
    from fanmill.spark._documents import digest

    recipe, column = fanmill.Recipe(min_score=0.8), pa.array(texts, pa.large_string())
    spent = {}
    for name, work in [
        ("buckets", lambda: buckets(recipe, column, threshold=0.8, threads=1)),
        ("digests", lambda: [digest(text.encode()) for text in texts]),
        ("sets", lambda: recipe.shingles(column, threads=1)),
    ]:
        began = time.process_time()
        work()
        spent[name] = time.process_time() - began
    return spent


def families(found: Any) -> list[int]:
    """The sizes of all clusters of two or more."""
    return [n + 1 for n in Counter(of for of, _, _ in found.values()).values()]


def pairs(sizes: np.ndarray) -> int:
    sizes = sizes.astype(np.int64)
    return int(np.where(sizes < LARGE, sizes * (sizes - 1) // 2, sizes * LINKS).sum())


def project(n: int, n_bytes: int, steps: dict[str, Any], engine: float, sizes: list[int]) -> None:
    """The same costs a document, for more of them, and what grows otherwise."""
    jvm, shuffled, written = (sum(step[key] for step in steps.values()) for key in ("cpu", "shuffled", "written"))
    logs = np.log(np.array(sizes) / 1.5)
    exponent = 1 + len(sizes) / logs.sum()
    print(f"clusters: {len(sizes):,}, sizes fall with exponent {exponent:.2f}")
    print("documents      texts  CPU hours  shuffled  checkpoint      pairs  largest family  centres")
    for power in range(6, 10):
        more = 10**power / n
        # Sizes of a power law from 2 on, by inversion; at most a million are drawn, and counted so much more often.
        n_families = round(len(sizes) * more)
        n_drawn = min(n_families, 10**6)
        ranks = (np.arange(n_drawn) + 0.5) / n_drawn
        drawn = np.floor(1.5 * ranks ** (-1 / (exponent - 1)) + 0.5)
        largest = 1.5 * n_families ** (1 / (exponent - 1))
        n_pairs = pairs(drawn) * n_families / n_drawn
        hours = (jvm + engine) * more / 3600
        how = "one task" if n_pairs <= FEW else "rounds first"
        print(
            f"10^{power} {bytes_of(n_bytes * more):>14}  {hours:9,.1f}  {bytes_of(shuffled * more):>8}  {bytes_of(written * more):>10}"
            f"  {n_pairs:9.2g}  {largest:14,.0f}  {how}"
        )
    name, step = max(steps.items(), key=lambda each: each[1]["shuffled"])
    print(
        f"what breaks first: local disks. `{name}` shuffles most at once: {bytes_of(step['shuffled'] * 10**9 / n)} at 10^9, that is"
        f" {step['shuffled'] * 10**9 / n / 1e8:,.0f} partitions of 100 MB"
    )


def bytes_of(n: float) -> str:
    for unit in ("B", "kB", "MB", "GB"):
        if n < 1000:
            return f"{n:.3g} {unit}"
        n /= 1000
    return f"{n:,.1f} TB"


if __name__ == "__main__":
    main(Path(sys.argv[1]))
