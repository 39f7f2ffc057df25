"""One failure tells why: in a file on the node, in what the engine keeps, and in the reason that it shows."""

from __future__ import annotations

import re
import stat
import subprocess
import time
from pathlib import Path

import pytest

from bootstrap_assets.manifest import Manifest, Script
from tests.scripts.node import STACK_ID, Node
from tests.scripts.staging import note, script, staged

pytestmark = pytest.mark.needs("flock", "sha256sum")

BROKEN = script("broken", "echo looking; echo 'mount.nfs: Connection timed out' >&2; exit 32")
WORDS_OF_THE_ENGINE = (
    "fetch_and_run - Failed to execute OnNodeConfigured script 1, return code: 32. Please check "
    "/var/log/cfn-init.log in the head node"
)


def _failure(node: Node) -> str:
    return (node.root / "var/log/clusterform/failure").read_text()


def _syslog(node: Node) -> str:
    return (node.stubs / "syslog").read_text()


def test_a_small_file_says_which_script_failed_how_and_with_what_last_words(node: Node) -> None:
    node.is_a("LoginNode")

    node.enter(staged(node, note("before"), BROKEN))

    facts, words = _failure(node).split("\n\n")
    assert re.sub(r"time: 20\d\d-\d\d-\d\dT\d\d:\d\d:\d\dZ", "time: T", facts).splitlines() == [
        "message: clusterform: script broken failed with exit code 32 in stage configured",
        "script: broken",
        "exit code: 32",
        "stage: configured",
        "node: login",
        "time: T",
        f"log: {node.log('broken')}",
    ]
    assert words.splitlines()[1:-1] == ["looking", "mount.nfs: Connection timed out"]
    folder = node.root / "var/log/clusterform"
    assert stat.S_IMODE((folder / "failure").stat().st_mode) == 0o640
    assert sorted(path.name for path in folder.iterdir()) == ["configured", "failure"]


def test_the_file_is_gone_once_a_run_succeeds(node: Node) -> None:
    node.enter(staged(node, BROKEN))

    assert node.enter(staged(node, note("works"))).returncode == 0
    assert not (node.root / "var/log/clusterform/failure").exists()


def test_a_failure_before_the_first_script_has_its_file_too(node: Node) -> None:
    (node.root / "var/log/clusterform").mkdir(parents=True)
    manifest = staged(node, note("a"))
    (node.stubs / "failures").write_text("3")

    assert node.enter(manifest).returncode == 1
    assert "message: clusterform: could not fetch s3://bucket/manifest in 3 attempts: " in _failure(node)
    assert "fatal error: no network\nscript: none\nexit code: 1\n" in _failure(node)


def test_the_systems_log_has_the_message_and_the_last_line(node: Node) -> None:
    node.enter(staged(node, BROKEN))

    assert _syslog(node) == (
        "--tag clusterform -- clusterform: script broken failed with exit code 32 in stage configured: "
        "mount.nfs: Connection timed out\n"
    )


def test_a_script_that_was_killed_says_by_which_signal(node: Node) -> None:
    done = node.enter(staged(node, script("hungry", "kill -KILL $$")))

    assert done.returncode == 137
    assert "script hungry failed with exit code 137 (signal KILL) in stage configured" in done.stdout


@pytest.mark.parametrize("kind", ["HeadNode", "LoginNode", "ComputeFleet"])
def test_the_engine_reads_plain_lines_whatever_a_script_has_printed(node: Node, kind: str) -> None:
    # ParallelCluster decodes standard error strictly as UTF-8, and a progress bar is one endless line.
    node.is_a(kind)
    printed = b"1%\r2%\r" * 9000 + b"caf\xe9 \xff\x00\x1b[31m\ndone\n"
    body = f"import sys\nsys.stdout.buffer.write({printed!r})\nsys.exit(9)"
    hook = Script("hook", f"#!/usr/bin/env python3\n{body}\n".encode(), "configured", ("head", "login", "compute"))

    done = node.enter(staged(node, hook))

    assert done.returncode == 9
    assert b"caf\xe9 \xff" in node.log("hook").read_bytes(), "the log keeps what was printed"
    for shown in (done.stdout, done.stderr, _failure(node)):
        assert shown.isascii()
        assert "\ndone\n[end hook exit=9" in shown
        assert len(shown) < 9000


def test_a_great_deal_of_output_is_kept_and_its_end_shown(node: Node) -> None:
    body = "head -c 60000000 /dev/zero | tr '\\0' x; exit 5"

    started = time.monotonic()
    done = node.enter(staged(node, script("talks", body)))

    assert done.returncode == 5
    assert node.log("talks").stat().st_size > 60_000_000
    assert len(done.stdout) < 9000
    assert time.monotonic() - started < 10


class TestParallelClusterOnTheHeadNode:
    """The reason that CloudFormation shows. That ParallelCluster leaves the seconds for it, no test can prove."""

    def test_the_reason_stands_before_the_engines_words(self, node: Node) -> None:
        self._boot(node, staged(node, BROKEN))

        assert self._reason(node) == (
            "clusterform: script broken failed with exit code 32 in stage configured: mount.nfs: Connection timed "
            f"out | {WORDS_OF_THE_ENGINE}\n"
        )

    def test_what_an_earlier_failure_left_there_is_not_taken_for_it(self, node: Node) -> None:
        file = self._file(node)
        file.parent.mkdir(parents=True)
        file.write_text("an earlier failure\n")

        self._boot(node, staged(node, BROKEN))

        assert "an earlier failure" not in self._reason(node)

    def test_a_long_reason_leaves_room_for_the_engines_words(self, node: Node) -> None:
        self._boot(node, staged(node, script("talks", "printf 'x%.0s' {1..5000}; exit 32")))

        reason = self._reason(node)
        assert WORDS_OF_THE_ENGINE in reason
        assert len(reason) < 1000

    @pytest.mark.parametrize("kind", ["LoginNode", "ComputeFleet"])
    def test_other_nodes_leave_the_engines_event_alone(self, node: Node, kind: str) -> None:
        node.is_a(kind)

        self._boot(node, staged(node, BROKEN))

        time.sleep(0.3)
        assert self._file(node).read_text() == WORDS_OF_THE_ENGINE + "\n"

    def test_an_update_has_no_reason_of_its_own(self, node: Node) -> None:
        file = self._file(node)
        file.parent.mkdir(parents=True)
        file.write_text("of the boot\n")

        done = node.enter(staged(node, script("broken", "exit 32", stage="updated")), "updated")

        assert done.returncode == 32
        time.sleep(0.3)
        assert file.read_text() == "of the boot\n"

    def test_a_success_writes_no_reason(self, node: Node) -> None:
        self._file(node).parent.mkdir(parents=True)

        assert node.enter(staged(node, note("works"))).returncode == 0
        assert not self._file(node).exists()

    def _boot(self, node: Node, manifest: Manifest) -> None:
        """As ParallelCluster's runner does: wait for the script and its standard error, then write the reason."""
        node.stub("sleep", 'exec /bin/sleep "$@"\n')
        self._file(node).parent.mkdir(parents=True, exist_ok=True)
        started = time.monotonic()
        done = node.enter(manifest)
        assert done.returncode == 32
        assert time.monotonic() - started < 5, "nothing that is left behind may keep the engine waiting"
        time.sleep(0.3)
        self._file(node).write_text(WORDS_OF_THE_ENGINE + "\n")

    def _reason(self, node: Node) -> str:
        """What is sent some seconds later."""
        until = time.monotonic() + 8
        while time.monotonic() < until:
            if (text := self._file(node).read_text()).startswith("clusterform: "):
                return text
            time.sleep(0.05)
        raise AssertionError(self._file(node).read_text())

    def _file(self, node: Node) -> Path:
        return node.root / "var/log/parallelcluster/bootstrap_error_msg"


def test_only_standard_output_is_needed_to_learn_it(node: Node) -> None:
    # Whoever closes standard error, and a node without a system's log.
    (node.stubs / "bin/logger").unlink()
    manifest = staged(node, BROKEN)
    entry = node.stubs / "real.sh"
    entry.write_bytes(manifest.entry.content)
    wrapper = node.stubs / "entry.sh"
    wrapper.write_text(f'exec bash "{entry}" "$@" 2>&-\n')

    done: subprocess.CompletedProcess[str] = node.run(
        wrapper, "s3://bucket/entry.sh", "us-east-1", "configured", STACK_ID
    )

    assert done.returncode == 32
    assert "mount.nfs: Connection timed out" in done.stdout
    assert "exit code: 32" in _failure(node)
