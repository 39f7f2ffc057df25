"""The command line: which statuses it ends with, what it loads, and what it hands on."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path
from types import SimpleNamespace

import pytest
from botocore.exceptions import NoCredentialsError

from config.findings import ConfigError, Finding
from ops import cli

ROOT = Path(__file__).resolve().parents[2]


@pytest.fixture
def command(monkeypatch: pytest.MonkeyPatch) -> SimpleNamespace:
    """A command module named ``facts`` with one function, which a test replaces."""
    module = SimpleNamespace()
    monkeypatch.setitem(sys.modules, "ops.commands.facts", module)
    monkeypatch.setattr(sys, "argv", ["clusterform", "facts"])
    return module


def status() -> int | str | None:
    with pytest.raises(SystemExit) as ended:
        cli.main()
    return ended.value.code


def raising(error: BaseException) -> object:
    def facts() -> None:
        raise error

    return facts


def run(*args: str, **env: str) -> subprocess.CompletedProcess[str]:
    words = [sys.executable, "-P", "-m", "ops.cli", *args]
    return subprocess.run(words, env=os.environ | env, text=True, capture_output=True, timeout=60, check=False)


def test_the_help_names_every_command_with_what_it_is_for() -> None:
    shown = run("--help")
    assert shown.returncode == 0
    lines = {line.split()[0]: line.split()[1:] for line in shown.stdout.splitlines() if line.startswith("  ")}
    assert all(lines.get(name) for name in cli.COMMANDS)


@pytest.mark.parametrize("words", [(), ("config",), ("facts",), ("local",)])
def test_no_help_of_a_command_is_cut(words: tuple[str, ...]) -> None:
    shown = run(*words, "--help", COLUMNS="80").stdout
    commands = shown.partition("Commands:\n")[2].splitlines()
    assert commands
    assert [line for line in commands if not line.endswith(".")] == []
    assert [line for line in commands if line.endswith("...")] == []


def test_a_finished_command_is_status_0(command: SimpleNamespace) -> None:
    command.facts = lambda: None
    assert status() in (0, None)


def test_a_refused_configuration_prints_its_findings_and_is_status_1(
    command: SimpleNamespace, capsys: pytest.CaptureFixture[str]
) -> None:
    finding = Finding(
        rule="example", message="too many", path=("queues", 0), file="config/clusters/a.yaml", line=7
    )
    command.facts = raising(ConfigError([finding]))
    assert status() == 1
    printed = capsys.readouterr()
    assert printed.out == ""
    assert "too many" in printed.err
    assert "config/clusters/a.yaml" in printed.err


@pytest.mark.parametrize("words", [("nothing",), ("--nothing",), ("config", "nothing"), ()])
def test_a_wrong_command_line_is_status_2(words: tuple[str, ...]) -> None:
    refused = run(*words)
    assert refused.returncode == 2
    assert "Traceback" not in refused.stderr


def test_an_error_of_aws_is_one_line_and_status_4(
    command: SimpleNamespace, capsys: pytest.CaptureFixture[str]
) -> None:
    command.facts = raising(NoCredentialsError())
    assert status() == 4
    assert capsys.readouterr().err == "clusterform: AWS: Unable to locate credentials\n"


def test_an_interrupted_command_is_status_130(
    command: SimpleNamespace, capsys: pytest.CaptureFixture[str]
) -> None:
    command.facts = raising(KeyboardInterrupt())
    assert status() == 130
    assert "Traceback" not in capsys.readouterr().err


def test_a_missing_part_of_the_local_aws_is_explained(
    command: SimpleNamespace, capsys: pytest.CaptureFixture[str]
) -> None:
    command.facts = raising(ModuleNotFoundError("no ministack", name="ministack"))
    assert status() == 1
    assert "./clusterform" in capsys.readouterr().err


def test_a_defect_of_ours_is_not_hidden(command: SimpleNamespace) -> None:
    command.facts = raising(ZeroDivisionError())
    with pytest.raises(ZeroDivisionError):
        cli.main()


def fake_cdk(folder: Path, body: str) -> str:
    program = folder / "cdk"
    program.write_text(f"#!/bin/bash\n{body}\n")
    program.chmod(0o755)
    return f"{folder}{os.pathsep}{os.environ['PATH']}"


@pytest.mark.parametrize(
    "words",
    [
        ("--help",),
        ("deploy", "-c", "cluster=demo", "-c", "clusterform:queues.cpu.max_nodes=4", "--no-rollback"),
        ("deploy", "--", "a b", "*"),
    ],
)
def test_cdk_gets_its_arguments_as_they_came(
    words: tuple[str, ...], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Run in an environment that has no CDK CLI of its own, so that the PATH's is used."""
    python = tmp_path / "venv" / "python"
    python.parent.mkdir()
    monkeypatch.setattr(sys, "executable", str(python))
    handed: dict[str, object] = {}
    monkeypatch.setattr(
        os, "execve", lambda *call: handed.update(zip(("program", "words", "env"), call, strict=True))
    )
    monkeypatch.setattr(os, "chdir", lambda folder: handed.update(folder=folder))
    monkeypatch.setattr(sys, "argv", ["clusterform", "cdk", *words])
    monkeypatch.setenv("PATH", fake_cdk(tmp_path, "exit 0"))
    assert status() in (0, None)
    assert handed["program"] == str(tmp_path / "cdk")
    assert handed["words"] == ["cdk", *words]
    assert handed["folder"] == ROOT
    environment = handed["env"]
    assert isinstance(environment, dict)
    assert environment["PATH"].split(os.pathsep)[0] == str(python.parent)


def test_cdk_status_is_kept(tmp_path: Path) -> None:
    """An environment made by ./clusterform has its own CDK CLI: that one is stepped over with a bare Python."""
    path = fake_cdk(tmp_path, "exit 7")
    (tmp_path / "python").symlink_to(sys.executable)
    program = (
        f"import os, sys; sys.executable = {str(tmp_path / 'python')!r};"
        "sys.argv = ['clusterform', 'cdk', 'diff']; from ops.cli import main; main()"
    )
    ended = subprocess.run([sys.executable, "-c", program], cwd=ROOT, env=os.environ | {"PATH": path}, check=False)
    assert ended.returncode == 7


def test_without_any_cdk_the_way_to_one_is_told(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys) -> None:
    monkeypatch.setattr(sys, "executable", str(tmp_path / "python"))
    monkeypatch.setenv("PATH", str(tmp_path))
    monkeypatch.setattr(sys, "argv", ["clusterform", "cdk", "ls"])
    assert status() == 1
    assert "./clusterform cdk" in capsys.readouterr().err


def test_the_test_command_runs_pytest_on_both_cores_with_the_arguments_given(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    called: list[list[str]] = []
    monkeypatch.setattr(os, "execv", lambda program, words: called.append(words))
    monkeypatch.setattr(os, "chdir", lambda folder: None)
    monkeypatch.setattr(sys, "argv", ["clusterform", "test", "tests/unit", "-k", "rules", "--lf"])
    assert status() in (0, None)
    (words,) = called
    assert words[1:] == ["-m", "pytest", "-n", "2", "--dist", "loadgroup", "tests/unit", "-k", "rules", "--lf"]
