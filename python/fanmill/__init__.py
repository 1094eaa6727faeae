"""Fanmill finds copying, and shows the evidence.

Columns come in and go out as Arrow data, from pyarrow, polars, duckdb, pandas or Hugging Face datasets, or as
lists of str. None of these libraries is needed.

    >>> result = fanmill.dedup(table)
    >>> result.apply(table)
"""

from ._columns import band_keys, containment, fingerprints, resemblance, shingles, sketch
from ._compare import Match, Pair, Passage, Place, Report, compare
from ._decontaminate import DecontaminationResult, decontaminate
from ._dedup import Result, dedup
from ._errors import FanmillError, FanmillValueError
from ._index import Answer, Index, Source
from ._native import Column, Recipe, Table, __version__, languages
from ._runs import RunResult
from ._sift import Sifter, Verdict

__all__ = [
    "Answer",
    "Column",
    "DecontaminationResult",
    "FanmillError",
    "FanmillValueError",
    "Index",
    "Match",
    "Pair",
    "Passage",
    "Place",
    "Recipe",
    "Report",
    "Result",
    "RunResult",
    "Sifter",
    "Source",
    "Table",
    "Verdict",
    "__version__",
    "band_keys",
    "compare",
    "containment",
    "decontaminate",
    "dedup",
    "fingerprints",
    "languages",
    "resemblance",
    "shingles",
    "sketch",
]
