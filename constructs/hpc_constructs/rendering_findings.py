"""What is wrong with a cluster although its configuration is valid: AWS would refuse what follows from it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace

from config.document import Origin
from config.findings import Finding, KeyPath
from config.loader import LoadedCluster
from config.models.account import Account
from config.selection import ACCOUNT, CLUSTERS
from config.standalone import LoadedFile
from hpc_constructs.account.rendering_policies import account_findings
from hpc_constructs.identity.rendering_check import policy_findings


def consequences(clusters: Sequence[LoadedCluster], account: LoadedFile[Account] | None = None) -> list[Finding]:
    """Every cluster's and the account's findings, each with file and line of the value that it follows from."""
    found = [
        _located(finding, cluster.origins, f"{CLUSTERS}/{cluster.name}.yaml")
        for cluster in clusters
        for finding in policy_findings(cluster.name, cluster.spec)
    ]
    if account is not None:
        found += [_located(finding, account.origins, ACCOUNT) for finding in account_findings(account.spec)]
    return found


def _located(finding: Finding, origins: Mapping[KeyPath, Origin], file: str) -> Finding:
    """The finding where its value stands, or the nearest value around it that a file gives."""
    for length in range(len(finding.path), 0, -1):
        origin = origins.get(finding.path[:length])
        if origin is not None:
            return replace(finding, file=origin.file, line=origin.line)
    return replace(finding, file=file)
