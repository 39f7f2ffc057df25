"""The checks that editors make too: formatting, lint, types, shell."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from tests.layout.project_files import ROOT, tracked

PROGRAMS = Path(sys.executable).parent
BASH = (b"#!/usr/bin/env bash", b"#!/bin/bash")
ELSEWHERE = ("bootstrap_assets", "tests")
"""Scripts of nodes are shell only after rendering: tests/scripts checks what comes out."""

SHELL = [p for p in tracked() if p.parts[0] not in ELSEWHERE and (ROOT / p).read_bytes().startswith(BASH)]


def check(*command: str | Path) -> None:
    """Run a check of this environment; its output is the failure's text."""
    program, *arguments = command
    # pyright is a Node program, and Node is this environment's.
    path = {"PATH": f"{PROGRAMS}{os.pathsep}{os.environ['PATH']}"}
    words = [str(PROGRAMS / program), *map(str, arguments)]
    done = subprocess.run(words, cwd=ROOT, env=os.environ | path, text=True, capture_output=True, check=False)
    assert done.returncode == 0, done.stdout + done.stderr


def test_lint() -> None:
    check("ruff", "check", "--no-cache", ".")


def test_format() -> None:
    check("ruff", "format", "--check", "--no-cache", ".")


@pytest.mark.slow
def test_types() -> None:
    check("pyright", "--warnings", "--pythonpath", sys.executable)


def test_shell_lint() -> None:
    assert Path("clusterform") in SHELL
    check("shellcheck", *SHELL)


def test_shell_format() -> None:
    check("shfmt", "--indent", "2", "--case-indent", "--diff", *SHELL)
