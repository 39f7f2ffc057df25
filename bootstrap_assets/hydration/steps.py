"""Commands that move data between FSx for Lustre and S3, for operators and jobs' scripts on the head node."""

from __future__ import annotations

from collections.abc import Iterator

from bootstrap_assets.step import HEAD, Step, Subject
from config.derived import hydrated_mounts


def steps(subject: Subject) -> Iterator[Step]:
    """Only where a Lustre filesystem loads from S3 and writes back."""
    mounts = hydrated_mounts(subject.spec)
    if mounts:
        yield Step(
            "install-hydration-helpers",
            "hydration/install_helpers.sh.j2",
            seconds=1,
            nodes=HEAD,
            values={"mounts": mounts},
        )
