"""What the test command does about a tool of the system that is missing."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from ops import test_tools

ROOT = Path(__file__).resolve().parents[2]
LACKING = {"no-such-tool": "some-package"}


@pytest.fixture
def installed(monkeypatch: pytest.MonkeyPatch) -> list[list[str]]:
    """The commands that were run to install something."""
    calls: list[list[str]] = []
    monkeypatch.setattr(subprocess, "run", lambda command, **_: calls.append(command))
    monkeypatch.setattr(test_tools, "TOOLS", LACKING)
    return calls


def be(monkeypatch: pytest.MonkeyPatch, user: int, debian: bool) -> None:
    monkeypatch.setattr(os, "geteuid", lambda: user)
    monkeypatch.setattr(Path, "exists", lambda path: debian)


def test_root_on_debian_installs_it(installed: list[list[str]], monkeypatch: pytest.MonkeyPatch) -> None:
    be(monkeypatch, user=0, debian=True)
    test_tools.provide()
    assert installed[0][:2] == ["apt-get", "update"]
    assert installed[1][:2] == ["apt-get", "install"]
    assert "some-package" in installed[1]


@pytest.mark.parametrize(("user", "debian"), [(1000, True), (0, False), (1000, False)])
def test_others_are_told_how_and_what_is_skipped(
    installed: list[list[str]],
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
    user: int,
    debian: bool,
) -> None:
    be(monkeypatch, user, debian)
    test_tools.provide()
    assert installed == []
    told = capsys.readouterr().err
    assert "no-such-tool will be skipped" in told
    assert "apt-get install --yes --no-install-recommends some-package" in told


def test_nothing_happens_where_all_is_there(
    installed: list[list[str]], monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(test_tools, "TOOLS", {"sh": "dash"})
    test_tools.provide()
    assert installed == []
    assert capsys.readouterr().err == ""


@pytest.mark.parametrize(("ci", "outcome"), [("", "1 skipped"), ("true", "1 error")])
def test_a_test_without_its_tool_is_skipped_and_fails_in_ci(tmp_path: Path, ci: str, outcome: str) -> None:
    (tmp_path / "conftest.py").write_text((ROOT / "tests/conftest.py").read_text())
    (tmp_path / "test_it.py").write_text(
        "import pytest\n@pytest.mark.needs('no-such-tool')\ndef test_it():\n    raise SystemExit\n"
    )
    words = [sys.executable, "-m", "pytest", "-q", "-rs", "-p", "no:cacheprovider", tmp_path]
    ran = subprocess.run(
        words, cwd=tmp_path, env=os.environ | {"CI": ci}, text=True, capture_output=True, check=False
    )
    assert outcome in ran.stdout
    assert "needs no-such-tool" in ran.stdout
