"""Texts of a training corpus that share runs of words with test sets."""

from __future__ import annotations

from typing import Any, Optional

from . import _native
from ._arguments import given
from ._data import column, rows_kept
from ._native import Column, Table
from ._progress import watcher


class DecontaminationResult:
    """The texts that share a run of words with an item of the test sets, and these runs.

    `keep` (``bool``): whether the text stays, a row for each text.

    `runs`: a row for each run that a text shares with an item: the text's ``row``, the item's ``item_row``, its length in ``words``, its
    place in both (``begin``, ``end``, ``item_begin``, ``item_end``, in bytes of the UTF-8), and the beginning of its ``text``.

    `items`: a row for each item that has words: its ``item_row`` and length in ``words``; how many ``documents`` share a run with it, and the
    ``longest`` of these, in words; how many of its shortest runs do not count as too many texts have them (``common_runs``);
    ``is_too_short``, whether it counts only where it is a whole line of a text, or all of it.

    `scheme`: what was made of each text, in canonical form. `promise`: what holds of the result, in words.

    `n_invalid_utf8`, `n_half_surrogates`: how many of the texts had bytes that are not UTF-8, and half a surrogate; each such sequence was
    read as U+FFFD.

    Results can be pickled.
    """

    def __init__(self, found: _native.FoundContamination) -> None:
        self._n_kept = found.n_kept
        self.keep: Column = found.keep
        self.runs: Table = found.runs
        self.items: Table = found.items
        self.scheme: str = found.scheme
        self.promise: str = found.promise
        self.n_invalid_utf8: int = found.n_invalid_utf8
        self.n_half_surrogates: int = found.n_half_surrogates

    def apply(self, data: Any) -> Any:
        """The data without the texts that share a run with an item, as what it was: see `Result.apply`."""
        return rows_kept(data, self.keep)

    def __len__(self) -> int:
        return len(self.keep)

    def __repr__(self) -> str:
        n, n_kept = len(self), self._n_kept
        return f"<fanmill.DecontaminationResult: {n:,} texts, {n_kept:,} stay, {n - n_kept:,} share runs with items>"


def decontaminate(
    data: Any,
    items: Any,
    text: str = "text",
    *,
    item_text: Optional[str] = None,
    min_words: int = 13,
    max_documents: int = 10,
    threads: Optional[int] = None,
    progress: Optional[bool] = None,
) -> DecontaminationResult:
    """Finds the texts that share a run of words with an item of a test set: what a model is tested with should not be in what it learns from.

    Words are those of `dedup`: case, signs and disguises make no difference. An item of fewer than `min_words` words is found by all of its
    words in one run, and one of fewer than 8 only where it is a whole line of a text, or all of it. Every run is compared word by word.

        >>> result = fanmill.decontaminate(corpus, questions, item_text="question")
        >>> result.apply(corpus)

    Arguments:
        data: A table (pyarrow, polars, pandas, duckdb, Hugging Face datasets), a column of texts, or an iterable of str, of
            bytes or of dicts. A null is a text without words, which stays.
        items: The test sets: one item a row, in any of these forms. Those without words are not compared, and not in `items` of the result.
        text: The column of a table that has the texts.
        item_text: The column of `items` that has the texts; `text` if None. If questions and answers are in different columns, call
            this once for each.
        min_words: Minimum length of a shared run, in words.
        max_documents: Maximum number of texts that have a run for it to count: a licence, a proverb or a template is in more.
        threads: Number of threads; one a core if None. The answer is the same for any number.
        progress: Whether progress is shown, by tqdm if it is installed; if None, in terminals and notebooks.

    Texts and items are in memory, and besides them about 60 bytes for each word of the items. For a corpus that does not fit, use the
    command ``fanmill dedup --decontaminate``, which gives the same answer.

    Raises ValueError if an argument is out of its limits, or data has no such column.

    Source: Brown et al., "Language models are few-shot learners", 2020, appendix C.
    """
    of_items = text if item_text is None else item_text
    texts, tests = column(data, text), column(items, of_items)
    settings = given(min_words=min_words, max_documents=max_documents)
    with watcher(progress) as tell:
        return DecontaminationResult(_native.find_contamination(texts, tests, text, of_items, settings, threads, tell))
