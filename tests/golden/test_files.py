"""Goldens are strict: a missing, a changed and a left-over file fail, under several workers too."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from tests.projects import ROOT

CONFTEST = "from tests.golden.conftest import golden as golden\n"
MODULE = """\
import pytest

TEXTS = {"case/one.yaml": "1\\n", "case/two.sh": "2\\n", "other/deep/three": "3\\n"}


@pytest.mark.parametrize("name", TEXTS)
def test_text(name, golden):
    assert TEXTS[name] == golden(name=name)
"""
STORED = {
    "snapshots/case/one.yaml": "1\n",
    "snapshots/case/two.sh": "2\n",
    "snapshots/other/deep/three": "3\n",
    "releases/0.1.0/case/one.yaml": "as released\n",
}


def project(root: Path, **changed: str | None) -> Path:
    """A folder of goldens that are right but for ``changed``, by name below ``snapshots/`` or None for no file."""
    changes = {f"snapshots/{name}": text for name, text in changed.items()}
    for name, text in {"conftest.py": CONFTEST, "test_small.py": MODULE, **STORED, **changes}.items():
        if text is not None:
            path = root / name
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(text)
    return root


def run(root: Path, *arguments: str) -> tuple[int, str]:
    """The status and the words of a pytest there, started as ``./clusterform test`` does."""
    outside = {name: value for name, value in os.environ.items() if not name.startswith("PYTEST_")}
    done = subprocess.run(
        [sys.executable, "-m", "pytest", "-n", "2", "--dist", "loadgroup", "-p", "no:cacheprovider", *arguments],
        cwd=root,
        env=outside | {"PYTHONPATH": str(ROOT)},
        capture_output=True,
        text=True,
        timeout=120,
        check=False,
    )
    return done.returncode, done.stdout


def stored(root: Path) -> dict[str, str]:
    """What is kept there now."""
    folders = (root / "snapshots", root / "releases")
    paths = [path for folder in folders for path in folder.rglob("*") if path.is_file()]
    return {path.relative_to(root).as_posix(): path.read_text() for path in paths}


def test_right_files_pass(tmp_path: Path) -> None:
    status, words = run(project(tmp_path))
    assert status == 0, words


@pytest.mark.parametrize(
    ("name", "text", "says"),
    [
        ("case/two.sh", None, "two.sh"),
        ("case/two.sh", "3\n", "- 3"),
        ("case/left-over.json", "4\n", "1 snapshot unused"),
        ("gone/case.py", "5\n", "1 snapshot unused"),
    ],
)
def test_a_file_that_differs_fails(name: str, text: str | None, says: str, tmp_path: Path) -> None:
    status, words = run(project(tmp_path, **{name: text}))
    assert status == 1, words
    assert says in words


def test_an_update_writes_what_is_missing_and_deletes_what_is_left_over(tmp_path: Path) -> None:
    """Releases are frozen, and no option writes them."""
    wrong = {"case/one.yaml": None, "case/two.sh": "3\n", "gone/case.yaml": "5\n"}
    status, words = run(project(tmp_path, **wrong), "--snapshot-update")
    assert status == 0, words
    assert stored(tmp_path) == STORED


def test_an_update_of_some_tests_leaves_the_other_files_alone(tmp_path: Path) -> None:
    project(tmp_path, **{"case/one.yaml": "2\n", "case/two.sh": "3\n"})
    status, words = run(tmp_path, "--snapshot-update", "-k", "one")
    assert status == 0, words
    assert stored(tmp_path) == {**STORED, "snapshots/case/two.sh": "3\n"}
