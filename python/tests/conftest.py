"""What several tests use."""

from __future__ import annotations

import json
import os
from pathlib import Path

import pytest

try:
    import hypothesis

    # Nothing is left behind among the sources. The cases are always the same, so that none fails by chance, but where there are more.
    by_night = "FANMILL_PYTHON_CASES" in os.environ
    hypothesis.settings.register_profile("here", database=None, deadline=None, derandomize=not by_night, print_blob=True)
    hypothesis.settings.load_profile("here")
except ImportError:
    pass

REPOSITORY = Path(__file__).resolve().parents[2]


@pytest.fixture(scope="session")
def examples() -> Path:
    return REPOSITORY / "examples"


@pytest.fixture(scope="session")
def shop(examples: Path) -> list[str]:
    """The texts of a small corpus."""
    lines = (examples / "crawl" / "shop.jsonl").read_text(encoding="utf-8").splitlines()
    return [json.loads(line)["text"] for line in lines]


@pytest.fixture(scope="session")
def program() -> str:
    """The command, of the same sources."""
    name = "fanmill.exe" if os.name == "nt" else "fanmill"
    path = os.environ.get("FANMILL", str(REPOSITORY / "target" / "debug" / name))
    if not Path(path).exists():
        pytest.skip("the command is not built")
    return path
