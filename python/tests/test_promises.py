"""Functions, methods and arguments of earlier releases are there; ``docs/stability.md`` promises it."""

from __future__ import annotations

import inspect
import os
from pathlib import Path

import fanmill

# Others are made by functions alone.
MADE_BY_USERS = {"Index", "Recipe", "Sifter"}
LIST = Path(__file__).resolve().parents[2] / "testdata" / "format" / "python-0.1.txt"


def names() -> set[str]:
    """Everything public: ``dedup``, ``dedup keep``, ``Report.table``."""
    found: set[str] = set()
    for name in fanmill.__all__:
        value = getattr(fanmill, name)
        found.add(name)
        if not inspect.isclass(value) or name in MADE_BY_USERS:
            found.update(f"{name} {argument}" for argument in arguments(value))
        if inspect.isclass(value):
            for member in vars(value):
                if not member.startswith("_"):
                    found.add(f"{name}.{member}")
                    own = arguments(getattr(value, member))
                    found.update(f"{name}.{member} {argument}" for argument in own)
    return found


def arguments(value: object) -> list[str]:
    if not callable(value):
        return []
    try:
        parameters = inspect.signature(value).parameters
    except ValueError:  # exceptions, and classes without a constructor
        return []
    return [name for name, parameter in parameters.items() if parameter.kind not in (2, 4) and name != "self"]


def test_names_of_earlier_releases_are_there() -> None:
    promised = set(LIST.read_text(encoding="utf-8").splitlines())
    if "FANMILL_WRITE_DOCS" in os.environ:
        promised |= names()
        LIST.write_text("".join(f"{name}\n" for name in sorted(promised)), encoding="utf-8")
    assert len(promised) > 100
    assert sorted(promised - names()) == []
