"""The launcher, with stand-ins for Python: what it decides, without installing anything."""

from __future__ import annotations

import os
import shutil
import subprocess
from dataclasses import dataclass
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
PYTHONS = ("python3", "python3.13", "python3.12", "python3.11")
LOCKS = (
    "requirements.lock",
    "requirements-local.lock",
    "requirements-test.lock",
    "package-lock.json",
    "tests/package-lock.json",
)

# Answers the launcher's question; asked to set up, it does what ops/environment.py would leave behind.
PYTHON = """#!/bin/bash
if [[ $2 == -c ]]; then printf '%s\\n' {answer}; exit; fi
root=$3
printf 'set-up by {name}:' >>"$root/log"
printf ' %s' "${{@:4}}" >>"$root/log"
printf '\\n' >>"$root/log"
mkdir -p "$root/.venv/bin" "$root/.venv/.installed/tests"
printf '#!/bin/bash\\nprintf "[%%s]" "$@"\\n' >"$root/.venv/bin/python"
chmod +x "$root/.venv/bin/python"
printf '%s' "$root" >"$root/.venv/.installed/root"
for lock in "${{@:4}}"; do cp "$root/$lock" "$root/.venv/.installed/$lock"; done
"""


@dataclass
class Project:
    """A checkout in a folder with a space in its name, and the PATH that it is used with."""

    root: Path
    programs: Path

    def has_python(self, name: str, answer: str) -> None:
        program = self.programs / name
        program.write_text(PYTHON.format(name=name, answer=answer))
        program.chmod(0o755)

    def run(self, *args: str, cwd: Path | None = None, via: str = "") -> subprocess.CompletedProcess[str]:
        path = f"{self.programs}{os.pathsep}{os.environ['PATH']}"
        command = [str(via or self.root / "clusterform"), *args]
        return subprocess.run(
            command,
            cwd=cwd or self.root,
            env={"PATH": path},
            text=True,
            capture_output=True,
            timeout=30,
            check=False,
        )

    @property
    def log(self) -> list[str]:
        log = self.root / "log"
        return log.read_text().splitlines() if log.exists() else []


@pytest.fixture
def project(tmp_path: Path) -> Project:
    """A project on a machine whose every Python is too old."""
    made = Project(tmp_path / "my project", tmp_path / "bin")
    (made.root / "tests").mkdir(parents=True)
    made.programs.mkdir()
    shutil.copy(ROOT / "clusterform", made.root)
    for lock in LOCKS:
        (made.root / lock).write_text(f"content of {lock}\n")
    for name in PYTHONS:
        made.has_python(name, "version 3.9.2")
    return made


def test_first_start_sets_up_and_later_starts_do_not(project: Project) -> None:
    project.has_python("python3", "fit 3.12.1")
    first = project.run("config", "show", "two words")
    assert first.stdout == "[-P][-m][ops.cli][config][show][two words]"
    assert first.stderr == ""
    assert project.log == ["set-up by python3: requirements.lock package-lock.json"]
    assert project.run("validate").stdout == "[-P][-m][ops.cli][validate]"
    assert len(project.log) == 1


@pytest.mark.parametrize(
    ("command", "locks"),
    [
        ("cdk", "requirements.lock package-lock.json"),
        ("demo", "requirements.lock package-lock.json requirements-local.lock"),
        ("local", "requirements.lock package-lock.json requirements-local.lock"),
        (
            "test",
            "requirements.lock package-lock.json requirements-local.lock requirements-test.lock"
            " tests/package-lock.json",
        ),
    ],
)
def test_a_command_asks_for_what_it_needs(project: Project, command: str, locks: str) -> None:
    project.has_python("python3", "fit 3.12.1")
    project.run(command)
    assert project.log == [f"set-up by python3: {locks}"]


@pytest.mark.parametrize("lock", ["requirements.lock", "package-lock.json"])
def test_a_changed_lock_sets_up_again(project: Project, lock: str) -> None:
    project.has_python("python3", "fit 3.12.1")
    project.run("cdk")
    (project.root / lock).write_text("changed\n")
    project.run("cdk")
    project.run("cdk")
    assert len(project.log) == 2


def test_an_unfinished_set_up_is_not_used(project: Project) -> None:
    project.has_python("python3", "fit 3.12.1")
    project.run("cdk")
    (project.root / ".venv/.installed/unfinished").touch()
    project.run("cdk")
    assert len(project.log) == 2


def test_a_moved_checkout_sets_up_again(project: Project) -> None:
    project.has_python("python3", "fit 3.12.1")
    project.run("cdk")
    project.root = project.root.rename(project.root.with_name("moved"))
    project.run("cdk")
    assert len(project.log) == 2


def test_an_environment_whose_python_is_gone_is_made_again(project: Project) -> None:
    project.has_python("python3", "fit 3.12.1")
    project.run("cdk")
    python = project.root / ".venv/bin/python"
    python.unlink()
    python.symlink_to("/nonexistent/python3")
    project.run("cdk")
    assert len(project.log) == 2


def test_a_python_that_fits_is_found_behind_one_that_does_not(project: Project) -> None:
    project.has_python("python3.12", "fit 3.12.1")
    project.run("cdk")
    assert project.log[0].startswith("set-up by python3.12:")


def test_only_unsuitable_pythons_give_one_line(project: Project) -> None:
    refused = project.run("cdk")
    assert refused.returncode == 1
    assert refused.stdout == ""
    assert refused.stderr == "clusterform: needs Python 3.11, 3.12 or 3.13: found python3.11 3.9.2\n"
    assert not (project.root / ".venv").exists()


def test_a_python_without_ensurepip_gives_one_line_with_the_package(project: Project) -> None:
    project.has_python("python3", "venv 3.11.2")
    refused = project.run("cdk")
    assert refused.returncode == 1
    assert refused.stderr == (
        "clusterform: needs Python 3.11, 3.12 or 3.13: python3 lacks venv and ensurepip: "
        "on Debian and Ubuntu, apt-get install python3.11-venv\n"
    )


def test_a_failed_set_up_ends_the_command(project: Project) -> None:
    project.has_python("python3", "fit 3.12.1")
    (project.programs / "python3").write_text("#!/bin/bash\n[[ $2 == -c ]] && echo fit 3.12.1 || exit 130\n")
    failed = project.run("cdk")
    assert failed.returncode == 130
    assert failed.stdout == ""


def test_called_from_elsewhere_through_relative_links(project: Project, tmp_path: Path) -> None:
    project.has_python("python3", "fit 3.12.1")
    elsewhere = tmp_path / "else where"
    elsewhere.mkdir()
    (elsewhere / "inner").symlink_to("../my project/clusterform")
    (elsewhere / "link").symlink_to("inner")
    called = project.run("demo", cwd=elsewhere, via="./link")
    assert called.stdout == "[-P][-m][ops.cli][demo]"


def test_programs_of_the_environment_come_first_on_the_path(project: Project) -> None:
    project.has_python("python3", "fit 3.12.1")
    project.run("cdk")
    (project.root / ".venv/bin/python").write_text('#!/bin/bash\nprintf "%s" "$PATH"\n')
    assert project.run("cdk").stdout.split(":")[0] == str(project.root / ".venv/bin")


def test_the_status_of_the_command_is_kept(project: Project) -> None:
    project.has_python("python3", "fit 3.12.1")
    project.run("cdk")
    (project.root / ".venv/bin/python").write_text("#!/bin/bash\nexit 4\n")
    assert project.run("cdk").returncode == 4
