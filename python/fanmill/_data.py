"""What people have their texts in: which column of it has them, and what is left without its duplicates.

Libraries are recognised by the names of their types, so that none has to be installed.
"""

from __future__ import annotations

from typing import Any


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
    return data


def _of_pandas(series: Any) -> Any:
    if hasattr(series, "__arrow_c_stream__"):
        return series
    return series.astype(object).where(series.notna(), None).tolist()
