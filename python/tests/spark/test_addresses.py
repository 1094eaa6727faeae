"""Documents of one address: on a cluster the answer of one machine, of which the command has the same tests."""

from __future__ import annotations

import random
from pathlib import Path
from typing import Any, Optional

import fanmill
import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from fanmill.spark import dedup
from samples import documents

SPELLINGS = [
    "http://x.example/{}",
    "HTTP://X.example:80/./{}#top",
    "x.example/{}?&",
    "http://x.example/{}/index",
    "mailto:{}@x.example",
    "no address {}",
]

Row = dict[str, Any]
#: Original, resemblance, whether that is of the reference, and whether a document goes by its address.
Answer = dict[str, tuple[str, Optional[float], bool, bool]]


def rows(seed: int) -> list[Row]:
    """Documents with addresses, of which some are the same."""
    source = random.Random(seed)
    texts = [text for text in documents(n_large=40) if not isinstance(text, bytes)]

    def address() -> Optional[str]:
        return None if source.random() < 0.1 else source.choice(SPELLINGS).format(source.randrange(40))

    return [{"id": f"doc-{i:05}", "page": address(), "text": text} for i, text in enumerate(texts)]


def on_one_machine(own: list[Row], against: Optional[list[Row]] = None, **settings: Any) -> Answer:
    found = fanmill.dedup(own, against=against, progress=False, first_by="url", url_field="page", **settings)
    columns = zip(own, found.duplicate_of, found.resemblance, found.in_against, found.by_address)
    return {
        row["id"]: (((against or []) if is_other else own)[of]["id"], alike, bool(is_other), by_address)
        for row, of, alike, is_other, by_address in columns
        if of is not None
    }


def frame(spark: Any, folder: Path, own: list[Row]) -> Any:
    folder.mkdir()
    shuffled = random.Random(1).sample(own, len(own))
    for number in range(3):
        pq.write_table(pa.Table.from_pylist(shuffled[number::3]), folder / f"{number}.parquet")
    return spark.read.parquet(str(folder))


def answer(found: Any) -> Answer:
    return {
        row["id"]: (row["duplicate_of"], row["resemblance"], row.asDict().get("in_against", False), row["by_address"])
        for row in found.collect()
    }


def test_the_preferred_document_of_each_address_stays(spark: Any, tmp_path: Path) -> None:
    own = rows(3)
    df = frame(spark, tmp_path / "own", own)
    for keep in ("first", "longest"):
        found = dedup(df, keep=keep, first_by="url", url_field="page", checkpoint=str(tmp_path / keep))
        expected = on_one_machine(own, keep=keep)
        assert answer(found) == expected
        assert {by_address for *_, by_address in expected.values()} == {True, False}
        assert {alike is None for _, alike, *_ in expected.values()} == {True, False}


def test_a_reference_has_no_addresses_and_rules_count(spark: Any, tmp_path: Path) -> None:
    own, known = rows(4), [{**row, "id": "known-" + row["id"]} for row in rows(5)[::7]]
    rule = r'{"host":"x.example","operation":"replace","regex":"^(http://x\\.example/[0-9]+)/index$","replace":"${1}"}'
    rules = tmp_path / "rules.jsonl"
    rules.write_text(rule, encoding="utf-8")
    df, against = frame(spark, tmp_path / "own", own), frame(spark, tmp_path / "known", known)
    found = dedup(
        df, against=against, first_by="url", url_field="page", url_rules=rules, checkpoint=str(tmp_path / "run")
    )
    assert answer(found) == on_one_machine(own, known, url_rules=rules)


def test_addresses_that_make_no_sense_are_refused(spark: Any, tmp_path: Path) -> None:
    df = spark.createDataFrame([("a", "no address", 7), ("b", None, 8)], "id string, text string, n int")
    for settings, words in (
        ({"url_field": "page"}, "`url_field` has no effect without `first_by`"),
        ({"first_by": "day"}, "not one of url"),
        ({"first_by": "url", "only_against": True, "against": df}, "`first_by` has no effect with `only_against`"),
        ({"first_by": "url", "url_field": "n"}, "addresses are strings"),
        ({"first_by": "url", "url_field": "text"}, "no document has an address of the web"),
    ):
        with pytest.raises(ValueError, match=words):
            dedup(df, checkpoint=str(tmp_path / "run"), **settings)
