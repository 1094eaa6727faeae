"""`fanmill.decontaminate`: which texts share runs of words with test sets."""

from __future__ import annotations

import json
import os
import pickle
import random
import subprocess
from pathlib import Path
from typing import Any

import fanmill
import pytest

QUESTION = "A farmer has seventeen sheep, all but nine run away; how many sheep are left in the field?"
CORPUS = [
    f"Riddles for a rainy day: {QUESTION.upper().replace(',', ' –')} Answer below.",
    "A farmer has seventeen sheep, all but nine run away, and a dog.",
    "a question\nParis\nand more",
    "I love Paris.",
    None,
    "",
]
ITEMS = [QUESTION, None, "Paris?", "…"]


def test_texts_that_share_a_run_with_an_item_go() -> None:
    result = fanmill.decontaminate(CORPUS, ITEMS)
    assert result.keep.to_pylist() == [False, True, False, True, True, True]
    assert result.apply(CORPUS) == [CORPUS[1], CORPUS[3], None, ""]
    runs = result.runs.to_pylist()
    assert [(run["row"], run["item_row"], run["words"]) for run in runs] == [(0, 0, 18), (2, 2, 1)]
    text = CORPUS[0]
    assert text is not None and text.encode()[runs[0]["begin"] : runs[0]["end"]].decode() == runs[0]["text"]
    assert QUESTION.encode()[runs[0]["item_begin"] : runs[0]["item_end"]].decode() == QUESTION
    names = ("item_row", "words", "documents", "longest", "common_runs", "is_too_short")
    assert [tuple(item[name] for name in names) for item in result.items] == [(0, 18, 1, 18, 0, False), (2, 1, 1, 1, 0, True)]
    assert len(result) == 6
    assert repr(result) == "<fanmill.DecontaminationResult: 6 texts, 4 stay, 2 share runs with items>"
    assert "no document that stays shares 13 words in a row with an item" in result.promise
    shorter = fanmill.decontaminate(CORPUS, ITEMS, min_words=10)
    assert shorter.keep.to_pylist() == [False, False, False, True, True, True]


def test_runs_that_very_many_texts_have_do_not_count() -> None:
    corpus = [f"{i} {QUESTION}" for i in range(4)]
    assert not any(fanmill.decontaminate(corpus, [QUESTION], max_documents=4).keep)
    common = fanmill.decontaminate(corpus, [QUESTION], max_documents=3)
    assert all(common.keep) and len(common.runs) == 0
    assert common.items.to_pylist()[0]["common_runs"] == 18 - 13 + 1


def test_tables_of_any_library_and_columns_of_other_names() -> None:
    records = [{"body": text, "n": row} for row, text in enumerate(CORPUS)]
    tests = [{"question": text, "answer": "9"} for text in ITEMS]
    result = fanmill.decontaminate(records, tests, "body", item_text="question")
    assert [record["n"] for record in result.apply(records)] == [1, 3, 4, 5]
    with pytest.raises(ValueError, match="a record has no field `body`; it has `question`, `answer`"):
        fanmill.decontaminate(records, tests, "body")


@pytest.mark.parametrize("library", ["pandas", "polars", "pyarrow", "datasets"])
def test_a_frame_stays_a_frame(library: str) -> None:
    module = pytest.importorskip(library)
    columns = {"text": CORPUS, "n": list(range(6))}
    if library == "pyarrow":
        data, items = module.table(columns), module.table({"question": ITEMS})
    elif library == "datasets":
        data, items = module.Dataset.from_dict(columns), module.Dataset.from_dict({"question": ITEMS})
    else:
        data, items = module.DataFrame(columns), module.DataFrame({"question": ITEMS})
    kept = fanmill.decontaminate(data, items, item_text="question").apply(data)
    assert type(kept) is type(data)
    column = kept["n"]
    assert list(column.to_pylist() if hasattr(column, "to_pylist") else column) == [1, 3, 4, 5]


def test_results_are_pickled() -> None:
    result = fanmill.decontaminate(CORPUS, ITEMS)
    again = pickle.loads(pickle.dumps(result))
    assert repr(again) == repr(result) and again.apply(CORPUS) == result.apply(CORPUS)
    assert (again.runs.to_pylist(), again.items.to_pylist()) == (result.runs.to_pylist(), result.items.to_pylist())
    assert (again.promise, again.scheme) == (result.promise, result.scheme)


def test_nothing_is_found_in_nothing() -> None:
    for texts, items in (([], []), ([None, ""], [None]), (CORPUS, []), ([], ITEMS)):
        result = fanmill.decontaminate(texts, items)
        assert result.apply(texts) == texts and len(result.runs) == 0


@pytest.mark.parametrize(
    ("options", "text"),
    [
        ({"min_words": 0}, "use `min_words=` 8 or more"),
        ({"min_words": 20_000}, "`min_words=` of 20000 words is above the limit of 10000"),
        ({"min_words": -1}, "`min_words=`: invalid value"),
        ({"max_documents": 0}, "with `max_documents=` 0 no run counts; use 1 or more"),
        ({"threads": 0}, "`threads=` is 0"),
    ],
)
def test_errors_name_arguments(options: dict[str, Any], text: str) -> None:
    with pytest.raises(ValueError) as caught:
        fanmill.decontaminate(CORPUS, ITEMS, **options)
    assert text in str(caught.value), str(caught.value)
    assert getattr(caught.value, "code") == "setting"


def corpora(seed: int) -> tuple[list[str], list[str]]:
    """Texts and items of few different words, with parts of each other."""
    dice = random.Random(seed)
    words = ["a", "B", "c", "dé", "e-f", "g", "漢", "h."]

    def some(n: int) -> str:
        return "".join(dice.choice(words) + dice.choice([" ", " ", "  ", "\n", ", "]) for _ in range(dice.randrange(n)))

    items = [some(24) for _ in range(dice.randrange(1, 8))]
    texts = []
    for _ in range(dice.randrange(1, 12)):
        text = some(30)
        while dice.random() < 0.6:
            item = dice.choice(items)
            start, end = sorted(dice.randrange(len(item) + 1) for _ in range(2))
            text += item[start:end].upper() + dice.choice(["\n", " "]) + some(9)
        texts.append(text)
    return texts, items


#: By night there are more.
CASES = int(os.environ.get("FANMILL_PYTHON_CASES", "40"))


@pytest.mark.parametrize("part", range(4))
def test_the_answer_is_that_of_the_command(program: str, tmp_path: Path, part: int) -> None:
    n_gone = 0
    for seed in range(part, CASES, 4):
        texts, items = corpora(seed)
        if not "".join(texts).strip() or not "".join(items).strip():
            continue
        dice = random.Random(seed)
        chosen = {"min_words": dice.randrange(3, 10), "max_documents": dice.randrange(1, 6)}
        for name, all_texts in (("corpus", texts), ("items", items)):
            lines = [json.dumps({"text": text, "row": row}) for row, text in enumerate(all_texts)]
            (tmp_path / f"{name}-{seed}.jsonl").write_text("\n".join(lines) + "\n", encoding="utf-8")
        corpus, output = tmp_path / f"corpus-{seed}.jsonl", tmp_path / f"out-{seed}"
        command = [program, "dedup", str(corpus), "--decontaminate", str(tmp_path / f"items-{seed}.jsonl"), "-o", str(output)]
        command += [f"--{name.replace('_', '-')}={value}" for name, value in chosen.items()]
        done = subprocess.run(command, capture_output=True, text=True)
        assert done.returncode == 0, done.stderr
        written = (output / corpus.name).read_text(encoding="utf-8").splitlines()
        result = fanmill.decontaminate(texts, items, **chosen)
        kept = [row for row, stays in enumerate(result.keep) if stays]
        assert kept == [json.loads(line)["row"] for line in written], (seed, chosen)
        beside = tmp_path / f"out-{seed}.fanmill"
        summary = json.loads((beside / "summary.json").read_text(encoding="utf-8"))
        assert (result.promise, result.scheme) == (summary["promise"], summary["scheme"])
        counts = summary["items"]["counts"]
        assert (len(result.items), len(result.runs)) == (counts["items"] - counts["wordless"], summary["counts"]["runs"])
        assert sum(result.items["is_too_short"]) == counts["too_short"]
        check_tables(beside, result)
        n_gone += len(texts) - len(kept)
    assert n_gone > CASES // 8


def check_tables(folder: Path, result: fanmill.DecontaminationResult) -> None:
    """Runs and items are those of the command's tables, if there is something to read these with."""
    try:
        from pyarrow import parquet
    except ImportError:
        return
    names = ("words", "begin", "end", "item_begin", "item_end", "text")
    rows = parquet.read_table(folder / "removed.parquet").to_pylist()
    theirs = [(row["record"] - 1, row["item_record"] - 1, *(row[name] for name in names)) for row in rows]
    assert [(run["row"], run["item_row"], *(run[name] for name in names)) for run in result.runs] == theirs
    names = ("words", "documents", "longest", "common_runs", "is_too_short")
    rows = parquet.read_table(folder / "items.parquet").to_pylist()
    theirs = [(row["record"] - 1, *(row[name] for name in names)) for row in rows]
    assert [(item["item_row"], *(item[name] for name in names)) for item in result.items] == theirs
