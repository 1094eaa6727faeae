"""The Python of the workers: asked before any work is done whether it has this package, in this release."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from pyspark.errors import PythonException
from pyspark.sql import SparkSession

from .._errors import FanmillError
from .._native import __version__

#: Tasks that ask: they do not reach every worker, but the mistake is nearly always made on all of them.
_ASKED = 4


def check(spark: SparkSession) -> None:
    """Refuses workers that cannot do the work."""

    def ask(batches: Iterator[Any]) -> Iterator[Any]:
        # Nothing of the package is used here, so that this can be asked where it is missing.
        import sys

        import pyarrow

        try:
            import fanmill

            answer = fanmill.__version__
        except ImportError as error:
            answer = f"none: {error}"
        for _ in batches:
            yield pyarrow.RecordBatch.from_pydict({"python": [sys.executable], "answer": [answer]})

    asked = spark.range(0, _ASKED, 1, _ASKED).mapInArrow(ask, "python string, answer string").distinct()
    try:
        answers = asked.collect()
    except PythonException as error:
        # Spark takes columns by libraries that may be missing there, too.
        raise _refusal(f"whichever it is, fails with `{str(error).strip().splitlines()[-1]}`") from error
    for row in answers:
        if row["answer"] != __version__:
            raise _refusal(f"`{row['python']}`, has fanmill {row['answer']}, and the driver {__version__}")


def _refusal(what: str) -> FanmillError:
    return FanmillError._of(
        f"the Python of the workers, {what}; install the same release there, or name another Python: PYSPARK_PYTHON in the"
        " environment of the driver, before the session begins",
        "input",
        [],
    )
