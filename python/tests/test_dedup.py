"""`fanmill.dedup`: what stays, and what goes for what."""

from __future__ import annotations

import json
import os
import pickle
import subprocess
from pathlib import Path

import fanmill
import pytest

CAT = "the cat sat on the mat and slept all day long"
LOUD_CAT = "THE CAT SAT ON THE MAT AND SLEPT ALL DAY LONG INDEED"
DOG = "a dog ran through the park after its ball and barked"
TEXTS = [CAT, DOG, LOUD_CAT, None, "", CAT]


def test_one_line_removes_duplicates() -> None:
    result = fanmill.dedup(TEXTS, keep="longest")
    assert result.apply(TEXTS) == [DOG, LOUD_CAT, None, ""]
    assert result.keep.to_pylist() == [False, True, True, True, True, False]
    assert result.duplicate_of.to_pylist() == [2, None, None, None, None, 2]
    assert result.resemblance[0] == pytest.approx(11 / 12), "11 of 12 places have the same word"
    by_shingles = fanmill.dedup(TEXTS, keep="longest", short_texts="shingles")
    assert by_shingles.resemblance[0] == pytest.approx(7 / 8) == fanmill.resemblance(CAT, LOUD_CAT)
    assert result.containment[0] == 1.0
    assert result.in_against.to_pylist() == [False, None, None, None, None, False]
    assert result.clusters().to_pylist() == [[2, 0, 5]]
    pairs = result.pairs().to_pylist()
    assert pairs == [{"a": 0, "b": 2, "resemblance": pytest.approx(11 / 12), "a_in_against": False}]
    assert len(result) == 6
    assert repr(result) == "<fanmill.Result: 6 texts, 4 stay, 2 are near-duplicates of others>"
    assert result.scheme == fanmill.Recipe(short_texts="slips").scheme
    assert "at least 0.8" in result.promise


def test_the_first_stays_as_with_the_command() -> None:
    result = fanmill.dedup(TEXTS)
    assert result.keep.to_pylist() == fanmill.dedup(TEXTS, keep="first").keep.to_pylist()
    assert result.duplicate_of.to_pylist() == [None, None, 0, None, None, 0]
    assert result.resemblance.to_pylist()[5] == 1.0


def test_results_columns_and_tables_are_pickled() -> None:
    result = fanmill.dedup(TEXTS)
    again = pickle.loads(pickle.dumps(result))
    assert repr(again) == repr(result) and again.promise == result.promise and again.apply(TEXTS) == result.apply(TEXTS)
    for name in ("keep", "duplicate_of", "resemblance", "containment", "in_against"):
        assert getattr(again, name).to_pylist() == getattr(result, name).to_pylist()
    assert again.clusters().to_pylist() == result.clusters().to_pylist() and again.pairs().to_pylist() == result.pairs().to_pylist()
    sketches = fanmill.sketch(TEXTS[:2] + [None])
    again = pickle.loads(pickle.dumps(sketches))
    assert (again.scheme, again.to_pylist()) == (sketches.scheme, sketches.to_pylist())
    with pytest.raises(ValueError, match="this is no pickle of Fanmill"):
        fanmill.Column._of_bytes(b"other", None)


def test_records_and_odd_values_are_taken() -> None:
    numpy = pytest.importorskip("numpy")
    records = [{"text": text, "n": row} for row, text in enumerate(TEXTS)]
    result = fanmill.dedup(records, min_score=numpy.float32(0.5), shingle=numpy.int64(4))
    assert [record["n"] for record in result.apply(records)] == [0, 1, 3, 4]
    with pytest.raises(ValueError, match="a record has no field `body`; it has `text`, `n`"):
        fanmill.dedup(records, text="body")
    halves = fanmill.dedup(["half a surrogate \ud83d here", "half a surrogate \ufffd here", DOG])
    assert halves.duplicate_of.to_pylist() == [None, 0, None]
    assert (halves.n_half_surrogates, halves.n_invalid_utf8) == (1, 0)
    whole = fanmill.dedup(["\ud83d\ude00", "\ude00\ud83d", b"\xff", DOG])
    assert (whole.n_half_surrogates, whole.n_invalid_utf8) == (1, 1)
    with pytest.raises(TypeError, match="text 1 is of type int; give str or bytes, or None for no text"):
        fanmill.dedup([DOG, 5])


def test_a_data_set_that_streams_goes_on_to_stream() -> None:
    datasets = pytest.importorskip("datasets")
    stream = datasets.Dataset.from_dict({"text": TEXTS[:3]}).to_iterable_dataset()
    left = fanmill.dedup(stream).apply(stream)
    assert type(left).__name__ == "IterableDataset"
    assert [row["text"] for row in left] == [CAT, DOG]
    other = datasets.Dataset.from_dict({"text": TEXTS}).to_iterable_dataset()
    with pytest.raises(ValueError, match="more rows than the 3 texts"):
        list(fanmill.dedup(stream).apply(other))


def test_what_is_known_already_goes() -> None:
    result = fanmill.dedup([DOG, CAT, CAT], against=[LOUD_CAT])
    assert result.keep.to_pylist() == [True, False, False]
    assert result.duplicate_of.to_pylist() == [None, 0, 0]
    assert result.in_against.to_pylist() == [None, True, True]
    assert result.clusters().to_pylist() == []
    assert result.pairs().to_pydict()["a_in_against"] == [True]
    alone = fanmill.dedup([DOG, DOG, CAT], against=[LOUD_CAT], only_against=True)
    assert alone.keep.to_pylist() == [True, True, False]


def test_containment_keeps_what_holds_the_other() -> None:
    book = " ".join(f"word{i}" for i in range(200))
    part = " ".join(f"word{i}" for i in range(50, 120))
    result = fanmill.dedup([part, book], containment=0.9)
    assert result.duplicate_of.to_pylist() == [1, None]
    assert result.containment[0] == 1.0


def test_everything_that_the_command_can_do() -> None:
    texts = [f"{i} {CAT}" for i in range(5)] + [DOG]
    for options in (
        {"exact": True, "min_score": 1.0},
        {"sketch": "perm(t=64)", "recall": 0.9},
        {"cluster": "components"},
        {"shingle": 2, "weighted": True},
        {"exact_spelling": True},
        {"words": "code"},
        {"short_texts": "shingles"},
    ):
        result = fanmill.dedup(texts, **options)  # type: ignore[arg-type]
        assert result.keep[5] and len(result) == 6, options


def test_words_are_compared_in_one_spelling_unless_asked_for_exact_ones() -> None:
    texts = ["der Bär grüßt fünf höfliche Mäuse über dem Käse", "der Baer gruesst fuenf hoefliche Maeuse ueber dem Kaese"]
    assert list(fanmill.dedup(texts, shingle=2).keep) == [True, False]
    assert list(fanmill.dedup(texts, shingle=2, exact_spelling=True).keep) == [True, True]
    schemes = [fanmill.Recipe(exact_spelling=exact).scheme for exact in (False, True)]
    assert [scheme[:13] for scheme in schemes] == ["corpus:runs@3", "corpus:runs@1"]


def test_short_texts_are_copies_but_for_slips(program: str, tmp_path: Path) -> None:
    """The answer is the command's."""
    poem = "山高水长人在远方雨落江南夜未央，灯火万家归路漫漫月如霜风。"
    review = "I have seen this film four times and I would recommend it to everybody I know."
    texts = [
        poem,
        poem.replace("远", "遥"),
        poem.replace("未", "已"),
        review,
        review.replace("recommend", "recomend"),
        review.replace("would", "would not"),
        f"{review} Truly!",
        "# apple\n\n> This command is an alias of `fruit`.\n\n- View what it does in the original manual: `help fruit`, and then `apple`.",
        "# apply\n\n> This command is an alias of `fruit`.\n\n- View what it does in the original manual: `help fruit`, and then `apply`.",
    ]
    result = fanmill.dedup(texts)
    assert result.duplicate_of.to_pylist() == [None, 0, None, None, 3, None, 3, None, None]
    assert fanmill.Recipe(short_texts="slips").scheme in result.scheme and "/slips/" in result.scheme
    by_shingles = fanmill.dedup(texts, short_texts="shingles", min_score=0.3)
    assert not by_shingles.keep[2] and not by_shingles.keep[5] and not by_shingles.keep[8]
    with pytest.raises(ValueError, match="`short_texts=` has no effect with `words=` code"):
        fanmill.dedup(texts, words="code", short_texts="slips")

    shard, output = tmp_path / "a.jsonl", tmp_path / "out"
    shard.write_text("".join(json.dumps({"text": text}) + "\n" for text in texts), encoding="utf-8")
    subprocess.run([program, "dedup", str(shard), "-o", str(output), "--quiet"], check=True)
    kept = [json.loads(line)["text"] for line in (output / "a.jsonl").read_text(encoding="utf-8").splitlines()]
    assert kept == result.apply(texts)


def test_signs_are_words_of_code_and_of_texts_of_little_else() -> None:
    programs = ["def f(a, b):\n    return a + b", "def f(a, b):\n    return a - b", "def f(a, b):\n  return a + b"]
    assert fanmill.dedup(programs).duplicate_of.to_pylist() == [None, 0, 0]
    assert fanmill.dedup(programs, words="code").duplicate_of.to_pylist() == [None, None, 0]
    assert fanmill.Recipe(words="code").scheme[:13] == "corpus:code@1"
    assert fanmill.dedup(["great film 😀", "great film 😡", "Great film 😀!"]).duplicate_of.to_pylist() == [None, None, 0]
    with pytest.raises(ValueError, match="`exact_spelling` concerns words of prose"):
        fanmill.Recipe(words="maths", exact_spelling=True)


@pytest.mark.parametrize(
    ("options", "text"),
    [
        ({"min_score": 1.5}, "`min_score=`: 1.5 is not a score"),
        ({"min_score": 1.0}, "use `exact=`"),
        ({"words": "poems"}, "`words=`: `poems` is no kind of words; use prose, code or maths"),
        ({"words": "code", "exact_spelling": True}, "each letter counts anyway"),
        ({"keep": "best"}, "`keep=`: `best` is not one of first"),
        ({"keep": "newest:date"}, "needs a field, and texts have none"),
        ({"cluster": "chains"}, "`cluster=`: unknown variant `chains`, expected `centres` or `components`"),
        ({"shingle": -1}, "`shingle=`: invalid value"),
        ({"only_against": True}, "`only_against=` has no effect without `against=`"),
        ({"containment": 0.9, "exact": True}, "`exact=` has no effect with `containment=`"),
        ({"containment": 0.9, "min_score": 0.5}, "`min_score=` has no effect with `containment=`"),
        ({"against": [CAT], "cluster": "components"}, "leave `cluster=` out"),
        ({"exact": True, "recall": 0.9}, "`recall=` has no effect with `exact=`"),
        ({"threads": 5000}, "`threads=` is 5000"),
    ],
)
def test_errors_name_arguments(options, text) -> None:  # type: ignore[no-untyped-def]
    with pytest.raises(ValueError) as caught:
        fanmill.dedup(TEXTS, **options)
    assert text in str(caught.value), str(caught.value)
    assert caught.value.code == "setting"


def test_the_answer_is_the_same_at_any_number_of_threads(shop: list[str]) -> None:
    results = [fanmill.dedup(shop * 3, threads=threads) for threads in (1, 2, 5)]
    first, *others = [
        (r.keep.to_pylist(), r.duplicate_of.to_pylist(), r.resemblance.to_pylist(), r.pairs().to_pylist())
        for r in results
    ]
    assert all(other == first for other in others)


def test_other_data_is_refused() -> None:
    result = fanmill.dedup(TEXTS)
    with pytest.raises(ValueError, match="the data has 2 rows, and the result is of 6 texts"):
        result.apply([CAT, DOG])
    with pytest.raises(TypeError, match="cannot be taken again"):
        result.apply(iter(TEXTS))


def test_progress_is_told_step_by_step(monkeypatch: pytest.MonkeyPatch) -> None:
    from fanmill import _progress

    steps: list[str] = []

    class Bar:
        def __init__(self, desc: str, **_: object) -> None:
            steps.append(desc)
            self.n = 0

        def update(self, n: int) -> None:
            self.n += n

        def close(self) -> None:
            pass

    bars = _progress._Bars()
    bars.tqdm = Bar
    monkeypatch.setattr(_progress, "_Bars", lambda: bars)
    # All are near-duplicates of each other, so that they take most of a second: work that is done at once tells nothing.
    words = " ".join(f"w{j}" for j in range(500))
    fanmill.dedup([f"{i} {words}" for i in range(4000)], progress=True, threads=1)
    assert steps and set(steps) <= {"reading", "sketching", "searching", "comparing", "clustering"}, steps


def removed_by_the_command(
    program: str, texts: list[str], folder: Path, *options: str
) -> list[tuple[int, float] | None]:
    """What the command says of each text: the row that stays for it, and their resemblance."""
    corpus, output = folder / "corpus.jsonl", folder / "out"
    lines = [json.dumps({"id": f"row {row}", "text": text}) for row, text in enumerate(texts)]
    corpus.write_text("\n".join(lines) + "\n", encoding="utf-8")
    command = [program, "dedup", str(corpus), "--mode", "mark", "--output", str(output), *options]
    done = subprocess.run(command, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    marked = [json.loads(line) for line in (output / corpus.name).read_text(encoding="utf-8").splitlines()]
    marks = [record.get("fanmill", {}) for record in marked]
    return [
        (int(mark["duplicate_of"].removeprefix("row ")), mark["resemblance"]) if mark.get("duplicate_of") else None
        for mark in marks
    ]


@pytest.mark.parametrize("keep", ["first", "longest"])
def test_the_answer_is_that_of_the_command(
    program: str, shop: list[str], examples: Path, tmp_path: Path, keep: str
) -> None:
    essays = [path.read_text(encoding="utf-8") for path in sorted((examples / "essays").iterdir())]
    changed = [" ".join(essay.split()[5:]) for essay in essays]
    texts = [*shop, *essays, *changed, "", *shop[::-1]]
    result = fanmill.dedup(texts, keep=keep)
    rows, resemblances = result.duplicate_of.to_pylist(), result.resemblance.to_pylist()
    ours = [None if row is None else (row, resemblance) for row, resemblance in zip(rows, resemblances)]
    assert ours == removed_by_the_command(program, texts, tmp_path, "--keep", keep)
    assert sum(one is not None for one in ours) > 60


PAGES = [
    {"url": "http://x.example/a", "text": CAT},
    {"url": "HTTP://X.example:80/a#top", "text": DOG},
    {"url": None, "text": DOG + " twice"},
    {"url": "no address", "text": "words of its own"},
    {"text": "other words of its own"},
    {"url": "http://x.example/a?", "text": CAT},
    {"url": "http://x.example/b", "text": LOUD_CAT},
]


def test_rows_of_one_address_are_one_text() -> None:
    result = fanmill.dedup(PAGES, first_by="url")
    assert result.keep.to_pylist() == [True, False, True, True, True, False, False]
    assert result.duplicate_of.to_pylist() == [None, 0, None, None, None, 0, 0]
    assert result.by_address.to_pylist() == [None, True, None, None, None, True, False]
    assert result.resemblance.to_pylist() == [None, None, None, None, None, 1.0, pytest.approx(11 / 12)]
    assert result.clusters().to_pylist() == [[0, 1, 5, 6]]
    assert "one address" in result.promise
    longest = fanmill.dedup(PAGES, first_by="url", keep="longest", against=[LOUD_CAT + " now"])
    # The longest of its address goes for a longer one by its text, and the others of that address with it.
    assert longest.duplicate_of.to_pylist() == [2, 2, None, None, None, 2, 0]
    assert longest.by_address.to_pylist() == [True, False, None, None, None, True, False]
    assert longest.in_against.to_pylist() == [False, False, None, None, None, False, True]
    assert fanmill.dedup(iter(PAGES), first_by="url").keep.to_pylist() == result.keep.to_pylist()
    named = [{"page": row.get("url"), "text": row["text"]} for row in PAGES]
    assert fanmill.dedup(named, first_by="url", url_field="page").keep.to_pylist() == result.keep.to_pylist()


def test_addresses_by_rules(tmp_path: Path) -> None:
    rule = {"host": "x.example", "operation": "replace", "regex": "^(https?://x\\.example)/b$", "replace": "${1}/a"}
    (tmp_path / "rules.jsonl").write_text(json.dumps(rule), encoding="utf-8")
    result = fanmill.dedup(PAGES, first_by="url", url_rules=tmp_path / "rules.jsonl")
    assert result.by_address.to_pylist() == [None, True, None, None, None, True, True]


def test_addresses_that_make_no_sense_are_refused() -> None:
    for data, options, words in (
        (TEXTS, {"first_by": "url"}, "texts alone"),
        (PAGES, {"url_field": "page"}, "`url_field=` has no effect without `first_by=`"),
        (PAGES, {"url_rules": "rules.jsonl"}, "`url_rules=` has no effect without `first_by=`"),
        (PAGES, {"first_by": "url", "url_field": "page"}, "no document has an address in field `page`"),
        (PAGES, {"first_by": "url", "only_against": True, "against": [CAT]}, "`first_by=` has no effect with `only_against=`"),
        (PAGES, {"first_by": "url", "unit": "run"}, "`first_by=` has no effect with `unit=`"),
    ):
        with pytest.raises(ValueError, match=words):
            fanmill.dedup(data, **options)
