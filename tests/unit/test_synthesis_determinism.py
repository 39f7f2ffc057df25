"""The same files give the same bytes, wherever and whenever synthesized, without network or credentials."""

from __future__ import annotations

import hashlib
import os
import sys
import time
from pathlib import Path

import pytest

from tests.projects import ROOT, Project, with_account

PRELOAD = Path(__file__).parent / "synthesis_preload"
TEN_YEARS = 10 * 365 * 24 * 3600


def environment(attempts: Path, **changes: str) -> dict[str, str]:
    """An environment without network; ``attempts`` is where attempts to use one are written."""
    return {
        "PYTHONPATH": str(PRELOAD),
        "NODE_OPTIONS": f'--require "{PRELOAD / "preload.js"}"',
        "ATTEMPTS": str(attempts),
        # The loaded library is unpacked once, not for each HOME.
        "JSII_RUNTIME_PACKAGE_CACHE_ROOT": str(_package_cache()),
        **changes,
    }


def _package_cache() -> Path:
    base = os.environ.get("XDG_CACHE_HOME") or str(Path.home() / ".cache")
    return Path(os.environ.get("JSII_RUNTIME_PACKAGE_CACHE_ROOT") or f"{base}/aws/jsii/package-cache")


def digest(project: Project) -> dict[str, str]:
    """Every file of the assembly with the hash of its bytes; for what is uploaded, its mode as well."""
    found = {}
    for path in sorted(project.outdir.rglob("*")):
        name = str(path.relative_to(project.outdir))
        mode = f" {path.stat().st_mode & 0o777:o}" if name.startswith("asset.") else ""
        content = path.read_bytes() if path.is_file() else b""
        found[name] = hashlib.sha256(content).hexdigest() + mode
    return found


@pytest.fixture(scope="module")
def reference(tmp_path_factory: pytest.TempPathFactory) -> Project:
    project = with_account(tmp_path_factory.mktemp("reference"))
    attempts = project.root / "attempts"
    settings = {"HOME": str(project.root), "TZ": "UTC", "LC_ALL": "C.UTF-8", "PYTHONHASHSEED": "1"}
    run = project.synthesize(environment=environment(attempts, **settings))
    assert run.status == 0, run.errors
    assert not attempts.exists(), attempts.read_text()
    return project


def test_synthesis_needs_no_network_and_no_credentials(reference: Project) -> None:
    for stack in ("clusterform-pc-demo", "clusterform-account"):
        assert (reference.outdir / f"{stack}.template.json").is_file()


def test_the_assembly_does_not_depend_on_place_time_or_settings(reference: Project, tmp_path: Path) -> None:
    project = with_account(tmp_path / "another place")
    for path in project.root.rglob("*"):
        if path.is_file() and not path.is_symlink():
            os.utime(path, (1, 1))
    elsewhere, home, attempts = tmp_path / "cwd", tmp_path / "home", tmp_path / "attempts"
    elsewhere.mkdir()
    home.mkdir()
    settings = {
        "HOME": str(home),
        "TZ": "Asia/Kolkata",
        "LC_ALL": "C",
        "LANG": "tr_TR.ISO-8859-9",
        "PYTHONUTF8": "0",
        "PYTHONCOERCECLOCALE": "0",
        "PYTHONHASHSEED": "2",
        "CLOCK_SHIFT": str(TEN_YEARS),
        "AWS_PROFILE": "nobody",
        "AWS_REGION": "eu-west-3",
        "CDK_DEFAULT_REGION": "eu-west-3",
        "CDK_DEFAULT_ACCOUNT": "999999999999",
    }
    run = project.synthesize(environment=environment(attempts, **settings), cwd=elsewhere, umask=0o077)
    assert run.status == 0, run.errors
    assert digest(project) == digest(reference)


PROBES = {
    "python": (
        sys.executable,
        "-c",
        "import datetime, socket, time; print(time.time(), datetime.datetime.now().timestamp())\n"
        "socket.create_connection(('127.0.0.1', 9))",
    ),
    "node": (
        "node",
        "-e",
        "console.log(Date.now() / 1000, new Date().getTime() / 1000); require('net').connect(9, '127.0.0.1')",
    ),
}


@pytest.mark.parametrize("language", PROBES)
def test_the_tests_above_rest_on_another_clock_and_no_network(tmp_path: Path, language: str) -> None:
    attempts = tmp_path / "attempts"
    run = Project(tmp_path).synthesize(
        environment=environment(attempts, CLOCK_SHIFT=str(TEN_YEARS)), command=PROBES[language]
    )
    clocks = [float(seen) for seen in run.errors.splitlines()[0].split()]
    assert len(clocks) == 2
    assert all(abs(seen - time.time() - TEN_YEARS) < 600 for seen in clocks)
    assert run.status != 0
    assert attempts.read_text().startswith(language)


def test_nothing_of_this_machine_stands_in_the_assembly(reference: Project) -> None:
    traces = [str(reference.root).encode(), str(ROOT).encode()]
    for path in reference.outdir.rglob("*"):
        if path.is_file():
            content = path.read_bytes()
            assert [trace for trace in traces if trace in content] == [], path
