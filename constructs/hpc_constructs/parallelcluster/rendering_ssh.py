"""From where nodes may be reached: SSH and the remote desktop."""

from __future__ import annotations

from config.models.cluster import Cluster
from hpc_constructs.intrinsics import Value
from hpc_constructs.parallelcluster.rendering_references import References

PREFIX_LIST_ENTRIES = 20
"""Networks a list can hold. Fixed, because EC2 refuses to change entries and size at once, and each possible entry
counts against the 60 rules of the security group that names the list."""


def prefix_list(name: str, spec: Cluster) -> dict[str, Value] | None:
    """Properties of the ``AWS::EC2::PrefixList`` with the networks that may reach port 22, where one is needed.

    ParallelCluster's ``AllowedIps`` takes one network or one prefix list. A single network is written as it is.
    """
    if len(spec.ssh.allowed_cidrs) == 1:
        return None
    return {
        "PrefixListName": f"clusterform-{name}-ssh",
        "AddressFamily": "IPv4",
        "MaxEntries": PREFIX_LIST_ENTRIES,
        "Entries": [{"Cidr": cidr} for cidr in sorted(set(spec.ssh.allowed_cidrs))],
    }


def ssh_source(spec: Cluster, references: References) -> Value:
    """What ``AllowedIps`` of the head node says; login pools inherit it."""
    if len(spec.ssh.allowed_cidrs) == 1:
        return spec.ssh.allowed_cidrs[0]
    if references.ssh_prefix_list is None:
        raise ValueError("several networks in ssh.allowed_cidrs need the prefix list's id in references")
    return references.ssh_prefix_list


def dcv(spec: Cluster) -> dict[str, Value] | None:
    """The head node's remote desktop.

    One network only: ParallelCluster accepts a prefix list here, then writes it into the rule's ``CidrIp``, which
    EC2 refuses. A rule reports several; left out, ``AllowedIps`` would mean the whole internet.
    """
    settings = spec.head_node.dcv
    if not settings.enabled:
        return None
    (network,) = settings.allowed_cidrs or spec.ssh.allowed_cidrs
    return {"Enabled": True, "Port": settings.port, "AllowedIps": network}
