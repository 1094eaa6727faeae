"""Odd documents, references, checkpoints of something else, and what cannot be used."""

from __future__ import annotations

import random
from pathlib import Path
from typing import Any

import pytest
from fanmill.spark import dedup
from samples import answer, documents, on_one_machine, prose, write

TEXTS = documents(n_large=0)
NAMES = {f"doc-{i:05}": text for i, text in enumerate(TEXTS)}


@pytest.fixture(scope="module")
def data(spark: Any, tmp_path_factory: pytest.TempPathFactory) -> Any:
    return spark.read.parquet(write(tmp_path_factory.mktemp("data") / "names", list(NAMES), TEXTS, n_files=3))


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


def test_a_checkpoint_of_something_else_is_refused(spark: Any, tmp_path: Path) -> None:
    text = " ".join(prose(random.Random(3), 50))
    rows, run = {"a": text, "b": text + " end"}, str(tmp_path / "run")
    first = answer(dedup(frame(spark, rows), checkpoint=run))
    assert answer(dedup(frame(spark, rows), checkpoint=run)) == first != {}
    refused("was made with scheme", frame(spark, rows), shingle=4, checkpoint=run)
    refused("was made with threshold `0.8`, and now it is `0.9`", frame(spark, rows), threshold=0.9, checkpoint=run)
    refused("was made with keep", frame(spark, rows), keep="first", checkpoint=run)
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
