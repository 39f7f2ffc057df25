"""The network: subnets and their zones, and from where nodes may be reached."""

from __future__ import annotations

from collections.abc import Iterator
from ipaddress import IPv4Network, collapse_addresses

from config.derived import placement_group
from config.findings import KeyPath, Severity
from config.models.cluster import Cluster
from config.models.compute import Queue
from config.models.storage_file import StorageFile
from config.rules.base import FileSubject, FilesystemRule, Problem, Rule, Subject
from config.rules.parts import did_you_mean, engine_lustre
from config.wording import quoted


class ZoneInRegion(FilesystemRule):
    """A subnet's zone lies in the file's Region."""

    name = "zone-in-region"

    def check(self, subject: Subject | FileSubject[StorageFile]) -> Iterator[Problem]:
        """Compare the zone without its letter."""
        region = subject.spec.region
        for key, subnet in subject.spec.network.subnets.items():
            if subnet.zone[:-1] != region:
                path = ("network", "subnets", key, "zone")
                yield Problem(
                    path, f"zone {subnet.zone} is not in Region {region}", f"write a zone such as {region}a"
                )


class UniqueSubnetIds(FilesystemRule):
    """One key a subnet: two keys for one id would hide that they are the same."""

    name = "unique-subnet-ids"

    def check(self, subject: Subject | FileSubject[StorageFile]) -> Iterator[Problem]:
        """Report the second of two."""
        first: dict[str, str] = {}
        for key, subnet in subject.spec.network.subnets.items():
            other = first.setdefault(subnet.id, key)
            if other != key:
                path = ("network", "subnets", key, "id")
                yield Problem(path, f"{subnet.id} is already the id of {quoted(other)}", "remove one of the two")


class KnownSubnets(Rule):
    """Head node, login pools and queues name keys of ``network.subnets``."""

    name = "known-subnets"

    def check(self, subject: Subject) -> Iterator[Problem]:
        """Look every key up."""
        known = list(subject.spec.network.subnets)
        for path, key in _subnet_keys(subject.spec):
            if key not in known:
                yield Problem(path, f"{quoted(key)} is not a key of network.subnets", did_you_mean(key, known))


class QueueSubnets(Rule):
    """A queue names each subnet once, and at most one of each zone (EC2 Fleet's limit)."""

    name = "queue-subnets"

    def check(self, subject: Subject) -> Iterator[Problem]:
        """Report the second of two in a zone."""
        subnets = subject.spec.network.subnets
        for index, queue in enumerate(subject.spec.queues):
            by_zone: dict[str, str] = {}
            for place, key in enumerate(queue.subnets):
                if key not in subnets:
                    continue
                path = ("queues", index, "subnets", place)
                other = by_zone.setdefault(subnets[key].zone, key)
                if key in queue.subnets[:place]:
                    yield Problem(path, f"{quoted(key)} is listed already", "remove one")
                elif other != key:
                    message = f"{quoted(key)} and {quoted(other)} are both in {subnets[key].zone}"
                    yield Problem(path, message, "keep one subnet of each zone, or make a second queue")


class EfaOneZone(Rule):
    """EFA does not reach across zones."""

    name = "efa-one-zone"

    def check(self, subject: Subject) -> Iterator[Problem]:
        """Count the zones of queues with EFA."""
        for index, queue, zones in _multi_zone(subject.spec):
            if queue.efa:
                message = (
                    f"queue {quoted(queue.name)} uses EFA, which stays within a zone, and has subnets in {zones}"
                )
                yield Problem(("queues", index, "subnets"), message, "keep one subnet, or write efa: false")


class PlacementGroupOneZone(Rule):
    """A placement group lies in one zone."""

    name = "placement-group-one-zone"

    def check(self, subject: Subject) -> Iterator[Problem]:
        """Count the zones of queues with a placement group of their own accord; EFA has its own rule."""
        for index, queue, zones in _multi_zone(subject.spec):
            if placement_group(queue) and not queue.efa:
                message = f"queue {quoted(queue.name)} has a placement group and subnets in {zones}"
                yield Problem(("queues", index, "subnets"), message, "keep one subnet, or no placement_group")


class LustreOneSubnet(Rule):
    """With a Lustre filesystem of the cluster's own, all queues share one subnet (ParallelCluster)."""

    name = "lustre-one-subnet"

    def check(self, subject: Subject) -> Iterator[Problem]:
        """Count the subnets of all queues together."""
        used = list(dict.fromkeys(key for queue in subject.spec.queues for key in queue.subnets))
        for index, lustre in engine_lustre(subject.spec):
            if len(used) > 1:
                yield Problem(
                    ("storage", index),
                    f"{quoted(lustre.name)} is created with the cluster, so all queues must share one subnet, "
                    f"but they use {', '.join(used)}",
                    "keep one subnet, or write managed_by: stack",
                )


class AllowedNetworks(Rule):
    """Networks in CIDR notation, IPv4 only, without host bits: what ParallelCluster and EC2 accept."""

    name = "allowed-networks"

    def check(self, subject: Subject) -> Iterator[Problem]:
        """Parse every entry."""
        for path, cidr in _cidrs(subject.spec):
            if _network(cidr) is not None:
                continue
            loose = _network(cidr, strict=False)
            hint = f"write {loose}" if loose else "write an IPv4 network such as 10.0.0.0/16"
            yield Problem(path, f"{quoted(cidr)} is not a network", hint)


class OpenToTheWorld(Rule):
    """SSH and remote desktop never admit the whole internet, not even in pieces."""

    name = "open-to-the-world"

    def check(self, subject: Subject) -> Iterator[Problem]:
        """Collapse each list and look for 0.0.0.0/0."""
        for path, cidrs in _cidr_lists(subject.spec):
            networks = [network for cidr in cidrs if (network := _network(cidr))]
            if any(network.prefixlen == 0 for network in collapse_addresses(networks)):
                message = f"{', '.join(cidrs)} admits the whole internet"
                yield Problem(path, message, "name the networks of your users, e.g. the VPC's own 10.0.0.0/16")


class BroadNetworks(Rule):
    """A network broader than /8 holds more than 16 million addresses: hardly all of them yours."""

    name = "broad-networks"
    severity = Severity.WARNING

    def check(self, subject: Subject) -> Iterator[Problem]:
        """Compare prefix lengths."""
        for path, cidr in _cidrs(subject.spec):
            network = _network(cidr)
            if network is not None and 0 < network.prefixlen < 8:
                message = f"{cidr} admits {network.num_addresses:,} addresses"
                yield Problem(path, message, "name the networks of your users")


class NetworkCount(Rule):
    """At most 20 networks for SSH (the size of our prefix list), one for the remote desktop (ParallelCluster)."""

    name = "network-count"
    ssh_limit = 20

    def check(self, subject: Subject) -> Iterator[Problem]:
        """Count different entries."""
        ssh, dcv = subject.spec.ssh.allowed_cidrs, subject.spec.head_node.dcv
        if len(set(ssh)) > self.ssh_limit:
            message = f"{len(set(ssh))} networks, at most {self.ssh_limit} are possible"
            yield Problem(("ssh", "allowed_cidrs"), message, "join neighbouring networks")
        desktop = dcv.allowed_cidrs or ssh
        if dcv.enabled and len(desktop) > 1:
            message = f"the remote desktop admits one network, and {len(desktop)} are given"
            hint = "write one network in head_node.dcv.allowed_cidrs"
            yield Problem(("head_node", "dcv", "allowed_cidrs"), message, hint)


def _subnet_keys(spec: Cluster) -> Iterator[tuple[KeyPath, str]]:
    yield ("head_node", "subnet"), spec.head_node.subnet
    for index, pool in enumerate(spec.login):
        yield ("login", index, "subnet"), pool.subnet
    for index, queue in enumerate(spec.queues):
        for place, key in enumerate(queue.subnets):
            yield ("queues", index, "subnets", place), key


def _multi_zone(spec: Cluster) -> Iterator[tuple[int, Queue, str]]:
    subnets = spec.network.subnets
    for index, queue in enumerate(spec.queues):
        zones = sorted({subnets[key].zone for key in queue.subnets if key in subnets})
        if len(zones) > 1:
            yield index, queue, " and ".join(zones)


def _cidr_lists(spec: Cluster) -> Iterator[tuple[KeyPath, list[str]]]:
    yield ("ssh", "allowed_cidrs"), spec.ssh.allowed_cidrs
    yield ("head_node", "dcv", "allowed_cidrs"), spec.head_node.dcv.allowed_cidrs


def _cidrs(spec: Cluster) -> Iterator[tuple[KeyPath, str]]:
    for path, cidrs in _cidr_lists(spec):
        for index, cidr in enumerate(cidrs):
            yield (*path, index), cidr


def _network(cidr: str, *, strict: bool = True) -> IPv4Network | None:
    """The network as ParallelCluster takes it (no netmask, no host bits), else None; not strict: however spelt."""
    try:
        network = IPv4Network(cidr, strict=strict)
    except ValueError:
        return None
    return network if not strict or str(network) == cidr else None
