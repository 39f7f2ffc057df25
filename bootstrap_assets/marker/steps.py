"""The completion marker, which says that everything on the head node has run."""

from __future__ import annotations

from collections.abc import Iterator

from bootstrap_assets.manifest import CONFIGURED
from bootstrap_assets.step import HEAD, Step, Subject


def steps(subject: Subject) -> Iterator[Step]:
    """Every cluster has one."""
    yield Step("completion-marker", "marker/completion_marker.sh.j2", seconds=1, nodes=HEAD, stages=CONFIGURED)
