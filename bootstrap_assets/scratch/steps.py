"""Space on each node for files that need not outlive it."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import PurePosixPath

from bootstrap_assets.step import Step, Subject


def steps(subject: Subject) -> Iterator[Step]:
    """Scratch space is on every node; ``/scratch`` leads to it unless a shared filesystem is there."""
    shared = any(PurePosixPath(storage.mount).is_relative_to("/scratch") for storage in subject.spec.storage)
    yield Step("prepare-scratch", "scratch/prepare_scratch.sh.j2", seconds=1, values={"scratch_is_shared": shared})
