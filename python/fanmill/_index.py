"""An archive on disk: where do the passages of this text come from?"""

from __future__ import annotations

import json
import os
from typing import Any, Iterable, Optional, Union

from . import _native
from ._arguments import Inputs, find_program, given, in_memory, paths_and_texts, reading
from ._compare import Pair, Report
from ._progress import watcher


class Source:
    """A document of an index that shares passages with a text.

    `name`, `author`, `group`, `submitted`: what the index knows of it; None for what it does not. `share_of_text`: the share of the text's tokens that is
    in it, 0 to 1, by exact coverage; `share_of_source`: of its own. `evidence`: bits beyond chance, by which documents are chosen. `added`: tokens of the
    text that it has and no earlier source. `title`, `url`, `licence`, `language`: what its library states of it, or None.
    `pair`: the text (A) and the source (B) with their passages, and side by side in a notebook; None where the index keeps no texts,
    so that nothing could be verified.
    """

    def __init__(self, data: dict[str, Any], pair: Optional[Pair]) -> None:
        self.data = data
        self.name: str = data["name"]
        self.author: Optional[str] = data["author"]
        self.group: Optional[str] = data["label"]
        self.submitted: Optional[str] = data["submitted"]
        self.evidence: int = data["evidence"]
        self.added: int = data.get("added", 0)
        self.title: Optional[str] = data.get("title")
        self.url: Optional[str] = data.get("url")
        self.licence: Optional[str] = data.get("licence")
        self.language: Optional[str] = data.get("language")
        self.pair = pair
        self.share_of_text: float = pair.containment_a if pair else 0.0
        self.share_of_source: float = pair.containment_b if pair else 0.0

    def __repr__(self) -> str:
        if self.pair is None:
            return f"<fanmill.Source {self.name}, by fingerprints alone>"
        return f"<fanmill.Source {self.name}: {self.share_of_text:.0%} of the text>"

    def _repr_html_(self) -> Optional[str]:
        return self.pair._repr_html_() if self.pair else None


class Answer:
    """What a search has found.

    `sources`: the documents that share passages with the text, in the order of what each adds. `coverage`: which stretches of the text come from which of
    them, dicts with ``start`` and ``end`` in bytes. `report`: the comparison of the text with its sources. `notices`: what of the text was
    not read completely. `data`: all of it, as ``docs/index-command.md`` describes.
    """

    def __init__(self, comparison: _native.Comparison, data: dict[str, Any]) -> None:
        self.report = Report(comparison)
        self.data = data
        by_submission = {pair["b"]: own for pair, own in zip(self.report.data["pairs"], self.report.pairs)}
        verified = [Source(source, by_submission.get(source["submission"])) for source in data["sources"]]
        self.sources: list[Source] = verified + [Source(source, None) for source in data["by_fingerprint"]]
        self.coverage: list[dict[str, Any]] = data["coverage"]
        self.notices: list[dict[str, Any]] = data["notices"]

    def __len__(self) -> int:
        return len(self.sources)

    def __repr__(self) -> str:
        return f"<fanmill.Answer: {len(self.sources):,} sources among {self.data['documents']:,} documents>"

    def _repr_html_(self) -> str:
        return self.report._repr_html_()


class Index:
    """Documents on disk, in which a text is searched for: a folder that the command ``fanmill index`` reads and writes, too.

        >>> index = fanmill.Index("archive")
        >>> index.add("last-year/")
        >>> index.search(text).sources

    One process adds at a time; any number search meanwhile, and each sees one state. Whatever ends a process, the index is afterwards as
    of its last commit.

    Arguments:
        path: The folder; `add` begins one if there is none.
        key: A key file (``fanmill sift keygen``): an index whose values nobody without the key can make. It keeps no texts.
    """

    def __init__(
        self, path: Union[str, os.PathLike[str]], *, key: Union[str, os.PathLike[str], None] = None
    ) -> None:
        self.path = os.fspath(path)
        self._key = None if key is None else os.fspath(key)

    def add(
        self,
        inputs: Inputs,
        *,
        lang: Optional[str] = None,
        noise: Optional[int] = None,
        guarantee: Optional[int] = None,
        select: Optional[str] = None,
        no_texts: bool = False,
        label: Optional[str] = None,
        group_by: Optional[str] = None,
        everything: bool = False,
        include: Iterable[str] = (),
        exclude: Iterable[str] = (),
        text_field: Optional[str] = None,
        id_field: Optional[str] = None,
        input_format: Optional[str] = None,
        wait: bool = False,
        threads: Optional[int] = None,
        progress: Optional[bool] = None,
        **options: Any,
    ) -> dict[str, Any]:
        """Adds documents; one of a name that the index has replaces it. Returns how many were ``added``, ``replaced`` and ``unchanged``, and ``notices``.

        Arguments:
            inputs: Paths of folders, files, archives and records (JSONL, Parquet, Arrow, WARC); or texts by their names, str or bytes.
            lang, noise, guarantee, select: See `compare`. They are fixed when the index is begun; another value is an error later.
            no_texts: Whether a new index keeps fingerprints alone.
            label: The group of these documents.
            group_by, everything, include, exclude: See `compare`.
            text_field, id_field, input_format: How records are read.
            wait: Whether to wait while another process writes the index, instead of failing.
            threads, progress, options: See `compare`.

        Raises FanmillError with the code ``busy`` if another process writes the index, and ValueError if an input is missing.
        """
        find_program()
        paths, texts = paths_and_texts(inputs)
        settings = given(
            lang=lang,
            noise=noise,
            guarantee=guarantee,
            select=select,
            no_texts=no_texts,
            key=self._key,
            paths=paths,
            label=label,
            group_by=group_by,
            everything=everything,
            include=list(include),
            exclude=list(exclude),
            text_field=text_field,
            id_field=id_field,
            input_format=input_format,
            **reading(options),
        )
        held = texts if in_memory(inputs) else None
        with watcher(progress) as tell:
            done = _native.index_add(self.path, settings, held, wait, threads, tell)
        outcome: dict[str, Any] = json.loads(done)
        return outcome

    def search(
        self,
        text: Union[str, bytes],
        *,
        name: str = "text.txt",
        max_sources: Optional[int] = None,
        max_postings: Optional[int] = None,
        guarantee: Optional[int] = None,
        exclude_source: Iterable[str] = (),
        label: Iterable[str] = (),
        since: Optional[str] = None,
        quick: Optional[int] = None,
        quotes: bool = False,
        base: Union[str, os.PathLike[str], Iterable[Union[str, os.PathLike[str]]], None] = None,
        title: Optional[str] = None,
        language: Optional[str] = None,
        threads: Optional[int] = None,
    ) -> Answer:
        """Finds the documents that share passages with a text.

        Arguments:
            text: The text.
            name: What it is called; the extension says its language: ``essay.txt``, ``main.py``.
            max_sources: Maximum number of documents that it is compared with; 50 if None.
            max_postings: A fingerprint that more documents hold counts for the first ones only; 64 if None.
            guarantee: A higher guarantee than the index's, in tokens.
            exclude_source: Names of documents that are not sources.
            label: Only documents of these groups are sources.
            since: Only documents handed in on this day or later: ``2026-03-01``.
            quick: Look up only so many fingerprints of the text, the smallest.
            quotes: Whether quotations in prose are boilerplate.
            base: Paths of boilerplate.
            title, language, threads: See `compare`.

        Raises ValueError if there is no index, or it is damaged.
        """
        wanted = given(
            max_sources=max_sources,
            max_postings=max_postings,
            guarantee=guarantee,
            exclude_source=_several(exclude_source),
            label=_several(label),
            since=since,
            quick=quick,
            quotes=quotes,
            base=paths_and_texts(base)[0],
            key=self._key,
            title=title,
            language=language,
        )
        content = text.encode("utf-8") if isinstance(text, str) else bytes(text)
        comparison, data = _native.index_search(self.path, wanted, name, content, threads)
        return Answer(comparison, json.loads(data))

    def remove(self, names: Union[str, Iterable[str]], *, merge: bool = False, wait: bool = False) -> int:
        """Removes documents by their names; with `merge`, from the disk as well. Returns how many."""
        return _native.index_remove(self.path, _several(names), merge, wait)

    def merge(self, *, wait: bool = False) -> None:
        """Makes one segment of all; what was removed is then not on the disk any more."""
        _native.index_merge(self.path, wait)

    def upgrade(self, *, wait: bool = False) -> int:
        """Reads documents again, from their texts, that another release has read in another way. Returns how many."""
        return _native.index_upgrade(self.path, wait)

    def verify(self) -> None:
        """Reads all of the index. Raises ValueError if something is damaged."""
        _native.index_verify(self.path)

    def stats(self) -> dict[str, Any]:
        """What the index consists of: ``documents``, ``segments``, ``fingerprints``, bytes, schemes."""
        return json.loads(_native.index_stats(self.path))  # type: ignore[no-any-return]

    def documents(self) -> list[dict[str, Any]]:
        """What the index knows of each document: ``name``, ``label`` (its group), ``submitted``, ``tokens``, ``files``."""
        return json.loads(_native.index_documents(self.path))  # type: ignore[no-any-return]

    def __len__(self) -> int:
        return int(self.stats()["documents"])

    def __repr__(self) -> str:
        return f"fanmill.Index({self.path!r})"


def _several(names: Union[str, Iterable[str]]) -> list[str]:
    return [names] if isinstance(names, str) else list(names)
