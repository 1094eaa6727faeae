"""The native part: columns, recipes and jobs."""

from collections.abc import Callable, Iterator
from typing import Any, final, overload

# `types.CapsuleType` exists from Python 3.13 on.
_Capsule = Any
_Named = list[tuple[str, bytes]]
_Watcher = Callable[[str, int, int], None] | None

__all__ = [
    "AddressRules",
    "Column",
    "Recipe",
    "RunOperator",
    "SiftKey",
    "Table",
    "__version__",
    "buckets",
    "compare",
    "differ_by_slips",
    "find_contamination",
    "find_duplicates",
    "find_runs",
    "fingerprints",
    "index_add",
    "index_documents",
    "index_merge",
    "index_remove",
    "index_search",
    "index_stats",
    "index_upgrade",
    "index_verify",
    "languages",
    "reading_settings",
    "short_words",
    "sift_add",
    "sift_campaigns",
    "sift_check",
    "sift_fingerprints",
    "sift_new_key",
    "sift_profile",
    "sift_remove",
    "use_program",
]
__version__: str

@final
class Column:
    """A column that Fanmill has made.

    Whatever reads Arrow data takes it without a copy, by Arrow's PyCapsule interface: ``pyarrow.array(column)``,
    ``polars.Series(column)``. For Python alone it is a sequence: ``column[0]``, ``len(column)``, ``list(column)``.
    ``frame[column]`` are the rows of a pandas frame for which a column of bool is true.
    """

    @property
    def scheme(self) -> str | None:
        """The scheme of its values, in canonical form: ``corpus:runs@3/k=5/fss(t=128)``.

        Values of different schemes say nothing about each other. Arrow has it as ``fanmill.scheme`` in the metadata of
        the field. None for values that need no recipe, such as resemblances.
        """

    def to_pylist(self) -> list[Any]:
        """All rows as objects of Python: int, float, bool, list, dict, and None for a null."""

    def __call__(self, frame: object) -> list[bool]: ...
    def __len__(self) -> int: ...
    def __iter__(self) -> Iterator[Any]: ...
    @classmethod
    def _of_bytes(cls, bytes: bytes, scheme: str | None) -> Column: ...
    def __reduce__(self) -> tuple[Any, tuple[bytes, str | None]]: ...
    @overload
    def __getitem__(self, key: int, /) -> Any: ...
    @overload
    def __getitem__(self, key: slice, /) -> Column: ...
    def __arrow_c_schema__(self) -> _Capsule: ...
    def __arrow_c_array__(self, requested_schema: object | None = None) -> tuple[_Capsule, _Capsule]: ...

@final
class Table:
    """Columns of one length, with names, that Fanmill has made.

    Whatever reads Arrow data takes it without a copy: ``pyarrow.table(table)``, ``polars.DataFrame(table)``. For Python alone,
    ``table["a"]`` is a column, ``table[0]`` a row, and ``list(table)`` all rows, each a dict.
    """

    @property
    def column_names(self) -> list[str]:
        """The names of its columns, in their order."""

    def to_pylist(self) -> list[dict[str, Any]]:
        """All rows, as dicts."""

    def to_pydict(self) -> dict[str, list[Any]]:
        """All columns, as lists."""

    def __len__(self) -> int: ...
    def __iter__(self) -> Iterator[dict[str, Any]]: ...
    @classmethod
    def _of_bytes(cls, bytes: bytes) -> Table: ...
    def __reduce__(self) -> tuple[Any, tuple[bytes]]: ...
    @overload
    def __getitem__(self, key: int, /) -> dict[str, Any]: ...
    @overload
    def __getitem__(self, key: str, /) -> Column: ...
    def __arrow_c_schema__(self) -> _Capsule: ...
    def __arrow_c_array__(self, requested_schema: object | None = None) -> tuple[_Capsule, _Capsule]: ...
    def __arrow_c_stream__(self, requested_schema: object | None = None) -> _Capsule: ...

@final
class Recipe:
    """How texts become words, shingles, sketches and keys, by which near-duplicates are found.

    Words are runs of letters, digits, marks and underscores, in lower case; look-alike and invisible characters are folded before.
    A shingle is `shingle` consecutive words; a text of fewer words, but some, is one shingle. Equal recipes make equal
    keys on every machine and in every release: compare `scheme`.

    Arguments:
        min_score: Resemblance (Jaccard) from which on two texts count as near-duplicates, above 0 and below 1. It fixes the bands of keys.
            None for a recipe that makes no keys.
        recall: Minimum share of the pairs exactly at the threshold that share a key, between 0 and 1.
        shingle: Words in a shingle, at least 1.
        weighted: Whether a shingle counts as often as it occurs.
        sketch: ``fss(t=128)`` (fast similarity sketch), ``perm(t=128)`` (MinHash), ``lead(t=84)``, ``classic(k=6,s=14,r=2)``,
            ``bytes(s=11,r=3)``, ``bottom(t=128)`` or ``mod(m=32)``, each with other numbers if you like.
        exact_spelling: Whether words are compared as they are spelled, accents, widths and ways to write a letter included.
        words: The words that texts consist of: of ``prose``, or with all signs, as they are written, of ``code`` or ``maths``.
        short_texts: The way texts of fewer than six shingles' words (30), or twenty shingles' letters (100), are compared: ``slips``
            (by their words, each at its place), or ``shingles``, as longer ones are.

    A recipe can be pickled, and sent to other processes.
    """

    def __new__(
        cls,
        *,
        min_score: float | None = 0.8,
        recall: float = 0.998,
        shingle: int = 5,
        weighted: bool = False,
        sketch: str = "fss(t=128)",
        exact_spelling: bool = False,
        words: str = "prose",
        short_texts: str = "shingles",
    ) -> Recipe: ...
    @classmethod
    def of_scheme(cls, scheme: str) -> Recipe:
        """The recipe of a scheme.

        Raises `ValueError` if this release does not make such values.
        """

    @property
    def scheme(self) -> str:
        """The recipe in canonical form: ``corpus:runs@3/k=5/fss(t=128)/bands(b=25,r=5,needed=1)``."""

    @property
    def bands(self) -> tuple[int, int, int] | None:
        """Number of bands, of registers in each, and of bands that must agree; None for a recipe without keys."""

    def sketch(self, texts: Any, *, text: str | None = None, threads: int | None = None) -> Column:
        """See `fanmill.sketch`."""

    def band_keys(self, texts: Any, *, text: str | None = None, threads: int | None = None) -> Column:
        """See `fanmill.band_keys`."""

    def shingles(
        self, texts: Any, *, key: bytes | None = None, text: str | None = None, threads: int | None = None
    ) -> Column:
        """See `fanmill.shingles`."""

    def resemblance(self, a: Any, b: Any, *, threads: int | None = None) -> Column:
        """See `fanmill.resemblance`."""

    def containment(self, a: Any, b: Any, *, threads: int | None = None) -> Column:
        """See `fanmill.containment`."""

    def __eq__(self, value: object, /) -> bool: ...
    def __reduce__(self) -> tuple[Any, tuple[str]]: ...

@final
class Found:
    @property
    def keep(self) -> Column: ...
    @property
    def duplicate_of(self) -> Column: ...
    @property
    def in_against(self) -> Column: ...
    @property
    def by_address(self) -> Column: ...
    @property
    def resemblance(self) -> Column: ...
    @property
    def containment(self) -> Column: ...
    @property
    def clusters(self) -> Column: ...
    @property
    def pairs(self) -> Table: ...
    @property
    def scheme(self) -> str: ...
    @property
    def promise(self) -> str: ...
    @property
    def n_kept(self) -> int: ...
    @property
    def n_candidates(self) -> int: ...
    @property
    def n_unseen(self) -> int: ...
    @property
    def n_invalid_utf8(self) -> int: ...
    @property
    def n_half_surrogates(self) -> int: ...

def find_duplicates(
    texts: Any,
    against: Any,
    text: str,
    settings: str,
    threads: int | None,
    watcher: _Watcher,
    addresses: tuple[Any, str] | None,
) -> Found: ...

@final
class FoundRuns:
    @property
    def keep(self) -> Column: ...
    @property
    def changed(self) -> Column: ...
    @property
    def texts(self) -> Column: ...
    @property
    def runs(self) -> Table: ...
    @property
    def scheme(self) -> str: ...
    @property
    def promise(self) -> str: ...
    @property
    def n_kept(self) -> int: ...
    @property
    def n_changed(self) -> int: ...
    @property
    def n_words(self) -> int: ...
    @property
    def n_rounds(self) -> int: ...
    @property
    def n_invalid_utf8(self) -> int: ...
    @property
    def n_half_surrogates(self) -> int: ...

def find_runs(
    texts: Any,
    against: Any,
    text: str,
    settings: str,
    threads: int | None,
    watcher: _Watcher,
) -> FoundRuns: ...

@final
class RunOperator:
    """Repeated runs by operators over texts, for programs that sort windows of words themselves.

    A window goes if an equal one begins earlier, in the order of texts, and does not overlap it. Equal windows have equal hashes under one
    `key` of 32 bytes, on every machine. Ranges of words, as lists, are begin and end by turns.
    """

    def __new__(cls, settings: str, key: bytes) -> RunOperator: ...
    def windows(self, texts: Any, cuts: Any, before: Any | None = None) -> Column:
        """The windows of what cuts leave, ``list<int64>``: the two parts of a hash, begin and end, by turns.

        If there were cuts `before`, only windows across the place of a cut that has changed since.
        """

    def cut(self, texts: Any, cuts: Any, windows: Any) -> Column:
        """All cuts if these windows go, in addition to those that are there."""

    def whole(self, texts: Any, cuts: Any) -> Column:
        """Cuts that take all words."""

    def rest(self, texts: Any, cuts: Any) -> Table:
        """The rest of each text: ``text``, null if too few words are left, and ``words_left``."""

@final
class FoundContamination:
    @property
    def keep(self) -> Column: ...
    @property
    def runs(self) -> Table: ...
    @property
    def items(self) -> Table: ...
    @property
    def scheme(self) -> str: ...
    @property
    def promise(self) -> str: ...
    @property
    def n_kept(self) -> int: ...
    @property
    def n_invalid_utf8(self) -> int: ...
    @property
    def n_half_surrogates(self) -> int: ...

def find_contamination(
    texts: Any,
    items: Any,
    text: str,
    item_text: str,
    settings: str,
    threads: int | None,
    watcher: _Watcher,
) -> FoundContamination: ...

@final
class Comparison:
    def json(self) -> str: ...
    def notices(self) -> str: ...
    def page(self, pair: int | None) -> str: ...
    def write(self, folder: str) -> None: ...
    def excerpt(self, submission: int, file: int, start: int, end: int) -> str | None: ...
    def pairs(self) -> Table: ...

def compare(
    settings: str,
    texts: tuple[_Named, _Named, _Named],
    output: str | None,
    threads: int | None,
    watcher: _Watcher,
) -> Comparison: ...
def use_program(program: str) -> None: ...
def languages() -> list[str]:
    """The names of all languages that texts are read as: ``java``, ``python``, ``words``, …"""

def reading_settings() -> list[str]:
    """The names of the arguments by which files are read."""

def buckets(recipe: Recipe, texts: Any, *, threshold: float, threads: int | None = None) -> Column:
    """The buckets of texts, for a join elsewhere: two texts in a common one are candidates for pairs that reach the threshold.

    Returns a column of ``list<int64>``: by turns a bucket, and an order in it (32 bits), by which the members of a large bucket are
    sorted so that those are neighbours that agree in the next two bands. There is one bucket for each band, or a single one for a text of
    one shingle, if the threshold is so high that only texts of the same shingle reach it. A row is null for a null, and for a text without
    words.

    Raises ValueError if the recipe does not have bands of which one must agree.
    """

def short_words(recipe: Recipe, texts: Any) -> Column:
    """The words of texts that are compared word by word, ``string``, with a blank between two; null for any other text."""

def differ_by_slips(a: Any, b: Any, threshold: float) -> Column:
    """Whether the words of two short texts, as `short_words` makes them, differ by slips alone, and few enough; true if one is null."""

def fingerprints(texts: Any, text: str | None, settings: str, threads: int | None) -> Column: ...
def index_add(
    folder: str,
    settings: str,
    texts: _Named | None,
    wait: bool,
    threads: int | None,
    watcher: _Watcher,
) -> str: ...
def index_search(
    folder: str, search: str, name: str, text: bytes, threads: int | None
) -> tuple[Comparison, str]: ...
def index_remove(folder: str, names: list[str], merge: bool, wait: bool) -> int: ...
def index_merge(folder: str, wait: bool) -> None: ...
def index_upgrade(folder: str, wait: bool) -> int: ...
def index_stats(folder: str) -> str: ...
def index_documents(folder: str) -> str: ...
def index_verify(folder: str) -> None: ...

@final
class AddressRules:
    """The rules by which addresses are the same: those of the URL standard, and `rules`, the content of a file ``rules.jsonl``."""

    def __new__(cls, rules: str | None) -> AddressRules: ...
    def canonical(self, addresses: Any) -> Column:
        """One spelling for all that are the same, ``string``; null for what is no address of the web."""

@final
class SiftKey:
    @staticmethod
    def from_file(path: str) -> SiftKey: ...
    @staticmethod
    def from_bytes(bytes: bytes) -> SiftKey: ...
    @property
    def id(self) -> str: ...

_Sources = tuple[list[str], _Named, str]

def sift_new_key(path: str) -> None: ...
def sift_profile(name: str) -> str: ...
def sift_add(
    key: SiftKey, store: str, settings: str, sources: _Sources, threads: int | None, watcher: _Watcher
) -> str: ...
def sift_check(
    key: SiftKey, store: str, settings: str, sources: _Sources, threads: int | None, watcher: _Watcher
) -> str: ...
def sift_campaigns(
    key: SiftKey, settings: str, sources: _Sources, threads: int | None, watcher: _Watcher
) -> str: ...
def sift_remove(key: SiftKey, store: str, names: list[str], wait: bool) -> int: ...
def sift_fingerprints(
    key: SiftKey, profile: str, texts: Any, text: str | None, threads: int | None
) -> Column: ...
