"""Where filesystems are mounted."""

from __future__ import annotations

import posixpath
from collections.abc import Iterator
from pathlib import PurePosixPath

from config.models.storage import Nfs
from config.rules.base import Problem, Rule, Subject
from config.rules.parts import known_types
from config.wording import quoted

# ParallelCluster 3.16.1 reserves these directories themselves, not what lies below them.
RESERVED = {
    *("/bin", "/boot", "/dev", "/etc", "/lib", "/lib64", "/media", "/mnt", "/opt", "/opt/intel", "/proc", "/root"),
    *("/run", "/sbin", "/srv", "/sys", "/tmp", "/usr", "/var", "/NONE"),
    *(
        "/opt/parallelcluster",
        "/opt/parallelcluster/shared",
        "/opt/parallelcluster/shared_login_nodes",
        "/opt/slurm",
    ),
}
# Here ParallelCluster is silent, and a mount would hide what the system, ParallelCluster or our own scripts keep.
RESERVED_TREES = (
    *("/bin", "/boot", "/dev", "/etc", "/lib", "/lib64", "/proc", "/root", "/run", "/sbin", "/sys"),
    *("/opt/amazon", "/opt/parallelcluster", "/opt/slurm", "/local_scratch", "/nfs"),
)


class MountSpelling(Rule):
    """A mount directory is written in its shortest form, without ``.``, ``..`` or double slashes."""

    name = "mount-spelling"

    def check(self, subject: Subject) -> Iterator[Problem]:
        """Compare with the normal form."""
        for index, storage in enumerate(subject.spec.storage):
            normal = posixpath.normpath(storage.mount)
            if normal != storage.mount:
                yield Problem(
                    ("storage", index, "mount"), f"{storage.mount} is not in its shortest form", f"write {normal}"
                )


class MountReserved(Rule):
    """Directories of the system, of ParallelCluster and of our scripts (/local_scratch) stay theirs.

    /home may be mounted, and so may anything below /opt, /mnt, /srv, /usr and /var.
    """

    name = "mount-reserved"

    def check(self, subject: Subject) -> Iterator[Problem]:
        """Look at the directory and at what it lies below. /nfs is for NFS servers, which have their own rule."""
        for index, storage in enumerate(subject.spec.storage):
            mount = posixpath.normpath(storage.mount)
            within = [tree for tree in RESERVED_TREES if mount == tree or mount.startswith(tree + "/")]
            if within == ["/nfs"] and isinstance(storage, Nfs):
                continue
            if mount in RESERVED or within:
                message = f"{storage.mount} is reserved" + (
                    f" like all of {within[0]}" if within and mount != within[0] else ""
                )
                yield Problem(
                    ("storage", index, "mount"), message, "mount it elsewhere, e.g. /shared, /data or /home"
                )


class MountOverlap(Rule):
    """Mount directories differ, and none lies within another (ParallelCluster)."""

    name = "mount-overlap"

    def check(self, subject: Subject) -> Iterator[Problem]:
        """Compare every filesystem with those before it."""
        for index, storage in enumerate(subject.spec.storage):
            for other in subject.spec.storage[:index]:
                path = ("storage", index, "mount")
                if storage.mount == other.mount:
                    yield Problem(
                        path, f"{storage.mount} is already where {quoted(other.name)} is mounted", "choose another"
                    )
                elif storage.mount.startswith(other.mount + "/") or other.mount.startswith(storage.mount + "/"):
                    message = f"{storage.mount} and {other.mount} (of {quoted(other.name)}) lie within each other"
                    yield Problem(path, message, "choose directories side by side")


class NfsMount(Rule):
    """NFS servers are mounted below /nfs."""

    name = "nfs-mount"

    def check(self, subject: Subject) -> Iterator[Problem]:
        """Look at where each is mounted."""
        for index, storage in enumerate(subject.spec.storage):
            if isinstance(storage, Nfs) and not storage.mount.startswith("/nfs/"):
                message = f"{storage.mount} is not below /nfs, where NFS servers are mounted"
                yield Problem(("storage", index, "mount"), message, f"write /nfs{storage.mount}")


class ScratchMount(Rule):
    """Nothing shared at /scratch where instance types mount their own disks there (ParallelCluster)."""

    name = "scratch-mount"

    def check(self, subject: Subject) -> Iterator[Problem]:
        """Look for types with an instance store."""
        types = subject.types
        with_disks = sorted({name for _, name in known_types(subject) if types[name].instance_store_gb})
        for index, storage in enumerate(subject.spec.storage):
            if with_disks and PurePosixPath(storage.mount).is_relative_to("/scratch"):
                message = f"{storage.mount} is where {', '.join(with_disks)} mount disks of their own"
                yield Problem(("storage", index, "mount"), message, "choose another directory, e.g. /shared")
