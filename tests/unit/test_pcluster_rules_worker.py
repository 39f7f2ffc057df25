"""The worker's life: started once, replaced after a crash, gone with its user; and how its rules are installed."""

import os
import signal
import subprocess
import sys
import textwrap
import time
from pathlib import Path

import pytest

from config.facts import parallelcluster_schema
from pcluster_rules import install, schema, worker_client
from pcluster_rules.errors import RulesError
from pcluster_rules.worker_client import Rules, WorkerFailure
from tests.unit.pcluster_documents import DOCUMENT, changed

ROOT = Path(__file__).parents[2]
NEWEST = install.versions()[-1]
PYTHON = sys.executable


def pid(rules: Rules) -> int:
    process = rules._process
    assert process is not None
    return process.pid


def is_running(process: int) -> bool:
    """Whether it does anything: one that only waits to be reaped by the system's first process is gone."""
    try:
        os.kill(process, 0)
        return ") Z " not in Path(f"/proc/{process}/stat").read_text(encoding="utf-8")
    except ProcessLookupError:
        return False
    except FileNotFoundError:
        return not Path("/proc/self").exists()


def gone(process: int) -> bool:
    for _ in range(100):
        if not is_running(process):
            return True
        time.sleep(0.05)
    return False


def test_one_process_serves_every_request_and_ends_with_the_block():
    with Rules(NEWEST) as rules:
        rules.validate("demo", DOCUMENT)
        first = pid(rules)
        rules.update("demo", DOCUMENT, DOCUMENT)
        assert pid(rules) == first
    assert gone(first)


def test_a_killed_worker_is_a_message_and_is_replaced():
    with Rules(NEWEST) as rules:
        rules.validate("demo", DOCUMENT)
        os.kill(pid(rules), signal.SIGKILL)
        (message,) = rules.validate("demo", DOCUMENT)
        assert (message.level, message.kind) == ("error", "crash")
        assert len(rules.validate("demo", DOCUMENT)) > 1


def test_a_killed_worker_blocks_an_update():
    with Rules(NEWEST) as rules:
        rules.update("demo", DOCUMENT, DOCUMENT)
        os.kill(pid(rules), signal.SIGKILL)
        result = rules.update("demo", DOCUMENT, DOCUMENT)
        assert result.refused
        assert result.changes[0].verdict == "unknown"


def test_a_hanging_worker_is_ended(monkeypatch):
    monkeypatch.setattr(worker_client, "TIMEOUT", 0.3)
    with Rules(NEWEST) as rules:
        process = rules._start()
        os.kill(process.pid, signal.SIGSTOP)
        (message,) = rules.validate("demo", DOCUMENT)
        assert "no answer within" in message.message
        assert gone(process.pid)


def test_a_folder_without_rules_says_so(tmp_path):
    with Rules(NEWEST, folder=tmp_path) as rules, pytest.raises(WorkerFailure, match="No module named"):
        rules.schema_tree()


def test_the_worker_sees_neither_our_packages_nor_our_environment(tmp_path, monkeypatch):
    monkeypatch.setenv("PYTHONPATH", str(tmp_path))
    monkeypatch.setenv("AWS_PROFILE", "nobody")
    (tmp_path / "pcluster").mkdir()
    (tmp_path / "pcluster" / "__init__.py").write_text(
        "import importlib.util, os\n"
        "seen = [name for name in ('aws_cdk', 'pydantic', 'typer') if importlib.util.find_spec(name)]\n"
        "seen += [name for name in ('PYTHONPATH', 'AWS_PROFILE', 'HOME') if name in os.environ]\n"
        "raise ImportError(f'seen: {seen}')\n"
    )
    with Rules(NEWEST, folder=tmp_path) as rules, pytest.raises(WorkerFailure, match=r"seen: \[\]"):
        rules.schema_tree()


def test_ctrl_c_leaves_no_process():
    script = textwrap.dedent(
        f"""
        from pcluster_rules.worker_client import Rules
        with Rules({NEWEST!r}) as rules:
            rules.validate("demo", {{}})
            print(rules._process.pid, flush=True)
            import time; time.sleep(30)
        """
    )
    with subprocess.Popen(
        [PYTHON, "-c", script], cwd=ROOT, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True
    ) as user:
        assert user.stdout is not None
        worker = int(user.stdout.readline())
        user.send_signal(signal.SIGINT)
        user.wait(10)
    assert gone(worker)


def test_a_killed_user_leaves_no_process():
    script = f"""
from pcluster_rules.worker_client import Rules
rules = Rules({NEWEST!r})
rules.validate("demo", {{}})
print(rules._process.pid, flush=True)
import time; time.sleep(30)
"""
    with subprocess.Popen([PYTHON, "-c", script], cwd=ROOT, stdout=subprocess.PIPE, text=True) as user:
        assert user.stdout is not None
        worker = int(user.stdout.readline())
        user.kill()
    assert gone(worker)


@pytest.mark.parametrize("version", install.versions())
def test_the_committed_schema_is_the_versions_own(version):
    committed = (parallelcluster_schema.FOLDER / f"{version}.json").read_text(encoding="utf-8")
    assert schema.text(version) == committed, "write it anew, see pcluster_rules/schema.py"


def test_every_version_has_a_schema_and_rules():
    assert install.versions() == parallelcluster_schema.versions()


def test_an_unsupported_version_names_the_supported_ones():
    with pytest.raises(RulesError, match=r"2\.11\.0 is not supported; supported: 3\.15\.1, 3\.16\.1"):
        Rules("2.11.0")


@pytest.fixture
def fake_pip(tmp_path, monkeypatch):
    """A pip that notes each call and does what ``behave`` holds, in Python; ``target`` is the folder to fill."""
    calls = tmp_path / "calls"
    behaviour = tmp_path / "behaviour.py"
    interpreter = tmp_path / "python"
    interpreter.write_text(
        f'#!/bin/sh\necho call >> {calls}\nwhile [ $# -gt 0 ]; do [ "$1" = --target ] && target=$2; shift; done\n'
        f'exec "{PYTHON}" "{behaviour}" "$target"\n'
    )
    interpreter.chmod(0o755)
    monkeypatch.setattr(install.sys, "executable", str(interpreter))

    def behave(code: str) -> Path:
        behaviour.write_text(f"import pathlib, sys\ntarget = pathlib.Path(sys.argv[1])\n{code}\n")
        return calls

    return behave


WORKS = "target.mkdir(); (target / 'package').touch(); print('Collecting package==1')"


def test_installs_once(tmp_path, fake_pip, capsys):
    calls = fake_pip(WORKS)
    folder = install.ensure(NEWEST, tmp_path / "rules")
    assert install.ensure(NEWEST, tmp_path / "rules") == folder
    assert (folder / "package").exists()
    assert calls.read_text() == "call\n"
    assert "package==1" in capsys.readouterr().err


def test_a_failed_installation_leaves_nothing_and_is_told(tmp_path, fake_pip):
    fake_pip("target.mkdir(); print('ERROR: no such file'); sys.exit(1)")
    with pytest.raises(RulesError, match="ERROR: no such file"):
        install.ensure(NEWEST, tmp_path / "rules")
    assert [entry.name for entry in (tmp_path / "rules").iterdir()] == [f"{NEWEST}.lock"]


def test_an_interrupted_installation_is_done_again(tmp_path, fake_pip):
    rules = tmp_path / "rules"
    (rules / NEWEST).mkdir(parents=True)
    (rules / f"{NEWEST}.part-1").mkdir()
    fake_pip(WORKS)
    install.ensure(NEWEST, rules)
    assert sorted(entry.name for entry in rules.iterdir()) == [NEWEST, f"{NEWEST}.lock"]
    assert (rules / NEWEST / "package").exists()


def test_a_changed_list_is_installed_again(tmp_path, fake_pip, monkeypatch):
    calls = fake_pip(WORKS)
    lists = tmp_path / "lists"
    lists.mkdir()
    monkeypatch.setattr(install, "LISTS", lists)
    for pins in ("a==1", "a==2"):
        (lists / "3.16.1.txt").write_text(pins)
        install.ensure("3.16.1", tmp_path / "rules")
    assert calls.read_text() == "call\ncall\n"


def test_two_at_once_install_once(tmp_path, fake_pip):
    calls = fake_pip(f"import time; time.sleep(0.3); {WORKS}")
    code = (
        "import sys; from pathlib import Path; from pcluster_rules import install; "
        f"install.sys.executable = {install.sys.executable!r}; install.ensure({NEWEST!r}, Path(sys.argv[1]))"
    )
    command = [PYTHON, "-c", code, str(tmp_path / "rules")]
    both = [subprocess.Popen(command, cwd=ROOT, stderr=subprocess.DEVNULL) for _ in range(2)]
    assert [process.wait(30) for process in both] == [0, 0]
    assert calls.read_text() == "call\n"


def test_lists_hold_hashes_and_no_address():
    for version in install.versions():
        text = (install.LISTS / f"{version}.txt").read_text()
        assert f"aws-parallelcluster=={version} " in text
        assert "://" not in text
        for line in text.splitlines():
            assert line.startswith(("#", "    --hash=sha256:")) or line.endswith(" \\")


def test_a_document_of_another_type_is_refused():
    with Rules(NEWEST) as rules:
        (message,) = rules.validate("demo", changed({"Image": {}}, Image=[]))[:1]
    assert message.kind == "schema"
