"""What is known before a deployment about the starts of a cluster's nodes, for people and for machines."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

from bootstrap_assets.budget import budgets
from bootstrap_assets.endpoints import GATEWAYS, PACKAGES, by_service, closed_subnets, missing, needs
from bootstrap_assets.renderer import render_manifest
from config.models.cluster import Cluster

INDENT = "#   "


def text(name: str, spec: Cluster, root: Path) -> str:
    """The plan as comments, so that what stands before it stays YAML; ``root`` is where hooks' paths start."""
    return "".join(f"{line}\n" for line in (*_starts(name, spec), *_network(name, spec, root)))


def data(name: str, spec: Cluster, root: Path) -> dict[str, Any]:
    """The same for machines.

    ``starts`` is a list of ``{"node", "seconds", "timeout", "items": [{"what", "seconds"}]}``; ``timeout`` is null
    where the engine waits for none. ``needs`` is a list of ``{"service", "node", "why", "missing"}``, empty where
    every node reaches the internet.
    """
    found = needs(spec, render_manifest(name, spec, root).scripts)
    lacking = missing(spec, found)
    return {
        "starts": [
            {
                "node": budget.node,
                "seconds": budget.seconds,
                "timeout": budget.timeout,
                "items": [{"what": item.what, "seconds": item.seconds} for item in budget.items],
            }
            for budget in budgets(name, spec)
        ],
        "needs": [
            {"service": need.service, "node": need.node, "why": need.why, "missing": need in lacking}
            for need in found
        ],
    }


def _starts(name: str, spec: Cluster) -> Iterator[str]:
    yield "#"
    yield "# How long a node's first start takes as a rule (estimates, in seconds):"
    for budget in budgets(name, spec):
        limit = "" if budget.timeout is None else f" of {budget.timeout} that ParallelCluster waits"
        yield f"{INDENT}{budget.node} node: {budget.seconds}{limit}"
        for item in budget.items:
            yield f"{INDENT}  {item.seconds:>5}  {item.what}"


def _network(name: str, spec: Cluster, root: Path) -> Iterator[str]:
    closed = closed_subnets(spec)
    if not closed:
        return
    found = needs(spec, render_manifest(name, spec, root).scripts)
    lacking = missing(spec, found)
    subnets = dict.fromkeys(key for keys in closed.values() for key in keys)
    yield "#"
    yield f"# What nodes need in subnets without internet ({', '.join(subnets)}):"
    for service, wanted in by_service(found).items():
        kind = "a mirror" if service == PACKAGES else "gateway" if service in GATEWAYS else "interface"
        state = "MISSING" if wanted[0] in lacking else "there"
        nodes = ", ".join(dict.fromkeys(need.node for need in wanted))
        whys = ", ".join(dict.fromkeys(need.why for need in wanted))
        yield f"{INDENT}{service:<20}  {kind:<9}  {state:<7}  {nodes}: {whys}"
