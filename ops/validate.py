"""Runs ParallelCluster's own rules on clusters as they would be deployed, without AWS."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from contextlib import ExitStack
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from config.facts.ec2_form import as_ec2
from config.facts.instance_types import load as load_types
from config.facts.parallelcluster_schema import load as load_schema
from config.models.cluster import Cluster
from hpc_constructs.parallelcluster.rendering import cluster_configuration
from ops.stand_ins import references, without_intrinsics
from pcluster_rules.results import Message
from pcluster_rules.worker_client import Rules

if TYPE_CHECKING:
    from config.loader import LoadedCluster


@dataclass(frozen=True)
class Checked:
    """One cluster and what the rules of its version say."""

    name: str
    version: str
    messages: tuple[Message, ...]

    @property
    def refused(self) -> bool:
        """Whether ParallelCluster would refuse the cluster."""
        return any(message.level == "error" for message in self.messages)


def validate(clusters: Iterable[LoadedCluster]) -> Iterator[Checked]:
    """Check one cluster after the other, each by the rules of its own version, started once.

    Raises RulesError when the rules of a version cannot be installed.
    """
    with ExitStack() as started:
        rules: dict[str, Rules] = {}
        for cluster in clusters:
            version = cluster.spec.parallelcluster_version
            if version not in rules:
                rules[version] = started.enter_context(Rules(version))
            document = realistic_document(cluster.name, cluster.spec)
            messages = rules[version].validate(cluster.name, document, facts(cluster.spec, document))
            yield Checked(cluster.name, version, tuple(messages))


def realistic_document(name: str, spec: Cluster) -> dict[str, Any]:
    """The cluster's document as ParallelCluster would get it, with stand-ins for what only a deployment knows."""
    document = cluster_configuration(name, spec, load_types(), references(name, spec))
    return without_intrinsics(document, load_schema(spec.parallelcluster_version))


def facts(spec: Cluster, document: Mapping[str, Any]) -> dict[str, Any]:
    """What is known without AWS of the things a document names: its instance types, and the file's subnets."""
    types = load_types()
    return {
        "region": spec.region,
        "instance_types": {
            name: as_ec2(types[name]) for name in sorted(_instance_types(document)) if name in types
        },
        "subnets": {
            subnet.id: {"AvailabilityZone": subnet.zone, "VpcId": spec.network.vpc_id}
            for subnet in spec.network.subnets.values()
        },
    }


def _instance_types(value: Any) -> Iterator[str]:
    if isinstance(value, Mapping):
        for key, inner in value.items():
            if key == "InstanceType" and isinstance(inner, str):
                yield inner
            else:
                yield from _instance_types(inner)
    elif isinstance(value, list):
        for inner in value:
            yield from _instance_types(inner)
