"""Tables of Delta Lake and Iceberg: their folders are refused, and the way out that is named leads there and back."""

from __future__ import annotations

import subprocess
from pathlib import Path
from typing import Any

import fanmill
import pytest

NOTE = "the committee met on the second Tuesday of the month, and resolved to mend the roof of the old mill before winter"
#: The second row is a copy of the first; the last one is deleted from the table, and stays in a file of it.
ROWS = [
    {"id": 1, "text": NOTE},
    {"id": 2, "text": NOTE.upper()},
    {"id": 3, "text": "a note of three lines about something else"},
    {"id": 4, "text": "a row that somebody has deleted since"},
]


@pytest.fixture
def rows() -> Any:
    return pytest.importorskip("pyarrow").Table.from_pylist(ROWS)


def refused(program: str, folder: Path, kind: str, library: str) -> None:
    """Checks that the command refuses the folder of a table, and names the way out."""
    command = [program, "dedup", str(folder), "-o", str(folder.parent / "out")]
    run = subprocess.run(command, capture_output=True, text=True, check=False)
    assert run.returncode == 3 and not (folder.parent / "out").exists()
    assert kind in run.stderr and library in run.stderr


def test_a_table_of_delta_lake(program: str, rows: Any, tmp_path: Path) -> None:
    deltalake = pytest.importorskip("deltalake")
    folder = tmp_path / "delta"
    deltalake.write_deltalake(str(folder), rows)
    deltalake.DeltaTable(str(folder)).delete("id = 4")
    refused(program, folder, "Delta Lake", "deltalake")

    table = deltalake.DeltaTable(str(folder)).to_pyarrow_table()
    assert sorted(table["id"].to_pylist()) == [1, 2, 3]
    kept = fanmill.dedup(table).apply(table)
    deltalake.write_deltalake(str(folder), kept, mode="overwrite")
    assert sorted(deltalake.DeltaTable(str(folder)).to_pyarrow_table()["id"].to_pylist()) == [1, 3]


def test_a_table_of_iceberg(program: str, rows: Any, tmp_path: Path) -> None:
    catalogs = pytest.importorskip("pyiceberg.catalog.sql")
    place = {"uri": f"sqlite:///{tmp_path}/catalog.db", "warehouse": f"file://{tmp_path}"}
    catalog = catalogs.SqlCatalog("local", **place)
    catalog.create_namespace("corpus")
    stored = catalog.create_table("corpus.notes", schema=rows.schema)
    stored.append(rows)
    stored.delete("id = 4")
    refused(program, Path(stored.location().removeprefix("file://")), "Iceberg", "pyiceberg")

    table = stored.scan().to_arrow()
    assert sorted(table["id"].to_pylist()) == [1, 2, 3]
    kept = fanmill.dedup(table).apply(table)
    stored.overwrite(kept)
    assert sorted(stored.scan().to_arrow()["id"].to_pylist()) == [1, 3]
