"""Texts that somebody has changed on purpose, recognised under a secret key."""

from __future__ import annotations

import json
import os
import tempfile
from typing import Any, Iterable, Optional, Union

from . import _native
from ._arguments import Inputs, find_program, given, paths_and_texts
from ._data import column
from ._native import Column
from ._progress import watcher


class Verdict:
    """The answer about one text.

    `name`: the text's. `answer`: ``yes``, ``no``, ``wanted``, ``part`` (read in part only), ``none`` (no words) or ``skip`` (no text).
    `is_copy`: whether the answer is ``yes``. `grade`: ``same``, ``strong`` or ``likely``; None if it is no copy. `originals`: the names of the most similar ones,
    as many as were asked for. `remarks`: how it was read and compared. `message_id`: of a message.
    """

    def __init__(self, data: dict[str, Any]) -> None:
        self.name: str = data["name"]
        self.answer: str = data["answer"]
        self.is_copy: bool = self.answer == "yes"
        self.grade: Optional[str] = data.get("grade")
        self.originals: list[str] = data.get("originals", [])
        self.remarks: list[str] = data.get("remarks", [])
        self.message_id: Optional[str] = data.get("message_id")

    def __repr__(self) -> str:
        grade = f", {self.grade}" if self.grade else ""
        return f"<fanmill.Verdict {self.name}: {self.answer}{grade}>"


class Sifter:
    """Recognises texts that were changed on purpose, by fingerprints that only the holder of a key can make.

        >>> sifter = fanmill.Sifter("secret.key", "mail", store="spam.sift")
        >>> sifter.add("spam.mbox")
        >>> sifter.check("inbox.mbox")

    Someone who expects to be checked changes a word in every line, and ordinary fingerprints find nothing. These skip words as the
    key decides. They recognise wording, not ideas.

    Arguments:
        key: A key file that only its owner can read (`Sifter.new_key`), or 32 random bytes.
        profile: ``standard``, ``short``, ``mail``, or a profile written out (``docs/sift.md``).
        store: The folder that keeps the fingerprints of originals, which the command ``fanmill sift`` reads and writes, too. If None, one that
            is removed with this object.

    Source: Malkin & Venkatesan, "Comparison of texts streams in the presence of mild adversaries", 2005.
    """

    def __init__(
        self,
        key: Union[str, os.PathLike[str], bytes],
        profile: str = "standard",
        *,
        store: Union[str, os.PathLike[str], None] = None,
    ) -> None:
        if isinstance(key, bytes):
            self._key = _native.SiftKey.from_bytes(key)
        else:
            self._key = _native.SiftKey.from_file(os.fspath(key))
        self.profile = _native.sift_profile(profile)
        self._profile = profile
        self._folder: Optional[tempfile.TemporaryDirectory[str]] = None
        if store is None:
            self._folder = tempfile.TemporaryDirectory(prefix="fanmill-")
            store = os.path.join(self._folder.name, "store")
        self.store = os.fspath(store)

    @staticmethod
    def new_key(path: Union[str, os.PathLike[str]]) -> None:
        """Makes a key and writes it to a new file that only its owner can read. Keep it secret, and keep a copy of it."""
        _native.sift_new_key(os.fspath(path))

    @property
    def key_id(self) -> str:
        """What may be said of the key: stores that were made with it have the same."""
        return self._key.id

    def add(
        self,
        originals: Inputs,
        *,
        kind: str = "auto",
        wanted: bool = False,
        date: Optional[str] = None,
        wait: bool = False,
        threads: Optional[int] = None,
        progress: Optional[bool] = None,
    ) -> dict[str, Any]:
        """Adds originals; one of a name that the store has replaces it. Returns how many were ``new`` and ``replaced``, how many there are ``in_all``, and ``notices``.

        Arguments:
            originals: Paths of files, folders, archives and mailboxes; or texts by their names, str or bytes.
            kind: How files are read: ``text``, ``html``, ``mail``; ``auto`` recognises each.
            wanted: Whether copies of these are never reported.
            date: The date of all, such as ``2026-03-01``; that of each message if None.
            wait: Whether to wait while another process writes the store, instead of failing.
            threads, progress: See `compare`.
        """
        find_program()
        paths, texts = paths_and_texts(originals)
        settings = given(profile=self._profile, wanted=wanted, date=date, wait=wait)
        with watcher(progress) as tell:
            done = _native.sift_add(self._key, self.store, settings, (paths, texts, kind), threads, tell)
        outcome: dict[str, Any] = json.loads(done)
        return outcome

    def check(
        self,
        texts: Inputs,
        *,
        kind: str = "auto",
        min_score: Optional[float] = None,
        min_common: Optional[int] = None,
        names: int = 5,
        threads: Optional[int] = None,
        progress: Optional[bool] = None,
    ) -> list[Verdict]:
        """Says of each text whether it is a copy of an original, in the order in which texts are read.

        Arguments:
            texts: As for `add`.
            kind: As for `add`.
            min_score: Minimum share of the smaller fingerprint that a copy has in common, 0 to 1; that of the profile if None.
            min_common: Minimum number of values in common; that of the profile if None.
            names: Maximum number of originals that are named.
            threads, progress: See `compare`.
        """
        find_program()
        paths, held = paths_and_texts(texts)
        settings = given(min_score=min_score, min_common=min_common, names=names)
        with watcher(progress) as tell:
            found = _native.sift_check(self._key, self.store, settings, (paths, held, kind), threads, tell)
        return [Verdict(answer) for answer in json.loads(found)]

    def campaigns(
        self,
        messages: Inputs,
        *,
        kind: str = "auto",
        min_score: Optional[float] = None,
        min_common: Optional[int] = None,
        min_size: Optional[int] = None,
        threads: Optional[int] = None,
        progress: Optional[bool] = None,
    ) -> list[dict[str, Any]]:
        """Groups messages that are variants of one, the largest group first; the store has no part in it.

        Returns dicts: ``size``, ``representative`` (a name), ``beginning`` (its first words), ``weakest`` (the lowest similarity in the group), ``members``.
        """
        find_program()
        paths, texts = paths_and_texts(messages)
        settings = given(
            profile=self._profile, min_score=min_score, min_common=min_common, min_size=min_size
        )
        with watcher(progress) as tell:
            found = _native.sift_campaigns(self._key, settings, (paths, texts, kind), threads, tell)
        return json.loads(found)  # type: ignore[no-any-return]

    def remove(self, names: Union[str, Iterable[str]], *, wait: bool = False) -> int:
        """Removes originals by their names. Returns how many."""
        return _native.sift_remove(self._key, self.store, [names] if isinstance(names, str) else list(names), wait)

    def fingerprints(self, texts: Any, *, text: str = "text", threads: Optional[int] = None) -> Column:
        """Fingerprints of a column of texts: ``list<int64>``, the values of all families, ascending as unsigned numbers.

        Texts that share values resemble each other; see `resemblance` for a measure. Keep them as secret as the key asks for: very many of them would
        reveal which grams are kept.
        """
        return _native.sift_fingerprints(self._key, self._profile, column(texts, text), text, threads)

    def __repr__(self) -> str:
        return f"<fanmill.Sifter {self.profile}, key {self.key_id}>"
