"""What is wrong with a cluster although its configuration is valid: AWS would refuse what follows from it."""

from __future__ import annotations

from config.findings import Finding
from config.located import located
from config.project import Project
from config.selection import ACCOUNT, CLUSTERS
from hpc_constructs.account.rendering_policies import account_findings
from hpc_constructs.account.rendering_reach import reach_findings
from hpc_constructs.identity.rendering_check import policy_findings


def consequences(project: Project) -> list[Finding]:
    """Every cluster's and the account's findings, each with file and line of the value that it follows from."""
    prepared = project.prepared.spec if project.prepared else None
    found = [
        located(finding, cluster.origins, f"{CLUSTERS}/{cluster.name}.yaml")
        for cluster in project.clusters
        for finding in (*policy_findings(cluster.name, cluster.spec), *reach_findings(cluster.spec, prepared))
    ]
    if project.account is not None:
        origins = project.account.origins
        found += [located(finding, origins, ACCOUNT) for finding in account_findings(project.account.spec)]
    return found
