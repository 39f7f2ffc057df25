"""The instance store on real block devices: what is free is used, what anybody has claimed is never written to.

What remains unproven here: striping (mdadm is a stub), the names and models that NVMe disks have on EC2, and that
a node boots with the line in its fstab.
"""

from __future__ import annotations

import os
import subprocess
import zlib
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from bootstrap_assets.manifest import Script
from bootstrap_assets.renderer import render_manifest
from tests.factories import cluster
from tests.scripts.disks import small_disk
from tests.scripts.instance_store import EBS, Disks
from tests.scripts.node import Node

pytestmark = pytest.mark.needs("losetup", "mkfs.xfs", "mkfs.ext4", "mkswap", "blkid", "mount")

GPU = {"name": "gpu", "instance_types": ["g5.4xlarge"], "subnets": ["private-a"]}


def _scripts(os: str = "ubuntu2404") -> list[Script]:
    spec = cluster(os=os, head_node={"instance_type": "c6i.xlarge", "subnet": "public-a"}, queues=[GPU])
    scripts = render_manifest("demo", spec, Path()).scripts
    return [script for script in scripts if script.name in ("use-instance-store", "prepare-scratch")]


def _run(node: Node) -> subprocess.CompletedProcess[str]:
    """Both scripts as the node runs them."""
    output = errors = ""
    for script in _scripts():
        file = node.stubs / f"{script.name}.sh"
        file.write_bytes(script.content)
        done = node.run(file)
        assert done.returncode == 0, done.stderr
        output, errors = output + done.stdout, errors + done.stderr
    return subprocess.CompletedProcess([], 0, output, errors)


@pytest.fixture
def disks(node: Node) -> Iterator[Disks]:
    # Skips the test where nothing can be mounted.
    with small_disk(node.stubs / "probe", 64):
        pass
    # A test of disks must not install anything on this machine.
    for installer in ("apt-get", "dnf"):
        node.stub(installer, "exit 1\n")
    disks = Disks(node)
    try:
        yield disks
    finally:
        disks.close()


def _local(node: Node) -> Path:
    return node.root / "local_scratch"


def _mount(path: Path) -> dict[str, str]:
    """What the kernel says of a mounted filesystem."""
    for line in Path("/proc/self/mounts").read_text().splitlines():
        device, place, kind, options, *_ = line.split()
        if place == str(path):
            return {"device": device, "kind": kind, "options": options}
    return {}


def _state(node: Node) -> object:
    """What a second run must not change."""
    return (
        (node.root / "etc/fstab").read_text(),
        _mount(_local(node)),
        _local(node).stat().st_mode,
        sorted(str(path.relative_to(node.root)) for path in node.root.rglob("*")),
    )


def test_one_disk_is_an_xfs_at_local_scratch_open_to_all(node: Node, disks: Disks) -> None:
    disks.add("nvme0n1", EBS)
    device = disks.add("nvme1n1")

    done = _run(node)

    mounted = _mount(_local(node))
    assert (mounted["device"], mounted["kind"]) == (str(device), "xfs")
    assert {"noatime", "nodiratime"} <= set(mounted["options"].split(","))
    assert _local(node).stat().st_mode & 0o7777 == 0o1777
    assert str((node.root / "scratch").readlink()) == "local_scratch"
    assert "/local_scratch is on " in done.stdout
    uuid = subprocess.run(
        ["blkid", "-p", "-s", "UUID", "-o", "value", device], capture_output=True, text=True, check=True
    )
    assert (node.root / "etc/fstab").read_text() == (
        f"UUID={uuid.stdout.strip()} /local_scratch xfs noatime,nodiratime,nofail 0 0\n"
    )


def test_several_disks_are_striped(node: Node, disks: Disks) -> None:
    devices = [disks.add(f"nvme{number}n1") for number in (1, 2, 3)]
    disks.stub_mdadm()

    _run(node)

    words = " ".join(map(str, devices))
    assert [" ".join(call) for call in node.trace()] == [
        f"mdadm --create {node.root}/dev/md/local_scratch --run --level=0 --raid-devices=3 {words}"
    ]
    assert _mount(_local(node))["device"] == f"{node.root}/dev/md/local_scratch"


def test_a_second_run_changes_nothing_and_files_stay(node: Node, disks: Disks) -> None:
    disks.add("nvme1n1")
    _run(node)
    (_local(node) / "data").write_text("mine")
    before = _state(node)

    done = _run(node)

    assert _state(node) == before
    assert (done.stdout, done.stderr) == ("", "")


def _make(*command: str) -> Callable[[Disks, Path], None]:
    def claim(_: Disks, device: Path) -> None:
        subprocess.run([*command, device], check=True, capture_output=True)

    return claim


def _write(offset: int, data: bytes) -> Callable[[Disks, Path], None]:
    def claim(_: Disks, device: Path) -> None:
        with device.open("r+b") as file:
            file.seek(offset)
            file.write(data)
            os.fsync(file.fileno())

    return claim


def _kernel(path: str) -> Callable[[Disks, Path], None]:
    """As the kernel shows what is built on a disk."""

    def claim(disks: Disks, device: Path) -> None:
        (disks.node.root / f"sys/block/{device.name}/{path}").mkdir(parents=True)

    return claim


def _gone(_: Disks, device: Path) -> None:
    device.unlink()


def _lvm_label() -> bytes:
    """The second sector of a physical volume: its magic, place, checksum of what follows, offset and type."""
    rest = ((32).to_bytes(4, "little") + b"LVM2 001").ljust(512 - 20, b"\0")
    checksum = zlib.crc32(rest, 0xF597A6CF ^ 0xFFFFFFFF) ^ 0xFFFFFFFF
    return b"LABELONE" + (1).to_bytes(8, "little") + checksum.to_bytes(4, "little") + rest


def _partition_table() -> bytes:
    """One Linux partition in a table of DOS."""
    first = b"\x80\0\0\0\x83\0\0\0" + (2048).to_bytes(4, "little") + (4096).to_bytes(4, "little")
    return b"\0" * 446 + first + b"\0" * 48 + b"\x55\xaa"


def _two_signatures(disks: Disks, device: Path) -> None:
    """The header of swap space beside that of an XFS, which lies before it."""
    subprocess.run(["mkswap", device], check=True, capture_output=True)
    with device.open("rb") as file:
        header = file.read(4096)
    subprocess.run(["mkfs.xfs", "-q", "-f", device], check=True)
    _write(1024, header[1024:])(disks, device)
    assert subprocess.run(["blkid", "-p", device], capture_output=True, check=False).returncode == 8


CLAIMS = {
    "ext4": _make("mkfs.ext4", "-q"),
    "xfs": _make("mkfs.xfs", "-q"),
    "swap": _make("mkswap"),
    "contradiction": _two_signatures,
    # As ParallelCluster's volume group has it.
    "lvm": _write(512, _lvm_label()),
    "partition table": _write(0, _partition_table()),
    "luks": _write(0, b"LUKS\xba\xbe\0\x02"),
    "holder": _kernel("holders/dm-0"),
    "partition": _kernel("nvme1n1p1"),
    "no device": _gone,
}


@pytest.mark.parametrize("claim", CLAIMS)
def test_a_claimed_disk_is_never_written_to_and_a_free_one_beside_it_is_used(
    node: Node, disks: Disks, claim: str
) -> None:
    CLAIMS[claim](disks, disks.add("nvme1n1"))
    free = disks.add("nvme2n1")
    before = disks.content("nvme1n1")

    done = _run(node)

    assert disks.content("nvme1n1") == before
    assert _mount(_local(node))["device"] == str(free)
    assert ("nvme1n1 " in done.stderr) == (claim != "no device"), "it says why"


@pytest.mark.parametrize("model", [EBS, "Amazon EC2 NVMe Instance Storage 2", "NVMe Instance Storage", ""])
def test_a_disk_of_another_model_is_never_written_to(node: Node, disks: Disks, model: str) -> None:
    disks.add("nvme1n1", model)
    before = disks.content("nvme1n1")

    done = _run(node)

    assert disks.content("nvme1n1") == before
    assert (done.stdout, done.stderr) == ("", "")
    assert _mount(_local(node)) == {}
    assert _local(node).stat().st_mode & 0o7777 == 0o1777
    assert not (node.root / "etc/fstab").exists()


def test_a_mounted_disk_is_never_written_to_whatever_path_it_was_mounted_by(node: Node, disks: Disks) -> None:
    disks.add("nvme1n1")
    loop = disks.loops["nvme1n1"]
    subprocess.run(["mkfs.ext4", "-q", loop], check=True)
    place = node.stubs / "place"
    place.mkdir()
    subprocess.run(["mount", "-o", "ro", loop, place], check=True)
    try:
        before = disks.content("nvme1n1")

        done = _run(node)

        assert "nvme1n1 is mounted" in done.stderr
        assert disks.content("nvme1n1") == before
    finally:
        subprocess.run(["umount", place], check=True)


def test_a_node_without_nvme_disks_has_local_scratch_on_its_root_volume(node: Node, disks: Disks) -> None:
    done = _run(node)

    assert (done.stdout, done.stderr) == ("", "")
    assert _local(node).is_dir()
    assert disks.loops == {}


class TestWhatCannotBeDone:
    """Each leaves /local_scratch on the root volume, says why, and is no failure."""

    def test_files_at_local_scratch_are_not_hidden(self, node: Node, disks: Disks) -> None:
        disks.add("nvme1n1")
        _local(node).mkdir()
        (_local(node) / "data").write_text("mine")

        self._is_left(node, disks, "/local_scratch holds files")
        assert (_local(node) / "data").read_text() == "mine"

    def test_a_link_is_left_alone(self, node: Node, disks: Disks) -> None:
        disks.add("nvme1n1")
        (node.root / "elsewhere").mkdir()
        _local(node).symlink_to("elsewhere")

        self._is_left(node, disks, "/local_scratch leads elsewhere")

    @pytest.mark.parametrize("tool", ["mkfs.xfs", "mount"])
    def test_a_tool_that_fails(self, node: Node, disks: Disks, tool: str) -> None:
        disks.add("nvme1n1")
        node.stub(tool, "exit 1\n")

        done = _run(node)

        assert "the instance store is not used: " in done.stdout
        assert "/local_scratch stays on the root volume" in done.stdout
        assert not (node.root / "etc/fstab").exists()

    def test_striping_that_fails(self, node: Node, disks: Disks) -> None:
        disks.add("nvme1n1")
        disks.add("nvme2n1")
        node.stub("mdadm", "exit 1\n")

        self._is_left(node, disks, "mdadm failed on ")

    def test_an_fstab_that_cannot_be_written_is_said(self, node: Node, disks: Disks) -> None:
        disks.add("nvme1n1")
        (node.root / "etc/fstab").mkdir()

        done = _run(node)

        assert "/etc/fstab cannot be written: after a reboot" in done.stdout
        assert _mount(_local(node))["kind"] == "xfs"

    def _is_left(self, node: Node, disks: Disks, reason: str) -> None:
        before = disks.content("nvme1n1")
        done = _run(node)
        assert f"the instance store is not used: {reason}" in done.stdout
        assert disks.content("nvme1n1") == before
        assert _mount(_local(node)) == {}
        assert not (node.root / "etc/fstab").exists()


@pytest.mark.parametrize(("os", "installer"), [("ubuntu2204", "apt-get"), ("rhel9", "dnf"), ("alinux2023", "dnf")])
def test_a_missing_tool_is_installed_by_the_systems_own_package_manager(
    node: Node, disks: Disks, os: str, installer: str
) -> None:
    disks.add("nvme1n1")
    for name in ("apt-get", "dnf"):
        node.stub(name, f'printf "{name} %s\\n" "$*" >>"$STUBS/trace"\n')
    # The path holds what the script needs but mkfs.xfs.
    tools = node.stubs / "few"
    tools.mkdir()
    for tool in ("bash", "mountpoint", "awk", "blkid", "ls", "mkdir", "mount", "cat"):
        (tools / tool).symlink_to(subprocess.check_output(["which", tool], text=True).strip())
    file = node.stubs / "use.sh"
    file.write_bytes(_scripts(os)[0].content)

    done = node.run(file, PATH=f"{node.stubs / 'bin'}:{tools}")

    assert done.returncode == 0, done.stderr
    calls = node.trace()
    assert {call[0] for call in calls} == {installer}
    assert calls[-1][-1] == "xfsprogs"
    assert "the instance store is not used: mkfs.xfs failed" in done.stdout


@pytest.mark.parametrize(
    ("head", "login", "queue", "expected"),
    [
        ("c8g.xlarge", None, "c8g.2xlarge", ()),
        ("c6gd.xlarge", None, "c8g.2xlarge", ("head",)),
        ("c8g.xlarge", "c6gd.large", "c8g.2xlarge", ("login",)),
        ("c8g.xlarge", None, "c6gd.2xlarge", ("compute",)),
        ("c6gd.xlarge", "c6gd.large", "c6gd.2xlarge", ("head", "login", "compute")),
    ],
)
def test_only_nodes_whose_types_have_disks_run_it(
    head: str, login: str | None, queue: str, expected: tuple[str, ...]
) -> None:
    spec = cluster(
        head_node={"instance_type": head, "subnet": "public-a"},
        login=[{"name": "login", "subnet": "public-a", "count": 1, "instance_type": login}],
        queues=[{"name": "cpu", "instance_types": [queue], "subnets": ["private-a"]}],
    )

    scripts = render_manifest("demo", spec, Path()).scripts

    found = [script.nodes for script in scripts if script.name == "use-instance-store"]
    assert found == ([expected] if expected else [])
