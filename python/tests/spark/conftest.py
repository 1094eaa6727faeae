"""A cluster that all tests of `fanmill.spark` share; a session of it has all its workers until the end of a file."""

from __future__ import annotations

import importlib.util
import os
import sys
from collections.abc import Iterator
from typing import Any

import pytest

# Without Spark there is nothing to test; `test.sh` says so.
if importlib.util.find_spec("pyspark") is None:
    collect_ignore_glob = ["*.py"]
else:
    os.environ.setdefault("SPARK_LOCAL_IP", "127.0.0.1")
    # Workers would otherwise start the system's Python.
    os.environ["PYSPARK_PYTHON"] = sys.executable


@pytest.fixture(scope="session")
def cluster(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Any]:
    from cluster import Cluster

    cluster = Cluster(tmp_path_factory.mktemp("cluster"))
    yield cluster
    cluster.stop()


@pytest.fixture(scope="module")
def spark(cluster: Any, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Any]:
    from cluster import session

    spark = session(cluster.url, tmp_path_factory.mktemp("driver"))
    yield spark
    spark.stop()
