"""The output of the command is a corpus: what reads the input reads the output, with the rows that stayed."""

from __future__ import annotations

import json
import subprocess
from pathlib import Path
from typing import Any, Callable, Iterable

import pytest

TEXTS = [" ".join(f"w{seed * 31 + word}" for word in range(40)) for seed in range(9)]
ROWS = [{"id": row, "text": TEXTS[row % 9], "score": row / 2} for row in range(12)]
KEPT = list(range(9))


def write_jsonl(path: Path, rows: Iterable[dict[str, Any]]) -> None:
    path.write_text("".join(json.dumps(row) + "\n" for row in rows), encoding="utf-8")


def write_csv(path: Path, rows: Iterable[dict[str, Any]]) -> None:
    lines = [",".join(str(value) for value in row.values()) for row in rows]
    path.write_text("\n".join(["id,text,score", *lines]) + "\n", encoding="utf-8")


def write_parquet(path: Path, rows: Iterable[dict[str, Any]]) -> None:
    pyarrow = pytest.importorskip("pyarrow")
    pytest.importorskip("pyarrow.parquet").write_table(pyarrow.Table.from_pylist(list(rows)), path)


WRITERS = {"jsonl": write_jsonl, "csv": write_csv, "parquet": write_parquet}


@pytest.fixture(params=sorted(WRITERS))
def corpus(request: pytest.FixtureRequest, program: str, tmp_path: Path) -> tuple[str, Path]:
    """A corpus of two shards without its duplicates, and its format."""
    kind = str(request.param)
    (tmp_path / "in").mkdir()
    for number, first in enumerate((0, 6)):
        WRITERS[kind](tmp_path / "in" / f"part-{number}.{kind}", ROWS[first : first + 6])
    command = [program, "dedup", str(tmp_path / "in"), "-o", str(tmp_path / "out"), "--quiet"]
    subprocess.run(command, check=True)
    return kind, tmp_path / "out"


def pandas_of(kind: str, folder: Path) -> Any:
    pandas = pytest.importorskip("pandas")
    if kind == "parquet":
        return pandas.read_parquet(folder)["id"]
    read: Callable[[Path], Any] = pandas.read_csv if kind == "csv" else lambda path: pandas.read_json(path, lines=True)
    return pandas.concat([read(path) for path in sorted(folder.glob("*"))])["id"]


def pyarrow_of(kind: str, folder: Path) -> Any:
    form = "json" if kind == "jsonl" else kind
    table = pytest.importorskip("pyarrow.dataset").dataset(folder, format=form, exclude_invalid_files=False).to_table()
    return table["id"].to_pylist()


def polars_of(kind: str, folder: Path) -> Any:
    polars = pytest.importorskip("polars")
    scan = {"jsonl": polars.scan_ndjson, "csv": polars.scan_csv, "parquet": polars.scan_parquet}[kind]
    both = [scan(folder).collect()["id"].to_list(), scan(folder / f"*.{kind}").collect()["id"].to_list()]
    assert both[0] == both[1]
    return both[0]


def duckdb_of(kind: str, folder: Path) -> Any:
    connection = pytest.importorskip("duckdb").connect()
    return [row[0] for row in connection.sql(f"select id from '{folder}/**/*.{kind}'").fetchall()]


def datasets_of(kind: str, folder: Path) -> Any:
    datasets = pytest.importorskip("datasets")
    return datasets.load_dataset(str(folder), cache_dir=str(folder.parent / "cache"))["train"]["id"]


@pytest.mark.parametrize("read", [pandas_of, pyarrow_of, polars_of, duckdb_of, datasets_of])
def test_every_reader_finds_what_stayed(read: Callable[[str, Path], Any], corpus: tuple[str, Path]) -> None:
    assert sorted(read(*corpus)) == KEPT


def test_a_second_run_changes_nothing(program: str, corpus: tuple[str, Path], tmp_path: Path) -> None:
    _, folder = corpus
    subprocess.run([program, "dedup", str(folder), "-o", str(tmp_path / "again"), "--quiet"], check=True)
    files = [{path.name: path.read_bytes() for path in (tmp_path / name).iterdir()} for name in ("out", "again")]
    assert files[0] == files[1] and len(files[0]) == 2


def test_a_data_set_with_a_card_is_one_afterwards(program: str, tmp_path: Path) -> None:
    """`datasets` checks the counts of a card; those of the old shards would be wrong."""
    datasets = pytest.importorskip("datasets")
    (tmp_path / "in" / "data").mkdir(parents=True)
    write_parquet(tmp_path / "in" / "data" / "train-00000-of-00001.parquet", ROWS)
    card = "---\nlicense: mit\n{counts}configs:\n- config_name: default\n  data_files: data/train-*\n---\n# Words\n"
    counts = "dataset_info:\n  splits:\n  - name: train\n    num_bytes: 9\n    num_examples: 12\n"
    for name, said in (("plain", ""), ("counted", counts)):
        (tmp_path / "in" / "README.md").write_text(card.format(counts=said), encoding="utf-8")
        output = tmp_path / name
        subprocess.run([program, "dedup", str(tmp_path / "in"), "-o", str(output), "--quiet"], check=True)
        assert (output / "README.md").exists() == (not said)
        rows = datasets.load_dataset(str(output), cache_dir=str(tmp_path / "cache" / name))["train"]
        assert sorted(rows["id"]) == KEPT
