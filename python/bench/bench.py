#!/usr/bin/env python3
"""What the package costs and keeps, measured: speed beside other packages, memory, the interpreter's lock, Ctrl-C, and the command's answer.

    pip install pyarrow rensa datasketch
    python python/bench/bench.py --data DIR [--program target/release/fanmill] [--only speed,memory]

DIR has a corpus: `text/corpus.jsonl.zst`, with the field `text`. Each figure stands beside the bound that it has to keep. Processor time
is used where it can be, since other programs may run; wall-clock times are the best of several.
"""

from __future__ import annotations

import argparse
import gc
import json
import os
import re
import signal
import subprocess
import sys
import tempfile
import threading
import time
from pathlib import Path
from typing import Any, Callable

import fanmill
import pyarrow as pa

#: Runs of which the best counts.
RUNS = 5


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--data", type=Path, required=True)
    parser.add_argument("--program", help="the command, of the same commit")
    parser.add_argument("--only", default="speed,threads,lock,memory,interrupt,dedup")
    args = parser.parse_args()
    table = corpus(args.data / "text" / "corpus.jsonl.zst")
    texts = table["text"]
    print(f"fanmill {fanmill.__version__}, Python {sys.version.split()[0]}, {len(texts):,} texts, {texts.nbytes / 1e6:.1f} MB")
    for name in args.only.split(","):
        MEASURES[name](table, args)


def corpus(path: Path) -> pa.Table:
    with pa.input_stream(str(path), compression="zstd") as stream:
        lines = stream.read().decode("utf-8").split("\n")
    records = [json.loads(line) for line in lines if line]
    return pa.table({"id": [record["id"] for record in records], "text": [record["text"] for record in records]})


def say(what: str, value: str, bound: str = "") -> None:
    print(f"{what:<66} {value:>16}  {bound}", flush=True)


def cpu(job: Callable[[], object], runs: int = RUNS) -> float:
    """Processor time of the process, the best of several runs."""
    times = []
    for _ in range(runs):
        start = time.process_time()
        job()
        times.append(time.process_time() - start)
    return min(times)


def speed(table: pa.Table, _: argparse.Namespace) -> None:
    texts, n = table["text"], len(table)
    for name, bound in (("sketch", 40_000), ("band_keys", 48_000), ("shingles", 0)):
        seconds = cpu(lambda: getattr(fanmill, name)(texts, threads=1))
        rate = f"{n / seconds:,.0f}/s"
        say(f"fanmill.{name}, documents per second of processor time", rate, f"at least {bound:,}" if bound else "")
    seconds = cpu(lambda: fanmill.dedup(table, threads=1, progress=False), 3)
    say("fanmill.dedup of all", f"{seconds:.2f} s")
    others(texts.to_pylist())


def others(texts: list[str]) -> None:
    """What people use today, on every eighth text."""
    sample = texts[::8]
    n = len(sample)
    word = re.compile(r"\w+")

    def shingled(text: str) -> list[str]:
        words = word.findall(text.lower())
        return [" ".join(words[i : i + 5]) for i in range(max(1, len(words) - 4))]

    start = time.process_time()
    ready = [shingled(text) for text in sample]
    making = time.process_time() - start
    say("making shingles in Python", f"{n / making:,.0f}/s")
    try:
        import rensa

        def by_rensa() -> None:
            for shingles in ready:
                sketch = rensa.RMinHash(num_perm=128, seed=42)
                sketch.update(shingles)
                sketch.digest()

        seconds = cpu(by_rensa, 3)
        say("rensa, of shingles that are there", f"{n / seconds:,.0f}/s")
        say("rensa, with shingles made in Python", f"{n / (seconds + making):,.0f}/s")
    except ImportError:
        say("rensa", "not installed")
    try:
        import datasketch

        encoded = [[shingle.encode() for shingle in shingles] for shingles in ready[::8]]

        def by_datasketch() -> None:
            for shingles in encoded:
                datasketch.MinHash(num_perm=128).update_batch(shingles)

        seconds = cpu(by_datasketch, 1)
        say("datasketch, of shingles that are there", f"{len(encoded) / seconds:,.0f}/s")
    except ImportError:
        say("datasketch", "not installed")


def threads(table: pa.Table, _: argparse.Namespace) -> None:
    """Two threads, by the clock, and by the processor time of the one that worked longest, which others that run do not change."""
    texts = pa.chunked_array([table["text"].combine_chunks()] * 4)
    walls, longest = [], []
    for n in (1, 2):
        runs = [of_threads(lambda: fanmill.sketch(texts, threads=n)) for _ in range(RUNS)]
        walls.append(min(wall for wall, _ in runs))
        longest.append(min(seconds for _, seconds in runs))
    load = f"load {os.getloadavg()[0]:.1f}, {os.cpu_count()} cores"
    say(f"two threads, of one, by the clock ({load})", f"{walls[0] / walls[1]:.2f} times", "at least 1.80 on a quiet machine")
    say("two threads, of one, by the thread that works longest", f"{longest[0] / longest[1]:.2f} times", "at least 1.80")


def of_threads(job: Callable[[], object]) -> tuple[float, float]:
    """The time by the clock, and that on a core of the thread which was there longest, of those that a job has started."""
    before, seconds, is_done = set(os.listdir("/proc/self/task")), {}, threading.Event()

    def watch() -> None:
        while not is_done.wait(0.005):
            for task in set(os.listdir("/proc/self/task")) - before:
                try:
                    seconds[task] = int(Path(f"/proc/self/task/{task}/schedstat").read_text().split()[0]) / 1e9
                except OSError:
                    continue

    watcher = threading.Thread(target=watch)
    watcher.start()
    start = time.monotonic()
    job()
    wall = time.monotonic() - start
    is_done.set()
    watcher.join()
    return wall, max(seconds.values())


def lock(table: pa.Table, _: argparse.Namespace) -> None:
    """How much of a second thread's time is not spent waiting for the lock: what it neither ran nor waited for a core."""
    texts = pa.chunked_array([table["text"].combine_chunks()] * 8)
    is_done, kept = threading.Event(), []

    def count() -> None:
        stat = f"/proc/self/task/{threading.get_native_id()}/schedstat"

        def on_core() -> float:
            ran, waited, _ = Path(stat).read_text().split()
            return (int(ran) + int(waited)) / 1e9

        start, before, n = time.monotonic(), on_core(), 0
        while not is_done.is_set():
            n += 1
        kept.append((on_core() - before) / (time.monotonic() - start))

    counter = threading.Thread(target=count)
    counter.start()
    fanmill.sketch(texts, threads=1)
    is_done.set()
    counter.join()
    say("a second Python thread meanwhile, share of its speed", f"{kept[0]:.1%}", "at least 80 %")


def memory(table: pa.Table, _: argparse.Namespace) -> None:
    one = table["text"].combine_chunks()
    times = 1_000_000_000 // one.nbytes + 1
    large = pa.chunked_array([pa.concat_arrays([one]) for _ in range(times)])
    measured("sketches of 1 GB in memory", lambda: fanmill.sketch(large, threads=2), len(large) * 1024)
    single = pa.concat_arrays([one.cast(pa.large_string())] * times)
    measured("the same in one array of large strings", lambda: fanmill.sketch(single, threads=2), len(single) * 1024)
    del large, single
    gc.collect()
    schema = pa.schema({"text": pa.string()})

    def reader() -> pa.RecordBatchReader:
        parts = (one[start : start + 2000] for _ in range(times) for start in range(0, len(one), 2000))
        return pa.RecordBatchReader.from_batches(schema, (pa.record_batch({"text": pa.concat_arrays([part])}) for part in parts))

    measured("a stream of 1 GB that is only read", lambda: range(sum(map(len, reader()))), 0, "")
    measured("sketches of that stream", lambda: fanmill.sketch(reader(), threads=2), len(one) * times * 1024)


def measured(what: str, job: Callable[[], Any], result_bytes: int, bound: str = "at most 32") -> None:
    """How far the resident memory rose while a job ran, beyond its result."""
    gc.collect()
    pa.default_memory_pool().release_unused()
    Path("/proc/self/clear_refs").write_text("5")
    before = status("VmRSS")
    kept = job()
    rise = status("VmHWM") - before
    assert len(kept)
    say(what, f"{(rise - result_bytes) / 2**20:+.1f} MiB", bound)


def status(name: str) -> int:
    line = next(line for line in Path("/proc/self/status").read_text().splitlines() if line.startswith(name))
    return int(line.split()[1]) * 1024


def interrupt(table: pa.Table, _: argparse.Namespace) -> None:
    many = pa.chunked_array([table["text"].combine_chunks()] * 40)
    one = ["word " * 40_000_000]
    jobs = {
        "sketches": lambda: fanmill.sketch(many, threads=2),
        "dedup": lambda: fanmill.dedup(many, progress=False),
        "a text of 200 MB": lambda: fanmill.sketch(one),
        "compare": lambda: fanmill.compare(dict(zip(map(str, range(3000)), table["text"].to_pylist())), progress=False),
    }
    # Shells start programs in the background so that they ignore Ctrl-C.
    signal.signal(signal.SIGINT, signal.default_int_handler)
    for name, job in jobs.items():
        delays = [delay(job, seconds) for seconds in (0.15, 0.3, 0.5)]
        say(f"Ctrl-C during {name}", f"{max(delays) * 1000:.0f} ms", "at most 200")


def delay(job: Callable[[], object], seconds: float) -> float:
    sent: list[float] = []

    def interrupt() -> None:
        time.sleep(seconds)
        sent.append(time.monotonic())
        os.kill(os.getpid(), signal.SIGINT)

    threading.Thread(target=interrupt).start()
    try:
        job()
        # It was faster than the signal.
        time.sleep(5)
    except KeyboardInterrupt:
        return time.monotonic() - sent[0]
    raise AssertionError("no interruption")


def dedup(table: pa.Table, args: argparse.Namespace) -> None:
    if args.program is None:
        say("dedup = the command", "no --program")
        return
    import pyarrow.parquet as pq

    path = str(args.data / "text" / "corpus.jsonl.zst")
    with tempfile.TemporaryDirectory() as folder:
        half = len(table) // 2
        with open(f"{folder}/known.jsonl", "w", encoding="utf-8") as known, open(f"{folder}/new.jsonl", "w", encoding="utf-8") as new:
            for row, record in enumerate(table.to_pylist()):
                (known if row < half else new).write(json.dumps(record) + "\n")
        cases: list[tuple[str, list[str], Callable[[], Any]]] = [
            ("first", [path], lambda: fanmill.dedup(table, keep="first")),
            ("longest", [path, "--keep", "longest"], lambda: fanmill.dedup(table)),
            (
                "against",
                [f"{folder}/new.jsonl", "--against", f"{folder}/known.jsonl"],
                lambda: fanmill.dedup(table[half:], keep="first", against=table[:half]),
            ),
        ]
        for name, options, ours in cases:
            output = f"{folder}/{name}"
            command = [args.program, "dedup", *options, "--mode", "report", "--pairs", "--output", output]
            subprocess.run(command, check=True, capture_output=True)
            removed = pq.read_table(f"{output}.fanmill/removed.parquet").to_pylist()
            theirs = {
                own["record"] - 1: (own["kept_record"] - 1, own["resemblance"], own["containment"]) for own in removed
            }
            result = ours()
            columns = zip(result.duplicate_of, result.resemblance, result.containment)
            found = {row: own for row, own in enumerate(columns) if own[0] is not None}
            n_pairs = pq.read_table(f"{output}.fanmill/pairs.parquet").num_rows
            is_equal = found == theirs and len(result.pairs()) == n_pairs
            say(f"dedup, {name}: {len(found):,} duplicates, as by the command", "equal" if is_equal else "DIFFERENT", "equal")
            assert is_equal


MEASURES = {
    "speed": speed,
    "threads": threads,
    "lock": lock,
    "memory": memory,
    "interrupt": interrupt,
    "dedup": dedup,
}

if __name__ == "__main__":
    main()
