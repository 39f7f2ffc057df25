"""What is wrong with a valid cluster because of what its nodes run: it takes too long, or lacks something."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from bootstrap_assets.budget import Budget, budgets
from bootstrap_assets.endpoints import GATEWAYS, PACKAGES, Need, by_service, closed_subnets, missing, needs
from bootstrap_assets.renderer import render_manifest
from config.findings import Finding, KeyPath, Severity
from config.located import located
from config.models.cluster import Cluster
from config.project import Project
from config.selection import CLUSTERS
from config.wording import quoted

LONGEST = 3


def node_findings(project: Project, root: Path) -> list[Finding]:
    """Every cluster's findings, each with file and line; ``root`` is where hooks' paths start."""
    return [
        located(finding, cluster.origins, f"{CLUSTERS}/{cluster.name}.yaml")
        for cluster in project.clusters
        for finding in (
            *budget_findings(cluster.name, cluster.spec),
            *network_findings(cluster.name, cluster.spec, root),
        )
    ]


def budget_findings(name: str, spec: Cluster) -> Iterator[Finding]:
    """Starts that outlast the engine's patience. Warnings, since the numbers are estimates."""
    for budget in budgets(name, spec):
        if budget.timeout is not None and budget.seconds > budget.timeout:
            yield _too_long(budget, budget.timeout)


def network_findings(name: str, spec: Cluster, root: Path) -> Iterator[Finding]:
    """What nodes without internet need and the configuration does not say to be there."""
    closed = closed_subnets(spec)
    if not closed:
        return
    lacking = by_service(missing(spec, needs(spec, render_manifest(name, spec, root).scripts)))
    services = [service for service in lacking if service != PACKAGES]
    if services:
        yield _missing_endpoints(spec, closed, lacking, services)
    if PACKAGES in lacking:
        yield _missing_packages(spec, lacking[PACKAGES])
    if "head" in closed and not _has_own_names(spec):
        yield _managed_names(spec)


def _too_long(budget: Budget, timeout: int) -> Finding:
    longest = sorted(budget.items, key=lambda item: -item.seconds)[:LONGEST]
    told = ", ".join(f"{item.what} {item.seconds} s" for item in longest)
    head = budget.node == "head"
    return Finding(
        rule="boot-budget",
        severity=Severity.WARNING,
        path=("head_node", "bootstrap_timeout") if head else ("queues",),
        message=f"a {budget.node} node's start takes about {budget.seconds} s, but ParallelCluster waits "
        f"{timeout} s; most of it: {told}",
        hint=f"write bootstrap_timeout: {budget.seconds} or more, or put what takes long into an image of your own"
        if head
        else "put what takes long into an image of your own (custom_ami)",
    )


def _missing_endpoints(
    spec: Cluster, closed: dict[str, list[str]], lacking: dict[str, list[Need]], services: list[str]
) -> Finding:
    nodes = ", ".join(node for node in closed if any(need.node == node for need in _flat(lacking, services)))
    told = "; ".join(f"{service} for {_whys(lacking[service])}" for service in services)
    kinds = [f"{service} ({'gateway' if service in GATEWAYS else 'interface'})" for service in services]
    return Finding(
        rule="missing-endpoint",
        path=_place(spec, closed),
        message=f"nodes without internet ({nodes}) need endpoints that network.endpoints does not name: {told}",
        hint=f"make endpoints in the VPC for {', '.join(kinds)}, and name them in network.endpoints; or give the "
        "subnet a NAT gateway and write internet: true",
    )


def _missing_packages(spec: Cluster, wanted: list[Need]) -> Finding:
    return Finding(
        rule="package-source",
        path=("network", "package_mirror"),
        message=f"without internet there is no source of {spec.os}'s packages, which nodes install: "
        f"{_whys(wanted)}",
        hint="give nodes an image whose package sources lie in your network (custom_ami) and write "
        "package_mirror: true; or use alinux2023, whose packages come from S3",
    )


def _managed_names(spec: Cluster) -> Finding:
    return Finding(
        rule="managed-dns",
        path=("network", "subnets", spec.head_node.subnet),
        message=f"subnet {quoted(spec.head_node.subnet)} has no internet, and Route 53, where ParallelCluster "
        "keeps the names of nodes, has no endpoint",
        hint="write parallelcluster.raw: {Scheduling: {SlurmSettings: {Dns: {DisableManagedDns: true, "
        "UseEc2Hostnames: true}}}}",
    )


def _has_own_names(spec: Cluster) -> bool:
    place = spec.parallelcluster.raw
    for key in ("Scheduling", "SlurmSettings", "Dns"):
        place = place.get(key, {}) if isinstance(place, dict) else {}
    return isinstance(place, dict) and place.get("DisableManagedDns") is True


def _place(spec: Cluster, closed: dict[str, list[str]]) -> KeyPath:
    first = next(iter(closed.values()))[0]
    return ("network", "endpoints") if spec.network.endpoints else ("network", "subnets", first, "internet")


def _whys(wanted: list[Need]) -> str:
    return ", ".join(dict.fromkeys(need.why for need in wanted))


def _flat(lacking: dict[str, list[Need]], services: list[str]) -> list[Need]:
    return [need for service in services for need in lacking[service]]
