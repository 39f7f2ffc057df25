"""The project's own files, and what they import."""

from __future__ import annotations

import ast
import functools
import re
import subprocess
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
HANDLERS = "constructs/hpc_constructs/functions/handlers/"
"""Code of the Lambda functions: it runs alone, in a folder of its own, beside nothing but boto3."""


@functools.cache
def tracked() -> tuple[Path, ...]:
    """Every file that is, or is about to be, under version control, relative to the root."""
    listing = ["git", "ls-files", "-z", "--cached", "--others", "--exclude-standard"]
    names = subprocess.run(listing, cwd=ROOT, check=True, capture_output=True, text=True).stdout.split("\0")
    return tuple(Path(name) for name in sorted(set(names)) if name and (ROOT / name).is_file())


def python_files() -> list[Path]:
    """All Python files, relative to the root."""
    return [path for path in tracked() if path.suffix == ".py"]


def room(path: Path) -> str:
    """The top-level package that a file belongs to, ``tests``, or its own name at the root."""
    return path.parts[1] if path.parts[0] == "constructs" else path.parts[0]


@functools.cache
def syntax(path: Path) -> ast.Module:
    """The parsed file."""
    return ast.parse((ROOT / path).read_text(encoding="utf-8"), str(path))


def imports(path: Path) -> list[str]:
    """The dotted name of everything a file imports, at its top or inside functions; what only types need too."""
    found = []
    for node in ast.walk(syntax(path)):
        if isinstance(node, ast.Import):
            found += [alias.name for alias in node.names]
        elif isinstance(node, ast.ImportFrom):
            package = [".".join(path.parts[: -node.level])] if node.level else []
            source = ".".join(package + ([node.module] if node.module else []))
            found += [f"{source}.{alias.name}" for alias in node.names]
    return found


def canonical(name: str) -> str:
    """A distribution's name as all tools spell it."""
    return re.sub(r"[-_.]+", "-", name).lower()


def runtime_pins() -> list[str]:
    """The requirements that people edit, without the project itself."""
    lines = (ROOT / "requirements.txt").read_text().splitlines()
    return [line for line in lines if line and not line.startswith(("#", "-"))]
