"""One script of ours, before it is rendered: where its text is, where and when it runs, and for how long."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field

from bootstrap_assets.manifest import CONFIGURED, UPDATED
from bootstrap_assets.operating_systems import OperatingSystem
from config.models.cluster import Cluster

HEAD = ("head",)
USERS_NODES = ("head", "login")
EVERY_NODE = ("head", "login", "compute")

CONFIGURED_AND_UPDATED = f"{CONFIGURED},{UPDATED}"
"""Our scripts may run again: an update of the cluster brings its head node to the changed configuration."""

Value = str | bool | int | tuple[str, ...]


@dataclass(frozen=True)
class Subject:
    """What a concern looks at to say which steps a cluster needs."""

    name: str
    spec: Cluster
    system: OperatingSystem


@dataclass(frozen=True)
class Step:
    """A script of the manifest.

    ``template`` is its file below this folder, ``values`` are what the template names beside ``system``.
    ``seconds`` is how long a first run takes as a rule, for the budget of a node's start. ``args`` may hold
    spaces, never a secret.
    """

    name: str
    template: str
    seconds: int
    nodes: tuple[str, ...] = EVERY_NODE
    stages: str = CONFIGURED_AND_UPDATED
    values: Mapping[str, Value] = field(default_factory=dict[str, Value])
    args: tuple[str, ...] = ()


Concern = Callable[[Subject], Iterable[Step]]
"""Says which steps a cluster needs; none, where it does not need the concern."""
