"""Tests of one group run on one worker: what they share is made once, and two of them never at the same time."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

TESTS = """
import os
import pytest

@pytest.mark.xdist_group("shared")
@pytest.mark.parametrize("number", range(8))
def test_of_a_group(number, request):
    with open(request.config.rootpath / "workers", "a") as file:
        file.write(os.environ["PYTEST_XDIST_WORKER"] + "\\n")

@pytest.mark.parametrize("number", range(8))
def test_alone(number):
    pass
"""


def test_a_group_runs_on_one_worker(tmp_path: Path) -> None:
    (tmp_path / "pytest.ini").write_text("[pytest]\n", encoding="utf-8")
    (tmp_path / "test_groups.py").write_text(TESTS, encoding="utf-8")
    options = ["-n", "2", "--dist", "loadgroup", "-p", "no:cacheprovider", "-q"]

    subprocess.run([sys.executable, "-m", "pytest", *options], cwd=tmp_path, check=True, capture_output=True)

    workers = (tmp_path / "workers").read_text(encoding="utf-8").split()
    assert len(workers) == 8
    assert len(set(workers)) == 1
