"""The local AWS starts once, listens on loopback alone, and leaves no process, however it is ended."""

from __future__ import annotations

import json
import os
import signal
import socket
import subprocess
import sys
import time
import urllib.request
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from ops.local import actions, server
from ops.local.server import Server
from tests.local_aws_server import client
from tests.local_stacks import CAPABILITIES, recorder, template

pytestmark = [
    pytest.mark.xdist_group("local-aws-processes"),
    pytest.mark.skipif(not Path("/proc/self/stat").exists(), reason="counts processes in /proc"),
]

NEVER = "import time\ndef handler(event, context):\n    time.sleep(600)\n"


def descendants(pid: int) -> set[int]:
    """The processes below one, itself included."""
    parents = {}
    for stat in Path("/proc").glob("[0-9]*/stat"):
        try:
            fields = stat.read_text().rpartition(")")[2].split()
        except OSError:
            continue
        parents[int(stat.parent.name)] = int(fields[1])
    found, before = {pid}, set()
    while found != before:
        before = set(found)
        found |= {child for child, parent in parents.items() if parent in found}
    return found


def alive(pids: set[int]) -> set[int]:
    """Those that still run; a zombie does not."""
    states = {pid: Path(f"/proc/{pid}/stat") for pid in pids}
    return {
        pid
        for pid, stat in states.items()
        if stat.exists() and stat.read_text().rpartition(")")[2].split()[0] != "Z"
    }


def wait_until(condition: Callable[[], Any], seconds: float = 20) -> None:
    deadline = time.monotonic() + seconds
    while not condition():
        assert time.monotonic() < deadline, "waited in vain"
        time.sleep(0.05)


def keep_busy(running: Server) -> set[int]:
    """Leave a function waiting for ever and a rules worker at rest; every process of the server."""
    resources = recorder()
    resources["Function"]["Properties"]["Code"]["ZipFile"] = NEVER
    token = {"ServiceToken": {"Fn::GetAtt": ["Function", "Arn"]}}
    resources["Pending"] = {"Type": "Custom::Pending", "Properties": token}
    cloudformation = client(running, "cloudformation")
    cloudformation.create_stack(StackName="busy", TemplateBody=template(resources), Capabilities=CAPABILITIES)
    ask_for_rules(running)
    wait_until(lambda: len(descendants(running.pid)) >= 3)
    return descendants(running.pid)


def ask_for_rules(running: Server) -> None:
    """An event for the provider's stand-in, which asks ParallelCluster's rules."""
    client(running, "s3").create_bucket(Bucket="events")
    event = {
        "RequestType": "Create",
        "ResourceProperties": {
            "ClusterName": "demo",
            "ClusterConfiguration": {"HeadNode": {}, "Scheduling": {"SlurmQueues": []}},
        },
        "StackId": "arn:aws:cloudformation:us-east-1:123456789012:stack/x/1",
        "RequestId": "1",
        "LogicalResourceId": "Cluster",
    }
    names = {"AWS_REGION": "us-east-1", "AWS_ACCESS_KEY_ID": "123456789012", "AWS_SECRET_ACCESS_KEY": "x"}
    question = {"event": event, "bucket": "events", "role": "", "log_group": "", "credentials": names}
    request = urllib.request.Request(
        f"{running.endpoint}/_local_aws/provider/3.16.1", json.dumps(question).encode(), method="POST"
    )
    with urllib.request.urlopen(request, timeout=60) as answer:
        assert json.load(answer)["Status"] == "FAILED"


@pytest.fixture
def running(tmp_path: Path) -> Iterator[Server]:
    started = server.start(tmp_path / "state")
    yield started
    server.stop(started)


def test_stopping_ends_every_process_even_while_one_waits(running: Server) -> None:
    processes = keep_busy(running)
    began = time.monotonic()
    server.stop(running)
    assert time.monotonic() - began < 2 * server.STOP_SECONDS
    wait_until(lambda: not alive(processes), 5)
    assert server.running(running.state) is None


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_a_signal_to_the_foreground_ends_every_process(tmp_path: Path, number: int) -> None:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port = probe.getsockname()[1]
    process = subprocess.Popen(
        [sys.executable, "-m", "local_aws", "--port", str(port), "--state", str(tmp_path)], start_new_session=True
    )
    foreground = Server(process.pid, port, tmp_path)
    wait_until(lambda: server._answers(foreground), 60)
    processes = keep_busy(foreground)
    os.kill(process.pid, number)
    assert process.wait(20) == 0
    wait_until(lambda: not alive(processes), 5)


def sockets(pids: set[int]) -> set[str]:
    """The inodes of the processes' sockets."""
    found = set()
    for entry in (entry for pid in pids for entry in Path(f"/proc/{pid}/fd").iterdir()):
        try:
            target = str(entry.readlink())
        except OSError:
            continue
        if target.startswith("socket:"):
            found.add(target[len("socket:[") : -1])
    return found


def test_it_listens_on_loopback_alone(running: Server) -> None:
    ours = sockets(keep_busy(running))
    lines = [
        line.split() for name in ("tcp", "tcp6") for line in Path(f"/proc/net/{name}").read_text().splitlines()[1:]
    ]
    listening = {fields[1] for fields in lines if fields[3] == "0A" and fields[9] in ours}
    assert f"0100007F:{running.port:04X}" in listening
    assert {address.partition(":")[0] for address in listening} == {"0100007F"}


def test_a_record_of_one_that_is_gone_is_nobody(tmp_path: Path) -> None:
    gone = subprocess.Popen([sys.executable, "-c", ""])
    gone.wait()
    record = {"pid": gone.pid, "port": 1, "state": str(tmp_path)}
    (tmp_path / server.RECORD).write_text(json.dumps(record))
    assert server.running(tmp_path) is None


def test_a_process_that_took_over_the_number_is_left_alone(tmp_path: Path) -> None:
    record = {"pid": os.getpid(), "port": 1, "state": str(tmp_path)}
    (tmp_path / server.RECORD).write_text(json.dumps(record))
    assert server.running(tmp_path) is None


@pytest.mark.parametrize("text", ["", "{", "{}", '{"pid": "x", "port": 1}'])
def test_a_damaged_record_is_nobody(tmp_path: Path, text: str) -> None:
    (tmp_path / server.RECORD).write_text(text)
    assert server.running(tmp_path) is None


def test_a_start_that_fails_says_why_and_leaves_nothing(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "executable", "/bin/false")
    with pytest.raises(server.LocalAwsError, match="did not start"):
        server.start(tmp_path / "state")


def test_up_twice_is_one_and_reset_is_empty(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(actions, "STATE", tmp_path / "state")
    first = actions.up()
    try:
        assert actions.up() == first == actions.status()
        client(first, "s3").create_bucket(Bucket="content")
        fresh = actions.reset()
        assert fresh.pid != first.pid
        assert client(fresh, "s3").list_buckets()["Buckets"] == []
    finally:
        assert actions.down() is True
    assert actions.status() is None
    assert actions.down() is False
