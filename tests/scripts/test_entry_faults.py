"""What may go wrong around the entry script: signals, disks, a second run, and what scripts leave behind."""

from __future__ import annotations

import os
import re
import signal
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from bootstrap_assets.manifest import Manifest, Script
from bootstrap_assets.renderer import render_manifest
from tests.factories import cluster
from tests.scripts.disks import fill, must, small_disk
from tests.scripts.node import STACK_ID, Node
from tests.scripts.staging import ENTRY, note, ran, script, staged

pytestmark = pytest.mark.needs("flock", "sha256sum")

SIGNALS = [signal.SIGTERM, signal.SIGINT, signal.SIGHUP]
LASTING = 'echo $$ >"$CLUSTERFORM_ROOT/pid"\n/bin/sleep 60 &\necho $! >"$CLUSTERFORM_ROOT/child"\nwait'
"""A script with a program of its own, which would outlive a signal to the script alone."""


@pytest.fixture(autouse=True)
def real_sleep(node: Node) -> None:
    (node.stubs / "bin/sleep").unlink()


def _until(happened: Callable[[], bool]) -> None:
    end = time.monotonic() + 10
    while not happened():
        assert time.monotonic() < end, "waited in vain"
        time.sleep(0.02)


def _written(file: Path) -> bool:
    return file.exists() and file.read_text().endswith("\n")


def _runs(file: Path) -> bool:
    """Whether the process lives whose id a file holds; one that its new parent has not yet buried does not."""
    try:
        status = Path(f"/proc/{file.read_text().strip()}/status").read_text()
    except OSError:
        return False
    return "\nState:\tZ" not in status


def _changed(manifest: Manifest, constant: str, value: int) -> Manifest:
    """The same with another number of seconds, so that the test need not wait for all of them."""
    text, count = re.subn(
        rf"^readonly {constant}=\d+$", f"readonly {constant}={value}", ENTRY.content.decode(), flags=re.M
    )
    assert count == 1
    return Manifest(Script("entry", text.encode(), "entry", ENTRY.nodes), manifest.scripts, manifest.downloads)


class TestSignals:
    @pytest.mark.parametrize("number", SIGNALS)
    def test_one_during_a_script_ends_it_and_all_it_started_and_is_logged(
        self, node: Node, number: signal.Signals
    ) -> None:
        process = node.begin(staged(node, script("lasting", LASTING), note("next")))
        _until(lambda: _written(node.root / "child"))

        process.send_signal(number)
        output, errors = process.communicate(timeout=10)

        name = number.name.removeprefix("SIG")
        assert process.returncode == 128 + number
        for shown in (output, errors, (node.root / "var/log/clusterform/failure").read_text()):
            assert f"signal {name} ended script lasting in stage configured" in shown
        assert f"[end lasting exit={128 + number} @" in node.log("lasting").read_text()
        assert not _runs(node.root / "pid")
        assert not _runs(node.root / "child")
        assert ran(node) == []
        assert list((node.stubs / "tmp").iterdir()) == []

    @pytest.mark.parametrize("number", SIGNALS)
    def test_one_during_a_fetch_ends_it_at_once(self, node: Node, number: signal.Signals) -> None:
        manifest = staged(node, note("a"))
        node.stub("aws", 'echo $$ >"$STUBS/pid"\nexec /bin/sleep 60\n')
        process = node.begin(manifest)
        _until(lambda: _written(node.stubs / "pid"))

        process.send_signal(number)
        output, _ = process.communicate(timeout=10)

        assert process.returncode == 128 + number
        assert f"signal {number.name.removeprefix('SIG')} ended stage configured" in output
        assert not _runs(node.stubs / "pid")
        assert ran(node) == []

    def test_a_script_that_does_not_end_is_killed(self, node: Node) -> None:
        manifest = _changed(staged(node, script("deaf", f"trap '' TERM\n{LASTING}\nwait")), "GRACE_SECONDS", 1)
        process = node.begin(manifest)
        _until(lambda: _written(node.root / "child"))

        process.terminate()
        process.communicate(timeout=10)

        assert process.returncode == 128 + signal.SIGTERM
        assert not _runs(node.root / "pid")

    def test_a_script_that_needs_a_moment_to_tidy_up_has_it(self, node: Node) -> None:
        tidy = "trap '/bin/sleep 0.5; echo tidy >\"$CLUSTERFORM_ROOT/tidy\"; exit 1' TERM\n"
        process = node.begin(staged(node, script("tidies", f"{tidy}{LASTING}")))
        _until(lambda: _written(node.root / "child"))

        process.terminate()
        process.communicate(timeout=10)

        assert (node.root / "tidy").read_text() == "tidy\n"


class TestTwoRuns:
    """As a boot and an update at the same time."""

    GATED = script(
        "gated",
        'echo >>"$CLUSTERFORM_ROOT/began"\nwhile [[ ! -e $CLUSTERFORM_ROOT/gate ]]; do sleep 0.02; done',
        stage="configured,updated",
    )

    def test_the_second_waits_for_the_first_then_does_its_own_work(self, node: Node) -> None:
        manifest = staged(node, self.GATED, note("last", stage="configured,updated"))
        first = node.begin(manifest)
        _until(lambda: _written(node.root / "began"))
        second = node.begin(manifest, "updated")
        assert second.stdout is not None
        assert second.stdout.readline() == (
            "clusterform: waiting for another run on this node to end, 900 s at most\n"
        )
        time.sleep(0.3)
        assert (node.root / "began").read_text() == "\n", "the second has not begun"

        (node.root / "gate").touch()

        for process in (first, second):
            _, errors = process.communicate(timeout=10)
            assert (process.returncode, errors) == (0, "")
        assert ran(node) == ["last", "last"]

    def test_the_second_gives_up_in_the_end_and_leaves_the_first_alone(self, node: Node) -> None:
        manifest = staged(node, self.GATED)
        first = node.begin(manifest)
        _until(lambda: _written(node.root / "began"))

        done = node.enter(_changed(manifest, "LOCK_SECONDS", 1), "updated")

        assert done.returncode == 1
        assert "another run on this node has not ended within 1 s" in done.stderr
        (node.root / "gate").touch()
        assert first.wait(timeout=10) == 0
        first.communicate()

    def test_one_that_waits_ends_at_a_signal(self, node: Node) -> None:
        manifest = staged(node, self.GATED)
        first = node.begin(manifest)
        _until(lambda: _written(node.root / "began"))
        second = node.begin(manifest, "updated")
        assert second.stdout is not None
        second.stdout.readline()

        second.terminate()
        second.communicate(timeout=10)

        assert second.returncode == 128 + signal.SIGTERM
        (node.root / "gate").touch()
        assert first.wait(timeout=10) == 0
        first.communicate()

    def test_a_run_that_was_killed_leaves_no_lock(self, node: Node) -> None:
        first = node.begin(staged(node, self.GATED))
        _until(lambda: _written(node.root / "began"))
        first.kill()
        first.communicate(timeout=10)

        assert node.enter(staged(node, note("a"))).returncode == 0
        (node.root / "gate").touch()


class TestWhatScriptsLeaveBehind:
    def test_a_process_in_the_background_keeps_nobody_waiting(self, node: Node) -> None:
        body = '/bin/sleep 60 &\necho $! >"$CLUSTERFORM_ROOT/child"'
        manifest = staged(node, script("leaves", body), note("next"))

        started = time.monotonic()
        try:
            assert node.enter(manifest).returncode == 0
            assert node.enter(manifest).returncode == 0, "nor does it hold the lock"
            assert time.monotonic() - started < 10
            assert _runs(node.root / "child"), "services that scripts start go on"
        finally:
            os.kill(int((node.root / "child").read_text()), signal.SIGKILL)

    def test_a_process_that_holds_on_to_a_failing_scripts_output_keeps_nobody_waiting(self, node: Node) -> None:
        body = '/bin/sleep 60 &\necho $! >"$CLUSTERFORM_ROOT/child"; exit 4'

        started = time.monotonic()
        try:
            assert node.enter(staged(node, script("leaves", body))).returncode == 4
            assert time.monotonic() - started < 10
        finally:
            os.kill(int((node.root / "child").read_text()), signal.SIGKILL)


class TestDisks:
    @pytest.fixture
    def disk(self, node: Node) -> Iterator[Path]:
        """The root of a node with little space."""
        (node.root / "etc/parallelcluster").rmdir()
        with small_disk(node.root, 256) as place:
            yield place

    def test_a_script_that_fills_the_disk_fails_and_says_so(self, node: Node, disk: Path) -> None:
        body = 'head -c 1000000 /dev/zero >"$CLUSTERFORM_ROOT/large"'

        done = node.enter(staged(node, script("fills", body), note("next")))

        assert done.returncode == 1
        for shown in (done.stdout, done.stderr):
            assert "script fills failed with exit code 1 in stage configured" in shown
        assert "clusterform: script fills failed" in (node.stubs / "syslog").read_text()
        assert not (disk / "ran").exists()

    def test_a_full_disk_is_said_before_anything_runs(self, node: Node, disk: Path) -> None:
        fill(disk)

        done = node.enter(staged(node, note("a")))

        assert done.returncode == 1
        assert f"clusterform: cannot write {node.log('a')}" in done.stdout
        assert not (disk / "ran").exists()

    def test_a_full_temporary_directory_is_said(self, node: Node) -> None:
        manifest = staged(node, note("a"))
        node.stub("sleep", ":\n")
        with small_disk(node.stubs / "tmp", 64) as place:
            fill(place)

            done = node.enter(manifest)

        assert done.returncode == 1
        assert "fetching failed" in done.stdout and "is the disk full?" in done.stdout
        assert ran(node) == []

    def test_a_full_disk_leaves_the_former_marker_whole(self, node: Node, disk: Path) -> None:
        marker = disk / "opt/parallelcluster/shared/custom_action_done"
        marker.parent.mkdir(parents=True)
        marker.write_text("former\n")
        script = next(
            s for s in render_manifest("demo", cluster(), Path()).scripts if s.name == "completion-marker"
        )
        file = node.stubs / "marker.sh"
        file.write_bytes(script.content)
        fill(disk)

        done = node.run(file, CLUSTERFORM_STACK_ID=STACK_ID)

        assert done.returncode != 0
        assert "No space left on device" in done.stderr
        assert marker.read_text() == "former\n"

    def test_a_log_directory_that_cannot_be_written_is_said(self, node: Node) -> None:
        logs = node.root / "var/log/clusterform"
        with small_disk(logs, 64):
            must("mount", "-o", "remount,ro", logs)

            done = node.enter(staged(node, note("a")))

        assert done.returncode == 1
        for shown in (done.stdout, done.stderr, (node.stubs / "syslog").read_text()):
            assert f"clusterform: cannot write {node.log('a')}" in shown
        assert ran(node) == []

    def test_a_lock_that_cannot_be_written_is_said(self, node: Node) -> None:
        (node.root / "run/clusterform.lock").mkdir(parents=True)

        done = node.enter(staged(node, note("a")))

        assert done.returncode == 1
        assert f"clusterform: cannot write {node.root}/run/clusterform.lock" in done.stdout
        assert ran(node) == []


class TestManifests:
    @pytest.mark.parametrize("kept", [0, 1, 40, 100, -1])
    def test_one_that_is_cut_off_runs_nothing(self, node: Node, kept: int) -> None:
        manifest = staged(node, note("a"), note("b"))
        file = node.stubs / "bucket/manifest"
        file.write_bytes(file.read_bytes()[:kept])

        done = node.enter(manifest)

        assert done.returncode == 1
        assert "clusterform: the manifest " in done.stdout
        assert ran(node) == []

    def test_one_without_its_beginning_runs_nothing(self, node: Node) -> None:
        manifest = staged(node, note("a"), note("b"))
        file = node.stubs / "bucket/manifest"
        file.write_text("".join(file.read_text().splitlines(keepends=True)[1:]))

        done = node.enter(manifest)

        assert done.returncode == 1
        assert "does not begin with the entry script's line" in done.stdout
        assert ran(node) == []

    def test_s3_that_is_down_is_said_once_and_quoted(self, node: Node) -> None:
        manifest = staged(node, *(note(f"s{number}") for number in range(5)))
        node.stub("sleep", ":\n")
        for file in (node.stubs / "bucket/scripts").iterdir():
            file.unlink()

        done = node.enter(manifest)

        assert done.returncode == 1
        assert done.stdout.count("clusterform: could not fetch") == 1
        assert "in 3 attempts: cp: cannot stat" in done.stdout


@pytest.mark.parametrize(
    "content",
    [
        b"",
        b"\n\n",
        b"cfn_region=us-east-1\n",
        b"cfn_node_type\n",
        b"cfn_node_type=\n",
        b'cfn_node_type=""\n',
        b"cfn_node_type=headnode\n",
        b"cfn_node_type=HeadNode \n",
        b"cfn_node_type=HeadNode\r\n",
        b"cfn_node_type = HeadNode\n",
        b" cfn_node_type=HeadNode\n",
        b"#cfn_node_type=HeadNode\n",
        b"CFN_NODE_TYPE=HeadNode\n",
        b"cfn_node_type=HeadNode # the first\n",
        b"cfn_node_type=HeadNode\ncfn_node_type=\n",
        b"cfn_node_type=$(echo HeadNode)\n",
        b"cfn_node_type=*\n",
        b"\xff\xfe\x00c\x00f\x00n",
        b"cfn_node_type=ComputeFleet;HeadNode\n",
        "directory",
        "dangling link",
    ],
)
def test_a_malformed_cfnconfig_runs_nothing(node: Node, content: bytes | str) -> None:
    file = node.root / "etc/parallelcluster/cfnconfig"
    if isinstance(content, bytes):
        file.write_bytes(content)
    elif content == "directory":
        file.mkdir()
    else:
        file.symlink_to("nowhere")

    done = node.enter(staged(node, note("a")))

    assert done.returncode == 1
    assert f"clusterform: {file} " in done.stdout
    assert "has no known cfn_node_type" in done.stdout or "cannot be read" in done.stdout
    assert ran(node) == []


def test_without_a_cfnconfig_it_is_the_head_node(node: Node) -> None:
    assert (
        node.enter(staged(node, note("head", nodes=("head",)), note("other", nodes=("compute",)))).returncode == 0
    )
    assert ran(node) == ["head"]
