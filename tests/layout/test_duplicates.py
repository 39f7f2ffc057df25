"""Nothing is written twice: no two functions of ours do the same under other names."""

from __future__ import annotations

import ast
import copy
from collections import defaultdict

import pytest

from tests.layout.project_files import python_files, syntax

SMALLEST = 40
"""Nodes of a body's syntax tree. Smaller bodies are alike because there is one way to write them."""


class Anonymous(ast.NodeTransformer):
    """Numbers local names by first use, so that a copy with other names looks the same."""

    def __init__(self, local: set[str]) -> None:
        self.local = local
        self.numbers: dict[str, str] = {}

    def _number(self, name: str) -> str:
        return self.numbers.setdefault(name, f"_{len(self.numbers)}") if name in self.local else name

    def visit_Name(self, node: ast.Name) -> ast.Name:
        return ast.Name(self._number(node.id), node.ctx)

    def visit_arg(self, node: ast.arg) -> ast.arg:
        return ast.arg(self._number(node.arg))


def shape(function: ast.FunctionDef) -> str | None:
    """Arguments and body without docstring, types and local names; None for a small function."""
    statements = function.body[1:] if ast.get_docstring(function) else function.body
    if sum(1 for statement in statements for _ in ast.walk(statement)) < SMALLEST:
        return None
    nodes = list(ast.walk(function))
    local = {node.arg for node in nodes if isinstance(node, ast.arg)}
    local |= {node.id for node in nodes if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store)}
    rename = Anonymous(local)
    return "".join(ast.dump(rename.visit(copy.deepcopy(node))) for node in (function.args, *statements))


def test_no_two_functions_are_the_same() -> None:
    places: dict[str, list[str]] = defaultdict(list)
    for path in python_files():
        for node in ast.walk(syntax(path)):
            if isinstance(node, ast.FunctionDef) and (found := shape(node)):
                places[found].append(f"{path}:{node.lineno} {node.name}")
    assert [where for where in places.values() if len(where) > 1] == []


def test_a_copy_with_other_names_is_recognised(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(f"{__name__}.SMALLEST", 10)
    original, renamed, other = (
        next(node for node in ast.parse(text).body if isinstance(node, ast.FunctionDef))
        for text in (
            "def f(a):\n  'x'\n  b = [c + 1 for c in a if c.ok]\n  return sorted(b, key=len)[: len(a) - 1]",
            "def g(x):\n  y = [z + 1 for z in x if z.ok]\n  return sorted(y, key=len)[: len(x) - 1]",
            "def g(x):\n  y = [z + 2 for z in x if z.ok]\n  return sorted(y, key=len)[: len(x) - 1]",
        )
    )
    assert shape(original) == shape(renamed) is not None
    assert shape(original) != shape(other)
