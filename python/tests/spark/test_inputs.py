"""Odd documents, references, checkpoints of something else, and what cannot be used."""

from __future__ import annotations

import os
import random
import re
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import fanmill
import pytest
from cluster import Cluster, Driver
from fanmill.spark import dedup
from fanmill.spark._checkpoint import Checkpoint
from fanmill.spark._documents import secret
from samples import answer, documents, on_one_machine, prose, short, write

TEXTS = documents(n_large=0)
NAMES = {f"doc-{i:05}": text for i, text in enumerate(TEXTS)}


@pytest.fixture(scope="module")
def data(spark: Any, tmp_path_factory: pytest.TempPathFactory) -> Any:
    return spark.read.parquet(write(tmp_path_factory.mktemp("data") / "names", list(NAMES), TEXTS, n_files=3))


@pytest.fixture
def other_cluster(tmp_path: Path) -> Iterator[Cluster]:
    """For a driver of its own: the session of these tests has the workers of theirs."""
    cluster = Cluster(tmp_path / "cluster")
    yield cluster
    cluster.stop()


def frame(spark: Any, rows: dict[Any, Any], kind: str = "string") -> Any:
    return spark.createDataFrame(list(rows.items()), f"id {kind}, text string")


@pytest.mark.parametrize("only_against", [False, True])
def test_against(spark: Any, tmp_path: Path, only_against: bool) -> None:
    texts = documents()
    # The same ids on both sides are different documents.
    own, known = ({f"doc-{i:05}": text for i, text in enumerate(half)} for half in (texts[::2], texts[1::2]))
    frames = [
        spark.read.parquet(write(tmp_path / name, list(each), list(each.values()), n_files=2))
        for name, each in (("own", own), ("known", known))
    ]
    found = dedup(frames[0], against=frames[1], only_against=only_against, checkpoint=str(tmp_path / "run"))
    expected = on_one_machine(own, known, only_against=only_against)
    assert answer(found) == expected
    assert sum(is_other for _, _, is_other in expected.values()) > 50


def test_components(data: Any, tmp_path: Path) -> None:
    found = answer(dedup(data, cluster="components", checkpoint=str(tmp_path / "run")))
    assert found == on_one_machine(NAMES, cluster="components")
    assert len(found) > len(on_one_machine(NAMES)), "the chain is one component"


def test_texts_of_100_megabytes_beside_empty_ones_and_nulls(tmp_path: Path) -> None:
    source = random.Random(5)
    paragraphs = [" ".join(prose(source, 1000)) for _ in range(200)]
    long = " ".join(source.choices(paragraphs, k=26_000))
    assert len(long) > 100_000_000
    texts = {1: long, 2: long[: len(long) * 9 // 10], 3: None, 4: "", 5: "", 6: "short", 7: "short", 8: "…"}
    data = write(tmp_path / "data", list(texts), list(texts.values()), n_files=2)
    # Spark has a text in the heap several times: as a page, as a column, as a row, as bytes, and in pieces.
    cluster = Cluster(tmp_path / "cluster", memory="2200m")
    try:
        driver = Driver(cluster, tmp_path / "driver", data, tmp_path / "run", spark={"spark.executor.memory": "2g"})
        assert driver.found() == on_one_machine(texts)
    finally:
        cluster.stop()


def test_a_large_bucket_of_one_shingle_among_longer_texts(spark: Any, tmp_path: Path) -> None:
    texts = dict(enumerate(short(random.Random(3), n=300, n_longer=16_000)))
    # Bands of few rows, and so many that every bucket has some of them, one before all of the others.
    # Compared by their shingles: word by word, half of them would be no duplicates.
    settings: dict[str, Any] = {"min_score": 0.55, "short_texts": "shingles"}
    found = answer(dedup(frame(spark, texts, "bigint"), checkpoint=str(tmp_path / "run"), **settings))
    assert found == on_one_machine(texts, **settings)
    assert len(found) == 299


def test_copies_of_one_text_are_not_gathered_for_the_key(spark: Any, tmp_path: Path) -> None:
    once = spark.createDataFrame([(i, bytes([i]) * 32) for i in range(5)], "place bigint, digest binary")
    folders = [Checkpoint(spark, str(tmp_path / name), {}) for name in ("once", "twice")]
    # Millions of equal digests would be one list, of gigabytes.
    assert secret(folders[0], once) == secret(folders[1], once.union(once))


def test_no_pairs_and_no_documents(spark: Any, tmp_path: Path) -> None:
    source = random.Random(3)
    alone = {i: " ".join(prose(source, 50)) for i in range(9)}
    assert answer(dedup(frame(spark, alone, "bigint"), checkpoint=str(tmp_path / "alone"))) == {}
    assert answer(dedup(frame(spark, {}), checkpoint=str(tmp_path / "none"))) == {}


def test_dates_and_names_of_columns(spark: Any, tmp_path: Path) -> None:
    text = " ".join(prose(random.Random(3), 50))
    rows = [("a", text, "2026-01-01"), ("b", text + " end", "2026-03-01"), ("c", text, None)]
    dated = spark.createDataFrame(rows, "url string, body string, day string").selectExpr("url", "body", "date(day) as day")
    found = dedup(dated, id="url", text="body", keep="newest:day", checkpoint=str(tmp_path / "run"))
    assert {id: kept for id, (kept, _, _) in answer(found).items()} == {"a": "b", "c": "b"}


def refused(of: str, *arguments: Any, **settings: Any) -> None:
    with pytest.raises(ValueError, match=of):
        dedup(*arguments, **settings)


def test_lists_of_texts_are_one_text(spark: Any, tmp_path: Path) -> None:
    talks = [
        ("a", [("user", "one two three"), ("bot", None), ("user", "four five six")]),
        ("b", [("user", "one two three four five six")]),
        ("c", []),
        ("d", None),
    ]
    kind = "id string, messages array<struct<role: string, content: string>>"
    found = answer(dedup(spark.createDataFrame(talks, kind), text="messages.content", checkpoint=str(tmp_path / "run")))
    assert found == on_one_machine({"a": "one two three\nfour five six", "b": "one two three four five six", "c": "", "d": ""})
    assert len(found) == 1
    numbers = spark.createDataFrame([("a", [1])], "id string, text array<int>")
    with pytest.raises(ValueError, match=re.escape("array<int>, and texts are strings, or lists of strings; cast it")):
        dedup(numbers, checkpoint=str(tmp_path / "numbers"))


def test_a_checkpoint_of_something_else_is_refused(spark: Any, tmp_path: Path) -> None:
    text = " ".join(prose(random.Random(3), 50))
    rows, run = {"a": text, "b": text + " end"}, str(tmp_path / "run")
    first = answer(dedup(frame(spark, rows), checkpoint=run))
    assert answer(dedup(frame(spark, rows), checkpoint=run)) == first != {}
    refused("was made with scheme", frame(spark, rows), shingle=4, checkpoint=run)
    refused("was made with threshold `0.8`, and now it is `0.9`", frame(spark, rows), min_score=0.9, checkpoint=run)
    refused("was made with keep", frame(spark, rows), keep="longest", checkpoint=run)
    refused("was made from other documents", frame(spark, {**rows, "b": text + " other"}), checkpoint=run)
    (tmp_path / "mine").mkdir()
    (tmp_path / "mine" / "file.txt").write_text("not ours")
    refused("has files that are no checkpoint", frame(spark, rows), checkpoint=str(tmp_path / "mine"))


def test_documents_that_cannot_be_told_apart_are_refused(spark: Any, tmp_path: Path) -> None:
    rows = [("a", "one"), ("a", "two"), ("b", "three")]
    refused("ids are not different: `a` \\(2 times\\)", spark.createDataFrame(rows, "id string, text string"), checkpoint=str(tmp_path / "twice"))
    rows = [(None, "one"), ("b", "three")]
    refused("1 documents have no id", spark.createDataFrame(rows, "id string, text string"), checkpoint=str(tmp_path / "none"))
    refused("is double", frame(spark, {1.5: "one"}, "double"), checkpoint=str(tmp_path / "kind"))
    refused("needs dates or times", frame(spark, {"a": "one"}), keep="newest:text", checkpoint=str(tmp_path / "keep"))


@pytest.mark.parametrize("missing", ["fanmill", "pyarrow"])
def test_a_python_without_what_is_needed_is_refused(
    other_cluster: Cluster, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, missing: str
) -> None:
    data = write(tmp_path / "data", ["a"], ["one"], n_files=1)
    # This Python, but for one package.
    bare = tmp_path / "python"
    bare.write_text(f'#!/bin/sh\nexport PYTHONPATH="{tmp_path}:$PYTHONPATH"\nexec "{sys.executable}" "$@"\n')
    bare.chmod(0o755)
    (tmp_path / "sitecustomize.py").write_text(f"import sys; sys.modules['{missing}'] = None")
    monkeypatch.setitem(os.environ, "PYSPARK_PYTHON", str(bare))
    driver = Driver(other_cluster, tmp_path / "driver", data, tmp_path / "run", spark={"spark.pyspark.driver.python": sys.executable})
    assert driver.process.wait() != 0
    error = driver.log.read_text().rpartition("FanmillError: ")[2]
    expected = {"fanmill": f"has fanmill none: .* and the driver {fanmill.__version__};", "pyarrow": "ModuleNotFoundError: .*pyarrow"}
    assert re.search(expected[missing], error) and "PYSPARK_PYTHON" in error, error[-3000:]


def test_short_texts_differ_by_slips_as_on_one_machine(spark: Any, tmp_path: Path) -> None:
    verse = "Rain on the harbour, lanterns along the quay; the last ferry carries nobody home tonight"
    alias = "This command is an alias of the command {0}, and help for {0} is what explains it to everybody"
    texts = {
        "a": verse,
        "b": verse.replace("lanterns", "lanternes"),
        "c": verse.replace("ferry", "coach"),
        "d": alias.format("zegrep"),
        "e": alias.format("zfgrep"),
        "f": verse + " alone",
        "g": "Rain on the harbour",
        "h": "rain on the harbour!",
    }
    path = write(tmp_path / "data", list(texts), list(texts.values()), n_files=2)
    gone = {}
    for short_texts in ("slips", "shingles"):
        run = str(tmp_path / short_texts)
        found = answer(dedup(spark.read.parquet(path), min_score=0.6, short_texts=short_texts, checkpoint=run))
        assert found == on_one_machine(texts, min_score=0.6, short_texts=short_texts)
        gone[short_texts] = set(found)
    assert gone["slips"] == {"b", "f", "h"}
    assert "c" not in gone["shingles"] or gone["shingles"] != gone["slips"]
