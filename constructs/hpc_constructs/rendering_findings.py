"""What is wrong with a cluster although its configuration is valid: AWS would refuse what follows from it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from config.findings import Finding
from config.loader import LoadedCluster
from config.selection import CLUSTERS
from hpc_constructs.identity.rendering_check import policy_findings


def consequences(clusters: Sequence[LoadedCluster]) -> list[Finding]:
    """Every cluster's findings, each with the file and line of the value that it follows from."""
    return [
        _located(finding, cluster)
        for cluster in clusters
        for finding in policy_findings(cluster.name, cluster.spec)
    ]


def _located(finding: Finding, cluster: LoadedCluster) -> Finding:
    """The finding where its value stands, or the nearest value around it that a file gives."""
    for length in range(len(finding.path), 0, -1):
        origin = cluster.origins.get(finding.path[:length])
        if origin is not None:
            return replace(finding, file=origin.file, line=origin.line)
    return replace(finding, file=f"{CLUSTERS}/{cluster.name}.yaml")
