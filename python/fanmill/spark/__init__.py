"""Near-duplicates of a corpus on a Spark cluster: the answer of ``fanmill dedup``, for what one machine cannot hold.

    from fanmill.spark import dedup

    gone = dedup(df, id="url", text="text", checkpoint="s3://bucket/dedup-1")
    kept = df.join(gone, df.url == gone.id, "left_anti")

`dedup_runs` cuts runs of words out that occur earlier, as ``fanmill dedup --unit run`` does.

Needs Spark 3.5 or 4, and this package, pyarrow, numpy and pandas on the driver and on each worker. One machine is faster as long as
the corpus fits its disk; see ``docs/cluster.md``.
"""

from ._dedup import dedup
from ._runs import dedup_runs

__all__ = ["dedup", "dedup_runs"]
