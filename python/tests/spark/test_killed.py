"""Whatever is killed with -9, in whichever stage, the answer is the same."""

from __future__ import annotations

import os
import signal
from pathlib import Path
from typing import Any

import pytest
from cluster import Driver, until
from samples import documents, on_one_machine, write

TEXTS = {f"doc-{i:05}": text for i, text in enumerate(documents())}
#: The steps that a killed worker is in, each with what is complete before.
STAGES = {
    "documents": "settings",
    "places": "documents",
    "buckets": "secret",
    "candidates": "large_buckets",
    "sets": "members",
    "edges": "edges_sized",
    "gone": "edges",
}


@pytest.fixture(scope="module")
def data(tmp_path_factory: pytest.TempPathFactory) -> str:
    return write(tmp_path_factory.mktemp("data") / "names", list(TEXTS), list(TEXTS.values()), n_files=3)


@pytest.fixture(scope="module")
def expected() -> Any:
    return on_one_machine(TEXTS)


def test_a_worker_is_killed_in_each_step(cluster: Any, tmp_path: Path, data: str, expected: Any) -> None:
    run = tmp_path / "run"
    driver = Driver(cluster, tmp_path, data, run)
    for step, before in STAGES.items():
        driver.until((run / f"{before}.done").exists, f"{step} begins")
        # One of two, or of one, if the last step was short.
        cluster.kill_worker()
        assert not (run / f"{step}.done").exists(), step
        cluster.add_worker()
    assert driver.found() == expected


def test_the_python_of_the_workers_is_killed(cluster: Any, tmp_path: Path, data: str, expected: Any) -> None:
    run = tmp_path / "run"
    driver = Driver(cluster, tmp_path, data, run)
    driver.until((run / "settings.done").exists, "documents are read")
    until(lambda: pythons_of(cluster), "there are workers in Python")
    for pid in pythons_of(cluster):
        os.kill(pid, signal.SIGKILL)
    assert not (run / "documents.done").exists()
    assert driver.found() == expected


def pythons_of(cluster: Any) -> list[int]:
    """The processes in Python below the workers of this cluster."""
    parents, names = {}, {}
    for process in Path("/proc").glob("[0-9]*"):
        try:
            names[int(process.name)] = (process / "comm").read_text()
            parents[int(process.name)] = int((process / "stat").read_text().rpartition(")")[2].split()[1])
        except OSError:
            continue
    workers = {worker.pid for worker in cluster.workers}

    def is_below(pid: int) -> bool:
        while pid in parents and pid not in workers:
            pid = parents[pid]
        return pid in workers

    return [pid for pid in parents if names[pid].startswith("python") and is_below(pid)]


def test_a_driver_is_killed_in_several_steps(cluster: Any, tmp_path: Path, data: str, expected: Any) -> None:
    run = tmp_path / "run"
    made: dict[Path, int] = {}
    for step in ("documents", "candidates", "sets", "gone"):
        driver = Driver(cluster, tmp_path / step, data, run)
        driver.until((run / f"{STAGES[step]}.done").exists, f"{step} begins")
        driver.kill()
        assert not (run / f"{step}.done").exists(), step
        made |= {path: path.stat().st_mtime_ns for path in run.glob("*.done/part-*")}
    assert Driver(cluster, tmp_path / "last", data, run).found() == expected
    assert made == {path: path.stat().st_mtime_ns for path in made}, "what was complete is not made again"
