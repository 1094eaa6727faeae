"""Documents for the tests: all kinds that a step has a case for, and what one machine makes of them."""

from __future__ import annotations

import itertools
import random
from collections.abc import Sequence
from pathlib import Path
from typing import Any, Optional, Union

import fanmill
import pyarrow as pa
import pyarrow.parquet as pq

#: A document as it is stored: text, or bytes that are none.
Stored = Union[str, bytes, None]

WORDS = [f"{a}{b}{c}" for a in "bdfklmnprst" for b in "aeiou" for c in ("", "n", "r", "s", "ll", "nd")]


def prose(random: random.Random, n_words: int) -> list[str]:
    return random.choices(WORDS, k=n_words)


def changed(random: random.Random, words: list[str], n: int) -> list[str]:
    """The same with so many words replaced."""
    words = list(words)
    for at in random.sample(range(len(words)), n):
        words[at] = random.choice(WORDS)
    return words


def family(random: random.Random, n: int, n_words: int, n_changes: int) -> list[str]:
    """Texts that are made from one by changes."""
    original = prose(random, n_words)
    return [" ".join(changed(random, original, n_changes)) for _ in range(n)]


def short(random: random.Random, n: int, n_longer: int) -> list[str]:
    """Texts of one shingle, which only differ in what is no word, after longer ones of two shingles, which agree with them in some bands."""
    words = prose(random, 5)
    marks = itertools.islice(itertools.product(" ,;:", repeat=5), n)
    longer = [f"{' '.join(words)} {'… ' * 9}{i}" for i in range(n_longer)]
    return longer + ["".join(word + mark for word, mark in zip(words, each)) for each in marks]


def documents(n_large: int = 330, seed: int = 7) -> list[Stored]:
    """Families below and above the threshold, a large bucket, copies, chains, long texts, and what is no text."""
    source = random.Random(seed)
    texts: list[Stored] = []
    for n_changes in (1, 2, 4, 6, 9):
        for n in (2, 3, 8):
            texts += family(source, n, 150, n_changes)
    # A form: members of a large bucket, some of which resemble each other.
    form = " ".join(prose(source, 120))
    texts += [f"{form} {' '.join(prose(source, 2 + i % 16))}" for i in range(n_large)]
    texts += [form.upper(), form + ".", form]
    # Texts in pieces, with sets in parts, of which one has more parts than the other.
    long = prose(source, 16_000)
    texts += [" ".join(long), " ".join(changed(source, long, 200)), " ".join([*long, *prose(source, 1_500)])]
    texts += family(source, 2, 12_000, 100)
    texts += ["", "", None, "…", "…", "— !", "one", "one", "One", "two words", "Two, words!"]
    note = " ".join(prose(source, 100))
    texts += [f"caf\ufffd {note}", b"caf\xe9 " + note.encode(), "\xe9" * 40_000, "\xe9" * 40_001]
    texts += [" ".join(prose(source, 80)) for _ in range(60)]
    source.shuffle(texts)
    # A chain, in its order: each is like the next one only.
    chain = prose(source, 200)
    for at in range(10, 90, 10):
        texts.append(" ".join(chain))
        chain = [*chain[:at], *prose(source, 12), *chain[at + 12 :]]
    return texts


def write(folder: Path, ids: Sequence[Any], texts: Sequence[Stored], n_files: int, seed: int = 0) -> str:
    """Writes documents to Parquet, shuffled; texts that are not valid as they are."""
    folder.mkdir(parents=True)
    order = list(range(len(texts)))
    random.Random(seed).shuffle(order)
    encoded = [text.encode() if isinstance(text, str) else text for text in texts]
    for number in range(n_files):
        mine = order[number::n_files]
        column = pa.array([encoded[i] for i in mine], pa.binary()).view(pa.string())
        pq.write_table(pa.table({"id": [ids[i] for i in mine], "text": column}), folder / f"{number}.parquet")
    return str(folder)


def as_read(text: Stored) -> Optional[str]:
    return text.decode("utf-8", "replace") if isinstance(text, bytes) else text


Answer = dict[Any, tuple[Any, float, bool]]


def on_one_machine(
    documents: dict[Any, Stored], against: Optional[dict[Any, Stored]] = None, **settings: Any
) -> Answer:
    """What goes, for what, how alike, and whether that is of the reference; documents in the order of their ids."""
    ids, known = sorted(documents, key=_order), sorted(against or {}, key=_order)
    texts = [as_read(documents[id]) for id in ids]
    others = None if against is None else [as_read(against[id]) for id in known]
    found = fanmill.dedup(texts, against=others, progress=False, **settings)
    rows = zip(ids, found.duplicate_of, found.resemblance, found.in_against)
    return {id: ((known if is_other else ids)[of], alike, bool(is_other)) for id, of, alike, is_other in rows if of is not None}


def _order(id: Any) -> Any:
    return id.encode() if isinstance(id, str) else id


def answer(frame: Any) -> Answer:
    """The same of what Spark has found."""
    rows = [row.asDict() for row in frame.collect()]
    found = {row["id"]: (row["duplicate_of"], row["resemblance"], row.get("in_against", False)) for row in rows}
    assert len(found) == len(rows), "a document goes once"
    return found
