"""`fanmill.dedup(unit="run")`: which runs of words go, and what is left."""

from __future__ import annotations

import json
import os
import pickle
import random
import struct
import subprocess
from pathlib import Path
from typing import Any, Callable

import fanmill
import pytest

NOTICE = "all rights are reserved by somebody who means it"
TEXTS = [
    f"one story and {NOTICE}.",
    f"Here {NOTICE}. Another story, and {NOTICE}\nas well",
    None,
    NOTICE,
    "",
]
LEFT = [TEXTS[0], "Here Another story, it\nas well", None, ""]


def run(data: Any, **options: Any) -> fanmill.RunResult:
    result = fanmill.dedup(data, unit="run", **{"min_words": 5, **options})
    assert isinstance(result, fanmill.RunResult)
    return result


def test_runs_that_occur_earlier_are_cut_out() -> None:
    result = run(TEXTS)
    assert result.apply(TEXTS) == LEFT
    assert result.keep.to_pylist() == [True, True, True, False, True]
    assert result.changed.to_pylist() == [False, True, False, False, False]
    assert result.texts.to_pylist() == [LEFT[0], LEFT[1], None, None, ""]
    rows = result.runs.to_pylist()
    assert [(piece["row"], piece["source_row"], piece["words"]) for piece in rows] == [(1, 0, 9), (1, 0, 9), (3, 0, 8), (3, 1, 1)]
    for piece in rows:
        own = TEXTS[piece["row"]].encode()[piece["begin"] : piece["end"]]
        assert own.split() == TEXTS[piece["source_row"]].encode()[piece["source_begin"] : piece["source_end"]].split()
        assert len(own.split()) == piece["words"]
    assert result.runs["is_removed"].to_pylist()[-1] and result.runs["words_left"][-1] == 0
    assert len(result) == 5 and result.rounds >= 1
    assert repr(result) == "<fanmill.RunResult: 5 texts, 4 stay, 1 of these are cut; 27 words go>"
    assert result.scheme == "corpus:verbatim@1/runs(n=5)/polynomial-93"
    assert "no run of 5 words or more is left" in result.promise


def test_a_second_run_removes_nothing() -> None:
    again = run(run(TEXTS).apply(TEXTS))
    assert len(again.runs) == 0 and all(again.keep) and not any(again.changed)


def test_results_are_pickled() -> None:
    result = run(TEXTS)
    again = pickle.loads(pickle.dumps(result))
    assert repr(again) == repr(result) and again.apply(TEXTS) == result.apply(TEXTS)
    for name in ("promise", "scheme", "rounds"):
        assert getattr(again, name) == getattr(result, name)
    assert again.runs.to_pylist() == result.runs.to_pylist()


def test_records_and_streams_of_records_keep_their_fields() -> None:
    records = [{"body": text, "n": row} for row, text in enumerate(TEXTS)]
    result = run(records, text="body")
    assert result.apply(records) == [{"body": text, "n": n} for text, n in zip(LEFT, (0, 1, 2, 4))]
    assert records[1]["body"] == TEXTS[1], "what was given is as it was"


def test_nothing_is_found_in_nothing() -> None:
    for texts in ([], [None], ["", "  \n"]):
        result = run(texts)
        assert result.apply(texts) == texts and len(result.runs) == 0


@pytest.mark.parametrize(
    ("options", "text"),
    [
        ({"min_words": 0}, "use `min_words=` 1 or more"),
        ({"min_words": 200_000}, "`min_words=` of 200000 words is above the limit of 100000"),
        ({"min_words": -1}, "`min_words=`: invalid value"),
        ({"min_words": 5, "min_bytes": 30}, "`min_words=` has no effect with `min_bytes=`"),
        ({"min_words": None, "min_bytes": 0}, "use `min_bytes=` 1 or more"),
        ({"cut": "letter"}, "`cut=`: unknown variant `letter`, expected `word` or `sentence`"),
        ({"cut": "sentence", "keep": "longest"}, "leave out `cut=` sentence"),
        ({"keep": "newest:date"}, "needs a field, and texts have none"),
        ({"min_score": 0.5}, "`min_score=` has no effect with `unit=` run"),
        ({"against": ["a"]}, "`against=` has no effect with `unit=` run"),
        ({"exact": True}, "`exact=` has no effect with `unit=` run"),
        ({"unit": "document"}, "`min_words=` has no effect with `unit=` document"),
        ({"unit": "document", "min_words": None, "min_rest": 2}, "`min_rest=` has no effect with `unit=` document"),
        ({"unit": "line"}, "`unit=` line is for files, and these are texts in memory; use document or run"),
        ({"unit": "word"}, "`unit=`: unknown variant `word`"),
    ],
)
def test_errors_name_arguments(options: dict[str, Any], text: str) -> None:
    with pytest.raises(ValueError) as caught:
        fanmill.dedup(TEXTS, **{"unit": "run", "min_words": 5, **options})
    assert text in str(caught.value), str(caught.value)
    assert getattr(caught.value, "code") == "setting"


def test_other_data_is_refused() -> None:
    result = run(TEXTS)
    with pytest.raises(ValueError, match="the data has 2 rows, and the result is of 5 texts"):
        result.apply(TEXTS[:2])
    with pytest.raises(TypeError, match="cannot be taken again"):
        result.apply(iter(TEXTS))


def libraries() -> list[Any]:
    def of_pyarrow(kind: str) -> Callable[[], Any]:
        def make() -> Any:
            pa = pytest.importorskip("pyarrow")
            column = pa.chunked_array([TEXTS[:2], TEXTS[2:]], type=pa.string())
            kinds = {"view": pa.string_view(), "large": pa.large_string(), "string": pa.string()}
            column = column.dictionary_encode() if kind == "dictionary" else column.cast(kinds[kind])
            return pa.table({"n": range(5), "text": column}, metadata={"a": "b"})

        return make

    def of_batch() -> Any:
        pa = pytest.importorskip("pyarrow")
        return pa.RecordBatch.from_pydict({"text": TEXTS, "n": list(range(5))})

    def of_polars() -> Any:
        return pytest.importorskip("polars").DataFrame({"n": range(5), "text": TEXTS})

    def of_lazy() -> Any:
        return of_polars().lazy()

    def of_pandas(kind: str) -> Callable[[], Any]:
        def make() -> Any:
            pandas = pytest.importorskip("pandas")
            return pandas.DataFrame({"text": pandas.Series(TEXTS, dtype=kind), "n": range(5)}).set_index([[9, 9, 8, 7, 9]])

        return make

    def of_datasets() -> Any:
        datasets = pytest.importorskip("datasets")
        data = datasets.Dataset.from_dict({"text": ["out", *TEXTS], "n": [7, *range(5)]})
        return data.select([1, 2, 3, 4, 5])

    def of_stream() -> Any:
        return of_datasets().to_iterable_dataset()

    kinds = [of_pyarrow(kind) for kind in ("string", "large", "view", "dictionary")]
    kinds += [of_pandas(kind) for kind in ("object", "string", "category")]
    return [*kinds, of_batch, of_polars, of_lazy, of_datasets, of_stream]


@pytest.mark.parametrize("make", libraries())
def test_data_of_each_library_stays_what_it_was(make: Callable[[], Any]) -> None:
    data = make()
    kept = run(data).apply(data)
    assert type(kept) is type(data)
    if hasattr(kept, "collect"):
        kept = kept.collect()
    if type(kept).__name__ == "IterableDataset":
        rows = list(kept)
    elif hasattr(kept, "to_dict") and hasattr(kept, "iloc"):
        rows = [{"n": n, "text": text} for n, text in zip(kept["n"], kept["text"])]
        assert list(kept.index) == [9, 9, 8, 9]
    else:
        columns = kept.to_pydict() if hasattr(kept, "to_pydict") else kept.to_dict()
        rows = [{"n": n, "text": text} for n, text in zip(columns["n"], columns["text"])]
    texts = [text if isinstance(text, str) else None for text in (row["text"] for row in rows)]
    assert ([row["n"] for row in rows], texts) == ([0, 1, 2, 4], LEFT)
    if type(data).__name__ != "LazyFrame" and hasattr(data, "schema"):
        assert kept.schema == data.schema
        assert getattr(kept.schema, "metadata", None) == getattr(data.schema, "metadata", None)


@pytest.mark.parametrize("library", ["pyarrow", "polars", "pandas", "datasets"])
def test_a_column_alone(library: str) -> None:
    module = pytest.importorskip(library)
    if library == "pyarrow":
        column = module.array(TEXTS)
    elif library == "datasets":
        column = module.Dataset.from_dict({"text": TEXTS})["text"]
    else:
        column = module.Series(TEXTS)
    kept = run(column).apply(column)
    values = kept.to_pylist() if hasattr(kept, "to_pylist") else list(kept)
    assert [text if isinstance(text, str) else None for text in values] == LEFT


@pytest.mark.parametrize("library", ["list", "pyarrow", "polars", "pandas", "datasets", "duckdb"])
def test_bytes_stay_bytes_and_those_that_are_not_changed_stay_as_they_are(library: str) -> None:
    texts = [b"\xff first", TEXTS[0].encode(), b"\xfe " + TEXTS[1].encode(), None, NOTICE.encode()]  # type: ignore[union-attr]
    left = [texts[0], texts[1], b"\xef\xbf\xbd " + LEFT[1].encode(), None]  # type: ignore[union-attr]
    if library == "list":
        data: Any = texts
    elif library == "duckdb":
        duckdb, pa = pytest.importorskip("duckdb"), pytest.importorskip("pyarrow")
        table = pa.table({"text": texts})
        data = duckdb.from_arrow(table)
    elif library == "datasets":
        data = pytest.importorskip("datasets").Dataset.from_dict({"text": texts})
    elif library == "pyarrow":
        data = pytest.importorskip(library).table({"text": texts})
    else:
        data = pytest.importorskip(library).DataFrame({"text": texts})
    result = run(data)
    assert result.n_invalid_utf8 == 2
    kept = result.apply(data)
    column = kept if library == "list" else kept["text"]
    values = column.to_pylist() if hasattr(column, "to_pylist") else list(column)
    assert [value if isinstance(value, bytes) else None for value in values] == left


def test_operators_for_clusters_refuse_what_is_not_of_their_texts() -> None:
    pa = pytest.importorskip("pyarrow")
    native = fanmill._native
    settings = json.dumps({"unit": "run", "min_words": 2})
    with pytest.raises(ValueError, match="a key has 32 bytes, and this one has 3"):
        native.RunOperator(settings, b"key")
    with pytest.raises(ValueError, match="`unit=` document is for files"):
        native.RunOperator("{}", bytes(32))
    operator = native.RunOperator(settings, bytes(32))
    texts = ["a b a b", None]

    def lists(rows: Any) -> Any:
        return pa.array(rows, pa.list_(pa.int64()))

    windows = operator.windows(texts, lists([[], None])).to_pylist()
    assert [row[2:4] for row in (windows[0][0:4], windows[0][4:8], windows[0][8:12])] == [[0, 2], [1, 3], [2, 4]]
    assert windows[0][0:2] == windows[0][8:10] != windows[0][4:6] and windows[1] == []
    assert operator.windows(texts, lists([[1, 2], []]), lists([[1, 2], []])).to_pylist() == [[], []]
    assert operator.cut(texts, lists([[], []]), lists([[2, 4], []])).to_pylist() == [[2, 4], []]
    rest = operator.rest(texts, lists([[2, 4], []]))
    assert rest.to_pylist() == [{"text": "a b", "words_left": 2}, {"text": "", "words_left": 0}]
    offsets, values = pa.py_buffer(struct.pack("<4i", 0, 99, 2, 2)), pa.array([0, 1], pa.int64())
    damaged = pa.Array.from_buffers(pa.list_(pa.int64()), 3, [None, offsets], children=[values])
    for wrong, text in (
        (lists([[]]), "there are 1 lists for 2 texts"),
        (lists([[0], []]), "no begins and ends of words by turns"),
        (lists([[-1, 2], []]), "no begins and ends of words by turns"),
        (lists([[0, None], []]), "no begins and ends of words by turns"),
        (lists([[0, 9], []]), "what is to be cut is not of this text"),
        (pa.array([["a"], []]), "lists of int64 were expected"),
        (pa.array([1, 2]), "lists of int64 were expected"),
        (damaged, "a column of lists is damaged"),
    ):
        for call in (operator.windows, operator.rest):
            with pytest.raises(ValueError, match=text):
                call(texts, wrong)


def test_the_answer_is_the_same_at_any_number_of_threads(shop: list[str]) -> None:
    first, *others = [run(shop * 3, threads=threads) for threads in (1, 2, 5)]
    for other in others:
        assert (other.texts.to_pylist(), other.runs.to_pylist()) == (first.texts.to_pylist(), first.runs.to_pylist())


def corpus(seed: int) -> list[str]:
    """Texts of few different words, with parts of earlier texts."""
    dice = random.Random(seed)
    words = ["a", "b", "a", "b", "c.", 'd!"', "é", "漢", "字", "。", "A", "𝔘"]
    white = [" ", " ", " ", "  ", "\n", "\r\n", "\u3000", "\t\n"]
    texts: list[str] = []
    for _ in range(dice.randrange(9)):
        text = ""
        for _ in range(dice.randrange(4)):
            kind = dice.randrange(8)
            if kind == 0:
                text += (dice.choice(words) + " ") * dice.randrange(30)
            elif kind < 4 and texts:
                earlier = dice.choice(texts)
                start, end = sorted(dice.randrange(len(earlier) + 1) for _ in range(2))
                text += earlier[start:end] + " "
            else:
                text += "".join(dice.choice(words) + dice.choice(white) for _ in range(dice.randrange(24)))
        texts.append(text)
    return texts


def settings(seed: int) -> dict[str, Any]:
    dice = random.Random(seed)
    chosen: dict[str, Any] = {}
    if dice.random() < 0.3:
        chosen["min_bytes"] = dice.randrange(1, 20)
    else:
        chosen["min_words"] = dice.randrange(1, 8)
    if dice.random() < 0.5:
        chosen["min_rest"] = dice.randrange(6)
    if dice.random() < 0.4:
        chosen["cut"] = "sentence"
    elif dice.random() < 0.5:
        chosen["keep"] = "longest"
    return chosen


#: By night there are more.
CASES = int(os.environ.get("FANMILL_PYTHON_CASES", "60"))


@pytest.mark.parametrize("part", range(4))
def test_the_answer_is_that_of_the_command(program: str, tmp_path: Path, part: int) -> None:
    n_cut = 0
    for seed in range(part, CASES, 4):
        texts, chosen = corpus(seed), settings(seed)
        if not "".join(texts).strip():
            continue
        path, output = tmp_path / f"{seed}.jsonl", tmp_path / f"out-{seed}"
        lines = [json.dumps({"text": text, "row": row}) for row, text in enumerate(texts)]
        path.write_text("\n".join(lines) + "\n", encoding="utf-8")
        options = [f"--{name.replace('_', '-')}={value}" for name, value in chosen.items()]
        command = [program, "dedup", str(path), "--unit", "run", "--output", str(output), *options]
        done = subprocess.run(command, capture_output=True, text=True)
        assert done.returncode == 0, done.stderr
        written = (output / path.name).read_text(encoding="utf-8").splitlines()
        result = fanmill.dedup(texts, unit="run", **chosen)
        records = [{"text": text, "row": row} for row, text in enumerate(texts)]
        assert result.apply(records) == [json.loads(line) for line in written], (seed, chosen)
        summary = json.loads((tmp_path / f"out-{seed}.fanmill" / "summary.json").read_text(encoding="utf-8"))
        assert (result.promise, result.scheme) == (summary["promise"], summary["scheme"])
        assert (result.rounds, len(result.runs)) == (summary["counts"]["rounds"], summary["counts"]["pieces"])
        check_table(tmp_path / f"out-{seed}.fanmill" / "runs.parquet", result)
        n_cut += sum(result.changed)
    assert n_cut > CASES // 8


def check_table(path: Path, result: fanmill.RunResult) -> None:
    """The runs are those of the command's table, if there is something to read it with."""
    try:
        from pyarrow import parquet
    except ImportError:
        return
    rows = parquet.read_table(path).to_pylist()
    names = ("begin", "end", "words", "source_begin", "source_end", "words_left", "is_removed")
    theirs = [(row["record"] - 1, row["source_record"] - 1, *(row[name] for name in names)) for row in rows]
    ours = [(row["row"], row["source_row"], *(row[name] for name in names)) for row in result.runs]
    assert ours == theirs
