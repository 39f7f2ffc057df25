"""What is wrong with a cluster although its configuration is valid: AWS would refuse what follows from it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

from config.document import Origin
from config.findings import Finding, KeyPath
from config.project import Project
from config.selection import ACCOUNT, CLUSTERS
from hpc_constructs.account.rendering_policies import account_findings
from hpc_constructs.account.rendering_reach import reach_findings
from hpc_constructs.identity.rendering_check import policy_findings


def consequences(project: Project) -> list[Finding]:
    """Every cluster's and the account's findings, each with file and line of the value that it follows from."""
    prepared = project.prepared.spec if project.prepared else None
    found = [
        _located(finding, cluster.origins, f"{CLUSTERS}/{cluster.name}.yaml")
        for cluster in project.clusters
        for finding in (*policy_findings(cluster.name, cluster.spec), *reach_findings(cluster.spec, prepared))
    ]
    if project.account is not None:
        origins = project.account.origins
        found += [_located(finding, origins, ACCOUNT) for finding in account_findings(project.account.spec)]
    return found


def _located(finding: Finding, origins: Mapping[KeyPath, Origin], file: str) -> Finding:
    """The finding where its value stands, or the nearest value around it that a file gives."""
    for length in range(len(finding.path), 0, -1):
        origin = origins.get(finding.path[:length])
        if origin is not None:
            return replace(finding, file=origin.file, line=origin.line)
    return replace(finding, file=file)
