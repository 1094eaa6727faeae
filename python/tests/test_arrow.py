"""Arrow columns of any layout, and what libraries make of ours."""

from __future__ import annotations

import os
import struct

import fanmill
import pytest

pa = pytest.importorskip("pyarrow")
hypothesis = pytest.importorskip("hypothesis")
from hypothesis import given, settings  # noqa: E402
from hypothesis import strategies as st  # noqa: E402

#: `.ci/nightly python` takes 500 cases, and 10,000 rounds where the memory of Python is checked (PYTHONMALLOC=debug).
CASES = int(os.environ.get("FANMILL_PYTHON_CASES", "50"))
ROUNDS = int(os.environ.get("FANMILL_PYTHON_ROUNDS", "300"))

texts_and_nulls = st.lists(st.one_of(st.none(), st.text(max_size=60), st.sampled_from(["", "a b c d e f"])), max_size=30)


def layouts(texts: list[str | None]) -> dict[str, object]:
    """The same texts in every layout that Arrow has for them."""
    plain = pa.array(texts, pa.string())
    around = pa.array(["x y"] + texts + [None], pa.string())
    view = pa.array(["before", *texts, "after"], pa.string_view())
    middle = len(texts) // 2
    table = pa.table({"n": range(len(texts)), "text": plain})
    return {
        "string": plain,
        "large_string": pa.array(texts, pa.large_string()),
        "string_view": pa.array(texts, pa.string_view()),
        "slice": around.slice(1, len(texts)),
        "slice of views": view.slice(1, len(texts)),
        "dictionary": plain.dictionary_encode(),
        "dictionary of large ones": pa.array(texts, pa.large_string()).dictionary_encode(),
        "slice of a dictionary": around.dictionary_encode().slice(1, len(texts)),
        "chunks": pa.chunked_array([plain[:middle], plain[middle:middle], plain[middle:]], pa.string()),
        "no chunks and all": pa.chunked_array([plain], pa.string()),
        "table": table,
        "reader": table.to_reader(max_chunksize=3),
        "batch": pa.record_batch({"text": plain}),
        "list": texts,
        "generator": iter(texts),
    }


@settings(max_examples=CASES)
@given(texts_and_nulls)
def test_every_layout_gives_the_same(texts: list[str | None]) -> None:
    expected = fanmill.band_keys(texts, threads=1).to_pylist()
    for name, column in layouts(texts).items():
        assert fanmill.band_keys(column, threads=1).to_pylist() == expected, name
    sets = fanmill.shingles(texts)
    for name, column in layouts(texts).items():
        assert fanmill.shingles(column, threads=1).to_pylist() == sets.to_pylist(), name


@settings(max_examples=CASES)
@given(texts_and_nulls, st.integers(0, 9))
def test_sets_come_back_in_every_layout(texts: list[str | None], cut: int) -> None:
    sets, same = fanmill.shingles(texts), fanmill.resemblance(texts, texts).to_pylist()
    arrow = pa.array(sets)
    unsigned = pa.ListArray.from_arrays(arrow.offsets, arrow.values.view(pa.uint64()), mask=arrow.is_null())
    large = arrow.cast(pa.large_list(pa.int64()))
    cut = min(cut, len(texts))
    sliced = pa.chunked_array([arrow[:cut], arrow[cut:]], arrow.type)
    for column in (sets, arrow, unsigned, large, sliced):
        assert fanmill.resemblance(column, sets, threads=1).to_pylist() == same
    assert fanmill.resemblance(arrow[cut:], sets[cut:]).to_pylist() == same[cut:]


def test_libraries_read_ours() -> None:
    column = fanmill.sketch(["a b c d e f", None])
    array = pa.array(column)
    assert array.type == pa.list_(pa.field("item", pa.int64(), nullable=False), 128)
    assert array.to_pylist() == column.to_pylist()
    field = pa.field("x", pa.float64())
    assert pa.array(fanmill.resemblance(["a"], ["a"])).type == field.type
    imported = pa.Field._import_from_c_capsule(column.__arrow_c_schema__())
    assert imported.metadata == {b"fanmill.scheme": b"corpus:runs@3/k=5/fss(t=128)"}


def test_a_released_input_does_no_harm() -> None:
    texts = pa.array([f"text number {i} of some that go away" for i in range(5000)])
    expected = fanmill.band_keys(texts).to_pylist()
    reader = pa.table({"text": texts}).to_reader(max_chunksize=64)
    del texts
    assert fanmill.band_keys(reader).to_pylist() == expected
    # A stream that was read is empty, or says that it is closed.
    assert fanmill.band_keys(reader).to_pylist() == []


def test_columns_come_and_go() -> None:
    """What goes in and what comes out is dropped in every order, and read after its other end is gone."""
    texts = [None if i % 7 == 3 else f"text {i} of some " * (i % 5) for i in range(40)]
    keys = fanmill.band_keys(texts).to_pylist()
    names = list(layouts(texts))
    for i in range(ROUNDS):
        name = names[i % len(names)]
        column = layouts(texts)[name]
        made = fanmill.band_keys(column, threads=1 + i % 2)
        del column
        array = pa.array(made)
        capsules = made.__arrow_c_array__()
        part = made[i % 40 :]
        del made
        assert array.to_pylist() == keys and part.to_pylist() == keys[i % 40 :], name
        if i % 2:
            # A consumer that never takes what it asked for.
            del capsules
        else:
            assert len(pa.Array._import_from_c_capsule(*capsules)) == 40
        sets = pa.array(fanmill.shingles(texts))
        assert fanmill.resemblance(sets, sets)[0] is None


def test_a_column_of_more_than_one_block_and_wave() -> None:
    """As many rows as there are in several waves, in arrays that begin anywhere."""
    texts = [f"text number {i} of very many, of which each is a little different" for i in range(9001)]
    expected = fanmill.band_keys(texts, threads=2).to_pylist()
    array = pa.array(["before", *texts])
    for starts in ([1], [1, 4097, 4097, 8200], list(range(1, 9000, 613))):
        ends = [*starts[1:], 9002]
        chunks = pa.chunked_array([array[start:end] for start, end in zip(starts, ends)])
        assert fanmill.band_keys(chunks, threads=2).to_pylist() == expected


def test_a_capsule_is_used_once() -> None:
    class Once:
        def __init__(self) -> None:
            self.capsules = pa.array(["a b c"]).__arrow_c_array__()

        def __arrow_c_array__(self, requested_schema: object = None) -> object:
            return self.capsules

    once = Once()
    assert len(fanmill.band_keys(once)) == 1
    with pytest.raises(TypeError, match="released"):
        fanmill.band_keys(once)


def test_bytes_that_are_no_text_are_refused_by_their_number() -> None:
    strings = pa.array([b"fine", b"bro\xffken"]).cast(pa.binary()).view(pa.string())
    with pytest.raises(ValueError, match="text 1 is not UTF-8 from byte 3 on"):
        fanmill.band_keys(strings)
    chunks = pa.chunked_array([pa.array(["x"] * 70), strings])
    with pytest.raises(ValueError, match="text 71 is not UTF-8"):
        fanmill.band_keys(chunks)


BROKEN = [b"a cat", b"bro\xffken \xe2\x82 text of more than twelve bytes", None, b"", "naïve 漢".encode(), b"\xf0\x9f\x92"]


@pytest.mark.parametrize("kind", [pa.binary(), pa.large_binary(), pa.binary_view(), "dictionary", "chunks", "slice", "stream", "list", "bytearray"])
def test_bytes_are_texts_in_utf_8(kind: object) -> None:
    texts = [None if text is None else text.decode("utf-8", "replace") for text in BROKEN]
    column: object
    if kind == "dictionary":
        column = pa.array(BROKEN).dictionary_encode()
    elif kind == "chunks":
        column = pa.chunked_array([BROKEN[:2], BROKEN[2:]])
    elif kind == "slice":
        column = pa.array([b"\xff", *BROKEN, b"\xff"])[1:-1]
    elif kind == "stream":
        column = pa.table({"text": pa.array(BROKEN)}).to_reader(max_chunksize=2)
    elif kind in ("list", "bytearray"):
        column = [text and bytearray(text) if kind == "bytearray" else text for text in BROKEN]
    else:
        column = pa.array(BROKEN, kind)
    result = fanmill.dedup(column, unit="run", min_words=9)
    assert result.texts.to_pylist() == texts
    assert (result.n_invalid_utf8, result.n_half_surrogates) == (2, 0)


def test_bytes_of_a_dictionary_count_once_a_row() -> None:
    column = pa.array([b"\xff a", b"b", b"\xff a", None]).dictionary_encode()
    assert fanmill.dedup(column).n_invalid_utf8 == 2
    assert fanmill.decontaminate(column, ["x"]).n_invalid_utf8 == 2
    assert fanmill.band_keys(column)[0] == fanmill.band_keys(["\ufffd a"])[0]


def test_bytes_outside_their_buffer_are_refused() -> None:
    offsets, values = pa.py_buffer(struct.pack("<4i", 0, 1, 99, 3)), pa.py_buffer(b"abc")
    column = pa.Array.from_buffers(pa.binary(), 3, [None, offsets, values])
    with pytest.raises(ValueError, match="text 1 is damaged: it is not inside of its buffer"):
        fanmill.band_keys(column)


def test_a_key_that_leads_nowhere_is_refused_and_no_other_text_taken() -> None:
    for keys, values in (([0, 5], ["a b c"]), ([0, -1], ["a b c"]), ([0], [])):
        indices, words = pa.array(keys, pa.int32()), pa.array(values, pa.string())
        column = pa.DictionaryArray.from_arrays(indices, words, safe=False)
        with pytest.raises(ValueError, match=f"text {len(keys) - 1} is damaged: its key leads nowhere"):
            fanmill.band_keys(column)


@pytest.mark.parametrize("column", [pa.array([1, 2]), pa.array([b"x"], pa.binary(1)), pa.array([["a"]])])
def test_other_types_are_refused(column: object) -> None:
    with pytest.raises(ValueError, match="a column of texts was expected"):
        fanmill.band_keys(column)


def test_sets_that_are_none_are_refused() -> None:
    for members in ([3, 1], [1, 1], [-1, 5]):
        with pytest.raises(ValueError, match="row 0 is not a set"):
            fanmill.resemblance(pa.array([members]), pa.array([members]))
    with pytest.raises(ValueError, match="member that is null"):
        fanmill.resemblance(pa.array([[1, None]]), pa.array([[1]]))
    with pytest.raises(ValueError, match="of texts or of sets"):
        fanmill.resemblance(pa.array([["a"]]), pa.array([["a"]]))


def test_a_stream_that_fails_is_an_error() -> None:
    def batches():  # type: ignore[no-untyped-def]
        yield pa.record_batch({"text": ["a b c"]})
        raise OSError("the disk is gone")

    schema = pa.schema({"text": pa.string()})
    with pytest.raises(ValueError, match="the stream ended with an error.*the disk is gone"):
        fanmill.band_keys(pa.RecordBatchReader.from_batches(schema, batches()))


def test_a_table_needs_the_name_of_its_column() -> None:
    table = pa.table({"body": ["a b c"], "id": [1]})
    with pytest.raises(ValueError, match="no column `text`; it has `body`, `id`"):
        fanmill.band_keys(table)
    assert len(fanmill.band_keys(table, text="body")) == 1


@settings(max_examples=CASES)
@given(texts_and_nulls)
def test_every_layout_has_the_same_duplicates(texts: list[str | None]) -> None:
    expected = fanmill.dedup(texts, threads=1).duplicate_of.to_pylist()
    for name, data in layouts(texts).items():
        assert fanmill.dedup(data, threads=1).duplicate_of.to_pylist() == expected, name


def test_tables_of_pairs_are_read_as_tables() -> None:
    pairs = fanmill.dedup(["a b c d e f", "A b c d e f", "g"]).pairs()
    for table in (pa.table(pairs), pa.RecordBatchReader.from_stream(pairs).read_all()):
        assert table.to_pylist() == pairs.to_pylist() == [pairs[0]] == list(pairs)
    assert pa.array(pairs["resemblance"]).to_pylist() == [1.0]
    with pytest.raises(KeyError):
        pairs["c"]
