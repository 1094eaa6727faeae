"""The code of the guide, of the recipes and of the package's page runs, and prints what it says; docstrings are those of the stubs."""

from __future__ import annotations

import ast
import inspect
import re
from pathlib import Path

import fanmill
import pytest

REPOSITORY = Path(__file__).resolve().parents[2]


@pytest.mark.parametrize("path", ["docs/python.md", "docs/recipes-corpora.md", "python/README.md"])
def test_all_code_runs(path: str, examples: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    if "recipes" in path:
        pytest.importorskip("datasets")
    monkeypatch.chdir(examples)
    text = (REPOSITORY / path).read_text(encoding="utf-8")
    blocks = re.findall(r"```python\n(.*?)```", text, flags=re.S)
    names: dict[str, object] = {}
    n_checked = 0
    for block in blocks:
        lines = block.splitlines()
        for node in ast.parse(block).body:
            said = lines[node.end_lineno - 1][node.end_col_offset :].strip(" #") if node.end_lineno else ""
            if isinstance(node, ast.Expr) and re.match(r"[\[<'\d]", said):
                value = eval(compile(ast.Expression(shown(node)), path, "eval"), names)
                assert said in (repr(value), str(value)), f"{ast.unparse(node)} is {value!r}"
                n_checked += 1
            else:
                exec(compile(ast.Module([node], []), path, "exec"), names)
    assert n_checked >= 2


def shown(node: ast.Expr) -> ast.expr:
    """What an expression prints, if it prints something."""
    call = node.value
    is_print = isinstance(call, ast.Call) and isinstance(call.func, ast.Name) and call.func.id == "print"
    return call.args[0] if is_print else call  # type: ignore[attr-defined]


def test_docstrings_are_those_of_the_stubs() -> None:
    stub = ast.parse((REPOSITORY / "python" / "fanmill" / "_native.pyi").read_text(encoding="utf-8"))
    n_compared = 0
    for node in stub.body:
        if not isinstance(node, (ast.ClassDef, ast.FunctionDef)):
            continue
        owner = getattr(fanmill, node.name, None)
        if owner is None:
            continue
        members = [(node, owner)]
        if isinstance(node, ast.ClassDef):
            functions = [own for own in node.body if isinstance(own, ast.FunctionDef)]
            members += [(own, getattr(owner, own.name)) for own in functions]
        for own, value in members:
            said = ast.get_docstring(own)
            if said is not None:
                assert inspect.cleandoc(value.__doc__ or "") == said, f"{node.name}.{own.name}"
                n_compared += 1
    assert n_compared > 12


def test_everything_public_is_documented() -> None:
    for name in fanmill.__all__:
        if not name.startswith("_"):
            assert len(getattr(fanmill, name).__doc__ or "") > 30, name
