"""`fanmill.spark.dedup_runs`: the answer of one machine, on skewed texts too."""

from __future__ import annotations

import random
from pathlib import Path
from typing import Any, Optional

import fanmill
import pyarrow as pa
import pytest
from fanmill.spark import _runs, dedup_runs
from samples import prose



def on_one_machine(texts: dict[Any, Optional[str]], **settings: Any) -> dict[Any, Optional[str]]:
    """The rest of documents that change, in the order of this dict."""
    result = fanmill.dedup(list(texts.values()), unit="run", progress=False, **settings)
    rows = zip(texts, result.keep, result.changed, result.texts)
    return {id: text for id, stays, is_changed, text in rows if is_changed or not stays}


def answer(frame: Any) -> dict[Any, Optional[str]]:
    rows = frame.collect()
    found = {row["id"]: row["text"] for row in rows}
    assert len(found) == len(rows), "a document is named once"
    return found


def small(seed: int, n: int = 40) -> list[str]:
    """Texts of few different words, with parts of earlier ones, which join to what is repeated again."""
    dice = random.Random(seed)
    words, white = ["a", "b", "c.", 'd!"', "é", "漢", "。", "A"], [" ", " ", "  ", "\n", "\r\n"]
    texts: list[str] = []
    for _ in range(n):
        text = ""
        for _ in range(dice.randrange(4)):
            if texts and dice.random() < 0.5:
                earlier = dice.choice(texts)
                start, end = sorted(dice.randrange(len(earlier) + 1) for _ in range(2))
                text += earlier[start:end] + " "
            else:
                text += "".join(dice.choice(words) + dice.choice(white) for _ in range(dice.randrange(24)))
        texts.append(text)
    return texts


@pytest.mark.parametrize(
    "settings",
    [{"min_words": 4}, {"min_words": 3, "cut": "sentence", "min_rest": 3}, {"min_bytes": 9, "min_rest": 2}],
    ids=lambda settings: "-".join(settings),
)
def test_the_answer_is_that_of_one_machine(spark: Any, tmp_path: Path, settings: dict[str, Any]) -> None:
    texts: dict[Any, Optional[str]] = dict(enumerate([*small(5), None, ""]))
    data = spark.createDataFrame(list(texts.items()), "id bigint, text string").repartition(5)
    expected = on_one_machine(texts, **settings)
    folder = str(tmp_path / "run")
    found = dedup_runs(data, checkpoint=folder, **settings)
    assert answer(found) == expected and len(expected) > 9
    # A call with the same folder goes on where the other one ended.
    assert answer(dedup_runs(data, checkpoint=folder, **settings)) == expected
    other = data.where("id < 20")
    with pytest.raises(ValueError, match="was made from other documents"):
        dedup_runs(other, checkpoint=folder, **settings)


def test_a_column_says_the_order(spark: Any, tmp_path: Path) -> None:
    notice = "all rights are reserved by somebody who means it"
    rows = [("a", f"late {notice}", 3), ("b", f"early {notice}", 1), ("c", f"none {notice}", None), ("d", "no words", 2)]
    data = spark.createDataFrame(rows, "url string, body string, day int")
    found = dedup_runs(data, "url", "body", 5, order="day", checkpoint=str(tmp_path / "run"))
    assert answer(found) == {"a": "late", "c": "none"}
    first = dedup_runs(data, "url", "body", 5, checkpoint=str(tmp_path / "first"))
    assert answer(first) == {"b": "early", "c": "none"}
    assert [row["words_left"] for row in first.orderBy("id").collect()] == [1, 1]


@pytest.mark.parametrize("heavy", [1 << 20, 50], ids=["joined", "sent to all"])
def test_a_licence_in_many_documents_and_one_word_very_often(
    spark: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, heavy: int
) -> None:
    monkeypatch.setattr(_runs, "HEAVY", heavy)
    source = random.Random(3)
    licence = " ".join(prose(source, 80))
    texts: dict[Any, Optional[str]] = {
        i: " ".join([*prose(source, 20), licence, *prose(source, 10)]) for i in range(2000)
    }
    texts[2000] = "word " * 200_000
    texts[2001] = "word " * 30 + "end"
    data = spark.createDataFrame(list(texts.items()), "id bigint, text string").repartition(4)
    found = answer(dedup_runs(data, min_words=20, checkpoint=str(tmp_path / "run")))
    expected = on_one_machine(texts, min_words=20)
    assert found == expected and len(found) == 2001


def test_settings_are_refused_before_any_work(spark: Any, tmp_path: Path) -> None:
    data = spark.createDataFrame([("a", "one")], "id string, text string")
    for settings, text in (
        ({"min_words": 0}, "use `min_words=` 1 or more"),
        ({"min_words": 5, "min_bytes": 9}, "`min_words=` has no effect with `min_bytes=`"),
        ({"cut": "letter"}, "unknown variant `letter`"),
    ):
        with pytest.raises(ValueError, match=text):
            dedup_runs(data, checkpoint=str(tmp_path / "run"), **settings)  # type: ignore[arg-type]
    assert not (tmp_path / "run").exists()
    twice = spark.createDataFrame([("a", "one"), ("a", "two")], "id string, text string")
    with pytest.raises(ValueError, match="ids are not different"):
        dedup_runs(twice, checkpoint=str(tmp_path / "twice"))


def test_windows_are_put_together_across_batches() -> None:
    rows = [(1, 0, 4), (1, 2, 6), (1, 6, 9), (1, 11, 12), (2, 0, 3), (7, 5, 8)]
    for size in (1, 2, 4, 6):
        batches = [
            pa.RecordBatch.from_arrays([pa.array(column) for column in zip(*rows[at : at + size])], ["place", "begin", "end"])
            for at in range(0, len(rows), size)
        ]
        found = [row for batch in _runs.together(iter(batches)) for row in batch.to_pylist()]
        assert found == [
            {"place": 1, "going": [0, 9, 11, 12]},
            {"place": 2, "going": [0, 3]},
            {"place": 7, "going": [5, 8]},
        ]
