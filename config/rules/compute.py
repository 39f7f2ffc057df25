"""Nodes: instance types, architectures, counts."""

from __future__ import annotations

from collections.abc import Iterator

from config.derived import placement_group
from config.findings import Severity
from config.near import listing
from config.rules.base import Problem, Rule, Subject
from config.rules.parts import instance_types, known_types
from config.vcpu_classes import class_name
from config.wording import quoted

REFRESH = "clusterform facts refresh"


class KnownInstanceTypes(Rule):
    """Every instance type is in the committed facts, since all else follows from them."""

    name = "known-instance-types"

    def check(self, subject: Subject) -> Iterator[Problem]:
        """Look every type up."""
        for path, name in instance_types(subject.spec):
            if name not in subject.types:
                near = subject.types.near(name)
                meant = f"did you mean {listing(near)}? " if near else ""
                yield Problem(
                    path, f"unknown instance type {quoted(name)}", f"{meant}If it is new, run: {REFRESH}"
                )


class OneArchitecture(Rule):
    """One CPU architecture a cluster: software on shared storage runs on every node."""

    name = "one-architecture"

    def check(self, subject: Subject) -> Iterator[Problem]:
        """Compare with the head node's, and name every type once."""
        found = list(known_types(subject))
        pairs = {name: subject.types[name].architecture for _, name in found}
        head = pairs.get(subject.spec.head_node.instance_type)
        for path, name in found:
            if head is not None and pairs[name] != head:
                listed = ", ".join(f"{type_name}={architecture}" for type_name, architecture in pairs.items())
                yield Problem(path, f"one CPU architecture a cluster, got {listed}", f"use {head} types only")
                return


class QueueTypesDistinct(Rule):
    """A queue names each instance type once."""

    name = "queue-types-distinct"

    def check(self, subject: Subject) -> Iterator[Problem]:
        """Report the second of two."""
        for index, queue in enumerate(subject.spec.queues):
            for place, name in enumerate(queue.instance_types):
                if name in queue.instance_types[:place]:
                    yield Problem(
                        ("queues", index, "instance_types", place), f"{name} is listed already", "remove one"
                    )


class NodeCounts(Rule):
    """``min_nodes`` is at most ``max_nodes``."""

    name = "node-counts"

    def check(self, subject: Subject) -> Iterator[Problem]:
        """Compare each queue's two numbers."""
        for index, queue in enumerate(subject.spec.queues):
            if queue.min_nodes > queue.max_nodes:
                message = f"min_nodes is {queue.min_nodes}, more than max_nodes, which is {queue.max_nodes}"
                yield Problem(("queues", index, "min_nodes"), message, f"write at most {queue.max_nodes}")


class ComputeResources(Rule):
    """At most 50 compute resources a cluster (ParallelCluster): one for each vCPU class of each queue's types."""

    name = "compute-resources"
    limit = 50

    def check(self, subject: Subject) -> Iterator[Problem]:
        """Count the classes of all queues."""
        counts = _class_counts(subject)
        if sum(counts) > self.limit:
            yield Problem(
                ("queues",),
                f"{sum(counts)} compute resources, at most {self.limit} are possible: each queue makes one for "
                "each vCPU count among its instance types",
                "give queues fewer instance types of different size",
            )


class HeadNodeMemory(Rule):
    """The head node has memory for all nodes: 1 GiB for 25 of them and 0.6 GiB for itself, or 16 GiB.

    The formula is ParallelCluster 3.16.1's, which refuses less.
    """

    name = "head-node-memory"

    def check(self, subject: Subject) -> Iterator[Problem]:
        """Count the nodes of all classes at their most."""
        head = subject.spec.head_node.instance_type
        if head not in subject.types:
            return
        queues = subject.spec.queues
        nodes = sum(queue.max_nodes * count for queue, count in zip(queues, _class_counts(subject), strict=True))
        needed, has = min(nodes / 25 + 0.6, 16), subject.types[head].memory_mib / 1024
        if has < needed:
            message = f"{head} has {has:g} GiB of memory, and {nodes} nodes at most need {needed:g} GiB"
            yield Problem(("head_node", "instance_type"), message, "take a larger head node or lower max_nodes")


class SmallMemory(Rule):
    """Ubuntu and RHEL images need 1.7 GiB of memory (ParallelCluster's advice)."""

    name = "small-memory"
    severity = Severity.WARNING
    needed_mib = 1740

    def check(self, subject: Subject) -> Iterator[Problem]:
        """Compare each type's memory."""
        if subject.spec.os == "alinux2023":
            return
        for path, name in known_types(subject):
            if subject.types[name].memory_mib < self.needed_mib:
                message = (
                    f"{name} has {subject.types[name].memory_mib} MiB of memory, too little for {subject.spec.os}"
                )
                yield Problem(path, message, "take a type with 2 GiB or more")


class InstanceOs(Rule):
    """Families that ParallelCluster does not run under every operating system: p6e-gb200 not under RHEL 9."""

    name = "instance-os"
    refused = {"p6e-gb200": {"rhel9"}}

    def check(self, subject: Subject) -> Iterator[Problem]:
        """Look each type's family up."""
        for path, name in known_types(subject):
            if subject.spec.os in self.refused.get(subject.types[name].family, set()):
                yield Problem(
                    path, f"{name} does not run under {subject.spec.os}", "choose another os, e.g. ubuntu2404"
                )


class SpotOffered(Rule):
    """A Spot queue names types that EC2 offers as Spot."""

    name = "spot-offered"

    def check(self, subject: Subject) -> Iterator[Problem]:
        """Ask the facts."""
        types = subject.types
        for index, queue in enumerate(subject.spec.queues):
            never = [name for name in queue.instance_types if name in types and not types[name].spot]
            if queue.capacity == "spot" and never:
                message = (
                    f"queue {quoted(queue.name)} is a Spot queue, and EC2 never offers {', '.join(never)} as Spot"
                )
                yield Problem(("queues", index, "capacity"), message, "write capacity: ondemand")


class PlacementOffered(Rule):
    """A placement group (EFA implies one) takes only types that EC2 places close together."""

    name = "placement-offered"

    def check(self, subject: Subject) -> Iterator[Problem]:
        """Ask the facts."""
        types = subject.types
        for index, queue in enumerate(subject.spec.queues):
            loose = [name for name in queue.instance_types if name in types and not types[name].cluster_placement]
            if placement_group(queue) and loose:
                message = f"queue {quoted(queue.name)} has a placement group, which takes no {', '.join(loose)}"
                yield Problem(
                    ("queues", index, "instance_types"), message, "take other types, or no placement_group"
                )


def _class_counts(subject: Subject) -> list[int]:
    """How many compute resources each queue makes, of the types that are known."""
    return [
        len(
            {
                class_name(subject.types[name], multithreading=queue.multithreading)
                for name in queue.instance_types
                if name in subject.types
            }
        )
        for queue in subject.spec.queues
    ]
