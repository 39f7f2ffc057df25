"""Filers of others, mounted by every node: ParallelCluster mounts none."""

from __future__ import annotations

from collections.abc import Iterator

from bootstrap_assets.step import Step, Subject
from config.models.storage import Nfs


def steps(subject: Subject) -> Iterator[Step]:
    """One mount for each server in the cluster's storage."""
    for storage in subject.spec.storage:
        if isinstance(storage, Nfs):
            yield Step(
                f"mount-nfs-{storage.name}",
                "nfs/mount_nfs.sh.j2",
                seconds=20,
                args=(storage.server, storage.export, storage.mount),
            )
