"""Near-duplicates of a corpus in memory, in one line."""

from __future__ import annotations

import os
from typing import Any, Literal, Optional, Union, overload

from . import _native
from ._arguments import given
from ._data import addresses, column, rows_again, rows_kept
from ._native import Column, Table
from ._progress import watcher
from ._runs import RunResult

#: Defaults that are left out of a call, as these settings may have no effect.
DEFAULTS = {"min_score": 0.8, "keep": "first"}

#: A file.
Path = Union[str, "os.PathLike[str]"]
#: Which text of a group stays.
Keep = Literal["first", "longest"]
#: The value by which rows are grouped before their texts are compared.
FirstBy = Literal["url"]
#: How pairs become groups.
Cluster = Literal["centres", "components"]
#: The words that texts consist of.
Words = Literal["prose", "code", "maths"]
#: The way short texts are compared.
ShortTexts = Literal["slips", "shingles"]
#: The unit that is removed.
Unit = Literal["document", "run"]
#: The places at which repeated runs are cut out.
Cut = Literal["word", "sentence"]


class Result:
    """Which texts are near-duplicates of others, and which ones stay. Each column has a row for each text.

    `keep` (``bool``): whether the text stays.

    `duplicate_of` (``int64``): the row of the text that stays instead; null for a text that stays.

    `resemblance` (``double``): the exact resemblance (Jaccard) of the two, between 0 and 1; null for a text that stays, and for one that
    goes by its address and was not compared.

    `containment` (``double``): how much of it the text that stays has, between 0 and 1; null likewise.

    `by_address` (``bool``): with `first_by`, whether the text goes because another one with its address is preferred; null for a text that
    stays.

    `in_against` (``bool``): whether `duplicate_of` is a row of `against`; null likewise.

    `scheme`: what was made of each text, in canonical form. `promise`: what holds of the result, in words.

    `n_invalid_utf8`, `n_half_surrogates`: how many of the texts had bytes that are not UTF-8, and half a surrogate; each such sequence was
    read as U+FFFD.

    ``frame[result.keep]`` in pandas and ``frame.filter(polars.Series(result.keep))`` in polars are the rows that stay. Results and
    columns can be pickled.
    """

    def __init__(self, found: _native.Found) -> None:
        self._clusters, self._pairs, self._n_kept = found.clusters, found.pairs, found.n_kept
        self.keep: Column = found.keep
        self.duplicate_of: Column = found.duplicate_of
        self.resemblance: Column = found.resemblance
        self.containment: Column = found.containment
        self.in_against: Column = found.in_against
        self.by_address: Column = found.by_address
        self.scheme: str = found.scheme
        self.promise: str = found.promise
        self.n_invalid_utf8: int = found.n_invalid_utf8
        self.n_half_surrogates: int = found.n_half_surrogates

    def clusters(self) -> Column:
        """Each text that stays for others, and those that go for it: ``list<int64>`` of rows, the one that stays first.

        Ascending by the text that stays, and within a cluster. Texts that go for one of `against` are in none.
        """
        return self._clusters

    def pairs(self) -> Table:
        """All pairs that resemble each other enough: ``a`` and ``b``, rows with a < b, their exact ``resemblance``, and ``a_in_against``.

        Where ``a_in_against`` is true, ``a`` is a row of `against`. Of texts that are equal byte for byte, the first stands for all.
        """
        return self._pairs

    def apply(self, data: Any) -> Any:
        """The data without its duplicates, as what it was: a table, a series, a data set, a list.

        Data must have as many rows as there were texts. A duckdb relation becomes a pyarrow table; a Hugging Face data set that
        streams goes on to stream.
        """
        return rows_kept(data, self.keep)

    def __len__(self) -> int:
        return len(self.keep)

    def __repr__(self) -> str:
        n, n_kept = len(self), self._n_kept
        return f"<fanmill.Result: {n:,} texts, {n_kept:,} stay, {n - n_kept:,} are near-duplicates of others>"


@overload
def dedup(
    data: Any,
    text: str = "text",
    min_score: float = 0.8,
    keep: Keep = "first",
    against: Any = None,
    *,
    unit: Literal["document"] = "document",
    containment: Optional[float] = None,
    shingle: Optional[int] = None,
    weighted: bool = False,
    cluster: Optional[Cluster] = None,
    exact: bool = False,
    sketch: Optional[str] = None,
    recall: Optional[float] = None,
    only_against: bool = False,
    exact_spelling: bool = False,
    words: Words = "prose",
    short_texts: Optional[ShortTexts] = None,
    first_by: Optional[FirstBy] = None,
    url_field: str = "url",
    url_rules: Optional[Path] = None,
    threads: Optional[int] = None,
    progress: Optional[bool] = None,
) -> Result: ...
@overload
def dedup(
    data: Any,
    text: str = "text",
    *,
    unit: Literal["run"],
    keep: Keep = "first",
    min_words: Optional[int] = None,
    min_bytes: Optional[int] = None,
    cut: Cut = "word",
    min_rest: int = 1,
    threads: Optional[int] = None,
    progress: Optional[bool] = None,
) -> RunResult: ...
def dedup(
    data: Any,
    text: str = "text",
    min_score: float = 0.8,
    keep: Keep = "first",
    against: Any = None,
    *,
    unit: Unit = "document",
    min_words: Optional[int] = None,
    min_bytes: Optional[int] = None,
    cut: Optional[Cut] = None,
    min_rest: Optional[int] = None,
    containment: Optional[float] = None,
    shingle: Optional[int] = None,
    weighted: bool = False,
    cluster: Optional[Cluster] = None,
    exact: bool = False,
    sketch: Optional[str] = None,
    recall: Optional[float] = None,
    only_against: bool = False,
    exact_spelling: bool = False,
    words: Words = "prose",
    short_texts: Optional[ShortTexts] = None,
    first_by: Optional[FirstBy] = None,
    url_field: str = "url",
    url_rules: Optional[Path] = None,
    threads: Optional[int] = None,
    progress: Optional[bool] = None,
) -> Union[Result, RunResult]:
    """Finds the texts that are near-duplicates of others, and says which one of each group stays; or runs of words that occur earlier.

    Candidates are found by sketches and compared exactly, so no two texts below `min_score` count as duplicates. Each duplicate
    resembles the text that stays for it by that or more, and no two that stay do.

        >>> result = fanmill.dedup(table)
        >>> result.apply(table)

    With ``unit="run"`` it finds every run of `min_words` words or more that occurs earlier, in another text or in the same one, anywhere,
    and cuts it out; nothing shorter goes. Words are what is between white space, as they are spelled. What a cut joins is compared again,
    until nothing that is left is repeated.

        >>> fanmill.dedup(table, unit="run", min_words=50).apply(table)

    Arguments:
        data: A table (pyarrow, polars, pandas, duckdb, Hugging Face datasets), a column of texts, or an iterable of str, of
            bytes or of dicts. A null is a text without words, which stays. Bytes are read as UTF-8; what is none, and half a surrogate, is read
            as U+FFFD.
        text: The column of a table that has the texts.
        min_score: Minimum resemblance (Jaccard of shingles) of duplicates, above 0 and at most 1. 1 needs `exact`.
        keep: Which text of a group stays: ``first``, as in the command, or ``longest`` (most bytes; of equals, the first).
        against: Texts that are only compared with: a text that resembles one of these goes.
        unit: ``document``, or ``run`` for repeated runs of words; `keep` and the next four are all that concerns these.
        min_words: Minimum length of a run, in words; 50 if None.
        min_bytes: Instead of `min_words`: the same in bytes of words, with one blank between two.
        cut: ``word`` (the default), or ``sentence``: of each run only whole sentences go.
        min_rest: Minimum number of words that must be left of a text that was cut; of fewer, the text goes. 1 if None.
        containment: Instead of `min_score`: minimum share of a text that is contained in another one, which stays.
        shingle: Words in a shingle; 5 if None.
        weighted: Whether a shingle counts as often as it occurs.
        cluster: ``centres`` (the default), or ``components`` for all that is linked by any chain.
        exact: Whether all pairs are found, instead of nearly all by sketches.
        sketch: The sketch that finds candidates: see `Recipe`.
        recall: Minimum share of the pairs exactly at `min_score` that is found; .998 if None.
        only_against: Whether texts are compared with `against` alone, and not with each other.
        exact_spelling: Whether words are compared as they are spelled, accents, widths and ways to write a letter included.
        words: The words that texts consist of: of ``prose``, or with all signs, as they are written, of ``code`` or ``maths``.
        short_texts: The way texts of fewer than six shingles' words (30), or twenty shingles' letters (100), are compared: ``slips`` (word by
            word: at most one word in ten differs by a slip, or is appended), or ``shingles``, as longer ones are; ``slips`` if None.
        first_by: ``url`` to take rows of one address for one text before texts are compared: the one that `keep` prefers is compared, and the
            others go for it, whatever their texts. Addresses count as the same by the rules of ``fanmill urls``. None to compare texts alone.
        url_field: The column of the table that has the addresses. A null, and what is not an address of the web, is in no such group.
        url_rules: The file ``rules.jsonl`` of ``fanmill urls``: addresses that its rules make equal are the same, too.
        threads: Number of threads; one a core if None. The answer is the same for any number.
        progress: Whether progress is shown, by tqdm if it is installed; if None, in terminals and notebooks.

    Returns a `Result`, or a `RunResult` for runs.

    Texts are in memory, and besides them 32 bytes for each, and the shingles of those that may be duplicates; with runs, 8 bytes for
    each word, 24 for each window of words that may be repeated, and the new texts. For a corpus that
    does not fit, use the command ``fanmill dedup``, which gives the same answer.

    Raises ValueError if arguments contradict each other, or data has no such column.

    Source: Broder, Glassman, Manasse & Zweig, "Syntactic clustering of the Web", 1997; for groups, Ailon, Charikar & Newman,
    "Aggregating inconsistent information", 2008.
    """
    settings = {
        "unit": None if unit == "document" else unit,
        "min_words": min_words,
        "min_bytes": min_bytes,
        "cut": cut,
        "min_rest": min_rest,
        "min_score": min_score,
        "keep": keep,
        "containment": containment,
        "shingle": shingle,
        "weighted": weighted,
        "cluster": cluster,
        "exact": exact,
        "sketch": sketch,
        "recall": recall,
        "only_against": only_against,
        "exact_spelling": exact_spelling,
        "words": None if words == "prose" else words,
        "short_texts": short_texts,
        "first_by": first_by,
        "url_field": url_field if first_by is not None or url_field != "url" else None,
        "url_rules": None if url_rules is None else os.fspath(url_rules),
    }
    if containment is not None or unit != "document":
        # These have no meaning then; the values that nobody has chosen are not held against anyone.
        settings = {name: value for name, value in settings.items() if DEFAULTS.get(name) != value}
    if first_by is not None:
        data = rows_again(data)
    of_addresses = None if first_by is None else (addresses(data, url_field), url_field)
    texts = column(data, text)
    known = None if against is None else column(against, text)
    with watcher(progress) as tell:
        if unit == "run":
            return RunResult(_native.find_runs(texts, known, text, given(**settings), threads, tell), text)
        found = _native.find_duplicates(texts, known, text, given(pairs=True, **settings), threads, tell, of_addresses)
    return Result(found)
