"""Mounting an NFS server's export, with stubs for mount and the package managers."""

from __future__ import annotations

import subprocess
from pathlib import Path
from typing import Any

import pytest

from bootstrap_assets.operating_systems import OPERATING_SYSTEMS
from bootstrap_assets.renderer import render_manifest
from tests.factories import cluster
from tests.scripts.node import Node

NAS: dict[str, Any] = {"name": "nas", "mount": "/nfs/nas", "type": "nfs", "server": "nas", "export": "/export"}
LINE = "nas:/export /nfs/nas nfs hard,_netdev,nofail 0 0"
TRACE = 'printf "%s %s\\n" "${0##*/}" "$*" >>"$STUBS/trace"\n'


@pytest.fixture
def machine(node: Node) -> Node:
    """A node whose NFS client is there and where nothing is mounted yet."""
    node.stub("mount.nfs", "exit 0\n")
    node.stub("mount", TRACE + 'touch "$STUBS/mounted"\n')
    node.stub("mountpoint", '[[ -e "$STUBS/mounted" ]]\n')
    for manager in ("apt-get", "dnf"):
        node.stub(manager, TRACE)
    (node.root / "etc/fstab").write_text("# disks\nUUID=1 / ext4 defaults 0 1\n")
    return node


def _run(node: Node, os: str = "ubuntu2404", **changes: str) -> subprocess.CompletedProcess[str]:
    manifest = render_manifest("demo", cluster(os=os, storage=[NAS | changes]), Path())
    script = next(script for script in manifest.scripts if script.name == "mount-nfs-nas")
    file = node.stubs / "mount_nfs.sh"
    file.write_bytes(script.content)
    return node.run(file, *script.args)


def _fstab(node: Node) -> list[str]:
    return (node.root / "etc/fstab").read_text().splitlines()


def test_the_export_is_mounted_now_and_at_every_boot(machine: Node) -> None:
    done = _run(machine)

    assert done.returncode == 0, done.stderr
    assert (machine.root / "nfs/nas").is_dir()
    assert _fstab(machine) == ["# disks", "UUID=1 / ext4 defaults 0 1", LINE]
    assert machine.trace() == [["mount", "/nfs/nas"]]


def test_a_second_run_changes_nothing(machine: Node) -> None:
    _run(machine)
    before = _fstab(machine), machine.trace()

    assert _run(machine).returncode == 0
    assert (_fstab(machine), machine.trace()) == before


def test_another_server_takes_the_formers_place(machine: Node) -> None:
    _run(machine)
    _run(machine, server="new")

    assert _fstab(machine)[2:] == [LINE.replace("nas:", "new:")]


def test_a_server_that_answers_late_is_waited_for(machine: Node) -> None:
    machine.stub(
        "mount", TRACE + 'if (($(wc -l <"$STUBS/trace") < 5)); then exit 32; fi; touch "$STUBS/mounted"\n'
    )

    done = _run(machine)

    assert done.returncode == 0
    assert machine.trace() == [
        *(["mount", "/nfs/nas"], ["sleep", "2"], ["mount", "/nfs/nas"], ["sleep", "4"], ["mount", "/nfs/nas"]),
    ]


def test_a_server_that_never_answers_fails_the_node_and_says_what_to_look_at(machine: Node) -> None:
    machine.stub("mount", TRACE + "exit 32\n")

    done = _run(machine)

    assert done.returncode == 1
    assert sum(call[0] == "mount" for call in machine.trace()) == 5
    assert "nas:/export cannot be mounted at /nfs/nas: is port 2049" in done.stderr


@pytest.mark.parametrize("os", OPERATING_SYSTEMS)
def test_a_missing_client_is_installed_by_the_systems_own_package_manager(machine: Node, os: str) -> None:
    (machine.stubs / "bin/mount.nfs").unlink()

    done = _run(machine, os)

    assert done.returncode == 0, done.stderr
    installs = [call for call in machine.trace() if "install" in call]
    assert len(installs) == 1
    if os.startswith("ubuntu"):
        assert (installs[0][0], installs[0][-1]) == ("apt-get", "nfs-common")
    else:
        assert (installs[0][0], installs[0][-1]) == ("dnf", "nfs-utils")
        assert {"--exclude=kernel*", "--exclude=kmod-lustre*", "--exclude=efa*"} <= set(installs[0])
        assert ("--exclude=lustre-client*" in installs[0]) == (os == "alinux2023")
    assert len({call[0] for call in machine.trace()} & {"apt-get", "dnf"}) == 1


def test_a_client_that_cannot_be_installed_fails_the_node(machine: Node) -> None:
    (machine.stubs / "bin/mount.nfs").unlink()
    machine.stub("apt-get", TRACE + "exit 100\n")

    assert _run(machine).returncode == 100
    assert _fstab(machine) == ["# disks", "UUID=1 / ext4 defaults 0 1"]
