"""Repeated runs of words in texts in memory: which ones go, and what is left."""

from __future__ import annotations

from typing import Any

from . import _native
from ._data import rows_edited
from ._native import Column, Table


class RunResult:
    """The runs of words that occur earlier, and the rest of each text. Each column has a row for each text.

    `keep` (``bool``): whether the text stays. One that was cut goes if fewer than `min_rest` words are left.

    `changed` (``bool``): whether the text stays with runs cut out of it.

    `texts` (``large_string``): what is left of the text; null for one that goes, and for a null.

    `runs`: a row for each piece that goes, in the order of the texts: its ``row``, ``begin`` and ``end``, its length in ``words``, the
    text that it equals (``source_row``, ``source_begin``, ``source_end``), ``words_left`` of its text, and ``is_removed``, whether its
    text goes. Rows count from 0; places are in bytes of the UTF-8 of the original texts.

    `rounds`: how many times something was cut; more than once if what a cut had joined was repeated itself.

    `scheme`: what was made of each text, in canonical form. `promise`: what holds of the result, in words.

    `n_invalid_utf8`, `n_half_surrogates`: how many of the texts had bytes that are not UTF-8, and half a surrogate; each such sequence was
    read as U+FFFD.

    Results can be pickled.
    """

    def __init__(self, found: _native.FoundRuns, text: str) -> None:
        self._text, self._n_kept, self._n_changed, self._n_words = text, found.n_kept, found.n_changed, found.n_words
        self.keep: Column = found.keep
        self.changed: Column = found.changed
        self.texts: Column = found.texts
        self.runs: Table = found.runs
        self.rounds: int = found.n_rounds
        self.scheme: str = found.scheme
        self.promise: str = found.promise
        self.n_invalid_utf8: int = found.n_invalid_utf8
        self.n_half_surrogates: int = found.n_half_surrogates

    def apply(self, data: Any) -> Any:
        """The data without the runs that go, as what it was: a table, a series, a data set, a list.

        Rows that go are left out, and changed ones have their new text; all else is as it was. Data must have as many rows as there
        were texts. A duckdb relation becomes a pyarrow table; a Hugging Face data set that streams goes on to stream.
        """
        return rows_edited(data, self._text, self.keep, self.changed, self.texts)

    def __len__(self) -> int:
        return len(self.keep)

    def __repr__(self) -> str:
        return (
            f"<fanmill.RunResult: {len(self):,} texts, {self._n_kept:,} stay, {self._n_changed:,} of these are cut; "
            f"{self._n_words:,} words go>"
        )
