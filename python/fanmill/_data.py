"""What people have their texts in: which column of it has them, and what is left without its duplicates.

Libraries are recognised by the names of their types, so that none has to be installed.
"""

from __future__ import annotations

from importlib import import_module
from typing import Any

from ._native import Column


def library(data: Any) -> str:
    """The library that a type is of: ``pandas``, ``builtins``."""
    return type(data).__module__.partition(".")[0]


def column(data: Any, text: str) -> Any:
    """The column ``text`` of a table, or what is a column itself, in a form that the native part reads."""
    kind, name = library(data), type(data).__name__
    if kind == "pandas":
        return _of_pandas(data[text] if name == "DataFrame" else data)
    if kind == "polars" and name == "LazyFrame":
        return data.select(text).collect()[text]
    if kind == "polars" and name == "DataFrame":
        return data[text]
    if kind == "datasets" and name == "Dataset":
        return data.select_columns([text]).with_format("arrow")[:][text]
    if name == "DuckDBPyRelation":
        return data.project('"' + text.replace('"', '""') + '"')
    if name == "IterableDataset" or kind == "builtins" and isinstance(data, (list, tuple)) and data and isinstance(data[0], dict):
        return (_of_record(row, text) for row in data)
    return data


def _of_record(row: Any, text: str) -> Any:
    if text not in row:
        raise ValueError(f"a record has no field `{text}`; it has {', '.join(f'`{name}`' for name in row)}")
    return row[text]


def _of_pandas(series: Any) -> Any:
    if hasattr(series, "__arrow_c_stream__"):
        return series
    return series.astype(object).where(series.notna(), None).tolist()


def _stays(keep: Column, row: int) -> Any:
    if row >= len(keep):
        raise ValueError(f"the data has more rows than the {len(keep):,} texts that the result is of; give the same data")
    return keep[row]


def rows_kept(data: Any, keep: Column) -> Any:
    """The rows of data that stay, as what the data is."""
    try:
        n_rows = len(data)
    except TypeError:
        n_rows = len(keep)
    if n_rows != len(keep):
        raise ValueError(f"the data has {n_rows:,} rows, and the result is of {len(keep):,} texts; give the same data")
    kind = library(data)
    if kind == "pyarrow" or hasattr(data, "to_arrow_table"):
        pyarrow = import_module("pyarrow")
        table = data if hasattr(data, "filter") and kind == "pyarrow" else pyarrow.table(data)
        return table.filter(pyarrow.array(keep))
    if kind == "polars":
        return data.filter(import_module("polars").Series(keep))
    if kind == "pandas":
        return data[keep.to_pylist()]
    if type(data).__name__ == "IterableDataset":
        return data.filter(lambda _, row: _stays(keep, row), with_indices=True)
    rows = [row for row, stays in enumerate(keep) if stays]
    if hasattr(data, "select"):
        return data.select(rows)
    if hasattr(data, "__getitem__"):
        return [data[row] for row in rows]
    raise TypeError(f"rows of {type(data).__name__} cannot be taken again; give a table, a series or a list")
