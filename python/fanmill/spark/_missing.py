"""Sentences about connectors, jars and sources of data that Spark looks for and does not find.

Spark reports these as traces of Java, by several classes of errors, and on Spark Connect by others. The names of what is missing are in
their texts, which are the same everywhere.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Callable, Optional

from .._errors import FanmillError
from ._settings import unusable

#: The way in which a package is given. A session that runs takes no more of them.
_PACKAGES = "to `spark.jars.packages` before the session begins"

#: Packages that read and write paths, by scheme.
_OF_SCHEMES = {
    "s3": "write `s3a://`, as open-source Spark calls it",
    "s3n": "write `s3a://`, which has replaced it",
    "s3a": f"add `org.apache.hadoop:hadoop-aws:VERSION`, with the version of the cluster's Hadoop, {_PACKAGES}",
    "gs": f"add `com.google.cloud.bigdataoss:gcs-connector:VERSION` {_PACKAGES}",
    "dbfs": "only Databricks knows it",
}
_OF_SCHEMES["abfs"] = _OF_SCHEMES["abfss"] = _OF_SCHEMES["wasb"] = _OF_SCHEMES["wasbs"] = (
    f"add `org.apache.hadoop:hadoop-azure:VERSION`, with the version of the cluster's Hadoop, {_PACKAGES}"
)

#: Packages that read a source of data, by its name.
_OF_SOURCES = {
    "delta": f"add `io.delta:delta-spark_SCALA:VERSION` {_PACKAGES}",
    "iceberg": f"add `org.apache.iceberg:iceberg-spark-runtime-SPARK_SCALA:VERSION` {_PACKAGES}",
    "hudi": f"add `org.apache.hudi:hudi-sparkSPARK-bundle_SCALA:VERSION` {_PACKAGES}",
    "avro": f"add `org.apache.spark:spark-avro_SCALA:VERSION`, with the version of Spark, {_PACKAGES}",
    "jdbc": "add the jar of its driver to `spark.jars` before the session begins",
}


def _scheme(name: str) -> str:
    helps = _OF_SCHEMES.get(name, f"add the package of its connector {_PACKAGES}")
    return f"this Spark has no file system for paths that begin with `{name}://`; {helps}, or use another file system"


def _class(name: str) -> str:
    name = name.replace("/", ".").rstrip(".")
    schemes = {"s3a": "s3a", "adl": "abfs", "azure": "abfs", "azurebfs": "abfs", "gcs": "gs"}
    scheme = next((scheme for part, scheme in schemes.items() if f".fs.{part}." in name), None)
    helps = _OF_SCHEMES[scheme] if scheme else f"add the package that has it {_PACKAGES}"
    return f"this Spark has no class `{name}`; {helps}"


def _source(name: str) -> str:
    helps = _OF_SOURCES.get(name.lower(), f"look at its spelling, or add its package {_PACKAGES}")
    return f"this Spark has no source of data `{name}`; {helps}"


def _path(name: str) -> str:
    return f"there is nothing at `{name}` to be read; look at its spelling, and whether all workers see it"


def _table(name: str) -> str:
    return f"there is no table or view `{name}`; look at its spelling, its catalog and its schema"


def _driver(_: str) -> str:
    return f"this Spark has no driver for the address that a JDBC source names; {_OF_SOURCES['jdbc']}"


#: Messages of Spark and Hadoop, and the sentences in their place; the first that fits.
_SAID: list[tuple[str, Callable[[str], str]]] = [
    (r'No FileSystem for scheme[:\s]+"?(\w[\w+.-]*)', _scheme),
    (r"Failed to find (?:the )?data source: ([\w./-]*\w)", _source),
    (r"(No suitable driver)", _driver),
    (r"ClassNotFoundException: (?:Class )?([\w.$/]+)", _class),
    (r"NoClassDefFoundError: ([\w.$/]+)", _class),
    (r"\[TABLE_OR_VIEW_NOT_FOUND\] The table or view (\S+) cannot be found", lambda name: _table(name.replace("`", ""))),
    (r"\[PATH_NOT_FOUND\] Path does not exist: (.+?)\.?(?: SQLSTATE| *$)", _path),
]


def said(text: str) -> Optional[str]:
    """The sentence for an error that says what Spark lacks; none for other errors."""
    for pattern, sentence in _SAID:
        found = re.search(pattern, text, flags=re.M)
        if found:
            return sentence(found[1])
    return None


@contextmanager
def in_a_sentence() -> Iterator[None]:
    """Turns errors of Spark about what it lacks into one sentence, without their traces."""
    try:
        yield
    except FanmillError:
        raise
    except Exception as error:
        # Those of Py4J and of Spark Connect have no class in common.
        sentence = said(str(error)) if type(error).__module__.partition(".")[0] in ("pyspark", "py4j") else None
        if sentence is None:
            raise
        raise unusable(sentence) from None
