"""What people have their texts in: which column of it has them, and what is left without its duplicates.

Libraries are recognised by the names of their types, so that none has to be installed.
"""

from __future__ import annotations

from importlib import import_module
from typing import Any, Mapping

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
    if _has_records(data):
        return (_of_record(row, text) for row in data)
    return data


def _has_records(data: Any) -> bool:
    """Whether rows are dicts that are taken one after another."""
    if type(data).__name__ == "IterableDataset":
        return True
    return library(data) == "builtins" and isinstance(data, (list, tuple)) and bool(data) and isinstance(data[0], dict)


def rows_again(data: Any) -> Any:
    """The data in a form that can be read twice."""
    if type(data).__name__ == "RecordBatchReader":
        return data.read_all()
    return list(data) if hasattr(data, "__next__") else data


def addresses(data: Any, field: str) -> Any:
    """The column of a table that has the addresses of its rows, in a form that the native part reads."""
    if _has_records(data):
        return (_address(row.get(field)) for row in data)
    if not any(hasattr(type(data), name) for name in ("columns", "column_names")):
        raise ValueError(f"`first_by` needs a table with a column `{field}`, and these are texts alone; give the table, or leave it out")
    found = column(data, field)
    # A connection of duckdb has one open result.
    return [row[0] for row in found.fetchall()] if type(data).__name__ == "DuckDBPyRelation" else found


def _address(value: Any) -> Any:
    return value if value is None or isinstance(value, (str, bytes)) else str(value)


def _of_record(row: Any, text: str) -> Any:
    if text not in row:
        raise ValueError(f"a record has no field `{text}`; it has {', '.join(f'`{name}`' for name in row)}")
    return row[text]


def _of_pandas(series: Any) -> Any:
    # Objects are walked through: pyarrow would refuse half a surrogate.
    if hasattr(series, "__arrow_c_stream__") and series.dtype != object:
        return series
    return series.astype(object).where(series.notna(), None).tolist()


def _stays(keep: Column, row: int) -> Any:
    if row >= len(keep):
        raise ValueError(f"the data has more rows than the {len(keep):,} texts that the result is of; give the same data")
    return keep[row]


def _check_rows(data: Any, keep: Column) -> None:
    try:
        n_rows = len(data)
    except TypeError:
        n_rows = len(keep)
    if n_rows != len(keep):
        raise ValueError(f"the data has {n_rows:,} rows, and the result is of {len(keep):,} texts; give the same data")


def _is_arrow(data: Any) -> bool:
    return library(data) == "pyarrow" or hasattr(data, "to_arrow_table")


def _arrow_of(data: Any) -> Any:
    """A table, an array or a chunked array of pyarrow."""
    return data if hasattr(data, "filter") and library(data) == "pyarrow" else import_module("pyarrow").table(data)


def _not_again(data: Any) -> TypeError:
    return TypeError(f"rows of {type(data).__name__} cannot be taken again; give a table, a series or a list")


def rows_kept(data: Any, keep: Column) -> Any:
    """The rows of data that stay, as what the data is."""
    _check_rows(data, keep)
    kind = library(data)
    if _is_arrow(data):
        return _arrow_of(data).filter(import_module("pyarrow").array(keep))
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
    raise _not_again(data)


def rows_edited(data: Any, text: str, keep: Column, changed: Column, texts: Column) -> Any:
    """The rows of data that stay, with the new texts of those that changed, as what the data is."""
    _check_rows(data, keep)
    kind = library(data)
    if _is_arrow(data):
        return _arrow_edited(_arrow_of(data), text, keep, changed, texts)
    if kind == "polars":
        return _polars_edited(data, text, keep, changed, texts)
    if kind == "pandas":
        return _pandas_edited(data, text, changed, texts)[keep.to_pylist()]
    if kind == "datasets":
        return _data_set_edited(data, text, keep, changed, texts)
    if hasattr(data, "__getitem__"):
        rows = [row for row, stays in enumerate(keep) if stays]
        return [_row_edited(data[row], text, texts[row]) if changed[row] else data[row] for row in rows]
    raise _not_again(data)


def _row_edited(row: Any, text: str, new: str) -> Any:
    """A text, or a record, with a new text."""
    if isinstance(row, Mapping):
        return {**row, text: _row_edited(row[text], text, new)}
    return new.encode("utf-8") if isinstance(row, (bytes, bytearray)) else new


def _arrow_edited(data: Any, text: str, keep: Column, changed: Column, texts: Column) -> Any:
    pyarrow, compute = import_module("pyarrow"), import_module("pyarrow.compute")
    stays = pyarrow.array(keep)

    def plain(old: Any) -> Any:
        """A column with the new texts, of a type that rows can be chosen of."""
        kind = pyarrow.large_binary() if "binary" in str(_values(old.type)) else pyarrow.large_string()
        return compute.if_else(pyarrow.array(changed), pyarrow.array(texts).cast(kind), old.cast(_values(old.type)).cast(kind))

    def as_before(new: Any, kind: Any) -> Any:
        """The column in the type that it had, if it has room for the new texts."""
        try:
            new = new.cast(_values(kind))
            return new if _values(kind) == kind else new.dictionary_encode().cast(kind)
        except pyarrow.ArrowInvalid:
            return new

    def _values(kind: Any) -> Any:
        return kind.value_type if pyarrow.types.is_dictionary(kind) else kind

    if not hasattr(data, "schema"):
        return as_before(plain(data).filter(stays), data.type)
    place = data.schema.get_field_index(text)
    field = data.schema.field(place)
    rest = _with_column(data, place, plain(data.column(place))).filter(stays)
    return _with_column(rest, place, as_before(rest.column(place), field.type))


def _with_column(data: Any, place: int, column: Any) -> Any:
    """A table or a batch of pyarrow with another column in a place."""
    columns = list(data.columns)
    columns[place] = column
    schema = data.schema.set(place, data.schema.field(place).with_type(column.type))
    return type(data).from_arrays(columns, schema=schema)


def _polars_edited(data: Any, text: str, keep: Column, changed: Column, texts: Column) -> Any:
    polars = import_module("polars")
    kept, unchanged = polars.Series(keep), ~polars.Series(changed)

    def edited(old: Any) -> Any:
        if old.dtype != polars.Binary:
            old = old.cast(polars.String)
        return old.zip_with(unchanged, polars.Series(texts).cast(old.dtype)).alias(old.name)

    if type(data).__name__ == "Series":
        return edited(data).filter(kept)
    if type(data).__name__ == "LazyFrame":
        return _polars_edited(data.collect(), text, keep, changed, texts).lazy()
    return data.with_columns(edited(data[text])).filter(kept)


def _pandas_edited(data: Any, text: str, changed: Column, texts: Column) -> Any:
    column = data[text] if type(data).__name__ == "DataFrame" else data
    # A category would have no room for new texts.
    column = column.astype(object) if str(column.dtype) == "category" else column.copy()
    rows = [row for row, is_changed in enumerate(changed) if is_changed]
    if rows:
        column.iloc[rows] = [_row_edited(column.iloc[row], text, texts[row]) for row in rows]
    return data.assign(**{text: column}) if type(data).__name__ == "DataFrame" else column


def _data_set_edited(data: Any, text: str, keep: Column, changed: Column, texts: Column) -> Any:
    if type(data).__name__ == "IterableDataset":

        def edited(row: Any, number: int) -> Any:
            return {text: _row_edited(row[text], text, texts[number])} if _stays(keep, number) and changed[number] else {}

        data = data.map(edited, with_indices=True, features=data.features)
        return data.filter(lambda _, row: _stays(keep, row), with_indices=True)
    if type(data).__name__ != "Dataset":
        return rows_edited(list(data), text, keep, changed, texts)
    seen = data.format
    table = _arrow_edited(data.with_format("arrow")[:], text, keep, changed, texts)
    made = type(data)(table, info=data.info, split=data.split)
    return made.with_format(seen["type"], seen["columns"], seen["output_all_columns"], **seen["format_kwargs"])
