"""What people have their texts in: each library in, and the same out again."""

from __future__ import annotations

from typing import Any, Callable

import fanmill
import pytest

TEXTS = ["the cat sat on the mat and slept", "a dog", None, "THE CAT SAT ON THE MAT AND SLEPT"]
IDS = [7, 8, 9, 10]
KEPT = [7, 8, 9]


def of_pyarrow() -> Any:
    pa = pytest.importorskip("pyarrow")
    return pa.table({"id": IDS, "text": pa.chunked_array([TEXTS[:2], TEXTS[2:]])})


def of_polars() -> Any:
    return pytest.importorskip("polars").DataFrame({"id": IDS, "text": TEXTS})


def of_pandas() -> Any:
    return pytest.importorskip("pandas").DataFrame({"id": IDS, "text": TEXTS}, index=[3, 2, 1, 0])


def of_datasets() -> Any:
    dataset = pytest.importorskip("datasets").Dataset.from_dict({"id": [0, *IDS], "text": ["out", *TEXTS]})
    # Rows that are chosen stay where they are, behind a list of their numbers.
    return dataset.select([1, 2, 3, 4])


#: Until duckdb 2, a connection is closed with the last name for it, although there is a relation.
CONNECTIONS: list[Any] = []


def of_duckdb() -> Any:
    duckdb = pytest.importorskip("duckdb")
    pytest.importorskip("pyarrow")
    connection = duckdb.connect()
    CONNECTIONS.append(connection)
    connection.execute('create table t (id integer, "text" varchar)')
    connection.executemany("insert into t values (?, ?)", list(zip(IDS, TEXTS)))
    return connection.table("t")


def ids(data: Any) -> list[int]:
    column = data["id"]
    return list(column.to_pylist() if hasattr(column, "to_pylist") else column)


@pytest.mark.parametrize("make", [of_pyarrow, of_polars, of_pandas, of_datasets, of_duckdb])
def test_a_table_without_its_duplicates(make: Callable[[], Any]) -> None:
    data = make()
    expected = fanmill.dedup(TEXTS, keep="first")
    result = fanmill.dedup(data, keep="first")
    assert result.duplicate_of.to_pylist() == expected.duplicate_of.to_pylist() == [None, None, None, 0]
    kept = result.apply(data)
    assert ids(kept) == KEPT
    if make is not of_duckdb:
        assert type(kept) is type(data)


@pytest.mark.parametrize("make", [of_pyarrow, of_polars, of_pandas, of_datasets])
def test_a_column_alone(make: Callable[[], Any]) -> None:
    column = make()["text"]
    assert fanmill.band_keys(column).to_pylist() == fanmill.band_keys(TEXTS).to_pylist()
    assert len(fanmill.dedup(column).apply(column)) == 3


def test_frames_that_are_not_there_yet() -> None:
    lazy = of_polars().lazy()
    assert fanmill.dedup(lazy, keep="first").keep.to_pylist() == [True, True, True, False]


@pytest.mark.parametrize("kind", ["object", "string", "str"])
def test_strings_of_pandas_of_any_kind(kind: str) -> None:
    pandas = pytest.importorskip("pandas")
    try:
        series = pandas.Series(TEXTS, dtype=kind)
    except TypeError:
        pytest.skip(f"this pandas has no {kind}")
    if kind == "str" and series[2] == "None":
        pytest.skip("this pandas makes text of what is missing")
    assert fanmill.band_keys(series).to_pylist() == fanmill.band_keys(TEXTS).to_pylist()


def test_columns_of_ours_become_series() -> None:
    polars = pytest.importorskip("polars")
    column = fanmill.resemblance(TEXTS, TEXTS)
    assert polars.Series(column).to_list() == [1.0, 1.0, None, 1.0]
    pairs = fanmill.dedup(TEXTS).pairs()
    assert polars.DataFrame(pairs).rows() == [(0, 3, 1.0, False)]


def test_frames_of_pandas_are_indexed_by_what_stays() -> None:
    pandas, polars = pytest.importorskip("pandas"), pytest.importorskip("polars")
    cat, dog = "the cat sat on the mat and slept", "a dog ran through the park"
    texts = {"text": [cat, f"{cat} again", dog]}
    result = fanmill.dedup(texts["text"], min_score=0.5)
    frame = pandas.DataFrame(texts)
    assert frame[result.keep]["text"].tolist() == [cat, dog]
    assert frame.loc[result.keep, "text"].tolist() == [cat, dog]
    assert polars.DataFrame(texts).filter(polars.Series(result.keep))["text"].to_list() == [cat, dog]
    with pytest.raises(TypeError, match="rows are chosen by a column of bool, and this one is of type Float64"):
        frame[result.resemblance]


def test_addresses_are_a_column_of_any_table() -> None:
    pa, pandas = pytest.importorskip("pyarrow"), pytest.importorskip("pandas")
    polars, duckdb = pytest.importorskip("polars"), pytest.importorskip("duckdb")
    datasets = pytest.importorskip("datasets")
    rows = {
        "page": ["http://x.example/a", "HTTP://X.example:80/a#top", None, "no address"],
        "text": ["the cat sat on the mat", "a dog ran", "words of its own", "other words"],
    }
    table = pa.table(rows)
    data_set = datasets.Dataset.from_dict(rows)
    connection = duckdb.connect()
    tables = [
        table,
        pa.RecordBatchReader.from_batches(table.schema, table.to_batches()),
        pandas.DataFrame(rows),
        polars.DataFrame(rows),
        polars.DataFrame(rows).lazy(),
        connection.from_arrow(table),
        data_set,
        data_set.to_iterable_dataset(),
    ]
    for data in tables:
        result = fanmill.dedup(data, first_by="url", url_field="page")
        assert result.by_address.to_pylist() == [None, True, None, None], type(data)
    for data in (table["text"], pandas.Series(rows["text"]), polars.Series(rows["text"])):
        with pytest.raises(ValueError, match="texts alone"):
            fanmill.dedup(data, first_by="url")
