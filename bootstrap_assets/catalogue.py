"""Our concerns in the order in which their scripts run, with the hooks of the user in between."""

from __future__ import annotations

from collections.abc import Iterator

from bootstrap_assets.hydration import steps as hydration
from bootstrap_assets.jobs import steps as jobs
from bootstrap_assets.marker import steps as marker
from bootstrap_assets.nfs import steps as nfs
from bootstrap_assets.operating_systems import OPERATING_SYSTEMS
from bootstrap_assets.scratch import steps as scratch
from bootstrap_assets.spack import steps as spack
from bootstrap_assets.step import Concern, Step, Subject
from config.models.cluster import Cluster

BEFORE_HOOKS: tuple[Concern, ...] = (scratch.steps, nfs.steps, hydration.steps, spack.steps, jobs.steps)
AFTER_HOOKS: tuple[Concern, ...] = (marker.steps,)


def steps_before_hooks(name: str, spec: Cluster) -> list[Step]:
    """What prepares the nodes of cluster ``name``."""
    return list(_steps(BEFORE_HOOKS, name, spec))


def steps_after_hooks(name: str, spec: Cluster) -> list[Step]:
    """What is done once all else has run."""
    return list(_steps(AFTER_HOOKS, name, spec))


def _steps(concerns: tuple[Concern, ...], name: str, spec: Cluster) -> Iterator[Step]:
    subject = Subject(name, spec, OPERATING_SYSTEMS[spec.os])
    for concern in concerns:
        yield from concern(subject)
