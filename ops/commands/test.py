"""``clusterform test``: the whole test suite, with the system's tools it needs."""

from __future__ import annotations

import os
import sys
from importlib.util import find_spec
from pathlib import Path
from typing import Annotated

import typer

from ops import test_tools

ROOT = Path(__file__).resolve().parents[2]
SETTINGS = {"context_settings": {"ignore_unknown_options": True}}


def test(arguments: Annotated[list[str] | None, typer.Argument(metavar="[PYTEST ARGS]...")] = None) -> None:
    """Run all tests, or what the pytest arguments choose."""
    if find_spec("xdist") is None:
        print("clusterform: no test tools in this environment; ./clusterform test brings its own", file=sys.stderr)
        raise typer.Exit(1)
    test_tools.provide()
    os.chdir(ROOT)
    pytest = [sys.executable, "-m", "pytest", "-n", "2", "--dist", "loadgroup", *(arguments or [])]
    os.execv(pytest[0], pytest)
