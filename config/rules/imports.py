"""Filesystems of storage files, as clusters mount them, and where production keeps /home."""

from __future__ import annotations

from collections.abc import Iterator

from config.derived import used_subnets
from config.models.cluster import Cluster
from config.models.storage import Ebs, Efs, FsxLustre, Imported
from config.models.storage_file import StoredEbs, StoredEfs
from config.rules.base import Problem, Rule, Subject
from config.rules.parts import did_you_mean
from config.wording import quoted

HOME = "/home"


class KnownFilesystem(Rule):
    """``filesystem`` names one of the storage file's, and may be left out where that has only one."""

    name = "known-filesystem"

    def check(self, subject: Subject) -> Iterator[Problem]:
        """Look it up in the file."""
        for index, each in _imported(subject.spec):
            if each.found is None or each.found.filesystem is not None:
                continue
            known = [filesystem.name for filesystem in each.found.file.filesystems]
            path = ("storage", index, "filesystem")
            if each.filesystem is None:
                message = f"{quoted(each.from_)} has several filesystems, and none is chosen"
                yield Problem(path, message, f"write one of {', '.join(known)}")
            else:
                message = f"{quoted(each.filesystem)} is no filesystem of {quoted(each.from_)}"
                yield Problem(path, message, did_you_mean(each.filesystem, known))


class StoragePlace(Rule):
    """A cluster and the storage that it mounts are of one account, Region and VPC."""

    name = "storage-place"

    def check(self, subject: Subject) -> Iterator[Problem]:
        """Compare both files; an account that is left out could be any."""
        spec = subject.spec
        for index, each in _imported(spec):
            if each.found is None:
                continue
            file = each.found.file
            for key, theirs, ours in (
                ("region", file.region, spec.region),
                ("account", file.account, spec.account),
                ("network.vpc_id", file.network.vpc_id, spec.network.vpc_id),
            ):
                if theirs is not None and ours is not None and theirs != ours:
                    message = f"{quoted(each.from_)} has {key}: {theirs}, the cluster {ours}"
                    yield Problem(("storage", index, "from"), message, "take storage of the same place")


class StorageZones(Rule):
    """A volume is in the head node's zone; EFS has a mount target in every zone that has nodes."""

    name = "storage-zones"

    def check(self, subject: Subject) -> Iterator[Problem]:
        """Compare the zones of nodes with those of the storage."""
        spec = subject.spec
        for index, each in _imported(spec):
            if each.found is None or each.found.filesystem is None:
                continue
            path, stored = ("storage", index, "from"), each.found.filesystem
            head = _zones(spec, [spec.head_node.subnet])
            if isinstance(stored, StoredEbs) and head and stored.zone not in head:
                message = f"volume {quoted(stored.name)} is in {stored.zone}, the head node in {', '.join(head)}"
                yield Problem(path, message, "move the head node to a subnet of that zone")
            if isinstance(stored, StoredEfs):
                reached = {subnet.zone for subnet in each.found.file.network.subnets.values()}
                if missing := [zone for zone in _zones(spec, used_subnets(spec)) if zone not in reached]:
                    message = f"{quoted(each.from_)} has no subnet in {', '.join(missing)}, where nodes are"
                    yield Problem(path, message, "add a subnet of that zone to the storage file")


class HomeInProd(Rule):
    """In prod, /home is on storage that outlives the cluster: ``from`` a storage file, or an existing ``id``."""

    name = "home-in-prod"

    def check(self, subject: Subject) -> Iterator[Problem]:
        """Look for what is mounted at /home."""
        spec = subject.spec
        if spec.environment != "prod" or spec.head_node.home_on_root_volume:
            return
        for index, each in enumerate(spec.storage):
            if each.mount == HOME:
                if isinstance(each, Ebs | Efs | FsxLustre) and each.id is None:
                    message = (
                        f"{HOME} of a prod cluster is on {quoted(each.name)}, which is made for this cluster alone"
                    )
                    yield Problem(("storage", index), message, _HOME_HINT)
                return
        message = f"{HOME} of a prod cluster is on the head node's root volume, which ends with the cluster"
        yield Problem(("storage",), message, _HOME_HINT)


_HOME_HINT = (
    "mount it from a storage file, {name: home, mount: /home, from: NAME}, or by id, "
    "or write head_node.home_on_root_volume: true"
)


def _imported(spec: Cluster) -> Iterator[tuple[int, Imported]]:
    for index, each in enumerate(spec.storage):
        if isinstance(each, Imported):
            yield index, each


def _zones(spec: Cluster, keys: list[str]) -> list[str]:
    """The zones of subnets, sorted; a key of none has its own rule."""
    return sorted({spec.network.subnets[key].zone for key in keys if key in spec.network.subnets})
