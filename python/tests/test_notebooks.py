"""The notebooks of the guide run, cell by cell.

What cells show is asked of it as a notebook would. `.ci/nightly python` runs them in Jupyter, which is a large thing to install.
"""

from __future__ import annotations

import ast
import json
from pathlib import Path
from typing import Any

import pytest

NOTEBOOKS = sorted((Path(__file__).resolve().parents[1] / "notebooks").glob("*.ipynb"))


def test_there_are_three() -> None:
    assert [path.stem for path in NOTEBOOKS] == ["class", "corpus", "mailbox"]


@pytest.mark.parametrize("path", NOTEBOOKS, ids=lambda path: path.stem)
def test_a_notebook_runs(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    pytest.importorskip("pandas")
    monkeypatch.chdir(path.parent)
    shown = shown_by(json.loads(path.read_text(encoding="utf-8")), path.name)
    assert len(shown) >= 3
    if path.stem == "class":
        assert any("<iframe srcdoc=" in one for one in shown)


def shown_by(notebook: dict[str, Any], name: str) -> list[str]:
    """The value of the last expression of each cell, as HTML where there is some."""
    shown = []
    names: dict[str, object] = {}
    for cell in notebook["cells"]:
        if cell["cell_type"] != "code":
            continue
        assert not cell["outputs"] and cell["execution_count"] is None, "outputs are not kept"
        *nodes, last = ast.parse("".join(cell["source"])).body
        if not isinstance(last, ast.Expr):
            nodes.append(last)
        exec(compile(ast.Module(nodes, []), name, "exec"), names)
        if isinstance(last, ast.Expr):
            value = eval(compile(ast.Expression(last.value), name, "eval"), names)
            if value is not None:
                shown.append(value._repr_html_() if hasattr(value, "_repr_html_") else repr(value))
    return shown
