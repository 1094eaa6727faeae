"""Who copied from whom, and where it is."""

from __future__ import annotations

import html
import json
import os
from typing import Any, Iterable, Mapping, Optional, Union

from . import _native
from ._arguments import Inputs, find_program, given, paths_and_texts, reading
from ._native import Table
from ._progress import watcher

#: Rows of a table in a notebook.
SHOWN = 20
#: Height of a pair in a notebook, in pixels.
HEIGHT = 640


class Place:
    """Where a match is in one of the two.

    `path`: the document, inside its submission. `start`, `end`: bytes of the original, half-open. `first_line`, `last_line`: from 1.
    """

    def __init__(self, comparison: _native.Comparison, submission: dict[str, Any], number: int, data: dict[str, Any]) -> None:
        self._comparison, self._submission, self._file = comparison, number, data["file"]
        self.path: str = submission["files"][data["file"]]["path"]
        self.start: int = data["start"]
        self.end: int = data["end"]
        self.first_line: int = data["first_line"]
        self.last_line: int = data["last_line"]

    @property
    def text(self) -> str:
        """What stands there."""
        return self._comparison.excerpt(self._submission, self._file, self.start, self.end) or ""

    def __repr__(self) -> str:
        return f"<{self.path}:{self.first_line}-{self.last_line}>"


class Match:
    """A run of `tokens` equal tokens, at `a` and at `b`."""

    def __init__(self, tokens: int, a: Place, b: Place) -> None:
        self.tokens, self.a, self.b = tokens, a, b

    def __repr__(self) -> str:
        return f"<fanmill.Match of {self.tokens} tokens: {self.a!r}, {self.b!r}>"


class Passage:
    """A shared passage: `matches` in the same order in both, of `tokens` tokens together.

    `moved`: whether some passage that comes earlier in A comes later in B.
    """

    def __init__(self, tokens: int, moved: bool, matches: list[Match]) -> None:
        self.tokens, self.moved, self.matches = tokens, moved, matches

    def __repr__(self) -> str:
        return f"<fanmill.Passage of {self.tokens} tokens in {len(self.matches)} matches>"


class Pair:
    """Two submissions, what they share, and how much that is.

    `a`, `b`: their names. `score`: how much rare material they share, 0 to 1; pairs are listed by it. It is neither a
    probability nor a verdict. `expected`: how many pairs with at least this score unrelated submissions of the batch would give; None
    where that cannot be judged.

    `containment_a`, `containment_b`: the share of each one's tokens that passages cover, 0 to 1, by exact coverage. `resemblance`: of all
    tokens of both. `longest`: tokens of the longest passage. `matched`: tokens that match in all passages, on each side.
    `truncated`: whether a limit on work was reached, so that matches may be missing. `own_earlier`: whether one is earlier work of the
    person whose the other is.

    In a notebook, both texts stand side by side.
    """

    def __init__(self, comparison: _native.Comparison, report: dict[str, Any], number: int) -> None:
        self._comparison, self._report, self._number = comparison, report, number
        data = report["pairs"][number]
        self.a: str = report["submissions"][data["a"]]["name"]
        self.b: str = report["submissions"][data["b"]]["name"]
        self.score: float = data["score"]
        self.expected: Optional[float] = data.get("expected")
        self.containment_a: float = data["containment_a"]
        self.containment_b: float = data["containment_b"]
        self.resemblance: float = data["resemblance"]
        self.longest: int = data["longest"]
        self.matched: int = data["matched"]
        self.truncated: bool = data["truncated"]
        self.own_earlier: bool = data.get("own_earlier", False)

    @property
    def passages(self) -> list[Passage]:
        """The passages that both have, ascending in A."""
        data = self._report["pairs"][self._number]

        def place(side: str, match: dict[str, Any]) -> Place:
            number = data[side]
            return Place(self._comparison, self._report["submissions"][number], number, match[side])

        return [
            Passage(
                passage["tokens"],
                passage["moved"],
                [Match(match["tokens"], place("a", match), place("b", match)) for match in passage["matches"]],
            )
            for passage in data["passages"]
        ]

    def page(self) -> str:
        """The pair as a page of HTML, in one file that loads nothing."""
        return self._comparison.page(self._number)

    def __repr__(self) -> str:
        return f"<fanmill.Pair {self.a} and {self.b}: {self.score:.2f}>"

    def _repr_html_(self) -> str:
        return _framed(self.page())


class Report:
    """The result of a comparison.

    `pairs`: the listed pairs, best first. `clusters`: names of submissions that pairs link, the largest group first. `promises`: what is guaranteed, in
    sentences. `notices`: every input that was not read completely, and why; dicts with ``path``, ``outcome`` and ``reason``. `data`: all of it
    as the file ``report.json`` has it (``docs/report.md``).
    """

    def __init__(self, comparison: _native.Comparison) -> None:
        self._comparison = comparison
        self.data: dict[str, Any] = json.loads(comparison.json())
        self.pairs: list[Pair] = [Pair(comparison, self.data, i) for i in range(len(self.data["pairs"]))]
        names = [submission["name"] for submission in self.data["submissions"]]
        self.clusters: list[list[str]] = [[names[i] for i in one["members"]] for one in self.data["clusters"]]
        self.promises: list[str] = [promise["text"] for promise in self.data["promises"]]
        self.notices: list[dict[str, Any]] = json.loads(comparison.notices())

    def table(self) -> Table:
        """The listed pairs as a table: a, b, score, containment_a, containment_b, resemblance, longest, matched, passages, expected."""
        return self._comparison.pairs()

    def save(self, folder: Union[str, os.PathLike[str]]) -> None:
        """Writes the report to a folder: a page that opens from disk, JSON and CSV. An earlier report there is replaced.

        Raises ValueError if the folder holds anything else.
        """
        self._comparison.write(os.fspath(folder))

    def page(self) -> str:
        """The whole report as a page of HTML, in one file that loads nothing."""
        return self._comparison.page(None)

    def __len__(self) -> int:
        return len(self.pairs)

    def __repr__(self) -> str:
        counts = self.data["counts"]
        return (
            f"<fanmill.Report: {len(self.data['submissions']):,} submissions, {counts['listed']:,} pairs listed of "
            f"{counts['possible']:,}>"
        )

    def _repr_html_(self) -> str:
        head = "".join(f"<th>{name}</th>" for name in ("", "A", "B", "score", "of A", "of B", "longest passage"))
        rows = "".join(_row(i, pair) for i, pair in enumerate(self.pairs[:SHOWN]))
        more = len(self.pairs) - SHOWN
        rest = f"<p>and {more:,} more</p>" if more > 0 else ""
        promises = "".join(f"<p>{html.escape(promise)}</p>" for promise in self.promises)
        return f"<table><thead><tr>{head}</tr></thead><tbody>{rows}</tbody></table>{rest}{promises}"


def _row(i: int, pair: Pair) -> str:
    cells = [
        str(i),
        html.escape(pair.a),
        html.escape(pair.b),
        f"{pair.score:.2f}",
        f"{pair.containment_a:.0%}",
        f"{pair.containment_b:.0%}",
        f"{pair.longest} tokens",
    ]
    return "<tr>" + "".join(f"<td>{cell}</td>" for cell in cells) + "</tr>"


def _framed(page: str) -> str:
    """A page inside another one, which it can neither read nor change."""
    return (
        f'<iframe srcdoc="{html.escape(page)}" sandbox="allow-scripts allow-downloads" '
        f'style="width: 100%; height: {HEIGHT}px; border: 1px solid #8884" title="Fanmill: a pair side by side"></iframe>'
    )


def compare(
    inputs: Optional[Inputs] = None,
    *,
    task: Iterable[Union[str, os.PathLike[str]]] = (),
    base_rev: Optional[str] = None,
    base: Optional[Inputs] = None,
    archive: Optional[Inputs] = None,
    lang: Optional[str] = None,
    noise: Optional[int] = None,
    guarantee: Optional[int] = None,
    select: Optional[str] = None,
    max_docs: Union[int, str, None] = None,
    quotes: bool = False,
    min_score: Optional[float] = None,
    max_pairs: Optional[int] = None,
    cluster_threshold: Optional[float] = None,
    code: Optional[Mapping[str, int]] = None,
    words: Optional[Mapping[str, int]] = None,
    chars: Optional[Mapping[str, int]] = None,
    group_by: Optional[str] = None,
    attempts: Optional[str] = None,
    everything: bool = False,
    include: Iterable[str] = (),
    exclude: Iterable[str] = (),
    metadata: bool = False,
    anonymous: bool = False,
    title: Optional[str] = None,
    language: Optional[str] = None,
    output: Union[str, os.PathLike[str], None] = None,
    threads: Optional[int] = None,
    progress: Optional[bool] = None,
    **options: Any,
) -> Report:
    """Compares submissions with each other, and shows every passage that two of them share.

        >>> fanmill.compare("submissions", base="handout")
        >>> fanmill.compare({"anna.py": anna, "ben.py": ben})

    Arguments:
        inputs: A path or several: folders, files, archives and lists, of which each entry is a submission. Or texts by their names,
            str or bytes, each a submission of its own; a name's extension says its language.
        task: Instead of `inputs`: a folder or archive of submissions for each of several tasks.
        base_rev: What the path, a folder of a git repository, adds since this revision is compared with the rest of it.
        base: Boilerplate, such as a handout, which does not count as copying: paths or texts.
        archive: Earlier work, compared with the submissions and not with itself: paths, an index, or texts.
        lang: The language of all documents; each one's own if None.
        noise: Nothing shorter is ever shown, in tokens; a preset for each kind of text if None.
        guarantee: Shared passages of this length are always found, in tokens, at least `noise`; a preset if None.
        select: How fingerprints are selected: ``roc``, ``winnow``, ``robust``, …; ``roc`` if None.
        max_docs: What more submissions hold is boilerplate: a number, or a share such as ``"30%"``.
        quotes: Whether quotations in prose are boilerplate.
        min_score: Pairs with a lower score are counted and not listed; between 0 and 1.
        max_pairs: Room for the best scores in the list; 1,500 if None. There is two fifths as much for long runs that few have.
        cluster_threshold: Minimum score for a pair to link two submissions, between 0 and 1; if None, where unrelated submissions of the batch
            would give half a pair.
        code, words, chars: ``{"noise": …, "guarantee": …}`` of one kind of text.
        group_by: What makes a submission: ``auto``, ``person``, ``file``, ``child``, …
        attempts: ``newest`` or ``all`` attempts of a person, where the names of a learning platform's export tell attempts apart.
        everything: Whether files that tools have written, and what is the same in many submissions, are compared, too.
        include, exclude: Patterns of files that are read, and of those that are not.
        metadata: Whether the report says what documents of two submissions say of themselves alike.
        anonymous: Whether pseudonyms stand for all names.
        title: What the report is called.
        language: The language in which the report's page begins: ``"de"``, ``"en"``, or ``"auto"`` for that of the reader's browser.
        output: A folder that the report is written to.
        threads: Number of threads; one a core if None. The report is the same for any number.
        progress: Whether progress is shown, by tqdm if it is installed; if None, in terminals and notebooks.
        options: Limits on what is read: ``max_file_bytes``, ``max_total_bytes``, ``max_entries``, ``max_depth``, ``max_ratio``. How the text of
            documents is had: ``hidden`` (``"read"`` compares text that a reader does not see), ``password_file``, ``no_cage`` (PDF is
            read even where the system cannot lock its reader in), ``pdf_command``, ``ocr_command``, ``ps_command``, ``doc_command``.

    PDF is read by the command ``fanmill`` in a process of its own: ``pip install fanmill-cli``. Without it, a notice says so.

    Raises ValueError if arguments contradict each other or an input is missing.

    Source: Schleimer, Wilkerson & Aiken, "Winnowing: local algorithms for document fingerprinting", SIGMOD 2003; see
    ``docs/sources.md``.
    """
    find_program()
    (paths, new), (archive_paths, old), (base_paths, boilerplate) = map(paths_and_texts, (inputs, archive, base))
    settings = given(
        lang=lang,
        noise=noise,
        guarantee=guarantee,
        select=select,
        max_docs=max_docs,
        quotes=quotes,
        min_score=min_score,
        max_pairs=max_pairs,
        cluster_threshold=cluster_threshold,
        code=code and dict(code),
        words=words and dict(words),
        chars=chars and dict(chars),
        paths=paths,
        archive=archive_paths,
        base=base_paths,
        group_by=group_by,
        attempts=attempts,
        everything=everything,
        include=list(include),
        exclude=list(exclude),
        metadata=metadata,
        anonymous=anonymous,
        title=title,
        language=language,
        task=[os.fspath(path) for path in task],
        base_rev=base_rev,
        **reading(options),
    )
    folder = None if output is None else os.fspath(output)
    with watcher(progress) as tell:
        found = _native.compare(settings, (new, old, boilerplate), folder, threads, tell)
    return Report(found)
