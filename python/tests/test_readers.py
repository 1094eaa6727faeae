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


def write_arrow(path: Path, rows: Iterable[dict[str, Any]]) -> None:
    pyarrow = pytest.importorskip("pyarrow")
    table = pyarrow.Table.from_pylist(list(rows))
    with pytest.importorskip("pyarrow.ipc").new_file(path, table.schema) as out:
        out.write_table(table)


WRITERS = {"arrow": write_arrow, "jsonl": write_jsonl, "csv": write_csv, "parquet": write_parquet}


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
    read: dict[str, Callable[[Path], Any]] = {
        "arrow": pandas.read_feather,
        "csv": pandas.read_csv,
        "jsonl": lambda path: pandas.read_json(path, lines=True),
    }
    return pandas.concat([read[kind](path) for path in sorted(folder.glob("*"))])["id"]


def pyarrow_of(kind: str, folder: Path) -> Any:
    form = "json" if kind == "jsonl" else kind
    table = pytest.importorskip("pyarrow.dataset").dataset(folder, format=form, exclude_invalid_files=False).to_table()
    return table["id"].to_pylist()


def polars_of(kind: str, folder: Path) -> Any:
    polars = pytest.importorskip("polars")
    scan = {
        "arrow": polars.scan_ipc,
        "csv": polars.scan_csv,
        "jsonl": polars.scan_ndjson,
        "parquet": polars.scan_parquet,
    }[kind]
    both = [scan(folder).collect()["id"].to_list(), scan(folder / f"*.{kind}").collect()["id"].to_list()]
    assert both[0] == both[1]
    return both[0]


def duckdb_of(kind: str, folder: Path) -> Any:
    if kind == "arrow":
        pytest.skip("duckdb reads Arrow by an extension only")
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


def test_a_saved_data_set_is_read_and_its_files_are_data_sets(program: str, tmp_path: Path) -> None:
    """What lies beside the shards of a saved data set counts their rows; caches have the same rows once more."""
    datasets = pytest.importorskip("datasets")
    saved, output = tmp_path / "in", tmp_path / "out"
    datasets.Dataset.from_list(ROWS).save_to_disk(str(saved), num_shards=2)
    loaded = datasets.load_from_disk(str(saved))
    loaded.map(lambda row: {"more": row["score"]}, cache_file_name=str(saved / "cache-0123456789abcdef.arrow"))
    run = subprocess.run([program, "dedup", str(saved), "-o", str(output)], check=True, capture_output=True, text=True)
    assert sorted(path.name for path in output.iterdir()) == [f"data-0000{n}-of-00002.arrow" for n in range(2)]
    parts = [datasets.Dataset.from_file(str(path)) for path in sorted(output.iterdir())]
    assert [row["id"] for part in parts for row in part] == KEPT
    assert parts[0].features == loaded.features
    assert "state.json" in run.stderr + run.stdout


def test_conversations_are_compared_by_the_texts_in_their_lists(program: str, tmp_path: Path) -> None:
    """A path leads into lists of structs in Arrow and Parquet as in JSON lines, and the same rows stay."""
    rows = [
        {"id": row["id"], "messages": [{"role": "user", "content": row["text"]}, {"role": "model", "content": None}]}
        for row in ROWS
    ]
    for kind in ("arrow", "jsonl", "parquet"):
        shard = tmp_path / kind / f"a.{kind}"
        shard.parent.mkdir()
        WRITERS[kind](shard, rows)
        output = tmp_path / f"{kind}-out"
        command = [program, "dedup", str(shard), "-o", str(output), "--quiet", "--text-field", "messages[].content"]
        subprocess.run(command, check=True)
        assert sorted(pyarrow_of(kind, output)) == KEPT
