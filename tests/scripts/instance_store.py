"""Disks of a node: real block devices, loops over sparse files, under the names that NVMe disks have.

A shim stands for what the kernel says of them. The kernel of tests has no NVMe and no striping: mdadm is a stub
that notes its call and gives one more loop for the array.
"""

from __future__ import annotations

import hashlib
import os
import stat
import subprocess
from dataclasses import dataclass, field
from pathlib import Path

from tests.scripts.disks import must
from tests.scripts.node import Node

OURS = "Amazon EC2 NVMe Instance Storage"
EBS = "Amazon Elastic Block Store"
SIZE = 320 << 20
"""The least that mkfs.xfs accepts is 300 MiB."""
BLOCK = 1 << 16


@dataclass
class Disks:
    """A node's ``/dev`` and ``/sys/block``; ``close`` gives the loops back."""

    node: Node
    loops: dict[str, str] = field(default_factory=dict[str, str])

    def add(self, name: str, model: str = OURS) -> Path:
        """One more blank disk."""
        kernel = self.node.root / "sys/block" / name
        (kernel / "holders").mkdir(parents=True)
        (kernel / "device").mkdir()
        (kernel / "device/model").write_text(f"{model:<40}\n")
        loop = self._loop(name)
        number = Path(loop).stat().st_rdev
        (kernel / "dev").write_text(f"{os.major(number)}:{os.minor(number)}\n")
        return self._device(f"dev/{name}", loop)

    def stub_mdadm(self) -> None:
        """``mdadm --create`` makes a device that tests have prepared, and notes its words."""
        array = self._device("array", self._loop("array"))
        self.node.stub(
            "mdadm",
            f'printf "mdadm %s\\n" "$*" >>"$STUBS/trace"\nmkdir -p "$(dirname "$2")"\ncp -a "{array}" "$2"\n',
        )

    def content(self, name: str) -> str:
        """A hash of all that is on a disk: of each block that is not zero, with its place."""
        digest = hashlib.sha256()
        with (self.node.stubs / f"{name}.img").open("rb") as file:
            place = 0
            while (place := _next_data(file.fileno(), place)) < SIZE:
                block = os.pread(file.fileno(), BLOCK, place)
                if block.strip(b"\0"):
                    digest.update(place.to_bytes(8) + block)
                place += BLOCK
        return digest.hexdigest()

    def close(self) -> None:
        """Unmount and detach everything; what is not there is fine."""
        for line in Path("/proc/self/mounts").read_text().splitlines():
            place = line.split()[1]
            if place.startswith(f"{self.node.root}/"):
                subprocess.run(["umount", "--lazy", place], check=True)
        for loop in self.loops.values():
            subprocess.run(["losetup", "--detach", loop], check=True)

    def _loop(self, name: str) -> str:
        file = self.node.stubs / f"{name}.img"
        with file.open("wb") as image:
            image.truncate(SIZE)
        self.loops[name] = must("losetup", "--find", "--show", file)
        return self.loops[name]

    def _device(self, path: str, loop: str) -> Path:
        device = self.node.root / path
        device.parent.mkdir(parents=True, exist_ok=True)
        os.mknod(device, stat.S_IFBLK | 0o600, Path(loop).stat().st_rdev)
        return device


def _next_data(file: int, place: int) -> int:
    """The block with the next byte that was ever written."""
    try:
        return os.lseek(file, place, os.SEEK_DATA) // BLOCK * BLOCK
    except OSError:
        return SIZE
