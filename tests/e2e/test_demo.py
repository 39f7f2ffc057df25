"""The demo as a newcomer sees it, from its first step to its last words, and when it is interrupted."""

from __future__ import annotations

import os
import shutil
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]

STEPS = (
    "A private AWS on this machine",
    "becomes CloudFormation",
    "The CDK's own bootstrap",
    "Deploy the cluster",
    "What there is now",
    "Change one value, and review what that would do",
    "Deploy the change",
    "Destroy everything",
    "What is left, and why",
)

pytestmark = pytest.mark.xdist_group("demo")


@pytest.fixture
def demo(tmp_path: Path) -> Iterator[subprocess.Popen[str]]:
    """The demo, with a folder for temporary files that is its own."""
    if shutil.which("cdk", path=os.pathsep.join([str(Path(sys.executable).parent), os.environ["PATH"]])) is None:
        pytest.skip("needs the CDK CLI, which ./clusterform brings")
    process = subprocess.Popen(
        [sys.executable, "-P", "-m", "ops.cli", "demo"],
        cwd=ROOT,
        env={**os.environ, "TMPDIR": str(tmp_path), "COLUMNS": "80"},
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        start_new_session=True,
    )
    yield process
    if process.poll() is None:
        os.killpg(process.pid, signal.SIGKILL)
        process.wait()


def belonging_to(folder: Path) -> list[str]:
    """Command lines of the processes whose environment or arguments name a folder."""
    found = []
    for process in Path("/proc").glob("[0-9]*"):
        try:
            text = (process / "environ").read_bytes() + (process / "cmdline").read_bytes()
        except OSError:
            continue
        if str(folder).encode() in text and int(process.name) != os.getpid():
            found.append((process / "cmdline").read_bytes().replace(b"\0", b" ").decode())
    return found


def test_the_demo_tells_a_whole_life_and_says_what_to_do_next(demo: subprocess.Popen[str], tmp_path: Path) -> None:
    output, _ = demo.communicate(timeout=300)
    assert demo.returncode == 0, output
    assert [f"{number}/{len(STEPS)}" in output for number in range(1, len(STEPS) + 1)] == [True] * len(STEPS)
    places = [output.index(step) for step in STEPS]
    assert places == sorted(places)
    assert '[-]   "MaxCount": 4' in output
    assert '[+]   "MaxCount": 6' in output
    assert "updated in place: Cluster" in output
    last = output[output.index("Done in") :]
    for command in ("cp config/clusters/demo.yaml", "./clusterform validate mine", "cdk deploy -c cluster=mine"):
        assert command in last
    assert max(map(len, output.splitlines())) <= 80
    assert list(tmp_path.iterdir()) == []


@pytest.mark.skipif(not Path("/proc/self/environ").exists(), reason="looks for processes in /proc")
@pytest.mark.parametrize(("number", "moment"), [(signal.SIGINT, "cdk deploy"), (signal.SIGTERM, "cdk synth")])
def test_an_interruption_leaves_no_process_and_no_file(
    demo: subprocess.Popen[str], tmp_path: Path, number: int, moment: str
) -> None:
    assert demo.stdout is not None
    for line in demo.stdout:
        if moment in line:
            break
    time.sleep(2)
    assert len(belonging_to(tmp_path)) >= 3, "the demo, the local AWS and the CDK CLI"
    os.kill(demo.pid, number)
    output, _ = demo.communicate(timeout=30)
    assert demo.returncode == 130, output
    assert "interrupted; nothing is left running" in output
    assert "Traceback" not in output
    assert belonging_to(tmp_path) == []
    assert list(tmp_path.iterdir()) == []
