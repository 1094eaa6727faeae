"""Columns of texts in, columns of numbers out.

A *column of texts* is an array, chunked array, series or reader of strings with Arrow's PyCapsule interface (pyarrow, polars,
duckdb; `string`, `large_string`, `string_view`, their binary forms, dictionaries of these, sliced or chunked), a pandas series, a table of one of these
or a Hugging Face dataset, of which `text` names the column, or any iterable of str, bytes and None. Arrow data is not copied.

A hash is 64 bits, as `int64` bit for bit: Spark and others have no unsigned numbers.
"""

from __future__ import annotations

from typing import Any, overload

from . import _native
from ._arguments import given
from ._data import column
from ._native import Column, Recipe


def sketch(
    texts: Any,
    *,
    text: str = "text",
    sketch: str = "fss(t=128)",
    shingle: int = 5,
    weighted: bool = False,
    threads: int | None = None,
) -> Column:
    """Sketches of texts: of two sketches, the share of equal registers estimates the resemblance of the texts.

    Returns a column of ``fixed_size_list<int64>[128]``, or as wide as the sketch is; of ``list<int64>`` for ``bottom`` and ``mod``,
    whose rows have different lengths. A row is null for a null, and for a text without words. With 128 registers, the
    estimate's standard error is at most 0.044.

    Arguments: see `Recipe`; `threads` is the number of threads, None for one a core.

    Source: Dahlgaard, Knudsen & Thorup, "Fast similarity sketching", FOCS 2017 (``fss``); Broder, "On the resemblance and
    containment of documents", 1997 (``perm``, known as MinHash).
    """
    recipe = Recipe(min_score=None, shingle=shingle, weighted=weighted, sketch=sketch)
    return recipe.sketch(column(texts, text), text=text, threads=threads)


def band_keys(
    texts: Any,
    *,
    text: str = "text",
    min_score: float = 0.8,
    recall: float = 0.998,
    sketch: str = "fss(t=128)",
    shingle: int = 5,
    weighted: bool = False,
    threads: int | None = None,
) -> Column:
    """Keys of texts, one for each band of a sketch: near-duplicates have at least one in common, in the same band.

    Returns a column of ``fixed_size_list<int64>[25]``, or as many as the recipe has bands. A row is null for a null, and for a
    text without words, so that such texts are not taken for copies of each other. Texts with a common key are candidates,
    and nothing more: compare them by `resemblance`.

    Arguments: see `Recipe`; `threads` is the number of threads, None for one a core.
    """
    recipe = Recipe(min_score=min_score, recall=recall, shingle=shingle, weighted=weighted, sketch=sketch)
    return recipe.band_keys(column(texts, text), text=text, threads=threads)


def shingles(
    texts: Any,
    *,
    text: str = "text",
    shingle: int = 5,
    weighted: bool = False,
    key: bytes | None = None,
    threads: int | None = None,
) -> Column:
    """The set of shingles of each text, for `resemblance` and `containment`, where texts are too large to be moved.

    Returns a column of ``list<int64>``: different hashes, ascending as unsigned numbers; empty for a text without words, null for a
    null. Sets can be compared if they were made under the same key.

    Arguments:
        key: 32 bytes under which words are hashed. Without a key, a person who writes such texts can make different words count as
            equal ones, and have other people's texts taken for copies. Use ``secrets.token_bytes(32)`` for texts of strangers.

    Others: see `Recipe`; `threads` is the number of threads, None for one a core.
    """
    recipe = Recipe(min_score=None, shingle=shingle, weighted=weighted)
    return recipe.shingles(column(texts, text), key=key, text=text, threads=threads)


@overload
def resemblance(a: str, b: str, *, shingle: int = 5, weighted: bool = False) -> float | None: ...
@overload
def resemblance(
    a: Any, b: Any, *, shingle: int = 5, weighted: bool = False, threads: int | None = None
) -> Column: ...
def resemblance(
    a: Any, b: Any, *, shingle: int = 5, weighted: bool = False, threads: int | None = None
) -> Column | float | None:
    """Exact resemblance (Jaccard) of `a` and `b`, row by row: shingles of both among shingles of either.

    Returns a column of ``double`` between 0 and 1; null if one of the two is null, or both have no words. Two str give a number.

    Arguments:
        a, b: Columns of texts, or of sets that `shingles` has made under the same key; as many rows in both.

    Others: see `Recipe`; `threads` is the number of threads, None for one a core.

    Source: Broder, "On the resemblance and containment of documents", 1997.
    """
    return _compared("resemblance", a, b, shingle, weighted, threads)


@overload
def containment(a: str, b: str, *, shingle: int = 5, weighted: bool = False) -> float | None: ...
@overload
def containment(
    a: Any, b: Any, *, shingle: int = 5, weighted: bool = False, threads: int | None = None
) -> Column: ...
def containment(
    a: Any, b: Any, *, shingle: int = 5, weighted: bool = False, threads: int | None = None
) -> Column | float | None:
    """Exact containment of `a` in `b`, row by row: the share of the shingles of `a` that `b` has.

    Returns a column of ``double`` between 0 and 1; null if one of the two is null, or `a` has no words. Two str give a number.
    Arguments and source: see `resemblance`.
    """
    return _compared("containment", a, b, shingle, weighted, threads)


def fingerprints(
    texts: Any,
    *,
    text: str = "text",
    lang: str = "words",
    noise: int | None = None,
    guarantee: int | None = None,
    select: str | None = None,
    threads: int | None = None,
) -> Column:
    """The fingerprints by which `compare` and `Index` find shared passages: selected runs of tokens, each with its place.

    Returns a column of ``list<struct<hash: int64, start: uint32, end: uint32>>``, in the order of the text; ``start`` and ``end`` are bytes of its UTF-8.
    Null for a null. Two texts that share a run of `guarantee` tokens have a fingerprint in common.

    Arguments:
        lang: The language of the texts: ``words``, ``python``, ``java``, … (``fanmill languages`` lists all).
        noise, guarantee: In tokens; presets of the kind of text if None.
        select: How fingerprints are selected: ``roc``, ``winnow``, ``robust``, …; ``roc`` if None.
        threads: Number of threads; one a core if None.

    Source: Schleimer, Wilkerson & Aiken, "Winnowing: local algorithms for document fingerprinting", SIGMOD 2003.
    """
    settings = given(lang=lang, noise=noise, guarantee=guarantee, select=select)
    return _native.fingerprints(column(texts, text), text, settings, threads)


def _compared(
    measure: str, a: Any, b: Any, shingle: int, weighted: bool, threads: int | None
) -> Column | float | None:
    recipe = Recipe(min_score=None, shingle=shingle, weighted=weighted)
    compare = recipe.resemblance if measure == "resemblance" else recipe.containment
    if isinstance(a, str) and isinstance(b, str):
        return compare([a], [b], threads=threads)[0]  # type: ignore[no-any-return]
    return compare(column(a, "text"), column(b, "text"), threads=threads)
