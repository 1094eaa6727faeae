"""What several jobs take: paths, or texts by their names; settings that were given."""

from __future__ import annotations

import json
import os
import shutil
import sysconfig
from pathlib import Path
from typing import Any, Iterable, Mapping, Union

from . import _native

#: A path, several, or texts by their names. A name's extension says the language of its text: ``anna.py``.
Inputs = Union[str, "os.PathLike[str]", Iterable[Union[str, "os.PathLike[str]"]], Mapping[str, Union[str, bytes]]]


def paths_and_texts(inputs: Inputs | None) -> tuple[list[str], list[tuple[str, bytes]]]:
    """The paths, and the texts in memory."""
    if inputs is None:
        return [], []
    if isinstance(inputs, Mapping):
        return [], [(name, _bytes(name, text)) for name, text in inputs.items()]
    if isinstance(inputs, (str, os.PathLike)):
        return [os.fspath(inputs)], []
    return [os.fspath(path) for path in inputs], []


def in_memory(inputs: Inputs | None) -> bool:
    """Whether these are texts, and no paths."""
    return isinstance(inputs, Mapping)


def _bytes(name: str, text: Any) -> bytes:
    if isinstance(text, str):
        return text.encode("utf-8")
    if isinstance(text, (bytes, bytearray, memoryview)):
        return bytes(text)
    raise TypeError(f"the text `{name}` is of type {type(text).__name__}; give str or bytes")


#: Arguments that had another name.
RENAMED = {"group": "label", "threshold": "min_score"}


def reading(options: Mapping[str, Any]) -> dict[str, Any]:
    """The settings that these further arguments are."""
    for name in options:
        if name in RENAMED:
            raise TypeError(f"{name}= is called {RENAMED[name]}= now")
        if name not in (known := _native.reading_settings()):
            raise TypeError(f"unexpected argument {name}=; there are {', '.join(known)}")
    return dict(options)


def given(**settings: Any) -> str:
    """Settings that somebody chose, as JSON; the job has its own values for the others."""
    chosen = {name: value for name, value in settings.items() if value is not None and value is not False}
    return json.dumps(chosen, default=_number)


def _number(value: Any) -> Any:
    """A number of numpy as one of Python."""
    if hasattr(value, "item") and getattr(value, "ndim", 0) == 0:
        return value.item()
    raise TypeError(f"{value!r} is of type {type(value).__name__}; give a number, a str or a bool")


def find_program() -> None:
    """Says which program reads PDF: the command of the package fanmill-cli, or any that is called fanmill."""
    global _is_found
    if _is_found:
        return
    name = "fanmill.exe" if os.name == "nt" else "fanmill"
    beside = Path(sysconfig.get_path("scripts")) / name
    program = str(beside) if beside.exists() else shutil.which("fanmill")
    if program is not None:
        _native.use_program(program)
        _is_found = True


_is_found = False
