"""A standalone cluster on this machine: a master, workers and drivers, each a process of its own, as on machines of their own."""

from __future__ import annotations

import json
import os
import signal
import socket
import subprocess
import sys
import time
import urllib.request
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pyspark
from pyspark.sql import SparkSession

SPARK = Path(pyspark.__file__).parent
# Half of the tests' time would go into compiling code well that runs for seconds, in the JVM of each process.
os.environ.setdefault("JAVA_TOOL_OPTIONS", "-XX:TieredStopAtLevel=1 -XX:+UseSerialGC")


class Cluster:
    """A master with workers of one core each."""

    def __init__(self, folder: Path, n_workers: int = 2, memory: str = "800m") -> None:
        self.folder, self.memory = folder, memory
        folder.mkdir(parents=True, exist_ok=True)
        self.port, self.page = _free_port(), _free_port()
        self.workers: list[subprocess.Popen[bytes]] = []
        self.master = self._start("master.Master", "--port", str(self.port), "--webui-port", str(self.page))
        try:
            until(lambda: self._status() is not None, "the master answers")
            for _ in range(n_workers):
                self.add_worker()
        except BaseException:
            self.stop()
            raise

    @property
    def url(self) -> str:
        return f"spark://127.0.0.1:{self.port}"

    def add_worker(self) -> None:
        """Starts one more, and waits for it to be known."""
        options = ["--cores", "1", "--memory", self.memory, "--webui-port", "0", "--work-dir", str(self.folder / "work")]
        self.workers.append(self._start("worker.Worker", *options, self.url))
        # One that was killed counts until the master misses it.
        until(lambda: self.n_alive() == len(self.workers), "all workers are known")

    def kill_worker(self) -> None:
        """Ends a worker at once, as a machine that loses power; its executors end with it."""
        worker = self.workers.pop()
        worker.send_signal(signal.SIGKILL)
        worker.wait()

    def stop(self) -> None:
        for process in [*self.workers, self.master]:
            process.kill()
            process.wait()

    def n_alive(self) -> int:
        status = self._status()
        return sum(worker["state"] == "ALIVE" for worker in status["workers"]) if status else 0

    def _status(self) -> Any:
        try:
            with urllib.request.urlopen(f"http://127.0.0.1:{self.page}/json/", timeout=10) as answer:
                return json.load(answer)
        except (OSError, ValueError):
            # The page is there a moment before what it says.
            return None

    def _start(self, name: str, *arguments: str) -> subprocess.Popen[bytes]:
        command = [str(SPARK / "bin" / "spark-class"), f"org.apache.spark.deploy.{name}", "--host", "127.0.0.1", *arguments]
        environment = {**os.environ, "SPARK_LOCAL_DIRS": str(self.folder / "local"), "SPARK_DAEMON_MEMORY": "256m"}
        with open(self.folder / f"{name}.log", "ab") as log:
            return subprocess.Popen(command, stdout=log, stderr=log, env=environment)


class Driver:
    """`fanmill.spark.dedup` in a process of its own."""

    def __init__(self, cluster: Cluster, folder: Path, data: str, checkpoint: Path, **job: Any) -> None:
        """Starts it; `job` is what `main` takes."""
        folder.mkdir(parents=True, exist_ok=True)
        self.answer, self.log = folder / "answer.json", folder / "driver.log"
        job = {"master": cluster.url, "folder": str(folder), "data": data, "checkpoint": str(checkpoint), **job}
        with open(self.log, "ab") as log:
            command = [sys.executable, __file__, json.dumps(job), str(self.answer)]
            # A group of its own: its JVM is another process.
            self.process = subprocess.Popen(command, stdout=log, stderr=log, start_new_session=True)

    def kill(self) -> None:
        os.killpg(self.process.pid, signal.SIGKILL)
        self.process.wait()

    def found(self) -> Any:
        """The answer, as `samples.answer` gives it."""
        assert self.process.wait() == 0, self.log.read_text()[-4000:]
        return {id: tuple(of) for id, of in json.loads(self.answer.read_text())}

    def until(self, holds: Callable[[], object], what: str) -> None:
        """Waits while it runs."""
        until(lambda: holds() or self.process.poll() is not None, what)
        assert self.process.poll() is None, self.log.read_text()[-4000:]


def session(master: str, folder: Path, **settings: str) -> SparkSession:
    """A session of executors with small heaps, and more of them if workers come."""
    builder = SparkSession.builder.master(master).appName("fanmill")
    standard = {
        "spark.driver.host": "127.0.0.1",
        "spark.driver.bindAddress": "127.0.0.1",
        "spark.driver.memory": "768m",
        "spark.executor.memory": "768m",
        "spark.local.dir": str(folder),
        "spark.sql.shuffle.partitions": "4",
        "spark.sql.warehouse.dir": str(folder / "warehouse"),
        "spark.ui.enabled": "false",
        "spark.ui.showConsoleProgress": "false",
    }
    for name, value in {**standard, **settings}.items():
        builder = builder.config(name, value)
    made = builder.getOrCreate()
    made.sparkContext.setLogLevel("ERROR")
    return made


def main(job: dict[str, Any], path: Path) -> None:
    """A driver: reads files, and writes the answer to a file."""
    from fanmill.spark import dedup
    from samples import answer

    spark = session(job["master"], Path(job["folder"]), **job.get("spark", {}))
    against = spark.read.parquet(job["against"]) if "against" in job else None
    data = spark.read.parquet(job["data"])
    found = dedup(data, against=against, checkpoint=job["checkpoint"], **job.get("settings", {}))
    path.write_text(json.dumps(list(answer(found).items())))
    spark.stop()


def _free_port() -> int:
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        return int(free.getsockname()[1])


def until(holds: Callable[[], object], what: str, seconds: float = 600) -> None:
    end = time.monotonic() + seconds
    while not holds():
        if time.monotonic() > end:
            raise TimeoutError(f"{what}: not within {seconds} s")
        time.sleep(0.02)


if __name__ == "__main__":
    main(json.loads(sys.argv[1]), Path(sys.argv[2]))
