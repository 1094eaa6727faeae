"""Progress bars, by tqdm where it is installed."""

from __future__ import annotations

import sys
from contextlib import contextmanager
from importlib import import_module
from typing import Any, Callable, Iterator, Optional

Watcher = Callable[[str, int, int], None]

#: Seconds until a bar is shown: short work shows none.
DELAY = 0.5


@contextmanager
def watcher(progress: bool | None) -> Iterator[Optional[Watcher]]:
    """What a job tells its progress to: a bar; nothing, if none is wanted or tqdm is not installed.

    With None, bars are shown in a terminal and in a notebook.
    """
    bars = _Bars() if progress or (progress is None and _is_watched()) else None
    if bars is None or bars.tqdm is None:
        yield None
        return
    try:
        yield bars.tell
    finally:
        bars.close()


def _is_watched() -> bool:
    return sys.stderr is not None and (sys.stderr.isatty() or "ipykernel" in sys.modules)


class _Bars:
    """A bar for each step of a job."""

    def __init__(self) -> None:
        self.tqdm: Any = None
        try:
            self.tqdm = import_module("tqdm.auto").tqdm
        except ImportError:
            pass
        self.step = ""
        self.bar: Any = None

    def tell(self, step: str, done: int, total: int) -> None:
        if step != self.step:
            self.close()
            self.step = step
            self.bar = self.tqdm(desc=step, total=total or None, delay=DELAY, leave=False)
        if self.bar is not None:
            self.bar.update(done - self.bar.n)

    def close(self) -> None:
        if self.bar is not None:
            self.bar.close()
            self.bar = None
